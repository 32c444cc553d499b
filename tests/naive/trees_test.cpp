// The trees of small games against what is known of them.
//
// Kuhn poker: H. W. Kuhn, "A simplified two-person poker" (1950). Leduc hold'em: Southey et al., "Bayes' bluff" (UAI 2005); its
// counts of nodes are those of common research frameworks, with both suits told apart.
#include "tests/naive/explore.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

Tree tree_of(const std::string& name, int players) {
    const Rules rules = read_rules(rules_file(name));
    return explore(*make_run(machine_of(rules, {players, {}})));
}

}  // namespace

TEST_CASE("Kuhn poker for two has its known tree", "[naive]") {
    const Tree tree = tree_of("kuhn", 2);
    CHECK(tree.histories() == 58);
    CHECK(tree.decisions == 24);
    CHECK(tree.chances == 4);
    CHECK(tree.ends == 30);
    CHECK(tree.information_sets[0].size() == 6);
    CHECK(tree.information_sets[1].size() == 6);
    CHECK(tree.value[0] == Approx(0.125));
    CHECK(tree.value[1] == Approx(-0.125));
}

TEST_CASE("Leduc hold'em for two has its known tree", "[naive]") {
    const Tree tree = tree_of("leduc", 2);
    CHECK(tree.histories() == 9457);
    CHECK(tree.decisions == 3780);
    CHECK(tree.chances == 157);
    CHECK(tree.ends == 5520);
    CHECK(tree.information_sets[0].size() + tree.information_sets[1].size() == 936);
    CHECK(tree.value[0] + tree.value[1] == Approx(0.0).margin(1e-9));
}
