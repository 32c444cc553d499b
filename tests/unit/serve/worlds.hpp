// Other worlds that fit what a seat noticed: the same game with other cards where the seat does not look.
#pragma once

#include "interpreter/run/run.hpp"
#include "solver/deduce/deduction.hpp"

#include <memory>
#include <optional>

namespace houserule::testing {

struct Position {
    std::unique_ptr<Run> run;
    Events events;
};

// A game at random up to the n-th question of a seat. What it chooses behind a yes that no event tells is no question of its own: a history
// that fits what was noticed ends before that yes.
std::optional<Position> at_question(const std::shared_ptr<const Machine>& machine, Random& random, int seat, int n);

// Another history that fits what the seat noticed, and goes on unseen to a question of it; nothing when it is asked nothing there.
std::optional<Position> another_world(Deduction& deduction, const Events& noticed, const std::shared_ptr<const Machine>& machine,
                                      Random& random, int seat);

// How much is reckoned for a test.
DeductionLimits limits_of_tests(bool patient = false);

}  // namespace houserule::testing
