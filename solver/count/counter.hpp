// Exact weighted model counting: unknowns with few values, conditions, sums and weights.
//
// Unknowns are decided step by step in a given order. What is then left of each condition (its cofactor, a formula over the later
// unknowns), of each sum (what is still missing) and of each weight is a state; equal states are one. So the search tree of all worlds
// becomes a decision diagram, a layered graph as wide as its frontier. A step decides all unknowns of a block (a kind of card) at once if
// their assignments are few: then conditions within the block are never in a state, and assignments with the same effect on the rest are
// one edge. With cards ordered by kind this is dynamic programming over kinds. A backward pass counts, a forward pass gives every share.
// Numbers are exact. counter_build.cpp has a worked example.
//
// Before that, values that no assignment of their own block can have, or that sums rule out, are taken out of all conditions, again and
// again (unit propagation and bounds consistency). Blocks that nothing tells apart then can be the last: how many of them take each
// choice follows from what the sums miss, so they need no states (lifted inference, counting by exchangeability).
#pragma once

#include "solver/count/alike_blocks.hpp"
#include "solver/count/count_model.hpp"
#include "solver/terms/deadline.hpp"
#include "solver/terms/limits.hpp"

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>
#include <vector>

namespace houserule {

class Random;

struct CountLimits {
    std::size_t states = 2'000'000;  // about 150 bytes each; eight edges count as one state
    Deadline until;
    std::size_t formulas = -1;  // that are built on the way
};

// Beam sampling: of each layer keep about `states` states at random, and multiply the count of a state kept with probability p by 1/p.
// The total and the shares are then unbiased estimates. States with more estimated completions are kept with a higher probability.
struct BeamSampling {
    std::size_t states = 500;
    Random* random = nullptr;
};

class Counter {
public:
    // Counts. `finished` is false when a limit was hit or a condition is one that only Z3 understands: then there are no counts.
    Counter(Formulas& formulas, CountModel model, CountLimits limits = {}, std::optional<BeamSampling> sampling = std::nullopt);
    bool finished() const { return !problem_.hit(); }
    const Limit& problem() const { return problem_; }

    // The weights of all assignments that fit, added up.
    const Integer& total() const { return total_; }
    // The part of the total for each combination of values of these numbers. Nothing when a limit was hit: see `share_problem`.
    using Shares = std::vector<std::pair<std::vector<Value>, Integer>>;
    std::optional<Shares> shares(const Terms& terms, const std::vector<Terms::Int>& of);
    const Limit& share_problem() const { return share_problem_; }
    // A random assignment, with probability by weight; `pick(n)` must be uniform below n. Pairs of an unknown and its value, from 0.
    using Assignment = std::vector<std::pair<std::int32_t, int>>;
    Assignment sample(const std::function<Integer(const Integer&)>& pick) const;

    // Calls f for each assignment with its weight; false, after `limit` of them, if there are more.
    bool each_assignment(std::size_t limit, const std::function<void(const Assignment&, const Integer&)>& f) const;

    // The blocks at the end that are decided together: there are no states between them, and `paths` leads only to where they begin.
    std::size_t lifted() const { return steps_.size() - built_; }
    // How many of those take each choice behind a state; empty: it cannot be completed. And, of a block, the assignments of each choice.
    const std::vector<std::int32_t>& alike_times(std::size_t state) const { return alike_times_[state]; }
    std::vector<std::vector<std::vector<int>>> alike_choices(std::size_t block) const;
    // Of the blocks that could be decided together, a set that spares many states: their keys.
    std::vector<KindId> alike_keys() const;

    // For walks over the diagram: an assignment of one block, from a state before it to a state after it, that can be completed. Nothing if
    // there are more than `most`.
    struct Path {
        std::vector<int> values;  // of the block's unknowns
        std::size_t to = 0;
    };
    std::size_t blocks() const { return block_begins_.size() - 1; }
    KindId block_key(std::size_t block) const { return model_.unknowns[block_begins_[block]].first; }
    std::span<const std::pair<KindId, std::int32_t>> block_unknowns(std::size_t block) const {
        return std::span(model_.unknowns).subspan(block_begins_[block], block_begins_[block + 1] - block_begins_[block]);
    }
    std::optional<std::vector<Path>> paths(std::size_t block, std::size_t state, std::size_t most) const;
    std::size_t states() const { return state_count_; }
    // Assignments of blocks, whole or as far as they went, that were listed before there were states.
    std::size_t listed() const { return listed_; }
    // By sum: the kinds that may add to it, as far as what concerns one block and the sums tell.
    std::vector<std::vector<KindId>> kinds_of_sums() const;
    // The part of the unknowns, 0..1, that was decided when a limit was hit.
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
    // An assignment of all unknowns of a step, with the weight that conditions and factors within the step give it.
    struct LocalAssignment {
        std::vector<std::uint8_t> values;
        Integer weight = 1;
    };
    // Assignments of a step with the same effect on everything outside the step.
    struct Class {
        std::vector<std::uint32_t> locals;
        std::vector<std::int32_t> adds;  // by sum
        Integer weight = 0;
    };
    struct Step {
        int begin = 0;
        int end = 0;
        std::vector<LocalAssignment> locals;
        std::vector<Class> classes;
    };
    struct Edge {
        std::uint32_t to = 0;
        std::uint32_t of = 0;     // class
        std::uint64_t times = 1;  // multiplies the weight of the class
    };
    struct Layer {
        std::vector<std::uint32_t> first;  // by state: its edges
        std::vector<Edge> edges;
    };
    // By layer and state, the weight of all paths to the end (ahead) and from the beginning (behind); as Small if the total is small.
    using Small = boost::multiprecision::uint128_t;
    template <class Number>
    struct Weights {
        std::vector<std::vector<Number>> ahead;
        std::vector<std::vector<Number>> behind;
    };

