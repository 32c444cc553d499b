// The games that ship, as a table for people.
#pragma once

#include "interpreter/app/common/common.hpp"

namespace houserule::cli {

// One line for each game, after `indent`: the name, the label in the chosen language, the number of players.
std::string games_table(const std::vector<Shipped>& games, const std::string& indent, const Globals& g);

}  // namespace houserule::cli
