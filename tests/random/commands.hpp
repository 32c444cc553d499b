// Every command of the program on one generated game: each in a process of its own, so that one that crashes or hangs is named.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "tests/random/generator/coverage.hpp"
#include "tests/random/generator/game_writer.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace houserule::random_games {

struct WrongCommand {
    std::string what;    // the command and what went wrong: the same for the same fault
    std::string detail;  // for people
};

// The first that crashes, hangs, cannot be carried out, or shows a game that cannot be played again or does not show what it is for.
// `machine`: of the game; `others`: the same game under other names.
std::optional<WrongCommand> wrong_command(const GeneratedGame& game, const GeneratedGame& others, const Machine& machine,
                                          std::uint64_t seed, Coverage& coverage);

}  // namespace houserule::random_games
