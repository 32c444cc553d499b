#include "dsl/book/texts.hpp"

namespace houserule::cli::book_texts {

// clang-format off
#define HOUSERULE_TABLE(language) dsl/book/texts.language.def
// clang-format on
#include "dsl/text/tables.inc"

}  // namespace houserule::cli::book_texts
