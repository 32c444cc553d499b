// Questions about what becomes of things: what goes back after use, what a player is given, what is left when a pile runs short, and
// whether what comes to a place in another way counts there. For leads.cpp and endings.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <vector>

namespace houserule {

std::vector<Lead> leads_of_leftovers(const Syntax& syntax, const Game& game, const Quotes& quotes);
// The places of nobody in which players lay what can be won from there, and of which no text says whose it is in the end.
std::vector<std::string> places_to_win_from(const Syntax& syntax, const Game& game, const Quotes& quotes);

}  // namespace houserule
