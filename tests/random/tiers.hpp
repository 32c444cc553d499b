// The tiers: what is looked at, for each generated game.
#pragma once

#include "tests/random/generator/game_writer.hpp"
#include "tests/random/judged.hpp"
#include "tests/random/promises/proofs.hpp"

#include <cstdint>
#include <string>

namespace houserule::random_games {

struct Tier {
    const char* name;
    Judged (*judge)(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed);
    ProvedShare (*share)(const Coverage& coverage);  // of all games together; null: there is none
    unsigned cpu_seconds;                            // of one process, at most
    std::uint64_t games_between_saves;               // to the state file
    int shrinking_attempts;
    bool small_games;  // few cards and players, much of it hidden
    bool covers_all;   // whether every row of the generator must come up
    bool as_code;      // compares machine code
};

const Tier* tier_named(const std::string& name);  // null: there is none

}  // namespace houserule::random_games
