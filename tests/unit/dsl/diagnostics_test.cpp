// Diagnostics as people and as tools see them.
#include "dsl/text/diagnostics.hpp"
#include "tests/support/schema.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>

using namespace houserule;
using Json = nlohmann::ordered_json;

namespace {

std::vector<CodeInfo> all_codes() {
    std::vector<CodeInfo> out;
    for (std::size_t i = 0; i < code_count(); ++i) out.push_back(info(static_cast<Code>(i)));
    return out;
}

Code first_of(Severity severity) {
    const auto all = all_codes();
    const auto found = std::ranges::find(all, severity, &CodeInfo::severity);
    REQUIRE(found != all.end());
    return static_cast<Code>(found - all.begin());
}

// The span of the only `part` in `source`.
Span at(const Sources& sources, const std::string& part, std::uint16_t index = 0) {
    const std::string_view text = sources[index].text();
    const std::size_t begin = text.find(part);
    CAPTURE(part);
    REQUIRE(begin != std::string_view::npos);
    REQUIRE(text.find(part, begin + 1) == std::string_view::npos);
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size()), index};
}

Diagnostic found(Span span, const std::string& span_text = "") {
    Diagnostic d = make_diagnostic(Code::not_utf8, span);
    d.span_text = span_text;
    return d;
}

std::string title(const CodeInfo& code, Language language) { return std::string(told(*code.title, language)); }

// Whether a text in quotes has been closed everywhere, and it reads as the style asks.
void check_wording(std::string_view en, std::string_view ja) {
    CAPTURE(std::string(en), std::string(ja));
    CHECK_FALSE(en.empty());
    CHECK_FALSE(ja.empty());
    CHECK_FALSE(en.ends_with('.'));
    CHECK_FALSE(ja.ends_with("。"));
    std::string lower(en);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* word : {"invalid", "illegal", "please"}) CHECK(lower.find(word) == std::string::npos);
    CHECK(std::ranges::count(en, '`') % 2 == 0);
    CHECK(std::ranges::count(ja, '`') % 2 == 0);
}

bool has_trailing_blanks(const std::string& text) { return std::regex_search(text, std::regex("[ \t](\n|$)")); }

std::string without_colors(const std::string& text) { return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), ""); }

void check_all(const Diagnostics& all, const Sources& sources, const std::string& expected, Language language = Language::en) {
    const std::string text = render(all, sources, {language, false});
    CHECK(text == expected);
    CHECK_FALSE(has_trailing_blanks(text));
    CHECK(without_colors(render(all, sources, {language, true})) == expected);
}

// `expected` without the title line, which is the same in most cases.
void check(const Diagnostic& d, const Sources& sources, const std::string& expected) {
    check_all({d}, sources, "error[E0001]: the text is not UTF-8\n" + expected);
}

void check_span(const std::string& input, Span span, const std::string& expected) {
    CAPTURE(input);
    check(found(span, "here"), {Source("a.rules", input)}, expected);
}

void check_message(const std::vector<Phrase>& arguments, const std::string& expected) {
    Diagnostic d = make_diagnostic(Code::too_long, {}, 0);
    d.arguments = arguments;
    CHECK(message(d, Language::en) == expected);
}

}  // namespace

TEST_CASE("the table of codes", "[diagnostics]") {
    const std::string families = "EWQ";
    std::set<std::string> ids;
    for (const CodeInfo& code : all_codes()) {
        CAPTURE(std::string(code.id), std::string(code.name));
        const std::string id(code.id);
        REQUIRE(std::regex_match(id, std::regex("E0[0-6][0-9]{2}|[WQ]0[0-9]{3}")));
        CHECK(families.find(id.front()) == static_cast<std::size_t>(code.severity));
        CHECK(ids.insert(id).second);
        CHECK(std::regex_match(std::string(code.name), std::regex("[a-z][a-z0-9_]*")));
    }
}

TEST_CASE("codes stand in the order of their families", "[diagnostics]") {
    std::vector<std::pair<std::size_t, std::string>> ids;
    for (const CodeInfo& code : all_codes()) ids.emplace_back(static_cast<std::size_t>(code.severity), code.id);
    CHECK(std::ranges::is_sorted(ids));
}

