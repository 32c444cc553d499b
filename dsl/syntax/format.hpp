// The one layout of rules files: indentation, blanks between tokens, aligned columns, comments, blank lines.
//
// It works on tokens, not on the syntax tree, so that a file with errors can be formatted as well. It never fails: bytes that are
// no token come back as they were. It never adds, drops or reorders a token or a comment and never joins or breaks lines of code.
// Outside strings and comments, full-width punctuation and digits become ASCII and byte order marks are removed. It is idempotent.
#pragma once

#include <string>
#include <string_view>

namespace houserule {

// `text` in the house layout, ending in one line end (empty if there is nothing in it).
//
// Left as the author wrote it: line breaks, but blank lines in a row become one; two or more blanks, which make a column aligned with the
// lines around it; deeper indentation of a continued statement; lines aligned under what follows a brace; blanks inside `{a, b}` and
// before the `(` after a name.
std::string format(std::string_view text);

}  // namespace houserule
