// Leads about what goes from one stage to the next: amounts that are gone when a stage begins anew although some of them are kept
// elsewhere; and about who is first, where the set-up picks somebody. For leads.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <vector>

namespace houserule {

std::vector<Lead> leads_of_stages(const Syntax& syntax, const Game& game, const Quotes& quotes);

}  // namespace houserule
