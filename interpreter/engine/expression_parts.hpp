// What a run asks of expressions before it makes fast forms of them. Nothing here computes a value.
#pragma once

#include "dsl/game/game.hpp"

#include <optional>
#include <vector>

namespace houserule {

// Whether `e` reads what the comprehension `bound` stands at.
bool depends_on_bound(const Game& game, ExpressionId e, BoundId bound);
// Whether reading it can break a promise: then it may be read only where the rules read it.
bool may_break(const Game& game, ExpressionId e);
// The largest parts of `e` that depend neither on the bound nor on a comprehension within `e`, and are no constants; each once. Nothing
// when `e` depends on anything else: on a fact or a place that is found by the bound.
std::optional<std::vector<ExpressionId>> invariant_parts(const Game& game, ExpressionId e, BoundId bound);
// Whether some part of `e` that depends on the bound is read for some elements only.
bool reads_by_condition(const Game& game, ExpressionId e, BoundId bound);
// Whether they are written alike, so that they have one value.
bool same_expression(const Game& game, ExpressionId a, ExpressionId b);

}  // namespace houserule
