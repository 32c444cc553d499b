// Replays the witnesses of findings on the plain machine, before anybody is shown them.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "solver/findings/finding.hpp"

#include <optional>
#include <string>

namespace houserule {

// Plays the answers of a witness on a fresh run of `machine`, and sets `state`. Returns the log, or nothing when an answer does not fit.
// The log ends where the answers do, after what it shows: if nobody acts at the end, lines say so.
std::optional<std::string> replayed(const Machine& machine, Witness& witness);

}  // namespace houserule
