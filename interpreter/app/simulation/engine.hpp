// What plays the random games of `simulate`, and those that players who deduce play on in mind: the interpreter, or the game as it was
// compiled, which comes to the same.
//
// With `auto`, the interpreter begins. When many games are left after a while, the game is compiled beside it, and the threads change over
// between two games.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/compiled/compiler.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace houserule::cli {

class SimulateEngine {
public:
    enum class Asked : std::uint8_t { automatic, interpret, compiled };

    SimulateEngine(std::shared_ptr<const Machine> machine, Asked asked);
    ~SimulateEngine();
    SimulateEngine(const SimulateEngine&) = delete;
    SimulateEngine& operator=(const SimulateEngine&) = delete;

    // With `compiled`, to be called before the first game. False when there will be none.
    bool compile_now();
    // With `auto`, to be called now and then by one thread: so many games of all have been played in so many seconds.
    void look(std::uint64_t done, std::uint64_t games, double seconds);
    // The game, once it is compiled; null before, and if it cannot be.
    std::shared_ptr<const CompiledGame> game() const;

    // Why there is none, for people; empty if there is one or none was tried for.
    std::string why_not(const Globals& g) const;

private:
    void make(bool only_if_kept);

    std::shared_ptr<const Machine> machine_;
    Asked asked_;
    Stop stop_;  // compiling beside the games is over when they are
    std::atomic<bool> ready_{false};
    mutable std::mutex mutex_;  // of what was made
    Compiled made_;
    bool tried_ = false;
    std::thread maker_;
};

}  // namespace houserule::cli
