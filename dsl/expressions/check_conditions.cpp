// Comparisons, membership, cases and readings.
#include "dsl/expressions/expression_reader.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule {

namespace {

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

}  // namespace

// The field of a card that alone can be `value`; none when several can, or none can.
ExpressionId ExpressionReader::said_value(ExpressionId card, ExpressionId value) {
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

ExpressionId ExpressionReader::equal(ExpressionId a, ExpressionId b, Span span) {
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
            const std::size_t before = diagnostics_.size();
            a = as_kind(a);
            b = as_kind(b);
            if (diagnostics_.size() > before && diagnostics_.back().code == Code::several_fit)
                diagnostics_.back().help = Text::say_which_or_all;
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
        scale_sets_together(a, b);
        if (is_broken(a) || is_broken(b)) return broken(span);
        return emit(Operator::same_set, truth_type(), span, a, b);
    }
    const bool none_a = is_no_value(a);
    const bool none_b = is_no_value(b);
    if (none_a && type(b).base == Base::number) a = none_constant(type(b), at(a).span);
    if (none_b && type(a).base == Base::number) b = none_constant(type(a), at(b).span);
    const bool fits = none_a || none_b || (type(a).base == type(b).base && (type(a).of == type(b).of || type(a).base == Base::kind));
    if (!fits || !is_scalar(type(a).base) || !is_scalar(type(b).base)) {
        Diagnostic& d = report(Code::not_comparable, span, describe(type(a)), describe(type(b)));
        const bool one_of = (type(b).base == Base::set && type(b).element == type(a).base) ||
                            (type(a).base == Base::set && type(a).element == type(b).base);
        if (one_of) d.help = Text::ask_is_in;
        for (const auto& [cards, value] : {std::pair{a, b}, std::pair{b, a}})
            if (cardlike(cards) && type(cards).of != no_id)
                for (const Field& field : game_.families[FamilyId(type(cards).of)].fields)
                    if (field.type.base == type(value).base && field.type.of == type(value).of)
                        d.help = Text::ask_field_of_card(field.name);
        return broken(span);
    }
    if (type(a).base == Base::number) scale_together(a, b);
    if (auto u = value_of(a), v = value_of(b); u && v) return truth_constant(*u == *v, span);
    return emit(Operator::equal, truth_type(), span, a, b);
}

ExpressionId ExpressionReader::compare(const Node& node) {
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
    if (ordered_enum) {
        a = somebody(a);
        b = somebody(b);
    }
    const bool less = op == "<" || op == ">";
    if (op == ">" || op == ">=") std::swap(a, b);
    if (auto u = value_of(a), v = value_of(b); u && v) return truth_constant(less ? *u < *v : *u <= *v, node.span);
    return emit(less ? Operator::less : Operator::less_equal, truth_type(), node.span, a, b);
}

ExpressionId ExpressionReader::membership(const Node& node) {
    const Node& set_node = *node.children[1];
    ExpressionId x = expression(*node.children[0]);
    if (set_node.kind == Kind::e_range && child(set_node, Kind::by) == nullptr) {
        const Node& in = *node.children[0];
        return within(in.kind == Kind::players ? number(in) : x, set_node, node.span);
    }
    ExpressionId s = expression(set_node);
    if (is_broken(x) || is_broken(s)) return broken(node.span);
    if (type(s).base == Base::cards) {
        x = as_kind(x);
        if (is_broken(x)) return broken(node.span);
        return emit(Operator::has_kind, truth_type(), node.span, s, x);
    }
    if (type(s).base != Base::set) return wrong_set(s, Text::cards_or_set);
    if (type(s).element == Base::number && at(s).op == Operator::set_constant) {
        if (type(x).base != Base::number) x = as_number(x);
        ExpressionId result = truth_constant(false, node.span);
        const std::vector<std::int32_t> values = game_.sets[at(s).set()];
        const Type element = number_type(0, 0, type(s).scale);
        for (const std::int32_t v : values) result = either(result, equal(x, constant(element, v, node.span), node.span), node.span);
        // Asked value by value, the set itself is read no more, however far it reaches: nothing is left of it.
        if (set_node.kind == Kind::e_set) game_.expressions[s] = {Operator::constant, truth_type(), no_id, no_id, no_id, 0, node.span};
        return result;
    }
    const bool of_nothing = type(s).element == Base::nothing;  // `{}` alone
    if (type(s).element == Base::kind || (of_nothing && (type(x).base == Base::card || type(x).base == Base::cards))) x = as_kind(x);
    if (type(s).element == Base::number && type(x).base == Base::number) scale_to_set(s, x);
    if (is_broken(x) || is_broken(s)) return broken(node.span);
    const bool of_another_enum = type(x).base == Base::enumeration && type(x).of != type(s).of;
    if (of_nothing ? type(x).base == Base::set : (type(x).base != type(s).element || of_another_enum)) {
        report(Code::not_comparable, node.span, describe(type(x)), describe(type(s)));
        return broken(node.span);
    }
    return emit(Operator::has_element, truth_type(), node.span, s, x);
}

