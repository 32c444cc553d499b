#include "interpreter/app/knowing/asked_for.hpp"

#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "solver/players/asked_for.hpp"

#include <algorithm>
#include <set>

namespace houserule::cli {

namespace {

struct Read {
    std::set<ZoneId> zones;
    std::set<FactId> facts;
};

void add_read(const Game& game, ExpressionId expression, Read& read) {
    any_read(game, expression, [&](const Expression& x) {
        if (names_zone(x.op)) read.zones.insert(ZoneId(x.named()));
        if (names_fact(x.op)) read.facts.insert(FactId(x.named()));
        return false;
    });
}

// What conditions, choices and results read.
Read things_read(const Machine& machine) {
    const Game& game = machine.game;
    Read read;
    for (const Step& s : machine.code) {
        if (s.op != Op::branch && s.op != Op::choose) continue;
        for (const ExpressionId e : {s.x, s.y, s.z, s.w, s.fits}) add_read(game, e, read);
    }
    for (const Act& act : game.acts) add_read(game, act.unless, read);
    for (const ExpressionId e : {game.winner.set, game.score, game.payoff}) add_read(game, e, read);
    for (const WinnerKey& key : game.winner.keys) add_read(game, key.expression, read);
    return read;
}

}  // namespace

std::vector<const HiddenThing*> things_asked_for(Deduction& deduction) {
    const Machine& machine = deduction.machine();
    const HiddenThings named = hidden_asked_for(deduction, false);
    const bool is_asked = !asked_for(machine).empty() && !named.empty();
    const Read read = things_read(machine);
    std::vector<const HiddenThing*> all, asked, of_players;
    bool has_places = false;  // facts stand beside them, and never instead
    bool has_places_of_players = false;
    for (const HiddenThing& thing : deduction.knowledge().things) {
        all.push_back(&thing);
        const bool is_read = thing.is_fact ? read.facts.contains(thing.fact) : read.zones.contains(machine.place_zone[thing.place]);
        const bool matters = is_asked ? named.contain(thing) : is_read;
        if (!matters) continue;
        asked.push_back(&thing);
        if (thing.is_fact) {
            of_players.push_back(&thing);
            continue;
        }
        has_places = true;
        const bool is_one_card = machine.game.zones[machine.place_zone[thing.place]].shape == Shape::one;
        if (!is_one_card && owner_of(machine.game, thing.place) < 0) continue;
        has_places_of_players = true;
        of_players.push_back(&thing);
    }
    if (is_asked) return asked;
    if (!has_places) return all;
    return has_places_of_players ? of_players : asked;
}

}  // namespace houserule::cli
