#include "dsl/syntax/format.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using houserule::format;

void check(std::string_view text, std::string_view expected) {
    const std::string once = format(text);
    CHECK(once == expected);
    CHECK(format(once) == once);
}

void check_same(std::string_view text) { check(text, text); }

// ---- A second, simpler idea of what a token is.

std::string with_plain_punctuation(std::string line) {
    constexpr const char* replacements[][2] = {{"（", "("}, {"）", ")"}, {"｛", "{"}, {"｝", "}"}, {"［", "["}, {"］", "]"},
                                               {"：", ":"}, {"；", ";"}, {"，", ","}, {"、", ","}, {"＝", "="}, {"＋", "+"},
                                               {"－", "-"}, {"＊", "*"}, {"＜", "<"}, {"＞", ">"}, {"　", " "}, {"’s", "'s"}};
    for (const auto& [from, to] : replacements) {
        for (std::size_t at = 0; (at = line.find(from, at)) != line.npos; ++at) {
            line.replace(at, std::string_view(from).size(), to);
        }
    }
    return line;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (static_cast<unsigned char>(c) >= 0x80); }

struct Pieces {
    std::vector<std::vector<std::string>> lines;  // the tokens of each line that has some
    std::vector<std::string> comments;
};

std::vector<std::string> tokens_of(const std::string& line, std::vector<std::string>& comments) {
    std::vector<std::string> tokens;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        if (line[at] == '#') {
            comments.push_back(line.substr(at));
            break;
        }
        if (line[at] == '"') {
            while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, line.size());
        } else if (in_word(line[at])) {
            while (end < line.size() && in_word(line[end])) ++end;
        } else if (end < line.size()) {
            const std::string pair = line.substr(at, 2);
            const bool possessive = pair == "'s" && !(end + 1 < line.size() && in_word(line[end + 1]));
            if (possessive || pair == ".." || pair == "<=" || pair == ">=") ++end;
        }
        if (line[at] != ' ' && line[at] != '\t') tokens.push_back(line.substr(at, end - at));
        at = end;
    }
    return tokens;
}

Pieces pieces_of(const std::string& text) {
    Pieces pieces;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> tokens = tokens_of(with_plain_punctuation(line), pieces.comments);
        if (!tokens.empty()) pieces.lines.push_back(std::move(tokens));
    }
    return pieces;
}

void check_pieces(const std::string& text) {
    const Pieces before = pieces_of(text), after = pieces_of(format(text));
    CHECK(before.lines == after.lines);
    CHECK(before.comments == after.comments);
    CHECK(format(text).find(" \n") == std::string::npos);
}

std::size_t pick(std::mt19937& random, std::size_t size) { return random() % size; }

// Lines of tokens with blanks strewn between them.
std::string token_soup(std::mt19937& random) {
    static const std::vector<std::string> tokens_there = {
        "zone",       "fact",     "replace",   "cards", "of",   "player", "p",    "p",       "'s", "’s",   "hand",  "if",
        "if none",    "if short", "otherwise", "may",   "must", "cases",  "when", "becomes", "is", "手札", "guide", "\"text # x\"",
        "\"a\\\"b\"", "12",       "0.5",       "7",     "yes",  "/",      "no",   "..",      ",",  ";",    ":",     ":",
        "{",          "{",        "}",         "}",     "(",    ")",      "[",    "]",       "+",  "-",    "*",     "=",
        "<",          "<=",       ">",         ">=",    "（",   "｛",     "｝",   "：",      "、"};
    static const std::vector<std::string> blanks = {" ", " ", " ", "  ", "   ", "      ", "\t", "　"};
    static const std::vector<std::string> ends = {"\n",   "\n",   "\n", "\n\n", "\n\n\n", "  # one\n", "# two\n", "\n   # three\n",
                                                  " {\n", "\n}\n"};
    std::string text;
    const std::size_t lines = 1 + pick(random, 12);
    for (std::size_t l = 0; l < lines; ++l) {
        text.append(pick(random, 4) * pick(random, 4), ' ');
        const std::size_t tokens = pick(random, 10);
        for (std::size_t t = 0; t < tokens; ++t)
            text += tokens_there[pick(random, tokens_there.size())] + blanks[pick(random, blanks.size())];
        text += ends[pick(random, ends.size())];
    }
    return text;
}

