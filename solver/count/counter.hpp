// Exact counts over a model: unknowns with few values, conditions, sums and weights.
//
// Unknowns are decided step by step in a given order. What is left of every condition after that (a formula over the later unknowns), of
// every sum (what is still missing) and of every weight is a state; equal states are one. So the search tree of all worlds becomes a
// layered graph, the size of which is that of the frontier. A step decides all unknowns of a block (of a kind of card) at once where
// there are few ways to do so: then what concerns that block alone is never in a state, and ways that do the same to the rest are one
// edge. With cards ordered by kind it is the dynamic program over kinds, for other conditions a decision diagram. A backward pass
// counts, a forward pass gives every share. Numbers are exact.
#pragma once

#include "solver/coexecute/unknown_table.hpp"
#include "solver/terms/limits.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

namespace houserule {

class Random;

struct CountModel {
    std::vector<std::pair<KindId, std::int32_t>> unknowns;  // in the order in which they are to be decided; blocks of equal first entries
    std::vector<Truth> conditions;
    std::vector<Sum> sums;
    std::vector<Factor> factors;
};

struct CountLimits {
    std::size_t states = 2'000'000;  // about 150 bytes each; eight edges between them count as one
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// Keeps about so many states a layer, at random, and counts each as often as it was unlikely to be kept: then the total, and how much of
// it has some values, are what they would be on average, without bias. States that look as if much came of them are kept rather.
struct Thinning {
    std::size_t states = 500;
    Random* random = nullptr;
};

class Counter {
public:
    // Decides everything. `finished` is false when a limit was hit or a condition is for Z3 alone: then there are no counts.
    Counter(Formulas& formulas, CountModel model, CountLimits limits = {}, std::optional<Thinning> thinning = std::nullopt);
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    // Worlds of the model, by weight.
    const Integer& total() const { return total_; }
    // How much of it has each combination of the values of some numbers. Nothing when a limit was hit: `share_problem`.
    using Shares = std::vector<std::pair<std::vector<Value>, Integer>>;
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
    KindId block_key(std::size_t block) const { return model_.unknowns[block_begins_[block]].first; }
    std::span<const std::pair<KindId, std::int32_t>> block_unknowns(std::size_t block) const {
        return std::span(model_.unknowns).subspan(block_begins_[block], block_begins_[block + 1] - block_begins_[block]);
    }
    std::vector<Path> paths(std::size_t block, std::size_t state) const;
    std::size_t states() const { return state_count_; }
    // Which part of the unknowns was decided when a limit was hit.
    double decided() const { return decided_; }

private:
    // A condition, sum or factor, and the unknowns in it by position, ascending.
    struct Rule {
        enum class What : std::uint8_t { condition, sum, factor } what;
        std::size_t index = 0;
        std::int32_t begins = 0;  // before its first unknown: a formula, or what is missing
        std::vector<int> positions;
        int first() const { return positions.front(); }
        int last() const { return positions.back(); }
    };
    // One way to decide all unknowns of a step, and how much what concerns them alone makes of it.
    struct Letter {
        std::vector<std::uint8_t> values;
        Integer weight = 1;
    };
    // Letters that do the same to everything outside the step.
    struct Class {
        std::vector<std::uint32_t> letters;
        std::vector<std::int32_t> adds;  // by sum
        Integer weight = 0;
    };
    struct Step {
        int begin = 0;
        int end = 0;
        std::vector<Letter> letters;
        std::vector<Class> classes;
    };
    struct Edge {
        std::uint32_t to = 0;
        std::uint32_t of = 0;     // class
        std::uint64_t times = 1;  // beside the class's weight
    };
    struct Layer {
        std::vector<std::uint32_t> first;  // by state: its edges
        std::vector<Edge> edges;
    };
    // By layer and state: from here to the end, and from the beginning to here. Small numbers where the total is one.
    using Small = boost::multiprecision::uint128_t;
    template <class Number>
    struct Weights {
        std::vector<std::vector<Number>> ahead;
        std::vector<std::vector<Number>> behind;
    };

    static constexpr int no_position = 1 << 30;

