// Questions about duties: whether whoever can must, whether one may as well do nothing, and whether those who still act when the game ends
// have to. For leads.cpp and parting.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

// `option`: only of what that value of an option brings.
std::vector<Lead> leads_of_duties(const Syntax& syntax, const Quotes& quotes,
                                  const std::optional<std::pair<std::string, std::string>>& option);
// Duties in a rule by which a player can go out, while that fact holds of those who are.
std::vector<Lead> leads_of_risks(const Syntax& syntax, const Quotes& quotes, const std::string& fact);

}  // namespace houserule
