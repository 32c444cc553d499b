// The grammar of rules files, as PEGTL rules. For parse.cpp with its tables of nodes and expectations, and for the test that analyses it.
//
// Space and comments are read before a token, never after it, so that a node ends where its last token ends. A declaration or statement
// that does not parse is skipped up to where the next one can begin; `expect<R>` means that nothing but R can follow: an error if not.
#pragma once

#include "dsl/syntax/parse.hpp"
#include "dsl/text/text.hpp"

#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/analyze_traits.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace houserule::grammar {

namespace p = tao::pegtl;

// True for what cannot be a name: a reserved word or a seat (P1 … P99).
bool is_reserved(std::string_view word);

// --- characters

struct comment : p::seq<p::one<'#'>, p::star<p::not_one<'\n'>>> {};
struct ideographic_space : p::string<'\xE3', '\x80', '\x80'> {};
struct ws : p::star<p::sor<p::one<' ', '\t', '\n', '\r', '\v', '\f'>, comment, ideographic_space>> {};

// An identifier, reserved or not: letters, digits, marks and `_`.
struct identifier {
    using rule_t = identifier;
    using subs_t = p::empty_list;
    template <typename Input>
    static std::size_t length(const Input& in) {
        const std::string_view rest(in.current(), in.size());
        if (rest.empty() || !begins_identifier(decode(rest))) return 0;
        std::size_t n = character_length(rest);
        while (n < rest.size() && continues_identifier(decode(rest.substr(n)))) n += character_length(rest.substr(n));
        return n;
    }
    template <typename Input>
    static bool match(Input& in) {
        const std::size_t n = length(in);
        if (n != 0) in.bump(n);
        return n != 0;
    }
};

// An identifier that may be a name: not reserved.
struct free_identifier {
    using rule_t = free_identifier;
    using subs_t = p::empty_list;
    template <typename Input>
    static bool match(Input& in) {
        const std::size_t n = identifier::length(in);
        if (n == 0 || is_reserved(std::string_view(in.current(), n))) return false;
        in.bump(n);
        return true;
    }
};

// No identifier character follows.
struct word_end {
    using rule_t = word_end;
    using subs_t = p::empty_list;
    template <typename Input>
    static bool match(Input& in) {
        const std::string_view rest(in.current(), in.size());
        return rest.empty() || !continues_identifier(decode(rest));
    }
};

// `letters<"of">` matches these letters, `kw<"of">` a word of the language. (PEGTL's own macro for it, TAO_PEGTL_STRING, expands to
// thousands of tokens at each use: two thirds of what this grammar took to compile.)
template <std::size_t N>
struct Literal {
    char characters[N]{};
    consteval Literal(const char (&text)[N]) { std::copy_n(text, N, characters); }  // NOLINT(google-explicit-constructor)
};
template <Literal Text, typename Indices>
struct letters_of;
template <Literal Text, std::size_t... I>
struct letters_of<Text, std::index_sequence<I...>> {
    using type = p::string<Text.characters[I]...>;
};
template <Literal Text>
using letters = typename letters_of<Text, std::make_index_sequence<sizeof(Text.characters) - 1>>::type;
template <Literal Text>
using kw = p::seq<ws, letters<Text>, word_end>;

// `wide`: the full-width form of an ASCII character (U+FF01 … for 0x21 …). `symbol`: either form, after space.
template <char C>
struct wide : p::string<'\xEF', static_cast<char>(C < 0x60 ? 0xBC : 0xBD), static_cast<char>(C < 0x60 ? C + 0x60 : C + 0x20)> {};
template <char C>
struct symbol : p::seq<ws, p::sor<p::one<C>, wide<C>>> {};
struct comma : p::seq<ws, p::sor<p::one<','>, wide<','>, p::string<'\xE3', '\x80', '\x81'>>> {};
struct opt_comma : p::opt<comma> {};
struct semicolons : p::star<symbol<';'>> {};

// --- leaves (each is a node)

template <char From, char To>
struct wide_range : p::utf8::range<0xFF00 + From - 0x20, 0xFF00 + To - 0x20> {};
struct digit : p::sor<p::digit, wide_range<'0', '9'>> {};
struct number_node : p::seq<p::plus<digit>, p::opt<p::one<'.'>, p::plus<digit>>, word_end> {};
struct number : p::seq<ws, number_node> {};
struct signed_node : p::seq<p::one<'-'>, number_node> {};
struct signed_number : p::sor<p::seq<ws, signed_node>, number> {};
struct name_node : p::seq<free_identifier> {};
struct name : p::seq<ws, name_node> {};
struct any_name_node : p::seq<identifier> {};
struct any_name : p::seq<ws, any_name_node> {};
struct seat_node : p::seq<p::one<'P'>, p::range<'1', '9'>, p::opt<p::digit>, word_end> {};
struct seat : p::seq<ws, seat_node> {};
struct text_node : p::seq<p::one<'"'>, p::until<p::one<'"'>, p::sor<p::seq<p::one<'\\'>, p::not_one<'\n'>>, p::not_one<'\n'>>>> {};
struct text : p::seq<ws, text_node> {};
struct opt_text : p::opt<text> {};
template <typename... S>
struct word_node : p::sor<S...> {};
template <typename... S>
struct word : p::seq<ws, word_node<S...>, word_end> {};

struct too_deep : p::failure {};  // than nesting_limit

