// The operators: numbers against terms, on random expressions and states; and by hand, one table.
//
// The seed of the random part is Catch's: `--rng-seed N` gives another run.
#include "tests/support/tally.hpp"
#include "tests/unit/interpreter/operators_random.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;
using namespace houserule::by_hand;

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
            const ExpressionId e = generator.rooted(static_cast<Operator>(op));
            CAPTURE(round, written(g, e));
            terms.bounds.resize(static_cast<std::size_t>(g.bounds), {d.constant(-1), d.constant(-1)});
            NumberState copy = numbers;
            copy.bounds.resize(static_cast<std::size_t>(g.bounds), {-1, -1});
            REQUIRE(d.known(agreement(g, e, copy, d, terms)) == true);
            testing::random_samples();
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
    // Where cards are unknown, the best split is one of hundreds: seconds each.
    const auto is_tried = [](std::size_t op, int round) { return static_cast<Operator>(op) != Operator::least_left || round % 12 == 0; };
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
            if (!is_tried(op, round)) continue;
            const ExpressionId e = generator.rooted(static_cast<Operator>(op));
            CAPTURE(round, written(g, e));
            terms.bounds.resize(static_cast<std::size_t>(g.bounds), {d.constant(-1), d.constant(-1)});
            NumberState copy = numbers;
            copy.bounds.resize(static_cast<std::size_t>(g.bounds), {-1, -1});
            const Terms::Bool same = agreement(g, e, copy, d, terms);
            testing::random_samples();
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
        CHECK(evaluated[op] >= (is_tried(op, 1) ? 120 : 10));
    }
}

// ---- by hand -----------------------------------------------------------------------------------------------------------------

namespace {

using Op = Operator;

// Short words for making expressions in the table below.
struct Make {
    Game& g;

