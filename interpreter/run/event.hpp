// Events: what happens in a run, each with the seats that notice it and the seats that see its faces.
//
// A log is all events; a view is the events with the parts that one seat may see. An event is an *input* when it came from outside
// (a choice, a draw, a report, an act): the inputs alone determine the run, the others follow from them.
#pragma once

#include "dsl/game/game.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

enum class EventKind : std::uint8_t {
    choice,     // seat chose `values` (one, or a set) for `name`; input
    answer,     // seat said yes (value 1) or no to the offer of word `name`; input
    draw,       // `pieces` from place `from` to place `to`, by chance or in order; input
    report,     // the table (seat -1) told value for variable `name`; input
    lot,        // chance picked value for variable `name`; input
    acts,       // the seats in `values` do act `name`; input
    move,       // `pieces` from `from` to `to`; the seats in `value` see in which order they came to lie, and so `pieces` stand
    becomes,    // fact `name` [index] is now value, or the set `values`
    says,       // seat says word `name`
    shows,      // `pieces` at place `from` are shown to `faces`
    shuffle,    // place `from`
    ended,      // end `name`
    begins,     // rule `name` begins; without a name a game, with all cards in the box, or `pieces` out of it are laid where nobody
                // sees them, at `to` (not in logs; for people who watch)
    all_chose,  // all have made their simultaneous choices: from here on everybody knows what was said (nobody's, and not in logs)
};

using Seats = std::uint16_t;  // bit p: seat p
inline constexpr Seats no_seats = 0;
constexpr Seats seat_bit(int seat) { return 1U << seat; }

struct Event {
    EventKind kind = EventKind::choice;
    std::int32_t seat = -1;
    Operand name = no_id;  // by kind; for a choice the variable
    std::int32_t index = no_id;
    std::int32_t value = 0;
    bool aloud = false;        // of a choice: said to all (`must name`)
    bool optional_no = false;  // a `may` that was declined
    bool joint = false;        // a simultaneous choice: nobody else notices it before all have chosen
    PlaceId from = no_id;
    PlaceId to = no_id;
    std::vector<std::int32_t> values;  // elements of a set, kinds of chosen cards
    std::vector<std::int32_t> pieces;  // kinds of the cards moved or shown
    Seats audience = 0;                // the seats that notice it
    Seats faces = 0;                   // the seats among them that also see its values and pieces
    StepId step = no_id;
    RuleId rule = no_id;

    friend bool operator==(const Event&, const Event&) = default;
};

using Events = std::vector<Event>;

}  // namespace houserule
