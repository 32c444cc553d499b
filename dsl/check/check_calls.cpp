// Calls of rules. A rule that takes zones is read anew for each choice of zones that it is called with: each is a rule of its own, in which
// the zone stands for the parameter, so that what it says of order, room and who sees is judged at each call, and nothing else knows of it.
#include "dsl/check/statement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace houserule {

namespace {

constexpr std::size_t zone_reading_limit = 500;  // choices of zones for one rule

}  // namespace

ExpressionId StatementReader::argument(const Node& node, const Type& wanted, const std::string& name) {
    ExpressionId e = node.kind == Kind::players && wanted.base == Base::number ? number(node) : expression(node);
    if (wanted.base == Base::card && !is_broken(e) && type(e).base == Base::kind) {
        Diagnostic& d = report(Code::wrong_type, at(e).span, Text::card_lying_somewhere, describe(type(e)));
        if (wanted.of != no_id) d.help = Text::take_a_kind(game_.families[wanted.of].name);
    }
    e = as_type(e, wanted, name);
    return wanted.or_none ? e : somebody(e);
}

std::vector<ExpressionId> StatementReader::arguments(const Node* node, const std::vector<VariableId>& parameters, const std::string& name,
                                                     Span span) {
    std::vector<ExpressionId> args;
    const std::size_t given = node ? node->children.size() : 0;
    if (given != parameters.size()) report(Code::wrong_arguments, span, name, parameters.size(), given);
    for (std::size_t i = 0; i < given; ++i) {
        if (i < parameters.size()) {
            const Variable wanted = game_.variables[parameters[i]];
            args.push_back(argument(*node->children[i], wanted.type, wanted.name));
        } else {
            args.push_back(expression(*node->children[i]));
        }
    }
    return args;
}

StatementId StatementReader::call(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    const Local* local = scopes_.find(name.text);
    if (m == globals_.end() || m->second.what != Meaning::rule || local != nullptr) {
        if (m != globals_.end() && m->second.what == Meaning::act) {
            report(Code::wrong_use, name.span, name.text, Text::is_an_act).help = Text::offer_lets_do(name.text);
        } else if (m != globals_.end() || local != nullptr) {
            report(Code::wrong_use, name.span, name.text, Text::not_a_rule).help = Text::statement_says;
        } else {
            std::vector<std::string> words = {"put",  "deal", "draw",    "shuffle",        "repeat", "each",   "cases", "let", "show",
                                              "stop", "end",  "nothing", "simultaneously", "table",  "chance", "offer", "any"};
            unknown_name(name, words);
        }
        return no_id;
    }
    used_.insert(name.text);
    RuleId rule = m->second.id;
    std::vector<ExpressionId> given;
    if (takes_zones(rule)) {
        rule = with_zones(rule, node, given);
        if (rule == no_id) return no_id;
    } else {
        given = arguments(child(node, Kind::arguments), game_.rules[rule].parameters, name.text, node.span);
    }
    calls_.leads_to(rule);
    const StatementId id = add(node, statement::Call{rule, std::move(given)});
    knowledge_.differences.called(id);
    return id;
}

// --- rules that take zones

Type StatementReader::parameter_type(const Node& parameter) {
    std::size_t at = 0;
    const Node& name = *parameter.children.back();
    Type t = read_type(parameter, at, name.text);
    // What lies somewhere, so that it can be moved.
    if (t.base == Base::kind && parameter.children.front()->kind != Kind::t_kind) t = card_type(t.of);
    must_be_free(name);
    return t;
}

void StatementReader::declare_zone_rule(RuleId rule, const Node& declaration) {
    ZoneRule& of = zone_rules_[rule];
    of.declaration = &declaration;
    for (const Node* p : child(declaration, Kind::parameters)->children) {
        const Node& name = *p->children.back();
        const bool zone = is_zone(*p);
        if (zone) must_be_free(name);
        of.types.push_back(zone ? Type{} : parameter_type(*p));
    }
}

// One zone, of one owner; broken, and a report, if it is none or may be one of several.
ExpressionId StatementReader::given_zone(const Node& node) {
    const ExpressionId zone = given_place(expression(node));
    if (is_broken(zone) || at(at(zone).a).op == Operator::place) return zone;
    report(Code::wrong_type, node.span, Text::one_zone, Text::several_zones).help = Text::name_one_zone;
    return broken(node.span);
}

