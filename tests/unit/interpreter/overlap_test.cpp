// Cases that hold at once: what the text tells of them, and that the arms are tried out, by the engine and by the plain stepper alike.
#include "dsl/game/overlap.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/support/two_runs.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::shared_ptr<const Machine> machine_with(const std::string& cases, const std::string& rules = "") {
    const Rules parsed = parse_rules("meet.rules", {"game meet\nplayers 2 in a circle, clockwise\nenum Way { left_way, right_way }\n"
                                                    "cards card { rank 1..4   2 of each }\n"
                                                    "zone deck            stack of card  seen by nobody\n"
                                                    "zone hand of player  set of card    seen by owner\n"
                                                    "zone line            row of card    seen by all\n"
                                                    "zone heap            stack of card  seen by all\n"
                                                    "fact num 0..9 = 3   lasts game  seen by all\n"
                                                    "fact way Way or none   lasts game  seen by all\n"
                                                    "setup { put all cards on deck, shuffled   deal 4 from deck to every hand }\n"
                                                    "play { t(P1) }\n"
                                                    "rule t(player p) {\n p must choose 2 from p's hand as both_cards\n" +
                                                    cases + "\n p may name n from 0..1 { num becomes n } otherwise: nothing\n}\n" + rules +
                                                    "winner = players with most size of its hand, then shared\n"});
    INFO(render(parsed.diagnostics, parsed.sources, {}));
    REQUIRE(parsed.diagnostics.empty());
    return machine_of(parsed, {2, {}});
}

std::size_t tests_of_others(const Machine& machine) {
    std::size_t tests = 0;
    for (const Step& s : machine.code) tests += s.op == Op::branch && s.mode == branch_besides ? 1 : 0;
    return tests;
}

// How the first game goes: `over`, or what broke.
std::string outcome(const std::shared_ptr<const Machine>& machine) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        random_samples();
        if (const auto difference = first_difference(machine, seed, 50)) FAIL_CHECK(*difference);
    }
    const auto run = make_run(machine);
    Random random(1);
    run->start();
    return play_through(*run, random) ? "over" : std::string(text(machine->game, run->failure()));
}

const std::string differ = "two cases hold and do not come to the same: let one be `except when`, or let them exclude each other";
const std::string overlap =
    "two cases hold, and what is asked, drawn, said or shown in one of them cannot be compared: let one be `except when`, or let them "
    "exclude each other";

}  // namespace

TEST_CASE("overlap: conditions that exclude each other by their words are read one at a time") {
    const std::vector<std::pair<std::string, std::size_t>> pairs{
        {"num is 3: nothing   num is 4: num becomes 1", 0},
        {"num > 3: nothing   num <= 3: num becomes 1", 0},
        {"num < 3: nothing   num >= 3: num becomes 1", 0},
        {"num < 3: nothing   num > 2: num becomes 1", 0},
        {"num <= 3: nothing   num >= 3: num becomes 1", 1},
        {"num is in 1..3: nothing   num is in 4..6: num becomes 1", 0},
        {"num is in 1..3: nothing   num is in 3..6: num becomes 1", 1},
        {"num is in {1, 3}: nothing   num is in {2, 4}: num becomes 1", 0},
        {"way is left_way: nothing   way is right_way: num becomes 1", 0},
        {"way is left_way: nothing   way is none: num becomes 1", 0},
        {"P1's hand is empty: nothing   P1's hand is not empty: num becomes 1", 0},
        {"P1's hand is empty: nothing   P2's hand is not empty: num becomes 1", 1},
        {"(num is 3 and way is left_way): nothing   not (num is 3 and way is left_way): num becomes 1", 0},
        {"num is 3 and way is left_way: nothing   num is not 3: num becomes 1", 0},
        {"num is 3 or num is 5: nothing   num is 4: num becomes 1", 0},
        {"num is 3 or num is 5: nothing   num is 5: num becomes 1", 1},
        {"num is 3: nothing   num + 1 is 4: num becomes 1", 1},
        {"num is 3: nothing   except when num > 2: num becomes 1", 0},
        {"except when num is 3: nothing   except when num > 2: num becomes 1", 1},
    };
    for (const auto& [cases, tests] : pairs) {
        INFO(cases);
        CHECK(tests_of_others(*machine_with("cases { " + cases + "   otherwise: nothing }")) == tests);
    }
    CHECK(tests_of_others(*machine_with("cases of num { 1, 2: nothing   3: num becomes 2   otherwise: nothing }")) == 0);
}

