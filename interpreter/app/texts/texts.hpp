// All that the program says, but for diagnostics (dsl/text) and what findings and limits say (solver): one table a language.
//
// The English table says what rows there are and which places each has; dsl/text/phrase.hpp tells how rows are used, and
// dsl/text/texts.hpp what a further language takes.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule::cli {

namespace texts {

enum Index : std::size_t {
#define HOUSERULE_TEXT(name, words) name,
#include "interpreter/app/texts/texts.en.def"
#undef HOUSERULE_TEXT
    count
};
extern const Words table[count];

}  // namespace texts

struct Text {
#define HOUSERULE_TEXT(name, words) static constexpr TextRow<places_of(words)> name{texts::table + texts::name};
#include "interpreter/app/texts/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule::cli
