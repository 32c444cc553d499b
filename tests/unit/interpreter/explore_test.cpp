// The explorer: known trees, the plain recursion of tests/naive, and small games whose trees are counted by hand.
#include "interpreter/tree/explore.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/tree/expected.hpp"
#include "interpreter/tree/fingerprint.hpp"
#include "tests/naive/explore.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace houserule;
using namespace houserule::testing;

namespace {

Rules one_file(std::string name, std::string text) { return parse_rules(std::move(name), {std::move(text)}); }

using Histogram = std::map<std::uint64_t, std::uint64_t>;
using Counts = std::vector<std::uint64_t>;
using Fractions = std::vector<std::string>;

Explored explored(const std::shared_ptr<const Machine>& machine, ExploreLimits limits = {}, bool keep_forced = false) {
    Exploration exploration(machine, limits, keep_forced);
    while (exploration.go_on(1000)) {
    }
    return exploration.result();
}

Explored explored(const std::string& name, const Variant& variant, bool keep_forced = false) {
    return explored(machine_of(read_rules(rules_file(name)), variant), {}, keep_forced);
}

// A game for two with what stands in `rest`, and three cards.
std::shared_ptr<const Machine> small_game(const std::string& rest) {
    return machine_of(
        one_file(
            "small.rules",
            "game small\nplayers 2 in a circle, clockwise\ncards card { rank 1..3   1 of each }\nzone table set of card seen by all\n" +
                rest),
        {2, {}});
}
Explored small(const std::string& rest, bool keep_forced = false) { return explored(small_game(rest), {}, keep_forced); }

double number(const std::string& fraction) {
    const auto slash = fraction.find('/');
    return std::stod(fraction) / (slash == std::string::npos ? 1.0 : std::stod(fraction.substr(slash + 1)));
}

// Histories of all information sets: one for each seat that decides at a node.
std::uint64_t histories_in_sets(const Explored& tree) {
    std::uint64_t n = 0;
    for (const auto& [histories, sets] : tree.histories_per_information_set) n += histories * sets;
    return n;
}

// False when there is nothing to compare: the tree is too large.
bool agrees_with_oracle(const std::shared_ptr<const Machine>& machine, std::uint64_t limit) {
    const Explored tree = explored(machine, {limit, 64});
    if (tree.state != ExploreState::complete) return false;
    if (std::any_of(machine->code.begin(), machine->code.end(), [](const Step& s) { return s.op == Op::window; })) return false;
    const Tree naive = testing::explore(*make_run(machine));
    CHECK(tree.broken == 0);
    CHECK(tree.terminal == naive.ends);
    CHECK(tree.chance == naive.chances);
    const std::uint64_t joint = std::accumulate(naive.joint.begin(), naive.joint.end(), std::uint64_t{0});
    CHECK(tree.decision == naive.decisions - naive.consents - joint);
    for (std::size_t p = 0; p < naive.information_sets.size(); ++p) {
        // Whether to choose and what are two questions to the oracle.
        if (naive.consents == 0) CHECK(tree.information_sets[p] == naive.information_sets[p].size());
        if (naive.consents == 0 && !tree.ev.empty() && tree.ev_of_payoff) {
            const double scale = machine->game.expressions[machine->game.payoff].type.scale;
            CHECK(number(tree.ev[p]) == Approx(naive.value[p] / scale).margin(1e-9));
        }
    }
    if (joint != 0) {
        CHECK(tree.simultaneous > 0);
        return true;
    }
    CHECK(tree.simultaneous == 0);
    if (naive.consents != 0) return true;
    Histogram sets;
    for (const auto& seat : naive.information_sets)
        for (const auto& [view, histories] : seat) ++sets[histories];
    CHECK(tree.histories_per_information_set == sets);
    return true;
}

}  // namespace

// The counts are those of common research frameworks; see trees_test.cpp for the games.
TEST_CASE("Kuhn poker for two is explored to the last digit", "[explore]") {
    const Explored tree = explored("kuhn", {2, {}});
    CHECK(tree.state == ExploreState::complete);
    CHECK(tree.histories == 58);
    CHECK(tree.decision == 24);
    CHECK(tree.simultaneous == 0);
    CHECK(tree.chance == 4);
    CHECK(tree.terminal == 30);
    CHECK(tree.depth == 5);
    CHECK(tree.information_sets == Counts{6, 6});
    CHECK(tree.histories_per_information_set == Histogram{{2, 12}});
    CHECK(tree.ev == Fractions{"1/8", "-1/8"});
    CHECK(tree.ev_of_payoff);
}

