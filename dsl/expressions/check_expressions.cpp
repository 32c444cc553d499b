// Expressions, by their kind.
#include "dsl/expressions/expression_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

constexpr int reading_limit = 1000;              // defines in defines, nested text counted: the checker recurses
constexpr std::int64_t scale_limit = 1'000'000;  // parts of one: six digits after the point

}  // namespace

ExpressionId ExpressionReader::expression(const Node& node) {
    if (reading_ >= reading_limit) {
        report(Code::nested_too_deep, node.span, reading_limit);
        return broken(node.span);
    }
    ++reading_;
    const ExpressionId e = expression_inner(node);
    --reading_;
    return e;
}

ExpressionId ExpressionReader::truth(const Node& node) { return as_truth(expression(node)); }

ExpressionId ExpressionReader::number(const Node& node) {
    return node.kind == Kind::players ? number_of(no_id, node) : as_number(expression(node));
}

// `players` as a number is how many there are.
ExpressionId ExpressionReader::number_of(ExpressionId e, const Node& node) {
    return node.kind == Kind::players ? constant(number_type(0, 0), game_.players, node.span) : as_number(e);
}

ExpressionId ExpressionReader::player(const Node& node) {
    const ExpressionId e = expression(node);
    if (!is_broken(e) && type(e).base == Base::player && is_no_value(e)) {
        report(Code::wrong_type, node.span, Text::a_player, Text::is_nobody);
        return broken(node.span);
    }
    if (is_broken(e) || type(e).base == Base::player) return e;
    if (type(e).base == Base::set && type(e).element == Base::player) {
        report(Code::wrong_type, node.span, Text::a_player, describe(type(e))).help = Text::each_or_the;
        return broken(node.span);
    }
    wrong_type(e, Text::a_player);
    return broken(node.span);
}

ExpressionId ExpressionReader::players(const Node& node) {
    const ExpressionId e = expression(node);
    if (is_broken(e) || (type(e).base == Base::set && (type(e).element == Base::player || type(e).element == Base::nothing))) return e;
    if (type(e).base == Base::player) return emit(Operator::set_single, set_of(player_type()), node.span, e);
    wrong_type(e, Text::a_set_of_players);
    return broken(node.span);
}

ExpressionId ExpressionReader::cards(const Node& node) { return as_cards(expression(node)); }

ExpressionId ExpressionReader::place(const Node& node) { return as_place(expression(node)); }

ExpressionId ExpressionReader::expression_inner(const Node& node) {
    switch (node.kind) {
        case Kind::name:
            return name_expression(node);
        case Kind::number:
        case Kind::seat:
        case Kind::yes:
        case Kind::no:
        case Kind::nobody:
        case Kind::none:
        case Kind::players:
            return literal(node);
        case Kind::it:
            return it(node);
        case Kind::e_where:
            return where(node);
        case Kind::e_with:
            return with_most(node);
        case Kind::e_or_if_none:
            return or_if_none(node);
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
        case Kind::e_size:
            return size(node);
        case Kind::e_total:
            return total_over(node);
        case Kind::e_groups:
            return groups(node);
        case Kind::e_kinds:
            return kinds(node);
        case Kind::e_first:
        case Kind::e_last:
            return end_card(node);
        case Kind::e_any:
            return any_of(node);
        case Kind::e_next:
            return next_in(node);
        case Kind::e_all:
            return all_cards(node);
        case Kind::e_card:
            return card_literal(node);
        case Kind::e_set:
            return set_literal(node);
        case Kind::e_if:
            return if_expression(node);
        case Kind::e_cases:
        case Kind::e_cases_of:
            return cases_expression(node, node.kind == Kind::e_cases_of);
        case Kind::e_reading:
            return reading_expression(node);
        default:
            return operation(node);
    }
}

ExpressionId ExpressionReader::operation(const Node& node) {
    switch (node.kind) {
        case Kind::e_sum:
            return sum(node);
        case Kind::e_product:
            return product(node);
        case Kind::e_minus:
            return opposite(node);
        case Kind::e_but:
            return but(node);
        case Kind::e_at:
            return at_number(node);
        case Kind::e_least_left:
            return least_left(node);
        case Kind::e_range:
            return range(node);
        default:
            return condition(node);
    }
}

