// The moves of a node as ranks: a number from a range, one of several elements or pieces, or several at once.
//
// Of copies of a kind at one place only one is offered, since it makes no difference which is taken. Sets of several things are not
// listed: Subsets ranks them. It holds the offer of the present node, and translates between moves, values and pieces.
#pragma once

#include "dsl/game/placed_kind.hpp"
#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/piece_sets.hpp"
#include "interpreter/engine/piles.hpp"
#include "interpreter/engine/several.hpp"
#include "interpreter/run/node.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

template <int W>
class NodeOffer {
    using M = Mask<W>;

public:
    NodeOffer(const PieceSets<W>& pieces, const Piles<W>& piles) : pieces_(pieces), piles_(piles) {}

    // --- sets the offer; the result is the number of moves

    std::uint64_t numbers(std::int32_t low, std::int32_t high) {
        how_ = How::number;
        low_ = low;
        return high < low ? 0 : static_cast<std::uint64_t>(high - low) + 1;
    }
    // `first`: of a set, the element that the lowest bit stands for.
    std::uint64_t one_of(const M& from, bool cards, std::int32_t first) {
        how_ = How::one;
        of_cards_ = cards;
        first_ = first;
        options_ = cards ? pieces_.representatives(from, where()) : from;
        return options_.size();
    }
    // `low` to `high` things at once; subsets_limit if there are too many sets to rank.
    std::uint64_t several_of(const M& from, bool cards, std::int32_t first, std::int32_t low, std::int32_t high) {
        how_ = How::several;
        of_cards_ = cards;
        first_ = first;
        options_ = from;
        judged_ = false;
        return several_.set(pieces_, from, cards, low, high, where());
    }
    // Of the sets that several_of counted, those that fit; their number.
    template <typename F>
    std::uint64_t keep_sets(std::uint64_t sets, F fits) {
        fitting_.clear();
        for (std::uint64_t rank = 0; rank < sets; ++rank)
            if (fits(set_of_rank(rank))) fitting_.push_back(rank);
        judged_ = true;
        return fitting_.size();
    }
    // By chance, one of these, copies told apart; equally likely, unless weights are given, in their order.
    std::uint64_t by_chance(const M& from, bool cards, std::int32_t first) {
        how_ = How::one;
        of_cards_ = cards;
        first_ = first;
        options_ = from;
        weights_.clear();
        return options_.size();
    }
    void add_weight(std::int32_t weight) { weights_.push_back(weight); }

    // --- what is taken

    const M& options() const { return options_; }
    bool is_of_several() const { return how_ == How::several; }
    int option(std::uint64_t move) const { return options_.nth(move); }
    std::int32_t taken_value(std::uint64_t move) const {
        return how_ == How::number ? low_ + static_cast<std::int32_t>(move) : option(move) + first_;
    }
    M taken_set(std::uint64_t move) const { return set_of_rank(judged_ ? fitting_[move] : move); }
    M set_of_rank(std::uint64_t rank) const { return several_.taken(pieces_, options_, rank, where()); }
    // The lowest offered copy of a piece's kind, so that equal states stay equal. All options must lie at one place.
    int first_copy(int piece) const { return pieces_.single_copies() ? piece : (options_ & pieces_.like(piece)).lowest(); }
    // The lowest offered copy of the same kind at the same place; of a value, the value.
    std::int32_t first_alike(int option) const {
        return of_cards_ && !pieces_.single_copies() ? pieces_.copies_like(options_, option, where()).lowest() : option + first_;
    }
    // What a log says of one of the options: a value; or a kind, with its place when the choice is between several places.
    std::int32_t shown(int option) const {
        if (!of_cards_) return option + first_;
        const PlaceId place = piles_.where(option);
        for (M rest = options_; !rest.empty();)
            if (piles_.where(rest.pop()) != place) return PlacedKind{pieces_.kind(option), place}.value();
        return pieces_.kind(option);
    }

    // --- what moves mean

    std::vector<std::int32_t> chosen(std::uint64_t move) const {
        if (how_ == How::number) return {taken_value(move)};
        if (how_ == How::one) return {shown(option(move))};
        std::vector<std::int32_t> values;
        for (M rest = taken_set(move); !rest.empty();) values.push_back(shown(rest.pop()));
        return values;
    }
    // The move that chooses these values; `moves` when none does.
    std::uint64_t move_that_chooses(const std::vector<std::int32_t>& values, std::uint64_t moves) const {
        if (how_ == How::several) return subset_of(values).value_or(moves);
        if (values.size() != 1) return moves;
        if (how_ == How::number) {
            const bool fits = values[0] >= low_ && static_cast<std::uint64_t>(values[0] - low_) < moves;
            return fits ? static_cast<std::uint64_t>(values[0] - low_) : moves;
        }
        return move_that_tells(values, moves);
    }
    // The first of the moves that a log writes so.
    std::uint64_t move_that_tells(const std::vector<std::int32_t>& values, std::uint64_t moves) const {
        if (values.size() != 1) return moves;
        for (std::uint64_t i = 0; i < moves; ++i)
            if (is_meant(option(i), values[0])) return i;
        return moves;
    }
    std::uint64_t outcome_weight(std::uint64_t move) const { return weights_.empty() ? 1 : weights_[move]; }

private:
    enum class How : std::uint8_t { number, one, several };

    auto where() const {
        return [this](int piece) { return piles_.where(piece); };
    }
    // A card may be told with its place though all on offer lie at one, and without.
    bool is_meant(int option, std::int32_t value) const {
        if (!of_cards_) return shown(option) == value;
        const PlacedKind card = PlacedKind::of_value(value);
        return card.kind == pieces_.kind(option) && (card.place == no_id || card.place == piles_.where(option));
    }
    std::optional<std::uint64_t> subset_of(const std::vector<std::int32_t>& values) const {
        std::vector<std::int32_t> taken(static_cast<std::size_t>(several_.groups()), 0);
        for (const std::int32_t v : values) {
            bool found = false;
            for (int g = 0; g < several_.groups() && !found; ++g) {
                found = is_meant(several_.group(g), v) && taken[g] < several_.size_of(g);
                if (found) ++taken[g];
            }
            if (!found) return std::nullopt;
        }
        const std::uint64_t rank = several_.subsets().rank(taken.data());
        if (!judged_) return rank;
        const auto at = std::lower_bound(fitting_.begin(), fitting_.end(), rank);
        return at == fitting_.end() || *at != rank ? std::nullopt : std::optional<std::uint64_t>(at - fitting_.begin());
    }

    const PieceSets<W>& pieces_;
    const Piles<W>& piles_;
    How how_ = How::one;
    bool of_cards_ = false;
    M options_;
    std::int32_t low_ = 0;
    std::int32_t first_ = 0;  // 0 for cards
    std::vector<std::uint64_t> weights_;
    Several<W, 64 * W> several_;
    bool judged_ = false;  // by a condition on the whole: the moves are the sets in `fitting_`
    std::vector<std::uint64_t> fitting_;
};

}  // namespace houserule
