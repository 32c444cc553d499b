// Reports syntax errors: what was expected, what was found, and what may have been meant.
#pragma once

#include "dsl/syntax/draft.hpp"
#include "dsl/text/texts.hpp"

#include <cstddef>
#include <string_view>

namespace houserule {

// The first byte from `at` on that is neither white space nor in a comment; the size of `text` if there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

// Both append a diagnostic at byte `offset` (many are only counted) and move `state.reported` past it.
void report_unexpected(ReadState& state, std::size_t offset, const Phrase& expected);
void report_too_deep(ReadState& state, std::size_t offset);

}  // namespace houserule
