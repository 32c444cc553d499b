// The operators on cards and sets, and comprehensions over them: the second half of `operators.hpp`, which includes it.
#pragma once

#include "dsl/meaning/operators.hpp"
#include "dsl/meaning/split.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

// ---- comprehensions ----------------------------------------------------------------------------------------------------------

template <Domain D>
auto Evaluator<D>::elements(const Cards<D>& of) -> std::vector<Element> {
    std::vector<Element> result;
    for (const Copies<D>& c : of.copies) result.push_back({{d.constant(c.kind), d.constant(c.place)}, collections::present(d, c), c.count});
    return result;
}

template <Domain D>
auto Evaluator<D>::elements(const Set<D>& of) -> std::vector<Element> {
    std::vector<Element> result;
    for (Value e = of.first; e < of.end(); ++e) {
        const Bool member = collections::has(d, of, e);
        if (arithmetic::never<D>(d, member)) continue;
        result.push_back({{d.constant(e), d.constant(-1)}, member, arithmetic::count(d, member)});
    }
    return result;
}

template <Domain D>
auto Evaluator<D>::elements_in(ExpressionId source) -> std::vector<Element> {
    return expression(source).type.base == Base::cards ? elements(cards(source)) : elements(set(source));
}

// f() with the comprehension variable set to the element; its promises count only if the element is there. The variable is restored
// afterwards, since f may be inside the same comprehension: a definition can have itself in its argument.
template <Domain D>
template <class F>
auto Evaluator<D>::standing_at(const Element& element, BoundId bound, F f) {
    Card<D>& here = state.bounds[bound];
    const Card<D> before = std::exchange(here, element.at);
    auto result = d.guarded(element.member, f);
    here = before;
    return result;
}

template <Domain D>
auto Evaluator<D>::keys(const std::vector<Element>& over, BoundId bound, ExpressionId body) -> std::vector<Int> {
    std::vector<Int> result;
    for (const Element& x : over) result.push_back(standing_at(x, bound, [&] { return scalar(body); }));
    return result;
}

// Whether there is any element, and the highest or lowest key of those that are there (0 if none is).
template <Domain D>
auto Evaluator<D>::extreme(const std::vector<Element>& over, const std::vector<Int>& keys_of, bool most) -> std::pair<Bool, Int> {
    Bool any = d.truth(false);
    Int best = d.constant(0);
    for (std::size_t i = 0; i < over.size(); ++i) {
        const Bool beats = most ? d.less(best, keys_of[i]) : d.less(keys_of[i], best);
        best = d.choose(d.both(over[i].member, d.either(d.negate(any), beats)), keys_of[i], best);
        any = d.either(any, over[i].member);
    }
    return {any, best};
}

// For each element, whether it is there and no other has a better key.
template <Domain D>
auto Evaluator<D>::that_tie(const std::vector<Element>& over, const Expression& e, bool most) -> std::vector<Bool> {
    const std::vector<Int> keys_of = keys(over, e.bound(), e.b);
    const Int best = extreme(over, keys_of, most).second;
    std::vector<Bool> result;
    for (std::size_t i = 0; i < over.size(); ++i) result.push_back(d.both(over[i].member, d.equal(keys_of[i], best)));
    return result;
}

// ---- a card ------------------------------------------------------------------------------------------------------------------

template <Domain D>
Card<D> Evaluator<D>::the_card(ExpressionId id) {
    const Cards<D> of = cards(expression(id).a);
    d.promise(d.equal(collections::size(d, of), d.constant(1)), id);
    return collections::the_card(d, of);
}

// The first or last card of a row or stack; which place that is may be unknown. A shuffled part of several kinds
// has no known first or last card, which is a promise.
template <Domain D>
Card<D> Evaluator<D>::end_card(ExpressionId id) {
    const Expression& e = expression(id);
    const Int place = scalar(e.a);
    const bool first = e.op == Operator::first_card;
    const auto ends = [&](Value i) -> Ends<D> {
        const Pile<D>& pile = state.piles[i];
        if (pile.ends) return *pile.ends;
        if (pile.order.empty()) return {d.truth(false), d.constant(-1), d.constant(-1)};
        return {d.truth(true), pile.order.front(), pile.order.back()};
    };
    const auto end = [&](Value i) { return first ? ends(i).first : ends(i).last; };
    const auto is_known = [&](Value i) { return d.both(ends(i).any, d.less_equal(d.constant(0), end(i))); };
    const auto kind = [&](Value i) { return d.choose(is_known(i), end(i), d.constant(-1)); };
    d.promise(arithmetic::holds_at(d, place, game.places, is_known), id);
    const auto where = [&](Value i) { return d.choose(is_known(i), d.constant(i), d.constant(-1)); };
    return {arithmetic::select(d, place, game.places, kind, d.constant(-1)),
            arithmetic::select(d, place, game.places, where, d.constant(-1))};
}

