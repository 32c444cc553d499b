// The machine run on unknowns, along what one seat saw.
//
// A table as one seat sees it becomes a state of terms: what it sees is constant, what it does not is unknown, bound by how many
// cards of each kind there are and how many lie where. From there the machine's own steps are taken: values stay terms, control
// forks where a condition is not known, and every event that the seat saw is required of every fork; a fork whose events differ from
// what was seen ends, and forks that come together again with nothing else to tell them apart go on as one. What is left describes all
// hidden states that fit. It knows no game: only steps, operators and events.
#pragma once

#include "dsl/meaning/operators.hpp"
#include "interpreter/run/run.hpp"
#include "solver/coexecute/unknown_table.hpp"
#include "solver/terms/limits.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace houserule {

struct CoexecutionLimits {
    std::size_t forks = 4096;     // ways at a time
    std::size_t steps = 200'000;  // steps over all ways: far above any turn of a card game
    bool uniform_play = false;    // what it takes for each choice to weigh as 1 in as many as the chooser had is worked out, too
};

// No player's seat: whoever looks on from here notices what all players notice, and sees what all of them see.
inline constexpr int onlooker = 15;

// Whether a seat sees what belongs to `index`: a place of a zone, a fact.
bool seen_by(Seers seers, IndexBy by, std::int32_t index, int seat);

class Coexecution {
public:
    // The table of `run` at the node where it waits, as `seat` sees it now. What the seat saw earlier is not remembered.
    Coexecution(z3::context& context, const Run& run, int seat, CoexecutionLimits limits = {});
    // The game before its first step.
    Coexecution(z3::context& context, std::shared_ptr<const Machine> machine, int seat, CoexecutionLimits limits = {});

    // Takes the machine along `events` (those that happened since; what the seat did not notice is skipped, faces it did not see are
    // unknown) and stops after the last. False when a limit was hit or a step cannot be taken on unknowns: `problem` says which.
    // No way left: nothing fits, and `blocked` is how many of the noticed events could be used.
    bool follow(const Events& events);
    // The same from where it stands.
    bool go_on(const Events& events);
    // From there on to where somebody outside is asked, for events that say all that was noticed until then.
    bool go_on_to_node();
    // Ends the ways that cannot be, as far as Z3 decides it soon.
    void prune();

    // What stood in the way, as data and in English.
    const Limit& limit() const { return problem_; }
    std::string problem() const { return text(problem_); }
    // Following and pruning are over by then.
    void finish_by(std::chrono::steady_clock::time_point until) { until_ = until; }
    const std::vector<UnknownTable>& ways() const { return ways_; }
    // To go on from ways that it had.
    void set_ways(std::vector<UnknownTable> ways) { ways_ = std::move(ways); }
    std::size_t blocked() const { return furthest_; }
    // What must hold beside the ways' own conditions.
    const std::vector<Truth>& always() const { return always_; }
    Terms& terms() { return terms_; }
    const Game& game() const { return game_; }
    Dealer& dealer() { return dealer_; }
    int seat() const { return seat_; }
    const Event& noticed(std::size_t i) const { return seen_[i].event; }
    std::size_t noticed() const { return seen_.size(); }

    // How many copies of `kind` lay at `place` in the beginning, if it began at a run.
    Terms::Int at_first(PlaceId place, KindId kind) const { return first_.piles[place].counts[kind]; }
    // Whether some hidden state fits in which at least one copy of `kind` lay at `place` in the beginning.
    Answer possible_at_first(PlaceId place, KindId kind);
    // The same for now.
    Answer possible_now(PlaceId place, KindId kind);
    // Whether some hidden state fits in which the beginning was just as `truth` is.
    Answer fits(const TableView& truth);
    // All that must hold on a way, for Z3.
    void require(Z3Session& session, const UnknownTable& way);

    // Whether the seat sees what lies at the place.
    bool sees(PlaceId place) const;
    // Gives kinds to what an expression would read on a way. False: it cannot be told.
    bool settle(UnknownTable& t, ExpressionId expression);
    Evaluator<Terms> evaluator(UnknownTable& t) { return Evaluator<Terms>(terms_, game_, t.state); }

private:
    enum class Walk { next, dead, done, stuck };
    struct Seen {
        Event event;
        bool faces;
    };

    void make_unknown(const TableView& run);
    void copy_known(const TableView& run);
    void name_cards(const TableView& run);
    Card<Terms> named_card(const TableView& run, std::int32_t piece, const std::string& name);
    Cards<Terms> named_cards(const TableView& run, const std::vector<std::int32_t>& pieces, const std::string& name);
    Terms::Int unknown_count(const std::string& name, Value high);
    void mark_readers();
    bool is_stack(PlaceId place) const;

    bool walk();
    bool advance(UnknownTable table);
    void join_ways();
    std::size_t way_count() const;
    Walk step(UnknownTable& t);
    void fork(const UnknownTable& t, Truth condition, StepId pc);
    Walk branch_on(UnknownTable& t, Truth condition, StepId otherwise);
    Walk stuck(LimitKind what);

