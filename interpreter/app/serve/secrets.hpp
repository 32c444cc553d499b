// Tokens: who has one has the seat that it stands for. 128 bits from the kernel; what is kept of them is a hash.
#pragma once

#include <cstdint>
#include <string>

namespace houserule::cli {

// 32 hexadecimal digits, fresh from the kernel.
std::string fresh_token();

// A seed that nobody can try out: 63 bits, fresh from the kernel.
std::uint64_t fresh_seed();

// What is kept of a token: SHA-256 as crypt(5) has it, the same for the same token. Empty for what is no token: too long, or with a null.
std::string hash_of(const std::string& token);

}  // namespace houserule::cli
