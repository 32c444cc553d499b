// The interface of all players. A player cannot peek.
//
// It knows the rules, is told what its seat noticed, and is asked questions that show nothing but its own moves. It never gets the run,
// so its decisions cannot depend on anything that its seat does not know.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <vector>

namespace houserule {

// What a seat is asked: to choose, whether it wants to choose, an offer, or, at a window, whether it acts now (0 or 1).
class Question {
public:
    Question(const MoveNames& names, int seat) : names_(names), seat_(seat) {}

    int seat() const { return seat_; }
    NodeKind kind() const { return names_.node().kind; }
    StepId step() const { return names_.node().step; }
    std::uint64_t moves() const { return kind() == NodeKind::window ? 2 : names_.node().moves; }
    // For a choice: the values a move stands for, and the move for given values; see MoveNames.
    Meant meaning(std::uint64_t move) const { return names_.meaning(move); }
    std::uint64_t move_for(const std::vector<std::int32_t>& values) const { return names_.move_for(values); }

private:
    const MoveNames& names_;
    int seat_;
};

class Player {
public:
    virtual ~Player() = default;
    // A game begins.
    virtual void start() = 0;
    // Gives a move below question.moves(). `noticed`: what the seat noticed since it was last asked, without simultaneous choices that
    // still wait for others.
    virtual std::uint64_t answer(const Question& question, const Events& noticed) = 0;
};

// Takes each move with the same probability; at a window it acts with the file's odds, or these. `random` must outlive the player.
std::unique_ptr<Player> make_random_player(std::shared_ptr<const Machine> machine, Random& random,
                                           std::int64_t volunteer_per_million = file_odds);

// Plays a started run to its end, with one player for each seat; `random` answers for chance and the table. The run must record into
// `events`. When `stop` ends it, the game is not over.
void play_with(Run& run, const std::vector<Player*>& players, Random& random, const Events& events, Tally& tally,
               const Stop* stop = nullptr);

}  // namespace houserule
