// The one meaning of each operator of `dsl/game/operators.def`, over any domain.
//
// An `Evaluator` computes the expressions of a checked game in a state: over numbers or over terms. Evaluation gives a value in every state
// and records promises in the domain; where a promise is broken, the value is defined but means nothing. It has no side effects, except
// that comprehension variables are bound during the call.
#pragma once

#include "dsl/meaning/plain_state.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace houserule {

// The operators by the sort of their result, as cases of a switch: code compiles only if a new operator is added to one of them.
// constant, variable, bound, conditional and fail are not here, since they have results of several sorts.
#define HOUSERULE_SCALAR_CASES    \
    case Operator::fact:          \
    case Operator::add:           \
    case Operator::subtract:      \
    case Operator::multiply:      \
    case Operator::distance:      \
    case Operator::larger:        \
    case Operator::smaller:       \
    case Operator::quotient:      \
    case Operator::remainder:     \
    case Operator::lookup:        \
    case Operator::kind_of:       \
    case Operator::neighbour:     \
    case Operator::next_in:       \
    case Operator::size_of_cards: \
    case Operator::size_of_set:   \
    case Operator::sum_over:      \
    case Operator::largest_over:  \
    case Operator::smallest_over: \
    case Operator::least_left:    \
    case Operator::the_element:   \
    case Operator::place
#define HOUSERULE_TRUTH_CASES   \
    case Operator::equal:       \
    case Operator::less:        \
    case Operator::less_equal:  \
    case Operator::both:        \
    case Operator::either:      \
    case Operator::negate:      \
    case Operator::exists:      \
    case Operator::has_kind:    \
    case Operator::has_element: \
    case Operator::same_cards:  \
    case Operator::same_set
#define HOUSERULE_CARD_CASES   \
    case Operator::the_card:   \
    case Operator::first_card: \
    case Operator::last_card
#define HOUSERULE_CARDS_CASES        \
    case Operator::cards_at:         \
    case Operator::cards_of:         \
    case Operator::cards_family:     \
    case Operator::cards_unplaced:   \
    case Operator::cards_variable:   \
    case Operator::cards_single:     \
    case Operator::cards_none:       \
    case Operator::cards_join:       \
    case Operator::cards_minus:      \
    case Operator::cards_where:      \
    case Operator::cards_most:       \
    case Operator::cards_least:      \
    case Operator::cards_or_if_none: \
    case Operator::cards_groups:     \
    case Operator::cards_any:        \
    case Operator::first_cards:      \
    case Operator::last_cards:       \
    case Operator::cards_conditional
#define HOUSERULE_SET_CASES        \
    case Operator::set_constant:   \
    case Operator::set_variable:   \
    case Operator::set_fact:       \
    case Operator::set_single:     \
    case Operator::set_lookup:     \
    case Operator::set_join:       \
    case Operator::set_minus:      \
    case Operator::set_where:      \
    case Operator::set_most:       \
    case Operator::set_least:      \
    case Operator::set_or_if_none: \
    case Operator::set_kinds:      \
    case Operator::set_conditional

template <Domain D>
class Evaluator {
public:
    using Int = IntOf<D>;
    using Bool = BoolOf<D>;

    Evaluator(D& domain, const Game& of, PlainState<D>& in) : d(domain), game(of), state(in) {}

    // An expression by its result; a truth is also the scalar 0 or 1, and the other way round.
    Int scalar(ExpressionId id);
    Bool truth(ExpressionId id);
    Card<D> card(ExpressionId id);
    Cards<D> cards(ExpressionId id);
    Set<D> set(ExpressionId id);

private:
    // An element that a comprehension runs over: whether it is there, and how often.
    struct Element {
        Card<D> at;
        Bool member;
        Int count;
    };

    const Expression& expression(ExpressionId id) const { return game.expressions[id]; }
    template <class T>
    static const T& held(const Content<D>& content) {
        if (const T* value = std::get_if<T>(&content)) return *value;
        stop_on_bug("a name holds something else than its type says");
    }
    Value players() const { return game.players; }
    Value kinds() const { return game.kinds.size(); }
    Set<D> whole(const Type& set_type) { return collections::empty_set(d, elements_of(game, set_type)); }

