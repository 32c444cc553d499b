#include "dsl/syntax/parse.hpp"

#include "dsl/syntax/grammar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_set>

namespace houserule {

namespace g = grammar;
namespace p = tao::pegtl;

const std::vector<std::string>& reserved_words() {
    static const std::vector<std::string> words = {"act",   "all",      "and",       "any",
                                                   "as",    "at",       "becomes",   "but",
                                                   "by",    "cases",    "chance",    "choose",
                                                   "deal",  "draw",     "each",      "end",
                                                   "every", "first",    "from",      "groups",
                                                   "if",    "in",       "is",        "it",
                                                   "its",   "kinds",    "largest",   "last",
                                                   "let",   "may",      "must",      "name",
                                                   "next",  "no",       "nobody",    "none",
                                                   "not",   "nothing",  "of",        "offer",
                                                   "on",    "or",       "otherwise", "over",
                                                   "play",  "players",  "put",       "repeat",
                                                   "says",  "show",     "shuffle",   "simultaneously",
                                                   "size",  "smallest", "some",      "stop",
                                                   "sum",   "the",      "then",      "to",
                                                   "under", "unless",   "until",     "where",
                                                   "while", "with",     "yes"};
    return words;
}

namespace grammar {

bool is_reserved(std::string_view word) {
    static const std::unordered_set<std::string_view> words(reserved_words().begin(), reserved_words().end());
    if (words.contains(word)) return true;
    const bool seat = word.size() >= 2 && word.size() <= 3 && word[0] == 'P' && word[1] >= '1' && word[1] <= '9';
    return seat && (word.size() == 2 || (word[2] >= '0' && word[2] <= '9'));
}

}  // namespace grammar

bool is_identifier(std::string_view text) {
    if (!is_utf8(text) || text.empty() || !begins_identifier(decode(text))) return false;
    while (!text.empty() && continues_identifier(decode(text))) text.remove_prefix(character_length(text));
    return text.empty();
}

bool is_name(std::string_view text) { return is_identifier(text) && !g::is_reserved(text); }

namespace {

// --- from grammar rules to kinds of nodes

template <typename Rule>
struct kind_of {
    static constexpr bool selected = false;
};

#define NODE(rule, k)                          \
    template <>                                \
    struct kind_of<g::rule> {                  \
        static constexpr bool selected = true; \
        static constexpr Kind kind = Kind::k;  \
    }
#define SAME(rule) NODE(rule, rule)

NODE(name_node, name);
NODE(any_name_node, name);
NODE(number_node, number);
NODE(text_node, text);
NODE(seat_node, seat);
NODE(yes_node, yes);
NODE(no_node, no);
NODE(nobody_node, nobody);
NODE(none_node, none);
NODE(players_node, players);
NODE(it_node, it);
NODE(its_it_node, it);
NODE(file, file);
SAME(d_game);
SAME(base);
SAME(d_players);
SAME(teams);
SAME(d_enum);
SAME(d_cards);
SAME(field);
SAME(with_names);
SAME(each_row);
SAME(row);
SAME(row_name);
SAME(d_total);
SAME(d_zone);
SAME(d_fact);
SAME(of_index);
SAME(families);
SAME(capacity);
SAME(seers);
SAME(initial);
SAME(lasts);
SAME(d_define);
SAME(parameters);
SAME(parameter);
SAME(d_setup);
SAME(d_play);
SAME(d_rule);
SAME(d_match);
SAME(d_act);
SAME(unless);
SAME(odds);
SAME(d_ends);
SAME(of_stage);
SAME(after);
SAME(end_entry);
SAME(d_end);
SAME(d_winner);
SAME(then_by);
SAME(d_option);
SAME(d_when);
SAME(d_replace);
SAME(d_remove);
SAME(d_set);
SAME(d_change_cards);
SAME(d_change_enum);
SAME(drop);
NODE(dropped_value, drop);
NODE(replaced_end, end_entry);
SAME(d_assume);
SAME(d_unclear);
SAME(d_accept);
SAME(d_example);
SAME(for_players);
SAME(with_option);
NODE(with_another, with_option);
SAME(given);
SAME(values);
SAME(do_rule);
SAME(then_holds);
SAME(d_labels);
SAME(d_texts);
SAME(label);
SAME(t_yes_no);
SAME(t_range);
SAME(by);
SAME(t_player);
SAME(t_named);
SAME(t_set);
SAME(t_list);
SAME(or_none);
SAME(body);
SAME(s_let);
SAME(s_show);
SAME(s_stop);
SAME(s_end);
SAME(s_play_game);
SAME(s_nothing);
SAME(s_judged);
SAME(s_put);
SAME(s_deal);
SAME(s_draw);
SAME(s_shuffle);
NODE(s_becomes_part, s_becomes);
NODE(must_part, s_must);
NODE(may_part, s_may);
NODE(may_do_part, s_may_do);
NODE(says_part, s_says);
SAME(choice);
SAME(count);
SAME(if_none);
NODE(if_short, if_none);
SAME(otherwise);
SAME(s_simultaneously);
SAME(s_table);
SAME(s_chance);
SAME(evenly);
SAME(weights);
SAME(s_offer);
SAME(s_each);
SAME(in_set);
SAME(from_to);
SAME(direction);
NODE(where_clause, where);
SAME(s_repeat);
SAME(s_times);
SAME(while_true);
SAME(until_true);
SAME(bound);
SAME(bound_then);
SAME(measure);
SAME(s_if);
SAME(s_cases);
SAME(s_cases_of);
NODE(s_arm, arm);
NODE(s_arm_except, arm_except);
NODE(s_arm_otherwise, arm_otherwise);
NODE(e_arm, arm);
NODE(e_arm_except, arm_except);
NODE(e_arm_otherwise, arm_otherwise);
SAME(s_reading);
NODE(s_reading_choice, reading_choice);
NODE(e_reading_choice, reading_choice);
SAME(s_call);
SAME(arguments);
SAME(e_or);
SAME(e_and);
SAME(e_not);
NODE(part_compare, e_compare);
NODE(part_in, e_in);
NODE(part_not_in, e_not_in);
NODE(part_empty, e_empty);
NODE(part_not_empty, e_not_empty);
NODE(part_is_a, e_is_a);
NODE(part_not_a, e_is_not_a);
NODE(where_part, e_where);
NODE(with_part, e_with);
NODE(or_if_none_part, e_or_if_none);
SAME(e_range);
SAME(e_sum);
SAME(e_product);
SAME(e_minus);
SAME(e_but);
SAME(e_possessive);
SAME(e_of);
SAME(e_every);
SAME(e_call);
SAME(e_the);
SAME(e_some);
SAME(e_no);
SAME(e_size);
SAME(e_total);
SAME(e_groups);
SAME(e_kinds);
SAME(e_first);
SAME(e_last);
SAME(e_any);
SAME(e_next);
SAME(e_all);
SAME(e_card);
SAME(e_set);
SAME(e_if);
SAME(e_cases);
SAME(e_cases_of);
SAME(e_reading);
SAME(e_yes_no);
SAME(comparison_group);
SAME(set_group);
SAME(subject_group);
#undef SAME
#undef NODE

template <typename... S>
struct kind_of<g::word_node<S...>> {
    static constexpr bool selected = true;
    static constexpr Kind kind = Kind::word;
};

// A node while the text is being read. `parts` of a group follow its first child and each wraps what came before.
struct Draft {
    Kind kind = Kind::file;
    const char* begin = nullptr;
    const char* end = nullptr;
    std::vector<std::unique_ptr<Draft>> children;
};

// --- reading, and errors

struct ReadState {
    const Source* source = nullptr;
    std::uint16_t index = 0;
    Diagnostics* diagnostics = nullptr;
    std::size_t reported = 0;  // one past the furthest place of a report
    int nesting = 0;
    Draft* open = nullptr;  // the node that is being read
};

// A node is open as long as this lives; whatever ends it, the one around it is open again.
class OpenDraft {
public:
    OpenDraft(ReadState& state, Kind kind, const char* begin) : state_(state), around_(state.open), node_(std::make_unique<Draft>()) {
        node_->kind = kind;
        node_->begin = begin;
        state.open = node_.get();
    }
    ~OpenDraft() { state_.open = around_; }
    OpenDraft(const OpenDraft&) = delete;
    OpenDraft& operator=(const OpenDraft&) = delete;

