// The operators: by hand, one table; numbers against terms, on random expressions and states of small games made in code.
//
// The seed of the random part is Catch's: `--rng-seed N` gives another run.
#include "interpreter/operators.hpp"
#include "interpreter/numbers.hpp"
#include "solver/terms.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;

namespace {

constexpr std::array operator_names{
#define HOUSERULE_OPERATOR(name) #name,
#include "dsl/operators.def"
#undef HOUSERULE_OPERATOR
};
constexpr std::size_t operator_count = operator_names.size();

std::string name_of(Operator op) { return operator_names[static_cast<std::size_t>(op)]; }
template <class T>
const T& at(const std::vector<T>& list, Id id) {
    return list[static_cast<std::size_t>(id)];
}

// ---- a game in code ----------------------------------------------------------------------------------------------------------

Type scalar_type(Base base, Id of = no_id) { return {base, Base::nothing, of, 0, 0, 1, false}; }
Type number_type(std::int32_t low, std::int32_t high) { return {Base::number, Base::nothing, no_id, low, high, 1, false}; }
Type or_none(Type t) {
    t.or_none = true;
    return t;
}
Type set_type(Base element, Id of = no_id) { return {Base::set, element, of, 0, 0, 1, false}; }
const Type truth_type = scalar_type(Base::truth), player_type = scalar_type(Base::player), kind_type = scalar_type(Base::kind);
const Type card_type = scalar_type(Base::card), cards_type = scalar_type(Base::cards), place_type = scalar_type(Base::place);
const Type hue_type = scalar_type(Base::enumeration, 0), size_type = scalar_type(Base::enumeration, 1);
const Type small_number = number_type(0, 5), number_set{Base::set, Base::number, no_id, -2, 3, 1, false};

Type element_type(const Type& set) {
    return set.element == Base::number ? number_type(set.low, set.high) : scalar_type(set.element, set.of);
}

enum Tables : Id { hue_table, rank_table, plain_table, covers_table, partner_table };
// Places: 1 deck; 2-4 hand, 5-7 row and 8-10 spot of a player; 11-12 heap of a size; 13 chest.
enum Zones : Id { deck, hand, row, spot, heap, chest };
enum Facts : Id { f_truth, f_number, f_signed, f_hue, f_player, f_kind, f_players, f_hues, f_kinds, f_numbers };
enum Variables : Id { v_truth, v_number, v_hue, v_size, v_player, v_kind, v_card, v_cards, v_players, v_hues, v_sizes, v_kinds, v_numbers };

Id emit(Game& g, Operator op, Type type, Id a = no_id, Id b = no_id, Id c = no_id, std::int32_t imm = 0) {
    g.expressions.push_back({op, type, a, b, c, imm, {}});
    return static_cast<Id>(g.expressions.size()) - 1;
}

void add_zone(Game& g, IndexBy by, Shape shape, std::int32_t places) {
    Zone z;
    z.by = by;
    z.index_enum = by == IndexBy::enumeration ? 1 : no_id;
    z.shape = shape;
    z.first_place = g.places;
    z.places = places;
    z.capacity = shape == Shape::one ? 1 : 20;
    g.places += places;
    g.zones.push_back(z);
}

void add_fact(Game& g, IndexBy by, Type type, Id initial) {
    Fact f;
    f.by = by;
    f.index_enum = by == IndexBy::enumeration ? 1 : no_id;
    f.count = by == IndexBy::player ? g.players : by == IndexBy::enumeration ? 2 : 1;
    f.type = type;
    f.initial = initial;
    g.facts.push_back(f);
}

// Eight kinds in two families: tiles 0-4 with a hue, a rank and a truth; signs 5-7, which cover a set of hues.
Game small_game(std::int32_t players) {
    Game g;
    g.players = players;
    g.enums = {{"hue", {"r", "g", "b"}}, {"size", {"s", "l"}}};
    g.families = {{"tile", {}, 0, 5, {}}, {"sign", {}, 5, 3, {}}};
    const std::array<std::int32_t, 8> copies{2, 1, 2, 1, 3, 1, 2, 1};
    for (std::size_t k = 0; k < copies.size(); ++k) g.kinds.push_back({"", {}, k < 5 ? 0 : 1, copies[k], 0});
    g.sets = {{}, {0, 1}, {2}, {0, 2}, {1}, {0, 3, 6}, {-2, 0, 3}};
    g.tables = {{0, 1, 2, 0, 1, -1, -1, -1}, {1, 2, 2, 3, 4, -1, -1, -1}, {1, 0, 0, 1, 0, -1, -1, -1}, {-1, -1, -1, -1, -1, 0, 1, 2}, {}};
    for (std::int32_t p = 0; p < players; ++p) g.tables[partner_table].push_back(p == 0 ? -1 : p - 1);
    add_zone(g, IndexBy::nothing, Shape::stack, 1);
    for (const Shape shape : {Shape::set, Shape::row, Shape::one}) add_zone(g, IndexBy::player, shape, players);
    add_zone(g, IndexBy::enumeration, Shape::stack, 2);
    add_zone(g, IndexBy::nothing, Shape::set, 1);
    add_fact(g, IndexBy::player, truth_type, emit(g, Operator::constant, truth_type));
    add_fact(g, IndexBy::nothing, small_number, no_id);
    add_fact(g, IndexBy::enumeration, number_type(-3, 3), emit(g, Operator::constant, small_number, no_id, no_id, no_id, 1));
    add_fact(g, IndexBy::nothing, hue_type, no_id);
    add_fact(g, IndexBy::nothing, or_none(player_type), no_id);
    add_fact(g, IndexBy::player, or_none(kind_type), emit(g, Operator::constant, kind_type, no_id, no_id, no_id, -1));
    add_fact(g, IndexBy::nothing, set_type(Base::player), emit(g, Operator::set_constant, set_type(Base::player)));
    add_fact(g, IndexBy::enumeration, set_type(Base::enumeration, 0), no_id);
    add_fact(g, IndexBy::player, set_type(Base::kind), emit(g, Operator::set_constant, set_type(Base::kind), no_id, no_id, no_id, 5));
    add_fact(g, IndexBy::nothing, number_set, no_id);
    for (const Type& t :
         {truth_type, number_type(-2, 7), hue_type, size_type, or_none(player_type), or_none(kind_type), card_type, cards_type,
          set_type(Base::player), set_type(Base::enumeration, 0), set_type(Base::enumeration, 1), set_type(Base::kind), number_set}) {
        g.variables.push_back({"", t, no_id});
    }
    return g;
}

// The values of a scalar of the type, `none` included.
std::pair<Value, Value> range_of(const Game& g, const Type& t) {
    const Value low = t.or_none ? -1 : 0;
    switch (t.base) {
        case Base::truth:
            return {0, 1};
        case Base::number:
            return {t.low, t.high};
        case Base::enumeration:
            return {low, static_cast<Value>(at(g.enums, t.of).values.size()) - 1};
        case Base::player:
            return {low, g.players - 1};
        case Base::kind:
            return {low, static_cast<Value>(g.kinds.size()) - 1};
        default:
            return {0, g.places - 1};
    }
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    // A number of low..high; by remainder, so that it is the same everywhere.
    Value number(Value low, Value high) { return low + static_cast<Value>(engine_() % static_cast<std::uint64_t>(high - low + 1)); }
    bool one_in(Value n) { return number(1, n) == 1; }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(number(0, static_cast<Value>(list.size()) - 1))];
    }

private:
    std::mt19937_64 engine_;
};

// ---- random expressions ------------------------------------------------------------------------------------------------------

class Generator {
public:
    Generator(Game& game, Random& random) : g(game), r(random) {}

    // A well-typed expression with the operator at its root; `bound` stands within a comprehension.
    Id rooted(Operator op) {
        if (op != Operator::bound) return make(op, r.of(results(op)), 2);
        const Type t = r.of(std::vector<Type>{set_type(Base::player), set_type(Base::kind), cards_type});
        return comprehension(t == cards_type ? Operator::cards_where : Operator::set_where, t, t, truth_type, 2);
    }
    std::array<int, operator_count> made{};

private:
    Id out(Operator op, Type type, Id a = no_id, Id b = no_id, Id c = no_id, Value imm = 0) {
        ++made[static_cast<std::size_t>(op)];
        return emit(g, op, type, a, b, c, static_cast<std::int32_t>(imm));
    }

    static std::vector<Type> scalars() { return {truth_type, small_number, hue_type, size_type, player_type, kind_type}; }
    static std::vector<Type> sets() {
        return {set_type(Base::player), set_type(Base::enumeration, 0), set_type(Base::enumeration, 1), set_type(Base::kind), number_set};
    }

