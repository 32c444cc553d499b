// The fast form of the operators that look for somebody next, that look at the ends of a row, that group cards and that split them into
// sets: the rest of `expressions.hpp`, which includes it.
#pragma once

#include "dsl/meaning/split.hpp"
#include "interpreter/engine/expressions.hpp"
#include "interpreter/engine/split_forms.hpp"

#include <algorithm>
#include <memory>

namespace houserule {

template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::next_in(ExpressionId id, const Packed& n) {
    const std::int32_t p = scalar(n.a);
    const M s = set(n.b);
    if (s.empty() || p < 0) return broken(id, p < 0 ? FailureKind::no_owner : FailureKind::nobody_next);
    for (int i = 1; i <= g_.players; ++i) {
        const int q = n.immediate > 0 ? (p + i) % g_.players : (p - i + g_.players) % g_.players;
        if (s.has(q)) return q;
    }
    return p;
}

template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::end_card(ExpressionId id, const Packed& n) {
    const PlaceId place = scalar(n.a);
    note_place(place);
    const bool first = n.op == Operator::first_card;
    const int piece = end_piece<W>(r_, l_, pieces_, place, first);
    const bool none = piece < 0 && end_part<W>(r_, l_, place, first).empty();
    return piece >= 0 ? piece : (broken(id, none ? FailureKind::no_card : FailureKind::order_unknown), -1);
}

// As many pieces as are wanted from the beginning or the end of a place.
template <int W, bool Traced>
auto Expressions<W, Traced>::end_cards(ExpressionId id, const Packed& n) -> M {
    const PlaceId place = scalar(n.a);
    const std::int32_t wanted = scalar(n.b);
    if (failed_) return {};
    note_place(place);
    if (wanted < 0) return fail({FailureKind::below_nothing, g_.expressions[id].span, no_id, no_id, wanted}), M{};
    if (look<M>(l_.place[place]).size() < wanted) return broken(id, FailureKind::not_so_many), M{};
    const bool first = n.op == Operator::first_cards;
    if (!are_known<W>(r_, l_, pieces_, place, wanted, first)) return broken(id, FailureKind::order_unknown), M{};
    return end_pieces<W>(r_, l_, place, wanted, first);
}

template <int W, bool Traced>
auto Expressions<W, Traced>::groups(ExpressionId id, const Packed& n) -> M {
    const M from = cards(n.a);
    const int size = std::max(1, scalar(n.b));
    M result;
    for (M rest = from; !rest.empty();) {
        const int piece = rest.lowest();
        M like = alike(n, rest, piece);
        if (n.c != no_id) {
            bound_[n.immediate] = piece;
            const std::int32_t key = scalar(n.c);
            for (M others = rest - like; !others.empty();) {
                const int other = others.lowest();
                const M other_like = alike(n, others, other);
                judge(n, other);
                if (scalar(n.c) == key) like = like | other_like;
                others = others - other_like;
            }
        }
        const int count = like.size();
        const int full = count / size * size;
        if (full != count && full != 0 && !pieces_.all_alike(like, where())) broken(id, FailureKind::group_undecided);
        result = result | (full == count ? like : full == 0 ? M{} : pieces_.lowest(like, full, where()));
        rest = rest - like;
    }
    return result;
}

template <int W, bool Traced>
auto Expressions<W, Traced>::any(ExpressionId id, const Packed& n) -> M {
    const M from = cards(n.a);
    const std::int32_t count = scalar(n.b);
    if (count < 0) return fail({FailureKind::below_nothing, g_.expressions[id].span, no_id, no_id, count}), M{};
    if (from.size() < count) return broken(id, FailureKind::not_so_many), from;
    if (count < from.size() && count > 0 && !pieces_.all_alike(from, where())) broken(id, FailureKind::which_undecided);
    return pieces_.lowest(from, count, where());
}

// The least that a sum over cards comes to when disjoint sets that fulfil a condition are taken out: see dsl/meaning/split.hpp.
template <int W, bool Traced>
std::int32_t Expressions<W, Traced>::least_left(ExpressionId id, const Packed& n) {
    static_assert(splits_limit == split_limit);
    const Expression& sum = g_.expressions[n.a];
    std::unique_ptr<SplitForms<W>>& kept = splits_[id];
    if (kept == nullptr) kept.reset(new SplitForms<W>);  // not filled with zeros: it is large
    SplitForms<W>& split = *kept;
    split.set(pieces_, cards(sum.a), where());
    for (int g = 0; g < split.groups(); ++g) {
        bound_[sum.immediate] = split.piece(g);
        split.worth(g, scalar(sum.b));
    }
    if (failed_) return 0;
    if (!split.begin()) return fail({FailureKind::too_many_to_split, g_.expressions[id].span, no_id, no_id, split_limit}), 0;
    M& judged = *judged_[n.named()];
    const M before = judged;
    while (!failed_ && split.next()) {
        judged = split.judged();
        ++judged_so_far_;
        if (scalar(n.b) != 0) split.fits();
    }
    judged = before;
    return failed_ ? 0 : split.least();
}

}  // namespace houserule