TEST_CASE("every message is worded as the style asks", "[diagnostics]") {
    for (const CodeInfo& code : all_codes()) CHECK(title(code, Language::en) != title(code, Language::ja));
    for (const Words& words : texts::table) check_wording(words[0], words[1]);
}

TEST_CASE("the places of a text are counted, and refused when they are written otherwise", "[diagnostics]") {
    CHECK(places_of("no place") == 0);
    CHECK(places_of("{0} and {1}, again {0}") == 2);
    CHECK(places_of("`play { … }` and `{`") == 0);
    CHECK(places_of("{1} alone") == -1);
    CHECK(places_of("{}") == -1);
    CHECK(places_of("{name}") == -1);
    CHECK(places_of("{0:.2f}") == -1);
    CHECK(places_of("{10}") == -1);
}

TEST_CASE("a space stands between Japanese and an argument in Latin letters", "[diagnostics]") {
    CHECK(fill_apart("{0}と{1}は", {"カード 1 枚", "2"}) == "カード 1 枚と 2 は");
    CHECK(fill_apart("これは{0}です", {"`nobody`"}) == "これは `nobody` です");
    CHECK(fill_apart("`{0}` は{1}、{2}", {"手札", "P1", "（3）"}) == "`手札` は P1、（3）");
    CHECK(fill_apart("{0} is {1}", {"手札", ""}) == "手札 is ");
    CHECK(fill("これは{0}です", {"7"}) == "これは7です");
}

TEST_CASE("a phrase is told in the language asked for, with all that fills it", "[diagnostics]") {
    const Phrase both = Text::different_types(Text::a_card, Text::set_of(Text::number_from_to(1, 13)));
    CHECK(both.in(Language::en) == "the types differ: a card and a set (a number 1..13)");
    CHECK(both.in(Language::ja) == "種類が違います: カード 1 枚と集まり（1〜13 の数）");
    CHECK(listed({Text::a_card, verbatim("{0}"), 3}).in(Language::en) == "a card, {0}, 3");
    CHECK(listed({Text::a_card, verbatim("{0}"), 3}).in(Language::ja) == "カード 1 枚、{0}、3");
    CHECK(listed(std::vector<Phrase>{}).empty());
    const Phrase each = Phrase::each([](Language language) { return language == Language::ja ? "札" : "card"; });
    CHECK(Text::expression_is(verbatim("x"), each).in(Language::ja) == "`x` は 札");
    CHECK(Phrase(Text::a_card) == Phrase(Text::a_card));
    CHECK(Phrase(Text::a_card) != Phrase(verbatim("a card")));
    CHECK_FALSE(Phrase(Text::a_card).empty());
    CHECK(Phrase().empty());
}

TEST_CASE("codes are found by id in any case", "[diagnostics]") {
    for (std::size_t i = 0; i < code_count(); ++i) CHECK(code_named(info(static_cast<Code>(i)).id) == static_cast<Code>(i));
    CHECK(code_named("e0002") == Code::too_long);
    CHECK_FALSE(code_named(""));
    CHECK_FALSE(code_named("E000"));
    CHECK_FALSE(code_named("E00020"));
    CHECK_FALSE(code_named("not_utf8"));
}

TEST_CASE("arguments are filled in", "[diagnostics]") {
    check_message({9}, "the text is longer than 9 bytes");
    check_message({9, verbatim("spare")}, "the text is longer than 9 bytes");
    check_message({}, "the text is longer than {0} bytes");
    check_message({verbatim("{0}{1}")}, "the text is longer than {0}{1} bytes");
    check_message({verbatim("%s {} {x")}, "the text is longer than %s {} {x bytes");
    const Diagnostic d = make_diagnostic(Code::too_long, {}, 9);
    CHECK(message(d, Language::ja) == "文章が 9 バイトを超えています");
}

