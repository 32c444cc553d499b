// What documents show in English is told in Japanese when that is asked for, whole: titles, help, notes, labels and arguments of
// diagnostics, and what commands find out.
#include "tests/support/japanese.hpp"
#include "dsl/text/diagnostics.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using houserule::testing::English;

const fs::path root = HOUSERULE_ROOT;

std::string contents_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The rules that ship and are named in a command, as the author's own words.
void allow_games(English& english, const std::string& shell) {
    for (const auto& entry : fs::directory_iterator(root / "games")) {
        const fs::path& path = entry.path();
        if (path.extension() == ".rules" && shell.find(path.stem().string()) != std::string::npos) english.allow(contents_of(path));
    }
}

bool is_for_tools_or_English(const std::string& shell) {
    for (const char* word : {"--json", "--lang en", "houserule fmt", "houserule dump", "houserule graph"})
        if (shell.find(word) != std::string::npos) return true;
    return shell.find("houserule") == std::string::npos;
}

// Runs the document for somebody who reads Japanese. The codes of the diagnostics that were told.
std::set<std::string> check_document(const fs::path& path) {
    const std::string text = contents_of(root / path);
    const houserule::cases::Report report =
        houserule::cases::run(text, {root, fs::path(HOUSERULE_PROGRAM).parent_path(), 120, "ja_JP.UTF-8"});
    CHECK(report.command_count > 0);
    English english;
    english.allow_words("houserule UTF JSON HTML Enter Ctrl");
    for (const auto& block : houserule::cases::files_of(text)) english.allow(block);
    std::set<std::string> codes;
    for (const auto& command : report.printed) {
        if (is_for_tools_or_English(command.shell)) continue;
        english.allow_words(command.shell);
        allow_games(english, command.shell);
        for (const std::string& word : english.left_in(command.text))
            FAIL_CHECK(path.string() << ":" << command.line << ": English is left: " << word);
        for (std::size_t i = 0; i < houserule::code_count(); ++i) {
            const std::string id(houserule::info(static_cast<houserule::Code>(i)).id);
            if (command.text.find("[" + id + "]: ") != std::string::npos) codes.insert(id);
        }
    }
    houserule::testing::tally("commands told in Japanese", report.printed.size());
    return codes;
}

}  // namespace

TEST_CASE("English is found in Japanese, and words of the author are none") {
    English english;
    english.allow("zone deck stack of card\nenum suit { clubs }  # some comment\n");
    CHECK(english.left_in("エラー[E0101]: `decks` という名前のものはありません").empty());
    CHECK(english.left_in(" --> some/file here.rules:1:2\n 3 | put the deck\n  |     ^^^^ ここ\n").empty());
    CHECK(english.left_in("deck と clubs、g.rules、--top、P1、UTF-8").empty());
    CHECK(english.left_in("zone deck stack of card\n").empty());
    CHECK(english.left_in("deck of clubs").size() == 1);
    CHECK(english.left_in("some comment").size() == 2);
    CHECK(english.left_in("  |     ^^^^ declared ここ") == std::vector<std::string>{"declared in:   |     ^^^^ declared ここ"});
    CHECK(english.left_in("= 対処: did you mean `deck`?").size() == 3);
}

TEST_CASE("diagnostics: all that is told in Japanese is Japanese") {
    std::vector<fs::path> documents;
    for (const fs::path& path : houserule::cases::documents(root))
        if (path.string().starts_with("interpreter/app/explain/")) documents.push_back(path);
    for (const char* name : {"broken_rules", "broken_logs", "check", "house_rules", "test"})
        documents.push_back(fs::path("tests/cases") / (std::string(name) + ".md"));
    std::set<std::string> told, all;
    for (const fs::path& path : documents) told.merge(check_document(path));
    for (std::size_t i = 0; i < houserule::code_count(); ++i) all.emplace(houserule::info(static_cast<houserule::Code>(i)).id);
    CHECK(told == all);
}
