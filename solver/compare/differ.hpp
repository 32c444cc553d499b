// Compares two machines for the same number of players: two readings of a rulebook, a game and a house rule on it, or one game in two
// orders of something that has no order. Do they behave alike, and if not, what is the shortest game in which they part?
//
// Both are played along the same answers. They part where they ask somebody else, or something else, or offer other possibilities;
// where a zone or fact that both have (by name) holds something else; where one is over and the other is not, or they end in
// other ways, with other winners, scores or payoffs; where a promise breaks in one of them. Where one takes the only possibility without
// asking and the other asks, they part at that choice. Who sees what, and what is said or shown, is not compared. Nothing here knows a
// game.
//
// First many random games are played in both; then their product is walked, breadth first by decisions, up to the limit; if the parting
// that was found is not known to be the shortest, shorter ones are searched for with its draws. The same limits and seed give the same
// result, unless a deadline passes.
#pragma once

#include "interpreter/run/inside.hpp"
#include "interpreter/run/run.hpp"
#include "solver/findings/finding.hpp"
#include "solver/terms/deadline.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

struct DifferLimits {
    std::uint64_t games = 2'000;         // played side by side
    std::uint64_t states = 200'000;      // of the product, when all of it is walked
    std::uint64_t work = no_work_limit;  // of both runs, see Run::work: for games that are slow to play
    Deadline until;                      // a cap on top
    std::uint64_t seed = 1;
    std::vector<std::vector<std::uint64_t>> along;  // further games to play, besides random ones, as answers of the first machine
    bool only_along = false;                        // instead of random ones: they are what `parts` and `winner_changes` count
    // Two orders of these steps are compared: at windows that open before they are over nobody acts, and the table is not looked at. The
    // machines must be theirs.
    InsideBoth inside = {};
};

// The point where two machines part. `moves`: the answers that both took, as ranks of the first machine; `other`: as ranks of the second.
struct Parting {
    enum class How : std::uint8_t { asked, offered, table, over, result, broken } how = How::table;
    std::vector<std::uint64_t> moves;
    std::vector<std::uint64_t> other;
    // The decisions of players among them: a yes with the choice after it is one, an act is one for each who acts, a pass is none.
    std::size_t decisions = 0;
    // The side whose choice is forced: that machine moves on without asking, so that after `moves` it waits at a later node.
    bool first_forced = false;
    bool second_forced = false;
    Sentence first;           // how the first machine stands, as far as it differs
    Sentence second;          // and the second
    std::vector<Span> spans;  // of the steps at which they wait, if any, that of the first machine first
};

// Figures of the random games of one of the two machines.
struct GameNumbers {
    std::uint64_t games = 0;                                  // that came to an end, or to a broken promise
    double decisions = 0;                                     // in a game, on average: choices and answers with two or more possibilities
    double spread = 0;                                        // the standard deviation of that number
    std::vector<double> wins;                                 // by seat, the share of games won, ties shared
    std::vector<std::pair<std::string, std::uint64_t>> ends;  // by name, in the order of the rules; empty: played to the end
    std::uint64_t broken = 0;                                 // games in which a promise broke
};

struct Difference {
    // `proved_absent`: they are alike in every game. `not_found`: in all games that were tried (see `bound`).
    Verdict verdict = Verdict::unknown;
    FoundBy method = FoundBy::none;
    Sentence bound;
    std::uint64_t states = 0;  // of the product, walked
    std::uint64_t work = 0;    // of both runs, see Run::work
    // The search was complete up to this many decisions; nothing when it was not even complete for 0.
    std::optional<std::size_t> walked_decisions;
    bool out_of_time = false;  // time or work ran out, or it was interrupted: another run may find more
    bool out_of_work = false;
    std::optional<Parting> parting;  // the shortest that was found
    bool shortest = false;           // there is no shorter one, in decisions
    // In the random games, played on along moves that both offer, nothing differed but the moves on offer; and wherever those differed,
    // this machine offered all that the other did, and more (refinement). Something that may be declined counts as more.
    bool first_allows_more = false;
    bool second_allows_more = false;
    Frequency parts;  // random games in which they part
    // Random games with other winners in the end: after they part, each machine plays on with the same random numbers. Those are used for
    // other things then, so this says how far games diverge, not why.
    Frequency winner_changes;
    GameNumbers first;
    GameNumbers second;
};

// When it is stopped, with what is known. The verdict is `unknown` when nothing is known, or when the machines are for different
// numbers of players.
Difference compare(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, const DifferLimits& limits);

}  // namespace houserule
