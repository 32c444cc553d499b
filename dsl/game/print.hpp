// The printed form of a checked game: what `dump --stage game` shows and tests compare.
#pragma once

#include "dsl/game/game.hpp"

#include <string>

namespace houserule {

// The printed form: of the whole game, an entry a line; of one expression (`-` for none).
std::string print(const Game& game);
std::string print(const Game& game, ExpressionId expression);

}  // namespace houserule
