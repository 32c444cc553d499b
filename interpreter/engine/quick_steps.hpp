// A machine's steps prepared for running: addresses of variables, and peephole optimisations of several steps into one.
//
// A jump to a jump goes directly to its end. A loop that only collects the players for whom a condition holds is one step, and so is a
// sequence of assignments that only copy; loops that deal cards, and where a window leads in which nobody acts, are found ahead. The
// result is the same as that of the steps one by one.
#pragma once

#include "interpreter/engine/expression_parts.hpp"
#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace houserule {

struct QuickStep {
    Op op = Op::nothing;
    bool wide = false;    // assign: a set; next_player: collects; draw: deals; window: leaves a rule when nobody acts
    StepId c{0};          // the jump, at its end; of a draw that deals, the head of its loop; of a window, where nobody's acting leads
    std::uint32_t a = 0;  // where variables lie
    std::uint32_t b = 0;
    Operand x = no_id;
    LoopId loop = no_id;
    std::int32_t test = -1;  // next_player: of the players it collects, in `tests`
    std::int32_t run = 0;    // assign: so many in a row that only copy, from `copies[x]` on; window: 1 when `c` is known
};

// Copies what `expression` holds: a constant, or what lies in the state.
struct QuickCopy {
    ExpressionId expression = no_id;
    std::uint32_t to = 0;
    bool wide = false;
};

// The same once it is known where that lies.
struct HeldCopy {
    const std::byte* from = nullptr;
    std::uint32_t to = 0;
    bool wide = false;
};

struct QuickLoop {
    std::uint32_t counter = 0;
    std::uint32_t first = 0;
    std::uint32_t player = 0;
    std::uint32_t set = 0;
    bool all = false;
    bool clockwise = true;
};

struct QuickSteps {
    Store<StepId, QuickStep> steps;
    std::vector<QuickCopy> copies;
    Store<LoopId, QuickLoop> loops;
    std::vector<FactTest> tests;
};

QuickSteps quick_steps(const Machine& machine);

}  // namespace houserule
