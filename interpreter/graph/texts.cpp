#include "interpreter/graph/texts.hpp"

namespace houserule::graph_texts {

// clang-format off
#define HOUSERULE_TABLE(language) interpreter/graph/texts.language.def
// clang-format on
#include "dsl/text/tables.inc"

}  // namespace houserule::graph_texts