TEST_CASE("Leduc hold'em for two is explored to the last digit", "[explore]") {
    const Explored tree = explored("leduc", {2, {}});
    CHECK(tree.histories == 9457);
    CHECK(tree.decision == 3780);
    CHECK(tree.chance == 157);
    CHECK(tree.terminal == 5520);
    CHECK(tree.information_sets == Counts{468, 468});
    CHECK(tree.histories_per_information_set == Histogram{{4, 900}, {5, 36}});
    CHECK(tree.ev == Fractions{"-5/64", "5/64"});
}

TEST_CASE("Goofspiel with four cards is explored to the last digit", "[explore]") {
    const Variant four{2, {{"cards", "4"}, {"prizes", "descending"}, {"bids", "hidden"}}};
    const Explored tree = explored("goofspiel", four);
    CHECK(tree.histories == 737);
    CHECK(tree.simultaneous == 161);
    CHECK(tree.decision == 0);
    CHECK(tree.chance == 0);
    CHECK(tree.terminal == 576);
    CHECK(tree.depth == 3);
    CHECK(tree.information_sets == Counts{81, 81});
    CHECK(histories_in_sets(tree) == 2 * 161);
    CHECK(tree.ev == Fractions{"0", "0"});

    const Explored all = explored("goofspiel", four, true);  // the last bids, too
    CHECK(all.simultaneous == 161 + 576);
    CHECK(all.terminal == 576);
    CHECK(all.depth == 4);
}

