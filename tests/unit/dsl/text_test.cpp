// Unicode text and places in a source: width, identifiers, closeness, lines.
#include "dsl/text/text.hpp"
#include "dsl/text/source.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace houserule;

namespace {

using namespace std::string_literals;

void check_utf8(const std::string& input, std::ptrdiff_t bad) {
    CAPTURE(input);
    std::size_t found = 999;
    CHECK(is_utf8(input, &found) == (bad < 0));
    CHECK(is_utf8(input) == (bad < 0));
    CHECK(found == (bad < 0 ? 999 : static_cast<std::size_t>(bad)));
}

void check_nfc(const std::string& input, const std::string& expected) {
    CAPTURE(input);
    CHECK(nfc(input) == expected);
}

// Width must be that of what is shown, or carets drift away from their text.
void check_width(const std::string& input, std::size_t expected) {
    CAPTURE(input);
    CHECK(display_width(input) == expected);
    CHECK(display_width(shown(input)) == expected);
}

void check_shown(const std::string& input, const std::string& expected) {
    CAPTURE(input);
    CHECK(shown(input) == expected);
    CHECK(shown(expected) == expected);
}

enum class Role { begins, continues, none };

void check_identifier(const std::string& character, Role expected) {
    CAPTURE(character);
    CHECK(begins_identifier(decode(character)) == (expected == Role::begins));
    CHECK(continues_identifier(decode(character)) == (expected != Role::none));
}

void check_decode(const std::string& input, char32_t expected, std::size_t length) {
    CAPTURE(input);
    CHECK(decode(input) == expected);
    CHECK(character_length(input) == length);
    if (expected != U'\uFFFD' && length > 0) CHECK(length_from_first(input[0]) == length);
}

void check_closest(const std::string& word, const std::vector<std::string>& names, const std::string& expected) {
    CAPTURE(word, names);
    CHECK(closest(word, names) == expected);
}

void check_place(const Source& source, std::uint32_t offset, std::uint32_t line, std::uint32_t column) {
    CAPTURE(std::string(source.text()), offset);
    CHECK(source.line_of(offset) == line);
    CHECK(source.place(offset).line == line);
    CHECK(source.place(offset).column == column);
}

void check_lines(const std::string& input, const std::vector<std::string>& expected) {
    CAPTURE(input);
    const Source source("a", input);
    REQUIRE(source.line_count() == expected.size());
    for (std::uint32_t line = 1; line <= source.line_count(); ++line) CHECK(source.line(line) == expected[line - 1]);
}

}  // namespace

TEST_CASE("is_utf8 finds the first bad byte", "[text]") {
    check_utf8("", -1);
    check_utf8("plain", -1);
    check_utf8("手札 🂡", -1);
    check_utf8("a\0b"s, -1);
    check_utf8("\xFF", 0);
    check_utf8("手\x80", 3);
    check_utf8("ab\xE6\x89", 2);        // cut short
    check_utf8("\xC0\xAF", 0);          // longer than needed
    check_utf8("a\xED\xA0\x80", 1);     // a surrogate
    check_utf8("\xF4\x90\x80\x80", 0);  // past U+10FFFF
    check_utf8("\x82\xE8\x8E\x44", 0);  // Shift_JIS
}

TEST_CASE("nfc composes and leaves ill-formed text alone", "[text]") {
    check_nfc("", "");
    check_nfc("e\u0301", "é");
    check_nfc("か\u3099", "が");
    check_nfc("が", "が");
    check_nfc("ｶﾞ", "ｶﾞ");
    check_nfc("１", "１");
    check_nfc("a\0e\u0301"s, "a\0é"s);
    check_nfc("e\u0301\xFF", "e\u0301\xFF");
}

TEST_CASE("display width", "[text]") {
    check_width("", 0);
    check_width("abc", 3);
    check_width("手札", 4);
    check_width("か\u3099", 2);
    check_width("e\u0301", 1);
    check_width("ｶﾅ", 2);
    check_width("１Ａ（", 6);
    check_width("\u3000", 2);
    check_width("♠", 1);
    check_width("🎴", 2);
    check_width("\t", 4);
    check_width("a\tb", 6);
    check_width("\n", 1);
    check_width("\x1b[1m", 4);
    check_width("\u202E", 1);
    check_width("\u2028", 1);
    check_width("\xFFz", 2);
    check_width("\xE6\x89", 2);
}

