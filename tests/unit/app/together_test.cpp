// `simulate` and `explore` shared by several processes: any number of them comes to the bytes that one comes to.
#include <fmt/format.h>
#include "tests/support/program.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#ifndef HOUSERULE_MPIEXEC
#define HOUSERULE_MPIEXEC ""
#endif

using houserule::testing::Program;

namespace {

const std::string mpiexec = HOUSERULE_MPIEXEC;

// What a shell command prints, and what it ends with.
std::pair<std::string, int> shell(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;) text.append(buffer.data(), n);
    const int status = pclose(pipe);
    return {text, WEXITSTATUS(status)};
}

// Without the lines that tell how long it took.
std::string timeless(const std::string& text) {
    std::string kept;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.find("_per_s") == std::string::npos && !line.starts_with("speed:")) kept += line + "\n";
    return kept;
}

std::pair<std::string, int> alone(const std::string& arguments) {
    const auto [text, code] = shell(fmt::format("{} {} 2>&1", HOUSERULE_PROGRAM, arguments));
    return {timeless(text), code};
}
// More than there are processors, and as root, if need be: both have to be allowed.
constexpr const char* allowed =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
    "OMPI_MCA_mpi_yield_when_idle=1";
// What the starter itself says goes away.
std::pair<std::string, int> together(int processes, const std::string& arguments) {
    const auto [text, code] =
        shell(fmt::format("{} {} -n {} {} {} 2>/dev/null", allowed, mpiexec, processes, HOUSERULE_PROGRAM, arguments));
    return {timeless(text), code};
}

struct Folder {
    std::filesystem::path path;

    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "ranks-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

std::string broken_game(const Folder& folder) {
    const std::string file = (folder.path / "broken.rules").string();
    std::ofstream(file) << "game broken\nplayers 2 in a circle, clockwise\ncards card { rank 1..3   1 of each }\n"
                           "zone deck stack of card seen by nobody\nzone hand of player one card seen by owner\n"
                           "fact n 0..3 = 0 lasts game seen by all\n"
                           "setup { put all cards on deck, shuffled   deal 1 from deck to every hand }\n"
                           "play { each p clockwise from P1 { p must name a from 0..2   n becomes n + a } }\n"
                           "winner = players, then shared\n";
    return file;
}

}  // namespace

TEST_CASE("any number of processes comes to the same, of games and of a tree") {
    if (mpiexec.empty()) {
        WARN("built without MPI");
        return;
    }
    const Folder folder;
    const std::string broken = broken_game(folder);
    for (const std::string& arguments : {
             std::string("simulate cogito -n 3 --games 501 --seed 7 --threads 2"),
             std::string("simulate kuhn -n 2 --games 3000 --json"),
             std::string("simulate kuhn --games 5 --seat P1=deduce --think 1"),
             "simulate --games 700 " + broken,
             std::string("explore leduc"),
             std::string("explore kuhn -n 3 --keep-forced --json"),
             "explore --json " + broken,
         }) {
        const auto [text, code] = alone(arguments);
        CHECK((code == 0 || code == 1));
        // Starting processes takes longer than what they do.
        const bool first_of_its_kind = arguments.starts_with("simulate cogito") || arguments == "explore leduc";
        for (const int processes : first_of_its_kind ? std::vector{1, 2, 3, 7} : std::vector{3}) {
            INFO(processes << " processes: " << arguments);
            CHECK(together(processes, arguments) == std::pair(text, code));
        }
    }
}

TEST_CASE("processes that run together take parts as they are ready for them, and leave alone what is there") {
    if (mpiexec.empty()) {
        WARN("built without MPI");
        return;
    }
    for (const std::string arguments : {"simulate kuhn --games 2000", "explore leduc"}) {
        const Folder folder;
        const auto whole = alone(arguments);
        const std::string with_folder = fmt::format("{} --checkpoint {}", arguments, (folder.path / "parts").string());
        CHECK(together(3, with_folder) == whole);
        for (const int lost : {1, 17, 200}) std::filesystem::remove(folder.path / "parts" / fmt::format("{}-of-256.part", lost));
        CHECK(together(2, with_folder) == whole);
        CHECK(alone(with_folder) == whole);
    }
}

TEST_CASE("a run with checkpoints that is killed goes on with what is missing") {
    const Folder folder;
    const std::string parts = (folder.path / "parts").string();
    const std::string games = "200000";
    {
        Program run({"simulate", "cogito", "--engine", "interpret", "--games", games, "--checkpoint", parts});
        REQUIRE(run.work_for(0.4));
        run.kill_it();
        run.wait(60);
    }
    const auto left = std::distance(std::filesystem::directory_iterator(parts), {});
    CHECK(left > 0);
    CHECK(left < 256);
    CHECK(alone(fmt::format("simulate cogito --games {} --checkpoint {}", games, parts)) == alone("simulate cogito --games " + games));
}

TEST_CASE("what is wrong for all processes is said once") {
    if (mpiexec.empty()) {
        const auto [text, code] = shell(fmt::format("OMPI_COMM_WORLD_SIZE=4 {} simulate kuhn 2>&1", HOUSERULE_PROGRAM));
        CHECK(code == 2);
        CHECK(text.find("4 processes were started together") != std::string::npos);
        return;
    }
    const auto [text, code] = shell(fmt::format("{} {} -n 3 {} simulate no_such_game 2>&1", allowed, mpiexec, HOUSERULE_PROGRAM));
    CHECK(code == 2);
    int lines = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines += line.find("no_such_game") != std::string::npos ? 1 : 0;
    INFO(text);
    CHECK(lines == 1);
    CHECK(together(2, "explore kuhn --part 1/2 -o x.part").second == 2);
}
