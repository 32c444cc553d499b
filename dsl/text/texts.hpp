// All texts of diagnostics: the titles, one for each code and of the same name, and the texts of labels, notes, help and arguments.
//
// The English table defines the rows and the placeholders ({0}, {1}, …) of each; README.md says how to add a language.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule {

namespace texts {

enum Index : std::size_t {
#define HOUSERULE_TEXT(name, words) name,
#include "dsl/text/texts.en.def"
#undef HOUSERULE_TEXT
    count
};
extern const Words table[count];

}  // namespace texts

struct Text {
#define HOUSERULE_TEXT(name, words) static constexpr TextRow<places_of(words)> name{texts::table + texts::name};
#include "dsl/text/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule
