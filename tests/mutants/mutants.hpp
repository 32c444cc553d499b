// Faults put into the rules of a game one by one, as a hurried author makes them: a clause left out, a word for another, a figure one off.
//
// Each mutant is the whole tree with one place changed. Examples, labels and texts stay as they are, and so does what an option or a
// reading that is not chosen would say. Faults that the checker asks about in whatever file (who sees this, how long does that last) are
// few: they would only raise the share that is told.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <string>
#include <vector>

namespace houserule::testing {

struct Mutant {
    std::string fault;  // its kind: `no tie-break`
    Syntax syntax;
    Span span;  // what was changed, in the text of the game
};

std::vector<Mutant> mutants(const Syntax& syntax);

}  // namespace houserule::testing
