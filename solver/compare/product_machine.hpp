// The product machine: two runs, one of each machine, that take the same answers, and how their states compare after each.
//
// For differ.cpp only. Nothing here knows a game.
#pragma once

#include "solver/compare/differ.hpp"
#include "solver/compare/name_mapping.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace houserule {

enum class Standing : std::uint8_t {
    alike,   // both wait for the same answer
    over,    // both are over, with the same result
    broken,  // in both a promise broke: there is nothing more to compare
    apart,   // they part here
};

struct JointState {
    Standing standing = Standing::alike;
    Parting::How how = Parting::How::asked;  // when apart
    Offers offers;                           // when what is offered differs
};

// The states of both, to return to.
struct Both {
    std::vector<std::byte> first;
    std::vector<std::byte> second;
};

// A move of each machine; both stand for the same.
struct Answers {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

class SideBySide {
public:
    SideBySide(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, std::uint64_t forced);

    Run& first() { return *first_; }
    Run& second() { return *second_; }
    const NameMapping& mapping() const { return mapping_; }

    // Who may want no more: a run that is stopped says nothing about the two.
    void stop_on(const Stop* stop);
    bool was_stopped() const { return was_stopped_; }
    std::uint64_t work() const { return first_->work() + second_->work(); }
    void start();
    void save(Both& both) const;
    void go_to(const Both& both);
    void apply(Answers answers);
    // See DifferLimits::inside.
    void pass_inside(InsideBoth steps) { inside_ = std::move(steps); }
    // Runs both to their next nodes and compares them.
    JointState meet();
    // How many windows each let pass on the way there.
    Answers passed() const { return passed_; }
    // `move` of the first machine with the move of the second that stands for the same, if there is one; both must wait for the same.
    std::optional<Answers> together(std::uint64_t move);

    // To be called when both were just found apart after `last` (none: at the start) from `before`. A choice with one possibility is taken
    // without asking, so the machine with fewer possibilities may wait at a later node. If so, both runs go back to that choice, and what
    // they offer there is compared. Afterwards the runs must be moved on by `apply` or back by `go_to`.
    JointState realigned(const JointState& found, const Both& before, std::optional<Answers> last);

    // Plays on at random for up to `nodes` nodes along moves that both offer, from where they are apart, and notes how else they differ.
    struct More {
        bool first = false;   // offers a move that the second does not
        bool second = false;  // the other way round
        bool other = false;   // they differ in something else than the moves on offer
    };
    void look_on(JointState found, Random& random, int nodes, More& more);

private:
    JointState compared();
    static std::uint64_t go_on(Run& run, const Inside* steps);
    void return_to(const Both& both, bool ask_forced);
    std::optional<Answers> any_common(Random& random);
    // Where one of them offers an act, or something that can be declined, which the other does not: goes on past it. False elsewhere.
    bool decline(More& more, JointState& found);
    bool may_for_must(More& more, JointState& found);

    std::unique_ptr<Run> first_;
    std::unique_ptr<Run> second_;
    NameMapping mapping_;
    bool was_stopped_ = false;
    InsideBoth inside_;
    Answers passed_;
};

// How many decisions this answer counts for: a choice after a yes to a `may` none (the yes counts), a pass none, an act one for each who
// acts.
std::size_t decisions_of(const Run& run, std::uint64_t move);
bool is_of_players(NodeKind kind);  // a choice, a yes or no
bool is_forced(const Run& run);     // a choice with one possibility

}  // namespace houserule