    ExpressionId operator()(Op op, Type type, ExpressionId a = no_id, ExpressionId b = no_id, ExpressionId c = no_id,
                            std::int32_t immediate = 0) {
        return emit(g, op, type, a, b, c, immediate);
    }
    ExpressionId operator()(Op op, Type type, ExpressionId a, ExpressionId b, ExpressionId c, Operand named) {
        return emit(g, op, type, a, b, c, named);
    }
    ExpressionId constant(Type t, std::int32_t v) { return (*this)(Op::constant, t, no_id, no_id, no_id, v); }
    ExpressionId n(std::int32_t v) { return constant(number_type(v, v), v); }
    ExpressionId yes() { return constant(truth_type, 1); }
    ExpressionId no() { return constant(truth_type, 0); }
    ExpressionId player(std::int32_t p) { return constant(player_type, p); }
    ExpressionId kind(std::int32_t k) { return constant(kind_type, k); }
    ExpressionId hue(std::int32_t h) { return constant(hue_type, h); }
    ExpressionId fail(Type t) { return (*this)(Op::fail, t); }
    ExpressionId number(Op op, ExpressionId a, ExpressionId b = no_id) { return (*this)(op, small_number, a, b); }
    ExpressionId truth(Op op, ExpressionId a, ExpressionId b = no_id) { return (*this)(op, truth_type, a, b); }
    // Something that is `yes` and breaks a promise.
    ExpressionId bad() { return truth(Op::equal, number(Op::quotient, n(1), n(0)), n(1)); }
    ExpressionId fact(FactId f, ExpressionId index = no_id) {
        return (*this)(g.facts[f].type.base == Base::set ? Op::set_fact : Op::fact, g.facts[f].type, index, no_id, no_id, f);
    }
    ExpressionId var(VariableId v) {
        const Type t = g.variables[v].type;
        return (*this)(t.base == Base::set     ? Op::set_variable
                       : t.base == Base::cards ? Op::cards_variable
                                               : Op::variable,
                       t, no_id, no_id, no_id, v);
    }
    ExpressionId place(ZoneId zone, ExpressionId index = no_id) { return (*this)(Op::place, place_type, index, no_id, no_id, zone); }
    ExpressionId zone(ZoneId z) { return (*this)(Op::cards_at, cards_type, place(z)); }
    ExpressionId zone(ZoneId z, std::int32_t i) { return (*this)(Op::cards_at, cards_type, place(z, constant(player_type, i))); }
    ExpressionId every(ZoneId z) { return (*this)(Op::cards_of, cards_type, players({0, 1, 2}), no_id, no_id, z); }
    ExpressionId family(FamilyId f) { return (*this)(Op::cards_family, cards_type, no_id, no_id, no_id, f); }
    ExpressionId none() { return (*this)(Op::cards_none, cards_type); }
    ExpressionId cards(Op op, ExpressionId a, ExpressionId b = no_id, ExpressionId c = no_id) { return (*this)(op, cards_type, a, b, c); }
    ExpressionId literal(Type t, std::vector<std::int32_t> members) {
        g.sets.push_back(std::move(members));
        return (*this)(Op::set_constant, t, no_id, no_id, no_id, static_cast<std::int32_t>(g.sets.size()) - 1);
    }
    ExpressionId players(std::vector<std::int32_t> members) { return literal(set_type(Base::player), std::move(members)); }
    ExpressionId kinds(std::vector<std::int32_t> members) { return literal(set_type(Base::kind), std::move(members)); }
    ExpressionId set(Op op, ExpressionId a, ExpressionId b = no_id, ExpressionId c = no_id) {
        return (*this)(op, g.expressions[op == Op::set_conditional ? b : a].type, a, b, c);
    }
    ExpressionId lookup(TableId table, ExpressionId index) {
        return (*this)(Op::lookup,
                       table == hue_table     ? hue_type
                       : table == plain_table ? truth_type
                                              : small_number,
                       index, no_id, no_id, table);
    }
    ExpressionId rank(ExpressionId k) { return lookup(rank_table, k); }
    // A comprehension; body(the element as a scalar, or the kind of the card).
    template <class F>
    ExpressionId over(Op op, Type type, ExpressionId source, F body) {
        const BoundId bound = g.bounds++;
        const Type of = g.expressions[source].type;
        const ExpressionId element = (*this)(Op::bound, of.base == Base::cards ? kind_type : element_type(of), no_id, no_id, no_id, bound);
        return (*this)(op, type, source, body(element), no_id, bound);
    }
    template <class F>
    ExpressionId over_cards(Op op, ExpressionId source, F body) {
        return over(op, cards_type, source, body);
    }
    template <class F>
    ExpressionId over_set(Op op, ExpressionId source, F body) {
        return over(op, g.expressions[source].type, source, body);
    }
    // What is left of the first hand when sets of so many cards are taken out.
    template <class F>
    ExpressionId left_after_sets_of(std::int32_t size, F worth) {
        const ExpressionId sum = over(Op::sum_over, small_number, zone(hand, 0), worth);
        return number_of_judged(sum, truth(Op::equal, (*this)(Op::size_of_cards, small_number, var(v_judged)), n(size)));
    }
    ExpressionId number_of_judged(ExpressionId sum, ExpressionId fits) {
        return (*this)(Op::least_left, small_number, sum, fits, no_id, v_judged);
    }
    template <class F>
    ExpressionId grouped(ExpressionId source, std::int32_t size, F key) {
        const BoundId bound = g.bounds++;
        const ExpressionId element = (*this)(Op::bound, kind_type, no_id, no_id, no_id, bound);
        return (*this)(Op::cards_groups, cards_type, source, n(size), key(element), bound);
    }
};

// deck: 4 2 6; hands: 0 0 1 | 2 4 | nothing; rows: 3 6 | nothing | nothing; spots: 4 | 5 | nothing; 7 in no zone.
NumberState table_state(const Game& g) {
    Numbers d;
    NumberState s = initial_state(d, g);
    const std::vector<std::pair<PlaceId, std::vector<KindId>>> layout{{1, {4, 2, 6}}, {2, {0, 0, 1}}, {3, {2, 4}},
                                                                      {5, {3, 6}},    {8, {4}},       {9, {5}}};
    for (const auto& [place, kinds] : layout) {
        for (const KindId kind : kinds) put(g, s, place, kind);
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
                   Set<Numbers>{-2, {false, true, false, false, false, false}},
                   Cards<Numbers>{}};
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
std::string result(const Game& g, ExpressionId e) {
    Numbers n;
    NumberState state = table_state(g);
    Evaluator<Numbers> evaluator(n, g, state);
    std::string text;
    switch (g.expressions[e].type.base) {
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
    for (const ExpressionId broken : n.broken()) text += " !" + name_of(g.expressions[broken].op);
    return text;
}

struct Row {
    Op op;
    std::function<ExpressionId(Make)> make;
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
        {Op::size_of_cards, [](Make m) { return m.number(Op::size_of_cards, m.family(no_id)); }, "13"},
        {Op::size_of_set, [](Make m) { return m.number(Op::size_of_set, m.var(v_players)); }, "2"},
        {Op::sum_over,
         [](Make m) { return m.over(Op::sum_over, small_number, m.zone(hand, 0), [&](ExpressionId k) { return m.rank(k); }); }, "0"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.fact(f_numbers), [&](ExpressionId x) { return x; }); },
         "1"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.none(), [&](ExpressionId k) { return m.rank(k); }); }, "0"},
        {Op::sum_over, [](Make m) { return m.over(Op::sum_over, small_number, m.zone(row, 0), [&](ExpressionId k) { return m.rank(k); }); },
         "2 !lookup"},
        {Op::largest_over,
         [](Make m) { return m.over(Op::largest_over, small_number, m.zone(hand, 1), [&](ExpressionId k) { return m.rank(k); }); }, "4"},
        {Op::largest_over,
         [](Make m) { return m.over(Op::largest_over, small_number, m.none(), [&](ExpressionId k) { return m.rank(k); }); },
         "0 !largest_over"},
        {Op::largest_over,
         [](Make m) { return m.over(Op::largest_over, small_number, m.var(v_numbers), [&](ExpressionId x) { return x; }); }, "-1"},
        {Op::smallest_over,
         [](Make m) { return m.over(Op::smallest_over, small_number, m.zone(hand, 1), [&](ExpressionId k) { return m.rank(k); }); }, "-1"},
        {Op::smallest_over,
         [](Make m) { return m.over(Op::smallest_over, small_number, m.players({}), [&](ExpressionId p) { return p; }); },
         "0 !smallest_over"},
        {Op::exists,
         [](Make m) {
             return m.over(Op::exists, truth_type, m.zone(hand, 0), [&](ExpressionId k) { return m.truth(Op::equal, m.rank(k), m.n(2)); });
         },
         "yes"},
        {Op::exists,
         [](Make m) {
             return m.over(Op::exists, truth_type, m.zone(hand, 0), [&](ExpressionId k) { return m.truth(Op::equal, m.rank(k), m.n(3)); });
         },
         "no"},
        {Op::exists, [](Make m) { return m.over(Op::exists, truth_type, m.zone(hand, 2), [&](ExpressionId) { return m.bad(); }); }, "no"},
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
        {Op::first_cards, [](Make m) { return m.cards(Op::first_cards, m.place(deck), m.n(2)); }, "1*2@1 1*4@1"},
        {Op::first_cards, [](Make m) { return m.cards(Op::first_cards, m.place(row, m.player(0)), m.n(1)); }, "1*3@5"},
        {Op::first_cards, [](Make m) { return m.cards(Op::first_cards, m.place(deck), m.n(0)); }, "nothing"},
        {Op::first_cards, [](Make m) { return m.cards(Op::first_cards, m.place(row, m.player(1)), m.n(1)); }, "nothing !first_cards"},
        {Op::last_cards, [](Make m) { return m.cards(Op::last_cards, m.place(deck), m.n(2)); }, "1*2@1 1*6@1"},
        {Op::last_cards, [](Make m) { return m.cards(Op::last_cards, m.place(deck), m.n(4)); }, "1*2@1 1*4@1 1*6@1 !last_cards"},
        {Op::last_cards, [](Make m) { return m.cards(Op::last_cards, m.place(deck), m.n(-1)); }, "nothing !last_cards"},
        {Op::least_left, [](Make m) { return m.left_after_sets_of(2, [&](ExpressionId) { return m.n(1); }); }, "1"},
        {Op::least_left, [](Make m) { return m.left_after_sets_of(2, [&](ExpressionId k) { return m.rank(k); }); }, "-1"},
        {Op::least_left, [](Make m) { return m.left_after_sets_of(3, [&](ExpressionId) { return m.n(5); }); }, "0"},
        {Op::least_left, [](Make m) { return m.left_after_sets_of(4, [&](ExpressionId) { return m.n(5); }); }, "15"},
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
                            m.cards(Op::cards_minus, m.zone(deck), m.over_cards(Op::cards_where, m.zone(deck), [&](ExpressionId k) {
                                return m.truth(Op::equal, k, m.kind(6));
                            })));
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
        {Op::cards_family, [](Make m) { return m.family(FamilyId(1)); }, "1*7@0 1*6@1 1*6@5 1*5@9"},
        {Op::cards_unplaced, [](Make m) { return m(Op::cards_unplaced, cards_type, no_id, no_id, no_id, -1); }, "1*7@0"},
        {Op::cards_unplaced, [](Make m) { return m(Op::cards_unplaced, cards_type, no_id, no_id, no_id, 0); }, "nothing"},
        {Op::cards_variable, [](Make m) { return m.var(v_cards); }, "1*0@2 1*2@3"},
        {Op::cards_single, [](Make m) { return m.cards(Op::cards_single, m.var(v_card)); }, "1*2@3"},
        {Op::cards_single, [](Make m) { return m.cards(Op::cards_single, m(Op::the_card, card_type, m.none())); }, "nothing !the_card"},
        {Op::cards_none, [](Make m) { return m.none(); }, "nothing"},
        {Op::cards_join, [](Make m) { return m.cards(Op::cards_join, m.zone(hand, 1), m.zone(deck)); }, "1*2@1 1*4@1 1*6@1 1*2@3 1*4@3"},
        {Op::cards_join, [](Make m) { return m.cards(Op::cards_join, m.var(v_cards), m.zone(hand, 0)); }, "2*0@2 1*1@2 1*2@3"},
        {Op::cards_join, [](Make m) { return m.cards(Op::cards_join, m.var(v_cards), m.var(v_cards)); }, "2*0@2 1*2@3"},
        {Op::cards_minus, [](Make m) { return m.cards(Op::cards_minus, m.zone(hand, 0), m.var(v_cards)); }, "1*0@2 1*1@2"},
        {Op::cards_minus, [](Make m) { return m.cards(Op::cards_minus, m.var(v_cards), m.zone(hand, 0)); }, "1*2@3"},
        {Op::cards_where,
         [](Make m) {
             return m.over_cards(Op::cards_where, m.zone(hand, 0), [&](ExpressionId k) { return m.truth(Op::equal, m.rank(k), m.n(-1)); });
         },
         "2*0@2"},
        {Op::cards_where,
         [](Make m) {
             return m.over_cards(Op::cards_where, m.every(hand), [&](ExpressionId k) { return m.truth(Op::equal, m.rank(k), m.n(2)); });
         },
         "1*1@2"},
        {Op::cards_most,
         [](Make m) {
             return m.over_cards(Op::cards_most, m.every(hand), [&](ExpressionId k) { return m.number(Op::smaller, m.rank(k), m.n(2)); });
         },
         "1*1@2 1*4@3"},
        {Op::cards_most, [](Make m) { return m.over_cards(Op::cards_most, m.none(), [&](ExpressionId k) { return m.rank(k); }); },
         "nothing"},
        {Op::cards_least, [](Make m) { return m.over_cards(Op::cards_least, m.every(hand), [&](ExpressionId k) { return m.rank(k); }); },
         "2*0@2 1*2@3"},
        {Op::cards_or_if_none, [](Make m) { return m.cards(Op::cards_or_if_none, m.zone(spot, 0), m.zone(hand, -1)); }, "1*4@8"},
        {Op::cards_or_if_none, [](Make m) { return m.cards(Op::cards_or_if_none, m.zone(spot, 2), m.zone(spot, 1)); }, "1*5@9"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.zone(hand, 0), m.n(2)); }, "2*0@2"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.family(FamilyId(0)), m.n(2)); },
         "1*2@1 1*4@1 2*0@2 1*2@3 1*4@3 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.cards(Op::cards_groups, m.zone(hand, 0), m.n(0)); }, "2*0@2 1*1@2 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](ExpressionId k) { return m.rank(k); }); },
         "2*0@2 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](ExpressionId k) { return m.lookup(hue_table, k); }); },
         "2*0@2 1*1@2 1*4@3"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.every(hand), 2, [&](ExpressionId) { return m.n(1); }); },
         "2*0@2 1*1@2 1*2@3 !cards_groups"},
        {Op::cards_groups, [](Make m) { return m.grouped(m.family(FamilyId(0)), 5, [&](ExpressionId) { return m.n(1); }); },
         "1*2@1 2*0@2 1*1@2 1*2@3 !cards_groups"},
        {Op::cards_groups,
         [](Make m) { return m.grouped(m.family(FamilyId(0)), 2, [&](ExpressionId k) { return m.truth(Op::less, m.rank(k), m.n(4)); }); },
         "1*2@1 1*4@1 2*0@2 1*1@2 1*2@3 1*4@3 1*3@5 !cards_groups"},
        {Op::cards_any,
         [](Make m) {
             return m.cards(
                 Op::cards_any,
                 m.over_cards(Op::cards_where, m.family(no_id), [&](ExpressionId k) { return m.truth(Op::equal, k, m.kind(4)); }), m.n(2));
         },
         "1*4@1 1*4@3 !cards_any"},
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
        {Op::set_lookup,
         [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, EnumId(0)), m.kind(6), no_id, no_id, covers_table); }, "{0 1}"},
        {Op::set_lookup,
         [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, EnumId(0)), m.kind(-1), no_id, no_id, covers_table); },
         "{} !set_lookup"},
        {Op::set_lookup,
         [](Make m) { return m(Op::set_lookup, set_type(Base::enumeration, EnumId(0)), m.kind(0), no_id, no_id, covers_table); },
         "{} !set_lookup"},
        {Op::set_join, [](Make m) { return m.set(Op::set_join, m.players({0}), m.var(v_players)); }, "{0 1 2}"},
        {Op::set_join, [](Make m) { return m.set(Op::set_join, m.literal(set_type(Base::nothing), {}), m.var(v_players)); }, "{1 2}"},
        {Op::set_minus, [](Make m) { return m.set(Op::set_minus, m.fact(f_players), m.var(v_players)); }, "{0}"},
        {Op::set_where,
         [](Make m) {
             return m.over_set(Op::set_where, m.players({0, 1, 2}), [&](ExpressionId p) { return m.fact(f_truth, p); });
         },
         "{0}"},
        {Op::set_where,
         [](Make m) {
             return m.over_set(Op::set_where, m.players({1, 2}),
                               [&](ExpressionId p) { return m.truth(Op::equal, m.fact(f_kind, p), m.kind(-1)); });
         },
         "{1 2}"},
        {Op::set_most,
         [](Make m) {
             return m.over_set(Op::set_most, m.kinds({0, 1, 2}), [&](ExpressionId k) { return m.rank(k); });
         },
         "{1}"},
        {Op::set_most, [](Make m) { return m.over_set(Op::set_most, m.kinds({}), [&](ExpressionId k) { return m.rank(k); }); }, "{}"},
        {Op::set_least,
         [](Make m) {
             return m.over_set(Op::set_least, m.kinds({0, 1, 6}), [&](ExpressionId k) { return m.rank(k); });
         },
         "{0 6} !lookup"},
        {Op::set_least,
         [](Make m) {
             return m.over_set(Op::set_least, m.kinds({0, 1, 2}), [&](ExpressionId k) { return m.rank(k); });
         },
         "{0 2}"},
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
        const ExpressionId e = row.make(Make{g});
        INFO(written(g, e));
        REQUIRE(g.expressions[e].op == row.op);
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
        std::vector<ExpressionId> roots;
        for (const Row& row : table()) roots.push_back(row.make(Make{g}));
        PlainState<Terms> known = Lifted(d, g, r, 0).state(table_state(g));
        Lifted lifted(d, g, r, 1);
        PlainState<Terms> unknown = lifted.state(table_state(g));
        Z3Session session(d);
        lifted.require(session);
        REQUIRE(session.possible() == Answer::yes);
        for (const ExpressionId e : roots) {
            INFO(written(g, e));
            CHECK(d.known(agreement(g, e, table_state(g), d, known)) == true);
            CHECK(session.possible(d.negate(agreement(g, e, table_state(g), d, unknown))) == Answer::no);
        }
    }
}

