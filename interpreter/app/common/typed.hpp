// What people type, in a form in which it can be compared with names.
#pragma once

#include <string>

namespace houserule::cli {

// Small letters, half-width, `_` as a space, words and numbers separated by one space.
std::string plain_form(const std::string& text);

}  // namespace houserule::cli
