// Every state that a game could be in at one point of its text, as terms over unknowns; what `prove` carries along.
//
// A `Flow` is such a set of states: numbers and truths over unknowns, under the condition `path` for getting here. Flows that part at
// a condition come together again, value by value, and forget the condition; so there is one flow, never a list of paths. What is known of unknowns beside the
// path (`assumed`) holds in every game that gets there. Sizes are kept beside counts, as many promises ask for sizes alone.
#pragma once

#include "dsl/meaning/operators.hpp"
#include "solver/terms/terms.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

struct Flow {
    PlainState<Terms> at;
    Truth path = Formulas::no;
    // The path, condition by condition; each with all before it.
    std::vector<std::pair<Truth, Truth>> way;
    std::vector<Terms::Int> counters;  // of the loops we are in: how often they went round
    // While effects are carried out that read the state as it was: as it is.
    bool effects = false;
    std::vector<Pile<Terms>> piles_now;
    Store<FactId, std::vector<FactSlot<Terms>>> facts_now;

    bool dead() const { return path == Formulas::no; }
    std::vector<Pile<Terms>>& piles() { return effects ? piles_now : at.piles; }
    Store<FactId, std::vector<FactSlot<Terms>>>& facts() { return effects ? facts_now : at.facts; }
    const std::vector<Pile<Terms>>& piles() const { return effects ? piles_now : at.piles; }
    const Store<FactId, std::vector<FactSlot<Terms>>>& facts() const { return effects ? facts_now : at.facts; }
};

// Thrown when the limits are reached; caught by `prove`.
struct OutOfTime : std::runtime_error {
    OutOfTime() : std::runtime_error("out of time") {}
};

// What moves and forgets: the state's part of `prove`. Knows no statement.
class Arrangement {
public:
    Arrangement(Terms& terms, Unknowns& unknowns, const Game& of);

    Flow start() const;
    // `condition` tells them apart: it holds wherever `a` is, and not where `b` is.
    Flow merged(const Truth& condition, Flow a, Flow b) const;
    Flow merged(Flow a, Flow b) const;
    // All of them, of which there may be many: what differs in them is forgotten, but for the range it is in.
    Flow joined(const std::vector<std::shared_ptr<const Flow>>& flows);
    // Which part of a flow goes where the condition holds.
    Flow where(const Flow& f, const Truth& condition) const;

    Terms::Int fresh(Value low, Value high) { return unknowns_.integer("u", low, high); }
    Truth fresh_truth() { return unknowns_.truth("u"); }
    // From here on the condition holds: games in which it does not are no longer looked at.
    void require(Flow& f, const Truth& condition) const;
    // What `part`, which went on from `f`, required since then.
    Truth since(const Flow& f, const Flow& part) const;
    // It holds in every game that comes along this flow's path. It tells what the unknowns made from number `from` on can be; if that
    // is not given, those made since something was last assumed.
    void assume(const Flow& f, const Truth& holds, std::optional<std::size_t> from = std::nullopt);

    // Cards leave the places where they are and come to the place. Whether they fit (always, where `effects` are not yet all done).
    Truth move(Flow& f, const Cards<Terms>& what, const Terms::Int& to, bool under, std::optional<VariableId> named);
    // `n` cards of a place, not known which.
    Cards<Terms> some_of(Flow& f, PlaceId place, const Terms::Int& n);
    // One of the cards, which is not known; there must be one.
    Card<Terms> one_of(Flow& f, const Cards<Terms>& cards);
    void gather(Flow& f);
    void begin_effects(Flow& f);
    // Whether everything fits.
    Truth end_effects(Flow& f);
    void shuffle(Flow& f, const Terms::Int& place);
    // A value of the type that nothing is known about, for cards not even that they are where it says.
    Content<Terms> anything(const Type& type);

    // Places where which cards lie, and how many of `range`, is no longer known; `may`: which kinds can. Cards are neither made nor lost.
    void forget_places(Flow& f, const std::vector<PlaceId>& places, const std::function<std::pair<Value, Value>(PlaceId)>& range,
                       const std::function<bool(PlaceId, KindId)>& may);
    void forget_places(Flow& f);
    void forget_card_variables(Flow& f);
    void refresh_ends(Flow& f, PlaceId place);

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
        Truth holds;       // under its path
        Truth told;        // what it tells
        std::size_t from;  // of the unknowns from .. to - 1
        std::size_t to;
    };
    std::vector<Assumption> assumed;
    // Unknowns that add up to a number in every state that there is, on this path or not.
    struct Total {
        std::vector<std::int32_t> unknowns;
        Value total = 0;
    };
    std::vector<Total> totals;
    bool moved_twice = false;       // while effects run: pieces may have been moved by two of them
    std::vector<int> sources;       // by place: effects that took cards from there
    Store<ZoneId, bool> ends_read;  // its first or last card is read somewhere

private:
    void forget_facts(Flow& f, const std::vector<std::shared_ptr<const Flow>>& flows);
    void gather_known(Flow& f, PlaceId place) const;
    void add_up(const Flow& f, std::vector<Terms::Int> parts, const Terms::Int& sum);
    void update_card_variables(Flow& f, const Cards<Terms>& what, const Terms::Int& to, std::optional<VariableId> named);
    Cards<Terms> relocated(const Cards<Terms>& held, const Terms::Int& to);
    Cards<Terms> scattered(Flow& f, const Cards<Terms>& held, const std::vector<PlaceId>& places);
    void take_from(Flow& f, PlaceId place, const std::vector<const Copies<Terms>*>& copies, std::vector<Terms::Int>& arriving,
                   Terms::Int& moved, const std::optional<Terms::Int>& known);

    Terms& d;
    Unknowns& unknowns_;
    const Game& game;
    std::vector<ZoneId> zone_of_;
    std::size_t told_from_ = 0;  // unknowns that the last assumption tells of
    std::size_t told_to_ = 0;
};

}  // namespace houserule
