#include "interpreter/machine/layout.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>

namespace houserule {

namespace {

std::uint32_t take(Layout& layout, std::uint32_t bytes) {
    const std::uint32_t at = layout.bytes;
    layout.bytes += bytes;
    return at;
}

// Whether a value takes a set's room in the state: `words` words, else 4 bytes.
std::uint32_t size_of(const Layout& layout, const Type& t) { return is_of_many(t) ? layout.words * 8 : 4; }

}  // namespace

void lay_out(Machine& m) {
    const Game& g = m.game;
    Layout& l = m.layout;
    const NumbersInSets numbers = numbers_in_sets(g);
    l.first_number = numbers.low;
    std::size_t widest = std::max(g.piece_kind.size(), static_cast<std::size_t>(numbers.count()));
    for (const EnumType& e : g.enums) widest = std::max(widest, e.values.size());
    widest = std::max({widest, g.kinds.size(), static_cast<std::size_t>(g.players)});
    l.words = widest <= 64 ? 1 : widest <= 128 ? 2 : 4;
    l.pc = take(l, 8);
    m.place_zone.assign(g.places, no_id);
    l.place.push_back(take(l, l.words * 8));
    for (const Zone& z : g.zones) {
        for (std::int32_t i = 0; i < z.places; ++i) {
            m.place_zone[l.place.size()] = g.zones.id_of(z);
            l.place.push_back(take(l, l.words * 8));
        }
    }
    l.marks.assign(l.place.size(), 0);
    l.order.assign(l.place.size(), 0);
    for (std::size_t p = 1; p < l.place.size(); ++p)
        if (g.zones[m.place_zone[p]].shape == Shape::stack) l.marks[p] = take(l, l.words * 8);
    l.fact.resize(g.facts.size());
    l.given.resize(g.facts.size());
    l.variable.resize(g.variables.size());
    for (const bool sets : {true, false}) {
        for (std::size_t f = 0; f < g.facts.size(); ++f)
            if (is_of_many(g.facts[f].type) == sets)
                l.fact[f] = take(l, size_of(l, g.facts[f].type) * static_cast<std::uint32_t>(g.facts[f].count));
        for (std::size_t v = 0; v < g.variables.size(); ++v)
            if (is_of_many(g.variables[v].type) == sets) l.variable[v] = take(l, size_of(l, g.variables[v].type));
    }
    for (const FactId f : g.facts.ids())
        if (is_of_many(g.facts[f].type) && g.facts[f].initial == no_id)
            l.given[f] = take(l, 4 * static_cast<std::uint32_t>(g.facts[f].count));
    l.where = take(l, static_cast<std::uint32_t>(g.piece_kind.size()) * 2);
    for (std::size_t p = 1; p < l.place.size(); ++p) {
        const Zone& z = g.zones[m.place_zone[p]];
        if (z.shape != Shape::stack && z.shape != Shape::row) continue;
        // Room for all that may come here, not only for what may stay: more than fits is noticed once it lies there.
        std::int32_t all = 0;
        for (const PieceKind& k : g.kinds)
            if (z.families[k.family]) all += k.copies;
        l.order[p] = take(l, static_cast<std::uint32_t>(all) + 1);
    }
    l.bytes = (l.bytes + 7) / 8 * 8;
}

}  // namespace houserule