// `R`, one nesting level deeper, counted in the state of the parser. With `Apart` the condition of a `where` around it does not reach into
// it.
template <typename R, bool Apart = true>
struct nested {
    using rule_t = nested;
    using subs_t = p::type_list<R>;
    template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control, typename Input,
              typename State>
    static bool match(Input& in, State& state) {
        struct Level {
            State& state;
            bool in_condition = std::exchange(state.in_condition, !Apart && state.in_condition);
            explicit Level(State& s) : state(s) { ++state.nesting; }
            ~Level() {
                --state.nesting;
                state.in_condition = in_condition;
            }
        } level(state);
        if (state.nesting > nesting_limit) Control<too_deep>::raise(in, state);
        return Control<R>::template match<A, M, Action, Control>(in, state);
    }
};

// `R`, the condition of a `where`: what comes after it, up to the next bracket, belongs to what stands before the `where`.
template <typename R>
struct condition_of_where {
    using rule_t = condition_of_where;
    using subs_t = p::type_list<R>;
    template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control, typename Input,
              typename State>
    static bool match(Input& in, State& state) {
        struct Inside {
            State& state;
            bool before = std::exchange(state.in_condition, true);
            explicit Inside(State& s) : state(s) {}
            ~Inside() { state.in_condition = before; }
        } inside(state);
        return Control<R>::template match<A, M, Action, Control>(in, state);
    }
};

// Succeeds without consuming anything, unless the condition of a `where` is being read.
struct outside_conditions {
    using rule_t = outside_conditions;
    using subs_t = p::empty_list;
    template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control, typename Input,
              typename State>
    static bool match(Input& /*unused*/, State& state) {
        return !state.in_condition;
    }
};

// R must match here (PEGTL's `must`): if it does not, an error is reported that says what was expected.
template <typename R>
struct expect : p::must<R> {};

struct expression;
struct set_expression;
struct body;
struct statement;
struct declaration;
struct type;

// --- expressions

struct lpar : symbol<'('> {};
struct rpar : symbol<')'> {};
struct lbrace : symbol<'{'> {};
struct rbrace : symbol<'}'> {};
struct lbracket : symbol<'['> {};
struct rbracket : symbol<']'> {};
struct colon : symbol<':'> {};
struct equals : symbol<'='> {};
struct dots : p::seq<ws, p::string<'.', '.'>> {};
struct kw_of : kw<"of"> {};
struct kw_from : kw<"from"> {};
struct kw_in : kw<"in"> {};
struct kw_over : kw<"over"> {};
struct kw_where : kw<"where"> {};
struct kw_otherwise : kw<"otherwise"> {};
struct kw_to : kw<"to"> {};
struct kw_as : kw<"as"> {};
struct kw_times : kw<"times"> {};
struct kw_seen_by : p::seq<kw<"seen">, kw<"by">> {};
struct if_none_words : p::seq<kw<"if">, kw<"none">> {};

struct arguments : p::seq<lpar, p::opt<p::list<expression, comma>>, expect<rpar>> {};

struct yes_node : p::seq<letters<"yes">, word_end> {};
struct no_node : p::seq<letters<"no">, word_end> {};
struct nobody_node : p::seq<letters<"nobody">, word_end> {};
struct none_node : p::seq<letters<"none">, word_end> {};
struct players_node : p::seq<letters<"players">, word_end> {};
struct it_node : p::seq<letters<"it">, word_end> {};
struct its_it_node : p::seq<letters<"its">, word_end> {};
template <typename N>
struct leaf : p::seq<ws, N> {};

struct but_expression;
struct additive;
struct ranged;

struct e_the : p::seq<kw<"the">, set_expression> {};
struct e_size : p::seq<kw<"size">, kw_of, but_expression> {};
struct e_total
    : p::seq<word<letters<"sum">, letters<"largest">, letters<"smallest">>, kw_of, additive, expect<kw_over>, expect<but_expression>> {};
struct set_name : p::seq<kw<"sets">, expect<name>, expect<kw_where>, expect<expression>> {};
struct e_least_left : p::seq<kw<"smallest">, kw<"sum">, expect<kw_of>, expect<additive>, expect<kw<"left">>, expect<kw_of>,
                             expect<but_expression>, expect<kw<"after">>, expect<set_name>> {};
struct e_groups
    : p::seq<kw<"groups">, kw_of, expect<but_expression>, expect<kw_from>, expect<but_expression>, p::opt<kw<"by">, but_expression>> {};
struct e_kinds : p::seq<kw<"kinds">, kw_of, expect<but_expression>> {};
struct e_if;
// A count before `of`, of which no part can swallow that `of`: `any players - 1 of …`, `first p's bid of …`.
struct e_call;
struct seat;
struct owned_part;
struct count_atom : p::sor<e_if, leaf<players_node>, seat, e_call, name, number> {};
struct count_owned : p::seq<nested<count_atom>, p::star<owned_part>> {};
struct count_product : p::list<count_owned, symbol<'*'>> {};
struct plus_or_minus;
struct any_count : p::seq<count_product, p::star<plus_or_minus, expect<count_product>>> {};
struct e_first : p::seq<kw<"first">, p::opt<any_count>, kw_of, expect<but_expression>> {};
struct e_last : p::seq<kw<"last">, p::opt<any_count>, kw_of, expect<but_expression>> {};
struct e_any : p::seq<kw<"any">, any_count, kw_of, expect<but_expression>> {};
struct e_next
    : p::seq<kw<"next">, word<letters<"after">, letters<"before">>, expect<but_expression>, expect<kw_in>, expect<but_expression>> {};
struct e_some : p::seq<kw<"some">, name, expect<kw_in>, ranged, expect<kw_where>, expression> {};
struct e_no : p::seq<kw<"no">, name, kw_in, ranged, expect<kw_where>, expression> {};
struct e_every : p::seq<kw<"every">, expect<any_name>> {};
struct e_of : p::seq<name, kw_of, but_expression> {};
struct all_words : word<letters<"all">> {};
struct other_word : word<letters<"other">> {};
struct e_all : p::seq<all_words, p::opt<other_word>, p::sor<word<letters<"cards">, letters<"pieces">>, name>> {};
struct e_call : p::seq<name, arguments> {};
struct e_card
    : p::seq<lbracket, p::plus<p::sor<name, signed_number, leaf<yes_node>, leaf<no_node>, leaf<none_node>, leaf<nobody_node>, seat>>,
             expect<rbracket>> {};
