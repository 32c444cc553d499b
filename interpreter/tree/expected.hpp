// What each seat can expect: averages of payoffs as exact fractions.
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

    void clear();  // nothing for anybody
    // Adds `weight` times what is given, a value a seat.
    void add(std::span<const std::int32_t> values, std::uint64_t weight);
    void add(const Expected& other, std::uint64_t weight);
    void divide(std::uint64_t by);  // by > 0

    // `-5/64`, `3`, in lowest terms, of what is here divided by `scale`; one a seat.
    std::vector<std::string> fractions(std::int32_t scale) const;

private:
    static constexpr std::size_t most_seats = 10;
    struct Big;

    bool add_small(const std::int64_t* numerators, std::int64_t denominator, std::uint64_t weight);
    void grow();

    std::size_t seats_;
    std::array<std::int64_t, most_seats> numerators_{};
    std::int64_t denominator_ = 1;
    std::unique_ptr<Big> big_;  // then the numbers above no longer count
};

}  // namespace houserule
