// Conservative tests on two arms of `cases`, from the text alone: whether both may hold at once, and whether they may come to something
// different.
#pragma once

#include "dsl/game/game.hpp"

namespace houserule {

// Whether two arms of `cases`, by their places in `arms`, are both `except when` or both not, and may hold together.
bool may_overlap(const Game& game, const statement::Cases& cases, std::size_t a, std::size_t b);

// Whether those may also come to something different (their bodies are not surely the same): then they promise to agree.
bool may_disagree(const Game& game, const statement::Cases& cases, std::size_t a, std::size_t b);

// Whether the statement can change only the table and where play goes on: nobody is asked, nothing is left to chance, said or shown, in it
// or in rules that it calls.
bool changes_only_the_table(const Game& game, StatementId statement);

// Surely the same, by structure. Of two different statements that introduce a variable or have arms it is never said.
bool surely_same(const Game& game, StatementId a, StatementId b);
bool surely_same(const Game& game, ExpressionId a, ExpressionId b);

}  // namespace houserule
