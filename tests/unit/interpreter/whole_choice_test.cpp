// Choices of several with a condition on the whole: what is offered is what a list of all sets comes to, in the engine and in the plain
// stepper, and moves and sets stand for each other.
#include "tests/support/rules.hpp"
#include "tests/support/two_runs.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

const std::string head = R"(game g
players 2 in a circle, clockwise
cards card { rank 1..6   2 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone table of player set of card     seen by all
fact total 0..99 = 0 lasts game seen by all
setup { put all cards on deck, shuffled   deal 6 from deck to every hand }
)";
const std::string tail = "\nwinner = players with most size of its table, then shared\n";

std::shared_ptr<const Machine> machine_for(const std::string& play) {
    return machine_of(parse_rules("g", {head + "play { " + play + " }" + tail}), {2, {}});
}

// All multisets of `low` to `high` of these kinds for which f holds.
template <class F>
std::set<std::vector<std::int32_t>> all_sets(const std::vector<std::int32_t>& kinds, std::size_t low, std::size_t high, F f) {
    std::set<std::vector<std::int32_t>> sets;
    for (std::uint32_t mask = 0; mask < (1U << kinds.size()); ++mask) {
        std::vector<std::int32_t> set;
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if ((mask >> i & 1U) != 0) set.push_back(kinds[i]);
        std::sort(set.begin(), set.end());
        if (set.size() >= low && set.size() <= high && f(set)) sets.insert(set);
    }
    return sets;
}

int rank_of(const Machine& m, std::int32_t kind) { return m.game.kinds[kind].values.front(); }

}  // namespace

TEST_CASE("whole choices: the sets that fit are offered, each once", "[whole]") {
    const auto m = machine_for("P1 must choose 2..4 from P1's hand as m where sum of its rank over m is 9 if none: P1 says nothing_fits");
    const auto run = make_run(m);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed);
        run->start();
        Node node = run->advance();
        while (node.kind == NodeKind::draw) {
            run->apply(random_move(*run, random));
            node = run->advance();
        }
        std::vector<std::int32_t> kinds;
        for (const Zone& zone : m->game.zones)
            if (zone.name == "hand")
                for (const KindId k : run->kinds_at(zone.first_place)) kinds.push_back(k);
        const auto wanted = all_sets(kinds, 2, 4, [&](const auto& set) {
            return std::accumulate(set.begin(), set.end(), 0, [&](int sum, std::int32_t k) { return sum + rank_of(*m, k); }) == 9;
        });
        INFO("seed " << seed);
        if (wanted.size() < 2) continue;  // nobody is asked
        REQUIRE(node.kind == NodeKind::choose);
        REQUIRE(node.moves == wanted.size());
        std::set<std::vector<std::int32_t>> offered;
        for (std::uint64_t move = 0; move < node.moves; ++move) {
            std::vector<std::int32_t> values = run->meaning(move).values;
            CHECK(run->move_for(values) == move);
            std::sort(values.begin(), values.end());
            offered.insert(values);
        }
        CHECK(offered == wanted);
        for (const auto& set : all_sets(kinds, 1, 5, [&](const auto& s) { return !wanted.contains(s); }))
            CHECK(run->move_for(set) == node.moves);
    }
}

TEST_CASE("whole choices: the engine and the plain stepper offer and do the same", "[whole]") {
    const char* plays[] = {
        "each p clockwise from P1 { p must choose 0..3 from p's hand as m where size of (kinds of m) is size of m { put m in p's table } }",
        "each p clockwise from P1 { p may choose 2 from p's hand as m where some x in m where x's rank > 3 { put m in p's table } "
        "otherwise: nothing }",
        "each p clockwise from P1 { p must name 1..3 from 1..9 as n where sum of it over n is 10   total becomes total + largest of it "
        "over n }",
        "simultaneously each p { p must choose 2 from p's hand as m where sum of its rank over m > 5   put m in p's table }",
        "P1 must choose 1..2 from P1's hand + P2's table as m where the m is the m { put m in P1's table }",
        "P1 must choose 3 from P1's hand as m where no x in m where some y in m where x's rank + y's rank is 7 if none: P1 says none_fits",
    };
    for (const char* play : plays) {
        INFO(play);
        const auto m = machine_for(play);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto difference = first_difference(m, seed, 200);
            if (difference) FAIL_CHECK(*difference);
        }
    }
}

TEST_CASE("whole choices: random play takes each fitting set as often", "[whole]") {
    const auto m = machine_for("P1 must choose 2 from 1..6 as n where sum of it over n is 7   total becomes smallest of it over n");
    const auto run = make_run(m);
    std::map<std::uint64_t, int> taken;
    Random random(7);
    for (int i = 0; i < 3000; ++i) {
        run->start();
        for (Node node = run->advance(); node.kind != NodeKind::over; node = run->advance()) {
            const std::uint64_t move = random_move(*run, random);
            if (node.kind == NodeKind::choose) {
                REQUIRE(node.moves == 3);
                ++taken[move];
            }
            run->apply(move);
        }
    }
    for (const auto& [move, times] : taken) CHECK((times > 900 && times < 1100));
}

TEST_CASE("whole choices: as many sets as are tried at most, and one more", "[whole]") {
    const auto tried = [](int low) {
        const std::string play = fmt::format("P1 must choose {}..17 from 1..17 as n where sum of it over n is 3", low);
        const auto run = make_run(machine_for(play));
        Random random(1);
        run->start();
        Node node = run->advance();
        while (node.kind == NodeKind::draw) {
            run->apply(random_move(*run, random));
            node = run->advance();
        }
        return std::pair(node.kind, run->failure().kind);
    };
    static_assert(tried_limit == 131'071);
    CHECK(tried(1) == std::pair(NodeKind::choose, FailureKind::none));
    CHECK(tried(0) == std::pair(NodeKind::failed, FailureKind::too_many_to_try));
}
