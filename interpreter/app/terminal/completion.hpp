// What Tab makes of a line that somebody is typing. Looks at text alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::cli {

struct Completion {
    std::size_t typed = 0;           // bytes at the end of the line that begin a name
    std::string instead;             // all that the names that fit have in common; stands in their place
    std::vector<std::string> names;  // those that fit, each once, in the order of the alphabet
};

// `before`: the line up to the cursor. The longest end of it counts that begins a name, from the beginning of a word on: names may have
// spaces. Small and capital letters are the same. Nothing fits: no names.
Completion complete(std::string_view before, const std::vector<std::string>& names);

}  // namespace houserule::cli
