#include "interpreter/app/texts/texts.hpp"

namespace houserule::cli::texts {

// clang-format off
#define HOUSERULE_TABLE(language) interpreter/app/texts/texts.language.def
// clang-format on
#include "dsl/text/tables.inc"

}  // namespace houserule::cli::texts
