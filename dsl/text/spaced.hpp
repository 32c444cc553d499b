// A name of a rules file as people read it where it has no label: blanks for `_`, and none at its ends.
#pragma once

#include <algorithm>
#include <string>

namespace houserule {

inline std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::size_t first = name.find_first_not_of(' ');
    return first == std::string::npos ? name : name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

}  // namespace houserule
