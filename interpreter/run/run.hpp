// A run of a machine on numbers: forced steps by themselves, up to a node where somebody outside must answer.
//
//   auto run = make_run(machine);
//   run->start();
//   for (Node n = run->advance(); n.kind != NodeKind::over; n = run->advance()) run->apply(some move in 0 .. n.moves - 1);
//
// Moves are ranks: 0 .. moves-1, whatever they stand for; large sets of options are never listed. The state is one flat block of
// bytes that can be copied and compared. No step and no copy allocates, unless events are recorded.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/failure.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

enum class NodeKind : std::uint8_t {
    choose,   // seat chooses one of `moves`
    consent,  // seat says whether it wants to choose at all (0 no, 1 yes)
    ask,      // seat answers an offer (0 no, 1 yes)
    draw,     // chance: one of `moves` pieces, equally likely
    lot,      // chance: weights differ
    report,   // the table tells
    window,   // any of the seats in `seats` may act; the move is the set of those who do, as bits
    over,
    failed,  // a promise broke: see `failure`
};

struct Node {
    NodeKind kind = NodeKind::over;
    std::int32_t seat = -1;
    std::uint64_t moves = 0;
    Seats seats = 0;
    bool joint = false;  // with others at the same time
    StepId step = no_id;
    bool settled = false;  // since the last answer, what was decided together has been carried out
};

// What a move stands for.
struct Meant {
    std::vector<std::int32_t> values;  // one value, or a set's elements; kinds for cards; seats for a window
};

// What was read since it was last cleared. Facts that are no sets tell by themselves when they have no value.
struct Reads {
    std::set<PlaceId> places;
    std::set<std::pair<FactId, std::int32_t>> set_facts;  // and the index
};

// A source of chance that gives the same numbers everywhere (xoshiro256++; seeded by splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next();
    // Uniform in 0 .. n-1, n > 0 (Lemire's method, without bias).
    std::uint64_t below(std::uint64_t n);

private:
    std::uint64_t s_[4];
};

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

class Run {
public:
    virtual ~Run() = default;

    // A fresh game; forgets what was there.
    virtual void start() = 0;
    // Runs to the next node and describes it. Calling it again without `apply` gives the same node.
    virtual const Node& advance() = 0;
    // `move` must be below node().moves (for a window: a subset of node().seats).
    virtual void apply(std::uint64_t move) = 0;
    // To the end with random moves: see play_random.
    virtual void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) = 0;
    // By step of the machine: whether it was ever carried out on this run (of a loop that only collects players, its head).
    virtual std::span<const std::uint8_t> reached() const = 0;
    virtual const Node& node() const = 0;
    // How often one `advance` may go round or into a rule before it stops as a failure: rules that never ask anybody.
    virtual void limit_forced(std::uint64_t times) = 0;
    // Whether a choice with one possibility is a node, too. It is not, unless asked for.
    virtual void ask_forced(bool ask) = 0;
    // How many of those it took by itself since it was made.
    virtual std::uint64_t forced() const = 0;

    virtual Meant meaning(std::uint64_t move) const = 0;
    // The move that stands for these values, or no value below node().moves when none does. Order of `values` does not matter.
    virtual std::uint64_t move_for(const std::vector<std::int32_t>& values) const = 0;
    // For a lot or report: the weight of a move, and of all.
    virtual std::uint64_t weight(std::uint64_t move) const = 0;

    // The whole state, to be copied. A copy fits every run of the same machine.
    virtual std::span<const std::byte> state() const = 0;
    virtual void set_state(std::span<const std::byte> state) = 0;

    // Reading the table: kinds at a place (rows and stacks in order, bottom first), values of facts.
    virtual std::vector<KindId> kinds_at(PlaceId place) const = 0;
    virtual std::size_t size_at(PlaceId place) const = 0;
    virtual std::int32_t fact(FactId fact, std::int32_t index) const = 0;
    virtual std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const = 0;
    virtual std::int32_t variable(VariableId variable) const = 0;
    // Elements of a set variable; for cards, and for the one card of a card variable, pieces: see place_of and Game::piece_kind.
    virtual std::vector<std::int32_t> variable_set(VariableId variable) const = 0;
    virtual PlaceId place_of(std::int32_t piece) const = 0;
    // Of a stack: how many cards each part has whose order is unknown, bottom first. Else one part a card, or one for a set.
    virtual std::vector<std::int32_t> parts(PlaceId place) const = 0;
    virtual bool truth(ExpressionId expression) const = 0;
    virtual std::int32_t scalar(ExpressionId expression) const = 0;  // the lowest number there is when a promise breaks: see `failure`
    // The value of a set or of cards: elements or pieces, ascending. Nothing when a promise broke.
    virtual std::optional<std::vector<std::int32_t>> elements(ExpressionId expression) const = 0;

    // For examples and tests: lays out a state by hand.
    virtual void set_fact(FactId fact, std::int32_t index, std::int32_t value) = 0;
    virtual bool put_kind(KindId kind, PlaceId place) = 0;  // a copy that is in no zone; false when there is none left
    // Exchanges where two pieces lie. A test of what can be known.
    virtual void exchange_kinds(PlaceId place_a, KindId kind_a, PlaceId place_b, KindId kind_b) = 0;
    // Runs one rule from its first step to its end; false when it asked somebody.
    virtual bool run_rule(StatementId statement) = 0;
    virtual Reads* reads() = 0;  // null but for a traced run

    // Results, when over: the end that came (none: played to the end), who won, what each scored and was paid (scaled as typed).
    virtual EndId ended() const = 0;
    virtual std::vector<std::int32_t> winners(Random& lots) = 0;
    // The same before any lot is drawn: all between whom it is. Nothing when a promise broke: see `failure`.
    virtual std::optional<std::vector<std::int32_t>> in_front() = 0;
    virtual std::vector<std::int32_t> scores() const = 0;
    virtual std::vector<std::int32_t> payoffs() const = 0;

    virtual const Failure& failure() const = 0;
    virtual void record(Events* events) = 0;  // null: not recorded
    const Machine& machine() const { return *machine_; }

protected:
    std::shared_ptr<const Machine> machine_;
};

// Values of an expression on the given machine's numbers, for the property tests of the fast forms, are read through Run::scalar.
std::unique_ptr<Run> make_run(std::shared_ptr<const Machine> machine);
// The same, slower: it notes what is read.
std::unique_ptr<Run> make_traced_run(std::shared_ptr<const Machine> machine);

// One random game: acts first (doing nothing included), then their values; volunteers with the file's odds, or `volunteer` in a million.
inline constexpr std::int64_t file_odds = -1;
void play_random(Run& run, Random& random, Tally& tally, std::int64_t volunteer_per_million = file_odds);
// The same for one node: a move for it.
std::uint64_t random_move(const Run& run, Random& random, std::int64_t volunteer_per_million = file_odds);

}  // namespace houserule
