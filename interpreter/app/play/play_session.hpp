// A game that is being played at this terminal: the run, what happened, who sits where, and the moments one can go back to.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/run/run.hpp"
#include "solver/players/deducing_player.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// Acts open to people at a moment that has passed without any of them having been asked.
struct Opening {
    ActId act = no_id;
    Seats people = 0;
    std::vector<std::byte> state;
    std::size_t events = 0;
    Random random{0};
};

// A seat that deduces. Going back makes it begin anew with what had happened by then.
struct Thinker {
    std::unique_ptr<DeducingPlayer> player;
    std::size_t told = 0;  // events
};

// Everything that going back restores.
struct Moment {
    int seat = -1;
    std::vector<std::byte> state;
    std::size_t events = 0;
    Random random{0};
    std::vector<Opening> openings;
    std::vector<std::size_t> told;
};

struct Session {
    Loaded rules;
    std::shared_ptr<const Machine> machine;
    std::unique_ptr<Run> run;
    Events events;
    LogHead head;
    Random random{0};
    std::int64_t volunteer_per_million = file_odds;
    Seats people = 0;                  // the seats that people play
    Seats deducing = 0;                // and those of players who deduce; the others play at random
    std::vector<Thinker> thinkers;     // by seat
    std::string log_path;              // where it is saved after every decision; empty: nowhere
    bool unsaved = false;              // the last writing failed
    bool hints = false;                // people are told what they can know
    std::vector<Opening> openings;     // since the last decision of a person
    std::vector<std::size_t> told;     // by seat: how many events that person was told
    std::vector<std::size_t> noticed;  // by seat: how many events that person was told of with others, without what is private
    int at_screen = -1;                // the person who saw the screen last, when there are several
    std::vector<Moment> decisions;     // of people, the current one last

    const Game& game() const { return machine->game; }
    bool is_person(int seat) const { return seat >= 0 && (people >> seat & 1) != 0; }
    bool deduces(int seat) const { return seat >= 0 && (deducing >> seat & 1) != 0; }
    bool several_people() const { return (people & (people - 1)) != 0; }
    // The rule of the node where the run waits, or no_id.
    RuleId rule() const { return machine->code[run->node().step].rule; }
};

Moment moment_of(const Session& session, int seat);
void go_back(Session& session, const Moment& moment);
// Takes back everything since the last decision of this seat; `deciding`: before the one that is being asked. False when there is none.
bool undo(Session& session, int seat, bool deciding);
// Goes back to where the act was open and has `who` do it.
void act(Session& session, const Opening& opening, Seats who);

// What the player of a seat that deduces answers where the run waits; of an act, 0 or 1.
std::uint64_t answer_of(Session& session, int seat);

std::string log_of(const Session& session);
// Writes the log where it is kept, if anywhere; says so when it cannot.
void keep(Session& session, const Globals& g);

}  // namespace houserule::cli
