// The worlds themselves, told apart by what lies where and not by how it came there.
//
// Seen as a word, a world has one letter for each kind of card: how many copies lie at each hidden place. The counters of all ways read
// such words; as several histories may lead to one world, what has been read stands for a set of their states.
#pragma once

#include "solver/count/counter.hpp"

#include <functional>

namespace houserule {

class Worlds {
public:
    struct Source {
        const Counter* counter = nullptr;
        std::function<std::vector<Terms::Int>(KindId key)> letter;  // of the key's block: numbers that depend on its unknowns alone
    };
    // `keys` in the order of the counters' blocks.
    Worlds(const Terms& terms, std::vector<Source> ways, std::vector<KindId> keys, CountLimits limits);
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    const Integer& count() const { return count_; }
    // How many of them have at least `least` as number `index` of the letter of `key`.
    Integer count(KindId key, std::size_t index, Value least) const;
    // One after another, each as its letters, until `f` says false.
    void each(const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;

private:
    struct Edge {
        std::vector<Value> letter;
        std::size_t to = 0;
    };
    struct Node {
        std::vector<Edge> edges;
        Integer before = 0;  // words that lead here
        Integer after = 0;   // words from here
    };
    bool depends_only_on(const Counter& counter, std::optional<std::size_t> block, const std::vector<Terms::Int>& letter) const;
    bool go_on(std::size_t level, std::size_t node, std::vector<std::vector<Value>>& letters,
               const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;

    const Terms& terms_;
    std::vector<KindId> keys_;
    std::vector<std::vector<Node>> levels_;  // one more than keys
    Integer count_ = 0;
    Limit problem_;
};

}  // namespace houserule
