// What a plain run tells: events, and who notices them and sees their faces.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/node.hpp"

#include <utility>
#include <vector>

namespace houserule {

class PlainEvents {
public:
    explicit PlainEvents(const Machine& machine) : m_(machine), g_(machine.game) {}

    Events* write_to(Events* events) { return std::exchange(events_, events); }  // null: nothing is told; gives where it told it
    void at(StepId step) { step_ = step; }                                       // where it happens
    Seats everyone() const { return (1U << g_.players) - 1; }

    // Cards are given by kind.
    void moved(PlaceId from, PlaceId to, std::vector<KindId> kinds);
    // One after the other in this order, as they lay; who sees where they are now sees it.
    void moved_in_order(PlaceId from, PlaceId to, std::vector<KindId> kinds);
    void shown(PlaceId from, Seats to, std::vector<KindId> kinds);
    void drawn(PlaceId from, PlaceId to, KindId kind);
    void shuffled(PlaceId place);
    void told(std::int32_t value, std::int32_t seer);
    void act(std::vector<std::int32_t> seats);
    void became(FactId fact, std::int32_t index, std::int32_t value, std::vector<std::int32_t> values);
    void chose(const Node& node, std::vector<std::int32_t> values);
    void all_chose();
    void declined(const Node& node);
    void answered(const Node& node, bool yes);
    void said(std::int32_t seat);
    void game_began();
    void began(std::int32_t seat);  // whose rule it is; -1: nobody's
    void ended();

private:
    Event event(EventKind kind) const;
    Event own_event(EventKind kind, const Node& node) const;
    Seats seen_by(Seers seers, IndexBy by, std::int32_t index) const;
    Seats seers(PlaceId place) const;
    bool is_reordered(PlaceId place) const;
    void tell(Event event) {
        if (events_ != nullptr) events_->push_back(std::move(event));
    }

    const Machine& m_;
    const Game& g_;
    Events* events_ = nullptr;
    StepId step_;
};

}  // namespace houserule
