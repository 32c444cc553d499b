// `houserule simulate`: the number of threads changes nothing, and tools find what they need.
#include "interpreter/app/simulation/quick_games.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

using namespace houserule;
using namespace houserule::testing;

namespace {

nlohmann::json simulate(const std::string& arguments) {
    const std::string command = std::string(HOUSERULE_PROGRAM) + " simulate --json " + arguments;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;) text.append(buffer.data(), n);
    REQUIRE(pclose(pipe) == 0);
    return nlohmann::json::parse(text);
}

TEST_CASE("the number of threads changes nothing") {
    const std::string arguments = GENERATE("cogito -n 3 --games 500 --seed 7", "jiji -n 4 --games 500 --set long_day=yes");
    nlohmann::json one = simulate(arguments + " --threads 1");
    nlohmann::json three = simulate(arguments + " --threads 3");
    for (nlohmann::json* j : {&one, &three}) {
        j->erase("games_per_s");
        j->erase("decisions_per_s");
    }
    CHECK(one == three);
    CHECK(one["games"] == 500);
}

TEST_CASE("what simulate tells tools") {
    const nlohmann::json j = simulate("jiji --games 50");
    for (const char* key : {"games", "players", "seed", "settings", "games_per_s", "decisions_per_s", "decisions_per_game", "branching",
                            "win_share", "average_scores", "ends", "acts", "never", "failed"}) {
        INFO(key);
        CHECK(j.contains(key));
    }
    CHECK(j["win_share"].size() == j["players"]);
}

// Published to two digits: 18 decisions a game, 2.51 choices each, and the first seat wins .33 of the games.
TEST_CASE("agram at random is as others have measured it") {
    const nlohmann::json j = simulate("agram -n 3 --games 40000 --seed 4");
    CHECK(j["decisions_per_game"] == 18);
    CHECK(j["branching"].get<double>() == Approx(2.51).margin(0.01));
    CHECK(j["win_share"][0]["low"].get<double>() < 0.335);
    CHECK(j["win_share"][0]["high"].get<double>() > 0.325);
}

// Deductions of some games take long: without a limit of work, `validate` played for minutes.
TEST_CASE("quick games end when their work is spent") {
    const Rules jiji = read_rules(rules_file("jiji"));
    const auto machine = machine_of(jiji, tested_variants(jiji.syntax).front());
    const auto all = cli::quick_games(machine, 20, 10'000'000);
    REQUIRE(all.size() == 20);
    const auto some = cli::quick_games(machine, 20, 500'000);
    CHECK(!some.empty());
    CHECK(some.size() < all.size());
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
    CHECK(cli::quick_games(machine, 20, 1).empty());
}

TEST_CASE("another seed gives other games") {
    CHECK(simulate("cogito --games 100 --seed 1")["ends"] != simulate("cogito --games 100 --seed 2")["ends"]);
}

}  // namespace