TEST_CASE("numbers: a promise that nobody reads is not broken", "[operators]") {
    Numbers n;
    n.guarded(true, [&] {
        n.promise(true, ExpressionId(1));
        n.promise(false, ExpressionId(2));
        n.guarded(false, [&] { n.promise(false, ExpressionId(3)); });
        n.promise(false, ExpressionId(4));
    });
    CHECK(n.broken() == std::vector{ExpressionId(2), ExpressionId(4)});
    n.forget();
    CHECK(n.broken().empty());
}

TEST_CASE("operators: what is known folds away", "[operators]") {
    z3::context context;
    Terms d(context);
    Game g = small_game(3);
    Unknowns unknowns(d);
    PlainState<Terms> state = empty_state(d, g);
    for (std::size_t k = 0; k < g.kinds.size(); ++k) state.piles[2].counts[k] = unknowns.integer("n" + std::to_string(k), 0, 1);
    Make m{g};
    const ExpressionId size = m.number(Op::size_of_cards, m.zone(hand, 0));
    const ExpressionId sole = m(Op::kind_of, kind_type, m(Op::the_card, card_type, m.zone(hand, 0)));
    const ExpressionId grown = m.truth(Op::less, m.number(Op::add, m.rank(m.var(v_kind)), m.n(5)), m.n(4));
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
