// `houserule simulate`: the number of threads changes nothing, and tools find what they need.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <string>

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

TEST_CASE("another seed gives other games") {
    CHECK(simulate("cogito --games 100 --seed 1")["ends"] != simulate("cogito --games 100 --seed 2")["ends"]);
}

}  // namespace
