// The node a run waits at, and what its moves stand for: the part of a run that a player may see. Read-only; shows nothing of the table
// but what is offered.
#pragma once

#include "interpreter/run/node.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

class MoveNames {
public:
    virtual ~MoveNames() = default;

    virtual const Node& node() const = 0;
    virtual Meant meaning(std::uint64_t move) const = 0;
    // The move that stands for these values, in any order; a number not below node().moves when there is none.
    virtual std::uint64_t move_for(const std::vector<std::int32_t>& values) const = 0;
    // The outcome weight of a move at a lot or report: how likely it is relative to the other moves. 1 at all other nodes.
    virtual std::uint64_t outcome_weight(std::uint64_t move) const = 0;
};

}  // namespace houserule