TEST_CASE("tidy sorts by place and drops repetitions", "[diagnostics]") {
    const auto long_at = [](Span span, const std::string& argument) { return make_diagnostic(Code::too_long, span, argument); };
    Diagnostics all = {long_at({5, 6, 1}, "a"), long_at({7, 8, 0}, "b"), found({7, 8, 0}),        long_at({7, 8, 0}, "a"),
                       long_at({5, 6, 1}, "a"), long_at({7, 8, 0}, "b"), long_at({2, 9, 0}, "a"), long_at({2, 3, 0}, "a")};
    tidy(all);
    const Diagnostics expected = {long_at({2, 3, 0}, "a"), long_at({2, 9, 0}, "a"), found({7, 8, 0}),
                                  long_at({7, 8, 0}, "a"), long_at({7, 8, 0}, "b"), long_at({5, 6, 1}, "a")};
    REQUIRE(all.size() == expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        CHECK(all[i].code == expected[i].code);
        CHECK(all[i].span == expected[i].span);
        CHECK(all[i].arguments == expected[i].arguments);
    }
}

TEST_CASE("tidy keeps the first of equal ones", "[diagnostics]") {
    Diagnostics all = {found({1, 2, 0}, "first"), found({1, 2, 0}, "second")};
    tidy(all);
    REQUIRE(all.size() == 1);
    CHECK(all[0].span_text.same() == "first");
}

TEST_CASE("only errors are errors", "[diagnostics]") {
    CHECK_FALSE(has_errors({}));
    Diagnostic warning = found({});
    warning.code = first_of(Severity::warning);
    Diagnostic question = found({});
    question.code = first_of(Severity::question);
    CHECK_FALSE(has_errors({warning, question}));
    CHECK(has_errors({warning, found({}), question}));
}

TEST_CASE("nothing to say renders as nothing", "[diagnostics]") { check_all({}, {}, ""); }

TEST_CASE("a span on one line", "[diagnostics]") {
    check_span("deal 手札 to all\n", {5, 11, 0}, R"( --> a.rules:1:6
  |
1 | deal 手札 to all
  |      ^^^^ here
)");
    check_span("か\u3099x", {6, 7, 0}, " --> a.rules:1:3\n  |\n1 | か\u3099x\n  |   ^ here\n");
    check_span("\tif\tx", {4, 5, 0}, " --> a.rules:1:11\n  |\n1 |     if    x\n  |           ^ here\n");
    check_span("a\tb", {1, 2, 0}, " --> a.rules:1:2\n  |\n1 | a    b\n  |  ^^^^ here\n");
    check_span("x　y", {1, 4, 0}, " --> a.rules:1:2\n  |\n1 | x　y\n  |  ^^ here\n");
    check_span("e\u0301", {1, 3, 0}, " --> a.rules:1:2\n  |\n1 | e\u0301\n  |  ^ here\n");
}

TEST_CASE("BOM and CRLF move nothing", "[diagnostics]") {
    const std::string expected = " --> a.rules:2:3\n  |\n2 | 手x\n  |   ^ here\n";
    check_span("a\n手x\n", {5, 6, 0}, expected);
    check_span(
        "\xEF\xBB\xBF"
        "a\r\n手x\r\n",
        {5, 6, 0}, expected);
}

TEST_CASE("empty spans get one caret", "[diagnostics]") {
    check_span("ab", {1, 1, 0}, " --> a.rules:1:2\n  |\n1 | ab\n  |  ^ here\n");
    check_span("\n\nab", {1, 1, 0}, " --> a.rules:2:1\n  |\n2 |\n  | ^ here\n");
}

TEST_CASE("the end of the file is one past its last character", "[diagnostics]") {
    const std::string expected = " --> a.rules:1:3\n  |\n1 | ab\n  |   ^ here\n";
    check_span("ab", {2, 2, 0}, expected);
    check_span("ab\n", {3, 3, 0}, expected);
    check_span("ab\r\n\r\n", {4, 4, 0}, expected);
    check_span("ab\n", {70, 99, 0}, expected);
    check_span("", {0, 0, 0}, " --> a.rules:1:1\n  |\n1 |\n  | ^ here\n");
    check_span("\n\n", {2, 2, 0}, " --> a.rules:1:1\n  |\n1 |\n  | ^ here\n");
}

