// How far counters run, and which ends they never reach.
#include "solver/leads/counters.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

Game counted(const std::string& round, const std::string& more) {
    const std::string text =
        "game counted\nplayers 3 in a circle, clockwise\ncards card { rank 1..5   4 of each }\n"
        "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\n"
        "fact rounds 0..99 = 0 lasts game seen by all\nfact own of player 0..99 = 2 lasts game seen by all\n"
        "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\n"
        "play { repeat round until every hand is empty, at most 4 times, then nothing }\nrule round { " +
        round + " }\n" + more + "winner = players with most its own, then shared\n";
    return machine_of(parse_rules("counted", {text}), {3, {}})->game;
}
Reach reach(const Game& game, std::size_t fact) { return reach_of_counters(game)[fact]; }

}  // namespace

TEST_CASE("counters go no further than the loops around them carry them", "[validate]") {
    const Game once = counted("rounds becomes rounds + 1   each p clockwise from P1: turn(p)",
                              "rule turn(player q) { q may bow { q's own becomes smaller(20, q's own + 2) } }\n");
    CHECK(reach(once, 0).high == 4);
    CHECK(reach(once, 1).high == 10);  // of each player, not of all together
    CHECK(reach(once, 1).low == 2);
    const Game each =
        counted("each p clockwise from P1 { rounds becomes rounds + 1   p's left's own becomes larger(0, p's left's own - 1) }", "");
    CHECK(reach(each, 0).high == 12);
    CHECK(reach(each, 1).low == 0);
    const Game acts =
        counted("nothing", "act cry(player p) at any time unless rounds >= 9, when simulated 2 in 100 { rounds becomes rounds + 1 }\n");
    CHECK(reach(acts, 0).high == 99);
}

TEST_CASE("an end that no counter reaches is proved, one that may be reached is not", "[validate]") {
    const std::string round = "rounds becomes rounds + 1   each p clockwise from P1: p's own becomes p's own + 1";
    const auto never = [&](const std::string& condition) {
        return unreachable_ends(counted(round, "ends checked after round, first of { late when " + condition + " }\n")).size();
    };
    CHECK(never("rounds >= 5") == 1);
    CHECK(never("rounds >= 4") == 0);
    CHECK(never("some p in players where p's own >= 7") == 1);
    CHECK(never("some p in players where p's own is 6") == 0);
    CHECK(never("rounds > 3 and not rounds <= 4") == 1);
    CHECK(never("every hand is empty") == 0);
}
