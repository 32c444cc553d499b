// Files that people wrote keep their meaning: rules files and logs of an earlier time, which are never made anew (tests/compatible).
#include "interpreter/log/log.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace houserule;
using namespace houserule::testing;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "houserule log 1\n";

std::vector<std::string> logs_in(const fs::path& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    const std::string text = all.str();
    std::vector<std::string> logs;
    for (std::size_t at = text.find(beginning); at != std::string::npos;) {
        const std::size_t next = text.find(beginning, at + 1);
        logs.push_back(text.substr(at, next == std::string::npos ? next : next - at));
        at = next;
    }
    return logs;
}

std::string without_blank_end(std::string text) {
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

// What replaying the log tells, as a log.
std::string replayed(const Rules& rules, std::map<std::string, std::shared_ptr<const Machine>>& machines, const std::string& log) {
    const Sources sources{Source("frozen.log", log)};
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    REQUIRE(head);
    std::string variant = std::to_string(head->players);
    for (const auto& [name, value] : head->settings) variant += " " + name + "=" + value;
    auto& machine = machines[variant];
    if (!machine) machine = machine_of(rules, {head->players, {head->settings.begin(), head->settings.end()}});
    CHECK(head->rules == machine->game.hash);
    const auto run = make_run(machine);
    Events events;
    const bool fits = replay(sources, 0, *head, *run, events, diagnostics);
    INFO(render(diagnostics, sources, {}));
    REQUIRE(fits);
    return log_text(*machine, *head, events);
}

// Each rules file of one folder and its logs in the other, of which there must be `wanted` or more; how many files there were.
std::size_t replay_all(const fs::path& rules_folder, const fs::path& logs_folder, std::size_t wanted) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(rules_folder)) {
        if (entry.path().extension() != ".rules") continue;
        const std::string name = entry.path().stem().string();
        const Rules rules = read_rules(entry.path());
        INFO(render(rules.diagnostics, rules.sources, {}));
        REQUIRE(!has_errors(rules.diagnostics));
        std::map<std::string, std::shared_ptr<const Machine>> machines;
        const std::vector<std::string> logs = logs_in(logs_folder / (name + ".logs"));
        INFO(name);
        CHECK(logs.size() >= wanted);
        for (std::size_t i = 0; i < logs.size(); ++i) {
            INFO("log " << i + 1);
            CHECK(replayed(rules, machines, logs[i]) == without_blank_end(logs[i]));
        }
        ++files;
    }
    return files;
}

fs::path tests_folder() { return rules_file("kuhn").parent_path().parent_path() / "tests"; }

}  // namespace

TEST_CASE("compatible: rules files and logs of an earlier time mean what they meant", "[compatible]") {
    const fs::path frozen = tests_folder() / "compatible";
    // House rules change the games of that day.
    REQUIRE(setenv("HOUSERULE_GAMES", (frozen / "rules").c_str(), 1) == 0);
    REQUIRE(cli::find_game("kuhn") == (frozen / "rules" / "kuhn.rules").string());
    const std::size_t files = replay_all(frozen / "rules", frozen / "logs", 20);
    unsetenv("HOUSERULE_GAMES");
    CHECK(files >= 30);
}

TEST_CASE("compatible: games written from the page mean what they meant", "[compatible]") {
    CHECK(replay_all(tests_folder() / "strangers", tests_folder() / "strangers", 1) >= 47);
}
