// Ways that parted at a condition and came together again: where what was seen tells nothing of whether it held, they are one.
#pragma once

#include "solver/coexecute/unknown_table.hpp"

#include <vector>

namespace houserule {

// Joins two ways wherever they have the same table and stand at the same step, and the only condition in which they differ holds on one
// and not on the other: it is dropped. What somebody decided on one of them alone is an input under that condition.
void reconverge(Terms& terms, std::vector<UnknownTable>& ways);

}  // namespace houserule
