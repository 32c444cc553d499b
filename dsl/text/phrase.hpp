// What is said to people, kept as data until the language is known.
//
// Texts stand in tables, one file per language (texts.en.def, texts.ja.def), one row per text. A row has placeholders, {0}, {1}, …, and is
// called with as many arguments: `Text::did_you_mean(name)`. What does not compile: a row that is missing from one language, or extra in
// it, or has other placeholders than in English; a malformed placeholder; the wrong number of arguments; bare English as an argument.
#pragma once

#include "dsl/text/index_of.hpp"

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace houserule {

// The languages, by their codes; English is the first, and says what rows there are. (A test of the tables names one more.)
#ifndef HOUSERULE_LANGUAGES
#define HOUSERULE_LANGUAGES(LANGUAGE) LANGUAGE(en) LANGUAGE(ja)
#endif

#define HOUSERULE_VALUE(code) code,
#define HOUSERULE_CODE(code) std::string_view(#code),
enum class Language : std::uint8_t { HOUSERULE_LANGUAGES(HOUSERULE_VALUE) };
#undef HOUSERULE_VALUE
#define HOUSERULE_VALUE(code) Language::code,
inline constexpr std::array all_languages = {HOUSERULE_LANGUAGES(HOUSERULE_VALUE)};
inline constexpr std::array language_codes = {HOUSERULE_LANGUAGES(HOUSERULE_CODE)};
#undef HOUSERULE_VALUE
#undef HOUSERULE_CODE

inline constexpr std::size_t language_count = language_codes.size();
inline std::string code_of(Language language) { return std::string(language_codes[index_of(language)]); }

// The language with that code, if there is one.
constexpr std::optional<Language> language_of(std::string_view code) {
    for (const Language language : all_languages)
        if (language_codes[index_of(language)] == code) return language;
    return std::nullopt;
}

// One text in every language, in their order.
using Words = std::array<std::string_view, language_count>;
constexpr std::string_view told(const Words& words, Language language) { return words[index_of(language)]; }

// Which places a text has, a bit each; -1 when one is not written {0} … {9}. A brace before anything but a letter, a digit, `:` or `}`
// stands for itself.
constexpr int place_bits(std::string_view words) {
    int bits = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] != '{') continue;
        const char next = words[i + 1];
        const bool digit = next >= '0' && next <= '9';
        if (digit && i + 2 < words.size() && words[i + 2] == '}')
            bits |= 1 << (next - '0');
        else if (digit || next == ':' || next == '}' || (next >= 'a' && next <= 'z'))
            return -1;
    }
    return bits;
}

// How many places a text has; -1 when they are not {0} … {n-1}, each at least once and written so.
constexpr int places_of(std::string_view words) {
    const int bits = place_bits(words);
    int count = 0;
    while (bits >= 0 && (bits >> count & 1) != 0) ++count;
    return bits >= 0 && bits >> count == 0 ? count : -1;
}

template <int places>
struct TextRow;

class Phrase {
public:
    Phrase();
    Phrase(const Phrase&);
    Phrase(Phrase&&) noexcept;
    Phrase& operator=(const Phrase&);
    Phrase& operator=(Phrase&&) noexcept;
    ~Phrase();
    // The same in every language: a name, a quotation, a number.
    Phrase(std::string same);
    Phrase(std::string_view same);
    Phrase(std::integral auto number) : Phrase(std::to_string(number)) {}
    Phrase(bool) = delete;
    Phrase(char) = delete;
    Phrase(std::floating_point auto) = delete;  // how many digits?
    Phrase(const char*) = delete;               // a row of the table, or verbatim(…)
    Phrase(TextRow<0> row);
    // A row with its places filled by `parts`, which it takes.
    Phrase(const Words* row, std::span<Phrase> parts);

    std::string in(Language language) const;
    bool empty() const { return row_ == nullptr && same_.empty() && parts_.empty(); }
    // What `f(language)` says in each language: for what differs between languages and is no row.
    template <typename F>
    static Phrase each(F f) {
        Phrase all;
        for (const Language language : all_languages) all.parts_.emplace_back(std::string(f(language)));
        return all;
    }
    // What is the same in every language; empty for a row.
    const std::string& same() const { return same_; }

    friend bool operator==(const Phrase&, const Phrase&) = default;
    // Some order that does not depend on the language.
    friend std::strong_ordering operator<=>(const Phrase& a, const Phrase& b);

private:
    const Words* row_ = nullptr;
    std::string same_;           // without a row
    std::vector<Phrase> parts_;  // for {0}, {1}, … of the row; without one by language
};

// A row with that many placeholders; `places` is -1, which does not compile, if they are malformed.
template <int places>
struct TextRow {
    static_assert(places >= 0, "the places of a text are {0}, {1}, … without a gap");
    static constexpr int count = places;
    const Words* words;

    template <typename... Arguments>
    requires(places > 0 && sizeof...(Arguments) == places) Phrase operator()(Arguments&&... arguments) const {
        Phrase parts[] = {Phrase(std::forward<Arguments>(arguments))...};
        return {words, parts};
    }
    std::string_view in(Language language) const requires(places == 0) { return told(*words, language); }
};

// Words of the rules language, file names and whatever else is written alike in every language.
inline Phrase verbatim(std::string_view text) { return text; }

// a, b, c: the parts with `separator` between them, or that of the language.
Phrase listed(const std::vector<Phrase>& parts);
Phrase listed(const std::vector<Phrase>& parts, const TextRow<2>& pair);
Phrase listed(const std::vector<std::string>& names);

// `pattern` with {0}, {1}, … filled. A place without an argument stays as it is.
std::string fill(std::string_view pattern, const std::vector<std::string>& arguments);
// The same, with a space where letters or digits of ASCII would touch kana or kanji at the edge of an argument.
std::string fill_apart(std::string_view pattern, const std::vector<std::string>& arguments);

}  // namespace houserule

extern template class std::vector<houserule::Phrase>;
