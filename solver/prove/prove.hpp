// Proves promises of the rules for all states, by abstract interpretation with Z3 and the one meaning of the operators.
//
// Statements are taken on all states at once, from the empty table on, with rule calls in line. A choice, draw or report has any of its
// possible values; cards are neither made nor lost. A loop begins in any state that its invariant covers; the invariant is extended by
// Z3's models until no round leads out of it. A promise is proved if it holds in every abstract state that reaches it. One that is not
// proved need not be broken: its state may be out of reach, or a limit was hit. Nothing here knows a game.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/prove/promise_sites.hpp"
#include "solver/terms/deadline.hpp"

#include <optional>
#include <vector>

namespace houserule {

// A promise at a place of the text.
struct Obligation {
    Promise promise = Promise::the;
    FindingClass what = FindingClass::gap;  // the class of the finding if it breaks
    Span span;
    RuleId rule = no_id;  // the rule in which it stands, if any
    bool proved = false;
    FoundBy method = FoundBy::none;  // static_reading: it holds without asking Z3; smt: by Z3
    Sentence title;                  // what is promised
};

struct ProveLimits {
    std::uint64_t work = 10 * work_a_second;  // in all: Z3's steps, terms that are made, statements
    unsigned z3_steps = 5'000'000;            // for each question to Z3: about a tenth of a second; more of them show more than long ones
    std::optional<std::uint64_t> milliseconds = std::nullopt;  // in all, if the clock decides as well
    const Stop* stop = nullptr;
};

// Every promise of the game, in the order of the text, each once.
std::vector<Obligation> prove(const Game& game, const ProveLimits& limits);

}  // namespace houserule
