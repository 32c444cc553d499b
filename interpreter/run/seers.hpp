// Who sees what lies at a place or what a fact says: the one rule of `seen by`, for events and for views.
#pragma once

#include "interpreter/machine/machine.hpp"
#include "interpreter/run/event.hpp"

namespace houserule {

constexpr Seats all_seats(const Game& game) { return static_cast<Seats>((1U << game.players) - 1); }

// `index`: of the place in its zone, or of the fact; where that is a player, its owner.
inline Seats seers_of(const Game& game, Seers seers, IndexBy by, std::int32_t index) {
    const Seats owner = by == IndexBy::player && index >= 0 ? seat_bit(index) : no_seats;
    switch (seers) {
        case Seers::all:
            return all_seats(game);
        case Seers::owner:
            return owner;
        case Seers::others:
            return all_seats(game) & ~owner;
        case Seers::nobody:
            return no_seats;
    }
    return no_seats;
}

// Nobody sees what lies in the box, or nowhere.
inline Seats seers_of(const Machine& machine, PlaceId place) {
    if (place <= 0) return no_seats;
    const Zone& zone = machine.game.zones[machine.place_zone[place]];
    return seers_of(machine.game, zone.seers, zone.by, place - zone.first_place);
}

// Whether pieces are seen to go from a place to one, which may be the same: within a row or stack they change its order, unless they are
// put shuffled on a stack of which nobody sees what lies there. `mode`: of the step that puts them.
inline bool is_noticed(const Machine& machine, PlaceId from, PlaceId to, std::uint8_t mode) {
    if (from != to) return true;
    if (to <= 0) return false;
    const Zone& zone = machine.game.zones[machine.place_zone[to]];
    return has_order(zone.shape) && (zone.shape != Shape::stack || (mode & put_shuffled) == 0 || zone.seers != Seers::nobody);
}

}  // namespace houserule
