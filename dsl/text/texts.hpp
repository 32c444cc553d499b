// All texts of diagnostics: their titles, named as their codes are, and what stands beside, below and inside them.
//
// The English table says what rows there are and which places each has; README.md how a further language is added.
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
