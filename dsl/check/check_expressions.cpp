#include "dsl/check/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace houserule {

namespace {

constexpr std::size_t expression_limit = 200'000;   // defines that unfold into more than this are a mistake
constexpr std::uint32_t size_limit = 1'000'000;     // of one expression, when a part that is used twice counts twice: it is read that often
constexpr std::uint16_t depth_limit = 2000;         // of one expression: whoever reads it recurses
constexpr int reading_limit = 1000;                 // defines in defines, nested text counted: the checker recurses
constexpr std::int64_t scale_limit = 1'000'000;     // parts of one: six digits after the point
constexpr std::int64_t number_limit = 999'999'999;  // sums and products of such numbers are still exact

bool is_scalar(Base base) {
    switch (base) {
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::card:
        case Base::place:
            return true;
        case Base::nothing:
        case Base::cards:
        case Base::set:
            return false;
    }
    return false;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

}  // namespace

// --- small ones

Type Checker::number_type(std::int64_t low, std::int64_t high, std::int32_t scale) const {
    const auto clamp = [](std::int64_t v) {
        return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(v, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    };
    return {Base::number, Base::nothing, no_id, clamp(low), clamp(high), scale, false};
}

// As `number_type`, of a number that is computed: reported when it can become too large for exact arithmetic.
Type Checker::number_range(std::int64_t low, std::int64_t high, std::int32_t scale, Span span) {
    if (low >= -number_limit && high <= number_limit) return number_type(low, high, scale);
    report(Code::too_large, span, (high > number_limit ? high : low) / scale, number_limit / scale);
    return number_type(std::clamp(low, -number_limit, number_limit), std::clamp(high, -number_limit, number_limit), scale);
}

Type Checker::set_of(const Type& element) const {
    Type t = element;
    t.element = element.base;
    t.base = Base::set;
    t.or_none = false;
    return t;
}

Type Checker::kind_type(FamilyId family) const {
    if (family == no_id) return {Base::kind, Base::nothing, no_id, 0, game_.kind_count() - 1, 1, false};
    const Family& f = game_.families[family];
    return {Base::kind, Base::nothing, family, f.first_kind, f.first_kind + f.kind_count - 1, 1, false};
}

std::optional<std::int32_t> Checker::value_of(ExpressionId e) const {
    if (e == no_id || at(e).op != Operator::constant) return std::nullopt;
    return at(e).imm;
}

ExpressionId Checker::constant(Type type, std::int32_t value, Span span) {
    if (type.base == Base::number) type.low = type.high = value;
    return emit(Operator::constant, type, span, no_id, no_id, no_id, value);
}

ExpressionId Checker::broken(Span span) { return emit(Operator::constant, Type{}, span); }

ExpressionId Checker::emit(Operator op, Type type, Span span, ExpressionId a, ExpressionId b, ExpressionId c, std::int32_t imm) {
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
        imm = 0;
        extent = {};
    }
    extents_.push_back(extent);
    return game_.expressions.add({op, type, a, b, c, imm, span});
}

bool Checker::same(ExpressionId a, ExpressionId b) const {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Expression& x = at(a);
    const Expression& y = at(b);
    return x.op == y.op && x.imm == y.imm && same(x.a, y.a) && same(x.b, y.b) && same(x.c, y.c);
}

Phrase Checker::describe(const Type& t) const {
    switch (t.base) {
        case Base::nothing:
            return Text::is_nothing;
        case Base::truth:
            return Text::yes_or_no;
        case Base::number:
            if (t.low == t.high) return t.low;
            return t.scale == 1 ? Text::number_from_to(t.low, t.high) : Text::a_number;
        case Base::enumeration:
            return t.of == no_id ? Text::a_value : Text::value_of_enum(game_.enums[t.of].name);
        case Base::player:
            return Text::a_player;
        case Base::kind:
            return t.of == no_id ? Text::a_kind_of_card : Text::kind_of_family(game_.families[t.of].name);
        case Base::card:
            return t.of == no_id ? Text::a_card : Text::card_of_family(game_.families[t.of].name);
        case Base::place:
            return Text::a_zone;
        case Base::cards:
            return Text::cards;
        case Base::set: {
            Type element = t;
            element.base = t.element;
            if (t.element == Base::player) return Text::a_set_of_players;
            return t.element == Base::nothing ? Text::a_set : Text::set_of(describe(element));
        }
    }
    return {};
}

void Checker::wrong_type(ExpressionId e, const Phrase& wanted) {
    if (!is_broken(e)) report(Code::wrong_type, at(e).span, wanted, describe(type(e)));
}

bool Checker::element_of(ExpressionId set, Type& element) const {
    const Type& t = type(set);
    if (t.base == Base::cards) {
        element = card_type(t.of);
        return true;
    }
    if (t.base != Base::set) return false;
    element = t;
    element.base = t.element;
    element.element = Base::nothing;
    return true;
}

// --- conversions

ExpressionId Checker::as_truth(ExpressionId e) {
    if (!is_broken(e) && type(e).base != Base::truth) {
        wrong_type(e, Text::yes_or_no);
        return broken(at(e).span);
    }
    return e;
}

ExpressionId Checker::as_number(ExpressionId e, const Node* node) {
    if (node != nullptr && node->kind == Kind::players) return constant(number_type(0, 0), game_.players, node->span);
    if (!is_broken(e) && type(e).base != Base::number) {
        wrong_type(e, Text::a_number);
        return broken(at(e).span);
    }
    return e;
}

ExpressionId Checker::as_card(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::card) return e;
    const Span span = at(e).span;
    if (type(e).base != Base::cards) {
        wrong_type(e, Text::a_card);
        return broken(span);
    }
    const Expression& x = at(e);
    if (x.op == Operator::cards_at && at(x.a).op == Operator::place) {
        const Zone& zone = game_.zones[at(x.a).named()];
        if (zone.shape != Shape::one && zone.capacity != 1) {
            report(Code::several_fit, span, zone.name).help = Text::say_which_card;
        }
    } else if (x.op != Operator::cards_conditional) {
        report(Code::wrong_type, span, Text::a_card, Text::cards).help = Text::the_when_one;
    }
    return emit(Operator::the_card, card_type(type(e).of), span, e);
}

ExpressionId Checker::as_kind(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::kind) return e;
    const ExpressionId card = as_card(e);
    if (is_broken(card)) return card;
    return emit(Operator::kind_of, kind_type(type(card).of), at(e).span, card);
}

ExpressionId Checker::as_cards(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::cards) return e;
    if (type(e).base == Base::card) return emit(Operator::cards_single, cards_type(type(e).of), at(e).span, e);
    if (type(e).base == Base::set && at(e).op == Operator::set_constant && type(e).element == Base::nothing)
        return emit(Operator::cards_none, cards_type(no_id), at(e).span);
    wrong_type(e, Text::cards);
    return broken(at(e).span);
}

ExpressionId Checker::as_place(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::place) return e;
    const Expression x = at(e);
    if (x.op == Operator::cards_at) return x.a;
    if (x.op == Operator::the_card && at(x.a).op == Operator::cards_at) return at(x.a).a;
    if (x.op == Operator::cards_conditional) {
        const ExpressionId then = as_place(x.b);
        const ExpressionId otherwise = as_place(x.c);
        if (is_broken(then) || is_broken(otherwise)) return broken(x.span);
        return emit(Operator::conditional, {Base::place, Base::nothing, no_id, 0, game_.places - 1, 1, false}, x.span, x.a, then,
                    otherwise);
    }
    report(Code::not_a_zone, x.span);
    return broken(x.span);
}

ExpressionId Checker::as_set(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::set) return e;
    wrong_type(e, Text::a_set);
    return broken(at(e).span);
}

ExpressionId Checker::empty_set_of(const Type& t, Span span) {
    game_.sets.emplace_back();
    Type type = t;
    type.base = Base::set;
    return emit(Operator::set_constant, type, span, no_id, no_id, no_id, last_set());
}

