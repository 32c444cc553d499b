// A source of chance that gives the same numbers everywhere (xoshiro256++ by Blackman and Vigna; seeded by splitmix64).
#pragma once

#include <cstdint>

namespace houserule {

class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next();
    // Uniform in 0 .. n-1, n > 0 (Lemire's method, without bias).
    std::uint64_t below(std::uint64_t n);

private:
    std::uint64_t s_[4];
};

}  // namespace houserule
