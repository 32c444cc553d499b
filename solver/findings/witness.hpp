// Games that show a finding, played again on the plain machine before anybody sees them.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "solver/findings/finding.hpp"

#include <optional>
#include <string>

namespace houserule {

// Plays the answers of a witness on a fresh run of the plain machine, drops what leaves no line in a log, and says where they lead.
// The log of it, or nothing when an answer cannot be given.
std::optional<std::string> replayed(const Machine& machine, Witness& witness);

}  // namespace houserule
