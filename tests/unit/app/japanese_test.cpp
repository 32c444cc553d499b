// What documents show in English is told in Japanese when that is asked for, whole: titles, help, notes, labels and arguments of
// diagnostics, and what commands find out.
#include "tests/support/japanese.hpp"
#include "dsl/text/diagnostics.hpp"
#include "solver/findings/finding.hpp"
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

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
    return count;
}

bool is_for_tools_or_English(const std::string& shell) {
    for (const char* word : {"--json", "--lang en", "houserule fmt", "houserule dump", "houserule graph"})
        if (shell.find(word) != std::string::npos) return true;
    return shell.find("houserule") == std::string::npos;
}

// Each of its commands is told to speak Japanese.
bool is_in_Japanese(const std::string& shell) {
    const std::size_t asked = count_of(shell, "--lang ja");
    return asked > 0 && asked == count_of(shell, "houserule ") && !is_for_tools_or_English(shell);
}

// Constructs of the language, and of logs, as they are written in every language.
const std::vector<std::string> constructs = {"must choose, must name",
                                             "deal, draw",
                                             "put, deal, draw",
                                             "any … of",
                                             "first of, last of …",
                                             "groups of …",
                                             "if none",
                                             "if short",
                                             "judged by",
                                             "largest of, smallest of …",
                                             "next after, next before …",
                                             "quotient, remainder",
                                             "at most (then",
                                             "at most N times, then",
                                             "repeat N times",
                                             "running down",
                                             "table tells, chance picks",
                                             "the …",
                                             "ends checked after",
                                             "each p clockwise from",
                                             "順番のない each",
                                             "except when",
                                             "houserule test",
                                             "by lot",
                                             "players where not its out"};

// What the author of the document wrote, and what is typed as it is.
English words_of(const std::string& document) {
    English english;
    english.allow_words("houserule UTF JSON HTML Enter Ctrl");
    english.allow_words("nothing otherwise reading define until becomes lasts simultaneously cases accept shared");
    english.allow_words("deal move act outside says names log lot draw table smaller");
    english.allow_words("check help hint worlds why undo fix save quit next me Houserule");  // what can be typed
    english.allow_words("LOG");                                                              // what an argument is called
    for (const std::string& construct : constructs) english.allow_phrase(construct);
    // Names of authors that sentences have, too.
    for (const char* named : {"who = P", "（who）: ", "one   ", "hand: one、other"}) english.allow_phrase(named);
    for (const auto& game : fs::directory_iterator(root / "games")) english.allow_words(game.path().stem().string());
    for (int i = 0; i < houserule::finding_classes; ++i)
        english.allow_words(houserule::class_name(static_cast<houserule::FindingClass>(i)));
    for (const std::string& block : houserule::cases::files_of(document)) english.allow(block);
    return english;
}

void check_command(const fs::path& path, const houserule::cases::Printed& command, English& english) {
    english.allow(command.shell);
    allow_games(english, command.shell);
    for (const std::string& word : english.left_in(command.text))
        FAIL_CHECK(path.string() << ":" << command.line << ": English is left: " << word);
}

std::set<std::string> codes_in(const std::string& text) {
    std::set<std::string> codes;
    for (std::size_t i = 0; i < houserule::code_count(); ++i) {
        const std::string id(houserule::info(static_cast<houserule::Code>(i)).id);
        if (text.find("[" + id + "]: ") != std::string::npos) codes.insert(id);
    }
    return codes;
}

// Runs the document for somebody who reads Japanese. The codes of the diagnostics that were told.
std::set<std::string> check_run(const fs::path& path) {
    const std::string text = contents_of(root / path);
    const houserule::cases::Report report =
        houserule::cases::run(text, {root, fs::path(HOUSERULE_PROGRAM).parent_path(), 120, "ja_JP.UTF-8"});
    CHECK(report.command_count > 0);
    houserule::testing::tally("commands told in Japanese", report.printed.size());
    English english = words_of(text);
    std::set<std::string> codes;
    for (const houserule::cases::Printed& command : report.printed) {
        codes.merge(codes_in(command.text));
        if (!is_for_tools_or_English(command.shell)) check_command(path, command, english);
    }
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
    std::set<std::string> told, all;
    for (const char* name : {"broken_rules", "broken_logs", "check", "house_rules", "test"})
        told.merge(check_run(fs::path("tests/cases") / (std::string(name) + ".md")));
    for (const fs::path& path : houserule::cases::documents(root))
        for (const auto& command : houserule::cases::commands_of(contents_of(root / path)))
            if (command.shell.find("--lang ja") != std::string::npos) told.merge(codes_in(command.text));
    for (std::size_t i = 0; i < houserule::code_count(); ++i) all.emplace(houserule::info(static_cast<houserule::Code>(i)).id);
    CHECK(told == all);
}

TEST_CASE("documents: what they show in Japanese is Japanese") {
    std::size_t commands = 0;
    for (const fs::path& path : houserule::cases::documents(root)) {
        const std::string text = contents_of(root / path);
        English english = words_of(text);
        for (const houserule::cases::Printed& command : houserule::cases::commands_of(text)) {
            if (!is_in_Japanese(command.shell)) continue;
            check_command(path, command, english);
            ++commands;
        }
    }
    CHECK(commands > 100);
}