    // Types that an expression with this operator may have.
    static std::vector<Type> results(Operator op) {
        switch (op) {
            case Operator::constant:
            case Operator::fact:
            case Operator::the_element:
                return scalars();
            case Operator::variable:
            case Operator::bound:
            case Operator::conditional:
                return {truth_type, small_number, hue_type, player_type, kind_type, card_type};
            case Operator::lookup:
                return {hue_type, small_number, truth_type, player_type};
            case Operator::neighbour:
            case Operator::next_in:
                return {player_type};
            case Operator::kind_of:
                return {kind_type};
            case Operator::place:
                return {place_type};
            case Operator::the_card:
            case Operator::first_card:
            case Operator::last_card:
                return {card_type};
            case Operator::fail:
                return {truth_type, small_number, kind_type, card_type, cards_type, set_type(Base::kind)};
            case Operator::set_kinds:
                return {set_type(Base::kind)};
            case Operator::set_lookup:
                return {set_type(Base::enumeration, 0)};
            case Operator::set_fact:
                return {set_type(Base::player), set_type(Base::enumeration, 0), set_type(Base::kind), number_set};
            default:
                break;
        }
        if (op >= Operator::set_constant) return sets();
        if (op >= Operator::cards_at) return {cards_type};
        const std::set<Operator> truths{Operator::equal,       Operator::less,       Operator::less_equal, Operator::both,
                                        Operator::either,      Operator::negate,     Operator::exists,     Operator::has_kind,
                                        Operator::has_element, Operator::same_cards, Operator::same_set};
        return {truths.contains(op) ? truth_type : small_number};
    }
    static bool same_sort(const Type& a, const Type& b) { return a.base == b.base && a.element == b.element && a.of == b.of; }

    Id any(const Type& t, int depth) {
        if (depth <= 0) return leaf(t);
        std::vector<Operator> fitting;
        for (std::size_t i = 0; i < operator_count; ++i) {
            const auto op = static_cast<Operator>(i);
            if (op == Operator::fail && !r.one_in(8)) continue;
            for (const Type& result : results(op)) {
                if (same_sort(result, t)) fitting.push_back(op);
            }
        }
        return make(r.of(fitting), t, depth);
    }
    Id leaf(const Type& t) {
        switch (t.base) {
            case Base::cards:
                return r.one_in(3) ? variable(t) : out(Operator::cards_at, t, place(false, 0));
            case Base::set:
                return r.one_in(2) ? variable(t) : make(Operator::set_constant, t, 0);
            case Base::place:
                return place(r.one_in(2), 0);
            case Base::card:
                return bound_or_variable(t);
            default:
                return r.one_in(2) ? make(Operator::constant, t, 0) : bound_or_variable(t);
        }
    }
    Id variable(const Type& t) {
        const Operator op = t.base == Base::cards ? Operator::cards_variable
                            : t.base == Base::set ? Operator::set_variable
                                                  : Operator::variable;
        for (Id v = 0; v < static_cast<Id>(g.variables.size()); ++v) {
            if (same_sort(at(g.variables, v).type, t)) return out(op, t, no_id, no_id, no_id, v);
        }
        FAIL("no variable of the type");
        return no_id;
    }
    Id bound_or_variable(const Type& t) {
        for (auto b = scope.rbegin(); b != scope.rend(); ++b) {
            const bool card_as_kind = b->second == card_type && t.base == Base::kind;
            if (card_as_kind || same_sort(b->second, t)) return out(Operator::bound, t, no_id, no_id, no_id, b->first);
        }
        return variable(t);
    }
    Id place(bool ordered, int depth) {
        if (depth > 0 && r.one_in(3))
            return out(Operator::conditional, place_type, any(truth_type, depth - 1), place(ordered, depth - 1), place(ordered, 0));
        const Id zone = r.of(ordered ? std::vector<Id>{deck, row, heap} : std::vector<Id>{deck, hand, hand, row, spot, heap, chest});
        return out(Operator::place, place_type, index(at(g.zones, zone).by, depth), no_id, no_id, zone);
    }
    Id index(IndexBy by, int depth) {
        if (by == IndexBy::nothing) return no_id;
        return any(by == IndexBy::player ? player_type : size_type, depth - 1);
    }
    Id fact(Operator op, const Type& t, int depth) {
        std::vector<Id> fitting;
        for (Id f = 0; f < static_cast<Id>(g.facts.size()); ++f) {
            if (same_sort(at(g.facts, f).type, t)) fitting.push_back(f);
        }
        if (fitting.empty()) return variable(t);
        const Id f = r.of(fitting);
        return out(op, t, index(at(g.facts, f).by, depth), no_id, no_id, f);
    }
    // over: the type of what it goes over.
    Id comprehension(Operator op, const Type& result, const Type& over, const Type& body_type, int depth) {
        const Id source = any(over, depth - 1);
        const Id bound = g.bounds++;
        scope.emplace_back(bound, over.base == Base::cards ? card_type : element_type(over));
        const Id body = any(body_type, depth - 1);
        scope.pop_back();
        return out(op, result, source, body, no_id, bound);
    }
    Type key_type() { return r.of(std::vector<Type>{small_number, truth_type, hue_type}); }
    Type source_type() { return r.one_in(2) ? cards_type : r.of(sets()); }
    Id groups(int depth) {
        const Id source = any(cards_type, depth - 1);
        const Id size =
            r.one_in(4) ? any(small_number, depth - 1) : out(Operator::constant, small_number, no_id, no_id, no_id, r.number(1, 3));
        if (r.one_in(2)) return out(Operator::cards_groups, cards_type, source, size);
        const Id bound = g.bounds++;
        scope.emplace_back(bound, card_type);
        const Id key = any(key_type(), depth - 1);
        scope.pop_back();
        return out(Operator::cards_groups, cards_type, source, size, key, bound);
    }

    Id make(Operator op, const Type& t, int depth) {
        const auto of = [&](const Type& type) { return any(type, depth - 1); };
        const auto scalar = [&] { return r.of(scalars()); };
        switch (op) {
            case Operator::constant: {
                if (t.base == Base::card) return variable(t);
                const auto [low, high] = range_of(g, t);
                return out(op, t, no_id, no_id, no_id, r.number(low, high));
            }
            case Operator::variable:
                return variable(t);
            case Operator::bound:
                return bound_or_variable(t);
            case Operator::fact:
            case Operator::set_fact:
                return fact(op, t, depth);
            case Operator::add:
            case Operator::subtract:
            case Operator::multiply:
            case Operator::distance:
            case Operator::larger:
            case Operator::smaller:
            case Operator::quotient:
            case Operator::remainder:
            case Operator::less:
            case Operator::less_equal:
                return out(op, t, of(small_number), of(small_number));
            case Operator::equal: {
                const Type operand = scalar();
                return out(op, t, of(operand), of(operand));
            }
            case Operator::both:
            case Operator::either:
                return out(op, t, of(truth_type), of(truth_type));
            case Operator::negate:
                return out(op, t, of(truth_type));
            case Operator::conditional:
            case Operator::cards_conditional:
            case Operator::set_conditional:
                return out(op, t, of(truth_type), of(t), of(t));
            case Operator::lookup:
                if (t.base == Base::player) return out(op, t, of(player_type), no_id, no_id, partner_table);
                return out(op, t, of(kind_type), no_id, no_id,
                           t.base == Base::number  ? rank_table
                           : t.base == Base::truth ? plain_table
                                                   : hue_table);
            case Operator::kind_of:
                return out(op, t, of(card_type));
            case Operator::neighbour:
                return out(op, t, of(player_type), no_id, no_id, r.number(0, g.players - 1));
            case Operator::next_in:
                return out(op, t, of(player_type), of(set_type(Base::player)), no_id, r.one_in(2) ? 1 : -1);
            case Operator::size_of_cards:
                return out(op, t, of(cards_type));
            case Operator::size_of_set:
                return out(op, t, of(r.of(sets())));
            case Operator::sum_over:
            case Operator::largest_over:
            case Operator::smallest_over:
                return comprehension(op, t, source_type(), small_number, depth);
            case Operator::exists:
                return comprehension(op, t, source_type(), truth_type, depth);
            case Operator::the_card:
            case Operator::cards_at:
                return op == Operator::cards_at ? out(op, t, place(false, depth)) : out(op, t, of(cards_type));
            case Operator::the_element: {
                Type set = set_type(t.base, t.of);
                if (t.base == Base::number) set = number_set;
                if (t.base == Base::truth) return out(op, t, out(Operator::set_single, set, of(t)));
                return out(op, t, of(set));
            }
            case Operator::first_card:
            case Operator::last_card:
                return out(op, t, place(true, depth));
            case Operator::has_kind:
                return out(op, t, of(cards_type), of(kind_type));
            case Operator::has_element: {
                const Type set = r.of(sets());
                return out(op, t, of(set), of(element_type(set)));
            }
            case Operator::same_cards:
                return out(op, t, of(cards_type), of(cards_type));
            case Operator::same_set: {
                const Type set = r.of(sets());
                return out(op, t, of(set), of(set));
            }
            case Operator::place:
                return place(r.one_in(2), depth);
            case Operator::fail:
            case Operator::cards_none:
                return out(op, t);
            case Operator::cards_of: {
                const Id zone = r.of(std::vector<Id>{hand, row, spot, heap});
                const bool player = at(g.zones, zone).by == IndexBy::player;
                return out(op, t, of(player ? set_type(Base::player) : set_type(Base::enumeration, 1)), no_id, no_id, zone);
            }
            case Operator::cards_family:
            case Operator::cards_unplaced:
                return out(op, t, no_id, no_id, no_id, r.number(-1, 1));
            case Operator::cards_variable:
            case Operator::set_variable:
                return variable(t);
            case Operator::cards_single:
                return out(op, t, of(card_type));
            case Operator::cards_join:
            case Operator::cards_minus:
            case Operator::cards_or_if_none:
            case Operator::set_join:
            case Operator::set_minus:
            case Operator::set_or_if_none:
                return out(op, t, of(t), of(t));
            case Operator::cards_where:
            case Operator::set_where:
                return comprehension(op, t, t, truth_type, depth);
            case Operator::cards_most:
            case Operator::cards_least:
            case Operator::set_most:
            case Operator::set_least:
                return comprehension(op, t, t, key_type(), depth);
            case Operator::cards_groups:
                return groups(depth);
            case Operator::cards_any:
                return out(op, t, of(cards_type), of(small_number));
            case Operator::set_constant: {
                const std::map<Base, std::vector<Id>> rows{
                    {Base::player, {0, 1, 2, 3}}, {Base::kind, {0, 4, 5}}, {Base::number, {0, 1, 6}}};
                const auto found = rows.find(t.element);
                return out(op, t, no_id, no_id, no_id,
                           found != rows.end() ? r.of(found->second)
                           : t.of == 0         ? r.number(0, 4)
                                               : r.of(std::vector<Id>{0, 1, 4}));
            }
            case Operator::set_single:
                return out(op, t, of(element_type(t)));
            case Operator::set_lookup:
                return out(op, t, of(kind_type), no_id, no_id, covers_table);
            case Operator::set_kinds:
                return out(op, t, of(cards_type));
        }
        return no_id;
    }