TEST_CASE("overlap: arms that hold at once must leave the same") {
    struct Tried {
        std::string cases;
        std::string outcome;
        std::string rules{};
    };
    const std::string both = "num > 1: ";
    const std::string other = "   num < 9: ";
    const std::vector<Tried> all{
        // Facts.
        {both + "num becomes 5" + other + "num becomes 2 + num", "over"},
        {both + "num becomes 5" + other + "num becomes 6", differ},
        {both + "num becomes 5" + other + "{ num becomes 6   num becomes 5 }", "over"},
        {both + "way becomes left_way" + other + "nothing", differ},
        // Places and orders: of a set none, of a row and a stack theirs.
        {both + "put both_cards in P2's hand" + other + "{ put both_cards in line   put every line in P2's hand }", "over"},
        {both + "put both_cards in P2's hand" + other + "nothing", differ},
        {both + "put both_cards in line" + other + "{ put both_cards in line   nothing }", "over"},
        // Where play goes on.
        {both + "stop t" + other + "{ nothing   stop t }", "over"},
        {both + "stop t" + other + "nothing", differ},
        {both + "end won(P1)" + other + "{ nothing   end won(P1) }", "over", "end won(player q) { num becomes 9 }\n"},
        {both + "end won(P1)" + other + "end won(P2)", differ, "end won(player q) { num becomes 9 }\n"},
        {both + "end won(P1)" + other + "nothing", differ, "end won(player q) { num becomes 9 }\n"},
        // Rules, loops, cases inside.
        {both + "num becomes 5" + other + "five", "over", "rule five { each n from 1 to 2: num becomes num + 1 }\n"},
        {both + "num becomes 5" + other + "five", differ, "rule five { each n from 1 to 3: num becomes num + 1 }\n"},
        {both + "num becomes 5" + other + "five", "over", "rule five { if num is 3 { num becomes 5   stop five }   num becomes 1 }\n"},
        {both + "num becomes 5" + other + "out", differ, "rule out { num becomes 5   end won }\nend won { nothing }\n"},
        {both + "num becomes 5" + other + "cases { num > 2: num becomes 5   num < 4: num becomes 4 + 1 }", "over"},
        {both + "num becomes 5" + other + "cases { num > 2: num becomes 5   num < 4: num becomes 4 }", differ},
        // Three arms, and ranks.
        {both + "num becomes 5" + other + "num becomes 2 + num   num is 3: num becomes 4", differ},
        {both + "num becomes 5" + other + "num becomes 2 + num   num is 3: num becomes 4 + 1", "over"},
        {"num > 1: num becomes 5   except when num < 9: num becomes 6", "over"},
        {"except when num > 1: num becomes 5   except when num < 9: num becomes 6", differ},
        // A promise that breaks in one arm, or in a condition.
        {both + "num becomes 5" + other + "{ num becomes 9 + num   num becomes 5 }", differ},
        {both + "num becomes 5" + other + "num becomes 5 + 0   (first of line)'s rank is 1: nothing", "there is no card"},
        // What cannot be tried out.
        {both + "P1 says hi" + other + "P1 says ho", overlap},
        {both + "P1 says hi" + other + "P1 says hi", "over"},
        {both + "deal 1 from deck to P1's hand" + other + "nothing", overlap},
        {both + "nothing" + other + "quiet", overlap, "rule quiet { shuffle deck }\n"},
        {both + "nothing" + other + "P1 must name k from 1..1", overlap},
        {both + "nothing" + other + "put both_cards on heap, shuffled", overlap},
    };
    for (const Tried& t : all) {
        INFO(t.cases << "\n" << t.rules);
        CHECK(outcome(machine_with("cases { " + t.cases + " }", t.rules)) == t.outcome);
    }
}