ExpressionId Checker::as_type(ExpressionId e, const Type& want, const Phrase& what) {
    if (is_broken(e) || want.base == Base::nothing) return e;
    const Span span = at(e).span;
    const auto family_fits = [&](FamilyId given) { return want.of == no_id || given == no_id || given == want.of; };
    switch (want.base) {
        case Base::kind:
            if (want.or_none && value_of(e) == -1) return constant(want, -1, span);
            e = as_kind(e);
            if (!is_broken(e) && !family_fits(type(e).of)) wrong_type(e, describe(want));
            return e;
        case Base::card:
            if (type(e).base == Base::kind) return e;  // a define may be asked about a kind
            e = as_card(e);
            if (!is_broken(e) && !family_fits(type(e).of)) wrong_type(e, describe(want));
            return e;
        case Base::cards:
            return as_cards(e);
        case Base::set:
            e = as_set(e);
            if (is_broken(e)) return e;
            if (type(e).element == Base::nothing) return empty_set_of(want, span);
            if (type(e).element != want.element || (want.of != no_id && type(e).of != want.of)) wrong_type(e, describe(want));
            return e;
        case Base::number: {
            e = as_number(e);
            if (is_broken(e)) return e;
            e = scaled(e, want.scale);
            const Type& t = type(e);
            if (t.low > want.high || t.high < want.low) report(Code::out_of_range, span, what, describe(want), describe(t));
            return e;
        }
        case Base::truth:
            return as_truth(e);
        case Base::enumeration:
        case Base::player:
            if (want.or_none && value_of(e) == -1) return constant(want, -1, span);
            if (type(e).base != want.base || (want.of != no_id && type(e).of != want.of)) {
                wrong_type(e, describe(want));
                return broken(span);
            }
            return e;
        case Base::place:
            return as_place(e);
        case Base::nothing:
            return e;
    }
    return e;
}

ExpressionId Checker::scaled(ExpressionId e, std::int32_t scale) {
    if (is_broken(e) || type(e).scale == scale) return e;
    const Type t = type(e);
    const std::int32_t by = scale / std::max(1, t.scale);
    if (by == 0 || t.scale * by != scale) {
        report(Code::out_of_range, at(e).span, Text::this_value, Text::coarser_steps, Text::finer_number);
        return e;
    }
    const Type wide = number_range(std::int64_t{t.low} * by, std::int64_t{t.high} * by, scale, at(e).span);
    if (auto v = value_of(e)) return constant(wide, wide.low, at(e).span);
    return emit(Operator::multiply, wide, at(e).span, e, constant(number_type(by, by), by, at(e).span));
}

void Checker::scale_together(ExpressionId& a, ExpressionId& b) {
    if (is_broken(a) || is_broken(b) || type(a).scale == type(b).scale) return;
    const std::int32_t both = std::lcm(type(a).scale, type(b).scale);
    a = scaled(a, both);
    b = scaled(b, both);
}

// --- typed readings of nodes

ExpressionId Checker::expression(const Node& node) {
    if (reading_ >= reading_limit) {
        report(Code::nested_too_deep, node.span, reading_limit);
        return broken(node.span);
    }
    ++reading_;
    const ExpressionId e = expression_inner(node);
    --reading_;
    return e;
}
ExpressionId Checker::truth(const Node& node) { return as_truth(expression(node)); }
ExpressionId Checker::number(const Node& node) {
    return node.kind == Kind::players ? as_number(no_id, &node) : as_number(expression(node));
}
ExpressionId Checker::player(const Node& node) {
    const ExpressionId e = expression(node);
    if (is_broken(e) || type(e).base == Base::player) return e;
    if (type(e).base == Base::set && type(e).element == Base::player) {
        report(Code::wrong_type, node.span, Text::a_player, describe(type(e))).help = Text::each_or_the;
        return broken(node.span);
    }
    wrong_type(e, Text::a_player);
    return broken(node.span);
}
ExpressionId Checker::players(const Node& node) {
    const ExpressionId e = expression(node);
    if (is_broken(e) || (type(e).base == Base::set && (type(e).element == Base::player || type(e).element == Base::nothing))) return e;
    if (type(e).base == Base::player) return emit(Operator::set_single, set_of(player_type()), node.span, e);
    wrong_type(e, Text::a_set_of_players);
    return broken(node.span);
}
ExpressionId Checker::cards(const Node& node) { return as_cards(expression(node)); }
ExpressionId Checker::place(const Node& node) { return as_place(expression(node)); }

ExpressionId Checker::expression_inner(const Node& node) {
    switch (node.kind) {
        case Kind::name:
            return name_expression(node);
        case Kind::number: {
            const auto dot = node.text.find('.');
            if (dot == std::string::npos) {
                const long long v = node.text.size() > 9 ? 1'000'000'000LL : std::stoll(node.text);
                if (node.text.size() > 9)
                    report(Code::too_large, node.span, node.text.substr(0, 20) + (node.text.size() > 20 ? "…" : ""), number_limit);
                return constant(number_type(v, v), static_cast<std::int32_t>(v), node.span);
            }
            std::int32_t scale = 1;
            for (std::size_t i = dot + 1; i < node.text.size() && scale < 1000; ++i) scale *= 10;
            std::string digits = node.text.substr(0, dot) + node.text.substr(dot + 1, 3);
            if (digits.size() > 9)
                report(Code::too_large, node.span, node.text.substr(0, 20) + (node.text.size() > 20 ? "…" : ""), number_limit / scale);
            std::int32_t v = digits.size() > 9 ? 0 : static_cast<std::int32_t>(std::stol(digits));
            while (scale % 5 == 0 && v % 5 == 0) v /= 5, scale /= 5;
            while (scale % 2 == 0 && v % 2 == 0) v /= 2, scale /= 2;
            return constant(number_type(v, v, scale), v, node.span);
        }
        case Kind::seat: {
            const int seat = std::stoi(node.text.substr(1)) - 1;
            if (seat >= game_.players) {
                report(Code::unknown_name, node.span, node.text).help = Text::seats_are(game_.players);
                return broken(node.span);
            }
            return constant(player_type(), seat, node.span);
        }
        case Kind::yes:
            return truth_constant(true, node.span);
        case Kind::no:
            return truth_constant(false, node.span);
        case Kind::nobody: {
            Type t = player_type();
            t.or_none = true;
            return constant(t, -1, node.span);
        }
        case Kind::none: {
            Type t{Base::enumeration, Base::nothing, no_id, -1, -1, 1, true};
            return constant(t, -1, node.span);
        }
        case Kind::players: {
            std::vector<std::int32_t> all;
            for (std::int32_t p = 0; p < game_.players; ++p) all.push_back(p);
            game_.sets.push_back(std::move(all));
            return emit(Operator::set_constant, set_of(player_type()), node.span, no_id, no_id, no_id, last_set());
        }
        case Kind::it: {
            if (const Local* local = find_local("it")) return local->expression;
            report(Code::only_in, node.span, verbatim("`it`"), verbatim("`where`, `with most`, `sum of`"));
            return broken(node.span);
        }
        case Kind::e_or:
        case Kind::e_and: {
            const bool is_or = node.kind == Kind::e_or;
            ExpressionId result = no_id;
            for (const Node* c : node.children) {
                if (c->kind == (is_or ? Kind::e_and : Kind::e_or)) {
                    report(Code::mixed_and_or, c->span).help = Text::put_brackets;
                }
                const ExpressionId next = truth(*c);
                result = result == no_id ? next : is_or ? either(result, next, node.span) : both(result, next, node.span);
            }
            return result;
        }
        case Kind::e_not:
            return negate(truth(*node.children[0]), node.span);
        case Kind::e_compare:
            return compare(node);
        case Kind::e_in:
            return membership(node, true);
        case Kind::e_not_in:
            return negate(membership(node, false), node.span);
        case Kind::e_empty:
            return empty(node, true);
        case Kind::e_not_empty:
            return negate(empty(node, true), node.span);
        case Kind::e_is_a:
            return is_family(node, true);
        case Kind::e_is_not_a:
            return negate(is_family(node, true), node.span);
        case Kind::e_where:
            return where(node);
        case Kind::e_with:
            return with_most(node);
        case Kind::e_or_if_none:
            return or_if_none(node);
        case Kind::e_sum:
            return sum(node);
        case Kind::e_product:
            return product(node);
        case Kind::e_minus: {
            const ExpressionId e = number(*node.children[0]);
            if (is_broken(e)) return e;
            const Type t = type(e);
            if (auto v = value_of(e)) return constant(number_type(0, 0, t.scale), -*v, node.span);
            return emit(Operator::subtract, number_type(-std::int64_t{t.high}, -std::int64_t{t.low}, t.scale), node.span,
                        constant(number_type(0, 0, t.scale), 0, node.span), e);
        }
        case Kind::e_but:
            return but(node);
        case Kind::e_possessive:
            return possessive(node);
        case Kind::e_of:
            return of_expression(node);
        case Kind::e_every:
            return every(node);
        case Kind::e_call:
            return call_expression(node);
        case Kind::e_the:
            return the(node);
        case Kind::e_some:
            return quantifier(node, true);
        case Kind::e_no:
            return negate(quantifier(node, true), node.span);
        case Kind::e_size: {
            if (node.children[0]->kind == Kind::players) return number(*node.children[0]);
            const ExpressionId s = expression(*node.children[0]);
            if (is_broken(s)) return s;
            if (type(s).base == Base::card) return constant(number_type(1, 1), 1, node.span);
            if (type(s).base == Base::cards)
                return emit(Operator::size_of_cards, number_type(0, static_cast<std::int64_t>(game_.piece_kind.size())), node.span, s);
            const ExpressionId set = as_set(s);
            if (is_broken(set)) return set;
            const Type t = type(set);
            return emit(Operator::size_of_set, number_type(0, std::max<std::int64_t>(0, std::int64_t{t.high} - t.low + 1)), node.span, set);
        }
        case Kind::e_total:
            return total_over(node);
        case Kind::e_groups:
            return groups(node);
        case Kind::e_kinds: {
            const Node& what = *node.children[0];
            if (what.kind == Kind::name && find_local(what.text) == nullptr) {
                const auto m = globals_.find(what.text);
                if (m != globals_.end() && m->second.what == Meaning::family) {
                    used_.insert(what.text);
                    const Family& f = game_.families[m->second.id];
                    std::vector<std::int32_t> all;
                    for (KindId k = 0; k < f.kind_count; ++k) all.push_back(f.first_kind + k);
                    game_.sets.push_back(std::move(all));
                    return emit(Operator::set_constant, set_of(kind_type(m->second.id)), node.span, no_id, no_id, no_id, last_set());
                }
            }
            const ExpressionId s = cards(what);
            return is_broken(s) ? s : emit(Operator::set_kinds, set_of(kind_type(type(s).of)), node.span, s);
        }
        case Kind::e_first:
        case Kind::e_last: {
            const ExpressionId s = cards(*node.children[0]);
            const ExpressionId p = as_place(s);
            if (is_broken(p)) return p;
            return emit(node.kind == Kind::e_first ? Operator::first_card : Operator::last_card, card_type(type(s).of), node.span, p);
        }
        case Kind::e_any: {
            const ExpressionId n = number(*node.children[0]);
            const ExpressionId s = cards(*node.children[1]);
            if (is_broken(n) || is_broken(s)) return broken(node.span);
            return emit(Operator::cards_any, cards_type(type(s).of), node.span, s, n);
        }
        case Kind::e_next: {
            const ExpressionId p = player(*node.children[1]);
            const ExpressionId s = players(*node.children[2]);
            if (is_broken(p) || is_broken(s)) return broken(node.span);
            const bool after = (node.children[0]->text == "after") == game_.clockwise;
            return emit(Operator::next_in, player_type(), node.span, p, s, no_id, after ? 1 : -1);
        }
        case Kind::e_all:
            return all_cards(node);
        case Kind::e_card:
            return card_literal(node);
        case Kind::e_set:
            return set_literal(node);
        case Kind::e_if: {
            if (node.children.size() == 1) return expression(*node.children[0]);  // brackets
            const ExpressionId c = truth(*node.children[1]);
            const auto known = value_of(c);
            // A branch that the options rule out is not read: it may speak of what this variant does not have.
            if (known) return expression(*node.children[*known != 0 ? 0 : 2]);
            const ExpressionId then = expression(*node.children[0]);
            const ExpressionId otherwise = expression(*node.children[2]);
            return conditional(c, then, otherwise, node.span);
        }
        case Kind::e_cases:
            return cases_expression(node, false);
        case Kind::e_cases_of:
            return cases_expression(node, true);
        case Kind::e_reading:
            return reading_expression(node);
        case Kind::e_range:
            report(Code::misplaced, node.span, Text::range_after_from);
            return broken(node.span);
        case Kind::e_yes_no:
            report(Code::misplaced, node.span, Text::yes_no_is_a_type);
            return broken(node.span);
        default:
            break;
    }
    report(Code::misplaced, node.span, std::string(kind_name(node.kind)));
    return broken(node.span);
}

