// Loop invariants: an abstract state that covers every state in which a round of the loop can begin.
//
// For each loop: a range for each size, counter and fact; for each place the kinds that may lie there; and all linear equations with few
// terms between those numbers (Karr, "Affine relationships among variables of a program", 1976). It grows by counterexamples: as long as
// Z3 finds a round that ends outside it, that state is joined to it. What the loop does not change is not in it. Widening makes it end.
#pragma once

#include "solver/prove/abstract_state.hpp"

#include <boost/rational.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace houserule {

// The model of Z3's last `yes`, with values memoised by node.
class Model {
public:
    Model(Terms& terms, Z3Session& session) : d(terms), session_(session) {}
    bool value(const Truth& t);
    Value value(const Terms::Int& i);

private:
    int value_of(std::int32_t unknown);

    Terms& d;
    Z3Session& session_;
    std::unordered_map<std::int32_t, bool> nodes_;
    std::unordered_map<std::int32_t, int> unknowns_;
};

// The affine hull of the points that were added: all linear equations that hold for them.
class Hull {
public:
    using Number = boost::rational<std::int64_t>;
    // The sum of point[i] * factor over (i, factor) in `factors` is `sum`.
    struct Equation {
        std::vector<std::pair<std::size_t, std::int64_t>> factors;
        std::int64_t sum = 0;
    };

    bool empty() const { return !base_; }
    void add(const std::vector<Value>& point);
    std::vector<Equation> equations(std::size_t most_terms) const;

private:
    std::optional<std::vector<Value>> base_;
    std::vector<std::vector<Number>> rows_;  // a basis of the directions in reduced row echelon form; a row begins at begins_[i]
    std::vector<std::size_t> begins_;
};

class Invariant {
public:
    Invariant(Terms& terms, TransferFunctions& table, const Game& of);

    // Raises the bound on the number of rounds, which is known each time the loop is entered.
    void allow(Value rounds) { most_ = std::max(most_, rounds); }

    // Learns what the body changes: places and facts that differ after it. If some were not known to change, starts anew and gives true.
    bool learn_changes(const AbstractState& before, const AbstractState& after);
    // The states in which some round can begin: `f` with all that the loop changes unknown, but for what the invariant says.
    AbstractState in_some_round(AbstractState f);
    Truth holds(const AbstractState& f);
    void join(Model& model, const AbstractState& f);
    // Gives up: from here on the invariant says only what the language guarantees (the types' ranges).
    void give_up() { everything_ = true; }
    bool is_given_up() const { return everything_; }
    bool is_of_nothing() const { return !seen_ && !everything_; }

private:
    struct Range {
        Value low = 1;
        Value high = 0;  // below `low`: nothing yet
        int grown = 0;   // how often; widened to the whole range when too often
        bool empty() const { return high < low; }
    };
    struct Slot {
        FactId fact = no_id;
        std::size_t index = 0;
        Range range;
        bool may_be_given = false;
        bool may_lack = false;
    };

    void begin_anew();
    void widen(Range& range, Value value, Value lowest, Value highest);
    Truth in_range(const Terms::Int& number, const Range& range);
    std::pair<Value, Value> bounds_of(const Type& type) const;
    std::vector<Terms::Int> numbers(const AbstractState& f) const;
    // None is far from the numbers: of what may be either, no bounds are kept.
    bool is_number(const Slot& slot) const {
        const Type& type = game.facts[slot.fact].type;
        return type.base != Base::set && !(type.base == Base::number && type.or_none);
    }

    Terms& d;
    TransferFunctions& table_;
    const Game& game;
    Value most_ = 0;
    std::vector<bool> places_;
    Store<FactId, bool> facts_;
    std::vector<PlaceId> changed_;  // the places that the loop changes
    std::vector<Slot> slots_;       // of the facts that it changes
    bool seen_ = false;
    bool everything_ = false;
    std::map<PlaceId, Range> sizes_;
    std::vector<Range> counters_;
    std::vector<std::vector<bool>> may_;  // by place, kind
    int kinds_grown_ = 0;
    Hull hull_;
};

}  // namespace houserule
