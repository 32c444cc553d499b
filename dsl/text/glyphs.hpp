// Glyphs of names: `labels glyph { spade "♠" }` has a short sign for a name, `labels glyph_red { heart "♥" }` one that terminals show in
// that colour. A glyph stands for its name where cards of a hand are put together; the shape identifies it, never the colour alone.
#pragma once

#include <array>
#include <string_view>

namespace houserule {

inline constexpr std::string_view glyph_labels = "glyph";
inline constexpr std::string_view colored_glyph_labels = "glyph_";
inline constexpr std::array<std::string_view, 6> glyph_colors = {"red",  "green",   "yellow",
                                                                 "blue", "magenta", "cyan"};  // as terminals count

// Whether labels of this language are glyphs.
inline bool are_glyphs(std::string_view language) { return language == glyph_labels || language.starts_with(colored_glyph_labels); }

}  // namespace houserule
