// Whether players want their scores high or low.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>

namespace houserule {

// As random games tell, the same at each call: 1 if those do better who have more, -1 if those who have less, 0 where no difference
// shows, or without scores. How well somebody does is what they are paid, else their share of the win.
int score_aim(const std::shared_ptr<const Machine>& machine);

}  // namespace houserule
