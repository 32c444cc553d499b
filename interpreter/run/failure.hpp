// A promise of the rules that broke while they ran: data, with a sentence in each language. The table is failures.def.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/text/diagnostics.hpp"

#include <cstdint>
#include <string>

namespace houserule {

enum class FailureKind : std::uint8_t {
    none,
#define HOUSERULE_FAILURE(name, en, ja) name,
#include "interpreter/run/failures.def"
#undef HOUSERULE_FAILURE
};

struct Failure {
    FailureKind kind = FailureKind::none;
    Span span;                // where in the text
    PlaceId place = no_id;    // of one that names a place,
    FactId fact = no_id;      // a fact,
    std::int32_t number = 0;  // how many pieces, or the fact's value
};

// `no case applies`; empty when nothing broke.
std::string text(const Game& game, const Failure& failure, Language language = Language::en);

}  // namespace houserule