TEST_CASE("a span over several lines shows its first", "[diagnostics]") {
    check_span("if 手札 {\n  x\n}\n", {3, 17, 0}, " --> a.rules:1:4\n  |\n1 | if 手札 {\n  |    ^^^^^^… here\n");
    check_span("ab\ncd", {2, 5, 0}, " --> a.rules:1:3\n  |\n1 | ab\n  |   ^… here\n");
    check_span("ab\ncd", {0, 3, 0}, " --> a.rules:1:1\n  |\n1 | ab\n  | ^^ here\n");
    check_span("ab\ncd", {2, 3, 0}, " --> a.rules:1:3\n  |\n1 | ab\n  |   ^ here\n");
}

TEST_CASE("text that could act on a terminal is shown instead", "[diagnostics]") {
    check_span("\x1b[2Jx\xFFy", {4, 5, 0}, " --> a.rules:1:5\n  |\n1 | ␛[2Jx\uFFFDy\n  |     ^ here\n");
    Diagnostic d = found({0, 1, 0}, "a\x1b[1mb ");
    d.help = verbatim("x\ty\x07");
    check(d, {Source("a\nb", "x   \n")}, R"( --> a␊b:1:1
  |
1 | x
  | ^ a␛[1mb
  |
  = help: x    y␇
)");
}

TEST_CASE("labels on other lines stand in line order", "[diagnostics]") {
    std::string text;
    for (int i = 1; i <= 12; ++i) text += "line" + std::to_string(i) + ";\n";
    const Sources sources = {Source("a.rules", text)};
    Diagnostic d = found(at(sources, "line9"), "here");
    d.labels = {{at(sources, "line12"), verbatim("last")},
                {at(sources, "line2"), verbatim("second")},
                {at(sources, "line1;"), verbatim("first")},
                {at(sources, "line4"), Phrase()},
                {at(sources, "line10"), verbatim("後の行")}};
    check(d, sources, R"(  --> a.rules:9:1
   |
 1 | line1;
   | ------ first
 2 | line2;
   | ----- second
 3 | line3;
 4 | line4;
   | -----
...
 9 | line9;
   | ^^^^^ here
10 | line10;
   | ------ 後の行
11 | line11;
12 | line12;
   | ------ last
)");
}

TEST_CASE("labels on the line of the primary", "[diagnostics]") {
    const Sources sources = {Source("a.rules", "手札 beats 山札 always\n")};
    Diagnostic d = found(at(sources, "山札"), "this");
    d.labels = {
        {at(sources, "always"), verbatim("when")}, {at(sources, "手札"), verbatim("one")}, {at(sources, "札 beats"), verbatim("two")}};
    check(d, sources, R"( --> a.rules:1:12
  |
1 | 手札 beats 山札 always
  | ---- one   ^^^^ this
  |   -------- two  ------ when
)");
}

TEST_CASE("a label in another source gets a block of its own", "[diagnostics]") {
    const Sources sources = {Source("a.rules", "one\ntwo\n"), Source("家.rules", "一\n二\n三\n"), Source("c.log", "x")};
    Diagnostic d = found(at(sources, "三", 1), "here");
    d.labels = {{at(sources, "x", 2), verbatim("log")}, {at(sources, "two"), verbatim("rule")}, {at(sources, "一", 1), verbatim("before")}};
    d.notes = {verbatim("a fact")};
    check(d, sources, R"( --> 家.rules:3:1
  |
1 | 一
  | -- before
2 | 二
3 | 三
  | ^^ here
  |
 ::: c.log:1:1
  |
1 | x
  | - log
  |
 ::: a.rules:2:1
  |
2 | two
  | --- rule
  |
  = note: a fact
)");
}

TEST_CASE("notes, help and further lines of them", "[diagnostics]") {
    Diagnostic d = found({0, 1, 0});
    d.notes = {verbatim("first\n\n  second"), Phrase()};
    d.help = verbatim("do this\nso");
    check(d, {Source("a", "x")}, R"( --> a:1:1
  |
1 | x
  | ^
  |
  = note: first

            second
  = note:
  = help: do this
          so
)");
}

TEST_CASE("an edit is a help when there is none", "[diagnostics]") {
    const auto help = [](const Edit& edit, const std::string& text, Language language) {
        Diagnostic d = found({0, 0, 0});
        d.help = text;
        d.edit = edit;
        const std::string out = render({d}, {Source("a", "trik")}, {language, false});
        return out.substr(out.find("= ") + 2);
    };
    CHECK(help({{0, 4, 0}, "trick"}, "", Language::en) == "help: write `trick`\n");
    CHECK(help({{0, 4, 0}, "trick"}, "did you mean `trick`", Language::en) == "help: did you mean `trick`\n");
    CHECK(help({{3, 3, 0}, "c"}, "", Language::en) == "help: insert `c`\n");
    CHECK(help({{0, 4, 0}, ""}, "", Language::en) == "help: remove `trik`\n");
    CHECK(help({{0, 4, 0}, "{0}"}, "", Language::en) == "help: write `{0}`\n");
    CHECK(help({{0, 4, 0}, "trick"}, "", Language::ja) == "対処: `trick` と書く\n");
    CHECK(help({{3, 3, 0}, "c"}, "", Language::ja) == "対処: `c` を入れる\n");
    CHECK(help({{0, 4, 0}, ""}, "", Language::ja) == "対処: `trik` を取り除く\n");
}

TEST_CASE("a blank line stands between diagnostics, which may be in no source", "[diagnostics]") {
    Diagnostic d = found({0, 0, 7});
    d.notes = {verbatim("a fact")};
    d.labels = {{{0, 1, 9}, verbatim("nowhere")}};
    check_all({d, found({0, 1, 0})}, {Source("a", "x")}, R"(error[E0001]: the text is not UTF-8
  = note: a fact

error[E0001]: the text is not UTF-8
 --> a:1:1
  |
1 | x
  | ^
)");
}

TEST_CASE("in Japanese", "[diagnostics]") {
    Diagnostic d = make_diagnostic(Code::too_long, {0, 3, 0}, 9);
    d.span_text = verbatim("ここ");
    d.notes = {verbatim("事実\n続き")};
    d.help = verbatim("短くする");
    check_all({d}, {Source("家.rules", "札\n")}, R"(エラー[E0002]: 文章が 9 バイトを超えています
 --> 家.rules:1:1
  |
1 | 札
  | ^^ ここ
  |
  = 補足: 事実
          続き
  = 対処: 短くする
)",
              Language::ja);
}

