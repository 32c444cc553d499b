#include "interpreter/app/common/fold.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace houserule::cli {

namespace {

constexpr std::string_view not_first = "、。，．・：；？！）」』】〉》”’ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々%,.;:!?)]}+-";
constexpr std::string_view not_last = "（「『【〈《“‘([{+-";
constexpr std::string_view counters = "人枚通行回個件点局秒番本組つ種";
constexpr std::string_view after_which_well = "、。，,;|";
constexpr std::size_t well_percent = 70;  // of a line, that must be full for a break between things in a list

constexpr std::size_t full_percent = 30;  // of a line, that must be full for a break between words rather than within a Japanese one

struct Letter {
    std::string_view text;
    std::size_t width = 0;
    bool is_wide = false;
    bool is_space = false;  // of either width
    bool in_code = false;   // behind a backquote and up to the next one
};

std::vector<Letter> letters_of(std::string_view text) {
    std::vector<Letter> letters;
    bool in_code = false;
    while (!text.empty()) {
        const std::string_view letter = text.substr(0, std::max<std::size_t>(1, character_length(text)));
        const std::size_t width = display_width(letter);
        letters.push_back({letter, width, width > 1, letter == " " || letter == "　", in_code});
        if (letter == "`") in_code = !in_code;
        text.remove_prefix(letter.size());
    }
    return letters;
}

bool is_among(std::string_view letter, std::string_view all) { return all.find(letter) != std::string_view::npos; }

// Whether a line may end before letter `i`.
bool may_break(const std::vector<Letter>& letters, std::size_t i) {
    if (letters[i - 1].is_space) return !letters[i].is_space;
    const bool between_words = !letters[i - 1].is_wide && !letters[i].is_wide;
    return !between_words && !letters[i].is_space && !is_among(letters[i].text, not_first) && !is_among(letters[i - 1].text, not_last);
}

bool is_katakana(const Letter& letter) {
    const char32_t c = decode(letter.text);
    return c >= 0x30A1 && c <= 0x30FC;
}

// Between Japanese letters words end where what follows is written otherwise than in hiragana.
bool tears_japanese(const Letter& before, const Letter& after) {
    const auto is_letter = [](char32_t c) { return (c >= 0x3041 && c <= 0x30FE) || (c >= 0x4E00 && c <= 0x9FFF) || c == 0x3005; };
    const auto is_hiragana = [](char32_t c) { return c >= 0x3041 && c <= 0x309F; };
    const char32_t first = decode(before.text);
    const char32_t next = decode(after.text);
    if (!is_letter(first) || !is_letter(next)) return false;
    return is_hiragana(next) || !is_hiragana(first) || before.text == "お" || before.text == "ご";
}

// Whether it would part a number from what it counts, `3枚`, or words of one Japanese name, `赤 リバース`: sentences have no such spaces.
bool parts_number_or_name(const std::vector<Letter>& letters, std::size_t i) {
    const auto is_digit = [&](std::size_t at) { return is_among(letters[at].text, "0123456789"); };
    if (letters[i - 1].text == " ") return i > 1 && letters[i].is_wide && (letters[i - 2].is_wide || is_digit(i - 2));
    const char32_t before = decode(letters[i - 1].text);
    const bool is_name = is_katakana(letters[i - 1]) || (before >= 0x4E00 && before <= 0x9FFF);  // `白3`
    return (is_digit(i - 1) && is_among(letters[i].text, counters)) || (is_name && is_digit(i));
}

// Whether the break would tear a name apart: `white 4`, `rock ×2`, `グー-パー`, a foreign word, what can be typed.
bool is_poor(const std::vector<Letter>& letters, std::size_t i) {
    const bool in_word = is_katakana(letters[i - 1]) && is_katakana(letters[i]);
    const bool at_sign = is_among(letters[i - 1].text, "-+") && !letters[i].is_space;
    return in_word || at_sign || letters[i].in_code || parts_number_or_name(letters, i) ||
           (letters[i - 1].text == " " && (is_among(letters[i].text, "0123456789+-×→%") || (i > 1 && letters[i - 2].text == "→")));
}

bool is_good(const std::vector<Letter>& letters, std::size_t i) {
    const std::size_t before = letters[i - 1].is_space && i > 1 ? i - 2 : i - 1;
    return letters[i - 1].text == "　" || is_among(letters[before].text, after_which_well);
}

// Where the line that begins at letter `from` ends.
std::size_t end_of_line(const std::vector<Letter>& letters, std::size_t from, std::size_t room) {
    std::size_t used = 0;
    std::size_t last = 0;
    std::size_t good = 0;
    std::size_t torn = 0;  // within a Japanese word
    std::size_t poor = 0;
    std::size_t last_used = 0;  // of the line, up to `last`
    const auto is_full = [&](std::size_t line) { return line * 100 >= room * full_percent; };
    for (std::size_t i = from; i < letters.size(); ++i) {
        if (i > from && may_break(letters, i)) {
            const bool is_torn = tears_japanese(letters[i - 1], letters[i]);
            (is_poor(letters, i) ? poor : is_torn ? torn : last) = i;
            if (last == i) last_used = used;
            if (is_good(letters, i) && used * 100 >= room * well_percent) good = i;
        }
        if (used + letters[i].width > room && !letters[i].is_space)
            return good != 0            ? good
                   : is_full(last_used) ? last
                   : torn != 0          ? torn
                   : last != 0          ? last
                   : poor != 0          ? poor
                                        : std::max(i, from + 1);
        used += letters[i].width;
    }
    return letters.size();
}

}  // namespace

