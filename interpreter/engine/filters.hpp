// Filters: tables of the pieces that satisfy a condition, so that it need not be computed for each kind; and tables of numbers.
//
// `S where C` computes C for every kind. If C is built from conditions that depend on the kind and on one number that is the same for all
// of S, a table holds the fitting pieces as a mask for each value of that number; it is made once, by computing C for every kind.
#pragma once

#include "dsl/game/parts.hpp"
#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/engine/mask.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

using FilterId = std::int32_t;

enum class FilterForm : std::uint8_t { all, none, table, both, either, negate, choice, same };

template <int W>
struct Filter {
    FilterForm what = FilterForm::all;
    ExpressionId invariant = no_id;  // table, choice: an expression that does not depend on the card
    std::int32_t low = 0;
    std::vector<Mask<W>> masks;  // table: by value of the invariant
    FilterId a = no_id;
    FilterId b = no_id;
};

template <int W>
class FilterMaker {
    using M = Mask<W>;

public:
    // The pieces for which condition `e` on `bound` holds if each of `parts` has this value; nothing if a promise breaks for some kind.
    using Asked =
        std::function<std::optional<M>(ExpressionId e, BoundId bound, const std::vector<ExpressionId>& parts, std::int32_t value)>;

    FilterMaker(const Game& game, std::vector<Filter<W>>& filters, Asked asked) : g_(game), filters_(filters), asked_(std::move(asked)) {}

    // A filter for condition `e`, or none if the condition must be computed card by card.
    FilterId make(ExpressionId e, BoundId bound) {
        const Expression& x = expression(e);
        if (x.op == Operator::constant) return add({x.value() != 0 ? FilterForm::all : FilterForm::none, no_id, 0, {}, no_id, no_id});
        if (!depends_on_bound(g_, e, bound))
            return add({FilterForm::choice, e, 0, {}, add({}), add({FilterForm::none, no_id, 0, {}, no_id, no_id})});
        if (x.op == Operator::both || x.op == Operator::either) {
            const FilterId b = make(x.b, bound);
            if (b == no_id) return no_id;
            if (!depends_on_bound(g_, x.a, bound)) {
                const FilterId constant = add({x.op == Operator::both ? FilterForm::none : FilterForm::all, no_id, 0, {}, no_id, no_id});
                return x.op == Operator::both ? add({FilterForm::choice, x.a, 0, {}, b, constant})
                                              : add({FilterForm::choice, x.a, 0, {}, constant, b});
            }
            const FilterId a = make(x.a, bound);
            // The first condition decides for each card whether the second is computed, and with it which promise breaks first.
            if (a == no_id || (breaks(b) && !reads_all(a, x.op == Operator::both))) return no_id;
            return add({x.op == Operator::both ? FilterForm::both : FilterForm::either, no_id, 0, {}, a, b});
        }
        if (x.op == Operator::negate) {
            const FilterId a = make(x.a, bound);
            return a == no_id ? no_id : add({FilterForm::negate, no_id, 0, {}, a, no_id});
        }
        if (x.op == Operator::conditional && !depends_on_bound(g_, x.a, bound)) {
            const FilterId a = expression(x.b).op == Operator::fail ? no_id : make(x.b, bound);
            const FilterId b = expression(x.c).op == Operator::fail ? failing_filter(x.c) : make(x.c, bound);
            return a == no_id || b == no_id ? no_id : add({FilterForm::choice, x.a, 0, {}, a, b});
        }
        if (x.op == Operator::equal && expression(x.a).type.base == Base::truth) {
            const bool left = depends_on_bound(g_, x.a, bound);
            if (left && depends_on_bound(g_, x.b, bound)) return no_id;
            const FilterId a = make(left ? x.a : x.b, bound);
            return a == no_id ? no_id : add({FilterForm::same, left ? x.b : x.a, 0, {}, a, no_id});
        }
        return table_filter(e, bound);
    }
    // A filter for `fail`: the promise breaks when its invariant is computed.
    FilterId failing_filter(ExpressionId e) { return add({FilterForm::choice, e, 0, {}, add({}), add({})}); }

private:
    const Expression& expression(ExpressionId e) const { return g_.expressions[e]; }
    FilterId add(Filter<W> f) {
        filters_.push_back(std::move(f));
        return static_cast<FilterId>(filters_.size() - 1);
    }
    bool computed_breaks(ExpressionId e) const {
        return e != no_id && (may_break(g_, e) || any_read(g_, e, [&](const Expression& x) {
                                  return names_fact(x.op) &&
                                         (g_.facts[x.named()].initial == no_id || (x.a != no_id && expression(x.a).type.or_none));
                              }));
    }
    // Whether a promise can break while it is used: that of what does not depend on the card.
    bool breaks(FilterId f) const {
        if (f == no_id) return false;
        const Filter<W>& x = filters_[f];
        return computed_breaks(x.invariant) || breaks(x.a) || breaks(x.b);
    }
    // Whether of a card for which it comes to `outcome`, all is computed that can break a promise.
    bool reads_all(FilterId f, bool outcome) const {
        if (!breaks(f)) return true;
        const Filter<W>& x = filters_[f];
        switch (x.what) {
            case FilterForm::both:
            case FilterForm::either:
                // When the first decides, the second is not computed.
                if (outcome == (x.what == FilterForm::both)) return reads_all(x.a, outcome) && reads_all(x.b, outcome);
                return !breaks(x.b) && reads_all(x.a, true) && reads_all(x.a, false);
            case FilterForm::negate:
                return reads_all(x.a, !outcome);
            case FilterForm::choice:
                return reads_all(x.a, outcome) && reads_all(x.b, outcome);
            case FilterForm::same:
                return reads_all(x.a, true) && reads_all(x.a, false);
            default:
                return true;
        }
    }
    FilterId table_filter(ExpressionId e, BoundId bound) {
        const auto found = invariant_parts(g_, e, bound);
        if (!found) return no_id;
        const std::vector<ExpressionId>& parts = *found;
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (!same_expression(g_, parts[0], parts[i])) return no_id;
        if (!parts.empty() && may_break(g_, parts[0]) && reads_by_condition(g_, e, bound)) return no_id;
        Filter<W> f;
        f.what = FilterForm::table;
        std::int32_t values = 1;
        if (!parts.empty()) {
            const Type& t = expression(parts[0]).type;
            const bool small = t.base == Base::number || t.base == Base::enumeration || t.base == Base::player || t.base == Base::kind ||
                               t.base == Base::truth;
            const bool apart = t.or_none && t.base == Base::number;  // none is far from the numbers
            if (!small || apart || t.high < t.low || t.high - t.low > 1000) return no_id;
            f.invariant = parts[0];
            f.low = t.or_none ? -1 : t.low;
            values = t.high - f.low + 1;
        }
        for (std::int32_t v = 0; v < values; ++v) {
            const std::optional<M> fits = asked_(e, bound, parts, f.low + v);
            // If a promise breaks for some kind, the condition is computed card by card.
            if (!fits) return no_id;
            f.masks.push_back(*fits);
        }
        return add(std::move(f));
    }

