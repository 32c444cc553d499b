// How cards come to a place.
#pragma once

#include "dsl/game/names.hpp"
#include "interpreter/run/event.hpp"

#include <algorithm>
#include <vector>

namespace houserule {

// Whether cards that come one by one lie as they came, for all who see them.
inline bool comes_in_order(const Game& game, const Event& e) {
    const Zone* const to = zone_of(game, e.to);
    return e.kind == EventKind::draw && to != nullptr && to->shape == Shape::row;
}

// The kinds of these cards in the order in which they are told: as they came, if they lie so, else sorted.
inline std::vector<KindId> told_kinds(const Game& game, const Event& e) {
    std::vector<KindId> kinds(e.pieces.begin(), e.pieces.end());
    if (e.kind == EventKind::draw && !comes_in_order(game, e)) std::ranges::sort(kinds);
    return kinds;
}

}  // namespace houserule
