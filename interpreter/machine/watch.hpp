// Instrumented machines, for the search for faults in rules: they also stop between the nodes.
//
// A watched machine has further waiting points: before cases and checks of ends, at every round of a `repeat`, where play begins. Such a
// point is a node of kind `ask` whose answer makes no difference. All other nodes and their moves are those of the machine that `compile`
// makes, so that the answers to one fit the other. Its events must not be recorded.
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
    until,  // before the `until` of a `repeat` is read
    bound,  // a `repeat` has made as many rounds as it may
    play,   // the setup is done
};

// One of the cases or ends at a watch point: if `condition` holds, play may go on at step `target`.
struct WatchedChoice {
    ExpressionId condition = no_id;
    StepId target = no_id;
    EndId end = no_id;
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

}  // namespace houserule
