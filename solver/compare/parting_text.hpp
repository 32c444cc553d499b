// What people are told of two games that part: what is so in each of them, and only what differs, in English and Japanese, with the
// labels that the machine's game has in that language.
//
// The inside of differ.cpp. Never changes a run but to look what can be chosen after a yes.
#pragma once

#include "solver/compare/product_machine.hpp"

namespace houserule {

// Both stand where `meeting` was found.
Sentence parting_text(SideBySide& both, const Meeting& meeting, Side side);
// The steps at which they stand, as places of the text.
std::vector<Span> parting_spans(SideBySide& both);

}  // namespace houserule
