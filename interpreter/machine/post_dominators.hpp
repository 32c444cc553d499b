// The immediate post-dominator of every step: where the branches of a rule merge.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <vector>

namespace houserule {

// The steps that may come directly after one, within its rule: a call goes on behind the call; after the last step of a rule there is none.
std::vector<StepId> steps_after(const Machine& machine, StepId step);
// The steps that may come directly after one, in whatever rule: a call goes on in the rule, and its last step behind each call of it.
std::vector<StepId> all_after(const Machine& machine, StepId step);

// By step its immediate post-dominator: the first step that all paths from it reach before the rule ends; none if there is no such step.
// Paths on which the game ends do not count. (Boost.Graph's Lengauer-Tarjan dominator tree of the reversed code.)
Store<StepId, StepId> immediate_post_dominators(const Machine& machine);

}  // namespace houserule
