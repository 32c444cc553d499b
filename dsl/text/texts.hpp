// All texts of diagnostics: the titles, one for each code and of the same name, and the texts of labels, notes, help and arguments.
//
// The English table defines the rows and the placeholders ({0}, {1}, …) of each; README.md says how to add a language.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule {

#define HOUSERULE_SET Text
#define HOUSERULE_SPACE texts
#define HOUSERULE_ROWS "dsl/text/texts.en.def"
#include "dsl/text/rows.inc"

}  // namespace houserule
