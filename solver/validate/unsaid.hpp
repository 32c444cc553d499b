// What the text of the rules leaves open, found without playing. For validate.cpp only.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// Sets that must be laid out of cards which only their owner sees, and may still be hidden at the end; `left` as below.
std::vector<Finding> unchecked_laying(const Game& game, const Store<ZoneId, std::uint8_t>& left);

// What may be done at any time, until a rule takes the right away: also just before that?
std::vector<Finding> rights_that_end(const Game& game);

// Acts at any time for which the rules do not say how long to wait, or what those who act together learn of each other.
std::vector<Finding> open_windows(const Game& game);
// Duties that nobody else can check, since they depend on something hidden. `left`: by zone, whether something lay there when a game was
// over; if all of it was played openly by then, it shows in the end whether a duty was done.
std::vector<Finding> unchecked_duties(const Game& game, const Store<ZoneId, std::uint8_t>& left);
// Every `assume` and `unclear` of the file, with the author's words.
std::vector<Finding> admitted_holes(const Game& game, const Syntax& syntax);

}  // namespace houserule
