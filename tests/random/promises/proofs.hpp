// What the prover says of a game, against its games.
#pragma once

#include "solver/prove/promise_sites.hpp"
#include "tests/random/generator/coverage.hpp"
#include "tests/random/promises/every_game.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace houserule::random_games {

struct FalseProof {
    std::string what;    // the same for the same fault
    std::string detail;  // for people
};

// With so many steps of work for the prover: something that was proved and breaks, or breaks and is no promise that the prover knows.
// Else adds to the coverage how many promises hold in all games, come to or not, and how many of these were proved.
std::optional<FalseProof> false_proof(const Machine& machine, const PlayedGames& played, std::uint64_t work, Coverage& coverage);

// The share of the promises that hold and were proved, as a sentence; of many games it must not be small.
struct ProvedShare {
    std::string text;
    bool enough = true;
};
ProvedShare proved_share(const Coverage& coverage);

}  // namespace houserule::random_games