Type StatementReader::owner_type(ZoneId zone) {
    return game_.zones[zone].by == IndexBy::player ? player_type() : enum_type(game_.zones[zone].index_enum);
}

std::optional<std::vector<StatementReader::ZoneParameter>> StatementReader::zones_given(const ZoneRule& of, const Node& call,
                                                                                        std::vector<ExpressionId>& given, Wanted& wanted) {
    const auto& parameters = child(*of.declaration, Kind::parameters)->children;
    const Node* values = child(call, Kind::arguments);
    const std::size_t count = values ? values->children.size() : 0;
    if (count != parameters.size()) {
        report(Code::wrong_arguments, call.span, of.declaration->children[0]->text, parameters.size(), count);
        return std::nullopt;
    }
    std::vector<ZoneParameter> zones(count);
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& name = parameters[i]->children.back()->text;
        const bool zone = is_zone(*parameters[i]);
        const ExpressionId e = zone ? given_zone(*values->children[i]) : argument(*values->children[i], of.types[i], name);
        good = good && !is_broken(e);
        if (zone && !is_broken(e)) zones[i] = {ZoneId(at(at(e).a).named()), at(at(e).a).a, {}};
        if (zone) continue;
        given.push_back(e);
        wanted.emplace_back(name, of.types[i]);
    }
    return good ? std::optional(std::move(zones)) : std::nullopt;
}

// Whose each zone is: the same as somebody who is given, somebody whom the call names, or else somebody who is given besides. In words.
std::string StatementReader::owners_of_zones(const ZoneRule& of, std::vector<ZoneParameter>& zones, std::vector<ExpressionId>& given,
                                             Wanted& wanted) {
    const auto& parameters = child(*of.declaration, Kind::parameters)->children;
    std::string words;
    for (std::size_t i = 0; i < zones.size(); ++i) {
        ZoneParameter& zone = zones[i];
        if (zone.id == no_id) continue;
        words += fmt::format("{} ", zone.id.value());
        if (zone.owner == no_id) continue;
        std::size_t known = 0;
        while (known < given.size() && (wanted[known].second.or_none || !same(given[known], zone.owner))) ++known;
        const auto constant = value_of(zone.owner);
        if (known == given.size() && constant) {
            words += fmt::format("of {} ", *constant);
            continue;
        }
        if (known == given.size()) {
            given.push_back(somebody(zone.owner));
            wanted.emplace_back(parameters[i]->children.back()->text, owner_type(zone.id));
        }
        zone.given = known;
        words += fmt::format("of the given {} ", known);
    }
    return words;
}

RuleId StatementReader::with_zones(RuleId rule, const Node& call, std::vector<ExpressionId>& given) {
    ZoneRule& of = zone_rules_.at(rule);
    const std::string name = game_.rules[rule].name;
    Wanted wanted;
    auto zones = zones_given(of, call, given, wanted);
    if (!zones) return no_id;
    const std::string key = owners_of_zones(of, *zones, given, wanted);
    if (const auto known = of.read_for.find(key); known != of.read_for.end()) return known->second;
    if (of.read_for.size() >= zone_reading_limit) {
        report(Code::limit_passed, call.span, of.read_for.size() + 1, Text::choices_of_zones(name), zone_reading_limit);
        return no_id;
    }
    RuleId id = rule;
    if (!of.read_for.empty()) {
        id = game_.rules.add({name, {}, no_id, {}, game_.rules[rule].span});
        calls_.grow();
    }
    of.read_for.emplace(key, id);
    zone_readings_.push_back(zone_reading(id, of, *zones, wanted, call.span));
    return id;
}

// The parameters of the rule that is read for these zones, and what the names in the file stand for in it.
StatementReader::ZoneReading StatementReader::zone_reading(RuleId id, const ZoneRule& of, const std::vector<ZoneParameter>& zones,
                                                           const Wanted& wanted, Span called) {
    const RuleId saved = std::exchange(rule_, id);
    std::vector<VariableId> variables;
    for (const auto& [name, type] : wanted) variables.push_back(new_variable(name, type, {}));
    rule_ = saved;
    ZoneReading reading{id, of.declaration, {}, called};
    const auto& parameters = child(*of.declaration, Kind::parameters)->children;
    std::size_t next = 0;
    for (std::size_t i = 0; i < zones.size(); ++i) {
        const Span span = parameters[i]->children.back()->span;
        if (zones[i].id == no_id) {
            reading.locals.push_back({variable_expression(variables[next], span), variables[next]});
            ++next;
            continue;
        }
        ExpressionId owner = no_id;
        if (zones[i].owner != no_id)
            owner = zones[i].given ? variable_expression(variables[*zones[i].given], span)
                                   : constant(owner_type(zones[i].id), value_of(zones[i].owner).value_or(0), span);
        reading.locals.push_back(zone_local(zone_of(zones[i].id, owner, span)));
    }
    game_.rules[id].parameters = std::move(variables);
    return reading;
}