TEST_CASE("the explorer and plain recursion agree on every variant that is small enough", "[explore]") {
    std::size_t compared = 0;
    each_machine(
        [&](const std::string&, const std::shared_ptr<const Machine>& machine) { compared += agrees_with_oracle(machine, 3'000) ? 1 : 0; });
    CHECK(compared >= 5);
}

TEST_CASE("the explorer and plain recursion agree on poker and bidding games", "[explore]") {
    const auto agrees = [](const std::string& name, const Variant& variant) {
        CHECK(agrees_with_oracle(machine_of(read_rules(rules_file(name)), variant), 200'000));
    };
    for (int players = 2; players <= 5; ++players) agrees("kuhn", {players, {}});
    agrees("leduc", {2, {}});
    for (const char* prizes : {"descending", "ascending", "random"})
        for (const char* bids : {"hidden", "shown"}) {
            agrees("goofspiel", {2, {{"cards", "3"}, {"prizes", prizes}, {"bids", bids}}});
            agrees("goofspiel", {2, {{"cards", "4"}, {"prizes", prizes}, {"bids", bids}}});
            agrees("goofspiel", {3, {{"cards", "3"}, {"prizes", prizes}, {"bids", bids}}});
        }
}

TEST_CASE("the explorer and plain recursion agree where cards have copies", "[explore]") {
    const auto machine = machine_of(one_file("copies.rules", R"(
game copies
players 2 in a circle, clockwise
cards card { 3 of low   2 of high   1 of top }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
zone table set of card seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { each p clockwise from P1 { p must choose c from p's hand   put c in table   draw d from deck to p's hand   p must name x from kinds of card } }
define payoff(player p) = size of (p's hand where it is low)
)"),
                                    {2, {}});
    CHECK(agrees_with_oracle(machine, 1'000'000));
    // 6 cards in all, each drawn one by one.
    CHECK(explored(machine).chance >= 1 + 6 + 6 * 5 + 6 * 5 * 4);
}

TEST_CASE("each physical card is an outcome", "[explore]") {
    const Explored tree = explored(machine_of(one_file("pair.rules", R"(
game pair
players 2 in a circle, clockwise
cards card { 3 of low   1 of high }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
setup { put all cards on deck, shuffled }
play { draw c from deck to P1's hand   draw d from deck to P2's hand   P1 must name x from 1..2 }
define payoff(player p) = size of (p's hand where it is high)
)"),
                                              {2, {}}));
    CHECK(tree.chance == 1 + 4);
    CHECK(tree.decision == 12);
    CHECK(tree.terminal == 24);
    CHECK(tree.walked == 1 + 2 + 3 * (1 + 2));
    CHECK(tree.information_sets == Counts{2, 0});
    CHECK(tree.histories_per_information_set == Histogram{{3, 1}, {9, 1}});
    CHECK(tree.ev == Fractions{"1/4", "1/4"});
}

TEST_CASE("doing nothing is one complete move among the others", "[explore]") {
    const std::string rules = R"(
zone hand of player set of card seen by owner
setup { put all cards in P1's hand }
play { P1 may choose c from P1's hand { put c in table } otherwise: nothing }
define payoff(player p) = sum of its rank over table
)";
    const Explored tree = small(rules);
    CHECK(tree.decision == 1);
    CHECK(tree.terminal == 4);
    CHECK(tree.depth == 1);
    CHECK(tree.information_sets == Counts{1, 0});
    CHECK(tree.ev == Fractions{"3/2", "3/2"});  // (0 + 1 + 2 + 3) / 4
}

TEST_CASE("sets are complete moves", "[explore]") {
    const Explored tree = small(R"(
setup { put all cards in table }
play { P1 must name 1..2 from table as taken   P2 must choose n from 0..size of taken }
define payoff(player p) = 0
)");
    CHECK(tree.decision == 1 + 6);
    CHECK(tree.terminal == 3 * 2 + 3 * 3);
    CHECK(tree.information_sets == Counts{1, 6});
}

TEST_CASE("what several decide at the same time is one node", "[explore]") {
    const Explored together = small(R"(
play { simultaneously each p { p must choose a from 1..2   p must choose b from 1..3   p says ready } }
define payoff(player p) = 0
)");
    CHECK(together.simultaneous == 1);
    CHECK(together.terminal == 36);
    CHECK(together.information_sets == Counts{1, 1});
    CHECK(together.depth == 1);

    // One after the other they are two, also when each asks one seat only.
    const Explored apart = small(R"(
play {
  simultaneously each p in {P1} { p must choose a from 1..2   p says ready }
  simultaneously each p in {P2} { p must choose b from 1..2   p says ready }
}
define payoff(player p) = 0
)");
    CHECK(apart.simultaneous == 1 + 2);
    CHECK(apart.terminal == 4);
    CHECK(apart.information_sets == Counts{1, 1});
    CHECK(apart.histories_per_information_set == Histogram{{1, 1}, {2, 1}});
}

TEST_CASE("a moment for acts is one node of all who may act", "[explore]") {
    // Of 16 joint moves: nobody; one acts in one of three ways, and then the other may; both.
    const Explored tree = small(R"(
fact out of player yes/no = no lasts game seen by all
play: P1 says hello
act shout(player p) at any time unless p's out, when simulated 1 in 2 { p must name b from 1..3   p's out becomes yes }
define payoff(player p) = (1 if p's out, otherwise 0)
)");
    CHECK(tree.simultaneous == 1 + 6);
    CHECK(tree.decision == 0);
    CHECK(tree.terminal == 1 + 9 + 6 * 4);
    CHECK(tree.depth == 2);
    CHECK(tree.information_sets == Counts{1 + 3, 1 + 3});
    // Out: 12 of 16 at once, or 3 of 16 by the other first and then 3 of 4.
    CHECK(tree.ev == Fractions{"57/64", "57/64"});
}

TEST_CASE("an act without decisions does not run into what comes next", "[explore]") {
    const Explored tree = small(R"(
fact out of player yes/no = no lasts game seen by all
play { offer leave   simultaneously each p { p must choose a from 1..2   p says ready } }
act leave(player p) when offered unless p's out or p is P2, when simulated 1 in 2: p's out becomes yes
define payoff(player p) = 0
)");
    CHECK(tree.simultaneous == 1 + 2);
    CHECK(tree.terminal == 8);
    CHECK(tree.information_sets == Counts{1 + 2, 2});
}

TEST_CASE("who lets a moment pass remembers it", "[explore]") {
    const Explored tree = small(R"(
fact out of player yes/no = no lasts game seen by all
play { offer leave   offer leave }
act leave(player p) when offered unless p's out or p is P2, when simulated 1 in 2: p's out becomes yes
define payoff(player p) = 0
)");
    CHECK(tree.simultaneous == 2);
    CHECK(tree.terminal == 3);
    CHECK(tree.information_sets == Counts{2, 0});
    CHECK(tree.histories_per_information_set == Histogram{{1, 2}});
}

TEST_CASE("a player remembers its own choices and sees nobody else's", "[explore]") {
    const Explored tree = small(R"(
play { P1 must choose a from 1..2   P2 must choose b from 1..3   P1 must choose c from 1..2   P2 must choose d from 1..2 }
define payoff(player p) = 0
)");
    CHECK(tree.information_sets == Counts{1 + 2, 1 + 3});
    CHECK(tree.histories_per_information_set == Histogram{{1, 1}, {2, 1}, {3, 2}, {4, 3}});
}

TEST_CASE("lots and reports have the weights of the rules", "[explore]") {
    const Explored tree = small(R"(
enum Fate { stood, fell }
fact points 0..4 = 0 lasts game seen by all
play {
  chance picks x from Fate { stood: 1, fell: 3 }
  table tells y from Fate, when simulated { stood: 1, fell: 1 }
  if x is fell and y is fell: points becomes 4
}
define payoff(player p) = (points * 0.5 if p is P1, otherwise 0 - points * 0.5)
)");
    CHECK(tree.chance == 1 + 2);
    CHECK(tree.terminal == 4);
    CHECK(tree.ev == Fractions{"3/4", "-3/4"});
}

TEST_CASE("without payoffs a win is expected", "[explore]") {
    const Explored tree = small(R"(
fact points of player 0..3 = 0 lasts game seen by all
play { P1 must name n from 1..3   P1's points becomes n   P2's points becomes 2 }
winner = players with most its points, then shared
)");
    CHECK_FALSE(tree.ev_of_payoff);
    CHECK(tree.ev == Fractions{"1/2", "1/2"});  // lost, shared, won
    const Explored lot = small(R"(
play { P1 must name n from 1..3 }
winner = players, then by lot
)");
    CHECK(lot.ev == Fractions{"1/2", "1/2"});
}

TEST_CASE("a tree without a decision is its end", "[explore]") {
    const Explored tree = small("play: nothing\ndefine payoff(player p) = 2\n");
    CHECK(tree.histories == 1);
    CHECK(tree.terminal == 1);
    CHECK(tree.depth == 0);
    CHECK(tree.ev == Fractions{"2", "2"});
}

TEST_CASE("the explorer stops at its limits", "[explore]") {
    const auto kuhn = machine_of(read_rules(rules_file("kuhn")), {2, {}});
    CHECK(explored(kuhn, {58, 1}).state == ExploreState::complete);
    const Explored cut = explored(kuhn, {57, 1});
    CHECK(cut.state == ExploreState::at_nodes);
    CHECK(cut.histories == 57);
    CHECK(cut.ev.empty());
    CHECK(cut.decision + cut.chance + cut.terminal == 57);

    // One MiB is not enough for the information sets.
    const auto large = machine_of(read_rules(rules_file("leduc")), {3, {}});
    const Explored full = explored(large, {10'000'000, 1});
    CHECK(full.state == ExploreState::at_memory);
    CHECK(full.histories > 9457);
    CHECK(full.ev.empty());

    // Nor for a game that goes on and on.
    const Explored endless = explored(small_game("play { repeat { P1 must choose a from 1..2   P1 says again } until no p in players where "
                                                 "p is p, at most 1000000 times, then nothing }\ndefine payoff(player p) = 0\n"),
                                      {10'000'000, 1});
    CHECK(endless.state == ExploreState::at_memory);
    CHECK(endless.terminal == 0);
}

TEST_CASE("more histories than can be counted are not miscounted", "[explore]") {
    const Explored tree = explored(machine_of(one_file("many.rules", R"(
game many
players 2 in a circle, clockwise
cards card { 40 of low }
zone deck stack of card seen by nobody
zone pile set of card seen by all
setup { put all cards on deck, shuffled   deal all from deck to pile }
play { P1 must choose a from 1..2 }
define payoff(player p) = 0
)"),
                                              {2, {}}));
    CHECK(tree.state == ExploreState::at_count);
    CHECK(tree.terminal == 0);
    CHECK(tree.chance == tree.histories);
    CHECK(tree.depth == tree.walked);
    CHECK(tree.ev.empty());
}

TEST_CASE("a broken promise is a history that leads there", "[explore]") {
    const auto machine = small_game(R"(
fact n 0..1 = 0 lasts game seen by nobody
play { P2 must name b from 1..3   P1 must name a from 1..2   n becomes a }
define payoff(player p) = 0
)");
    const Explored tree = explored(machine);
    CHECK(tree.state == ExploreState::complete);
    CHECK(tree.histories == 1 + 3 + 6);
    CHECK(tree.terminal == 3);
    CHECK(tree.broken == 3);
    CHECK(tree.ev.empty());
    REQUIRE(tree.promises.size() == 1);
    CHECK(tree.promises[0].histories == 3);
    CHECK(text(machine->game, tree.promises[0].failure) == "`n` cannot become 2");
    const auto run = make_run(machine);
    for (const std::uint64_t move : tree.promises[0].moves) {
        run->advance();
        run->apply(move);
    }
    CHECK(run->advance().kind == NodeKind::failed);
    // Also where the payoff itself breaks one.
    const Explored unpaid = small(
        "play { P1 must name a from 1..2   if a is 1: put all cards in table }\ndefine payoff(player p) = (the (table where its rank is "
        "1))'s rank\n");
    CHECK(unpaid.terminal == 1);
    CHECK(unpaid.broken == 1);
}

TEST_CASE("two events look the same to a seat in fingerprints and in views alike", "[explore]") {
    std::size_t events_compared = 0;
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        const auto run = make_run(machine);
        const auto players = static_cast<std::size_t>(machine->game.players);
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> of_line;
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> of_fingerprint;
        Events events;
        run->record(&events);
        for (std::uint64_t game = 0; game < 3; ++game) {
            Random random(seed_of(name) + game);
            run->start();
            play_through(*run, random, [&](const Node&) {
                for (const Event& e : events) {
                    std::vector<Fingerprint> views(players);
                    note(e, views);
                    for (std::size_t p = 0; p < players; ++p) {
                        const std::string line = event_line(*machine, e, static_cast<int>(p));
                        const std::pair seen{views[p].a, views[p].b};
                        INFO(name << ", P" << p + 1 << ": " << line);
                        if (line.empty() != (views[p] == Fingerprint{})) FAIL_CHECK("noticed in one of them only");
                        const auto known = of_line.try_emplace(line, seen).first;
                        if (known->second != seen) FAIL_CHECK("one line, two fingerprints");
                        const auto text = of_fingerprint.try_emplace(seen, line).first;
                        if (text->second != line) FAIL_CHECK("one fingerprint, also of: " << text->second);
                        ++events_compared;
                    }
                }
                events.clear();
            });
        }
    });
    CHECK(events_compared > 10'000);
}

TEST_CASE("expectations stay exact when 64 bits are too few", "[explore]") {
    Expected value(2);
    const std::vector<std::int32_t> one{1, -6};
    value.add(one, 1);
    for (int i = 0; i < 45; ++i) value.divide(3);
    CHECK(value.fractions(1) == Fractions{"1/2954312706550833698643", "-2/984770902183611232881"});
    Expected sum(2);
    for (int i = 0; i < 3; ++i) sum.add(value, 1);
    CHECK(sum.fractions(2) == Fractions{"1/1969541804367222465762", "-1/328256967394537077627"});
    sum.add(one, 2);
    for (int i = 0; i < 44; ++i) {
        Expected three(2);
        three.add(sum, 3);
        sum = std::move(three);
    }
    CHECK(sum.fractions(1) == Fractions{"1969541804367222465763", "-11817250826203334794578"});
    value.clear();
    CHECK(value.fractions(1) == Fractions{"0", "0"});

    // Numerators that overflow: 2^62 three times.
    Expected large(1);
    const std::vector<std::int32_t> two{1 << 30};
    for (int i = 0; i < 3; ++i) large.add(two, std::uint64_t{1} << 32);
    CHECK(large.fractions(1) == Fractions{"13835058055282163712"});
}
