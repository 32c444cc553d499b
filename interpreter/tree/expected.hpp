// Expected payoffs of all seats, as exact fractions.
//
// All seats share one denominator, in 64 bits while that is enough and in whole numbers of any size after that (Boost.Multiprecision,
// which stays inside expected.cpp). Nothing is ever rounded.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace houserule {

class Expected {
public:
    explicit Expected(std::size_t seats);
    Expected(Expected&&) noexcept;
    Expected& operator=(Expected&&) noexcept;
    ~Expected();

    void clear();  // zero for every seat
    // Adds `weight` times these values, one for each seat.
    void add(std::span<const std::int32_t> values, std::uint64_t weight);
    void add(const Expected& other, std::uint64_t weight);
    void divide(std::uint64_t by);  // by > 0

    // The values divided by `scale`, one for each seat, in lowest terms: `-5/64`, `3`.
    std::vector<std::string> fractions(std::int32_t scale) const;
    // Adds such values, of scale 1. False, with nothing changed, if they are none.
    bool add(const std::vector<std::string>& fractions);

private:
    static constexpr std::size_t most_seats = 10;
    struct Big;

    bool add_small(const std::int64_t* numerators, std::int64_t denominator, std::uint64_t weight);
    void grow();

    std::size_t seats_;
    std::array<std::int64_t, most_seats> numerators_{};
    std::int64_t denominator_ = 1;
    std::unique_ptr<Big> big_;  // once 64 bits are too few: replaces the two members above
};

}  // namespace houserule
