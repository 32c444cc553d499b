// What people write who come from a programming language or from plain English, and what the language says instead.
#pragma once

#include "dsl/text/texts.hpp"

#include <cstddef>
#include <string_view>

namespace houserule {

// Advice where `token`, at byte `at`, stands although `expected` should; empty where there is none.
Phrase said_otherwise(std::string_view text, std::size_t at, std::string_view token, const Phrase& expected);

// Advice about a word that nothing is called, and that begins a statement in another language; empty where there is none.
Phrase said_otherwise(std::string_view word);

// Advice about a name that is nothing's, nor like one that is, and that rulebooks use; empty where there is none.
Phrase said_in_rulebooks(std::string_view name);

}  // namespace houserule