// Rows of few words, as tables have them: what columns must get right.
std::string table_soup(std::mt19937& random) {
    static const std::vector<std::string> words = {"zone", "fact", "a", "bb", "ccccc", "of", "of", ":",
                                                   ":",    "{",    "}", "is", "手札",  "(",  ","};
    std::string text;
    const std::size_t lines = 2 + pick(random, 6);
    for (std::size_t l = 0; l < lines; ++l) {
        const std::size_t tokens = 1 + pick(random, 7);
        for (std::size_t t = 0; t < tokens; ++t) {
            text += words[pick(random, words.size())];
            if (pick(random, 80) == 0) text.append(180 + pick(random, 30), 'x');
            text.append(pick(random, 3) ? 1 : 1 + pick(random, 6), ' ');
        }
        text += pick(random, 4) ? "\n" : "# why\n";
    }
    return text;
}

std::string byte_soup(std::mt19937& random) {
    static const std::vector<std::string> rare = {"\r\n", "\r", "\xEF\xBB\xBF", "’", "’s", "１", "＜", "＝", "．", "　",
                                                  "\"",   "#",  "\\",           "{", "}",  "'s", ".."};
    std::string text;
    const std::size_t length = pick(random, 60);
    for (std::size_t i = 0; i < length; ++i) {
        switch (pick(random, 4)) {
            case 0:
                text += static_cast<char>(pick(random, 256));
                break;
            case 1:
                text += rare[pick(random, rare.size())];
                break;
            case 2:
                text += static_cast<char>(' ' + pick(random, 95));
                break;
            default:
                text += " \n\tab12\x80\xE3\x82\xCC"[pick(random, 11)];
                break;
        }
    }
    return text;
}

void check_stable(const std::string& text) {
    const std::string once = format(text);
    if (format(once) == once) return;
    INFO("text: " << text);
    INFO("once: " << once);
    CHECK(format(once) == once);
}

}  // namespace

TEST_CASE("format: nothing comes of nothing") {
    check("", "");
    check(" \n\t\r\n\n", "");
    check("\xEF\xBB\xBF", "");
    check("a", "a\n");
    check("\xEF\xBB\xBFgame x\r\n\r\nplay { }\r\n\r\n", "game x\n\nplay {}\n");
}

TEST_CASE("format: blanks inside a line") {
    check("players 2 .. 4 in a circle , clockwise", "players 2..4 in a circle, clockwise\n");
    check("put every blue+every red in p 's hand", "put every blue + every red in p's hand\n");
    check("fact out of player yes / no = no lasts game", "fact out of player yes/no = no lasts game\n");
    check("define x( player p )=( a+1 )*2-b", "define x(player p) = (a + 1) * 2 - b\n");
    check("x becomes- 1; y becomes -1; z becomes limit -1; z becomes limit-1",
          "x becomes -1; y becomes -1; z becomes limit -1; z becomes limit - 1\n");
    check("a<=b c< d e >f g>=h", "a <= b c < d e > f g >= h\n");
    check("a 0..-1 ( -2,- 3 )", "a 0..-1 (-2, -3)\n");
    check("not( a ) not (b) ={c} :( d )", "not(a) not (b) = {c}: (d)\n");
    check("x is [ white 8 ]", "x is [white 8]\n");
    check("let x=0.5 or 1..5", "let x = 0.5 or 1..5\n");
}

TEST_CASE("format: braces") {
    check("play{refill;trade}", "play { refill; trade }\n");
    check("cases{A:1}", "cases { A: 1 }\n");
    check("a {  } b {}", "a {} b {}\n");
    check("in {a , b} but { a,b } or {starter,starter's left}", "in {a, b} but { a, b } or {starter, starter's left}\n");
    check("of {a, b } is {  a, b}", "of {a, b} is { a, b }\n");
}

