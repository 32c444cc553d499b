// The tasks of one validation that do not depend on each other, shared out among machines, and what each came to.
//
// Such tasks are the games of each variation, the comparisons of two machines, and the proofs for each number of players. Whoever does
// them, findings are made of all results in one order. What depends on all of them is left for who joins them.
#pragma once

#include "solver/compare/differ.hpp"
#include "solver/prove/prove.hpp"
#include "solver/validate/random_testing.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

struct ShareOfTasks {
    std::uint64_t number = 1;  // from 1
    std::uint64_t of = 1;

    // Whether that task, of `all` in a row, is one of this share: a share is a stretch of them.
    bool has(std::size_t task, std::size_t all) const { return task * std::min(of, most) / all + 1 == number; }
    // Whether it is when they are dealt out one by one.
    bool is_dealt(std::size_t task) const { return task % of + 1 == number; }

private:
    static constexpr std::uint64_t most = 1'000'000;  // shares behind them have nothing
};

enum class Comparisons : std::uint8_t { readings, orders, scopes, leads };

// Of one number of players.
struct ProvedPromises {
    bool walked = false;  // every game there is was played, and no promise broke
    bool cut = false;     // the clock, or somebody, ended the search for proofs
    std::vector<Obligation> obligations;
};

struct TaskResults {
    std::map<std::size_t, TestedGames> games;                                              // by variation
    std::map<std::pair<Comparisons, std::size_t>, std::optional<Difference>> comparisons;  // nothing: there is nothing to compare
    std::map<std::size_t, ProvedPromises> proofs;                                          // by number of players, 0: the smallest
};

}  // namespace houserule
