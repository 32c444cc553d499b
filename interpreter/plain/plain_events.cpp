#include "interpreter/plain/plain_events.hpp"

#include <algorithm>
#include <set>

namespace houserule {

Seats PlainEvents::seen_by(Seers seers, IndexBy by, std::int32_t index) const {
    const Seats owner = by == IndexBy::player && index >= 0 ? seat_bit(index) : no_seats;
    switch (seers) {
        case Seers::all:
            return everyone();
        case Seers::owner:
            return owner;
        case Seers::others:
            return everyone() & ~owner;
        case Seers::nobody:
            return no_seats;
    }
    return no_seats;
}

Seats PlainEvents::seers(PlaceId place) const {
    if (place == 0) return no_seats;
    const Zone& zone = g_.zones[m_.place_zone[place]];
    return seen_by(zone.seers, zone.by, place - zone.first_place);
}

// Whether pieces that are put where they lie already lie in another order then, and somebody can tell.
bool PlainEvents::is_reordered(PlaceId place) const {
    if (place == 0) return false;
    const Zone& zone = g_.zones[m_.place_zone[place]];
    const bool unseen_part = (m_.code[step_].mode & put_shuffled) != 0 && zone.seers == Seers::nobody;
    return zone.shape == Shape::row || (zone.shape == Shape::stack && !unseen_part);
}

// Everybody notices it, and sees all of it.
Event PlainEvents::event(EventKind kind) const {
    Event e;
    e.kind = kind;
    e.step = step_;
    e.rule = m_.code[step_].rule;
    e.audience = e.faces = everyone();
    return e;
}

// What one seat answered: it alone notices.
Event PlainEvents::own_event(EventKind kind, const Node& node) const {
    Event e = event(kind);
    e.seat = node.seat;
    e.name = told_name(m_, m_.code[step_]);
    e.audience = e.faces = seat_bit(node.seat);
    return e;
}

void PlainEvents::moved(PlaceId from, PlaceId to, std::vector<KindId> kinds) {
    Event e = event(EventKind::move);
    e.from = from;
    e.to = to;
    e.pieces = std::move(kinds);
    e.faces = seers(from) | seers(to);
    if (from == to && !is_reordered(from)) return;              // nothing can be seen to move
    if (from == 0 && e.faces == 0) e.kind = EventKind::begins;  // out of the box to where nobody looks: part of the setup
    tell(std::move(e));
}

void PlainEvents::moved_in_order(PlaceId from, PlaceId to, std::vector<KindId> kinds) {
    const Seats sees_order = std::set(kinds.begin(), kinds.end()).size() > 1 ? seers(to) : no_seats;
    if (sees_order == no_seats) std::sort(kinds.begin(), kinds.end());
    moved(from, to, std::move(kinds));
    if (events_ != nullptr) events_->back().value = sees_order;
}

void PlainEvents::shown(PlaceId from, Seats to, std::vector<KindId> kinds) {
    Event e = event(EventKind::shows);
    e.from = from;
    e.value = to;
    e.pieces = std::move(kinds);
    e.faces = to | seers(from);
    tell(std::move(e));
}

void PlainEvents::drawn(PlaceId from, PlaceId to, KindId kind) {
    Event e = event(EventKind::draw);
    e.from = from;
    e.to = to;
    e.pieces = {kind};
    e.faces = seers(from) | seers(to);
    tell(std::move(e));
}

void PlainEvents::shuffled(PlaceId place) {
    Event e = event(EventKind::shuffle);
    e.from = place;
    e.faces = no_seats;
    tell(std::move(e));
}

void PlainEvents::told(std::int32_t value, std::int32_t seer) {
    Event e = event(m_.code[step_].mode == 1 ? EventKind::lot : EventKind::report);
    e.name = told_name(m_, m_.code[step_]);
    e.values = {value};
    if (seer != seen_by_all) {
        e.seat = std::max(seer, -1);
        e.audience = e.faces = seer >= 0 ? seat_bit(seer) : no_seats;
    }
    tell(std::move(e));
}

void PlainEvents::act(std::vector<std::int32_t> seats) {
    Event e = event(EventKind::acts);
    e.name = m_.code[step_].a;
    e.values = std::move(seats);
    tell(std::move(e));
}

void PlainEvents::became(FactId fact, std::int32_t index, std::int32_t value, std::vector<std::int32_t> values) {
    Event e = event(EventKind::becomes);
    e.name = fact;
    e.index = index;
    e.value = value;
    e.values = std::move(values);
    e.audience = e.faces = seen_by(g_.facts[fact].seers, g_.facts[fact].by, index);
    tell(std::move(e));
}

void PlainEvents::chose(const Node& node, std::vector<std::int32_t> values) {
    Event e = own_event(EventKind::choice, node);
    e.values = std::move(values);
    e.aloud = (m_.code[step_].mode & choice_aloud) != 0;
    e.joint = (m_.code[step_].mode & choice_joint) != 0;
    if (e.aloud) e.audience = e.faces = everyone();
    tell(std::move(e));
}

void PlainEvents::all_chose() {
    Event e = event(EventKind::all_chose);
    e.audience = e.faces = no_seats;
    tell(std::move(e));
}

void PlainEvents::declined(const Node& node) {
    Event e = own_event(EventKind::choice, node);
    e.optional_no = true;
    tell(std::move(e));
}

void PlainEvents::answered(const Node& node, bool yes) {
    Event e = own_event(EventKind::answer, node);
    e.value = yes ? 1 : 0;
    tell(std::move(e));
}

void PlainEvents::said(std::int32_t seat) {
    Event e = event(EventKind::says);
    e.seat = seat;
    e.name = m_.code[step_].a;
    tell(std::move(e));
}

void PlainEvents::game_began() {
    Event e = event(EventKind::begins);
    e.faces = no_seats;
    tell(std::move(e));
}

void PlainEvents::began(std::int32_t seat) {
    Event e = event(EventKind::begins);
    e.name = m_.code[step_].a;
    e.seat = seat;
    e.faces = no_seats;
    tell(std::move(e));
}

void PlainEvents::ended() {
    Event e = event(EventKind::ended);
    e.name = m_.code[step_].a;
    tell(std::move(e));
}

}  // namespace houserule
