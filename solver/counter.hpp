// Exact counts over a model: unknowns with few values, conditions, sums and weights.
//
// Unknowns are decided one by one in a given order. What is left of every condition after that (a formula over the later unknowns), of
// every sum (what is still missing) and of every weight is a state; equal states are one. So the search tree of all worlds becomes a
// layered graph, the size of which is that of the frontier: with cards ordered by kind it is the dynamic program over kinds, for other
// conditions a decision diagram. A backward pass counts, a forward pass gives every share. Numbers are exact.
#pragma once

#include "solver/limits.hpp"
#include "solver/unknown_table.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace houserule {

struct CountModel {
    std::vector<std::pair<Id, std::int32_t>> unknowns;  // in the order in which they are to be decided; blocks of equal first entries
    std::vector<Truth> conditions;
    std::vector<Sum> sums;
    std::vector<Factor> factors;
};

struct CountLimits {
    std::size_t states = 2'000'000;  // about 150 bytes each
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

class Counter {
public:
    // Decides everything. `finished` is false when a limit was hit or a condition is for Z3 alone: then there are no counts.
    Counter(Formulas& formulas, CountModel model, CountLimits limits = {});
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    // Worlds of the model, by weight.
    const Integer& total() const { return total_; }
    // How much of it has each combination of the values of some numbers.
    using Shares = std::vector<std::pair<std::vector<Value>, Integer>>;
    // Nothing when a limit was hit: `share_problem`.
    std::optional<Shares> shares(const Terms& terms, const std::vector<Terms::Int>& of);
    const Limit& share_problem() const { return share_problem_; }
    // One assignment, by weight: `pick(n)` is uniform below n. Values by unknown, counted from 0.
    using Assignment = std::vector<std::pair<std::int32_t, int>>;
    Assignment sample(const std::function<Integer(const Integer&)>& pick) const;

    // All of them with their weights, if there are at most `limit`.
    bool each_assignment(std::size_t limit, const std::function<void(const Assignment&, const Integer&)>& f) const;

    // For walks over all assignments, block by block: those from a state to the end of the block, that some world goes along.
    struct Path {
        std::vector<int> values;  // of the block's unknowns
        std::size_t to = 0;
    };
    std::size_t blocks() const { return block_begins_.size() - 1; }
    Id block_key(std::size_t block) const { return model_.unknowns[block_begins_[block]].first; }
    std::span<const std::pair<Id, std::int32_t>> block_unknowns(std::size_t block) const {
        return std::span(model_.unknowns).subspan(block_begins_[block], block_begins_[block + 1] - block_begins_[block]);
    }
    std::vector<Path> paths(std::size_t block, std::size_t state) const;
    std::size_t states() const { return state_count_; }

    // The value of a number where some unknowns have values; the others must not matter.
    static Value value_of(const Terms& terms, const Terms::Int& number, const std::vector<int>& value_by_unknown);
    static bool holds(const Formulas& formulas, Truth t, const std::vector<int>& value_by_unknown);

private:
    struct Edge {
        std::uint32_t to = 0;
        std::uint32_t value = 0;
        std::uint64_t times = 1;
    };
    struct Layer {
        std::vector<std::uint32_t> first;  // by state: its edges
        std::vector<Edge> edges;
        std::vector<Integer> ahead;        // by state: from here to the end
        std::vector<Integer> behind;       // by state: from the beginning to here
    };

    bool is_late();
    void prepare();
    void build();
    void weigh();
    Truth cofactor(Truth t, std::int32_t unknown, int value);
    int first_position(Truth t);
    int last_position(Truth t);
    std::vector<bool> places_in(Truth t) const;
    std::span<const Edge> edges(std::size_t layer, std::size_t state) const {
        const Layer& l = layers_[layer];
        return std::span(l.edges).subspan(l.first[state], l.first[state + 1] - l.first[state]);
    }

    Formulas& formulas_;
    CountModel model_;
    CountLimits limits_;
    Limit problem_;
    Limit share_problem_;
    std::vector<int> position_;                   // by unknown
    std::vector<std::pair<int, int>> spans_;      // by node: first and last position in it
    std::vector<bool> has_span_;
    std::vector<std::size_t> block_begins_;
    std::vector<Layer> layers_;                   // one more than unknowns
    std::vector<std::int32_t> cofactors_;         // by node: of the unknown and value at hand, and for which
    std::vector<std::uint64_t> cofactor_of_;
    std::uint64_t turn_ = 0;
    std::size_t state_count_ = 0;
    Integer total_ = 0;
};

}  // namespace houserule
