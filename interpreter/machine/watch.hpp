// Machines that can be watched while they run, for those who look for faults in the rules.
//
// A watched machine waits, besides where somebody is asked, at points between: before cases and checks of ends, at every round of a
// `repeat`, where play begins. Such a point is a node of kind `ask` whose answer makes no difference; all others, and their moves, are
// those of the machine that `compile` makes, so that answers to one are answers to the other. No events must be recorded of it.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace houserule {

enum class WatchKind : std::uint8_t {
    cases,  // before `cases`: the arms
    ends,   // before a check of ends: the ends
    round,  // before each round of a `repeat`, the first included
    until,  // before its `until` is read
    bound,  // it went round as often as it may
    play,   // the setup is done
};

// What may happen next: where `condition` holds, play goes on at step `target`.
struct WatchedChoice {
    ExpressionId condition = no_id;
    StepId target = no_id;
    EndId end = no_id;
    bool except = false;
};

struct WatchPoint {
    WatchKind kind = WatchKind::cases;
    StatementId statement = no_id;
    RuleId rule = no_id;
    VariableId counter = no_id;      // round, bound: the variable that counts rounds, or none
    ExpressionId condition = no_id;  // round, until: of `until`, or none
    std::vector<WatchedChoice> choices;
};

struct Watched {
    std::shared_ptr<const Machine> machine;
    std::map<StepId, WatchPoint> points;  // by step
};

Watched compile_watched(Game game);

// A loop over players for which the rules state no order, though it does something for each.
struct OpenLoop {
    LoopId loop = no_id;
    StatementId statement = no_id;
    RuleId rule = no_id;
};
std::vector<OpenLoop> loops_in_no_order(const Machine& machine);
// The same machine, but this loop goes the other way round.
std::shared_ptr<const Machine> with_loop_reversed(const Machine& machine, LoopId loop);

}  // namespace houserule
