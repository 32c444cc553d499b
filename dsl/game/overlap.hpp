// Cases that may hold at once, as far as the text tells: whether two conditions exclude each other, and whether what two arms come to can
// be compared.
#pragma once

#include "dsl/game/game.hpp"

namespace houserule {

// Whether two arms of `cases`, by their places in `arms`, are of one rank and may hold together.
bool may_overlap(const Game& game, const Statement& cases, std::size_t a, std::size_t b);

// Whether those also come to something else by their words: then they promise to agree.
bool may_disagree(const Game& game, const Statement& cases, std::size_t a, std::size_t b);

// Whether the statement leaves nothing but what lies on the table and where play goes on: nobody is asked, nothing is left to chance, said
// or shown, in it or in rules that it calls.
bool leaves_a_table_alone(const Game& game, StatementId statement);

// Word for word the same.
bool is_same_text(const Game& game, StatementId a, StatementId b);
bool is_same_text(const Game& game, ExpressionId a, ExpressionId b);

}  // namespace houserule
