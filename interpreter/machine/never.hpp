// What never came up in the games of a machine.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace houserule {

// A piece of text may be compiled to several places: it came up if it did in one of them.
class CameUp {
public:
    struct Place {
        Span span;
        StepId step = no_id;  // in one of the places
    };
    void add(Span span, StepId step, bool came);
    // In the order of the text.
    std::vector<Place> never() const;

private:
    struct Met {
        Place place;
        bool came = false;
    };
    std::map<std::pair<std::uint16_t, std::uint32_t>, Met> all_;  // by where it stands
};

struct NeverReached {
    std::vector<RuleId> rules;
    std::vector<CameUp::Place> cases;  // arms of `cases`; the step is their branch
    std::vector<EndId> ends;
};

// `reached`: by step, whether it was carried out in any of them (Run::reached).
NeverReached never_reached(const Machine& machine, std::span<const std::uint8_t> reached);

}  // namespace houserule
