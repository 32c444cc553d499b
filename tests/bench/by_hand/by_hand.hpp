// Games written by hand in C++, as well as one can: how fast games from rules could be at best.
//
// They play by the same rules with the same numbers of chance as the interpreter, so that their totals must be equal.
#pragma once

#include "interpreter/run/random.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace houserule::bench {

// Of one game: who won, as a mask, and the scores, if the game has some.
struct HandResult {
    std::uint64_t winners = 0;
    std::array<std::int32_t, 4> scores{};
};

// Of all games: what the interpreter counts too.
struct HandTally {
    std::uint64_t decisions = 0;
    std::uint64_t options = 0;
    std::uint64_t forced = 0;
    std::uint64_t chances = 0;
};

using HandGame = HandResult (*)(Random&, HandTally&);
// Null if that game is not there for so many players.
HandGame by_hand(const std::string& game, int players);

HandResult play_kuhn(Random& random, HandTally& tally);    // for two
HandResult play_hearts(Random& random, HandTally& tally);  // for four, one deal
HandResult play_euchre(Random& random, HandTally& tally);

// The n-th set bit, from 0.
inline int bit_number(std::uint64_t set, unsigned n) {
    for (; n >= 8; n -= 8)
        for (int i = 0; i < 8; ++i) set &= set - 1;
    for (; n > 0; --n) set &= set - 1;
    return __builtin_ctzll(set);
}

}  // namespace houserule::bench
