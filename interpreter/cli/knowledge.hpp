// What a seat knows, in short, for people at a table: what is certain, and what is likeliest.
//
// Of every hidden place or fact one line. Never more than was found out: what a limit left open is said.
#pragma once

#include "interpreter/cli/common.hpp"
#include "solver/deduction.hpp"

#include <string>
#include <vector>

namespace houserule::cli {

// A place or fact as people call it.
std::string thing_words(const Game& game, const HiddenThing& thing, const Globals& g);
std::string possibility_words(const Game& game, const HiddenThing& thing, Id value, const Globals& g);
// `57.1 %`; never 0 or 100 when it is neither.
std::string percent_words(const Rational& share, const Globals& g);

// The places that players are asked to name (all hidden ones if the game asks for none): up to `top` values each. One line each.
std::vector<std::string> short_knowledge(Deduction& deduction, std::size_t top, const Globals& g);
// The same of everything that is hidden, and how many worlds fit.
std::vector<std::string> whole_knowledge(Deduction& deduction, std::size_t top, const Globals& g);

}  // namespace houserule::cli
