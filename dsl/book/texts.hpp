// The words of a rulebook page: one table a language, texts.en.def and texts.ja.def (dsl/text/README.md). How sentences are built of them
// is grammar, and stands in the files book_*.cpp.
#pragma once

#include "dsl/text/phrase.hpp"

namespace houserule::cli {

namespace book_texts {

enum Index : std::size_t {
#define HOUSERULE_TEXT(name, words) name,
#include "dsl/book/texts.en.def"
#undef HOUSERULE_TEXT
    count
};
extern const Words table[count];

}  // namespace book_texts

struct BookText {
#define HOUSERULE_TEXT(name, words) static constexpr TextRow<places_of(words)> name{book_texts::table + book_texts::name};
#include "dsl/book/texts.en.def"
#undef HOUSERULE_TEXT
};

}  // namespace houserule::cli
