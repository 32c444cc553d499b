// For each rule of the grammar, the words that say what was expected where it does not match.
#pragma once

#include "dsl/syntax/grammar.hpp"
#include "dsl/text/texts.hpp"

#include <fmt/format.h>

#include <string>

namespace houserule {

template <typename Rule>
struct expectation {
    static Phrase text() { return Text::something_else; }
};
#define EXPECT(rule, words)                    \
    template <>                                \
    struct expectation<grammar::rule> {        \
        static Phrase text() { return words; } \
    }
EXPECT(expression, Text::an_expression);
EXPECT(set_expression, Text::an_expression);
EXPECT(additive, Text::an_expression);
EXPECT(but_expression, Text::an_expression);
EXPECT(e_product, Text::an_expression);
EXPECT(count_product, Text::an_expression);
EXPECT(ranged, Text::an_expression);
EXPECT(atom, Text::an_expression);
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
EXPECT(kw_as, Text::as_and_name);
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
EXPECT(set_name, Text::sets_and_name);
EXPECT(deal_count, Text::how_many_or_all);
#undef EXPECT
template <>
struct expectation<tao::pegtl::eof> {
    static Phrase text() { return Text::nothing_more; }
};
template <char... Cs>
struct expectation<tao::pegtl::seq<grammar::ws, tao::pegtl::string<Cs...>, grammar::word_end>> {
    static Phrase text() { return fmt::format("`{}`", std::string{Cs...}); }
};
template <typename... S>
struct expectation<grammar::word<S...>> {
    template <char... Cs>
    static Phrase one(tao::pegtl::string<Cs...> /*unused*/) {
        return fmt::format("`{}`", std::string{Cs...});
    }
    static Phrase text() { return listed({one(S{})...}, Text::a_or_b); }
};
template <typename R, bool Apart>
struct expectation<grammar::nested<R, Apart>> : expectation<R> {};
template <typename R>
struct expectation<grammar::condition_of_where<R>> : expectation<R> {};

// For a rule that skips text to recover: what was expected there. Not reported if an `expect` that failed further on already was.
template <typename Rule>
struct instead_of_skipped {};
template <>
struct instead_of_skipped<grammar::skipped_statement> {
    static const TextRow<0>& text() { return Text::a_statement; }
};
template <>
struct instead_of_skipped<grammar::skipped_declaration> {
    static const TextRow<0>& text() { return Text::a_declaration; }
};

}  // namespace houserule
