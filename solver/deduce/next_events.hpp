// What a seat can notice next. Histories that fit are sampled and played to the present on numbers. There every answer is tried; of the
// answers that the seat does not notice, one at random is followed, and so on until it notices something.
#pragma once

#include "solver/deduce/deduction.hpp"

#include <set>

namespace houserule {

struct NextLimits {
    std::size_t histories = 48;  // that are sampled, at least
    std::size_t moves = 300;     // at one node; of more, a few at random
    std::size_t unnoticed = 40;  // answers in a row that the seat does not notice
};

struct NextEvent {
    Event event;                // as `noticed` gives it
    std::size_t histories = 0;  // in which it can come next
};

struct NextEvents {
    std::vector<NextEvent> events;  // sorted by kind, seat, name, places and values; acts at any time last
    std::size_t histories = 0;      // that were played
    bool over = false;              // in some of them the game is over
    bool choice_first = false;      // in some of them somebody is asked, or the game is over, before the seat notices anything
    std::set<RuleAtHand> asked_by;  // the rules in which somebody is asked whose answer the seat notices
    // Whether one event comes next in every history that was played, and nothing else was found: it need not be asked for.
    bool only_one() const { return events.size() == 1 && !over && events.front().histories == histories; }
};

// `seen`: how many events the deduction was given. `histories` is 0 if none can be sampled.
NextEvents next_events(Deduction& deduction, std::size_t seen, Random& random, NextLimits limits = {});

}  // namespace houserule
