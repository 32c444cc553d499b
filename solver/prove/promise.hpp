// Where the text of a game promises something: the words that carry a promise, each place once.
//
// Only what can run is read: examples, and definitions that nobody uses, promise nothing. What `check` echoes, what `prove` shows and
// what a broken promise is called all go by this list. Nothing here knows a game.
#pragma once

#include "dsl/game/game.hpp"
#include "solver/findings/finding.hpp"

#include <vector>

namespace houserule {

// In the order in which they are shown.
enum class Promise : std::uint8_t {
    the,            // exactly one fits
    room_for_one,   // a zone for one card, read as its card: it is there
    first_or_last,  // a row or stack is not empty
    next,           // somebody is next
    extreme,        // there is something to compare
    field,          // the card has that field
    division,       // by more than nothing
    any_of,         // enough, and it does not matter which
    any_group,      // which cards make the groups does not matter
    owner,          // whose it is: somebody
    given,          // a fact was given a value before it is read
    covered,        // cases cover everything
    agree,          // cases that apply together come to the same
    enough,         // there are cards to deal or draw
    something,      // there is something to choose
    reported,       // there is something that the table or a lot can tell
    fits,           // what a fact becomes lies in its range
    room,           // what comes to a zone fits in it
    together,       // the order of what happens at once does not matter
    any_order,      // nor that of `each` without an order
    runs_down,      // the number that runs down does so
    times,          // `at most n times` without `then`: that is enough
    judged,         // they can tell
};
inline constexpr int promise_kinds = static_cast<int>(Promise::judged) + 1;

// What a broken one is called, and what is promised.
FindingClass broken_class(Promise promise);
const Sentence& promise_words(Promise promise);

// An expression or a statement that promises something; the same words in several places of a definition's uses have one span.
struct PromiseSite {
    Promise promise = Promise::the;
    ExpressionId expression = no_id;
    StatementId statement = no_id;
    Span span;
    RuleId rule = no_id;
};

// By the order in which the game is read: setup, play, match, rules, acts, ends, checks, winner, score, payoff.
std::vector<PromiseSite> promise_sites(const Game& game);

// Whether more pieces could come to the zone than it takes.
bool is_limited(const Game& game, const Zone& zone);

}  // namespace houserule
