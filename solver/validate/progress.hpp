// A progress measure of a state, to detect loops without progress: how many pieces lie where, and the facts, except facts that only count
// up or run through a cycle, which differ in every round.
#pragma once

#include "interpreter/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace houserule {

class ProgressMeasure {
public:
    explicit ProgressMeasure(const Machine& machine);

    // The number of pieces by place, then the values of the facts.
    std::vector<std::int32_t> of(const TableView& run) const;
    // The values of the facts that an expression reads.
    std::vector<std::int32_t> read_by(const TableView& run, ExpressionId expression) const;
    // The table as bytes, again without counters: which pieces lie at each place (not in which order), and the facts.
    std::vector<std::byte> table(const TableView& run) const;

private:
    void add_fact(const TableView& run, FactId fact, std::vector<std::int32_t>& to) const;

    const Machine& machine_;
    const Game& game_;
    Store<FactId, bool> counters_;
};

}  // namespace houserule
