#include "solver/terms/valuation.hpp"

#include <cstddef>

namespace houserule {

bool Valuation::is_known(Truth t) const { return formulas_.shape(t) != Formulas::Shape::all || held_[Formulas::node(t)] / 2 == turn_; }

bool Valuation::known(Truth t) const {
    switch (formulas_.shape(t)) {
        case Formulas::Shape::constant:
            return t == Formulas::yes;
        case Formulas::Shape::foreign:
            return false;
        case Formulas::Shape::leaf:
            return (formulas_.values(t) >> values_[formulas_.about(t)] & 1) != 0;
        case Formulas::Shape::all:
            break;
    }
    return (held_[Formulas::node(t)] % 2 != 0) != Formulas::negated(t);
}

// A formula can be deep: parts first, from a stack of our own; no more of them than until one does not hold.
bool Valuation::holds(Truth t) {
    held_.resize(formulas_.size(), 0);
    std::vector<Truth> waiting{t};
    while (!waiting.empty()) {
        const Truth next = waiting.back();
        if (is_known(next)) {
            waiting.pop_back();
            continue;
        }
        bool all = true;
        bool open = false;
        for (const Truth part : formulas_.parts(next)) {
            open = !is_known(part);
            if (open) waiting.push_back(part);
            all = all && (open || known(part));
            if (open || !all) break;
        }
        if (open) continue;
        held_[Formulas::node(next)] = 2 * turn_ + (all ? 1 : 0);
        waiting.pop_back();
    }
    return known(t);
}

Value Valuation::value_of(const Terms& terms, const Terms::Int& number) {
    Value result = number.low();
    terms.each_case(number, [&](Value v, const Truth& when) {
        if (holds(when)) result = v;
    });
    return result;
}

}  // namespace houserule