    static constexpr int no_position = 1 << 30;

    bool is_late();
    void place();
    void prepare();
    bool narrow();
    bool add_rule(Rule::What what, std::size_t index, Truth t);
    std::vector<Rule> local_rules(int begin, int end) const;
    void make_steps();
    void make_steps(int begin, int end);
    bool list_locals(Step& step, std::size_t most);
    void classify(Step& step) const;
    void drop_classes();
    bool is_free(const Step& step) const;
    static AlikeBlocks::Choices choices_of(const Step& step);
    void lift();
    void make_bounds();
    bool can_end(std::size_t layer, const std::vector<std::int32_t>& missing) const;
    struct Plan;
    enum class Filled : std::uint8_t { no, now, before };  // whether, and since when, a sum has reached its total
    Plan plan_of(const Step& step, std::vector<std::size_t> sums, std::vector<std::size_t> rest) const;
    bool goes_on(const Rule& rule, std::int32_t& left, std::uint64_t& times);
    bool follow(Plan& plan, const std::int32_t* from, const std::vector<Filled>& filled, std::vector<std::int32_t>& rest,
                std::uint64_t& times);
    void build();
    struct Front;
    void note_missing(const Front& front);
    struct Advance;
    Advance advance(std::size_t layer, Front& front) const;
    void follow_class(Advance& a, const Front& front, std::size_t c);
    void note_next(Advance& a, const Front& front) const;
    void drop_hopeless(Advance& a, Front& front) const;
    void add_layer(Advance& a, Front& front);
    void weigh();
    template <class Number>
    void weigh_in(Weights<Number>& weights);
    void make_chances();
    double chance_to_end(std::size_t layer, const std::vector<std::int32_t>& missing) const;
    void sample_layer(std::size_t layer, const std::vector<double>& mass, const std::vector<std::vector<std::int32_t>>& missing,
                      std::vector<std::uint64_t>& worth) const;
    double rough_total() const;
    template <class Number>
    std::vector<Integer> flow_in(const Weights<Number>& weights, std::size_t step) const;
    std::vector<Integer> flow_among_alike() const;
    Integer weight_at_end(std::size_t state) const;
    const std::vector<Integer>& flow(std::size_t step);
    Integer ahead(std::size_t layer, std::size_t state) const;
    bool is_dead(std::size_t layer, std::size_t state) const;
    using Decided = std::function<std::vector<Value>(const std::vector<std::int32_t>&)>;
    std::vector<std::int32_t> rest_of(const std::vector<std::int32_t>& of);
    struct Carried;
    std::optional<Shares> shares_over(std::size_t first_step, std::size_t last_step, std::vector<std::int32_t> asked,
                                      const Decided& decided);
    bool carry(Carried& c, std::size_t step);
    std::optional<Shares> shares_among_alike(const Carried& c, std::size_t last_step, const Decided& decided);
    Shares shares_of_one(std::size_t step, const std::vector<std::int32_t>& asked, const Decided& decided);
    Integer behind(std::size_t layer, std::size_t state) const;
    void draw_alike(std::size_t state, const std::function<Integer(const Integer&)>& pick, Assignment& assignment) const;
    void assign(const Step& step, const LocalAssignment& one, Assignment& assignment) const;

    // The cofactor: what is left of a formula when the unknowns of a step have the values in `values_`. It has no earlier unknowns.
    Truth cofactor(Truth t);
    void substitute(const Step& step, const LocalAssignment& one);
    void substitute(int position, int value);
    // What is left of a formula when a sum has reached its total, so that its later unknowns are 0. It has no earlier unknowns.
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
    std::optional<BeamSampling> sampling_;
    std::size_t formulas_most_ = 0;
    Limit problem_;
    Limit share_problem_;
    std::vector<int> position_;  // by unknown
    std::vector<int> firsts_;    // by node: the first position in it
    std::vector<bool> has_first_;
    std::vector<std::size_t> block_begins_;
    std::vector<Rule> rules_;
    std::vector<Step> steps_;
    std::size_t built_ = 0;                               // steps that have a layer: all but those that are decided together
    std::optional<AlikeBlocks> alike_;                    // those
    std::vector<std::vector<std::int32_t>> alike_times_;  // by state of the last layer: how many of them take each choice; empty: none can
    std::vector<std::size_t> bounded_;                    // sums of which every subset is bounded
    std::vector<std::vector<std::int64_t>> bounds_;  // by layer, then by subset of `bounded_`, as bits: the most that can be added together
    std::vector<std::vector<std::int64_t>> most_;    // by sum and layer: the most that can still be added
    std::vector<std::vector<std::vector<double>>> chances_;  // for sampling, by sum, layer and what is missing: roughly, that it is reached
    std::vector<Layer> layers_;                              // one more than steps that are built
    std::variant<Weights<Small>, Weights<Integer>> weights_;
    std::vector<std::optional<std::vector<Integer>>> flows_;  // by step and class: the weight of paths along it, without the class's own
    std::vector<int> values_;                                 // by position, of the step at hand
    int substituted_until_ = 0;
    std::vector<std::int32_t> cofactors_;  // memo, by node: the cofactor, and (below) the turn in which it was computed
    std::vector<std::uint64_t> cofactor_of_;
    std::uint64_t turn_ = 0;
    std::vector<std::vector<bool>> is_of_;                          // by sum and position
    std::vector<std::unordered_map<std::int32_t, Truth>> without_;  // by sum, then node
    std::size_t state_count_ = 0;
    std::size_t listed_ = 0;
    double decided_ = 0;
    Integer constant_ = 1;  // factors that always count
    Integer total_ = 0;
};

}  // namespace houserule
