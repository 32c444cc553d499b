// What the numbers of things in a game and its machine are called, so that each says what it is the number of.
#pragma once

#include <cstdint>

namespace houserule {

// Of a game.
using ExpressionId = std::int32_t;
using StatementId = std::int32_t;
using RuleId = std::int32_t;
using ActId = std::int32_t;
using EndId = std::int32_t;
using CheckId = std::int32_t;  // of a list of ends that are checked together
using VariableId = std::int32_t;
using BoundId = std::int32_t;  // of an element that a comprehension stands at
using FactId = std::int32_t;
using ZoneId = std::int32_t;
using PlaceId = std::int32_t;
using FamilyId = std::int32_t;
using KindId = std::int32_t;
using EnumId = std::int32_t;
using TableId = std::int32_t;
using WordId = std::int32_t;
// Of a machine.
using StepId = std::int32_t;
using LoopId = std::int32_t;
using WeightsId = std::int32_t;
using ResetId = std::int32_t;
// Of what is said beside it: what a statement is about, by its kind; an operand of a step, by its operation.
using Operand = std::int32_t;

inline constexpr std::int32_t no_id = -1;

}  // namespace houserule
