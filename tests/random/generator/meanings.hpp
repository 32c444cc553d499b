// What the productions share when they say what an expression means.
#pragma once

#include "tests/random/generator/vocabulary.hpp"

#include <string>

namespace houserule::random_games {

// The value of `w`, which `name` has as an operand: what sort of value that is, is counted.
Meaning operand(std::string name, const Written& w);

inline Fraction need(const Value& v) {
    if (!v.one) throw BrokenPromise{};
    return *v.one;
}
inline bool holds(const Value& v) { return need(v) != Fraction(0); }
inline int position(const Value& v) { return static_cast<int>(need(v).over); }

Setting with(const Setting& s, const std::string& local, Value value);
// The elements of a set, or the cards one by one of each place and kind, as values.
std::vector<Value> each_of(const Value& collection);
// Those elements of a collection for which `keep` holds; of cards, all copies.
Value kept(const Value& collection, const std::function<bool(const Value&)>& keep);
int kind_of(const Value& card_or_kind);
bool same(const Value& a, const Value& b, Sort a_sort, Sort b_sort);

}  // namespace houserule::random_games
