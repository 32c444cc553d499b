// Shows that the case runner finds what it is for. The commands here need no program of ours.
#include "tests/support/cases.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace cases = houserule::cases;
namespace fs = std::filesystem;

cases::Setting plain() { return {HOUSERULE_ROOT, "/nonexistent", 120}; }

std::string console(const std::string& body) { return "```console\n" + body + "```\n"; }

std::size_t fault_count(const std::string& text) { return cases::run(text, plain()).faults.size(); }

// The console block after what was printed was written into it.
std::string updated(const std::string& body) { return cases::run(console(body), plain()).rewritten; }

void check_passes(const std::string& text) {
    INFO(text);
    const cases::Report report = cases::run(text, plain());
    for (const auto& fault : report.faults) UNSCOPED_INFO(fault.line << ": " << fault.text);
    CHECK(report.faults.empty());
    CHECK(report.command_count > 0);
    CHECK(report.rewritten == text);
}

// A folder with a document in it, gone at the end.
struct Tree {
    fs::path root = fs::temp_directory_path() / ("houserule-tree-" + std::to_string(Catch::rngSeed()) + "-" + std::to_string(getpid()));

    void add(const fs::path& path, const std::string& text) const {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
    ~Tree() { fs::remove_all(root); }
};

}  // namespace

TEST_CASE("case runner: accepts what is printed") {
    check_passes(console("$ true\n"));
    check_passes(console("$ echo a\na\n$ echo b\nb\n"));
    check_passes(console("$ echo a; echo b >&2; echo c\na\nb\nc\n"));
    check_passes(console("$ false\n[exit 1]\n"));
    check_passes(console("$ echo a; exit 3\na\n[exit 3]\n"));
    check_passes(console("$ printf 'a\\n\\n'\na\n\n"));
    check_passes(console("$ printf a\na\n[no line end]\n"));
    check_passes(console("$ printf 'x\\ny\\n' | tr x z\nz\ny\n"));
    check_passes(console("$ echo a \\\n  b\na b\n"));
    check_passes(console("$ cat\n"));  // nothing comes from stdin
}

TEST_CASE("case runner: finds other output") {
    CHECK(fault_count(console("$ echo a\nb\n")) == 1);
    CHECK(fault_count(console("$ echo a\n")) == 1);
    CHECK(fault_count(console("$ true\na\n")) == 1);
    CHECK(fault_count(console("$ echo a\na\n\n")) == 1);
    CHECK(fault_count(console("$ echo 'a '\na\n")) == 1);
    CHECK(fault_count(console("$ printf a\na\n")) == 1);
    CHECK(fault_count(console("$ echo a; echo b\nb\na\n")) == 1);
    CHECK(fault_count(console("$ echo a\nb\n$ echo c\nc\n$ echo d\ne\n")) == 2);
}

TEST_CASE("case runner: finds another exit code") {
    CHECK(fault_count(console("$ false\n")) == 1);
    CHECK(fault_count(console("$ false\n[exit 2]\n")) == 1);
    CHECK(fault_count(console("$ true\n[exit 1]\n")) == 1);
    CHECK(fault_count(console("$ false\n…\n")) == 1);
    CHECK(fault_count(console("$ false\n[exit …]\n")) == 1);
    CHECK(fault_count(console("$ kill -9 $$\n[exit 137]\n")) == 0);
}

TEST_CASE("case runner: `…` stands for lines or text") {
    check_passes(console("$ seq 9\n1\n…\n9\n"));
    check_passes(console("$ seq 9\n…\n"));
    check_passes(console("$ seq 9\n1\n…\n4\n5\n…\n…\n9\n…\n"));
    check_passes(console("$ true\n…\n"));
    check_passes(console("$ echo abcabc\na…c\n"));
    check_passes(console("$ echo abcabc\n…b…b…\n"));
    check_passes(console("$ echo ab\na…b\n"));
    check_passes(console("$ seq 3; false\n…\n[exit 1]\n"));
    CHECK(fault_count(console("$ seq 9\n2\n…\n9\n")) == 1);
    CHECK(fault_count(console("$ seq 9\n1\n…\n8\n")) == 1);
    CHECK(fault_count(console("$ seq 9\n…\n5\n4\n…\n")) == 1);
    CHECK(fault_count(console("$ echo abc\na…b\n")) == 1);
    CHECK(fault_count(console("$ echo aba\nab…ba\n")) == 1);
    CHECK(fault_count(console("$ echo abc\n…b…b…\n")) == 1);
}

TEST_CASE("case runner: blocks become files") {
    check_passes("```rules\na\n```\n```log\nb\n```\n" + console("$ cat game.rules game.log\na\nb\n"));
    check_passes("```rules x.rules\na\n```\n```file sub/y z\nb\n\n```\n" + console("$ cat x.rules 'sub/y z'\na\nb\n\n"));
    check_passes("```rules\na\n```\n" + console("$ cat game.rules\na\n") + "```rules\nb\n```\n" + console("$ cat game.rules\nb\n"));
    check_passes("````file f\n```\n````\n~~~file g\n``\n~~~\n" + console("$ cat f g | wc -l\n2\n"));
    check_passes("- item\n\n  ```rules\n  a\n    b\n\n  ```\n\n  ```console\n  $ cat game.rules\n  a\n    b\n\n  ```\n");
    check_passes("```text\n$ not run\n```\n```cpp\n```\n" + console("$ ls -A\nexamples\ngames\n"));
    check_passes("````text\n```console\n$ not run\n```\n````\n" + console("$ true\n"));
}