TEST_CASE("every severity has its word", "[diagnostics]") {
    const auto title = [](Severity severity, Language language) {
        Diagnostic d = found({});
        d.code = first_of(severity);
        const std::string out = render({d}, {}, {language, false});
        return out.substr(0, out.find('['));
    };
    CHECK(title(Severity::error, Language::en) == "error");
    CHECK(title(Severity::warning, Language::en) == "warning");
    CHECK(title(Severity::question, Language::en) == "question");
    CHECK(title(Severity::error, Language::ja) == "エラー");
    CHECK(title(Severity::warning, Language::ja) == "警告");
    CHECK(title(Severity::question, Language::ja) == "質問");
}

TEST_CASE("colour only when asked for", "[diagnostics]") {
    const Sources sources = {Source("a", "x y")};
    Diagnostic d = found({0, 1, 0}, "here");
    d.labels = {{{2, 3, 0}, verbatim("there")}};
    CHECK(render({d}, sources, {Language::en, false}).find('\x1b') == std::string::npos);
    CHECK(render({d}, sources, {Language::en, true}) ==
          "\x1b[1;31merror[E0001]\x1b[0m\x1b[1m: the text is not UTF-8\x1b[0m\n"
          "\x1b[1;34m -->\x1b[0m a:1:1\n"
          "\x1b[1;34m  |\x1b[0m\n"
          "\x1b[1;34m1 |\x1b[0m x y\n"
          "\x1b[1;34m  |\x1b[0m \x1b[1;31m^ here\x1b[0m\n"
          "\x1b[1;34m  |\x1b[0m   \x1b[1;34m- there\x1b[0m\n");
}

