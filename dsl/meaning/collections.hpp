// Multisets of cards and sets over a domain, with pointwise operations.
//
// Cards are a multiset over (place, kind): how many copies of each kind are at each place, without entries that are surely 0. A set has a
// truth for each possible element. The meaning of elements, kinds and places is not known here.
#pragma once

#include "dsl/meaning/domain.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace houserule {

// A copy of a kind and where it lies; kind -1: no card.
template <Domain D>
struct Card {
    IntOf<D> kind;
    IntOf<D> place;
};

template <Domain D>
struct Copies {
    PlaceId place;
    KindId kind;
    IntOf<D> count;
};

// By place, then kind, each pair once, none whose count is surely 0.
template <Domain D>
struct Cards {
    std::vector<Copies<D>> copies;
    std::optional<IntOf<D>> size;  // the number of cards, if it is known more exactly than by the counts
};

// By element, from `first` on, whether it is in the set. Other elements are not in it.
template <Domain D>
struct Set {
    Value first = 0;
    std::vector<BoolOf<D>> has;

    Value end() const { return first + static_cast<Value>(has.size()); }
};

// The elements that a set of some type may have: first … first + count - 1.
struct Elements {
    Value first = 0;
    Value count = 0;
};

namespace collections {

using arithmetic::clamped;
using arithmetic::count;
using arithmetic::each_index;
using arithmetic::first_that_holds;
using arithmetic::first_value;
using arithmetic::larger;
using arithmetic::never;
using arithmetic::positive;
using arithmetic::remainder;
using arithmetic::select_truth;
using arithmetic::smaller;
using arithmetic::surely;
using arithmetic::total;
using arithmetic::when;

template <Domain D>
void add_copies(D& d, Cards<D>& cards, PlaceId place, KindId kind, IntOf<D> count) {
    if (d.high(count) > 0) cards.copies.push_back({place, kind, std::move(count)});
}

template <Domain D>
BoolOf<D> present(D& d, const Copies<D>& c) {
    return positive(d, c.count);
}

// ---- counting ----------------------------------------------------------------------------------------------------------------

template <Domain D>
std::vector<IntOf<D>> counts(const Cards<D>& cards) {
    std::vector<IntOf<D>> result;
    for (const Copies<D>& c : cards.copies) result.push_back(c.count);
    return result;
}

template <Domain D>
IntOf<D> size(D& d, const Cards<D>& cards) {
    return cards.size ? *cards.size : total(d, counts(cards));
}

template <Domain D>
BoolOf<D> is_empty(D& d, const Cards<D>& cards) {
    if (cards.size) return d.equal(*cards.size, d.constant(0));
    std::vector<BoolOf<D>> absent;
    for (const Copies<D>& c : cards.copies) absent.push_back(d.negate(present(d, c)));
    return d.all(absent);
}

// How many of each kind, over all places.
template <Domain D>
std::map<KindId, IntOf<D>> by_kind(D& d, const Cards<D>& cards) {
    std::map<KindId, std::vector<IntOf<D>>> parts;
    for (const Copies<D>& c : cards.copies) parts[c.kind].push_back(c.count);
    std::map<KindId, IntOf<D>> totals;
    for (auto& [kind, counts] : parts) totals.emplace(kind, total(d, std::move(counts)));
    return totals;
}

template <Domain D>
BoolOf<D> same_kinds(D& d, const Cards<D>& a, const Cards<D>& b) {
    std::map<KindId, std::pair<IntOf<D>, IntOf<D>>> pairs;
    for (auto& [kind, count] : by_kind(d, a)) pairs.insert({kind, {count, d.constant(0)}});
    for (auto& [kind, count] : by_kind(d, b)) pairs.insert({kind, {d.constant(0), count}}).first->second.second = count;
    std::vector<BoolOf<D>> same;
    for (auto& [kind, pair] : pairs) same.push_back(d.equal(pair.first, pair.second));
    return d.all(same);
}

template <Domain D>
BoolOf<D> has_kind(D& d, const Cards<D>& cards, const IntOf<D>& kind) {
    std::vector<BoolOf<D>> found;
    for (const Copies<D>& c : cards.copies) found.push_back(d.both(d.equal(kind, d.constant(c.kind)), present(d, c)));
    return d.any(found);
}

// Whether nothing tells the cards apart: they are copies of one kind at one place.
template <Domain D>
BoolOf<D> all_alike(D& d, const Cards<D>& cards) {
    std::vector<IntOf<D>> different;
    for (const Copies<D>& c : cards.copies) different.push_back(count(d, present(d, c)));
    return d.less_equal(total(d, different), d.constant(1));
}

// ---- cards from cards --------------------------------------------------------------------------------------------------------

// f(place, kind, how many in a, how many in b) for each place and kind.
template <Domain D, class F>
Cards<D> zip(D& d, const Cards<D>& a, const Cards<D>& b, F f) {
    const auto key = [](const Copies<D>& c) { return std::pair(c.place, c.kind); };
    const IntOf<D> none = d.constant(0);
    Cards<D> result;
    auto i = a.copies.begin();
    auto j = b.copies.begin();
    while (i != a.copies.end() || j != b.copies.end()) {
        const bool in_a = j == b.copies.end() || (i != a.copies.end() && key(*i) <= key(*j));
        const bool in_b = i == a.copies.end() || (j != b.copies.end() && key(*j) <= key(*i));
        const auto [place, kind] = in_a ? key(*i) : key(*j);
        add_copies(d, result, place, kind, f(place, kind, in_a ? i->count : none, in_b ? j->count : none));
        if (in_a) ++i;
        if (in_b) ++j;
    }
    return result;
}

template <Domain D>
bool share_a_place(const Cards<D>& a, const Cards<D>& b) {
    return std::any_of(a.copies.begin(), a.copies.end(), [&](const Copies<D>& x) {
        return std::any_of(b.copies.begin(), b.copies.end(), [&](const Copies<D>& y) { return x.place == y.place; });
    });
}

// The sum of multisets: of each kind at each place the sum of both counts, but at most `there(place, kind)`, the number that is there.
// So both stand for different copies as long as there are enough.
template <Domain D, class F>
Cards<D> join(D& d, const Cards<D>& a, const Cards<D>& b, F there) {
    Cards<D> result = zip(d, a, b, [&](PlaceId place, KindId kind, const IntOf<D>& x, const IntOf<D>& y) {
        if (never<D>(d, positive(d, x))) return y;
        if (never<D>(d, positive(d, y))) return x;
        return larger(d, larger(d, x, y), smaller(d, d.add(x, y), there(place, kind)));
    });
    if (a.size && b.size && !share_a_place(a, b)) result.size = d.add(*a.size, *b.size);
    return result;
}

template <Domain D>
Cards<D> minus(D& d, const Cards<D>& a, const Cards<D>& b) {
    return zip(d, a, b, [&](PlaceId, KindId, const IntOf<D>& x, const IntOf<D>& y) { return larger(d, d.subtract(x, y), d.constant(0)); });
}

template <Domain D>
Cards<D> choose(D& d, const BoolOf<D>& condition, const Cards<D>& a, const Cards<D>& b) {
    Cards<D> result = zip(d, a, b, [&](PlaceId, KindId, const IntOf<D>& x, const IntOf<D>& y) { return d.choose(condition, x, y); });
    if (a.size && b.size) result.size = d.choose(condition, *a.size, *b.size);
    return result;
}

// Takes `wanted` cards, or all there are, from the copies in the given order: from each as many as are still wanted.
template <Domain D>
std::vector<IntOf<D>> taken(D& d, const std::vector<IntOf<D>>& copies, const IntOf<D>& wanted) {
    std::vector<IntOf<D>> result;
    IntOf<D> before = d.constant(0);
    for (const IntOf<D>& count : copies) {
        result.push_back(clamped(d, d.subtract(wanted, before), d.constant(0), count));
        before = d.add(before, count);
    }
    return result;
}

// `wanted` of the cards, or all there are: the first ones by place, then kind.
template <Domain D>
Cards<D> any_of(D& d, const Cards<D>& cards, const IntOf<D>& wanted) {
    const std::vector<IntOf<D>> parts = taken(d, counts(cards), wanted);
    Cards<D> result;
    for (std::size_t i = 0; i < parts.size(); ++i) add_copies(d, result, cards.copies[i].place, cards.copies[i].kind, parts[i]);
    return result;
}

template <Domain D>
bool before_by_kind(const Copies<D>& a, const Copies<D>& b) {
    return std::pair(a.kind, a.place) < std::pair(b.kind, b.place);
}

template <Domain D>
bool before_by_place(const Copies<D>& a, const Copies<D>& b) {
    return std::pair(a.place, a.kind) < std::pair(b.place, b.kind);
}

// The only card; of several, one of the lowest kind at its lowest place. Kind and place are -1 if there is none.
template <Domain D>
Card<D> the_card(D& d, Cards<D> cards) {
    std::sort(cards.copies.begin(), cards.copies.end(), before_by_kind<D>);
    std::vector<BoolOf<D>> presents;
    for (const Copies<D>& c : cards.copies) presents.push_back(present(d, c));
    // If the size says that there is exactly one card, the cases of none and of several are left out.
    const bool one = cards.size && surely<D>(d, d.equal(*cards.size, d.constant(1))) && !cards.copies.empty();
    const std::vector<BoolOf<D>> firsts = one ? presents : first_that_holds(d, presents);
    Alternatives<D> kinds;
    Alternatives<D> places;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        if (never<D>(d, firsts[i])) continue;
        const bool none = i == cards.copies.size();
        kinds.emplace_back(firsts[i], d.constant(none ? -1 : cards.copies[i].kind));
        places.emplace_back(firsts[i], d.constant(none ? -1 : cards.copies[i].place));
    }
    return {d.pick(kinds), d.pick(places)};
}

