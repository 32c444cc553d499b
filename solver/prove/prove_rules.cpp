// Rules in line, acts that may come between, ends, and what is reckoned when the game is over: for all states at once.
#include "solver/prove/prove_walk.hpp"

#include "dsl/game/parts.hpp"

namespace houserule {

namespace {

using Int = Terms::Int;

}  // namespace

AbstractState Walk::take(StatementId, const statement::Call& s, AbstractState f) {
    const Rule& rule = game.rules[s.rule];
    const Store<VariableId, bool> before = live_;
    std::vector<Content<Terms>> arguments;
    for (const ExpressionId argument : s.arguments) arguments.push_back(content(f, argument));
    for (std::size_t i = 0; i < rule.parameters.size(); ++i) assign(f, rule.parameters[i], arguments[i]);
    live_before_[s.rule] = before;
    depth_before_[s.rule] = f.counters.size();
    gathered_.stopped[s.rule] = nowhere();
    for (const FactId fact : game.facts.ids())
        if (game.facts[fact].lasts == s.rule) start_fact(d, game, f.at, fact);
    const bool windows = std::exchange(windows_, played_[s.rule]);
    trail_.push_back(s.rule.value());
    f = take(rule.body, std::move(f));
    drop_variables(f, before);
    f = table_.merged(std::exchange(gathered_.stopped[s.rule], nowhere()), std::move(f));
    live_ = before;
    f = checks(rule.ends, std::move(f));
    trail_.pop_back();
    windows_ = windows;
    return f;
}

AbstractState Walk::checks(const std::vector<CheckId>& list, AbstractState f) {
    for (const CheckId c : list) {
        const EndCheck& check = game.checks[c];
        if (check.of_match ? running_match_ : running_) continue;
        for (const auto& [e, condition] : check.ends) {
            const Truth holds = truth(f, condition);
            end(e, table_.where(f, holds));
            f = table_.where(f, d.negate(holds));
        }
    }
    return f;
}

void Walk::end(EndId e, AbstractState f) {
    if (f.dead()) return;
    Store<VariableId, bool> kept(game.variables.size(), false);
    for (const VariableId v : game.ends[e].parameters) kept[v] = true;
    drop_variables(f, kept);
    f.counters.resize(game.ends[e].of_match ? 0 : game_depth_);
    gathered_.ended[e].push_back(std::make_shared<const AbstractState>(std::move(f)));
}

AbstractState Walk::seen(AbstractState f) {
    if (!windows_) return f;
    for (const ActId a : game.acts.ids())
        if (game.acts[a].any_time) f = offer(a, std::move(f));
    return f;
}

// Anybody may act, any number of times: what acts change is unknown after it.
AbstractState Walk::offer(ActId act, AbstractState f) {
    if (f.dead() || f.effects) return f;
    for (const auto& [fact, values] : act_facts_[act]) {
        const Type& type = game.facts[fact].type;
        for (FactSlot<Terms>& slot : f.at.facts[fact]) {
            const Truth acted = table_.fresh_truth();
            Content<Terms> value = values.size() == 1 ? Content<Terms>(d.constant(*values.begin())) : table_.anything(type);
            slot.content = table_.chosen(acted, value, slot.content);
            slot.given = d.either(acted, slot.given);
        }
    }
    if (act_moves_[act]) table_.forget_places(f);
    AbstractState entry = f;
    drop_variables(entry, Store<VariableId, bool>(game.variables.size(), false));
    entry.counters.resize(game_depth_);
    gathered_.offered[act].push_back(std::make_shared<const AbstractState>(std::move(entry)));
    return f;
}

// From every state in which somebody may act.
void Walk::take_acts() {
    for (std::size_t a = 0; a < game.acts.size(); ++a) {
        const Act& act = game.acts[a];
        AbstractState f = table_.joined(std::exchange(gathered_.offered[a], {}));
        if (f.dead()) continue;
        const bool windows = std::exchange(windows_, false);
        std::vector<Truth> who;
        for (Value p = 0; p < game.players; ++p) {
            assign(f, act.parameter, d.constant(p));
            const Truth barred = act.unless == no_id ? Formulas::no : truth(f, act.unless);
            who.push_back(d.both(table_.fresh_truth(), d.negate(barred)));
        }
        f = together(act.body, act.parameter, act.body, who, std::move(f));
        checks(act.ends, std::move(f));
        windows_ = windows;
    }
}

// The game's setup and play, and whatever end it came to.
AbstractState Walk::game_once(AbstractState f) {
    game_depth_ = f.counters.size();
    for (const FactId fact : game.facts.ids())
        if (game.facts[fact].lasts == lasts_game) start_fact(d, game, f.at, fact);
    table_.gather(f);
    running_ = false;
    windows_ = false;
    f = take(game.setup, std::move(f));
    windows_ = true;
    f = take(game.play, std::move(f));
    windows_ = false;
    take_acts();
    running_ = true;
    f = take_ends(false, std::move(f));
    take_acts();
    return f;
}

AbstractState Walk::take_ends(bool of_match, AbstractState f) {
    const Store<VariableId, bool> none(game.variables.size(), false);
    drop_variables(f, none);
    for (const EndId e : game.ends.ids()) {
        if (game.ends[e].of_match != of_match) continue;
        trail_.push_back(e.value());
        const Store<VariableId, bool> before = live_;
        for (const VariableId v : game.ends[e].parameters) live_[v] = true;
        AbstractState ended = take(game.ends[e].body, table_.joined(std::exchange(gathered_.ended[e], {})));
        trail_.pop_back();
        live_ = before;
        drop_variables(ended, none);
        f = table_.merged(std::move(ended), std::move(f));
    }
    return f;
}

void Walk::take_game() {
    AbstractState f = table_.start();
    f = game.match != no_id ? take(game.match, std::move(f)) : game_once(std::move(f));
    running_match_ = true;
    results(take_ends(true, std::move(f)));
}

// Scores, payoffs and winners are reckoned each by itself: where one breaks, the others are told all the same.
void Walk::results(AbstractState f) {
    if (f.dead()) return;
    const auto for_each_player = [&](BoundId bound, ExpressionId e) {
        if (e == no_id) return;
        for (Value p = 0; p < game.players; ++p) {
            AbstractState g = f;
            g.at.bounds[bound] = {d.constant(p), d.constant(-1)};
            content(g, e);
        }
    };
    for_each_player(game.score_bound, game.score);
    for_each_player(game.score_bound, game.payoff);
    if (!game.winner.present || game.winner.set == no_id) return;
    const Set<Terms> candidates = set(f, game.winner.set);
    for (const WinnerKey& key : game.winner.keys) {
        for (Value p = candidates.first; p < candidates.end(); ++p) {
            AbstractState candidate = table_.where(f, collections::has(d, candidates, p));
            if (candidate.dead()) continue;
            candidate.at.bounds[game.winner.bound] = {d.constant(p), d.constant(-1)};
            scalar(candidate, key.expression);
        }
    }
}

// Acts are short: decisions, then effects. Where one moves cards, all cards may have moved.
void Walk::find_act_changes() {
    act_facts_.resize(game.acts.size());
    act_moves_.assign(game.acts.size(), false);
    for (const ActId a : game.acts.ids()) {
        any_within(game, game.acts[a].body, [&](StatementId id) {
            const Statement& s = statement(id);
            if (const auto* becomes = s.as<statement::Becomes>()) {
                std::set<std::int32_t>& values = act_facts_[a][becomes->fact];
                const Expression& value = expression(becomes->value);
                if (value.op == Operator::constant)
                    values.insert(value.value());
                else
                    values.insert({-1000, -1001});  // two: not one constant
            }
            const StatementKind kind = s.kind();
            if (kind == StatementKind::put || kind == StatementKind::call || kind == StatementKind::deal || kind == StatementKind::draw)
                act_moves_[a] = true;
            return false;
        });
    }
}

}  // namespace houserule
