// The tables of examples/rulebooks: a paragraph of a rulebook a row, and what in the rules file holds it. Every name in a table is in
// its file, and everything in a file that comes from the rulebook is in its table.
#include "tests/rules.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;
namespace fs = std::filesystem;

namespace {

struct Table {
    fs::path game;
    std::set<std::string> names;  // in backticks
    int rows = 0;
    bool rows_say_where = true;
};

void collect_backticked(const std::string& line, std::set<std::string>& names) {
    for (std::size_t at = line.find('`'); at != std::string::npos;) {
        const std::size_t end = line.find('`', at + 1);
        if (end == std::string::npos) return;
        names.insert(line.substr(at + 1, end - at - 1));
        at = line.find('`', end + 1);
    }
}

// A heading with a link to a rules file begins the table of that game.
std::vector<Table> tables_of(const fs::path& page) {
    std::vector<Table> tables;
    std::ifstream in(page);
    REQUIRE(in);
    for (std::string line; std::getline(in, line);) {
        const std::size_t link = line.find(".rules)");
        if (line.starts_with('#') && link != std::string::npos) {
            const std::size_t begin = line.rfind('(', link) + 1;
            tables.push_back({page.parent_path() / line.substr(begin, link + 6 - begin), {}, 0, true});
        } else if (line.starts_with('|') && !tables.empty() && !line.starts_with("|---") && !line.starts_with("| §")) {
            Table& table = tables.back();
            ++table.rows;
            const std::string where = line.substr(line.rfind('|', line.size() - 2) + 1);
            if (where.find('`') == std::string::npos && where.find("(no rule)") == std::string::npos) {
                table.rows_say_where = false;
                UNSCOPED_INFO("says not where: " << line);
            }
            collect_backticked(where, table.names);
        }
    }
    return tables;
}

// What an author writes because the rulebook says it, or does not.
bool from_the_rulebook(Kind kind) {
    switch (kind) {
        case Kind::d_rule:
        case Kind::d_act:
        case Kind::d_end:
        case Kind::end_entry:
        case Kind::d_match:
        case Kind::d_option:
        case Kind::d_assume:
        case Kind::d_unclear:
        case Kind::s_reading:
        case Kind::e_reading: return true;
        default: return false;
    }
}

void collect_names(const SyntaxNode& node, std::set<std::string>& all, std::set<std::string>& from_rulebook) {
    if (node.kind == Kind::name) all.insert(node.text);
    if (node.kind == Kind::d_setup) all.insert("setup");
    if (node.kind == Kind::d_play) all.insert("play");
    if (node.kind == Kind::d_winner) all.insert("winner");
    if (node.kind == Kind::d_players) all.insert("players");
    if (from_the_rulebook(node.kind))
        if (const SyntaxNode* name = child(node, Kind::name)) from_rulebook.insert(name->text);
    for (const SyntaxNode* c : node.children) collect_names(*c, all, from_rulebook);
}

// A clause or the title of an example: several words as they stand in the file.
bool is_phrase_in(const Rules& rules, const std::string& words) {
    return words.find(' ') != std::string::npos && rules.sources[0].text().find(words) != std::string_view::npos;
}

}  // namespace

TEST_CASE("the tables of the rulebooks and the games name the same things", "[rulebooks]") {
    int tables = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(HOUSERULE_ROOT) / "examples" / "rulebooks")) {
        if (entry.path().extension() != ".md") continue;
        for (const Table& table : tables_of(entry.path())) {
            ++tables;
            INFO(entry.path().filename() << ", " << table.game.filename());
            REQUIRE(fs::exists(table.game));
            CHECK(table.rows > 0);
            CHECK(table.rows_say_where);
            const Rules rules = read_rules(table.game);
            std::set<std::string> all;
            std::set<std::string> from_rulebook;
            collect_names(*rules.syntax.root, all, from_rulebook);
            for (const std::string& name : table.names)
                if (!all.contains(name) && !is_phrase_in(rules, name)) FAIL_CHECK("`" << name << "` is in the table, not in the file");
            for (const std::string& name : from_rulebook)
                if (!table.names.contains(name)) FAIL_CHECK("`" << name << "` is in the file, not in the table");
        }
    }
    CHECK(tables >= 6);
}
