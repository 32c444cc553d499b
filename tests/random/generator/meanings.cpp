#include "tests/random/generator/meanings.hpp"

#include <algorithm>
#include <utility>

namespace houserule::random_games {

namespace {

std::string sort_of_operand(const Value& v, Sort sort) {
    if (sort == Sort::set) return v.many.empty() ? "empty" : v.many.size() == 1 ? "one" : v.many.size() > 31 ? "wide" : "many";
    if (sort == Sort::cards) {
        const bool copies = std::any_of(v.cards.begin(), v.cards.end(), [](const auto& c) { return c.second > 1; });
        const int count = count_of(v.cards);
        return count == 0 ? "empty" : copies ? "copies" : count == 1 ? "one" : count > 31 ? "wide" : "many";
    }
    if (sort == Sort::card) return "card";
    if (!v.one) return "none";
    if (sort != Sort::number) return "value";
    return *v.one < Fraction(0) ? "negative" : v.one->under != 1 ? "fraction" : *v.one == Fraction(0) ? "zero" : "positive";
}

}  // namespace

Meaning operand(std::string name, const Written& w) {
    return [name = std::move(name), means = w.means, sort = w.type.sort](const Setting& s) {
        Value v = means(s);
        if (s.sees) s.sees(name, sort_of_operand(v, sort));
        return v;
    };
}

Setting with(const Setting& s, const std::string& local, Value value) {
    Setting inner = s;
    inner.locals[local] = std::move(value);
    return inner;
}

std::vector<Value> each_of(const Value& collection) {
    std::vector<Value> all;
    for (const Fraction& e : collection.many) all.push_back(scalar(e));
    for (const auto& [at, count] : collection.cards) all.push_back(cards({{at, 1}}));
    return all;
}

Value kept(const Value& collection, const std::function<bool(const Value&)>& keep) {
    Value left;
    for (const Fraction& e : collection.many)
        if (keep(scalar(e))) left.many.insert(e);
    for (const auto& entry : collection.cards)
        if (keep(cards({{entry.first, 1}}))) left.cards.insert(entry);
    return left;
}

int kind_of(const Value& v) {
    if (count_of(v.cards) == 1) return v.cards.begin()->first.second;
    if (!v.cards.empty()) throw BrokenPromise{};  // more than fit in a spot, where room was promised in vain
    return position(v);
}

bool same(const Value& a, const Value& b, Sort a_sort, Sort b_sort) {
    if (a_sort == Sort::card || b_sort == Sort::card) return kind_of(a) == kind_of(b);
    if (a_sort != Sort::cards) return a == b;
    std::map<int, int> left, right;
    for (const auto& [at, count] : a.cards) left[at.second] += count;
    for (const auto& [at, count] : b.cards) right[at.second] += count;
    return left == right;
}

}  // namespace houserule::random_games
