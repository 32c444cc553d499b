#include "dsl/text/other_languages.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace houserule {

namespace {

std::string_view word_before(std::string_view text, std::size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) --at;
    std::size_t begin = at;
    while (begin > 0 && text[begin - 1] >= 'a' && text[begin - 1] <= 'z') --begin;
    return text.substr(begin, at - begin);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.size(), text.find_first_not_of(" \n"));
    return text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

// Whether one word, in any script, lies between `word` and `at`.
bool is_second_after(std::string_view text, std::size_t at, std::string_view word) {
    const std::string_view before = trimmed(text.substr(0, at));
    const std::size_t space = before.find_last_of(" \n");
    return space != std::string_view::npos && trimmed(before.substr(0, space)).ends_with(word);
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

// What rulebooks say, and the language says otherwise: about what lies where, and how many.
Phrase talk_of_cards(std::string_view word) {
    if (is_one_of(word, {"top", "topmost", "bottom", "bottommost"})) return Text::last_is_top;
    if (is_one_of(word, {"count", "number", "amount", "length"})) return Text::size_counts;
    if (word == "empty") return Text::is_empty_asks;
    if (is_one_of(word, {"draws", "gets", "receives"})) return Text::draw_is_deal;
    if (is_one_of(word, {"pass", "passes"})) return Text::hands_are_passed;
    if (is_one_of(word, {"deals", "dealer"})) return Text::deal_deals;
    if (is_one_of(word, {"a", "an"})) return Text::no_article;
    if (is_one_of(word, {"least", "most"})) return Text::some_is_at_least_one;
    if (is_one_of(word, {"reshuffle", "reshuffles"})) return Text::put_shuffled_on;
    return {};
}

// About turns, ends and winners.
Phrase talk_of_turns(std::string_view word) {
    if (is_one_of(word, {"game", "gameover"})) return Text::ends_have_names;
    if (is_one_of(word, {"win", "wins", "won", "lose", "loses", "lost"})) return Text::winner_is_declared;
    if (is_one_of(word, {"round", "robin", "rotate", "rotation", "turns"})) return Text::each_has_a_turn;
    if (is_one_of(word, {"skipped", "misses"})) return Text::fact_skips;
    if (is_one_of(word, {"go", "goes", "again"})) return Text::again_is_repeat;
    if (is_one_of(word, {"return", "break", "continue", "exit", "leave", "quit"})) return Text::stop_leaves_a_rule;
    if (is_one_of(word, {"score", "scores", "gains", "earns", "pays"})) return Text::becomes_more;
    return {};
}

// What rulebooks say, and the language says otherwise.
Phrase card_talk(std::string_view word) {
    if (is_one_of(word, {"has", "have", "contains", "holds"})) return Text::has_is_some;
    if (is_one_of(word, {"opponent", "opponents", "others", "rivals"})) return Text::others_are;
    if (is_one_of(word, {"neighbour", "neighbor", "neighbours", "neighbors"})) return Text::neighbours_are;
    if (is_one_of(word, {"roll", "rolls", "throw", "dice", "die", "d6"})) return Text::chance_rolls;
    if (is_one_of(word, {"random", "randomly"})) return Text::lot_of_players;
    if (is_one_of(word, {"max", "min", "maximum", "minimum"})) return Text::larger_and_smaller;
    if (is_one_of(word, {"highest", "lowest"})) return Text::total_over;
    if (is_one_of(word, {"say", "announce", "announces", "declares"})) return Text::says_a_word;
    if (is_one_of(word, {"everyone", "everybody", "anyone", "anybody"})) return Text::all_or_each;
    if (is_one_of(word, {"plus", "minus", "increase", "increases", "decrease", "decreases", "add", "set"})) return Text::becomes_more;
    if (is_one_of(word, {"swap", "swaps", "exchange", "exchanges", "trade", "trades"})) return Text::two_puts_exchange;
    if (is_one_of(word, {"reveal", "reveals", "shows", "flip", "flips"})) return Text::shows_faces;
    if (is_one_of(word, {"move", "moves", "returns"})) return Text::cards_move_with_put;
    if (is_one_of(word, {"chooses", "discard", "discards", "plays"})) return Text::play_is_choose_and_put;
    if (word == "into") return Text::put_shuffled_on;
    if (is_one_of(word, {"take", "takes"})) return Text::draw_is_deal;
    if (is_one_of(word, {"skip", "skips"})) return Text::fact_skips;
    return {};
}

// A part of what stands in a Japanese rulebook, and what says it.
struct Said {
    std::string_view part;
    Phrase advice;
};

const std::vector<Said>& said_in_japanese() {
    static const std::vector<Said> rows{
        {"それ以外", Text::word_is_otherwise},
        {"そうでなければ", Text::word_is_otherwise},
        {"もし", Text::if_begins},
        {"一番上", Text::last_is_top},
        {"一番下", Text::last_is_top},
        {"シャッフル", Text::put_shuffled_on},
        {"混ぜ", Text::put_shuffled_on},
        {"引く", Text::draw_is_deal},
        {"配る", Text::deal_deals},
        {"捨て", Text::play_is_choose_and_put},
        {"出す", Text::play_is_choose_and_put},
        {"選ぶ", Text::play_is_choose_and_put},
        {"置く", Text::cards_move_with_put},
        {"移す", Text::cards_move_with_put},
        {"枚数", Text::size_counts},
        {"空なら", Text::is_empty_asks},
        {"空の", Text::is_empty_asks},
        {"が空", Text::is_empty_asks},
        {"なくなっ", Text::is_empty_asks},
        {"以上", Text::some_is_at_least_one},
        {"渡す", Text::hands_are_passed},
        {"回す", Text::hands_are_passed},
        {"交換", Text::two_puts_exchange},
        {"見せ", Text::shows_faces},
        {"公開", Text::shows_faces},
        {"左隣", Text::neighbours_are},
        {"右隣", Text::neighbours_are},
        {"次の人", Text::neighbours_are},
        {"全員", Text::all_or_each},
        {"各プレイヤー", Text::all_or_each},
        {"順番", Text::each_has_a_turn},
        {"繰り返", Text::repeat_repeats},
        {"もう一度", Text::again_is_repeat},
        {"休み", Text::fact_skips},
        {"飛ばす", Text::fact_skips},
        {"パスする", Text::says_a_word},
        {"宣言する", Text::says_a_word},
        {"サイコロ", Text::chance_rolls},
        {"さいころ", Text::chance_rolls},
        {"ランダム", Text::lot_of_players},
        {"くじ", Text::lot_of_players},
        {"最大", Text::total_over},
        {"最小", Text::total_over},
        {"最も", Text::total_over},
        {"勝ち", Text::winner_is_declared},
        {"勝者", Text::winner_is_declared},
        {"負け", Text::winner_is_declared},
        {"手番終了", Text::stop_leaves_a_rule},
        {"手番を終", Text::stop_leaves_a_rule},
        {"終了", Text::ends_have_names},
        {"終わる", Text::ends_have_names},
        {"得点", Text::becomes_more},
        {"点を", Text::becomes_more},
    };
    return rows;
}

// The first part that is met counts.
Phrase japanese_talk(std::string_view text) {
    std::size_t first = text.size();
    Phrase advice;
    for (const Said& row : said_in_japanese()) {
        const std::size_t at = text.find(row.part);
        if (at < first) first = at, advice = row.advice;
    }
    return advice;
}

bool has_japanese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; });
}

