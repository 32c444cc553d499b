#include "tests/random/generator/vocabulary.hpp"

namespace houserule::random_games {

bool fits(const Type& actual, const Type& wanted) {
    if (actual.sort != wanted.sort) return false;
    if (actual.or_none && !wanted.or_none) return false;
    const bool families = (actual.families & ~wanted.families) == 0;
    switch (actual.sort) {
        case Sort::truth:
        case Sort::number:
        case Sort::player:
            return true;
        case Sort::enumeration:
            return actual.of == wanted.of;
        case Sort::kind:
        case Sort::card:
        case Sort::cards:
            return families;
        case Sort::set:
            return actual.element == wanted.element && actual.of == wanted.of && families;
    }
    return false;
}

std::string at_least(const Written& w, Level level) { return w.level >= level ? w.text : "(" + w.text + ")"; }

int Vocabulary::indices(Index by, int of, int players) const {
    if (by == Index::table) return 1;
    if (by == Index::player) return players;
    return static_cast<int>(enums[static_cast<std::size_t>(of)].values.size());
}

int Vocabulary::place(std::size_t zone, int index, int players) const {
    int before = 0;
    for (std::size_t z = 0; z < zone; ++z) before += indices(zones[z].by, zones[z].of, players) * zones[z].spots.count();
    return before + index;
}

}  // namespace houserule::random_games
