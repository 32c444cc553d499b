#include "interpreter/run/failure.hpp"

#include "dsl/check/check.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

using Sentences = std::pair<std::string_view, std::string_view>;

constexpr std::array sentences{
    Sentences{"", ""},
#define HOUSERULE_FAILURE(name, en, ja) Sentences{en, ja},
#include "interpreter/run/failures.def"
#undef HOUSERULE_FAILURE
};

}  // namespace

std::string text(const Game& game, const Failure& f, Language language) {
    const bool ja = language == Language::ja;
    const std::string in = ja ? "ja" : "";
    const auto shown = [&](const std::string& name) { return ja ? label(game, name, in) : name; };
    const Zone* const zone = zone_of(game, f.place);
    const Fact* const fact = f.fact == no_id ? nullptr : &game.facts[f.fact];
    const Sentences& s = sentences[static_cast<std::size_t>(f.kind)];
    return fmt::format(fmt::runtime(ja ? s.second : s.first), f.number, f.place == no_id ? "" : place_name(game, f.place, in),
                       zone == nullptr ? "" : shown(zone->name), zone == nullptr ? 0 : zone->capacity,
                       fact == nullptr ? "" : shown(fact->name), fact == nullptr ? "" : value_name(game, fact->type, f.number, in));
}

}  // namespace houserule
