// The kinds of id that a game and its machine have.
#pragma once

#include "dsl/game/id.hpp"

namespace houserule {

// Of a game.
using ExpressionId = Id<struct ExpressionTag>;
using StatementId = Id<struct StatementTag>;
using RuleId = Id<struct RuleTag>;
using ActId = Id<struct ActTag>;
using EndId = Id<struct EndTag>;
using CheckId = Id<struct CheckTag>;  // a list of ends that are checked together
using VariableId = Id<struct VariableTag>;
using BoundId = std::int32_t;  // a comprehension variable
using FactId = Id<struct FactTag>;
using ZoneId = Id<struct ZoneTag>;
using PlaceId = std::int32_t;
using FamilyId = Id<struct FamilyTag>;
using KindId = std::int32_t;
using EnumId = Id<struct EnumTag>;
using TableId = Id<struct TableTag>;
using WordId = Id<struct WordTag>;
using QuestionId = Id<struct QuestionTag>;
// Of a machine.
using StepId = Id<struct StepTag>;
using LoopId = Id<struct LoopTag>;
using WeightsId = Id<struct WeightsTag>;
using ResetId = Id<struct ResetTag>;
using OverlapId = Id<struct OverlapTag>;

}  // namespace houserule
