// Shares of game trees: walked apart and added up, they come to what one walk comes to.
#include "interpreter/tree/shares.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace houserule;
using namespace houserule::testing;

namespace {

constexpr std::uint64_t largest_tree = 3'000;

void walk(Exploration& exploration) {
    while (exploration.go_on(100)) {
    }
}

Explored in_shares(const std::shared_ptr<const Machine>& machine, bool keep_forced, std::uint64_t depth, std::uint64_t shares) {
    SumOfShares sum(machine, keep_forced);
    std::vector<std::vector<SetOfHistories>> sets;
    for (std::uint64_t k = shares; k-- > 0;) {
        const TreeShare share{depth, k == 0, [&](std::uint64_t subtree) { return subtree % shares == k; }};
        Exploration exploration(machine, {}, keep_forced, share);
        walk(exploration);
        ExploredShare found = exploration.take_share();
        REQUIRE(found.counts.state == ExploreState::complete);
        REQUIRE(sum.add(found.counts, found.value.fractions(1)));
        sets.push_back(std::move(found.sets));
    }
    std::vector<SetsInOrder> lists;
    for (const auto& list : sets)
        lists.push_back(
            [&list, next = std::size_t{0}]() mutable { return next < list.size() ? std::optional(list[next++]) : std::nullopt; });
    const auto counted = counted_together(std::move(lists), machine->game.players);
    REQUIRE(counted);
    return sum.result(*counted);
}

void compare(const Explored& sum, const Explored& whole) {
    CHECK(sum.state == whole.state);
    CHECK(sum.walked == whole.walked);
    CHECK(sum.histories == whole.histories);
    CHECK(sum.decision == whole.decision);
    CHECK(sum.simultaneous == whole.simultaneous);
    CHECK(sum.chance == whole.chance);
    CHECK(sum.terminal == whole.terminal);
    CHECK(sum.broken == whole.broken);
    CHECK(sum.depth == whole.depth);
    CHECK(sum.information_sets == whole.information_sets);
    CHECK(sum.histories_per_information_set == whole.histories_per_information_set);
    CHECK(sum.ev == whole.ev);
    REQUIRE(sum.promises.size() == whole.promises.size());
    for (std::size_t i = 0; i < sum.promises.size(); ++i) {
        CHECK(sum.promises[i].histories == whole.promises[i].histories);
        CHECK(sum.promises[i].moves == whole.promises[i].moves);
        CHECK(sum.promises[i].failure.kind == whole.promises[i].failure.kind);
        CHECK(sum.promises[i].failure.span == whole.promises[i].failure.span);
        CHECK(sum.promises[i].failure.number == whole.promises[i].failure.number);
    }
}

// False if the tree is too large.
bool shares_agree(const std::shared_ptr<const Machine>& machine, std::uint64_t limit = largest_tree) {
    bool small = false;
    for (const bool keep_forced : {false, true}) {
        ExploreLimits limits;
        limits.nodes = limit;
        Exploration exploration(machine, limits, keep_forced);
        walk(exploration);
        const Explored whole = exploration.result();
        if (whole.state != ExploreState::complete) continue;
        small = true;
        for (const std::uint64_t depth : {0, 1, 3})
            for (const std::uint64_t shares : {1, 3}) compare(in_shares(machine, keep_forced, depth, shares), whole);
        for (const std::uint64_t wanted : {4, 1'000'000})
            compare(in_shares(machine, keep_forced, depth_of_cut(machine, keep_forced, wanted, nullptr), 3), whole);
    }
    return small;
}

std::shared_ptr<const Machine> game(const std::string& text) { return machine_of(parse_rules("shared.rules", {text}), {2, {}}); }

}  // namespace

TEST_CASE("shares of a tree add up to the tree, in every variant that is small enough", "[explore]") {
    std::size_t compared = 0;
    each_machine([&](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        INFO(name);
        compared += shares_agree(machine) ? 1 : 0;
    });
    CHECK(compared >= 5);
}

TEST_CASE("shares add up where cards have copies, promises break, and several act at the same time", "[explore]") {
    const std::string head =
        "players 2 in a circle, clockwise\ncards card { 3 of low   2 of high   1 of top }\n"
        "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\n"
        "zone table set of card seen by all\n"
        "setup { put all cards on deck, shuffled   deal 2 from deck to every hand }\n";
    CHECK(shares_agree(game("game copies\n" + head +
                            "play { each p clockwise from P1 { p must choose c from p's hand   put c in table } }\n"
                            "define payoff(player p) = size of (p's hand where it is low)\n"),
                       100'000));
    CHECK(shares_agree(game("game broken\n" + head +
                            "fact n 0..2 = 0 lasts game seen by all\n"
                            "play { each p clockwise from P1 { p must name a from 0..2   n becomes n + a } }\n"
                            "winner = players, then shared\n"),
                       100'000));
    CHECK(shares_agree(game("game together\n" + head +
                            "play { simultaneously each p { p must choose c from p's hand   put c in table }\n"
                            "       each p clockwise from P1: p may choose c from p's hand: put c in table }\n"
                            "winner = players with least size of its hand, then shared\n"),
                       100'000));
}

TEST_CASE("what is no sum of shares is refused", "[explore]") {
    const auto machine = machine_of(read_rules(rules_file("kuhn")), {2, {}});
    SumOfShares sum(machine, false);
    Explored counts;
    CHECK(sum.add(counts, {"1/8", "-1/8"}));
    for (const std::vector<std::string>& value : std::vector<std::vector<std::string>>{
             {}, {"1"}, {"1", "x"}, {"1", ""}, {"1", "1/0"}, {"1", "-"}, {"1", "1/-2"}, {"1", "1/2/3"}, {"1", "007"}, {"0", "0", "0"}})
        CHECK(!sum.add(counts, value));
    counts.promises.push_back({{}, 1, {0, 0}});
    CHECK(!sum.add(counts, {"0", "0"}));  // no promise breaks there
    counts.promises.back().moves = {99};
    CHECK(!sum.add(counts, {"0", "0"}));  // there is no such move

    const std::vector<SetOfHistories> unordered{{{2, 0}, 1}, {{1, 0}, 1}};
    const std::vector<SetOfHistories> of_nobody{{{1, 7}, 1}};
    for (const auto& list : {unordered, of_nobody})
        CHECK(!counted_together(
            {[&list, next = std::size_t{0}]() mutable { return next < list.size() ? std::optional(list[next++]) : std::nullopt; }}, 2));
}
