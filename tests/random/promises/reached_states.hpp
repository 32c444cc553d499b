// The abstract states of the prover, against the states that games come to.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "tests/random/promises/proofs.hpp"

#include <cstdint>
#include <optional>

namespace houserule::random_games {

// Plays games at random, step by step, and asks of some states before a statement whether one of the prover's abstract states before it
// covers them: what lies where, the facts, the ends of rows and the names that the statement reads. Where none does, what is proved behind
// it is in doubt: the prover does not walk as the machine does.
std::optional<FalseProof> uncovered_state(const Machine& machine, std::uint64_t seed, std::uint64_t work, Coverage& coverage);

}  // namespace houserule::random_games
