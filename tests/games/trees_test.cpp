// Small settings of games that ship, explored to the last history. Every number was counted in another way, too: the comments say how.
#include "interpreter/tree/explore.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

using Counts = std::vector<std::uint64_t>;

Explored explored(const std::string& name, const Variant& variant) {
    Exploration exploration(machine_of(read_rules(rules_file(name)), variant), {}, false);
    while (exploration.go_on(1000)) {
    }
    return exploration.result();
}

struct Tree {
    Variant variant;
    std::uint64_t decisions, chance, ends;
    std::uint64_t depth;
    std::string expected;  // of the first seat
};

void check_tree(const std::string& name, const Tree& tree) {
    const Explored found = explored(name, tree.variant);
    INFO(name << ", " << tree.variant.players << " players");
    CHECK(found.state == ExploreState::complete);
    CHECK(found.decision == tree.decisions);
    CHECK(found.simultaneous == 0);
    CHECK(found.chance == tree.chance);
    CHECK(found.terminal == tree.ends);
    CHECK(found.histories == tree.decisions + tree.chance + tree.ends);
    CHECK(found.broken == 0);
    CHECK(found.depth == tree.depth);
    REQUIRE_FALSE(found.ev.empty());
    CHECK(found.ev[0] == tree.expected);
}

}  // namespace

// Three players, two suits of two cards, one trick. Three dealers, then 4 · 3 · 2 draws; the card turned up is the last one. Chance:
// 1 + 3 + 3 · 4 + 3 · 4 · 3. Bids: of the four pairs of the first two, only two ones leave the dealer a choice: 1 + 2 + 1 decisions and
// five ways to the end, in each of the 72 deals. A trick is won in one deal of three; every size was counted by a recursion of its own.
TEST_CASE("oh hell: small trees are exact", "[explore]") {
    const auto set = [](int players, const char* suits, const char* ranks, const char* tricks) {
        return Variant{players, {{"suits", suits}, {"ranks", ranks}, {"tricks", tricks}}};
    };
    check_tree("oh_hell", {set(3, "2", "2", "1"), 72 * 4, 52, 72 * 5, 7, "187/36"});
    check_tree("oh_hell", {set(3, "2", "3", "1"), 4320, 472, 5400, 8, "187/36"});
    check_tree("oh_hell", {set(3, "4", "2", "1"), 20160, 1204, 25200, 8, "61/12"});
    check_tree("oh_hell", {set(4, "2", "3", "1"), 31680, 2069, 34560, 10, "163/32"});
}

// Two players with n dice of s sides: s + s² + … for the rolls, and then any increasing run of the b = 2ns bids, of which there are 2^b;
// after each, but not before the first, somebody calls. Where the highest bid is among them nobody has a choice. Each seat decides after
// half of the runs, knowing its own dice. What is expected was summed over all runs and rolls by a program of its own.
TEST_CASE("liar's dice: small trees are exact", "[explore]") {
    const auto power = [](std::uint64_t base, int exponent) {
        std::uint64_t n = 1;
        for (; exponent > 0; --exponent) n *= base;
        return n;
    };
    struct Row {
        int dice, sides;
        const char* wild;
        const char* expected;
    };
    for (const Row& row : {Row{1, 3, "yes", "1/54"}, Row{1, 6, "yes", "-7/216"}, Row{1, 6, "no", "-1/18"}, Row{2, 2, "yes", "1/16"}}) {
        const auto sides = std::uint64_t{0} + row.sides;
        const std::uint64_t rolls = power(sides, 2 * row.dice), runs = power(2, 2 * row.dice * row.sides);
        std::uint64_t chance = 0;
        for (int thrown = 0; thrown < 2 * row.dice; ++thrown) chance += power(sides, thrown);
        const Variant variant{2, {{"dice", std::to_string(row.dice)}, {"sides", std::to_string(row.sides)}, {"wild", row.wild}}};
        const auto depth = std::uint64_t{0} + 2 * row.dice * (row.sides + 1);
        check_tree("liars_dice", {variant, rolls * runs / 2, chance, rolls * (runs - 1), depth, row.expected});
        const std::uint64_t sets = power(sides, row.dice) * runs / 4;
        CHECK(explored("liars_dice", variant).information_sets == Counts{sets, sets});
    }
}

// Two players with one clue and one mistake, and all laid cards count. A plain recursion over single cards, where what has one
// possibility is no node, counted the same.
TEST_CASE("hanabi: small trees are exact", "[explore]") {
    const auto set = [](const char* colours, const char* ranks, const char* held) {
        return Variant{
            2, {{"colours", colours}, {"ranks", ranks}, {"held", held}, {"clues", "1"}, {"fuses", "1"}, {"burnt_worth", "all_laid"}}};
    };
    check_tree("hanabi", {set("1", "1", "1"), 54, 4, 78, 6, "8/9"});
    check_tree("hanabi", {set("1", "2", "1"), 954, 65, 1308, 9, "199/216"});
    check_tree("hanabi", {set("1", "2", "2"), 312, 17, 396, 7, "19/36"});
}

// Two players, who need not name whom they ask: a decision is the rank, where the hand has several. Nobody can stop before all ranks are
// books: once the pond is empty the other one has what is missing, so that each question then is a book. A plain recursion over how many of
// each rank lie in the pond and in each hand, with every card of the pond a draw of its own, counted the same.
TEST_CASE("go fish: small trees are exact", "[explore]") {
    const auto set = [](const char* ranks, const char* suits, const char* first) {
        return Variant{2, {{"ranks", ranks}, {"suits", suits}, {"first_cards", first}}};
    };
    check_tree("go_fish", {set("3", "2", "1"), 192, 613, 1008, 7, "7/15"});
    check_tree("go_fish", {set("2", "3", "2"), 648, 1021, 1872, 7, "17/40"});
    check_tree("go_fish", {set("3", "2", "2"), 432, 757, 1392, 7, "8/15"});
    check_tree("go_fish", {set("4", "2", "2"), 91872, 105473, 233088, 12, "65/126"});
}
