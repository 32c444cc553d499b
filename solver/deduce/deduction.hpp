// What one seat can know: the worlds and histories that fit what it saw, how likely each thing is, and why others are out.
//
// A *world* is what lies at the places that the seat does not see, by kind (of a stack, part by part), and the facts it does not see. A
// *history* is a deal with all hidden moves, physical cards told apart. Its weight is the probability of all chance in it; under uniform
// play also that of each choice, a player's moves being equally likely. Shares are by weight of histories; shares by deals (deals.hpp)
// are computed on request. Nothing here knows a game.
#pragma once

#include "interpreter/log/log.hpp"
#include "solver/coexecute/coexecute.hpp"
#include "solver/count/counter.hpp"
#include "solver/deduce/deals.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

// Work is counted in steps, about a million a second, so that every machine finds the same; the clock only cuts it short.
struct DeductionLimits {
    std::chrono::milliseconds time{10'000};   // for each question: following what was seen, or working out all that is known
    std::uint64_t work = 10 * work_a_second;  // for working out all that is known, and as much again for reasons
    std::size_t states = 2'000'000;           // of the counter, and of the worlds' automaton
    CoexecutionLimits paths;
    unsigned z3_steps = 20'000'000;  // for one question to Z3
    std::size_t samples = 16;        // when the counter does not finish and no walk can begin: estimates of the shares; 0: neither
    // Why histories have no weights that are known: then only what is possible is worked out.
    std::optional<Limit> unweighed = {};
    const Stop* stop = nullptr;  // ends every query
};

// What the events are that a deduction is given: all that the seat noticed up to where somebody is asked, as a log has them, or those that
// were told so far, as at a real table. Then nothing follows from it that nothing more was told. Or those up to where more was seen that
// cannot be followed: then all that is known is how things lay when the last of them had happened.
enum class Told : std::uint8_t { up_to_question, so_far, as_far_as_followed };

// How far what was seen goes, and, where the seat knows that, what it is asked there, or that the game is over: then what others have
// decided meanwhile, unnoticed, is part of what fits. Else it is known how things lay when somebody was asked first.
struct SeenTo {
    Told told = Told::up_to_question;
    std::optional<SeatQuestion> question = {};
};

enum class Fit : std::uint8_t { fits, impossible, unknown };
enum class Method : std::uint8_t {
    exact,          // possible sets, shares and histories are exact
    sampled,        // shares are estimates with an error; what is possible is exact where it was decided
    possible_only,  // there are no shares; what is possible is exact where it was decided
    unknown,        // nothing was found out: see `limits`
};

// What can be known about one kind of card at a place, or one value of a fact. `unknown` is never more than that: work or time ran out.
struct Possibility {
    std::int32_t value = no_id;
    Answer possible = Answer::unknown;  // `yes`: a world was found in which at least one copy lies there; `no`: there is none
    Answer certain = Answer::unknown;   // `yes`: there is no world without one; `no`: such a world was found
    std::vector<Rational> weights;      // by number of copies, from 0 (of a fact: of other values, of this one); empty without shares
    std::optional<Integer> worlds;      // how many have at least one copy there
    double error = 0;                   // of an estimated share: half the width of its 95 % interval
    std::optional<Rational> deals;      // the weight of deals from which hidden moves can bring at least one copy there; see weigh_deals
    bool is_decided() const { return possible != Answer::unknown; }
    // The share of histories with at least one copy there.
    Rational share() const;
    Rational weight() const;  // of those histories
};

// A place that the seat does not see and in which something lies, or a fact that it does not see.
struct HiddenThing {
    bool is_fact = false;
    PlaceId place = no_id;
    FactId fact = no_id;
    std::int32_t index = no_id;
    Value size = 0;                   // the number of cards there
    std::vector<Possibility> values;  // every kind or value that the declarations allow
};

struct Knowledge {
    Method method = Method::unknown;
    Rational weight = 0;               // of all histories
    std::optional<Integer> histories;  // none: not counted
    std::optional<Integer> worlds;
    std::optional<Rational> deals;  // the weight of all deals that fit; see weigh_deals
    std::size_t samples = 0;        // for `sampled`: the number of independent estimates or walks, whose spread gives the errors
    std::vector<HiddenThing> things;
    std::vector<Limit> limits;  // what was not found out, and why
};

// One of the conditions that exclude something, together a minimal unsatisfiable set of events. What the seat itself chose is taken for
// granted and is no reason, and so are what no table can be without (that cards which leave a place lay there), the values that facts and
// cards were seen to have, once something else is worked out from them, and what another event would have shown.
struct Reason {
    std::size_t event = 0;  // the noticed event, see Deduction::noticed
    StepId step = no_id;    // the step of the machine that requires it
};
struct WhyNot {
    Answer answer = Answer::unknown;  // `no`: excluded; `yes`: it is possible
    std::vector<Reason> reasons;      // none although excluded: what the seat sees and did itself, and the rules, exclude it at once
    bool found = true;                // false: it is excluded, but the search for reasons was cut
    bool irreducible = true;          // without any one event of the reasons it would be possible; false: not tried for all of them
};

// A history that fits, in full: what everybody and chance did.
struct HistoryInput {
    StepId step = no_id;
    bool consent = false;
    std::vector<std::int32_t> values;  // as Run::move_for takes them; of a window: its mask; for consents and offers: 0 or 1
};
struct History {
    std::vector<HistoryInput> inputs;
};
// The move that a history makes at the node where the run waits; `next` is the index of its first unused input, and is advanced. Nothing,
// with `problem`, when no move fits. The run must also ask forced choices (Run::ask_forced).
std::optional<std::uint64_t> move_of(const Run& run, const History& history, std::size_t& next, std::string& problem);
// Plays a history on numbers from the start, recording into `events`; false, with `problem`, where an input does not fit.
bool play_history(Run& run, const History& history, Events& events, std::string& problem);
// How many of the events the seat notices.
std::size_t noticed_of(const Events& events, int seat);

class Deduction;
// A run at the end of a history that fits what was seen; null if there is none.
std::unique_ptr<Run> run_at_witness(Deduction& deduction);

class Deduction {
public:
    // `seat`: a player's, or `onlooker`.
    Deduction(std::shared_ptr<const Machine> machine, int seat, DeductionLimits limits = {});
    ~Deduction();

