// What the program says by itself: the tables, and what CLI11 prints, in each language.
#include "interpreter/app/texts/texts.hpp"
#include "interpreter/app/command_line/help.hpp"
#include "interpreter/app/command_line/options.hpp"
#include "interpreter/app/common/fold.hpp"
#include "tests/support/japanese.hpp"
#include "tests/support/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;

namespace {

using houserule::testing::Ended;
using houserule::testing::English;

// What the program prints for that command line, in the language.
Ended printed(std::vector<std::string> words, Language language) {
    words.insert(words.begin(), {"--lang", code_of(language)});
    return houserule::testing::run_program(std::move(words));
}

const std::vector<std::string> commands = {"check", "fmt",    "test",  "dump",     "graph",    "rulebook", "explain", "new",
                                           "games", "play",   "serve", "simulate", "explore",  "diff",     "replay",  "view",
                                           "hint",  "worlds", "why",   "assist",   "validate", "merge"};

bool is_japanese(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

// Names that are typed as they are: commands, and what their options take.
English typed() {
    English english;
    for (const std::string& command : commands) english.allow_words(command);
    english.allow_words("houserule UTF HTML Markdown JSON SVG Graphviz Enter Ctrl MiB");
    english.allow_words("en ja auto always never md html dot svg png mermaid syntax merged game machine code human deduce random");
    english.allow_words("interpret compiled CXX enter");
    english.allow_phrase("C++");
    english.allow_phrase("{enter,none} ");  // by --pace
    english.allow_words("histories deals uniform play gap void conflict end race table log undo fix save quit next help");
    english.allow_words("Houserule FILE LOG CODE NAME CLAIM PART");
    english.allow_phrase("P1's me's being is not rose");
    return english;
}

void check_page(const std::string& page) {
    CAPTURE(page);
    REQUIRE_FALSE(page.empty());
    CHECK(is_japanese(page));
    CHECK(fmt::format("{}", fmt::join(typed().left_in(page), ", ")) == "");
    for (const char* word : {"Usage", "Options", "OPTIONS", "Positionals", "Subcommand", "SUBCOMMAND", "REQUIRED", "TEXT", "INT", "FLOAT"})
        CHECK(page.find(word) == std::string::npos);
}

}  // namespace

TEST_CASE("every text of the program is there in each language, its quotation marks in pairs", "[texts]") {
    for (const Words& words : cli::texts::table) {
        CAPTURE(std::string(words[0]), std::string(words[1]));
        CHECK_FALSE(words[0].empty());
        for (const std::string_view text : words) CHECK(std::ranges::count(text, '`') % 2 == 0);
        CHECK(words[0].ends_with('\n') == words[1].ends_with('\n'));
    }
}

TEST_CASE("help pages are in the language that is asked for, whole", "[texts]") {
    check_page(printed({"--help"}, Language::ja).out);
    for (const std::string& command : commands) check_page(printed({command, "--help"}, Language::ja).out);
    const std::string all = printed({"--help"}, Language::ja).out;
    for (const std::string& command : commands) CHECK(all.find("\n  " + command + " ") != std::string::npos);
}

TEST_CASE("a Japanese environment is a request for Japanese, unless another language is asked for", "[texts]") {
    const auto japanese = [] { ::setenv("LC_ALL", "ja_JP.UTF-8", 1); };
    const Ended page = houserule::testing::run_program({"hint", "--help"}, japanese);
    CHECK(page.code == 0);
    check_page(page.out);
    CHECK_FALSE(is_japanese(houserule::testing::run_program({"hint", "--help", "--lang", "en"}, japanese).out));
}

TEST_CASE("the language is asked for anywhere on the command line", "[texts]") {
    const auto asked = [](std::vector<const char*> words) { return cli::language_asked_for(static_cast<int>(words.size()), words.data()); };
    CHECK(asked({"houserule", "--lang", "ja", "hint", "--help"}) == Language::ja);
    CHECK(asked({"houserule", "hint", "--help", "--lang=ja"}) == Language::ja);
    CHECK(asked({"houserule", "hint", "--lang", "en"}) == Language::en);
    CHECK_FALSE(asked({"houserule", "hint", "--lang"}));
    CHECK_FALSE(asked({"houserule", "--lang", "xx"}));
    CHECK_FALSE(asked({"houserule", "lang", "ja"}));
}

TEST_CASE("what is wrong with a command line is told in the language that is asked for", "[texts]") {
    const std::vector<std::vector<std::string>> wrong = {{},
                                                         {"play"},
                                                         {"play", "x", "--players", "11"},
                                                         {"play", "x", "--players", "many"},
                                                         {"play", "x", "--players"},
                                                         {"play", "x", "--players", "2", "--players", "3"},
                                                         {"play", "x", "y"},
                                                         {"play", "x", "y", "z"},
                                                         {"nothing", "of", "the", "kind"},
                                                         {"graph", "x", "--format", "gif"},
                                                         {"play", "x", "--seed", "many"},
                                                         {"view", "x"},
                                                         {"rulebook", "x", "--time", "3"}};
    for (const auto& words : wrong) {
        const Ended english = printed(words, Language::en);
        const Ended japanese = printed(words, Language::ja);
        CAPTURE(english.err, japanese.err);
        CHECK(english.out.empty());
        // An unknown command is answered with those that there are, and none with where to begin; what is missing is named.
        const bool begins = words.empty() && english.err.find("`houserule games`") != std::string::npos;
        const bool helped = english.err.find("Run with --help for more information.\n") != std::string::npos;
        const bool named = english.err.starts_with("houserule: `" + (words.empty() ? "" : words[0]) + "` ");
        CHECK((begins || helped || named || english.err.find("there are: `check`") != std::string::npos));
        CHECK_FALSE(is_japanese(english.err));
        const std::string first = japanese.err.substr(0, japanese.err.find('\n'));
        CHECK(is_japanese(first));
        CHECK(japanese.err.find("Run with") == std::string::npos);
    }
}

TEST_CASE("a complaint that is not known stays as it is", "[texts]") {
    CHECK(cli::complaint_in("something else", Language::ja) == "something else");
    CHECK(cli::complaint_in("--top: Value 0 not in range 1 to 10000", Language::en) == "--top takes a number from 1 to 10000, not `0`");
    CHECK(cli::complaint_in("--top: Value 0 not in range 1 to 10000", Language::ja) == "--top は 1〜10000 の数です（`0` ではありません）");
    CHECK(cli::complaint_in("--players: 1 required INT:INT in [1 - 10] missing", Language::ja) ==
          "--players: 整数（1〜10）が 1 個足りません");
}

TEST_CASE("a line ends neither between a number and what it counts nor within a name", "[texts]") {
    // A counter by its number, with a space or without; a name of two words; a foreign word by its number.
    for (const char* whole : {"12枚", "12 枚", "赤 リバース", "ドロー2"}) {
        INFO(whole);
        const std::string text = std::string("手札は") + whole + "です。";
        for (std::size_t width = 14; width < 24; ++width) CHECK(cli::folded(text, width).find(whole) != std::string::npos);
    }
}
