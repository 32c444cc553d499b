// What is left of cards when sets of them are taken out: the search against all ways that there are, its limit, and in games the engine
// against the plain stepper.
#include "dsl/meaning/split.hpp"
#include "dsl/meaning/numbers.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/two_runs.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

// By trying all sets for the rest, whatever their first card is.
Value least_by_trying(const std::vector<Value>& there, const std::vector<Value>& worth, const std::map<std::vector<Value>, bool>& fits,
                      std::map<std::vector<Value>, Value>& known) {
    if (const auto found = known.find(there); found != known.end()) return found->second;
    Value least = std::inner_product(there.begin(), there.end(), worth.begin(), Value{0});
    for (const auto& [set, fit] : fits) {
        if (!fit) continue;
        std::vector<Value> rest = there;
        bool part = true;
        for (std::size_t i = 0; i < rest.size(); ++i) part = (rest[i] -= set[i]) >= 0 && part;
        if (part) least = std::min(least, least_by_trying(rest, worth, fits, known));
    }
    return known[there] = least;
}

std::string game_of(int ranks, int dealt, const std::string& play) {
    return fmt::format(R"(game g
players 2 in a circle, clockwise
cards card {{ rank 1..{}   1 of each }}
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
fact total 0..999 = 0 lasts game seen by all
setup {{ put all cards on deck, shuffled   deal {} from deck to P1's hand }}
play {{ {} }}
define score = total
winner = all if total is 5, otherwise nobody
)",
                       ranks, dealt, play);
}

std::unique_ptr<Run> played(const std::string& text) {
    auto run = make_run(machine_of(parse_rules("g", {text}), {2, {}}));
    Random random(1);
    run->start();
    Node node = run->advance();
    for (; node.kind != NodeKind::over && node.kind != NodeKind::failed; node = run->advance()) run->apply(random_move(*run, random));
    return run;
}

FailureKind failure(const std::string& text) {
    const auto run = played(text);
    return run->node().kind == NodeKind::failed ? run->failure().kind : FailureKind::none;
}

}  // namespace

TEST_CASE("splits: the search finds what trying all ways finds", "[split]") {
    Random random(3);
    Numbers d;
    for (int round = 0; round < 400; ++round) {
        std::vector<Value> there(1 + random.below(5));
        std::vector<Value> worth(there.size());
        for (Value& n : there) n = 1 + random.below(3);
        const Value lowest = random.below(4) == 0 ? -3 : 0;  // what is left may be worth less than nothing
        for (Value& w : worth) {
            w = random.below(7);
            w += lowest;
        }
        std::map<std::vector<Value>, bool> fits;
        const std::uint64_t rare = 2 + random.below(12);
        const auto judge = [&](const std::vector<Value>& set) { return fits.emplace(set, random.below(rare) == 0).first->second; };
        const Value least = Split(d, there, worth, judge).least();
        std::map<std::vector<Value>, Value> known;
        REQUIRE(least == least_by_trying(there, worth, fits, known));
        REQUIRE(std::cmp_equal(fits.size(), Split<Numbers>::sets_of(d, there)));
    }
}

TEST_CASE("splits: seventeen different cards are the limit", "[split]") {
    const std::string play = "total becomes smallest sum of 1 left of P1's hand after sets m where size of m is 3";
    CHECK(failure(game_of(18, 17, play)) == FailureKind::none);
    CHECK(failure(game_of(18, 18, play)) == FailureKind::too_many_to_split);
    CHECK(failure(game_of(18, 18,
                          "let few = P1's hand where its rank < 9   total becomes smallest sum of 1 left of few after sets m where "
                          "size of m is 3")) == FailureKind::none);
}

TEST_CASE("splits: the sets that are judged are work", "[split]") {
    const auto work = [](const std::string& play) { return played(game_of(12, 12, play))->work(); };
    const auto done = work("total becomes smallest sum of 1 left of P1's hand after sets m where size of m is 3");
    CHECK(done - work("total becomes 0") >= ((1 << 12) - 1) / rounds_a_node);
}

TEST_CASE("splits: the engine and the plain stepper find the same", "[split]") {
    const std::string head = R"(game g
players 2 in a circle, clockwise
cards card { rank 1..5   2 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone table           row of card     seen by all
fact total of player 0..99 = 0 lasts game seen by all
define run(several card m) = (size of m is 3 and size of (kinds of m) is 3 and largest of its rank over m - smallest of its rank over m is 2)
define pair(several card m) = (size of m is 2 and size of (kinds of m) is 1)
setup { put all cards on deck, shuffled   deal 5 from deck to every hand }
play { )";
    const char* plays[] = {
        "each p clockwise from P1 { p's total becomes smallest sum of its rank left of p's hand after sets m where run(m) or pair(m) }",
        "each p clockwise from P1 { if p's hand splits into sets m where run(m) or pair(m): p's total becomes 9 }",
        "each p clockwise from P1 { p must choose c from p's hand where (p's hand but it) splits into sets m where pair(m) "
        "{ put c in table } if none: p says no_pairs }",
        "let few = players where (smallest sum of 1 left of its hand after sets m where pair(m)) < 3   each p in few: p's total becomes 1",
        "put P1's hand in table   if some k in kinds of table where (table where it is not k) splits into sets m where run(m): P1's total "
        "becomes 1",
    };
    for (const char* play : plays) {
        INFO(play);
        const auto m = machine_of(parse_rules("g", {head + play + " }\nwinner = players with most its total, then shared\n"}), {2, {}});
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const auto difference = first_difference(m, seed, 200);
            if (difference) FAIL_CHECK(*difference);
        }
    }
}

TEST_CASE("parameters: kinds, and several cards with their copies", "[parameters]") {
    const std::string head = R"(game g
players 2 in a circle, clockwise
cards card { rank 1..3   3 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone table           row of card     seen by all
fact asked           card or none = none lasts game seen by all
fact total           0..99 = 0       lasts game seen by all
setup { put all cards on deck, shuffled   deal 4 from deck to every hand }
rule ask(player p, kind of card k) { asked becomes k   total becomes total + size of (p's hand where it is k) }
rule lay(several card m, 0..9 n) { total becomes total + n * size of m + sum of its rank over m   put m in table }
define heavy(kind of card k) = k's rank > 1
play { P1 must name k from kinds of card where heavy(it)   ask(P2, k)   P1 must choose 2..3 from P1's hand as m   lay(m, 2)   lay(P2's hand, 1) }
define score = total
winner = all if total is 5, otherwise nobody
)";
    const auto m = machine_of(parse_rules("g", {head}), {2, {}});
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto difference = first_difference(m, seed, 200);
        if (difference) FAIL_CHECK(*difference);
    }
}