    void keep(const char* end) {
        node_->end = end;
        around_->children.push_back(std::move(node_));
    }

private:
    ReadState& state_;
    Draft* around_;
    std::unique_ptr<Draft> node_;
};

// Forgets what a rule read before it failed.
void forget_from(Draft& open, std::size_t size) { open.children.resize(size); }

template <typename Rule>
struct expectation {
    static Phrase text() { return Text::something_else; }
};
#define EXPECT(rule, words)                    \
    template <>                                \
    struct expectation<g::rule> {              \
        static Phrase text() { return words; } \
    }
EXPECT(expression, Text::an_expression);
EXPECT(set_expression, Text::an_expression);
EXPECT(additive, Text::an_expression);
EXPECT(but_expression, Text::an_expression);
EXPECT(e_product, Text::an_expression);
EXPECT(ranged, Text::an_expression);
EXPECT(negated, Text::a_condition);
EXPECT(name, Text::a_name);
EXPECT(any_name, Text::a_name);
EXPECT(owned_name, Text::a_name);
EXPECT(body, Text::colon_or_brace);
EXPECT(statement, Text::a_statement);
EXPECT(text, Text::a_text_in_quotes);
EXPECT(number, Text::a_number);
EXPECT(type, Text::a_type);
EXPECT(declaration, Text::a_declaration);
EXPECT(rpar, verbatim("`)`"));
EXPECT(lbrace, verbatim("`{`"));
EXPECT(rbrace, verbatim("`}`"));
EXPECT(rbracket, verbatim("`]`"));
EXPECT(colon, verbatim("`:`"));
EXPECT(equals, verbatim("`=`"));
EXPECT(kw_from, verbatim("`from`"));
EXPECT(kw_in, verbatim("`in`"));
EXPECT(kw_over, verbatim("`over`"));
EXPECT(kw_where, verbatim("`where`"));
EXPECT(kw_otherwise, verbatim("`otherwise`"));
EXPECT(kw_to, verbatim("`to`"));
EXPECT(kw_times, verbatim("`times`"));
EXPECT(choice, Text::choose_or_name);
EXPECT(put_place, Text::in_on_or_under);
EXPECT(shape, Text::shape_of_zone);
EXPECT(families, Text::family_or_any_card);
EXPECT(weights, Text::any_or_weights);
EXPECT(round_word, Text::clockwise_or_counter);
EXPECT(values, Text::values_or_nothing);
EXPECT(end_when, Text::when_and_condition);
EXPECT(after, Text::checked_after_rule);
EXPECT(removable, Text::what_can_be_removed);
EXPECT(changeable, Text::cards_or_enum);
EXPECT(base_name, Text::game_or_path);
EXPECT(label_name, Text::a_value);
EXPECT(row_values, Text::row_name_or_values);
EXPECT(kw_of, verbatim("`of`"));
EXPECT(deal_count, Text::how_many_or_all);
#undef EXPECT
template <>
struct expectation<p::eof> {
    static Phrase text() { return Text::nothing_more; }
};
template <char... Cs>
struct expectation<p::seq<g::ws, p::string<Cs...>, g::word_end>> {
    static Phrase text() { return fmt::format("`{}`", std::string{Cs...}); }
};
template <typename... S>
struct expectation<g::word<S...>> {
    template <char... Cs>
    static Phrase one(p::string<Cs...> /*unused*/) {
        return fmt::format("`{}`", std::string{Cs...});
    }
    static Phrase text() { return listed({one(S{})...}, Text::a_or_b); }
};
template <typename R>
struct expectation<g::nested<R>> : expectation<R> {};

// What stands at `rest`, for a message: a word, a symbol, or the end.
std::string_view token_at(std::string_view rest) {
    std::size_t n = character_length(rest);
    if (begins_identifier(decode(rest)) || (n == 1 && rest[0] >= '0' && rest[0] <= '9')) {
        while (n < rest.size() && continues_identifier(decode(rest.substr(n)))) n += character_length(rest.substr(n));
    }
    return rest.substr(0, n);
}

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

std::string_view word_before(std::string_view text, std::size_t at) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) --at;
    std::size_t begin = at;
    while (begin > 0 && text[begin - 1] >= 'a' && text[begin - 1] <= 'z') --begin;
    return text.substr(begin, at - begin);
}

