// Ranges of numbers as sets, and what is constant although it is written as more than one word.
#include "dsl/expressions/expression_reader.hpp"
#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/meaning/numbers.hpp"
#include "dsl/meaning/operators.hpp"
#include "dsl/meaning/operators_of_many.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace houserule {

namespace {

constexpr std::int64_t range_limit = 256;  // numbers of a range that is a set: as many as sets of numbers have room for

// Whether the operator reads nothing but its operands and tables, and has a number or a set of elements as its value.
bool reads_no_state(Operator op) {
    switch (op) {
        case Operator::constant:
        case Operator::bound:
        case Operator::both:
        case Operator::either:
        case Operator::negate:
        case Operator::equal:
        case Operator::less:
        case Operator::less_equal:
        case Operator::add:
        case Operator::subtract:
        case Operator::multiply:
        case Operator::distance:
        case Operator::larger:
        case Operator::smaller:
        case Operator::quotient:
        case Operator::remainder:
        case Operator::conditional:
        case Operator::lookup:
        case Operator::neighbour:
        case Operator::size_of_set:
        case Operator::sum_over:
        case Operator::largest_over:
        case Operator::smallest_over:
        case Operator::exists:
        case Operator::the_element:
        case Operator::has_element:
        case Operator::same_set:
        case Operator::set_constant:
        case Operator::set_single:
        case Operator::set_lookup:
        case Operator::set_join:
        case Operator::set_minus:
        case Operator::set_where:
        case Operator::set_most:
        case Operator::set_least:
        case Operator::set_or_if_none:
        case Operator::set_conditional:
            return true;
        default:
            return false;
    }
}

}  // namespace

ExpressionId ExpressionReader::folded(ExpressionId e) {
    if (is_broken(e) || value_of(e) || at(e).op == Operator::set_constant) return e;
    const Type t = type(e);
    if (t.base != Base::truth && t.base != Base::number && t.base != Base::enumeration && t.base != Base::set) return e;
    const auto unsure = [&](const Expression& x) {
        // An element that is a card lies somewhere.
        return !reads_no_state(x.op) || x.type.base == Base::card || x.type.base == Base::nothing;
    };
    if (any_read(game_, e, unsure)) return e;
    Numbers numbers;
    PlainState<Numbers> state;
    state.bounds.assign(game_.bounds, Card<Numbers>{-1, -1});
    Evaluator<Numbers> evaluator(numbers, game_, state);
    const Span span = at(e).span;
    if (t.base != Base::set) {
        const std::int32_t value = evaluator.scalar(e);
        return numbers.broken().empty() ? constant(t, value, span) : e;
    }
    const Set<Numbers> set = evaluator.set(e);
    if (!numbers.broken().empty()) return e;
    std::vector<std::int32_t> elements;
    for (Value v = set.first; v < set.end(); ++v)
        if (set.has[v - set.first]) elements.push_back(v);
    game_.sets.push_back(std::move(elements));
    return emit(Operator::set_constant, t, span, no_id, no_id, no_id, last_set());
}

ExpressionId ExpressionReader::at_most(ExpressionId a, ExpressionId b, Span span) {
    scale_together(a, b);
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (auto u = value_of(a), v = value_of(b); u && v) return truth_constant(*u <= *v, span);
    return emit(Operator::less_equal, truth_type(), span, a, b);
}

ExpressionId ExpressionReader::range_end(const Node& node) {
    if (node.kind == Kind::players) return number(node);
    const ExpressionId e = expression(node);
    if (!is_broken(e) && is_of_many(type(e))) {
        report(Code::wrong_type, node.span, Text::a_number, describe(type(e))).help = Text::range_in_brackets;
        return broken(node.span);
    }
    return as_number(e);
}

ExpressionId ExpressionReader::within(ExpressionId number, const Node& range, Span span) {
    const auto ends = whole_range(range);
    if (!ends || is_broken(number)) return broken(span);
    if (type(number).base != Base::number) {
        wrong_type(number, Text::a_number);
        return broken(span);
    }
    // None is in no range, and neither is what lies between two whole numbers.
    const Type t = type(number);
    const ExpressionId some = t.or_none ? negate(equal(number, none_constant(t, span), span), span) : truth_constant(true, span);
    const ExpressionId x = somebody(number);
    const ExpressionId inside = both(at_most(ends->first, x, span), at_most(x, ends->second, span), span);
    if (t.scale == 1) return both(some, inside, span);
    const ExpressionId part = emit(Operator::remainder, number_type(0, t.scale - 1, t.scale), span, x,
                                   constant(number_type(t.scale, t.scale, t.scale), t.scale, span));
    const ExpressionId whole = emit(Operator::equal, truth_type(), span, part, constant(number_type(0, 0, t.scale), 0, span));
    return both(some, both(whole, inside, span), span);
}

