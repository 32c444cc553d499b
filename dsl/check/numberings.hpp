// Labels of one language that number in two ways, `第1の列` and `第二の列`: a reader takes them for two things.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/text/diagnostics.hpp"

namespace houserule {

// Warns of the first label that leaves the way in which another with the same words around the number is written.
void warn_of_numberings(Diagnostics& diagnostics, const SyntaxNode& file);

}  // namespace houserule
