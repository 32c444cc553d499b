// Where each thing lies in the state of a machine: the last stage of compiling, once all variables are known.
#pragma once

#include "interpreter/machine/machine.hpp"

namespace houserule {

// Fills in Machine::layout and place_zone.
void lay_out(Machine& machine);

}  // namespace houserule
