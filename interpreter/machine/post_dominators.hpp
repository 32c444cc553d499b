// Where ways through a machine's code part, and where they come together again.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <vector>

namespace houserule {

// The steps that may come right after one, within its rule: a rule that it runs is passed over; none after the last step of a rule.
std::vector<StepId> steps_after(const Machine& machine, StepId step);

// By step: the first one that every way on from it comes to before the rule is over, whatever is decided; none where there is no such
// step. Ends that come up are left out: they do not go on. In compilers' words, the immediate postdominator.
Store<StepId, StepId> joins_of(const Machine& machine);

}  // namespace houserule
