// Proves promises of the rules in all states, by abstract interpretation with Z3. It is sound but not complete.
//
// Statements are executed on all states at once, from the empty table on, with rule calls inlined. A choice, draw or report has any of its
// possible values; cards are neither made nor lost. A loop begins in any state of its invariant, which grows by counterexamples from Z3
// until no round leads out of it. A promise is proved if it holds in every abstract state that reaches it. One that is not proved may
// still hold: the state that breaks it may be unreachable, or a limit was hit. Nothing here is specific to a game.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/prove/promise_sites.hpp"
#include "solver/terms/deadline.hpp"

#include <optional>
#include <vector>

namespace houserule {

// A proof obligation: a promise at a place of the text.
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
    unsigned z3_steps = 5'000'000;            // for each query to Z3, about 0.1 s: many short queries prove more than few long ones
    std::optional<std::uint64_t> milliseconds = std::nullopt;  // in all, if the clock decides as well
    const Stop* stop = nullptr;
};

// Every promise of the game but `together`, `any_order` and `judged`, in the order of the text; each place once.
std::vector<Obligation> prove(const Game& game, const ProveLimits& limits);

}  // namespace houserule