// ---- cards -------------------------------------------------------------------------------------------------------------------

template <Domain D>
Cards<D> Evaluator<D>::cards_at(const Int& place) {
    Cards<D> result;
    std::vector<Int> sizes;
    bool sized = true;
    arithmetic::each_index(d, place, game.places, [&](Value i, const Bool& here) {
        const Pile<D>& pile = state.piles[i];
        for (KindId k = 0; k < kinds(); ++k) {
            collections::add_copies(d, result, PlaceId(i), k, arithmetic::when(d, here, pile.counts[k]));
        }
        sized = sized && pile.size;
        if (sized) sizes.push_back(arithmetic::when(d, here, *pile.size));
    });
    if (sized) result.size = arithmetic::total(d, std::move(sizes));
    return result;
}

template <Domain D>
Cards<D> Evaluator<D>::cards_of(const Expression& e) {
    const Zone& zone = game.zones[e.named()];
    const Set<D> owners = set(e.a);
    Cards<D> result;
    result.size = d.constant(0);
    for (std::int32_t i = 0; i < zone.places; ++i) {
        const Bool wanted = collections::has(d, owners, i);
        if (arithmetic::never<D>(d, wanted)) continue;
        const Cards<D> here = cards_at(d.constant(zone.first_place + i));
        for (const Copies<D>& c : here.copies) collections::add_copies(d, result, c.place, c.kind, arithmetic::when(d, wanted, c.count));
        result.size = result.size && here.size ? std::optional(d.add(*result.size, arithmetic::when(d, wanted, *here.size))) : std::nullopt;
    }
    return result;
}

template <Domain D>
Cards<D> Evaluator<D>::cards_family(FamilyId family, PlaceId first_place, PlaceId end_place) {
    Cards<D> result;
    for (PlaceId p = first_place; p < end_place; ++p) {
        for (KindId k = 0; k < kinds(); ++k) {
            if (family == no_id || game.kinds[k].family == family) collections::add_copies(d, result, p, k, state.piles[p].counts[k]);
        }
    }
    return result;
}

template <Domain D>
Cards<D> Evaluator<D>::cards_where(const Expression& e) {
    Cards<D> result = cards(e.a);
    const std::vector<Element> over = elements(result);
    Cards<D> kept;
    for (std::size_t i = 0; i < over.size(); ++i) {
        const Copies<D>& c = result.copies[i];
        const Bool holds = standing_at(over[i], e.bound(), [&] { return truth(e.b); });
        collections::add_copies(d, kept, c.place, c.kind, arithmetic::when(d, holds, c.count));
    }
    return kept;
}

template <Domain D>
Cards<D> Evaluator<D>::cards_extreme(const Expression& e) {
    const Cards<D> of = cards(e.a);
    const std::vector<Bool> best = that_tie(elements(of), e, e.op == Operator::cards_most);
    Cards<D> result;
    for (std::size_t i = 0; i < best.size(); ++i) {
        const Copies<D>& c = of.copies[i];
        collections::add_copies(d, result, c.place, c.kind, arithmetic::when<D>(d, best[i], c.count));
    }
    return result;
}

template <Domain D>
Cards<D> Evaluator<D>::cards_or_if_none(const Expression& e) {
    const Cards<D> first = cards(e.a);
    return branch(
        collections::is_empty(d, first), [&] { return cards(e.b); }, [&] { return first; },
        [&](const Bool& c, const Cards<D>& x, const Cards<D>& y) { return collections::choose(d, c, x, y); });
}

