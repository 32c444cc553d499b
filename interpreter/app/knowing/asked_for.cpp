#include "interpreter/app/knowing/asked_for.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "solver/players/advice.hpp"
#include "solver/players/moves.hpp"

#include <algorithm>
#include <set>

namespace houserule::cli {

namespace {

void add_zones(const Game& game, ExpressionId expression, std::set<ZoneId>& zones) {
    any_read(game, expression, [&](const Expression& x) {
        if (names_zone(x.op)) zones.insert(ZoneId(x.named()));
        return false;
    });
}

// The zones that conditions, choices and results read.
std::set<ZoneId> zones_read(const Machine& machine) {
    const Game& game = machine.game;
    std::set<ZoneId> zones;
    for (const Step& s : machine.code) {
        if (s.op != Op::branch && s.op != Op::choose) continue;
        for (const ExpressionId e : {s.x, s.y, s.z, s.w, s.fits}) add_zones(game, e, zones);
    }
    for (const Act& act : game.acts) add_zones(game, act.unless, zones);
    for (const ExpressionId e : {game.winner.set, game.score, game.payoff}) add_zones(game, e, zones);
    for (const WinnerKey& key : game.winner.keys) add_zones(game, key.expression, zones);
    return zones;
}

}  // namespace

std::vector<const HiddenThing*> things_asked_for(Deduction& deduction) {
    const Machine& machine = deduction.machine();
    const std::vector<PlaceId> named = places_asked_for(deduction, false);
    const bool is_asked = !zones_asked_for(machine).empty() && !named.empty();
    const std::set<ZoneId> read = zones_read(machine);
    std::vector<const HiddenThing*> all, asked, of_players;
    for (const HiddenThing& thing : deduction.knowledge().things) {
        all.push_back(&thing);
        if (thing.is_fact) continue;
        const bool matters =
            is_asked ? std::ranges::find(named, thing.place) != named.end() : read.contains(machine.place_zone[thing.place]);
        if (matters) asked.push_back(&thing);
        const bool one_card = machine.game.zones[machine.place_zone[thing.place]].shape == Shape::one;
        if (matters && (one_card || owner_of(machine.game, thing.place) >= 0)) of_players.push_back(&thing);
    }
    return asked.empty() ? all : is_asked || of_players.empty() ? asked : of_players;
}

}  // namespace houserule::cli