const std::vector<std::string>& declaration_words() {
    static const std::vector<std::string> words = {"game",   "players", "enum",    "cards",  "pieces",  "total",   "zone",
                                                   "fact",   "define",  "setup",   "play",   "rule",    "match",   "act",
                                                   "ends",   "end",     "winner",  "option", "when",    "replace", "remove",
                                                   "change", "assume",  "unclear", "accept", "example", "labels",  "texts"};
    return words;
}

// What people write who think of another language, and what the language says instead.
Phrase said_otherwise(std::string_view token, std::string_view next, std::string_view before, const Phrase& expected) {
    if (before == "else" || token == "else") return Text::word_is_otherwise;
    if (before == "elif" || before == "elseif" || token == "elif") return Text::words_are_otherwise_if;
    if (expected == Text::cards_or_enum) return Text::replace_replaces;
    if (token == "then") return Text::colon_follows_condition;
    if (token == "!" || (token == "=" && next == "=")) return Text::is_compares;
    if (token == "=" && expected == Text::a_statement) return Text::becomes_or_let;
    if (token == "=") return Text::is_or_becomes;
    if (token == "&" || token == "|") return Text::words_are_and_or;
    if (token == "/") return Text::quotient_divides;
    if (token == "%") return Text::remainder_is;
    return {};
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

void add_advice(Diagnostic& d, const ReadState& state, std::size_t at, std::string_view token, const Phrase& expected) {
    const std::string_view text = state.source->text();
    const std::string& closing = expected.same();
    if (closing == "`}`" || closing == "`)`" || closing == "`]`") {
        const char bracket = closing == "`}`" ? '{' : closing == "`)`" ? '(' : '[';
        if (const auto open = open_bracket(text, at, bracket)) {
            const std::uint32_t begin = *open;
            d.labels.push_back({{begin, begin + 1, state.index}, Text::opened_here});
        }
    }
    const std::string_view rest = text.substr(std::min(text.size(), at + token.size()));
    if (token == "\"") {
        const auto close = rest.find_first_of("\"\n");
        if (close == std::string_view::npos || rest[close] == '\n') d.help = Text::quotes_do_not_end;
    } else if (const std::string twin = full_width_twin(token); !twin.empty()) {
        d.help = Text::full_width(token, twin);
        d.edit = Edit{d.span, twin};
    } else if (expected == Text::a_declaration) {
        const std::string near = closest(token, declaration_words());
        if (!near.empty() && near != token) {
            d.help = Text::did_you_mean(near);
            d.edit = Edit{d.span, near};
        } else if (token == "}") {
            d.help = Text::brace_too_many;
        }
    } else {
        d.help = said_otherwise(token, rest.substr(0, 1), token == ":" ? word_before(text, at) : "", expected);
    }
}

// Nobody reads more of them, and a text without any rule in it would make a million.
constexpr std::size_t report_limit = 500;

void report_unexpected(ReadState& state, std::size_t offset, const Phrase& expected) {
    const std::string_view text = state.source->text();
    std::size_t at = skip_space(text, offset);
    if (state.diagnostics->size() >= report_limit) {
        state.reported = std::max(state.reported, at + 1);
        ++state.diagnostics->back().more;
        return;
    }
    const std::string_view token = token_at(text.substr(at));
    state.reported = std::max(state.reported, at + 1);
    const Span span = span_of(at, at + token.size(), state.index);
    Diagnostic& d = token.empty() ? report(*state.diagnostics, Code::unexpected_end, span, expected)
                                  : report(*state.diagnostics, Code::unexpected, span, expected, token);
    if (g::is_reserved(token) && expected == Text::a_name) d.notes.push_back(Text::word_of_language(token));
    add_advice(d, state, at, token, expected);
}

void report_too_deep(ReadState& state, std::size_t offset) {
    state.reported = std::max(state.reported, offset + 1);
    report(*state.diagnostics, Code::nested_too_deep, span_of(offset, offset, state.index), g::nesting_limit);
}

// Text that no declaration or statement begins with. A failed `expect` inside has been reported already, further on.
template <typename Rule>
constexpr const TextRow<0>* instead_of_skipped = nullptr;
template <>
constexpr const TextRow<0>* instead_of_skipped<g::skipped_statement> = &Text::a_statement;
template <>
constexpr const TextRow<0>* instead_of_skipped<g::skipped_declaration> = &Text::a_declaration;

// Makes a Draft of each rule that has a kind of node, and reports what `expect` missed. Compiled once a rule: PEGTL's own matching, with
// a parse tree on top, makes some twenty-five functions of each of two thousand rules, and building them takes most of a minute.
template <typename Rule>
struct control : p::normal<Rule> {
    static constexpr bool enable = false;

    template <p::apply_mode, p::rewind_mode, template <typename...> class Action, template <typename...> class Control, typename Input>
    static bool match(Input& in, ReadState& state) {
        const char* const begin = in.current();
        if constexpr (kind_of<Rule>::selected) {
            OpenDraft node(state, kind_of<Rule>::kind, begin);
            if (!matched(in, state)) return false;
            node.keep(in.current());
        } else {
            Draft& open = *state.open;
            const std::size_t before = open.children.size();
            if (!matched(in, state)) {
                forget_from(open, before);
                return false;
            }
        }
        if constexpr (instead_of_skipped<Rule> != nullptr) {
            const std::size_t offset = begin - in.begin();
            if (state.reported <= offset) report_unexpected(state, offset, *instead_of_skipped<Rule>);
        }
        return true;
    }

    template <typename Input>
    [[noreturn]] static void raise(const Input& in, ReadState& state) {
        const std::size_t offset = in.current() - in.begin();
        if constexpr (std::is_same_v<Rule, g::too_deep>)
            report_too_deep(state, offset);
        else
            report_unexpected(state, offset, expectation<Rule>::text());
        throw p::parse_error("expected", in);
    }

private:
    template <typename Input>
    static bool matched(Input& in, ReadState& state) {
        return p::internal::match_no_control<Rule, p::apply_mode::action, p::rewind_mode::required, p::nothing, control>(in, state);
    }
};

// --- from drafts to the tree

struct Builder {
    const Source* source;
    std::uint16_t index;
    std::deque<SyntaxNode>* store;
    Diagnostics* diagnostics;
    std::vector<Cleaned>* cleaned;

    SyntaxNode* make(Kind kind, std::size_t begin, std::size_t end) const {
        store->emplace_back();
        SyntaxNode& node = store->back();
        node.kind = kind;
        node.span = span_of(begin, end, index);
        return &node;
    }
    std::size_t offset(const char* at) const { return at - source->text().data(); }

    const SyntaxNode* build(const Draft& d) const;
    const SyntaxNode* fold(const Draft& d) const;
    void set_text(SyntaxNode& node) const;
    void set_quoted(SyntaxNode& node, const std::string& text) const;
};

std::string unquote(std::string_view quoted) {
    std::string text;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\' && i + 2 < quoted.size()) ++i;
        text += quoted[i];
    }
    return text;
}

