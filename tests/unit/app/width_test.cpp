// Nothing that is said at a table is wider than a narrow screen, in either language.
#include "tests/support/program.hpp"

#include "dsl/text/text.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

using houserule::display_width;
using houserule::testing::join_stderr;
using houserule::testing::Program;

constexpr std::size_t narrow = 40;
constexpr double patience = 100;  // seconds

std::string printed(std::vector<std::string> arguments, const std::string& typed) {
    Program program(std::move(arguments), [] {
        join_stderr();
        setenv("COLUMNS", std::to_string(narrow).c_str(), 1);
    });
    program.type(typed);
    program.end_input();
    const auto ended = program.wait(patience);
    CHECK(ended.code == 0);
    return ended.out;
}

void check_width(const std::string& text) {
    std::istringstream in(text);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line); ++lines)
        if (display_width(line) > narrow) FAIL_CHECK(line);
    CHECK(lines > 20);
}

struct TableGame {
    std::string name;
    std::string players;
    std::string claim;  // in its own words
};

const std::vector<TableGame> games = {{"cogito", "3", "not rose"},
                                      {"jiji", "3", "not white 3"},
                                      {"hearts", "4", "P2 has ♠ Q"},
                                      {"kuhn", "2", "P2 has 2"},
                                      {"majika_mini", "3", "P2 has rock 3"}};

}  // namespace

TEST_CASE("nothing that assist says is wider than a narrow screen", "[app]") {
    for (const TableGame& game : games) {
        for (const std::string language : {"en", "ja"}) {
            INFO(game.name << ", " << language);
            const std::string typed =
                "help\nhelp fix\nfix\nfix x\nwhy\nwhy " + game.claim +
                "\nwhy 7 < 3\nhint\nhint all\nhint numbers\nhint ?\nworlds\nworlds x\nnext\ntable\nundo\nundo x\nsave\n"
                "nobody's word\np2 p3\n\n\n1\nlog\nworlds\nundo\n";
            check_width(printed({"--lang", language, "assist", game.name, "--players", game.players, "--as", "1"}, typed));
        }
    }
}

TEST_CASE("nothing that play says is wider than a narrow screen", "[app]") {
    for (const TableGame& game : games) {
        for (const std::string language : {"en", "ja"}) {
            INFO(game.name << ", " << language);
            const std::string typed =
                "?\n??\nx\n1\nhint\nhint all\nhint ?\nwhy " + game.claim + "\nwhy\ntable\nlog\n1\nundo\nsave\n1,2,3\n1\n";
            check_width(printed({"--lang", language, "play", game.name, "--players", game.players, "--seed", "4", "--no-log"}, typed));
        }
    }
}
