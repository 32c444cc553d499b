// Those who play: one interface, behind which nobody can peek.
//
// A player knows the rules, is told what its seat noticed, and is asked questions that show nothing but its own moves. It never gets
// the run, so what it decides can depend on nothing that its seat does not know.
#pragma once

#include "interpreter/run/run.hpp"

#include <memory>
#include <vector>

namespace houserule {

// What a seat is asked, as that seat knows it: to choose, whether it wants to, an offer, or whether it acts now (at a window: 0 or 1).
class Question {
public:
    Question(const MoveNames& names, int seat) : names_(names), seat_(seat) {}

    int seat() const { return seat_; }
    NodeKind kind() const { return names_.node().kind; }
    StepId step() const { return names_.node().step; }
    std::uint64_t moves() const { return kind() == NodeKind::window ? 2 : names_.node().moves; }
    // Of a choice: what a move stands for, and the move that stands for values; see MoveNames.
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
    // A move below question.moves(). `noticed`: what the seat noticed since it was asked last, without choices that are still being
    // made together.
    virtual std::uint64_t answer(const Question& question, const Events& noticed) = 0;
};

// All moves alike; acts at any time with the file's odds, or `volunteer` in a million. `random` must live longer.
std::unique_ptr<Player> make_random_player(std::shared_ptr<const Machine> machine, Random& random,
                                           std::int64_t volunteer_per_million = file_odds);

// Plays a started run to its end: one player a seat, chance and the table by `random`. Needs what happened: the run must record into
// `events`.
void play_with(Run& run, const std::vector<Player*>& players, Random& random, const Events& events, Tally& tally);

}  // namespace houserule
