// One random game in two runs of a machine at once, the engine (interpreter/engine) and the plain stepper (interpreter/plain): what fast
// forms compute against what the rules mean, at every node.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace houserule::testing {

// Plays one game from `seed` in the engine and in the plain stepper, side by side; the first difference in words, nothing if there was
// none. It gives up, without a difference, after `most_nodes` nodes.
std::optional<std::string> first_difference(std::shared_ptr<const Machine> machine, std::uint64_t seed, std::size_t most_nodes);

// The same with the plain stepper on another machine, of the same game and with as many steps: for tests of whether a difference is found.
std::optional<std::string> first_difference(std::shared_ptr<const Machine> machine, std::shared_ptr<const Machine> plain_machine,
                                            std::uint64_t seed, std::size_t most_nodes);

}  // namespace houserule::testing
