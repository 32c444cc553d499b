// What a player knows when choosing: a choice may be built only from what the chooser sees.
#pragma once

#include "dsl/expressions/expression_builder.hpp"
#include "dsl/text/texts.hpp"

namespace houserule {

// Who knows the value of a variable.
struct Knower {
    bool all = true;
    ExpressionId player = no_id;  // otherwise: the player of this expression alone
};

class Knowledge {
public:
    Knowledge(const ExpressionBuilder& expressions, const Game& game) : expressions_(expressions), game_(game) {}

    // Of the variable that the game has added last.
    void add(Knower knower) { knowers_.push_back(knower); }

    bool knows(ExpressionId player, ExpressionId e) const;
    // The innermost zone, fact or name in `e` that the player does not see, as a sentence; or nothing.
    Phrase unseen(ExpressionId player, ExpressionId e) const;
    // Who knows what an expression gives: everybody, or one player, or (then nobody in particular) a player that never fits.
    Knower of(ExpressionId e) const;

private:
    bool sizes_only(ExpressionId e) const;
    bool sees(Seers seers, IndexBy by, ExpressionId player, ExpressionId index) const;
    const Expression& at(ExpressionId e) const { return expressions_.at(e); }
    bool same(ExpressionId a, ExpressionId b) const { return expressions_.same(a, b); }

    const ExpressionBuilder& expressions_;
    const Game& game_;
    Store<VariableId, Knower> knowers_;
};

}  // namespace houserule
