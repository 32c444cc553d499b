// The one layout of rules files: indentation, blanks between tokens, aligned columns, comments, blank lines.
//
// It works on tokens, not on the syntax tree, so that a file with errors can be formatted as well. It never fails: bytes that are
// no token come back as they were. It never adds, drops or reorders a token or a comment and never moves a line break; full-width
// punctuation and digits outside strings and comments become ASCII, byte order marks there go. Formatting twice is formatting once.
#pragma once

#include <string>
#include <string_view>

namespace houserule {

// `text` in the house layout, with one line end at its end (none if there is nothing in it).
//
// Left as the author wrote it: line breaks; two or more blanks, which make a column aligned with the lines around it; deeper
// indentation of a continued statement; lines aligned under what follows a brace; blanks inside `{a, b}` and before the `(` after a
// name.
std::string format(std::string_view text);

}  // namespace houserule
