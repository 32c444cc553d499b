// ASCII letters and digits, whatever the locale; every byte of another character is none of them.
#pragma once

namespace houserule::ascii {

constexpr bool is_ascii(char c) { return (c & 0x80) == 0; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_capital_letter(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_small_letter(c) || is_capital_letter(c); }
constexpr char capital(char c) { return is_small_letter(c) ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char small(char c) { return is_capital_letter(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// A byte of UTF-8 that does not begin a character.
constexpr bool continues_character(char c) { return (c & 0xC0) == 0x80; }

}  // namespace houserule::ascii
