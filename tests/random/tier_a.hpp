// Tier A: one generated game, looked at from several sides that must agree.
//
// Its text is parsed, laid out and parsed again; merged and with other names it must be the same game; a run that records must be one
// that does not; the engine must be the plain stepper; and at nodes of random games, what the file claims must have the value that the
// generator reckoned.
#pragma once

#include "tests/random/generator/game_writer.hpp"
#include "tests/random/judged.hpp"

#include <cstdint>

namespace houserule::random_games {

// `others`: the same game under other names. `seed`: of the games that are played.
Judged judge(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed);

}  // namespace houserule::random_games
