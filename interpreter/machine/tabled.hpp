// Tables by a few things: which numbers are worth one, how many values each of the things has, and how large a table may be.
#pragma once

#include "dsl/game/game.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace houserule {

inline constexpr std::size_t most_table_inputs = 3;
inline constexpr std::int64_t most_table_values = 64;  // of each
inline constexpr std::int64_t most_table_cells = 2048;

// The values that a thing of this type can have in a run, where a card is a piece: the first and how many; none of what is no single thing.
std::pair<std::int32_t, std::int64_t> values_in_a_run(const Game& game, const Type& type);

// How those that make tables look for what a number is determined by: a table has an input for each.
struct TableSearch {
    const Game& game;
    bool by_card = false;  // what the kind of an element tells is told by its card
    std::function<bool(ExpressionId)> reads_bound;
    std::function<void()> begin;            // anew, without inputs
    std::function<bool(ExpressionId)> add;  // one more input; false where there is no room for it, or it cannot be one
};
// Whether a table by its inputs saves enough work to be made. Inputs are added as they are found.
bool find_table_inputs(const TableSearch& search, ExpressionId e);

}  // namespace houserule
