#include "solver/findings/texts.hpp"

namespace houserule::finding_texts {

// clang-format off
#define HOUSERULE_TABLE(language) solver/findings/texts.language.def
// clang-format on
#include "dsl/text/tables.inc"

}  // namespace houserule::finding_texts
