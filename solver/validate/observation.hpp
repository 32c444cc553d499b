// What was seen in games (survey), told as findings. The inside of validate.cpp.
#pragma once

#include "solver/findings/finding.hpp"
#include "solver/validate/random_testing.hpp"

#include <string>
#include <vector>

namespace houserule {

// The machine that was watched, and in which variant of the game.
struct Sighted {
    const Watched& watched;
    const Surveyed& surveyed;
    int players = 0;
    Settings settings;
};

// One finding a sight, without witness log: answers only.
std::vector<Finding> findings_of(const Sighted& sighted);
// What never came up: rules, cases, ends, acts. Titles say what; verdicts are `not_found`.
std::vector<Finding> never_of(const Sighted& sighted);

bool lies_in(Span inner, Span outer);

// The name of the rule, end or act that a statement or step belongs to, or of the part of the file.
std::string place_of(const Game& game, StatementId statement);
std::string place_of(const Machine& machine, const Step& step);

}  // namespace houserule
