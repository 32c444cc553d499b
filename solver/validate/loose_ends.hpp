// Unfinished places that the text alone shows: a choice whose result is not used, a card that is moved in all cases but one, a fact that
// nothing changes or nothing reads, a loop that nothing can end, a deal that gives each less than the one
// before. For validate.cpp only.
//
// Works on the syntax tree as written, with every option and reading in it: what only one of them uses is used.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "solver/findings/finding.hpp"

#include <optional>
#include <vector>

namespace houserule {

// Choices and parameters that are not used; choices that are used although there may have been nothing to choose; cases that leave the
// chosen card where it is while others move it; facts that never change; facts that nothing reads, if nobody sees them or they are so or
// not so; zones that stay empty.
std::vector<Finding> forgotten_things(const Syntax& syntax);

// `then with least C`, where C goes by a certain seat.
std::vector<Finding> ties_by_seat(const Syntax& syntax);

// Deals to several of a number that is a part of what lies there: it falls from one to the next.
std::vector<Finding> uneven_deals(const Game& game);

// The loop at the end of `play` with `at most 40 times, then nothing`, if no text has that number: it only keeps a search from going on for
// ever.
std::optional<Span> limit_that_no_text_says(const Syntax& syntax);

// Loops with `at most` that nothing ends sooner, and loops that wait for a fact to change back, which nothing does.
std::vector<Finding> endless_loops(const Game& game);

}  // namespace houserule
