// What a player knows when choosing: a choice may be built only from what the chooser sees.
#pragma once

#include "dsl/check/differences.hpp"
#include "dsl/expressions/expression_builder.hpp"
#include "dsl/text/texts.hpp"

#include <cstddef>
#include <map>
#include <utility>

namespace houserule {

// Who knows the value of a variable.
struct Knower {
    bool all = true;
    ExpressionId player = no_id;  // otherwise: the player of this expression alone
};

class PlayerKnowledge {
public:
    PlayerKnowledge(const ExpressionBuilder& expressions, const Game& game)
        : differences(expressions, game, moments), expressions_(expressions), game_(game) {}

    // Of the variable that the game has added last.
    void add(Knower knower) {
        knowers_.push_back(knower);
        loops_.emplace_back();
        differences.add();
    }
    // The variable stands for each element of this in turn, from now on: a set or cards, or the numbers from the one to the other.
    void goes_through(VariableId variable, ExpressionId elements, ExpressionId last = no_id) {
        loops_[variable] = {elements, last, moments.now()};
    }

    // Whether the player, who does so at that moment, knows what the expression gives.
    bool knows(ExpressionId player, ExpressionId e, MomentId at);
    // The innermost zone, fact or name in `e` that the player does not see, as a sentence; or nothing.
    Phrase unseen(ExpressionId player, ExpressionId e, MomentId at);
    // Who knows what an expression gives: everybody, or one player, or (then nobody in particular) a player that never fits.
    Knower of(ExpressionId e);

    Moments moments;
    Differences differences;

private:
    static constexpr int rules_looked_into = 4;  // each called by the one before

    bool sizes_only(ExpressionId e) const;
    bool sees(Seers seers, IndexBy by, ExpressionId player, ExpressionId index, MomentId at);
    bool knows_variable(ExpressionId player, VariableId variable, MomentId at);
    bool knows_cards(ExpressionId player, ExpressionId e, MomentId at);
    bool knows_place(ExpressionId player, ExpressionId place, MomentId at, bool faces);
    bool knows_parts(ExpressionId player, const Expression& x, MomentId at);
    bool knows_size(ExpressionId player, ExpressionId cards, MomentId at);
    bool was_shown(ExpressionId player, ExpressionId e, MomentId at);
    bool is_among(ExpressionId e, ExpressionId shown) const;
    bool shows(const Statement& s, ExpressionId player, ExpressionId e, MomentId at);
    bool may_move(StatementId statement) const;
    bool is_told_by(StatementId statement, VariableId variable, ExpressionId player, MomentId at);
    bool shows_cards(StatementId statement, VariableId variable, ExpressionId player, MomentId at, int rules_left);
    bool was_told(ExpressionId player, VariableId variable, MomentId at);
    bool knows_element(ExpressionId player, VariableId variable, MomentId at);
    bool knows_given(ExpressionId player, VariableId variable, MomentId at);
    bool knows_arguments(ExpressionId player, VariableId variable);
    bool is_parameter(VariableId variable) const;
    struct Given {
        ExpressionId player = no_id;
        ExpressionId argument = no_id;
        MomentId when = no_id;
    };
    std::vector<Given> given(ExpressionId player, VariableId variable) const;
    bool hides_nothing(StatementId statement, ExpressionId player, ExpressionId e, MomentId at);
    const Expression& at(ExpressionId e) const { return expressions_.at(e); }
    bool same(ExpressionId a, ExpressionId b) const { return expressions_.same(a, b); }

    const ExpressionBuilder& expressions_;
    const Game& game_;
    struct Loop {
        ExpressionId elements = no_id;
        ExpressionId last = no_id;
        MomentId before = no_id;
    };

    Store<VariableId, Knower> knowers_;
    Store<VariableId, Loop> loops_;
    // By a parameter and a player of its rule: whether that player knows what it is given. While it is asked, yes: rules that call each
    // other are refused elsewhere.
    std::map<std::pair<VariableId, ExpressionId>, bool> given_;
    int rules_asked_ = 0;
};

}  // namespace houserule
