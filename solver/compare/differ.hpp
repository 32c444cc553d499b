// Two machines side by side, for the same number of players: two readings of a rulebook, a game and a house rule on it, one game in
// two orders of what has no order. Do they behave alike, and if not, which is the shortest game in which they part?
//
// They are played along the same answers. They part where they ask somebody else, or something else, or offer other possibilities;
// where a zone or fact that both have (by name) holds something else; where one is over and the other is not, or they are over in
// other ways, with other winners, scores or payoffs; where a promise breaks in one of them. Where one takes the only possibility without
// asking and the other asks, they part at that choice. Who sees what, and what is said or shown, is not compared. Nothing here knows a
// game.
//
// First many random games are played in both; then all that can happen is walked, breadth first by decisions, as far as the limit
// goes; if the parting that was found is not shown to be the shortest, shorter ones are looked for with its draws. The same limits
// and seed give the same result, unless time runs out.
#pragma once

#include "interpreter/run/run.hpp"
#include "solver/findings/finding.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

struct DifferLimits {
    std::uint64_t games = 2'000;          // played side by side
    std::uint64_t states = 200'000;       // of the product, when all of it is walked
    std::uint64_t milliseconds = 60'000;  // a cap on top, for games that are slow to play
    std::uint64_t seed = 1;
    std::vector<std::vector<std::uint64_t>> along;  // games of the first machine that are followed as well, beside the random ones
};

// Where they part. `moves`: the answers that both took, as ranks of the first machine; `other`: the same, of the second.
struct Parting {
    enum class How : std::uint8_t { asked, offered, table, over, result, broken } how = How::table;
    std::vector<std::uint64_t> moves;
    std::vector<std::uint64_t> other;
    // Decisions of players among them: a yes and what is chosen then are one, an act is one for each who acts, a pass is none.
    std::size_t decisions = 0;
    // Who stands at a choice with one possibility: that machine takes it without asking, and after `moves` it waits further on.
    bool first_forced = false;
    bool second_forced = false;
    Sentence first;           // what is so with the first machine,
    Sentence second;          // and with the second: only what differs
    std::vector<Span> spans;  // of the steps at which they stand, if any, the first machine's first
};

// What random games come to, in each of the two.
struct GameNumbers {
    std::uint64_t games = 0;   // that came to an end, or to a broken promise
    double decisions = 0;      // a game, on average: choices and answers of players with two or more possibilities
    double spread = 0;         // of that number: the standard deviation
    std::vector<double> wins;  // by seat: the share, ties shared
    std::vector<std::pair<std::string, std::uint64_t>> ends;  // by name, in the order of the rules; empty: played to the end
    std::uint64_t broken = 0;                                 // games in which a promise broke
};

struct Difference {
    // `proved_absent`: they are alike in every game. `not_found`: in all that were looked at (see `bound`).
    Verdict verdict = Verdict::unknown;
    FoundBy method = FoundBy::none;
    std::string bound;
    std::uint64_t states = 0;  // of both together, walked
    // All games were looked at up to this many decisions; nothing when that was not even done for none.
    std::optional<std::size_t> walked_decisions;
    bool out_of_time = false;        // or stopped: another run may come further
    std::optional<Parting> parting;  // the shortest that was found
    bool shortest = false;           // there is no shorter one, in decisions
    // In the random games, and on along what both offer: nothing differed but what is offered, and where it did, one of them offered
    // all that the other did, and more. Something that may be declined counts as more.
    bool first_allows_more = false;
    bool second_allows_more = false;
    Frequency parts;  // of random games
    // The same random game has other winners in the end: each is played on after they part, with the same source of chance. With the
    // one random game that goes on differently, so do the games: this says how far they part, not why.
    Frequency winner_changes;
    GameNumbers first;
    GameNumbers second;
};

// `stop`: asked now and then; true ends the search with what is known. The verdict is `unknown` when that is nothing, or when the two are
// for other numbers of players.
Difference compare(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, const DifferLimits& limits,
                   const std::function<bool()>& stop = {});

}  // namespace houserule
