// Who is meant: everybody at the table, or only those still playing? The inside of validate.cpp.
//
// Where a fact marks players who are asked nothing any more, every place of the rules that counts the players, or speaks of a
// neighbour, is read the other way, as a change of the syntax tree. Whether that makes a difference is for others to see (differ.hpp).
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/variant.hpp"
#include "interpreter/machine/machine.hpp"

#include <string>
#include <vector>

namespace houserule {

// One place read the other way.
struct ScopeReading {
    Syntax syntax;
    Span span;            // what was read otherwise
    std::string rule;     // the rule or define it stands in
    std::string printed;  // as it stands there
    std::string instead;  // and as it was read
};

// Facts of the players that end a player's part in the game: in random games whoever has it is asked nothing any more, while others are.
std::vector<FactId> facts_that_end_a_part(const std::shared_ptr<const Machine>& machine, std::uint64_t games, std::uint64_t seed);

// The places, each read the other way, in the order of the text. `game`: the checked game that the facts belong to.
std::vector<ScopeReading> scope_readings(const Syntax& syntax, const Game& game, FactId fact);

}  // namespace houserule
