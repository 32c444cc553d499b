#include "tests/support/japanese.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace houserule::testing {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What sentences are made of, whoever else has these words: a text that only has names does not have them.
bool makes_sentences(std::string_view word) {
    static const std::set<std::string_view> all = {"a",   "all",  "an",   "and",  "are",  "as",   "at",   "be",    "but", "by",
                                                   "can", "each", "for",  "from", "has",  "have", "here", "if",    "in",  "is",
                                                   "it",  "its",  "more", "most", "must", "none", "not",  "of",    "on",  "one",
                                                   "or",  "than", "that", "the",  "then", "this", "to",   "which", "who", "with"};
    return all.contains(word);
}

template <typename F>
void each_line(std::string_view text, F f) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        f(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(begin);
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

// Calls `f` with each word of letters; `whole`: not those that are part of a name, a path, an option or a number (`g.rules`, `--top`).
template <typename F>
void each_word(std::string_view line, bool whole, F f) {
    const auto belongs = [&](char c) { return is_letter(c) || (whole && (is_digit(c) || std::string_view("_-./=\\").find(c) < 6)); };
    for (std::size_t at = 0; at < line.size();) {
        if (!belongs(line[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < line.size() && belongs(line[at])) ++at;
        std::string_view word = line.substr(begin, at - begin);
        while (!word.empty() && (word.back() == '.' || word.back() == '-')) word.remove_suffix(1);
        if (word.size() > 1 && std::all_of(word.begin(), word.end(), is_letter)) f(word);
    }
}

// A line of the source with its number or after its place (`a.rules:7  …`), the place alone, or how a command ended.
bool shows_source(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.starts_with("-->") || text.starts_with(":::") || text.starts_with("[exit ")) return true;
    const std::string_view place = text.substr(0, text.find(' '));
    if (const std::size_t colon = place.rfind(".rules:"); colon != std::string_view::npos && is_digit(place.back())) return true;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    return digits > 0 && (text.substr(digits).starts_with(" |") || text.substr(digits) == "|");
}

std::string without(std::string line, const std::string& phrase) {
    for (std::size_t at = 0; (at = line.find(phrase, at)) != std::string::npos;) line.erase(at, phrase.size());
    return line;
}

std::string without_quotations(std::string_view line) {
    std::string rest;
    for (bool quoted = false; const char c : line) {
        if (c == '`') quoted = !quoted;
        if (!quoted) rest += c;
    }
    return rest;
}

}  // namespace

void English::allow(std::string_view source) {
    each_line(source, [&](std::string_view line) {
        lines_.emplace(trimmed(line));
        const std::string_view code = line.substr(0, line.find("# "));
        allow_words(code);
        for (const char mark : {'"', '\''}) {
            for (std::size_t open = code.find(mark); open < code.size();) {
                const std::size_t close = code.find(mark, open + 1);
                if (close == std::string_view::npos) break;
                allow_phrase(std::string(code.substr(open + 1, close - open - 1)));
                open = code.find(mark, close + 1);
            }
        }
    });
}

void English::allow_phrase(std::string phrase) {
    if (phrase.find(' ') != std::string::npos) phrases_.push_back(std::move(phrase));
}

void English::allow_words(std::string_view words) {
    each_word(words, false, [&](std::string_view word) {
        if (!makes_sentences(word)) words_.emplace(word);
    });
}

std::vector<std::string> English::left_in(std::string_view printed) const {
    std::vector<std::string> found;
    each_line(printed, [&](std::string_view line) {
        if (shows_source(line) || lines_.contains(trimmed(line))) return;
        std::string text = without_quotations(line);
        for (const std::string& phrase : phrases_) text = without(std::move(text), phrase);
        each_word(text, true, [&](std::string_view word) {
            if (!words_.contains(word)) found.push_back(std::string(word) + " in: " + std::string(line));
        });
    });
    return found;
}

}  // namespace houserule::testing
