// Whether random games are the same in two machines for the same number of players, when the same falls and the same is answered: what is
// offered, all that happens, who notices it and sees its faces, and how it ends.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstdint>
#include <memory>

namespace houserule {

struct SameGamesLimits {
    std::uint64_t games = 200;
    std::uint64_t nodes = 2'000;  // of a game: of a longer one nothing is known
    std::uint64_t seed = 1;
    const Stop* stop = nullptr;
};

// The games that were played, all of them alike; 0 when one was not, was too long, or when it was stopped.
std::uint64_t same_games(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second,
                         const SameGamesLimits& limits);

}  // namespace houserule
