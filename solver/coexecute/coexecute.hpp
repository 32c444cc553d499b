// Symbolic execution of the machine, along what one seat saw.
//
// A table as one seat sees it becomes a state of terms: what the seat sees is constant, the rest is unknown, bound by how many cards of
// each kind there are and how many lie where. From there the machine's own steps are taken: values stay terms, a path splits where a
// condition is not known, and every event that the seat saw is required of every path. A path whose events differ from what was seen
// ends; paths that meet again and differ in nothing else are merged (path_merging.hpp). The paths that are left describe all hidden
// states that fit. It knows no game: only steps, operators and events. README.md has a worked example.
#pragma once

#include "dsl/game/placed_kind.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/seat_question.hpp"
#include "solver/coexecute/unknown_table.hpp"
#include "solver/terms/evaluator.hpp"
#include "solver/terms/limits.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace houserule {

struct CoexecutionLimits {
    std::size_t max_paths = 4096;         // live paths at a time
    std::size_t steps = 200'000;          // over all paths, from one event to the next: far above any turn of a card game
    bool uniform_play = false;            // also work out the odds of the choices, each move of a choice being equally likely
    std::uint64_t formulas = 20'000'000;  // asked for while paths are followed
    // Of those, for one condition. One that takes more is left open, see UnknownTable::is_loose. 0: none is; a deduction takes its own.
    std::uint64_t condition = 0;
    std::uint64_t asked = 2'000'000;  // formulas for one condition that somebody asks about
};

// The seat of an onlooker: nobody's, who notices what all players notice and sees what all of them see.
inline constexpr int onlooker = 15;

// Whether a seat sees what belongs to `index`: a place of a zone, a fact.
bool seen_by(Seers seers, IndexBy by, std::int32_t index, int seat);

class Coexecution {
public:
    // The table of `run` at the node where it waits, as `seat` sees it now. What the seat saw earlier is not remembered.
    Coexecution(z3::context& context, const Run& run, int seat, CoexecutionLimits limits = {});
    // The game before its first step.
    Coexecution(z3::context& context, std::shared_ptr<const Machine> machine, int seat, CoexecutionLimits limits = {});

    // Runs the machine from the beginning along `events` and stops after the last; events that the seat did not notice are skipped, faces
    // it did not see are unknown. False when a limit was hit or a step cannot be taken on unknowns: `problem` says which. If it leaves no
    // path, nothing fits, and `blocked` is the number of noticed events that could be matched.
    bool follow(const Events& events);
    // The same, from the paths at hand.
    bool go_on(const Events& events);
    // Runs on from there to where somebody outside is asked. The seat must have noticed nothing more meanwhile. Where it cannot be told
    // whether somebody had anything to choose from, `took_silence`, too.
    bool go_on_to_node();
    // The same to where the seat is asked that, or the game is over: what others decide before it, unnoticed, is part of it.
    bool go_on_to_question(const SeatQuestion& question);
    // The same where more may have happened than was told. Afterwards `took_silence`: whether the seat could have noticed something more on
    // the way, so that worlds were left out.
    bool go_on_to_node_if_silent();
    bool took_silence() const { return took_silence_; }
    // At nodes: whether others may decide something that changes a fact, and play come to the next node, before the seat notices anything.
    bool may_go_on_unseen();
    // Steps of paths, since it was made.
    std::uint64_t steps_taken() const { return steps_before_ + steps_; }
    std::uint64_t work_of_z3() const { return work_of_z3_; }  // of all questions so far
    // Drops paths whose conditions contradict each other, as far as Z3 decides that quickly.
    void prune();
    // Asked before Z3 whether anything fits a path; it may leave that to Z3.
    void ask_first(std::function<Answer(const UnknownTable&)> anything_fits) { anything_fits_ = std::move(anything_fits); }

    // What stopped it, as data and in English.
    const Limit& limit() const { return problem_; }
    std::string problem() const { return text(problem_); }
    // A deadline for following and pruning.
    void finish_by(const Deadline& until) { until_ = until; }
    const Deadline& until() const { return until_; }
    const std::vector<UnknownTable>& paths() const { return paths_; }
    // Restores paths that it had before; a limit that was hit since is none any more.
    void set_paths(std::vector<UnknownTable> paths) {
        paths_ = std::move(paths);
        problem_ = {};
    }
    std::size_t blocked() const { return furthest_; }
    // Where a limit was hit: so many events had happened before the step that could not be taken.
    std::size_t stopped_at() const { return stopped_at_; }
    // What must hold on every path, beside the path's own conditions.
    const std::vector<Truth>& always() const { return always_; }
    Terms& terms() { return terms_; }
    const Game& game() const { return game_; }
    Dealer& dealer() { return dealer_; }
    int seat() const { return seat_; }
    const Event& noticed(std::size_t i) const { return seen_[i].event; }
    std::size_t noticed() const { return seen_.size(); }

