// What plays the random games of `simulate`, and those that players who deduce play on in mind: the interpreter, or the game as it was
// compiled, which comes to the same.
//
// With `auto`, the interpreter begins. When many games are left after a while, the game is compiled beside it, and the threads change over
// between two games.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/compiled/game_compiler.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace houserule::cli {

class SimulateEngine {
public:
    enum class Asked : std::uint8_t { automatic, interpret, compiled };

    SimulateEngine(std::shared_ptr<const Machine> machine, Asked asked);

    // With `compiled`, to be called before the first game. False when there will be none.
    bool compile_now();
    // With `auto`, to be called now and then by one thread: so many games of all have been played in so many seconds.
    void look(std::uint64_t done, std::uint64_t games, double seconds);
    // The game, once it is compiled; null before, and if it cannot be.
    std::shared_ptr<const CompiledGame> game() const { return compiler_.game(); }

    // Why there is none, for people; empty if there is one or none was tried for.
    std::string why_not(const Globals& g) const;

private:
    GameCompiler compiler_;
    Asked asked_;
    bool tried_ = false;
};

}  // namespace houserule::cli
