// The reasons why an answer is incomplete, as data, with a sentence in each language. The tables are limits.en.def and limits.ja.def.
#pragma once

#include "dsl/text/diagnostics.hpp"

#include <cstdint>
#include <string>

namespace houserule {

enum class LimitKind : std::uint8_t {
    none,
#define HOUSERULE_TEXT(name, words) name,
#include "solver/terms/limits.en.def"
#undef HOUSERULE_TEXT
};

inline constexpr int limit_kinds = 1
#define HOUSERULE_TEXT(name, words) +1
#include "solver/terms/limits.en.def"
#undef HOUSERULE_TEXT
    ;

struct Limit {
    LimitKind kind = LimitKind::none;
    std::uint64_t number = 0;         // {0} of its sentence
    LimitKind why = LimitKind::none;  // the cause, with its own number
    std::uint64_t why_number = 0;

    bool hit() const { return kind != LimitKind::none; }
    bool operator==(const Limit&) const = default;
};

// The limit `what` with the cause `why`: `not counted: out of time`.
Limit because(LimitKind what, const Limit& why);
// The sentence, with its cause; empty when no limit was hit.
std::string text(const Limit& limit, Language language = Language::en);

}  // namespace houserule
