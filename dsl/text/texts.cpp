#include "dsl/text/texts.hpp"

namespace houserule::texts {

// clang-format off
#define HOUSERULE_TABLE(language) dsl/text/texts.language.def
// clang-format on
#include "dsl/text/tables.inc"

}  // namespace houserule::texts
