#include "interpreter/app/texts/texts.hpp"

namespace houserule::cli::texts {

namespace {

struct Japanese {
#define HOUSERULE_TEXT(name, words) static constexpr std::string_view name = words;
#include "interpreter/app/texts/texts.ja.def"
#undef HOUSERULE_TEXT
};

// Every row of the other table stands in the English one, with the same places. What the English one has more is missed below.
#define HOUSERULE_TEXT(name, words) static_assert(places_of(words) == decltype(Text::name)::count, "other places than in English: " #name);
#include "interpreter/app/texts/texts.ja.def"
#undef HOUSERULE_TEXT

}  // namespace

constexpr Words table[count] = {
#define HOUSERULE_TEXT(name, words) Words{words, Japanese::name},
#include "interpreter/app/texts/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule::cli::texts