struct e_set : p::seq<lbrace, p::opt<p::list<expression, comma>>, rbrace> {};
struct e_yes_no : p::seq<ws, letters<"yes/no">, word_end> {};
// `(a if C, otherwise b if D, otherwise c)`
struct e_if_rest;
struct if_part : p::seq<kw<"if">, expect<expression>, opt_comma, expect<kw_otherwise>, nested<e_if_rest>> {};
struct e_if_rest : p::seq<expect<expression>, p::opt<if_part>> {};
struct e_if : p::seq<lpar, expect<expression>, p::opt<if_part>, expect<rpar>> {};

struct e_arm_body : p::seq<expect<colon>, expect<expression>> {};
struct arm_end : p::seq<p::opt<comma>, semicolons> {};
struct e_arm : p::seq<expression, p::star<comma, expression>, e_arm_body, arm_end> {};
struct e_arm_except : p::seq<kw<"except">, kw<"when">, expect<expression>, e_arm_body, arm_end> {};
struct e_arm_otherwise : p::seq<kw_otherwise, e_arm_body, arm_end> {};
struct e_arms : p::seq<expect<lbrace>, p::plus<p::sor<e_arm_otherwise, e_arm_except, e_arm>>, expect<rbrace>> {};
struct e_cases_of : p::seq<kw<"cases">, kw_of, expect<but_expression>, e_arms> {};
struct e_cases : p::seq<kw<"cases">, e_arms> {};
struct kw_chosen : word<letters<"chosen">> {};
struct e_reading_choice : p::seq<any_name, p::opt<kw_chosen>, expect<colon>, expect<expression>, arm_end> {};
struct e_reading : p::seq<kw<"reading">, expect<name>, opt_text, expect<lbrace>, p::plus<e_reading_choice>, expect<rbrace>> {};

struct atom : p::sor<e_if, e_yes_no, e_card, e_set, e_size, e_least_left, e_total, e_groups, e_kinds, e_first, e_last, e_any, e_next,
                     e_some, e_no, e_every, e_all, e_the, e_cases_of, e_cases, e_reading, leaf<it_node>, leaf<yes_node>, leaf<no_node>,
                     leaf<nobody_node>, leaf<none_node>, leaf<players_node>, seat, e_of, e_call, name, number> {};

struct apostrophe : p::sor<p::one<'\''>, p::string<'\xE2', '\x80', '\x99'>, p::string<'\xEF', '\xBC', '\x87'>> {};
struct possessive_s : p::seq<apostrophe, p::opt<p::one<'s'>>, word_end> {};
struct owned_name : p::sor<name, p::seq<ws, any_name_node>> {};
// `its hand` is `it's hand`: the word `its` brings the apostrophe with it.
struct its_name : p::seq<leaf<its_it_node>, expect<owned_name>> {};
// `hand at 3`; what is done `at most 3 times` is another matter.
struct e_possessive;
struct at_range : p::seq<atom, dots, expect<e_possessive>> {};
struct e_at : p::seq<kw<"at">, p::not_at<p::sor<kw<"most">, kw<"any">>>, nested<p::sor<its_name, at_range, atom>>> {};
struct owned_part : p::sor<p::seq<possessive_s, expect<owned_name>>, e_at> {};
struct e_possessive : p::seq<nested<p::sor<its_name, atom>>, p::star<owned_part>> {};
struct e_but : p::list<e_possessive, kw<"but">> {};
struct but_expression : p::seq<e_but> {};
struct e_minus : p::seq<symbol<'-'>, expect<but_expression>> {};
struct prefixed : p::sor<e_minus, but_expression> {};
struct e_product : p::list<prefixed, symbol<'*'>> {};
struct plus_or_minus : p::seq<ws, word_node<p::one<'+'>, wide<'+'>, p::one<'-'>, wide<'-'>>> {};
struct e_sum : p::seq<e_product, p::star<plus_or_minus, expect<e_product>>> {};
struct additive : p::seq<e_sum> {};
struct by : p::seq<kw<"by">, expect<number>> {};
struct e_range : p::seq<additive, p::opt<dots, expect<additive>, p::opt<by>>> {};
struct ranged : p::seq<e_range> {};

struct where_part : p::seq<kw_where, expect<condition_of_where<expression>>> {};
struct with_part : p::seq<kw<"with">, word<letters<"most">, letters<"least">>, expect<additive>> {};
struct or_if_none_part : p::seq<kw<"or">, if_none_words, expect<ranged>> {};
struct set_group : p::seq<ranged, p::star<outside_conditions, p::sor<where_part, with_part, or_if_none_part>>> {};
struct set_expression : p::seq<set_group> {};

struct relation_word : p::seq<ws, word_node<p::string<'<', '='>, p::string<'>', '='>, p::one<'<'>, p::one<'>'>>> {};
struct is_not : p::seq<kw<"is">, kw<"not">> {};
struct is_word_not : p::seq<ws, word_node<p::seq<letters<"is">, word_end, ws, letters<"not">>>, word_end> {};
struct is_word : word<letters<"is">> {};
struct a_or_an : p::sor<kw<"an">, kw<"a">> {};
struct part_not_in : p::seq<is_not, kw_in, expect<set_expression>> {};
struct part_in : p::seq<kw<"is">, kw_in, expect<set_expression>> {};
struct part_not_empty : p::seq<is_not, kw<"empty">> {};
struct part_empty : p::seq<kw<"is">, kw<"empty">> {};
struct part_not_a : p::seq<is_not, a_or_an, name> {};
struct part_is_a : p::seq<kw<"is">, a_or_an, name> {};
struct part_splits : p::seq<kw<"splits">, kw<"into">, expect<set_name>> {};
struct part_compare : p::seq<p::sor<is_word_not, is_word, relation_word>, expect<set_expression>> {};
struct comparison_group
    : p::seq<set_expression,
             p::opt<p::sor<part_not_in, part_in, part_not_empty, part_empty, part_not_a, part_is_a, part_splits, part_compare>>> {};
