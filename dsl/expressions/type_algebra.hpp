// Type conversions (a card to its kind, a zone to its cards) and the common type of two expressions. A type error is reported once; the
// result is then broken (see expression_builder.hpp), unless only the family or the step does not fit.
#pragma once

#include "dsl/expressions/expression_builder.hpp"
#include "dsl/text/texts.hpp"

namespace houserule {

class TypeAlgebra : public ExpressionBuilder {
protected:
    using ExpressionBuilder::ExpressionBuilder;

    Phrase describe(const Type& t) const;
    Phrase describe(ExpressionId e) const;                                                            // its type, or that it is `none`
    bool is_no_value(ExpressionId e) const { return value_of(e) && is_none(type(e), *value_of(e)); }  // `none`, `nobody`
    ExpressionId none_constant(Type type, Span span);                                                 // none, among values of that type
    void wrong_type(ExpressionId e, const Phrase& wanted);
    // As `wrong_type`, with `number_help` if `e` is a number; returns a broken expression.
    ExpressionId wrong_set(ExpressionId e, const Phrase& wanted, const Phrase& number_help = Text::range_in_brackets);
    // The type of the elements of a set or cards; false for anything else.
    bool element_of(ExpressionId set, Type& element) const;

    // `e` converted to that type.
    ExpressionId as_truth(ExpressionId e);
    ExpressionId as_number(ExpressionId e);
    ExpressionId somebody(ExpressionId e);  // of what may be none or nobody: the value, with the promise that there is one
    ExpressionId as_card(ExpressionId e);
    ExpressionId as_kind(ExpressionId e);
    Phrase several_takes_cards(FamilyId family) const;
    ExpressionId as_cards(ExpressionId e);
    ExpressionId as_place(ExpressionId e);
    ExpressionId as_set(ExpressionId e);
    ExpressionId as_type(ExpressionId e, const Type& want, const Phrase& what);  // of an assignment or argument, called `what` in messages
    ExpressionId empty_set_of(const Type& t, Span span);

    // As `number_type`, of a number that is computed: reported when it can become too large for exact arithmetic.
    Type number_range(std::int64_t low, std::int64_t high, std::int32_t scale, Span span);
    ExpressionId scaled(ExpressionId e, std::int32_t scale);
    void scale_together(ExpressionId& a, ExpressionId& b);
    // A set of numbers in steps of 1 / scale; only a constant can be scaled to finer ones.
    Phrase steps_of(std::int32_t scale) const;
    ExpressionId scaled_set(ExpressionId set, std::int32_t scale);
    void scale_to_set(ExpressionId& set, ExpressionId& number);
    void scale_sets_together(ExpressionId& a, ExpressionId& b);
    Type joined_type(ExpressionId set, ExpressionId other) const;  // of a set that holds what either may hold
    void unify(ExpressionId& a, ExpressionId& b, Span span);
    ExpressionId join(ExpressionId a, ExpressionId b, Span span);
    ExpressionId minus(ExpressionId a, ExpressionId b, Span span);
    bool has_room_for_one(ExpressionId place) const;
    ExpressionId conditional(ExpressionId condition, ExpressionId then, ExpressionId otherwise, Span span);
};

}  // namespace houserule
