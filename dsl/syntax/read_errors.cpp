#include "dsl/syntax/read_errors.hpp"

#include "dsl/syntax/parse.hpp"
#include "dsl/text/other_languages.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// What stands at `rest`, for a message: a word, a symbol, or the end.
std::string_view token_at(std::string_view rest) {
    std::size_t n = character_length(rest);
    if (begins_identifier(decode(rest)) || (n == 1 && rest[0] >= '0' && rest[0] <= '9')) {
        while (n < rest.size() && continues_identifier(decode(rest.substr(n)))) n += character_length(rest.substr(n));
    }
    return rest.substr(0, n);
}

// The bracket that is still open at `end`, or nothing: for a closing one that is missed.
std::optional<std::size_t> open_bracket(std::string_view text, std::size_t end, char bracket) {
    std::vector<std::pair<char, std::size_t>> open;
    for (std::size_t i = 0; i < end; ++i) {
        const char c = text[i];
        if (c == '#') {
            i = std::min(text.find('\n', i), end);
        } else if (c == '"') {
            const auto close = text.find_first_of("\"\n", i + 1);
            i = std::min(close, end);
        } else if (c == '{' || c == '(' || c == '[') {
            open.emplace_back(c, i);
        } else if (c == '}' || c == ')' || c == ']') {
            if (!open.empty()) open.pop_back();
        }
    }
    while (!open.empty() && open.back().first != bracket) open.pop_back();
    return open.empty() ? std::nullopt : std::optional(open.back().second);
}

// The `#` that begins the line after the one where a bracket opens, when a line of rules waits behind it and no prose: `houserule new`
// writes a space behind the `#` of prose, and indents lines in a bracket by two.
std::optional<std::uint32_t> switched_off_after(std::string_view text, std::size_t bracket) {
    const std::size_t line = text.find('\n', bracket);
    if (line == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(line + 1);
    const bool rules = rest.starts_with("#  ") || rest.starts_with("#}") || rest.starts_with("#\t");
    return rules ? std::optional<std::uint32_t>(line + 1) : std::nullopt;
}

const std::vector<std::string>& declaration_words() {
    static const std::vector<std::string> words = {"game",   "players", "enum",    "cards",  "pieces",  "total",   "zone",
                                                   "fact",   "define",  "setup",   "play",   "rule",    "match",   "act",
                                                   "ends",   "end",     "winner",  "option", "when",    "replace", "remove",
                                                   "change", "assume",  "unclear", "accept", "example", "labels",  "texts"};
    return words;
}

bool has_statement_word(std::string_view token) {
    constexpr std::array<std::string_view, 13> words{"put",  "deal", "draw",   "shuffle", "let",    "show",          "stop",
                                                     "each", "if",   "repeat", "table",   "chance", "simultaneously"};
    return std::ranges::find(words, token) != words.end();
}

// Where the character begins that ends at `at`.
std::size_t before_character(std::string_view text, std::size_t at) {
    do --at;
    while (at > 0 && (text[at] & 0xC0) == 0x80);
    return at;
}

// `＜` for `<`: what full-width characters the language does not take.
std::string full_width_twin(std::string_view token) {
    const char32_t c = decode(token);
    if (c < 0xFF01 || c > 0xFF5E) return "";
    std::string plain;
    while (!token.empty()) {
        const char32_t next = decode(token);
        plain += next >= 0xFF01 && next <= 0xFF5E ? std::string(1, static_cast<char>(next - 0xFF00 + 0x20))
                                                  : std::string(token.substr(0, character_length(token)));
        token.remove_prefix(character_length(token));
    }
    return plain;
}

// Signs of print and of mathematics, as the language writes them.
struct Sign {
    std::string_view printed;
    std::string_view written;
};
constexpr std::array<Sign, 12> signs{{{"≧", ">="},
                                      {"≥", ">="},
                                      {"≦", "<="},
                                      {"≤", "<="},
                                      {"≠", "is not"},
                                      {"×", "*"},
                                      {"−", "-"},
                                      {"–", "-"},
                                      {"‘", "'"},
                                      {"’", "'"},
                                      {"´", "'"},
                                      {"′", "'"}}};

// A number with a counter word: the number, where what stands behind it is in another script; empty where that is not so.
std::string_view number_before_a_counter(std::string_view token) {
    const std::size_t digits = std::min(token.find_first_not_of("0123456789"), token.size());
    const std::string_view behind = token.substr(digits);
    const bool is_other = !behind.empty() && std::ranges::all_of(behind, [](char c) { return (c & 0x80) != 0; });
    return is_other ? token.substr(0, digits) : std::string_view();
}

// What is written otherwise: signs, quotes, and what a name cannot have.
bool add_advice_on_letters(Diagnostic& d, std::string_view text, std::size_t at, std::string_view token, const Phrase& expected) {
    const auto is_one_of = [&](std::initializer_list<std::string_view> all) { return std::ranges::find(all, token) != all.end(); };
    for (const Sign& sign : signs) {
        if (token != sign.printed) continue;
        d.help = Text::written_otherwise(token, sign.written);
        d.edit = Edit{d.span, std::string(sign.written)};
        return true;
    }
    if (is_one_of({"「", "『", "“", "”", "„", "«"})) {
        d.help = Text::text_in_quotes;
        return true;
    }
    const std::string_view next = text.substr(std::min(text.size(), at + token.size()));
    const char32_t first = token.empty() ? 0 : decode(token);
    const bool digit = (first >= '0' && first <= '9') || (first >= 0xFF10 && first <= 0xFF19);
    const bool more = std::ranges::any_of(token, [](char c) { return c < '0' || c > '9'; });
    const char32_t last = text.empty() || at == 0 ? 0 : decode(text.substr(before_character(text, at)));
    const bool between_digits = last >= '0' && last <= '9' && !next.empty() && next[0] >= '0' && next[0] <= '9';
    if (between_digits && is_one_of({"\u301C", "\uFF5E", "~"})) {
        d.help = Text::written_otherwise(token, verbatim(".."));
        d.edit = Edit{d.span, ".."};
        return true;
    }
    if (const std::string_view number = number_before_a_counter(token); !number.empty() && expected != Text::a_name) {
        d.help = Text::number_without_counter(number);
        return true;
    }
    if (digit && !continues_identifier(last) && (first < 0x80 ? more : !next.empty() && begins_identifier(decode(next)))) {
        d.help = Text::names_begin_with_a_letter;
        return true;
    }
    if (at > 0 && continues_identifier(last) && !next.starts_with("=") &&
        is_one_of({"!", "！", "?", "？", "\u30FB", "〜", "～", "…", "☆", "★", "♪", "＆"})) {
        d.help = Text::names_have_letters(token);
        return true;
    }
    return false;
}

// What stands before it, without the space between.
std::string_view text_before(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    return before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
}

// Whether the bracket belongs to `cards NAME {`.
bool opens_family(std::string_view text, std::size_t bracket) {
    std::string_view before = text.substr(0, bracket);
    std::array<std::string_view, 2> words;
    for (std::string_view& word : words) {
        before = text_before(before, before.size());
        const std::size_t space = before.find_last_of(" \n");
        word = before.substr(space == std::string_view::npos ? 0 : space + 1);
        before.remove_suffix(word.size());
    }
    return words[1] == "cards" || words[1] == "pieces";
}

// Whether the line that `at` stands in begins with the word.
bool is_in_line_of(std::string_view text, std::size_t at, std::string_view word) {
    return text.substr(text.substr(0, at).rfind('\n') + 1).starts_with(word);  // none: npos + 1 is 0
}

// Whether copies are counted there: `… of each`, up to the end of the line.
bool is_row(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at, text.find_first_of("\n}#", at) - at);
    return rest.starts_with("of ") || rest.find(" of ") != std::string_view::npos;
}

