// The implementation of `Deduction`, for its own files: following and sampling (deduction.cpp), what is possible (decide.cpp), counting
// (knowledge.cpp), estimating (walks.cpp; estimate.cpp where no walk can begin), conditions that were left open (playing.cpp),
// reasons (why_not.cpp).
#pragma once

#include "solver/count/count_order.hpp"
#include "solver/count/worlds.hpp"
#include "solver/deduce/deduction.hpp"
#include "solver/deduce/history_walk.hpp"
#include "solver/terms/solver_context.hpp"

#include <algorithm>
#include <map>

namespace houserule {

// Of a history that is played, as it begins or as it changes.
inline constexpr std::uint64_t work_a_played_node = 2;

// For a state of the counter, for each formula that is left of a condition, and for so many assignments of a block that are listed.
inline constexpr std::uint64_t work_a_state = 5;
inline constexpr std::uint64_t work_a_formula = 2;
inline constexpr std::uint64_t listed_a_work = 4;
inline std::uint64_t work_of(const Counter& counter, std::size_t formulas) {
    return counter.states() * work_a_state + formulas * work_a_formula + counter.listed() / listed_a_work + 1;
}

// Of a path that takes a step.
inline constexpr std::uint64_t work_a_path_step = 10;

// Histories that walks begin at to look for what is possible.
inline constexpr std::size_t walks_around = 8;

// A path on which all cards at hidden places have kinds, with its counter.
struct Deduction::Path {
    UnknownTable table;
    Rational each = 0;  // the weight of the histories that one unit of the counter stands for
    Rational histories_each = 0;
    // What has to be counted, for the path as it is with so many conditions, sums and unknowns.
    struct Simple {
        std::size_t made_of = 0;
        CountModel model;
    };
    Simple weighed;
    Simple unweighed;
    std::unique_ptr<Counter> counter;  // none: not counted
    CountOrder order = CountOrder::by_kind;
    std::vector<KindId> alike;  // the kinds that `alike_last` puts at the end
    bool is_last(KindId kind) const { return std::find(alike.begin(), alike.end(), kind) != alike.end(); }
    std::unique_ptr<Z3Session> session;    // requires all that the path does
    bool is_wide = false;                  // some condition is one that only Z3 understands
    std::size_t required = 0;              // so many conditions and sums
    std::vector<std::vector<int>> worlds;  // found so far, complete: values by unknown; none of a wide path
    bool is_empty = false;                 // nothing fits it
    // For reasons: one condition for all that came of an event, by the number of the event, beside a session that requires the rest.
    struct Tracked {
        Tracked() {}  // written out: Clang does not know the members' first values before the struct around it is complete
        std::map<std::size_t, std::map<StepId, std::vector<Truth>>> events;
        std::vector<Truth> given;    // of the rest
        bool can_be_counted = true;  // as far as was tried
        std::unique_ptr<Z3Session> session;
    };
    std::optional<Tracked> tracked;
};

struct Deduction::Impl {
    std::shared_ptr<const Machine> machine;
    DeductionLimits limits;
    std::optional<Deadline> deadline;
    SolverContext context;
    Coexecution coexecution;
    const Terms::Int no_value = coexecution.terms().constant(unset_value);  // of a fact that was given none so far
    std::vector<UnknownTable> before_node;  // the paths as the last event left them: new events are followed from there
    std::vector<Path> paths;
    std::unique_ptr<Worlds> told_apart;
    KindPlaces kind_places;            // of the counters
    std::optional<Knowledge> decided;  // without shares
    std::optional<Knowledge> known;
    Work work{0};                    // that is left for what is known
    Work reason_work{0};             // and for reasons
    std::uint64_t spent_before = 0;  // of both, before what was seen last, and while that is followed
    Fit fit = Fit::fits;
    bool told_more = false;     // see may_be_told_more
    bool stops_early = false;   // what was seen ends before a node: more is, or may be, noticed on the way there
    bool ends_at_lots = false;  // or may end where chance picks what the seat does not notice
    Limit limit;                // why it is unknown what fits

    Impl(std::shared_ptr<const Machine> m, int seat, DeductionLimits l)
        : machine(std::move(m)), limits(l), coexecution(context, machine, seat, paths_of(l, seat)) {
        coexecution.ask_first([this](const UnknownTable& path) { return anything_fits(path); });
    }
    static CoexecutionLimits paths_of(const DeductionLimits& limits, int seat);

    const Game& game() const { return machine->game; }
    Terms& terms() { return coexecution.terms(); }
    // The deadline of a query that begins now.
    Deadline until() const { return deadline.value_or(Deadline::in(limits.time, limits.stop)); }
    std::vector<PlaceId> hidden_places() const;
    void prepare_paths();

