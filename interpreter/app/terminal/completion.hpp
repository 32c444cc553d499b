// Completes the name at the end of a line, when Tab is pressed. Works on text alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::cli {

struct Completion {
    std::size_t typed = 0;           // the number of bytes at the end of the line that are the beginning of a name
    std::string instead;             // what replaces them: the common beginning of the names that fit
    std::vector<std::string> names;  // the names that fit, each once, sorted
};

// `before`: the line up to the cursor. The longest suffix of it counts that starts at a word and is the beginning of a name; names may
// contain spaces. Case makes no difference. If nothing fits, there are no names.
Completion complete(std::string_view before, const std::vector<std::string>& names);

}  // namespace houserule::cli
