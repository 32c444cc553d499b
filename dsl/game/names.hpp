// The names of values, kinds, places and rules of a checked game, for people and for logs: identifiers, or the labels of one language.
#pragma once

#include "dsl/game/game.hpp"

#include <string>

namespace houserule {

// A value as it is written: `white 8`, `rose`, `P1`, `none`; `?` for a card, cards or a set. An empty `language` gives identifiers; others
// give labels where they exist.
std::string value_name(const Game& game, const Type& type, std::int32_t value, const std::string& language = "");
std::string kind_text(const Game& game, KindId kind, const std::string& language = "");
// The label of an identifier in that language, or the identifier.
std::string label(const Game& game, const std::string& name, const std::string& language);
// The text of a rule, act, option or end in that language, else in the first language that has one; empty if none has.
std::string rule_text(const Game& game, const std::string& name, const std::string& language);
// The zone that the place belongs to; null for place 0, where cards are in no zone.
const Zone* zone_of(const Game& game, PlaceId place);
// The player whose place it is; -1: nobody's.
int owner_of(const Game& game, PlaceId place);
std::string place_name(const Game& game, PlaceId place, const std::string& language = "");

// A type, much as the rules write it: `0..7`, `set of player`, `card or none`.
std::string type_text(const Game& game, const Type& type);

}  // namespace houserule
