// A random walk over the histories that fit what a seat saw: a Markov chain whose stationary distribution is their weight.
//
// A step exchanges two kinds of cards: where one answer that the seat did not see names the one, it names the other, and so do none, one,
// some or all of the other unseen answers that name one of the two. Or it changes one unseen answer that names no card. The game is then
// played again on numbers from the first answer that changed; if it shows the seat anything else than what it saw, the step is not taken
// (Metropolis and others 1953; the proposals are symmetric but for a factor: Hastings 1970). So every state is a real history.
// Unseen questions that come up only now are answered at random, those that no longer come up are left out (reversible jumps: Green 1995).
// What is not reached so is told by several walks, from histories found in different ways.
#pragma once

#include "solver/deduce/deduction.hpp"

#include <memory>
#include <vector>

namespace houserule {

class HistoryWalk {
public:
    // `seen`: as `noticed` gives it, up to a node. `uniform_play`: each move of a choice is equally likely; else all histories count the
    // same but for chance.
    HistoryWalk(std::shared_ptr<const Machine> machine, int seat, const Events& seen, bool uniform_play, const Stop* stop);
    HistoryWalk(HistoryWalk&&) noexcept;
    ~HistoryWalk();

    // All histories end where the seat is asked that; else at a node, but not where chance picks what the seat does not notice, unless
    // `at_lots`.
    void end_at(const std::optional<SeatQuestion>& question, bool at_lots);
    // Stands at this history; false if it does not show the seat what it saw.
    bool start(const History& history);
    // Adds the kinds of unseen cards in the history at hand to those that are exchanged. To be called for all starts before the first step.
    void note_kinds(std::vector<bool>& kinds) const;
    // Proposes one step, with cards of these kinds. Whether the history at hand is another one now.
    bool step(Random& random, const std::vector<KindId>& kinds);
    // The table at the end of the history at hand.
    Run& present();
    History history() const;
    // Steps that were proposed, and what the run did for them (Run::work): see work_a_second.
    std::uint64_t work() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule
