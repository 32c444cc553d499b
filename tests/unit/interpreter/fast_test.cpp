// The fast form of the operators (interpreter/engine/expressions.hpp) against the plain one (dsl/meaning/operators.hpp over numbers), at
// nodes of random games.
//
// Each closed expression of the checked game, whether or not the rules would read it there, has the same value or breaks a promise
// in both forms, and then `may_break` says so. The seeds come from the names of the variants.
#include "dsl/game/parts.hpp"
#include "dsl/meaning/numbers.hpp"
#include "dsl/meaning/operators.hpp"
#include "interpreter/engine/expression_parts.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

constexpr std::int32_t no_value = std::numeric_limits<std::int32_t>::min();
constexpr int nodes_a_machine = 20;
constexpr int nodes_a_machine_when_long = 800;

// ---- from a run to a plain state ---------------------------------------------------------------------------------------------

Set<Numbers> plain_set(Numbers& d, const Game& game, const Type& type, const std::vector<std::int32_t>& elements) {
    Set<Numbers> set = collections::empty_set(d, elements_of(game, type));
    for (const std::int32_t e : elements) set.has.at(static_cast<std::size_t>(e - set.first)) = true;
    return set;
}

Card<Numbers> plain_card(const TableView& run, std::int32_t piece) {
    if (piece < 0) return {-1, -1};
    return {run.machine().game.piece_kind[piece], run.place_of(piece)};
}

Cards<Numbers> plain_cards(const TableView& run, const std::vector<std::int32_t>& pieces) {
    std::map<std::pair<PlaceId, KindId>, Value> counts;
    for (const std::int32_t p : pieces) ++counts[{run.place_of(p), run.machine().game.piece_kind[p]}];
    Cards<Numbers> cards;
    for (const auto& [key, count] : counts) cards.copies.push_back({key.first, key.second, count});
    return cards;
}

// The kinds from the bottom on; -1 for cards of a part that are not alike.
std::vector<Value> order_at(const TableView& run, PlaceId place) {
    const std::vector<KindId> kinds = run.kinds_at(place);
    std::vector<Value> order;
    for (const std::int32_t size : run.parts(place)) {
        const auto part = std::span(kinds).subspan(order.size(), static_cast<std::size_t>(size));
        const bool alike = std::all_of(part.begin(), part.end(), [&](KindId k) { return k == part.front(); });
        for (const KindId k : part) order.push_back(alike ? Value{k} : -1);
    }
    return order;
}

void bring_piles(const TableView& run, PlainState<Numbers>& state) {
    const Machine& m = run.machine();
    for (PlaceId place = 0; place < m.game.places; ++place) {
        Pile<Numbers>& pile = state.piles[place];
        const std::vector<KindId> kinds = run.kinds_at(place);
        pile.counts.assign(m.game.kinds.size(), 0);
        for (const KindId k : kinds) ++pile.counts[k];
        const Shape shape = place == 0 ? Shape::set : m.game.zones[m.place_zone[place]].shape;
        if (shape == Shape::row || shape == Shape::stack) pile.order = order_at(run, place);
        pile.size = static_cast<Value>(kinds.size());
    }
}

void bring_facts(Numbers& d, const TableView& run, PlainState<Numbers>& state) {
    const Game& game = run.machine().game;
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            FactSlot<Numbers>& slot = state.facts[f][i];
            if (fact.type.base == Base::set) {
                slot = {true, plain_set(d, game, fact.type, run.fact_set(f, i))};
            } else {
                slot = {run.fact(f, i) != no_value, Value{run.fact(f, i)}};
            }
        }
    }
}

void bring_variables(Numbers& d, const TableView& run, PlainState<Numbers>& state) {
    const Game& game = run.machine().game;
    for (const VariableId v : game.variables.ids()) {
        const Type& type = game.variables[v].type;
        Content<Numbers>& content = state.variables[v];
        if (type.base == Base::set)
            content = plain_set(d, game, type, run.variable_set(v));
        else if (type.base == Base::cards)
            content = plain_cards(run, run.variable_set(v));
        else if (type.base == Base::card)
            content = plain_card(run, run.variable(v));
        else
            content = Value{run.variable(v)};
    }
}

