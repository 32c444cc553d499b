// Which players are surely different, and which surely the same, at a moment of a rule (a program point): from how their names were taken
// (`q from players but p`), from the conditions that lead there (`if q is not p`), from where they sit (`p's left`) and, for parameters of
// rules, from all calls. "No" means that it is not certain.
#pragma once

#include "dsl/check/moments.hpp"
#include "dsl/expressions/expression_builder.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace houserule {

// Where the value of a local name comes from.
struct Origin {
    ExpressionId value = no_id;  // of a `let`
    ExpressionId set = no_id;    // what it was taken from, and is in, or (of several) a part of
    MomentId when = no_id;
};

class Differences {
public:
    Differences(const ExpressionBuilder& expressions, const Game& game, const Moments& moments)
        : expressions_(expressions), game_(game), moments_(moments) {}

    // `add`: called after each new variable. `is`, `is_among`: what it was set to or taken from, at this moment.
    void add() { origins_.emplace_back(); }
    void is(VariableId variable, ExpressionId value) { origins_[variable] = {value, no_id, moments_.now()}; }
    void is_among(VariableId variable, ExpressionId set) { origins_[variable] = {no_id, set, moments_.now()}; }
    const Origin& origin(VariableId variable) const { return origins_[variable]; }
    // A rule is called now.
    void called(StatementId call) { calls_.emplace_back(call, moments_.now()); }
    // All of them so far, each with the moment at which it is carried out.
    const std::vector<std::pair<StatementId, MomentId>>& calls() const { return calls_; }
    // All calls are known: finds out which parameters of rules are always different players.
    void settle();
    bool is_settled() const { return is_settled_; }

    // Whether they surely are, at that moment.
    bool different(ExpressionId a, ExpressionId b, MomentId at) { return begin(), differ(a, b, at); }
    bool the_same(ExpressionId a, ExpressionId b, MomentId at) { return begin(), same(a, b, at); }
    bool excludes(ExpressionId set, ExpressionId player, MomentId at) { return begin(), lacks(set, player, at); }
    bool contains(ExpressionId set, ExpressionId player, MomentId at) { return begin(), has(set, player, at); }
    // Whether the value of the expression stays what it is while the rule goes on.
    bool stable(ExpressionId e) const;

    // Inside an expression: a condition that was read before its other parts, and what a comprehension's variable stands for.
    void suppose(ExpressionId condition, bool holds) { here_.emplace_back(condition, holds); }
    void forget() { here_.pop_back(); }
    void bind(BoundId bound, ExpressionId set) { sets_of_bounds_[bound] = set; }
    // The conditions of `suppose` are set aside while something is asked about another moment.
    using Conditions = std::vector<std::pair<ExpressionId, bool>>;
    Conditions set_aside() { return std::exchange(here_, {}); }
    void take_back(Conditions conditions) { here_ = std::move(conditions); }

private:
    struct Seat {
        ExpressionId of;
        std::int32_t further;  // seats clockwise from there
    };
    const Expression& expression(ExpressionId e) const { return expressions_.at(e); }
    void begin() { steps_left_ = steps_of_a_question; }
    bool tired() { return --steps_left_ < 0; }
    Seat seat(ExpressionId e) const;
    bool same_seat(ExpressionId a, ExpressionId b) const;
    bool same(ExpressionId a, ExpressionId b, MomentId at);
    bool differ(ExpressionId a, ExpressionId b, MomentId at);
    bool one_differs(ExpressionId a, ExpressionId b, MomentId at);
    bool variable_differs(VariableId variable, ExpressionId b, MomentId at);
    bool conditional_differs(const Expression& x, ExpressionId b, MomentId at);
    bool supposed(ExpressionId a, ExpressionId b, MomentId at, bool alike);
    bool follows(ExpressionId condition, bool holds, ExpressionId a, ExpressionId b, MomentId at, bool alike);
    bool lacks(ExpressionId set, ExpressionId player, MomentId at);
    bool has(ExpressionId set, ExpressionId player, MomentId at);
    bool in_another_moment(ExpressionId set, ExpressionId player, MomentId when, bool lacking);
    bool is_constant_in(ExpressionId player, const std::vector<std::int32_t>& set, bool in) const;
    std::vector<std::pair<std::size_t, std::size_t>> player_pairs(const Rule& rule) const;

    static constexpr std::int32_t steps_of_a_question = 2000;  // an answer that needs more is "not certain"

    const ExpressionBuilder& expressions_;
    const Game& game_;
    const Moments& moments_;
    Store<VariableId, Origin> origins_;
    std::vector<std::pair<StatementId, MomentId>> calls_;
    std::set<std::pair<VariableId, VariableId>> different_parameters_;
    Conditions here_;
    std::map<BoundId, ExpressionId> sets_of_bounds_;
    std::int32_t steps_left_ = 0;
    bool is_settled_ = false;
};

}  // namespace houserule
