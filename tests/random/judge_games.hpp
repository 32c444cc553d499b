// Many generated games, judged one by one; what was covered; a run that goes on where it was broken off.
#pragma once

#include "tests/random/generator/avoided.hpp"
#include "tests/random/tiers.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace houserule::random_games {

struct Plan {
    const Tier* tier = tier_named("A");
    std::uint64_t games = 1'000;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> only;  // this game alone, whole
    int seconds = 0;                    // 0: no limit; then it stops, and goes on next time if there is a `state`
    std::uint64_t floor = 0;            // 0: what follows from the number of games
    bool shrink = false;
    bool first = false;  // ends at the first fault
    std::string state;   // a file; empty: none
    std::string text;    // a game that somebody wrote, judged with as many seeds as `games`; empty: generated ones
    Avoiding avoiding = all_avoided();

    void judge_by(const std::string& name);  // A to D: what is compared, and of which games. Throws std::invalid_argument.
    void read(const std::string& file);      // into `text`. Throws std::invalid_argument.
    void with(const std::string& avoided);   // generates that as well; `all` for everything
};

int judge_games(const Plan& plan);  // the exit code

}  // namespace houserule::random_games
