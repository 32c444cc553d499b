// From text to syntax tree. One run reports several errors: what does not parse is skipped, the rest is kept.
#pragma once

#include "dsl/syntax/syntax.hpp"

namespace houserule {

inline constexpr std::size_t text_limit = 1U << 20;  // bytes of one file: far above any rulebook, small enough to hold several
inline constexpr int nesting_limit = 200;            // the parser, like every later stage, recurses

// The tree of `sources[index]`; what is wrong with the text is appended to `diagnostics`. The tree has a root even then.
Syntax parse(const Sources& sources, std::size_t index, Diagnostics& diagnostics);

// The words of the language that cannot be names.
const std::vector<std::string>& reserved_words();

// Whether `text` is an identifier, and whether it may be a name: neither a reserved word nor a seat.
bool is_identifier(std::string_view text);
bool is_name(std::string_view text);

// The tree of one expression, which must be the whole of `sources[index]`: for a claim that a person types about a game.
Syntax parse_expression(const Sources& sources, std::size_t index, Diagnostics& diagnostics);

}  // namespace houserule
