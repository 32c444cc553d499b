// The words of a rulebook page: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md). How sentences are built of them
// is grammar, and stands in the files book_*.cpp.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule::cli {

#define HOUSERULE_SET BookText
#define HOUSERULE_SPACE book_texts
#define HOUSERULE_ROWS "dsl/book/texts.en.def"
#include "dsl/text/rows.inc"

}  // namespace houserule::cli