// A word of the language where a family has its fields: `cards card { size 1..3 … }`.
bool stands_for_a_field(std::string_view text, std::size_t at, std::string_view token) {
    static const std::set<std::string_view> of_rows{"where", "of", "each", "with", "and", "or", "not", "is", "in", "at", "set"};
    const auto open = open_bracket(text, at, '{');
    const std::string_view behind = text.substr(skip_space(text, at + token.size()));
    const bool is_counted = behind.starts_with("of ") || behind.find_first_of("+-*)") == 0;
    return open && opens_family(text, *open) && !of_rows.contains(token) && !is_counted;
}

// `with low = 1, under = 2`, `x is under`, `{ over: 1  under: 2 }`: a value is named there.
bool stands_for_a_name(std::string_view text, std::size_t at, std::string_view token, const Phrase& expected) {
    if (expected == Text::a_name) return true;
    const std::string_view before = text_before(text, at);
    const std::size_t behind = skip_space(text, at + token.size());
    const std::string_view next = text.substr(std::min(behind, text.size()), 1);
    const std::string& closing = expected.same();
    if (closing == "`}`") return (before.ends_with(',') && next == "=") || next == ":" || stands_for_a_field(text, at, token);
    return expected == Text::an_expression && before.ends_with(" is") && next != ":";
}

// `from first`, `until over`: what is meant there has a name.
bool follows_a_preposition(std::string_view text, std::size_t at) {
    const std::string_view before = text_before(text, at);
    return std::ranges::any_of(std::initializer_list<std::string_view>{" from", " after", " until", " while", " with most", " with least"},
                               [&](std::string_view word) { return before.ends_with(word); });
}

