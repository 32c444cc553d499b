// Where the rules of a game are silent, clash, stall or can be read two ways, and the game in which that happens.
//
// Every number of players, every option and every reading is tried, not only what the author chose: games are played
// (random_testing.hpp), machines compared (solver/compare), promises proved (solver/prove), and what the text leaves open is listed. A
// finding that a game shows comes with that game, replayed on the plain machine. It never claims more than was shown: `Finding::verdict`.
#pragma once

#include "dsl/variant/house_rule.hpp"
#include "dsl/variant/variant.hpp"
#include "solver/findings/finding.hpp"

#include <functional>
#include <set>
#include <vector>

namespace houserule {

struct ValidateLimits {
    std::uint64_t games = 4'000;                // of each machine with the file's own options and readings; of each other a quarter
    std::uint64_t milliseconds = 50'000;        // in all
    std::uint64_t proof_milliseconds = 20'000;  // the part of them for proofs about one number of players
    int low = 0;                                // numbers of players, low .. high; 0: as the file says
    int high = 0;
    std::uint64_t seed = 1;
    unsigned threads = 2;
    std::set<FindingClass> only;  // empty: all
    Settings settings;            // options and readings to begin from
    bool proofs = true;           // prove promises with Z3
    bool others = true;           // also play games under all other options and readings
};

struct Validation {
    std::vector<Finding> findings;  // the gravest first, then in the order of the text
    std::vector<Finding> passed;    // what was proved absent, or searched for and not found
    std::vector<Sentence> limits;   // what was not finished, and why
    bool cut_off = false;           // time ran out, or `stop` said so
};

struct ValidateProgress {
    Sentence doing;
    std::size_t done = 0;
    std::size_t of = 0;
};

// The file must check without errors. `stop` is called now and then, from any thread; true ends the search with what is known.
Validation validate(const Syntax& syntax, const ValidateLimits& limits, const std::function<void(const ValidateProgress&)>& progress = {},
                    const std::function<bool()>& stop = {});

}  // namespace houserule
