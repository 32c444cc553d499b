// Questions about steps: how often somebody may ask, how many cards, whether a condition still holds, what is done in any case, and which
// ends let others act once more. For leads.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

// `option`: only of what that value of an option brings.
std::vector<Lead> leads_of_steps(const Syntax& syntax, const Quotes& quotes,
                                 const std::optional<std::pair<std::string, std::string>>& option);

}  // namespace houserule
