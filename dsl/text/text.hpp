// Unicode text, over utf8proc: normal form, width in terminal cells, what may be an identifier, and the name closest to a misspelled one.
// Depends on no locale and keeps no state.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace houserule {

// True when `text` is well-formed UTF-8; otherwise `*bad` (if given) is the offset of the first bad byte.
bool is_utf8(std::string_view text, std::size_t* bad = nullptr);

// NFC form. Ill-formed input comes back unchanged.
std::string nfc(std::string_view text);
// NFKC form: half-width and full-width letters as the usual ones. Ill-formed input comes back unchanged.
std::string nfkc(std::string_view text);
// Hiragana as katakana.
std::string in_katakana(std::string_view text);

// `text` as people are shown it: a tab as four spaces; ASCII control characters as their pictures (U+2400…); other control characters, line
// and paragraph separators, what would reorder the line and what is not UTF-8 as U+FFFD.
std::string shown(std::string_view text);

// Terminal cells that `shown(text)` takes: wide and full-width characters count two, combining ones none.
std::size_t display_width(std::string_view text);

// As much of `shown(text)` as `width` cells hold; where that is not all of it, its last cell is `…`.
std::string clipped(std::string_view text, std::size_t width);

// The cells [from, from + width) of `shown(text)`, with `…` in place of what is left out on either side. If `from` is inside a wide
// character, it is changed to the cell where that character begins.
std::string window(std::string_view text, std::size_t& from, std::size_t width);

// `text` followed by spaces up to `width` cells; longer text comes back whole.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// Length in bytes of the UTF-8 character that begins at `text[0]` (1 for ill-formed bytes; 0 at the end).
std::size_t character_length(std::string_view text);
// The length that its first byte announces, when the others have not arrived.
std::size_t length_from_first(char first);

// Whether the character may begin or continue an identifier: a letter or `_`, then also digits and marks. ASCII and the rest of
// Unicode by general category (L*, Nl; then also M*, Nd, Pc), full-width digits and Latin letters excluded.
bool begins_identifier(char32_t c);
bool continues_identifier(char32_t c);
// Decodes the character at the beginning of `text`; U+FFFD for ill-formed bytes, 0 at the end.
char32_t decode(std::string_view text);

// `closest` makes no guess for longer names (in code points): the cost grows with the square of the length.
inline constexpr std::size_t closest_longest = 64;

// The one of `names` closest to `word`, when it is close enough to be a likely slip (optimal string alignment distance at most
// a third of the longer length, at least 1, ASCII case folded first, all in code points); empty otherwise. Ties go to the earlier
// one. Names of one letter are close only when equal so folded.
std::string closest(std::string_view word, std::span<const std::string> names);

}  // namespace houserule