    Game& g;
    Random& r;
    std::vector<std::pair<Id, Type>> scope;  // the comprehensions around us
};

// ---- states ------------------------------------------------------------------------------------------------------------------

using NumberState = PlainState<Numbers>;

bool has_order(const Game& g, Id place) {
    return std::any_of(g.zones.begin(), g.zones.end(), [&](const Zone& z) {
        const bool ordered = z.shape == Shape::row || z.shape == Shape::stack;
        return ordered && z.first_place <= place && place < z.first_place + z.places;
    });
}

void put(const Game& g, NumberState& s, Id place, Id kind) {
    --s.piles[0].counts[static_cast<std::size_t>(kind)];
    Pile<Numbers>& pile = s.piles[static_cast<std::size_t>(place)];
    ++pile.counts[static_cast<std::size_t>(kind)];
    if (has_order(g, place)) pile.order.push_back(kind);
}

Content<Numbers> random_content(const Game& g, Random& r, const NumberState& s, const Type& t) {
    Numbers d;
    if (t.base == Base::set) {
        Set<Numbers> set = collections::empty_set(d, elements_of(g, t));
        for (std::size_t i = 0; i < set.has.size(); ++i) set.has[i] = r.one_in(2);
        return set;
    }
    Cards<Numbers> cards;
    for (Id p = 0; p < g.places; ++p) {
        for (Id k = 0; k < static_cast<Id>(g.kinds.size()); ++k) {
            const Value there = at(at(s.piles, p).counts, k);
            if (there > 0 && r.one_in(2)) collections::add_copies(d, cards, p, k, r.number(0, there));
        }
    }
    if (t.base == Base::cards) return cards;
    if (t.base == Base::card) {
        if (cards.copies.empty() || r.one_in(8)) return Card<Numbers>{-1, -1};
        const Copies<Numbers>& c = r.of(cards.copies);
        return Card<Numbers>{c.kind, c.place};
    }
    const auto [low, high] = range_of(g, t);
    return r.number(low, high);
}

NumberState random_state(const Game& g, Random& r) {
    Numbers d;
    NumberState s = initial_state(d, g);
    for (Id k = 0; k < static_cast<Id>(g.kinds.size()); ++k) {
        for (int copy = 0; copy < at(g.kinds, k).copies; ++copy) {
            if (const Id place = static_cast<Id>(r.number(0, g.places - 1)); place > 0) put(g, s, place, k);
        }
    }
    for (Pile<Numbers>& pile : s.piles) {
        for (std::size_t i = 1; i < pile.order.size(); ++i)
            std::swap(pile.order[i], pile.order[static_cast<std::size_t>(r.number(0, static_cast<Value>(i)))]);
        if (r.one_in(2)) pile.size = arithmetic::total(d, pile.counts);
    }
    for (std::size_t f = 0; f < g.facts.size(); ++f) {
        for (FactSlot<Numbers>& slot : s.facts[f]) {
            if (r.one_in(6)) continue;
            slot = {true, random_content(g, r, s, g.facts[f].type)};
        }
    }
    for (std::size_t v = 0; v < g.variables.size(); ++v) s.variables[v] = random_content(g, r, s, g.variables[v].type);
    return s;
}

// A state of numbers as one of terms: each number and truth a constant or, one in `one_in` times, an unknown that must equal it.
class Lifted {
public:
    Lifted(Terms& terms, const Game& game, Random& random, Value one_in) : d(terms), unknowns(terms), g(game), r(random), one_in_(one_in) {}

    PlainState<Terms> state(const NumberState& s) {
        PlainState<Terms> result = empty_state(d, g);
        for (std::size_t p = 0; p < s.piles.size(); ++p) result.piles[p] = pile(s.piles[p]);
        for (std::size_t f = 0; f < s.facts.size(); ++f) {
            for (std::size_t i = 0; i < s.facts[f].size(); ++i) {
                const FactSlot<Numbers>& slot = s.facts[f][i];
                result.facts[f][i] = {truth(slot.given), content(slot.content, g.facts[f].type)};
            }
        }
        for (std::size_t v = 0; v < s.variables.size(); ++v) result.variables[v] = content(s.variables[v], g.variables[v].type);
        return result;
    }
    void require(Z3Session& session) const {
        session.require(unknowns.conditions());
        session.require(pins);
    }
    bool has_unknowns() const { return !pins.empty(); }

private:
    std::string name() { return "u" + std::to_string(count_++); }
    bool unknown() { return one_in_ > 0 && r.one_in(one_in_); }

    Terms::Bool truth(bool b) {
        if (!unknown()) return d.truth(b);
        pins.push_back(b ? unknowns.truth("u" + std::to_string(count_)) : d.negate(unknowns.truth("u" + std::to_string(count_))));
        return unknowns.truth(name());
    }
    Terms::Int number(Value v, Value low, Value high) {
        if (!unknown()) return d.constant(v);
        const Terms::Int u = unknowns.integer(name(), std::min(v, low), std::max(v, high));
        pins.push_back(d.equal(u, d.constant(v)));
        return u;
    }
    Pile<Terms> pile(const Pile<Numbers>& p) {
        Pile<Terms> result;
        for (std::size_t k = 0; k < p.counts.size(); ++k) result.counts.push_back(number(p.counts[k], 0, g.kinds[k].copies));
        for (const Value kind : p.order) result.order.push_back(number(kind, 0, static_cast<Value>(g.kinds.size()) - 1));
        if (p.size) result.size = number(*p.size, 0, 13);
        return result;
    }
    Cards<Terms> cards(const Cards<Numbers>& c) {
        Cards<Terms> result;
        for (const Copies<Numbers>& x : c.copies)
            collections::add_copies(d, result, x.place, x.kind, number(x.count, 0, at(g.kinds, x.kind).copies));
        return result;
    }
    Content<Terms> content(const Content<Numbers>& c, const Type& t) {
        if (const auto* set = std::get_if<Set<Numbers>>(&c)) {
            Set<Terms> result{set->first, {}};
            for (const bool b : set->has) result.has.push_back(truth(b));
            return result;
        }
        if (const auto* several = std::get_if<Cards<Numbers>>(&c)) return cards(*several);
        if (const auto* card = std::get_if<Card<Numbers>>(&c)) {
            return Card<Terms>{number(card->kind, 0, static_cast<Value>(g.kinds.size()) - 1), number(card->place, 0, g.places - 1)};
        }
        const auto [low, high] = range_of(g, t);
        return number(std::get<Value>(c), low, high);
    }

    Terms& d;
    Unknowns unknowns;
    std::vector<Terms::Bool> pins;
    const Game& g;
    Random& r;
    Value one_in_;
    int count_ = 0;
};

const std::vector<TermLimits> all_limits{{}, {1, 1}, {6, 24}};  // as cases, as bit-vectors, a mixture

// ---- numbers against terms ---------------------------------------------------------------------------------------------------

// Collects what must hold for terms to say the same as numbers.
class Agreement {
public:
    explicit Agreement(Terms& terms) : d(terms) {}

