// What the text of the rules leaves open, read without playing. The inside of validate.cpp.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// Acts at any time: how long one waits for them, and what those who act together learn of each other.
std::vector<Finding> open_windows(const Game& game);
// Duties nobody else can check: what they ask for depends on something hidden. `left`: by zone, whether something lay there when a
// game was over; what is all played openly shows in the end whether a duty was done.
std::vector<Finding> unchecked_duties(const Game& game, const Store<ZoneId, std::uint8_t>& left);
// Every `assume` and `unclear`, with the author's words; `syntax` has them.
std::vector<Finding> admitted_holes(const Game& game, const Syntax& syntax);

}  // namespace houserule
