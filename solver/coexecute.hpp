// The machine run on unknowns, along what one seat saw.
//
// A table as one seat sees it becomes a state of terms: what it sees is constant, what it does not is unknown, bound by how many
// cards of each kind there are and how many lie where. From there the machine's own steps are taken: values stay terms, control
// forks where a condition is not known, and every event that the seat saw is required of every fork; a fork whose events differ from
// what was seen ends. What is left describes all hidden states that fit. It knows no game: only steps, operators and events.
#pragma once

#include "interpreter/operators.hpp"
#include "interpreter/run.hpp"
#include "solver/terms.hpp"

#include <memory>
#include <string>
#include <vector>

namespace houserule {

// A stack's part whose order is unknown, bottom part first.
struct TermPart {
    std::vector<Terms::Int> counts;  // by kind
    Value size = 0;
};

// A state of terms and where the machine stands in it.
struct TermTable {
    PlainState<Terms> state;
    std::vector<std::vector<TermPart>> parts;  // by place; stacks only
    std::vector<Value> sizes;                  // by place: sizes are seen by all
    Id pc = 0;
    bool consented = false;                    // a `may choose` that was accepted
    std::vector<Terms::Bool> conditions;       // what holds on this way
    std::size_t seen = 0;                      // events used
};

struct CoexecutionLimits {
    std::size_t forks = 4096;      // ways at a time
    std::size_t steps = 200'000;   // steps over all ways: far above any turn of a card game
};

class Coexecution {
public:
    // The table of `run` at the node where it waits, as `seat` sees it now. What the seat saw earlier is not remembered.
    Coexecution(z3::context& context, const Run& run, int seat, CoexecutionLimits limits = {});

    // Takes the machine along `events` (those that happened since; what the seat did not notice is skipped, faces it did not see are
    // unknown) and stops after the last. False when a limit was hit or a step cannot be taken on unknowns: `problem` says which.
    bool follow(const Events& events);
    const std::string& problem() const { return problem_; }
    std::size_t ways() const { return ways_.size(); }

    // How many copies of `kind` lay at `place` in the beginning; how many lie there now, on every way.
    Terms::Int at_first(Id place, Id kind) const { return first_.piles[static_cast<std::size_t>(place)].counts[static_cast<std::size_t>(kind)]; }

    // Whether some hidden state fits in which at least one copy of `kind` lay at `place` in the beginning.
    Answer possible_at_first(Id place, Id kind);
    // The same for now.
    Answer possible_now(Id place, Id kind);
    // Whether some hidden state fits in which the beginning was just as `truth` is.
    Answer fits(const Run& truth);

private:
    enum class Walk { next, dead, done, stuck };
    struct Seen {
        const Event* event;
        bool faces;
    };

    void make_unknown(const Run& run);
    void copy_known(const Run& run);
    void name_cards(const Run& run);
    Card<Terms> named_card(const Run& run, std::int32_t piece, const std::string& name);
    Cards<Terms> named_cards(const Run& run, const std::vector<std::int32_t>& pieces, const std::string& name);
    Terms::Int unknown_count(const std::string& name, Value high);
    bool sees(Id place) const;

    bool advance(TermTable table);
    Walk step(TermTable& t);
    void fork(const TermTable& t, const Terms::Bool& condition, Id pc);
    Walk branch_on(TermTable& t, const Terms::Bool& condition, Id otherwise);
    Walk stuck(std::string what);

    Walk put(TermTable& t, const Step& s);
    Walk shuffle(TermTable& t, const Step& s);
    Walk set_fact(TermTable& t, const Step& s);
    Walk choose(TermTable& t, const Step& s);
    Walk choose_one(TermTable& t, const Step& s, const Seen* seen);
    Walk choose_many(TermTable& t, const Step& s, const Seen* seen);
    Walk ask(TermTable& t, const Step& s);
    Walk draw(TermTable& t, const Step& s);
    Walk report(TermTable& t, const Step& s);
    Walk window(TermTable& t, const Step& s);
    Walk show(TermTable& t, const Step& s);
    Walk next_player(TermTable& t, const PlayerLoop& loop);
    Walk next_element(TermTable& t, const Step& s);
    void assign(TermTable& t, Id variable, Id expression);
    void reset(TermTable& t, Id fact);

    bool take(TermTable& t, Id place, const std::vector<Terms::Int>& counts, Value size);
    void leave_order(Pile<Terms>& pile, const std::vector<Terms::Int>& counts, Value size) const;
    void give(TermTable& t, Id place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode);
    bool require_faces(TermTable& t, const std::vector<Terms::Int>& counts, const Event& event);
    bool require(TermTable& t, const Terms::Bool& condition);
    const Seen* next_seen(const TermTable& t) const { return t.seen < seen_.size() ? &seen_[t.seen] : nullptr; }
    std::optional<Value> known(const Terms::Int& i) const;
    std::optional<Id> known_place(TermTable& t, Id expression);
    Terms::Int fresh(TermTable& t, Value low, Value high);
    Terms::Int& number(TermTable& t, Id variable) { return std::get<Terms::Int>(t.state.variables[static_cast<std::size_t>(variable)]); }
    Evaluator<Terms> evaluator(TermTable& t) { return Evaluator<Terms>(terms_, game_, t.state); }
    Answer possible(const std::vector<Terms::Bool>& also, std::size_t way);
    Value place_count() const { return static_cast<Value>(game_.places); }

    const Machine& machine_;
    const Game& game_;
    int seat_;
    CoexecutionLimits limits_;
    Terms terms_;
    Unknowns unknowns_;
    TermTable start_;
    PlainState<Terms> first_;
    std::vector<Terms::Bool> always_;
    std::vector<Seen> seen_;
    std::vector<TermTable> ways_;      // that have followed all events
    std::vector<TermTable> open_;      // still on their way
    std::size_t steps_ = 0;
    int names_ = 0;
    std::string problem_;
};

}  // namespace houserule
