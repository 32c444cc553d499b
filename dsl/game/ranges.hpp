// Which values a type has: numbers, and what is counted from 0.
#pragma once

#include "dsl/game/game.hpp"

#include <cstdint>

namespace houserule {

// From the lowest to the highest value; there are none where the highest is below the lowest.
struct ValueRange {
    std::int32_t low = 0;
    std::int32_t high = -1;
};

// The values of one thing of the type, but for *none*; of a card those that name its kind. There are none of what is no single thing.
inline ValueRange range_of(const Game& game, const Type& type) {
    switch (type.base) {
        case Base::truth:
            return {0, 1};
        case Base::number:
            return {type.low, type.high};
        case Base::enumeration:
            return {0, game.enums[type.of].size() - 1};
        case Base::player:
            return {0, game.players - 1};
        case Base::kind:
        case Base::card:
            return {0, game.kind_count() - 1};
        case Base::place:
            return {0, game.places - 1};
        case Base::nothing:
        case Base::cards:
        case Base::set:
            break;
    }
    return {};
}

// The same with *none*, which is -1, where the type has it; of a number it is no neighbour of the others, and left out.
inline ValueRange range_with_none(const Game& game, const Type& type) {
    ValueRange range = range_of(game, type);
    if (type.or_none && type.base != Base::number && type.base != Base::place) range.low = -1;
    return range;
}

}  // namespace houserule
