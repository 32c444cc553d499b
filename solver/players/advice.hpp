// The value of each of a seat's moves: information gained, points, chances of winning, and information given away.
//
// Histories that fit are played on numbers to the question and each move is made in each of them; its outcome is what the seat notices
// until somebody is asked next, if nobody calls in between: what falls by chance on the way belongs to it, as far as that is little, and
// what others answer at the same moment, unseen, each of their moves being equally likely. Where calls can be made just before a decision,
// its moves stand beside the calls. If all histories are few, all are played and the figures are exact; else a fair sample is, also of what
// others answer unseen before the question and of what falls after a move.
#pragma once

#include "solver/players/asked_for.hpp"
#include "solver/terms/deadline.hpp"

namespace houserule {

struct AdviceLimits {
    std::size_t histories = 400;  // up to this number all are played; of more, a sample of this size
    std::size_t moves = 300;      // of more, those that name what is most likely
    std::size_t inputs = 4;       // answers in one move: an offer taken, whether to choose, what
    Deadline until;
};

struct Outcome {
    Events noticed;  // by the seat, the move itself first
    double share = 0;
    std::optional<double> bits;  // the entropy that is then left of what the game asks for; none as for the move
    double points = 0;           // how the seat's score changes, on average
};

// What all players notice of a move and of what follows, until somebody outside is asked.
struct OpenOutcome {
    Events noticed;  // by `onlooker`
    double share = 0;
};

struct MoveAdvice {
    Events own;                    // what the seat does
    bool exact = true;             // not: what falls by chance, or what others answer unseen, is a sample
    std::optional<double> bits;    // the information gain: by how much the entropy falls, on average; none: too few samples tell
    std::optional<double> points;  // how the seat's score changes on average, if the game has scores
    double over = 0;               // share of histories in which the game is over then, or has come to an end after which others act
    double won = 0;                // and in which the seat is among the winners then, as things stand; of a lot that decides its part
    double won_shared = 0;         // of those, in which others win as well whom it does not play together with
    // Played on at random it clearly wins less than another. Asked where ends or points are in sight, and not what is hidden.
    bool falls_behind = false;
    std::vector<Outcome> outcomes;  // likeliest first
    std::vector<OpenOutcome> open;
    std::optional<double> given_away;  // bits that an onlooker gains about what this seat keeps secret, on average; see `kept`
};

// Whether it is an act that is open at any time.
inline bool is_call(const MoveAdvice& move) { return !move.own.empty() && move.own.front().kind == EventKind::acts; }

struct Advice {
    bool exact = false;
    std::size_t histories = 0;
    HiddenThings asked;             // what the game asks players to name; all that is hidden if it asks for nothing
    double open = 0;                // bits: the entropy of that, now
    std::vector<MoveAdvice> moves;  // by information gain, highest first
    bool others_choose = false;     // at the same moment as the seat, each of their moves being taken for equally likely
    bool always_asked = true;       // false: in some histories the seat notices something more before it is asked, or is asked no more
    int score_aim = 0;              // if a move changes the score: whether more points are better (1) or fewer (-1)
    bool all_moves = true;
    bool in_time = true;  // false: further moves were not tried
    Events seen_by_all;   // so far, as `onlooker` noticed it
    // The places that the seat sees and not all others do (if there are any, only those that the game asks players to name), and their
    // entropy in bits for an onlooker. Set by weigh_given_away; `given_away_limit` says what could not be computed.
    std::vector<PlaceId> kept;
    std::optional<double> kept_bits;
    Limit given_away_limit;
};

// Nothing if the seat is not asked before it notices anything more, or if no history can be sampled.
std::optional<Advice> advise(Deduction& deduction, Random& random, AdviceLimits limits = {});

// Fills in what the moves give away, until the deadline; the rest stays unknown.
void weigh_given_away(Advice& advice, const Deduction& deduction, const DeductionLimits& limits, const Deadline& until);

}  // namespace houserule