    // The number of copies of `kind` at `place` in the beginning, if this was made from a run.
    Terms::Int at_first(PlaceId place, KindId kind) const { return first_.piles[place].counts[kind]; }
    // Whether some hidden state fits in which at least one copy of `kind` lay at `place` in the beginning.
    Answer possible_at_first(PlaceId place, KindId kind);
    // The same for now.
    Answer possible_now(PlaceId place, KindId kind);
    // Whether the hidden state in the beginning can have been that of `truth`.
    Answer fits(const TableView& truth);
    // Requires of the session all that must hold on a path.
    void require(Z3Session& session, const UnknownTable& path);

    // Whether the seat sees what lies at the place.
    bool sees(PlaceId place) const;
    // Gives kinds to the cards that an expression would read on a path. False: which cards those are is not known.
    bool settle(UnknownTable& t, ExpressionId expression);
    // Whether it holds on a path; what it promises is left in the terms. Nothing where the cards that it reads are not known, where that
    // takes too many formulas, or where it is not known how things lie between the lines of a step.
    std::optional<Truth> truth(UnknownTable& t, ExpressionId truth_expression);
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
    Terms::Int unknown_fact(const Type& type, const std::string& name);
    Terms::Int unknown_count(const std::string& name, Value high);
    void mark_readers();
    bool is_stack(PlaceId place) const;
    // Of a number that was worked out: none is where a promise broke.
    bool is_a_place(Value place) const { return place >= 0 && place < game_.places; }
    bool is_ordered(PlaceId place) const;

    bool walk();
    bool advance(UnknownTable table);
    bool advance_until_cut(UnknownTable& table);
    bool waits_for_others(UnknownTable& table);
    Walk until_asked(UnknownTable& table);
    bool is_asked(UnknownTable& t);
    Walk until_own(UnknownTable& table);
    Walk until_own_if(UnknownTable& table, Truth own);
    Walk until_acting(UnknownTable& table, const Step& s);
    Walk until_drawn(UnknownTable& table, const Step& s);
    Walk until_told(UnknownTable& table, const Step& s);
    Walk until_read(UnknownTable& table, ExpressionId expression);
    Walk not_told(UnknownTable& table);
    void take_silence(const UnknownTable& before, Truth something_noticed);
    Walk counted_step(UnknownTable& table);
    void merge_waiting();
    std::size_t path_count() const;
    Walk step(UnknownTable& t);
    void part_with(UnknownTable other);
    void split(const UnknownTable& t, Truth condition, StepId pc);
    Walk branch_on(UnknownTable& t, Truth condition, StepId otherwise);
    Walk for_any(UnknownTable& t, Value first, Value end, const std::function<Walk(UnknownTable&, Value)>& take);
    Walk for_each_value(UnknownTable& t, const Terms::Int& number, Value end, const std::function<Walk(UnknownTable&, Value)>& take);
    Walk for_whoever(UnknownTable& t, ExpressionId who, Value end, const std::function<Walk(UnknownTable&, Value)>& take);
    bool keep_promises(UnknownTable& t);
    Walk stuck(LimitKind what, std::uint64_t number = 0);
    Walk too_many_values(Value most);
    Walk on(UnknownTable& t);  // to the next step

