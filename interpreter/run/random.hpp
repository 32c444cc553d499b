// A random number generator with the same output on every machine (xoshiro256++ by Blackman and Vigna, seeded by splitmix64).
#pragma once

#include <bit>
#include <cstdint>

namespace houserule {

// Inline: fast players draw a number at each move.
class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next() {
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
    // Uniform in 0 .. n-1, without bias; n > 0 (Lemire, "Fast random integer generation in an interval", 2019).
    std::uint64_t below(std::uint64_t n) {
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

private:
    __extension__ typedef unsigned __int128 Wide;
    std::uint64_t s_[4];
};

}  // namespace houserule
