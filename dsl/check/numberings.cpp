#include "dsl/check/numberings.hpp"

#include "dsl/text/glyphs.hpp"
#include "dsl/text/kana.hpp"
#include "dsl/text/text.hpp"
#include "dsl/text/texts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

enum class Numerals { none, digits, wide_digits, circled, kanji, roman };

bool is_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }

Numerals numerals_of(char32_t c) {
    if (c >= U'0' && c <= U'9') return Numerals::digits;
    if (c >= U'０' && c <= U'９') return Numerals::wide_digits;
    if (c >= U'①' && c <= U'⑳') return Numerals::circled;
    if (std::u32string_view(U"一二三四五六七八九十").find(c) != std::u32string_view::npos) return Numerals::kanji;
    if (c >= U'Ⅰ' && c <= U'Ⅻ') return Numerals::roman;
    return Numerals::none;
}

// `II` and `IV` standing apart from other letters: how long.
std::size_t roman_length(std::string_view rest) {
    const std::size_t end = std::min(rest.size(), rest.find_first_not_of("IVX"));
    return end < rest.size() && is_letter(decode(rest.substr(end))) ? 0 : end;
}

// What stands around the one number in a label, and how that is written.
std::optional<std::pair<std::string, Numerals>> numbered(const std::string& label) {
    std::string around;
    Numerals style = Numerals::none;
    bool after_letter = false;
    Numerals before = Numerals::none;
    for (std::string_view rest = label; !rest.empty();) {
        const char32_t c = decode(rest);
        std::size_t length = character_length(rest);
        Numerals here = numerals_of(c);
        if (const std::size_t roman = after_letter ? 0 : roman_length(rest); roman > 0) here = Numerals::roman, length = roman;
        if (here == Numerals::none) {
            around += rest.substr(0, length);
        } else if (here != before) {
            if (style != Numerals::none) return std::nullopt;
            style = here;
            around += '\0';
        }
        before = here;
        after_letter = is_letter(c);
        rest.remove_prefix(length);
    }
    if (style == Numerals::none) return std::nullopt;
    return std::pair(around, style);
}

struct First {
    Numerals style = Numerals::none;
    const SyntaxNode* label = nullptr;
};

void look(Diagnostics& diagnostics, const SyntaxNode& node, std::map<std::pair<std::string, std::string>, First>& seen) {
    if (node.kind != Kind::d_labels) {
        for (const SyntaxNode* c : node.children) look(diagnostics, *c, seen);
        return;
    }
    const std::string& language = node.children[0]->text;
    if (language.ends_with(read_aloud) || are_glyphs(language)) return;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const SyntaxNode& label = *node.children[i]->children[1];
        const auto number = numbered(label.text);
        if (!number) continue;
        const auto [at, added] = seen.try_emplace({language, number->first}, First{number->second, &label});
        if (added || at->second.style == number->second || at->second.style == Numerals::none) continue;
        Diagnostic& d = report(diagnostics, Code::two_numberings, label.span, at->second.label->text, label.text);
        d.labels.push_back({at->second.label->span, Text::here});
        d.help = Text::one_way_of_numbers;
        at->second.style = Numerals::none;  // said once
    }
}

}  // namespace

void warn_of_numberings(Diagnostics& diagnostics, const SyntaxNode& file) {
    std::map<std::pair<std::string, std::string>, First> seen;
    look(diagnostics, file, seen);
}

}  // namespace houserule