    bool is_late();
    void prepare();
    bool add_rule(Rule::What what, std::size_t index, Truth t);
    std::vector<Rule> local_rules(int begin, int end) const;
    void make_steps();
    void make_steps(int begin, int end);
    bool list_letters(Step& step, std::size_t most);
    void classify(Step& step) const;
    void make_bounds();
    bool can_end(std::size_t layer, const std::vector<std::int32_t>& missing) const;
    struct Plan;
    enum class Filled : std::uint8_t { no, now, before };  // whether a sum has all it wants
    Plan plan_of(const Step& step, std::vector<std::size_t> sums, std::vector<std::size_t> rest) const;
    bool goes_on(const Rule& rule, std::int32_t& left, std::uint64_t& times);
    bool follow(Plan& plan, const std::int32_t* from, const std::vector<Filled>& filled, std::vector<std::int32_t>& rest,
                std::uint64_t& times);
    void build();
    void weigh();
    template <class Number>
    void weigh_in(Weights<Number>& weights);
    void make_chances();
    double chance_to_end(std::size_t layer, const std::vector<std::int32_t>& missing) const;
    void thin(std::size_t layer, const std::vector<double>& mass, const std::vector<std::vector<std::int32_t>>& missing,
              std::vector<std::uint64_t>& worth) const;
    double rough_total() const;
    template <class Number>
    std::vector<Integer> flow_in(const Weights<Number>& weights, std::size_t step) const;
    const std::vector<Integer>& flow(std::size_t step);
    Integer ahead(std::size_t layer, std::size_t state) const;
    bool is_dead(std::size_t layer, std::size_t state) const;
    std::optional<Shares> shares_over(std::size_t first_step, std::size_t last_step, std::vector<std::int32_t> asked,
                                      const std::function<std::vector<Value>(const std::vector<std::int32_t>&)>& decided);

    // What is left of a formula when the unknowns of a step have the values in `values_`. Those before it are no longer in the formula.
    Truth cofactor(Truth t);
    void substitute(const Step& step, const Letter& letter);
    void substitute(int position, int value);
    // What is left of it when a sum has all it wants, so that its later unknowns are 0. Those before are no longer in the formula.
    Truth without(std::size_t sum, Truth t);
    int first_position(Truth t);
    std::vector<int> positions_in(Truth t) const;
    std::size_t step_of(int position) const;
    std::span<const Edge> edges(std::size_t layer, std::size_t state) const {
        const Layer& l = layers_[layer];
        return std::span(l.edges).subspan(l.first[state], l.first[state + 1] - l.first[state]);
    }

    Formulas& formulas_;
    CountModel model_;
    CountLimits limits_;
    std::optional<Thinning> thinning_;
    Limit problem_;
    Limit share_problem_;
    std::vector<int> position_;  // by unknown
    std::vector<int> firsts_;    // by node: the first position in it
    std::vector<bool> has_first_;
    std::vector<std::size_t> block_begins_;
    std::vector<Rule> rules_;
    std::vector<Step> steps_;
    std::vector<std::size_t> bounded_;               // sums that are bounded together
    std::vector<std::vector<std::int64_t>> bounds_;  // by layer, then by set of `bounded_`, as bits: what these can still get together
    std::vector<std::vector<std::int64_t>> most_;    // by sum and layer: what it can still get
    std::vector<std::vector<std::vector<double>>> chances_;  // for thinning, by sum, layer and what is missing: that it is got, about
    std::vector<Layer> layers_;                              // one more than steps
    std::variant<Weights<Small>, Weights<Integer>> weights_;
    std::vector<std::optional<std::vector<Integer>>> flows_;  // by step and class: how much goes along it, but for the class's weight
    std::vector<int> values_;                                 // by position, of the step at hand
    int substituted_until_ = 0;
    std::vector<std::int32_t> cofactors_;  // by node: of the values at hand, and for which
    std::vector<std::uint64_t> cofactor_of_;
    std::uint64_t turn_ = 0;
    std::vector<std::vector<bool>> is_of_;                          // by sum and position
    std::vector<std::unordered_map<std::int32_t, Truth>> without_;  // by sum, then node
    std::size_t state_count_ = 0;
    double decided_ = 0;
    Integer constant_ = 1;  // factors that always count
    Integer total_ = 0;
};

}  // namespace houserule
