// `houserule validate` from the results of all its parts, for `merge`.
#pragma once

#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/simulation/validate_part.hpp"

#include <vector>

namespace houserule::cli {

// Prints what one run prints, or why it cannot. The parts belong together and none is missing.
int tell_joined(std::vector<ValidatePart> parts, const MergeArgs& args, const Globals& g);

}  // namespace houserule::cli
