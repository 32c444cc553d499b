// The value of a choice among cards: the kind of the card and, if the cards on offer lie at several places, its place.
#pragma once

#include "dsl/game/ids.hpp"

namespace houserule {

struct PlacedKind {
    KindId kind = no_id;
    PlaceId place = no_id;  // none: not stated, as where all cards on offer lie at one place

    friend bool operator==(const PlacedKind&, const PlacedKind&) = default;

    // Packed into one number for answers, events and logs: the kind in the lower 16 bits; above, place + 1 or 0 for none. -1: no card.
    static constexpr PlacedKind of_value(std::int32_t value) {
        if (value < 0) return {};
        return {KindId(value & 0xFFFF), PlaceId((value >> 16) - 1)};
    }
    constexpr std::int32_t value() const { return kind < 0 ? -1 : kind | (place + 1) << 16; }
};

}  // namespace houserule
