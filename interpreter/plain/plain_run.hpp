// The plain stepper: the reference of what a statement means. Each step of a machine is carried out the obvious way on a plain state, with
// dsl/meaning for every expression: no masks, no tables made ahead, no steps joined. Slow; it is what fast forms are judged by.
//
// It is a Run like any other, and where a choice of copies or an order could be taken for an accident of the engine, this is what is meant:
//
// - A name for cards (`chosen`, a drawn card) is a name for certain copies and goes with them. What names nothing takes the copies of each
//   kind at each place that come first, in the order of the pieces of the game. Of `a - b` it is the last ones that stay.
// - Moves are ranked: numbers and elements ascend; cards in the order of their pieces, copies of a kind at one place once (by chance each
//   for itself); several at once by their number, then by how few there are of the first possibility, of the second, and so on. Seeds
//   depend on this order; logs do not.
//
// A state of it (TableView::state) fits no other kind of run. It looks for no repeated states: what goes on for ever fails when
// `limit_forced` is reached.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <vector>

namespace houserule {

class ReferenceRun : public Run {
public:
    using Run::Run;

    // All promises that broke at the step that failed, `failure` among them. Which of two operands is read first is nowhere stated, so
    // another run may report another one of these.
    virtual const std::vector<Failure>& failures() const = 0;
};

std::unique_ptr<ReferenceRun> make_plain_run(std::shared_ptr<const Machine> machine);

}  // namespace houserule