    void equal(const Terms::Int& term, Value number) { parts.push_back(d.equal(term, d.constant(number))); }
    void equal(const Terms::Bool& term, bool truth) { parts.push_back(truth ? term : d.negate(term)); }
    void equal(const Card<Terms>& term, const Card<Numbers>& card) {
        equal(term.kind, card.kind);
        equal(term.place, card.place);
    }
    void equal(const Cards<Terms>& term, const Cards<Numbers>& cards) {
        std::map<std::pair<Id, Id>, Value> expected;
        Value size = 0;
        for (const Copies<Numbers>& c : cards.copies) size += expected[{c.place, c.kind}] = c.count;
        if (cards.size && *cards.size != size) parts.push_back(d.truth(false));
        if (term.size) equal(*term.size, size);
        for (const Copies<Terms>& c : term.copies) {
            const auto found = expected.find({c.place, c.kind});
            equal(c.count, found == expected.end() ? 0 : found->second);
            if (found != expected.end()) expected.erase(found);
        }
        if (!expected.empty()) parts.push_back(d.truth(false));
    }
    void equal(const Set<Terms>& term, const Set<Numbers>& set) {
        Numbers n;
        const Elements elements{std::min(term.first, set.first), std::max(term.end(), set.end()) - std::min(term.first, set.first)};
        for (Value e = elements.first; e < elements.first + elements.count; ++e) {
            equal(Terms::Bool(collections::has(d, term, e)), bool(collections::has(n, set, e)));
        }
    }
    // The promises of each expression hold together exactly if numbers broke none of them.
    void promises(const std::vector<Id>& broken) {
        std::map<Id, std::vector<Terms::Bool>> of;
        for (const Id id : broken) of[id];
        for (const Terms::Promise& p : d.promises()) of[p.expression].push_back(p.holds);
        for (const auto& [id, all] : of) equal(d.all(all), std::find(broken.begin(), broken.end(), id) == broken.end());
    }
    Terms::Bool all() const { return d.all(parts); }

private:
    Terms& d;
    std::vector<Terms::Bool> parts;
};

Terms::Bool agreement(const Game& g, Id e, NumberState numbers, Terms& d, PlainState<Terms>& terms) {
    Numbers n;
    d.forget();
    Evaluator<Numbers> by_numbers(n, g, numbers);
    Evaluator<Terms> by_terms(d, g, terms);
    Agreement same(d);
    switch (at(g.expressions, e).type.base) {
        case Base::truth:
            same.equal(by_terms.truth(e), by_numbers.truth(e));
            break;
        case Base::card:
            same.equal(by_terms.card(e), by_numbers.card(e));
            break;
        case Base::cards:
            same.equal(by_terms.cards(e), by_numbers.cards(e));
            break;
        case Base::set:
            same.equal(by_terms.set(e), by_numbers.set(e));
            break;
        default:
            same.equal(by_terms.scalar(e), by_numbers.scalar(e));
    }
    same.promises(n.broken());
    return same.all();
}

std::string written(const Game& g, Id e) {
    if (e == no_id) return "";
    const Expression& x = at(g.expressions, e);
    std::string text = name_of(x.op) + "#" + std::to_string(x.imm);
    for (const Id operand : {x.a, x.b, x.c}) {
        if (operand != no_id) text += " " + written(g, operand);
    }
    return "(" + text + ")";
}

}  // namespace

TEST_CASE("operators: numbers and constant terms agree", "[operators]") {
    const std::uint64_t seed = Catch::rngSeed();
    CAPTURE(seed);
    Random r(seed);
    z3::context context;
    Terms d(context);
    std::array<int, operator_count> evaluated{};
    for (int round = 0; round < 300; ++round) {
        Game g = small_game(static_cast<std::int32_t>(r.number(3, 4)));
        const NumberState numbers = random_state(g, r);
        PlainState<Terms> terms = Lifted(d, g, r, 0).state(numbers);
        Generator generator(g, r);
        for (std::size_t op = 0; op < operator_count; ++op) {
            const Id e = generator.rooted(static_cast<Operator>(op));
            CAPTURE(round, written(g, e));
            terms.bounds.resize(static_cast<std::size_t>(g.bounds), {d.constant(-1), d.constant(-1)});
            NumberState copy = numbers;
            copy.bounds.resize(static_cast<std::size_t>(g.bounds), {-1, -1});
            REQUIRE(d.known(agreement(g, e, copy, d, terms)) == true);
        }
        for (std::size_t op = 0; op < operator_count; ++op) evaluated[op] += generator.made[op];
    }
    for (std::size_t op = 0; op < operator_count; ++op) {
        INFO(operator_names[op]);
        CHECK(evaluated[op] >= 300);
    }
}

TEST_CASE("operators: numbers and terms over unknowns agree", "[operators]") {
    const std::uint64_t seed = Catch::rngSeed() + 1;
    CAPTURE(seed);
    Random r(seed);
    std::array<int, operator_count> evaluated{};
    int open = 0;
    for (int round = 0; round < 120; ++round) {
        z3::context context;
        Terms d(context, all_limits[static_cast<std::size_t>(round) % all_limits.size()]);
        Game g = small_game(3);
        const NumberState numbers = random_state(g, r);
        Lifted lifted(d, g, r, std::array<Value, 3>{2, 4, 10}[static_cast<std::size_t>(round / 3) % 3]);
        PlainState<Terms> terms = lifted.state(numbers);
        Z3Session session(d);
        lifted.require(session);
        REQUIRE(lifted.has_unknowns());
        REQUIRE(session.possible() == Answer::yes);
        Generator generator(g, r);
        for (std::size_t op = 0; op < operator_count; ++op) {
            const Id e = generator.rooted(static_cast<Operator>(op));
            CAPTURE(round, written(g, e));
            terms.bounds.resize(static_cast<std::size_t>(g.bounds), {d.constant(-1), d.constant(-1)});
            NumberState copy = numbers;
            copy.bounds.resize(static_cast<std::size_t>(g.bounds), {-1, -1});
            const Terms::Bool same = agreement(g, e, copy, d, terms);
            if (d.known(same) == true) continue;
            ++open;
            REQUIRE(session.possible(same) == Answer::yes);
            REQUIRE(session.value(same));
            REQUIRE(session.possible(d.negate(same)) == Answer::no);
        }
        for (std::size_t op = 0; op < operator_count; ++op) evaluated[op] += generator.made[op];
    }
    CHECK(open > 200);  // most are not decided by folding alone
    for (std::size_t op = 0; op < operator_count; ++op) {
        INFO(operator_names[op]);
        CHECK(evaluated[op] >= 120);
    }
}

// ---- by hand -----------------------------------------------------------------------------------------------------------------

namespace {

using Op = Operator;

// Short words for making expressions in the table below.
struct Make {
    Game& g;

