// The list of promises in a game: each place whose words promise something, once.
//
// Only what can run counts: examples and unused definitions promise nothing. `check` echoes this list, `prove` proves it, and a broken
// promise is named after it. Nothing here knows a game.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// In the order in which they are shown.
enum class Promise : std::uint8_t {
    the,            // exactly one fits
    room_for_one,   // a zone for one card, read as its card: it is there
    first_or_last,  // a row or stack is not empty, and that end of it not shuffled
    next,           // somebody is next
    extreme,        // there is something to compare
    field,          // the card has that field
    division,       // by more than nothing
    any_of,         // enough, and it does not matter which
    any_group,      // which cards make the groups does not matter
    owner,          // whose it is: somebody
    number,         // a number that may be none: it is one
    given,          // a fact was given a value before it is read
    covered,        // cases cover everything
    agree,          // cases that apply together have the same result
    enough,         // there are cards to deal or draw
    something,      // there is something to choose
    reported,       // there is something that the table or a lot can tell
    counted,        // a number of times, cards or weights is not below 0
    fits,           // the new value of a fact lies in its range
    room,           // cards that are moved to a zone fit in it
    together,       // the order of simultaneous effects does not matter
    any_order,      // nor that of `each` without an order
    runs_down,      // the number that runs down does so
    times,          // `at most n times` without `then`: that is enough
    judged,         // they can tell
};
inline constexpr int promise_kinds = static_cast<int>(Promise::judged) + 1;

// The class of finding for a broken promise, and the words for what is promised.
FindingClass broken_class(Promise promise);
const Sentence& promise_words(Promise promise);

// An expression or a statement that promises something. Uses of one definition share the span of the words in it.
struct PromiseSite {
    Promise promise = Promise::the;
    ExpressionId expression = no_id;
    StatementId statement = no_id;
    Span span;
    RuleId rule = no_id;
};

// By the order in which the game is read: setup, play, match, rules, acts, ends, checks, winner, score, payoff.
std::vector<PromiseSite> promise_sites(const Game& game);

// By zone: stacks in which cards may lie in an order that nobody knows.
Store<ZoneId, bool> shuffled_zones(const Game& game);

// Whether there are more pieces that can lie in the zone than it has room for.
bool is_limited(const Game& game, const Zone& zone);

}  // namespace houserule