    // Two operands, the first read first, as the engine does: which promise breaks first depends on it, and C++ leaves the order of a
    // call's arguments open.
    template <class F>
    auto of_scalars(const Expression& e, F f) {
        const Int a = scalar(e.a);
        const Int b = scalar(e.b);
        return f(a, b);
    }
    template <class F>
    auto of_cards(const Expression& e, F f) {
        const Cards<D> a = cards(e.a);
        const Cards<D> b = cards(e.b);
        return f(a, b);
    }
    template <class F>
    auto of_sets(const Expression& e, F f) {
        const Set<D> a = set(e.a);
        const Set<D> b = set(e.b);
        return f(a, b);
    }

    template <class Then, class Otherwise, class Merge>
    auto branch(const Bool& condition, Then then, Otherwise otherwise, Merge merge);

    Bool both(const Expression& e);
    Bool either(const Expression& e);
    Bool equal(const Expression& e);
    Int index_of(const Expression& e);
    void promise_given(ExpressionId id, const Int& index);
    Int fact(ExpressionId id);
    Int divided(ExpressionId id);
    Int lookup(ExpressionId id);
    Int kind_of(ExpressionId id);
    Int neighbour(ExpressionId id);
    Int next_in(ExpressionId id);
    Int sum_over(const Expression& e);
    Int extreme_over(ExpressionId id);
    Int least_left(ExpressionId id);
    Int the_element(ExpressionId id);
    Int place(ExpressionId id);
    Bool exists(const Expression& e);

    Card<D> the_card(ExpressionId id);
    Card<D> end_card(ExpressionId id);

    Cards<D> cards_at(const Int& place);
    Cards<D> cards_of(const Expression& e);
    Cards<D> cards_family(FamilyId family, PlaceId first_place, PlaceId end_place);
    Cards<D> cards_where(const Expression& e);
    Cards<D> cards_extreme(const Expression& e);
    Cards<D> cards_or_if_none(const Expression& e);
    Cards<D> cards_groups(ExpressionId id);
    Cards<D> cards_any(ExpressionId id);
    Cards<D> end_cards(ExpressionId id);
    Set<D> set_fact(ExpressionId id);
    Set<D> set_constant(const Expression& e);
    Set<D> set_single(const Expression& e);
    Set<D> set_lookup(ExpressionId id);
    Set<D> set_where(const Expression& e);
    Set<D> set_extreme(const Expression& e);
    Set<D> set_or_if_none(const Expression& e);
    Set<D> set_kinds(const Expression& e);

    std::vector<Element> elements(const Cards<D>& of);
    std::vector<Element> elements(const Set<D>& of);
    std::vector<Element> elements_in(ExpressionId source);
    template <class F>
    auto standing_at(const Element& element, BoundId bound, F f);
    std::pair<Bool, Int> extreme(const std::vector<Element>& elements, const std::vector<Int>& keys, bool most);
    std::vector<Int> keys(const std::vector<Element>& elements, BoundId bound, ExpressionId body);
    std::vector<Bool> that_tie(const std::vector<Element>& elements, const Expression& e, bool most);

    D& d;
    const Game& game;
    PlainState<D>& state;
};

// ---- by sort of the result ---------------------------------------------------------------------------------------------------