// Without a key, copies of one kind make a group.
template <Domain D>
Cards<D> Evaluator<D>::cards_groups(ExpressionId id) {
    const Expression& e = expression(id);
    Cards<D> of = cards(e.a);
    const Int size = scalar(e.b);
    std::sort(of.copies.begin(), of.copies.end(), collections::before_by_kind<D>);
    std::vector<Int> keys_of;
    if (e.c == no_id) {
        for (const Copies<D>& c : of.copies) keys_of.push_back(d.constant(c.kind));
    } else {
        keys_of = keys(elements(of), e.bound(), e.c);
    }
    auto [result, harmless] = collections::groups(d, of.copies, keys_of, size);
    d.promise(d.both(arithmetic::positive(d, size), harmless), id);
    return std::move(result);
}

template <Domain D>
Cards<D> Evaluator<D>::cards_any(ExpressionId id) {
    const Expression& e = expression(id);
    const Cards<D> of = cards(e.a);
    const Int wanted = scalar(e.b);
    const Int there = collections::size(d, of);
    const Bool none_or_all = d.either(d.equal(wanted, d.constant(0)), d.less_equal(there, wanted));
    const Bool no_choice = d.either(none_or_all, collections::all_alike(d, of));
    d.promise(d.all({d.less_equal(d.constant(0), wanted), d.less_equal(wanted, there), no_choice}), id);
    return collections::any_of(d, of, wanted);
}

// The first or last cards of a row or stack, as many as are wanted; what lies in between is not looked at. None of them may be shuffled.
template <Domain D>
Cards<D> Evaluator<D>::end_cards(ExpressionId id) {
    const Expression& e = expression(id);
    const Int place = scalar(e.a);
    const Int wanted = scalar(e.b);
    std::vector<Bool> enough{d.less_equal(d.constant(0), wanted), arithmetic::is_index(d, place, game.places)};
    Cards<D> result;
    arithmetic::each_index(d, place, game.places, [&](Value i, const Bool& here) {
        const Pile<D>& pile = state.piles[i];
        const Value size = pile.order.size();
        const Int there = pile.size ? *pile.size : arithmetic::total(d, pile.counts);
        enough.push_back(d.either(d.negate(here), d.less_equal(wanted, there)));
        for (Value at = 0; at < size; ++at) {
            const Value from_end = e.op == Operator::first_cards ? at : size - 1 - at;
            const Bool known = d.less_equal(d.constant(0), pile.order[at]);
            enough.push_back(d.any({d.negate(here), d.less_equal(wanted, d.constant(from_end)), known}));
        }
        if (pile.ends && pile.ends->may_be_shuffled) enough.push_back(d.equal(arithmetic::any_number(d, 0, 1), d.constant(1)));
        for (KindId k = 0; k < kinds(); ++k) {
            if (d.high(pile.counts[k]) == 0) continue;
            std::vector<Int> copies;
            for (Value at = 0; at < size; ++at) {
                const Value from_end = e.op == Operator::first_cards ? at : size - 1 - at;
                const Bool taken = d.all({here, d.less(d.constant(from_end), wanted), d.equal(pile.order[at], d.constant(k))});
                if (!arithmetic::never<D>(d, taken)) copies.push_back(arithmetic::count<D>(d, taken));
            }
            if (pile.ends) copies.push_back(arithmetic::any_number(d, 0, d.high(pile.counts[k])));
            collections::add_copies(d, result, PlaceId(i), k, arithmetic::total(d, std::move(copies)));
        }
    });
    d.promise(d.all(enough), id);
    return result;
}

// The minimum of a sum over the cards that are left after disjoint sets that fulfil the condition are taken out (set packing).
template <Domain D>
auto Evaluator<D>::least_left(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Expression& sum = expression(e.a);
    const Cards<D> of = cards(sum.a);
    const std::vector<Int> worth = keys(elements(of), sum.bound(), sum.b);
    const std::vector<Int> there = collections::counts(of);
    const bool few = Split<D>::sets_of(d, there) <= Split<D>::limit(d, there);
    if (!few && Split<D>::is_known(d, there)) {
        d.promise(d.truth(false), id);
        return arithmetic::any_number(d, e.type.low, e.type.high);
    }
    const VariableId named{e.named()};
    const Content<D> before = state.variables[named];
    const auto fits = [&](const std::vector<Int>& taken) {  // what it promises counts only where so many are there
        Cards<D> set;
        std::vector<Bool> enough;
        for (std::size_t i = 0; i < taken.size(); ++i) {
            collections::add_copies(d, set, of.copies[i].place, of.copies[i].kind, taken[i]);
            enough.push_back(d.less_equal(taken[i], there[i]));
        }
        state.variables[named] = std::move(set);
        return d.guarded(d.all(enough), [&] { return truth(e.b); });
    };
    Int least = d.constant(0);
    if (few) {
        least = Split(d, there, worth, fits).least();
    } else {  // some set, of which no more is known than that it may be any
        std::vector<Int> any;
        for (const Int& n : there) any.push_back(arithmetic::any_number(d, 0, d.high(n)));
        const Int some = arithmetic::total(d, any);
        d.guarded(d.less(d.constant(0), some), [&] { return fits(any); });
        least = arithmetic::any_number(d, e.type.low, e.type.high);
    }
    state.variables[named] = before;
    return least;
}

