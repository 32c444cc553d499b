// What an author promised, counted from the words of the rules: what `check` echoes and `validate` proves or breaks.
#pragma once

#include "interpreter/app/common/common.hpp"

namespace houserule::cli {

// A line a promise, in a fixed order; a promise that is not made has no line. Counts are places in the text, however often they run.
std::vector<std::string> promises(const Game& game, const Globals& g);

}  // namespace houserule::cli
