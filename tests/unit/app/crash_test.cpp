// Whatever `check` calls clean crashes no command: every command, with small limits, on games that once did harm and on all that ship.
#include "tests/support/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using houserule::testing::Ended;
using houserule::testing::join_stderr;
using houserule::testing::Program;

constexpr double longest_command = 120;  // far more than any of these takes

std::vector<std::string> rules_in(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(fs::path(HOUSERULE_ROOT) / folder))
        if (entry.path().extension() == ".rules") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// It ended by itself, with a code that the program knows.
int code_of(const std::vector<std::string>& arguments) {
    const Ended ended = Program(arguments, join_stderr).wait(longest_command);
    INFO(fmt::format("houserule {}", fmt::join(arguments, " ")));
    INFO(ended.out.substr(0, 2000));
    CHECK(ended.signal == 0);
    CHECK((ended.code >= 0 && ended.code <= 3));
    return ended.code.value_or(-1);
}

void each_clean_file(const std::vector<std::string>& folders, const std::function<void(const std::string&)>& f) {
    std::size_t clean = 0;
    for (const std::string& folder : folders) {
        for (const std::string& file : rules_in(folder)) {
            if (code_of({"check", file}) != 0) continue;
            ++clean;
            f(file);
        }
    }
    CHECK(clean > 5);
}

const std::vector<std::string> everywhere{"tests/faults", "tests/naive", "games", "examples"};

// The log of one random game.
class OwnLog {
public:
    explicit OwnLog(const std::string& rules) : path_(fs::temp_directory_path() / fmt::format("houserule_crash_{}.log", getpid())) {
        fs::remove(path_);
        made_ = code_of({"play", rules, "--seat", "1=random", "--seed", "3", "--log", path_.string()}) <= 1 && fs::exists(path_);
    }
    ~OwnLog() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    OwnLog(const OwnLog&) = delete;
    OwnLog& operator=(const OwnLog&) = delete;
    bool made() const { return made_; }
    std::string path() const { return path_.string(); }

private:
    fs::path path_;
    bool made_ = false;
};

}  // namespace

TEST_CASE("what is clean crashes no page, picture or game", "[crash]") {
    each_clean_file(everywhere, [](const std::string& file) {
        code_of({"rulebook", file});
        code_of({"graph", file});
        code_of({"explore", file, "--limit", "2000"});
        code_of({"simulate", file, "--games", "20"});
    });
}

TEST_CASE("what is clean crashes no validation", "[crash]") {
    // The games that ship are validated by cases of their own, at length.
    each_clean_file({"tests/faults", "tests/naive"}, [](const std::string& file) {
        code_of({"validate", file, "--games", "40", "--time", "4"});
        code_of({"rulebook", file, "--findings", "--time", "2"});
    });
}

TEST_CASE("what is clean crashes no comparison", "[crash]") {
    const std::string other = (fs::path(HOUSERULE_ROOT) / "tests/faults/challenge.rules").string();
    each_clean_file(everywhere, [&](const std::string& file) {
        code_of({"diff", file, other, "--players", "3", "--games", "10", "--states", "500", "--time", "5"});
    });
}

TEST_CASE("what is clean crashes nobody who deduces", "[crash]") {
    each_clean_file(everywhere, [](const std::string& file) {
        const OwnLog log(file);
        if (!log.made()) return;
        code_of({"replay", log.path(), "--rules", file});
        for (const char* seat : {"P1", "P2"}) code_of({"hint", log.path(), "--rules", file, "--as", seat, "--time", "1"});
        code_of({"worlds", log.path(), "--rules", file, "--as", "P1", "--time", "1", "--limit", "2"});
    });
}
