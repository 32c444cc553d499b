#include "dsl/text/other_languages.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace houserule {

namespace {

std::string_view word_before(std::string_view text, std::size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) --at;
    std::size_t begin = at;
    while (begin > 0 && text[begin - 1] >= 'a' && text[begin - 1] <= 'z') --begin;
    return text.substr(begin, at - begin);
}

// The line with something in it that ends before `at`.
std::string_view line_before(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\n')) --end;
    const std::size_t newline = text.substr(0, end).rfind('\n');
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    return text.substr(begin, end - begin);
}

// From `at` on, up to the end of the line or of the block.
std::string_view statement_at(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at, text.size()));
    return rest.substr(0, rest.find_first_of("\n{}#"));
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

// Where a statement should begin, and a name stands.
Phrase statement_otherwise(std::string_view statement) {
    if (has_any(statement, {":=", "+=", "-=", " = ", "++", "--"})) return Text::becomes_or_let;
    if (has_any(statement, {" increases ", " decreases ", " goes up ", " goes down "})) return Text::becomes_more;
    if (has_any(statement, {" draws ", " takes ", " gets ", " receives "})) return Text::draw_is_deal;
    if (has_any(statement, {" plays ", " discards ", " puts ", " passes ", " gives "})) return Text::play_is_choose_and_put;
    return {};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

// What rulebooks say, and the language says otherwise.
Phrase card_talk(std::string_view word) {
    if (is_one_of(word, {"has", "have", "contains", "holds"})) return Text::has_is_some;
    if (is_one_of(word, {"opponent", "opponents", "others", "rivals"})) return Text::others_are;
    if (is_one_of(word, {"neighbour", "neighbor", "neighbours", "neighbors"})) return Text::neighbours_are;
    if (is_one_of(word, {"roll", "rolls", "throw", "dice", "die", "d6", "random", "randomly"})) return Text::chance_rolls;
    if (is_one_of(word, {"max", "min", "maximum", "minimum"})) return Text::larger_and_smaller;
    if (is_one_of(word, {"highest", "lowest"})) return Text::total_over;
    if (is_one_of(word, {"say", "announce", "announces", "declares"})) return Text::says_a_word;
    if (is_one_of(word, {"everyone", "everybody", "anyone", "anybody"})) return Text::all_or_each;
    if (is_one_of(word, {"plus", "minus", "increase", "increases", "decrease", "decreases", "add", "set"})) return Text::becomes_more;
    if (is_one_of(word, {"swap", "swaps", "exchange", "exchanges", "trade", "trades"})) return Text::two_puts_exchange;
    if (is_one_of(word, {"reveal", "reveals", "shows", "flip", "flips"})) return Text::shows_faces;
    if (is_one_of(word, {"move", "moves", "return", "returns"})) return Text::cards_move_with_put;
    if (is_one_of(word, {"chooses", "discard", "discards", "plays"})) return Text::play_is_choose_and_put;
    if (word == "into") return Text::put_shuffled_on;
    return {};
}

}  // namespace

Phrase said_otherwise(std::string_view word) {
    if (word == "else") return Text::word_is_otherwise;
    if (word == "elif" || word == "elseif" || word == "elsif") return Text::words_are_otherwise_if;
    if (word == "for" || word == "foreach") return Text::each_goes_through;
    if (word == "while" || word == "loop" || word == "until") return Text::repeat_repeats;
    return card_talk(word);
}

Phrase said_otherwise(std::string_view text, std::size_t at, std::string_view token, const Phrase& expected) {
    const std::string_view next = text.substr(std::min(text.size(), at + token.size()), 1);
    // `while` itself, `else:`, `foreach p {`.
    const std::string_view before = word_before(text, at);
    const std::string_view first = before.empty() ? before : word_before(text, before.data() - text.data());
    for (const std::string_view word : {token, before, first})
        if (Phrase advice = said_otherwise(word); !advice.empty() && (word == token || token == ":" || expected == Text::a_statement))
            return advice;
    if (expected == Text::cards_or_enum) return Text::replace_replaces;
    if (expected == Text::in_on_or_under) return Text::cards_move_with_put;
    if (expected == Text::choose_or_name) return Text::play_is_choose_and_put;
    if (expected.same() == "`from`" && is_one_of(token, {"card", "cards", "piece", "pieces"})) return Text::number_stands_alone;
    if (is_one_of(token, {"largest", "smallest", "sum"})) return Text::total_over;
    if (token == "next") return Text::neighbours_are;
    if (before == "between") return Text::is_in_range;
    if (first == "each" && is_one_of(before, {"player", "players", "other"})) return Text::each_goes_through;
    if (token == "then") return Text::colon_follows_condition;
    if (token == "!" || (token == "=" && next == "=")) return Text::is_compares;
    if (token == "=" && expected == Text::a_statement) return Text::becomes_or_let;
    if (token == "=" || (token == ":" && next == "=")) return Text::is_or_becomes;
    if (token == "&" || token == "|") return Text::words_are_and_or;
    if (token == "/") return Text::quotient_divides;
    if (token == "%") return Text::remainder_is;
    if (token == ".") return Text::apostrophe_says_whose;
    if (token == "each") return Text::every_place_of_players;
    if (expected.same() == "`in`" && line_before(text, at).starts_with("players")) return Text::players_sit_in_a_circle;
    if (expected.same() == "`to`" && token == ":") return Text::each_clockwise_from;
    if (expected == Text::a_name && word_before(text, at) == "draw") return Text::draw_draws_one;
    return expected == Text::a_statement ? statement_otherwise(statement_at(text, at)) : Phrase();
}

}  // namespace houserule
