// Which of the promises that the prover lists a failed game broke: those that stand where it failed and are of the kind that failed.
#pragma once

#include "interpreter/run/failure.hpp"
#include "solver/prove/prove.hpp"

#include <cstddef>
#include <vector>

namespace houserule {

// Whether a promise of that kind can be what failed.
bool may_have_broken(Promise promise, FailureKind failure);

// By place in `all`, several where their words stand at one place. A failure of two cases that hold stands at one of their conditions: what
// broke is the promise of the innermost `cases` around it. Empty when no listed promise can have broken.
std::vector<std::size_t> broken_among(const std::vector<Obligation>& all, FailureKind failure, Span where);

}  // namespace houserule
