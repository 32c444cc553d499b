// What each of a seat's moves would tell it, what it would bring, and what it would give away.
//
// The histories that fit are played on numbers to the present, each move is made in all of them, and what the seat would notice until
// somebody outside is asked next is its outcome. All histories when there are few: then the figures are exact; else a fair sample.
#pragma once

#include "solver/deduce/deduction.hpp"

namespace houserule {

struct AdviceLimits {
    std::size_t histories = 400;  // up to so many are taken all, of more so many are drawn
    std::size_t moves = 300;      // of more, those that name what is most likely
    std::size_t inputs = 4;       // of one move: an offer taken, whether to choose, what
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct Outcome {
    Events noticed;  // by the seat, the move itself first
    double share = 0;
    double bits = 0;    // what is then still open about what the game asks for
    double points = 0;  // how the seat's score changes, on average
};

// What all players notice of a move and what follows until somebody outside is asked.
struct OpenOutcome {
    Events noticed;  // by `onlooker`
    double share = 0;
};

struct MoveAdvice {
    Events own;                     // what the seat does
    double bits = 0;                // how much less is open afterwards, on average
    std::optional<double> points;   // how the seat's score changes on average, if the game has scores
    double over = 0;                // share of histories in which the game is over then
    double won = 0;                 // and in which the seat is among the winners then
    std::vector<Outcome> outcomes;  // likeliest first
    std::vector<OpenOutcome> open;
    std::optional<double> given_away;  // bits, on average, that whoever sees what all see has less to find out; see give_away.hpp
};

struct Advice {
    bool exact = false;
    std::size_t histories = 0;
    std::vector<PlaceId> asked;     // the hidden places that the game asks players to name; all hidden ones if it asks for none
    double open = 0;                // bits: how much is open about them now
    std::vector<MoveAdvice> moves;  // most telling first
    bool all_moves = true;
    bool in_time = true;  // false: further moves were not tried
    Events seen_by_all;   // so far, as `onlooker` noticed it
    // What the seat sees and not all others do, of that what the game asks players to name, if there is any; and how many bits whoever
    // sees what all see has to find out about it. Worked out by weigh_given_away, as far as `given_away_limit`.
    std::vector<PlaceId> kept;
    std::optional<double> kept_bits;
    Limit given_away_limit;
};

// Nothing when the seat is not asked, or when there are no histories to draw.
std::optional<Advice> advise(Deduction& deduction, Random& random, AdviceLimits limits = {});

// Fills what the moves give away. What is not known by then stays unknown.
void weigh_given_away(Advice& advice, const Deduction& deduction, const DeductionLimits& limits,
                      std::chrono::steady_clock::time_point until);

// The zones in which lies what players are asked to name: those that a rule holds against something said aloud.
std::vector<ZoneId> zones_asked_for(const Machine& machine);

}  // namespace houserule