TEST_CASE("format: indentation") {
    check("rule a {\nb\n{\nc\n}\n}\nd", "rule a {\n  b\n  {\n    c\n  }\n}\nd\n");
    check("a { b {\nc\n}\nd\n}", "a { b {\n    c\n  }\n  d\n}\n");
    check("a { b {\nc\n} }\nd", "a { b {\n    c\n} }\nd\n");
    check("let x = (a +\nb +\nc\n)\nd", "let x = (a +\n  b +\n  c\n)\nd\n");
    check("}\n)\na {\n", "}\n)\na {\n");
    // What follows a brace may be followed by its like, but for a brace that is closed on a line of its own.
    check("3: { deal x\n     deal y }\n4: deal z", "3: { deal x\n     deal y }\n4: deal z\n");
    check("3: { deal x\n  deal y }\n4: deal z", "3: { deal x\n  deal y }\n4: deal z\n");
    check("{ deal x\ndeal y }", "{ deal x\n  deal y }\n");
    check("cards g { covers x\n1 of a\n}\nb", "cards g { covers x\n  1 of a\n}\nb\n");
    check("手: { a\n      b }", "手: { a\n      b }\n");
    const std::string far(70, 'x');
    check(far + " { a\n" + std::string(80, ' ') + "b\nc }", far + " { a\n  b\n  c }\n");
}

TEST_CASE("format: lines that go on with a statement") {
    check("r {\np must choose c from s\nif none: stop r\nd\n}", "r {\n  p must choose c from s\n    if none: stop r\n  d\n}\n");
    check("r {\np must choose c from s {\nput c\n}\nif none: stop r\n}",
          "r {\n  p must choose c from s {\n    put c\n  }\n  if none: stop r\n}\n");
    check("r {\nif none: a\n}", "r {\n  if none: a\n}\n");
    check("r {\nif a: b\n    otherwise: c\n}", "r {\n  if a: b\n  otherwise: c\n}\n");
    check("r {\nif a {\nb\n}\n  otherwise: c\n}", "r {\n  if a {\n    b\n  }\n  otherwise: c\n}\n");
    check("r {\np may x: b\notherwise: c\nd\n}", "r {\n  p may x: b\n    otherwise: c\n  d\n}\n");
    check("cases {\na: p may x: b\notherwise: c\n}", "cases {\n  a: p may x: b\n  otherwise: c\n}\n");
    check("reading q {\nmay: b\notherwise: c\n}", "reading q {\n  may: b\n  otherwise: c\n}\n");
    check("winner = a\n      then b\nend", "winner = a\n  then b\nend\n");
    check("r {\n   a\n   b\n  c\n}", "r {\n  a\n  b\n  c\n}\n");
}

TEST_CASE("format: columns") {
    check(
        "zone selves    stack of self    seen by nobody\nzone hand    of player    set of any card   seen by owner\n"
        "zone me  of player   one self   seen by others",
        "zone selves            stack of self     seen by nobody\nzone hand  of player   set of any card   seen by owner\n"
        "zone me    of player   one self          seen by others\n");
    check("zone missing of player   one cat\nzone found   of player   set of cat",
          "zone missing of player   one cat\nzone found   of player   set of cat\n");
    check("a  b\n手札  c", "a     b\n手札  c\n");
    check("a\tb", "a  b\n");
    check("a        b", "a   b\n");
    check("a   b\n\nccc  d", "a   b\n\nccc  d\n");
    check("a   b\nplain\nccc  d", "a   b\nplain\nccc  d\n");
    check("given x\nthen  (a)", "given x\nthen  (a)\n");
    check("cards cat   { color {white, black}   number 1..8 }\ncards dream { kind k          number 1..2 }",
          "cards cat   { color {white, black}   number 1..8 }\ncards dream { kind k   number 1..2 }\n");
}

TEST_CASE("format: the longest of a column may have one blank") {
    check_same("c is a dream: put c\nc is a self:  put d\nc is a group: put e\n");
    check_same("A:  distance\nB:  distance\nexcept when x is empty: yes\n");
    check_same("4:   deal 8\n5: { deal 7\n     deal 6 }\n");
    check_same("solved   when a\nall_outs when b\n");
    check_same("option cards  2..13 = 13                 \"a\"\noption prizes {descending, random} = a   \"b\"\n");
    check_same(
        "fact round            1..6 = 1        lasts one_set   seen by all\n"
        "fact token of player  0..4 by 0.5 = 0 lasts game      seen by all\n");
    check("pieces plate { 1 of each }\ncards  nyan   { 5 of each }\ncards bonus { 1 of each }",
          "pieces plate { 1 of each }\ncards  nyan  { 5 of each }\ncards  bonus { 1 of each }\n");
    check("zone  a   set of b\nzone c set of d", "zone a  set of b\nzone c  set of d\n");
}

