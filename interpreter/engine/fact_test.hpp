// Conditions that need one comparison: whether a fact of an element has, or does not have, a certain value.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <optional>

namespace houserule {

struct FactTest {
    std::uint32_t at = 0;  // where the fact of element 0 lies
    std::int32_t value = 0;
    bool same = true;
};

// The test for a condition such as `its out`, `not its out` or `its place is 0`, if it is one on a fact that always has a value; the
// element is what operator `index` with `imm` reads: a variable or a comprehension variable. Nothing for other conditions.
std::optional<FactTest> fact_test(const Machine& machine, ExpressionId condition, Operator index, std::int32_t imm);

}  // namespace houserule
