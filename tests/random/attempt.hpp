// A game is generated and judged in a process of its own, so that one that crashes, hangs or eats memory is found like any other fault.
#pragma once

#include "tests/random/tiers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace houserule::random_games {

// By the choices that `choices` makes: what was found; a crash is `wrong`, too.
Judged attempt(const Tier& tier, const std::function<Choices()>& choices, const Avoiding& avoiding, std::uint64_t seed);
// A game that somebody wrote.
Judged attempt(const Tier& tier, const std::string& text, std::uint64_t seed);

// The shortest stream that was found for the same `what`, by taking out, lifting and zeroing parts (delta debugging: Zeller and
// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
std::vector<std::uint32_t> shrunk(const Tier& tier, std::vector<std::uint32_t> stream, const std::string& what, const Avoiding& avoiding,
                                  std::uint64_t seed);

}  // namespace houserule::random_games
