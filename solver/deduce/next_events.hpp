// What a seat can notice next: histories that fit are played to the present on numbers, and from there every way on until the seat
// notices something.
#pragma once

#include "solver/deduce/deduction.hpp"

namespace houserule {

struct NextLimits {
    std::size_t histories = 48;  // that are drawn
    std::size_t moves = 300;     // of one answer; of more, a few at random
    std::size_t unnoticed = 40;  // answers that the seat does not notice before something that it does
};

struct NextEvent {
    Event event;                // as `noticed` gives it
    std::size_t histories = 0;  // in how many it can come
};

struct NextEvents {
    std::vector<NextEvent> events;  // in the order of a table: who, what, from where, which
    std::size_t histories = 0;
    bool over = false;  // in some the game is over
    // The only event that came in any way, that was tried: nobody need be asked for it.
    bool only_one() const { return events.size() == 1 && !over && events.front().histories == histories; }
};

// `seen`: how many events the deduction was given. No histories when none can be drawn.
NextEvents next_events(Deduction& deduction, std::size_t seen, Random& random, NextLimits limits = {});

}  // namespace houserule
