// A player that plays by what it can deduce.
//
// Determinised Monte Carlo: it keeps a Deduction of what its seat noticed. For a decision it samples histories that fit, plays each on
// numbers to the question, makes each of its complete moves there and plays on at random to the end; it takes the move with the best mean
// result. What it does depends on its seed, its limits and what it was told, never on a clock. Knows no game.
#pragma once

#include "interpreter/players/player.hpp"
#include "solver/players/moves.hpp"

#include <functional>
#include <memory>

namespace houserule {

// Nodes in a millisecond: what a core plays of the slower games. A budget in milliseconds is converted to nodes, so that the same seed
// gives the same game on every machine.
inline constexpr std::uint64_t nodes_per_ms = 4000;

// Of a player: work ends what it deduces, about a second of it, and no clock, however busy the machine is.
inline DeductionLimits ended_by_work() {
    DeductionLimits limits;
    limits.time = std::chrono::hours(1);
    limits.work = work_a_second;
    limits.states = 100'000;
    limits.paths.formulas = 2'000'000;
    limits.z3_steps = 1'000'000;
    return limits;
}

struct PlayerLimits {
    std::size_t histories = 64;   // enough for the best of a few moves; each is played on several times
    std::uint64_t think_ms = 50;  // for one decision, beside the deduction
    std::uint64_t nodes = 0;      // if not 0: so many nodes instead, for players who think less than a millisecond
    MoveLimits moves;
    DeductionLimits deduction = ended_by_work();
};

// Counts over all its games.
struct PlayerCounts {
    std::uint64_t decisions = 0;
    std::uint64_t work = 0;  // steps of it, to deduce and to try out moves in interpreted games
    std::uint64_t at_random =
        0;  // nothing could be deduced, or nothing that led to the question: a random move, but no act that could wait
};

class CompiledGame;  // interpreter/compiled/compiled_game.hpp
class Rollouts;      // rollouts.hpp

// The game as it was compiled; null as long as it is not.
using CompiledSource = std::function<std::shared_ptr<const CompiledGame>()>;

class DeducingPlayer : public Player {
public:
    DeducingPlayer(std::shared_ptr<const Machine> machine, int seat, std::uint64_t seed, PlayerLimits limits = {});
    ~DeducingPlayer() override;

    void start() override;
    std::uint64_t answer(const Question& question, const Events& noticed) override;
    const PlayerCounts& counts() const;
    // Asked before each decision until it has one. Which moves it makes does not depend on it.
    void compiled_by(CompiledSource source);
    const Rollouts& rollouts() const;
    // Restarts its random numbers from this seed.
    void reseed(std::uint64_t seed);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule
