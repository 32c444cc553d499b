// What findings and comparisons say: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md).
#pragma once

#include "dsl/text/phrase.hpp"

#include <vector>

namespace houserule {

namespace finding_texts {

enum Index : std::size_t {
#define HOUSERULE_TEXT(name, words) name,
#include "solver/findings/texts.en.def"
#undef HOUSERULE_TEXT
    count
};
extern const Words table[count];

}  // namespace finding_texts

struct FindingText {
#define HOUSERULE_TEXT(name, words) static constexpr TextRow<places_of(words)> name{finding_texts::table + finding_texts::name};
#include "solver/findings/texts.en.def"
#undef HOUSERULE_TEXT
};

// 2, 3, 5: any range of numbers.
Phrase listed_numbers(const auto& numbers) { return listed(std::vector<Phrase>(numbers.begin(), numbers.end())); }

}  // namespace houserule
