// Conditions on one element that a run decides by one comparison: whether a fact of the element is, or is not, a certain value.
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

// `its out`, `not its out`, `its place is 0`, of a fact that always has a value, where the element is what `index` with `imm` reads
// (a variable, or what a comprehension stands at); else nothing.
std::optional<FactTest> fact_test(const Machine& machine, ExpressionId condition, Operator index, std::int32_t imm);

}  // namespace houserule
