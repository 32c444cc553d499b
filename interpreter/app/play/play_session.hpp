// The state of a game played at this terminal: the run, its events, who sits where, and the moments that undo can return to.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/compiled/game_compiler.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/run/run.hpp"
#include "solver/players/deducing_player.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace houserule::cli {

// A moment, now past, at which people might have acted and were not asked; they may still go back to it.
struct Opening {
    ActId act = no_id;
    Seats people = 0;
    std::vector<std::byte> state;
    std::size_t events = 0;
    Random random{0};
    bool is_asked = false;  // the run still waits there
};

// What a window for acts comes after. In a loop it comes again after the same.
struct WindowAfter {
    StepId window = no_id;
    EventKind kind = EventKind::begins;
    std::int32_t seat = -1;
    Operand name = no_id;
    std::int32_t index = no_id;
    PlaceId from = no_id;
    PlaceId to = no_id;

    friend bool operator==(const WindowAfter&, const WindowAfter&) = default;
};

// The player of a seat that deduces. After an undo it starts again from the events that are left.
struct Thinker {
    std::unique_ptr<DeducingPlayer> player;
    std::size_t told = 0;  // the number of events it was told
};

// A snapshot of the session before a person's decision, for undo.
struct Moment {
    int seat = -1;
    std::vector<std::byte> state;
    std::size_t events = 0;
    Random random{0};
    std::vector<Opening> openings;
};

struct Session {
    Loaded rules;
    std::shared_ptr<const Machine> machine;
    std::unique_ptr<Run> run;
    Events events;
    LogHead head;
    Random random{0};
    std::int64_t volunteer_per_million = file_odds;
    Seats people = 0;                                // seats played by people
    Seats deducing = 0;                              // seats of players who deduce; all others play at random
    std::vector<Thinker> thinkers;                   // by seat
    double thought_s = 0;                            // seconds, all of them
    std::shared_ptr<GameCompiler> compiler;          // of what they play on in mind, once somebody has thought
    std::string log_path;                            // the log is written there before anything is shown; empty: not written
    std::string logged;                              // what was written last
    bool alone = false;                              // nobody else writes there
    bool written_whole = false;                      // it was resumed from a log in which each line stands as `log_of` writes it
    bool kept = false;                               // nobody asked for that log: it is one of those that are kept
    std::size_t saved_events = 0;                    // so many were saved under a name that a person gave
    bool unsaved = false;                            // it could not be written the last time
    bool paced = false;                              // who looks on is waited for
    bool asks_again = false;                         // before a move by which alone the game may be decided
    std::set<std::string> explained;                 // rules whose text was shown
    bool hints = false;                              // before a decision, people are told what they can know
    bool asks_at_windows = false;                    // `go_on` waits at a window where people may act after they were told something
    bool asks_people_first = false;                  // of those who choose together people are asked before anybody deduces
    std::vector<Seats> wishes;                       // by act: the people who act as soon as they may; empty: nobody
    Seats asked_here = no_seats;                     // who were asked at the window where the run waits whether they act
    std::vector<std::vector<WindowAfter>> let_pass;  // by seat: windows since that person decided or acted last
    std::string typed_ahead;                         // at the last pause while news were told
    std::optional<std::pair<int, std::string>> said_with_act;  // by whom, behind the act: for the next question, if it is that seat's
    std::vector<Opening> openings;                             // since the last decision of a person
    std::vector<std::size_t> told;                             // by seat: the number of events told to that person alone
    std::vector<std::size_t> noticed;  // by seat: the number of events told to that person with others, without what is private
    std::vector<std::vector<std::int32_t>> scores_told;  // by seat: what everybody had when that person was told last; empty: not yet
    int at_screen = -1;                                  // if several people play: the one who saw the screen last
    std::vector<Moment> decisions;                       // snapshots before the decisions of people, the current one last

    const Game& game() const { return machine->game; }
    bool is_person(int seat) const { return seat >= 0 && (people >> seat & 1) != 0; }
    bool deduces(int seat) const { return seat >= 0 && (deducing >> seat & 1) != 0; }
    bool several_people() const { return (people & (people - 1)) != 0; }
};

Moment moment_of(const Session& session, int seat);
// How much has happened, but for what the rules lay out by themselves: where chance goes on from.
std::size_t happenings(const Events& events);
void go_back(Session& session, const Moment& moment);
// How many decisions of this seat there are to return to.
std::size_t decisions_of(const Session& session, int seat, bool deciding);
// Returns to the last decision of this seat; if `deciding`, the one before the decision that is being asked. False if there is none.
bool undo(Session& session, int seat, bool deciding);
// Returns to the moment at which the act was open, and lets the seats `who` act.
void act(Session& session, const Opening& opening, Seats who);

// The answer of the deducing player of this seat at the node where the run waits; at a window 0 or 1.
std::uint64_t answer_of(Session& session, int seat);

std::string log_of(const Session& session);
// Writes the log to `log_path`, if there is one and it has changed; prints a message if that fails. What anybody is shown is written
// before: who goes on from the log finds the same cards.
void keep(Session& session, const Globals& g);

}  // namespace houserule::cli
