// Two runs side by side, one of each machine: how they stand to each other after the same answers, and how they can go on together.
//
// The inside of differ.cpp. Nothing here knows a game.
#pragma once

#include "solver/compare/differ.hpp"
#include "solver/compare/name_mapping.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace houserule {

enum class Standing : std::uint8_t {
    alike,   // both wait for the same answer
    over,    // both are over, in the same way
    broken,  // in both a promise broke: this game says no more
    apart,
};

struct Meeting {
    Standing standing = Standing::alike;
    Parting::How how = Parting::How::asked;  // when apart
    Offers offers;                           // when what is offered differs
};

// Where both are, to come back to.
struct Both {
    std::vector<std::byte> first;
    std::vector<std::byte> second;
};

// A move of each that stand for the same.
struct Answers {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

class SideBySide {
public:
    SideBySide(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, std::uint64_t forced);

    Run& first() { return *first_; }
    Run& second() { return *second_; }
    const Twins& twins() const { return twins_; }

    void start();
    void save(Both& both) const;
    void go_to(const Both& both);
    void apply(Answers answers);
    // Runs both to their next nodes and compares.
    Meeting meet();
    // The second machine's answer that stands for `move` of the first; both must wait for the same.
    std::optional<Answers> together(std::uint64_t move);

    // For two that were just found apart after `last` (none: at the start) from `before`: a choice with one possibility is taken
    // without being asked, so the machine with the fewer possibilities may stand further on. If that is so, the runs go back to that
    // choice, and what they offer there is compared. The runs must be brought on by `apply`, or back by `go_to`.
    Meeting realigned(const Meeting& found, const Both& before, std::optional<Answers> last);

    // Goes on along what both offer, as far as `nodes`, from where they are apart, and says what else there is.
    struct More {
        bool first = false;  // offers what the second does not
        bool second = false;
        bool other = false;  // they differ in something else than what is offered
    };
    void look_on(Meeting found, Random& random, int nodes, More& more);

private:
    Meeting compared();
    void return_to(const Both& both, bool ask_forced);
    std::optional<Answers> any_common(Random& random);
    // One of them offers an act, or something that can be declined, which the other does not: past that.
    bool decline(More& more, Meeting& found);
    bool may_for_must(More& more, Meeting& found);

    std::unique_ptr<Run> first_;
    std::unique_ptr<Run> second_;
    Twins twins_;
};

// Whether this answer of the node counts as a decision: what is chosen after a yes to a `may` counts with it, a pass for nothing, an
// act for each who acts.
std::size_t decisions_of(const Run& run, std::uint64_t move);
bool is_of_players(NodeKind kind);  // a choice, a yes or no
bool is_forced(const Run& run);     // a choice with one possibility

}  // namespace houserule
