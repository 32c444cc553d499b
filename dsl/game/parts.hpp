// Walks over the statements and expressions of a checked game: the one place that knows which members of a Statement are statements.
// The body of a called rule is no part of the call: see `reachable_rules`.
#pragma once

#include "dsl/game/game.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace houserule {

// Whether f(id) holds for some statement directly inside `s`; stops at the first one. Missing parts (no_id) are passed over, so a game
// with errors can be walked too.
template <class F>
bool any_part(const Statement& s, F f) {
    const auto is = [&](StatementId id) { return id != no_id && f(id); };
    return std::visit(Overloaded{
                          [&](const statement::Block& x) { return std::ranges::any_of(x.items, is); },
                          [&](const statement::Deal& x) { return is(x.if_short); },
                          [&](const statement::Draw& x) { return is(x.if_none); },
                          [&](const statement::Decision& x) { return is(x.body) || is(x.otherwise); },
                          [&](const statement::Simultaneously& x) { return is(x.body); },
                          [&](const statement::Each& x) { return is(x.body); },
                          [&](const statement::EachNumber& x) { return is(x.body); },
                          [&](const statement::Repeat& x) { return is(x.body) || is(x.at_bound); },
                          [&](const statement::Cases& x) { return is(x.otherwise) || std::ranges::any_of(x.arms, is, &Arm::body); },
                          [](const statement::Becomes&) { return false; },
                          [](const statement::Let&) { return false; },
                          [](const statement::Says&) { return false; },
                          [](const statement::Show&) { return false; },
                          [](const statement::Stop&) { return false; },
                          [](const statement::End&) { return false; },
                          [](const statement::PlayGame&) { return false; },
                          [](const statement::Put&) { return false; },
                          [](const statement::Shuffle&) { return false; },
                          [](const statement::Report&) { return false; },
                          [](const statement::Offer&) { return false; },
                          [](const statement::Call&) { return false; },
                          [](const statement::Judged&) { return false; },
                          [](const statement::Nothing&) { return false; },
                      },
                      s.form);
}

// What somebody is asked by it; null if it asks nobody by itself.
inline const statement::Decision* decision_of(const Statement& s) {
    if (const auto* choice = s.as<statement::Choose>()) return choice;
    return s.as<statement::MayDo>();
}

// Whether f(id) holds for the statement or for one inside it, at any depth. False for no_id.
template <class F>
bool any_within(const Game& game, StatementId statement, F f) {
    if (statement == no_id) return false;
    return f(statement) || any_part(game.statements[statement], [&](StatementId part) { return any_within(game, part, f); });
}

inline bool contains(const Game& game, StatementId within, StatementId wanted) {
    return any_within(game, within, [&](StatementId id) { return id == wanted; });
}

// Whether it deals, perhaps under conditions, and does nothing else. What a `deal` does if short is a part of it.
inline bool only_deals(const Game& game, StatementId statement) {
    bool deals = false;
    const std::function<bool(StatementId)> does_more = [&](StatementId id) {
        const Statement& s = game.statements[id];
        deals = deals || s.kind() == StatementKind::deal;
        if (s.kind() == StatementKind::deal || s.kind() == StatementKind::nothing) return false;
        return (s.kind() != StatementKind::block && s.kind() != StatementKind::cases) || any_part(s, does_more);
    };
    return statement != no_id && !does_more(statement) && deals;
}

// What several do at once, in the order of the body: their decisions; what changes the table, and reads it as it was before; then, one of
// them after the other, what is dealt, which reads the table as it has become.
struct AtOnce {
    std::vector<StatementId> decisions;
    std::vector<StatementId> effects;
    std::vector<StatementId> deals;
};

