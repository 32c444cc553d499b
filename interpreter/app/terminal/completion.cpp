#include "interpreter/app/terminal/completion.hpp"

#include "dsl/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace houserule::cli {

namespace {

// Behind these a word begins.
constexpr std::array<std::string_view, 12> before_words{" ", "\t", ",", ":", "=", ">", "?", "　", "、", "：", "＝", "？"};

bool same_letter(char a, char b) { return ascii::small(a) == ascii::small(b); }

std::size_t in_common(std::string_view a, std::string_view b) {
    const std::size_t most = std::min(a.size(), b.size());
    const auto [end, other] = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin(), same_letter);
    auto n = static_cast<std::size_t>(end - a.begin());
    // Not in the middle of a character.
    while (n > 0 && n < a.size() && ascii::continues_character(a[n])) --n;
    return n;
}

// Where words begin in the line.
std::vector<std::size_t> word_begins(std::string_view line) {
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < line.size(); ++i)
        for (const std::string_view mark : before_words)
            if (line.substr(i).starts_with(mark)) begins.push_back(i + mark.size());
    return begins;
}

}  // namespace

Completion complete(std::string_view before, const std::vector<std::string>& names) {
    Completion found;
    for (const std::size_t begin : word_begins(before)) {
        const std::string_view typed = before.substr(begin);
        for (const std::string& name : names)
            if (in_common(typed, name) == typed.size()) found.names.push_back(name);
        if (found.names.empty()) continue;
        found.typed = typed.size();
        break;
    }
    if (found.names.empty()) return found;
    std::sort(found.names.begin(), found.names.end());
    found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
    std::size_t common = found.names.front().size();
    for (const std::string& name : found.names) common = std::min(common, in_common(found.names.front(), name));
    found.instead = found.names.front().substr(0, common);
    return found;
}

}  // namespace houserule::cli