// Full-width digits become ASCII ones.
std::string plain_digits(std::string_view digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (digits.substr(i).starts_with("\xEF\xBC")) {
            text += static_cast<char>(static_cast<unsigned char>(digits[i + 2]) - 0x90 + '0');
            i += 2;
        } else {
            text += digits[i];
        }
    }
    return text;
}

std::string plain_word(std::string_view word) {
    std::string text(word);
    if (text == "\xEF\xBC\x8B") return "+";
    if (text == "\xEF\xBC\x8D") return "-";
    if (text.starts_with("is") && text.ends_with("not")) return "is not";
    if (text.starts_with("in") && text.ends_with("order")) return "in order";
    if (text.starts_with("by") && text.ends_with("lot")) return "by lot";
    return text;
}

// The only place where a text of the file becomes one of the game: whoever prints it later may send it to a terminal as it is.
void Builder::set_quoted(SyntaxNode& node, const std::string& text) const {
    node.text = shown(text);
    if (node.text == text) return;
    std::set<std::string> changed;
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(character_length(rest))) {
        const std::string_view character = rest.substr(0, character_length(rest));
        if (character != "\t" && shown(character) != character)
            changed.insert(fmt::format("U+{:04X}", static_cast<std::uint32_t>(decode(character))));
    }
    if (!changed.empty()) cleaned->push_back({node.span, fmt::format("{}", fmt::join(changed, ", "))});
}

