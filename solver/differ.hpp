// Two machines side by side, for the same number of players: two readings of a rulebook, a game and a house rule on it, one game in
// two orders of what has no order. Do they behave alike, and if not, which is the shortest game in which they part?
//
// They are played along the same answers. They part where they ask somebody else, or something else, or offer other possibilities;
// where a zone or fact that both have (by name) holds something else; where one is over and the other is not, or they are over in
// other ways, with other winners, scores or payoffs; where a promise breaks in one of them. Nothing here knows a game.
#pragma once

#include "interpreter/run.hpp"
#include "solver/finding.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

struct DifferLimits {
    std::uint64_t games = 2'000;        // played side by side
    std::uint64_t states = 200'000;     // of the product, when all of it is walked
    std::uint64_t milliseconds = 5'000;
    std::uint64_t seed = 1;
};

// Where they part. `moves`: the answers that both took, as ranks of the first machine; `other`: the same, of the second.
struct Parting {
    enum class How : std::uint8_t { asked, offered, table, over, result, broken } how = How::table;
    std::vector<std::uint64_t> moves;
    std::vector<std::uint64_t> other;
    std::size_t decisions = 0;   // answers of players among them
    Sentence first;              // what is so with the first machine,
    Sentence second;             // and with the second: only what differs
    std::vector<Span> spans;     // of the steps at which they stand, if any, the first machine's first
};

// What random games come to, in each of the two.
struct GameNumbers {
    std::uint64_t games = 0;
    double decisions = 0;                // a game, on average
    std::vector<double> wins;            // by seat: the share, ties shared
    std::vector<std::pair<std::string, std::uint64_t>> ends;
    std::uint64_t broken = 0;            // games in which a promise broke
};

struct Difference {
    // `proved_absent`: they are alike in every game. `not_found`: in all that were looked at (see `bound`).
    Verdict verdict = Verdict::unknown;
    Method method = Method::none;
    std::string bound;
    std::optional<Parting> parting;      // the shortest that was found
    bool shortest = false;               // there is no shorter one, in decisions
    // At every place where only the offered moves differed, one of them offered all that the other did, and more.
    bool first_allows_more = false;
    bool second_allows_more = false;
    Frequency parts;                     // of random games
    Frequency winner_changes;            // the same random game has other winners in the end
    GameNumbers first;
    GameNumbers second;
};

// `stop`: asked now and then; true ends the search with what is known.
Difference compare(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, const DifferLimits& limits,
                   const std::function<bool()>& stop = {});

}  // namespace houserule