ExpressionId ExpressionReader::condition(const Node& node) {
    switch (node.kind) {
        case Kind::e_or:
        case Kind::e_and:
            return both_or_either(node);
        case Kind::e_not:
            return negate(truth(*node.children[0]), node.span);
        case Kind::e_compare:
            return compare(node);
        case Kind::e_in:
            return membership(node);
        case Kind::e_not_in:
            return negate(membership(node), node.span);
        case Kind::e_empty:
            return empty(node);
        case Kind::e_not_empty:
            return negate(empty(node), node.span);
        case Kind::e_is_a:
            return is_family(node);
        case Kind::e_is_not_a:
            return negate(is_family(node), node.span);
        case Kind::e_splits:
            return splits(node);
        case Kind::e_some:
            return quantifier(node);
        case Kind::e_no:
            return negate(quantifier(node), node.span);
        default:
            return misplaced(node);
    }
}

ExpressionId ExpressionReader::number_literal(const Node& node) {
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

ExpressionId ExpressionReader::seat(const Node& node) {
    const int seat = std::stoi(node.text.substr(1)) - 1;
    if (seat >= game_.players) {
        report(Code::unknown_name, node.span, node.text).help = Text::seats_are(game_.players);
        return broken(node.span);
    }
    return constant(player_type(), seat, node.span);
}

// What means the same wherever it stands.
ExpressionId ExpressionReader::literal(const Node& node) {
    switch (node.kind) {
        case Kind::number:
            return number_literal(node);
        case Kind::seat:
            return seat(node);
        case Kind::players:
            return all_players(node);
        case Kind::nobody: {
            Type t = player_type();
            t.or_none = true;
            return constant(t, -1, node.span);
        }
        case Kind::none:
            return constant({Base::enumeration, Base::nothing, no_id, -1, -1, 1, true}, -1, node.span);
        default:
            return truth_constant(node.kind == Kind::yes, node.span);
    }
}

ExpressionId ExpressionReader::all_players(const Node& node) {
    std::vector<std::int32_t> all;
    for (std::int32_t p = 0; p < game_.players; ++p) all.push_back(p);
    game_.sets.push_back(std::move(all));
    return emit(Operator::set_constant, set_of(player_type()), node.span, no_id, no_id, no_id, last_set());
}

ExpressionId ExpressionReader::it(const Node& node) {
    if (const Local* local = scopes_.find("it")) return local->expression;
    report(Code::only_in, node.span, verbatim("`it`"), verbatim("`where`, `with most`, `sum of`")).help = Text::it_has_a_name;
    return broken(node.span);
}

// Of several at once.
ExpressionId ExpressionReader::both_or_either(const Node& node) {
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

ExpressionId ExpressionReader::opposite(const Node& node) {
    const ExpressionId e = number(*node.children[0]);
    if (is_broken(e)) return e;
    const Type t = type(e);
    if (auto v = value_of(e)) return constant(number_type(0, 0, t.scale), -*v, node.span);
    return emit(Operator::subtract, number_type(-std::int64_t{t.high}, -std::int64_t{t.low}, t.scale), node.span,
                constant(number_type(0, 0, t.scale), 0, node.span), e);
}

// How many cards it can be at most: of a zone, those of its families.
std::int64_t ExpressionReader::most_cards(ExpressionId cards) const {
    const Expression& x = at(cards);
    std::int64_t most = game_.piece_kind.size();
    if (x.op != Operator::cards_at || at(x.a).op != Operator::place) return most;
    const Zone& zone = game_.zones[at(x.a).named()];
    most = 0;
    for (const PieceKind& k : game_.kinds)
        if (zone.families[k.family]) most += k.copies;
    return most;
}

ExpressionId ExpressionReader::size(const Node& node) {
    if (node.children[0]->kind == Kind::players) return number(*node.children[0]);
    const ExpressionId s = expression(*node.children[0]);
    if (is_broken(s)) return s;
    if (type(s).base == Base::card) return constant(number_type(1, 1), 1, node.span);
    if (type(s).base == Base::cards) return emit(Operator::size_of_cards, number_type(0, most_cards(s)), node.span, s);
    if (type(s).base != Base::set) return wrong_set(s, Text::cards_or_set);
    const ExpressionId set = s;
    const Type t = type(set);
    return emit(Operator::size_of_set, number_type(0, std::max<std::int64_t>(0, std::int64_t{t.high} - t.low + 1)), node.span, set);
}

ExpressionId ExpressionReader::kinds(const Node& node) {
    const Node& what = *node.children[0];
    if (what.kind == Kind::name && scopes_.find(what.text) == nullptr) {
        const auto m = globals_.find(what.text);
        if (m != globals_.end() && m->second.what == Meaning::family) {
            used_.insert(what.text);
            if (std::find(defining_.begin(), defining_.end(), what.text) != defining_.end()) {
                // Which kinds there are is what its rows are about to say.
                if (circular_.insert(what.text).second) report(Code::calls_itself, node.span, what.text).help = Text::say_how_many;
                return broken(node.span);
            }
            const Family& f = game_.families[m->second.id];
            std::vector<std::int32_t> all;
            for (KindId k = 0; k < f.kind_count; ++k) all.push_back(f.first_kind + k);
            game_.sets.push_back(std::move(all));
            return emit(Operator::set_constant, set_of(kind_type(m->second.id)), node.span, no_id, no_id, no_id, last_set());
        }
    }
    const ExpressionId given = expression(what);
    if (!is_broken(given) && type(given).base == Base::set && type(given).element == Base::kind)
        return given;  // where cards may stand for their kinds
    const ExpressionId s = as_cards(given);
    return is_broken(s) ? s : emit(Operator::set_kinds, set_of(kind_type(type(s).of)), node.span, s);
}

// The zone without an order that the place may be in, or null.
const Zone* ExpressionReader::unordered_zone(ExpressionId place) const {
    const Expression& x = at(place);
    if (x.op == Operator::conditional) {
        const Zone* const then = unordered_zone(x.b);
        return then != nullptr ? then : unordered_zone(x.c);
    }
    const bool set = x.op == Operator::place && game_.zones[x.named()].shape == Shape::set;
    return set ? &game_.zones[x.named()] : nullptr;
}

ExpressionId ExpressionReader::end_card(const Node& node) {
    if (node.children.size() > 1) {
        const ExpressionId n = count(*node.children[0], verbatim(node.kind == Kind::e_first ? "first" : "last"));
        const ExpressionId of = ordered_place(*node.children[1], node.span);
        if (is_broken(n) || is_broken(of)) return broken(node.span);
        return emit(node.kind == Kind::e_first ? Operator::first_cards : Operator::last_cards, type(of), node.span, at(of).a, n);
    }
    const ExpressionId s = cards(*node.children[0]);
    const ExpressionId p = as_place(s);
    if (is_broken(p)) return p;
    if (const Zone* zone = unordered_zone(p)) {
        report(Code::misplaced, node.span, Text::set_has_no_order(zone->name)).help = Text::say_which_of_set;
        return broken(node.span);
    }
    return emit(node.kind == Kind::e_first ? Operator::first_card : Operator::last_card, card_type(type(s).of), node.span, p);
}

ExpressionId ExpressionReader::any_of(const Node& node) {
    const ExpressionId n = count(*node.children[0], verbatim("any"));
    const ExpressionId s = cards(*node.children[1]);
    if (is_broken(n) || is_broken(s)) return broken(node.span);
    return emit(Operator::cards_any, cards_type(type(s).of), node.span, s, n);
}

ExpressionId ExpressionReader::next_in(const Node& node) {
    const ExpressionId p = player(*node.children[1]);
    const ExpressionId s = players(*node.children[2]);
    if (is_broken(p) || is_broken(s)) return broken(node.span);
    const bool after = (node.children[0]->text == "after") == game_.clockwise;
    return emit(Operator::next_in, player_type(), node.span, p, s, no_id, after ? 1 : -1);
}

ExpressionId ExpressionReader::if_expression(const Node& node) {
    if (node.children.size() == 1) return expression(*node.children[0]);  // brackets
    const ExpressionId c = truth(*node.children[1]);
    const auto known = value_of(c);
    // A branch that the options rule out is not read: it may speak of what this variant does not have.
    if (known) {
        ExpressionId read = expression(*node.children[*known != 0 ? 0 : 2]);
        if (is_broken(read) || type(read).base != Base::set || type(read).element != Base::nothing) return read;
        // What `{}` is a set of the other branch tells, as far as it can be read.
        const std::ptrdiff_t before = std::ssize(diagnostics_);
        const std::set<std::string> circular = circular_;
        ExpressionId other = expression(*node.children[*known != 0 ? 2 : 0]);
        diagnostics_.erase(diagnostics_.begin() + before, diagnostics_.end());
        circular_ = circular;
        if (!is_broken(other) && (type(other).base == Base::set || type(other).base == Base::cards)) unify(read, other, node.span);
        return read;
    }
    const ExpressionId then = expression(*node.children[0]);
    const ExpressionId otherwise = expression(*node.children[2]);
    return conditional(c, then, otherwise, node.span);
}

ExpressionId ExpressionReader::misplaced(const Node& node) {
    if (node.kind == Kind::e_yes_no)
        report(Code::misplaced, node.span, Text::yes_no_is_a_type);
    else
        report(Code::misplaced, node.span, std::string(kind_name(node.kind)));
    return broken(node.span);
}

ExpressionId ExpressionReader::sum(const Node& node) {
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
        if (i == 1 && first->kind == Kind::players && is_set_of_numbers(right)) left = number(*first);
        if (right_node.kind == Kind::players && is_set_of_numbers(left)) right = number(right_node);
        const bool numbers = !both_players && (type(left).base == Base::number || type(right).base == Base::number || !plus);
        if (!numbers || (plus && joins_numbers(left, right))) {
            left = join(left, right, node.span);
            if (is_broken(left)) return left;
            continue;
        }
        if (numeric(*first, left) && i == 1 && first->kind == Kind::players) left = number(*first);
        if (right_node.kind == Kind::players) right = number(right_node);
        if (!plus && is_of_many(type(left))) {
            report(Code::wrong_type, at(left).span, Text::a_number, describe(type(left))).help = Text::but_takes_out;
            return broken(node.span);
        }
        if (plus && (first->kind == Kind::e_total || first->kind == Kind::e_size) && is_of_many(type(right))) {
            report(Code::wrong_type, right_node.span, Text::a_number, describe(type(right))).help = Text::brackets_around_counted;
            return broken(node.span);
        }
        left = as_number(left);
        if (!plus && !is_broken(left) && type(right).base != Base::number && !is_broken(right)) {
            report(Code::wrong_type, right_node.span, Text::a_number, describe(type(right))).help = Text::but_takes_out;
            return broken(node.span);
        }
        right = as_number(right);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        left = plus ? added(left, right, node.span) : subtracted(left, right, node.span);
    }
    return left;
}

bool ExpressionReader::is_set_of_numbers(ExpressionId e) const { return type(e).base == Base::set && type(e).element == Base::number; }

// Whether `+` puts them together: sets of numbers, or one and a number.
bool ExpressionReader::joins_numbers(ExpressionId a, ExpressionId b) const {
    const auto fits = [&](ExpressionId e) { return is_set_of_numbers(e) || (type(e).base == Base::number && !is_no_value(e)); };
    return fits(a) && fits(b) && (is_set_of_numbers(a) || is_set_of_numbers(b));
}

ExpressionId ExpressionReader::added(ExpressionId left, ExpressionId right, Span span) {
    scale_together(left, right);
    const Type x = type(left);
    const Type y = type(right);
    const Type t = number_range(std::int64_t{x.low} + y.low, std::int64_t{x.high} + y.high, x.scale, span);
    return value_of(left) && value_of(right) ? constant(t, t.low, span) : emit(Operator::add, t, span, left, right);
}

ExpressionId ExpressionReader::subtracted(ExpressionId left, ExpressionId right, Span span) {
    scale_together(left, right);
    const Type x = type(left);
    const Type y = type(right);
    const Type t = number_range(std::int64_t{x.low} - y.high, std::int64_t{x.high} - y.low, x.scale, span);
    return value_of(left) && value_of(right) ? constant(t, t.low, span) : emit(Operator::subtract, t, span, left, right);
}

ExpressionId ExpressionReader::product(const Node& node) {
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

ExpressionId ExpressionReader::but(const Node& node) {
    ExpressionId left = expression(*node.children[0]);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const ExpressionId right = expression(*node.children[i]);
        if (is_broken(left) || is_broken(right)) return broken(node.span);
        left = minus(left, right, node.span);
    }
    return left;
}

}  // namespace houserule
