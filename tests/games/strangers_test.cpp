// Games that were written from the page of the language alone (tests/strangers): they check without a word, are played, and their examples
// hold. What they mean is kept by their logs: see compatible_test.cpp.
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace houserule;
using namespace houserule::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t enough_nodes = 1'500;  // of long games fewer are played

std::vector<fs::path> strangers() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(rules_file("kuhn").parent_path().parent_path() / "tests/strangers"))
        if (entry.path().extension() == ".rules") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("strangers: games written from the page check and come to an end", "[language]") {
    const std::vector<fs::path> files = strangers();
    CHECK(files.size() >= 47);
    for (const fs::path& path : files) {
        const Rules rules = read_rules(path);
        const Diagnostics found = all_diagnostics(rules);
        INFO(render(found, rules.sources, {}));
        std::vector<Code> told;
        for (const Diagnostic& d : found) told.push_back(d.code);
        // One says something else than it means, as their README tells.
        CHECK(told == (path.stem() == "mahjong" ? std::vector{Code::no_reads_two_ways} : std::vector<Code>()));
        const PlayerRange range = player_range(rules.syntax);
        for (int players = range.low; players <= range.high; ++players) {
            const auto run = make_run(machine_of(rules, {players, {}}));
            std::size_t nodes = 0;
            for (int game = 0; game < 50 && nodes < enough_nodes; ++game) {
                const std::uint64_t seed = seed_of(rules.name) + static_cast<std::uint64_t>(game);
                INFO(rules.name << ", " << players << " players, seed " << seed);
                Random random(seed);
                run->start();
                const bool over = play_through(*run, random, [&](const Node&) { ++nodes; });
                INFO(failure_text(*run));
                REQUIRE(over);
            }
        }
    }
}

// Every answer of `check` on the way is kept; the last one has nothing more to say.
TEST_CASE("strangers: what the checker said on the way ends without an error", "[language]") {
    for (const fs::path& path : strangers()) {
        const std::string said = text_of(fs::path(path).replace_extension(".check.txt"));
        const std::size_t last = said.rfind("\n== ");
        INFO(path.filename().string());
        REQUIRE(said.starts_with("== 1\n"));
        const std::string answer = said.substr(last == std::string::npos ? 0 : last);
        const bool clean = answer.find(": no errors\n") != std::string::npos || answer.find(": エラーなし\n") != std::string::npos;
        CHECK(clean);
    }
}
