// What a seat knows, in short, for people at a table: what is certain, and what is likeliest.
//
// `hint` tells the same at length. Never more than was found out: what a limit left open is said.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "solver/deduce/deduction.hpp"

#include <string>
#include <vector>

namespace houserule::cli {

// The hidden places that players are asked to name (all of them if the game asks for none): up to `top` values each, a line each.
std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g);

}  // namespace houserule::cli
