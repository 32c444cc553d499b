// Compares the rules with what they would be otherwise: under other readings, in other orders, with others meant, and, when only the text
// is looked at, as leads.hpp asks. Each with a share of the work that is fixed in advance, so that no result depends on the others. For
// validate.cpp only.
#pragma once

#include "solver/validate/search.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace houserule {

// Games that are known to lead far, by number of players and settings: to be tried in comparisons, too.
using FarGames = std::map<std::pair<int, Settings>, const std::vector<std::vector<std::uint64_t>>*>;

// What is found goes to the search's result.
void compare_ways(Search& search, const FarGames& far);

}  // namespace houserule
