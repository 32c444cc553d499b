// The state of one path of symbolic execution: a table some of whose cards are unknown, and the step at which the machine stands.
//
// Cards dealt unseen from one shuffled pile are exchangeable for whoever saw none of them, so they get no names of their own (an urn
// model): the table keeps *urns* (cards by kind, shuffled together) and, for each place, how many cards of which urn lie there. Only when
// a rule reads them do those cards become unknowns: how many of each kind. A card of an urn that is seen leaves it as if it had been
// drawn first. The table also counts histories: a history is what each single card did, equal copies told apart; there are `factor`
// times as many as assignments of the unknowns, each weighed by `factors`.
#pragma once

#include "dsl/meaning/plain_state.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/terms/terms.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace houserule {

using Rational = boost::multiprecision::cpp_rational;
using Integer = boost::multiprecision::cpp_int;

struct Urn {
    std::vector<Terms::Int> counts;  // by kind
    Value size = 0;
};

// Cards of an urn at one place. A card that was drawn singly has a slot of its own, so that a history can name it later.
struct Holding {
    std::size_t urn = 0;
    Value cards = 0;
    std::vector<std::int32_t> slots;  // as many as cards, or none: a rest that was never drawn
};

// Cards that lie together in unknown order: at a place that is no stack, or in one part of a stack. While simultaneous effects read the
// table as it was, cards that arrive at a place that is no stack are a separate part, behind those that were there.
struct Part {
    std::vector<Terms::Int> counts;  // by kind, of the cards that are in no urn
    std::vector<Holding> holdings;   // the others
    Value size = 0;                  // of both together
    // Of what came to a row while simultaneous effects read the table as it was: the kinds in their order, none where it is not known; and
    // whether it came under what was there.
    std::vector<Terms::Int> order = {};
    bool is_under = false;
};

// That some unknowns, each counted from 0, add up to `total`.
struct Sum {
    std::vector<std::int32_t> unknowns;
    Value total = 0;
};

// A condition of a path and its origin: the event that was seen (by the number of events before it), the machine's step (none: always).
struct Condition {
    Truth holds;
    std::size_t event = 0;
    StepId step = no_id;
};

// Where `when` holds, histories count `times` as much.
struct Factor {
    Truth when;
    std::uint64_t times = 1;
};

// Slots whose cards are, all or some of them, `counts`, by kind; which card is in which slot makes no difference.
struct SlotGroup {
    std::vector<std::int32_t> slots;
    std::vector<Terms::Int> counts;
};

// A decision of somebody or of chance on this path.
struct Input {
    enum class What : std::uint8_t { number, cards, slots, elements } what = What::number;
    StepId step = no_id;
    bool consent = false;                              // about whether to choose at all
    Truth when = Formulas::yes;                        // nobody was asked where this does not hold
    Terms::Int number;                                 // a number; or the place of a card
    std::vector<std::pair<KindId, Terms::Int>> cards;  // counts by kind (perhaps with its place, packed), or elements, 0 or 1
    std::vector<std::int32_t> slots;
};

Input number_input(StepId step, Terms::Int value, Truth when = Formulas::yes);

// The value of a variable that names cards nothing has read yet: the place, and their slots there.
struct Unread {
    PlaceId place = no_id;
    std::vector<std::int32_t> slots;
};

// Which cards leave a place: those of some kinds, wherever they lie, or the one at an end.
enum class Leaving : std::uint8_t { of_kinds, first, last };

// All that lay at a place was shown, when its cards were counted so.
struct FacesShown {
    PlaceId place = no_id;
    std::vector<Terms::Int> counts;
    std::vector<Value> faces;
};

// What is put while simultaneous effects read the table as it was before them.
struct PutAtOnce {
    std::map<VariableId, bool> went;  // names of cards that have moved, where they are surely; false: some of them have, or may have
    std::set<PlaceId> stayed;         // where cards were put that lay there already

    bool operator==(const PutAtOnce&) const = default;
};

struct UnknownTable {
    UnknownTable();
    UnknownTable(const UnknownTable&);
    UnknownTable(UnknownTable&&) noexcept;
    UnknownTable& operator=(const UnknownTable&);
    UnknownTable& operator=(UnknownTable&&) noexcept;
    ~UnknownTable();

