// What a statement or an expression of a checked game is made of: one place that knows which of its numbers are statements.
// A rule that is called is no part of the call: see `rules_played`.
#pragma once

#include "dsl/game/game.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace houserule {

// f(id) for each statement directly inside `s`, as long as it says no; whether it said yes. A game in which parts are missing
// (no_id) is fine: they are passed over.
template <class F>
bool any_part(const Statement& s, F f) {
    const auto is = [&](StatementId id) { return id != no_id && f(id); };
    if (is(s.body) || is(s.other)) return true;
    if (s.kind == StatementKind::block || s.kind == StatementKind::simultaneously) return std::any_of(s.items.begin(), s.items.end(), is);
    return s.kind == StatementKind::choose_case && std::any_of(s.arms.begin(), s.arms.end(), [&](const Arm& a) { return is(a.body); });
}

// Whether f(id) holds of the statement or of one inside it, however deep. False for no statement.
template <class F>
bool any_within(const Game& game, StatementId statement, F f) {
    if (statement == no_id) return false;
    return f(statement) || any_part(game.statements[statement], [&](StatementId part) { return any_within(game, part, f); });
}

inline bool contains(const Game& game, StatementId within, StatementId wanted) {
    return any_within(game, within, [&](StatementId id) { return id == wanted; });
}

// The name of the rule, act or end that a statement is part of, or `setup` or `play`; empty when it is part of none of them.
inline std::string paragraph_of(const Game& game, StatementId statement) {
    for (const Rule& rule : game.rules)
        if (contains(game, rule.body, statement)) return rule.name;
    for (const Act& act : game.acts)
        if (contains(game, act.body, statement)) return act.name;
    for (const End& end : game.ends)
        if (contains(game, end.body, statement)) return end.name;
    return contains(game, game.setup, statement) ? "setup" : contains(game, game.play, statement) ? "play" : "";
}

// Whether f(expression) holds of the expression or of one that it is computed from. False for no expression.
template <class F>
bool any_read(const Game& game, ExpressionId expression, F f) {
    if (expression == no_id) return false;
    const Expression& x = game.expressions[expression];
    return f(x) || any_read(game, x.a, f) || any_read(game, x.b, f) || any_read(game, x.c, f);
}

// By rule: whether it is called from the statement, or from a rule that is. Calls are followed one after the other, not one inside the
// other: a chain of rules costs no stack.
inline Store<RuleId, bool> rules_played(const Game& game, StatementId statement) {
    Store<RuleId, bool> played(game.rules.size(), false);
    std::vector<StatementId> bodies{statement};
    while (!bodies.empty()) {
        const StatementId body = bodies.back();
        bodies.pop_back();
        any_within(game, body, [&](StatementId id) {
            const Statement& s = game.statements[id];
            if (s.kind != StatementKind::call || played[s.name]) return false;
            played[s.name] = true;
            bodies.push_back(game.rules[s.name].body);
            return false;
        });
    }
    return played;
}

}  // namespace houserule
