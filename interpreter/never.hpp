// What never came up in the games of a machine.
#pragma once

#include "interpreter/machine.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace houserule {

struct NeverReached {
    // An arm of `cases` in all the places that it was compiled to, by where it stands in the text; `step` is its branch in one of them.
    struct Case {
        Span span;
        Id step = no_id;
    };
    std::vector<Id> rules;
    std::vector<Case> cases;
    std::vector<Id> ends;
};

// `reached`: by step, whether it was carried out in any of them (Run::reached).
NeverReached never_reached(const Machine& machine, std::span<const std::uint8_t> reached);

}  // namespace houserule
