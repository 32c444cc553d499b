// A game in which a question comes up, and the finding that asks it. For endings.cpp and questions.cpp only.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "solver/findings/finding.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace houserule {

struct Played {
    std::vector<std::uint64_t> moves;
    std::size_t decisions = 0;
};
bool shorter(const Played& a, const Played& b);

// The question that came up in `played`, one of so many `games`, without its words. It has no witness where that game cannot be replayed.
Finding question_of(const Machine& machine, const Settings& settings, std::uint64_t games, const Played& played);

}  // namespace houserule
