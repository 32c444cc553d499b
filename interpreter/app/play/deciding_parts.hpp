// Why a card is not among those that may be chosen: the parts of the rule that keep it out, with what they come to at this table.
#pragma once

#include "interpreter/app/play/play_why.hpp"

#include <string>
#include <vector>

namespace houserule::cli {

// As sentences; none where there are no words for it, or where no card of that kind lies where the choice is from. Of several conditions
// joined by `and` the first that fails, of cases the one that applies. `choice`: the cards, or the set of kinds, that one is chosen from.
// For who is asked: what a choice depends on is known to its chooser.
std::vector<std::string> what_keeps_out(const AskedAt& where, KindId kind, ExpressionId choice, const Globals& g);

}  // namespace houserule::cli
