// What tests of operators need: a small game made in code, random expressions of every operator, random states, and the formula
// that says when terms and numbers agree.
#pragma once

#include "dsl/meaning/numbers.hpp"
#include "dsl/meaning/operators.hpp"
#include "solver/terms/terms.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule::by_hand {

inline constexpr std::array operator_names{
#define HOUSERULE_OPERATOR(name, immediate) #name,
#include "dsl/game/operators.def"
#undef HOUSERULE_OPERATOR
};
inline constexpr std::size_t operator_count = operator_names.size();

inline std::string name_of(Operator op) { return operator_names[static_cast<std::size_t>(op)]; }
// ---- a game in code ----------------------------------------------------------------------------------------------------------

inline Type scalar_type(Base base, Operand of = no_id) { return {base, Base::nothing, of, 0, 0, 1, false}; }
inline Type number_type(std::int32_t low, std::int32_t high) { return {Base::number, Base::nothing, no_id, low, high, 1, false}; }
inline Type or_none(Type t) {
    t.or_none = true;
    return t;
}
inline Type set_type(Base element, Operand of = no_id) { return {Base::set, element, of, 0, 0, 1, false}; }
inline const Type truth_type = scalar_type(Base::truth), player_type = scalar_type(Base::player), kind_type = scalar_type(Base::kind);
inline const Type card_type = scalar_type(Base::card), cards_type = scalar_type(Base::cards), place_type = scalar_type(Base::place);
inline const Type hue_type = scalar_type(Base::enumeration, EnumId(0)), size_type = scalar_type(Base::enumeration, EnumId(1));
inline const Type small_number = number_type(0, 5), number_set{Base::set, Base::number, no_id, -2, 3, 1, false};

inline Type element_type(const Type& set) {
    return set.element == Base::number ? number_type(set.low, set.high) : scalar_type(set.element, set.of);
}

inline constexpr TableId hue_table{0}, rank_table{1}, plain_table{2}, covers_table{3}, partner_table{4};
// Places: 1 deck; 2-4 hand, 5-7 row and 8-10 spot of a player; 11-12 heap of a size; 13 chest.
inline constexpr ZoneId deck{0}, hand{1}, row{2}, spot{3}, heap{4}, chest{5};
inline constexpr FactId f_truth{0}, f_number{1}, f_signed{2}, f_hue{3}, f_player{4}, f_kind{5}, f_players{6}, f_hues{7}, f_kinds{8},
    f_numbers{9};
inline constexpr VariableId v_truth{0}, v_number{1}, v_hue{2}, v_size{3}, v_player{4}, v_kind{5}, v_card{6}, v_cards{7}, v_players{8},
    v_hues{9}, v_sizes{10}, v_kinds{11}, v_numbers{12}, v_judged{13};  // the last one is for sets that a condition judges

inline ExpressionId emit(Game& g, Operator op, Type type, ExpressionId a = no_id, ExpressionId b = no_id, ExpressionId c = no_id,
                         std::int32_t immediate = 0) {
    return g.expressions.add({op, type, a, b, c, immediate, {}});
}
inline ExpressionId emit(Game& g, Operator op, Type type, ExpressionId a, ExpressionId b, ExpressionId c, Operand named) {
    return emit(g, op, type, a, b, c, named.value());
}

inline void add_zone(Game& g, IndexBy by, Shape shape, std::int32_t places) {
    Zone z;
    z.by = by;
    z.index_enum = by == IndexBy::enumeration ? EnumId(1) : no_id;
    z.shape = shape;
    z.first_place = g.places;
    z.places = places;
    z.capacity = shape == Shape::one ? 1 : 20;
    g.places += places;
    g.zones.push_back(z);
}

inline void add_fact(Game& g, IndexBy by, Type type, ExpressionId initial) {
    Fact f;
    f.by = by;
    f.index_enum = by == IndexBy::enumeration ? EnumId(1) : no_id;
    f.count = by == IndexBy::player ? g.players : by == IndexBy::enumeration ? 2 : 1;
    f.type = type;
    f.initial = initial;
    g.facts.push_back(f);
}

