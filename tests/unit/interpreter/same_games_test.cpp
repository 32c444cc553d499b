// Rules that mean the same, written in two ways, give the same games: a fast form that only one of the two takes must mean the same.
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

constexpr int games_a_pair = 100;

std::string game_with(const std::string& fits, const std::string& facts = "", const std::string& setup = "") {
    return "game g\nplayers 2 in a circle, clockwise\nenum Suit { clubs, hearts, spades }\ncards card { suit Suit   rank 1..4   1 of each "
           "}\n"
           "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\nzone pile row of card seen by all\n" +
           facts + "setup { put all cards on deck, shuffled   deal 4 from deck to every hand   " + setup +
           " }\nplay { each p clockwise from P1: turn(p) }\nrule turn(player p) {\n"
           "  p must choose c from (p's hand where fits(it)) or if none p's hand\n  put c in pile\n}\n" +
           "define fits(card c) = " + fits + "\nwinner = players with least size of its hand, then shared\n";
}

// How many possibilities each decision of a game has, and the end of it.
std::vector<std::uint64_t> played(const std::string& text, std::uint64_t seed) {
    const auto run = make_run(machine_of(parse_rules("rules", {text}), {2, {}}));
    run->start();
    Random random(seed);
    std::vector<std::uint64_t> offered;
    play_through(*run, random, [&](const Node& node) { offered.push_back(node.kind == NodeKind::failed ? ~0ULL : node.moves); });
    return offered;
}

void check_same(const std::string& one, const std::string& other) {
    for (int seed = 1; seed <= games_a_pair; ++seed) {
        INFO("seed " << seed << "\n" << one << "\n" << other);
        REQUIRE(played(one, static_cast<std::uint64_t>(seed)) == played(other, static_cast<std::uint64_t>(seed)));
    }
}

}  // namespace

TEST_CASE("what fits by an inner `some` is what fits by its cases", "[same]") {
    check_same(game_with("some s in {clubs, hearts} where c's suit is s"), game_with("c's suit is clubs or c's suit is hearts"));
    check_same(game_with("no n in {2, 4} where c's rank is n"), game_with("c's rank is not 2 and c's rank is not 4"));
    check_same(game_with("size of ({hearts, spades} where c's suit is it) is 1"), game_with("c's suit is not clubs"));
}

TEST_CASE("what fits by a fact is asked at each time", "[same]") {
    const std::string facts = "fact favourite of player 1..4 = 1 lasts game seen by all\n";
    const std::string setup = "P1's favourite becomes 2   P2's favourite becomes 3";
    check_same(game_with("some q in players where c's rank is q's favourite", facts, setup),
               game_with("c's rank is P1's favourite or c's rank is P2's favourite", facts, setup));
    check_same(game_with("some q in players where c's rank is q's favourite", facts, setup),
               game_with("c's rank is 2 or c's rank is 3", facts, setup));
    const std::string value = "fact worth of Suit 1..4 = 1 lasts game seen by all\n";
    const std::string worths = "hearts's worth becomes 3";
    check_same(game_with("c's rank is c's suit's worth", value, worths),
               game_with("(c's suit is hearts and c's rank is 3) or (c's suit is not hearts and c's rank is 1)", value, worths));
}
