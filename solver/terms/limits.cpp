#include "solver/terms/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

using Sentences = std::pair<std::string_view, std::string_view>;

constexpr std::array sentences{
    Sentences{"", ""},
#define HOUSERULE_LIMIT(name, en, ja) Sentences{en, ja},
#include "solver/terms/limits.def"
#undef HOUSERULE_LIMIT
};

std::string sentence(LimitKind kind, std::uint64_t number, Language language) {
    const Sentences& s = sentences[static_cast<std::size_t>(kind)];
    return fmt::format(fmt::runtime(language == Language::ja ? s.second : s.first), number);
}

}  // namespace

Limit because(LimitKind what, const Limit& why) { return {what, 0, why.kind, why.number}; }

std::string text(const Limit& limit, Language language) {
    std::string whole = sentence(limit.kind, limit.number, language);
    if (limit.why != LimitKind::none)
        whole += (language == Language::ja ? "（" : ": ") + sentence(limit.why, limit.why_number, language) +
                 (language == Language::ja ? "）" : "");
    return whole;
}

}  // namespace houserule
