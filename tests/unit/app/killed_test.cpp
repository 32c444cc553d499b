// A program that is killed at any moment: what a person was shown is in the log, so nothing changes for who goes on.
#include "tests/support/program.hpp"
#include "tests/support/rules.hpp"

#include "interpreter/run/random.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using houserule::Random;
using houserule::testing::Ended;
using houserule::testing::is_at_prompt;
using houserule::testing::Program;
using houserule::testing::read_rules;
using houserule::testing::rules_files;
using houserule::testing::run_program;

constexpr double patience = 100;  // seconds

// What happened, of what was printed: the lines of news.
std::vector<std::string> news(const std::string& printed) {
    std::vector<std::string> lines;
    std::istringstream in(printed);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("  ") && line.find(" → ") != std::string::npos) lines.push_back(line);
    return lines;
}

// In the same order; of long news only the last lines were shown.
bool stand_in(const std::vector<std::string>& all, const std::vector<std::string>& some) {
    std::size_t found = 0;
    for (const std::string& line : all)
        if (found < some.size() && line == some[found]) ++found;
    return found == some.size();
}

std::string text_in(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Plays that many prompts, then kills it in the midst of what follows.
std::string shown_until_killed(Program& play, Random& random, int prompts) {
    std::string shown = play.until_prompt();
    for (int i = 0; i < prompts && is_at_prompt(shown); ++i) {
        play.type("1\n");
        shown += play.until_prompt();
    }
    if (is_at_prompt(shown) && random.below(2) == 0) {
        play.type("1\n");
        shown += play.until_prompt(random.below(2'000));
    }
    play.kill_it();
    return shown + play.wait(patience).out;
}

// What is known after going on with `arguments`: all that was ever told, and what was asked.
std::string gone_on(const std::vector<std::string>& arguments) {
    Program again(arguments);
    if (!is_at_prompt(again.until_prompt())) return "";
    again.type("log\n");
    std::string told = again.until_prompt();
    again.kill_it();
    again.wait(patience);
    return told;
}

struct Kills {
    int asked = 0;  // who went on was asked
    std::size_t compared = 0;
};

// Games of `games/` in turn, each killed at some moment.
Kills kill_games(int moments, std::uint64_t seed) {
    const std::string log = (fs::temp_directory_path() / fmt::format("houserule_killed_{}.log", getpid())).string();
    std::vector<fs::path> files = rules_files();
    std::erase_if(files, [](const fs::path& file) { return file.parent_path().filename() != "games"; });
    Random random(seed);
    Kills kills;
    for (int i = 0; i < moments; ++i) {
        const fs::path& file = files[static_cast<std::size_t>(i) % files.size()];
        const auto all = variants(read_rules(file).syntax);
        const int players = all[random.below(all.size())].players;
        const std::string seed_of_game = std::to_string(seed * 1'000 + static_cast<std::uint64_t>(i));
        INFO(fmt::format("{} of {} players with seed {}", file.stem().string(), players, seed_of_game));
        Program play(
            {"play", file.string(), "--players", std::to_string(players), "--seed", seed_of_game, "--log", log, "--force", "--lang", "en"});
        const std::vector<std::string> before = news(shown_until_killed(play, random, static_cast<int>(random.below(6))));
        const std::vector<std::string> after = news(gone_on({"play", log, "--lang", "en"}));
        if (after.empty()) continue;  // it was over
        ++kills.asked;
        CHECK(stand_in(after, before));
        kills.compared += before.size();
    }
    fs::remove(log);
    return kills;
}

}  // namespace

TEST_CASE("what was shown before the program was killed has happened for who goes on", "[killed]") {
    const Kills kills = kill_games(40, 7);
    CHECK(kills.asked > 25);
    CHECK(kills.compared > 80);
}

TEST_CASE("what was shown has happened for who goes on, at 200 moments of all games", "[.long][killed]") {
    const Kills kills = kill_games(200, 8);
    WARN(kills.asked << " went on, " << kills.compared << " lines compared");
    CHECK(kills.asked > 120);
}

TEST_CASE("a game without a log is kept, and goes on with --resume", "[killed]") {
    Program play({"play", "leduc", "--players", "2", "--seed", "3", "--seat", "2=deduce", "--hints", "--lang", "en"});
    const std::vector<std::string> before = news(play.until_prompt());
    play.kill_it();
    play.wait(patience);
    REQUIRE(!before.empty());
    Program again({"play", "--resume", "--lang", "en"});
    const std::string greeting = again.until_prompt();
    CHECK(greeting.find("Players who deduce: P2") != std::string::npos);
    CHECK(greeting.find("hint      ") != std::string::npos);
    again.type("log\n");
    CHECK(stand_in(news(again.until_prompt()), before));
    again.type("quit\n");
    CHECK(again.wait(patience).out.find("`houserule play --resume` goes on") != std::string::npos);
}

TEST_CASE("of the games that are kept the last ten stay", "[killed]") {
    for (int i = 0; i < 12; ++i) run_program({"play", "kuhn", "--players", "2", "--seed", "5"});
    const auto folder = [] {
        std::size_t logs = 0;
        for (const auto& entry : fs::recursive_directory_iterator(houserule::testing::state_folder()))
            if (entry.path().extension() == ".log") ++logs;
        return logs;
    };
    CHECK(folder() == 10);
    CHECK(run_program({"play", "kuhn", "--players", "2", "--no-log"}).code == 0);
    CHECK(folder() == 10);
}

namespace {

// One decision; what was printed from there on. The game may be over with it.
std::string decide_and_leave(Program& play, const std::string& answer) {
    play.type(answer + "\n");
    const std::string told = play.until_prompt();
    if (is_at_prompt(told)) play.type("quit\n");
    return told + play.wait(patience).out;
}

}  // namespace

// One after the other goes on from the same log: who comes to write second leaves it as it is.
TEST_CASE("two windows that go on with one game both keep what happened in them", "[killed]") {
    const fs::path folder = fs::temp_directory_path() / fmt::format("houserule_two_windows_{}", getpid());
    fs::create_directories(folder);
    const std::string log = (folder / "game.log").string();
    Program first({"play", "kuhn", "--players", "2", "--seed", "3", "--log", log, "--lang", "en"});
    first.until_prompt();
    first.type("quit\n");
    first.wait(patience);
    Program one({"play", log, "--lang", "en"});
    Program other({"play", log, "--lang", "en"}, houserule::testing::join_stderr);
    one.until_prompt();
    other.until_prompt();
    decide_and_leave(one, "1");
    const std::string written = text_in(log);
    const std::string end = decide_and_leave(other, "2");
    CHECK(end.find("was written by another program meanwhile; this game goes on in " + (folder / "game-2.log").string()) !=
          std::string::npos);
    CHECK(text_in(log) == written);
    CHECK(written.find("yes") != std::string::npos);
    CHECK(text_in(folder / "game-2.log").find("bet = no") != std::string::npos);
    fs::remove_all(folder);
}

namespace {

// The lines of `log` in `assist`.
std::vector<std::string> logged(const Program& assist) {
    assist.type("log\n");
    std::vector<std::string> lines;
    std::istringstream in(assist.until_prompt());
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("    ")) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("what was typed in `assist` before it was killed is there for who goes on", "[killed]") {
    const std::string view = (fs::temp_directory_path() / fmt::format("houserule_killed_{}.view", getpid())).string();
    // The game, how many play, and lines that are typed.
    const std::vector<std::vector<std::string>> games = {
        {"kuhn", "2", "1", "1", ""}, {"old_maid", "3", "2", "3", "5", "7"}, {"cogito", "2", "rose", "owl tree", "me", "owl"}};
    Random random(11);
    std::size_t compared = 0;
    for (int i = 0; i < 12; ++i) {
        const auto& game = games[i % games.size()];
        const bool named = i % 4 != 3;  // else it is among the views that are kept
        fs::remove(view);
        std::vector<std::string> arguments{"assist", game[0], "--players", game[1], "--as", "1", "--lang", "en"};
        if (named) arguments.insert(arguments.end(), {"--log", view});
        Program assist(arguments);
        std::string shown = assist.until_prompt();
        const std::size_t typed = 1 + random.below(game.size() - 2);
        for (std::size_t n = 0; n < typed && is_at_prompt(shown); ++n) {
            assist.type(game[2 + n] + "\n");
            shown = assist.until_prompt();
        }
        INFO(fmt::format("{}, number {}", game[0], i));
        REQUIRE(is_at_prompt(shown));
        const std::vector<std::string> before = logged(assist);
        assist.type("1\n");
        if (random.below(2) == 0) assist.until_prompt(random.below(300));
        assist.kill_it();
        assist.wait(patience);
        Program again(named ? std::vector<std::string>{"assist", view, "--lang", "en"}
                            : std::vector<std::string>{"assist", "--resume", "--lang", "en"});
        REQUIRE(is_at_prompt(again.until_prompt()));
        const std::vector<std::string> after = logged(again);
        CHECK(after.size() >= before.size());
        // Lines that had been filled in count as typed when they are read again.
        const auto words = [](std::string line) { return line.substr(line.find_first_not_of(" 0123456789")); };
        for (std::size_t l = 0; l < std::min(before.size(), after.size()); ++l) CHECK(words(after[l]) == words(before[l]));
        compared += before.size();
        again.type("quit\n");
        CHECK(again.wait(patience).code == 0);
    }
    CHECK(compared > 20);
    fs::remove(view);
}
