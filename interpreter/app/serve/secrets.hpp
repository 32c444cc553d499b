// Tokens: who has one has the seat that it stands for. 128 bits from the kernel; what is kept of them is a hash.
#pragma once

#include <string>
#include <string_view>

namespace houserule::cli {

// 32 hexadecimal digits, fresh from the kernel.
std::string fresh_token();

// SHA-256 (FIPS 180-4) as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace houserule::cli