// What a line says in the words of rulebooks, and in several of them, so that no name is meant.
Phrase line_otherwise(std::string_view line) {
    static const std::vector<Said> rows{
        {"top card", Text::last_is_top},
        {"bottom card", Text::last_is_top},
        {"top of ", Text::last_is_top},
        {"bottom of ", Text::last_is_top},
        {"number of ", Text::size_counts},
        {"count of ", Text::size_counts},
        {"how many ", Text::size_counts},
        {"at least ", Text::some_is_at_least_one},
        {"game over", Text::ends_have_names},
        {"end the game", Text::ends_have_names},
        {"to the left", Text::hands_are_passed},
        {"to the right", Text::hands_are_passed},
        {"pass their ", Text::hands_are_passed},
        {"random player", Text::lot_of_players},
        {"at random", Text::lot_of_players},
        {"round robin", Text::each_has_a_turn},
        {"in turn", Text::each_has_a_turn},
        {" skips", Text::fact_skips},
        {"skip ", Text::fact_skips},
        {" wins", Text::winner_is_declared},
        {" loses", Text::winner_is_declared},
        {" scores ", Text::becomes_more},
        {" gains ", Text::becomes_more},
        {" goes again", Text::again_is_repeat},
        {" deals ", Text::deal_deals},
    };
    for (const Said& row : rows)
        if (line.find(row.part) != std::string_view::npos) return row.advice;
    if (!has_japanese(line)) return {};
    Phrase advice = japanese_talk(line);
    return advice.empty() ? Phrase(Text::words_are_english) : advice;
}

