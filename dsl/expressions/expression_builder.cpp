#include "dsl/expressions/expression_builder.hpp"

#include <algorithm>
#include <limits>

namespace houserule {

namespace {

constexpr std::uint32_t size_limit = 1'000'000;  // of one expression, when a part that is used twice counts twice: it is read that often
constexpr std::uint16_t depth_limit = 2000;      // of one expression: whoever reads it recurses

}  // namespace

std::pair<BoundId, ExpressionId> ExpressionBuilder::new_bound(const Type& element, Span span) {
    const BoundId bound = game_.bounds++;
    return {bound, emit(Operator::bound, element, span, no_id, no_id, no_id, bound)};
}

ExpressionId ExpressionBuilder::variable_expression(VariableId variable, Span span) {
    const Type& t = game_.variables[variable].type;
    const Operator op = t.base == Base::cards ? Operator::cards_variable
                        : t.base == Base::set ? Operator::set_variable
                                              : Operator::variable;
    return emit(op, t, span, no_id, no_id, no_id, variable);
}

Type ExpressionBuilder::number_type(std::int64_t low, std::int64_t high, std::int32_t scale) const {
    const auto clamp = [](std::int64_t v) {
        return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(v, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    };
    return {Base::number, Base::nothing, no_id, clamp(low), clamp(high), scale, false};
}

Type ExpressionBuilder::set_of(const Type& element) const {
    Type t = element;
    t.element = element.base;
    t.base = Base::set;
    t.or_none = false;
    return t;
}

Type ExpressionBuilder::kind_type(FamilyId family) const {
    if (family == no_id) return {Base::kind, Base::nothing, no_id, 0, game_.kind_count() - 1, 1, false};
    const Family& f = game_.families[family];
    return {Base::kind, Base::nothing, family, f.first_kind, f.first_kind + f.kind_count - 1, 1, false};
}

std::optional<std::int32_t> ExpressionBuilder::value_of(ExpressionId e) const {
    if (e == no_id || at(e).op != Operator::constant) return std::nullopt;
    return at(e).value();
}

ExpressionId ExpressionBuilder::constant(Type type, std::int32_t value, Span span) {
    if (type.base == Base::number) type.low = type.high = value;
    return emit(Operator::constant, type, span, no_id, no_id, no_id, value);
}

ExpressionId ExpressionBuilder::broken(Span span) { return emit(Operator::constant, Type{}, span); }

ExpressionId ExpressionBuilder::emit(Operator op, Type type, Span span, ExpressionId a, ExpressionId b, ExpressionId c,
                                     std::int32_t immediate) {
    if (game_.expressions.size() == expression_limit)
        report(Code::limit_passed, span, expression_limit + 1, Text::expressions, expression_limit);
    Extent extent;
    for (const ExpressionId part : {a, b, c}) {
        if (part == no_id) continue;
        const Extent& of = extents_[part];
        extent.size = std::min(extent.size + of.size, size_limit + 1);
        extent.depth = std::max<std::uint16_t>(extent.depth, of.depth + 1);
    }
    if (extent.size > size_limit || extent.depth > depth_limit) {
        if (extent.depth > depth_limit)
            report(Code::nested_too_deep, span, depth_limit).help = Text::name_parts_or_loop;
        else
            report(Code::limit_passed, span, extent.size, Text::expressions, size_limit).help = Text::let_instead_of_twice;
        op = Operator::constant;
        type = {};
        a = b = c = no_id;
        immediate = 0;
        extent = {};
    }
    extents_.push_back(extent);
    return game_.expressions.add({op, type, a, b, c, immediate, span});
}

bool ExpressionBuilder::same(ExpressionId a, ExpressionId b) const {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Expression& x = at(a);
    const Expression& y = at(b);
    const bool alike = x.type.base == y.type.base && x.type.element == y.type.element && x.type.of == y.type.of;
    if (x.a == no_id && !alike) return false;  // P2 and the number 1 are kept as the same number
    return x.op == y.op && x.immediate == y.immediate && same(x.a, y.a) && same(x.b, y.b) && same(x.c, y.c);
}

ExpressionId ExpressionBuilder::negate(ExpressionId e, Span span) {
    if (is_broken(e)) return e;
    if (auto v = value_of(e)) return truth_constant(*v == 0, span);
    if (at(e).op == Operator::negate) return at(e).a;
    return emit(Operator::negate, truth_type(), span, e);
}

ExpressionId ExpressionBuilder::both(ExpressionId a, ExpressionId b, Span span) {
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (auto v = value_of(a)) return *v != 0 ? b : a;
    return emit(Operator::both, truth_type(), span, a, b);
}

ExpressionId ExpressionBuilder::either(ExpressionId a, ExpressionId b, Span span) {
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (auto v = value_of(a)) return *v != 0 ? a : b;
    return emit(Operator::either, truth_type(), span, a, b);
}

}  // namespace houserule
