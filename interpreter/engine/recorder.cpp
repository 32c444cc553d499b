#include "interpreter/engine/recorder.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace houserule {

Event Recorder::event(EventKind kind, StepId pc) const {
    Event e;
    e.kind = kind;
    e.step = pc;
    e.rule = step(pc).rule;
    e.audience = e.faces = everyone();
    return e;
}

// What one seat answered: nobody else hears of it, unless it is said.
Event Recorder::seats_event(EventKind kind, const Node& node) const {
    Event e = event(kind, node.step);
    e.seat = node.seat;
    e.name = told_name(m_, step(node.step));
    e.audience = e.faces = seat_bit(node.seat);
    return e;
}

// Whoever sees a row or stack sees in which order cards came to lie there. Where they lay without one, they lie as their kinds stand.
Seats Recorder::seers_of_order(const Event& move) const {
    const auto is_ordered = [&](PlaceId place) { return place != 0 && has_order(g_.zones[m_.place_zone[place]].shape); };
    const auto& kinds = move.pieces;
    const bool alike = std::adjacent_find(kinds.begin(), kinds.end(), std::not_equal_to<>()) == kinds.end();
    return alike || !is_ordered(move.from) || !is_ordered(move.to) ? no_seats : seers_of(m_, move.to);
}

void Recorder::moved(StepId pc, PlaceId from, PlaceId to, std::vector<std::int32_t> kinds, bool in_order) {
    Event e = event(EventKind::move, pc);
    e.from = from;
    e.to = to;
    e.pieces = std::move(kinds);
    e.faces = seers_of(m_, from) | seers_of(m_, to);
    if (in_order) e.value = seers_of_order(e);
    if (in_order && e.value == no_seats) std::sort(e.pieces.begin(), e.pieces.end());
    // Pieces out of the box that nobody sees: part of the setup that goes without saying.
    if (from == 0 && e.faces == 0) e.kind = EventKind::begins;
    if (is_noticed(m_, from, to, step(pc).mode)) add(std::move(e));
}

void Recorder::shown(StepId pc, PlaceId from, Seats to, std::vector<std::int32_t> kinds) {
    Event e = event(EventKind::shows, pc);
    e.from = from;
    e.value = to;
    e.pieces = std::move(kinds);
    e.faces = to | seers_of(m_, from);
    add(std::move(e));
}

void Recorder::drawn(StepId pc, PlaceId from, PlaceId to, KindId kind) {
    Event e = event(EventKind::draw, pc);
    e.from = from;
    e.to = to;
    e.pieces.push_back(kind);
    e.faces = seers_of(m_, from) | seers_of(m_, to);
    add(std::move(e));
}

void Recorder::shuffled(StepId pc, PlaceId place) {
    Event e = event(EventKind::shuffle, pc);
    e.from = place;
    e.faces = 0;
    add(std::move(e));
}

void Recorder::told(StepId pc, std::int32_t value, std::int32_t seer) {
    Event e = event(step(pc).mode == 1 ? EventKind::lot : EventKind::report, pc);
    e.name = told_name(m_, step(pc));
    e.values.push_back(value);
    if (seer >= 0) e.seat = seer;
    if (seer != seen_by_all) e.audience = e.faces = seer < 0 ? no_seats : seat_bit(seer);
    add(std::move(e));
}

void Recorder::act(StepId pc, std::vector<std::int32_t> seats) {
    Event e = event(EventKind::acts, pc);
    e.name = step(pc).a;
    e.values = std::move(seats);
    add(std::move(e));
}

void Recorder::became(StepId pc, FactId fact, std::int32_t index, std::int32_t value) {
    const Fact& f = g_.facts[fact];
    Event e = event(EventKind::becomes, pc);
    e.name = fact;
    e.index = index;
    e.value = value;
    e.audience = e.faces = seers_of(g_, f.seers, f.by, index);
    add(std::move(e));
}

void Recorder::became(StepId pc, FactId fact, std::int32_t index, std::vector<std::int32_t> values) {
    became(pc, fact, index, 0);
    events_->back().values = std::move(values);
}

void Recorder::chose(const Node& node, std::vector<std::int32_t> values) {
    const Step& s = step(node.step);
    Event e = seats_event(EventKind::choice, node);
    e.values = std::move(values);
    e.aloud = (s.mode & choice_aloud) != 0;
    if (e.aloud) e.audience = e.faces = everyone();
    e.joint = (s.mode & choice_joint) != 0;
    add(std::move(e));
}

void Recorder::all_chose(StepId pc) {
    Event e = event(EventKind::all_chose, pc);
    e.audience = e.faces = no_seats;
    add(std::move(e));
}

void Recorder::declined(const Node& node) {
    Event e = seats_event(EventKind::choice, node);
    e.optional_no = true;
    add(std::move(e));
}

void Recorder::answered(const Node& node, bool yes) {
    Event e = seats_event(EventKind::answer, node);
    e.value = yes ? 1 : 0;
    add(std::move(e));
}

void Recorder::said(StepId pc, std::int32_t seat) {
    Event e = event(EventKind::says, pc);
    e.seat = seat;
    e.name = step(pc).a;
    add(std::move(e));
}

// `seat`: whose rule it is, -1 for nobody's.
void Recorder::began(StepId pc, std::int32_t seat) {
    Event e = event(EventKind::begins, pc);
    e.name = step(pc).a;
    e.seat = seat;
    e.faces = 0;
    add(std::move(e));
}

void Recorder::game_began(StepId pc) {
    Event e = event(EventKind::begins, pc);
    e.faces = 0;
    add(std::move(e));
}

void Recorder::ended(StepId pc) {
    Event e = event(EventKind::ended, pc);
    e.name = step(pc).a;
    add(std::move(e));
}

}  // namespace houserule
