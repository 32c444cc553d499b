// Random games of a machine, interpreted and compiled, game by game.
#pragma once

#include "interpreter/compiled/compiled_game.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace houserule::testing {

struct CompiledSides {
    std::uint64_t games = 0;   // compared to their end
    std::uint64_t rests = 0;   // and rests of games
    std::uint64_t handed = 0;  // of these, how many the interpreter had to play
    std::string difference;    // empty: none
};

// States, tallies, draws, ends, winners, scores, payoffs, promises that break, and what was reached; of each game the same of its rest
// from where seats are asked and from just after some of their answers, up to the end or to the first act of some seat. A game that goes
// on for too long is passed over.
CompiledSides compare_sides(const std::shared_ptr<const Machine>& machine, const std::shared_ptr<const CompiledGame>& game,
                            std::uint64_t games, std::uint64_t seed);

}  // namespace houserule::testing