ExpressionId ExpressionReader::empty(const Node& node) {
    const ExpressionId s = expression(*node.children[0]);
    if (is_broken(s)) return s;
    if (type(s).base != Base::cards && type(s).base != Base::set) {
        return wrong_set(s, Text::cards_or_set);
    }
    const bool is_cards = type(s).base == Base::cards;
    const ExpressionId size = emit(is_cards ? Operator::size_of_cards : Operator::size_of_set,
                                   number_type(0, is_cards ? static_cast<int>(game_.piece_kind.size()) : 1000), node.span, s);
    return emit(Operator::equal, truth_type(), node.span, size, constant(number_type(0, 0), 0, node.span));
}

// Whether a kind is there whatever the state is: of a name, if that is none in no state.
bool ExpressionReader::is_surely_there(ExpressionId kind) const {
    const ExpressionId of = at(kind).op == Operator::kind_of ? at(kind).a : kind;
    const Operator op = at(of).op;
    return !type(of).or_none && (op == Operator::variable || op == Operator::bound || op == Operator::constant);
}

ExpressionId ExpressionReader::is_family(const Node& node) {
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
    if (t.of != no_id && is_surely_there(k)) return truth_constant(t.of == m->second.id, node.span);
    const ExpressionId above = emit(Operator::less_equal, truth_type(), node.span, constant(t, range.low, node.span), k);
    return both(above, emit(Operator::less_equal, truth_type(), node.span, k, constant(t, range.high, node.span)), node.span);
}

ExpressionId ExpressionReader::subject_of_cases(const Node& node) {
    const Node& subject = *node.children[0];
    return subject.kind == Kind::players ? number(subject) : expression(subject);
}

ExpressionId ExpressionReader::arm_condition(const Node& arm, bool of, ExpressionId subject) {
    ExpressionId condition = no_id;
    for (std::size_t i = 0; i + 1 < arm.children.size(); ++i) {
        const Node& part = *arm.children[i];
        const bool in_range = of && part.kind == Kind::e_range && child(part, Kind::by) == nullptr && type(subject).base == Base::number;
        const ExpressionId one = in_range ? within(subject, part, part.span)
                                 : of     ? equal(subject, expression(part), part.span)
                                          : truth(part);
        condition = condition == no_id ? one : either(condition, one, arm.span);
    }
    return condition;
}

ExpressionId ExpressionReader::cases_expression(const Node& node, bool of) {
    struct Case {
        ExpressionId condition;
        ExpressionId value;
        bool except;
    };
    std::vector<Case> cases;
    ExpressionId otherwise = no_id;
    const ExpressionId subject = of ? subject_of_cases(node) : no_id;
    for (const Node* arm : node.children) {
        if (arm->kind == Kind::arm_otherwise) otherwise = expression(*arm->children[0]);
        if (arm->kind == Kind::arm_except) cases.push_back({truth(*arm->children[0]), expression(*arm->children[1]), true});
        if (arm->kind != Kind::arm) continue;
        const ExpressionId condition = arm_condition(*arm, of, subject);
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

const SyntaxNode* ExpressionReader::chosen_reading(const Node& node) {
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

ExpressionId ExpressionReader::reading_expression(const Node& node) {
    ExpressionId result = no_id;
    const Node* chosen = chosen_reading(node);
    for (const Node* c : node.children) {
        if (c->kind != Kind::reading_choice) continue;
        const ExpressionId e = expression(*c->children.back());
        if (c == chosen) result = e;
    }
    return result;
}

}  // namespace houserule
