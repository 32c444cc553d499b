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
// The facts whose values are sets and which the seat does not see, in a list: no world tells them.
std::string hidden_sets(const Deduction& deduction, const Globals& g);
// What was not found out of what a table asks for: how likely things are, and not how many worlds there are unless figures are wanted.
std::vector<std::string> not_found_out(Deduction& deduction, bool figures, const Globals& g);

}  // namespace houserule::cli
