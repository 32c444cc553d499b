// Questions about duties, leftovers and sentences that can be taken in two ways, in small games: each is asked where a text is silent, and
// not where it answers.
#include "solver/validate/validate.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

Validation blind_findings(const std::string& text) {
    const Rules rules = parse_rules("small", {text});
    CAPTURE(text);
    REQUIRE(!has_errors(all_diagnostics(rules)));
    ValidateLimits limits;
    limits.low = limits.high = 3;
    limits.games = 300;
    limits.proofs = false;
    limits.blind = true;
    return validate(rules.syntax, limits);
}
bool asks_about(const Validation& found, const std::string& begins) {
    return std::ranges::any_of(found.findings, [&](const Finding& f) { return f.title.in(Language::en).starts_with(begins) && f.witness; });
}
std::string with_changes(std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [what, by] : changes) {
        const auto at = text.find(what);
        CAPTURE(what);
        REQUIRE(at != std::string::npos);
        text.replace(at, what.size(), by);
    }
    return text;
}

// Bricks are stacked, fall, and are given away.
const std::string tower_game = R"(game tower
players 3 in a circle, clockwise
enum Fate { stood, fell }
pieces brick { color {red, blue}   4 of red   4 of blue }
zone box             set of brick   seen by all
zone heap of player  row of brick   seen by all
zone won  of player  set of brick   seen by all
setup { put all brick in box }
play { repeat round, at most 9 times, then end tired }
rule round "Clockwise, P1 first." { each p clockwise from P1: turn(p) }
rule turn(player p) "Stack a brick on your heap." {
  p must choose c from box where its color is red or size of p's heap > 0
    if none { p says skip   stop turn }
  put c in p's heap
  table tells fate from Fate, when simulated { stood: 3, fell: 1 }
  if fate is fell: topple(p)
  if size of p's heap is 3: put p's heap in p's won
  if box is empty: end empty(p)
}
rule topple(player p) "The heap falls." {
  each q clockwise after p: give(p, q)
  put p's heap in box
}
rule give(player p, player q) {
  if p's heap is not empty {
    chance picks x from p's heap
    put x in q's won
  }
}
end tired
end empty(player p) "The last brick is stacked." { each q clockwise from p: once_more(q) }
rule once_more(player q) "A brick is taken off." {
  if q's heap is not empty {
    q must choose c from q's heap
    put c in box
  }
}
winner = players with most size of its won, then shared
)";

// Cards of a rare sign are kept.
const std::string signs_game = R"(game signs
players 3 in a circle, clockwise
enum Sign { sun, moon, star }
cards card { sign Sign   4 of sun   4 of moon   5 of star }
zone deck              stack of card  seen by nobody
zone discard           set of card    seen by all
zone hand of player    set of card    seen by owner
zone played of player  one card       seen by all
zone kept of player    set of card    seen by all
fact trump Sign        lasts game     seen by all
setup {
  put all cards on deck, shuffled
  deal 2 from deck to every hand
  P1 must name t from Sign: trump becomes t
}
play { repeat round, at most 9 times, then nothing }
rule round "Clockwise, P1 first." {
  each p clockwise from P1: turn(p)
  each p where p's played is not empty: settle(p)
  refill
}
rule turn(player p) "Lay a card." {
  p must choose c from p's hand
    if none: stop turn
  put c in p's played
}
rule settle(player p) "A rare sign is kept." {
  if players is 3 and p's played's sign is in rare: put p's played in p's kept
  otherwise: put p's played in discard
}
rule refill "Draw." {
  deal 1 from deck to every hand
    if short { put discard on deck, shuffled }
}
define tally(Sign s) = size of (every played where its sign is s) + size of (every kept where its sign is s)
define rare = Sign with least tally(it)
define goal = players + 1
ends checked after turn, first of { full when size of every kept >= goal }
define mine(player p) = size of (p's kept where its sign is trump)
winner = players with most mine(it), then shared
)";

}  // namespace

TEST_CASE("what becomes of things and whether somebody must is asked where no text says so", "[validate]") {
    const Validation found = blind_findings(tower_game);
    for (const char* title : {"Must whoever can do this", "It is about to be over, and players still act: must they",
                              "Players still act when this end has come, and can undo", "This goes back where it came from",
                              "Each of the others, or one of them", "Another player gets this"}) {
        CAPTURE(title);
        CHECK(asks_about(found, title));
    }
    const Validation said =
        blind_findings(with_changes(tower_game, {{"Stack a brick on your heap.", "You must stack a brick on your heap."},
                                                 {"The heap falls.", "Each of the others has won a brick of it; the rest goes back."},
                                                 {"The last brick is stacked.", "The last brick is stacked: all must take one off."}}));
    for (const char* title : {"Must whoever can do this", "It is about to be over, and players still act: must they",
                              "This goes back where it came from", "Each of the others, or one of them", "Another player gets this"}) {
        CAPTURE(title);
        CHECK_FALSE(asks_about(said, title));
    }
}

TEST_CASE("what can be taken in two ways is asked where no text says which", "[validate]") {
    const Validation found = blind_findings(with_changes(signs_game, {{"players is 3", "players >= 4"}}));
    for (const char* title : {"Is this chosen before the cards are dealt", "This is so with some numbers of players only"}) {
        CAPTURE(title);
        CHECK(asks_about(found, title));
    }
    const Validation three = blind_findings(signs_game);
    for (const char* title :
         {"Only the fewest, or all but the most", "Is it over at once, or do the others", "It runs short: is what is left dealt first"}) {
        CAPTURE(title);
        CHECK(asks_about(three, title));
    }
    const Validation said =
        blind_findings(with_changes(signs_game, {{"setup {", "setup \"P1 names a sign after looking at two cards.\" {"},
                                                 {"Clockwise, P1 first.", "Clockwise, P1 first, until the end of the round."},
                                                 {"\"Draw.\"", "\"Draw one; when the pile runs out, the rest is drawn first.\""}}));
    for (const char* title : {"Is this chosen before the cards are dealt", "Is it over at once, or do the others",
                              "It runs short: is what is left dealt first"}) {
        CAPTURE(title);
        CHECK_FALSE(asks_about(said, title));
    }
}

TEST_CASE("which way something is passed is asked where no text says it", "[validate]") {
    const std::string passing = R"(game passing
players 3 in a circle, clockwise
cards card { rank 1..6   2 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone kept of player  set of card     seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand }
play { repeat 3 times: round }
rule round "All keep a card at the same time, and pass the rest on." {
  simultaneously each p { p must choose c from p's hand   put c in p's kept }
  simultaneously each p: put p's hand in p's left's hand
}
define points(player p) = sum of its rank over p's kept
winner = players with most points(it), then shared
)";
    CHECK(asks_about(blind_findings(passing), "To the left, or to the right"));
    CHECK_FALSE(asks_about(blind_findings(with_changes(passing, {{"rest on.", "rest to the left."}})), "To the left, or to the right"));
}
