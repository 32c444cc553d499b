// The tables of examples/rulebooks: a paragraph of a rulebook a row, what in the rules file holds it, and what validation finds about
// it. Every name in a table is in its file, and everything in a file that comes from the rulebook is in its table.
#include "solver/findings/finding.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
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
    std::set<std::string> names;     // in backticks, of where it is held
    std::set<std::string> findings;  // ids
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

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    for (std::size_t at = 1; at < row.size();) {
        const std::size_t end = std::min(row.find('|', at), row.size());
        cells.push_back(row.substr(at, end - at));
        at = end + 1;
    }
    return cells;
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
            tables.push_back({page.parent_path() / line.substr(begin, link + 6 - begin), {}, {}, 0, true});
        } else if (line.starts_with('|') && !tables.empty() && !line.starts_with("|---") && !line.starts_with("| §")) {
            Table& table = tables.back();
            ++table.rows;
            const std::vector<std::string> cells = cells_of(line);
            REQUIRE(cells.size() == 4);
            const std::string& where = cells[2];
            if (where.find('`') == std::string::npos && where.find("(no rule)") == std::string::npos) {
                table.rows_say_where = false;
                UNSCOPED_INFO("says not where: " << line);
            }
            collect_backticked(where, table.names);
            collect_backticked(cells[3], table.findings);
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
        case Kind::e_reading:
            return true;
        default:
            return false;
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

// The parts of `gap.turn@fast=yes`: what stands between points before the first `@`, and the settings after it.
struct FindingId {
    std::vector<std::string> parts;
    Settings settings;
};

FindingId parts_of(const std::string& id) {
    FindingId parts;
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at <= id.size();) {
        const std::size_t end = std::min(id.find('@', at), id.size());
        pieces.push_back(id.substr(at, end - at));
        at = end + 1;
    }
    for (std::size_t at = 0; at <= pieces[0].size();) {
        const std::size_t end = std::min(pieces[0].find('.', at), pieces[0].size());
        parts.parts.push_back(pieces[0].substr(at, end - at));
        at = end + 1;
    }
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const std::size_t equals = std::min(pieces[i].find('='), pieces[i].size() - 1);
        parts.settings[pieces[i].substr(0, equals)] = pieces[i].substr(equals + 1);
    }
    return parts;
}

bool is_offered(const std::vector<Offer>& all, const std::string& name, const std::string& value) {
    return std::any_of(all.begin(), all.end(), [&](const Offer& o) {
        return o.name == name && std::find(o.values.begin(), o.values.end(), value) != o.values.end();
    });
}

// What is wrong with the id of a finding, if anything: its class, the name it is about, the readings it needs.
std::string wrong_with(const std::string& id, const std::set<std::string>& names, const std::vector<Offer>& all) {
    const FindingId f = parts_of(id);
    const auto what = class_of(f.parts[0]);
    if (!what) return "there is no class `" + f.parts[0] + "`";
    if (f.parts.size() < 2 || !names.contains(f.parts[1])) return "it is about nothing in the file";
    const bool of_reading = *what == FindingClass::variant || *what == FindingClass::modality || *what == FindingClass::example;
    if (of_reading && (f.parts.size() != 3 || !is_offered(all, f.parts[1], f.parts[2]))) return "there is no such reading";
    for (const auto& [name, value] : f.settings)
        if (!is_offered(all, name, value)) return "there is no option or reading `" + name + "` with `" + value + "`";
    return "";
}

// What is assumed or unclear.
void collect_holes(const SyntaxNode& node, std::set<std::string>& holes) {
    if (node.kind == Kind::d_assume || node.kind == Kind::d_unclear) holes.insert(node.children[0]->text);
    for (const SyntaxNode* c : node.children) collect_holes(*c, holes);
}

}  // namespace

TEST_CASE("the findings in the tables of the rulebooks are about what is in the files", "[rulebooks][validate]") {
    int findings = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(HOUSERULE_ROOT) / "examples" / "rulebooks")) {
        if (entry.path().extension() != ".md") continue;
        for (const Table& table : tables_of(entry.path())) {
            INFO(entry.path().filename() << ", " << table.game.filename());
            const Rules rules = read_rules(table.game);
            std::set<std::string> names;
            std::set<std::string> ignored;
            collect_names(*rules.syntax.root, names, ignored);
            const std::vector<Offer> all = offers(rules.syntax);
            for (const std::string& id : table.findings) {
                ++findings;
                CAPTURE(id);
                CHECK(wrong_with(id, names, all) == "");
            }
            std::set<std::string> holes;
            collect_holes(*rules.syntax.root, holes);
            for (const std::string& hole : holes)
                if (!table.findings.contains("hole." + hole)) FAIL_CHECK("`hole." << hole << "` is in no row");
        }
    }
    CHECK(findings >= 90);
}

TEST_CASE("an id of a finding that is about nothing is seen", "[rulebooks]") {
    const Rules rules = read_rules(rules_file("cogito"));
    std::set<std::string> names;
    std::set<std::string> ignored;
    collect_names(*rules.syntax.root, names, ignored);
    const std::vector<Offer> all = offers(rules.syntax);
    CHECK(wrong_with("gap.play@whose_hands=everybody", names, all) == "");
    CHECK(wrong_with("variant.whose_hands.everybody", names, all) == "");
    CHECK(wrong_with("end-race.play.2", names, all) == "");
    for (const char* id : {"hunger.play", "gap", "gap.nowhere", "variant.whose_hands.nobody", "variant.whose_hands",
                           "gap.play@whose_hands=no_one", "gap.play@whose_feet=everybody", "gap.play@whose_hands"}) {
        CAPTURE(id);
        CHECK(wrong_with(id, names, all) != "");
    }
}

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
