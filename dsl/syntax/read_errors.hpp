// What is said of a text that does not read on: what was expected, what stands there, and what may have been meant.
#pragma once

#include "dsl/syntax/draft.hpp"
#include "dsl/text/texts.hpp"

#include <cstddef>
#include <string_view>

namespace houserule {

// The next place from `at` on that is neither blank nor in a comment.
std::size_t skip_space(std::string_view text, std::size_t at);

void report_unexpected(ReadState& state, std::size_t offset, const Phrase& expected);
void report_too_deep(ReadState& state, std::size_t offset);

}  // namespace houserule
