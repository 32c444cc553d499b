// The state of a plain run as bytes, to be copied and compared.
#pragma once

#include "interpreter/plain/plain_values.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace houserule {

std::vector<std::byte> state_bytes(const Machine& machine, const PlainValues& values, StepId pc, bool agreed);
// The other way round; `values` as after PlainValues::start.
void read_state(std::span<const std::byte> bytes, const Machine& machine, PlainValues& values, StepId& pc, bool& agreed);

}  // namespace houserule
