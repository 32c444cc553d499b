// The concrete domain: plain integers and truths. The checker folds constants with it, and it is the reference of tests; games are played
// by the fast forms in interpreter/engine.
//
// Broken promises are collected, never thrown; where several operands break theirs, all are listed, in the order of evaluation.
#pragma once

#include "dsl/meaning/domain.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace houserule {

class Numbers {
public:
    using Int = Value;
    using Bool = bool;

    Int constant(Value v) const { return v; }
    Bool truth(bool b) const { return b; }
    Int add(Int a, Int b) const { return a + b; }
    Int subtract(Int a, Int b) const { return a - b; }
    Int multiply(Int a, Int b) const { return a * b; }
    Bool less(Int a, Int b) const { return a < b; }
    Bool less_equal(Int a, Int b) const { return a <= b; }
    Bool equal(Int a, Int b) const { return a == b; }
    Bool both(Bool a, Bool b) const { return a && b; }
    Bool either(Bool a, Bool b) const { return a || b; }
    Bool all(const std::vector<bool>& of) const { return std::find(of.begin(), of.end(), false) == of.end(); }
    Bool any(const std::vector<bool>& of) const { return std::find(of.begin(), of.end(), true) != of.end(); }
    Bool negate(Bool a) const { return !a; }
    Int choose(Bool c, Int a, Int b) const { return c ? a : b; }
    Bool choose_truth(Bool c, Bool a, Bool b) const { return c ? a : b; }
    Int pick(const std::vector<std::pair<Bool, Int>>& alternatives) const {
        for (const auto& [condition, value] : alternatives) {
            if (condition) return value;
        }
        stop_on_bug("none of the alternatives holds");
    }
    Int within(Int a, Value low, Value high) const {
        if (a < low || a > high) stop_on_bug("a number is outside the bounds it was said to have");
        return a;
    }
    Value low(Int a) const { return a; }
    Value high(Int a) const { return a; }
    std::optional<bool> known(Bool b) const { return b; }

    void promise(Bool holds, ExpressionId expression) {
        if (!holds && unread_ == 0) broken_.push_back(expression);
    }
    template <class F>
    decltype(auto) guarded(Bool condition, F&& f) {
        const Unread unread(condition ? 0 : 1, unread_);
        return std::forward<F>(f)();
    }

    // The expressions whose promise was broken since the last `forget`.
    const std::vector<ExpressionId>& broken() const { return broken_; }
    void forget() { broken_.clear(); }

private:
    // Counts one more guard that does not hold, for as long as it lives.
    class Unread {
    public:
        Unread(int by, int& count) : by_(by), count_(count) { count_ += by_; }
        ~Unread() { count_ -= by_; }
        Unread(const Unread&) = delete;
        Unread& operator=(const Unread&) = delete;

    private:
        int by_;
        int& count_;
    };

    std::vector<ExpressionId> broken_;
    int unread_ = 0;  // how many of the guards in force do not hold
};
static_assert(Domain<Numbers>);

}  // namespace houserule