TEST_CASE("case runner: a document that cannot be used says so") {
    const auto only_fault = [](const std::string& text) {
        const cases::Report report = cases::run(text, plain());
        REQUIRE(report.faults.size() == 1);
        CHECK_FALSE(report.faults[0].rewritable);
        return std::to_string(report.faults[0].line) + ": " + report.faults[0].text;
    };
    CHECK(only_fault("a\n```console\n$ true\n") == "2: the block is not closed");
    CHECK(only_fault("```console\necho\n```\n") == "2: a console block begins with a line `$ COMMAND`");
    CHECK(only_fault("```console\n```\n") == "2: a console block begins with a line `$ COMMAND`");
    CHECK(only_fault("```file\na\n```\n") == "1: a block cannot become the file ``");
    CHECK(only_fault("```file /tmp/a\n```\n") == "1: a block cannot become the file `/tmp/a`");
    CHECK(only_fault("```rules a/../../b\n```\n") == "1: a block cannot become the file `a/../../b`");
    CHECK(only_fault("```rules ./games/a.rules\n```\n") == "1: a block cannot become the file `./games/a.rules`");
    CHECK_THAT(only_fault(console("$ echo '$ a'\n")), Catch::Contains("cannot hold this output"));
    CHECK_THAT(only_fault(console("$ echo '```'\n")), Catch::Contains("cannot hold this output"));
}

TEST_CASE("case runner: a fault shows its line and what differs") {
    const cases::Report report = cases::run("a\n\n" + console("$ seq 4\n1\n3\n…\n5\n"), plain());
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].line == 4);
    CHECK(report.faults[0].text == "$ seq 4\n  | 1\n+ | 2\n  | 3\n  | …\n- | 5\n+ | 4\n");
}

TEST_CASE("case runner: rewriting keeps what still fits") {
    CHECK(updated("$ echo a\nb\n") == console("$ echo a\na\n"));
    CHECK(updated("$ seq 3\n") == console("$ seq 3\n1\n2\n3\n"));
    CHECK(updated("$ true\na\nb\n[exit 1]\n") == console("$ true\n"));
    CHECK(updated("$ echo a; exit 2\n") == console("$ echo a; exit 2\na\n[exit 2]\n"));
    CHECK(updated("$ seq 9\n0\n…\n10\n") == console("$ seq 9\n1\n…\n9\n"));
    CHECK(updated("$ printf 'a 1\\nb 2\\n'\na …\nc …\n") == console("$ printf 'a 1\\nb 2\\n'\na …\nb 2\n"));
    CHECK(updated("$ echo a\nb\n$ echo c\nc\n$ seq 2\n") == console("$ echo a\na\n$ echo c\nc\n$ seq 2\n1\n2\n"));
    CHECK(cases::run("x\n  ```console\n  $ echo a\n  ```\ny\n", plain()).rewritten == "x\n  ```console\n  $ echo a\n  a\n  ```\ny\n");
    const std::string again = updated("$ seq 5\n2\n…\n");
    CHECK(cases::run(again, plain()).faults.empty());
}

TEST_CASE("case runner: a command has a folder, a bare environment and a time limit") {
    check_passes(console("$ test \"$HOME\" = \"$PWD\" && echo \"$NO_COLOR $LC_ALL\"\n1 C.UTF-8\n"));
    check_passes(console("$ echo a > f\n$ cat f\na\n"));
    check_passes(console("$ test -z \"$USER$UPDATE_CASES\" && echo \"${PATH%%:*}\"\n/nonexistent\n"));
    check_passes(console("$ test \"$(readlink games)\" = \"$HOUSERULE_GAMES\"\n"));
    cases::Setting hasty = plain();
    hasty.limit_s = 1;
    const cases::Report report = cases::run(console("$ while :; do :; done\n"), hasty);
    REQUIRE(report.faults.size() == 1);
    CHECK_THAT(report.faults[0].text, Catch::Contains("stopped after 1 s"));
}

TEST_CASE("case runner: finds the documents of a tree") {
    const Tree tree;
    const std::string document = console("$ true\n");
    for (const char* path : {"tests/cases/a.md", "tests/cases/b/c.md", "README.md", "dsl/README.md", "games/g.md", "examples/e/f.md"}) {
        tree.add(path, document);
    }
    tree.add("games/prose.md", "```text\n$ true\n```\n");
    tree.add("tests/cases/a.txt", document);
    tree.add("tests/other.md", document);
    const std::vector<fs::path> expected{"README.md",  "dsl/README.md",    "examples/e/f.md",
                                         "games/g.md", "tests/cases/a.md", "tests/cases/b/c.md"};
    CHECK(cases::documents(tree.root) == expected);
    CHECK(cases::documents(tree.root / "nothing").empty());
}
