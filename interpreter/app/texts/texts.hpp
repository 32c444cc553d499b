// All that the program says, but for diagnostics (dsl/text) and what findings and limits say (solver): one table a language.
//
// The English table says what rows there are and which places each has; dsl/text/phrase.hpp tells how rows are used, and
// dsl/text/texts.hpp what a further language takes.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule::cli {

#define HOUSERULE_SET Text
#define HOUSERULE_SPACE texts
#define HOUSERULE_ROWS "interpreter/app/texts/texts.en.def"
#include "dsl/text/rows.inc"

}  // namespace houserule::cli