void Builder::set_text(SyntaxNode& node) const {
    const std::string_view raw = source->text(node.span);
    switch (node.kind) {
        case Kind::name:
            node.text = nfc(raw);
            break;
        case Kind::number:
            node.text = plain_digits(raw);
            break;
        case Kind::text:
            set_quoted(node, nfc(unquote(raw)));
            break;
        case Kind::seat:
            node.text = raw;
            break;
        case Kind::word:
            node.text = plain_word(raw);
            break;
        default:
            break;
    }
}

// Nodes that only mean something with more than one child.
bool folds_one(Kind kind) {
    switch (kind) {
        case Kind::e_or:
        case Kind::e_and:
        case Kind::e_range:
        case Kind::e_sum:
        case Kind::e_product:
        case Kind::e_but:
        case Kind::e_possessive:
        case Kind::e_if:
            return true;
        default:
            return false;
    }
}

// Groups: a first child, then parts of which each takes what came before as its first child.
const SyntaxNode* Builder::fold(const Draft& d) const {
    const SyntaxNode* left = build(*d.children.front());
    for (std::size_t i = 1; i < d.children.size(); ++i) {
        if (i > static_cast<std::size_t>(g::nesting_limit)) {
            report(*diagnostics, Code::nested_too_deep, build(*d.children[i])->span, g::nesting_limit);
            return left;
        }
        const Draft& part = *d.children[i];
        const bool name_part = d.kind == Kind::e_possessive;
        SyntaxNode* node = make(name_part ? Kind::e_possessive : part.kind, left->span.begin, offset(part.end));
        node->children.push_back(left);
        if (name_part) {
            node->children.push_back(build(part));
        } else {
            for (const auto& c : part.children) node->children.push_back(build(*c));
        }
        left = node;
    }
    return left;
}

