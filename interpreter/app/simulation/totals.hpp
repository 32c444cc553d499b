// What many games came to: whole numbers only, so that the sum is the same in any order, for any number of threads or parts.
#pragma once

#include "interpreter/run/run.hpp"
#include "solver/players/deducing_player.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace houserule::cli {

inline constexpr std::uint64_t win_parts = 2520;  // a win shared by up to ten players is a whole number of parts

// A place in the rules: the source and the byte.
using Spot = std::pair<std::uint16_t, std::uint32_t>;
inline Spot spot(Span span) { return {span.source, span.begin}; }

struct FailureCount {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  // the game
    Failure failure;          // in that game
};

// All that is known of the games so far.
struct Totals {
    Tally tally;
    std::uint64_t games = 0;
    std::vector<std::uint64_t> wins;                              // by seat, in parts
    std::uint64_t by_teams = 0;                                   // games that whole teams won, or nobody
    std::vector<std::int64_t> scores;                             // by seat
    std::map<EndId, std::uint64_t> ends;                          // none: played to the end
    std::map<std::pair<FailureKind, Spot>, FailureCount> failed;  // what, and where
    Store<StepId, std::uint8_t> reached;
    std::vector<std::uint8_t> kinds;     // by kind: was in some zone when a game was over
    std::vector<PlayerCounts> deducing;  // by seat
    std::uint64_t compiled = 0;          // games that were not interpreted
    // Games that players who deduce played on to their end in mind.
    std::uint64_t rollouts = 0;  // interpreted
    std::uint64_t compiled_rollouts = 0;
};

// Of no games.
Totals nothing_yet(const Machine& m);

void add(Tally& to, const Tally& from);
void add(Totals& to, const Totals& from);

}  // namespace houserule::cli
