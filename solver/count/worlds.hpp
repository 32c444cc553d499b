// Counts and lists worlds: what lies where, whatever moves led to it.
//
// A world is a sequence of vectors, for each kind of card the copies at each hidden place. The counters of all paths, nondeterministic
// automata over such sequences (several histories lead to one world), are made deterministic: a node is a set of their states.
#pragma once

#include "solver/count/counter.hpp"

#include <functional>

namespace houserule {

class Worlds {
public:
    struct Source {
        const Counter* counter = nullptr;
        std::function<std::vector<Terms::Int>(KindId key)> row;  // of a key's block: numbers over that block's unknowns
    };
    // `keys` in the order of the counters' blocks.
    Worlds(const Terms& terms, std::vector<Source> sources, std::vector<KindId> keys, CountLimits limits);
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    const Integer& count() const { return count_; }
    // How many worlds have anything at one of these components of the vector of `key`.
    Integer count(KindId key, const std::vector<std::size_t>& components) const;
    // Calls f for each world, with its vectors in the order of the keys, until it says false.
    void each(const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;

private:
    struct Edge {
        std::vector<Value> row;
        std::size_t to = 0;
    };
    struct Node {
        std::vector<Edge> edges;
        Integer before = 0;  // paths from the beginning to this node
        Integer after = 0;   // paths from it to the end
    };
    bool depends_only_on(const Counter& counter, std::optional<std::size_t> block, const std::vector<Terms::Int>& row) const;
    bool go_on(std::size_t level, std::size_t node, std::vector<std::vector<Value>>& rows,
               const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;

    const Terms& terms_;
    std::vector<KindId> keys_;
    std::vector<std::vector<Node>> levels_;  // one more than keys
    Integer count_ = 0;
    Limit problem_;
};

}  // namespace houserule