// --- names

ExpressionId Checker::name_expression(const Node& node) {
    if (const Local* local = find_local(node.text)) {
        if (local->perhaps) report(Code::perhaps_nothing, node.span, node.text).help = Text::leave_or_say_both;
        // Said again with the place where it is used, so that an error points there.
        const Expression x = at(local->expression);
        const bool plain = x.op == Operator::variable || x.op == Operator::cards_variable || x.op == Operator::set_variable;
        return plain ? emit(x.op, x.type, node.span, no_id, no_id, no_id, x.imm) : local->expression;
    }
    const auto m = globals_.find(node.text);
    if (m == globals_.end()) {
        unknown_name(node);
        return broken(node.span);
    }
    used_.insert(node.text);
    return global(m->second, node, node.text);
}

// What a name without a value is.
static Phrase no_value(Meaning::What what) {
    switch (what) {
        case Meaning::rule:
            return Text::is_a_rule;
        case Meaning::act:
            return Text::is_an_act;
        case Meaning::end:
            return Text::is_an_end;
        case Meaning::match:
            return Text::is_a_match;
        case Meaning::game:
            return Text::is_the_game;
        case Meaning::word:
            return Text::is_a_said_word;
        default:
            return {};
    }
}

ExpressionId Checker::global(const Meaning& m, const Node& node, const std::string& name) {
    switch (m.what) {
        case Meaning::zone:
        case Meaning::fact:
            return indexed(m, no_id, node.span, name);
        case Meaning::define:
            return call_define(*m.node, {}, node);
        case Meaning::enumeration: {
            std::vector<std::int32_t> all;
            for (std::size_t v = 0; v < game_.enums[m.id].values.size(); ++v) all.push_back(v);
            game_.sets.push_back(std::move(all));
            return emit(Operator::set_constant, set_of(m.type), node.span, no_id, no_id, no_id, last_set());
        }
        case Meaning::value:
        case Meaning::number:
        case Meaning::kind:
        case Meaning::option:
            return constant(m.type, m.amount, node.span);
        case Meaning::family: {
            const Family& f = game_.families[m.id];
            if (f.kind_count == 1 && f.fields.empty()) return constant(kind_type(m.id), f.first_kind, node.span);
            report(Code::wrong_use, node.span, name, Text::is_a_family).help = Text::ask_of_family(name);
            return broken(node.span);
        }
        case Meaning::rule:
        case Meaning::act:
        case Meaning::end:
        case Meaning::match:
        case Meaning::game:
        case Meaning::word:
            break;
    }
    report(Code::wrong_use, node.span, name, no_value(m.what));
    return broken(node.span);
}

ExpressionId Checker::indexed(const Meaning& m, ExpressionId index, Span span, const std::string& name) {
    const bool zone = m.what == Meaning::zone;
    const IndexBy by = zone ? game_.zones[m.id].by : game_.facts[m.id].by;
    const EnumId index_enum = zone ? game_.zones[m.id].index_enum : game_.facts[m.id].index_enum;
    if (by == IndexBy::nothing && index != no_id) {
        report(Code::wrong_use, span, name, Text::one_for_table);
        return broken(span);
    }
    if (by != IndexBy::nothing && index == no_id) {
        const bool of_player = by == IndexBy::player;
        report(Code::wrong_use, span, name, of_player ? Text::one_for_each_player : Text::one_for_each_value).help =
            of_player ? Text::whose(name) : Text::which(name);
        return broken(span);
    }
    bool many = false;
    if (index != no_id) {
        const Type& t = type(index);
        const Base wanted = by == IndexBy::player ? Base::player : Base::enumeration;
        many = t.base == Base::set && t.element == wanted;
        const bool right_enum = by == IndexBy::player || t.of == index_enum;
        if ((!many && t.base != wanted) || !right_enum) {
            wrong_type(index, by == IndexBy::player ? Text::a_player : Text::value_of_enum(game_.enums[index_enum].name));
            return broken(span);
        }
    }
    if (!zone) {
        const Fact& f = game_.facts[m.id];
        if (many) {
            report(Code::wrong_use, span, name, Text::fact_needs_owner).help = Text::sum_or_where(name);
            return broken(span);
        }
        return emit(f.type.base == Base::set ? Operator::set_fact : Operator::fact, f.type, span, index, no_id, no_id, m.id);
    }
    const Zone& z = game_.zones[m.id];
    FamilyId family = no_id;
    for (const FamilyId f : z.families.ids())
        if (z.families[f]) family = std::count(z.families.begin(), z.families.end(), true) == 1 ? f : no_id;
    if (many) return emit(Operator::cards_of, cards_type(family), span, index, no_id, no_id, m.id);
    const ExpressionId p = emit(Operator::place, {Base::place, Base::nothing, no_id, z.first_place, z.first_place + z.places - 1, 1, false},
                                span, index, no_id, no_id, m.id);
    return emit(Operator::cards_at, cards_type(family), span, p);
}