// The multiset of one card; empty for no card.
template <Domain D>
Cards<D> single(D& d, const Card<D>& card, Value places, Value kinds) {
    Cards<D> result;
    each_index(d, card.place, places, [&](Value place, const BoolOf<D>& at) {
        each_index(d, card.kind, kinds,
                   [&](Value kind, const BoolOf<D>& of) { add_copies(d, result, PlaceId(place), KindId(kind), count(d, d.both(at, of))); });
    });
    if (d.low(card.kind) >= 0 && d.low(card.place) >= 0) result.size = d.constant(1);
    return result;
}

// All full groups of `size` copies with equal keys, and whether it makes no difference which copies are taken.
// `copies` by kind, then place; keys[i] is that of copies[i]. A size below 1, which breaks a promise, counts as 1.
template <Domain D>
std::pair<Cards<D>, BoolOf<D>> groups(D& d, const std::vector<Copies<D>>& copies, const std::vector<IntOf<D>>& keys, const IntOf<D>& size) {
    Cards<D> result;
    std::vector<BoolOf<D>> harmless{};
    const IntOf<D> group = larger(d, size, d.constant(1));
    for (std::size_t i = 0; i < copies.size(); ++i) {
        std::vector<IntOf<D>> alike;
        std::vector<IntOf<D>> before;
        std::vector<BoolOf<D>> others;
        for (std::size_t j = 0; j < copies.size(); ++j) {
            const BoolOf<D> same = d.equal(keys[i], keys[j]);
            if (never<D>(d, same)) continue;
            alike.push_back(when(d, same, copies[j].count));
            if (j < i) before.push_back(alike.back());
            if (j != i) others.push_back(d.both(same, present(d, copies[j])));
        }
        const IntOf<D> all = total(d, std::move(alike));
        const IntOf<D> rest = remainder(d, all, group);
        const IntOf<D> left = d.subtract(d.subtract(all, rest), total(d, std::move(before)));
        add_copies(d, result, copies[i].place, copies[i].kind, clamped(d, left, d.constant(0), copies[i].count));
        const BoolOf<D> mixed = d.both(present(d, copies[i]), d.any(others));
        // It makes no difference if there is no full group, so that nothing is taken, or no rest, so that everything is.
        harmless.push_back(d.any({d.negate(mixed), d.equal(rest, d.constant(0)), d.less(all, group)}));
    }
    std::sort(result.copies.begin(), result.copies.end(), before_by_place<D>);
    return {std::move(result), d.all(harmless)};
}

