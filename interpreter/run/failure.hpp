// A promise of the rules that was broken in a run, as data, with a sentence in each language. The kinds stand in failures.en.def, the
// sentences of other languages beside it.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"
#include "interpreter/machine/machine.hpp"

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
    Span span{};              // where in the text
    PlaceId place = no_id;    // the place that the sentence names, if it names one
    FactId fact = no_id;      // the fact that it names, if it names one
    std::int32_t number = 0;  // the number of pieces, or the value of the fact
    Span other{};             // of two cases that hold together: where the other one stands
};

// What breaks where a `fail` (operators.def) is read.
FailureKind failure_of(const Expression& fail);

// What breaks where two cases hold together that must not, or do not come to the same.
Failure failure_of(const Game& game, const Overlap& overlap);
// What breaks where a `promise` step's condition does not hold; of one about a number, which is another failure, nothing.
Failure failure_of(const Game& game, const Step& promise);

// Whether what broke is that the order of what is done together must not matter.
bool is_about_order(FailureKind failure);

// The line of the text where it broke; where two cases are to blame, both lines: `13, 14`.
std::string lines_of(const Failure& failure, const Source& source);

// The sentence: `no case applies`; empty for FailureKind::none.
std::string text(const Game& game, const Failure& failure, Language language = Language::en);

}  // namespace houserule