namespace {

Diagnostics many(std::size_t n, Code code, std::uint16_t source = 0) {
    Diagnostics all;
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::uint32_t>(i);
        Phrase shown[] = {i};
        all.emplace_back(code, Span{at, at + 1, source}, shown);
    }
    return all;
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

}  // namespace

TEST_CASE("fifty are shown of a file, and how many there are more", "[diagnostics]") {
    const Sources sources = {Source("a", std::string(2000, 'x')), Source("b", std::string(2000, 'y'))};
    CHECK(render(many(shown_per_file, Code::unknown_name), sources, {}).find("more") == std::string::npos);
    const std::string text = render(many(shown_per_file + 1, Code::unknown_name), sources, {});
    CHECK(times(text, "E0101") == shown_per_file);
    CHECK(text.ends_with("\n\n… and 1 more\n"));
    CHECK(render(many(99, Code::unknown_name), sources, {Language::ja, false}).ends_with("\n\n… ほかに 49 件\n"));

    Diagnostics two = many(60, Code::unknown_name);
    for (Diagnostic& d : many(70, Code::unknown_name, 1)) two.push_back(std::move(d));
    const std::string both = render(two, sources, {});
    CHECK(times(both, "E0101") == 2 * shown_per_file);
    CHECK(both.ends_with("\n\na: … and 10 more\nb: … and 20 more\n"));
}

TEST_CASE("errors are shown before warnings when not all are", "[diagnostics]") {
    const Sources sources = {Source("a", std::string(2000, 'x'))};
    Diagnostics all = many(60, Code::never_used);
    for (Diagnostic& d : many(3, Code::unknown_name)) {
        d.span.begin += 100;
        d.span.end += 100;
        all.push_back(std::move(d));
    }
    const std::string text = render(all, sources, {});
    CHECK(times(text, "E0101") == 3);
    CHECK(times(text, "W0002") == shown_per_file - 3);
    CHECK(text.find("W0002") < text.find("E0101"));  // still in the order of the file
}

TEST_CASE("what is collected has an end, and an error is always among it", "[diagnostics]") {
    Diagnostics all;
    for (Diagnostic& d : many(collected_limit + 500, Code::never_used)) collect(all, std::move(d));
    CHECK(all.size() == collected_limit);
    CHECK(all.back().more == 500);
    CHECK_FALSE(has_errors(all));
    for (Diagnostic& d : many(3, Code::unknown_name)) collect(all, std::move(d));
    CHECK(all.size() == collected_limit + 1);
    CHECK(has_errors(all));
    CHECK(all.back().more == 2);
    const Sources sources = {Source("a", std::string(2000, 'x'))};
    CHECK(render(all, sources, {}).ends_with(fmt::format("… and {} more\n", collected_limit + 503 - shown_per_file)));
    tidy(all);
    CHECK(render(all, sources, {}).ends_with(fmt::format("… and {} more\n", collected_limit + 503 - shown_per_file)));
}

TEST_CASE("of a long line the part around each mark is shown", "[diagnostics]") {
    const std::string before(1000, 'a');
    const std::string after(1000, 'b');
    const Sources sources = {Source("a", before + "HERE" + after + "OTHER" + after)};
    Diagnostic d = found(at(sources, "HERE"), "this");
    d.labels.push_back({at(sources, "OTHER"), verbatim("and that")});
    check(d, sources,
          " --> a:1:1001\n"
          "  |\n"
          "1 | …" +
              std::string(77, 'a') + "HERE" + std::string(77, 'b') +
              "…\n"
              "  | " +
              std::string(78, ' ') +
              "^^^^ this\n"
              "1 | …" +
              std::string(76, 'b') + "OTHER" + std::string(77, 'b') +
              "…\n"
              "  | " +
              std::string(77, ' ') + "----- and that\n");
    Diagnostic all = found({0, static_cast<std::uint32_t>(sources[0].text().size()), 0});
    check(all, sources,
          " --> a:1:1\n"
          "  |\n"
          "1 | " +
              std::string(159, 'a') +
              "…\n"
              "  | " +
              std::string(160, '^') + "\n");
    const Sources wide = {Source(
        "a", "x" + [] {
            std::string s;
            for (int i = 0; i < 200; ++i) s += "手";
            return s;
        }())};
    const std::string text = render({found({301, 304, 0})}, wide, {});
    // The window would begin inside a character, so it begins behind it.
    CHECK(text.find("\n  | " + std::string(78, ' ') + "^^\n") != std::string::npos);
}

