// What ends following a log before its end, in every game: which limit, how often, and the first position that meets it.
#pragma once

#include <cstdint>

namespace houserule::bench {

struct StopsBench {
    int positions = 6;  // of each game, its numbers of players in turn
    std::uint64_t seed = 1;
};

// Prints a line a limit, the most frequent first. The program's exit code.
int measure_stops(const StopsBench& bench);

}  // namespace houserule::bench
