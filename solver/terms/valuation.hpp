// Formulas and numbers where unknowns have values: what is worked out once is kept, as formulas share their parts.
#pragma once

#include "solver/terms/terms.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

class Valuation {
public:
    // `values`, by unknown: read whenever something is asked; those of unknowns that do not matter may be anything.
    Valuation(const Formulas& formulas, const std::vector<int>& values) : formulas_(formulas), values_(values) {}

    // To be called when the values have changed.
    void forget() { ++turn_; }
    // A leaf that stands for something outside counts as false.
    bool holds(Truth t);
    Value value_of(const Terms& terms, const Terms::Int& number);

private:
    bool is_known(Truth t) const;
    bool known(Truth t) const;

    const Formulas& formulas_;
    const std::vector<int>& values_;
    std::uint32_t turn_ = 1;
    std::vector<std::uint32_t>
        held_;  // by node, a conjunction without its negation: twice the turn in which it was found, plus one if it holds
};

}  // namespace houserule