TEST_CASE("format: comments") {
    check("# a  b \t\n  # c\nr {\n# d\n\n\nx# e\nyy   # f　\n# g\n}\n\n# h",
          "# a  b\n# c\nr {\n  # d\n\n  x   # e\n  yy  # f\n  # g\n}\n\n# h\n");
    check("a  # x\nlong line without\nbbb  # y", "a    # x\nlong line without\nbbb  # y\n");
    check("a \"# no\" # yes", "a \"# no\"  # yes\n");
    check("a # （１、２）", "a  # （１、２）\n");
}

TEST_CASE("format: blank lines") {
    check("\n\na\n\n\n\nb\n\n", "a\n\nb\n");
    check("a {\n\nb\n\n}\n\n\nc", "a {\n  b\n}\n\nc\n");
    check("a {\n\n# b\n\n}", "a {\n  # b\n}\n");
}

TEST_CASE("format: full-width punctuation outside texts and comments") {
    check("手札（ａ）｛１２、３．．４｝", "手札(ａ) { 12, 3．．4 }\n");
    check("ｘ：y；z　＝［1］＋2－３＊４", "ｘ: y; z = [1] + 2 - 3 * 4\n");
    check("p’s total＜＝2 ＞ 1", "p's total <= 2 > 1\n");
    check("it’self p’sx", "it’self p’sx\n");
    check("手札１", "手札 1\n");  // two tokens, as names have no full-width digits
    check("say \"（１）\"", "say \"（１）\"\n");
}

TEST_CASE("format: what is no token stays") {
    check("a@b @ c~~d", "a@b @ c~~d\n");
    check("\"no end ,  x \nb", "\"no end ,  x \nb\n");
    check("\"no end\\\nb", "\"no end\\\nb\n");
    check("2x 1.y 3...4", "2x 1.y 3...4\n");
    check("\xE3\x81 \x80\xFF", "\xE3\x81 \x80\xFF\n");
    check(std::string_view("a \0b", 4), std::string_view("a \0b\n", 5));
}

TEST_CASE("format: limits") {
    // At a width of 200 a line takes part in columns, beyond it does not.
    const std::string wide(198, 'x');
    check(wide + "  b\na  b", wide + "  b\na" + std::string(199, ' ') + "b\n");
    check(wide + "x  b\na  b", wide + "x  b\na  b\n");
    std::string deep, expected;
    for (int i = 0; i < 60; ++i) {
        deep += "{\n";
        expected += std::string(static_cast<std::size_t>(std::min(2 * i, 100)), ' ') + "{\n";
    }
    check(deep, expected);
    // A brace at column 60 still has its lines under it.
    const std::string near(57, 'x');
    check(near + " { a\n" + std::string(60, ' ') + "b }", near + " { a\n" + std::string(60, ' ') + "b }\n");
    check(near + "x { a\n" + std::string(61, ' ') + "b }", near + "x { a\n  b }\n");
}

TEST_CASE("format: random tokens stay as they are and settle at once") {
    const auto seed = Catch::rngSeed();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    houserule::testing::random_samples(20000);
    for (int i = 0; i < 20000; ++i) {
        const std::string text = i % 2 ? token_soup(random) : table_soup(random);
        check_stable(text);
        check_pieces(text);
    }
}

TEST_CASE("format: random bytes settle at once") {
    const auto seed = Catch::rngSeed();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    houserule::testing::random_samples(20000);
    for (int i = 0; i < 20000; ++i) check_stable(byte_soup(random));
}

TEST_CASE("format: the games") {
    const auto files = houserule::testing::rules_files();
    CHECK(files.size() > 20);
    for (const auto& path : files) {
        INFO(path.string());
        std::ifstream file(path, std::ios::binary);
        REQUIRE(file);
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        CHECK(format(text) == text);
        check_pieces(text);
    }
}
