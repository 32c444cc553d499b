// How labels are read aloud: `labels ja_kana { … }` has the readings of the labels in `labels ja { … }`, which pages print above them.
#pragma once

#include <string_view>

namespace houserule {

inline constexpr std::string_view read_aloud = "_kana";

}  // namespace houserule
