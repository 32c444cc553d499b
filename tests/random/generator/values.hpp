// Values of the language as the generator reckons with them: exact fractions, sets and counted cards of its own, on a table of its own.
// Written after the language page; no code is shared with what is tested.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule::random_games {

// In lowest terms, the divisor above 0.
struct Fraction {
    std::int64_t over = 0;
    std::int64_t under = 1;

    Fraction() = default;
    Fraction(std::int64_t whole) : over(whole) {}  // NOLINT(google-explicit-constructor)
    Fraction(std::int64_t n, std::int64_t d);

    std::int64_t floor() const;
    friend bool operator==(const Fraction&, const Fraction&) = default;
    friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) { return a.over * b.under <=> b.over * a.under; }
};
Fraction operator+(Fraction a, Fraction b);
Fraction operator-(Fraction a, Fraction b);
Fraction operator*(Fraction a, Fraction b);

// How many copies of a kind lie at a place: by place and kind.
using Cards = std::map<std::pair<int, int>, int>;
using Elements = std::set<Fraction>;

// A scalar (truth is 0 or 1; players, kinds and values of enums count from 0; nothing is `none`), a set, or cards (a card: one).
struct Value {
    std::optional<Fraction> one;
    Elements many;
    Cards cards;

    friend bool operator==(const Value&, const Value&) = default;
};
inline Value scalar(Fraction n) { return {n, {}, {}}; }
inline Value truth(bool holds) { return {Fraction(holds ? 1 : 0), {}, {}}; }
inline Value none() { return {}; }
inline Value elements(Elements e) { return {std::nullopt, std::move(e), {}}; }
inline Value cards(Cards c) { return {std::nullopt, {}, std::move(c)}; }
std::string shown(const Value& value);

// A word of the language claims what is not so.
struct BrokenPromise {};
// There is more to try than the evaluator takes time for.
struct Unreckoned {};

// What lies where, bottom first, by place; what the facts are, by fact and index (from spot to spot): nothing when one was never set.
struct Table {
    std::vector<std::vector<int>> piles;   // kinds
    std::vector<std::vector<int>> orders;  // the same of rows and stacks, -1 where it is shuffled; of sets nothing
    std::vector<std::vector<std::optional<Value>>> facts;
    std::vector<int> unplaced;  // by kind: copies in no zone
};

// Where an expression is read.
struct Setting {
    const Table* table = nullptr;
    int players = 2;
    std::map<std::string, Value> options;
    std::map<std::string, std::string> readings;                                    // how each is read
    std::map<std::string, std::optional<Value>> locals;                             // nothing: to read it breaks a promise
    std::function<void(const std::string& name, const std::string& operand)> sees;  // each kind of operand of each operator that is read
};
using Meaning = std::function<Value(const Setting&)>;

int count_of(const Cards& cards);
Cards lying_at(const Table& table, int place);
Cards joined(const Cards& a, const Cards& b, const Table& table);  // at most as many as lie there
Cards without(const Cards& a, const Cards& b);
// All full groups of `size` cards that `key` calls alike.
Cards full_groups(const Cards& from, std::int64_t size, const std::function<Fraction(int kind)>& key);
Cards any_of(const Cards& from, std::int64_t wanted);

}  // namespace houserule::random_games
