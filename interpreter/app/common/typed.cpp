#include "interpreter/app/common/typed.hpp"

#include "dsl/text/text.hpp"

#include <algorithm>
#include <cctype>

namespace houserule::cli {

std::string plain_form(const std::string& text) {
    std::string plain;
    bool digits = false;
    const std::string normal = nfc(text);
    for (std::string_view rest = normal; !rest.empty();) {
        const std::size_t n = std::max<std::size_t>(1, character_length(rest));
        char32_t c = decode(rest);
        std::string piece(rest.substr(0, n));
        rest.remove_prefix(n);
        if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
        if (c == 0x3000 || c == '_' || c == '\t') c = ' ';
        if (c < 0x80) piece = std::string(1, static_cast<char>(std::tolower(static_cast<int>(c))));
        const bool digit = c >= '0' && c <= '9';
        const bool space = c == ' ';
        if (!space && !plain.empty() && plain.back() != ' ' && digit != digits) plain += ' ';
        if (!space || (!plain.empty() && plain.back() != ' ')) plain += piece;
        digits = digit;
    }
    if (plain.ends_with(' ')) plain.pop_back();
    return plain;
}

}  // namespace houserule::cli
