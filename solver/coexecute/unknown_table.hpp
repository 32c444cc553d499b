// A table of which some cards are not known, and where the machine stands in it.
//
// Cards that were dealt unseen from one shuffled pile are alike to whoever saw none of them, so they get no names of their own: the
// table keeps *urns* (cards by kind, shuffled together) and, at each place, how many cards of which urn it holds. Only when a rule
// reads what lies there do those cards become unknowns: how many of each kind. A card of an urn that is seen leaves it as if it had
// been drawn first. Beside the conditions of this way through the rules the table counts physically: a history is what each single
// card did, equal copies apart, and how many there are is `factor` times what the weights say.
#pragma once

#include "dsl/meaning/plain_state.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/terms/terms.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

using Rational = boost::multiprecision::cpp_rational;
using Integer = boost::multiprecision::cpp_int;

struct Urn {
    std::vector<Terms::Int> counts;  // by kind
    Value size = 0;
};

// Cards of an urn. A card that was drawn for itself has a slot of its own, so that it can be told afterwards which it was.
struct Holding {
    std::size_t urn = 0;
    Value cards = 0;
    std::vector<std::int32_t> slots;  // as many as cards, or none: a rest that was never drawn
};

// What lies together in unknown order: a place that is no stack, or a part of a stack. While effects read the table as it was, what
// comes to a place that is no stack is a part of its own behind what was there.
struct Part {
    std::vector<Terms::Int> counts;  // of cards that are no urn's, by kind
    std::vector<Holding> holdings;
    Value size = 0;  // all of them
};

// That some unknowns, each counted from 0, add up to `total`.
struct Sum {
    std::vector<std::int32_t> unknowns;
    Value total = 0;
};

// What must hold on a way, and why: the event that was seen (the number of those used before it) and the machine's step; no step: always.
struct Condition {
    Truth holds;
    std::size_t event = 0;
    StepId step = no_id;
};

// Histories count `times` as much where the condition holds.
struct Factor {
    Truth when;
    std::uint64_t times = 1;
};

// What a slot's card is: a share of `counts` (all of its group), or one kind.
struct SlotGroup {
    std::vector<std::int32_t> slots;
    std::vector<Terms::Int> counts;
};

// A thing that somebody or chance decided on this way.
struct Input {
    enum class What : std::uint8_t { number, cards, slots, elements } what = What::number;
    StepId step = no_id;
    bool consent = false;                              // about whether to choose at all
    Truth when = Formulas::yes;                        // nobody was asked where this does not hold
    Terms::Int number;                                 // a number; or the place of a card
    std::vector<std::pair<KindId, Terms::Int>> cards;  // counts by kind (or elements, 0 or 1)
    std::vector<std::int32_t> slots;
};

// A name for cards of a place that are not known and of which nothing was read: `slots` of its urns.
struct Unread {
    PlaceId place = no_id;
    std::vector<std::int32_t> slots;
};

struct UnknownTable {
    PlainState<Terms> state;               // a pile's counts are right when nothing there is an urn's
    std::vector<std::vector<Part>> parts;  // by place: one part, or of a stack any number, bottom first
    std::vector<Value> sizes;              // by place: sizes are seen by all
    std::vector<Urn> urns;
    std::map<VariableId, Unread> unread;  // by variable
    StepId pc{0};
    bool consented = false;  // a `may choose` that was accepted
    std::size_t seen = 0;    // events used
    // While effects are carried out that read the table as it was: how it is.
    bool effects = false;
    std::vector<Pile<Terms>> piles_now;
    Store<FactId, std::vector<FactSlot<Terms>>> facts_now;
    std::vector<bool> touched;      // by place: cards have left since the effects began
    std::vector<bool> unread_then;  // by place: when they began, cards there had no kinds

    std::vector<Condition> conditions;
    std::vector<std::pair<KindId, std::int32_t>> unknowns;  // all that this way met: of which kind of card (none: of something else)
    std::vector<Sum> sums;
    std::vector<Factor> factors;
    Rational factor = 1;
    Rational chance = 1;  // the probability of all draws and lots on this way, each taken as it came
    // Under uniform play the weight, not the histories, counts these factors, too, and this number.
    std::vector<Factor> odds_factors;
    Rational odds = 1;
    std::vector<SlotGroup> groups;
    std::vector<Input> inputs;
};

// How many ways there are to pick k of n.
Value binomial(Value n, Value k);

// Moves the cards of unknown tables. Every operation says false where it cannot be, given what is known for sure.
class Dealer {
public:
    Dealer(Terms& terms, Unknowns& unknowns, const Machine& machine)
        : terms_(terms), unknowns_(unknowns), machine_(machine), game_(machine.game) {}

    // All pieces in no zone.
    void lay_out(UnknownTable& t) const;

