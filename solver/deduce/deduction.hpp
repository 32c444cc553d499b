// What one seat can know: the worlds and histories that fit what it saw, how likely each thing is, and why others are out.
//
// A *world* is what lies in the places that the seat does not see, by kind, and the facts it does not see; of a stack part by part. A
// *history* is a deal with all hidden moves, each physical card apart. Its weight is the probability of all chance in it, times 1 for
// each choice of a player; under uniform play, times 1 in as many as that player had. Shares are by weight of histories; those by deals
// (deals.hpp) are worked out where they are asked for. Nothing here knows a game.
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

struct DeductionLimits {
    std::chrono::milliseconds time{10'000};  // for one question: following what was seen, or all that is known
    std::size_t states = 2'000'000;          // of the counter, and of the worlds' automaton
    CoexecutionLimits ways;
    unsigned z3_steps = 20'000'000;  // for one question
    std::size_t samples = 16;        // estimates of the shares that are made when the counter does not finish; 0: none
};

enum class Fit : std::uint8_t { fits, impossible, unknown };
enum class Method : std::uint8_t {
    exact,          // possible sets, shares and histories are exact
    sampled,        // what is possible is as exact as for `possible_only`; shares are estimates with an error
    possible_only,  // what is possible is exact; there are no shares
    unknown,        // nothing was found out: see `limits`
};

// A kind at a place, or a value of a fact.
struct Possibility {
    std::int32_t value = no_id;
    bool possible = false;
    bool certain = false;           // at least one copy, whatever the world
    std::vector<Rational> weights;  // by number of copies from 0 (a fact: not, is); empty without shares
    std::optional<Integer> worlds;  // with at least one copy
    double error = 0;               // of an estimated share: it is within this of the truth in 95 of 100 cases
    std::optional<Rational> deals;  // the weight of deals from which hidden moves can bring at least one copy there; see weigh_deals
    // The share of at least one copy, by histories.
    Rational share() const;
    Rational weight() const;  // of that
};

// A place that the seat does not see and in which something lies, or a fact that it does not see.
struct HiddenThing {
    bool is_fact = false;
    PlaceId place = no_id;
    FactId fact = no_id;
    std::int32_t index = no_id;
    Value size = 0;                   // cards there
    std::vector<Possibility> values;  // every kind or value that may be there at all, by the declarations
};

struct Knowledge {
    Method method = Method::unknown;
    Rational weight = 0;               // of all histories
    std::optional<Integer> histories;  // none: not counted, under uniform play
    std::optional<Integer> worlds;
    std::optional<Rational> deals;  // the weight of all deals that fit; see weigh_deals
    std::size_t samples = 0;        // of `sampled`: independent estimates, the spread of which is the error
    std::vector<HiddenThing> things;
    std::vector<Limit> limits;  // what was not found out, and why
};

// Why something cannot be: together these exclude it, and without any one of them it could be.
struct Reason {
    std::size_t event = 0;  // the noticed event, see Deduction::noticed
    StepId step = no_id;    // the step of the machine that requires it
};
struct WhyNot {
    Answer answer = Answer::unknown;  // `no`: excluded; `yes`: it is possible
    std::vector<Reason> reasons;      // none although excluded: all copies are where the seat sees them, or the rules alone do it
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
// The move that a history makes at the node where the run waits; `next` is its first input that was not used yet. Nothing, with
// `problem`, when none fits. The run must ask what is forced, too.
std::optional<std::uint64_t> move_of(const Run& run, const History& history, std::size_t& next, std::string& problem);
// Plays a history on numbers from the start, recording into `events`; false, with `problem`, where an input does not fit.
bool play_history(Run& run, const History& history, Events& events, std::string& problem);

class Deduction {
public:
    // `seat`: a player's, or `onlooker`.
    Deduction(std::shared_ptr<const Machine> machine, int seat, DeductionLimits limits = {});
    ~Deduction();

    // What happened since, in order: what the seat noticed counts, faces it did not see are unknown. What was seen before stays seen.
    Fit see(const Events& events);
    Fit fit() const;
    // When nothing fits: how many of the noticed events did; the next one is what does not.
    std::size_t blocked() const;
    std::size_t noticed() const;
    const Event& noticed(std::size_t i) const;
    // Why it is not known what fits: as data and in English.
    const Limit& limit() const;
    std::string problem() const;
    // All that is asked from here on is answered by then, as far as that goes; without it each question has `limits.time`.
    void finish_by(std::optional<std::chrono::steady_clock::time_point> until);
    int seat() const;
    const Machine& machine() const { return *shared_machine(); }
    const std::shared_ptr<const Machine>& shared_machine() const;

    // Worked out once for all that was seen.
    const Knowledge& knowledge();
    // Works out the shares by deals, too: of `knowledge()` what is called so. False when they are not known: its last limit says why.
    bool weigh_deals();
    // Of which deals some hidden moves lead to a table as each of these asks.
    Deals deals(const std::vector<TableQuestion>& questions);
    // Whether at least one copy of the kind lies at the place in some world.
    Answer possible(PlaceId place, KindId kind);
    WhyNot why_not(PlaceId place, KindId kind);
    // What can lie together at these hidden places, each with its share: kinds by place, ascending. Nothing without exact shares.
    using Contents = std::vector<std::vector<KindId>>;
    std::optional<std::vector<std::pair<Contents, Rational>>> together(const std::vector<PlaceId>& places);
    // The share of an expression's being true, an expression of no bound; nothing without shares.
    std::optional<Rational> share_of(ExpressionId truth_expression);
    WhyNot why_not(ExpressionId truth_expression);

    // A history, drawn by weight; of estimated shares, one of those met on the way. Nothing without shares or when nothing fits.
    std::optional<History> sample(Random& random);
    // All histories up to copies, if there are no more than `limit` ways to fill in the unknowns: with their weights. Nothing otherwise.
    std::optional<std::vector<std::pair<History, Rational>>> all_histories(std::size_t limit);
    // Worlds one by one, each a list of (place, counts by kind) of hidden places, until `f` says false; false if they cannot be listed.
    using World = std::vector<std::pair<PlaceId, std::vector<Value>>>;
    bool each_world(const std::function<bool(const World&)>& f);

private:
    struct Way;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule
