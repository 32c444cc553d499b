#include "interpreter/run/inside.hpp"

#include "interpreter/machine/code_builder.hpp"

#include <algorithm>

namespace houserule {

Inside::Inside(const Machine& machine)
    : inside_(machine.code.size(), false), going_back_(machine.game.variables.size(), no_id), returns_by_(machine.code.size(), no_id) {
    CodeBuilder builder;
    builder.m = machine;
    Store<StepId, bool> begins(machine.code.size(), false);  // a rule or an act
    for (const StepId id : machine.code.ids()) {
        const Step& s = machine.code[id];
        if (s.op == Op::leave && id + 1 < StepId(machine.code.size())) begins[id + 1] = true;
        if (s.op != Op::call) continue;
        begins[s.c] = true;
        ExpressionId& reads = going_back_[s.a];
        if (reads == no_id) reads = builder.read(s.a);
    }
    const StepId end(machine.code.size());
    for (StepId next = end; next > StepId(0); --next) {
        const StepId at = next - 1;
        if (machine.code[at].op == Op::leave)
            returns_by_[at] = machine.code[at].a;
        else if (next < end && !begins[next])
            returns_by_[at] = returns_by_[next];
    }
    machine_ = std::make_shared<Machine>(std::move(builder.m));
}

Inside::Inside(const Machine& machine, LoopId loop) : Inside(machine) {
    for (const StepId id : machine.code.ids()) {
        const Step& s = machine.code[id];
        if (s.op != Op::next_player || s.a != loop) continue;
        for (StepId own = id; own < StepId(s.c); ++own) inside_[own] = true;
    }
}

Inside::Inside(const Machine& machine, const std::vector<Span>& spans) : Inside(machine) {
    const auto stands_there = [&](Span s) { return std::ranges::any_of(spans, [&](Span there) { return lies_in(s, there); }); };
    for (const StepId id : machine.code.ids()) {
        const StatementId statement = machine.code[id].statement;
        inside_[id] = statement != no_id && stands_there(machine.game.statements[statement].span);
    }
}

bool Inside::holds(Run& run) const {
    if (run.node().kind != NodeKind::window) return false;
    StepId at = run.node().step;
    // No rule calls itself, so the way out is no longer than there are variables for it.
    for (std::size_t deep = 0; deep < going_back_.size(); ++deep) {
        const VariableId by = returns_by_[at];
        if (by == no_id || going_back_[by] == no_id) return false;
        at = StepId(run.scalar(going_back_[by]) - 1);  // the call: play goes on behind it
        if (inside_[at]) return true;
    }
    return false;
}

}  // namespace houserule