    // Gives every card at a place a kind: what lies there can be read.
    void settle(UnknownTable& t, PlaceId place);
    // The cards that a variable names.
    void settle_variable(UnknownTable& t, VariableId variable);
    // One card of the kind at a part is seen, that anyone could have picked: it has a kind from here on.
    bool expose(UnknownTable& t, PlaceId place, std::size_t part, KindId kind);
    // Likewise, when `before` copies of the kind were exposed there for the same pick.
    bool expose_another(UnknownTable& t, PlaceId place, KindId kind, Value before);
    // `n` cards of a place that holds cards of one urn alone, which somebody picks unseen; nothing if that is not how it is.
    std::optional<Unread> pick_unseen(UnknownTable& t, PlaceId place, Value n);
    // One card of a part comes by chance from there to the other place. Of a kind if that was seen. `slot`: which it is then, or -1.
    bool draw(UnknownTable& t, KindId from, KindId to, std::size_t part, std::optional<KindId> kind, std::int32_t* slot);

    // Cards with kinds leave a place; a stack's last part must hold them.
    bool take(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, bool from_bottom = false);
    // All cards of some kinds leave a stack, from wherever in it they lie; false if it is not sure which parts they leave.
    bool take_kinds(UnknownTable& t, PlaceId stack, const std::vector<Terms::Int>& counts, Value size);
    // Cards that were taken come to a place together, in unknown order.
    void give(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode);
    // Everything at `from` comes to the other place; its contents need not be known.
    Part lift_all(UnknownTable& t, PlaceId from);
    void land(UnknownTable& t, PlaceId place, Part part, std::uint8_t mode);
    // Everything of some kinds at a place that is no stack, while no effects are carried out: how many cards, if that is so whatever
    // kinds they have (cards of an urn are all of them or none); then they may leave it.
    std::optional<Value> size_of_kinds(const UnknownTable& t, PlaceId place, const std::vector<bool>& kinds) const;
    Part lift_kinds(UnknownTable& t, PlaceId from, const std::vector<bool>& kinds);
    // Picked unseen cards come to another place.
    void move_unread(UnknownTable& t, const Unread& cards, PlaceId to, std::uint8_t mode);
    void shuffle(UnknownTable& t, PlaceId place);
    // Between these, rules read the table as it was when they began.
    void begin_effects(UnknownTable& t) const;
    void end_effects(UnknownTable& t);
    // A new game begins: all cards leave their zones.
    void gather(UnknownTable& t);
    // How many ways there are to say which card is which in the urns that are left.
    Rational left_in_urns(const UnknownTable& t) const;

    bool require(UnknownTable& t, Truth condition) const;
    // Kind by kind.
    void join(std::vector<Terms::Int>& counts, const std::vector<Terms::Int>& more) const;
    Terms::Int fresh(UnknownTable& t, Value low, Value high, KindId kind = no_id);
    // Histories count this number of times: the number of copies somebody could pick, where they did.
    void count(UnknownTable& t, Truth when, const Terms::Int& times) const;
    // Weights, not histories, are divided by this number where the condition holds. False when it may be too large for that.
    bool divide(UnknownTable& t, Truth when, const Terms::Int& by) const;

private:
    Pile<Terms>& pile(UnknownTable& t, PlaceId place) const { return (t.effects ? t.piles_now : t.state.piles)[place]; }
    Part& part_at(UnknownTable& t, PlaceId place, std::size_t part) const { return t.parts[place][part]; }
    std::vector<Terms::Int> nothing() const { return std::vector<Terms::Int>(game_.kinds.size()); }
    // Of a kind: there are never more than its copies.
    Terms::Int plus(std::size_t kind, const Terms::Int& a, const Terms::Int& b) const;
    void add(UnknownTable& t, PlaceId place, std::size_t part, const std::vector<Terms::Int>& counts);
    void resize(UnknownTable& t, PlaceId place, Value by);
    // `cards` of a holding of a part, these slots among them, get kinds; returns how many of each.
    std::vector<Terms::Int> reveal(UnknownTable& t, std::size_t urn, Value cards, const std::vector<std::int32_t>& slots);
    void settle_part(UnknownTable& t, PlaceId place, std::size_t part);
    void unite(UnknownTable& t, Part& part);
    void complete(UnknownTable& t, PlaceId place, std::size_t part) const;
    void into_urn(UnknownTable& t, PlaceId place, std::size_t part);
    void reunite(UnknownTable& t, Part& part) const;
    // Takes those of these slots that are in it out of a holding, with their cards, and says which they were.
    static std::vector<std::int32_t> take_slots(Holding& holding, const std::vector<std::int32_t>& wanted);
    // Whether a variable names cards there of which nothing was read.
    static bool has_named(const UnknownTable& t, PlaceId place);
    static bool is_zero(const Terms::Int& i) { return i.is_constant() && i.low() == 0; }
    bool is_stack(PlaceId place) const { return place != 0 && game_.zones[machine_.place_zone[place]].shape == Shape::stack; }

    Terms& terms_;
    Unknowns& unknowns_;
    const Machine& machine_;
    const Game& game_;
    std::int32_t next_slot_ = 0;
};

}  // namespace houserule
