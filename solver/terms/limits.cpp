#include "solver/terms/limits.hpp"

#include "dsl/text/index_of.hpp"

#include <algorithm>
#include <string_view>

namespace houserule {

namespace {

namespace limits {
// clang-format off
#define HOUSERULE_TABLE(language) solver/terms/limits.language.def
// clang-format on
#include "dsl/text/tables.inc"
static_assert(std::ranges::all_of(table, [](const Words& words) { return place_bits(words[0]) <= 1; }), "no place but {0}");
}  // namespace limits

std::string sentence(LimitKind kind, std::uint64_t number, Language language) {
    if (kind == LimitKind::none) return {};
    return fill(told(limits::table[index_of(kind) - 1], language), {std::to_string(number)});
}

}  // namespace

Limit because(LimitKind what, const Limit& why) { return {what, 0, why.kind, why.number}; }

std::string text(const Limit& limit, Language language) {
    const std::string what = sentence(limit.kind, limit.number, language);
    if (limit.why == LimitKind::none) return what;
    return Text::this_because(what, sentence(limit.why, limit.why_number, language)).in(language);
}

}  // namespace houserule
