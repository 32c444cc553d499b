#include "solver/terms/limits.hpp"

#include <string_view>

namespace houserule {

namespace {

namespace limits_ja {
#define HOUSERULE_TEXT(name, words) constexpr std::string_view name = words;
#include "solver/terms/limits.ja.def"
#undef HOUSERULE_TEXT
}  // namespace limits_ja

#define HOUSERULE_TEXT(name, words) static_assert(LimitKind::name != LimitKind::none, "a row that is not in the English table");
#include "solver/terms/limits.ja.def"
#undef HOUSERULE_TEXT

#define HOUSERULE_TEXT(name, words) \
    static_assert(place_bits(words) >= 0 && place_bits(words) <= 1 && place_bits(limits_ja::name) == place_bits(words), #name);
#include "solver/terms/limits.en.def"
#undef HOUSERULE_TEXT

constexpr Words sentences[] = {
    Words{},
#define HOUSERULE_TEXT(name, words) Words{words, limits_ja::name},
#include "solver/terms/limits.en.def"
#undef HOUSERULE_TEXT
};

std::string sentence(LimitKind kind, std::uint64_t number, Language language) {
    return fill(sentences[static_cast<std::size_t>(kind)][static_cast<std::size_t>(language)], {std::to_string(number)});
}

}  // namespace

Limit because(LimitKind what, const Limit& why) { return {what, 0, why.kind, why.number}; }

std::string text(const Limit& limit, Language language) {
    const std::string what = sentence(limit.kind, limit.number, language);
    if (limit.why == LimitKind::none) return what;
    return Text::this_because(what, sentence(limit.why, limit.why_number, language)).in(language);
}

}  // namespace houserule