ExpressionId Checker::call_define(const Node& define, const std::vector<ExpressionId>& args, const Node& use) {
    const std::string& name = define.children[0]->text;
    const Node* parameters = child(define, Kind::parameters);
    const std::size_t wanted = parameters ? parameters->children.size() : 0;
    if (wanted != args.size()) {
        report(Code::wrong_arguments, use.span, name, wanted, args.size());
        return broken(use.span);
    }
    if (std::find(defining_.begin(), defining_.end(), name) != defining_.end()) {
        if (!circular_.contains(name)) {
            std::string circle;
            for (auto d = std::find(defining_.begin(), defining_.end(), name); d != defining_.end(); ++d) {
                circle += fmt::format("`{}` → ", *d);
                circular_.insert(*d);
            }
            report(Code::calls_itself, define.children[0]->span, name).notes.emplace_back(fmt::format("{}`{}`", circle, name));
        }
        return broken(use.span);
    }
    if (game_.expressions.size() > expression_limit) return broken(use.span);
    std::vector<Local> locals;
    for (std::size_t i = 0; i < wanted; ++i) {
        std::size_t first = 0;
        const Type want = read_type(*parameters->children[i], first, "");
        Type loose = want;
        if (want.base == Base::kind) loose.base = Base::card;  // a card may stand for its kind
        locals.push_back({as_type(args[i], loose, parameters->children[i]->children.back()->text), no_id});
    }
    scopes_.emplace_back();
    scopes_.back().fence = true;
    for (std::size_t i = 0; i < wanted; ++i) scopes_.back().names[parameters->children[i]->children.back()->text] = locals[i];
    defining_.push_back(name);
    const int depth = std::exchange(it_depth_, 0);
    const ExpressionId result = expression(*define.children.back());
    it_depth_ = depth;
    defining_.pop_back();
    scopes_.pop_back();
    return result;
}

ExpressionId Checker::call_expression(const Node& node) {
    const Node& name = *node.children[0];
    std::vector<ExpressionId> args;
    for (const Node* a : node.children[1]->children) args.push_back(expression(*a));
    const auto m = globals_.find(name.text);
    if (m != globals_.end() && m->second.what == Meaning::define) {
        used_.insert(name.text);
        return call_define(*m->second.node, args, node);
    }
    struct Function {
        const char* name;
        Operator op;
    };
    static constexpr Function functions[] = {{"distance", Operator::distance},
                                             {"larger", Operator::larger},
                                             {"smaller", Operator::smaller},
                                             {"quotient", Operator::quotient},
                                             {"remainder", Operator::remainder}};
    for (const Function& f : functions) {
        if (name.text != f.name) continue;
        if (args.size() != 2) {
            report(Code::wrong_arguments, node.span, name.text, 2, args.size());
            return broken(node.span);
        }
        ExpressionId a = as_number(args[0], node.children[1]->children[0]);
        ExpressionId b = as_number(args[1], node.children[1]->children[1]);
        if (is_broken(a) || is_broken(b)) return broken(node.span);
        scale_together(a, b);
        const Type x = type(a);
        const Type y = type(b);
        if (f.op == Operator::distance) {
            const std::int64_t high = std::max(std::int64_t{x.high} - y.low, std::int64_t{y.high} - x.low);
            const bool overlap = x.low <= y.high && y.low <= x.high;
            const std::int64_t low = overlap ? 0 : std::max(std::int64_t{x.low} - y.high, std::int64_t{y.low} - x.high);
            return emit(f.op, number_type(low, high, x.scale), node.span, a, b);
        }
        if (f.op == Operator::larger)
            return emit(f.op, number_type(std::max(x.low, y.low), std::max(x.high, y.high), x.scale), node.span, a, b);
        if (f.op == Operator::smaller)
            return emit(f.op, number_type(std::min(x.low, y.low), std::min(x.high, y.high), x.scale), node.span, a, b);
        if (f.op == Operator::remainder) {
            if (auto u = value_of(a), v = value_of(b); u && v && *v > 0)
                return constant(number_type(0, 0, x.scale), static_cast<std::int32_t>(*u - floor_divide(*u, *v) * *v), node.span);
            return emit(f.op, number_type(0, std::max(0, y.high - 1), x.scale), node.span, a, b);
        }
        if (auto u = value_of(a), v = value_of(b); u && v && *v > 0)
            return constant(number_type(0, 0), static_cast<std::int32_t>(floor_divide(*u, *v)), node.span);
        const std::int32_t d = std::max(1, y.low);
        return emit(f.op,
                    number_type(std::min(floor_divide(x.low, d), floor_divide(x.low, std::max(1, y.high))),
                                std::max(floor_divide(x.high, d), floor_divide(x.high, std::max(1, y.high)))),
                    node.span, a, b);
    }
    if (m != globals_.end() && m->second.what == Meaning::rule) {
        report(Code::wrong_use, name.span, name.text, Text::is_rule_without_value).help = Text::define_gives_values;
    } else if (m != globals_.end()) {
        report(Code::wrong_use, name.span, name.text, Text::not_with_brackets);
    } else {
        unknown_name(name, {"distance", "larger", "smaller", "quotient", "remainder"});
    }
    return broken(node.span);
}

// --- members

ExpressionId Checker::possessive(const Node& node) {
    const ExpressionId of = expression(*node.children[0]);
    if (is_broken(of)) return broken(node.span);
    return member(of, *node.children[1], node.span);
}

ExpressionId Checker::member(ExpressionId of, const Node& name, Span span) {
    const Type t = type(of);
    const bool some_players = t.base == Base::set && t.element == Base::player;
    if (t.base == Base::player || some_players) return member_of_player(of, name, span);
    if (t.base == Base::card || t.base == Base::kind || t.base == Base::cards) return field_of(of, name, span);
    const auto m = globals_.find(name.text);
    if (t.base == Base::enumeration && m != globals_.end()) {
        used_.insert(name.text);
        if (m->second.what == Meaning::zone || m->second.what == Meaning::fact) return indexed(m->second, of, span, name.text);
        if (m->second.what == Meaning::define) {
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {of}, at);
        }
    }
    report(Code::unknown_member, name.span, name.text, describe(t));
    return broken(span);
}

ExpressionId Checker::member_of_player(ExpressionId player, const Node& name, Span span) {
    const auto m = globals_.find(name.text);
    if (m != globals_.end()) {
        used_.insert(name.text);
        if (m->second.what == Meaning::zone || m->second.what == Meaning::fact) return indexed(m->second, player, span, name.text);
        if (m->second.what == Meaning::define) {
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {player}, at);
        }
    }
    const int n = game_.players;
    const auto neighbour = [&](int offset) {
        return emit(Operator::neighbour, player_type(), span, player, no_id, no_id, ((offset % n) + n) % n);
    };
    if (type(player).base == Base::player) {
        // Sitting in a circle, the player on the left is the next one clockwise, whichever way the turns go.
        if (name.text == "left") return neighbour(1);
        if (name.text == "right") return neighbour(n - 1);
        if (name.text == "across") {
            if (n % 2 != 0) report(Code::wrong_use, name.span, verbatim("across"), Text::nobody_across(n));
            return neighbour(n / 2);
        }
        if (name.text == "team" || name.text == "partner") {
            if (game_.team.empty()) {
                report(Code::missing_declaration, name.span, verbatim("in teams"));
                return broken(span);
            }
            std::vector<std::int32_t> table;
            for (int p = 0; p < n; ++p) {
                std::int32_t value = game_.team[p] + 1;
                if (name.text == "partner") {
                    value = -1;
                    for (int q = 0; q < n; ++q)
                        if (q != p && game_.team[q] == game_.team[p]) value = q;
                }
                table.push_back(value);
            }
            game_.tables.push_back(table);
            const Type result = name.text == "team" ? number_type(1, n) : player_type();
            return emit(Operator::lookup, result, span, player, no_id, no_id, game_.tables.last());
        }
    }
    std::vector<std::string> names = {"left", "right", "across", "partner", "team"};
    for (const Zone& z : game_.zones)
        if (z.by == IndexBy::player) names.push_back(z.name);
    for (const Fact& f : game_.facts)
        if (f.by == IndexBy::player) names.push_back(f.name);
    const std::string near = closest(name.text, names);
    report(Code::unknown_member, name.span, name.text, Text::a_player).help = did_you_mean(near);
    return broken(span);
}