    // Adds events that happened since the last call. Only what the seat noticed of them counts; faces it did not see are unknown.
    Fit see(const Events& events, const SeenTo& to = {});
    Fit see(const Events& events, Told told) { return see(events, SeenTo{told}); }
    Fit fit() const;
    // Whether it was followed to the question that was given: else what others may have decided unseen before it is not part of it.
    bool is_at_question() const;
    // Where it was followed to where somebody was first asked: whether what fits may have changed since, as others decided unseen.
    bool may_have_gone_on() const;
    // Told so far: whether the seat may have noticed something since, before anybody is asked.
    bool may_be_told_more() const;
    // When nothing fits: the index of the first noticed event that does not.
    std::size_t blocked() const;
    // When it is not known what fits: so many noticed events had happened before the step that could not be taken.
    std::size_t stopped_at() const;
    std::size_t noticed() const;
    const Event& noticed(std::size_t i) const;
    // Why it is not known what fits, or why it was not followed to the question: as data and in English.
    const Limit& limit() const;
    std::string problem() const;
    // Deadline for later queries, at which they return what is known so far; without it each query has `limits.time`.
    void finish_by(const std::optional<Deadline>& until);
    // All steps of work since it was made: following what was seen, deciding, counting, reasons. The same everywhere.
    std::uint64_t work() const;
    int seat() const;
    const Machine& machine() const { return *shared_machine(); }
    const std::shared_ptr<const Machine>& shared_machine() const;

    // What is possible and what is certain: decided before there is a long count, so without shares unless few states give them. Once after
    // each `see`.
    const Knowledge& possibilities();
    // All that can be known; computed once after each `see`. Deciding and counting each have a part of the work that is their own.
    const Knowledge& knowledge();
    // Fills the members of `knowledge()` called `deals`. False when they could not be computed: its last limit says why.
    bool weigh_deals();
    // The weight of the deals from which hidden moves can lead to a table for which the answer is yes, for each question.
    Deals deals(const std::vector<TableQuestion>& questions);
    // Whether at least one copy of the kind lies at the place in some world.
    Answer possible(PlaceId place, KindId kind);
    WhyNot why_not(PlaceId place, KindId kind);
    // The joint distribution of what lies at these hidden places: kinds by place, ascending, with shares. Nothing without exact shares.
    using Contents = std::vector<std::vector<KindId>>;
    std::optional<std::vector<std::pair<Contents, Rational>>> together(const std::vector<PlaceId>& places);
    // The share of histories in which an expression without free comprehension variables is true; nothing without shares.
    std::optional<Rational> share_of(ExpressionId truth_expression);
    WhyNot why_not(ExpressionId truth_expression);
    // Where a promise of such an expression breaks, as far as that is decided: there it is neither true nor false.
    enum class Breaks { in_no_world, in_some_world, in_every_world };
    Breaks breaks(ExpressionId truth_expression);

    // A random history, by weight; if shares are estimates, one met while estimating. Nothing without shares or when nothing fits.
    std::optional<History> sample(Random& random);
    // One that fits, not each as likely as it is, where `sample` gives none; nothing if none was found.
    std::optional<History> any_history(Random& random);
    // A history that fits, without chance: met while deciding what is possible, or by `sample`. Nothing when none was found.
    std::optional<History> witness();
    // All histories with their weights, those that differ only in copies as one. Nothing if there are more than `limit` assignments.
    std::optional<std::vector<std::pair<History, Rational>>> all_histories(std::size_t limit);
    // What lies hidden, and what the facts are that are things of the knowledge.
    struct World {
        std::vector<std::pair<PlaceId, std::vector<Value>>> places;  // a place and its counts by kind; of a stack part by part
        std::vector<std::pair<const HiddenThing*, Value>> facts;     // a thing of the knowledge, and its value
        auto operator<=>(const World&) const = default;
    };
    // Calls f for each world until f says false. False if worlds cannot be listed.
    bool each_world(const std::function<bool(const World&)>& f);

private:
    struct Path;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule
