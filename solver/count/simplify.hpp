// Makes a model smaller before it is counted: what is certain goes out of its conditions, weights and sums.
#pragma once

#include "solver/count/count_model.hpp"

namespace houserule {

// Takes values that conditions about one unknown or sums rule out from `allowed`, and what follows out of all the rest, until nothing
// changes (unit propagation; for sums, bounds consistency). The assignments that fit are the same, and so are their weights.
void simplify(Formulas& formulas, CountModel& model);

// What is left of conditions, weights and sums when unknowns have allowed values only. Whether that is anything else than before.
bool restrict_to_allowed(Formulas& formulas, CountModel& model);

}  // namespace houserule
