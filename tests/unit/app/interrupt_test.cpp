// Ctrl-C at a prompt: what was typed is on disk, and the program says 130. Ctrl-C anywhere else: it ends soon, with what it has.
#include "tests/support/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using houserule::testing::join_stderr;
using houserule::testing::Program;

// A file name of its own, which nothing has yet and nothing has afterwards.
class Log {
public:
    explicit Log(const std::string& name) : path_(fs::temp_directory_path() / ("houserule_interrupt_" + std::to_string(getpid()) + name)) {
        remove();
    }
    ~Log() { remove(); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    std::string path() const { return path_.string(); }
    std::string text() const {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    void remove() const {
        std::error_code error;
        fs::remove(path_, error);
    }
    fs::path path_;
};

}  // namespace

TEST_CASE("Ctrl-C ends a companion and leaves what was typed", "[interrupt]") {
    const Log log("assist.view");
    Program program({"assist", "kuhn", "--players", "2", "--as", "P1", "--log", log.path(), "--lang", "en"});
    REQUIRE(program.until_prompt().ends_with("> "));
    program.type("deal deck -> P1's hand: 2\n");
    REQUIRE(program.until_prompt().ends_with("> "));
    program.interrupt();
    CHECK(program.wait(60).code == 130);
    CHECK(log.text().find("deal deck -> P1's hand: 2") != std::string::npos);
}

TEST_CASE("Ctrl-C ends a game and leaves its log", "[interrupt]") {
    const Log log("play.log");
    Program program({"play", "kuhn", "--players", "2", "--seed", "1", "--log", log.path(), "--lang", "en"});
    REQUIRE(program.until_prompt().ends_with("> "));
    program.interrupt();
    CHECK(program.wait(60).code == 130);
    CHECK(log.text().find("P1's hand") != std::string::npos);
}

namespace {

// A rules file of its own, in the way of Log.
class Rules {
public:
    Rules(const std::string& name, const std::string& text) : file_(name + ".rules") { std::ofstream(file_.path()) << text; }
    std::string path() const { return file_.path(); }

private:
    Log file_;
};

std::string game(const std::string& name, const std::string& play) {
    return "game " + name +
           "\nplayers 2 in a circle, clockwise\ncards card { rank 1..6   1 of each }\nzone pile set of card seen by all\n"
           "setup { put all cards in pile }\nwinner = players where it is P1, then shared\n" +
           play;
}

// A thousand million rounds in which nobody is asked.
std::string rounds() { return game("rounds", "play { repeat 1000 times { repeat 1000 times { repeat 1000 times { nothing } } } }\n"); }

std::string many_rules(int n) {
    std::string calls;
    std::string rules;
    for (int i = 0; i < n; ++i) {
        calls += fmt::format("r{}\n", i);
        rules += fmt::format("rule r{0} {{ P1 says hi{0} }}\n", i);
    }
    return game("many", "play {\n" + calls + "}\n" + rules);
}

// What would run for long: how much processor time it has before it is interrupted, and what it has to show then.
struct Long {
    std::vector<std::string> arguments;
    std::string shows;
    double alone = 0.5;
};

constexpr double most_cpu = 5;        // after Ctrl-C: on an idle machine it is far below one, with sanitizers some
constexpr double most_seconds = 100;  // on a machine with much else to do

void check_interrupted(const Long& command) {
    INFO(fmt::format("houserule {}", fmt::join(command.arguments, " ")));
    Program program(command.arguments, join_stderr);
    REQUIRE(program.work_for(command.alone));
    program.interrupt();
    const houserule::testing::Ended ended = program.wait(most_seconds);
    INFO(ended.out.substr(0, 2000));
    CHECK(ended.signal == 0);
    CHECK(ended.code == 130);
    CHECK(ended.cpu < most_cpu);
    CHECK(ended.out.find(command.shows) != std::string::npos);
}

std::string of_tests(const std::string& name) { return (fs::path(HOUSERULE_ROOT) / "tests/faults" / (name + ".rules")).string(); }

}  // namespace

TEST_CASE("Ctrl-C ends games that are played or walked, with what there is", "[interrupt]") {
    const Rules forced("rounds", rounds());
    const std::vector<Long> all = {
        {{"simulate", "hearts", "--players", "4", "--games", "1000000000", "--lang", "en"}, "interrupted"},
        {{"simulate", "cheat", "--games", "1000", "--seat", "1=deduce", "--think", "100000", "--lang", "en"}, "interrupted", 2},
        {{"simulate", forced.path(), "--games", "1000000000", "--lang", "en"}, "interrupted"},
        {{"explore", "hearts", "--limit", "1000000000000", "--lang", "en"}, "interrupted"},
        {{"diff", "jiji", "--reading", "twins=one", "--games", "100000000", "--states", "100000000", "--lang", "en"}, "interrupted"},
        {{"play", "cheat", "--seat", "1=deduce", "--seat", "2=deduce", "--seat", "3=deduce", "--lang", "en"}, "not saved", 1},
    };
    for (const Long& command : all) check_interrupted(command);
}

TEST_CASE("Ctrl-C ends a validation, with what was found", "[interrupt]") {
    const Rules forced("rounds", rounds());
    const Rules many("many", many_rules(3000));
    const std::vector<Long> all = {
        {{"validate", "hearts", "--games", "100000000", "--lang", "en"}, "to mend", 1},
        {{"validate", "hearts", "--games", "8", "--lang", "en"}, "to mend", 0.3},
        {{"validate", "cogito", "--only", "variant", "--games", "100000000", "--lang", "en"}, "to mend", 2},
        {{"validate", forced.path(), "--games", "100000000", "--lang", "en"}, "to mend", 0.2},
        {{"validate", many.path(), "--games", "100000000", "--lang", "en"}, "to mend", 1},
        {{"validate", of_tests("hand_of_many"), "--games", "8", "--lang", "en"}, "to mend", 0.1},
        {{"rulebook", "jiji", "--findings", "--time", "3000", "--lang", "en"}, "# ", 1},
    };
    for (const Long& command : all) check_interrupted(command);
}

TEST_CASE("Ctrl-C ends what has nothing to show yet", "[interrupt]") {
    const Rules many("many", many_rules(12'000));
    for (const char* command : {"check", "rulebook"}) check_interrupted({{command, many.path()}, "", 0.1});
    const Log log("long.log");
    {
        std::ofstream out(log.path());
        out << "game kuhn\nplayers 2\n\n";
        for (int i = 0; i < 1'500'000; ++i) out << "P1 chooses move: pass\n";
    }
    for (const char* command : {"hint", "worlds", "replay"}) check_interrupted({{command, log.path(), "--as", "P1"}, "", 0.1});
}