std::optional<std::pair<ExpressionId, ExpressionId>> ExpressionReader::whole_range(const Node& range) {
    ExpressionId low = range_end(*range.children[0]);
    ExpressionId high = range_end(*range.children[1]);
    if (is_broken(low) || is_broken(high)) return std::nullopt;
    if (report_falling(*range.children[0], *range.children[1], range.span, Text::a_range) != nullptr) return std::nullopt;
    scale_together(low, high);
    if (is_broken(low) || is_broken(high)) return std::nullopt;
    if (const std::int32_t scale = type(low).scale; scale != 1) {
        const std::string text(fmt::format("{}..{}", range.children[0]->text, range.children[1]->text));
        report(Code::out_of_range, range.span, Text::a_range, Text::whole_number, Text::finer_number).help =
            Text::range_in_steps(text.size() > 2 ? text : "0..2", value_name(game_, number_type(1, 1, scale), 1));
        return std::nullopt;
    }
    return std::pair(low, high);
}

// Where an end is not known before the game, those that lie between the ends among all that may.
ExpressionId ExpressionReader::range(const Node& node) {
    std::int32_t scale = 1;
    ExpressionId low = no_id;
    ExpressionId high = no_id;
    if (const Node* by = child(node, Kind::by)) {
        scale = parts_of_one(*by);
        low = range_end(*node.children[0]);
        high = range_end(*node.children[1]);
        if (scale == 0 || is_broken(low) || is_broken(high)) return broken(node.span);
        if (report_falling(*node.children[0], *node.children[1], node.span, Text::a_range) != nullptr) return broken(node.span);
        low = scaled(low, scale);
        high = scaled(high, scale);
    } else if (const auto ends = whole_range(node)) {
        std::tie(low, high) = *ends;
    }
    if (is_broken(low) || is_broken(high)) return broken(node.span);
    const std::int32_t first = type(low).low;
    const std::int32_t last = type(high).high;
    const auto name = [&](std::int32_t number) { return value_name(game_, number_type(number, number, scale), number); };
    if (std::int64_t{last} - first + 1 > range_limit) {
        report(Code::limit_passed, node.span, std::int64_t{last} - first + 1, Text::numbers_of_sets(name(first), name(last)), range_limit)
            .help = Text::choose_from_range(name(first), name(last));
        return broken(node.span);
    }
    std::vector<std::int32_t> all(std::max<std::int64_t>(0, std::int64_t{last} - first + 1));
    std::iota(all.begin(), all.end(), first);
    const bool none = all.empty();
    game_.sets.push_back(std::move(all));
    const Type element = number_type(first, none ? first : last, scale);
    const ExpressionId hull = emit(Operator::set_constant, set_of(element), node.span, no_id, no_id, no_id, last_set());
    if (none || (value_of(low) && value_of(high))) return hull;
    const auto [bound, it] = new_bound(element, node.span);
    const ExpressionId between = both(value_of(low) ? truth_constant(true, node.span) : at_most(low, it, node.span),
                                      value_of(high) ? truth_constant(true, node.span) : at_most(it, high, node.span), node.span);
    return emit(Operator::set_where, type(hull), node.span, hull, between, no_id, bound);
}

// `{1..3, 7}`
ExpressionId ExpressionReader::set_with_ranges(const Node& node) {
    ExpressionId result = no_id;
    Type element;
    for (const Node* c : node.children) {
        ExpressionId part = c->kind == Kind::e_range ? range(*c) : set_element(*c, element);
        if (is_broken(part)) return broken(node.span);
        if (c->kind == Kind::e_range && element.base == Base::nothing) element = number_type(0, 0, type(part).scale);
        if (c->kind == Kind::e_range && element.base != Base::number) {
            report(Code::different_types, c->span, describe(element), describe(type(part)));
            return broken(node.span);
        }
        if (!is_of_many(type(part))) part = emit(Operator::set_single, set_of(type(part)), c->span, part);
        result = result == no_id ? part : join(folded(result), folded(part), node.span);
        if (is_broken(result)) return result;
    }
    return folded(result);
}

}  // namespace houserule
