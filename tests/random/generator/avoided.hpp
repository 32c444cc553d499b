// What the generator leaves out for now: constructs with a known open fault, which would drown others. Each row goes when its fault does.
#pragma once

#include <set>

namespace houserule::random_games {

enum class Avoid {
#define HOUSERULE_AVOIDED(name, reason) name,
#include "tests/random/generator/avoided.def"
#undef HOUSERULE_AVOIDED
};

struct Avoiding {
    std::set<Avoid> left_out;
    bool small = false;  // few cards and players, much of it hidden: games whose histories can all be tried

    bool operator()(Avoid what) const { return left_out.contains(what); }
};
Avoiding all_avoided();
const char* name_of(Avoid what);

}  // namespace houserule::random_games
