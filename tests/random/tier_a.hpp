// Tier A: one generated game, looked at from several sides that must agree.
//
// Its text is parsed, laid out and parsed again; merged and with other names it must be the same game; a run that records must be one
// that does not; the engine must be the plain stepper; and at nodes of random games, what the file claims must have the value that the
// generator reckoned.
#pragma once

#include "tests/random/generator/coverage.hpp"
#include "tests/random/generator/game_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace houserule::random_games {

enum class Verdict : std::uint8_t { fine, refused, wrong };

struct Judged {
    Verdict verdict = Verdict::fine;
    std::string what;    // the code of what `check` says, or which comparison failed: the same for the same fault
    std::string detail;  // for people
    Coverage coverage;
};

// `others`: the same game under other names. `seed`: of the games that are played.
Judged judge(const GeneratedGame& game, const GeneratedGame& others, std::uint64_t seed);

}  // namespace houserule::random_games