    Id operator()(Op op, Type type, Id a = no_id, Id b = no_id, Id c = no_id, std::int32_t imm = 0) {
        return emit(g, op, type, a, b, c, imm);
    }
    Id constant(Type t, std::int32_t v) { return (*this)(Op::constant, t, no_id, no_id, no_id, v); }
    Id n(std::int32_t v) { return constant(number_type(v, v), v); }
    Id yes() { return constant(truth_type, 1); }
    Id no() { return constant(truth_type, 0); }
    Id player(std::int32_t p) { return constant(player_type, p); }
    Id kind(std::int32_t k) { return constant(kind_type, k); }
    Id hue(std::int32_t h) { return constant(hue_type, h); }
    Id fail(Type t) { return (*this)(Op::fail, t); }
    Id number(Op op, Id a, Id b = no_id) { return (*this)(op, small_number, a, b); }
    Id truth(Op op, Id a, Id b = no_id) { return (*this)(op, truth_type, a, b); }
    // Something that is `yes` and breaks a promise.
    Id bad() { return truth(Op::equal, number(Op::quotient, n(1), n(0)), n(1)); }
    Id fact(Id f, Id index = no_id) {
        return (*this)(g.facts[f].type.base == Base::set ? Op::set_fact : Op::fact, g.facts[f].type, index, no_id, no_id, f);
    }
    Id var(Id v) {
        const Type t = at(g.variables, v).type;
        return (*this)(t.base == Base::set     ? Op::set_variable
                       : t.base == Base::cards ? Op::cards_variable
                                               : Op::variable,
                       t, no_id, no_id, no_id, v);
    }
    Id place(Id zone, Id index = no_id) { return (*this)(Op::place, place_type, index, no_id, no_id, zone); }
    Id zone(Id z) { return (*this)(Op::cards_at, cards_type, place(z)); }
    Id zone(Id z, std::int32_t i) { return (*this)(Op::cards_at, cards_type, place(z, constant(player_type, i))); }
    Id every(Id z) { return (*this)(Op::cards_of, cards_type, players({0, 1, 2}), no_id, no_id, z); }
    Id family(Id f) { return (*this)(Op::cards_family, cards_type, no_id, no_id, no_id, f); }
    Id none() { return (*this)(Op::cards_none, cards_type); }
    Id cards(Op op, Id a, Id b = no_id, Id c = no_id) { return (*this)(op, cards_type, a, b, c); }
    Id literal(Type t, std::vector<Id> members) {
        g.sets.push_back(std::move(members));
        return (*this)(Op::set_constant, t, no_id, no_id, no_id, static_cast<std::int32_t>(g.sets.size()) - 1);
    }
    Id players(std::vector<Id> members) { return literal(set_type(Base::player), std::move(members)); }
    Id kinds(std::vector<Id> members) { return literal(set_type(Base::kind), std::move(members)); }
    Id set(Op op, Id a, Id b = no_id, Id c = no_id) {
        return (*this)(op, at(g.expressions, op == Op::set_conditional ? b : a).type, a, b, c);
    }
    Id lookup(Id table, Id index) {
        return (*this)(Op::lookup,
                       table == hue_table     ? hue_type
                       : table == plain_table ? truth_type
                                              : small_number,
                       index, no_id, no_id, table);
    }
    Id rank(Id k) { return lookup(rank_table, k); }
    // A comprehension; body(the element as a scalar, or the kind of the card).
    template <class F>
    Id over(Op op, Type type, Id source, F body) {
        const Id bound = g.bounds++;
        const Type of = at(g.expressions, source).type;
        const Id element = (*this)(Op::bound, of.base == Base::cards ? kind_type : element_type(of), no_id, no_id, no_id, bound);
        return (*this)(op, type, source, body(element), no_id, bound);
    }
    template <class F>
    Id over_cards(Op op, Id source, F body) {
        return over(op, cards_type, source, body);
    }
    template <class F>
    Id over_set(Op op, Id source, F body) {
        return over(op, at(g.expressions, source).type, source, body);
    }
    template <class F>
    Id grouped(Id source, std::int32_t size, F key) {
        const Id bound = g.bounds++;
        const Id element = (*this)(Op::bound, kind_type, no_id, no_id, no_id, bound);
        return (*this)(Op::cards_groups, cards_type, source, n(size), key(element), bound);
    }
};

// deck: 4 2 6; hands: 0 0 1 | 2 4 | nothing; rows: 3 6 | nothing | nothing; spots: 4 | 5 | nothing; 7 in no zone.
NumberState table_state(const Game& g) {
    Numbers d;
    NumberState s = initial_state(d, g);
    const std::vector<std::pair<Id, std::vector<Id>>> layout{{1, {4, 2, 6}}, {2, {0, 0, 1}}, {3, {2, 4}}, {5, {3, 6}}, {8, {4}}, {9, {5}}};
    for (const auto& [place, kinds] : layout) {
        for (const Id kind : kinds) put(g, s, place, kind);
    }
    s.facts[f_truth][0] = {true, Value{1}};
    s.facts[f_number][0] = {true, Value{4}};
    s.facts[f_signed][0] = {true, Value{-2}};
    s.facts[f_player][0] = {true, Value{-1}};
    s.facts[f_kind][0] = {true, Value{3}};
    s.facts[f_players][0] = {true, Set<Numbers>{0, {true, false, true}}};
    s.facts[f_hues][0] = {true, Set<Numbers>{0, {false, true, false}}};
    s.facts[f_numbers][0] = {true, Set<Numbers>{-2, {true, false, false, false, false, true}}};
    s.variables = {Value{1},
                   Value{7},
                   Value{2},
                   Value{1},
                   Value{2},
                   Value{4},
                   Card<Numbers>{2, 3},
                   Cards<Numbers>{{{2, 0, 1}, {3, 2, 1}}, {}},
                   Set<Numbers>{0, {false, true, true}},
                   Set<Numbers>{0, {true, false, false}},
                   Set<Numbers>{0, {false, false}},
                   Set<Numbers>{0, {false, false, false, false, true, false, true, false}},
                   Set<Numbers>{-2, {false, true, false, false, false, false}}};
    return s;
}

std::string in_words(const Card<Numbers>& c) { return std::to_string(c.kind) + "@" + std::to_string(c.place); }

std::string in_words(const Cards<Numbers>& cards) {
    std::string text;
    for (const Copies<Numbers>& c : cards.copies) {
        text += (text.empty() ? "" : " ") + std::to_string(c.count) + "*" + std::to_string(c.kind) + "@" + std::to_string(c.place);
    }
    return text.empty() ? "nothing" : text;
}

std::string in_words(const Set<Numbers>& set) {
    std::string text = "{";
    for (std::size_t i = 0; i < set.has.size(); ++i) {
        if (set.has[i]) text += (text == "{" ? "" : " ") + std::to_string(set.first + static_cast<Value>(i));
    }
    return text + "}";
}

// The value, then a `!` and the operator for each broken promise.
std::string result(const Game& g, Id e) {
    Numbers n;
    NumberState state = table_state(g);
    Evaluator<Numbers> evaluator(n, g, state);
    std::string text;
    switch (at(g.expressions, e).type.base) {
        case Base::truth:
            text = evaluator.truth(e) ? "yes" : "no";
            break;
        case Base::card:
            text = in_words(evaluator.card(e));
            break;
        case Base::cards:
            text = in_words(evaluator.cards(e));
            break;
        case Base::set:
            text = in_words(evaluator.set(e));
            break;
        default:
            text = std::to_string(evaluator.scalar(e));
    }
    for (const Id broken : n.broken()) text += " !" + name_of(at(g.expressions, broken).op);
    return text;
}

struct Row {
    Op op;
    std::function<Id(Make)> make;
    const char* expected;
};

// clang-format off: a row a line
const std::vector<Row>& table() {
    static const std::vector<Row> rows{
        {Op::constant, [](Make m) { return m.n(-3); }, "-3"},
        {Op::constant, [](Make m) { return m.yes(); }, "yes"},
        {Op::variable, [](Make m) { return m.var(v_number); }, "7"},
        {Op::variable, [](Make m) { return m.var(v_truth); }, "yes"},
        {Op::variable, [](Make m) { return m.var(v_card); }, "2@3"},
        {Op::fact, [](Make m) { return m.fact(f_number); }, "4"},
        {Op::fact, [](Make m) { return m.fact(f_truth, m.player(1)); }, "no"},
        {Op::fact, [](Make m) { return m.fact(f_signed, m.constant(size_type, 0)); }, "-2"},
        {Op::fact, [](Make m) { return m.fact(f_signed, m.constant(size_type, 1)); }, "1"},
        {Op::fact, [](Make m) { return m.fact(f_player); }, "-1"},
        {Op::fact, [](Make m) { return m.fact(f_hue); }, "-1 !fact"},
        {Op::fact, [](Make m) { return m.fact(f_kind, m.fact(f_player)); }, "-1 !fact"},
        {Op::add, [](Make m) { return m.number(Op::add, m.n(3), m.n(-5)); }, "-2"},
        {Op::subtract, [](Make m) { return m.number(Op::subtract, m.n(3), m.n(5)); }, "-2"},
        {Op::multiply, [](Make m) { return m.number(Op::multiply, m.n(-3), m.n(5)); }, "-15"},
        {Op::distance, [](Make m) { return m.number(Op::distance, m.n(-3), m.n(5)); }, "8"},
        {Op::distance, [](Make m) { return m.number(Op::distance, m.n(5), m.n(3)); }, "2"},
        {Op::larger, [](Make m) { return m.number(Op::larger, m.n(3), m.n(5)); }, "5"},
        {Op::smaller, [](Make m) { return m.number(Op::smaller, m.n(3), m.n(5)); }, "3"},
        {Op::quotient, [](Make m) { return m.number(Op::quotient, m.n(7), m.n(2)); }, "3"},
        {Op::quotient, [](Make m) { return m.number(Op::quotient, m.n(-7), m.n(2)); }, "-4"},
        {Op::quotient, [](Make m) { return m.number(Op::quotient, m.n(6), m.n(3)); }, "2"},
        {Op::quotient, [](Make m) { return m.number(Op::quotient, m.n(7), m.n(0)); }, "7 !quotient"},
        {Op::remainder, [](Make m) { return m.number(Op::remainder, m.n(7), m.n(2)); }, "1"},
        {Op::remainder, [](Make m) { return m.number(Op::remainder, m.n(-7), m.n(3)); }, "2"},
        {Op::remainder, [](Make m) { return m.number(Op::remainder, m.n(7), m.n(-2)); }, "0 !remainder"},
        {Op::equal, [](Make m) { return m.truth(Op::equal, m.n(3), m.n(3)); }, "yes"},
        {Op::equal, [](Make m) { return m.truth(Op::equal, m.no(), m.fact(f_truth, m.player(2))); }, "yes"},
        {Op::equal, [](Make m) { return m.truth(Op::equal, m.yes(), m.no()); }, "no"},
        {Op::less, [](Make m) { return m.truth(Op::less, m.n(3), m.n(3)); }, "no"},
        {Op::less, [](Make m) { return m.truth(Op::less, m.n(2), m.n(3)); }, "yes"},
        {Op::less_equal, [](Make m) { return m.truth(Op::less_equal, m.n(3), m.n(3)); }, "yes"},
        {Op::less_equal, [](Make m) { return m.truth(Op::less_equal, m.n(4), m.n(3)); }, "no"},
        {Op::both, [](Make m) { return m.truth(Op::both, m.yes(), m.bad()); }, "yes !quotient"},
        {Op::both, [](Make m) { return m.truth(Op::both, m.no(), m.bad()); }, "no"},
        {Op::both, [](Make m) { return m.truth(Op::both, m.fact(f_truth, m.player(1)), m.bad()); }, "no"},
        {Op::both, [](Make m) { return m.truth(Op::both, m.fact(f_truth, m.player(0)), m.bad()); }, "yes !quotient"},
        {Op::either, [](Make m) { return m.truth(Op::either, m.fact(f_truth, m.player(0)), m.bad()); }, "yes"},
        {Op::either, [](Make m) { return m.truth(Op::either, m.fact(f_truth, m.player(1)), m.bad()); }, "yes !quotient"},
        {Op::either, [](Make m) { return m.truth(Op::either, m.no(), m.bad()); }, "yes !quotient"},
        {Op::either, [](Make m) { return m.truth(Op::either, m.yes(), m.bad()); }, "yes"},
        {Op::either, [](Make m) { return m.truth(Op::either, m.no(), m.no()); }, "no"},
        {Op::negate, [](Make m) { return m.truth(Op::negate, m.no()); }, "yes"},
        {Op::conditional, [](Make m) { return m(Op::conditional, small_number, m.no(), m.fail(small_number), m.n(2)); }, "2"},
        {Op::conditional, [](Make m) { return m(Op::conditional, small_number, m.yes(), m.fail(small_number), m.n(2)); }, "-1 !fail"},
        {Op::conditional,
         [](Make m) { return m(Op::conditional, small_number, m.fact(f_truth, m.player(0)), m.n(2), m.fail(small_number)); }, "2"},
        {Op::conditional,
         [](Make m) { return m(Op::conditional, small_number, m.fact(f_truth, m.player(1)), m.fail(small_number), m.n(2)); }, "2"},
        {Op::conditional, [](Make m) { return m(Op::conditional, card_type, m.yes(), m.var(v_card), m.fail(card_type)); }, "2@3"},
        {Op::conditional, [](Make m) { return m(Op::conditional, truth_type, m.no(), m.no(), m.yes()); }, "yes"},
        {Op::lookup, [](Make m) { return m.rank(m.kind(3)); }, "3"},
        {Op::lookup, [](Make m) { return m.rank(m.kind(6)); }, "-1 !lookup"},
        {Op::lookup, [](Make m) { return m.rank(m.kind(-1)); }, "-1 !lookup"},
        {Op::lookup, [](Make m) { return m.lookup(plain_table, m.kind(0)); }, "yes"},
        {Op::kind_of, [](Make m) { return m(Op::kind_of, kind_type, m.var(v_card)); }, "2"},
        {Op::kind_of, [](Make m) { return m(Op::kind_of, kind_type, m(Op::the_card, card_type, m.none())); }, "-1 !the_card !kind_of"},
        {Op::neighbour, [](Make m) { return m(Op::neighbour, player_type, m.player(2), no_id, no_id, 2); }, "1"},
        {Op::neighbour, [](Make m) { return m(Op::neighbour, player_type, m.player(-1), no_id, no_id, 1); }, "-1 !neighbour"},
        {Op::next_in,
         [](Make m) {
             return m(Op::next_in, player_type, m.player(0), m.players({0, 1, 2}), no_id, 1);
         },
         "1"},
        {Op::next_in,
         [](Make m) {
             return m(Op::next_in, player_type, m.player(0), m.players({0, 1, 2}), no_id, -1);
         },
         "2"},
        {Op::next_in,
         [](Make m) {
             return m(Op::next_in, player_type, m.player(1), m.players({0, 1}), no_id, 1);
         },
         "0"},
        {Op::next_in, [](Make m) { return m(Op::next_in, player_type, m.player(1), m.players({1}), no_id, -1); }, "1"},
        {Op::next_in, [](Make m) { return m(Op::next_in, player_type, m.player(1), m.players({}), no_id, 1); }, "-1 !next_in"},
        {Op::size_of_cards, [](Make m) { return m.number(Op::size_of_cards, m.zone(hand, 0)); }, "3"},
        {Op::size_of_cards, [](Make m) { return m.number(Op::size_of_cards, m.family(-1)); }, "13"},
        {Op::size_of_set, [](Make m) { return m.number(Op::size_of_set, m.var(v_players)); }, "2"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.zone(hand, 0), [&](Id k) { return m.rank(k); }); }, "4"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.fact(f_numbers), [&](Id x) { return x; }); }, "1"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.none(), [&](Id k) { return m.rank(k); }); }, "0"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.zone(row, 0), [&](Id k) { return m.rank(k); }); },
         "2 !lookup"},
        {Op::largest_over, [](Make m) { return m.over(Op::largest_over, small_number, m.zone(hand, 1), [&](Id k) { return m.rank(k); }); },
         "4"},
        {Op::largest_over, [](Make m) { return m.over(Op::largest_over, small_number, m.none(), [&](Id k) { return m.rank(k); }); },
         "0 !largest_over"},
        {Op::largest_over, [](Make m) { return m.over(Op::largest_over, small_number, m.var(v_numbers), [&](Id x) { return x; }); }, "-1"},
        {Op::smallest_over,
         [](Make m) { return m.over(Op::smallest_over, small_number, m.zone(hand, 1), [&](Id k) { return m.rank(k); }); }, "2"},
        {Op::smallest_over, [](Make m) { return m.over(Op::smallest_over, small_number, m.players({}), [&](Id p) { return p; }); },
         "0 !smallest_over"},
        {Op::exists,
         [](Make m) {
             return m.over(Op::exists, truth_type, m.zone(hand, 0), [&](Id k) { return m.truth(Op::equal, m.rank(k), m.n(2)); });
         },
         "yes"},
        {Op::exists,
         [](Make m) {
             return m.over(Op::exists, truth_type, m.zone(hand, 0), [&](Id k) { return m.truth(Op::equal, m.rank(k), m.n(3)); });
         },
         "no"},
        {Op::exists, [](Make m) { return m.over(Op::exists, truth_type, m.zone(hand, 2), [&](Id) { return m.bad(); }); }, "no"},
        {Op::the_card, [](Make m) { return m(Op::the_card, card_type, m.zone(spot, 0)); }, "4@8"},
        {Op::the_card, [](Make m) { return m(Op::the_card, card_type, m.zone(spot, 2)); }, "-1@-1 !the_card"},
        {Op::the_card, [](Make m) { return m(Op::the_card, card_type, m.zone(hand, 1)); }, "2@3 !the_card"},
        {Op::the_card, [](Make m) { return m(Op::the_card, card_type, m.cards(Op::cards_join, m.zone(deck), m.zone(hand, 0))); },
         "0@2 !the_card"},
        {Op::the_element, [](Make m) { return m(Op::the_element, hue_type, m.fact(f_hues, m.constant(size_type, 0))); }, "1"},
        {Op::the_element, [](Make m) { return m(Op::the_element, player_type, m.var(v_players)); }, "1 !the_element"},
        {Op::the_element, [](Make m) { return m(Op::the_element, player_type, m.players({})); }, "-1 !the_element"},
        {Op::first_card, [](Make m) { return m(Op::first_card, card_type, m.place(row, m.player(0))); }, "3@5"},
        {Op::first_card, [](Make m) { return m(Op::first_card, card_type, m.place(row, m.player(1))); }, "-1@-1 !first_card"},
        {Op::last_card, [](Make m) { return m(Op::last_card, card_type, m.place(deck)); }, "6@1"},
        {Op::last_card,
         [](Make m) {
             return m(Op::last_card, card_type, m(Op::conditional, place_type, m.no(), m.place(deck), m.place(row, m.player(0))));
         },
         "6@5"},
        {Op::has_kind, [](Make m) { return m.truth(Op::has_kind, m.zone(hand, 0), m.kind(1)); }, "yes"},
        {Op::has_kind, [](Make m) { return m.truth(Op::has_kind, m.zone(hand, 0), m.kind(2)); }, "no"},
        {Op::has_kind, [](Make m) { return m.truth(Op::has_kind, m.zone(hand, 0), m.kind(-1)); }, "no"},
        {Op::has_element, [](Make m) { return m.truth(Op::has_element, m.fact(f_players), m.player(2)); }, "yes"},
        {Op::has_element, [](Make m) { return m.truth(Op::has_element, m.fact(f_players), m.player(-1)); }, "no"},
        {Op::has_element, [](Make m) { return m.truth(Op::has_element, m.fact(f_numbers), m.n(-2)); }, "yes"},
        {Op::has_element, [](Make m) { return m.truth(Op::has_element, m.fact(f_numbers), m.n(9)); }, "no"},
        {Op::same_cards,
         [](Make m) {
             return m.truth(Op::same_cards, m.zone(spot, 0), m.cards(Op::cards_single, m(Op::the_card, card_type, m.zone(spot, 0))));
         },
         "yes"},
        {Op::same_cards, [](Make m) { return m.truth(Op::same_cards, m.zone(spot, 0), m.zone(spot, 1)); }, "no"},
        {Op::same_cards,
         [](Make m) {
             return m.truth(Op::same_cards, m.zone(hand, 1),
                            m.cards(Op::cards_minus, m.zone(deck),
                                    m.over_cards(Op::cards_where, m.zone(deck), [&](Id k) { return m.truth(Op::equal, k, m.kind(6)); })));
         },
         "yes"},
        {Op::same_cards, [](Make m) { return m.truth(Op::same_cards, m.none(), m.zone(hand, 2)); }, "yes"},
        {Op::same_set,
         [](Make m) {
             return m.truth(Op::same_set, m.fact(f_players), m.players({0, 2}));
         },
         "yes"},
        {Op::same_set, [](Make m) { return m.truth(Op::same_set, m.fact(f_players), m.players({0})); }, "no"},
        {Op::same_set, [](Make m) { return m.truth(Op::same_set, m.literal(set_type(Base::nothing), {}), m.var(v_sizes)); }, "yes"},
        {Op::place, [](Make m) { return m.place(deck); }, "1"},
        {Op::place, [](Make m) { return m.place(row, m.player(2)); }, "7"},
        {Op::place, [](Make m) { return m.place(row, m.player(-1)); }, "-1 !place"},
        {Op::fail, [](Make m) { return m.fail(small_number); }, "-1 !fail"},
        {Op::fail, [](Make m) { return m.fail(truth_type); }, "no !fail"},
        {Op::fail, [](Make m) { return m.fail(cards_type); }, "nothing !fail"},
        {Op::fail, [](Make m) { return m.fail(set_type(Base::player)); }, "{} !fail"},
        {Op::cards_at, [](Make m) { return m.zone(hand, 0); }, "2*0@2 1*1@2"},
        {Op::cards_at, [](Make m) { return m.zone(hand, -1); }, "nothing !place"},
        {Op::cards_of, [](Make m) { return m(Op::cards_of, cards_type, m.fact(f_players), no_id, no_id, hand); }, "2*0@2 1*1@2"},
        {Op::cards_of, [](Make m) { return m.every(spot); }, "1*4@8 1*5@9"},
        {Op::cards_family, [](Make m) { return m.family(1); }, "1*7@0 1*6@1 1*6@5 1*5@9"},
        {Op::cards_unplaced, [](Make m) { return m(Op::cards_unplaced, cards_type, no_id, no_id, no_id, -1); }, "1*7@0"},
        {Op::cards_unplaced, [](Make m) { return m(Op::cards_unplaced, cards_type, no_id, no_id, no_id, 0); }, "nothing"},
        {Op::cards_variable, [](Make m) { return m.var(v_cards); }, "1*0@2 1*2@3"},
        {Op::cards_single, [](Make m) { return m.cards(Op::cards_single, m.var(v_card)); }, "1*2@3"},
        {Op::cards_single, [](Make m) { return m.cards(Op::cards_single, m(Op::the_card, card_type, m.none())); }, "nothing !the_card"},
        {Op::cards_none, [](Make m) { return m.none(); }, "nothing"},
        {Op::cards_join, [](Make m) { return m.cards(Op::cards_join, m.zone(hand, 1), m.zone(deck)); }, "1*2@1 1*4@1 1*6@1 1*2@3 1*4@3"},
        {Op::cards_join, [](Make m) { return m.cards(Op::cards_join, m.var(v_cards), m.zone(hand, 0)); }, "2*0@2 1*1@2 1*2@3"},
        {Op::cards_minus, [](Make m) { return m.cards(Op::cards_minus, m.zone(hand, 0), m.var(v_cards)); }, "1*0@2 1*1@2"},
        {Op::cards_minus, [](Make m) { return m.cards(Op::cards_minus, m.var(v_cards), m.zone(hand, 0)); }, "1*2@3"},
        {Op::cards_where,
         [](Make m) { return m.over_cards(Op::cards_where, m.zone(hand, 0), [&](Id k) { return m.truth(Op::equal, m.rank(k), m.n(1)); }); },
         "2*0@2"},
        {Op::cards_where,
         [](Make m) { return m.over_cards(Op::cards_where, m.every(hand), [&](Id k) { return m.truth(Op::equal, m.rank(k), m.n(2)); }); },
         "1*1@2 1*2@3"},
        {Op::cards_most,
         [](Make m) { return m.over_cards(Op::cards_most, m.every(hand), [&](Id k) { return m.number(Op::smaller, m.rank(k), m.n(2)); }); },
         "1*1@2 1*2@3 1*4@3"},
        {Op::cards_most, [](Make m) { return m.over_cards(Op::cards_most, m.none(), [&](Id k) { return m.rank(k); }); }, "nothing"},
        {Op::cards_least, [](Make m) { return m.over_cards(Op::cards_least, m.every(hand), [&](Id k) { return m.rank(k); }); }, "2*0@2"},
        {Op::cards_or_if_none, [](Make m) { return m.cards(Op::cards_or_if_none, m.zone(spot, 0), m.zone(hand, -1)); }, "1*4@8"},
        {Op::cards_or_if_none, [](Make m) { return m.cards(Op::cards_or_if_none, m.zone(spot, 2), m.zone(spot, 1)); }, "1*5@9"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.zone(hand, 0), m.n(2)); }, "2*0@2"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.family(0), m.n(2)); }, "1*2@1 1*4@1 2*0@2 1*2@3 1*4@3"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.zone(hand, 0), m.n(0)); }, "2*0@2 1*1@2 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](Id k) { return m.rank(k); }); }, "2*0@2 1*1@2 1*2@3"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](Id k) { return m.lookup(hue_table, k); }); },
         "2*0@2 1*1@2 1*4@3"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](Id) { return m.n(1); }); },
         "2*0@2 1*1@2 1*2@3 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.family(0), 5, [&](Id) { return m.n(1); }); },
         "1*2@1 2*0@2 1*1@2 1*2@3 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.family(0), 2, [&](Id k) { return m.truth(Op::less, m.rank(k), m.n(4)); }); },
         "1*2@1 1*4@1 2*0@2 1*1@2 1*2@3 1*4@3 1*3@5"},
        {Op::cards_any,
         [](Make m) {
             return m.cards(Op::cards_any,
                            m.over_cards(Op::cards_where, m.family(-1), [&](Id k) { return m.truth(Op::equal, k, m.kind(4)); }), m.n(2));
         },
         "1*4@1 1*4@3"},
        {Op::cards_any, [](Make m) { return m.cards(Op::cards_any, m.zone(hand, 0), m.n(3)); }, "2*0@2 1*1@2"},
        {Op::cards_any, [](Make m) { return m.cards(Op::cards_any, m.zone(hand, 0), m.n(4)); }, "2*0@2 1*1@2 !cards_any"},
        {Op::cards_any, [](Make m) { return m.cards(Op::cards_any, m.zone(hand, 0), m.n(1)); }, "1*0@2 !cards_any"},
        {Op::cards_conditional, [](Make m) { return m.cards(Op::cards_conditional, m.yes(), m.zone(spot, 0), m.zone(hand, -1)); }, "1*4@8"},
        {Op::set_constant,
         [](Make m) {
             return m.kinds({1, 4});
         },
         "{1 4}"},
        {Op::set_constant,
         [](Make m) {
             return m.players({-1, 2});
         },
         "{2}"},
        {Op::set_constant,
         [](Make m) {
             return m.literal(number_set, {-2, 3});
         },
         "{-2 3}"},
        {Op::set_variable, [](Make m) { return m.var(v_kinds); }, "{4 6}"},
        {Op::set_fact, [](Make m) { return m.fact(f_players); }, "{0 2}"},
        {Op::set_fact, [](Make m) { return m.fact(f_kinds, m.player(1)); }, "{0 3 6}"},
        {Op::set_fact, [](Make m) { return m.fact(f_hues, m.constant(size_type, 1)); }, "{} !set_fact"},
        {Op::set_single, [](Make m) { return m(Op::set_single, set_type(Base::player), m.player(1)); }, "{1}"},
        {Op::set_single, [](Make m) { return m(Op::set_single, set_type(Base::player), m.fact(f_player)); }, "{}"},
        {Op::set_lookup, [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, 0), m.kind(6), no_id, no_id, covers_table); },
         "{0 1}"},
        {Op::set_lookup, [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, 0), m.kind(-1), no_id, no_id, covers_table); },
         "{} !set_lookup"},
        {Op::set_lookup, [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, 0), m.kind(0), no_id, no_id, covers_table); },
         "{} !set_lookup"},
        {Op::set_join, [](Make m) { return m.set(Op::set_join, m.players({0}), m.var(v_players)); }, "{0 1 2}"},
        {Op::set_join, [](Make m) { return m.set(Op::set_join, m.literal(set_type(Base::nothing), {}), m.var(v_players)); }, "{1 2}"},
        {Op::set_minus, [](Make m) { return m.set(Op::set_minus, m.fact(f_players), m.var(v_players)); }, "{0}"},
        {Op::set_where,
         [](Make m) {
             return m.over_set(Op::set_where, m.players({0, 1, 2}), [&](Id p) { return m.fact(f_truth, p); });
         },
         "{0}"},
        {Op::set_where,
         [](Make m) {
             return m.over_set(Op::set_where, m.players({1, 2}), [&](Id p) { return m.truth(Op::equal, m.fact(f_kind, p), m.kind(-1)); });
         },
         "{1 2}"},
        {Op::set_most,
         [](Make m) {
             return m.over_set(Op::set_most, m.kinds({0, 1, 2}), [&](Id k) { return m.rank(k); });
         },
         "{1 2}"},
        {Op::set_most, [](Make m) { return m.over_set(Op::set_most, m.kinds({}), [&](Id k) { return m.rank(k); }); }, "{}"},
        {Op::set_least,
         [](Make m) {
             return m.over_set(Op::set_least, m.kinds({0, 1, 6}), [&](Id k) { return m.rank(k); });
         },
         "{6} !lookup"},
        {Op::set_least,
         [](Make m) {
             return m.over_set(Op::set_least, m.kinds({0, 1, 2}), [&](Id k) { return m.rank(k); });
         },
         "{0}"},
        {Op::set_or_if_none, [](Make m) { return m.set(Op::set_or_if_none, m.players({1}), m.fail(set_type(Base::player))); }, "{1}"},
        {Op::set_or_if_none, [](Make m) { return m.set(Op::set_or_if_none, m.players({}), m.fact(f_players)); }, "{0 2}"},
        {Op::set_kinds, [](Make m) { return m(Op::set_kinds, set_type(Base::kind), m.zone(hand, 0)); }, "{0 1}"},
        {Op::set_conditional, [](Make m) { return m.set(Op::set_conditional, m.no(), m.fail(set_type(Base::player)), m.players({2})); },
         "{2}"},
        {Op::bound,
         [](Make m) {
             m.g.bounds = std::max(m.g.bounds, 1);
             return m(Op::bound, kind_type);
         },
         "-1"},
    };
    return rows;
}
// clang-format on

}  // namespace