    PlainState<Terms> state;               // the counts of a pile count only if none of its cards is in an urn
    std::vector<std::vector<Part>> parts;  // by place: one part, or of a stack any number, bottom first
    std::vector<Value> sizes;              // by place: sizes are seen by all
    std::vector<Urn> urns;
    std::map<VariableId, Unread> unread;         // by variable
    std::map<VariableId, VariableId> same_card;  // by a name of cards: the first name of the very same ones, if it is another
    StepId pc{0};
    bool consented = false;  // a `may choose` that was accepted
    std::size_t seen = 0;    // noticed events that were matched
    bool unheard = false;    // others said, together with the seat, what it hears when all have chosen
    bool heard = false;      // what another said together with the seat: so all have chosen
    // A condition on this path was too large to be worked out, and may be either way: all that is true fits, and perhaps more. Then nothing
    // is counted, and what is said to be possible has to be played.
    bool is_loose = false;
    // The present table, while simultaneous effects read `state`, the table as it was before them.
    bool effects = false;
    std::vector<Pile<Terms>> piles_now;
    Store<FactId, std::vector<FactSlot<Terms>>> facts_now;
    std::vector<bool> touched;      // by place: cards have left it since the effects began
    std::vector<bool> unread_then;  // by place: some cards there had no kinds when the effects began
    PutAtOnce put;                  // since the effects began
    PutAtOnce put_by_others;        // of that: when the one whose effects they are began

    std::vector<FacesShown> shown;  // that may lie there still

    std::vector<Condition> conditions;
    std::vector<std::pair<KindId, std::int32_t>> unknowns;  // all unknowns of this path, with the kind of card they count, if any
    std::vector<Sum> sums;
    std::vector<Factor> factors;
    Rational factor = 1;
    Rational chance = 1;  // the probability of the draws and lots on this path, with the outcomes they had
    // Under uniform play: further factors of the weight of a history, which do not change how many histories there are.
    std::vector<Factor> odds_factors;
    Rational odds = 1;
    std::vector<SlotGroup> groups;
    std::vector<Input> inputs;
    // Where what was seen ends between the lines of a step that puts cards, and the step waits for the rest: the table with those put that
    // were seen to go. Null elsewhere, and where it is not known.
    std::shared_ptr<const UnknownTable> between_lines;
};

// The binomial coefficient: the number of k-element subsets of n things.
Value binomial(Value n, Value k);

// The kind of a card of which there is one.
Terms::Int kind_of_one(Terms& terms, const std::vector<Terms::Int>& counts);

// Moves the cards of unknown tables. Operations that return bool give false if what is known rules them out: the path is dead then.
class Dealer {
public:
    Dealer(Terms& terms, Unknowns& unknowns, const Machine& machine);

    // Puts all pieces in no zone: how a game begins.
    void lay_out(UnknownTable& t) const;

    // Gives every card at a place a kind, as counts of unknowns, so that rules can read it.
    void settle(UnknownTable& t, PlaceId place);
    // The same for the cards that a variable names.
    void settle_variable(UnknownTable& t, VariableId variable);
    // A card of the kind is seen in that part, picked by somebody who could have picked any: from here on it has a kind.
    bool expose(UnknownTable& t, PlaceId place, std::size_t part, KindId kind);
    // The same for a further card of the same pick, of whose kind `before` copies were exposed already.
    bool expose_another(UnknownTable& t, PlaceId place, KindId kind, Value before);
    // Somebody picks `n` cards unseen at a place, no stack, all of whose cards are in one urn; nothing for other places.
    std::optional<Unread> pick_unseen(UnknownTable& t, PlaceId place, Value n);
    // Draws a card of a part at random to another place, of `kind` if it was seen. A card that stays unknown has its slot in `*slot` then.
    bool draw(UnknownTable& t, KindId from, KindId to, std::size_t part, std::optional<KindId> kind, std::int32_t* slot);

    // The card that was drawn singly with that slot, as counts by kind, if it has a kind by now.
    static std::optional<std::vector<Terms::Int>> counts_of(const UnknownTable& t, std::int32_t slot);