    const Game& g_;
    std::vector<Filter<W>>& filters_;
    Asked asked_;
};

// A number that depends on a card alone, as a table: totals and extremes of it need no look at each card.
template <int W>
class CardValues {
    using M = Mask<W>;

public:
    struct Row {
        std::int32_t value = 0;
        M pieces;
    };

    void add(std::int32_t value, const M& pieces) {
        const auto at = std::lower_bound(rows_.begin(), rows_.end(), value, [](const Row& row, std::int32_t v) { return row.value < v; });
        if (at != rows_.end() && at->value == value)
            at->pieces = at->pieces | pieces;
        else
            rows_.insert(at, {value, pieces});
        known_ = known_ | pieces;
        of_piece_.resize(64 * std::size_t{W});
        for (M rest = pieces; !rest.empty();) of_piece_[rest.pop()] = value;
    }
    // Whether each of them has a number.
    bool has(const M& pieces) const { return (pieces - known_).empty(); }
    bool is_empty() const { return rows_.empty(); }
    std::int64_t sum(M from) const {
        std::int64_t total = 0;
        if (rows_.size() > few) {
            while (!from.empty()) total += of_piece_[from.pop()];
            return total;
        }
        for (const Row& row : rows_)
            if (row.value != 0) total += std::int64_t{row.value} * (from & row.pieces).size();
        return total;
    }
    // The largest or smallest value, and those that have it. No pieces: there is none.
    Row extreme(const M& from, bool largest) const {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Row& row = rows_[largest ? rows_.size() - 1 - i : i];
            const M pieces = from & row.pieces;
            if (!pieces.empty()) return {row.value, pieces};
        }
        return {};
    }

private:
    static constexpr std::size_t few = 4;

    std::vector<Row> rows_;  // by value
    M known_;
    std::vector<std::int32_t> of_piece_;
};

}  // namespace houserule
