// What a hint takes beside two other ways to count: Z3 asked for one solution after another, and clingo.
#pragma once

#include <cstdint>

namespace houserule::bench {

struct HintBench {
    int positions = 8;  // of each game and number of players
    double cut_s = 2;   // for each other way on each position
    std::uint64_t seed = 1;
};

// Prints a table. The program's exit code.
int measure_hints(const HintBench& bench);

}  // namespace houserule::bench
