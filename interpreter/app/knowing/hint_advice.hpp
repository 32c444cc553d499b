// The parts of a hint that are made of moves and of fields of cards.
#pragma once

#include "interpreter/app/knowing/hint.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace houserule::cli {

// What the seat can do now, at most so many rows, into `parts`.
void add_advice(const Hint& hint, std::size_t most, HintParts& parts);
// A table of what the seat can do now, what it then knows and what may come of it, at most so many rows, and which of it is best as far as
// that can be said. Empty without moves.
std::string advice_text(const Hint& hint, std::size_t width, std::size_t most);

// A value of a field as it stands on cards: `J`, `white`, `4`.
std::string field_value_words(const Game& game, const Field& field, std::int32_t value, const Globals& g);
// The values of fields that no card at this place can have, though not all such cards are seen elsewhere.
std::vector<std::string> absent_fields(const Game& game, const HiddenThing& thing, Deduction& deduction, const Globals& g);

}  // namespace houserule::cli
