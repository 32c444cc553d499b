// What holds each time a loop begins anew: the least that covers every state in which it was seen to begin.
//
// Kept per loop: for each size, counter and fact a range; for each place the kinds that may lie there; and all linear equations with
// few terms between those numbers (Karr's domain). It grows by models: as long as Z3 finds a way to come round that it does not cover,
// that state is joined to it. What the loop leaves alone is not in it. It ends: ranges that keep growing are given up.
#pragma once

#include "solver/prove/abstract_state.hpp"

#include <boost/rational.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace houserule {

// The state in which Z3 answered `yes` last, read without asking it again for every part of a formula.
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

// All linear equations that hold for the points that were added.
class Hull {
public:
    using Number = boost::rational<std::int64_t>;
    // point[i] * factors summed up is `sum`.
    struct Equation {
        std::vector<std::pair<std::size_t, std::int64_t>> factors;
        std::int64_t sum = 0;
    };

    bool empty() const { return !base_; }
    void add(const std::vector<Value>& point);
    std::vector<Equation> equations(std::size_t most_terms) const;

private:
    std::optional<std::vector<Value>> base_;
    std::vector<std::vector<Number>> rows_;  // directions, reduced: each has 1 where it begins, the others 0 there
    std::vector<std::size_t> begins_;
};

class Invariant {
public:
    Invariant(Terms& terms, Arrangement& table, const Game& of);

    // How often the loop goes round at most, as far as is known each time that it is come to.
    void allow(Value rounds) { most_ = std::max(most_, rounds); }

    // What lies differently after the loop's body than before it is what the body changes. True when that was not known yet.
    bool notice(const Flow& before, const Flow& after);
    // The flow with all that the loop changes unknown, but for what the invariant says.
    Flow any_round(Flow f);
    Truth holds(const Flow& f);
    void join(Model& model, const Flow& f);
    // Nothing is known but what the language sees to.
    void give_up() { everything_ = true; }
    bool is_given_up() const { return everything_; }

private:
    struct Range {
        Value low = 1;
        Value high = 0;  // below `low`: nothing yet
        int grown = 0;
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
    std::vector<Terms::Int> numbers(const Flow& f) const;
    bool is_number(const Slot& slot) const { return game.facts[slot.fact].type.base != Base::set; }

    Terms& d;
    Arrangement& table_;
    const Game& game;
    Value most_ = 0;
    std::vector<bool> places_;
    Store<FactId, bool> facts_;
    std::vector<PlaceId> changed_;  // the places
    std::vector<Slot> slots_;       // of facts that change
    bool seen_ = false;
    bool everything_ = false;
    std::map<PlaceId, Range> sizes_;
    std::vector<Range> counters_;
    std::vector<std::vector<bool>> may_;  // by place, kind
    int kinds_grown_ = 0;
    Hull hull_;
};

}  // namespace houserule