    // Takes cards, by kind, from a place; of a stack they must lie in the top part (or the bottom one), elsewhere in this part.
    bool take(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, Leaving which = Leaving::of_kinds,
              std::size_t part = 0);
    // Takes all cards of some kinds from a stack, wherever they lie in it; false also if it is not known which parts hold them.
    bool take_kinds(UnknownTable& t, PlaceId stack, const std::vector<Terms::Int>& counts, Value size);
    // Puts cards that were taken at a place. On a stack, unless shuffled, they come one by one, kinds ascending, and must be known.
    void give(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode);
    // Puts cards at a row or stack in this order, bottom first: as parts of a stack, or as cards of a row of these kinds.
    void lay(UnknownTable& t, PlaceId place, std::vector<Part> parts, const std::vector<Terms::Int>& kinds,
             const std::vector<Terms::Int>& counts, std::uint8_t mode);
    // Takes all cards from a place, known or not; `land` puts them at another. (What arrived during effects at no stack stays.)
    Part lift_all(UnknownTable& t, PlaceId from);
    // Takes all cards of a stack as they lie; `lay` puts them elsewhere.
    std::vector<Part> lift_parts(UnknownTable& t, PlaceId stack);
    void land(UnknownTable& t, PlaceId place, Part part, std::uint8_t mode);
    // The number of cards of some kinds at a place that is no stack, if it is known without giving cards kinds (all cards of an urn there
    // must count, or none); only outside simultaneous effects. Then `lift_kinds` takes them.
    std::optional<Value> size_of_kinds(const UnknownTable& t, PlaceId place, const std::vector<bool>& kinds) const;
    Part lift_kinds(UnknownTable& t, PlaceId from, const std::vector<bool>& kinds);
    // Whether it is a row of which the rules ask which card lies where in it, or move cards on in their order: cards that come there one by
    // one, unseen, get kinds, so that it is known what lies where.
    bool keeps_order(PlaceId place) const { return place != 0 && keeps_order_[machine_.place_zone[place]]; }
    // Moves cards that were picked unseen to another place.
    void move_unread(UnknownTable& t, const Unread& cards, PlaceId to, std::uint8_t mode);
    void shuffle(UnknownTable& t, PlaceId place);
    // Between these, rules read the table as it was when they began.
    void begin_effects(UnknownTable& t) const;
    void end_effects(UnknownTable& t);
    // A new game begins: all cards leave their zones.
    void gather(UnknownTable& t);
    // In how many ways the cards left in urns can be assigned to slots and to holdings without slots: a factor of the histories.
    Rational left_in_urns(const UnknownTable& t) const;

    bool require(UnknownTable& t, Truth condition) const;
    // The same for what no table can be without, whatever was seen: no more cards leave a place than lie there. No reason names it.
    static bool require_law(UnknownTable& t, Truth condition);
    // Adds `more` to `counts`, kind by kind.
    void join(std::vector<Terms::Int>& counts, const std::vector<Terms::Int>& more) const;
    // A number of which nothing is known but these bounds, at most `fresh_most` values.
    Terms::Int fresh(UnknownTable& t, Value low, Value high, KindId kind = no_id);
    static constexpr Value fresh_most = 1024;
    // Multiplies the number of histories by `times` where the condition holds: somebody picked one of that many copies.
    void count(UnknownTable& t, Truth when, const Terms::Int& times) const;
    // Divides the weight, not the number, of histories by this number where the condition holds. False if it may be too large for that.
    bool divide(UnknownTable& t, Truth when, const Terms::Int& by) const;

private:
    Pile<Terms>& pile(UnknownTable& t, PlaceId place) const { return (t.effects ? t.piles_now : t.state.piles)[place]; }
    Part& part_at(UnknownTable& t, PlaceId place, std::size_t part) const { return t.parts[place][part]; }
    std::vector<Terms::Int> nothing() const { return std::vector<Terms::Int>(game_.kinds.size()); }
    // The sum of two counts of a kind, bounded by the number of its copies.
    Terms::Int plus(std::size_t kind, const Terms::Int& a, const Terms::Int& b) const;
    void add(UnknownTable& t, PlaceId place, std::size_t part, const std::vector<Terms::Int>& counts);
    void resize(UnknownTable& t, PlaceId place, Value by);
    // Takes `cards` cards, those in these slots among them, out of an urn and gives them kinds; returns how many of each.
    std::vector<Terms::Int> reveal(UnknownTable& t, std::size_t urn, Value cards, const std::vector<std::int32_t>& slots);
    void settle_part(UnknownTable& t, PlaceId place, std::size_t part);
    void unite(UnknownTable& t, Part& part);
    // The kinds of cards put in a row, in their order. None: it is not known.
    std::vector<Terms::Int> order_of(const Part& part, std::uint8_t mode) const;
    void put_in_row(UnknownTable& t, PlaceId row, const Part& part, std::uint8_t mode) const;
    // Gives the one card that comes to a row a kind.
    void read(UnknownTable& t, Part& card);
    void complete(UnknownTable& t, PlaceId place, std::size_t part) const;
    void into_urn(UnknownTable& t, PlaceId place, std::size_t part);
    void reunite(UnknownTable& t, Part& part) const;
    // Removes from a holding those of the wanted slots that it has, with their cards, and returns them.
    static std::vector<std::int32_t> take_slots(Holding& holding, const std::vector<std::int32_t>& wanted);
    // Whether a variable names unread cards at the place.
    static bool has_named(const UnknownTable& t, PlaceId place);
    static bool is_named(const UnknownTable& t, const std::vector<std::int32_t>& slots);
    static bool is_zero(const Terms::Int& i) { return i.is_constant() && i.low() == 0; }
    bool is_stack(PlaceId place) const { return place != 0 && game_.zones[machine_.place_zone[place]].shape == Shape::stack; }

    Terms& terms_;
    Unknowns& unknowns_;
    const Machine& machine_;
    const Game& game_;
    Store<ZoneId, bool> keeps_order_;  // by zone
    std::int32_t next_slot_ = 0;
};

}  // namespace houserule
