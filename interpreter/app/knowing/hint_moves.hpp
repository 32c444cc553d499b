// The part of a hint about moves: what each would tell the seat, what it would bring, and what it would give away.
#pragma once

#include "interpreter/app/knowing/knowing.hpp"
#include "solver/players/advice.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace houserule::cli {

// The advice on the seat's moves; nothing if the seat is not asked. The seed is fixed, so that the same position gives the same hint.
// If `onlookers` are given (limits for their deductions), also what the moves give away to them.
std::optional<Advice> moves_of(Deduction& deduction, const Deadline& until, const std::optional<DeductionLimits>& onlookers);

// What the seat does in it, each thing as it stands in the list of choices.
std::string move_words(const Game& game, const MoveAdvice& move, const Globals& g);

// The `top` moves with the highest information gain; empty without moves.
std::string moves_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g);
nlohmann::ordered_json moves_json(const Seen& seen, const Advice& advice);
// The moves that give least away to an onlooker; empty if that is not known, or equal for all moves.
std::string given_away_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g);
// How the figures of the moves were obtained: from how many histories, exact or sampled.
nlohmann::ordered_json moves_from_json(const Seen& seen, const Advice& advice);

}  // namespace houserule::cli
