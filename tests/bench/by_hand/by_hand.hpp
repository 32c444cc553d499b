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
    std::uint64_t windows = 0;
};

using HandGame = HandResult (*)(Random&, HandTally&);
// Null if that game is not there for so many players.
HandGame by_hand(const std::string& game, int players);

HandResult play_kuhn(Random& random, HandTally& tally);    // for two
HandResult play_hearts(Random& random, HandTally& tally);  // for four, one deal
HandResult play_euchre(Random& random, HandTally& tally);
HandGame cogito_by_hand(int players);  // for two, three or four

// Where the n-th set bit of a byte is.
struct BitsOfBytes {
    std::array<std::array<std::uint8_t, 256>, 8> at{};

    constexpr BitsOfBytes() {
        for (unsigned byte = 0; byte < 256; ++byte)
            for (unsigned bit = 0, n = 0; bit < 8; ++bit)
                if ((byte >> bit & 1) != 0) at[n++][byte] = bit;
    }
};
inline constexpr BitsOfBytes bits_of_bytes;

// The n-th set bit, from 0: bits are counted for all bytes at once, then the byte is looked up.
inline int bit_number(std::uint64_t set, unsigned n) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    std::uint64_t counts = set - (set >> 1 & 0x5555555555555555);
    counts = (counts & 0x3333333333333333) + (counts >> 2 & 0x3333333333333333);
    counts = ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;  // in each byte, of this one and those below
    const std::uint64_t reached = ((counts | tops) - (n + 1) * ones) & tops;
    const int byte = __builtin_ctzll(reached) & ~7;
    n -= counts << 8 >> byte & 0xff;
    return byte + bits_of_bytes.at[n][set >> byte & 0xff];
}

}  // namespace houserule::bench
