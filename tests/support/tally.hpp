// Counts what the tests try, so that nobody makes them faster by making them fewer.
//
// When HOUSERULE_TALLY names a file, each process that runs tests adds a line `COUNT WHAT` to it for each thing it has counted;
// tests/bench/build.sh sums them.
#pragma once

#include <cstdint>
#include <string>

namespace houserule::testing {

// `what` was tried so often once more.
void tally(const std::string& what, std::uint64_t count = 1);

// A game, a text, an expression or a model that was drawn at random and looked at.
inline void random_samples(std::uint64_t count = 1) { tally("random samples", count); }

}  // namespace houserule::testing
