// Plays one world after the other on at random to its end, compiled as soon as the game is, else interpreted: what comes of it is the same.
#pragma once

#include "interpreter/compiled/compiled_game.hpp"
#include "solver/players/moves.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace houserule {

// What a game brought a seat: first of all, and among equals.
struct Result {
    double first = 0;   // its payoff, or its share of the win
    double second = 0;  // its score; in what Rollouts comes to, less where less is better (score_aim.hpp)

    Result& operator+=(const Result& r) {
        first += r.first;
        second += r.second;
        return *this;
    }
    friend bool operator<(const Result& a, const Result& b) { return a.first != b.first ? a.first < b.first : a.second < b.second; }
};

// Of a run that is over, by seat; `second` is the score as it is.
std::vector<Result> results_of(Run& run);

// Makes a move where the run waits; false when the seat is not asked so.
bool make_move(Run& run, int seat, const CompleteMove& move);

class Rollouts {
public:
    Rollouts(std::shared_ptr<const Machine> machine, int seat, MoveLimits limits, const Stop* stop);

    // From now on with this one, a compilation of the machine.
    void use(const std::shared_ptr<const CompiledGame>& game);
    bool wants_compiled() const { return compiled_ == nullptr && !gave_up_; }

    // From where the run waits, or was answered. All play at random, but that the seat, when it acts at any time, does what is best in this
    // very world: by then it will know more. If those acts were random, too, one would take the first guess for as good as all that can be
    // found out. `run` is anywhere afterwards.
    Result to_the_end(Run& run, Random& chance, std::uint64_t& nodes);

    // Ends of games, so far.
    std::uint64_t compiled() const { return ended_; }
    std::uint64_t interpreted() const { return interpreted_; }

private:
    std::optional<PlayedOn> played_on(const Run& run, Random& chance, int watched);
    std::optional<Result> compiled_to_the_end(Run& run, Random& chance, std::uint64_t& nodes);
    Result at_random(Run& run, Random& chance, std::uint64_t& nodes);
    Result interpreted_at_random(Run& run, Random& chance, std::uint64_t& nodes);
    std::optional<Result> best_act(Run& run, Random& chance, std::uint64_t& nodes);
    int aim();
    Result result(Run& run);
    Result compiled_result(Run& run);

    std::shared_ptr<const Machine> machine_;
    int seat_;
    MoveLimits limits_;
    const Stop* stop_;
    std::optional<int> aim_;  // of scores; found out when the first game ends
    bool has_windows_;
    std::unique_ptr<CompiledRun> compiled_;
    bool gave_up_ = false;  // too much was handed back
    std::uint64_t handed_ = 0;
    std::uint64_t ended_ = 0;
    std::uint64_t interpreted_ = 0;
};

}  // namespace houserule