struct comparison : p::seq<comparison_group> {};
struct e_not;
struct negated : p::sor<e_not, comparison> {};
struct e_not : p::seq<kw<"not">, expect<nested<negated, false>>> {};
struct e_and : p::list<negated, kw<"and">> {};
struct or_word : p::seq<kw<"or">, p::not_at<if_none_words>> {};
struct e_or : p::list<e_and, or_word> {};
struct expression : p::seq<e_or> {};

// --- types

struct t_yes_no : p::seq<ws, letters<"yes/no">, word_end> {};
struct t_range : p::seq<additive, dots, expect<additive>, p::opt<by>> {};
struct t_player : kw<"player"> {};
struct t_list : p::seq<lbrace, p::list<p::sor<name, number>, comma>, expect<rbrace>> {};
struct t_named : p::seq<p::not_at<p::sor<kw<"lasts">, kw<"seen">>>, name> {};
struct t_set : p::seq<kw<"set">, kw_of, p::sor<t_player, t_range, t_named>> {};
// Of parameters: a kind of card, which may lie nowhere; several cards, each copy counted.
struct t_kind : p::seq<kw<"kind">, kw_of, name> {};
struct t_several : p::seq<kw<"several">, name, p::at<name>> {};
// A parameter that is a zone. Elsewhere, and where an enum is called so, `zone` is a name like others.
struct t_zone : p::seq<kw<"zone">, p::at<name>> {};
struct or_none : p::seq<kw<"or">, p::sor<kw<"nobody">, kw<"none">>> {};
struct type : p::seq<p::sor<t_yes_no, t_set, t_kind, t_several, t_range, t_player, t_list, t_named>, p::opt<or_none>> {};

// --- statements

// A line that begins, unindented, like a declaration that cannot be a statement: whatever block is open there, its end was forgotten.
inline bool begins_declaration(std::string_view line) {
    static constexpr std::string_view words[] = {"rule",   "act",    "define", "zone",  "fact",    "cards",  "pieces", "enum",
                                                 "option", "labels", "texts",  "total", "example", "winner", "setup"};
    std::size_t n = 0;
    while (n < line.size() && line[n] >= 'a' && line[n] <= 'z') ++n;
    const std::string_view word = line.substr(0, n);
    bool known = false;
    for (const std::string_view w : words) known = known || w == word;
    if (!known || n == line.size() || line[n] != ' ') return false;
    while (n < line.size() && line[n] == ' ') ++n;
    const std::string_view rest = line.substr(n);
    if (word == "winner") return rest.starts_with('=');
    if (word == "example") return rest.starts_with('"');
    if (word == "setup") return rest.starts_with('{') || rest.starts_with('"') || rest.starts_with(':');
    return begins_identifier(decode(rest));
}
struct at_declaration {
    using rule_t = at_declaration;
    using subs_t = p::empty_list;
    template <typename Input>
    static bool match(Input& in) {
        const std::string_view rest(in.current(), in.size());
        std::size_t at = 0;
        bool line_begins = in.current() == in.begin() || in.current()[-1] == '\n';
        for (; at < rest.size(); ++at) {
            if (rest[at] == '#') at = std::min(rest.find('\n', at), rest.size() - 1);
            if (rest[at] == '\n')
                line_begins = true;
            else if (rest[at] == ' ' || rest[at] == '\t' || rest[at] == '\r')
                line_begins = false;
            else
                break;
        }
        return line_begins && begins_declaration(rest.substr(at));
    }
};

struct body_block;
struct statement_or_skip;
struct body_block
    : p::seq<lbrace, semicolons,
             p::star<p::not_at<rbrace>, p::not_at<p::seq<ws, p::eof>>, p::not_at<at_declaration>, statement_or_skip, semicolons>,
             expect<rbrace>> {};
struct body : p::sor<p::seq<colon, p::sor<body_block, expect<statement>>>, body_block> {};

struct s_becomes_part : p::seq<kw<"becomes">, expect<expression>> {};
struct count : p::seq<additive, p::opt<dots, expect<additive>>> {};
struct verb : word<letters<"choose">, letters<"name">> {};
// A condition on all that is chosen, together.
struct whole : p::seq<kw_where, expect<expression>> {};
struct choice_many : p::seq<verb, count, kw_from, set_expression, kw_as, expect<name>, p::opt<whole>> {};
struct choice_one : p::seq<verb, expect<name>, expect<kw_from>, expect<set_expression>> {};
// What begins with a digit is a count and no name.
struct choice_counted
    : p::seq<verb, p::at<ws, digit>, count, expect<kw_from>, expect<set_expression>, expect<kw_as>, expect<name>, p::opt<whole>> {};
