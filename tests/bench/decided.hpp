// How soon it is decided, after a log was followed, what can lie where: in every game, with every number of players, cut anywhere.
#pragma once

#include <cstdint>
#include <string>

namespace houserule::bench {

struct DecidedBench {
    int positions = 12;  // of each game, its numbers of players in turn
    std::uint64_t seed = 1;
    std::string only;  // a game's name; empty: all
};

// Prints a table, each game with the same weight, and the worst positions. The program's exit code.
int measure_decided(const DecidedBench& bench);

}  // namespace houserule::bench
