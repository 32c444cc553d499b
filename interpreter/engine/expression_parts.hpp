// Static properties of expressions, needed to make their fast forms. Nothing here computes a value.
#pragma once

#include "dsl/game/game.hpp"

#include <optional>
#include <vector>

namespace houserule {

// Whether `e` reads the comprehension variable `bound`.
bool depends_on_bound(const Game& game, ExpressionId e, BoundId bound);
// Whether computing `e` can break a promise: then it may be computed only where the rules do so.
bool may_break(const Game& game, ExpressionId e);
// The largest subexpressions of `e` that depend neither on `bound` nor on a comprehension within `e`, and are no constants (loop-invariant
// parts); each once. Nothing if `e` depends on anything else: on a fact or a place that is found by `bound`.
std::optional<std::vector<ExpressionId>> invariant_parts(const Game& game, ExpressionId e, BoundId bound);
// Whether some subexpression of `e` that depends on `bound` is computed for some elements only.
bool reads_by_condition(const Game& game, ExpressionId e, BoundId bound);
// Whether both expressions are structurally equal, and so have the same value.
bool same_expression(const Game& game, ExpressionId a, ExpressionId b);

}  // namespace houserule
