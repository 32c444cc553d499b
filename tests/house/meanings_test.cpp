// Holds that each operator, statement and step has one meaning and one fast form, and that nothing else computes it: meanings.txt.
#include "tests/house/tree.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

using namespace houserule::house;

// One sort of names that code tells apart: how an enumerator is written, and the table that lists them.
struct Sort {
    std::string prefix;
    std::string table;
    std::regex row;
};

const std::map<std::string, Sort>& sorts() {
    static const std::map<std::string, Sort> all = {
        {"operator", {"Operator", "dsl/game/operators.def", std::regex(R"(HOUSERULE_OPERATOR\((\w+)\))")}},
        {"statement", {"StatementKind", "dsl/game/game.hpp", std::regex(R"(^    (\w+),)")}},
        {"step", {"Op", "interpreter/machine/steps.def", std::regex(R"(HOUSERULE_STEP\((\w+)\))")}},
    };
    return all;
}

const std::set<std::string> roles = {"meaning",  "plain",  "fast",  "filter",  "emitted", "copies",
                                     "unknowns", "proofs", "built", "printed", "read"};

struct Row {
    std::string sort;
    std::string file;  // or the name of a step or an operator, if it is idle
    std::string role;
    friend auto operator<=>(const Row&, const Row&) = default;
};

std::vector<Row> rows_in(const std::string& list) {
    std::vector<Row> rows;
    for (const std::string& line : rows_of(list)) {
        std::istringstream words(line);
        words >> rows.emplace_back().sort >> rows.back().file >> rows.back().role;
    }
    return rows;
}

// Enumerators of the sort that `code` names: all of them, or those of which it has a case.
std::map<std::string, int> named(const Sort& sort, const std::string& code, bool as_case) {
    const std::regex pattern((as_case ? R"(\bcase )" : R"(\b)") + sort.prefix + R"(::([a-z]\w*))" + (as_case ? ":(?!:)" : ""));
    std::map<std::string, int> count;
    for (std::sregex_iterator at(code.begin(), code.end(), pattern), end; at != end; ++at) ++count[(*at)[1]];
    return count;
}

std::vector<std::string> enumerators(const Sort& sort, const std::string& table) {
    std::string text = table;
    if (const auto from = text.find("enum class " + sort.prefix + " "); from != text.npos)
        text = text.substr(from, text.find("};", from) - from);
    std::vector<std::string> all;
    for (const std::string& line : lines_of(text))
        if (std::smatch match; std::regex_search(line, match, sort.row) && match[1] != "name") all.push_back(match[1]);
    return all;
}

// Files that name enumerators and have no row, and rows that no file needs.
Strings unlisted(const std::vector<Row>& rows, const std::vector<File>& files) {
    Strings faults;
    std::set<std::pair<std::string, std::string>> listed;
    for (const Row& row : rows) {
        if (row.role != "idle" && !roles.contains(row.role)) faults.push_back(fmt::format("`{}` is no role", row.role));
        if (row.role != "idle" && !listed.insert({row.sort, row.file}).second) faults.push_back("listed twice: " + row.file);
    }
    for (const File& file : files) {
        const std::string code = code_of(file.text);
        for (const auto& [name, sort] : sorts()) {
            const bool has_row = listed.erase({name, file.path}) > 0;
            const bool names = !named(sort, code, false).empty();
            if (names && !has_row) faults.push_back(fmt::format("{}: names {}s and is not in meanings.txt", file.path, name));
            if (!names && has_row) faults.push_back(fmt::format("{}: names no {}s; take its row out of meanings.txt", file.path, name));
        }
    }
    for (const auto& [sort, path] : listed) faults.push_back(path + ": is in meanings.txt and not there");
    return faults;
}

// Enumerators of which no file of a role has a case, and those that two files of a role compute.
Strings without(const std::string& sort_name, const std::string& role, const std::vector<Row>& rows, const std::vector<File>& files) {
    const Sort& sort = sorts().at(sort_name);
    std::map<std::string, Strings> where;
    std::set<std::string> idle;
    for (const Row& row : rows) {
        if (row.sort != sort_name) continue;
        if (row.role == "idle") idle.insert(row.file);
        if (row.role != role) continue;
        const auto file = std::find_if(files.begin(), files.end(), [&](const File& f) { return f.path == row.file; });
        if (file == files.end()) continue;
        // What a macro lists is only counted there.
        const std::string code = std::regex_replace(code_of(file->text), std::regex(R"([^\n]*\\\n[^\n]*)"), "");
        for (const auto& [name, count] : named(sort, code, true)) where[name].push_back(row.file);
    }
    Strings faults;
    for (const std::string& name : enumerators(sort, contents(root() / sort.table))) {
        if (where[name].empty() && !idle.contains(name)) faults.push_back(fmt::format("{} `{}` has no {}", sort_name, name, role));
        if (where[name].size() > 1) faults.push_back(fmt::format("{} `{}`: {} in several files", sort_name, name, role));
    }
    return faults;
}

std::vector<File> core() {
    std::vector<File> files;
    for (const File& file : sources())
        if (!is_below(file.path, "tests") && !file.path.ends_with(".def")) files.push_back(file);
    return files;
}

}  // namespace

TEST_CASE("meanings: only listed files tell operators, statements and steps apart") {
    check_none(unlisted(rows_in(contents(root() / "tests/house/meanings.txt")), core()));
}

TEST_CASE("meanings: each has one place for its meaning and one for its fast form") {
    const std::vector<Row> rows = rows_in(contents(root() / "tests/house/meanings.txt"));
    const std::vector<File> files = core();
    for (const auto& [sort, role] : std::vector<std::pair<std::string, std::string>>{{"operator", "meaning"},
                                                                                     {"operator", "fast"},
                                                                                     {"statement", "meaning"},
                                                                                     {"statement", "proofs"},
                                                                                     {"step", "plain"},
                                                                                     {"step", "fast"},
                                                                                     {"step", "unknowns"}})
        check_none(without(sort, role, rows, files));
}

TEST_CASE("meanings: what is not listed, not there or computed twice is found") {
    const File one{"solver/one.cpp", "int f(Operator o) { switch (o) { case Operator::add: return 1; } }"};
    CHECK(unlisted({}, {one}).size() == 1);
    CHECK(unlisted({{"operator", "solver/one.cpp", "fast"}}, {one}).empty());
    CHECK(unlisted({{"operator", "solver/one.cpp", "quick"}}, {one}).size() == 1);
    CHECK(unlisted({{"operator", "solver/one.cpp", "fast"}, {"step", "solver/one.cpp", "fast"}}, {one}).size() == 1);
    CHECK(unlisted({{"operator", "solver/one.cpp", "fast"}, {"operator", "solver/two.cpp", "fast"}}, {one}).size() == 1);
    const std::vector<Row> both = {{"operator", "solver/one.cpp", "fast"}, {"operator", "solver/two.cpp", "fast"}};
    const std::size_t rest = without("operator", "fast", both, {one}).size();
    CHECK(rest > 50);  // all but `add`
    CHECK(without("operator", "fast", both, {one, {"solver/two.cpp", one.text}}).size() == rest + 1);
    CHECK(without("operator", "fast", {both[0]}, {{"solver/one.cpp", "// case Operator::add:"}}).size() == rest + 1);
}