// Of the body of an act or of `simultaneously`.
inline AtOnce at_once(const Game& game, StatementId body) {
    AtOnce parts;
    for (const StatementId id : game.statements[body].as<statement::Block>()->items) {
        const auto* choice = game.statements[id].as<statement::Choose>();
        if (choice != nullptr && !choice->optional && parts.effects.empty() && parts.deals.empty())
            parts.decisions.push_back(id);
        else
            (only_deals(game, id) ? parts.deals : parts.effects).push_back(id);
    }
    return parts;
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

// Whether the operator is a comprehension: it binds a variable, which its second and third operand may read.
inline bool binds(Operator op) { return op != Operator::bound && immediate_of(op) == Immediate::bound; }

// Whether f(id) holds for the expression or for one of its operands, at any depth. False for no_id.
template <class F>
bool any_operand(const Game& game, ExpressionId expression, F f) {
    if (expression == no_id) return false;
    const Expression& x = game.expressions[expression];
    return f(expression) || any_operand(game, x.a, f) || any_operand(game, x.b, f) || any_operand(game, x.c, f);
}

// Whether f(expression) holds for the expression or for one of its operands, at any depth. False for no_id.
template <class F>
bool any_read(const Game& game, ExpressionId expression, F f) {
    return any_operand(game, expression, [&](ExpressionId id) { return f(game.expressions[id]); });
}

// Whether the operator names a zone: a place of it, or the cards of several.
inline bool names_zone(Operator op) { return op == Operator::place || op == Operator::cards_of; }
inline bool names_fact(Operator op) { return op == Operator::fact || op == Operator::set_fact; }

// Whether the operator looks at where cards lie.
inline bool reads_piles(Operator op) {
    switch (op) {
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_family:
        case Operator::cards_unplaced:
        case Operator::first_card:
        case Operator::last_card:
        case Operator::first_cards:
        case Operator::last_cards:
            return true;
        default:
            return false;
    }
}

// Whether its value depends on where cards lie, so that moving one may change it.
inline bool reads_piles(const Game& game, ExpressionId expression) {
    return any_read(game, expression, [](const Expression& x) { return reads_piles(x.op); });
}

// Whether its value depends on where cards lie or on a fact: on what any statement may change.
inline bool reads_state(const Game& game, ExpressionId expression) {
    return reads_piles(game, expression) || any_read(game, expression, [](const Expression& x) { return names_fact(x.op); });
}

// The fact that is read where this stands, or null.
inline const Fact* fact_read_at(const Game& game, Span span) {
    for (const Expression& x : game.expressions)
        if (x.span == span && names_fact(x.op)) return &game.facts[FactId(x.named())];
    return nullptr;
}

// Whether a statement gives the fact a value.
inline bool is_given(const Game& game, FactId fact) {
    return std::ranges::any_of(game.statements, [&](const Statement& s) {
        const auto* becomes = s.as<statement::Becomes>();
        return becomes != nullptr && becomes->fact == fact;
    });
}

// Whether there are cards that nothing tells apart.
inline bool has_copies(const Game& game) {
    return std::any_of(game.kinds.begin(), game.kinds.end(), [](const PieceKind& kind) { return kind.copies > 1; });
}

// The range of all numbers that any set of numbers in the game may hold; empty if there are no such sets.
struct NumbersInSets {
    std::int32_t low = 0;
    std::int32_t high = -1;
    Type lowest;  // the set that reaches down to `low`
    Type highest;
    Span widest;  // what reaches furthest

    bool any() const { return low <= high; }
    std::int64_t count() const { return std::int64_t{high} - low + 1; }
};

inline NumbersInSets numbers_in_sets(const Game& game) {
    NumbersInSets numbers;
    std::int64_t furthest = -1;
    const auto add = [&](const Type& t, Span span) {
        if (t.base != Base::set || t.element != Base::number || t.low > t.high) return;
        const bool any = numbers.any();
        if (!any || t.low < numbers.low) numbers.lowest = t;
        if (!any || t.high > numbers.high) numbers.highest = t;
        numbers.low = numbers.lowest.low;
        numbers.high = numbers.highest.high;
        const std::int64_t reach = std::max(std::abs(std::int64_t{t.low}), std::abs(std::int64_t{t.high}));
        if (reach > furthest) numbers.widest = span;
        furthest = std::max(furthest, reach);
    };
    for (const Family& family : game.families)
        for (const Field& field : family.fields) add(field.type, family.span);
    for (const Fact& fact : game.facts) add(fact.type, fact.span);
    for (const Expression& expression : game.expressions) add(expression.type, expression.span);
    for (const Variable& variable : game.variables) add(variable.type, {});
    return numbers;
}

// By rule: whether the statement calls it, directly or through other rules. Works through a list instead of recursing, so that a long
// chain of rules needs no stack.
inline Store<RuleId, bool> reachable_rules(const Game& game, StatementId statement) {
    Store<RuleId, bool> played(game.rules.size(), false);
    std::vector<StatementId> bodies{statement};
    while (!bodies.empty()) {
        const StatementId body = bodies.back();
        bodies.pop_back();
        any_within(game, body, [&](StatementId id) {
            const auto* call = game.statements[id].as<statement::Call>();
            if (call == nullptr || played[call->rule]) return false;
            played[call->rule] = true;
            bodies.push_back(game.rules[call->rule].body);
            return false;
        });
    }
    return played;
}

}  // namespace houserule