    Walk put(UnknownTable& t, const Step& s);
    Walk put_whole(UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to);
    std::optional<Walk> put_kinds(UnknownTable& t, const Step& s, PlaceId to);
    Walk shuffle(UnknownTable& t, const Step& s);
    Walk set_fact(UnknownTable& t, const Step& s);
    Walk choose(UnknownTable& t, const Step& s);
    Walk choose_one(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk choose_card(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk choose_many(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk choose_cards(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk ask(UnknownTable& t, const Step& s);
    Walk draw(UnknownTable& t, const Step& s);
    Walk report(UnknownTable& t, const Step& s);
    Walk window(UnknownTable& t, const Step& s);
    Walk show(UnknownTable& t, const Step& s);
    Walk next_player(UnknownTable& t, const PlayerLoop& loop);
    Walk next_element(UnknownTable& t, const Step& s);
    bool assign(UnknownTable& t, VariableId variable, ExpressionId expression);
    bool reset(UnknownTable& t, FactId fact);

    bool settle_place(UnknownTable& t, PlaceId place);
    bool settle_cards(UnknownTable& t, ExpressionId expression, bool contents);
    bool settle_shared(UnknownTable& t, ExpressionId a, ExpressionId b);
    bool settle_end(UnknownTable& t, PlaceId place, bool last);
    bool settle_filter(UnknownTable& t, ExpressionId options);
    std::vector<PlaceId> places_of(UnknownTable& t, ExpressionId expression);
    std::optional<std::vector<ZoneId>> plain_zones(ExpressionId expression) const;
    Terms::Int kind_of_one(const std::vector<Terms::Int>& counts);
    bool is_told(PlaceId from, PlaceId to) const;
    std::optional<Truth> nothing_to_choose(UnknownTable& t, const Step& s);
    bool only_own_choices_from(std::size_t seen) const;
    VariableId name_of_cards(ExpressionId expression) const;
    bool put_follows(StepId pc, VariableId variable) const;
    bool may_be_of(const Event& event, PlaceId place, VariableId variable) const;
    // Under uniform play: the way weighs 1 in so many where the condition holds; as many as there are cards that differ; as there are
    // sets of `low` to `high`. False when that is not known.
    bool one_in(UnknownTable& t, Truth when, const Terms::Int& moves);
    bool one_in_picks(UnknownTable& t, const Terms::Int& of, Value n);
    bool one_of(UnknownTable& t, const Cards<Terms>& options);
    bool one_of_sets(UnknownTable& t, const std::vector<Terms::Int>& counts, std::optional<Value> size, const Terms::Int& low,
                     const Terms::Int& high);
    bool one_of_sets(UnknownTable& t, const Cards<Terms>& options, const Terms::Int& low, const Terms::Int& high);
    bool one_of_sets(UnknownTable& t, const Set<Terms>& options, const Terms::Int& low, const Terms::Int& high);
    bool choose_kind(UnknownTable& t, const Step& s, PlaceId place, KindId kind);
    bool choose_kinds(UnknownTable& t, const Step& s, KindId place, const std::map<KindId, Value>& kinds);
    std::optional<std::vector<PlaceId>> whole_places(UnknownTable& t, ExpressionId expression);
    std::optional<PlaceId> source_of(UnknownTable& t, ExpressionId options);
    struct KindsAt {
        PlaceId place = no_id;
        std::vector<bool> kinds;
    };
    std::optional<KindsAt> kinds_at(UnknownTable& t, ExpressionId expression);
    bool require_faces(UnknownTable& t, const std::vector<Terms::Int>& counts, const Event& event);
    bool require_noted(UnknownTable& t, const Seen* seen, const std::vector<Terms::Int>& counts, const std::optional<Terms::Int>& total);
    bool require(UnknownTable& t, Truth condition) { return dealer_.require(t, condition); }
    const Seen* next_seen(const UnknownTable& t) const { return t.seen < seen_.size() ? &seen_[t.seen] : nullptr; }
    std::optional<Value> known(const Terms::Int& i) const { return i.is_constant() ? std::optional(i.low()) : std::nullopt; }
    std::optional<Value> known_number(UnknownTable& t, ExpressionId expression);
    Terms::Int& number(UnknownTable& t, VariableId variable) { return std::get<Terms::Int>(t.state.variables[variable]); }
    std::vector<FactSlot<Terms>>& fact_slots(UnknownTable& t, FactId fact) { return (t.effects ? t.facts_now : t.state.facts)[fact]; }
    Answer possible(const std::vector<Truth>& also, const UnknownTable& way, unsigned z3_steps = 0);

    std::shared_ptr<const Machine> kept_;
    const Machine& machine_;
    const Game& game_;
    int seat_;
    CoexecutionLimits limits_;
    Terms terms_;
    Unknowns unknowns_;
    Dealer dealer_;
    UnknownTable start_;
    PlainState<Terms> first_;
    std::vector<Truth> always_;
    std::vector<Seen> seen_;
    Store<ExpressionId, bool> reads_cards_;  // by expression: it or a part of it reads what lies somewhere, or a variable of cards
    Store<VariableId, bool> is_read_;        // by variable: some step reads it
    Store<ExpressionId, bool> has_bound_;    // by expression: a part of it is an element that a comprehension stands at
    std::vector<UnknownTable> ways_;         // that have followed all events
    std::vector<UnknownTable> open_;         // still on their way
    // Ways that parted at a step wait for each other where they come together. Those of the last meeting come first: they are in
    // `open_` behind the first so many.
    struct Meeting {
        StepId join = no_id;
        std::size_t others = 0;
        std::vector<UnknownTable> there;
    };
    std::vector<Meeting> meetings_;
    Store<StepId, StepId> joins_;
    bool to_node_ = false;
    std::size_t goal_ = 0;  // how many events are followed before the ways wait for each other
    std::size_t steps_ = 0;
    std::size_t furthest_ = 0;
    Limit problem_;
    std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace houserule