template <Domain D>
auto Evaluator<D>::scalar(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    switch (e.op) {
        case Operator::constant:
            return d.constant(e.value());
        case Operator::variable:
            return held<Int>(state.variables[e.named()]);
        case Operator::bound:
            return state.bounds[e.bound()].kind;
        case Operator::fact:
            return fact(id);
        case Operator::add:
            return of_scalars(e, [&](const Int& a, const Int& b) { return d.add(a, b); });
        case Operator::subtract:
            return of_scalars(e, [&](const Int& a, const Int& b) { return d.subtract(a, b); });
        case Operator::multiply:
            return of_scalars(e, [&](const Int& a, const Int& b) { return d.multiply(a, b); });
        case Operator::distance:
            return of_scalars(e, [&](const Int& a, const Int& b) { return arithmetic::distance(d, a, b); });
        case Operator::larger:
            return of_scalars(e, [&](const Int& a, const Int& b) { return arithmetic::larger(d, a, b); });
        case Operator::smaller:
            return of_scalars(e, [&](const Int& a, const Int& b) { return arithmetic::smaller(d, a, b); });
        case Operator::quotient:
        case Operator::remainder:
            return divided(id);
        case Operator::conditional:
            return branch(
                truth(e.a), [&] { return scalar(e.b); }, [&] { return scalar(e.c); },
                [&](const Bool& c, const Int& x, const Int& y) { return d.choose(c, x, y); });
        case Operator::lookup:
            return lookup(id);
        case Operator::kind_of:
            return kind_of(id);
        case Operator::neighbour:
            return neighbour(id);
        case Operator::next_in:
            return next_in(id);
        case Operator::size_of_cards:
            return collections::size(d, cards(e.a));
        case Operator::size_of_set:
            return collections::size(d, set(e.a));
        case Operator::sum_over:
            return sum_over(e);
        case Operator::largest_over:
        case Operator::smallest_over:
            return extreme_over(id);
        case Operator::least_left:
            return least_left(id);
        case Operator::the_element:
            return the_element(id);
        case Operator::place:
            return place(id);
        case Operator::fail:
            d.promise(d.truth(false), id);
            return d.constant(-1);
        HOUSERULE_TRUTH_CASES:
            return arithmetic::count(d, truth(id));
        HOUSERULE_CARD_CASES:
        HOUSERULE_CARDS_CASES:
        HOUSERULE_SET_CASES:
            break;
    }
    stop_on_bug("an expression is no scalar");
}

template <Domain D>
auto Evaluator<D>::truth(ExpressionId id) -> Bool {
    const Expression& e = expression(id);
    switch (e.op) {
        case Operator::conditional:
            return branch(
                truth(e.a), [&] { return truth(e.b); }, [&] { return truth(e.c); },
                [&](const Bool& c, const Bool& x, const Bool& y) { return d.choose_truth(c, x, y); });
        case Operator::equal:
            return equal(e);
        case Operator::less:
            return of_scalars(e, [&](const Int& a, const Int& b) { return d.less(a, b); });
        case Operator::less_equal:
            return of_scalars(e, [&](const Int& a, const Int& b) { return d.less_equal(a, b); });
        case Operator::both:
            return both(e);
        case Operator::either:
            return either(e);
        case Operator::negate:
            return d.negate(truth(e.a));
        case Operator::exists:
            return exists(e);
        case Operator::has_kind: {
            const Cards<D> among = cards(e.a);
            return collections::has_kind(d, among, scalar(e.b));
        }
        case Operator::has_element: {
            const Set<D> among = set(e.a);
            return collections::has_element(d, among, scalar(e.b));
        }
        case Operator::same_cards:
            return of_cards(e, [&](const auto& a, const auto& b) { return collections::same_kinds(d, a, b); });
        case Operator::same_set:
            return of_sets(e, [&](const auto& a, const auto& b) { return collections::same(d, a, b); });
        case Operator::constant:
        case Operator::variable:
        case Operator::bound:
        case Operator::fail:
        HOUSERULE_SCALAR_CASES:
            return d.equal(scalar(id), d.constant(1));
        HOUSERULE_CARD_CASES:
        HOUSERULE_CARDS_CASES:
        HOUSERULE_SET_CASES:
            break;
    }
    stop_on_bug("an expression is no truth");
}

template <Domain D>
Card<D> Evaluator<D>::card(ExpressionId id) {
    const Expression& e = expression(id);
    switch (e.op) {
        case Operator::constant:
            return {d.constant(e.value()), d.constant(-1)};  // no card: a card has no other constant
        case Operator::variable:
            return held<Card<D>>(state.variables[e.named()]);
        case Operator::bound:
            return state.bounds[e.bound()];
        case Operator::conditional:
            return branch(
                truth(e.a), [&] { return card(e.b); }, [&] { return card(e.c); },
                [&](const Bool& c, const Card<D>& x, const Card<D>& y) {
                    return Card<D>{d.choose(c, x.kind, y.kind), d.choose(c, x.place, y.place)};
                });
        case Operator::the_card:
            return the_card(id);
        case Operator::first_card:
        case Operator::last_card:
            return end_card(id);
        case Operator::fail:
            d.promise(d.truth(false), id);
            return {d.constant(-1), d.constant(-1)};
        HOUSERULE_SCALAR_CASES:
        HOUSERULE_TRUTH_CASES:
        HOUSERULE_CARDS_CASES:
        HOUSERULE_SET_CASES:
            break;
    }
    stop_on_bug("an expression is no card");
}

