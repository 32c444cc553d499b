// A promise of the rules that was broken in a run, as data, with a sentence in each language. The kinds stand in failures.en.def, the
// sentences of other languages beside it.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"

#include <cstdint>
#include <string>

namespace houserule {

enum class FailureKind : std::uint8_t {
    none,
#define HOUSERULE_TEXT(name, words) name,
#include "interpreter/run/failures.en.def"
#undef HOUSERULE_TEXT
};

struct Failure {
    FailureKind kind = FailureKind::none;
    Span span;                // where in the text
    PlaceId place = no_id;    // the place that the sentence names, if it names one
    FactId fact = no_id;      // the fact that it names, if it names one
    std::int32_t number = 0;  // the number of pieces, or the value of the fact
};

// What breaks where a `fail` (operators.def) is read.
FailureKind failure_of(const Expression& fail);

// The sentence: `no case applies`; empty for FailureKind::none.
std::string text(const Game& game, const Failure& failure, Language language = Language::en);

}  // namespace houserule
