// The measure of what validation sees by itself: ten small games in which faults were left (tests/ambiguity/planted).
#include "interpreter/log/log.hpp"
#include "interpreter/run/run.hpp"
#include "solver/validate/validate.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace houserule;
using namespace houserule::testing;

namespace {

const std::filesystem::path planted = std::filesystem::path(HOUSERULE_ROOT) / "tests/ambiguity/planted";

// The cells of a file's rows: `a | b | c`, without blanks around them.
std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path, char between) {
    std::ifstream file(path);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, between);) {
            const auto first = cell.find_first_not_of(' ');
            const auto last = cell.find_last_not_of(' ');
            rows.back().push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
        }
    }
    return rows;
}

bool tells(const Finding& f, const std::string& classes, const std::string& rule) {
    std::istringstream names(classes);
    for (std::string name; std::getline(names, name, ',');)
        if (class_of(name.substr(name.find_first_not_of(' '))) == f.what) return rule == f.rule || rule == f.paragraph.name;
    return false;
}

bool replays(const Rules& rules, const Witness& w) {
    const auto machine = machine_of(rules, {w.players, w.settings});
    Sources sources;
    sources.emplace_back("witness", w.log);
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    if (!head) return false;
    const auto run = make_run(machine);
    Events events;
    return replay(sources, 0, *head, *run, events, diagnostics);
}

}  // namespace

TEST_CASE("most faults that were left in small games are told, and what else is told was judged", "[validate]") {
    // What is told today: it may grow, and what else is told may become less.
    constexpr std::size_t least_told = 38;  // the two others are none: cards never run out there, and the question changes no game
    constexpr std::size_t most_others = 53;
    std::map<std::string, std::vector<std::vector<std::string>>> faults;
    for (auto& row : rows_of(planted / "faults.txt", '|')) faults[row.at(0)].push_back(row);
    std::set<std::pair<std::string, std::string>> judged;
    for (const auto& row : rows_of(planted / "others.txt", '|')) {
        CAPTURE(row);
        REQUIRE(row.size() == 4);
        CHECK(row[2] == "real");
        judged.emplace(row[0], row[1]);
    }
    std::size_t told = 0;
    std::size_t others = 0;
    std::vector<std::string> silent;
    for (const auto& [game, of_game] : faults) {
        const Rules rules = read_rules(planted / (game + ".rules"));
        std::vector<Finding> all;
        for (const bool blind : {true, false}) {
            ValidateLimits limits;
            limits.games = 1'000;
            limits.blind = blind;
            const Validation found = validate(rules.syntax, limits);
            all.insert(all.end(), found.findings.begin(), found.findings.end());
        }
        std::set<std::string> telling;
        for (const auto& fault : of_game) {
            bool any = false;
            for (const Finding& f : all) {
                if (!tells(f, fault.at(1), fault.at(2))) continue;
                any = true;
                telling.insert(f.id);
            }
            told += any ? 1 : 0;
            if (!any) silent.push_back(game + " " + fault.at(1) + " " + fault.at(2));
        }
        std::set<std::string> rest;
        for (const Finding& f : all) {
            CAPTURE(game, f.id);
            if (f.witness) CHECK(replays(rules, *f.witness));
            if (telling.contains(f.id) || !rest.insert(f.id).second) continue;
            ++others;
            CHECK(judged.contains({game, f.id}));
        }
    }
    CAPTURE(silent);
    CHECK(told >= least_told);
    CHECK(others <= most_others);
}
