// Counts and lists worlds: what lies where, whatever moves led to it.
//
// A world is a sequence of vectors, for each kind of card the copies at each hidden place. The counters of all paths, nondeterministic
// automata over such sequences (several histories lead to one world), are made deterministic: a node is a set of their states.
#pragma once

#include "solver/count/counter.hpp"

#include <functional>
#include <map>

namespace houserule {

class Worlds {
public:
    struct Source {
        const Counter* counter = nullptr;
        std::function<std::vector<Terms::Int>(KindId key)> row;  // of a key's block: numbers over that block's unknowns
    };
    // `keys` in the order of the counters' blocks. If counters decide blocks at the end together, all of them have to, and the same ones.
    Worlds(const Terms& terms, std::vector<Source> sources, std::vector<KindId> keys, CountLimits limits);
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    const Integer& count() const { return count_; }
    const std::vector<KindId>& keys() const { return keys_; }
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
    // Keys that are decided together: each choice is a set of rows, which no other has.
    struct Alike {
        std::vector<std::vector<std::vector<std::vector<Value>>>> rows;  // by key, counted from the first of them, and choice
        std::vector<std::vector<std::vector<std::int32_t>>> times;       // by node of the last level: how many keys take each choice
    };
    using States = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // source, state of its counter; ascending
    void add_up();
    void read_alike(const std::vector<Source>& sources, const std::map<States, std::size_t>& ends);
    Integer ways(const std::vector<std::int32_t>& times) const;
    Integer count_alike(std::size_t key, const std::vector<std::size_t>& components) const;
    bool go_on_alike(std::vector<std::int32_t>& times, std::vector<std::vector<Value>>& rows,
                     const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;
    bool go_on(std::size_t level, std::size_t node, std::vector<std::vector<Value>>& rows,
               const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const;

    const Terms& terms_;
    std::vector<KindId> keys_;
    std::vector<std::vector<Node>> levels_;  // one more than keys, but for those that are decided together
    std::optional<Alike> alike_;
    Integer count_ = 0;
    Limit problem_;
};

}  // namespace houserule
