#include "dsl/text/texts.hpp"

namespace houserule::texts {

namespace {

struct Japanese {
#define HOUSERULE_TEXT(name, words) static constexpr std::string_view name = words;
#include "dsl/text/texts.ja.def"
#undef HOUSERULE_TEXT
};

// Every row of the other table stands in the English one, with the same places. What the English one has more is missed below.
#define HOUSERULE_TEXT(name, words) static_assert(places_of(words) == decltype(Text::name)::count, "other places than in English: " #name);
#include "dsl/text/texts.ja.def"
#undef HOUSERULE_TEXT

}  // namespace

constexpr Words table[count] = {
#define HOUSERULE_TEXT(name, words) Words{words, Japanese::name},
#include "dsl/text/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule::texts
