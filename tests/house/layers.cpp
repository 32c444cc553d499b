// Holds what the folders may know of each other: who may include what, and that no game's name stands in the code.
//
// The checks are functions over (path, text), so that each is also shown to find what it is for.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

// A part of the tree, by the beginning of the path; the longest that fits counts.
constexpr std::string_view dsl = "dsl/", interpreter = "interpreter/", solver = "solver/", cli = "interpreter/app/", tests = "tests/";
constexpr std::array parts{cli, dsl, interpreter, solver, tests};

std::string_view part_of(std::string_view path) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](std::string_view part) { return path.starts_with(part); });
    return found == parts.end() ? std::string_view{} : *found;
}

// Headers that begin with `prefix` may be included in the parts of `allowed` only.
struct Rule {
    std::string_view prefix;
    std::vector<std::string_view> allowed;
};

// One row a header: ours first, then third parties, then the outside world, which only the command line touches.
const std::vector<Rule>& rules() {
    static const std::vector<Rule> table{
        {"dsl/", {dsl, interpreter, solver, cli, tests}},
        {"interpreter/app/", {cli, tests}},
        {"interpreter/", {interpreter, solver, cli, tests}},
        {"solver/", {solver, cli, tests}},
        {"tests/", {tests}},
        {"tao/", {dsl, tests}},
        {"utf8proc", {dsl}},
        {"nlohmann/", {dsl, cli, tests}},
        {"boost/graph/", {interpreter}},
        {"boost/multiprecision/", {interpreter, solver, tests}},
        {"z3", {solver}},
        {"CLI/", {cli}},
        {"histedit.h", {cli}},
        {"catch2/", {tests}},
        {"fstream", {cli, tests}},
        {"filesystem", {cli, tests}},
        {"iostream", {cli, tests}},
        {"chrono", {solver, cli, tests}},
        {"ctime", {cli, tests}},
        {"time.h", {cli, tests}},
        {"unistd.h", {cli, tests}},
        {"fmt/chrono.h", {cli, tests}},
        {"fmt/os.h", {cli, tests}},
    };
    return table;
}

// The headers that `text` includes, as written, with the quote or bracket before the name.
Strings includes_of(const std::string& text) {
    static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*(["<][^">\n]+)[">])re");
    Strings names;
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) names.push_back((*it)[1]);
    return names;
}

std::optional<std::string> include_fault(std::string_view part, std::string_view written) {
    const std::string_view header = written.substr(1);
    const bool ours = !part_of(header).empty();
    if (ours && written[0] == '<') return "is ours and belongs in quotes";
    if (written[0] == '"' && !ours) return "is in quotes, but not named from the top folder";
    for (const Rule& rule : rules()) {
        if (!header.starts_with(rule.prefix)) continue;
        if (std::find(rule.allowed.begin(), rule.allowed.end(), part) != rule.allowed.end()) return std::nullopt;
        return "may not be included here";
    }
    return std::nullopt;
}

// One sentence for each include of `text` that a file at `path` (from the top folder) may not have.
Strings layer_faults(const std::string& path, const std::string& text) {
    Strings faults;
    for (const std::string& written : includes_of(text)) {
        if (const auto fault = include_fault(part_of(path), written)) faults.push_back(path + ": `" + written.substr(1) + "` " + *fault);
    }
    return faults;
}

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

// One sentence for each of `games` that `text` names.
Strings game_name_faults(const std::string& path, const std::string& text, const Strings& games) {
    Strings faults;
    const std::string folded = lower(text);
    for (const std::string& game : games) {
        if (has_word(folded, lower(game))) faults.push_back(path + ": names the game `" + game + "`");
    }
    return faults;
}

