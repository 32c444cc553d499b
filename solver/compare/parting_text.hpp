// Puts into words how two games part: how each of them stands, as far as they differ, in English and Japanese, with the labels that the
// game has in that language.
//
// For differ.cpp only. Runs are changed only to see what can be chosen after a yes, and are put back.
#pragma once

#include "solver/compare/product_machine.hpp"

namespace houserule {

// Both runs must stand where `joint` was found.
Sentence parting_text(SideBySide& both, const JointState& joint, Side side);
// The places in the text of the steps at which they wait.
std::vector<Span> parting_spans(SideBySide& both);

}  // namespace houserule
