// The least that a sum over cards comes to when disjoint sets that fulfil a condition are taken out of them: the fast form of
// dsl/meaning/split.hpp, which says how it is searched. Its owner judges each set, and says which fit.
//
// Compiled games include this text, too (interpreter/compiled): it may use nothing that is not in it or in the headers it names.
#pragma once

#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_forms.hpp"

#include <cstdint>

namespace houserule {

inline constexpr std::int32_t splits_limit = (1 << 17) - 1;  // sets that are judged at most

// Of cards in sets of W words. It is large, and touches of its memory what is needed only; it needs no zeros.
template <int W>
class SplitForms {
    using M = Mask<W>;
    static constexpr int most_groups = 17;  // those of which the sets can be judged

public:
    // Groups the cards: those of a kind at one place, by place and then by kind.
    template <typename Where>
    void set(const PieceForms<W>& pieces, M cards, Where where) {
        groups_ = 0;
        while (!cards.empty()) {
            const M alike = pieces.copies_like(cards, cards.lowest(), where);
            cards = cards - alike;
            const std::int32_t place = where(alike.lowest());
            int g = groups_++;
            for (; g > 0 && place_[g - 1] > place; --g) {
                place_[g] = place_[g - 1];
                pieces_[g] = pieces_[g - 1];
            }
            place_[g] = place;
            pieces_[g] = alike;
        }
    }
    int groups() const { return groups_; }
    int piece(int g) const { return pieces_[g].lowest(); }
    // What one card of a group adds to the sum.
    void worth(int g, std::int32_t value) { worth_[g] = value; }

    // Begins with the sets: false if there are too many.
    bool begin() {
        states_ = 1;
        int bit = 0;
        guards_ = 0;
        none_costs_ = true;
        for (int g = 0; g < groups_; ++g) {
            const int most = pieces_[g].size();
            if (states_ * (1 + most) > splits_limit + 1) return false;
            weight_[g] = states_;
            states_ *= 1 + most;
            most_[g] = most;
            bit_[g] = bit;
            for (int m = most; m > 0; m /= 2) ++bit;
            guards_ |= std::uint64_t{1} << bit++;
            rest_[g] = pieces_[g];
            last_[g] = 0;
            none_costs_ = none_costs_ && worth_[g] >= 0;
        }
        fitting_ = 0;
        judged_ = M{};
        number_ = 0;
        for (std::int32_t w = 0; w <= states_ / 64; ++w) fits_[w] = known_[w] = 0;
        return true;
    }
    // Goes on to the next set, which is `judged` then; false: there was none.
    bool next() {
        if (++number_ >= states_) return false;
        first_ = 0;
        while (rest_[first_].empty()) {
            judged_ = judged_ - pieces_[first_];
            rest_[first_] = pieces_[first_];
            ++first_;
        }
        judged_.add(rest_[first_].pop());
        return true;
    }
    const M& judged() const { return judged_; }
    // The set that is judged fulfils the condition.
    void fits() {
        fits_[number_ / 64] |= std::uint64_t{1} << number_ % 64;
        Set& set = sets_[fitting_++];
        set.number = number_;
        set.bits = bits(number_);
        set.before = last_[first_];
        last_[first_] = fitting_;
    }
    // When all are judged.
    std::int64_t least() { return least_of(states_ - 1); }

private:
    struct Set {
        std::uint64_t bits;
        std::int32_t number;  // as a state
        std::int32_t before;  // the one before it with the same first group, counted from 1
    };

    std::int32_t in(std::int32_t state, int g) const { return state / weight_[g] % (most_[g] + 1); }
    // How many of each group, side by side in less than 64 bits, a bit apart: what is subtracted from more than there is takes a guard.
    std::uint64_t bits(std::int32_t state) const {
        std::uint64_t bits = 0;
        for (int g = 0; g < groups_; ++g) bits |= std::uint64_t(in(state, g)) << bit_[g];
        return bits;
    }

    std::int64_t least_of(std::int32_t state) {
        if (state == 0) return 0;
        std::uint64_t& known = known_[state / 64];
        const std::uint64_t here = std::uint64_t{1} << state % 64;
        if ((known & here) != 0) return least_[state];
        int first = 0;
        while (in(state, first) == 0) ++first;
        std::int64_t least = worth_[first] + least_of(state - weight_[first]);
        if (are_few(state, first)) {
            each_part(state, first, least);
        } else {
            const std::uint64_t guarded = bits(state) | guards_;
            for (std::int32_t s = last_[first]; s != 0 && !is_least(least); s = sets_[s - 1].before)
                if (((guarded - sets_[s - 1].bits) & guards_) == guards_) consider(state - sets_[s - 1].number, least);
        }
        known |= here;
        least_[state] = least;
        return least;
    }
    void consider(std::int32_t left, std::int64_t& least) {
        const std::int64_t rest = least_of(left);
        if (rest < least) least = rest;
    }
    bool is_least(std::int64_t value) const { return none_costs_ && value <= 0; }

    // Whether the parts of a state that have a card of its first group are fewer than the sets that have one.
    bool are_few(std::int32_t state, int first) const {
        std::int64_t parts = in(state, first);
        for (int g = first + 1; g < groups_; ++g) parts *= 1 + in(state, g);
        for (std::int32_t s = last_[first]; s != 0 && parts >= 0; s = sets_[s - 1].before) --parts;
        return parts < 0;
    }
    void each_part(std::int32_t state, int first, std::int64_t& least) {
        std::int32_t taken[most_groups] = {};
        taken[first] = 1;
        std::int32_t part = weight_[first];
        while (true) {
            if ((fits_[part / 64] >> part % 64 & 1) != 0) consider(state - part, least);
            int g = first;
            while (g < groups_ && taken[g] == in(state, g)) {
                const std::int32_t fewest = g == first ? 1 : 0;
                part -= (taken[g] - fewest) * weight_[g];
                taken[g++] = fewest;
            }
            if (g == groups_ || is_least(least)) return;
            ++taken[g];
            part += weight_[g];
        }
    }

    int groups_;
    std::int32_t place_[64 * W];
    M pieces_[64 * W];
    std::int32_t worth_[64 * W];
    std::int32_t weight_[most_groups];  // of one copy in the number of a state
    std::int32_t most_[most_groups];
    int bit_[most_groups];  // where its copies begin in `bits`
    M rest_[most_groups];   // not in the set that is judged
    std::int32_t last_[most_groups];
    std::uint64_t guards_;
    bool none_costs_;
    std::int32_t states_;
    std::int32_t number_;
    int first_;
    std::int32_t fitting_;
    M judged_;
    std::uint64_t fits_[splits_limit / 64 + 2];   // by number
    std::uint64_t known_[splits_limit / 64 + 2];  // by state
    std::int64_t least_[splits_limit + 1];
    Set sets_[splits_limit + 1];  // that fit
};

}  // namespace houserule
