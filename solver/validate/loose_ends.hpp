// What the text itself shows to be unfinished: a thing that is chosen and then forgotten, a card that goes nowhere in one case of
// several, a fact that nothing changes or nothing asks for, a loop that nothing can end. The inside of validate.cpp.
//
// Read in the tree as it was written, with every option and reading in it: what only one of them needs is no loose end.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// Choices and parameters that nothing is done with, and choices that are used though there may have been nothing to choose; cases
// that leave the chosen card where it is, though others move it; facts that are never changed, or that nobody sees and nothing asks
// for; zones that stay empty.
std::vector<Finding> forgotten_things(const Syntax& syntax);

// Loops: `at most` where nothing ends them sooner, and those that wait for a fact to change back, which nothing does.
std::vector<Finding> endless_loops(const Game& game);

}  // namespace houserule