const fs::path root = HOUSERULE_ROOT;

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Files below `folder` with one of `extensions`, as paths from the top folder, sorted.
Strings files_below(const char* folder, const Strings& extensions) {
    Strings files;
    if (!fs::is_directory(root / folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const bool wanted = std::find(extensions.begin(), extensions.end(), entry.path().extension()) != extensions.end();
        if (wanted && entry.is_regular_file()) files.push_back(entry.path().lexically_relative(root).generic_string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

const Strings code_extensions{".cpp", ".hpp", ".def", ".h", ".inc"};

void check_none(const Strings& faults) {
    for (const std::string& fault : faults) FAIL_CHECK(fault);
}

}  // namespace

TEST_CASE("layers: the folders include only what they may") {
    std::size_t count = 0;
    for (const char* folder : {"dsl", "interpreter", "solver", "tests"}) {
        for (const std::string& path : files_below(folder, code_extensions)) {
            check_none(layer_faults(path, contents(root / path)));
            ++count;
        }
    }
    CHECK(count > 1);  // this file and at least one more: the walk does find files
}

TEST_CASE("layers: the code names no game") {
    Strings games;
    for (const char* folder : {"games", "examples"}) {
        for (const std::string& path : files_below(folder, {".rules"})) games.push_back(fs::path(path).stem().string());
    }
    for (const char* folder : {"dsl", "interpreter", "solver"}) {
        for (const std::string& path : files_below(folder, code_extensions)) {
            check_none(game_name_faults(path, contents(root / path), games));
        }
    }
}

TEST_CASE("layers: a forbidden include is found") {
    struct Row {
        const char* path;
        const char* text;
        bool allowed;
    };
    const Row row = GENERATE(values<Row>({
        {"dsl/a.cpp", "#include \"dsl/b.hpp\"\n", true},
        {"dsl/a.cpp", "#include \"interpreter/b.hpp\"\n", false},
        {"dsl/a.cpp", "#include \"solver/b.hpp\"\n", false},
        {"interpreter/a.cpp", "#include \"dsl/b.hpp\"\n#include \"interpreter/b.hpp\"\n", true},
        {"interpreter/a.cpp", "#include \"solver/b.hpp\"\n", false},
        {"interpreter/a.cpp", "#include \"interpreter/app/b.hpp\"\n", false},
        {"solver/a.hpp", "#include \"interpreter/b.hpp\"\n", true},
        {"solver/a.hpp", "#include \"interpreter/app/b.hpp\"\n", false},
        {"interpreter/app/a.cpp", "#include \"interpreter/app/b.hpp\"\n#include \"solver/b.hpp\"\n", true},
        {"tests/a.cpp", "#include \"interpreter/app/b.hpp\"\n", false},
        {"tests/a.cpp", "#include \"interpreter/app/common/rules_file.hpp\"\n", true},
        {"solver/a.cpp", "#include \"interpreter/app/common/rules_file.hpp\"\n", false},
        {"dsl/a.cpp", "#include \"tests/b.hpp\"\n", false},
        {"dsl/a.cpp", "#include \"b.hpp\"\n", false},
        {"dsl/a.cpp", "#include \"../solver/b.hpp\"\n", false},
        {"dsl/a.cpp", "#include <dsl/b.hpp>\n", false},
        {"solver/a.cpp", "#include <z3++.h>\n", true},
        {"interpreter/a.cpp", "#include <z3++.h>\n", false},
        {"tests/a.cpp", "#include <z3.h>\n", false},
        {"dsl/a.cpp", "#include <tao/pegtl.hpp>\n", true},
        {"interpreter/a.cpp", "#include <tao/pegtl.hpp>\n", false},
        {"interpreter/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n", true},
        {"interpreter/app/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n", false},
        {"solver/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n", false},
        {"interpreter/app/a.cpp", "#include <CLI/CLI.hpp>\n", true},
        {"interpreter/a.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n", true},
        {"interpreter/app/a.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n", false},
        {"solver/a.cpp", "#include <CLI/CLI.hpp>\n", false},
        {"solver/a.cpp", "#include <nlohmann/json.hpp>\n", false},
        {"interpreter/a.cpp", "#include <utf8proc.h>\n", false},
        {"interpreter/app/a.cpp", "#include <fstream>\n#include <chrono>\n", true},
        {"interpreter/a.cpp", "#include <fstream>\n", false},
        {"dsl/a.cpp", "#include <filesystem>\n", false},
        {"solver/a.cpp", "#include <iostream>\n", false},
        {"solver/a.cpp", "#include <fstream>\n", false},
        {"interpreter/a.cpp", "int a;\n  #  include<chrono> // why\n", false},
        {"interpreter/a.cpp", "// #include <chrono>\n", true},
    }));
    INFO(row.path << "\n" << row.text);
    CHECK(layer_faults(row.path, row.text).empty() == row.allowed);
}

TEST_CASE("layers: every fault of a file is told, with its place") {
    const Strings faults = layer_faults("dsl/a.cpp", "#include <chrono>\n#include \"dsl/b.hpp\"\n#include <fstream>\n");
    CHECK(faults == Strings{"dsl/a.cpp: `chrono` may not be included here", "dsl/a.cpp: `fstream` may not be included here"});
}

TEST_CASE("layers: the name of a game is found") {
    const Strings games{"zorp", "blue-fox"};
    const auto names = [&](const char* text) { return !game_name_faults("dsl/a.cpp", text, games).empty(); };
    CHECK(names("// as in Zorp, say"));
    CHECK(names("zorp"));
    CHECK(names("int zorp_count;"));
    CHECK(names("\"the Blue Fox\""));
    CHECK(names("blue_fox()"));
    CHECK_FALSE(names("int zorpal; // azorp, zorp2"));
    CHECK_FALSE(names("blue and fox"));
    CHECK_FALSE(names(""));
}