template <Domain D>
Cards<D> Evaluator<D>::cards(ExpressionId id) {
    const Expression& e = expression(id);
    switch (e.op) {
        case Operator::cards_at:
            return cards_at(scalar(e.a));
        case Operator::cards_of:
            return cards_of(e);
        case Operator::cards_family:
            return cards_family(e.named(), 0, game.places);
        case Operator::cards_unplaced:
            return cards_family(e.named(), 0, 1);
        case Operator::cards_variable:
            return held<Cards<D>>(state.variables[e.named()]);
        case Operator::cards_single:
            return collections::single(d, card(e.a), game.places, kinds());
        case Operator::cards_none:
            return {{}, d.constant(0)};
        case Operator::cards_join:
            return of_cards(e, [&](const auto& a, const auto& b) {
                return collections::join(d, a, b, [&](PlaceId place, KindId kind) { return state.piles[place].counts[kind]; });
            });
        case Operator::cards_minus:
            return of_cards(e, [&](const auto& a, const auto& b) { return collections::minus(d, a, b); });
        case Operator::cards_where:
            return cards_where(e);
        case Operator::cards_most:
        case Operator::cards_least:
            return cards_extreme(e);
        case Operator::cards_or_if_none:
            return cards_or_if_none(e);
        case Operator::cards_groups:
            return cards_groups(id);
        case Operator::cards_any:
            return cards_any(id);
        case Operator::first_cards:
        case Operator::last_cards:
            return end_cards(id);
        case Operator::cards_conditional:
            return branch(
                truth(e.a), [&] { return cards(e.b); }, [&] { return cards(e.c); },
                [&](const Bool& c, const Cards<D>& x, const Cards<D>& y) { return collections::choose(d, c, x, y); });
        case Operator::fail:
            d.promise(d.truth(false), id);
            return {{}, d.constant(0)};
        case Operator::constant:
        case Operator::variable:
        case Operator::bound:
        case Operator::conditional:
        HOUSERULE_SCALAR_CASES:
        HOUSERULE_TRUTH_CASES:
        HOUSERULE_CARD_CASES:
        HOUSERULE_SET_CASES:
            break;
    }
    stop_on_bug("an expression is no cards");
}

template <Domain D>
Set<D> Evaluator<D>::set(ExpressionId id) {
    const Expression& e = expression(id);
    switch (e.op) {
        case Operator::set_constant:
            return set_constant(e);
        case Operator::set_variable:
            return held<Set<D>>(state.variables[e.named()]);
        case Operator::set_fact:
            return set_fact(id);
        case Operator::set_single:
            return set_single(e);
        case Operator::set_lookup:
            return set_lookup(id);
        case Operator::set_join:
            return of_sets(e, [&](const auto& a, const auto& b) {
                return collections::zip(d, a, b, [&](const Bool& x, const Bool& y) { return d.either(x, y); });
            });
        case Operator::set_minus:
            return of_sets(e, [&](const auto& a, const auto& b) {
                return collections::zip(d, a, b, [&](const Bool& x, const Bool& y) { return d.both(x, d.negate(y)); });
            });
        case Operator::set_where:
            return set_where(e);
        case Operator::set_most:
        case Operator::set_least:
            return set_extreme(e);
        case Operator::set_or_if_none:
            return set_or_if_none(e);
        case Operator::set_kinds:
            return set_kinds(e);
        case Operator::set_conditional:
            return branch(
                truth(e.a), [&] { return set(e.b); }, [&] { return set(e.c); },
                [&](const Bool& c, const Set<D>& x, const Set<D>& y) { return collections::choose(d, c, x, y); });
        case Operator::fail:
            d.promise(d.truth(false), id);
            return whole(e.type);
        case Operator::constant:
        case Operator::variable:
        case Operator::bound:
        case Operator::conditional:
        HOUSERULE_SCALAR_CASES:
        HOUSERULE_TRUTH_CASES:
        HOUSERULE_CARD_CASES:
        HOUSERULE_CARDS_CASES:
            break;
    }
    stop_on_bug("an expression is no set");
}