PlainState<Numbers> plain_state(Numbers& d, const TableView& run) {
    PlainState<Numbers> state = empty_state(d, run.machine().game);
    bring_piles(run, state);
    bring_facts(d, run, state);
    bring_variables(d, run, state);
    return state;
}

// ---- which expressions can be read -------------------------------------------------------------------------------------------

// Reads no element that a comprehension around it stands at, and no name that has no value.
bool can_be_read(const TableView& run, ExpressionId id, std::set<BoundId>& bound) {
    if (id == no_id) return true;
    const Game& game = run.machine().game;
    const Expression& e = game.expressions[id];
    if (e.op == Operator::bound) return bound.contains(e.bound());
    if (e.op == Operator::variable) {
        const Type& type = game.variables[e.named()].type;
        const std::int32_t value = run.variable(e.named());
        return (type.base == Base::number && value >= type.low && value <= type.high) || (type.base != Base::number && value >= 0) ||
               is_none(type, value);
    }
    if (!binds(e.op)) return can_be_read(run, e.a, bound) && can_be_read(run, e.b, bound) && can_be_read(run, e.c, bound);
    if (!can_be_read(run, e.a, bound)) return false;
    const bool fresh = bound.insert(e.bound()).second;
    const bool body = can_be_read(run, e.b, bound) && can_be_read(run, e.c, bound);
    if (fresh) bound.erase(e.bound());
    return body;
}

// ---- one value in both forms, as text ----------------------------------------------------------------------------------------

const std::string broken = "a broken promise";

std::string fast_value(Run& run, ExpressionId id) {
    const Game& game = run.machine().game;
    const Type& type = game.expressions[id].type;
    if (is_of_many(type)) {
        const auto elements = run.elements(id);
        if (!elements) return broken;
        if (type.base == Base::set) return fmt::format("{}", fmt::join(*elements, " "));
        std::map<std::pair<PlaceId, KindId>, int> counts;
        for (const std::int32_t p : *elements) ++counts[{run.place_of(p), game.piece_kind[p]}];
        std::string text;
        for (const auto& [key, count] : counts) text += fmt::format("{}/{}x{} ", key.first, key.second, count);
        return text;
    }
    const std::int32_t value = run.scalar(id);
    if (value == no_value) return broken;
    if (type.base != Base::card || value < 0) return std::to_string(value);
    return fmt::format("{}/{}", run.place_of(value), game.piece_kind[value]);
}

std::string plain_value(Numbers& d, const Game& game, PlainState<Numbers>& state, ExpressionId id) {
    d.forget();
    Evaluator<Numbers> evaluate(d, game, state);
    std::string text;
    switch (game.expressions[id].type.base) {
        case Base::cards:
            for (const auto& c : evaluate.cards(id).copies)
                if (c.count > 0) text += fmt::format("{}/{}x{} ", c.place, c.kind, c.count);
            break;
        case Base::set: {
            const Set<Numbers> set = evaluate.set(id);
            std::vector<Value> elements;
            for (Value e = set.first; e < set.end(); ++e)
                if (set.has[e - set.first]) elements.push_back(e);
            text = fmt::format("{}", fmt::join(elements, " "));
            break;
        }
        case Base::card: {
            const Card<Numbers> card = evaluate.card(id);
            text = card.kind < 0 ? "-1" : fmt::format("{}/{}", card.place, card.kind);
            break;
        }
        case Base::nothing:
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::place:
            text = std::to_string(evaluate.scalar(id));
            break;
    }
    return d.broken().empty() ? text : broken;
}

struct Seen {
    std::set<Operator> operators;
    std::uint64_t values = 0;
    std::uint64_t broken_promises = 0;
};

