// What the engine need not compute again: values that stay as long as the table does, and numbers that a few things determine.
#include "interpreter/machine/repeated.hpp"

#include "interpreter/engine/expression_parts.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::shared_ptr<const Machine> machine_of_game(const std::string& name) {
    const Rules rules = read_rules(rules_file(name));
    return machine_of(rules, tested_variants(rules.syntax).front());
}

}  // namespace

TEST_CASE("repeated: a definition is of one class wherever it stands") {
    const auto machine = machine_of_game("kuhn");
    const Repeated found = repeated_expressions(machine->game);
    std::set<std::size_t> classes;
    std::size_t places = 0;
    for (const ExpressionId e : machine->game.expressions.ids()) {
        const Expression& x = machine->game.expressions[e];
        // Of all players, those who paid most: the ones who stay.
        if (x.op != Operator::set_most || machine->game.expressions[x.a].op != Operator::set_constant) continue;
        if (found.of[e].of_class == no_class) continue;  // what it stands in is kept as a whole
        CHECK(found.of[e].read == no_id);
        classes.insert(found.of[e].of_class);
        ++places;
    }
    CHECK(places > 1);
    CHECK(classes.size() == 1);
}

TEST_CASE("repeated: what reads one player besides has a value for each") {
    const auto machine = machine_of_game("kuhn");
    const Game& game = machine->game;
    const Repeated found = repeated_expressions(game);
    const RepeatedExpression payoff = found.of[game.payoff];
    REQUIRE(payoff.of_class != no_class);
    CHECK(game.expressions[payoff.read].op == Operator::bound);
    CHECK(found.classes[payoff.of_class].low == 0);
    CHECK(found.classes[payoff.of_class].values == game.players);
}

TEST_CASE("repeated: a number is looked up by the few things that determine it") {
    const auto machine = machine_of_game("euchre");
    const Game& game = machine->game;
    std::size_t of_card_and_suit = 0;
    for (const ExpressionId e : game.expressions.ids()) {
        std::set<Base> bases;
        for (const TableInput& input : table_inputs(game, e)) bases.insert(game.expressions[input.expression].type.base);
        if (bases.contains(Base::kind) && bases.contains(Base::enumeration)) ++of_card_and_suit;  // what is trump, or led
    }
    CHECK(of_card_and_suit > 0);
    // Where that is as simple as looking it up, it is computed.
    for (const ExpressionId e : game.expressions.ids())
        if (game.expressions[e].op == Operator::lookup && game.expressions[game.expressions[e].a].op == Operator::kind_of)
            CHECK(table_inputs(game, e).empty());
}
