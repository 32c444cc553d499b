// Every game of a machine, by plain recursion over copies of the state: an oracle for small games.
//
// A history is what has happened so far; its node is a decision, chance or the end. A shuffle is no node: each piece that leaves a
// shuffled part is a chance node with one outcome a piece. What is forced is no node. Two decision nodes belong to one information
// set when their player saw the same events. Nothing is cached; acts at any time are not supported.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace houserule::testing {

struct Tree {
    std::uint64_t decisions = 0;       // of several who decide together, one each, after one another
    std::uint64_t consents = 0;        // of them: whether to choose at all
    std::vector<std::uint64_t> joint;  // of them, by seat: together with others
    std::uint64_t chances = 0;
    std::uint64_t ends = 0;
    std::vector<std::map<std::string, std::uint64_t>> information_sets;  // by seat: as text, how many histories it holds
    std::vector<double> value;                                           // by seat: the payoff expected when everybody moves at random

    std::uint64_t histories() const { return decisions + chances + ends; }
};

// The whole tree from the start. `run` is left anywhere.
Tree explore(Run& run);

}  // namespace houserule::testing