// A comma between two statements, before or behind which one was expected.
bool parts_statements(std::string_view text, std::size_t at, std::string_view token, const Phrase& expected) {
    const bool comma = token == "," && expected == Text::a_statement;
    const std::string_view next = comma ? trimmed(text.substr(at + 1)) : text.substr(at);
    const auto begins = [&](std::string_view word) { return next.starts_with(std::string(word) + " "); };
    if (!begins("put") && !begins("deal") && !begins("draw") && !begins("show") && !begins("each")) return false;
    return comma || (expected == Text::an_expression && trimmed(text.substr(0, at)).ends_with(','));
}

// The line that `at` stands in, up to there.
std::string_view line_so_far(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    return before.substr(before.rfind('\n') + 1);  // none: npos + 1 is 0
}

// The line that `at` stands in.
std::string_view line_around(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at, text.size()) - line_so_far(text, at).size());
    const std::string_view line = rest.substr(0, rest.find_first_of("\n#"));
    return line.substr(0, line.find('"'));
}

}  // namespace

Phrase said_otherwise(std::string_view word) {
    if (word == "else") return Text::word_is_otherwise;
    if (word == "elif" || word == "elseif" || word == "elsif") return Text::words_are_otherwise_if;
    if (word == "for" || word == "foreach") return Text::each_goes_through;
    if (word == "while" || word == "loop" || word == "until") return Text::repeat_repeats;
    return card_talk(word);
}

Phrase said_in_rulebooks(std::string_view name) {
    if (has_japanese(name)) return japanese_talk(name);
    Phrase advice = talk_of_cards(name);
    return advice.empty() ? talk_of_turns(name) : advice;
}

