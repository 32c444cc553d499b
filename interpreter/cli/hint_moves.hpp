// The last part of a hint: what each move would tell the seat, and what it would bring.
#pragma once

#include "interpreter/cli/knowing.hpp"
#include "solver/advice.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace houserule::cli {

// Nothing where the seat is not asked. The same seed every time: a hint is the same whenever it is asked for.
std::optional<Advice> moves_of(Deduction& deduction, std::chrono::steady_clock::time_point until);

// `top` moves, the most telling first; empty without moves.
std::string moves_text(const Seen& seen, const Advice& advice, std::size_t top, const Globals& g);
nlohmann::ordered_json moves_json(const Seen& seen, const Advice& advice);

}  // namespace houserule::cli