ExpressionId Checker::field_of(ExpressionId of, const Node& name, Span span) {
    const ExpressionId kind = as_kind(of);
    if (is_broken(kind)) return kind;
    const FamilyId family = type(kind).of;
    std::vector<const Field*> found;
    std::vector<std::string> names;
    for (const FamilyId f : game_.families.ids()) {
        if (family != no_id && f != family) continue;
        for (const Field& field : game_.families[f].fields) {
            names.push_back(field.name);
            if (field.name == name.text) found.push_back(&field);
        }
    }
    if (found.empty()) {
        const auto m = globals_.find(name.text);
        if (m != globals_.end() && m->second.what == Meaning::define) {
            used_.insert(name.text);
            const Node at{Kind::e_possessive, span, "", {}};
            return call_define(*m->second.node, {of}, at);
        }
        const std::string near = closest(name.text, names);
        report(Code::unknown_member, name.span, name.text, describe(type(kind))).help = did_you_mean(near);
        return broken(span);
    }
    Type t = found.front()->type;
    TableId table = found.front()->table;
    if (found.size() > 1) {
        std::vector<std::int32_t> merged(game_.kinds.size(), -1);
        for (const Field* field : found) {
            if (field->type.base != t.base || field->type.of != t.of || field->type.scale != t.scale) {
                report(Code::different_types, name.span, describe(t), describe(field->type));
                return broken(span);
            }
            t.low = std::min(t.low, field->type.low);
            t.high = std::max(t.high, field->type.high);
            const auto& values = game_.tables[field->table];
            for (std::size_t k = 0; k < merged.size(); ++k)
                if (values[k] != -1) merged[k] = values[k];
        }
        game_.tables.push_back(merged);
        table = game_.tables.last();
    }
    if (auto k = value_of(kind); k && *k >= 0 && t.base != Base::set) {
        const std::int32_t v = game_.tables[table][*k];
        if (v >= 0) return constant(t, v, span);
    }
    return emit(t.base == Base::set ? Operator::set_lookup : Operator::lookup, t, span, kind, no_id, no_id, table);
}

ExpressionId Checker::of_expression(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    const ExpressionId of = expression(*node.children[1]);
    if (is_broken(of)) return broken(node.span);
    if (m != globals_.end() && (m->second.what == Meaning::zone || m->second.what == Meaning::fact)) {
        used_.insert(name.text);
        return indexed(m->second, of, node.span, name.text);
    }
    return member(of, name, node.span);
}

// A name that is nothing, or something but not what is wanted.
Diagnostic& Checker::report_other(bool is_something, const Node& name, const Phrase& what) {
    return is_something ? report(Code::wrong_use, name.span, name.text, what) : report(Code::unknown_name, name.span, name.text);
}

ExpressionId Checker::every(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    if (m == globals_.end() || m->second.what != Meaning::zone) {
        std::vector<std::string> zones;
        for (const Zone& z : game_.zones) zones.push_back(z.name);
        const std::string near = closest(name.text, zones);
        report_other(m != globals_.end(), name, Text::not_a_zone_name).help = did_you_mean(near);
        return broken(node.span);
    }
    used_.insert(name.text);
    const Zone& z = game_.zones[m->second.id];
    if (z.by == IndexBy::nothing) return indexed(m->second, no_id, node.span, name.text);
    std::vector<std::int32_t> all;
    for (std::int32_t i = 0; i < z.places; ++i) all.push_back(i);
    game_.sets.push_back(std::move(all));
    const Type element =
        z.by == IndexBy::player ? player_type() : Type{Base::enumeration, Base::nothing, z.index_enum, 0, z.places - 1, 1, false};
    const ExpressionId set = emit(Operator::set_constant, set_of(element), node.span, no_id, no_id, no_id, last_set());
    return indexed(m->second, set, node.span, name.text);
}

ExpressionId Checker::all_cards(const Node& node) {
    bool other = false;
    FamilyId family = no_id;
    for (const Node* c : node.children) {
        if (c->kind == Kind::word && c->text == "other") other = true;
        if (c->kind != Kind::name) continue;
        const auto m = globals_.find(c->text);
        if (m == globals_.end() || m->second.what != Meaning::family) {
            report_other(m != globals_.end(), *c, Text::not_a_family);
            return broken(node.span);
        }
        used_.insert(c->text);
        family = m->second.id;
    }
    return emit(other ? Operator::cards_unplaced : Operator::cards_family, cards_type(family), node.span, no_id, no_id, no_id, family);
}

// --- literals

std::optional<KindId> Checker::find_kind(const Node& node) {
    std::vector<KindId> found;
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        const PieceKind& kind = game_.kinds[k];
        const Family& family = game_.families[kind.family];
        if (node.children.size() == 1 && !kind.name.empty() && node.children[0]->text == kind.name) found.push_back(KindId(k));
        if (node.children.size() == 1 && family.fields.empty() && kind.name.empty() && node.children[0]->text == family.name)
            found.push_back(KindId(k));
        if (family.fields.size() != node.children.size() || family.fields.empty()) continue;
        bool fits = true;
        for (std::size_t i = 0; fits && i < family.fields.size(); ++i) {
            const Node& c = *node.children[i];
            const Field& field = family.fields[i];
            std::string shown = field.type.base == Base::set ? "" : value_name(game_, field.type, kind.values[i]);
            const auto named = field.value_names.find(kind.values[i]);
            const std::string digits = std::to_string(kind.values[i]);
            const std::string given = c.kind == Kind::yes ? "yes" : c.kind == Kind::no ? "no" : c.text;
            fits = field.type.base != Base::set && (given == shown || (named != field.value_names.end() && given == named->second) ||
                                                    (field.type.base == Base::number && given == digits));
        }
        if (fits) found.push_back(KindId(k));
    }
    if (found.empty()) return std::nullopt;
    const auto other =
        std::find_if(found.begin(), found.end(), [&](KindId k) { return game_.kinds[k].family != game_.kinds[found.front()].family; });
    if (other != found.end()) {
        const auto family = [&](KindId k) { return game_.families[game_.kinds[k].family].name; };
        Diagnostic& d = report(Code::several_cards, node.span, kind_text(game_, found.front()));
        d.help = Text::name_rows;
        d.notes.push_back(Text::one_is_another_is(family(found.front()), family(*other)));
    }
    return found.front();
}

ExpressionId Checker::card_literal(const Node& node) {
    if (const auto kind = find_kind(node)) return constant(kind_type(game_.kinds[*kind].family), *kind, node.span);
    std::string text;
    for (const Node* c : node.children) {
        text += (text.empty() ? "" : " ") + c->text;
        used_.insert(c->text);
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) names.push_back(kind_text(game_, KindId(k)));
    const std::string near = closest(text, names);
    report(Code::no_such_card, node.span, text).help = near.empty() ? Text::values_in_order : Text::did_you_mean_card(near);
    return broken(node.span);
}

ExpressionId Checker::set_literal(const Node& node) {
    if (node.children.empty()) {
        game_.sets.emplace_back();
        Type t;
        t.base = Base::set;
        t.element = Base::nothing;
        return emit(Operator::set_constant, t, node.span, no_id, no_id, no_id, last_set());
    }
    ExpressionId result = no_id;
    std::vector<std::int32_t> constants;
    bool all_constant = true;
    Type element;
    for (const Node* c : node.children) {
        ExpressionId e = expression(*c);
        if (is_broken(e)) return broken(node.span);
        if (value_of(e) == -1 && type(e).or_none) {  // nobody is no element of anything
            report(Code::wrong_type, c->span, Text::a_value, c->text.empty() ? Phrase(Text::is_nobody) : Phrase(c->text));
            return broken(node.span);
        }
        const Type t = type(e);
        const bool card = t.base == Base::card || t.base == Base::cards;
        if (!card && t.base != Base::player && t.base != Base::enumeration && t.base != Base::kind && t.base != Base::number) {
            wrong_type(e, Text::a_value);
            return broken(node.span);
        }
        if (result == no_id && constants.empty()) element = t;
        if (element.base == Base::kind && t.base == Base::kind && element.of != t.of)
            element = kind_type(no_id);
        else if (!card && (t.base != element.base || t.of != element.of) && element.base != Base::kind) {
            report(Code::different_types, c->span, describe(element), describe(t));
            return broken(node.span);
        }
        if (const auto v = value_of(e))
            constants.push_back(*v);
        else
            all_constant = false;
        const ExpressionId single = card ? as_cards(e) : emit(Operator::set_single, set_of(t), c->span, e);
        if (result != no_id && type(result).base != type(single).base) {
            report(Code::different_types, c->span, describe(type(result)), describe(type(single)));
            return broken(node.span);
        }
        result = result == no_id ? single : emit(card ? Operator::cards_join : Operator::set_join, type(result), node.span, result, single);
    }
    if (!all_constant || type(result).base == Base::cards) return result;
    std::sort(constants.begin(), constants.end());
    constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
    if (element.base == Base::number) element = number_type(constants.front(), constants.back(), element.scale);
    game_.sets.push_back(constants);
    Type t = set_of(element);
    if (element.base == Base::player) t = set_of(player_type());
    if (element.base == Base::enumeration && element.of != no_id) {
        t.low = 0;
        t.high = game_.enums[element.of].size() - 1;
    }
    return emit(Operator::set_constant, t, node.span, no_id, no_id, no_id, last_set());
}

