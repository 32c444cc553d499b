// How a checked game names its things, for people and for logs.
#include "dsl/game/names.hpp"

#include "dsl/text/index_of.hpp"
#include "dsl/text/ratio.hpp"

#include <fmt/format.h>

#include <array>

namespace houserule {

std::string_view operator_name(Operator op) {
    static constexpr std::array names = {
#define HOUSERULE_OPERATOR(name, immediate) std::string_view(#name),
#include "dsl/game/operators.def"
#undef HOUSERULE_OPERATOR
    };
    return names[index_of(op)];
}

Immediate immediate_of(Operator op) {
    static constexpr std::array immediates = {
#define HOUSERULE_OPERATOR(name, immediate) Immediate::immediate,
#include "dsl/game/operators.def"
#undef HOUSERULE_OPERATOR
    };
    return immediates[index_of(op)];
}

std::string label(const Game& game, const std::string& name, const std::string& language) {
    if (language.empty()) return name;
    for (const NamedText& l : game.labels)
        if (l.language == language && l.name == name) return l.text;
    return name;
}

std::string rule_text(const Game& game, const std::string& name, const std::string& language) {
    for (const NamedText& t : game.texts)
        if (t.language == language && t.name == name) return t.text;
    for (const NamedText& t : game.texts)
        if (t.name == name) return t.text;
    return "";
}

namespace {

// `{red blue}`: without commas, which part the cards of a list.
std::string set_text(const Game& game, const Type& type, std::int32_t set, const std::string& language) {
    const Type element{type.element, Base::nothing, type.of, type.low, type.high, 1, false};
    std::string text;
    for (const std::int32_t value : game.sets[set]) text += (text.empty() ? "" : " ") + value_name(game, element, value, language);
    return "{" + text + "}";
}

std::string field_text(const Game& game, const Field& field, std::int32_t value, const std::string& language) {
    if (field.type.base == Base::set) return set_text(game, field.type, value, language);
    const auto named = field.value_names.find(value);
    if (named != field.value_names.end()) return label(game, named->second, language);
    return value_name(game, field.type, value, language);
}

}  // namespace

std::string kind_text(const Game& game, KindId kind, const std::string& language) {
    const PieceKind& k = game.kinds[kind];
    const Family& family = game.families[k.family];
    if (!k.name.empty()) return label(game, k.name, language);
    if (family.fields.empty()) return label(game, family.name, language);
    std::string text;
    for (std::size_t i = 0; i < family.fields.size(); ++i) {
        if (!text.empty()) text += ' ';
        text += field_text(game, family.fields[i], k.values[i], language);
    }
    return text;
}

std::string value_name(const Game& game, const Type& type, std::int32_t value, const std::string& language) {
    switch (type.base) {
        case Base::truth:
            return value != 0 ? "yes" : "no";
        case Base::number: {
            if (value == no_number) return "none";
            if (type.scale == 1) return fmt::format("{}", value);
            std::string text = fmt::format("{:.3f}", ratio(value, type.scale));
            while (text.ends_with('0')) text.pop_back();
            if (text.ends_with('.')) text.pop_back();
            return text;
        }
        case Base::enumeration:
            if (value < 0 || type.of == no_id) return "none";
            return label(game, game.enums[type.of].values[value], language);
        case Base::player:
            return value < 0 ? "nobody" : fmt::format("P{}", value + 1);
        case Base::kind:
            return value < 0 ? "none" : kind_text(game, value, language);
        case Base::place:
            return place_name(game, value, language);
        case Base::nothing:
        case Base::card:
        case Base::cards:
        case Base::set:
            break;
    }
    return "?";
}

const Zone* zone_of(const Game& game, PlaceId place) {
    for (const Zone& z : game.zones)
        if (place >= z.first_place && place < z.first_place + z.places) return &z;
    return nullptr;
}

int owner_of(const Game& game, PlaceId place) {
    const Zone* const zone = zone_of(game, place);
    return zone != nullptr && zone->by == IndexBy::player ? place - zone->first_place : -1;
}

std::string place_name(const Game& game, PlaceId place, const std::string& language) {
    const Zone* const z = zone_of(game, place);
    if (z == nullptr) return "outside";
    const std::string name = label(game, z->name, language);
    const std::int32_t index = place - z->first_place;
    if (z->by == IndexBy::nothing) return name;
    if (z->by == IndexBy::player) return fmt::format("P{}'s {}", index + 1, name);
    return fmt::format("{} of {}", name, label(game, game.enums[z->index_enum].values[index], language));
}

}  // namespace houserule
