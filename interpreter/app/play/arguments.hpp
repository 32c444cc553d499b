// The arguments that `play` and `serve` have in common: which game, and who sits where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct TableArgs {
    std::string file;   // a rules file or a log
    std::string rules;  // of a log: where the rules are, if not where the log says
    int players = 0;
    std::vector<std::string> set;
    std::vector<std::string> reading;
    std::optional<std::uint64_t> seed;
    std::vector<std::string> seat;  // K=human|deduce|random
    std::string names;              // of the people, by seat
};

}  // namespace houserule::cli