TEST_CASE("a line that fits is shown whole, one that is a column too wide is not", "[diagnostics]") {
    const Sources sources = {Source("a", std::string(excerpt_width, 'x')), Source("b", std::string(excerpt_width + 1, 'x'))};
    CHECK(render({found({0, 1, 0})}, sources, {}).find("…") == std::string::npos);
    CHECK(render({found({0, 1, 1})}, sources, {}).find("1 | " + std::string(excerpt_width - 1, 'x') + "…\n") != std::string::npos);
}

TEST_CASE("what a message quotes has an end", "[diagnostics]") {
    const Sources sources = {Source("a", "x")};
    Diagnostic d = make_diagnostic(Code::unknown_name, {0, 1, 0}, std::string(5000, 'n'));
    d.help = std::string(5000, 'h') + "\nshort";
    d.notes.emplace_back(std::string(5000, 'o'));
    const std::string text = render({d}, sources, {});
    CHECK(text.find("`" + std::string(quote_width - 1, 'n') + "…`") != std::string::npos);
    CHECK(text.find(std::string(quote_width - 1, 'h') + "…\n") != std::string::npos);
    CHECK(text.find("short") != std::string::npos);
    CHECK(text.size() < 4 * quote_width);
    CHECK(render_json({d}, sources, Language::en).size() < 6 * quote_width);
}

namespace {

Json schema() { return testing::read_schema("diagnostics"); }

Json parsed(const Diagnostics& all, const Sources& sources, Language language = Language::en) {
    const Json document = Json::parse(render_json(all, sources, language));
    const Json rules = schema();
    CHECK(testing::conforms(document, rules, rules));
    return document;
}

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> out;
    for (const auto& item : object.items()) out.push_back(item.key());
    return out;
}

Json place(int line, int column, int offset) { return {{"line", line}, {"column", column}, {"offset", offset}}; }

}  // namespace

TEST_CASE("JSON of nothing", "[diagnostics]") {
    CHECK(render_json({}, {}, Language::en) == "{\n  \"schema\": \"houserule-diagnostics-1\",\n  \"diagnostics\": []\n}\n");
    CHECK(parsed({}, {})["diagnostics"].empty());
}

TEST_CASE("JSON says how many are left out", "[diagnostics]") {
    const Sources sources = {Source("a", std::string(2000, 'x'))};
    CHECK_FALSE(parsed(many(shown_per_file, Code::unknown_name), sources).contains("left_out"));
    const Json document = parsed(many(80, Code::unknown_name), sources);
    CHECK(document["diagnostics"].size() == shown_per_file);
    CHECK(document["left_out"] == Json::array({{{"file", "a"}, {"count", 30}}}));
}