TEST_CASE("operators: what each yields", "[operators]") {
    std::set<Op> covered;
    for (const Row& row : table()) {
        Game g = small_game(3);
        const Id e = row.make(Make{g});
        INFO(written(g, e));
        REQUIRE(at(g.expressions, e).op == row.op);
        CHECK(result(g, e) == row.expected);
        covered.insert(row.op);
    }
    for (std::size_t op = 0; op < operator_count; ++op) {
        INFO(operator_names[op]);
        CHECK(covered.contains(static_cast<Op>(op)));
    }
}

TEST_CASE("operators: terms yield the same, whether the state is known or not", "[operators]") {
    for (const TermLimits& limits : all_limits) {
        z3::context context;
        Terms d(context, limits);
        Random r(0);
        Game g = small_game(3);
        std::vector<Id> roots;
        for (const Row& row : table()) roots.push_back(row.make(Make{g}));
        PlainState<Terms> known = Lifted(d, g, r, 0).state(table_state(g));
        Lifted lifted(d, g, r, 1);
        PlainState<Terms> unknown = lifted.state(table_state(g));
        Z3Session session(d);
        lifted.require(session);
        REQUIRE(session.possible() == Answer::yes);
        for (const Id e : roots) {
            INFO(written(g, e));
            CHECK(d.known(agreement(g, e, table_state(g), d, known)) == true);
            CHECK(session.possible(d.negate(agreement(g, e, table_state(g), d, unknown))) == Answer::no);
        }
    }
}

