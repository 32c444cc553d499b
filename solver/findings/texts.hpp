// What findings and comparisons say: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md).
#pragma once

#include "dsl/text/phrase.hpp"

#include <vector>

namespace houserule {

#define HOUSERULE_SET FindingText
#define HOUSERULE_SPACE finding_texts
#define HOUSERULE_ROWS "solver/findings/texts.en.def"
#include "dsl/text/rows.inc"

// 2, 3, 5: any range of numbers.
Phrase listed_numbers(const auto& numbers) { return listed(std::vector<Phrase>(numbers.begin(), numbers.end())); }

}  // namespace houserule
