// How far counters can run, and the ends that this makes unreachable: a proof by reading alone, nothing is played.
//
// A fact that is a number goes no further than the statements that change it carry it, each as often as the loops around it allow.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/findings/finding.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

struct Reach {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

// By fact: what its type allows, or less.
Store<FactId, Reach> reach_of_counters(const Game& game);

// Ends whose condition can never hold, for that number of players, as findings: proved.
std::vector<Finding> unreachable_ends(const Game& game);

}  // namespace houserule
