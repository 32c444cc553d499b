// Compares the rules with what they would be otherwise: under other readings, in other orders, with others meant, and, when only the text
// is looked at, as leads.hpp asks. Each with a share of the work that is fixed in advance, so that no result depends on the others. For
// validate.cpp only.
#pragma once

#include "solver/validate/search.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace houserule {

// A number of players, and options and readings.
using FarKey = std::pair<int, Settings>;
// Games that are known to lead far: to be tried in comparisons, too.
using FarGames = std::map<FarKey, const std::vector<std::vector<std::uint64_t>>*>;

// What is found goes to the search's result. `far` knows the games of those that are asked for.
void compare_ways(Search& search, const std::function<FarGames(const std::set<FarKey>&)>& far);

}  // namespace houserule
