#include "interpreter/machine/post_dominators.hpp"
#include "solver/coexecute/coexecute.hpp"

#include <array>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// Whether every seat notices the step, or what is answered there. Cards that move are: if there are none, nothing has changed.
bool is_noticed_by_all(const Machine& m, const Step& s) {
    switch (s.op) {
        case Op::choose:
            return (s.mode & choice_aloud) != 0;
        case Op::report:
            return s.mode != 1 || s.y == no_id;
        case Op::set_fact:
            return m.game.facts[s.a].seers == Seers::all;
        case Op::put:
        case Op::draw:
        case Op::says:
        case Op::show:
        case Op::judged:
        case Op::gather:
        case Op::halt:
            return true;
        default:
            return false;
    }
}

}  // namespace

// Whether it is surely the seat that is asked where the path is.
bool Coexecution::is_asked(UnknownTable& t) {
    const Step& s = machine_.code[t.pc];
    if (s.op != Op::choose && s.op != Op::ask) return false;
    const Limit before = problem_;
    const bool is = settle(t, s.x) && terms_.known(terms_.equal(evaluator(t).scalar(s.x), terms_.constant(seat_))) == true;
    terms_.forget();
    problem_ = before;
    return is;
}

// By the steps alone: that the conditions on the way leave no such way is not seen.
bool Coexecution::may_go_on_unseen() {
    std::vector<std::array<bool, 2>> met(machine_.code.size());  // by step and whether something has changed
    std::vector<std::pair<StepId, bool>> open;
    const auto go_to = [&](StepId step, bool changed) {
        if (!std::exchange(met[step.index()][changed ? 1 : 0], true)) open.emplace_back(step, changed);
    };
    const auto go_on_from = [&](StepId step, bool changed) {
        for (const StepId after : all_after(machine_, step)) go_to(after, changed);
    };
    for (UnknownTable t : paths_) {
        const Step& s = machine_.code[t.pc];
        if (is_noticed_by_all(machine_, s)) continue;
        if (!is_asked(t)) go_on_from(t.pc, false);
    }
    while (!open.empty()) {
        const auto [step, changed] = open.back();
        open.pop_back();
        const Step& s = machine_.code[step];
        if (changed && waits(s.op)) return true;
        if (!is_noticed_by_all(machine_, s)) go_on_from(step, changed || s.op == Op::set_fact);
    }
    return false;
}

}  // namespace houserule
