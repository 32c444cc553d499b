// A machine printed as the C++ text of one function that plays a whole random game, and of one that says how it came out.
//
// The text stands alone: the fast forms of interpreter/engine that it calls are part of it. It holds numbers and names made here only, no
// word of the rules. What it computes is what Engine::play does with the same random generator, draw by draw.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace houserule {

struct Emitted {
    std::string text;       // empty if a game cannot be printed:
    std::string unknown;    // the step or operator for which there is no form
    std::uint64_t key = 0;  // of the text
    std::size_t games = 1;
};

Emitted emit(const std::shared_ptr<const Machine>& machine);
// Several games in one text.
Emitted emit(const std::vector<std::shared_ptr<const Machine>>& machines);

}  // namespace houserule