// ---- sets --------------------------------------------------------------------------------------------------------------------

template <Domain D>
Set<D> empty_set(D& d, Elements elements) {
    return {elements.first, std::vector<BoolOf<D>>(elements.count, d.truth(false))};
}

template <Domain D>
BoolOf<D> has(D& d, const Set<D>& set, Value element) {
    if (element < set.first || element >= set.end()) return d.truth(false);
    return set.has[element - set.first];
}

template <Domain D>
BoolOf<D> has_element(D& d, const Set<D>& set, const IntOf<D>& element) {
    return select_truth(d, d.subtract(element, d.constant(set.first)), set.has.size(), [&](Value i) { return has(d, set, set.first + i); });
}

// The range of elements that a or b may have.
template <Domain D>
Elements span_of(const Set<D>& a, const Set<D>& b) {
    if (a.has.empty()) return {b.first, static_cast<Value>(b.has.size())};
    if (b.has.empty()) return {a.first, static_cast<Value>(a.has.size())};
    const Value first = std::min(a.first, b.first);
    return {first, std::max(a.end(), b.end()) - first};
}

// The set of elements for which f(in a, in b) holds.
template <Domain D, class F>
Set<D> zip(D& d, const Set<D>& a, const Set<D>& b, F f) {
    const Elements elements = span_of(a, b);
    Set<D> result{elements.first, {}};
    for (Value i = 0; i < elements.count; ++i) {
        result.has.push_back(f(BoolOf<D>(has(d, a, elements.first + i)), BoolOf<D>(has(d, b, elements.first + i))));
    }
    return result;
}

