// Merges paths that split at a condition and meet again, when nothing observed depends on that condition.
#pragma once

#include "solver/coexecute/unknown_table.hpp"

#include <vector>

namespace houserule {

// Merges two paths if they stand at the same step with the same table and differ in one condition alone, which is required on one of
// them and its negation on the other: the condition is dropped. A decision made on one of them only becomes an input under it.
void merge_paths(Terms& terms, std::vector<UnknownTable>& paths);

}  // namespace houserule