    // Where conditions were left open: see playing.cpp.
    bool is_loose() const {
        return std::any_of(paths.begin(), paths.end(), [](const Path& path) { return path.table.is_loose; });
    }
    std::unique_ptr<HistoryWalk> play(const History& history);
    bool shows_so_far(const History& history) const;
    bool plays_as_told(const Path& path, const std::vector<int>& values);
    void play_some(Knowledge& k, const Deadline& until);
    static bool has_open(const Knowledge& k);
    void look_around(Knowledge& k, std::uint64_t most, const Deadline& until);
    std::vector<History> played;  // that show the seat what it saw

    // While what was seen is followed: after a count that did not finish, so many paths are left to Z3, twice as many each time.
    std::size_t left_to_z3 = 0;
    std::size_t left_each_time = 1;

    // Deciding what is possible.
    struct Claim;
    Z3Session& session(Path& path);
    Truth lies_there(Path& path, PlaceId place, KindId kind);
    Truth is_there(Path& path, const HiddenThing& thing, std::int32_t value);
    bool is_met(Path& path, Truth claim);
    bool keep_world(Path& path);
    Answer count_whether(const UnknownTable& path, std::vector<Truth> conditions, Work& budget, const Deadline& until);
    Answer anything_fits(const UnknownTable& path);
    Answer ask(Path& path, Truth claim, Work& budget, std::uint64_t most, const Deadline& until);
    using OpenClaims = std::vector<std::pair<Claim*, Truth>>;
    void note_found(Path& path, const std::vector<int>* world, OpenClaims& open);
    void find_worlds(std::uint64_t most, const Deadline& until);
    void decide_on(Path& path, OpenClaims open, Work& budget, bool ask_again, const Deadline& until);
    void decide(Knowledge& k, std::uint64_t most, bool ask_again, const Deadline& until);
    const Knowledge& possibilities(const Deadline& until);
    WhyNot why_not(const std::function<Truth(Path&)>& claim);
    class Reasons;
    Path::Tracked& tracked(Path& path);
    void begin_tracked(Path& path, unsigned z3_steps);
    bool is_own_move(const Condition& c) const;

    // Counting. `Asked`: things and values (indices into the knowledge) whose shares are computed in one pass.
    struct Asked {
        std::vector<std::pair<std::size_t, std::size_t>> of;
    };
    std::vector<Asked> asked_of(Knowledge& k);
    std::vector<Terms::Int> numbers_of(const Knowledge& k, const Path& path, const Asked& asked) const;
    void add_share(Knowledge& k, const Asked& asked, const std::vector<Value>& combination, const Rational& weight) const;
    void clear_shares(Knowledge& k, bool wanted) const;
    const CountModel& simple_model(Path& path, bool weighed);
    CountModel model_of(Path& path, CountOrder order, bool weighed = true);
    Limit not_counted_because(const Counter& counter) const;
    bool note_alike(Path& path) const;
    void order_kinds(std::uint64_t most, const Deadline& until);
    bool count_with(Path& path, CountOrder order, CountLimits most);
    void count(Path& path, std::uint64_t most, const Deadline& until);
    bool count_quickly(Knowledge& k, const Deadline& until);
    bool count_paths(Knowledge& k, std::uint64_t most, const Deadline& until);
    void list_things(Knowledge& k);
    bool share(Knowledge& k);
    void take_from_counts(Knowledge& k) const;
    void tell_undecided(Knowledge& k) const;
    // What a world tells of a hidden place: a part of it, or all.
    struct Spot {
        PlaceId place;
        std::size_t part;
        bool in_row;  // the part is a card of a row
    };
    static constexpr std::size_t all_parts = -1;
    bool is_row(PlaceId place) const;
    bool has_order(PlaceId row) const;
    std::vector<Spot> spots() const;
    Terms::Int count_at(const Path& path, const Spot& spot, KindId kind);
    std::vector<std::pair<FactId, std::int32_t>> open_facts() const;
    std::optional<Terms::Int> value_of(const Path& path, FactId fact, std::int32_t index) const;
    bool rows_have_orders() const;
    Limit orders_differ() const;
    Worlds& worlds(const Deadline& until);
    void count_worlds(Knowledge& k, const Deadline& until);

    // Estimating.
    bool estimate(Knowledge& k, std::uint64_t most, const Deadline& until);
    std::vector<History> found_histories(std::size_t most);
    bool walk(Knowledge& k, std::uint64_t most, const Deadline& until);
    bool thin_out(Knowledge& k, const Deadline& until);
    bool draw_pool(const std::vector<std::unique_ptr<Counter>>& counters, double total, Random& random);
    std::vector<std::pair<History, double>> pool;  // histories met while estimating, by weight

    std::optional<SeatQuestion> question;  // what the seat is asked at the end of each history, where that is known
    bool go_on_to(const SeatQuestion& asked);

    History history(const Path& path, const Counter::Assignment& assignment);
    History draw_counted(Random& random);
};

// Uniform below n, n of any size: draws 64-bit digits, and draws again if the number is too large (rejection sampling).
Integer random_below(Random& random, const Integer& n);

}  // namespace houserule
