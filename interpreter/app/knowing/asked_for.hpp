// What a game asks its players for: the hidden things that are worth knowing.
#pragma once

#include "solver/deduce/deduction.hpp"

#include <vector>

namespace houserule::cli {

// The hidden things that players are asked to name; if there are none, those that decide what may be done, what comes of it and who wins,
// those of players before others; else all that is hidden.
std::vector<const HiddenThing*> things_asked_for(Deduction& deduction);

}  // namespace houserule::cli
