// Holds what the folders may know of each other: who may include whom, and that no game's name stands in the code.
#include "tests/house/layers.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace {

using namespace houserule::house;

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Whether `word` (lower case) stands in `text` (lower case) with no letter or digit beside it. `-`, `_` and a space are one.
bool has_word(const std::string& text, const std::string& word) {
    const auto plain = [](char c) { return c == '_' || c == ' ' ? '-' : c; };
    const auto inside = [&](std::size_t i) {
        return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] < 0);
    };
    const auto same = [&](char a, char b) { return plain(a) == plain(b); };
    for (auto at = text.begin();; ++at) {
        at = std::search(at, text.end(), word.begin(), word.end(), same);
        if (at == text.end()) return false;
        const auto begin = static_cast<std::size_t>(at - text.begin());
        if ((begin == 0 || !inside(begin - 1)) && !inside(begin + word.size())) return true;
    }
}

// One sentence for each of `games` that the file names.
Strings game_name_faults(const File& file, const Strings& games) {
    Strings faults;
    const std::string folded = lower(file.text);
    for (const std::string& game : games) {
        if (has_word(folded, lower(game))) faults.push_back(file.path + ": names the game `" + game + "`");
    }
    return faults;
}

Layers tree_layers() { return read_layers(contents(root() / "tests/house/folders.txt")); }

// A small tree with rows for what a test is about.
constexpr const char* sample =
    "dsl/a:\n"
    "dsl/b: dsl/a\n"
    "solver/c: dsl/a  # not dsl/b\n"
    "<solve: solver  reached solver dsl/b\n"
    "<clock: dsl/a solver/c\n";

Strings faults_in(const char* path, const char* text) { return include_faults(read_layers(sample), {path, text}); }

}  // namespace

TEST_CASE("layers: the folders include only what they may") {
    const Layers layers = tree_layers();
    for (const File& file : sources()) check_none(include_faults(layers, file));
    CHECK(sources().size() > 200);
    CHECK(layers.folders.size() > 20);
}

TEST_CASE("layers: nothing sees what its folder may not see") { check_none(reach_faults(tree_layers(), sources())); }

TEST_CASE("layers: the list of folders is the graph of the folders") { check_none(list_faults(tree_layers(), sources())); }

TEST_CASE("layers: the code names no game") {
    Strings games;
    for (const char* folder : {"games", "examples"}) {
        for (const File& file : files_below(folder, {".rules"})) games.push_back(std::filesystem::path(file.path).stem().string());
    }
    CHECK(games.size() > 10);
    for (const File& file : sources()) {
        if (!is_below(file.path, "tests")) check_none(game_name_faults(file, games));
    }
    const std::vector<File> page = files_below("interpreter/app/serve/page/src", {".ts", ".tsx", ".css", ".html"});
    CHECK(page.size() > 5);
    for (const File& file : page) check_none(game_name_faults(file, games));
    CHECK(game_name_faults({page[0].path, page[0].text + "\nconst x = \"" + games[0] + "\";\n"}, games).size() == 1);
}

TEST_CASE("what is fetched for the page is named without a registry") {
    for (const char* folder : {"interpreter/app/serve/page", "tests/web"}) {
        const std::vector<File> files = files_below(folder, {".json", ".mjs", ".js", ".html", ".css", ".ts", ".tsx"});
        CHECK(files.size() >= 4);
        for (const File& file : files) {
            if (file.path.find("node_modules") != std::string::npos) continue;
            INFO(file.path);
            CHECK(file.text.find("registry.") == std::string::npos);
            CHECK(file.text.find("\"resolved\"") == std::string::npos);
        }
    }
}

TEST_CASE("layers: a forbidden include is found") {
    struct Row {
        const char* path;
        const char* text;
        const char* fault;  // empty: none
    };
    const Row row = GENERATE(values<Row>({
        {"dsl/b/a.cpp", "#include \"dsl/a/b.hpp\"\n#include \"dsl/b/b.hpp\"\n", ""},
        {"dsl/a/a.cpp", "#include \"dsl/b/b.hpp\"\n", "dsl/a/a.cpp: `dsl/b/b.hpp` may not be included in dsl/a"},
        {"solver/c/a.cpp", "#include \"dsl/b/b.hpp\"\n", "solver/c/a.cpp: `dsl/b/b.hpp` may not be included in solver/c"},
        {"dsl/a/a.cpp", "#include \"b.hpp\"\n", "dsl/a/a.cpp: `b.hpp` is in quotes, but not named from the top folder"},
        {"dsl/b/a.cpp", "#include \"../a/b.hpp\"\n", "dsl/b/a.cpp: `../a/b.hpp` is in quotes, but not named from the top folder"},
        {"dsl/b/a.cpp", "#include <dsl/a/b.hpp>\n", "dsl/b/a.cpp: `dsl/a/b.hpp` is ours and belongs in quotes"},
        {"solver/c/a.cpp", "#include <solve++.h>\n", ""},
        {"dsl/b/a.cpp", "#include <solve++.h>\n", "dsl/b/a.cpp: `solve++.h` may not be included in dsl/b"},
        {"dsl/b/a.cpp", "#include <vector>\n", ""},
        {"dsl/b/a.cpp", "#include <new/thing.hpp>\n", "dsl/b/a.cpp: `new/thing.hpp` stands in no row of the list"},
        {"dsl/b/a.cpp", "int a;\n  #  include<clock> // why\n", "dsl/b/a.cpp: `clock` may not be included in dsl/b"},
        {"dsl/b/a.cpp", "// #include <clock>\n/*\n#include <clock>\n*/\n", ""},
    }));
    INFO(row.path << "\n" << row.text);
    CHECK(faults_in(row.path, row.text) == (*row.fault ? Strings{row.fault} : Strings{}));
}

