// Choices of several things at once, as a ranked range: how many there are, the r-th of them, and the rank of one.
//
// What can be chosen comes in groups of equal things (copies of one kind in one place); a choice takes some of each group, low..high
// in all. Nothing is listed: ranks are found by counting.
#pragma once

#include <cstdint>
#include <vector>

namespace houserule {

class Subsets {
public:
    // Copies per group. Counts above `limit` are reported as `limit`: more than can be ranked.
    void set(const std::vector<std::int32_t>& copies, std::int32_t low, std::int32_t high);
    std::uint64_t count() const { return count_; }
    // How many to take of each group.
    void unrank(std::uint64_t rank, std::vector<std::int32_t>& taken) const;
    std::uint64_t rank(const std::vector<std::int32_t>& taken) const;  // count() when it is no choice

    static constexpr std::uint64_t limit = std::uint64_t{1} << 62;

private:
    std::uint64_t ways(std::size_t group, std::int32_t size) const {
        return size < 0 ? 0 : ways_[group * static_cast<std::size_t>(high_ + 1) + static_cast<std::size_t>(size)];
    }
    std::vector<std::int32_t> copies_;
    std::vector<std::uint64_t> ways_;  // from group g on, exactly s things
    std::int32_t low_ = 0;
    std::int32_t high_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace houserule
