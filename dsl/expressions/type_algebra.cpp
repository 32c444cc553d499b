#include "dsl/expressions/type_algebra.hpp"

#include "dsl/game/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace houserule {

// As `number_type`, of a number that is computed: reported when it can become too large for exact arithmetic.
Type TypeAlgebra::number_range(std::int64_t low, std::int64_t high, std::int32_t scale, Span span) {
    constexpr std::int64_t limit = number_limit;
    if (low >= -limit && high <= limit) return number_type(low, high, scale);
    report(Code::too_large, span, (high > limit ? high : low) / scale, limit / scale);
    return number_type(std::clamp(low, -limit, limit), std::clamp(high, -limit, limit), scale);
}

Phrase TypeAlgebra::describe(const Type& t) const {
    switch (t.base) {
        case Base::nothing:
            return Text::is_nothing;
        case Base::truth:
            return Text::yes_or_no;
        case Base::number:
            if (t.low == t.high) return t.low;
            return t.scale == 1 ? Text::number_from_to(t.low, t.high) : Text::a_number;
        case Base::enumeration:
            return t.of == no_id ? Text::is_none : Text::value_of_enum(game_.enums[t.of].name);
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
            return t.element == Base::nothing ? verbatim("`{}`") : Text::set_of(describe(element));
        }
    }
    return {};
}

Phrase TypeAlgebra::describe(ExpressionId e) const {
    if (!is_no_value(e)) return describe(type(e));
    return type(e).base == Base::player ? Text::is_nobody : Text::is_none;
}

void TypeAlgebra::wrong_type(ExpressionId e, const Phrase& wanted) {
    if (!is_broken(e)) report(Code::wrong_type, at(e).span, wanted, describe(e));
}

bool TypeAlgebra::element_of(ExpressionId set, Type& element) const {
    const Type& t = type(set);
    if (t.base == Base::cards) {
        element = card_type(t.of);
        return true;
    }
    if (t.base != Base::set || t.element == Base::nothing) return false;  // of `{}` nobody knows what could be in it
    element = t;
    element.base = t.element;
    element.element = Base::nothing;
    return true;
}

ExpressionId TypeAlgebra::as_truth(ExpressionId e) {
    if (!is_broken(e) && type(e).base != Base::truth) {
        wrong_type(e, Text::yes_or_no);
        return broken(at(e).span);
    }
    return e;
}

ExpressionId TypeAlgebra::none_constant(Type type, Span span) {
    type.or_none = true;
    const std::int32_t none = none_of(type);
    return emit(Operator::constant, type, span, no_id, no_id, no_id, none);
}

ExpressionId TypeAlgebra::as_number(ExpressionId e) {
    if (!is_broken(e) && (type(e).base != Base::number || is_no_value(e))) {
        wrong_type(e, Text::a_number);
        return broken(at(e).span);
    }
    return somebody(e);
}

ExpressionId TypeAlgebra::somebody(ExpressionId e) {
    if (is_broken(e) || !type(e).or_none) return e;
    const Span span = at(e).span;
    Type given = type(e);
    given.or_none = false;
    const ExpressionId none = emit(Operator::equal, truth_type(), span, e, none_constant(given, span));
    return emit(Operator::conditional, given, span, none, emit(Operator::fail, given, span, no_id, no_id, no_id, fail_none), e);
}

bool TypeAlgebra::has_room_for_one(ExpressionId place) const {
    const Expression& x = at(place);
    if (x.op == Operator::conditional) return has_room_for_one(x.b) && has_room_for_one(x.c);
    return x.op == Operator::fail || (x.op == Operator::place && game_.zones[x.named()].capacity == 1);
}

ExpressionId TypeAlgebra::as_card(ExpressionId e) {
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
    } else if (x.op != Operator::cards_conditional && !(x.op == Operator::cards_at && has_room_for_one(x.a))) {
        report(Code::wrong_type, span, Text::a_card, Text::cards).help = Text::the_when_one;
    }
    return emit(Operator::the_card, card_type(type(e).of), span, e);
}

ExpressionId TypeAlgebra::as_kind(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::kind) return e;
    const ExpressionId card = as_card(e);
    if (is_broken(card)) return card;
    return emit(Operator::kind_of, kind_type(type(card).of), at(e).span, card);
}

