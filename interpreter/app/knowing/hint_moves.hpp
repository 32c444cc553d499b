// The last part of a hint: what each move would tell the seat, what it would bring, and what it would give away.
#pragma once

#include "interpreter/app/knowing/knowing.hpp"
#include "solver/players/advice.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace houserule::cli {

// Nothing where the seat is not asked. The same seed every time: a hint is the same whenever it is asked for.
// With limits for those who look on, also what the moves give away to them.
std::optional<Advice> moves_of(Deduction& deduction, std::chrono::steady_clock::time_point until,
                               const std::optional<DeductionLimits>& onlookers);

// `top` moves, the most telling first; empty without moves.
std::string moves_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g);
nlohmann::ordered_json moves_json(const Seen& seen, const Advice& advice);
// Those that give least away to whoever sees what all see; empty when that is not known, or when all give the same.
std::string given_away_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g);
// What the figures of the moves are from.
nlohmann::ordered_json moves_from_json(const Seen& seen, const Advice& advice);

}  // namespace houserule::cli
