// The abstract state of `prove`: all states that a game can be in at one point of its text, as terms over unknowns.
//
// An `AbstractState` is such a set of states: numbers and truths over unknowns, with the condition `path` under which the point is
// reached. At a join, states merge value by value and drop the branch condition; so there is one abstract state, never a list of paths.
// What is known of unknowns beside the path (`assumed`) holds in every game that gets there. Sizes are kept beside counts: many promises
// need no more.
#pragma once

#include "solver/terms/evaluator.hpp"
#include "solver/terms/terms.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

struct AbstractState {
    PlainState<Terms> at;
    Truth path = Formulas::no;
    // The path as a list of conditions, each with the conjunction of all before it.
    std::vector<std::pair<Truth, Truth>> path_conditions;
    std::vector<Terms::Int> counters;  // of the loops around this point, the outermost first: rounds made
    // While simultaneous effects read `at`, the state before them: the present piles and facts.
    bool effects = false;
    std::vector<Pile<Terms>> piles_now;
    Store<FactId, std::vector<FactSlot<Terms>>> facts_now;

    bool dead() const { return path == Formulas::no; }
    std::vector<Pile<Terms>>& piles() { return effects ? piles_now : at.piles; }
    Store<FactId, std::vector<FactSlot<Terms>>>& facts() { return effects ? facts_now : at.facts; }
    const std::vector<Pile<Terms>>& piles() const { return effects ? piles_now : at.piles; }
    const Store<FactId, std::vector<FactSlot<Terms>>>& facts() const { return effects ? facts_now : at.facts; }
};

// Thrown when a limit is reached; `prove` catches it.
struct OutOfTime : std::runtime_error {
    OutOfTime() : std::runtime_error("out of time") {}
};

// The transfer functions of abstract states: joins, moves of cards, and forgetting what is no longer known. Knows no statement.
class TransferFunctions {
public:
    TransferFunctions(Terms& terms, Unknowns& unknowns, const Game& of);

    AbstractState start() const;
    // The join of two states; `condition` holds in all states of `a` and in none of `b`.
    AbstractState merged(const Truth& condition, AbstractState a, AbstractState b) const;
    AbstractState merged(AbstractState a, AbstractState b) const;
    // The join of many states, with less precision: values that differ are replaced by unknowns in their common range.
    AbstractState joined(const std::vector<std::shared_ptr<const AbstractState>>& states);
    // The states of `f` in which the condition holds.
    AbstractState where(const AbstractState& f, const Truth& condition) const;

    Terms::Int fresh(Value low, Value high) { return unknowns_.integer("u", low, high); }
    Truth fresh_truth() { return unknowns_.truth("u"); }
    // Drops the states in which the condition does not hold.
    void require(AbstractState& f, const Truth& condition) const;
    // The conditions on the path of `part`, a continuation of `f`, that are not on that of `f`.
    Truth since(const AbstractState& f, const AbstractState& part) const;
    // Notes that `holds` is true in every game that takes this path. It constrains the unknowns from number `from` on; if that is not
    // given, those made since the last assumption.
    void assume(const AbstractState& f, const Truth& holds, std::optional<std::size_t> from = std::nullopt);

    // Moves cards to a place. The result says whether they fit there (yes during simultaneous effects: see end_effects).
    Truth move(AbstractState& f, const Cards<Terms>& what, const Terms::Int& to, bool under, std::optional<VariableId> named);
    // Any `n` cards of a place.
    Cards<Terms> some_of(AbstractState& f, PlaceId place, const Terms::Int& n);
    // Any one of the cards; there must be one.
    Card<Terms> one_of(AbstractState& f, const Cards<Terms>& cards);
    void gather(AbstractState& f);
    void begin_effects(AbstractState& f);
    // The result says whether everything fits where it was moved.
    Truth end_effects(AbstractState& f);
    void shuffle(AbstractState& f, const Terms::Int& place);
    // Any value of the type. Of cards, not even the places that it states need be where they lie.
    Content<Terms> anything(const Type& type);

    // Forgets which cards lie at these places: sizes become any in `range`, kinds any that `may` allows; no card is made or lost.
    void forget_places(AbstractState& f, const std::vector<PlaceId>& places, const std::function<std::pair<Value, Value>(PlaceId)>& range,
                       const std::function<bool(PlaceId, KindId)>& may);
    void forget_places(AbstractState& f);
    void forget_card_variables(AbstractState& f);
    void refresh_ends(AbstractState& f, PlaceId place);

    bool same(const Terms::Int& a, const Terms::Int& b) const { return d.equal(a, b) == Formulas::yes; }
    bool same(const Content<Terms>& a, const Content<Terms>& b) const;
    Content<Terms> chosen(const Truth& condition, const Content<Terms>& a, const Content<Terms>& b) const;
    Terms::Int sum(std::vector<Terms::Int> terms, Value cap) const;
    ZoneId zone_of(PlaceId place) const { return zone_of_[place]; }
    Value capacity(PlaceId place) const;
    Value copies(KindId kind) const { return game.kinds[kind].copies; }
    bool fits_family(PlaceId place, KindId kind) const;
    Value pieces() const { return game.piece_kind.size(); }

    struct Assumption {
        Truth holds;       // the assumption, if its path is taken
        Truth told;        // the assumption alone
        std::size_t from;  // it constrains the unknowns from .. to - 1
        std::size_t to;
    };
    std::vector<Assumption> assumed;
    // Unknowns that add up to a number in every state, on every path.
    struct Total {
        std::vector<std::int32_t> unknowns;
        Value total = 0;
    };
    std::vector<Total> totals;
    bool moved_twice = false;       // during simultaneous effects: two of them may have moved the same piece
    std::vector<int> sources;       // by place: how many effects took cards from there
    Store<ZoneId, bool> ends_read;  // by zone: the rules read its first or last card
    Store<ZoneId, bool> shuffled;   // by zone: it may have parts whose order nobody knows

private:
    void forget_facts(AbstractState& f, const std::vector<std::shared_ptr<const AbstractState>>& states);
    void gather_known(AbstractState& f, PlaceId place) const;
    void add_up(const AbstractState& f, std::vector<Terms::Int> parts, const Terms::Int& sum);
    void update_card_variables(AbstractState& f, const Cards<Terms>& what, const Terms::Int& to, std::optional<VariableId> named);
    Cards<Terms> relocated(const Cards<Terms>& held, const Terms::Int& to);
    Cards<Terms> scattered(AbstractState& f, const Cards<Terms>& held, const std::vector<PlaceId>& places);
    void take_from(AbstractState& f, PlaceId place, const std::vector<const Copies<Terms>*>& copies, std::vector<Terms::Int>& arriving,
                   Terms::Int& moved, const std::optional<Terms::Int>& known);

    Terms& d;
    Unknowns& unknowns_;
    const Game& game;
    std::vector<ZoneId> zone_of_;
    std::size_t told_from_ = 0;  // the unknowns that the last assumption constrains
    std::size_t told_to_ = 0;
    std::size_t assumed_before_ = 0;  // when simultaneous effects began
    std::size_t totals_before_ = 0;
};

}  // namespace houserule
