// Turns observations of random games (random_testing.hpp) into findings. For validate.cpp only.
#pragma once

#include "solver/findings/finding.hpp"
#include "solver/validate/random_testing.hpp"

#include <string>
#include <vector>

namespace houserule {

// The machine that was watched, and in which variant of the game.
struct Observed {
    const Watched& watched;
    const TestedGames& tested;
    int players = 0;
    Settings settings;
};

// One finding for each observation; its witness has the answers, but no log yet.
std::vector<Finding> findings_of(const Observed& observed);
// Rules, cases, ends and acts that were never reached, as findings with verdict `not_found`.
std::vector<Finding> never_of(const Observed& observed);

// The name of the rule, end or act that a statement or step belongs to, or `setup` or `play`.
std::string place_of(const Game& game, StatementId statement);
std::string place_of(const Machine& machine, const Step& step);

}  // namespace houserule