std::string folded(const std::string& text, std::size_t width, std::size_t indent) {
    const std::vector<Letter> letters = letters_of(text);
    std::string lines;
    for (std::size_t from = 0; from < letters.size();) {
        const std::size_t margin = from == 0 ? 0 : indent;
        const std::size_t end = end_of_line(letters, from, std::max<std::size_t>(width, margin + 10) - margin);
        std::size_t last = end;
        while (end < letters.size() && last > from && letters[last - 1].is_space) --last;
        std::string line;
        for (std::size_t i = from; i < last; ++i) line += letters[i].text;
        lines += (from == 0 ? "" : "\n" + std::string(indent, ' ')) + line;
        from = end;
    }
    return lines;
}

namespace {

// Each of the lines as `f` makes it.
template <class F>
std::string each_line(const std::string& text, F f) {
    std::string lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines += f(text.substr(from, end - from)) + (end < text.size() ? "\n" : "");
        from = end + 1;
    }
    return lines;
}

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

}  // namespace

std::string folded_lines(const std::string& text, std::size_t width) {
    return each_line(text, [&](const std::string& line) { return folded(line, width, indent_of(line) + 2); });
}

namespace {

// What stands on a line between gaps of two and more spaces.
std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> columns;
    for (std::size_t at = line.find_first_not_of(' '); at < line.size();) {
        const std::size_t end = std::min(line.find("  ", at), line.size());
        columns.push_back(line.substr(at, end - at));
        at = std::min(line.find_first_not_of(' ', end), line.size());
    }
    return columns;
}

std::string folded_command(const std::string& line, std::size_t width) {
    if (display_width(line) <= width) return line;
    const std::size_t first = indent_of(line);
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 2 || columns.size() % 2 != 0) return folded(line, width, first > width / 3 ? 4 : first);
    const std::size_t told = display_width(line.substr(0, line.find(columns[1])));
    std::string lines;
    for (std::size_t i = 0; i + 1 < columns.size(); i += 2) {
        const std::string name = pad_right(std::string(first, ' ') + columns[i], told - 2) + "  ";
        lines += (i == 0 ? "" : "\n") + folded(name + columns[i + 1], width, told > width / 3 ? first + 2 : told);
    }
    return lines;
}

// Between the lines of a paragraph that are put on one.
std::string_view between_lines(const std::string& before, const std::string& after) {
    const std::vector<Letter> first = letters_of(before);
    const std::vector<Letter> next = letters_of(after);
    const bool is_japanese = first.back().is_wide && (next.front().is_wide || is_among(first.back().text, not_first));
    return is_japanese ? "" : " ";
}

// Sentences that go on over several lines stand on one where some of these would not fit, so that they can be folded anew.
std::string with_paragraphs_joined(const std::string& page, std::size_t width) {
    std::vector<std::string> lines;
    bool was_prose = false;
    bool fits = true;
    std::istringstream in(page);
    for (std::string line; std::getline(in, line);) {
        fits = fits && display_width(line) <= width;
        const bool is_prose = columns_of(line).size() == 1;
        if (is_prose && was_prose && indent_of(line) == indent_of(lines.back())) {
            const std::string text = line.substr(indent_of(line));
            lines.back().append(between_lines(lines.back(), text)).append(text);
        } else {
            lines.push_back(line);
        }
        was_prose = is_prose;
    }
    if (fits) return page;
    std::string joined;
    for (const std::string& line : lines) joined += line + "\n";
    return joined;
}

}  // namespace

std::string folded_commands(const std::string& page, std::size_t width) {
    const std::string whole = with_paragraphs_joined(page, width);
    return each_line(whole, [&](const std::string& line) { return folded_command(line, width); });
}

}  // namespace houserule::cli