TEST_CASE("layers: every fault of a file is told") {
    CHECK(faults_in("dsl/b/a.cpp", "#include <clock>\n#include \"dsl/a/b.hpp\"\n#include \"solver/c/b.hpp\"\n") ==
          Strings{"dsl/b/a.cpp: `clock` may not be included in dsl/b", "dsl/b/a.cpp: `solver/c/b.hpp` may not be included in dsl/b"});
}

TEST_CASE("layers: what is seen through other headers is found") {
    const Layers layers = read_layers(sample);
    std::vector<File> files{{"solver/c/one.hpp", "#include <solve.h>\n"},
                            {"solver/c/two.hpp", "#include \"solver/c/one.hpp\"\n"},
                            {"dsl/b/three.cpp", "#include \"solver/c/two.hpp\"\n"}};
    CHECK(reach_faults(layers, files).empty());  // dsl/b may see it
    files.push_back({"dsl/a/four.hpp", "#include \"dsl/a/four.hpp\"\n#include <vector>\n"});
    CHECK(reach_faults(layers, files).empty());
    files.push_back({"dsl/a/five.cpp", "#include \"dsl/a/four.hpp\"\n#include \"solver/c/two.hpp\"\n"});
    CHECK(reach_faults(layers, files) == Strings{"dsl/a/five.cpp may not see `solve.h`: solver/c/two.hpp > solver/c/one.hpp > solve.h"});
}

TEST_CASE("layers: a list that is not the tree is found") {
    const std::vector<File> files{{"dsl/a/x.cpp", "#include <clock>\n"},
                                  {"dsl/b/x.cpp", "#include \"dsl/a/x.hpp\"\n#include \"solver/c/x.hpp\"\n"},
                                  {"solver/c/x.hpp", "#include \"dsl/a/x.hpp\"\n#include <clock>\n#include <solve.h>\n"}};
    CHECK(list_faults(read_layers(sample), files).empty());
    const auto with = [&](const std::string& row) { return list_faults(read_layers(sample + row), files); };
    CHECK(with("dsl/d:\n") == Strings{"`dsl/d` has a row, but no source"});
    CHECK(with("dsl/b:\n") == Strings{"`dsl/b` has two rows"});
    CHECK(with("what is this\n") == Strings{"no `NAME: …`: what is this"});
    CHECK(with("<other: dsl/a\n") == Strings{"nothing in `dsl/a` includes `other` any longer"});
    const auto only = [&](const char* list) { return list_faults(read_layers(list), files); };
    CHECK(only("dsl/b: dsl/a\ndsl/a:\nsolver/c: dsl/a\n") == Strings{"`dsl/b`: `dsl/a` has no row above"});
    CHECK(only("dsl/a:\ndsl/b: dsl/a\n") == Strings{"`solver/c` has no row in the list"});
    CHECK(only("dsl/a:\ndsl/b: dsl/a\nsolver/c: dsl/a dsl/b\n") == Strings{"`solver/c` no longer includes `dsl/b`"});
    CHECK(only("dsl/a:\ndsl/b: dsl/a\nsolver/c: dsl/a\n<solve: solver reached solver dsl/a\n") ==
          Strings{"nothing in `dsl/a` reaches `solve` any longer"});
}

TEST_CASE("layers: the name of a game is found") {
    const Strings games{"zorp", "blue-fox"};
    const auto names = [&](const char* text) { return !game_name_faults({"dsl/a.cpp", text}, games).empty(); };
    CHECK(names("// as in Zorp, say"));
    CHECK(names("zorp"));
    CHECK(names("int zorp_count;"));
    CHECK(names("\"the Blue Fox\""));
    CHECK(names("blue_fox()"));
    CHECK_FALSE(names("int zorpal; // azorp, zorp2"));
    CHECK_FALSE(names("blue and fox"));
    CHECK_FALSE(names(""));
}
