// The fast form of sums, and of what is largest or smallest: the rest of `expressions.hpp`, which includes it.
#pragma once

#include "interpreter/engine/expressions.hpp"
#include "interpreter/engine/filters.hpp"

#include <algorithm>
#include <optional>

namespace houserule {

template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::total_over(ExpressionId id, const Packed& n) {
    if (n.c != no_id) {
        const CardValues<W>& values = card_values_[n.c.value()];
        const M from = cards(n.a);
        if (from.empty() && n.op != Operator::sum_over) return broken(id, FailureKind::nothing_to_compare);
        if (values.has(from))
            return n.op == Operator::sum_over ? values.sum(from) : values.extreme(from, n.op == Operator::largest_over).value;
    }
    std::int64_t total = 0;
    bool any = false;
    each_of(n, [&](int element, int count) {
        bound_[n.immediate] = element;
        const std::int32_t v = scalar(n.b);
        if (n.op == Operator::sum_over)
            total += std::int64_t{v} * count;
        else if (!any)
            total = v;
        else
            total = n.op == Operator::largest_over ? std::max<std::int64_t>(total, v) : std::min<std::int64_t>(total, v);
        any = true;
    });
    if (!any && n.op != Operator::sum_over) return broken(id, FailureKind::nothing_to_compare);
    return total;
}

template <int W, bool Traced>
auto Expressions<W, Traced>::cards_best(const Packed& n) -> M {
    const M from = cards(n.a);
    if (n.c != no_id && card_values_[n.c.value()].has(from))
        return card_values_[n.c.value()].extreme(from, n.op == Operator::cards_most).pieces;
    M best;
    std::int32_t best_key = 0;
    for (M rest = from; !rest.empty();) {
        const int piece = rest.lowest();
        const M like = alike(n, rest, piece);
        judge(n, piece);
        const std::int32_t key = scalar(n.b);
        const bool better = best.empty() || (n.op == Operator::cards_most ? key > best_key : key < best_key);
        if (better) {
            best = like;
            best_key = key;
        } else if (key == best_key) {
            best = best | like;
        }
        rest = rest - like;
    }
    return best;
}

template <int W, bool Traced>
auto Expressions<W, Traced>::set_best(const Packed& n) -> M {
    M best;
    std::int32_t best_key = 0;
    for (M rest = set(n.a); !rest.empty();) {
        const int e = rest.pop();
        judge(n, e + first_of(n.a));
        const std::int32_t key = scalar(n.b);
        if (best.empty() || (n.op == Operator::set_most ? key > best_key : key < best_key)) {
            best = M::bit(e);
            best_key = key;
        } else if (key == best_key) {
            best.add(e);
        }
    }
    return best;
}

// A table where the number depends on the card alone. Cards for which a promise breaks are not in it.
template <int W, bool Traced>
void Expressions<W, Traced>::prepare_totals() {
    for (const ExpressionId id : x_.ids()) {
        Packed& n = x_[id];
        const bool total = n.op == Operator::sum_over || n.op == Operator::largest_over || n.op == Operator::smallest_over;
        const bool best = n.op == Operator::cards_most || n.op == Operator::cards_least;
        if (Traced || (!total && !best) || !is_cards(n.a)) continue;
        const BoundId bound(n.immediate);
        if (const auto parts = invariant_parts(g_, n.b, bound); !parts || !parts->empty()) continue;
        CardValues<W> values;
        for (KindId kind = 0; const PieceKind& k : g_.kinds) {
            if (const auto value = k.copies > 0 ? probe(n.b, bound, k.first_piece) : std::nullopt)
                values.add(*value, pieces_.of_kind(kind));
            ++kind;
        }
        if (values.is_empty()) continue;
        n.c = Operand(card_values_.size());
        card_values_.push_back(std::move(values));
    }
}

}  // namespace houserule
