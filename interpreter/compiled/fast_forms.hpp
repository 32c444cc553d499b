// The text of the headers that every compiled game begins with: made by embed.cmake from the headers themselves, so that an installed
// program has it.
#pragma once

#include <string_view>

namespace houserule {

std::string_view fast_forms();

}  // namespace houserule