TEST_CASE("shown text can do nothing to a terminal", "[text]") {
    check_shown("手札\u3000x", "手札\u3000x");
    check_shown("a\tb", "a    b");
    check_shown("\x1b[31m", "␛[31m");
    check_shown("\r\n\x7F"s + "\0"s, "␍␊␡␀");
    check_shown("\u009B", "\uFFFD");
    check_shown("a\u202Eb\u2066\u200F", "a\uFFFDb\uFFFD\uFFFD");
    check_shown("a\u2028\u2029", "a\uFFFD\uFFFD");
    check_shown("a\x80", "a\uFFFD");
}

TEST_CASE("padding counts cells and never cuts", "[text]") {
    CHECK(pad_right("手", 4) == "手  ");
    CHECK(pad_left("手", 4) == "  手");
    CHECK(pad_right("手札", 4) == "手札");
    CHECK(pad_left("手札", 3) == "手札");
    CHECK(pad_right("", 2) == "  ");
    CHECK(pad_left("e\u0301", 2) == " e\u0301");
}

TEST_CASE("decoding one character", "[text]") {
    check_decode("", 0, 0);
    check_decode("ab", U'a', 1);
    check_decode("é", U'é', 2);
    check_decode("手札", U'手', 3);
    check_decode("🂡", U'\U0001F0A1', 4);
    check_decode("\x80x", U'\uFFFD', 1);
    check_decode("\xE6\x89", U'\uFFFD', 1);
    CHECK(length_from_first('\xE6') == 3);
    CHECK(length_from_first('\x80') == 1);
}

namespace {

// The window as it is asked for, and where it then begins.
void check_window(std::string_view text, std::size_t from, std::size_t width, const std::string& expected, std::size_t begins) {
    CAPTURE(text, from, width);
    std::size_t at = from;
    CHECK(window(text, at, width) == expected);
    CHECK(at == begins);
    CHECK(display_width(expected) <= width);
}

}  // namespace

TEST_CASE("a window on a text says what it leaves out", "[text]") {
    check_window("abcdef", 0, 6, "abcdef", 0);
    check_window("abcdef", 0, 5, "abcd…", 0);
    check_window("abcdef", 2, 4, "…def", 2);
    check_window("abcdef", 2, 3, "…d…", 2);
    check_window("abcdef", 9, 3, "", 6);
    check_window("手札の山", 0, 8, "手札の山", 0);
    check_window("手札の山", 0, 7, "手札の…", 0);
    check_window("手札の山", 0, 6, "手札…", 0);
    check_window("手札の山", 1, 6, "… の山", 2);
    check_window("a\tb", 0, 6, "a    b", 0);
    check_window("a\x1b\u202Eb", 0, 4, "a\u241B\uFFFDb", 0);
    check_window("ka\u0301bc", 2, 2, "…c", 2);  // the accent goes with its letter
    check_window("\U0001F469\u200D\U0001F467 x", 0, 9, "\U0001F469\u200D\U0001F467 x", 0);
    CHECK(clipped("abcdef", 4) == "abc…");
    CHECK(clipped("abcd", 4) == "abcd");
}

TEST_CASE("what an identifier is made of", "[text]") {
    for (const char* letter : {"a", "Z", "_", "é", "ß", "Ж", "手", "札", "か", "カ", "ー", "々", "〇", "ｶ", "ｰ", "ﾞ", "Ⅳ", "한"}) {
        check_identifier(letter, Role::begins);
    }
    for (const char* later : {"0", "9", "٣", "\u0301", "\u3099", "‿"}) check_identifier(later, Role::continues);
    for (const char* other : {"", " ", "\t", "\n", "-", ".", "$", "\x7F", "\u3000", "、", "「", "・", "♠", "🂡", "½", "①", "\xFF"}) {
        check_identifier(other, Role::none);
    }
}

TEST_CASE("full-width twins of ASCII are in no identifier", "[text]") {
    for (char32_t c = 0xFF01; c <= 0xFF5E; ++c) {
        CAPTURE(static_cast<std::uint32_t>(c));
        CHECK_FALSE(begins_identifier(c));
        CHECK_FALSE(continues_identifier(c));
    }
    CHECK(begins_identifier(0xFF66));
    CHECK(begins_identifier(0xFF9D));
    CHECK_FALSE(continues_identifier(0x110000));
    CHECK_FALSE(continues_identifier(0xFFFFFFFF));
}