// ---- truths ------------------------------------------------------------------------------------------------------------------

// Each arm is evaluated under its condition as a guard.
template <Domain D>
template <class Then, class Otherwise, class Merge>
auto Evaluator<D>::branch(const Bool& condition, Then then, Otherwise otherwise, Merge merge) {
    if (const auto known = d.known(condition)) return *known ? then() : otherwise();
    const auto first = d.guarded(condition, then);
    const auto second = d.guarded(d.negate(condition), otherwise);
    return merge(condition, first, second);
}

template <Domain D>
auto Evaluator<D>::both(const Expression& e) -> Bool {
    const Bool first = truth(e.a);
    if (arithmetic::never<D>(d, first)) return first;
    return d.both(first, d.guarded(first, [&] { return truth(e.b); }));
}

template <Domain D>
auto Evaluator<D>::either(const Expression& e) -> Bool {
    const Bool first = truth(e.a);
    if (arithmetic::surely<D>(d, first)) return first;
    return d.either(first, d.guarded(d.negate(first), [&] { return truth(e.b); }));
}

template <Domain D>
auto Evaluator<D>::equal(const Expression& e) -> Bool {
    if (expression(e.a).type.base != Base::truth) return of_scalars(e, [&](const Int& a, const Int& b) { return d.equal(a, b); });
    const Bool a = truth(e.a);
    const Bool b = truth(e.b);
    return d.choose_truth(a, b, d.negate(b));
}

template <Domain D>
auto Evaluator<D>::exists(const Expression& e) -> Bool {
    std::vector<Bool> found;
    for (const Element& x : elements_in(e.a)) {
        found.push_back(d.both(x.member, standing_at(x, e.bound(), [&] { return truth(e.b); })));
    }
    return d.any(found);
}

// ---- scalars -----------------------------------------------------------------------------------------------------------------

// The index of a fact or zone; those of nothing have slot 0 only.
template <Domain D>
auto Evaluator<D>::index_of(const Expression& e) -> Int {
    return e.a == no_id ? d.constant(0) : scalar(e.a);
}

// The slot at the index exists and was given a value.
template <Domain D>
void Evaluator<D>::promise_given(ExpressionId id, const Int& index) {
    const std::vector<FactSlot<D>>& slots = state.facts[expression(id).named()];
    const auto given = [&](Value i) { return slots[i].given; };
    d.promise(arithmetic::holds_at(d, index, slots.size(), given), id);
}

template <Domain D>
auto Evaluator<D>::fact(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Int index = index_of(e);
    const std::vector<FactSlot<D>>& slots = state.facts[e.named()];
    promise_given(id, index);
    return arithmetic::select(
        d, index, slots.size(), [&](Value i) { return held<Int>(slots[i].content); }, d.constant(-1));
}

template <Domain D>
auto Evaluator<D>::divided(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Int a = scalar(e.a);
    const Int b = scalar(e.b);
    d.promise(arithmetic::positive(d, b), id);
    return e.op == Operator::quotient ? arithmetic::quotient(d, a, b) : arithmetic::remainder(d, a, b);
}

template <Domain D>
auto Evaluator<D>::lookup(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const std::vector<std::int32_t>& table = game.tables[e.named()];
    const auto has_entry = [&](Value i) { return d.truth(table[i] != unset_value); };
    const Int index = scalar(e.a);
    const Value size = table.size();
    d.promise(arithmetic::holds_at(d, index, size, has_entry), id);
    return arithmetic::select(
        d, index, size, [&](Value i) { return d.constant(table[i] == unset_value ? -1 : table[i]); }, d.constant(-1));
}