TEST_CASE("numbers: a promise that nobody reads is not broken", "[operators]") {
    Numbers n;
    n.guarded(true, [&] {
        n.promise(true, 1);
        n.promise(false, 2);
        n.guarded(false, [&] { n.promise(false, 3); });
        n.promise(false, 4);
    });
    CHECK(n.broken() == std::vector<Id>{2, 4});
    n.forget();
    CHECK(n.broken().empty());
}

// ---- terms and the solver ----------------------------------------------------------------------------------------------------

namespace {

// Each `pigeon` sits in one of one hole fewer, no two in the same: impossible, and slow to see.
void require_pigeonholes(Z3Session& session, Terms& d, int pigeons) {
    Unknowns unknowns(d);
    std::vector<Terms::Int> seats;
    for (int p = 0; p < pigeons; ++p) seats.push_back(unknowns.integer("pigeon" + std::to_string(p), 0, pigeons - 2));
    session.require(unknowns.conditions());
    for (std::size_t p = 0; p < seats.size(); ++p) {
        for (std::size_t q = 0; q < p; ++q) session.require(d.negate(d.equal(seats[p], seats[q])));
    }
}

}  // namespace

TEST_CASE("terms: an unknown number has exactly the values of its range", "[terms]") {
    for (const TermLimits& limits : all_limits) {
        for (const auto& [low, high] : std::vector<std::pair<Value, Value>>{{3, 3}, {0, 1}, {-1, 3}, {0, 63}, {0, 64}, {-70, 70}}) {
            z3::context context;
            Terms d(context, limits);
            Unknowns unknowns(d);
            const Terms::Int u = unknowns.integer("u", low, high);
            CHECK(d.low(u) == low);
            CHECK(d.high(u) == high);
            Z3Session session(d);
            session.require(unknowns.conditions());
            for (Value v = low - 1; v <= high + 1; ++v) {
                CAPTURE(limits.cases, low, high, v);
                const Answer answer = session.possible(d.equal(u, d.constant(v)));
                CHECK(answer == (low <= v && v <= high ? Answer::yes : Answer::no));
                if (answer == Answer::yes) CHECK(session.value(u) == v);
            }
        }
    }
}

