// Domains, as in abstract interpretation: what operators are computed over, plain numbers or terms over unknowns.
//
// A domain has whole numbers, truths and a dozen primitives. Everything else about the language's operators is written once, on top
// (`arithmetic` here, `collections.hpp`, `operators.hpp`), and so means the same in every domain. Evaluation gives a value and, beside it,
// promises: truths that must hold, each recorded under the guard of the operand in which it was made.
// A domain never sees a game.
#pragma once

#include "dsl/game/game.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

// The checker keeps what a game computes within 32 bits; 64 leave room for values whose promise is broken.
using Value = std::int64_t;

// For states that a checked game cannot lead to: a bug in this program.
[[noreturn]] inline void stop_on_bug(const char* what) {
    std::fputs("houserule: internal error: ", stderr);
    std::fputs(what, stderr);
    std::fputs("\n", stderr);
    std::abort();
}

// low/high: bounds of a number; known(b): the value of a truth if it is determined, else nothing.
// pick: the number paired with the condition that holds; exactly one of the conditions must hold.
// within: the same number with narrower bounds, which the caller knows to be right.
// guarded(condition, f): calls f(); promises made in it count only where the condition holds.
template <class D>
concept Domain = requires(D d, const typename D::Int i, const typename D::Bool b, Value v, ExpressionId id,
                          const std::vector<typename D::Bool> bs,
                          const std::vector<std::pair<typename D::Bool, typename D::Int>> alternatives) {
    { d.constant(v) } -> std::same_as<typename D::Int>;
    { d.truth(true) } -> std::same_as<typename D::Bool>;
    { d.add(i, i) } -> std::same_as<typename D::Int>;
    { d.subtract(i, i) } -> std::same_as<typename D::Int>;
    { d.multiply(i, i) } -> std::same_as<typename D::Int>;
    { d.less(i, i) } -> std::same_as<typename D::Bool>;
    { d.less_equal(i, i) } -> std::same_as<typename D::Bool>;
    { d.equal(i, i) } -> std::same_as<typename D::Bool>;
    { d.both(b, b) } -> std::same_as<typename D::Bool>;
    { d.either(b, b) } -> std::same_as<typename D::Bool>;
    { d.all(bs) } -> std::same_as<typename D::Bool>;
    { d.any(bs) } -> std::same_as<typename D::Bool>;
    { d.negate(b) } -> std::same_as<typename D::Bool>;
    { d.choose(b, i, i) } -> std::same_as<typename D::Int>;
    { d.choose_truth(b, b, b) } -> std::same_as<typename D::Bool>;
    { d.pick(alternatives) } -> std::same_as<typename D::Int>;
    { d.within(i, v, v) } -> std::same_as<typename D::Int>;
    { d.low(i) } -> std::same_as<Value>;
    { d.high(i) } -> std::same_as<Value>;
    { d.known(b) } -> std::same_as<std::optional<bool>>;
    d.promise(b, id);
    d.guarded(b, [] {});
};

template <class D>
using IntOf = typename D::Int;
template <class D>
using BoolOf = typename D::Bool;
template <class D>
using Alternatives = std::vector<std::pair<BoolOf<D>, IntOf<D>>>;

namespace arithmetic {

template <Domain D>
bool surely(D& d, const BoolOf<D>& b) {
    return d.known(b) == true;
}

template <Domain D>
bool never(D& d, const BoolOf<D>& b) {
    return d.known(b) == false;
}

template <Domain D>
BoolOf<D> positive(D& d, const IntOf<D>& a) {
    return d.less(d.constant(0), a);
}

// `a` where the condition holds, else 0.
template <Domain D>
IntOf<D> when(D& d, const BoolOf<D>& condition, const IntOf<D>& a) {
    return d.choose(condition, a, d.constant(0));
}

template <Domain D>
IntOf<D> count(D& d, const BoolOf<D>& condition) {
    return d.choose(condition, d.constant(1), d.constant(0));
}

// The bounds are narrower than those of the choice alone: the result is at least the lower bound of either operand.
template <Domain D>
IntOf<D> larger(D& d, const IntOf<D>& a, const IntOf<D>& b) {
    return d.within(d.choose(d.less(a, b), b, a), std::max(d.low(a), d.low(b)), std::max(d.high(a), d.high(b)));
}

template <Domain D>
IntOf<D> smaller(D& d, const IntOf<D>& a, const IntOf<D>& b) {
    return d.within(d.choose(d.less(b, a), b, a), std::min(d.low(a), d.low(b)), std::min(d.high(a), d.high(b)));
}

template <Domain D>
IntOf<D> distance(D& d, const IntOf<D>& a, const IntOf<D>& b) {
    return d.choose(d.less(a, b), d.subtract(b, a), d.subtract(a, b));
}

// Adds as a balanced tree, so that most partial sums have small ranges.
template <Domain D>
IntOf<D> total(D& d, std::vector<IntOf<D>> terms) {
    if (terms.empty()) return d.constant(0);
    while (terms.size() > 1) {
        std::vector<IntOf<D>> sums;
        sums.reserve(terms.size() / 2 + 1);
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2) sums.push_back(d.add(terms[i], terms[i + 1]));
        if (terms.size() % 2 == 1) sums.push_back(terms.back());
        terms = std::move(sums);
    }
    return terms.front();
}

inline Value divided_down(Value a, Value positive_divisor) {
    const Value quotient = a / positive_divisor;
    return quotient * positive_divisor > a ? quotient - 1 : quotient;
}

