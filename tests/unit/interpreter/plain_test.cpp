// The engine against the plain stepper (interpreter/plain), the reference of what a statement means: random games of all that ships and of
// the small games of tests/faults, played in both at once and compared at every node.
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/support/two_runs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_nodes = 400;

void compare(const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    random_samples();
    const auto difference = first_difference(machine, seed, most_nodes);
    if (difference) FAIL_CHECK(*difference);
}

void compare_file(const fs::path& path, int games) {
    const Rules rules = read_rules(path);
    for (const Variant& variant : variants(rules.syntax)) {
        const std::string name = variant_name(rules, variant);
        INFO(name);
        const auto machine = machine_of(rules, variant);
        for (int i = 0; i < games; ++i) compare(machine, seed_of(name) + static_cast<std::uint64_t>(i));
    }
}

void compare_small_games(int games) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(HOUSERULE_ROOT) / "tests/faults"))
        if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE_FALSE(files.empty());
    for (const fs::path& path : files) compare_file(path, games);
}

void compare_shipped_games(int games) {
    for (const fs::path& path : rules_files()) compare_file(path, games);
}

}  // namespace

TEST_CASE("the engine does what the plain stepper does, in all games that ship", "[plain]") { compare_shipped_games(1); }
TEST_CASE("the engine does what the plain stepper does, in small games", "[plain]") { compare_small_games(20); }

TEST_CASE("the engine does what the plain stepper does, in many games", "[.long]") {
    compare_shipped_games(50);
    compare_small_games(1'000);
}
