#include "interpreter/run/random.hpp"

#include "dsl/text/hash.hpp"

#include <bit>

namespace houserule {

__extension__ typedef unsigned __int128 Wide;

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& s : s_) {
        seed += golden_step;
        s = splitmix(seed);
    }
}

std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = std::rotl(s_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t n) {
    Wide product = static_cast<Wide>(next()) * n;
    std::uint64_t low = product;
    if (low < n) {
        const std::uint64_t threshold = (0 - n) % n;
        while (low < threshold) {
            product = static_cast<Wide>(next()) * n;
            low = product;
        }
    }
    return product >> 64;
}

}  // namespace houserule
