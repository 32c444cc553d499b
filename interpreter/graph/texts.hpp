// The words on a drawn machine: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md).
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule {

namespace graph_texts {

enum Index : std::size_t {
#define HOUSERULE_TEXT(name, words) name,
#include "interpreter/graph/texts.en.def"
#undef HOUSERULE_TEXT
    count
};
extern const Words table[count];

}  // namespace graph_texts

struct GraphText {
#define HOUSERULE_TEXT(name, words) static constexpr TextRow<places_of(words)> name{graph_texts::table + graph_texts::name};
#include "interpreter/graph/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule
