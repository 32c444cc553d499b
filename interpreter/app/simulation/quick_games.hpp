// Games of players who deduce, but quickly: a few histories, and little work for each decision.
//
// For whoever wants to know how often something comes up when people do not play at random. No clock: the same games each time.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace houserule::cli {

// So many games, or as many as 1,500 decisions and so much work allow, each as the answers of the machine. Ends early when somebody
// interrupts.
std::vector<std::vector<std::uint64_t>> quick_games(const std::shared_ptr<const Machine>& machine, std::uint64_t games, std::uint64_t work);

}  // namespace houserule::cli