struct choice : p::sor<choice_counted, choice_many, choice_one> {};
struct if_none : p::seq<opt_comma, if_none_words, expect<body>> {};
struct if_short : p::seq<opt_comma, kw<"if">, kw<"short">, expect<body>> {};
struct otherwise_if;
struct otherwise : p::seq<semicolons, kw_otherwise, p::sor<otherwise_if, expect<body>>> {};
// A text behind the choice is the question as it is shown.
struct must_part : p::seq<kw<"must">, expect<choice>, opt_text, p::opt<body>, p::opt<if_none>> {};
struct may_part : p::seq<kw<"may">, choice, opt_text, expect<body>, p::opt<otherwise>> {};
struct may_do_part : p::seq<kw<"may">, expect<name>, opt_text, expect<body>, p::opt<otherwise>> {};
// A word, or a value that is more than a name: `P1's bid`.
struct owned_value : p::seq<p::sor<name, seat>, p::plus<owned_part>> {};
struct says_part : p::seq<kw<"says">, p::sor<owned_value, expect<name>>> {};
struct subject_group : p::seq<but_expression, p::sor<s_becomes_part, must_part, may_part, may_do_part, says_part>> {};
struct subject_statement : p::seq<subject_group> {};

struct s_let : p::seq<kw<"let">, expect<name>, expect<equals>, expect<expression>> {};
struct to_all : word<letters<"all">> {};
struct s_show : p::seq<kw<"show">, expect<set_expression>, expect<kw_to>, p::sor<to_all, expect<set_expression>>> {};
struct s_stop : p::seq<kw<"stop">, expect<any_name>> {};
struct s_end : p::seq<kw<"end">, expect<name>, p::opt<arguments>> {};
struct s_play_game : p::seq<kw<"play">, kw<"game">> {};
struct s_nothing : kw<"nothing"> {};
struct s_judged : p::seq<kw<"judged">, kw<"by">, expect<set_expression>> {};
struct put_place : word<letters<"in">, letters<"on">, letters<"under">> {};
struct put_order
    : p::sor<word<letters<"shuffled">>, p::seq<ws, word_node<p::seq<letters<"in">, p::plus<p::blank>, letters<"order">>>, word_end>> {};
struct put_tail : p::seq<opt_comma, put_order> {};
struct s_put : p::seq<kw<"put">, expect<set_expression>, expect<put_place>, expect<set_expression>, p::opt<put_tail>> {};
struct direction
    : p::seq<word<letters<"clockwise">, letters<"counterclockwise">>, expect<word<letters<"from">, letters<"after">>>, expect<additive>> {};
struct opt_direction : p::opt<opt_comma, direction> {};
struct deal_count : p::sor<p::seq<to_all, p::at<kw_from>>, additive> {};
struct s_deal : p::seq<kw<"deal">, expect<deal_count>, expect<kw_from>, expect<but_expression>, expect<kw_to>, expect<additive>,
                       opt_direction, p::opt<if_short>> {};
struct blindly : word<letters<"blindly">> {};
struct refill : p::seq<opt_comma, kw<"if">, kw<"short">, expect<body>> {};
struct s_draw : p::seq<kw<"draw">, expect<name>, p::opt<blindly>, expect<kw_from>, expect<but_expression>, expect<kw_to>, expect<additive>,
                       p::opt<p::sor<if_none, refill>>> {};
struct s_shuffle : p::seq<kw<"shuffle">, expect<additive>> {};
struct in_set : p::seq<kw_in, expect<ranged>> {};
struct where_clause : p::seq<kw_where, expect<expression>> {};
struct opt_where : p::opt<opt_comma, where_clause> {};
struct s_simultaneously : p::seq<kw<"simultaneously">, expect<kw<"each">>, expect<name>, p::opt<in_set>, opt_where, expect<body>> {};
struct weight : p::seq<expression, expect<colon>, expect<expression>, arm_end> {};
struct weights : p::seq<lbrace, p::plus<weight>, expect<rbrace>> {};
struct evenly : kw<"any"> {};
struct simulated : p::seq<opt_comma, kw<"when">, expect<kw<"simulated">>, p::sor<evenly, expect<weights>>> {};
struct s_table : p::seq<kw<"table">, expect<kw<"tells">>, expect<name>, expect<kw_from>, expect<set_expression>, p::opt<simulated>> {};
struct lot_for : p::seq<kw<"for">, expect<but_expression>> {};
struct more_lots : p::plus<comma, expect<name>> {};
// A fact that is more than a name: `P1's die`, `die at 3`.
struct lot_target : p::seq<p::not_at<name, p::sor<comma, kw_from>>, but_expression> {};
struct s_chance : p::seq<kw<"chance">, expect<kw<"picks">>, p::sor<lot_target, expect<name>>, p::opt<more_lots>, expect<kw_from>,
                         expect<set_expression>, p::opt<p::sor<p::seq<lot_for, p::opt<weights>>, p::seq<weights, p::opt<lot_for>>>>> {};
struct s_offer : p::seq<kw<"offer">, expect<name>> {};
struct down : kw<"down"> {};
struct from_to : p::seq<kw_from, expect<additive>, p::opt<down>, expect<kw_to>, expect<additive>> {};
struct s_each : p::seq<kw<"each">, expect<name>, p::opt<p::sor<in_set, from_to>>, p::opt<opt_comma, direction>, opt_where, expect<body>> {};
// Whoever wants to, all asked together; the first one from there counts.
struct s_any : p::seq<kw<"any">, name, p::opt<in_set>, p::opt<where_clause>, kw<"may">, expect<name>, opt_text, opt_comma,
                      expect<kw<"the">>, expect<kw<"first">>, expect<direction>, expect<body>, p::opt<otherwise>> {};
