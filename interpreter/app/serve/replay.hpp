// A game that is over, seen again: what a seat or who looks on was told, step by step, with the table as it was known then.
//
// A step is a moment at which the viewer noticed something. It holds for any game that was recorded, also for one that was read from a
// log.
#pragma once

#include "interpreter/app/serve/frames.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace houserule::cli {

// The answer at the node where the run waits, which was followed by the event `next` (null: by nothing); nothing when it does not fit
// there. An act that nobody did has no event.
std::optional<std::uint64_t> answer_before(const Run& run, const Event* next);

class Replay {
public:
    // `events`: all that happened, from the beginning.
    Replay(std::shared_ptr<const Machine> machine, const Events& events);

    // All lines of the viewer, and of each step how many of them had been told by then.
    Json told_to(int viewer) const;
    // The table as the viewer knew it after that step; null when there is no such step.
    Json table_at(int viewer, std::size_t step);
    // How many events were followed: all, unless they are of other rules.
    std::size_t followed() const { return events_.size(); }

private:
    struct Step {
        std::size_t events = 0;
        std::size_t lines = 0;
    };
    struct Eyes {
        SeatTable table;
        std::size_t seen = 0;  // events, by the table
        std::vector<Json> lines;
        std::vector<Step> steps;
    };

    void open(int viewer);

    std::shared_ptr<const Machine> machine_;
    Events events_;
    std::vector<std::size_t> moments_;  // at each node how many events had been
    std::map<int, Eyes> eyes_;          // by viewer
};

}  // namespace houserule::cli