const SyntaxNode* Builder::build(const Draft& d) const {
    if (d.kind == Kind::comparison_group || d.kind == Kind::set_group || d.kind == Kind::subject_group || d.kind == Kind::e_possessive)
        return fold(d);
    if (folds_one(d.kind) && d.children.size() == 1) {
        const SyntaxNode* only = build(*d.children.front());
        const bool brackets_matter = d.kind == Kind::e_if && (only->kind == Kind::e_and || only->kind == Kind::e_or);
        if (!brackets_matter) return only;
        SyntaxNode* node = make(d.kind, only->span.begin, only->span.end);
        node->children.push_back(only);
        return node;
    }
    const std::size_t begin = skip_space(source->text(), offset(d.begin));
    SyntaxNode* node = make(d.kind, std::min(begin, offset(d.end)), offset(d.end));
    set_text(*node);
    for (const auto& c : d.children) node->children.push_back(build(*c));
    return node;
}

bool text_is_readable(const Source& source, std::uint16_t index, Diagnostics& diagnostics) {
    std::size_t bad = 0;
    if (source.text().size() > text_limit)
        report(diagnostics, Code::too_long, {0, 0, index}, text_limit);
    else if (!is_utf8(source.text(), &bad))
        report(diagnostics, Code::not_utf8, span_of(bad, bad + 1, index));
    else
        return true;
    return false;
}

template <typename Rule>
Syntax read(const Source& source, std::uint16_t index, Diagnostics& diagnostics) {
    auto store = std::make_shared<std::deque<SyntaxNode>>();
    Syntax syntax;
    const Builder builder{&source, index, store.get(), &diagnostics, &syntax.cleaned};
    if (text_is_readable(source, index, diagnostics)) {
        Draft all;
        ReadState state{&source, index, &diagnostics};
        state.open = &all;
        p::memory_input<p::tracking_mode::lazy, p::eol::lf> in(source.text().data(), source.text().size(), source.name());
        try {
            if (p::parse<Rule, p::nothing, control>(in, state) && !all.children.empty()) syntax.root = builder.build(*all.children.front());
        } catch (const p::parse_error&) {  // reported where it was raised
        }
    }
    if (syntax.root == nullptr) syntax.root = builder.make(Kind::file, 0, 0);
    syntax.storage.push_back(std::move(store));
    return syntax;
}

}  // namespace

Syntax parse(const Sources& sources, std::size_t index, Diagnostics& diagnostics) {
    return read<g::file>(sources[index], index, diagnostics);
}

Syntax parse_expression(const Sources& sources, std::size_t index, Diagnostics& diagnostics) {
    return read<g::lone_expression>(sources[index], index, diagnostics);
}

std::string_view kind_name(Kind kind) {
    static constexpr std::array names = {
#define HOUSERULE_SYNTAX(row) std::string_view(#row),
#include "dsl/syntax/syntax_kinds.def"
#undef HOUSERULE_SYNTAX
    };
    return names[static_cast<std::size_t>(kind)];
}

const SyntaxNode* child(const SyntaxNode& node, Kind kind) {
    for (const SyntaxNode* c : node.children)
        if (c->kind == kind) return c;
    return nullptr;
}

namespace {

void print_node(const SyntaxNode& node, int depth, std::string& out) {
    out += std::string(static_cast<std::size_t>(depth) * 2, ' ');
    out += kind_name(node.kind);
    const std::string_view quote = node.kind == Kind::text ? "\"" : "";
    if (!node.text.empty()) out += fmt::format(" {0}{1}{0}", quote, node.text);
    out += '\n';
    for (const SyntaxNode* c : node.children) print_node(*c, depth + 1, out);
}

}  // namespace

std::string print(const SyntaxNode& node) {
    std::string out;
    print_node(node, 0, out);
    return out;
}

}  // namespace houserule
