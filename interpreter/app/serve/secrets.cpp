#include "interpreter/app/serve/secrets.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <crypt.h>
#include <sys/random.h>

namespace houserule::cli {

namespace {

// Least rounds and one salt for all: a token of 128 random bits cannot be guessed, and a hash is looked up.
constexpr const char* setting = "$5$rounds=1000$houserule$";
constexpr std::size_t longest_token = 64;

template <std::size_t count>
std::array<unsigned char, count> fresh_bytes() {
    std::array<unsigned char, count> bytes{};
    while (::getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
        if (errno != EINTR) throw std::runtime_error("the kernel gives no random bytes");
    return bytes;
}

}  // namespace

std::string fresh_token() {
    std::string token;
    for (const unsigned char byte : fresh_bytes<16>()) token += fmt::format("{:02x}", byte);
    return token;
}

std::uint64_t fresh_seed() {
    std::uint64_t seed = 0;
    for (const unsigned char byte : fresh_bytes<8>()) seed = seed << 8 | byte;
    return seed >> 1;
}

std::string hash_of(const std::string& token) {
    if (token.size() > longest_token || token.find('\0') != std::string::npos) return "";
    const auto work = std::make_unique<crypt_data>();
    const char* const hash = ::crypt_r(token.c_str(), setting, work.get());
    if (hash == nullptr || !std::string_view(hash).starts_with("$5$")) throw std::runtime_error("libcrypt knows no SHA-256");
    return hash;
}

}  // namespace houserule::cli
