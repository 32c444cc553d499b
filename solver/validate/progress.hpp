// What a state of a game comes to, for those who ask whether anything runs down: how many pieces lie where, and the facts; but for
// facts that only count up or say whose turn of a cycle it is, which are other in every round.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace houserule {

class Amounts {
public:
    explicit Amounts(const Machine& machine);

    // By place, then the facts.
    std::vector<std::int32_t> of(const TableView& run) const;
    // The facts that an expression reads.
    std::vector<std::int32_t> read_by(const TableView& run, ExpressionId expression) const;
    // Which pieces lie where, in which order, and the facts: all of it, but for what was named on the way.
    std::vector<std::byte> table(const TableView& run) const;

private:
    void add_fact(const TableView& run, FactId fact, std::vector<std::int32_t>& to) const;

    const Machine& machine_;
    const Game& game_;
    Store<FactId, bool> counters_;
};

}  // namespace houserule