TEST_CASE("closest finds a slip", "[text]") {
    check_closest("trik", {"hand", "trick"}, "trick");
    check_closest("tirck", {"hand", "trick"}, "trick");
    check_closest("TRICK", {"trick"}, "trick");
    check_closest("hnad", {"hand"}, "hand");
    check_closest("colour", {"color"}, "color");
    check_closest("discrad_pile", {"draw_pile", "discard_pile"}, "discard_pile");
    check_closest("捨て礼", {"捨て札"}, "捨て札");
    check_closest("捨札", {"山", "捨て札"}, "捨て札");
    check_closest("ab", {"cb", "ac"}, "cb");
    check_closest("hand", {"hands", "hand"}, "hand");
}

TEST_CASE("closest keeps silent when nothing is near", "[text]") {
    check_closest("trick", {}, "");
    check_closest("", {"a", ""}, "");
    check_closest("a", {"", "b", "_"}, "");
    check_closest("手", {"札"}, "");
    check_closest("abc", {"axy"}, "");
    check_closest("abcdef", {"abcxyz"}, "");
    check_closest("hand", {"trick", "deck"}, "");
    check_closest("É", {"é"}, "");
    check_closest("abcdef", {"abcdxy"}, "abcdxy");  // two of six, the most a third allows
    check_closest("a", {"A"}, "A");
    check_closest("a", {"ab"}, "ab");
}

TEST_CASE("closest makes no guess past its limit", "[text]") {
    const std::string longest(closest_longest - 1, 'x');
    check_closest(longest + "y", {longest + "z"}, longest + "z");
    check_closest(longest + "xy", {longest + "xz"}, "");
    std::string wide;
    for (std::size_t i = 1; i < closest_longest; ++i) wide += "札";
    check_closest(wide + "手", {wide + "山"}, wide + "山");
}

TEST_CASE("lines of a source", "[source]") {
    check_lines("", {""});
    check_lines("a", {"a"});
    check_lines("a\n", {"a", ""});
    check_lines("a\r\nb\r\n", {"a", "b", ""});
    check_lines(
        "\xEF\xBB\xBF"
        "a\n\n手",
        {"a", "", "手"});
    check_lines("\xEF\xBB\xBF\xEF\xBB\xBF", {"\xEF\xBB\xBF"});
    check_lines("a\rb\r\r\nc\r", {"a\rb\r", "c\r"});
}

TEST_CASE("a source drops its BOM and the CR of CRLF", "[source]") {
    const Source source("手.rules",
                        "\xEF\xBB\xBF"
                        "a\r\n手\r\n\r\nb");
    CHECK(source.name() == "手.rules");
    CHECK(source.text() == "a\n手\n\nb");
    CHECK(source.text({2, 5, 0}) == "手");
    CHECK(source.line_begin(2) == 2);
    CHECK(source.line_begin(4) == 7);
}

TEST_CASE("file offsets count what was dropped", "[source]") {
    const Source source("a",
                        "\xEF\xBB\xBF"
                        "a\r\nb\n\r\nc");
    const std::vector<std::uint32_t> expected = {3, 4, 6, 7, 8, 10, 11};
    REQUIRE(source.text().size() + 1 == expected.size());
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(source.file_offset(i) == expected[i]);
    }
    CHECK(Source("a", "x\ny").file_offset(3) == 3);
}

TEST_CASE("places count cells", "[source]") {
    const Source source("a", "手札 x\n\té\u0301b\n");
    check_place(source, 0, 1, 1);
    check_place(source, 3, 1, 3);
    check_place(source, 7, 1, 6);
    check_place(source, 8, 1, 7);  // the line end belongs to its line
    check_place(source, 9, 2, 1);
    check_place(source, 10, 2, 5);  // after the tab
    check_place(source, 14, 2, 6);  // after the combining accent
    check_place(source, 15, 2, 7);
    check_place(source, 16, 3, 1);   // the very end
    check_place(source, 999, 3, 1);  // past it
    check_place(Source("a", ""), 0, 1, 1);
    check_place(Source("a", "x"), 1, 1, 2);
}

TEST_CASE("cover", "[source]") {
    CHECK(cover({3, 5, 1}, {1, 2, 1}) == Span{1, 5, 1});
    CHECK(cover({1, 9, 0}, {2, 3, 0}) == Span{1, 9, 0});
}
