// Promises of the rules that no state can break, shown by Z3 with the machine's own operators.
//
// A state is any arrangement of the pieces: each piece lies in one place at most, no place holds more than fits, facts lie in their
// ranges (cards are neither made nor lost). From there the statements of a rule are taken, rule calls in line, with what they are
// known to do; what cannot be followed leaves its places and facts unknown again. A promise that holds in every such state is proved;
// the others are not broken for that reason: such a state may be out of reach. Nothing here knows a game.
#pragma once

#include "dsl/game.hpp"
#include "solver/promise.hpp"

#include <functional>
#include <vector>

namespace houserule {

// A promise at a place of the text.
struct Obligation {
    Promise promise = Promise::the;
    FindingClass what = FindingClass::gap;  // what it is called when it breaks
    Span span;
    Id rule = no_id;
    bool proved = false;
    Method method = Method::none;  // static_reading: nothing to ask; smt
    Sentence title;                // what is promised
};

struct ProveLimits {
    std::uint64_t milliseconds = 10'000;       // in all
    unsigned each_milliseconds = 1'000;        // a question to Z3
};

// Every promise of the game, in the order of the text, each once.
std::vector<Obligation> prove(const Game& game, const ProveLimits& limits, const std::function<bool()>& stop = {});

}  // namespace houserule
