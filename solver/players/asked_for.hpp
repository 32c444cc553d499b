// What a game asks its players to find out: the hidden things that they are asked to name, else all that is hidden.
#pragma once

#include "solver/deduce/deduction.hpp"

#include <algorithm>
#include <vector>

namespace houserule {

// What players are asked to name: the zones, and the facts that not all see, that a rule compares with something said aloud.
struct AskedFor {
    std::vector<ZoneId> zones;
    std::vector<FactId> facts;
    bool empty() const { return zones.empty() && facts.empty(); }
};
AskedFor asked_for(const Machine& machine);

// Places and facts that a seat does not see.
struct HiddenFact {
    FactId fact = no_id;
    std::int32_t index = 0;
    bool operator==(const HiddenFact&) const = default;
};
struct HiddenThings {
    std::vector<PlaceId> places;
    std::vector<HiddenFact> facts;
    bool empty() const { return places.empty() && facts.empty(); }
    bool contain(const HiddenThing& thing) const {
        return thing.is_fact ? std::ranges::find(facts, HiddenFact{thing.fact, thing.index}) != facts.end()
                             : std::ranges::find(places, thing.place) != places.end();
    }
};

// The hidden things that players are asked to name (see asked_for); all hidden ones if the game asks for none, or, with `or_all`, if
// none of those is hidden at the moment.
HiddenThings hidden_asked_for(Deduction& deduction, bool or_all = true);

}  // namespace houserule
