// A progress measure of a state, to detect loops without progress: how many pieces lie where, and the facts, except facts that only count
// up or run through a cycle, which differ in every round. And play that comes to no end, for certain.
#pragma once

#include "interpreter/machine/watch.hpp"
#include "interpreter/run/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace houserule {

class ProgressMeasure {
public:
    explicit ProgressMeasure(const Machine& machine);

    // The number of pieces by place, then the values of the facts.
    std::vector<std::int32_t> of(const TableView& run) const;
    // The values of the facts that an expression reads.
    std::vector<std::int32_t> read_by(const TableView& run, ExpressionId expression) const;
    // The table as bytes, again without counters: which pieces lie at each place (not in which order), and the facts.
    std::vector<std::byte> table(const TableView& run) const;

private:
    void add_fact(const TableView& run, FactId fact, std::vector<std::int32_t>& to) const;

    const Machine& machine_;
    const Game& game_;
    Store<FactId, bool> counters_;
};

// Play that stays among finitely many states without an end as long as nobody volunteers, whatever is drawn and chosen.
struct ClosedPlay {
    std::set<std::string> states;  // as `without_counts` gives them
    bool offered = false;          // in some of them somebody may volunteer
};

class ClosedPlaySearch {
public:
    // `most_states`: what is larger is not found.
    ClosedPlaySearch(const Machine& machine, const std::map<StepId, WatchPoint>& points, std::size_t most_states)
        : machine_(machine), points_(points), most_states_(most_states) {}

    // A state's bytes without its counts of rounds, which differ in every round.
    std::string without_counts(std::span<const std::byte> state) const;
    // From `here`, where the loop of a bound comes to it, with one round more again and again. `run` is left anywhere. Nothing: play can
    // end, or it is larger than what is walked, or it was late before all of it was.
    std::optional<ClosedPlay> from(Run& run, std::span<const std::byte> here, const WatchPoint& bound,
                                   const std::function<bool()>& is_late) const;

private:
    const Machine& machine_;
    const std::map<StepId, WatchPoint>& points_;
    std::size_t most_states_;
};

}  // namespace houserule
