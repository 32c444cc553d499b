// A choice of several things at once: its moves as ranks of subsets, with copies of a kind at one place alike.
//
// How many choices of several things there are, the r-th of them, and the rank of one: things come in groups of equal ones, and a choice
// takes some of each group, low..high in all. Nothing is listed: ranks are found by counting (Knuth, The Art of Computer Programming 4A,
// 7.2.1.3).
//
// Compiled games include this text, too (interpreter/compiled): it may use nothing that is not in it or in the headers it names.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_forms.hpp"

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

// Of at most N things in sets of W words.
template <int W, int N>
class Several {
    using M = Mask<W>;

public:
    // The number of moves: `low` to `high` of `from`, which are pieces or (`cards` false) elements; subsets_limit if there are too many.
    template <typename Where>
    std::uint64_t set(const PieceForms<W>& pieces, const M& from, bool cards, std::int32_t low, std::int32_t high, Where where) {
        const bool copies = cards && !pieces.single_copies();
        count_ = 0;
        for (M rest = copies ? pieces.representatives(from, where) : from; !rest.empty(); ++count_) {
            groups_[count_] = rest.pop();
            sizes_[count_] = copies ? pieces.copies_like(from, groups_[count_], where).size() : 1;
        }
        subsets_.set(sizes_, count_, low, high);
        return subsets_.count();
    }
    // What the move takes, `from` being what was set.
    template <typename Where>
    M taken(const PieceForms<W>& pieces, const M& from, std::uint64_t move, Where where) const {
        std::int32_t taken[N];
        subsets_.unrank(move, taken);
        M chosen;
        for (int g = 0; g < count_; ++g) {
            if (taken[g] == 0) continue;
            if (taken[g] == 1) {
                chosen.add(groups_[g]);  // the first of them
                continue;
            }
            M copies = pieces.copies_like(from, groups_[g], where);
            for (std::int32_t i = 0; i < taken[g]; ++i) chosen.add(copies.pop());
        }
        return chosen;
    }

    // Groups of equal things, each by its first one, with their sizes.
    int groups() const { return count_; }
    int group(int g) const { return groups_[g]; }
    std::int32_t size_of(int g) const { return sizes_[g]; }
    const Subsets<N>& subsets() const { return subsets_; }

private:
    int count_ = 0;
    int groups_[N];
    std::int32_t sizes_[N];
    Subsets<N> subsets_;
};

}  // namespace houserule
