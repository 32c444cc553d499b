// Questions about sentences that can be taken in two ways: of some number of players only, or of all; the fewest, or all but the most; one
// of the others, or each of them; the first case that holds, or the last; a number that is come to, or passed; to the left, or to the
// right; an end at once, or when the round is done; what is chosen before the cards are seen, or after. For leads.cpp only.
#pragma once

#include "solver/leads/leads.hpp"
#include "solver/wording/quotes.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

// `option`: only of what that value of an option brings.
std::vector<Lead> leads_of_senses(const Syntax& syntax, const Quotes& quotes,
                                  const std::optional<std::pair<std::string, std::string>>& option);

}  // namespace houserule
