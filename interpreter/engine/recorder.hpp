// Records what happens in a run as events, each with its audience. Knows who sees what, and nothing of the representation of a state.
// Callers ask `is_on` first: most runs record nothing.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/node.hpp"
#include "interpreter/run/seers.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace houserule {

class Recorder {
public:
    explicit Recorder(const Machine& machine) : m_(machine), g_(machine.game) {}

    Events* write_to(Events* events) { return std::exchange(events_, events); }  // null: nothing is recorded; gives where it wrote
    bool is_on() const { return events_ != nullptr; }

    Seats everyone() const { return all_seats(g_); }
    // `pc` is the step at which it happens; cards are given by kind.
    // `in_order`: as they lay where they come from, first or bottom first, they come to lie.
    void moved(StepId pc, PlaceId from, PlaceId to, std::vector<std::int32_t> kinds, bool in_order);
    void shown(StepId pc, PlaceId from, Seats to, std::vector<std::int32_t> kinds);
    void drawn(StepId pc, PlaceId from, PlaceId to, KindId kind);
    void shuffled(StepId pc, PlaceId place);
    // A lot or a report; `seer`: the seat that alone sees it, -1 for nobody, or `seen_by_all`.
    void told(StepId pc, std::int32_t value, std::int32_t seer);
    void act(StepId pc, std::vector<std::int32_t> seats);
    void became(StepId pc, FactId fact, std::int32_t index, std::int32_t value);
    void became(StepId pc, FactId fact, std::int32_t index, std::vector<std::int32_t> values);
    void chose(const Node& node, std::vector<std::int32_t> values);
    void all_chose(StepId pc);
    void declined(const Node& node);
    void answered(const Node& node, bool yes);
    void said(StepId pc, std::int32_t seat);
    void began(StepId pc, std::int32_t seat);
    void game_began(StepId pc);
    void ended(StepId pc);

private:
    const Step& step(StepId pc) const { return m_.code[pc]; }
    Event event(EventKind kind, StepId pc) const;
    Seats seers_of_order(const Event& move) const;
    Event seats_event(EventKind kind, const Node& node) const;
    void add(Event event) { events_->push_back(std::move(event)); }

    const Machine& m_;
    const Game& g_;
    Events* events_ = nullptr;
};

}  // namespace houserule
