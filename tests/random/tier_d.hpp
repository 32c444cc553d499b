// Tier D: a generated game as it is compiled must come to what it comes to when it is interpreted, and its text holds no word of the rules.
#pragma once

#include "tests/random/generator/game_writer.hpp"
#include "tests/random/judged.hpp"

#include <cstdint>

namespace houserule::random_games {

// `others`: the same game under other names, which is printed the same. `seed`: of the games that are played.
Judged judge_compiled(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed);

}  // namespace houserule::random_games
