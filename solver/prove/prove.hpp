// Promises of the rules that no state can break, shown by Z3 with the machine's own operators.
//
// All statements are taken on all states at once, from the empty table on, rule calls in line. What is chosen, drawn or told is any of
// what it can be; cards are neither made nor lost. A loop begins in any state that its invariant covers; the invariant is grown by
// Z3's models until nothing leads out of it. A promise that holds wherever it is come to is proved. The others are not broken for
// that reason: the state in which one breaks may be out of reach, or time may have run out. Nothing here knows a game.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/prove/promise.hpp"

#include <functional>
#include <vector>

namespace houserule {

// A promise at a place of the text.
struct Obligation {
    Promise promise = Promise::the;
    FindingClass what = FindingClass::gap;  // what it is called when it breaks
    Span span;
    RuleId rule = no_id;  // it stands in, if in any
    bool proved = false;
    FoundBy method = FoundBy::none;  // static_reading: nothing to ask; smt
    Sentence title;                  // what is promised
};

struct ProveLimits {
    std::uint64_t milliseconds = 10'000;  // in all
    unsigned z3_steps = 50'000'000;       // for each question to Z3: a second or so, and the same answers on every machine
};

// Every promise of the game, in the order of the text, each once.
std::vector<Obligation> prove(const Game& game, const ProveLimits& limits, const std::function<bool()>& stop = {});

}  // namespace houserule
