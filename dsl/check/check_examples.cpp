// The examples of a file.
#include "dsl/check/checker.hpp"

#include <algorithm>

namespace houserule {

// Whether the example is one of this variant: the one it names, or the file's own (with the option of a `when` that it stands in).
bool Checker::has_example(const Node& d) {
    bool fits = true;
    if (const Node* n = child(d, Kind::for_players)) {
        const int wanted = std::stoi(n->children[0]->text.substr(0, 4));
        const PlayerRange range = player_range(syntax_);
        if (wanted < range.low || wanted > range.high) {
            report(Code::wrong_player_count, n->span, text_of(range), wanted);
        }
        fits = wanted == players_;
    }
    Settings wanted;
    for (const Node* c : d.children) {
        if (c->kind != Kind::with_option) continue;
        const Node& v = *c->children[1];
        const std::string& name = c->children[0]->text;
        const std::string value = v.kind == Kind::yes ? "yes" : v.kind == Kind::no ? "no" : v.text;
        wanted[name] = value;
        const auto& all = merged_.offers;
        const auto offer = std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.name == name; });
        if (offer == all.end())
            report(Code::unknown_option, c->children[0]->span, name);
        else if (std::find(offer->values.begin(), offer->values.end(), value) == offer->values.end())
            report(Code::option_value, v.span, name, value);
        fits = fits && std::any_of(merged_.options.begin(), merged_.options.end(),
                                   [&](const OptionValue& o) { return o.name == name && o.value == value; });
    }
    const auto& top = layers(syntax_).back()->children;
    if (std::find(top.begin(), top.end(), &d) == top.end()) return fits;
    for (const Offer& o : merged_.offers) {
        const auto set = settings_.find(o.name);
        if (set != settings_.end() && !o.values.empty() && set->second != o.values.front() && !wanted.contains(o.name)) return false;
    }
    return fits;
}

// The cards of `given P1's hand is [white 1], …`.
void Checker::check_laid(const Node& values, Given& given) {
    const Zone& zone = game_.zones[given.zone];
    for (const Node* v : values.children) {
        const ExpressionId e = expression(*v);
        if (is_broken(e)) continue;
        const bool nothing = type(e).base == Base::set && at(e).op == Operator::set_constant && type(e).element == Base::nothing;
        if (nothing) continue;
        if (type(e).base == Base::set && type(e).element == Base::kind) {
            report(Code::wrong_type, v->span, Text::a_card, describe(type(e))).help = Text::given_without_braces;
            continue;
        }
        const ExpressionId k = as_kind(e);
        if (is_broken(k)) continue;
        const auto kind = value_of(k);
        if (!kind || *kind < 0) {
            report(Code::not_constant, v->span);
            continue;
        }
        const FamilyId family = game_.kinds[*kind].family;
        if (!zone.families[family]) {
            report(Code::family_does_not_fit, v->span, zone.name, game_.families[family].name);
            continue;
        }
        given.kinds.push_back(*kind);
    }
}

void Checker::check_given(const Node& c, Example& example) {
    Given given;
    given.span = c.span;
    const ExpressionId target = expression(*c.children[0]);
    const Node& values = *c.children[1];
    if (is_broken(target)) return;
    const Expression x = at(target);
    const auto constant_value = [&](ExpressionId e) {
        return is_broken(e) || value_of(e).has_value() || at(e).op == Operator::set_constant;
    };
    if (x.op == Operator::fact || x.op == Operator::set_fact) {
        given.fact = x.named();
        given.index = x.a;
        const Fact& fact = game_.facts[x.named()];
        if (values.children.size() != 1) {
            report(Code::wrong_type, values.span, describe(fact.type), Text::count_of_values(values.children.size()));
            return;
        }
        given.value = as_type(values.children[0]->kind == Kind::players && fact.type.base == Base::number ? number(*values.children[0])
                                                                                                          : expression(*values.children[0]),
                              fact.type, fact.name);
        given.value = folded(given.value);
        if (is_broken(given.value)) return;
        if (!constant_value(given.value)) {
            report(Code::not_constant, values.span);
            return;
        }
    } else if (x.op == Operator::cards_at && at(x.a).op == Operator::place) {
        given.zone = at(x.a).named();
        given.index = at(x.a).a;
        check_laid(values, given);
    } else if (c.children[0]->kind == Kind::e_every) {  // the same in each of them
        const auto places = places_.find(c.children[0]->children[0]->text);
        const std::vector<Operand> zones = places == places_.end() ? std::vector<Operand>{x.named()} : places->second.each;
        for (const Operand id : zones) {
            Given here = given;
            here.zone = id;
            check_laid(values, here);
            const Zone& zone = game_.zones[here.zone];
            for (std::int32_t i = 0; i < zone.places; ++i) {
                if (zone.by != IndexBy::nothing) here.index = constant(number_type(0, zone.places - 1), i, here.span);
                example.given.push_back(here);
            }
        }
        return;
    } else {
        report(Code::wrong_type, c.children[0]->span, Text::a_zone_or_fact, describe(x.type));
        return;
    }
    if (given.index != no_id && !value_of(given.index)) {
        report(Code::not_constant, c.children[0]->span);
        return;
    }
    example.given.push_back(std::move(given));
}

// What is answered in a rule: constants, and sets of them.
std::vector<ExpressionId> Checker::chosen_in(const Node* choosing) {
    std::vector<ExpressionId> values;
    if (choosing == nullptr) return values;
    for (const Node* c : choosing->children) {
        const ExpressionId e = folded(expression(*c));
        if (is_broken(e)) continue;
        if (value_of(e) || at(e).op == Operator::set_constant)
            values.push_back(e);
        else
            report(Code::not_constant, c->span);
    }
    return values;
}

void Checker::check_example(const Node& d) {
    if (!has_example(d)) return;
    const std::set<std::string> used = used_;  // what only examples use, the game does not
    Example example;
    example.title = d.children[0]->text;
    example.span = d.children[0]->span;
    scopes_.open();
    for (const Node* c : d.children) {
        if (c->kind == Kind::given) check_given(*c, example);
        if (c->kind == Kind::do_rule) {
            const StatementId s = call(*c);
            if (s == no_id) continue;
            example.steps.emplace_back(s, true);
            example.given_before.push_back(example.given.size());
            example.choices.push_back(chosen_in(child(*c, Kind::choosing)));
        } else if (c->kind == Kind::then_holds) {
            const ExpressionId e = truth(*c->children[0]);
            if (is_broken(e)) continue;
            example.steps.emplace_back(e, false);
            example.given_before.push_back(example.given.size());
            example.choices.emplace_back();
        }
    }
    scopes_.close();
    used_ = used;
    game_.examples.push_back(std::move(example));
}

}  // namespace houserule
