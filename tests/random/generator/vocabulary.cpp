#include "tests/random/generator/vocabulary.hpp"

#include <fmt/format.h>

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

std::string Vocabulary::type_text(const Type& type) const {
    const auto number = [](Fraction f) {
        return f.under == 1 ? fmt::format("{}", f.over) : fmt::format("{}", static_cast<double>(f.over) / static_cast<double>(f.under));
    };
    std::string text;
    switch (type.sort) {
        case Sort::truth:
            return "yes/no";
        case Sort::number:
            text = number(type.low) + ".." + number(type.high) + (type.parts == 2 ? " by 0.5" : type.parts == 4 ? " by 0.25" : "");
            return type.or_none ? text + " or none" : text;
        case Sort::player:
            return type.or_none ? "player or nobody" : "player";
        case Sort::enumeration:
            text = enums[static_cast<std::size_t>(type.of)].name;
            break;
        case Sort::kind:
        case Sort::card:
            for (std::size_t f = 0; f < families.size(); ++f)
                if (type.families == 1U << f) text = families[f].name;
            break;
        case Sort::set:
            return "set of " + type_text(element_of(type));
        case Sort::cards:
            break;
    }
    return type.or_none ? text + " or none" : text;
}

std::string Vocabulary::families_text(std::uint32_t wanted) const {
    if (wanted == (1U << families.size()) - 1 && families.size() > 1) return "any card";
    std::string text;
    for (std::size_t f = 0; f < families.size(); ++f)
        if ((wanted >> f & 1U) != 0) text += (text.empty() ? "" : " or ") + families[f].name;
    return text;
}

}  // namespace houserule::random_games
