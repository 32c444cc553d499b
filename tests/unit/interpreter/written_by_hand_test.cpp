// Games written by hand come to the totals of the interpreter: each game, seed by seed.
#include "interpreter/run/run.hpp"
#include "tests/bench/by_hand/by_hand.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

TEST_CASE("games written by hand are the games of the interpreter", "[by_hand]") {
    const auto [name, players, games] = GENERATE(table<std::string, int, int>(
        {{"kuhn", 2, 5000}, {"hearts", 4, 3000}, {"euchre", 4, 5000}, {"cogito", 2, 5000}, {"cogito", 3, 5000}, {"cogito", 4, 5000}}));
    INFO(name << " for " << players);
    const auto machine = machine_of(read_rules(rules_file(name)), {players, {}});
    const bench::HandGame play = bench::by_hand(name, players);
    REQUIRE(play != nullptr);
    const auto run = make_run(machine);
    Tally tally;
    tally.steps.assign(machine->code.size(), 0);
    tally.taken.assign(machine->code.size(), 0);
    bench::HandTally by_hand;
    int differing = 0;
    for (int seed = 1; seed <= games && differing < 3; ++seed) {
        Random random(seed);
        run->start();
        play_random(*run, random, tally);
        std::uint64_t winners = 0;
        for (const std::int32_t p : run->winners(random)) winners |= std::uint64_t{1} << p;
        const std::vector<std::int32_t> scores = run->scores();
        Random same(seed);
        const bench::HandResult result = play(same, by_hand);
        bool equal = result.winners == winners && random.next() == same.next();
        for (std::size_t p = 0; machine->game.score != no_id && p < scores.size(); ++p) equal = equal && result.scores[p] == scores[p];
        equal = equal && by_hand.decisions == tally.decisions && by_hand.options == tally.options && by_hand.forced == tally.forced &&
                by_hand.chances == tally.chances && by_hand.windows == tally.windows;
        INFO("seed " << seed << ", decisions " << by_hand.decisions << " " << tally.decisions << ", options " << by_hand.options << " "
                     << tally.options << ", forced " << by_hand.forced << " " << tally.forced << ", chances " << by_hand.chances << " "
                     << tally.chances << ", windows " << by_hand.windows << " " << tally.windows << ", winners " << result.winners << " "
                     << winners);
        CHECK(equal);
        differing += equal ? 0 : 1;
    }
}
