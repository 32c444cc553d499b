// Every rules file: it checks with nothing to say, and random games of every variant come to an end.
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace houserule;
using namespace houserule::testing;

namespace {

void play_games(const std::string& name, const std::shared_ptr<const Machine>& machine, int games) {
    const auto run = make_run(machine);
    for (int game = 0; game < games; ++game) {
        const std::uint64_t seed = seed_of(name) + static_cast<std::uint64_t>(game);
        INFO(name << ", seed " << seed);
        Random random(seed);
        run->start();
        const bool over = play_through(*run, random);
        INFO(failure_text(*run));
        if (!over && as_printed(*machine)) continue;
        REQUIRE(over);
        const auto players = static_cast<std::size_t>(machine->game.players);
        CHECK(run->winners(random).size() <= players);
        CHECK(run->scores().size() == (machine->game.score == no_id ? 0 : players));
        CHECK(run->payoffs().size() == (machine->game.payoff == no_id ? 0 : players));
    }
}

// The games whose random play is long watched: acts at any time, matches, judgements.
void play_shipped(int games) {
    for (const char* name : {"cogito", "jiji"}) {
        const Rules rules = read_rules(rules_file(name));
        const PlayerRange range = player_range(rules.syntax);
        for (int players = range.low; players <= range.high; ++players) {
            const Variant variant{players, {}};
            play_games(variant_name(rules, variant), machine_of(rules, variant), games);
        }
    }
}

}  // namespace

TEST_CASE("every rules file checks without errors and questions", "[language]") {
    REQUIRE(rules_files().size() >= 14);
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        const Diagnostics found = all_diagnostics(rules);
        INFO(render(found, rules.sources, {}));
        CHECK(std::none_of(found.begin(), found.end(), [](const Diagnostic& d) { return info(d.code).severity != Severity::warning; }));
    }
}

TEST_CASE("random games of every variant come to an end", "[language]") {
    each_machine([](const std::string& name, const auto& machine) { play_games(name, machine, 200); });
}

// A bounded share of what `[.long]` does.
TEST_CASE("two thousand random games of the shipped games do not fail", "[language]") { play_shipped(2'000); }

TEST_CASE("a hundred thousand random games of the shipped games do not fail", "[.long]") { play_shipped(100'000); }

TEST_CASE("ten thousand random games of every variant come to an end", "[.long]") {
    each_machine([](const std::string& name, const auto& machine) { play_games(name, machine, 10'000); });
}
