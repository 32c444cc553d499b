// Joins findings that ask the same of an author, and ranks them: what to settle first.
//
// A reading, what breaks under one of its choices, and what it makes of an end are one doubt; so is play that may go on for ever, however
// that shows in one loop. A doubt weighs by the share of random games in which it matters who wins, or the rules break off; where no game
// says so, by half, or a tenth, of the share in which it comes up. What only the text shows weighs nothing and comes last.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/variant.hpp"
#include "solver/findings/finding.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace houserule {

struct Doubt {
    std::vector<std::size_t> findings;  // indices, what to show first
    double weight = 0;                  // 0 .. 1
    std::optional<Frequency> thinking;  // of games of players who think: in so many it matters likewise
};

// The findings that are not accepted, the heaviest doubt first, then in their own order. `own`: the settings that validation began from.
std::vector<Doubt> doubts_of(const std::vector<Finding>& findings, const Syntax& syntax, const Settings& own);

// How much depends on a finding, by the games that it tells of.
double weight_of(const Finding& f);

// The declaration that a place of the text lies in, or the last one before it. `game`: for the labels.
Paragraph paragraph_at(const Syntax& syntax, const Game& game, Span span);

}  // namespace houserule
