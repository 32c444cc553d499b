#include "solver/players/asked_for.hpp"

#include "dsl/game/parts.hpp"

#include <set>

namespace houserule {

AskedFor asked_for(const Machine& machine) {
    const Game& game = machine.game;
    // Variables that stand for what was said aloud, also where they are handed on to other rules, and facts that keep it.
    Store<VariableId, bool> said(game.variables.size(), false);
    Store<FactId, bool> kept(game.facts.size(), false);
    for (const Step& s : machine.code)
        if (s.op == Op::choose && (s.mode & choice_aloud) != 0) said[s.a] = true;
    Store<ExpressionId, bool> mentions(game.expressions.size(), false);
    const auto mark = [&] {
        for (const ExpressionId e : game.expressions.ids()) {
            const Expression& x = game.expressions[e];
            const bool variable = x.op == Operator::variable || x.op == Operator::set_variable || x.op == Operator::cards_variable;
            mentions[e] = (variable && said[x.named()]) || (names_fact(x.op) && kept[x.named()]);
            if (x.op == Operator::place) continue;  // whose it is says nothing of what lies there
            for (const ExpressionId part : {x.a, x.b, x.c}) mentions[e] = mentions[e] || (part != no_id && mentions[part]);
        }
    };
    for (bool more = true; more;) {
        more = false;
        mark();
        for (const Step& s : machine.code) {
            const bool handed_on = s.op == Op::assign && mentions[s.x] && !said[s.a];
            if (handed_on) said[s.a] = more = true;
            const bool kept_now = s.op == Op::set_fact && mentions[s.x] && !kept[s.a];
            if (kept_now) kept[s.a] = more = true;
        }
    }
    std::set<ZoneId> zones;
    std::set<FactId> facts;
    for (const Step& s : machine.code) {
        if (s.op != Op::branch && s.op != Op::promise && s.op != Op::set_fact && s.op != Op::assign) continue;
        if (s.x == no_id || !mentions[s.x]) continue;
        std::vector<ExpressionId> waiting{s.x};
        while (!waiting.empty()) {
            const Expression& x = game.expressions[waiting.back()];
            waiting.pop_back();
            if (names_zone(x.op)) zones.insert(x.named());
            if (names_fact(x.op) && game.facts[x.named()].seers != Seers::all) facts.insert(x.named());
            for (const ExpressionId part : {x.a, x.b, x.c})
                if (part != no_id) waiting.push_back(part);
        }
    }
    return {{zones.begin(), zones.end()}, {facts.begin(), facts.end()}};
}

HiddenThings hidden_asked_for(Deduction& deduction, bool or_all) {
    const AskedFor named = asked_for(deduction.machine());
    HiddenThings asked;
    HiddenThings hidden;
    for (const HiddenThing& thing : deduction.knowledge().things) {
        if (thing.is_fact) {
            const HiddenFact fact{thing.fact, thing.index};
            hidden.facts.push_back(fact);
            if (std::ranges::find(named.facts, thing.fact) != named.facts.end()) asked.facts.push_back(fact);
            continue;
        }
        hidden.places.push_back(thing.place);
        const ZoneId zone = deduction.machine().place_zone[thing.place];
        if (std::ranges::find(named.zones, zone) != named.zones.end()) asked.places.push_back(thing.place);
    }
    return asked.empty() && (or_all || named.empty()) ? hidden : asked;
}

}  // namespace houserule
