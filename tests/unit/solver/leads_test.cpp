// Questions that nobody wrote down, in small games: each is asked where a text is silent, and not where it answers.
#include "solver/validate/validate.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace houserule;
using namespace houserule::testing;

namespace {

Validation asked(const std::string& text) {
    const Rules rules = parse_rules("small", {text});
    CAPTURE(text);
    REQUIRE(!has_errors(all_diagnostics(rules)));
    ValidateLimits limits;
    limits.low = limits.high = 3;
    limits.games = 400;
    limits.proofs = false;
    limits.blind = true;
    return validate(rules.syntax, limits);
}
const Finding* question(const Validation& found, const std::string& begins) {
    const auto at = std::ranges::find_if(found.findings, [&](const Finding& f) { return f.title.in(Language::en).starts_with(begins); });
    return at == found.findings.end() ? nullptr : &*at;
}
std::string with(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

// Whoever lays a one or a two is out.
const std::string elimination = R"(game well
players 3 in a circle, clockwise
cards stone { number 1..6   3 of each }
zone well            stack of stone   seen by nobody
zone hand of player  set of stone     seen by owner
zone heap of player  row of stone     seen by all
fact out of player   yes/no = no      lasts game   seen by all
define inside = players where not its out
setup { put all cards on well, shuffled   deal 3 from well to every hand }
play { repeat round until well is empty, at most 18 times, then nothing }
rule round "Clockwise, P1 first." { each p clockwise from P1 where not p's out: turn(p) }
rule turn(player p) "Lay a stone and draw another. A low one ends it for you." {
  p must choose c from p's hand
    if none: stop turn
  put c in p's heap
  if size of well > 0: deal 1 from well to p's hand
  if c's number <= 2: p's out becomes yes
  if c's number is 6: back
}
rule back "A six brings back all stones." { put every heap on well, shuffled }
ends checked after turn, first of { all_out when inside is empty }
winner = players with most size of its heap, then shared
)";

}  // namespace

TEST_CASE("who is out leaves something behind, and the last one may play on", "[validate]") {
    const Validation found = asked(elimination);
    for (const char* title : {"All but one are out", "What lies before somebody who is out", "Who is meant by `every heap`"}) {
        CAPTURE(title);
        const Finding* f = question(found, title);
        REQUIRE(f != nullptr);
        CHECK(f->witness);
    }
    const Validation said =
        asked(with(elimination, "A low one ends it for you.", "A low one ends it for you; the last one left plays on."));
    CHECK(question(said, "All but one are out") == nullptr);
    const Validation over = asked(with(elimination, "inside is empty }", "inside is empty   one when size of inside is 1 }"));
    CHECK(question(over, "All but one are out") == nullptr);
}

TEST_CASE("who counts those that tie is not asked which one is meant", "[validate]") {
    const auto is_asked = [](const Validation& found) {
        return std::ranges::any_of(found.findings, [](const Finding& f) { return f.id.starts_with("unresolved.back"); });
    };
    const std::string put_back = "put every heap on well, shuffled";
    const auto asked_of = [&](const std::string& condition) {
        return asked(with(elimination, put_back, "if " + condition + ": " + put_back));
    };
    CHECK_FALSE(is_asked(asked_of("size of (inside with most size of its heap) is 1")));
    CHECK(is_asked(asked_of("P1 is in (inside with most size of its heap)")));
}

TEST_CASE("nobody is out of a game in which nobody goes out", "[validate]") {
    const Validation found = asked(with(elimination, "if c's number <= 2: p's out becomes yes\n", ""));
    CHECK(question(found, "All but one are out") == nullptr);
    CHECK(question(found, "What lies before somebody") == nullptr);
}

namespace {

const std::string guessing = R"(game guess
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone kept of player  set of card     seen by all
fact tried of player 0..9 = 0        lasts game   seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { repeat 2 times: round }
rule round "Clockwise, P1 first." { each p clockwise from P1: turn(p) }
rule turn(player p) "Name a rank. If the next player has none of it, it is wrong." {
  p must name r from 1..3
  p's tried becomes p's tried + 1
  if some c in p's left's hand where c's rank is r: p says right
  otherwise: p says wrong
  fill(p)
}
rule fill(player p) "Take from the deck." { deal 1 from deck to p's kept }
winner = players with most its tried, then with most size of its kept, then shared
)";

}  // namespace

TEST_CASE("a step before a success is told, and how many are drawn", "[validate]") {
    const Validation found = asked(guessing);
    CHECK(question(found, "In any case, or only if it comes off?") != nullptr);
    CHECK(question(found, "How many are drawn") != nullptr);
    const Validation said =
        asked(with(with(guessing, "it is wrong.", "it is wrong; a try counts in any case."), "Take from", "One card from"));
    CHECK(question(said, "In any case, or only if it comes off?") == nullptr);
    CHECK(question(said, "How many are drawn") == nullptr);
}

namespace {

const std::string rivals = R"(game rivals
players 3 in a circle, clockwise
cards card { rank 1..2   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone laid of player  set of card     seen by all
zone gone            set of card     seen by all
setup { put all cards on deck, shuffled   deal 4 from deck to every hand }
play { repeat 2 times: round }
rule round "Everybody lays a card, all at once. Several ones are lost." {
  simultaneously each p { p must choose c from p's hand   put c in p's laid }
  let ones = players where some c in its laid where c's rank is 1
  if size of ones >= 2 {
    each p in ones clockwise from P1 { p may withdraw: put p's laid in p's hand  otherwise: nothing }
    put laid of ones in gone
  }
}
winner = players with most size of its laid, then shared
)";

}  // namespace

TEST_CASE("what somebody may change before the rest is done is asked about", "[validate]") {
    const Finding* f = nullptr;
    const Validation found = asked(rivals);
    f = question(found, "Somebody may change this before the rest is done");
    REQUIRE(f != nullptr);
    CHECK(f->what == FindingClass::order);
    CHECK(f->witness);
}

namespace {

const std::string last_chance = R"(game dry_up
players 3 in a circle, clockwise
cards card { rank 1..4   4 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone shown of player set of card     seen by all
fact low             0..9 = 0        lasts game   seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand }
play { repeat { each p clockwise from P1: turn(p) } at most 9 times, then nothing }
rule turn(player p) {
  if deck is empty: end dry(p)
  p must choose c from p's hand: { if c's rank is 1: low becomes low + 1   put c in p's shown }
    if none: stop turn
  deal 1 from deck to p's hand
}
end dry(player p) "Everybody may show one more card." {
  each q clockwise from p { q may choose c from q's hand { put c in q's shown }  otherwise: nothing }
}
ends checked after turn, first of { low_tide when low >= 3 }
winner = players with most size of its shown, then shared
)";

}  // namespace

TEST_CASE("an end that lets nobody act is asked about, if another does", "[validate]") {
    CHECK(question(asked(last_chance), "Another end lets players act once more") != nullptr);
    const Validation said = asked(with(last_chance, "low_tide when", "low_tide \"Three ones: over at once.\" when"));
    CHECK(question(said, "Another end lets players act once more") == nullptr);
}

TEST_CASE("questions are asked of what an option brings, and say which", "[validate]") {
    const std::string game = with(elimination, "cards stone", "option twice yes/no = no \"Two rounds.\"\ncards stone") +
                             R"(when twice {
  fact helper  player = P1  lasts game  seen by all
  replace rule back "A six brings back all stones, and somebody with few draws." {
    put every heap on well, shuffled
    chance picks q from inside with least size of its heap
    helper becomes q
  }
}
)";
    const Validation found = asked(game);
    const Finding* f = question(found, "Several can tie here");
    REQUIRE(f != nullptr);
    CHECK(f->settings == Settings{{"twice", "yes"}});
}
