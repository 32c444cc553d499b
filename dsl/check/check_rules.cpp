// Rules, acts, ends and defines.
#include "dsl/check/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace houserule {

void DeclarationReader::collect_text(const Node& d, const std::string& name) {
    if (const Node* text = child(d, Kind::text)) say(game_.texts, {text_language(text->span), name, text->text});
}

void Checker::check_rule(Rule& rule, const Node& d) {
    rule_ = RuleId(&rule - game_.rules.data());
    scopes_.open();
    const Node* parameters = child(d, Kind::parameters);
    for (std::size_t i = 0; i < rule.parameters.size(); ++i) {
        const Node& name = *parameters->children[i]->children.back();
        scopes_.set(name.text, {variable_expression(rule.parameters[i], name.span), rule.parameters[i]});
    }
    calls_.read(rule_);
    const StatementId b = body(child(d, Kind::body));
    game_.rules[rule_].body = b;
    scopes_.close();
    rule_ = no_id;
    calls_.read_others();
    collect_text(d, d.children[0]->text);
}

// `3 in 100`
void Checker::read_odds(const Node& odds, Act& act) {
    const ExpressionId times = count(*odds.children[0], verbatim("when simulated"));
    const ExpressionId of = count(*odds.children[1], verbatim("in"), 1);
    if (is_broken(times) || is_broken(of)) return;
    act.odds = value_of(times).value_or(0);
    act.odds_of = value_of(of).value_or(1);
    if (act.odds > act.odds_of)
        report(Code::out_of_range, odds.children[0]->span, verbatim("when simulated"), fmt::format("0..{}", act.odds_of), act.odds);
}

void Checker::check_act(Act& act, const Node& d) {
    const std::size_t index = &act - game_.acts.data();
    scopes_.open();
    const Node* parameters = child(d, Kind::parameters);
    if (parameters == nullptr || parameters->children.size() != 1) {
        report(Code::wrong_arguments, d.children[0]->span, act.name, 1, parameters ? parameters->children.size() : 0).help =
            Text::who_acts(act.name);
    } else {
        const std::vector<VariableId> ids = declare_parameters(parameters, no_id);
        game_.acts[index].parameter = ids[0];
        const Node& name = *parameters->children[0]->children.back();
        scopes_.set(name.text, {variable_expression(ids[0], name.span), ids[0]});
    }
    Act result = game_.acts[index];
    for (const Node* c : d.children) {
        if (c->kind == Kind::word) result.any_time = c->text == "any";
        if (c->kind == Kind::unless) {
            result.unless = truth(*c->children[0]);
            if (result.parameter != no_id) must_know(variable_expression(result.parameter, c->span), result.unless);
        }
        if (c->kind == Kind::odds) read_odds(*c, result);
    }
    if (child(d, Kind::unless) == nullptr) report(Code::no_unless, d.children[0]->span, act.name).help = Text::say_unless;
    if (child(d, Kind::odds) == nullptr) report(Code::no_simulation, d.children[0]->span).help = Text::say_how_often;
    result.body = decided_together(child(d, Kind::body));
    game_.acts[index] = result;
    scopes_.close();
    collect_text(d, d.children[0]->text);
}

void Checker::check_end(End& end, const Node& d) {
    const std::size_t index = &end - game_.ends.data();
    scopes_.open();
    const Node* parameters = child(d, Kind::parameters);
    for (std::size_t i = 0; i < end.parameters.size(); ++i) {
        const Node& name = *parameters->children[i]->children.back();
        scopes_.set(name.text, {variable_expression(end.parameters[i], name.span), end.parameters[i]});
    }
    calls_.read(static_cast<EndId>(index));
    const StatementId b = child(d, Kind::body) ? body(child(d, Kind::body)) : no_id;
    game_.ends[index].body = b;
    calls_.read_others();
    scopes_.close();
    collect_text(d, child(d, Kind::name)->text);
}

void Checker::check_ends(const Node& d) {
    EndCheck check;
    check.span = d.span;
    for (const Node* e : d.children) {
        if (e->kind != Kind::end_entry) continue;
        const Meaning& meaning = globals_[e->children[0]->text];
        if (meaning.what != Meaning::end || meaning.id == no_id) continue;  // the name was taken
        const EndId id = meaning.id;
        check.of_match = game_.ends[id].of_match;
        const Node* condition = nullptr;
        for (std::size_t i = 1; i < e->children.size(); ++i)
            if (e->children[i]->kind != Kind::text && e->children[i]->kind != Kind::body) condition = e->children[i];
        const ExpressionId c = truth(*condition);
        calls_.read(id);
        const StatementId b = child(*e, Kind::body) ? body(child(*e, Kind::body)) : no_id;
        game_.ends[id].body = b;
        calls_.read_others();
        collect_text(*e, e->children[0]->text);
        if (!is_broken(c)) check.ends.emplace_back(id, c);
        used_.insert(e->children[0]->text);
    }
    const CheckId index = game_.checks.next();
    game_.checks.push_back(std::move(check));
    for (const Node* n : child(d, Kind::after)->children) {
        const auto m = globals_.find(n->text);
        if (m != globals_.end() && m->second.what == Meaning::rule)
            game_.rules[m->second.id].ends.push_back(index);
        else if (m != globals_.end() && m->second.what == Meaning::act)
            game_.acts[m->second.id].ends.push_back(index);
        else
            unknown_name(*n);
    }
}

