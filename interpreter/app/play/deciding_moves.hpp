// Moves that people are asked about once more: by them alone the game may be decided, so that a slip would cost it.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/terminal/keyboard.hpp"
#include "interpreter/run/run.hpp"

#include <vector>

namespace houserule::cli {

// Whether what follows from the act may end the game at once, or makes a fact so, yes or no, that the ends of the game ask for: a call
// that wins or puts out.
bool may_decide(const Game& game, ActId act);
// The same for this answer to an offer at which the run waits, or this choice among named things: one that may do so where another one
// does not. It goes by the rules alone, never by what is hidden now.
bool may_decide(const Run& run, std::uint64_t move);
// Which of the moves of a choice do; none where it is no choice of one thing.
std::vector<bool> deciding_choices(const Run& run);

// Asks a question with yes or no; anything but a yes is a no.
bool asked_again(Keyboard& keyboard, const std::string& question, const Globals& g);

}  // namespace houserule::cli
