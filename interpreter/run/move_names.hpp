// The node a run waits at, and what its moves stand for. It shows what is offered there and nothing else of the table, and changes
// nothing.
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
    // The move that stands for these values, or no value below node().moves when none does. Order of `values` does not matter.
    virtual std::uint64_t move_for(const std::vector<std::int32_t>& values) const = 0;
    // For a lot or report: the weight of a move. Elsewhere 1.
    virtual std::uint64_t weight(std::uint64_t move) const = 0;
};

}  // namespace houserule
