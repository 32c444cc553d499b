// Lines of text that fit a width.
#pragma once

#include <cstddef>
#include <string>

namespace houserule::cli {

// The text in lines of at most `width` cells, those after the first indented by `indent`. Words are kept whole, and what stands between
// commas where that costs little; Japanese is broken anywhere but before what may not begin a line and after what may not end one.
// Without a line break at its end.
std::string folded(const std::string& text, std::size_t width, std::size_t indent = 0);

// Each of the lines of a text so; what is folded stands two cells further right than its line.
std::string folded_lines(const std::string& text, std::size_t width);

// A page about commands, `name   what it does`, perhaps two of them on a line. A line that does not fit is parted at the second name, and
// what a command does is folded below where it began, or near the left where little room is left there.
std::string folded_commands(const std::string& page, std::size_t width);

}  // namespace houserule::cli
