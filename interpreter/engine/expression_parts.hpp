// Static properties of expressions, needed to make their fast forms. Nothing here computes a value.
#pragma once

#include "dsl/game/game.hpp"
#include "interpreter/machine/machine.hpp"

#include <cstdint>
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
// Whether it matters to `e` where the card lies that `bound` is at, not only of which kind it is.
bool reads_place_of(const Game& game, ExpressionId e, BoundId bound);
// Whether some subexpression of `e` that depends on `bound` is computed for some elements only.
bool reads_by_condition(const Game& game, ExpressionId e, BoundId bound);
// Whether both expressions are structurally equal, and so have the same value.
bool same_expression(const Game& game, ExpressionId a, ExpressionId b);

// The element that the lowest bit of a set of this type stands for.
inline std::int32_t first_element(const Layout& layout, const Type& set) {
    return set.base == Base::set && set.element == Base::number ? layout.first_number : 0;
}
// By row of the set table: the bits of its elements. Which rows hold numbers is seen where they are read.
std::vector<std::vector<int>> set_rows(const Machine& machine);

// Conditions that need one comparison: whether a fact of an element has, or does not have, a certain value.
struct FactTest {
    std::uint32_t at = 0;  // where the fact of element 0 lies
    std::int32_t value = 0;
    bool same = true;
};

// The test for a condition such as `its out`, `not its out` or `its place is 0`, if it is one on a fact that always has a value; the
// element is what operator `index` with `immediate` reads: a variable or a comprehension variable. Nothing for other conditions.
std::optional<FactTest> fact_test(const Machine& machine, ExpressionId condition, Operator index, std::int32_t immediate);

// One of the things that determine a number.
struct TableInput {
    ExpressionId expression = no_id;
    std::int32_t low = 0;
    std::int64_t values = 0;  // how many it can have
};
// What determines this number, if it takes more work than looking it up by them: a few things with few values. Nothing for others. It may
// not read all of them for each of its values.
std::vector<TableInput> table_inputs(const Game& game, ExpressionId e);

}  // namespace houserule
