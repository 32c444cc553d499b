// Leads about the two ends of a game: the values that facts have at the start, and what still lies with the players when it is over. For
// leads.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <vector>

namespace houserule {

// Facts that begin with something else than nothing, which no text says.
std::vector<Lead> leads_of_starts(const Syntax& syntax, const Game& game, const Quotes& quotes);
// Cards before a player that the result does not count.
std::vector<Lead> leads_of_results(const Syntax& syntax, const Quotes& quotes);

}  // namespace houserule