// --- arithmetic and sets

ExpressionId Checker::join(ExpressionId a, ExpressionId b, Span span) {
    if (type(a).base == Base::set && type(a).element == Base::nothing && type(b).base == Base::set) return b;
    if (type(b).base == Base::set && type(b).element == Base::nothing && type(a).base == Base::set) return a;
    const bool card_a = type(a).base == Base::cards || type(a).base == Base::card;
    if (card_a) {
        b = as_cards(b);
        a = as_cards(a);
        if (is_broken(b)) return broken(span);
        const FamilyId family = type(a).of == type(b).of ? type(a).of : no_id;
        return emit(Operator::cards_join, cards_type(family), span, a, b);
    }
    if (type(a).base != Base::set && type(b).base == Base::set) a = emit(Operator::set_single, set_of(type(a)), at(a).span, a);
    if (type(b).base != Base::set) b = emit(Operator::set_single, set_of(type(b)), at(b).span, b);
    if (type(a).element != type(b).element) {
        report(Code::different_types, span, describe(type(a)), describe(type(b)));
        return broken(span);
    }
    Type t = type(a);
    if (t.of != type(b).of) t = t.element == Base::kind ? set_of(kind_type(no_id)) : t;
    return emit(Operator::set_join, t, span, a, b);
}

ExpressionId Checker::sum(const Node& node) {
    const auto numeric = [&](const Node& n, ExpressionId e) {
        return n.kind == Kind::players || (e != no_id && type(e).base == Base::number);
    };
    const Node* first = node.children[0];
    ExpressionId left = expression(*first);
    for (std::size_t i = 1; i + 1 < node.children.size(); i += 2) {
        const bool plus = node.children[i]->text == "+";
        const Node& right_node = *node.children[i + 1];
        ExpressionId right = expression(right_node);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        const bool both_players = first->kind == Kind::players && right_node.kind == Kind::players;
        const bool numbers = !both_players && (type(left).base == Base::number || type(right).base == Base::number || !plus);
        if (!numbers) {
            left = join(left, right, node.span);
            if (is_broken(left)) return left;
            continue;
        }
        if (numeric(*first, left) && i == 1 && first->kind == Kind::players) left = number(*first);
        if (right_node.kind == Kind::players) right = number(right_node);
        left = as_number(left);
        if (!plus && type(right).base != Base::number && !is_broken(right)) {
            report(Code::wrong_type, right_node.span, Text::a_number, describe(type(right))).help = Text::but_takes_out;
            return broken(node.span);
        }
        right = as_number(right);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        scale_together(left, right);
        const Type x = type(left);
        const Type y = type(right);
        const Type t = plus ? number_range(std::int64_t{x.low} + y.low, std::int64_t{x.high} + y.high, x.scale, node.span)
                            : number_range(std::int64_t{x.low} - y.high, std::int64_t{x.high} - y.low, x.scale, node.span);
        const auto u = value_of(left);
        const auto v = value_of(right);
        if (u && v)
            left = constant(t, t.low, node.span);
        else
            left = emit(plus ? Operator::add : Operator::subtract, t, node.span, left, right);
    }
    return left;
}

ExpressionId Checker::product(const Node& node) {
    ExpressionId left = number(*node.children[0]);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const ExpressionId right = number(*node.children[i]);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        const Type x = type(left);
        const Type y = type(right);
        const std::int64_t ends[] = {std::int64_t{x.low} * y.low, std::int64_t{x.low} * y.high, std::int64_t{x.high} * y.low,
                                     std::int64_t{x.high} * y.high};
        const std::int64_t scale = std::int64_t{x.scale} * y.scale;
        if (scale > scale_limit) {
            report(Code::out_of_range, node.span, verbatim("by"), verbatim("0.000001..1"), fmt::format("1/{}", scale));
            return broken(node.span);
        }
        const Type t =
            number_range(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4), static_cast<std::int32_t>(scale), node.span);
        const auto u = value_of(left);
        const auto v = value_of(right);
        if (u && v)
            left = constant(t, t.low, node.span);
        else
            left = emit(Operator::multiply, t, node.span, left, right);
    }
    return left;
}

ExpressionId Checker::minus(ExpressionId a, ExpressionId b, Span span) {
    if (type(a).base == Base::cards || type(a).base == Base::card) {
        const Type tb = type(b);
        a = as_cards(a);
        if (tb.base == Base::kind || (tb.base == Base::set && tb.element == Base::kind)) {
            const BoundId bound = comprehend(a, nullptr, false, [] {});
            const ExpressionId kind = emit(Operator::kind_of, kind_type(type(a).of), span,
                                           emit(Operator::bound, card_type(type(a).of), span, no_id, no_id, no_id, bound));
            const ExpressionId hit = tb.base == Base::kind ? emit(Operator::equal, truth_type(), span, kind, b)
                                                           : emit(Operator::has_element, truth_type(), span, b, kind);
            return emit(Operator::cards_where, type(a), span, a, negate(hit, span), no_id, bound);
        }
        b = as_cards(b);
        if (is_broken(b)) return b;
        return emit(Operator::cards_minus, type(a), span, a, b);
    }
    a = as_set(a);
    if (is_broken(a)) return a;
    if (type(b).base != Base::set) {
        if (type(a).element == Base::kind) b = as_kind(b);
        if (is_broken(b)) return b;
        if (type(b).base != type(a).element) {
            report(Code::different_types, span, describe(type(a)), describe(type(b)));
            return broken(span);
        }
        b = emit(Operator::set_single, set_of(type(b)), at(b).span, b);
    }
    return emit(Operator::set_minus, type(a), span, a, b);
}

ExpressionId Checker::but(const Node& node) {
    ExpressionId left = expression(*node.children[0]);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const ExpressionId right = expression(*node.children[i]);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        left = minus(left, right, node.span);
    }
    return left;
}

// --- conditions

ExpressionId Checker::negate(ExpressionId e, Span span) {
    if (is_broken(e)) return e;
    if (auto v = value_of(e)) return truth_constant(*v == 0, span);
    if (at(e).op == Operator::negate) return at(e).a;
    return emit(Operator::negate, truth_type(), span, e);
}
ExpressionId Checker::both(ExpressionId a, ExpressionId b, Span span) {
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (auto v = value_of(a)) return *v != 0 ? b : a;
    return emit(Operator::both, truth_type(), span, a, b);
}
ExpressionId Checker::either(ExpressionId a, ExpressionId b, Span span) {
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (auto v = value_of(a)) return *v != 0 ? a : b;
    return emit(Operator::either, truth_type(), span, a, b);
}

// The field of a card that alone can be `value`; none when several can, or none can.
ExpressionId Checker::said_value(ExpressionId card, ExpressionId value) {
    const Base base = type(card).base;
    if ((base != Base::card && base != Base::cards && base != Base::kind) || type(card).of == no_id || !is_scalar(type(value).base) ||
        type(value).base == Base::kind)
        return no_id;
    const Family& family = game_.families[type(card).of];
    const auto fits = [&](const Field& f) { return f.type.base == type(value).base && f.type.of == type(value).of; };
    if (std::count_if(family.fields.begin(), family.fields.end(), fits) != 1) return no_id;
    Node name;
    name.kind = Kind::name;
    name.text = std::find_if(family.fields.begin(), family.fields.end(), fits)->name;
    name.span = at(card).span;
    return field_of(card, name, at(card).span);
}