struct while_true : p::seq<kw<"while">, expect<expression>> {};
struct until_true : p::seq<opt_comma, kw<"until">, expect<expression>> {};
struct measure : p::seq<opt_comma, kw<"running">, expect<kw<"down">>, expect<additive>> {};
struct bound : p::seq<opt_comma, kw<"at">, expect<kw<"most">>, expect<additive>, expect<kw_times>> {};
struct bound_then : p::seq<opt_comma, kw<"then">, p::sor<body, expect<statement>>> {};
struct opt_bound : p::opt<p::sor<p::seq<bound, p::opt<bound_then>>, measure>> {};
struct repeat_body : p::sor<body, expect<statement>> {};
struct s_times : p::seq<kw<"repeat">, p::not_at<lbrace>, additive, kw_times, expect<body>> {};
struct s_repeat : p::seq<kw<"repeat">, p::opt<while_true>, repeat_body, p::opt<until_true>, opt_bound> {};
struct s_if : p::seq<kw<"if">, p::not_at<p::sor<kw<"none">, kw<"short">>>, expect<expression>, expect<body>, p::opt<otherwise>> {};
struct otherwise_if : nested<s_if> {};
struct arm_body : p::seq<expect<body>, arm_end> {};
struct s_arm : p::seq<p::not_at<rbrace>, expect<expression>, p::star<comma, expression>, arm_body> {};
struct s_arm_except : p::seq<kw<"except">, kw<"when">, expect<expression>, arm_body> {};
struct s_arm_otherwise : p::seq<kw_otherwise, arm_body> {};
struct s_arms : p::seq<expect<lbrace>, p::plus<p::sor<s_arm_otherwise, s_arm_except, s_arm>>, expect<rbrace>> {};
struct s_cases_of : p::seq<kw<"cases">, kw_of, expect<but_expression>, s_arms> {};
struct s_cases : p::seq<kw<"cases">, s_arms> {};
struct s_reading_choice : p::seq<any_name, p::opt<kw_chosen>, expect<body>, arm_end> {};
struct s_reading : p::seq<kw<"reading">, expect<name>, opt_text, expect<lbrace>, p::plus<s_reading_choice>, expect<rbrace>> {};
struct d_assume : p::seq<kw<"assume">, expect<name>, expect<text>> {};
struct d_unclear : p::seq<kw<"unclear">, expect<name>, expect<text>> {};
struct s_call : p::seq<name, p::opt<arguments>> {};

struct statement : p::seq<ws, nested<p::sor<s_put, s_deal, s_draw, s_shuffle, s_let, s_show, s_stop, s_end, s_play_game, s_nothing,
                                            s_judged, s_simultaneously, s_table, s_chance, s_offer, s_each, s_any, s_times, s_repeat, s_if,
                                            s_cases_of, s_cases, s_reading, d_assume, d_unclear, subject_statement, s_call>>> {};
// From one brace to the one that closes it, or to where a declaration shows that it was forgotten. A loop: what is skipped may be
// nested as deep as it likes.
struct skipped_part : p::sor<comment, text_node, p::any> {};
struct skipped_block {
    using rule_t = skipped_block;
    using subs_t = p::type_list<skipped_part>;
    template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control, typename Input,
              typename... States>
    static bool match(Input& in, States&&... st) {
        if (in.empty() || *in.current() != '{') return false;
        int open = 0;
        do {
            open += *in.current() == '{' ? 1 : *in.current() == '}' ? -1 : 0;
            static_cast<void>(Control<skipped_part>::template match<p::apply_mode::nothing, M, Action, Control>(in, st...));
            if (!in.empty() && *in.current() == '\n' && begins_declaration(std::string_view(in.current(), in.size()).substr(1))) break;
        } while (open > 0 && !in.empty());
        return true;
    }
};
// The rest of the line, with whole blocks in it.
struct skipped_statement : p::seq<ws, p::plus<p::sor<skipped_block, comment, text_node, p::not_one<'}', '\n', '{'>>>> {};
struct statement_or_skip : p::sor<p::try_catch<statement>, skipped_statement> {};

// --- declarations

struct parameter : p::seq<p::sor<t_zone, type>, expect<name>> {};
struct parameters : p::seq<lpar, p::opt<p::list<parameter, comma>>, expect<rpar>> {};
// Without a comma, `texts ja {…}` may be the next declaration.
struct texts_in : p::sor<p::seq<comma, kw<"texts">, expect<kw_in>>, p::seq<kw<"texts">, kw_in>> {};
struct language : p::seq<texts_in, expect<any_name>> {};
struct base_name : p::sor<text, name> {};
struct base : p::seq<kw<"changes">, expect<base_name>> {};
struct d_game : p::seq<kw<"game">, expect<name>, p::opt<base>, opt_text, p::opt<language>> {};
struct teams : p::seq<opt_comma, kw_in, expect<kw<"teams">>, p::list<e_set, comma>> {};
struct round_word : word<letters<"clockwise">, letters<"counterclockwise">> {};
struct d_players : p::seq<kw<"players">, expect<number>, p::opt<dots, expect<number>>, opt_comma, expect<kw_in>, expect<kw<"a">>,
                          expect<kw<"circle">>, opt_comma, expect<round_word>, p::opt<teams>> {};
