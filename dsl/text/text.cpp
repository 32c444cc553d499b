#include "dsl/text/text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

namespace houserule {

namespace {

constexpr char32_t replacement_character = 0xFFFD;
constexpr std::size_t tab_width = 4;

struct Character {
    char32_t value;
    std::size_t length;
    bool well_formed;
};

const utf8proc_uint8_t* bytes(std::string_view text) { return reinterpret_cast<const utf8proc_uint8_t*>(text.data()); }

// `text` must not be empty.
Character first_character(std::string_view text) {
    utf8proc_int32_t value = 0;
    const auto length = utf8proc_iterate(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &value);
    if (length <= 0) return {replacement_character, 1, false};
    return {static_cast<char32_t>(value), static_cast<std::size_t>(length), true};
}

Character take_character(std::string_view& text) {
    const Character c = first_character(text);
    text.remove_prefix(c.length);
    return c;
}

void append(std::string& out, char32_t c) {
    utf8proc_uint8_t encoded[4];
    const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), encoded);
    out.append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(length));
}

bool reorders_line(char32_t c) {
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// A terminal obeys control characters, and reordering ones make a rule read as another: both are shown, never sent.
char32_t harmless(char32_t c) {
    if (c < 0x20) return 0x2400 + c;
    if (c == 0x7F) return 0x2421;
    // Line and paragraph separators break the line like a control character does.
    if ((c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029 || reorders_line(c)) return replacement_character;
    return c;
}

std::size_t cells(char32_t c) {
    if (c == '\t') return tab_width;
    return utf8proc_charwidth(static_cast<utf8proc_int32_t>(harmless(c)));
}

std::string padding(std::string_view text, std::size_t width) {
    const std::size_t taken = display_width(text);
    return std::string(width > taken ? width - taken : 0, ' ');
}

// The twins of ASCII: they look like letters and digits, so a name must not be made of them.
bool is_full_width_ascii(char32_t c) { return c >= 0xFF01 && c <= 0xFF5E; }

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

bool is_letter(utf8proc_category_t category) {
    switch (category) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_NL:
            return true;
        default:
            return false;
    }
}

bool is_digit_or_mark(utf8proc_category_t category) {
    switch (category) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_PC:
            return true;
        default:
            return false;
    }
}

std::u32string folded(std::string_view text) {
    std::u32string out;
    while (!text.empty()) {
        const char32_t c = take_character(text).value;
        out += c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
    }
    return out;
}

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, each part touched once.
std::size_t distance(const std::u32string& a, const std::u32string& b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(current);
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], before_last[j - 2] + 1);
            }
        }
    }
    return current[b.size()];
}

constexpr std::size_t too_far = std::numeric_limits<std::size_t>::max();

// The distance when it may be a slip, `too_far` otherwise.
std::size_t slip(const std::u32string& word, const std::u32string& name) {
    const auto [shorter, longer] = std::minmax({word.size(), name.size()});
    if (shorter == 0 || longer > closest_longest) return too_far;
    if (longer == 1) return word == name ? 0 : too_far;
    const std::size_t limit = std::max<std::size_t>(1, longer / 3);
    if (longer - shorter > limit) return too_far;
    const std::size_t found = distance(word, name);
    return found <= limit ? found : too_far;
}

}  // namespace

bool is_utf8(std::string_view text, std::size_t* bad) {
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t at = text.size() - rest.size();
        if (take_character(rest).well_formed) continue;
        if (bad) *bad = at;
        return false;
    }
    return true;
}

namespace {

std::string normalized(std::string_view text, int options) {
    utf8proc_uint8_t* mapped = nullptr;
    const auto length =
        utf8proc_map(bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &mapped, static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    if (length < 0) return std::string(text);
    return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length));
}

}  // namespace

std::string nfc(std::string_view text) { return normalized(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE); }

std::string nfkc(std::string_view text) { return normalized(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT); }

std::string in_katakana(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char32_t c = take_character(text).value;
        const bool is_hiragana = (c >= 0x3041 && c <= 0x3096) || c == 0x309D || c == 0x309E;
        append(out, is_hiragana ? c + 0x60 : c);
    }
    return out;
}

std::string shown(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char32_t c = take_character(text).value;
        if (c == '\t') {
            out.append(tab_width, ' ');
        } else {
            append(out, harmless(c));
        }
    }
    return out;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) width += cells(take_character(text).value);
    return width;
}

std::string clipped(std::string_view text, std::size_t width) {
    std::size_t from = 0;
    return window(text, from, width);
}

std::string window(std::string_view text, std::size_t& from, std::size_t width) {
    std::size_t at = 0;  // cells before the rest of the text
    const auto behind = [&] { return at < from || (from > 0 && cells(first_character(text).value) == 0); };
    while (!text.empty() && behind()) at += cells(take_character(text).value);
    from = at;
    std::string_view kept = text;
    std::size_t taken = 0;
    std::size_t fits = 0;  // bytes that leave a cell for what says that there is more
    while (!text.empty()) {
        const std::size_t wide = cells(first_character(text).value);
        if (taken + wide > width) break;
        taken += wide;
        take_character(text);
        if (taken < width) fits = kept.size() - text.size();
    }
    const bool more = !text.empty();
    kept = kept.substr(0, more ? fits : kept.size());
    const bool cut = at > 0 && !kept.empty();
    if (!cut) return shown(kept) + (more ? "…" : "");
    // As many spaces as the first character took, so that all else stays in its column.
    const std::size_t first = cells(take_character(kept).value);
    return "…" + std::string(first > 1 ? first - 1 : 0, ' ') + shown(kept) + (more ? "…" : "");
}

std::string pad_right(std::string_view text, std::size_t width) { return std::string(text) + padding(text, width); }

std::string pad_left(std::string_view text, std::size_t width) { return padding(text, width) + std::string(text); }

std::size_t character_length(std::string_view text) { return text.empty() ? 0 : first_character(text).length; }

std::size_t length_from_first(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

bool begins_identifier(char32_t c) { return c == '_' || (!is_full_width_ascii(c) && is_letter(category(c))); }

bool continues_identifier(char32_t c) { return begins_identifier(c) || (!is_full_width_ascii(c) && is_digit_or_mark(category(c))); }

char32_t decode(std::string_view text) { return text.empty() ? 0 : first_character(text).value; }

std::string closest(std::string_view word, std::span<const std::string> names) {
    const std::u32string wanted = folded(word);
    const std::string* best = nullptr;
    std::size_t best_distance = too_far;
    for (const std::string& name : names) {
        const std::size_t found = slip(wanted, folded(name));
        if (found >= best_distance) continue;
        best = &name;
        best_distance = found;
    }
    return best ? *best : std::string();
}

}  // namespace houserule
