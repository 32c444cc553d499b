// Coverage: which rules, cases and ends of a game were never reached in the games that were played.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace houserule {

// Coverage by place in the text. A piece of text may be compiled to several steps: it counts as reached if one of them was.
class CameUp {
public:
    struct Place {
        Span span;
        StepId step = no_id;  // one of those it was compiled to
    };
    void add(Span span, StepId step, bool came);
    // What was not reached, in the order of the text.
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

// An arm of `cases` holds, whether or not it is carried out: as when another one does as well, which must not be.
void note_came_up(const Machine& machine, ExpressionId condition, std::span<std::uint8_t> reached);

// `reached`: by step, whether it was carried out in some game (Run::reached).
NeverReached never_reached(const Machine& machine, std::span<const std::uint8_t> reached);

}  // namespace houserule
