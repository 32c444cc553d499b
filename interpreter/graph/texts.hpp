// The words on a drawn machine: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md).
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule {

#define HOUSERULE_SET GraphText
#define HOUSERULE_SPACE graph_texts
#define HOUSERULE_ROWS "interpreter/graph/texts.en.def"
#include "dsl/text/rows.inc"

}  // namespace houserule