void compare_all(Run& run, Seen& seen) {
    const Game& game = run.machine().game;
    Numbers d;
    PlainState<Numbers> state = plain_state(d, run);
    std::set<BoundId> bound;
    for (const ExpressionId id : game.expressions.ids()) {
        if (!can_be_read(run, id, bound)) continue;
        const std::string plain = plain_value(d, game, state, id);
        const std::string fast = fast_value(run, id);
        const Expression& e = game.expressions[id];
        if (fast != plain)
            FAIL_CHECK("expression " << id.value() << ", " << operator_name(e.op) << ", bytes " << e.span.begin << "-" << e.span.end
                                     << ": fast " << fast << ", plain " << plain);
        if (plain == broken && !may_break(game, id))
            FAIL_CHECK("expression " << id.value() << ", " << operator_name(e.op) << ", bytes " << e.span.begin << "-" << e.span.end
                                     << ": it breaks a promise, which nothing foresees");
        seen.operators.insert(e.op);
        ++seen.values;
        if (fast == broken) ++seen.broken_promises;
    }
}

void compare_results(const TableView& run, ExpressionId expression, const std::vector<std::int32_t>& fast) {
    if (expression == no_id) return;
    const Game& game = run.machine().game;
    Numbers d;
    PlainState<Numbers> state = plain_state(d, run);
    for (std::int32_t p = 0; p < game.players; ++p) {
        state.bounds[game.score_bound] = {p, -1};
        CHECK(std::to_string(fast[p]) == plain_value(d, game, state, expression));
    }
}

void compare_machine(const std::string& name, const std::shared_ptr<const Machine>& machine, int left, Seen& seen) {
    const auto run = make_run(machine);
    Random random(seed_of(name));
    while (left > 0) {
        run->start();
        play_through(*run, random, [&](const Node& n) {
            if (left > 0 && (n.kind == NodeKind::over || random.below(4) == 0)) {
                --left;
                compare_all(*run, seen);
            }
        });
        compare_results(*run, machine->game.score, run->scores());
        compare_results(*run, machine->game.payoff, run->payoffs());
    }
}

void compare_every_machine(int nodes) {
    Seen seen;
    each_machine([&](const std::string& name, const auto& machine) { compare_machine(name, machine, nodes, seen); });
    CHECK(seen.values > 100'000);
    CHECK(seen.broken_promises > 1'000);
    CHECK(seen.operators.size() >= 50);
}

}  // namespace

TEST_CASE("the fast form of the operators is the plain one", "[fast]") { compare_every_machine(nodes_a_machine); }

TEST_CASE("the fast form of the operators is the plain one on numbers below 0, parts of numbers and none", "[fast]") {
    Seen seen;
    const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/faults/values.rules");
    compare_machine("values", machine_of(rules, {2, {}}), 500, seen);
    CHECK(seen.values > 10'000);
    for (const Operator op : {Operator::set_single, Operator::set_join, Operator::has_element, Operator::set_where, Operator::the_element})
        CHECK(seen.operators.contains(op));
}

// Which cards a condition fits is tabulated ahead, for cards too that do not have what it reads.
TEST_CASE("a run that has begun has broken no promise", "[fast]") {
    const Rules rules =
        parse_rules("two families",
                    {"game g\nplayers 2 in a circle, clockwise\ncards coin { gold yes/no   1 of each }\ncards card { rank 1..2   1 of each "
                     "}\nzone pile set of any card seen by all\nzone purse set of coin seen by all\nsetup { put all cards in pile }\n"
                     "play { put (all coin where its gold) in purse }\nwinner = {P1}, then shared\n"});
    const auto run = make_run(machine_of(rules, {2, {}}));
    CHECK(run->failure().kind == FailureKind::none);
    run->start();
    run->advance();
    CHECK(run->failure().kind == FailureKind::none);
}

TEST_CASE("the fast form of the operators is the plain one, at many more nodes", "[.long]") {
    compare_every_machine(nodes_a_machine_when_long);
}
