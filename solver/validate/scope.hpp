// Finds places where it is open who is meant, everybody at the table or only those still playing. For validate.cpp only.
//
// If a fact marks players who are no longer asked anything, each place of the rules that counts the players, or names a neighbour, is
// rewritten in the syntax tree to mean the others. Whether that makes a difference is found out by comparing games (differ.hpp).
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/variant.hpp"
#include "interpreter/machine/machine.hpp"
#include "solver/terms/deadline.hpp"

#include <set>
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

// Facts that take a player out of the game: in random games, a player for whom it is set is not asked again, while others are; or a loop
// over players passes over whoever it is set for, and nothing takes it back, though they may be asked on somebody else's turn.
struct PartingFacts {
    std::vector<FactId> all;
    std::set<FactId> undone;  // of those, where a player for whom it had been set was asked later
};
// `work`: of all games, see Run::work.
PartingFacts facts_that_end_a_part(const std::shared_ptr<const Machine>& machine, const Syntax& syntax, std::uint64_t games,
                                   std::uint64_t seed, std::uint64_t work, const Deadline& until);

// Whether a statement of play can make such a fact no again.
bool is_taken_back(const Game& game, FactId fact);

// The places, each read the other way, in the order of the text. `game`: the checked game that the facts belong to. `everywhere`: also
// those where somebody is chosen, dealt to or asked, and those that mean only players still in.
std::vector<ScopeReading> scope_readings(const Syntax& syntax, const Game& game, FactId fact, bool everywhere);

}  // namespace houserule
