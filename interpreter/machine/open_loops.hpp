// Loops over players whose order the rules leave open, and the machine that takes one of them the other way round: whoever looks for rules
// that depend on such an order compares the two.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace houserule {

// A loop over players for which the rules state no order, though it does something for each.
struct OpenLoop {
    LoopId loop = no_id;
    StatementId statement = no_id;
    RuleId rule = no_id;
    bool at_once = false;  // by `simultaneously`, or by all who act at one moment
};
std::vector<OpenLoop> loops_in_no_order(const Machine& machine);
// The same machine, but this loop goes the other way round.
std::shared_ptr<const Machine> with_loop_reversed(const Machine& machine, LoopId loop);

}  // namespace houserule
