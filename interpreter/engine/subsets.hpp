// Ranking and unranking of sub-multisets: how many choices of several things there are, the r-th of them, and the rank of one.
//
// Things come in groups of equal ones (copies of one kind at one place); a choice takes some of each group, low..high in all. Nothing is
// listed: ranks are found by counting (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
//
// Compiled games include this text, too (interpreter/compiled): it may use nothing but <cstdint>.
#pragma once

#include <cstdint>

namespace houserule {

inline constexpr std::uint64_t subsets_limit = std::uint64_t{1} << 62;

// Of at most N things. It is large, and touches of its memory what is needed only. Memory of zeros is one to which nothing was set yet.
template <int N>
class Subsets {
public:
    // `copies`: the size of each of `groups` groups. A count above `subsets_limit` is reported as that: such choices cannot be ranked.
    void set(const std::int32_t* copies, int groups, std::int32_t low, std::int32_t high) {
        std::int32_t all = 0;
        for (int g = 0; g < groups; ++g) all += copies[g];
        low = low < 0 ? 0 : low;
        high = high < all ? high : all;
        if (is_as_before(copies, groups, low, high)) return;
        set_ = true;
        groups_ = groups;
        for (int g = 0; g < groups; ++g) copies_[g] = copies[g];
        low_ = low;
        high_ = high;
        count_ = 0;
        if (low_ > high_) return;
        for (std::int32_t s = 0; s <= high_; ++s) at(groups, s) = s == 0 ? 1 : 0;
        for (int g = groups; g-- > 0;) {
            at(g, 0) = 1;
            for (std::int32_t s = 1; s <= high_; ++s) {
                std::uint64_t sum = limited(at(g + 1, s) + at(g + 1, s - 1));
                for (std::int32_t take = 2; take <= copies[g] && take <= s; ++take) sum = limited(sum + at(g + 1, s - take));
                at(g, s) = sum;
            }
        }
        for (std::int32_t s = low_; s <= high_; ++s) count_ = limited(count_ + at(0, s));
    }
    std::uint64_t count() const { return count_; }
    // Sets taken[g] to how many the choice takes of group g.
    void unrank(std::uint64_t rank, std::int32_t* taken) const {
        std::int32_t size = low_;
        while (size < high_ && rank >= ways(0, size)) rank -= ways(0, size++);
        for (int g = 0; g < groups_; ++g) {
            std::int32_t take = 0;
            while (take < copies_[g] && rank >= ways(g + 1, size - take)) rank -= ways(g + 1, size - take++);
            taken[g] = take;
            size -= take;
        }
    }
    // count() when it is no choice.
    std::uint64_t rank(const std::int32_t* taken) const {
        std::int32_t size = 0;
        for (int g = 0; g < groups_; ++g) {
            if (taken[g] < 0 || taken[g] > copies_[g]) return count_;
            size += taken[g];
        }
        if (size < low_ || size > high_) return count_;
        std::uint64_t rank = 0;
        for (std::int32_t s = low_; s < size; ++s) rank += ways(0, s);
        for (int g = 0; g < groups_; ++g) {
            for (std::int32_t t = 0; t < taken[g]; ++t) rank += ways(g + 1, size - t);
            size -= taken[g];
        }
        return rank;
    }

private:
    static std::uint64_t limited(std::uint64_t count) { return count < subsets_limit ? count : subsets_limit; }
    bool is_as_before(const std::int32_t* copies, int groups, std::int32_t low, std::int32_t high) const {
        if (!set_ || groups != groups_ || low != low_ || high != high_) return false;
        for (int g = 0; g < groups; ++g)
            if (copies[g] != copies_[g]) return false;
        return true;
    }
    // From group g on, exactly s things.
    std::uint64_t& at(int g, std::int32_t s) { return ways_[g * (high_ + 1) + s]; }
    std::uint64_t ways(int g, std::int32_t s) const { return s < 0 ? 0 : ways_[g * (high_ + 1) + s]; }

    bool set_ = false;
    std::int32_t low_ = 0;
    std::int32_t high_ = 0;
    std::uint64_t count_ = 0;
    int groups_ = 0;
    std::int32_t copies_[N];
    std::uint64_t ways_[(N + 1) * (N + 1)];
};

}  // namespace houserule