template <Domain D>
auto Evaluator<D>::kind_of(ExpressionId id) -> Int {
    const Int kind = card(expression(id).a).kind;
    d.promise(d.less_equal(d.constant(0), kind), id);
    return kind;
}

// Nobody has no neighbour: that breaks a promise, and the value is nobody.
template <Domain D>
auto Evaluator<D>::neighbour(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Int player = scalar(e.a);
    d.promise(arithmetic::is_index(d, player, players()), id);
    const auto around = [&](Value i) { return d.constant(((i + e.seats()) % players() + players()) % players()); };
    return arithmetic::select(d, player, players(), around, d.constant(-1));
}

// The first member of the set, going round from the player; the player itself comes last.
template <Domain D>
auto Evaluator<D>::next_in(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Int from = scalar(e.a);
    const Set<D> members = set(e.b);
    d.promise(d.both(arithmetic::is_index(d, from, players()), d.negate(collections::is_empty(d, members))), id);
    const auto met_from = [&](Value start) {
        std::vector<Bool> met;
        std::vector<Int> who;
        for (Value step = 1; step <= players(); ++step) {
            const Value player = ((start + e.direction() * step) % players() + players()) % players();
            met.push_back(collections::has(d, members, player));
            who.push_back(d.constant(player));
        }
        return arithmetic::first_value(d, met, std::move(who), d.constant(-1));
    };
    return arithmetic::select(d, from, players(), met_from, d.constant(-1));
}

template <Domain D>
auto Evaluator<D>::sum_over(const Expression& e) -> Int {
    std::vector<Int> parts;
    for (const Element& x : elements_in(e.a)) {
        parts.push_back(d.multiply(x.count, standing_at(x, e.bound(), [&] { return scalar(e.b); })));
    }
    return arithmetic::total(d, std::move(parts));
}

template <Domain D>
auto Evaluator<D>::extreme_over(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const std::vector<Element> over = elements_in(e.a);
    const auto [any, best] = extreme(over, keys(over, e.bound(), e.b), e.op == Operator::largest_over);
    d.promise(any, id);
    return best;
}

template <Domain D>
auto Evaluator<D>::the_element(ExpressionId id) -> Int {
    const Set<D> of = set(expression(id).a);
    d.promise(d.equal(collections::size(d, of), d.constant(1)), id);
    return collections::first_element(d, of);
}

// A zone of nobody is no place: that breaks a promise, and the value is place -1, where nothing lies.
template <Domain D>
auto Evaluator<D>::place(ExpressionId id) -> Int {
    const Expression& e = expression(id);
    const Zone& zone = game.zones[e.named()];
    const Int index = index_of(e);
    const Bool exists = arithmetic::is_index(d, index, zone.places);
    d.promise(exists, id);
    return d.choose(exists, d.add(d.constant(zone.first_place), index), d.constant(-1));
}

#undef HOUSERULE_SCALAR_CASES
#undef HOUSERULE_TRUTH_CASES
#undef HOUSERULE_CARD_CASES
#undef HOUSERULE_CARDS_CASES
#undef HOUSERULE_SET_CASES

}  // namespace houserule

#include "dsl/meaning/operators_of_many.hpp"  // the rest of `Evaluator`

namespace houserule {

// Puts the fact back to its start value, or to not given where it has none.
template <Domain D>
void start_fact(D& d, const Game& game, PlainState<D>& state, FactId fact) {
    const Fact& of = game.facts[fact];
    FactSlot<D> slot{d.truth(of.initial != no_id), no_content(d, game, of.type)};
    if (of.initial != no_id) {
        Evaluator<D> evaluator(d, game, state);
        slot.content = of.type.base == Base::set ? Content<D>(evaluator.set(of.initial)) : Content<D>(evaluator.scalar(of.initial));
    }
    state.facts[fact].assign(of.count, slot);
}

// The state before the setup: all pieces in no zone, facts at their start.
template <Domain D>
PlainState<D> initial_state(D& d, const Game& game) {
    PlainState<D> state = empty_state(d, game);
    for (const FactId fact : game.facts.ids()) start_fact(d, game, state, fact);
    return state;
}

}  // namespace houserule
