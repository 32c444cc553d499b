// Tells of a run that waits at a window whether that window opened inside some steps, also in a rule that is called there: they have
// begun, and are not over. Whoever asks whether the order of those steps matters does not look at the table there.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <vector>

namespace houserule {

class Inside {
public:
    // A loop over players: some have had their turn, and others have not yet.
    Inside(const Machine& machine, LoopId loop);
    // The statements that stand there.
    Inside(const Machine& machine, const std::vector<Span>& spans);

    // The same machine, with what `holds` reads; runs of it are asked.
    const std::shared_ptr<const Machine>& machine() const { return machine_; }
    bool holds(Run& run) const;

private:
    explicit Inside(const Machine& machine);

    std::shared_ptr<const Machine> machine_;
    Store<StepId, bool> inside_;
    Store<VariableId, ExpressionId> going_back_;  // of the variables that keep the step to go back to, what reads them
    Store<StepId, VariableId> returns_by_;        // what leaves the rule or act it stands in; none: it stands in none
};

// Two machines in which the same steps are taken in different orders, each with those steps.
struct InsideBoth {
    std::shared_ptr<const Inside> first;
    std::shared_ptr<const Inside> second;
};

}  // namespace houserule