ExpressionId Checker::equal(ExpressionId a, ExpressionId b, Span span) {
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (in_claim_) {  // as people talk: `P1's me is rose` is about what the card says
        const ExpressionId of_a = said_value(a, b);
        const ExpressionId of_b = of_a == no_id ? said_value(b, a) : no_id;
        if (of_a != no_id) a = of_a;
        if (of_b != no_id) b = of_b;
        if (is_broken(a) || is_broken(b)) return broken(span);
    }
    const auto cardlike = [&](ExpressionId e) { return type(e).base == Base::card || type(e).base == Base::cards; };
    if (type(a).base == Base::kind || type(b).base == Base::kind || type(a).base == Base::card || type(b).base == Base::card) {
        if ((cardlike(a) || type(a).base == Base::kind) && (cardlike(b) || type(b).base == Base::kind)) {
            a = as_kind(a);
            b = as_kind(b);
            if (is_broken(a) || is_broken(b)) return broken(span);
        }
    }
    if (cardlike(a) && cardlike(b)) return emit(Operator::same_cards, truth_type(), span, as_cards(a), as_cards(b));
    if (type(a).base == Base::cards && type(b).base == Base::set && type(b).element == Base::kind)
        a = emit(Operator::set_kinds, type(b), at(a).span, a);
    if (type(b).base == Base::cards && type(a).base == Base::set && type(a).element == Base::kind)
        b = emit(Operator::set_kinds, type(a), at(b).span, b);
    if (type(a).base == Base::set && type(b).base == Base::set) {
        if (type(a).element != type(b).element && type(a).element != Base::nothing && type(b).element != Base::nothing) {
            report(Code::not_comparable, span, describe(type(a)), describe(type(b)));
            return broken(span);
        }
        return emit(Operator::same_set, truth_type(), span, a, b);
    }
    const bool none_a = value_of(a) == -1 && type(a).or_none;
    const bool none_b = value_of(b) == -1 && type(b).or_none;
    const bool fits = none_a || none_b || (type(a).base == type(b).base && (type(a).of == type(b).of || type(a).base == Base::kind));
    if (!fits || !is_scalar(type(a).base) || !is_scalar(type(b).base)) {
        report(Code::not_comparable, span, describe(type(a)), describe(type(b)));
        return broken(span);
    }
    if (type(a).base == Base::number) scale_together(a, b);
    if (auto u = value_of(a), v = value_of(b); u && v) return truth_constant(*u == *v, span);
    return emit(Operator::equal, truth_type(), span, a, b);
}

ExpressionId Checker::compare(const Node& node) {
    const Node& ln = *node.children[0];
    const Node& rn = *node.children[2];
    const std::string& op = node.children[1]->text;
    ExpressionId a = expression(ln);
    ExpressionId b = expression(rn);
    const auto is_number = [&](ExpressionId e) { return e != no_id && type(e).base == Base::number; };
    const bool order = op != "is" && op != "is not";
    if (ln.kind == Kind::players && (order || is_number(b))) a = number(ln);
    if (rn.kind == Kind::players && (order || is_number(a))) b = number(rn);
    if (!order) {
        const ExpressionId e = equal(a, b, node.span);
        return op == "is" ? e : negate(e, node.span);
    }
    if (is_broken(a) || is_broken(b)) return broken(node.span);
    const bool ordered_enum = type(a).base == Base::enumeration && type(b).base == Base::enumeration && type(a).of == type(b).of;
    if (!ordered_enum) {
        a = as_number(a);
        b = as_number(b);
        if (is_broken(a) || is_broken(b)) return broken(node.span);
        scale_together(a, b);
    }
    const bool less = op == "<" || op == ">";
    if (op == ">" || op == ">=") std::swap(a, b);
    if (auto u = value_of(a), v = value_of(b); u && v) return truth_constant(less ? *u < *v : *u <= *v, node.span);
    return emit(less ? Operator::less : Operator::less_equal, truth_type(), node.span, a, b);
}

ExpressionId Checker::membership(const Node& node, bool) {
    const Node& set_node = *node.children[1];
    ExpressionId x = expression(*node.children[0]);
    if (set_node.kind == Kind::e_range) {
        x = as_number(x, node.children[0]);
        const ExpressionId low = number(*set_node.children[0]);
        const ExpressionId high = number(*set_node.children[1]);
        if (is_broken(x) || is_broken(low) || is_broken(high)) return broken(node.span);
        const ExpressionId above = emit(Operator::less_equal, truth_type(), node.span, low, x);
        return both(above, emit(Operator::less_equal, truth_type(), node.span, x, high), node.span);
    }
    ExpressionId s = expression(set_node);
    if (is_broken(x) || is_broken(s)) return broken(node.span);
    if (type(s).base == Base::cards) {
        x = as_kind(x);
        if (is_broken(x)) return broken(node.span);
        return emit(Operator::has_kind, truth_type(), node.span, s, x);
    }
    s = as_set(s);
    if (is_broken(s)) return broken(node.span);
    if (type(s).element == Base::number && at(s).op == Operator::set_constant) {
        x = as_number(x);
        ExpressionId result = truth_constant(false, node.span);
        const std::vector<std::int32_t> values = game_.sets[at(s).imm];
        for (const std::int32_t v : values) result = either(result, equal(x, constant(type(x), v, node.span), node.span), node.span);
        return result;
    }
    if (type(s).element == Base::kind) x = as_kind(x);
    if (is_broken(x)) return broken(node.span);
    if (type(s).element != Base::nothing &&
        (type(x).base != type(s).element || (type(x).base == Base::enumeration && type(x).of != type(s).of))) {
        report(Code::not_comparable, node.span, describe(type(x)), describe(type(s)));
        return broken(node.span);
    }
    return emit(Operator::has_element, truth_type(), node.span, s, x);
}

ExpressionId Checker::empty(const Node& node, bool) {
    const ExpressionId s = expression(*node.children[0]);
    if (is_broken(s)) return s;
    if (type(s).base != Base::cards && type(s).base != Base::set) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    const bool is_cards = type(s).base == Base::cards;
    const ExpressionId size = emit(is_cards ? Operator::size_of_cards : Operator::size_of_set,
                                   number_type(0, is_cards ? static_cast<int>(game_.piece_kind.size()) : 1000), node.span, s);
    return emit(Operator::equal, truth_type(), node.span, size, constant(number_type(0, 0), 0, node.span));
}

ExpressionId Checker::is_family(const Node& node, bool) {
    const Node& name = *node.children[1];
    const auto m = globals_.find(name.text);
    const ExpressionId x = expression(*node.children[0]);
    if (m == globals_.end() || m->second.what != Meaning::family) {
        std::vector<std::string> names;
        for (const Family& f : game_.families) names.push_back(f.name);
        const std::string near = closest(name.text, names);
        report_other(m != globals_.end(), name, Text::not_a_family).help = did_you_mean(near);
        return broken(node.span);
    }
    used_.insert(name.text);
    const ExpressionId k = as_kind(x);
    if (is_broken(k)) return k;
    const Type range = kind_type(m->second.id);
    const Type t = type(k);
    if (t.of != no_id) return truth_constant(t.of == m->second.id, node.span);
    const ExpressionId above = emit(Operator::less_equal, truth_type(), node.span, constant(t, range.low, node.span), k);
    return both(above, emit(Operator::less_equal, truth_type(), node.span, k, constant(t, range.high, node.span)), node.span);
}

void Checker::unify(ExpressionId& a, ExpressionId& b, Span span) {
    if (is_broken(a) || is_broken(b)) return;
    const auto cardlike = [&](ExpressionId e) { return type(e).base == Base::card || type(e).base == Base::cards; };
    if (type(a).base == type(b).base && type(a).base != Base::number) {
        if (type(a).base == Base::set && type(a).element == Base::nothing) a = empty_set_of(type(b), at(a).span);
        if (type(b).base == Base::set && type(b).element == Base::nothing) b = empty_set_of(type(a), at(b).span);
        const bool enums_differ =
            type(a).base == Base::enumeration && type(a).of != type(b).of && type(a).of != no_id && type(b).of != no_id;
        if (!enums_differ) return;
    }
    if (type(a).base == Base::number && type(b).base == Base::number) return scale_together(a, b);
    if (value_of(a) == -1 && type(a).or_none) {
        Type t = type(b);
        t.or_none = true;
        a = constant(t, -1, at(a).span);
        return;
    }
    if (value_of(b) == -1 && type(b).or_none) {
        Type t = type(a);
        t.or_none = true;
        b = constant(t, -1, at(b).span);
        return;
    }
    if (cardlike(a) && cardlike(b)) {
        a = as_cards(a);
        b = as_cards(b);
        return;
    }
    if (type(a).base == Base::kind || type(b).base == Base::kind) {
        a = as_kind(a);
        b = as_kind(b);
        return;
    }
    if (type(a).base == Base::cards && type(b).base == Base::set && type(b).element == Base::nothing) {
        b = emit(Operator::cards_none, type(a), at(b).span);
        return;
    }
    report(Code::different_types, span, describe(type(a)), describe(type(b)));
    a = b = broken(span);
}

ExpressionId Checker::conditional(ExpressionId c, ExpressionId then, ExpressionId otherwise, Span span) {
    if (is_broken(c) || is_broken(then) || is_broken(otherwise)) return broken(span);
    unify(then, otherwise, span);
    if (is_broken(then) || is_broken(otherwise)) return broken(span);
    if (auto v = value_of(c)) return *v != 0 ? then : otherwise;
    Type t = type(then);
    const Type o = type(otherwise);
    t.low = std::min(t.low, o.low);
    t.high = std::max(t.high, o.high);
    t.or_none = t.or_none || o.or_none;
    if (t.of != o.of)
        t.of = t.of == no_id ? (t.base == Base::cards || t.base == Base::kind ? no_id : o.of)
                             : (t.base == Base::cards || t.base == Base::kind || t.base == Base::card ? no_id : t.of);
    const Operator op = t.base == Base::cards ? Operator::cards_conditional
                        : t.base == Base::set ? Operator::set_conditional
                                              : Operator::conditional;
    return emit(op, t, span, c, then, otherwise);
}