struct d_enum : p::seq<kw<"enum">, expect<name>, expect<lbrace>, expect<name>, p::star<opt_comma, name>, opt_comma, expect<rbrace>> {};
struct of_each : p::seq<kw_of, kw<"each">> {};
struct each_row : p::seq<but_expression, of_each, p::opt<where_clause>> {};
struct row_name : p::seq<name, colon> {};
struct row_values : p::list<ranged, comma> {};
struct row : p::seq<but_expression, kw_of, p::opt<row_name>, row_values> {};
struct row_sep : p::seq<opt_comma, semicolons> {};
struct with_name : p::seq<name, expect<equals>, expect<number>> {};
struct with_names : p::seq<kw<"with">, p::list<with_name, comma>> {};
struct field : p::seq<name, type, p::opt<with_names>> {};
struct cards_word : p::sor<kw<"cards">, kw<"pieces">> {};
struct d_cards : p::seq<cards_word, expect<name>, expect<lbrace>, p::star<p::sor<each_row, row, field>, row_sep>, expect<rbrace>> {};
struct d_total : p::seq<kw<"total">, p::sor<word<letters<"cards">, letters<"pieces">>, name>, expect<kw<"is">>, expect<additive>> {};
struct player_word : word<letters<"player">> {};
struct of_index : p::seq<kw_of, p::sor<player_word, expect<name>>> {};
// One for each of these numbers: `at 1..5`.
struct spots : p::seq<kw<"at">, p::not_at<kw<"most">>, expect<additive>, expect<dots>, expect<additive>> {};
struct any_card : p::seq<kw<"any">, p::sor<kw<"cards">, kw<"card">, kw<"piece">, kw<"pieces">>> {};
struct families : p::sor<any_card, p::list<name, kw<"or">>> {};
struct capacity : p::seq<opt_comma, kw<"at">, expect<kw<"most">>, expect<additive>> {};
struct seers : p::seq<opt_comma, kw_seen_by, expect<word<letters<"all">, letters<"owner">, letters<"others">, letters<"nobody">>>> {};
struct shape_many : p::seq<word<letters<"set">, letters<"row">, letters<"stack">>, expect<kw_of>, expect<families>> {};
struct shape_one : p::seq<word<letters<"one">>, expect<families>> {};
struct shape : p::sor<shape_many, shape_one> {};
struct zone_colon : p::opt<p::sor<colon, comma>> {};
struct d_zone
    : p::seq<kw<"zone">, expect<name>, p::opt<of_index>, p::opt<spots>, zone_colon, expect<shape>, p::opt<capacity>, p::opt<seers>> {};
struct initial : p::seq<equals, expect<set_expression>> {};
struct game_word : word<letters<"game">> {};
struct lasts : p::seq<opt_comma, kw<"lasts">, p::sor<game_word, expect<name>>> {};
struct quiet : p::seq<kw<"quiet">> {};
struct always_shown : p::seq<kw<"always">, kw<"shown">> {};
struct d_fact : p::seq<kw<"fact">, expect<name>, p::opt<of_index>, p::opt<spots>, zone_colon, expect<type>, p::opt<initial>, p::opt<lasts>,
                       p::opt<seers>, p::opt<opt_comma, p::sor<quiet, always_shown>>> {};
struct d_define : p::seq<kw<"define">, expect<name>, p::opt<parameters>, expect<equals>, expect<expression>> {};
struct d_setup : p::seq<kw<"setup">, opt_text, expect<body>> {};
struct d_play : p::seq<kw<"play">, opt_text, expect<body>> {};
struct d_rule : p::seq<kw<"rule">, expect<name>, p::opt<parameters>, opt_text, expect<body>> {};
struct d_match : p::seq<kw<"match">, expect<name>, opt_text, expect<body>> {};
struct any_time : p::seq<kw<"at">, ws, word_node<letters<"any">>, expect<kw<"time">>> {};
struct when_offered : p::seq<kw<"when">, ws, word_node<letters<"offered">>, word_end> {};
struct unless : p::seq<opt_comma, kw<"unless">, expect<expression>> {};
struct odds : p::seq<opt_comma, kw<"when">, kw<"simulated">, expect<number>, expect<kw_in>, expect<number>> {};
struct act_clause : p::sor<any_time, when_offered, unless, odds> {};
struct act_clauses : p::star<opt_comma, act_clause> {};
struct d_act : p::seq<kw<"act">, expect<name>, p::opt<parameters>, opt_text, act_clauses, expect<body>> {};
struct of_stage : p::seq<kw_of, p::sor<game_word, expect<name>>> {};
struct after : p::seq<kw<"checked">, kw<"after">, p::list<p::seq<p::not_at<kw<"first">>, any_name>, comma>> {};
struct end_when : p::seq<kw<"when">, expect<expression>> {};
struct end_entry : p::seq<name, opt_text, expect<end_when>, p::opt<body>, semicolons> {};
struct d_ends : p::seq<kw<"ends">, p::opt<of_stage>, expect<after>, opt_comma, expect<kw<"first">>, expect<kw_of>, expect<lbrace>,
                       p::star<end_entry>, expect<rbrace>> {};
struct d_end : p::seq<kw<"end">, p::opt<of_stage>, expect<name>, p::opt<parameters>, opt_text, p::opt<body>> {};
struct then_by : p::seq<opt_comma, kw<"then">, kw<"with">, expect<word<letters<"most">, letters<"least">>>, expect<additive>> {};
struct by_lot : p::seq<ws, word_node<p::seq<letters<"by">, p::plus<p::blank>, letters<"lot">>>, word_end> {};
struct last_word : p::seq<opt_comma, kw<"then">, p::sor<word<letters<"shared">, letters<"nobody">>, by_lot>> {};
struct all_if : p::seq<kw<"all">, kw<"if">, expect<expression>, opt_comma, expect<kw_otherwise>, expect<kw<"nobody">>> {};
struct d_winner
    : p::seq<kw<"winner">, expect<equals>, p::sor<all_if, p::seq<expect<set_expression>, p::star<then_by>, p::opt<last_word>>>> {};
struct d_option : p::seq<kw<"option">, expect<name>, expect<type>, expect<initial>, opt_text> {};
struct label_name : p::sor<any_name, number> {};
struct declaration_or_skip;
struct d_when : p::seq<kw<"when">, expect<expression>, expect<lbrace>, semicolons,
                       p::star<p::not_at<rbrace>, p::not_at<p::seq<ws, p::eof>>, declaration_or_skip>, expect<rbrace>> {};
