// Logs and views: what happened in a run, as text that people can read and write.
//
//   houserule log 1
//   game NAME
//   rules 5b1f07d2a3c49e60
//   players 3
//   set long_day = no
//   seed 42
//   name P1 = Anna                          who sits there, as people call them
//   seat P2 = deduce                        of a game that is played: who does not sit as usual (a person as P1, random players)
//   with hints                              people are told what they can know
//   from /home/me/own.rules                 where the rules were
//   typed 1, 4-6, 9 of 46                   of a view: which of its events somebody typed, those of a line together
//
//   deal selves -> P1's me: wolf            a draw: by chance, or in order from a known pile (several, with commas)
//   P1: c = rose                            a choice nobody was told of     (no: the offer to choose was declined)
//   P1 names b = wolf                       a choice said aloud
//   P1: redeal = yes                        an answer to an offer
//   table: starter = P2                     a report from outside
//   lot: low = P1                           a lot; of cards of several places, `lot: x = rose @ P2's hand`
//   act declare: P1, P3                     those who act, together
//   act declare: nobody                     that nobody does: goes without saying, but for the last line of a log
//   move P1's hand -> P1's red: rose        the rest follows from the lines above and may be left out when written by hand
//   move heap -> row, in order: 3, 1        the cards as they came to lie, for whoever sees that; else their order says nothing
//   P1's out = yes
//   P1 says cannot_share
//   show P1's hand to all: white 8
//   shuffle pile
//   end solved
//
// A view is the same text as one seat saw it: its head has `view P2`, faces that the seat did not see are `?`, lines that it did not
// notice are missing. `view P2 so far` is one that somebody writes down while they play: what does not stand there yet may have happened.
// Its last line can be `now P2 chooses card`, or `now over`: P2 is asked that then, or the game is over.
// Names are identifiers or labels of any language; `#` begins a comment; blank lines do not matter.
#pragma once

#include "dsl/text/diagnostics.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/seat_question.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

struct LogHead {
    std::string game;
    std::optional<std::uint64_t> rules;  // the hash of the rules
    int players = 0;
    std::map<std::string, std::string> settings;  // options and readings that were set
    std::optional<std::uint64_t> seed;
    int view = -1;                         // the seat of a view; -1: a log
    bool so_far = false;                   // a view: more may have happened than stands there
    std::optional<SeatQuestion> question;  // a view: what its seat is asked at its end, if that is known
    std::map<int, std::string> names;      // of the people in the seats, where they were said
    // For who goes on with a game; a view does not have them.
    std::map<int, std::string> seats;  // `human`, `deduce` or `random`
    bool hints = false;
    std::string file;  // of the rules; empty: found by the name of the game
    // A view that somebody writes down: the events that were typed together, from the one to before the other, counted from 0; those in
    // between came of themselves.
    std::vector<std::pair<std::size_t, std::size_t>> typed;
    std::size_t typed_of = 0;  // how many events there were then
    std::uint32_t body = 0;    // where the body begins, in bytes
};

// The head for a run of this machine.
LogHead head_of(const Machine& machine, std::optional<std::uint64_t> seed);

// The line of a log for an event (seat -1), or of a view as that seat knows the event; empty when the seat does not notice it. Names are
// labels of `language`, or identifiers when it is empty.
std::string event_line(const Machine& machine, const Event& event, int seat, const std::string& language = "");

// The line that says of a window that nobody acts; no event has it.
std::string pass_line(const Machine& machine, StepId window);

// The length of the prefix that ends before simultaneous choices that not all have made (EventKind::all_chose). Of the choices after it
// each seat knows only its own.
std::size_t settled(const Events& events);

std::string log_text(const Machine& machine, const LogHead& head, const Events& events);
std::string view_text(const Machine& machine, const LogHead& head, const Events& events, int seat);

// The head of a log or view. Nothing, with diagnostics, when the text does not begin like one.
std::optional<LogHead> read_head(const Sources& sources, std::size_t index, Diagnostics& diagnostics);
// Whether a text begins like a log.
bool is_log(std::string_view text);

// Starts `run` and plays it along the body of a log, up to the node where it waits after the last line. A line that does not fit is
// reported with what would have fitted; the run then stays before it, and the result is false. Events are appended to `events`; `lines`,
// if given, receives for each of them its line, or nothing when it followed from others. Such lines may be missing. Views cannot be
// replayed: their `?` is reported. When `stop` ends it, the result is false and nothing is reported.
bool replay(const Sources& sources, std::size_t index, const LogHead& head, Run& run, Events& events, Diagnostics& diagnostics,
            std::vector<std::optional<Span>>* lines = nullptr, const Stop* stop = nullptr);

}  // namespace houserule
