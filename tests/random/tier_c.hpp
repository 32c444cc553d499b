// Tier C: one generated game, given to the prover and to every command.
//
// Nothing is proved that breaks in a game, of all there are if they are few. The commands end with an exit code that says what came out;
// what they show as a game can be played again and shows it.
#pragma once

#include "tests/random/generator/game_writer.hpp"
#include "tests/random/judged.hpp"

#include <cstdint>

namespace houserule::random_games {

Judged judge_promises_and_commands(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed);

}  // namespace houserule::random_games
