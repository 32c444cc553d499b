#include "dsl/text/phrase.hpp"

#include "dsl/text/index_of.hpp"
#include "dsl/text/texts.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

template class std::vector<houserule::Phrase>;

namespace houserule {

namespace {

// Whether a character of three bytes is kana or kanji, and no punctuation.
bool is_japanese(std::string_view character) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    return character.size() == 3 && byte(0) >= 0xE3 && byte(0) <= 0xE9 && (byte(0) > 0xE3 || byte(1) > 0x80);
}

bool is_visible_ascii(char c) { return c > ' ' && c < 0x7F; }

// The last character, if it has three bytes.
std::string_view last_of_three(std::string_view text) { return text.substr(text.size() - std::min<std::size_t>(3, text.size())); }

std::string filled(std::string_view pattern, const std::vector<std::string>& arguments, bool apart) {
    std::string out;
    bool ascii_before = false;  // an argument ends here, with a visible character of ASCII
    while (!pattern.empty()) {
        const bool place = pattern.size() > 2 && pattern[0] == '{' && pattern[1] >= '0' && pattern[1] <= '9' && pattern[2] == '}';
        const auto index = static_cast<std::size_t>(place ? pattern[1] - '0' : 0);
        const bool fits = place && index < arguments.size();
        const std::string_view next = fits ? std::string_view(arguments[index]) : pattern.substr(0, 1);
        const bool joined = ascii_before ? is_japanese(pattern.substr(0, 3))
                                         : fits && !next.empty() && is_visible_ascii(next.front()) && is_japanese(last_of_three(out));
        if (apart && joined) out += ' ';
        out += next;
        ascii_before = fits && !next.empty() && is_visible_ascii(next.back());
        pattern.remove_prefix(fits ? 3 : 1);
    }
    return out;
}

}  // namespace

Phrase::Phrase() = default;
Phrase::Phrase(const Phrase&) = default;
Phrase::Phrase(Phrase&&) noexcept = default;
Phrase& Phrase::operator=(const Phrase&) = default;
Phrase& Phrase::operator=(Phrase&&) noexcept = default;
Phrase::~Phrase() = default;
Phrase::Phrase(std::string same) : same_(std::move(same)) {}
Phrase::Phrase(std::string_view same) : same_(same) {}
Phrase::Phrase(TextRow<0> row) : row_(row.words) {}
Phrase::Phrase(const Words* row, std::span<Phrase> parts)
    : row_(row), parts_(std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end())) {}

std::strong_ordering operator<=>(const Phrase& a, const Phrase& b) {
    if (a.row_ != b.row_) return std::less<>()(a.row_, b.row_) ? std::strong_ordering::less : std::strong_ordering::greater;
    if (const auto same = a.same_ <=> b.same_; same != 0) return same;
    return a.parts_ <=> b.parts_;
}

std::string Phrase::in(Language language) const {
    if (row_ == nullptr) return parts_.empty() ? same_ : parts_[index_of(language)].same_;
    std::vector<std::string> arguments;
    arguments.reserve(parts_.size());
    for (const Phrase& part : parts_) arguments.push_back(part.in(language));
    return fill(told(*row_, language), arguments);
}

Phrase listed(const std::vector<Phrase>& parts, const TextRow<2>& pair) {
    Phrase all;
    for (const Phrase& part : parts) all = all.empty() ? part : pair(all, part);
    return all;
}

Phrase listed(const std::vector<Phrase>& parts) { return listed(parts, Text::a_then_b); }

Phrase listed(const std::vector<std::string>& names) { return listed(std::vector<Phrase>(names.begin(), names.end())); }

std::string fill(std::string_view pattern, const std::vector<std::string>& arguments) { return filled(pattern, arguments, false); }

std::string fill_apart(std::string_view pattern, const std::vector<std::string>& arguments) { return filled(pattern, arguments, true); }

}  // namespace houserule