// ---- sets --------------------------------------------------------------------------------------------------------------------

template <Domain D>
Set<D> Evaluator<D>::set_constant(const Expression& e) {
    Set<D> result = whole(e.type);
    for (const std::int32_t element : game.sets[e.set()]) {
        const bool none = element == -1 && result.first > -1;
        if (none) continue;
        if (element < result.first || element >= result.end()) stop_on_bug("a set has an element that its type does not have");
        result.has[element - result.first] = d.truth(true);
    }
    return result;
}

template <Domain D>
Set<D> Evaluator<D>::set_fact(ExpressionId id) {
    const Expression& e = expression(id);
    const Int index = index_of(e);
    const std::vector<FactSlot<D>>& slots = state.facts[e.named()];
    promise_given(id, index);
    return collections::select_set(d, index, slots.size(), elements_of(game, e.type),
                                   [&](Value i) -> const Set<D>& { return held<Set<D>>(slots[i].content); });
}

template <Domain D>
Set<D> Evaluator<D>::set_single(const Expression& e) {
    const Int element = scalar(e.a);
    Set<D> result = whole(e.type);
    for (Value i = result.first; i < result.end(); ++i) {
        result.has[i - result.first] = d.equal(element, d.constant(i));
    }
    return result;
}

template <Domain D>
Set<D> Evaluator<D>::set_lookup(ExpressionId id) {
    const Expression& e = expression(id);
    const std::vector<std::int32_t>& table = game.tables[e.named()];
    const Int index = scalar(e.a);
    const Value size = table.size();
    const auto row = [&](Value i) { return table[i]; };
    d.promise(arithmetic::holds_at(d, index, size, [&](Value i) { return d.truth(row(i) != unset_value); }), id);
    Set<D> result = whole(e.type);
    for (Value x = result.first; x < result.end(); ++x) {
        const auto in_row = [&](Value i) {
            if (row(i) == unset_value) return d.truth(false);
            const std::vector<std::int32_t>& members = game.sets[row(i)];
            return d.truth(std::find(members.begin(), members.end(), static_cast<std::int32_t>(x)) != members.end());
        };
        result.has[x - result.first] = arithmetic::select_truth(d, index, size, in_row);
    }
    return result;
}

template <Domain D>
Set<D> Evaluator<D>::set_where(const Expression& e) {
    Set<D> result = set(e.a);
    for (const Element& x : elements(result)) {
        const std::size_t i = d.low(x.at.kind) - result.first;
        result.has[i] = d.both(x.member, standing_at(x, e.bound(), [&] { return truth(e.b); }));
    }
    return result;
}

template <Domain D>
Set<D> Evaluator<D>::set_extreme(const Expression& e) {
    Set<D> result = set(e.a);
    const std::vector<Element> over = elements(result);
    const std::vector<Bool> best = that_tie(over, e, e.op == Operator::set_most);
    for (std::size_t i = 0; i < over.size(); ++i) {
        result.has[d.low(over[i].at.kind) - result.first] = best[i];
    }
    return result;
}

template <Domain D>
Set<D> Evaluator<D>::set_or_if_none(const Expression& e) {
    const Set<D> first = set(e.a);
    return branch(
        collections::is_empty(d, first), [&] { return set(e.b); }, [&] { return first; },
        [&](const Bool& c, const Set<D>& x, const Set<D>& y) { return collections::choose(d, c, x, y); });
}

template <Domain D>
Set<D> Evaluator<D>::set_kinds(const Expression& e) {
    Set<D> result = collections::empty_set(d, Elements{0, kinds()});
    for (auto& [kind, count] : collections::by_kind(d, cards(e.a))) {
        result.has[kind] = arithmetic::positive(d, count);
    }
    return result;
}

}  // namespace houserule
