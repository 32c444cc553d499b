// A lint over the quoted texts and the names of a rules file: duties, figures and names that statements or the other language contradict.
// For validate.cpp only.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// `games`: the checked game, for each number of players. Found in the text, no game shows it.
std::vector<Finding> contradicted_words(const Syntax& syntax, const std::vector<Game>& games);

}  // namespace houserule
