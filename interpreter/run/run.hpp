// A run of a machine on numbers: forced steps by themselves, up to a node where somebody outside must answer.
//
//   auto run = make_run(machine);
//   run->start();
//   for (Node n = run->advance(); n.kind != NodeKind::over; n = run->advance()) run->apply(some move in 0 .. n.moves - 1);
//
// The state is one flat block of bytes that can be copied and compared. No step and no copy allocates, unless events are recorded.
// What can be read without changing anything stands in TableView (the table) and MoveNames (what is offered); functions that need no more
// take those.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/failure.hpp"
#include "interpreter/run/move_names.hpp"
#include "interpreter/run/random.hpp"
#include "interpreter/run/table_view.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace houserule {

// What a random game came to.
struct Tally {
    std::uint64_t decisions = 0;  // with two or more possibilities
    std::uint64_t options = 0;    // summed over them
    std::uint64_t forced = 0;     // decisions with one possibility: taken, nobody was asked
    std::uint64_t chances = 0;
    std::uint64_t windows = 0;  // seats that let an act at any time pass
    // By step of the machine, when counted (all of one size, or empty): how often it was answered or passed, and how often something
    // was done: a choice made, an offer taken, a seat that acted.
    Store<StepId, std::uint64_t> steps;
    Store<StepId, std::uint64_t> taken;
};

// Rounds and calls between two answers: a thousand times what the largest game needs, and about a second.
inline constexpr std::uint64_t forced_limit = 10'000'000;
// From this many on it is watched whether the machine comes back to a state: more than any game needs.
inline constexpr std::uint64_t unwatched_rounds = 10'000;
// Things told (moves, sayings, facts, ends) between two answers, each a line of the log: forty times what the largest game needs.
inline constexpr std::uint64_t told_limit = 100'000;

class Run : public TableView, public MoveNames {
public:
    using TableView::TableView;

    // A fresh game; forgets what was there.
    virtual void start() = 0;
    // Runs to the next node and describes it. Calling it again without `apply` gives the same node.
    virtual const Node& advance() = 0;
    // `move` must be below node().moves (for a window: a subset of node().seats).
    virtual void apply(std::uint64_t move) = 0;
    // A state of a run of the same machine: see TableView::state.
    virtual void set_state(std::span<const std::byte> state) = 0;
    // To the end with random moves: see play_random.
    virtual void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) = 0;
    // By step of the machine: whether it was ever carried out on this run (of a loop that only collects players, its head).
    virtual std::span<const std::uint8_t> reached() const = 0;
    // How often one `advance` may go round or into a rule before it stops as a failure: rules that never ask anybody.
    virtual void limit_forced(std::uint64_t times) = 0;
    // Whether a choice with one possibility is a node, too. It is not, unless asked for.
    virtual void ask_forced(bool ask) = 0;
    // How many of those it took by itself since it was made.
    virtual std::uint64_t forced() const = 0;
    virtual void record(Events* events) = 0;  // null: not recorded
    // The first promise that broke since `start`, or in computing a value below.
    virtual const Failure& failure() const = 0;

    // Values of expressions on the table as it is. They have no side effects but on `failure`, and need room to compute in: one
    // reader at a time.
    std::int32_t scalar(ExpressionId expression);  // the lowest number there is when a promise breaks
    bool truth(ExpressionId expression) { return scalar(expression) != 0; }
    // The value of a set or of cards: elements or pieces, ascending. Nothing when a promise broke.
    virtual std::optional<std::vector<std::int32_t>> elements(ExpressionId expression) = 0;

    // Results, when over: the end that came (none: played to the end), who won, what each scored and was paid (scaled as typed).
    EndId ended() const;
    std::vector<std::int32_t> winners(Random& lots);
    // The same before any lot is drawn: all between whom it is. Nothing when a promise broke.
    std::optional<std::vector<std::int32_t>> in_front();
    std::vector<std::int32_t> scores();
    std::vector<std::int32_t> payoffs();

private:
    // A number or truth value, while the variable of a comprehension (or none) stands at `element`. Nothing when a promise broke.
    virtual std::optional<std::int32_t> number(ExpressionId expression, BoundId bound, std::int32_t element) = 0;

    std::vector<std::int32_t> by_player(ExpressionId expression);
    std::vector<std::int32_t> best_paid();
    bool keep_best(std::vector<std::int32_t>& left, const WinnerKey& key);
};

std::unique_ptr<Run> make_run(std::shared_ptr<const Machine> machine);

// One random game: acts first (doing nothing included), then their values; volunteers with the file's odds, or `volunteer` in a million.
inline constexpr std::int64_t file_odds = -1;
void play_random(Run& run, Random& random, Tally& tally, std::int64_t volunteer_per_million = file_odds);
// The same for one node: a move for it.
std::uint64_t random_move(const Run& run, Random& random, std::int64_t volunteer_per_million = file_odds);

}  // namespace houserule