// Eight kinds in two families: tiles 0-4 with a hue, a rank and a truth; signs 5-7, which cover a set of hues.
inline Game small_game(std::int32_t players) {
    Game g;
    g.players = players;
    g.enums = {{"hue", {"r", "g", "b"}}, {"size", {"s", "l"}}};
    g.families = {{"tile", {}, 0, 5, {}}, {"sign", {}, 5, 3, {}}};
    const std::array<std::int32_t, 8> copies{2, 1, 2, 1, 3, 1, 2, 1};
    for (std::size_t k = 0; k < copies.size(); ++k) g.kinds.push_back({"", {}, FamilyId(k < 5 ? 0 : 1), copies[k], 0});
    g.sets = {{}, {0, 1}, {2}, {0, 2}, {1}, {0, 3, 6}, {-2, 0, 3}};
    constexpr std::int32_t no = unset_value;
    g.tables = {{0, 1, 2, 0, 1, no, no, no}, {-1, 2, -1, 3, 4, no, no, no}, {1, 0, 0, 1, 0, no, no, no}, {no, no, no, no, no, 0, 1, 2}, {}};
    for (std::int32_t p = 0; p < players; ++p) g.tables[partner_table].push_back(p == 0 ? unset_value : p - 1);
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
    add_fact(g, IndexBy::enumeration, set_type(Base::enumeration, EnumId(0)), no_id);
    add_fact(g, IndexBy::player, set_type(Base::kind), emit(g, Operator::set_constant, set_type(Base::kind), no_id, no_id, no_id, 5));
    add_fact(g, IndexBy::nothing, number_set, no_id);
    for (const Type& t : {truth_type, number_type(-2, 7), hue_type, size_type, or_none(player_type), or_none(kind_type), card_type,
                          cards_type, set_type(Base::player), set_type(Base::enumeration, EnumId(0)),
                          set_type(Base::enumeration, EnumId(1)), set_type(Base::kind), number_set, cards_type}) {
        g.variables.push_back({"", t, no_id});
    }
    return g;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    // A number of low..high; by remainder, so that it is the same everywhere.
    Value number(Value low, Value high) { return low + static_cast<Value>(engine_() % static_cast<std::uint64_t>(high - low + 1)); }
    bool one_in(Value n) { return number(1, n) == 1; }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[number(0, static_cast<Value>(list.size()) - 1)];
    }

private:
    std::mt19937_64 engine_;
};

// ---- random expressions ------------------------------------------------------------------------------------------------------

class Generator {
public:
    Generator(Game& game, Random& random) : g(game), r(random) {}

    // A well-typed expression with the operator at its root; `bound` stands within a comprehension.
    ExpressionId rooted(Operator op) {
        if (op != Operator::bound) return make(op, r.of(results(op)), 2);
        const Type t = r.of(std::vector<Type>{set_type(Base::player), set_type(Base::kind), cards_type});
        return comprehension(t == cards_type ? Operator::cards_where : Operator::set_where, t, t, truth_type, 2);
    }
    std::array<int, operator_count> made{};

private:
    ExpressionId out(Operator op, Type type, ExpressionId a = no_id, ExpressionId b = no_id, ExpressionId c = no_id, Value immediate = 0) {
        ++made[static_cast<std::size_t>(op)];
        return emit(g, op, type, a, b, c, static_cast<std::int32_t>(immediate));
    }
    ExpressionId out(Operator op, Type type, ExpressionId a, ExpressionId b, ExpressionId c, Operand named) {
        return out(op, type, a, b, c, named.value());
    }