    // Cards on their way from one place or several to another.
    struct Moved {
        std::vector<Terms::Int> counts;  // by kind
        Value all = 0;
    };
    Walk put(UnknownTable& t, const Step& s);
    Walk claim(UnknownTable& t, const Step& s);
    Walk put_at(UnknownTable& t, const Step& s, PlaceId to);
    Walk put_down(UnknownTable& t, const Step& s, PlaceId to, const Moved& moved, std::optional<std::vector<Part>> laid);
    std::optional<Walk> put_unread(UnknownTable& t, const Step& s, PlaceId to);
    Walk take_from(UnknownTable& t, const Step& s, PlaceId from, PlaceId to, const std::vector<Terms::Int>& counts,
                   const std::optional<Terms::Int>& total, Moved& moved);
    std::optional<std::vector<Part>> kinds_ascending(const Moved& cards, bool needed);
    std::optional<std::vector<Part>> as_they_lay(PlaceId from, const std::vector<Part>& parts, const std::vector<Terms::Int>& order,
                                                 const Moved& cards, bool needed);
    std::optional<std::vector<Part>> some_as_they_lay(const std::vector<Terms::Int>& kinds, const Moved& cards);
    std::optional<std::vector<Terms::Int>> kinds_of(const std::vector<Part>& laid);
    std::optional<Walk> put_stacks_in_order(UnknownTable& t, const std::vector<PlaceId>& places, PlaceId to, std::uint8_t mode);
    std::optional<std::size_t> part_of_named(const UnknownTable& t, VariableId named, PlaceId from, const std::vector<Terms::Int>& counts);
    void rename_moved(UnknownTable& t, const Step& s, PlaceId to, const Moved& moved);
    // Of the copies of a kind at a place: whether all of them left; or some, but not all.
    struct Gone {
        Truth all;
        Truth some;
    };
    bool may_have_gone(const Content<Terms>& cards, PlaceId place);
    bool is_surely_at(const Content<Terms>& cards, PlaceId place);
    std::function<Gone(KindId)> gone_by_draw(const UnknownTable& t, PlaceId place, std::optional<KindId> kind);
    // Cards left a place: names of cards there that are still read go with them, but for those of the same card as `named`. False where
    // it is not known which of several copies one names.
    bool names_follow(UnknownTable& t, VariableId named, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone,
                      std::size_t part = 0);
    void unread_follow(UnknownTable& t, const Part& moved, PlaceId from, PlaceId to);
    bool card_follows(UnknownTable& t, Card<Terms>& card, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone);
    bool cards_follow(UnknownTable& t, Cards<Terms>& cards, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone);
    bool may_be(const UnknownTable& t, Truth condition);
    std::vector<Terms::Int> present_counts(const UnknownTable& t, PlaceId place) const;
    // `name` now names what `other` does; none: something else than before.
    void name_anew(UnknownTable& t, VariableId name, VariableId other) const;
    static bool are_same(const UnknownTable& t, VariableId a, VariableId b);
    bool is_rest_of(const UnknownTable& t, VariableId rest, VariableId named) const;
    void mark_live_names();
    // Those of unread cards that are never read after this step.
    void drop_dead_names(UnknownTable& t) const;
    bool come_in_order(const UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to) const;
    Walk put_whole(UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to);
    void note_between_lines(UnknownTable& t, bool is_known);
    std::optional<Walk> put_kinds(UnknownTable& t, const Step& s, PlaceId to);
    Walk shuffle(UnknownTable& t, const Step& s);
    Walk set_fact(UnknownTable& t, const Step& s);
    Walk set_fact_of(UnknownTable& t, const Step& s, Value index);
    Walk choose(UnknownTable& t, const Step& s);
    Walk choose_as(UnknownTable& t, const Step& s, Value seat);
    std::optional<Walk> consent(UnknownTable& t, const Step& s, bool own, bool visible, const Seen* noted);
    bool comes_again(StepId step);
    Walk choose_one(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk choose_card(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    Walk choose_seen_card(UnknownTable& t, const Step& s, const Seen& seen, std::optional<PlaceId> source);
    Walk choose_any_card(UnknownTable& t, const Step& s, std::optional<PlaceId> source, const std::vector<KindId>& followed);
    Walk choose_many(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    // How many may be chosen.
    struct Sizes {
        Terms::Int low;
        Terms::Int high;
    };
    // What is on other paths already: that it was just these, or any of that number.
    struct Followed {
        std::map<KindId, Value> kinds;
        std::optional<Value> any_so_many;
        bool none() const { return kinds.empty() && !any_so_many; }
    };
    Walk choose_cards(UnknownTable& t, const Step& s, const Seen* seen, bool visible);
    std::optional<Walk> choose_unseen_cards(UnknownTable& t, const Step& s, PlaceId source, bool unfiltered, const Sizes& sizes,
                                            Followed& followed);
    Walk choose_any_cards(UnknownTable& t, const Step& s, const Seen* seen, std::optional<PlaceId> source, const Sizes& sizes,
                          const Followed& followed);
    bool count_picks(UnknownTable& t, const Terms::Int& there, const Terms::Int& picked);
    bool lacks(UnknownTable t, Truth none, StepId otherwise);
    bool pick_unread(UnknownTable& t, const Step& s, PlaceId place, Value size);
    Walk ask(UnknownTable& t, const Step& s);
    Walk ask_as(UnknownTable& t, const Step& s, Value seat);
    Walk as_told(UnknownTable& t, ExpressionId place, std::int32_t told);
    Walk draw(UnknownTable& t, const Step& s);
    Walk report(UnknownTable& t, const Step& s);
    Walk told(UnknownTable& t, const Step& s);
    Walk card_falls(UnknownTable& t, const Step& s, PlacedKind shown);
    Walk card_falls(UnknownTable& t, const Step& s, const Cards<Terms>& cards, PlaceId place, PlacedKind shown);
    Walk value_falls(UnknownTable& t, const Step& s, Value value, bool seen);
    Terms::Int weight_of(UnknownTable& t, const Step& s, Value value);
    Walk window(UnknownTable& t, const Step& s);
    Walk show(UnknownTable& t, const Step& s);
    bool note_shown(UnknownTable& t, bool moves);
    Walk says(UnknownTable& t, const Step& s);
    Walk ended(UnknownTable& t, const Step& s);
    Walk promise(UnknownTable& t, const Step& s);
    Walk agree(UnknownTable& t, const Overlap& overlap);
    void settle_arms(UnknownTable& t, const Overlap& overlap);
    bool try_out(const UnknownTable& t, const Overlap::Way& way, std::vector<UnknownTable>& left);
    bool go_on_untold(UnknownTable table, const Overlap::Way& way, std::vector<UnknownTable>& left);
    Walk put_untold(UnknownTable& t, const Step& s, PlaceId to);
    template <class F>
    void each_of(const UnknownTable& t, const std::vector<Terms::Int>& numbers, std::vector<Value>& are, F f);
    template <class F>
    void each_unknown_of(const UnknownTable& t, const std::vector<Terms::Int>& numbers, std::vector<Value>& are, F f);
    // Whether what two paths leave is the same, where both are taken; nothing if that cannot be told.
    std::optional<Truth> come_to_the_same(const UnknownTable& was, const UnknownTable& a, const UnknownTable& b);
    std::optional<Truth> lie_alike(const UnknownTable& a, const UnknownTable& b, PlaceId place);
    Truth is_same_content(const Content<Terms>& a, const Content<Terms>& b);
    Walk add_element(UnknownTable& t, const Step& s);
    bool is_no_longer(const UnknownTable& t, PlaceId place) const;
    bool stays(UnknownTable& t, PlaceId from, PlaceId to) const;
    void split_where_empty(const UnknownTable& t, const Step& s, const Terms::Int& places);
    static void begin_of_another(UnknownTable& t);
    Walk copy_slot(UnknownTable& t, const Step& s);
    void forget_name(UnknownTable& t, VariableId name);
    Walk next_player(UnknownTable& t, const PlayerLoop& loop);
    Walk next_element(UnknownTable& t, const Step& s);
    bool assign(UnknownTable& t, VariableId variable, ExpressionId expression);
    bool reset(UnknownTable& t, FactId fact);

    bool settle_place(UnknownTable& t, PlaceId place);
    bool settle_cards(UnknownTable& t, ExpressionId expression, bool contents);
    bool settle_shared(UnknownTable& t, ExpressionId a, ExpressionId b);
    bool settle_order(UnknownTable& t, PlaceId place);
    bool may_split(UnknownTable& t, ExpressionId cards);
    bool settle_filter(UnknownTable& t, ExpressionId options);
    std::vector<PlaceId> places_of(UnknownTable& t, ExpressionId expression);
    std::optional<std::vector<ZoneId>> plain_zones(ExpressionId expression) const;
    Terms::Int kind_of_all(const Part& part);
    std::optional<UnknownTable> without_event(const UnknownTable& t, EventKind kind, PlaceId from, PlaceId to,
                                              const std::map<PlaceId, std::vector<Terms::Int>>& sources,
                                              const std::optional<Terms::Int>& total);
    bool is_told(PlaceId from, PlaceId to, std::uint8_t mode) const;
    std::optional<Truth> nothing_to_choose(UnknownTable& t, const Step& s);
    Step with_open_options(UnknownTable& t, const Step& s, bool noted);
    std::optional<Terms::Int> outcomes(UnknownTable& t, const Step& s);
    std::optional<std::vector<Truth>> fitting_sets(UnknownTable& t, const Step& s);
    std::optional<Truth> no_set_fits(UnknownTable& t, const Step& s);
    bool one_of_fitting(UnknownTable& t, const Step& s);
    Walk unseen_lot(UnknownTable& t, const Step& s);
    // Whether it is settled what there is to pick from.
    bool is_known(const Set<Terms>& options);
    // The value is one of these. Where nobody saw which, and all of them are known, that is no news: no reason names it.
    bool requires_of_options(UnknownTable& t, const Set<Terms>& options, const Terms::Int& value, const Seen* seen);
    bool fits_whole(UnknownTable& t, const Step& s);
    bool only_own_choices_from(std::size_t seen) const;
    bool has_chosen_unheard(UnknownTable& t, const Step& s);
    Walk all_chose(UnknownTable& t);
    VariableId name_of_cards(ExpressionId expression) const;
    bool put_follows(StepId pc, VariableId variable) const;
    bool may_be_of(const Event& event, PlaceId place, VariableId variable) const;
    // Under uniform play, divide the odds of a path where the condition holds: by a number of moves; by the number of different cards; by
    // the number of sets of `low` to `high` elements. False when that number is not known.
    bool one_in(UnknownTable& t, Truth when, const Terms::Int& moves);
    bool one_in_picks(UnknownTable& t, const Terms::Int& of, Value n);
    bool one_of(UnknownTable& t, const Cards<Terms>& options);
    bool one_of_sets(UnknownTable& t, const std::vector<Terms::Int>& counts, std::optional<Value> size, const Terms::Int& low,
                     const Terms::Int& high);
    bool one_of_sets(UnknownTable& t, const Cards<Terms>& options, const Terms::Int& low, const Terms::Int& high);
    bool one_of_sets(UnknownTable& t, const Set<Terms>& options, const Terms::Int& low, const Terms::Int& high);
    bool may_be_some_copies(ExpressionId options, KindId kind) const;
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
    class ShownFaces;
    bool work_out(const UnknownTable& t, const std::function<void()>& f);
    bool was_too_large();
    Truth left_open(UnknownTable& t);
    std::optional<Truth> open_if_too_large(UnknownTable& t);
    std::optional<Truth> condition(UnknownTable& t, const std::function<std::optional<Truth>()>& worked_out);
    std::optional<Truth> condition(UnknownTable& t, ExpressionId truth_expression);
    std::optional<Terms::Int> number(UnknownTable& t, const Type& type, ExpressionId expression, std::optional<Value> told);
    Terms::Int& number(UnknownTable& t, VariableId variable) { return std::get<Terms::Int>(t.state.variables[variable]); }
    std::vector<FactSlot<Terms>>& fact_slots(UnknownTable& t, FactId fact) { return (t.effects ? t.facts_now : t.state.facts)[fact]; }
    Answer possible(const std::vector<Truth>& also, const UnknownTable& path, unsigned z3_steps = 0);

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
    Store<ExpressionId, bool> reads_cards_;   // by expression: it or a part of it reads what lies somewhere, or a variable of cards
    Store<VariableId, bool> is_read_;         // by variable: some step reads it
    Store<ExpressionId, bool> has_bound_;     // by expression: it has a comprehension variable
    std::vector<VariableId> card_names_;      // the variables of a card or of cards
    Value sets_inside_ = 1;                   // of what is read: sets that are judged at most, of splits inside splits their product
    Store<StepId, std::vector<bool>> live_;   // by step, then as in `card_names_`: whether its value may still be read from there on
    std::map<StepId, bool> again_;            // what `comes_again` found
    std::map<StepId, Leaving> left_at_;       // by step that moves a card by its name: the end at which the card was named
    std::vector<UnknownTable> paths_;         // paths that have followed all events
    std::vector<UnknownTable> open_;          // paths that are not there yet
    std::vector<UnknownTable> before_heard_;  // paths that end where the seat would have heard what others said together with it
    // Paths that split at a step wait for each other at its immediate post-dominator, to be merged there. Meetings are nested: the paths
    // of the last one are those in `open_` behind the first `others`, and are taken first.
    struct MergePoint {
        StepId join = no_id;
        std::size_t others = 0;
        std::vector<UnknownTable> there;
    };
    std::vector<MergePoint> merge_points_;
    Store<StepId, StepId> post_dominators_;
    bool to_node_ = false;
    std::optional<SeatQuestion> to_question_;  // to that node of the seat's own
    bool asks_silence_ = false;                // whether silence rules out a world is to be known
    bool took_silence_ = false;
    bool untold_ = false;             // an arm is tried out: nothing is told
    std::set<PlaceId> moved_untold_;  // from and to where it moves cards
    std::size_t goal_ = 0;            // events to be followed
    std::size_t steps_ = 0;           // since then
    std::uint64_t steps_before_ = 0;  // up to the last event that was reached
    std::uint64_t work_of_z3_ = 0;
    std::size_t furthest_ = 0;
    std::size_t stopped_at_ = 0;
    Limit problem_;
    Deadline until_;
    std::function<Answer(const UnknownTable&)> anything_fits_;
    std::uint64_t followed_built_ = 0;             // formulas, by the paths of now
    std::optional<std::uint64_t> condition_ends_;  // the count of formulas at which a condition is left open
    std::map<StepId, unsigned> left_open_;         // how often one of a step was
};

}  // namespace houserule
