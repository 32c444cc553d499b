// A game goes on by itself until people are to answer: chance, players who deduce and random players are played here.
//
// The same for a game at the terminal and for one in the browser, so that the same seed and the same answers give the same log.
#pragma once

#include "interpreter/app/play/play_session.hpp"

#include <cstdint>

namespace houserule::cli {

// What a session waits for.
struct Waiting {
    enum What {
        decision,  // `seat` decides; where the table reports something, anybody tells it, and `seat` was asked last
        acts,      // the people `who` are asked whether they act before somebody else decides, or before the window closes
        thinking,  // somebody deduces next, who may not think in this call
        together,  // people are asked first who choose at the same time as somebody who deduces; who looks for them says so
        over,
        failed,
        interrupted,
    } what = over;
    int seat = -1;
    Seats who = no_seats;
};

// Of the players who deduce, how many may think in one call: before the next one it waits, so that what happened can be told meanwhile.
// `together`: those who choose together, until all have; with `asks_people_first` they think in no other call.
enum class Thoughts : std::uint8_t { none, one, together, all };

// Plays on to where people are asked. Called again without an answer it waits for the same, but for acts: there each of `who` has let the
// window pass, and must have been told what happened before (`told`, `noticed`).
Waiting go_on(Session& session, Thoughts thoughts = Thoughts::all);

// Answers the decision that `go_on` waits for.
void decide(Session& session, std::uint64_t move);

// Whether there are events that this seat noticed and did not cause, and has not been told.
bool has_news(const Session& session, int seat);

// The lowest of some seats.
int first_of(Seats seats);

}  // namespace houserule::cli