void StatementReader::read_zone_rule(const ZoneReading& reading) {
    const std::size_t before = diagnostics_.size();
    rule_ = reading.rule;
    called_ = reading.called;
    scopes_.open();
    const auto& parameters = child(*reading.declaration, Kind::parameters)->children;
    for (std::size_t i = 0; i < parameters.size(); ++i) scopes_.set(parameters[i]->children.back()->text, reading.locals[i]);
    calls_.read(rule_);
    const StatementId b = body(child(*reading.declaration, Kind::body));
    game_.rules[reading.rule].body = b;
    calls_.read_others();
    scopes_.close();
    rule_ = no_id;
    called_ = {};
    if (reading.called == Span{}) return;
    for (std::size_t i = before; i < diagnostics_.size(); ++i) diagnostics_[i].labels.push_back({reading.called, Text::as_called_here});
}

void StatementReader::read_zone_rules() {
    while (!zone_readings_.empty()) {
        const ZoneReading reading = std::move(zone_readings_.front());
        zone_readings_.pop_front();
        read_zone_rule(reading);
    }
}

// With the same zone for all of its parameters; what a player would have to know is asked only where it is called.
bool StatementReader::reads_without_error(RuleId rule, const ZoneRule& of, ZoneId zone) {
    const auto& parameters = child(*of.declaration, Kind::parameters)->children;
    std::vector<ZoneParameter> zones(parameters.size());
    Wanted wanted;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!is_zone(*parameters[i])) wanted.emplace_back(parameters[i]->children.back()->text, of.types[i]);
    const bool owned = game_.zones[zone].by != IndexBy::nothing;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!is_zone(*parameters[i])) continue;
        zones[i].id = zone;
        if (!owned) continue;
        zones[i].given = wanted.size();
        wanted.emplace_back(parameters[i]->children.back()->text, owner_type(zone));
        zones[i].owner = ExpressionId(0);  // there is one
    }
    const std::size_t before = diagnostics_.size();
    const std::size_t asked = unknown_.size();
    read_zone_rule(zone_reading(rule, of, zones, wanted, {}));
    unknown_.resize(asked);
    return diagnostics_.size() == before;
}

void StatementReader::read_uncalled(RuleId rule, const ZoneRule& of) {
    const std::ptrdiff_t before = std::ssize(diagnostics_);
    Diagnostics first;
    for (const ZoneId zone : game_.zones.ids()) {
        if (reads_without_error(rule, of, zone)) return;
        if (first.empty()) first.assign(diagnostics_.begin() + before, diagnostics_.end());
        diagnostics_.erase(diagnostics_.begin() + before, diagnostics_.end());
    }
    const auto& parameters = child(*of.declaration, Kind::parameters)->children;
    if (std::count_if(parameters.begin(), parameters.end(), [&](const Node* p) { return is_zone(*p); }) == 1)
        diagnostics_.insert(diagnostics_.end(), first.begin(), first.end());
    game_.rules[rule].parameters.clear();
    const StatementId nothing = body(nullptr);
    game_.rules[rule].body = nothing;
}

void StatementReader::finish_zone_rules() {
    read_zone_rules();
    for (const auto& [rule, of] : zone_rules_)
        if (of.read_for.empty()) read_uncalled(rule, of);
    read_zone_rules();
    for (const auto& [rule, of] : zone_rules_)
        for (const auto& [key, id] : of.read_for) game_.rules[id].ends = game_.rules[rule].ends;
}

// `stop` in a rule that takes zones leaves the one that is being read.
RuleId StatementReader::stopped_rule(RuleId rule, const Node& name) {
    const auto of = zone_rules_.find(rule);
    if (of == zone_rules_.end() || rule == rule_) return rule;
    for (const auto& [key, id] : of->second.read_for)
        if (id == rule_) return id;
    report(Code::misplaced, name.span, Text::stopped_from_within);
    return no_id;
}

}  // namespace houserule
