// Ranking and unranking of sub-multisets: how many choices of several things there are, the r-th of them, and the rank of one.
//
// Things come in groups of equal ones (copies of one kind at one place); a choice takes some of each group, low..high in all. Nothing is
// listed: ranks are found by counting (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
#pragma once

#include <cstdint>
#include <vector>

namespace houserule {

class Subsets {
public:
    // `copies`: the size of each group. A count above `limit` is reported as `limit`: such choices cannot be ranked.
    void set(const std::vector<std::int32_t>& copies, std::int32_t low, std::int32_t high);
    std::uint64_t count() const { return count_; }
    // Sets `taken` to how many the choice takes of each group.
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
