// Every game of a machine, if they are few, else many: which promises break in them.
#pragma once

#include "interpreter/run/run.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace houserule::random_games {

// What a run says of a promise that broke.
struct Broken {
    FailureKind kind = FailureKind::none;
    Span span;

    friend bool operator<(const Broken& a, const Broken& b) {
        const auto all = [](const Broken& x) { return std::tuple(x.kind, x.span.source, x.span.begin, x.span.end); };
        return all(a) < all(b);
    }
};

struct PlayedGames {
    bool whole = false;  // each state that can be reached was visited, with each answer
    std::size_t states = 0;
    std::vector<std::uint8_t> reached;                    // by step of the machine: whether it was carried out in any of them
    bool ended = false;                                   // whether any came to its end
    std::map<Broken, std::vector<std::uint64_t>> broken;  // with the answers from the start of a game that shows it
};

// Walks the states breadth first; where that is cut off after `most_states`, games at random are played on top.
PlayedGames every_game(const std::shared_ptr<const Machine>& machine, std::size_t most_states, int random_games, std::uint64_t seed);

}  // namespace houserule::random_games
