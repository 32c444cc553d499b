// What a table by a few things takes: how much work it saves, how many values each thing has, and how large it may be.
#pragma once

#include "dsl/game/game.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace houserule {

inline constexpr std::size_t most_table_inputs = 3;
inline constexpr std::int64_t most_table_values = 64;  // of each
inline constexpr std::int64_t most_table_cells = 2048;
inline constexpr int work_worth_a_table = 8;

// How much work an operator is that computes from its operands alone; -1: it is none of these.
int work_of(Operator op);

// The values that a thing of this type can have in a run, where a card is a piece: the first and how many; none of what is no single thing.
std::pair<std::int32_t, std::int64_t> values_in_a_run(const Game& game, const Type& type);

}  // namespace houserule
