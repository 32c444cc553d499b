// Nothing that a command throws ends the program without a sentence.
#include "interpreter/app/app.hpp"
#include "interpreter/app/common/common.hpp"
#include "tests/support/program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <new>
#include <set>
#include <stdexcept>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace houserule;
using namespace houserule::testing;
namespace fs = std::filesystem;

struct Said {
    int exit_code = 0;
    std::string err;
};

// What a command that throws comes to, and what stands on stderr.
template <typename Thrown>
Said after(const Thrown& thrown, Language language) {
    const int stream = dup(STDERR_FILENO);
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    dup2(fileno(file), STDERR_FILENO);
    Said said;
    said.exit_code = cli::guarded([&]() -> int { throw thrown; }, {language, false});
    dup2(stream, STDERR_FILENO);
    close(stream);
    std::rewind(file);
    for (int c = 0; (c = std::fgetc(file)) != EOF;) said.err += static_cast<char>(c);
    std::fclose(file);
    return said;
}

template <typename Thrown>
void check(const Thrown& thrown, const std::string& en, const std::string& ja) {
    const Said english = after(thrown, Language::en);
    CHECK(english.exit_code == 2);
    CHECK(english.err == en);
    const Said japanese = after(thrown, Language::ja);
    CHECK(japanese.exit_code == 2);
    CHECK(japanese.err == ja);
}

}  // namespace

TEST_CASE("what a command throws is a sentence and exit code 2", "[app]") {
    check(std::bad_alloc(), "houserule: there is not enough memory to go on\n", "houserule: メモリが足りず、続けられません\n");
    const std::error_code gone = std::make_error_code(std::errc::io_error);
    check(fs::filesystem_error("directory iterator cannot advance", "a/b", gone), "houserule: a/b: Input/output error\n",
          "houserule: a/b: 入出力エラーです\n");
    check(std::runtime_error("canceled"), "houserule: stopped by an error of its own: canceled\n",
          "houserule: 内部の誤りで止まりました: canceled\n");
    check(42, "houserule: stopped by an error of its own\n", "houserule: 内部の誤りで止まりました\n");
    CHECK(cli::guarded([] { return 3; }, {}) == 3);
}

#ifndef HOUSERULE_SANITIZED  // which wants terabytes of addresses
TEST_CASE("without memory there is a sentence and exit code 2", "[app]") {
    const fs::path log = fs::temp_directory_path() / ("houserule_app_" + std::to_string(getpid()) + ".log");
    std::ofstream(log) << "houserule log 1\n" << std::string(60'000'000, '#') << "\n";
    const auto little = [] {
        const rlimit bytes{200'000'000, 200'000'000};
        setrlimit(RLIMIT_AS, &bytes);
    };
    const Ended finished = run_program({"--lang", "en", "replay", log.string()}, little);
    CHECK(finished.code == 2);
    CHECK(finished.err == "houserule: there is not enough memory to go on\n");
    fs::remove(log);
}

TEST_CASE("with however little memory nothing crashes that needs Z3", "[app]") {
    const fs::path log = fs::temp_directory_path() / ("houserule_app_" + std::to_string(getpid()) + ".log");
    REQUIRE(run_program({"play", "kuhn", "--seat", "1=random", "--seed", "1", "--log", log.string()}).code == 0);
    std::set<int> codes;
    for (rlim_t mebibytes = 30; mebibytes <= 120; mebibytes += 3) {
        const auto little = [mebibytes] {
            const rlimit bytes{mebibytes << 20, mebibytes << 20};
            setrlimit(RLIMIT_AS, &bytes);
        };
        if (run_program({"--version"}, little).code != 0) continue;  // its libraries cannot be loaded or begun
        const Ended finished = run_program({"--lang", "en", "hint", log.string(), "--as", "P1"}, little);
        INFO(mebibytes << " MiB: " << finished.err);
        CHECK(finished.signal == 0);
        if (finished.err.starts_with("houserule: ")) CHECK(finished.code == 2);
        codes.insert(finished.code.value_or(-1));
    }
    CHECK(codes.contains(0));
    CHECK(codes.contains(2));
    fs::remove(log);
}
#endif

TEST_CASE("of what is printed line ends and tabs pass, colours where they may, and nothing else that a terminal obeys", "[app]") {
    CHECK(cli::harmless("手札\n\ta\u202E\r\n") == "手札\n\ta\uFFFD␍\n");
    CHECK(cli::harmless("\x1b[1;31mred\x1b[0m\x1b[2J") == "␛[1;31mred␛[0m␛[2J");
    CHECK(cli::harmless("\x1b[1;31mred\x1b[0m\x1b[2J\x1b[", true) == "\x1b[1;31mred\x1b[0m␛[2J␛[");
    CHECK(cli::harmless("\x1b[3\x1b[m\x80", true) == "␛[3\x1b[m\uFFFD");
}

TEST_CASE("a folder that cannot be written keeps its files, byte by byte", "[app]") {
    const fs::path folder = fs::temp_directory_path() / ("houserule_app_" + std::to_string(getpid()));
    fs::create_directory(folder);
    std::ofstream(folder / "book.md") << "old\n";
    fs::permissions(folder / "book.md", fs::perms::others_all | fs::perms::owner_all);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    // Nothing is closed to root.
    const auto as_anybody = [] {
        if (geteuid() == 0 && setuid(65534) != 0) _exit(126);
    };
    const Ended finished = run_program({"--lang", "en", "rulebook", "jiji", "-o", (folder / "book.md").string(), "--force"}, as_anybody);
    CHECK(finished.code == 2);
    CHECK(finished.err.find("cannot be written: Permission denied") != std::string::npos);
    std::ifstream file(folder / "book.md");
    CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "old\n");
    CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
}
