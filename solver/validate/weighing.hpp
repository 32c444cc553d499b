// Weighs the heaviest doubts by games of players who think, too: what random games never come to may be what people play for. For
// validate.cpp only.
#pragma once

#include "solver/validate/search.hpp"

namespace houserule {

// Sets `thinking` of the first ten doubts of the result, where games say something, and ranks those by the larger of the two shares.
void weigh_by_thinking(Search& search);

}  // namespace houserule
