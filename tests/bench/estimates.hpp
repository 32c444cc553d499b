// How honest estimates are: on positions that can be counted, how often the interval of an estimated share holds the true one.
#pragma once

#include <cstdint>
#include <string>

namespace houserule::bench {

struct EstimateBench {
    int positions = 12;  // of each game, its numbers of players in turn
    std::uint64_t seed = 1;
    std::string only;                 // a game's name; empty: all
    std::uint64_t work = 10'000'000;  // of a position: see DeductionLimits
};

// Prints a table, each game with the same weight. The program's exit code: 1 when too few intervals hold the truth, or they are too wide.
int measure_estimates(const EstimateBench& bench);

}  // namespace houserule::bench