void add_advice(Diagnostic& d, const ReadState& state, std::size_t at, std::string_view token, const Phrase& expected) {
    const std::string_view text = state.source->text();
    const std::string& closing = expected.same();
    if (closing == "`}`" || closing == "`)`" || closing == "`]`") {
        const char bracket = closing == "`}`" ? '{' : closing == "`)`" ? '(' : '[';
        if (const auto open = open_bracket(text, at, bracket)) {
            const std::uint32_t begin = *open;
            d.labels.push_back({{begin, begin + 1, state.index}, Text::opened_here});
            if (const auto off = switched_off_after(text, begin)) {
                d.labels.push_back({{*off, *off + 1, state.index}, Text::switched_off});
                d.help = Text::take_away_these_too;
                return;
            }
            if (opens_family(text, begin) && is_row(text, at)) {
                d.help = Text::copies_under_conditions;
                return;
            }
        }
    }
    const std::string_view rest = text.substr(std::min(text.size(), at + token.size()));
    if (add_advice_on_letters(d, text, at, token, expected)) return;
    if (token == "\"") {
        const auto close = rest.find_first_of("\"\n");
        if (close == std::string_view::npos || rest[close] == '\n')
            d.help = Text::quotes_do_not_end;
        else
            d.help = said_otherwise(text, at, token, expected);
    } else if (const std::string twin = full_width_twin(token); !twin.empty()) {
        d.help = Text::full_width(token, twin);
        d.edit = Edit{d.span, twin};
    } else if (expected == Text::a_declaration && token == "reading") {
        d.help = Text::reading_is_statement;
    } else if (expected == Text::a_declaration && token == "if" && is_in_line_of(text, at, "define")) {
        d.help = Text::value_if;
    } else if (expected == Text::a_declaration && (token == "most" || token == "least") && is_in_line_of(text, at, "winner")) {
        d.help = Text::winner_is_declared;
    } else if (expected == Text::a_declaration && token == "," && is_in_line_of(text, at, "zone")) {
        d.help = Text::families_with_or;
    } else if (expected == Text::a_declaration && has_statement_word(token)) {
        d.help = Text::statement_outside;
    } else if (expected == Text::a_declaration) {
        const std::string near = closest(token, declaration_words());
        if (!near.empty() && near != token) {
            d.help = Text::did_you_mean(near);
            d.edit = Edit{d.span, near};
        } else if (token == "}") {
            d.help = Text::brace_too_many;
        } else if (token == "," && is_in_line_of(text, at, "winner")) {
            d.help = Text::winner_is_declared;
        } else if (!token.empty() && (token[0] & 0x80) != 0) {
            d.help = Text::declarations_are_english;
        }
    } else {
        d.help = said_otherwise(text, at, token, expected);
    }
}

}  // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
    for (;;) {
        if (at >= text.size()) return text.size();
        if (text.substr(at).starts_with("\xE3\x80\x80")) {
            at += 3;
        } else if (text[at] == '#') {
            while (at < text.size() && text[at] != '\n') ++at;
        } else if (std::string_view(" \t\n\r\v\f").find(text[at]) != std::string_view::npos) {
            ++at;
        } else {
            return at;
        }
    }
}

void report_unexpected(ReadState& state, std::size_t offset, const Phrase& expected) {
    const std::string_view text = state.source->text();
    std::size_t at = skip_space(text, offset);
    if (state.diagnostics->size() >= collected_limit) {  // a text without any rule in it would make a million
        state.reported = std::max(state.reported, at + 1);
        ++state.diagnostics->back().more;
        return;
    }
    const std::string_view token = token_at(text.substr(at));
    state.reported = std::max(state.reported, at + 1);
    const Span span = span_of(at, at + token.size(), state.index);
    Diagnostic& d = token.empty() ? report(*state.diagnostics, Code::unexpected_end, span, expected)
                                  : report(*state.diagnostics, Code::unexpected, span, expected, token);
    // An end in a list is a name, too.
    const bool end_in_list = text.substr(skip_space(text, at + token.size())).starts_with("when ") && expected.same() == "`}`";
    const bool for_a_name = is_identifier(token) && !is_name(token) && (end_in_list || stands_for_a_name(text, at, token, expected));
    if (for_a_name) d.notes.push_back(Text::word_of_language(token));
    add_advice(d, state, at, token, expected);
    if (for_a_name && d.help == Text::copies_under_conditions) d.help = {};
    const bool is_word = is_identifier(token) && !is_name(token) && !for_a_name;
    if (is_word && expected == Text::an_expression && d.help.empty() && follows_a_preposition(text, at))
        d.notes.push_back(Text::word_of_language(token));
}

void report_too_deep(ReadState& state, std::size_t offset) {
    state.reported = std::max(state.reported, offset + 1);
    report(*state.diagnostics, Code::nested_too_deep, span_of(offset, offset, state.index), nesting_limit);
}

}  // namespace houserule
