// A choice of several things at once: its moves as ranks of subsets, with copies of a kind at one place alike.
//
// Compiled games include this text, too (interpreter/compiled): it may use nothing that is not in it or in the headers it names.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_forms.hpp"
#include "interpreter/engine/subsets.hpp"

#include <cstdint>

namespace houserule {

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
