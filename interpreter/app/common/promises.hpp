// The list of promises that the words of a file make, as `check` prints it; `validate` proves or breaks them.
#pragma once

#include "interpreter/app/common/common.hpp"

namespace houserule::cli {

// One line for each kind of promise that the file makes, in a fixed order, with the number of places in the text that make it.
std::vector<std::string> promises(const Game& game, const Sources& sources, const Globals& g);

}  // namespace houserule::cli
