// Playing many games of random or better players on some threads.
//
// Game i is played with a seed made of the given seed and i, and all that is added up are whole numbers: the result is the same for
// any number of threads.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/simulation/engine.hpp"
#include "interpreter/app/simulation/totals.hpp"
#include "interpreter/players/player.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace houserule::cli {

// Games, from the first to the one before `end`.
struct GameRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

struct Plan {
    std::shared_ptr<const Machine> machine;
    std::uint64_t first = 0;  // game, and the one behind the last
    std::uint64_t end = 0;
    std::uint64_t seed = 0;
    std::int64_t volunteer = file_odds;
    std::string logs;
    Seats deducing = 0;
    PlayerLimits limits;
    // Instead of `first` to `end`, ranges of them that others do not play, until there is an empty one; asked by one thread at a time.
    std::function<GameRange()> ranges{};
    std::uint64_t processes = 1;  // that share the games
    // For whether compiling is worth it: games that were played before in so many seconds, and those to come after these.
    std::uint64_t played_before = 0;
    double seconds_before = 0;
    std::uint64_t still_to_come = 0;
    std::function<void()> meanwhile{};  // called about twenty times a second
};

// The seed of game number `game`.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t game);

double seconds_since(std::chrono::steady_clock::time_point start);

// Nothing when a log could not be written.
std::optional<Totals> play_all(const Plan& plan, int threads, SimulateEngine& engine, const Globals& g);

}  // namespace houserule::cli
