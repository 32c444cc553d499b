// The search behind `smallest sum of E left of S after sets m where C`: which disjoint sets are best taken out of some cards.
//
// Cards that nothing tells apart are a group; a state is how many of each group are still there, numbered in a mixed radix. Each set is
// judged once; then least(state) is the minimum over leaving one card of its first group, or taking out one of the fitting sets that have
// such a card. Worked example, ranks 1 1 1 5 where three of a kind are a set: the groups 1 (3 copies) and 5 (1), 8 states,
// 7 sets of which one fits; of 1 1 1 5 that leaves 5.
#pragma once

#include "dsl/meaning/domain.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

inline constexpr Value split_limit = (Value{1} << 17) - 1;  // sets that are judged at most: those of 17 different cards
inline constexpr Value split_limit_unknown = 2000;  // the same where it is not known which cards are there: formulas take their time

// `fits(how many of each group)` judges a set that is not empty.
template <Domain D, class Fits = int>
class Split {
    using Int = IntOf<D>;
    using Bool = BoolOf<D>;

public:
    // How many sets there are, up to a number above all limits.
    static Value sets_of(D& d, const std::vector<Int>& there) {
        Value states = 1;
        for (const Int& n : there) states = std::min(states, split_limit + 1) * (1 + std::clamp<Value>(d.high(n), 0, split_limit + 1));
        return std::min(states - 1, split_limit + 1);
    }
    static bool is_known(D& d, const std::vector<Int>& there) {
        return std::all_of(there.begin(), there.end(), [&](const Int& n) { return d.low(n) == d.high(n); });
    }
    static Value limit(D& d, const std::vector<Int>& there) { return is_known(d, there) ? split_limit : split_limit_unknown; }

    // `there`: how many of each group; `worth`: of each card of a group.
    Split(D& domain, const std::vector<Int>& there, const std::vector<Int>& worth, Fits fits)
        : d_(domain), there_(there), worth_(worth), fits_(std::move(fits)) {
        Value weight = 1;
        int bit = 0;
        for (const Int& n : there_) {
            groups_.push_back({weight, d_.high(n), bit});
            weight *= 1 + d_.high(n);
            for (Value most = d_.high(n); most > 0; most /= 2) ++bit;
            guards_ |= std::uint64_t{1} << bit++;
        }
        states_ = weight;
        none_costs_ = std::all_of(worth_.begin(), worth_.end(), [&](const Int& w) { return d_.low(w) >= 0; });
    }

    Int least() {
        judge();
        least_.assign(states_, std::nullopt);
        if (is_known(d_, there_)) return least_of(states_ - 1);
        Alternatives<D> alternatives;
        for (Value state = 0; state < states_; ++state) {
            std::vector<Bool> so_many;
            for (std::size_t g = 0; g < groups_.size(); ++g) so_many.push_back(d_.equal(there_[g], d_.constant(in(state, g))));
            const Bool here = d_.all(so_many);
            if (!arithmetic::never<D>(d_, here)) alternatives.emplace_back(here, least_of(state));
        }
        return d_.pick(alternatives);
    }

private:
    struct Group {
        Value weight;  // of one copy in the number of a state
        Value most;
        int bit;  // where its copies begin in `bits`
    };
    struct Set {
        Value number;  // as a state
        std::uint64_t bits;
        Bool fits;
    };

    Value in(Value state, std::size_t group) const { return state / groups_[group].weight % (groups_[group].most + 1); }
    std::size_t first_group(Value state) const {
        std::size_t g = 0;
        while (in(state, g) == 0) ++g;
        return g;
    }
    // How many of each group, packed in less than 64 bits with a guard bit behind each: subtracting more than there is clears the guard.
    std::uint64_t bits(Value state) const {
        std::uint64_t bits = 0;
        for (std::size_t g = 0; g < groups_.size(); ++g) bits |= std::uint64_t(in(state, g)) << groups_[g].bit;
        return bits;
    }

    // Which sets fit, by their first group.
    void judge() {
        sets_.resize(groups_.size());
        at_.assign(states_, -1);
        std::vector<Int> taken(groups_.size());
        for (Value set = 1; set < states_; ++set) {
            for (std::size_t g = 0; g < groups_.size(); ++g) taken[g] = d_.constant(in(set, g));
            const Bool fits = fits_(taken);
            if (arithmetic::never<D>(d_, fits)) continue;
            std::vector<Set>& of = sets_[first_group(set)];
            at_[set] = of.size();
            of.push_back({set, bits(set), fits});
        }
    }

    Int least_of(Value state) {
        if (state == 0) return d_.constant(0);
        if (least_[state]) return *least_[state];
        const std::size_t first = first_group(state);
        Int least = d_.add(worth_[first], least_of(state - groups_[first].weight));
        const auto consider = [&](const Set& set) {
            const Int rest = least_of(state - set.number);
            least = d_.choose(d_.both(set.fits, d_.less(rest, least)), rest, least);
            return none_costs_ && d_.high(least) <= 0;  // there is nothing better
        };
        const std::vector<Set>& sets = sets_[first];
        if (std::cmp_less(parts_with(state, first), sets.size())) {
            each_part(state, first, [&](Value part) { return at_[part] >= 0 && consider(sets[at_[part]]); });
        } else {
            const std::uint64_t guarded = bits(state) | guards_;
            for (const Set& set : sets)
                if (((guarded - set.bits) & guards_) == guards_ && consider(set)) break;
        }
        least_[state] = least;
        return least;
    }

    // The parts of a state that have a card of its first group: `parts_with` counts them, `each_part` visits them until f(part) holds.
    Value parts_with(Value state, std::size_t first) const {
        Value parts = in(state, first);
        for (std::size_t g = first + 1; g < groups_.size(); ++g) parts *= 1 + in(state, g);
        return parts;
    }
    template <class F>
    void each_part(Value state, std::size_t first, F f) const {
        std::vector<Value> taken(groups_.size());
        taken[first] = 1;
        Value part = groups_[first].weight;
        while (!f(part)) {
            std::size_t g = first;
            while (g < groups_.size() && taken[g] == in(state, g)) {
                const Value least = g == first ? 1 : 0;
                part -= (taken[g] - least) * groups_[g].weight;
                taken[g++] = least;
            }
            if (g == groups_.size()) return;
            ++taken[g];
            part += groups_[g].weight;
        }
    }

    D& d_;
    std::vector<Int> there_;
    std::vector<Int> worth_;
    Fits fits_;
    std::vector<Group> groups_;
    Value states_ = 1;
    bool none_costs_ = false;
    std::vector<std::vector<Set>> sets_;  // that may fit, by their first group
    std::uint64_t guards_ = 0;
    std::vector<Value> at_;                  // by number: where in `sets_`; -1: it does not fit
    std::vector<std::optional<Int>> least_;  // by state, as far as it was asked for
};
template <Domain D, class Fits>
Split(D&, const std::vector<IntOf<D>>&, const std::vector<IntOf<D>>&, Fits) -> Split<D, Fits>;

}  // namespace houserule
