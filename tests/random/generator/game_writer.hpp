// A whole rules file from a stream of choices.
#pragma once

#include "tests/random/generator/statements.hpp"

#include <memory>
#include <string>
#include <vector>

namespace houserule::random_games {

// An expression that the file's examples claim to be so, in the order of the examples.
struct Probe {
    Written claim;  // a truth
};

struct GeneratedGame {
    std::string text;
    std::string house_rule;  // a second file that changes it; empty: none
    std::shared_ptr<const Vocabulary> words;
    std::vector<Probe> probes;
    std::map<std::string, std::uint64_t> written;
    Avoiding avoiding;  // what was left out, and is not compared either
};

GeneratedGame generate(Choices& choices, const Avoiding& avoiding, bool scattered_names = false);

}  // namespace houserule::random_games
