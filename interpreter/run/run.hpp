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
#include "interpreter/run/stop.hpp"
#include "interpreter/run/table_view.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace houserule {

// Counts over random games.
struct Tally {
    std::uint64_t decisions = 0;  // with two or more possibilities
    std::uint64_t options = 0;    // possibilities, summed over those decisions
    std::uint64_t forced = 0;     // decisions with one possibility, which is taken without asking
    std::uint64_t chances = 0;    // draws, lots and reports
    std::uint64_t windows = 0;    // times a seat let a window for acts pass
    // By step of the machine, if counted (both sized to the code, or both empty): how often it was answered, and how often something was
    // done there: a choice made, an offer taken, a seat that acted.
    Store<StepId, std::uint64_t> steps;
    Store<StepId, std::uint64_t> taken;
};

// Rounds and calls between two answers, at most: a thousand times what the largest game needs, and about a second.
inline constexpr std::uint64_t forced_limit = 10'000'000;
// Rounds between two answers before repeated states are looked for: more than any game needs.
inline constexpr std::uint64_t unwatched_rounds = 10'000;
// Events (moves, sayings, facts, ends) between two answers, at most; each is a line of the log. Forty times what the largest game needs.
inline constexpr std::uint64_t told_limit = 100'000;
// Rounds, or nodes of a random game, between two looks at whether somebody wants no more.
inline constexpr std::uint64_t steps_between_looks = 1'024;
// So many rounds take as long as a node with its answer.
inline constexpr std::uint64_t rounds_a_node = 16;

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
    // Plays on to the end with random moves: see play_random.
    virtual void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) = 0;
    // By step of the machine: whether this run has ever carried it out (of a loop that only collects players: its first step).
    virtual std::span<const std::uint8_t> reached() const = 0;
    // How many rounds and calls one `advance` may make before it fails; `forced_limit` unless set.
    virtual void limit_forced(std::uint64_t times) = 0;
    // Asked in long forced runs, every `steps_between_looks` rounds: when it is over, `advance` fails as `stopped`, which says nothing
    // about the rules.
    virtual void stop_on(const Stop* stop) = 0;
    // The work done since the run was made: nodes, and at `rounds_a_node` to a node rounds, what conditions and numbers are computed for
    // one by one, and sets that splits judge. The same everywhere.
    virtual std::uint64_t work() const = 0;
    // Whether a choice with one possibility is a node as well; not unless asked for.
    virtual void ask_forced(bool ask) = 0;
    // How many such choices this run has taken without asking.
    virtual std::uint64_t forced() const = 0;
    virtual void record(Events* events) = 0;  // appends what happens to `events`; null: not recorded
    // The first promise that was broken since `start` or `set_state`, or while a value below was computed; of kind `none` if there is none.
    virtual const Failure& failure() const = 0;

    // Values of expressions on the table as it is. They change nothing but `failure`, and use working memory of the run: one reader at
    // a time.
    std::int32_t scalar(ExpressionId expression);  // when a promise breaks, the lowest 32-bit number
    bool truth(ExpressionId expression) { return scalar(expression) != 0; }
    // The value of a set or of cards: elements or pieces, ascending. Nothing when a promise broke.
    virtual std::optional<std::vector<std::int32_t>> elements(ExpressionId expression) = 0;
    // A number or truth value, with the comprehension variable `bound`, if any, set to `element`. Nothing when a promise broke.
    virtual std::optional<std::int32_t> number(ExpressionId expression, BoundId bound, std::int32_t element) = 0;

    // Results of a run that is over: the end that came (none: it was played to its end), winners, scores and payoffs (scaled as typed).
    EndId ended() const;
    std::vector<std::int32_t> winners(Random& lots);
    Seats winning_seats(Random& lots);  // the same, without allocating
    // The winners before a tie is broken by lot. Nothing when a promise broke.
    std::optional<std::vector<std::int32_t>> in_front();
    std::optional<Seats> seats_in_front();
    // Whether a lot decides between those who are in front.
    bool decides_by_lot(Seats in_front) const;
    std::vector<std::int32_t> scores();
    std::int32_t score_of(std::int32_t player);  // of a game that has scores
    std::vector<std::int32_t> payoffs();

private:
    // The value of a set of players.
    virtual std::optional<Seats> players(ExpressionId expression);

    std::int32_t of_player(ExpressionId expression, std::int32_t player);
    std::vector<std::int32_t> by_player(ExpressionId expression);
    Seats best_paid();
    bool keep_best(Seats& left, const WinnerKey& key);
};

// Whether it waits no more because somebody wanted no more.
inline bool is_stopped(const Run& run) { return run.node().kind == NodeKind::failed && run.failure().kind == FailureKind::stopped; }

// The rule that is being carried out where a run waits, or no_id, and the player it is carried out for: its first parameter, or -1.
struct RuleAtHand {
    RuleId rule = no_id;
    int player = -1;

    friend auto operator<=>(const RuleAtHand&, const RuleAtHand&) = default;
};
RuleAtHand rule_at_hand(const TableView& run, const Node& node);

std::unique_ptr<Run> make_run(std::shared_ptr<const Machine> machine);

// Plays one random game and adds to `tally`. At a window, seats act with the file's odds, or with `volunteer_per_million` in a million.
// When it is stopped (see `stop_on`), the game is not over.
inline constexpr std::int64_t file_odds = -1;
void play_random(Run& run, Random& random, Tally& tally, std::int64_t volunteer_per_million = file_odds);
// A random move for the node at which the run waits.
std::uint64_t random_move(const Run& run, Random& random, std::int64_t volunteer_per_million = file_odds);
// Whether one seat acts when it may, with such odds.
bool acts(const Act& act, Random& random, std::int64_t volunteer_per_million);

}  // namespace houserule
