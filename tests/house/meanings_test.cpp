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

// One sort of names that code tells apart: the table that lists them, how one is named, and how code for just that one begins: by a case
// of a switch or, where each has a struct of its own, by a function that takes it.
struct Sort {
    std::string table;
    std::regex row;
    std::regex named;
    std::regex with_code;
};

const std::map<std::string, Sort>& sorts() {
    static const std::map<std::string, Sort> all = {
        {"operator",
         {"dsl/game/operators.def", std::regex(R"(HOUSERULE_OPERATOR\((\w+), \w+\))"), std::regex(R"(\bOperator::([a-z]\w*))"),
          std::regex(R"(\bcase Operator::([a-z]\w*):(?!:))")}},
        {"statement",
         {"dsl/game/statements.def", std::regex(R"(HOUSERULE_STATEMENT\(\w+, (\w+)\))"),
          std::regex(R"(\b(?:StatementKind::([a-z]\w*)|statement::([A-Z]\w*)))"), std::regex(R"(\((?:[^()]*, )?const statement::(\w+)&)")}},
        {"step",
         {"interpreter/machine/steps.def", std::regex(R"(HOUSERULE_STEP\((\w+)\))"), std::regex(R"(\bOp::([a-z]\w*))"),
          std::regex(R"(\bcase Op::([a-z]\w*):(?!:))")}},
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

// What of the sort has code of its own there.
std::set<std::string> with_code(const Sort& sort, const std::string& code) {
    std::set<std::string> all;
    for (std::sregex_iterator at(code.begin(), code.end(), sort.with_code), end; at != end; ++at) all.insert((*at)[1]);
    return all;
}

std::vector<std::string> listed_in(const Sort& sort, const std::string& table) {
    std::vector<std::string> all;
    for (const std::string& line : lines_of(table))
        if (std::smatch match; !line.starts_with("//") && std::regex_search(line, match, sort.row) && match[1] != "name")
            all.push_back(match[1]);
    return all;
}

// Files that name one of a sort and have no row, and rows that no file needs.
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
            const bool names = std::regex_search(code, sort.named);
            if (names && !has_row) faults.push_back(fmt::format("{}: names {}s and is not in meanings.txt", file.path, name));
            if (!names && has_row) faults.push_back(fmt::format("{}: names no {}s; take its row out of meanings.txt", file.path, name));
        }
    }
    for (const auto& [sort, path] : listed) faults.push_back(path + ": is in meanings.txt and not there");
    return faults;
}

// What no file of a role has code for, and what two files of a role compute.
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
        for (const std::string& name : with_code(sort, code)) where[name].push_back(row.file);
    }
    Strings faults;
    for (const std::string& name : listed_in(sort, contents(root() / sort.table))) {
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