// A define is read where it is used; once by itself too, so that one nobody uses is checked.
// A set of kinds may also be cards, and a zone any zone: it is enough when the define can be read for one of them.
void Checker::check_define_alone(const Node& d) {
    const std::ptrdiff_t before = std::ssize(diagnostics_);
    Diagnostics first;
    const auto reads = [&](bool as_cards, ZoneId zone) {
        diagnostics_.erase(diagnostics_.begin() + before, diagnostics_.end());
        const bool again = read_define(d, as_cards, zone);
        if (first.empty()) first.assign(diagnostics_.begin() + before, diagnostics_.end());
        return std::ssize(diagnostics_) == before || (zone == no_id && !as_cards && !again);
    };
    if (!has_zones(d)) {
        if (reads(false, no_id) || reads(true, no_id)) return;
    } else {
        for (const ZoneId zone : game_.zones.ids())
            if (reads(false, zone) || reads(true, zone)) return;
        const auto& parameters = child(d, Kind::parameters)->children;
        if (std::count_if(parameters.begin(), parameters.end(), [&](const Node* p) { return is_zone(*p); }) > 1) first.clear();
    }
    diagnostics_.erase(diagnostics_.begin() + before, diagnostics_.end());
    std::move(first.begin(), first.end(), std::back_inserter(diagnostics_));
}

// Its expression, where a parameter `set of FAMILY` stands for kinds or for cards, and `zone` for that one. Whether there is one of kinds.
bool Checker::read_define(const Node& d, bool as_cards, ZoneId zone) {
    bool several = false;
    scopes_.open();
    if (const Node* parameters = child(d, Kind::parameters)) {
        for (const Node* p : parameters->children) {
            std::size_t at = 0;
            const Node& name = *p->children.back();
            must_be_free(name);
            if (is_zone(*p)) {
                const bool owned = game_.zones[zone].by != IndexBy::nothing;
                const ExpressionId owner =
                    owned ? variable_expression(new_variable(name.text, owner_type(zone), {}), name.span) : ExpressionId(no_id);
                scopes_.set(name.text, zone_local(zone_of(zone, owner, name.span)));
                continue;
            }
            Type t = read_type(*p, at, name.text);
            const bool of_kinds = t.base == Base::set && t.element == Base::kind;
            several = several || of_kinds;
            if (of_kinds && as_cards) t = cards_type(t.of);
            const VariableId v = new_variable(name.text, t, {});
            scopes_.set(name.text, {variable_expression(v, name.span), v});
        }
    }
    defining_.push_back(d.children[0]->text);
    expression(*d.children.back());
    defining_.pop_back();
    scopes_.close();
    return several;
}

// The choices of zones that only an example calls a rule with; what is wrong there is said when the example is read.
void Checker::zones_of_examples() {
    const std::size_t before = diagnostics_.size();
    const std::set<std::string> used = used_;
    for (const Node* d : merged_.declarations) {
        if (d->kind != Kind::d_example) continue;
        for (const Node* step : d->children) {
            const auto rule = step->kind == Kind::do_rule ? globals_.find(step->children[0]->text) : globals_.end();
            if (rule == globals_.end() || rule->second.what != Meaning::rule || !takes_zones(rule->second.id)) continue;
            std::vector<ExpressionId> given;
            with_zones(rule->second.id, *step, given);
        }
    }
    used_ = used;
    diagnostics_.resize(before);
}

void Checker::check_rules() {
    for (const Node* d : merged_.declarations) {
        const auto meaning = [&](const Node& n) -> const Meaning& { return globals_[n.text]; };
        switch (d->kind) {
            case Kind::d_define:
                check_define_alone(*d);
                break;
            case Kind::d_rule:
                if (meaning(*d->children[0]).what == Meaning::rule && takes_zones(meaning(*d->children[0]).id)) {
                    collect_text(*d, d->children[0]->text);
                } else if (meaning(*d->children[0]).what == Meaning::rule && game_.rules[meaning(*d->children[0]).id].body == no_id) {
                    check_rule(game_.rules[meaning(*d->children[0]).id], *d);
                }
                break;
            case Kind::d_act:
                if (meaning(*d->children[0]).what == Meaning::act) check_act(game_.acts[meaning(*d->children[0]).id], *d);
                break;
            case Kind::d_end: {
                const Node& n = *child(*d, Kind::name);
                if (meaning(n).what == Meaning::end) check_end(game_.ends[meaning(n).id], *d);
                break;
            }
            case Kind::d_ends:
                check_ends(*d);
                break;
            case Kind::d_setup:
                game_.setup = body(child(*d, Kind::body));
                collect_text(*d, "setup");
                break;
            case Kind::d_play:
                game_.play = body(child(*d, Kind::body));
                collect_text(*d, "play");
                break;
            case Kind::d_match:
                in_match_ = true;
                game_.match = body(child(*d, Kind::body));
                in_match_ = false;
                collect_text(*d, d->children[0]->text);
                break;
            case Kind::d_assume:
            case Kind::d_unclear:
                game_.assumptions.emplace_back(d->children[0]->text, d->span);
                break;
            default:
                break;
        }
    }
    read_zone_rules();
    zones_of_examples();
    finish_zone_rules();
    report_unknown();
    if (game_.play == no_id) report(Code::missing_declaration, {}, verbatim("play")).help = Text::play_says;
}

}  // namespace houserule
