// The value of formulas and numbers under an assignment of the unknowns. Results are memoised by node, since formulas share their parts.
#pragma once

#include "solver/terms/terms.hpp"

#include <cstdint>
#include <vector>

namespace houserule {

class Valuation {
public:
    // `values`, by unknown, is read whenever a value is asked for; unknowns that do not occur may have any value.
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