struct replaced_end : p::seq<kw<"end">, name, opt_text, kw<"when">, expect<expression>, p::opt<body>> {};
struct d_replace : p::seq<kw<"replace">, p::sor<replaced_end, expect<nested<declaration>>>> {};
struct removable : word<letters<"rule">, letters<"end">, letters<"act">, letters<"define">, letters<"zone">, letters<"fact">,
                        letters<"enum">, letters<"match">, letters<"assume">, letters<"unclear">> {};
struct removable_cards : word<letters<"cards">, letters<"pieces">, letters<"total">> {};
struct every_piece : word<letters<"cards">, letters<"pieces">> {};
struct d_remove
    : p::seq<kw<"remove">, p::sor<p::seq<removable_cards, p::sor<every_piece, expect<name>>>, p::seq<expect<removable>, expect<name>>>> {};
struct always : word<letters<"always">> {};
struct d_set : p::seq<kw<"set">, expect<any_name>, expect<kw<"is">>, expect<label_name>, p::opt<opt_comma, always>> {};
struct drop : p::seq<kw<"remove">, expect<row_values>> {};
struct dropped_value : p::seq<kw<"remove">, expect<name>> {};
struct changeable : p::sor<cards_word, kw<"enum">> {};
struct d_change_cards
    : p::seq<kw<"change">, cards_word, expect<name>, expect<lbrace>, p::star<p::sor<drop, each_row, row, field>, row_sep>, expect<rbrace>> {
};
struct d_change_enum : p::seq<kw<"change">, p::at<expect<changeable>>, kw<"enum">, expect<name>, expect<lbrace>,
                              p::star<p::sor<dropped_value, name>, opt_comma>, expect<rbrace>> {};
struct d_accept : p::seq<kw<"accept">, expect<any_name>, p::opt<any_name>, expect<text>> {};
struct for_players : p::seq<kw<"for">, expect<number>, expect<kw<"players">>> {};
struct setting : p::seq<expect<name>, expect<kw<"is">>, expect<additive>> {};
struct with_option : p::seq<opt_comma, kw<"with">, setting> {};
struct with_another : p::seq<comma, p::not_at<kw<"with">>, setting> {};
struct no_values : p::seq<kw<"nothing">> {};
struct values : p::sor<no_values, p::list<set_expression, comma>> {};
struct given : p::seq<kw<"given">, expect<but_expression>, expect<kw<"is">>, expect<values>> {};
struct choosing : p::seq<kw<"choosing">, p::list<expect<set_expression>, comma>> {};
struct do_rule : p::seq<kw<"do">, expect<name>, p::opt<arguments>, p::opt<opt_comma, choosing>> {};
struct then_holds : p::seq<kw<"then">, expect<expression>> {};
struct d_example : p::seq<kw<"example">, expect<text>, p::opt<for_players>, p::star<with_option, p::star<with_another>>, expect<lbrace>,
                          p::star<p::sor<given, do_rule, then_holds>, semicolons>, expect<rbrace>> {};
struct label_key : p::sor<label_name, text> {};  // an example is identified by its title
struct label : p::seq<label_key, expect<text>, p::opt<comma>, semicolons> {};
struct d_labels : p::seq<kw<"labels">, expect<any_name>, expect<lbrace>, p::star<label>, expect<rbrace>> {};
struct d_texts : p::seq<kw<"texts">, expect<any_name>, expect<lbrace>, p::star<label>, expect<rbrace>> {};

struct declaration : p::seq<ws, p::sor<d_game, d_players, d_enum, d_cards, d_total, d_zone, d_fact, d_define, d_setup, d_play, d_rule,
                                       d_match, d_act, d_ends, d_end, d_winner, d_option, d_when, d_replace, d_remove, d_set,
                                       d_change_cards, d_change_enum, d_assume, d_unclear, d_accept, d_example, d_labels, d_texts>> {};
// Up to a line that begins, unindented, with a letter: there the next declaration may stand.
struct skipped_declaration {
    using rule_t = skipped_declaration;
    using subs_t = p::empty_list;
    template <typename Input>
    static bool match(Input& in) {
        const std::string_view rest(in.current(), in.size());
        std::size_t n = std::min(rest.find_first_not_of(" \t\n\r\v\f"), rest.size());
        if (n == rest.size()) return false;
        for (++n; n < rest.size(); ++n)
            if (rest[n] == '\n' && begins_identifier(decode(rest.substr(n + 1)))) break;
        in.bump(n);
        return true;
    }
};
struct declaration_or_skip : p::sor<p::try_catch<nested<declaration>>, skipped_declaration> {};
struct bom : p::opt<p::string<'\xEF', '\xBB', '\xBF'>> {};
// An expression alone, such as a claim about a table.
struct lone_expression : p::seq<expect<expression>, ws, expect<p::eof>> {};
struct file : p::seq<bom, p::star<p::not_at<p::seq<ws, p::eof>>, declaration_or_skip, semicolons>, ws, p::eof> {};

}  // namespace houserule::grammar

namespace tao::pegtl {
template <typename Name>
struct analyze_traits<Name, houserule::grammar::identifier> : analyze_any_traits<> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::free_identifier> : analyze_any_traits<> {};
template <typename Name, typename R, bool Apart>
struct analyze_traits<Name, houserule::grammar::nested<R, Apart>> : analyze_seq_traits<R> {};
template <typename Name, typename R>
struct analyze_traits<Name, houserule::grammar::condition_of_where<R>> : analyze_seq_traits<R> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::outside_conditions> : analyze_opt_traits<> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::skipped_block> : analyze_any_traits<> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::skipped_declaration> : analyze_any_traits<> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::at_declaration> : analyze_opt_traits<> {};
template <typename Name>
struct analyze_traits<Name, houserule::grammar::word_end> : analyze_opt_traits<> {};
}  // namespace tao::pegtl