// Rounded down. A divisor below 1, which breaks a promise, counts as 1.
// It is the largest q with q * divisor <= a, of those that the bounds allow: plain numbers allow one, terms few.
template <Domain D>
IntOf<D> quotient(D& d, const IntOf<D>& a, const IntOf<D>& b) {
    const IntOf<D> divisor = larger(d, b, d.constant(1));
    const Value least = divided_down(d.low(a), d.low(a) < 0 ? d.low(divisor) : d.high(divisor));
    const Value most = divided_down(d.high(a), d.high(a) < 0 ? d.high(divisor) : d.low(divisor));
    Alternatives<D> alternatives;
    BoolOf<D> reached = d.truth(true);
    for (Value q = least; q <= most; ++q) {
        const BoolOf<D> beyond = q == most ? d.truth(false) : d.less_equal(d.multiply(d.constant(q + 1), divisor), a);
        const BoolOf<D> here = d.both(reached, d.negate(beyond));
        if (!never(d, here)) alternatives.emplace_back(here, d.constant(q));
        reached = beyond;
    }
    return d.pick(alternatives);
}

// A number of which nothing but its bounds is known. Over concrete numbers it is only reached where a promise is broken already, and is
// `low`.
template <Domain D>
IntOf<D> any_number(D& d, Value low, Value high) {
    if constexpr (requires { d.any_number(low, high); })
        return d.any_number(low, high);
    else
        return d.constant(low);
}

// 0 <= result < divisor; a divisor below 1 counts as 1.
template <Domain D>
IntOf<D> remainder(D& d, const IntOf<D>& a, const IntOf<D>& b) {
    const IntOf<D> divisor = larger(d, b, d.constant(1));
    return d.within(d.subtract(a, d.multiply(quotient(d, a, divisor), divisor)), 0, d.high(divisor) - 1);
}

// `a` brought into low..high, each a number.
template <Domain D>
IntOf<D> clamped(D& d, const IntOf<D>& a, const IntOf<D>& low, const IntOf<D>& high) {
    return larger(d, smaller(d, a, high), low);
}

// Whether the index is one of 0..size - 1.
template <Domain D>
BoolOf<D> is_index(D& d, const IntOf<D>& index, Value size) {
    return d.both(d.less_equal(d.constant(0), index), d.less(index, d.constant(size)));
}

// Calls f(i, condition that the index is i) for each i of 0..size - 1 that the index can be.
template <Domain D, class F>
void each_index(D& d, const IntOf<D>& index, Value size, F f) {
    for (Value i = std::max<Value>(0, d.low(index)); i <= std::min(size - 1, d.high(index)); ++i) {
        const BoolOf<D> here = d.equal(index, d.constant(i));
        if (!never(d, here)) f(i, here);
    }
}

// value_at(index), or `otherwise` for an index that is not one of 0..size - 1.
template <Domain D, class F>
IntOf<D> select(D& d, const IntOf<D>& index, Value size, F value_at, const IntOf<D>& otherwise) {
    Alternatives<D> alternatives;
    each_index(d, index, size, [&](Value i, const BoolOf<D>& here) { alternatives.emplace_back(here, value_at(i)); });
    const BoolOf<D> outside = d.negate(is_index(d, index, size));
    if (!never(d, outside)) alternatives.emplace_back(outside, otherwise);
    return d.pick(alternatives);
}

// truth_at(index), or false for an index that is not one of 0..size - 1.
template <Domain D, class F>
BoolOf<D> select_truth(D& d, const IntOf<D>& index, Value size, F truth_at) {
    std::vector<BoolOf<D>> found;
    each_index(d, index, size, [&](Value i, const BoolOf<D>& here) { found.push_back(d.both(here, truth_at(i))); });
    return d.any(found);
}

// The same as a conjunction of implications (if the index is i, then truth_at(i)): conjuncts that are known to be true fold away.
template <Domain D, class F>
BoolOf<D> holds_at(D& d, const IntOf<D>& index, Value size, F truth_at) {
    std::vector<BoolOf<D>> needed{is_index(d, index, size)};
    each_index(d, index, size, [&](Value i, const BoolOf<D>& here) { needed.push_back(d.either(d.negate(here), truth_at(i))); });
    return d.all(needed);
}

// For each condition, that it is the first one that holds; at the end, that none holds.
template <Domain D>
std::vector<BoolOf<D>> first_that_holds(D& d, const std::vector<BoolOf<D>>& conditions) {
    std::vector<BoolOf<D>> firsts;
    BoolOf<D> none = d.truth(true);
    for (auto&& condition : conditions) {
        firsts.push_back(d.both(none, condition));
        none = d.both(none, d.negate(condition));
    }
    firsts.push_back(none);
    return firsts;
}

// The value of the first condition that holds, `otherwise` if none does.
template <Domain D>
IntOf<D> first_value(D& d, const std::vector<BoolOf<D>>& conditions, std::vector<IntOf<D>> values, const IntOf<D>& otherwise) {
    values.push_back(otherwise);
    const std::vector<BoolOf<D>> firsts = first_that_holds(d, conditions);
    Alternatives<D> alternatives;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        if (!never<D>(d, firsts[i])) alternatives.emplace_back(firsts[i], values[i]);
    }
    return d.pick(alternatives);
}

}  // namespace arithmetic
}  // namespace houserule
