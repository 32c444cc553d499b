// The state of a game over a domain, in the plain form that operators read.
//
// For each place the number of each kind there (place 0: in no zone) and the order if there is one; every fact, every local name and the
// comprehension variables. It does not say who knows what. Evaluating an expression writes the
// comprehension variables, and restores them; all else only its owner changes.
#pragma once

#include "dsl/game/ranges.hpp"
#include "dsl/meaning/collections.hpp"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace houserule {

// A row or stack of which only the ends are modelled: whether any card lies there, and the kinds of its first and last. -1 is the kind of a
// card of a shuffled part.
template <Domain D>
struct Ends {
    BoolOf<D> any;
    IntOf<D> first;
    IntOf<D> last;
    bool may_be_shuffled = false;  // cards anywhere in it
};

// The cards at a place. `order`, `ends` and `size` must agree with `counts`; the owner of the state sees to that.
template <Domain D>
struct Pile {
    std::vector<IntOf<D>> counts;                // by kind
    std::vector<IntOf<D>> order;                 // rows and stacks: the kinds, from the first or bottom on; -1: of a part that is shuffled
    std::optional<IntOf<D>> size;                // the number of cards, if known more exactly than by the counts: sizes are public
    std::optional<Ends<D>> ends = std::nullopt;  // instead of `order`, if only the cards at the ends are modelled
};

// The value of a fact or variable, by its type: a scalar as a number, a card, a set or cards.
template <Domain D>
using Content = std::variant<IntOf<D>, Card<D>, Set<D>, Cards<D>>;

// One slot of a fact. Reading it before it is `given` a value breaks a promise. (-1 could not say so: it is a value of some facts.)
template <Domain D>
struct FactSlot {
    BoolOf<D> given;
    Content<D> content;
};

template <Domain D>
struct PlainState {
    std::vector<Pile<D>> piles;                     // by place
    Store<FactId, std::vector<FactSlot<D>>> facts;  // by fact, then index
    Store<VariableId, Content<D>> variables;
    std::vector<Card<D>> bounds;  // the comprehension variables; an element that is no card is in `kind`
};

// The elements that a set of type `type` may have.
inline Elements elements_of(const Game& game, const Type& type) {
    Type element = type;
    element.base = type.element;
    if (is_of_many(element) || element.base == Base::place) stop_on_bug("a set has elements that no set can have");
    const ValueRange range = range_of(game, element);  // of `{}` the empty range
    return {range.low, Value{range.high} - range.low + 1};
}

// Numbers of low - 1..high as values of a number that may be none: low - 1 stands for none, which is far from the others.
template <Domain D>
IntOf<D> with_none(D& d, const Type& number, const IntOf<D>& of) {
    return d.choose(d.less(of, d.constant(number.low)), d.constant(no_number), of);
}

// The content of a fact or variable of type `type` before it has a value.
template <Domain D>
Content<D> no_content(D& d, const Game& game, const Type& type) {
    switch (type.base) {
        case Base::card:
            return Card<D>{d.constant(-1), d.constant(-1)};
        case Base::cards:
            return Cards<D>{};
        case Base::set:
            return collections::empty_set(d, elements_of(game, type));
        case Base::nothing:
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::place:
            return d.constant(-1);
    }
    stop_on_bug("a value has no type");
}

// All pieces in no zone, no fact given.
template <Domain D>
PlainState<D> empty_state(D& d, const Game& game) {
    PlainState<D> state;
    const std::vector<IntOf<D>> nothing(game.kinds.size(), d.constant(0));
    state.piles.assign(game.places, Pile<D>{nothing, {}, std::nullopt});
    for (std::size_t kind = 0; kind < game.kinds.size(); ++kind) state.piles[0].counts[kind] = d.constant(game.kinds[kind].copies);
    for (const Fact& fact : game.facts) {
        const FactSlot<D> slot{d.truth(false), no_content(d, game, fact.type)};
        state.facts.emplace_back(fact.count, slot);
    }
    for (const Variable& variable : game.variables) state.variables.push_back(no_content(d, game, variable.type));
    state.bounds.assign(game.bounds, Card<D>{d.constant(-1), d.constant(-1)});
    return state;
}

}  // namespace houserule