template <Domain D>
Set<D> choose(D& d, const BoolOf<D>& condition, const Set<D>& a, const Set<D>& b) {
    return zip(d, a, b, [&](const BoolOf<D>& x, const BoolOf<D>& y) { return d.choose_truth(condition, x, y); });
}

template <Domain D>
BoolOf<D> is_empty(D& d, const Set<D>& set) {
    return d.negate(d.any(set.has));
}

template <Domain D>
IntOf<D> size(D& d, const Set<D>& set) {
    std::vector<IntOf<D>> ones;
    for (auto&& element : set.has) ones.push_back(count<D>(d, element));
    return total(d, std::move(ones));
}

template <Domain D>
BoolOf<D> same(D& d, const Set<D>& a, const Set<D>& b) {
    return d.all(zip(d, a, b, [&](const BoolOf<D>& x, const BoolOf<D>& y) { return d.choose_truth(x, y, d.negate(y)); }).has);
}

// The lowest element, -1 if there is none.
template <Domain D>
IntOf<D> first_element(D& d, const Set<D>& set) {
    std::vector<IntOf<D>> elements;
    for (Value e = set.first; e < set.end(); ++e) elements.push_back(d.constant(e));
    return first_value(d, set.has, std::move(elements), d.constant(-1));
}

// set_at(index), or the empty set for an index that is not one of 0..size - 1.
template <Domain D, class F>
Set<D> select_set(D& d, const IntOf<D>& index, Value size, Elements elements, F set_at) {
    Set<D> result = empty_set(d, elements);
    for (Value e = 0; e < elements.count; ++e) {
        result.has[e] = select_truth(d, index, size, [&](Value i) { return has(d, set_at(i), elements.first + e); });
    }
    return result;
}

}  // namespace collections
}  // namespace houserule