// Where a set of kinds stands, and the cards themselves are meant.
Phrase TypeAlgebra::several_takes_cards(FamilyId family) const {
    const std::string name = family == no_id ? "FAMILY" : game_.families[family].name;
    return Text::several_takes_cards(name);
}

ExpressionId TypeAlgebra::as_cards(ExpressionId e) {
    if (is_broken(e) || type(e).base == Base::cards) return e;
    if (type(e).base == Base::card) return emit(Operator::cards_single, cards_type(type(e).of), at(e).span, e);
    if (type(e).base == Base::set && at(e).op == Operator::set_constant && type(e).element == Base::nothing)
        return emit(Operator::cards_none, cards_type(no_id), at(e).span);
    Diagnostic& d = report(Code::wrong_type, at(e).span, Text::cards, describe(e));
    if (type(e).base == Base::kind) d.help = Text::kind_lies_nowhere;
    if (type(e).base == Base::set && type(e).element == Base::kind) d.help = several_takes_cards(type(e).of);
    return broken(at(e).span);
}

ExpressionId TypeAlgebra::as_place(ExpressionId e) {
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

ExpressionId TypeAlgebra::wrong_set(ExpressionId e, const Phrase& wanted, const Phrase& number_help) {
    const Span span = at(e).span;
    if (!is_broken(e)) {
        Diagnostic& d = report(Code::wrong_type, span, wanted, describe(type(e)));
        if (type(e).base == Base::number) d.help = number_help;
        if (at(e).op == Operator::next_in) d.help = Text::next_in_brackets;
    }
    return broken(span);
}

ExpressionId TypeAlgebra::as_set(ExpressionId e) { return is_broken(e) || type(e).base == Base::set ? e : wrong_set(e, Text::a_set); }

ExpressionId TypeAlgebra::empty_set_of(const Type& t, Span span) {
    game_.sets.emplace_back();
    Type type = t;
    type.base = Base::set;
    return emit(Operator::set_constant, type, span, no_id, no_id, no_id, last_set());
}

ExpressionId TypeAlgebra::as_type(ExpressionId e, const Type& want, const Phrase& what) {
    if (is_broken(e) || want.base == Base::nothing) return e;
    const Span span = at(e).span;
    const auto family_fits = [&](FamilyId given) { return want.of == no_id || given == no_id || given == want.of; };
    switch (want.base) {
        case Base::kind:
            if (want.or_none && is_no_value(e)) return none_constant(want, span);
            e = as_kind(e);
            if (!is_broken(e) && !family_fits(type(e).of)) wrong_type(e, describe(want));
            return e;
        case Base::card:
            if (type(e).base == Base::kind) return e;  // a define may be asked about a kind
            e = as_card(e);
            if (!is_broken(e) && !family_fits(type(e).of)) wrong_type(e, describe(want));
            return e;
        case Base::cards:
            e = as_cards(e);
            if (!is_broken(e) && !family_fits(type(e).of)) wrong_type(e, describe(want));
            return e;
        case Base::set:
            if (want.element == Base::kind && !is_broken(e) && (type(e).base == Base::cards || type(e).base == Base::card)) {
                report(Code::wrong_type, span, describe(want), describe(type(e))).help = several_takes_cards(type(e).of);
                return broken(span);
            }
            e = as_set(e);
            if (is_broken(e)) return e;
            if (type(e).element == Base::nothing) return empty_set_of(want, span);
            if (type(e).element != want.element || (want.of != no_id && type(e).of != want.of)) wrong_type(e, describe(want));
            e = scaled_set(e, want.scale);
            if (!is_broken(e) && want.element == Base::number && (type(e).low > want.high || type(e).high < want.low))
                report(Code::out_of_range, span, what, describe(want), describe(type(e)));
            return e;
        case Base::number: {
            if (want.or_none && is_no_value(e)) return none_constant(want, span);
            if (!want.or_none || type(e).base != Base::number) e = as_number(e);
            if (is_broken(e)) return e;
            e = scaled(e, want.scale);
            const Type& t = type(e);
            const bool never = t.low > t.high;  // in a loop over no numbers
            if (!never && (t.low > want.high || t.high < want.low)) report(Code::out_of_range, span, what, describe(want), describe(t));
            return e;
        }
        case Base::truth:
            return as_truth(e);
        case Base::enumeration:
        case Base::player:
            if (want.or_none && is_no_value(e)) return none_constant(want, span);
            if (type(e).base == Base::player && is_no_value(e)) {
                report(Code::wrong_type, span, describe(want), Text::is_nobody);
                return broken(span);
            }
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

ExpressionId TypeAlgebra::scaled(ExpressionId e, std::int32_t scale) {
    if (is_broken(e) || type(e).scale == scale) return e;
    const Type t = type(e);
    const std::int32_t by = scale / std::max(1, t.scale);
    if (by == 0 || t.scale * by != scale) {
        const auto steps = [](std::int32_t of) { return Text::number_in_steps(fmt::format("{}", 1.0 / std::max(1, of))); };
        report(Code::wrong_type, at(e).span, steps(scale), steps(t.scale));
        return e;
    }
    Type wide = number_range(std::int64_t{t.low} * by, std::int64_t{t.high} * by, scale, at(e).span);
    if (t.or_none) {
        const Span span = at(e).span;
        wide.or_none = true;
        if (is_no_value(e)) return none_constant(wide, span);
        const ExpressionId none = emit(Operator::equal, truth_type(), span, e, none_constant(t, span));
        return emit(Operator::conditional, wide, span, none, none_constant(wide, span), scaled(as_number(e), scale));
    }
    if (auto v = value_of(e)) return constant(wide, wide.low, at(e).span);
    return emit(Operator::multiply, wide, at(e).span, e, constant(number_type(by, by), by, at(e).span));
}

void TypeAlgebra::scale_together(ExpressionId& a, ExpressionId& b) {
    if (is_broken(a) || is_broken(b) || type(a).scale == type(b).scale) return;
    const std::int32_t both = std::lcm(type(a).scale, type(b).scale);
    a = scaled(a, both);
    b = scaled(b, both);
}

Phrase TypeAlgebra::steps_of(std::int32_t scale) const { return Text::numbers_in_steps_of(value_name(game_, number_type(1, 1, scale), 1)); }

ExpressionId TypeAlgebra::scaled_set(ExpressionId set, std::int32_t scale) {
    const Type t = type(set);
    if (is_broken(set) || t.base != Base::set || t.element != Base::number || t.scale == scale) return set;
    const Span span = at(set).span;
    const std::int32_t by = scale / std::max(1, t.scale);
    if (at(set).op != Operator::set_constant || t.scale * by != scale) {
        report(Code::different_types, span, steps_of(t.scale), steps_of(scale)).help = Text::same_steps;
        return broken(span);
    }
    std::vector<std::int32_t> elements = game_.sets[at(set).set()];
    const Type wide = number_range(std::int64_t{t.low} * by, std::int64_t{t.high} * by, scale, span);
    for (std::int32_t& e : elements) e = static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{e} * by, wide.low, wide.high));
    game_.sets.push_back(std::move(elements));
    return emit(Operator::set_constant, set_of(wide), span, no_id, no_id, no_id, last_set());
}

void TypeAlgebra::scale_to_set(ExpressionId& set, ExpressionId& number) {
    const std::int32_t both = std::lcm(type(set).scale, type(number).scale);
    set = scaled_set(set, both);
    number = scaled(number, both);
}

void TypeAlgebra::scale_sets_together(ExpressionId& a, ExpressionId& b) {
    if (is_broken(a) || is_broken(b) || type(a).element != Base::number || type(b).element != Base::number) return;
    const std::int32_t both = std::lcm(type(a).scale, type(b).scale);
    a = scaled_set(a, both);
    b = scaled_set(b, both);
}

Type TypeAlgebra::joined_type(ExpressionId set, ExpressionId other) const {
    Type t = type(set);
    if (t.base != Base::set || t.element != Base::number || type(other).element != Base::number) return t;
    t.low = std::min(t.low, type(other).low);
    t.high = std::max(t.high, type(other).high);
    return t;
}

ExpressionId TypeAlgebra::join(ExpressionId a, ExpressionId b, Span span) {
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
    if (type(a).base == Base::number && type(b).base == Base::set && type(b).element == Base::number) scale_to_set(b, a);
    if (type(b).base == Base::number && type(a).base == Base::set && type(a).element == Base::number) scale_to_set(a, b);
    if (is_broken(a) || is_broken(b)) return broken(span);
    if (type(a).base != Base::set && type(b).base == Base::set) a = emit(Operator::set_single, set_of(type(a)), at(a).span, a);
    if (type(b).base != Base::set) b = emit(Operator::set_single, set_of(type(b)), at(b).span, b);
    if (type(a).element != type(b).element) {
        Diagnostic& d = report(Code::different_types, span, describe(type(a)), describe(type(b)));
        if (type(a).element == Base::kind && type(b).element == Base::card) d.help = Text::take_their_kinds;
        return broken(span);
    }
    scale_sets_together(a, b);
    if (is_broken(a) || is_broken(b)) return broken(span);
    Type t = joined_type(a, b);
    if (t.of != type(b).of) t = t.element == Base::kind ? set_of(kind_type(no_id)) : t;
    return emit(Operator::set_join, t, span, a, b);
}

ExpressionId TypeAlgebra::minus(ExpressionId a, ExpressionId b, Span span) {
    if (type(a).base == Base::cards || type(a).base == Base::card) {
        const Type tb = type(b);
        a = as_cards(a);
        if (tb.base == Base::kind || (tb.base == Base::set && tb.element == Base::kind)) {
            const BoundId bound = new_bound(card_type(type(a).of), at(a).span).first;
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
    if (type(a).base != Base::set) return wrong_set(a, Text::cards_or_set);
    if (type(b).base != Base::set) {
        if (type(a).element == Base::kind) b = as_kind(b);
        if (is_broken(b)) return b;
        if (type(b).base != type(a).element) {
            report(Code::different_types, span, describe(type(a)), describe(type(b)));
            return broken(span);
        }
        if (type(b).base == Base::number) scale_to_set(a, b);
        if (is_broken(b)) return broken(span);
        b = emit(Operator::set_single, set_of(type(b)), at(b).span, b);
    }
    scale_sets_together(a, b);
    if (is_broken(a) || is_broken(b)) return broken(span);
    return emit(Operator::set_minus, type(a), span, a, b);
}

void TypeAlgebra::unify(ExpressionId& a, ExpressionId& b, Span span) {
    if (is_broken(a) || is_broken(b)) return;
    const auto cardlike = [&](ExpressionId e) { return type(e).base == Base::card || type(e).base == Base::cards; };
    if (type(a).base == type(b).base && type(a).base != Base::number) {
        if (type(a).base == Base::set && type(a).element == Base::nothing) a = empty_set_of(type(b), at(a).span);
        if (type(b).base == Base::set && type(b).element == Base::nothing) b = empty_set_of(type(a), at(b).span);
        if (type(a).base == Base::set) scale_sets_together(a, b);
        if (is_broken(a) || is_broken(b)) {
            a = b = broken(span);
            return;
        }
        const auto differ = [&](Base enums) { return enums == Base::enumeration && type(a).of != type(b).of; };
        const bool enums_differ = differ(type(a).base) && type(a).of != no_id && type(b).of != no_id;
        const bool sets_differ = type(a).base == Base::set && (type(a).element != type(b).element || differ(type(a).element));
        if (!enums_differ && !sets_differ) return;
    }
    if (type(a).base == Base::number && type(b).base == Base::number) return scale_together(a, b);
    if (is_no_value(a)) {
        a = none_constant(type(b), at(a).span);
        return;
    }
    if (is_no_value(b)) {
        b = none_constant(type(a), at(b).span);
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
    const auto is_empty = [&](ExpressionId e) { return type(e).base == Base::set && type(e).element == Base::nothing; };
    if (type(a).base == Base::cards && is_empty(b)) {
        b = emit(Operator::cards_none, type(a), at(b).span);
        return;
    }
    if (type(b).base == Base::cards && is_empty(a)) {
        a = emit(Operator::cards_none, type(b), at(a).span);
        return;
    }
    report(Code::different_types, span, describe(type(a)), describe(type(b)));
    a = b = broken(span);
}

ExpressionId TypeAlgebra::conditional(ExpressionId c, ExpressionId then, ExpressionId otherwise, Span span) {
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

}  // namespace houserule