    static std::vector<Type> scalars() { return {truth_type, small_number, hue_type, size_type, player_type, kind_type}; }
    static std::vector<Type> sets() {
        return {set_type(Base::player), set_type(Base::enumeration, EnumId(0)), set_type(Base::enumeration, EnumId(1)),
                set_type(Base::kind), number_set};
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
                return {set_type(Base::enumeration, EnumId(0))};
            case Operator::set_fact:
                return {set_type(Base::player), set_type(Base::enumeration, EnumId(0)), set_type(Base::kind), number_set};
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

    ExpressionId any(const Type& t, int depth) {
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
    ExpressionId leaf(const Type& t) {
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
    ExpressionId variable(const Type& t) {
        const Operator op = t.base == Base::cards ? Operator::cards_variable
                            : t.base == Base::set ? Operator::set_variable
                                                  : Operator::variable;
        for (const VariableId v : g.variables.ids()) {
            if (same_sort(g.variables[v].type, t)) return out(op, t, no_id, no_id, no_id, v);
        }
        FAIL("no variable of the type");
        return no_id;
    }
    ExpressionId bound_or_variable(const Type& t) {
        for (auto b = scope.rbegin(); b != scope.rend(); ++b) {
            const bool card_as_kind = b->second == card_type && t.base == Base::kind;
            if (card_as_kind || same_sort(b->second, t)) return out(Operator::bound, t, no_id, no_id, no_id, b->first);
        }
        return variable(t);
    }
    ExpressionId place(bool ordered, int depth) {
        if (depth > 0 && r.one_in(3))
            return out(Operator::conditional, place_type, any(truth_type, depth - 1), place(ordered, depth - 1), place(ordered, 0));
        const ZoneId zone =
            r.of(ordered ? std::vector<ZoneId>{deck, row, heap} : std::vector<ZoneId>{deck, hand, hand, row, spot, heap, chest});
        return out(Operator::place, place_type, index(g.zones[zone].by, depth), no_id, no_id, zone);
    }
    ExpressionId index(IndexBy by, int depth) {
        if (by == IndexBy::nothing) return no_id;
        return any(by == IndexBy::player ? player_type : size_type, depth - 1);
    }
    ExpressionId fact(Operator op, const Type& t, int depth) {
        std::vector<FactId> fitting;
        for (const FactId f : g.facts.ids()) {
            if (same_sort(g.facts[f].type, t)) fitting.push_back(f);
        }
        if (fitting.empty()) return variable(t);
        const FactId f = r.of(fitting);
        return out(op, t, index(g.facts[f].by, depth), no_id, no_id, f);
    }
    // over: the type of what it goes over.
    ExpressionId comprehension(Operator op, const Type& result, const Type& over, const Type& body_type, int depth) {
        const ExpressionId source = any(over, depth - 1);
        const BoundId bound = g.bounds++;
        scope.emplace_back(bound, over.base == Base::cards ? card_type : element_type(over));
        const ExpressionId body = any(body_type, depth - 1);
        scope.pop_back();
        return out(op, result, source, body, no_id, bound);
    }
    Type key_type() { return r.of(std::vector<Type>{small_number, truth_type, hue_type}); }
    Type source_type() { return r.one_in(2) ? cards_type : r.of(sets()); }
    ExpressionId groups(int depth) {
        const ExpressionId source = any(cards_type, depth - 1);
        const ExpressionId size =
            r.one_in(4) ? any(small_number, depth - 1) : out(Operator::constant, small_number, no_id, no_id, no_id, r.number(1, 3));
        if (r.one_in(2)) return out(Operator::cards_groups, cards_type, source, size);
        const BoundId bound = g.bounds++;
        scope.emplace_back(bound, card_type);
        const ExpressionId key = any(key_type(), depth - 1);
        scope.pop_back();
        return out(Operator::cards_groups, cards_type, source, size, key, bound);
    }

    ExpressionId least_left(const Type& t, int depth) {
        const ExpressionId at = out(Operator::place, place_type, make(Operator::constant, player_type, 0), no_id, no_id, spot);
        const BoundId bound = g.bounds++;
        scope.emplace_back(bound, card_type);
        const ExpressionId worth = any(small_number, depth - 1);
        scope.pop_back();
        const ExpressionId sum = out(Operator::sum_over, small_number, out(Operator::cards_at, cards_type, at), worth, no_id, bound);
        const ExpressionId judged = out(Operator::cards_variable, cards_type, no_id, no_id, no_id, v_judged);
        return out(Operator::least_left, t, sum, out(Operator::has_kind, truth_type, judged, any(kind_type, depth - 1)), no_id, v_judged);
    }
    ExpressionId make(Operator op, const Type& t, int depth) {
        const auto of = [&](const Type& type) { return any(type, depth - 1); };
        const auto scalar = [&] { return r.of(scalars()); };
        switch (op) {
            case Operator::constant: {
                if (t.base == Base::card) return variable(t);
                const auto [low, high] = range_with_none(g, t);
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
            case Operator::first_cards:
            case Operator::last_cards:
                return out(op, t, place(true, depth), make(Operator::constant, number_type(0, 2), 0));
            case Operator::least_left:
                return least_left(t, depth);
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
                const ZoneId zone = r.of(std::vector<ZoneId>{hand, row, spot, heap});
                const bool player = g.zones[zone].by == IndexBy::player;
                return out(op, t, of(player ? set_type(Base::player) : set_type(Base::enumeration, EnumId(1))), no_id, no_id, zone);
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
                const std::map<Base, std::vector<std::int32_t>> rows{
                    {Base::player, {0, 1, 2, 3}}, {Base::kind, {0, 4, 5}}, {Base::number, {0, 1, 6}}};
                const auto found = rows.find(t.element);
                return out(op, t, no_id, no_id, no_id,
                           found != rows.end() ? r.of(found->second)
                           : t.of == EnumId(0) ? r.number(0, 4)
                                               : r.of(std::vector<std::int32_t>{0, 1, 4}));
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
    std::vector<std::pair<BoundId, Type>> scope;  // the comprehensions around us
};

// ---- states ------------------------------------------------------------------------------------------------------------------

using NumberState = PlainState<Numbers>;

inline bool has_order(const Game& g, PlaceId place) {
    return std::any_of(g.zones.begin(), g.zones.end(), [&](const Zone& z) {
        const bool ordered = z.shape == Shape::row || z.shape == Shape::stack;
        return ordered && z.first_place <= place && place < z.first_place + z.places;
    });
}

inline void put(const Game& g, NumberState& s, PlaceId place, KindId kind) {
    --s.piles[0].counts[kind];
    Pile<Numbers>& pile = s.piles[place];
    ++pile.counts[kind];
    if (has_order(g, place)) pile.order.push_back(kind);
}

inline Content<Numbers> random_content(const Game& g, Random& r, const NumberState& s, const Type& t) {
    Numbers d;
    if (t.base == Base::set) {
        Set<Numbers> set = collections::empty_set(d, elements_of(g, t));
        for (std::size_t i = 0; i < set.has.size(); ++i) set.has[i] = r.one_in(2);
        return set;
    }
    Cards<Numbers> cards;
    for (PlaceId p = 0; p < g.places; ++p) {
        for (KindId k = 0; k < KindId(g.kinds.size()); ++k) {
            const Value there = s.piles[p].counts[k];
            if (there > 0 && r.one_in(2)) collections::add_copies(d, cards, p, k, r.number(0, there));
        }
    }
    if (t.base == Base::cards) return cards;
    if (t.base == Base::card) {
        if (cards.copies.empty() || r.one_in(8)) return Card<Numbers>{-1, -1};
        const Copies<Numbers>& c = r.of(cards.copies);
        return Card<Numbers>{c.kind, c.place};
    }
    const auto [low, high] = range_with_none(g, t);
    return r.number(low, high);
}

inline NumberState random_state(const Game& g, Random& r) {
    Numbers d;
    NumberState s = initial_state(d, g);
    for (KindId k = 0; k < KindId(g.kinds.size()); ++k) {
        for (int copy = 0; copy < g.kinds[k].copies; ++copy) {
            if (const PlaceId place = PlaceId(r.number(0, g.places - 1)); place > 0) put(g, s, place, k);
        }
    }
    for (Pile<Numbers>& pile : s.piles) {
        for (std::size_t i = 1; i < pile.order.size(); ++i) std::swap(pile.order[i], pile.order[r.number(0, static_cast<Value>(i))]);
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
        const Terms::Bool u = unknowns.truth(name());
        pins.push_back(b ? u : d.negate(u));
        return u;
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
            collections::add_copies(d, result, x.place, x.kind, number(x.count, 0, g.kinds[x.kind].copies));
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
        const auto [low, high] = range_with_none(g, t);
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

inline const std::vector<TermLimits> all_limits{{}, {1, 1}, {6, 24}};  // as cases, as bit-vectors, a mixture

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
        std::map<std::pair<PlaceId, KindId>, Value> expected;
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
    void promises(const std::vector<ExpressionId>& broken) {
        std::map<ExpressionId, std::vector<Terms::Bool>> of;
        for (const ExpressionId id : broken) of[id];
        for (const Terms::Promise& p : d.promises()) of[p.expression].push_back(p.holds);
        for (const auto& [id, all] : of) equal(d.all(all), std::find(broken.begin(), broken.end(), id) == broken.end());
    }
    Terms::Bool all() const { return d.all(parts); }

private:
    Terms& d;
    std::vector<Terms::Bool> parts;
};

inline Terms::Bool agreement(const Game& g, ExpressionId e, NumberState numbers, Terms& d, PlainState<Terms>& terms) {
    Numbers n;
    d.forget();
    Evaluator<Numbers> by_numbers(n, g, numbers);
    Evaluator<Terms> by_terms(d, g, terms);
    Agreement same(d);
    switch (g.expressions[e].type.base) {
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

inline std::string written(const Game& g, ExpressionId e) {
    if (e == no_id) return "";
    const Expression& x = g.expressions[e];
    std::string text = name_of(x.op) + "#" + std::to_string(x.immediate);
    for (const ExpressionId operand : {x.a, x.b, x.c}) {
        if (operand != no_id) text += " " + written(g, operand);
    }
    return "(" + text + ")";
}

}  // namespace houserule::by_hand
