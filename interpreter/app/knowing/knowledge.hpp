// A short summary of what a seat knows, for people who play: what is certain, and what is likeliest.
//
// `hint` prints the same at length. What a limit left open is named as open.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "solver/deduce/deduction.hpp"

#include <string>
#include <vector>

namespace houserule::cli {

// One line for each hidden place whose contents players are asked to name (or for all, if the game asks for none), with up to `top` values.
std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g);

}  // namespace houserule::cli