ExpressionId Checker::cases_expression(const Node& node, bool of) {
    struct Case {
        ExpressionId condition;
        ExpressionId value;
        bool except;
    };
    std::vector<Case> cases;
    ExpressionId otherwise = no_id;
    const bool of_players = of && node.children[0]->kind == Kind::players;
    const ExpressionId subject = !of ? no_id : of_players ? number(*node.children[0]) : expression(*node.children[0]);
    for (const Node* arm : node.children) {
        if (arm->kind == Kind::arm_otherwise) otherwise = expression(*arm->children[0]);
        if (arm->kind == Kind::arm_except) cases.push_back({truth(*arm->children[0]), expression(*arm->children[1]), true});
        if (arm->kind != Kind::arm) continue;
        ExpressionId condition = no_id;
        for (std::size_t i = 0; i + 1 < arm->children.size(); ++i) {
            const ExpressionId one = of ? equal(subject, expression(*arm->children[i]), arm->children[i]->span) : truth(*arm->children[i]);
            condition = condition == no_id ? one : either(condition, one, arm->span);
        }
        // An arm that this variant rules out is not read: it may speak of what is not there.
        if (value_of(condition) == 0) continue;
        cases.push_back({condition, expression(*arm->children.back()), false});
    }
    std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.except && !b.except; });
    ExpressionId result = otherwise;
    for (auto c = cases.rbegin(); c != cases.rend(); ++c) {
        if (is_broken(c->condition) || is_broken(c->value)) return broken(node.span);
        if (result == no_id && value_of(c->condition) == 1)
            result = c->value;
        else if (result == no_id)
            result = conditional(c->condition, c->value, emit(Operator::fail, type(c->value), node.span), node.span);
        else
            result = conditional(c->condition, c->value, result, node.span);
        if (is_broken(result)) return result;
    }
    return result == no_id ? broken(node.span) : result;
}

const SyntaxNode* Checker::chosen_reading(const Node& node) {
    const Node* chosen = nullptr;
    int marked = 0;
    for (const Node* c : node.children)
        if (c->kind == Kind::reading_choice && child(*c, Kind::word) != nullptr) ++marked;
    if (marked != 1) report(Code::two_defaults, node.children[0]->span, node.children[0]->text, marked);
    for (const OptionValue& o : merged_.options) {
        if (!o.reading || o.name != node.children[0]->text) continue;
        for (const Node* c : node.children)
            if (c->kind == Kind::reading_choice && c->children[0]->text == o.value) chosen = c;
    }
    if (chosen == nullptr)
        for (const Node* c : node.children)
            if (c->kind == Kind::reading_choice) return c;
    return chosen;
}

ExpressionId Checker::reading_expression(const Node& node) {
    ExpressionId result = no_id;
    const Node* chosen = chosen_reading(node);
    for (const Node* c : node.children) {
        if (c->kind != Kind::reading_choice) continue;
        const ExpressionId e = expression(*c->children.back());
        if (c == chosen) result = e;
    }
    return result;
}

// --- comprehensions

BoundId Checker::comprehend(ExpressionId set, const Node* name, bool with_it, const std::function<void()>& f) {
    Type element;
    element_of(set, element);
    const BoundId bound = game_.bounds++;
    bound_types_.push_back(element);
    const ExpressionId e = emit(Operator::bound, element, at(set).span, no_id, no_id, no_id, bound);
    scopes_.emplace_back();
    if (with_it) scopes_.back().names["it"] = {e, no_id};
    if (name != nullptr) scopes_.back().names[name->text] = {e, no_id};
    if (with_it) ++it_depth_;
    f();
    if (with_it) --it_depth_;
    scopes_.pop_back();
    return bound;
}

ExpressionId Checker::where(const Node& node) {
    const ExpressionId s = expression(*node.children[0]);
    Type element;
    if (is_broken(s)) return s;
    if (!element_of(s, element)) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    if (it_depth_ > 0) report(Code::nested_it, node.span).help = Text::name_inner_it;
    ExpressionId condition = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { condition = truth(*node.children[1]); });
    if (is_broken(condition)) return broken(node.span);
    return emit(type(s).base == Base::cards ? Operator::cards_where : Operator::set_where, type(s), node.span, s, condition, no_id, bound);
}

ExpressionId Checker::with_most(const Node& node) {
    const ExpressionId s = expression(*node.children[0]);
    Type element;
    if (is_broken(s)) return s;
    if (!element_of(s, element)) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    ExpressionId key = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] {
        key = expression(*node.children[2]);
        if (!is_broken(key) && type(key).base != Base::enumeration) key = as_number(key);
    });
    if (is_broken(key)) return broken(node.span);
    const bool most = node.children[1]->text == "most";
    const Operator op = type(s).base == Base::cards ? (most ? Operator::cards_most : Operator::cards_least)
                                                    : (most ? Operator::set_most : Operator::set_least);
    return emit(op, type(s), node.span, s, key, no_id, bound);
}

ExpressionId Checker::or_if_none(const Node& node) {
    ExpressionId a = expression(*node.children[0]);
    ExpressionId b = expression(*node.children[1]);
    if (is_broken(a) || is_broken(b)) return broken(node.span);
    unify(a, b, node.span);
    if (is_broken(a)) return a;
    if (type(a).base == Base::card) {
        a = as_cards(a);
        b = as_cards(b);
    }
    Type t = type(a);
    if (t.of != type(b).of) t.of = no_id;
    if (t.base == Base::cards) return emit(Operator::cards_or_if_none, t, node.span, a, b);
    if (t.base == Base::set) return emit(Operator::set_or_if_none, type(a), node.span, a, b);
    wrong_type(a, Text::cards_or_set);
    return broken(node.span);
}

ExpressionId Checker::total_over(const Node& node) {
    const ExpressionId s = expression(*node.children[2]);
    Type element;
    if (is_broken(s)) return s;
    if (!element_of(s, element)) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    ExpressionId body = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { body = number(*node.children[1]); });
    if (is_broken(body)) return broken(node.span);
    const Type t = type(body);
    const std::string& what = node.children[0]->text;
    if (what == "largest") return emit(Operator::largest_over, t, node.span, s, body, no_id, bound);
    if (what == "smallest") return emit(Operator::smallest_over, t, node.span, s, body, no_id, bound);
    const std::int64_t n =
        type(s).base == Base::cards ? static_cast<std::int64_t>(game_.piece_kind.size()) : std::int64_t{type(s).high} - type(s).low + 1;
    return emit(Operator::sum_over,
                number_range(std::min<std::int64_t>(0, t.low * n), std::max<std::int64_t>(0, t.high * n), t.scale, node.span), node.span, s,
                body, no_id, bound);
}

ExpressionId Checker::quantifier(const Node& node, bool) {
    const ExpressionId s = expression(*node.children[1]);
    Type element;
    if (is_broken(s)) return s;
    if (!element_of(s, element)) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    ExpressionId body = no_id;
    const BoundId bound = comprehend(s, node.children[0], false, [&] { body = truth(*node.children[2]); });
    if (is_broken(body)) return broken(node.span);
    return emit(Operator::exists, truth_type(), node.span, s, body, no_id, bound);
}

ExpressionId Checker::the(const Node& node) {
    const ExpressionId s = expression(*node.children[0]);
    if (is_broken(s)) return s;
    if (type(s).base == Base::card || type(s).base == Base::player) return s;
    if (type(s).base == Base::cards) return emit(Operator::the_card, card_type(type(s).of), node.span, s);
    Type element;
    if (!element_of(s, element)) {
        wrong_type(s, Text::cards_or_set);
        return broken(node.span);
    }
    return emit(Operator::the_element, element, node.span, s);
}

ExpressionId Checker::groups(const Node& node) {
    const ExpressionId n = number(*node.children[0]);
    const ExpressionId s = cards(*node.children[1]);
    if (is_broken(n) || is_broken(s)) return broken(node.span);
    if (!value_of(n) || *value_of(n) < 1) {
        report(Code::not_constant, node.children[0]->span);
        return broken(node.span);
    }
    if (node.children.size() < 3) return emit(Operator::cards_groups, type(s), node.span, s, n, no_id, -1);
    ExpressionId key = no_id;
    const BoundId bound = comprehend(s, nullptr, true, [&] { key = expression(*node.children[2]); });
    if (is_broken(key)) return broken(node.span);
    return emit(Operator::cards_groups, type(s), node.span, s, n, key, bound);
}

}  // namespace houserule
