// Blocks of unknowns that nothing tells apart: how many of them take each choice, and in how many ways.
//
// Each block takes one of the same choices, which adds fixed amounts to some sums. If the sums miss so much, then the blocks that take each
// choice are the solution of linear equations; there is one at most if the choices, with a 1 for each block, are linearly independent.
// The blocks can be assigned to the choices in as many ways as the multinomial coefficient says.
#pragma once

#include "solver/coexecute/unknown_table.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace houserule {

class AlikeBlocks {
public:
    struct Choice {
        std::vector<std::int32_t> adds;  // by sum
        Integer weight = 1;
        bool operator==(const Choice&) const = default;
    };
    using Choices = std::vector<Choice>;

    // Nothing when different numbers of blocks by choice may add up to the same.
    static std::optional<AlikeBlocks> of(std::size_t blocks, Choices choices);

    // How many blocks take each choice where this is missing, by sum; empty: they cannot add up to it.
    std::vector<std::int32_t> times(const std::vector<std::int32_t>& missing) const;
    // The weight of all assignments of as many blocks in which each choice is taken so often.
    Integer weight(const std::vector<std::int32_t>& times) const;
    const Choices& choices() const { return choices_; }

private:
    bool invert(const std::vector<std::vector<Rational>>& square);

    std::size_t blocks_ = 0;
    Choices choices_;
    std::vector<std::size_t> rows_;  // the equations that determine the solution: sums, and after them the number of blocks
    std::vector<std::vector<std::int64_t>> inverse_;  // of these, times `denominator_`
    std::int64_t denominator_ = 1;
    std::vector<Integer> factorials_;
};

}  // namespace houserule
