#include "interpreter/run/failure.hpp"

#include "dsl/check/check.hpp"

#include <string_view>

namespace houserule {

namespace {

namespace failures_ja {
#define HOUSERULE_TEXT(name, words) constexpr std::string_view name = words;
#include "interpreter/run/failures.ja.def"
#undef HOUSERULE_TEXT
}  // namespace failures_ja

#define HOUSERULE_TEXT(name, words) static_assert(FailureKind::name != FailureKind::none, "a row that is not in the English table");
#include "interpreter/run/failures.ja.def"
#undef HOUSERULE_TEXT

// Any of the six, but the same in each language.
#define HOUSERULE_TEXT(name, words) \
    static_assert(place_bits(words) >= 0 && place_bits(words) < 1 << 6 && place_bits(failures_ja::name) == place_bits(words), #name);
#include "interpreter/run/failures.en.def"
#undef HOUSERULE_TEXT

constexpr Words sentences[] = {
    Words{},
#define HOUSERULE_TEXT(name, words) Words{words, failures_ja::name},
#include "interpreter/run/failures.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace

std::string text(const Game& game, const Failure& f, Language language) {
    const bool as_written = language == Language::en;  // the names that the file has, without its labels
    const std::string in = as_written ? "" : code_of(language);
    const auto shown = [&](const std::string& name) { return as_written ? name : label(game, name, in); };
    const Zone* const zone = zone_of(game, f.place);
    const Fact* const fact = f.fact == no_id ? nullptr : &game.facts[f.fact];
    return fill(sentences[static_cast<std::size_t>(f.kind)][static_cast<std::size_t>(language)],
                {std::to_string(f.number), f.place == no_id ? "" : place_name(game, f.place, in), zone == nullptr ? "" : shown(zone->name),
                 std::to_string(zone == nullptr ? 0 : zone->capacity), fact == nullptr ? "" : shown(fact->name),
                 fact == nullptr ? "" : value_name(game, fact->type, f.number, in)});
}

}  // namespace houserule
