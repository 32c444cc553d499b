// Shares of a game tree, walked apart and added up to what one walk of all of it comes to.
//
// Counts and expected payoffs are whole numbers and exact fractions: their sums are the same in any order. An information set may have
// histories in several shares: the shares' lists, which are ordered, are gone through side by side.
#pragma once

#include "interpreter/tree/explore.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace houserule {

// How deep to cut the tree for at least `wanted` subtrees, or for as many as can be had without walking much: the same on every machine.
std::uint64_t depth_of_cut(const std::shared_ptr<const Machine>& machine, bool keep_forced, std::uint64_t wanted, const Stop* stop);

// Goes through an ordered list: the next entry, or nothing at its end.
using SetsInOrder = std::function<std::optional<SetOfHistories>()>;

// The information sets of all shares, each once.
struct CountedSets {
    std::vector<std::uint64_t> by_seat;
    std::map<std::uint64_t, std::uint64_t> by_histories;

    explicit CountedSets(std::size_t seats) : by_seat(seats) {}
    void add(const CountedSets& other);
};
// Nothing if a list is not in order, or has a seat that does not exist.
std::optional<CountedSets> counted_together(std::vector<SetsInOrder> lists, std::size_t seats);

class SumOfShares {
public:
    SumOfShares(std::shared_ptr<const Machine> machine, bool keep_forced);

    // False, with nothing added, if these are not such as that machine comes to.
    bool add(const Explored& counts, const std::vector<std::string>& value);
    // Of all: complete if all are, and 64 bits are enough.
    Explored result(const CountedSets& sets) const;

private:
    bool add(const std::vector<BrokenPromise>& promises, Explored& to) const;

    std::shared_ptr<const Machine> machine_;
    bool keep_forced_;
    Explored sum_;
    Expected value_;
};

}  // namespace houserule
