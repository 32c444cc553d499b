// The lexer of the formatter: tokens line by line, with the blanks between them. Any text can be scanned: what is no token of the language
// is kept as it is. Full-width digits and punctuation of the language become ASCII.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace houserule::formatting {

// Blanks between two tokens, at least, for the second to begin a column.
inline constexpr std::size_t narrowest_gap = 2;

enum class TokenKind { name, number, text, symbol, other };

struct Token {
    TokenKind kind = TokenKind::other;
    std::string text;
    std::size_t width = 0;   // in display cells, as `column`
    std::size_t column = 0;  // where the author had it, from the beginning of the line
    std::size_t blanks = 0;  // before it: as written after `scan` (a tab is two), then as laid out; unused for the first token of a line
    bool inside = false;     // set by the layout: a bracket that was opened before it on its line is still open
};

struct Line {
    std::vector<Token> tokens;
    std::string comment;             // with its `#`; empty if there is none
    std::size_t indent = 0;          // set by the layout, in blanks
    std::size_t comment_blanks = 0;  // before the comment; set by the layout
};

inline bool is(const Token& token, std::string_view text) { return token.kind != TokenKind::text && token.text == text; }
inline bool is_open(const Token& token) { return is(token, "{") || is(token, "(") || is(token, "["); }
inline bool is_close(const Token& token) { return is(token, "}") || is(token, ")") || is(token, "]"); }

std::vector<Line> scan(std::string_view text);

}  // namespace houserule::formatting
