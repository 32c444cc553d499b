#include "dsl/syntax/format_tokens.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>
#include <utility>

namespace houserule::formatting {

namespace {

bool is_blank(char32_t c) {
    constexpr std::u32string_view blanks = U" \t\r\v\f\u3000\uFEFF";  // the last is the byte order mark
    return blanks.find(c) != blanks.npos;
}

// The ASCII character that a full-width one stands for; others come back.
char32_t plain(char32_t c) {
    constexpr std::u32string_view understood = U"（）｛｝［］：；，＝＋－＊＜＞０１２３４５６７８９";
    constexpr char32_t full_width_offset = 0xFF01 - 0x21;
    if (c == U'、') return ',';
    return understood.find(c) == understood.npos ? c : c - full_width_offset;
}

char32_t plain_at(std::string_view text, std::size_t at) { return at < text.size() ? plain(decode(text.substr(at))) : 0; }
bool digit_at(std::string_view text, std::size_t at) {
    const char32_t c = plain_at(text, at);
    return c >= '0' && c <= '9';
}
bool name_continues_at(std::string_view text, std::size_t at) { return at < text.size() && continues_identifier(decode(text.substr(at))); }

struct Scanned {
    Token token;
    std::size_t length;  // in the text scanned, where full-width characters are longer than in the token
};

Scanned scan_text(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' && end + 1 < rest.size() ? 2 : 1;
    end = std::min(end + 1, rest.size());
    return {{TokenKind::text, std::string(rest.substr(0, end))}, end};
}

std::size_t name_end(std::string_view rest, std::size_t at) {
    while (name_continues_at(rest, at)) at += character_length(rest.substr(at));
    return at;
}

Scanned scan_number(std::string_view rest) {
    Scanned out{{TokenKind::number, {}}, 0};
    const auto take_digits = [&] {
        while (digit_at(rest, out.length)) {
            out.token.text += static_cast<char>(plain_at(rest, out.length));
            out.length += character_length(rest.substr(out.length));
        }
    };
    take_digits();
    if (out.length < rest.size() && rest[out.length] == '.' && digit_at(rest, out.length + 1)) {
        out.token.text += '.';
        ++out.length;
        take_digits();
    }
    // `2x` is no token of the language; parting it would make two of it.
    const std::size_t end = name_end(rest, out.length);
    out.token.text += rest.substr(out.length, end - out.length);
    out.length = end;
    return out;
}

Scanned scan_symbol(std::string_view rest) {
    const std::size_t length = character_length(rest);
    const char32_t c = plain(decode(rest));
    const auto symbol = [](std::string_view text, std::size_t n) { return Scanned{{TokenKind::symbol, std::string(text)}, n}; };
    if ((c == '\'' || c == U'’' || c == U'＇') && plain_at(rest, length) == 's' && !name_continues_at(rest, length + 1)) {
        return symbol("'s", length + 1);
    }
    if (c == '.' && plain_at(rest, length) == '.') return symbol("..", length + 1);
    if ((c == '<' || c == '>') && plain_at(rest, length) == '=') {
        return symbol(c == '<' ? "<=" : ">=", length + character_length(rest.substr(length)));
    }
    constexpr std::u32string_view symbols = U"{}()[],;:=+-*/<>";
    const std::size_t found = symbols.find(c);
    if (found != symbols.npos) return symbol(std::string(1, static_cast<char>(symbols[found])), length);
    return {{TokenKind::other, std::string(rest.substr(0, length))}, length};
}

Scanned scan_token(std::string_view rest) {
    if (rest[0] == '"') return scan_text(rest);
    if (digit_at(rest, 0)) return scan_number(rest);
    if (!begins_identifier(decode(rest))) return scan_symbol(rest);
    const std::size_t end = name_end(rest, 0);
    return {{TokenKind::name, std::string(rest.substr(0, end))}, end};
}

std::string_view without_blanks_at_end(std::string_view text) {
    constexpr std::string_view wide_blank = "\u3000";
    while (true) {
        if (text.ends_with(' ') || text.ends_with('\t') || text.ends_with('\r')) {
            text.remove_suffix(1);
        } else if (text.ends_with(wide_blank)) {
            text.remove_suffix(wide_blank.size());
        } else {
            return text;
        }
    }
}

Line scan_line(std::string_view rest) {
    Line line;
    std::size_t column = 0, blanks = 0;
    while (!rest.empty()) {
        const char32_t c = decode(rest);
        if (c == '#') {
            line.comment = without_blanks_at_end(rest);
            break;
        }
        if (is_blank(c)) {
            const std::string_view blank = rest.substr(0, character_length(rest));
            blanks += c == '\t' ? narrowest_gap : 1;
            column += display_width(blank);
            rest.remove_prefix(blank.size());
            continue;
        }
        Scanned scanned = scan_token(rest);
        scanned.token.width = display_width(scanned.token.text);
        scanned.token.column = column;
        scanned.token.blanks = std::exchange(blanks, 0);
        column += display_width(rest.substr(0, scanned.length));
        rest.remove_prefix(scanned.length);
        line.tokens.push_back(std::move(scanned.token));
    }
    return line;
}

}  // namespace

std::vector<Line> scan(std::string_view text) {
    std::vector<Line> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        while (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(scan_line(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace houserule::formatting
