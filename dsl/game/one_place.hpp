// Which expressions yield, in every state, only cards of a single place: copies of a kind are all alike there.
#pragma once

#include "dsl/game/game.hpp"

namespace houserule {

inline bool in_one_place(const Game& game, ExpressionId cards) {
    const Expression& x = game.expressions[cards];
    switch (x.op) {
        case Operator::cards_at:
        case Operator::cards_single:
        case Operator::cards_none:
            return true;
        case Operator::cards_where:
        case Operator::cards_most:
        case Operator::cards_least:
        case Operator::cards_groups:
        case Operator::cards_any:
        case Operator::cards_minus:
            return in_one_place(game, x.a);
        case Operator::cards_or_if_none:
            return in_one_place(game, x.a) && in_one_place(game, x.b);
        case Operator::cards_conditional:
            return in_one_place(game, x.b) && in_one_place(game, x.c);
        default:
            return false;
    }
}

}  // namespace houserule