TEST_CASE("JSON has the content of the text", "[diagnostics]") {
    const Sources sources = {Source("a.rules", "\xEF\xBB\xBFone\r\n手札 x\r\n"), Source("b.rules", "two")};
    Diagnostic d = make_diagnostic(Code::too_long, at(sources, "札"), 9);
    d.span_text = verbatim("here \"quoted\"");
    d.notes = {verbatim("a fact")};
    d.labels = {{at(sources, "two", 1), verbatim("ラベル")}};
    d.edit = Edit{at(sources, "x"), "y"};
    const Json out = parsed({d}, sources)["diagnostics"].at(0);
    const std::vector<std::string> order = {"code",      "name",   "severity", "message", "file", "span",
                                            "span_text", "labels", "notes",    "help",    "edit"};
    CHECK(keys(out) == order);
    CHECK(out["code"] == "E0002");
    CHECK(out["name"] == "too_long");
    CHECK(out["severity"] == "error");
    CHECK(out["message"] == "the text is longer than 9 bytes");
    CHECK(out["file"] == "a.rules");
    CHECK(out["span"] == Json{{"begin", place(2, 3, 11)}, {"end", place(2, 5, 14)}});
    CHECK(out["span_text"] == "here \"quoted\"");
    CHECK(out["labels"].size() == 1);
    CHECK(out["labels"][0]["file"] == "b.rules");
    CHECK(out["labels"][0]["span"] == Json{{"begin", place(1, 1, 0)}, {"end", place(1, 4, 3)}});
    CHECK(out["labels"][0]["text"] == "ラベル");
    CHECK(out["notes"] == Json::array({"a fact"}));
    CHECK(out["help"] == "write `y`");
    CHECK(out["edit"]["file"] == "a.rules");
    CHECK(out["edit"]["span"] == Json{{"begin", place(2, 6, 15)}, {"end", place(2, 7, 16)}});
    CHECK(out["edit"]["replacement"] == "y");
}

TEST_CASE("JSON speaks the language in its sentences only", "[diagnostics]") {
    const Json out = parsed({make_diagnostic(Code::too_long, {}, 9)}, {Source("a", "x")}, Language::ja)["diagnostics"][0];
    CHECK(out["message"] == "文章が 9 バイトを超えています");
    CHECK(out["severity"] == "error");
    CHECK(out["edit"].is_null());
    CHECK(out["help"] == "");
}

TEST_CASE("JSON at the end of a file: the place is moved, an edit is not", "[diagnostics]") {
    Diagnostic d = found({4, 4, 0});
    d.edit = Edit{{4, 4, 0}, "}\n"};
    const Json out = parsed({d}, {Source("a", "ab\n\n")})["diagnostics"][0];
    CHECK(out["span"] == Json{{"begin", place(1, 3, 2)}, {"end", place(1, 3, 2)}});
    CHECK(out["edit"]["span"]["begin"] == place(3, 1, 4));
}

TEST_CASE("JSON survives ill-formed text and places in no source", "[diagnostics]") {
    Diagnostic d = found({0, 1, 3}, "a\xFF\x1b");
    d.labels = {{{9, 12, 0}, verbatim("end")}, {{0, 0, 8}, Phrase()}};
    d.edit = Edit{{0, 0, 8}, "\xE6"};
    const Json out = parsed({d}, {Source("a\x80", "\xFF\xFE")})["diagnostics"][0];
    CHECK(out["file"].is_null());
    CHECK(out["span"].is_null());
    CHECK(out["span_text"] == "a\uFFFD\x1b");
    CHECK(out["labels"][0]["file"] == "a\uFFFD");
    CHECK(out["labels"][0]["span"]["begin"] == place(1, 3, 2));
    CHECK(out["edit"]["replacement"] == "\uFFFD");
}

TEST_CASE("the schema refuses what is not of it", "[diagnostics]") {
    const Json rules = schema();
    const Json good = parsed({found({0, 1, 0})}, {Source("a", "x")});
    const auto refused = [&](const char* pointer, const Json& value) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = value;
        CAPTURE(pointer);
        CHECK_FALSE(testing::conforms(bad, rules, rules));
    };
    refused("/schema", "houserule-diagnostics-2");
    refused("/extra", 1);
    refused("/diagnostics/0/code", "X0001");
    refused("/diagnostics/0/severity", "エラー");
    refused("/diagnostics/0/span/begin/line", 0);
    refused("/diagnostics/0/span/end", nullptr);
    refused("/diagnostics/0/labels", nullptr);
    refused("/diagnostics/0/notes", Json::array({1}));
    refused("/diagnostics/0/edit", Json::object());
    Json missing = good;
    missing["diagnostics"][0].erase("help");
    CHECK_FALSE(testing::conforms(missing, rules, rules));
}