TEST_CASE("terms: arithmetic of two unknowns, for every pair of values", "[terms]") {
    for (const TermLimits& limits : all_limits) {
        z3::context context;
        Terms d(context, limits);
        Numbers n;
        Unknowns unknowns(d);
        const Terms::Int x = unknowns.integer("x", -4, 5);
        const Terms::Int y = unknowns.integer("y", -1, 3);
        Z3Session session(d);
        session.require(unknowns.conditions());
        const auto results = [](auto& domain, const auto& a, const auto& b) {
            using namespace arithmetic;
            return std::vector{domain.add(a, b),
                               domain.subtract(a, b),
                               domain.multiply(a, b),
                               larger(domain, a, b),
                               smaller(domain, a, b),
                               distance(domain, a, b),
                               quotient(domain, a, b),
                               remainder(domain, a, b),
                               count(domain, domain.less(a, b)),
                               count(domain, domain.less_equal(a, b)),
                               count(domain, domain.equal(a, b)),
                               domain.multiply(domain.multiply(a, a), b)};
        };
        const std::vector<Terms::Int> terms = results(d, x, y);
        for (Value a = -4; a <= 5; ++a) {
            for (Value b = -1; b <= 3; ++b) {
                const std::vector<Value> numbers = results(n, a, b);
                REQUIRE(session.possible(d.both(d.equal(x, d.constant(a)), d.equal(y, d.constant(b)))) == Answer::yes);
                for (std::size_t i = 0; i < terms.size(); ++i) {
                    CAPTURE(limits.cases, a, b, i);
                    CHECK(session.value(terms[i]) == numbers[i]);
                    CHECK(d.low(terms[i]) <= numbers[i]);
                    CHECK(numbers[i] <= d.high(terms[i]));
                }
            }
        }
    }
}

TEST_CASE("terms: a promise counts under its guard only", "[terms]") {
    z3::context context;
    Terms d(context);
    Unknowns unknowns(d);
    const Terms::Bool a = unknowns.truth("a");
    const Terms::Bool b = unknowns.truth("b");
    d.guarded(a, [&] {
        d.promise(d.truth(true), 1);
        d.promise(a, 2);  // the guard says so already
        d.guarded(d.negate(a), [&] { d.promise(d.truth(false), 3); });
        d.guarded(b, [&] { d.promise(d.truth(false), 4); });
    });
    REQUIRE(d.promises().size() == 1);
    CHECK(d.promises()[0].expression == 4);
    Z3Session session(d);
    CHECK(session.possible(d.negate(d.promises()[0].holds)) == Answer::yes);
    CHECK(session.value(d.both(a, b)));
    session.require(d.negate(b));
    CHECK(session.possible(d.negate(d.promises()[0].holds)) == Answer::no);
    d.forget();
    d.promise(b, 5);  // the guards are gone
    REQUIRE(d.promises().size() == 1);
    CHECK(z3::eq(d.promises()[0].holds, b));
}

TEST_CASE("terms: what is known folds away", "[terms]") {
    z3::context context;
    Terms d(context);
    Game g = small_game(3);
    Unknowns unknowns(d);
    PlainState<Terms> state = empty_state(d, g);
    for (std::size_t k = 0; k < g.kinds.size(); ++k) state.piles[2].counts[k] = unknowns.integer("n" + std::to_string(k), 0, 1);
    Make m{g};
    const Id size = m.number(Op::size_of_cards, m.zone(hand, 0));
    const Id sole = m(Op::kind_of, kind_type, m(Op::the_card, card_type, m.zone(hand, 0)));
    const Id grown = m.truth(Op::less, m.number(Op::add, m.rank(m.var(v_kind)), m.n(5)), m.n(6));
    state.variables[v_kind] = unknowns.integer("kind", 0, 4);
    Evaluator<Terms> evaluator(d, g, state);
    CHECK_FALSE(evaluator.scalar(size).is_constant());
    state.piles[2].size = d.constant(1);  // public: how many, not which
    CHECK(evaluator.scalar(size).is_constant());
    d.forget();
    CHECK(d.low(evaluator.scalar(sole)) == 0);
    CHECK(d.promises().empty());
    CHECK(d.known(evaluator.truth(grown)) == false);
    CHECK(d.promises().empty());
}

TEST_CASE("terms: a session says when it stopped undecided", "[terms]") {
    z3::context context;
    Terms d(context);
    Z3Session open(d);
    require_pigeonholes(open, d, 6);
    CHECK(open.possible() == Answer::no);
    Z3Session bounded(d, 2000);
    require_pigeonholes(bounded, d, 12);
    CHECK(bounded.possible() == Answer::unknown);
}

TEST_CASE("terms: what a session was told since `push` goes with `pop`", "[terms]") {
    z3::context context;
    Terms d(context);
    Unknowns unknowns(d);
    const Terms::Int u = unknowns.integer("u", 0, 9);
    const Terms::Bool small = d.less(u, d.constant(5));
    Z3Session session(d);
    session.require(unknowns.conditions());
    CHECK(session.possible(d.negate(small)) == Answer::yes);
    session.push();
    session.require(small);
    CHECK(session.possible(d.negate(small)) == Answer::no);
    CHECK(session.possible(small) == Answer::yes);
    session.pop();
    CHECK(session.possible(d.negate(small)) == Answer::yes);
    CHECK(session.value(u) >= 5);
    CHECK(session.possible(d.truth(false)) == Answer::no);
}