Phrase said_otherwise(std::string_view text, std::size_t at, std::string_view token, const Phrase& expected) {
    const std::string_view next = text.substr(std::min(text.size(), at + token.size()), 1);
    // `while` itself, `else:`, `foreach p {`.
    const std::string_view before = word_before(text, at);
    const std::string_view first = before.empty() ? before : word_before(text, before.data() - text.data());
    for (const std::string_view word : {token, before, first})
        if (Phrase advice = said_otherwise(word); !advice.empty() && (word == token || token == ":" || expected == Text::a_statement))
            return advice;
    if (expected == Text::a_statement && (before == "return" || first == "return")) return Text::cards_move_with_put;
    if (expected == Text::cards_or_enum) return Text::replace_replaces;
    if (token == "\"" && expected.same() == "`=`") return Text::texts_of_definitions;
    if (token == "\"") return before == "says" ? Phrase(Text::says_a_name) : Phrase();
    if (expected == Text::as_and_name) return Text::several_have_a_name;
    if (expected.same() == "`players`" && token == ".") return Text::example_of_one_number;
    if (token == "by" && has_any(line_around(text, at), {"groups of"})) return Text::groups_where_in_brackets;
    if (before == "choosing" && expected == Text::an_expression) return Text::do_choosing;
    const bool counts = trimmed(text.substr(std::min(text.size(), at + token.size()))).starts_with("times");
    const bool figure = token.find_first_not_of("0123456789") == std::string_view::npos && !token.empty();
    if (figure && expected == Text::a_statement && before == "repeat") return Text::repeat_so_often(token);
    if (counts && expected == Text::a_statement && (figure || is_second_after(text, at, "repeat"))) return Text::repeat_so_often(token);
    if (token == "if" && expected == Text::an_expression) return Text::value_if;
    if (token == "all" && before == "deal") return Text::deal_says_from;
    if (token == "with" && expected == Text::a_statement) return Text::where_picks;
    if (parts_statements(text, at, token, expected)) return Text::no_comma_between;
    const std::string_view line = line_around(text, at);
    if ((before == "becomes" && (token == "+" || token == "-")) || has_any(line, {" += ", " -= "})) return Text::becomes_more;
    if (token == "if" && trimmed(text.substr(at + token.size())).starts_with("none") && expected == Text::a_statement)
        return has_any(line, {"if short"}) ? Phrase(Text::short_then_none) : Phrase(Text::if_none_stands_behind);
    if (expected == Text::colon_or_brace && is_second_after(text, at, " may")) return Text::may_asks_two_things;
    if (has_any(line, {"top card", "bottom card", "to the left", "to the right"})) return line_otherwise(line);
    if (expected == Text::in_on_or_under) return Text::cards_move_with_put;
    if (expected == Text::choose_or_name) return Text::play_is_choose_and_put;
    if (expected.same() == "`from`" && is_one_of(token, {"card", "cards", "piece", "pieces"})) return Text::number_stands_alone;
    if (expected.same() == "`from`" && token == "to") return Text::number_stands_alone;  // `choose up to 2`
    if (expected.same() == "`from`" && token == "or") return Text::from_so_many_to;
    if (expected.same() == "`from`" && token == "of") return Text::play_is_choose_and_put;
    if (token == "except") return Text::others_are;
    if (is_one_of(token, {"largest", "smallest", "sum"})) return Text::total_over;
    if (token == "next") return Text::neighbours_are;
    if (before == "between") return Text::is_in_range;
    if (first == "each" && is_one_of(before, {"player", "players", "other"})) return Text::each_goes_through;
    if (token == "then") return Text::colon_follows_condition;
    if (token == "!" || (token == "=" && next == "=")) return Text::is_compares;
    if (token == "=" && has_any(line_so_far(text, at), {"where ", "until ", "if ", "unless "})) return Text::is_compares;
    if (token == "=" && expected == Text::a_statement) return Text::becomes_or_let;
    if (token == "=" || (token == ":" && next == "=")) return Text::is_or_becomes;
    if (token == "&" || token == "|") return Text::words_are_and_or;
    if (token == "/" || token == "÷") return Text::quotient_divides;
    if (token == "%" || token == "mod") return Text::remainder_is;
    if (token == "." && next == "." && expected == Text::a_type) return Text::comma_before_a_negative_type;
    if (token == ".") return Text::apostrophe_says_whose;
    if (token == "each") return Text::every_place_of_players;
    if (expected.same() == "`in`" && has_any(line_before(text, at), {"next after", "next before"})) return Text::neighbours_are;
    if (expected.same() == "`in`" && line_before(text, at).starts_with("players")) return Text::players_sit_in_a_circle;
    if (expected.same() == "`to`" && token == ":") return Text::each_clockwise_from;
    if (expected == Text::a_name && word_before(text, at) == "draw") return Text::draw_draws_one;
    if (token == "empty") return Text::is_empty_asks;
    if (expected == Text::a_name && before == "may") return Text::may_goes_on;
    if (expected == Text::a_statement)
        if (Phrase advice = statement_otherwise(statement_at(text, at)); !advice.empty()) return advice;
    if (expected == Text::a_declaration) return {};
    Phrase advice = line_otherwise(line);
    return advice.empty() && !token.empty() && expected == Text::colon_or_brace ? Phrase(Text::colon_follows_condition) : advice;
}

}  // namespace houserule
