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

TEST_CASE("what the next in turn may still get is not asked to be left lying", "[validate]") {
    const auto is_asked = [](const std::string& refill) {
        const Validation found = asked(R"(game trump
players 3 in a circle, clockwise
cards card { rank 1..6   4 of each }
zone deck            stack of card   seen by nobody
zone turned          one card        seen by all
zone hand of player  set of card     seen by owner
zone laid            row of card     seen by all
fact leader          player = P1     lasts game   seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand   deal 1 from deck to turned }
play { repeat round until every hand is empty, at most 9 times, then nothing }
rule round { each p clockwise from P1 { p may choose c from p's hand: put c in laid }   refill }
rule refill "Then cards are drawn." { )" +
                                       refill + R"( }
winner = players with most size of its hand, then shared
)");
        return question(found, "Otherwise what lies here is left") != nullptr;
    };
    CHECK_FALSE(is_asked("each p clockwise from P1 { if size of p's hand < 3: put turned in p's hand }"));
    CHECK(is_asked("if size of P1's hand < 3: put turned in P1's hand"));
}

TEST_CASE("who is out by an option is asked about under that option", "[validate]") {
    const std::string game = R"(game well
players 3 in a circle, clockwise
option harsh yes/no = no "Whoever lays a one or a two is out."
cards stone { number 1..6   3 of each }
zone well            stack of stone   seen by nobody
zone hand of player  set of stone     seen by owner
zone heap of player  row of stone     seen by all
fact out of player   yes/no = no      lasts game   seen by all
setup { put all cards on well, shuffled   deal 3 from well to every hand }
play { repeat round until well is empty, at most 18 times, then nothing }
rule round "Clockwise, P1 first." { each p clockwise from P1: turn(p) }
rule turn(player p) "Lay a stone and draw another." {
  p must choose c from p's hand
    if none: stop turn
  put c in p's heap
  if size of well > 0: deal 1 from well to p's hand
}
when harsh {
  define inside = players where not its out
  replace rule round "Clockwise, P1 first." { each p clockwise from P1 where not p's out: turn(p) }
  replace rule turn(player p) "Lay a stone and draw another. A low one ends it for you." {
    p must choose c from p's hand
      if none: stop turn
    put c in p's heap
    if size of well > 0: deal 1 from well to p's hand
    if c's number <= 2: p's out becomes yes
    if size of players > size of well: put every heap on well, shuffled
  }
}
ends checked after turn, first of { all_out when no p in players where size of p's hand > 0 }
winner = players with most size of its heap, then shared
)";
    const Validation found = asked(game);
    for (const char* title : {"All but one are out", "What lies before somebody", "Who is meant by `players`"}) {
        CAPTURE(title);
        const Finding* f = question(found, title);
        REQUIRE(f != nullptr);
        CHECK(f->settings == Settings{{"harsh", "yes"}});
        CHECK(f->witness);
    }
    // Nobody is out without it.
    for (const Finding& f : found.findings)
        if (f.what == FindingClass::scope) CHECK(f.settings.contains("harsh"));
}

namespace {

bool is_asked(const std::string& text, const std::string& begins, FindingClass what) {
    const Validation found = asked(text);
    const Finding* f = question(found, begins);
    if (f == nullptr) return false;
    CHECK(f->what == what);
    CHECK(f->witness);
    CHECK(!f->title.of(Language::ja).empty());
    return true;
}

// Whoever lays a four leads the next round; whoever lays a three or a four is out.
const std::string leading = R"(game lead
players 3 in a circle, clockwise
cards card { rank 1..4   5 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone laid of player  set of card     seen by all
fact out of player   yes/no = no     lasts game   seen by all
fact leader          player = P1     lasts game   seen by all
setup "P1 leads first." { put all cards on deck, shuffled   deal 5 from deck to every hand }
play { repeat round until no p in players where not p's out, at most 5 times, then nothing }
rule round "Clockwise. Whoever laid the last four leads." { each p clockwise from leader where not p's out: turn(p) }
rule turn(player p) "A high card ends it for you." {
  p must choose c from p's hand
  put c in p's laid
  if c's rank is 4: leader becomes p
  if c's rank >= 3: p's out becomes yes
}
winner = players with most size of its laid, then shared
)";

}  // namespace

TEST_CASE("who begins is asked when the one who would is out", "[validate]") {
    const std::string title = "Who would begin can be out";
    CHECK(is_asked(leading, title, FindingClass::chooser));
    CHECK_FALSE(is_asked(with(leading, "last four leads.", "last four leads, and if that one is out, the next player does."), title,
                         FindingClass::chooser));
    // Nobody who leads is out.
    CHECK_FALSE(is_asked(with(leading, "c's rank >= 3", "c's rank is 3 and p is not leader"), title, FindingClass::chooser));
    // Turns go on from where they were, and who begins is never decided anew.
    CHECK_FALSE(is_asked(with(leading, "if c's rank is 4: leader becomes p\n", ""), title, FindingClass::chooser));
}

TEST_CASE("who begins instead is asked where the rules name somebody for it", "[validate]") {
    const std::string title = "Who would begin can be out";
    const std::string loop = "each p clockwise from leader where not p's out: turn(p)";
    const std::string chosen = loop + "   leader becomes (top if not top's out, otherwise next after top in players)";
    const std::string game =
        with(with(with(leading, loop, chosen), "fact leader", "fact top player = P1 lasts game seen by all\nfact leader"),
             "leader becomes p", "top becomes p");
    CHECK(is_asked(game, title, FindingClass::chooser));
    CHECK_FALSE(is_asked(with(game, "last four leads.", "last four leads, or the next player."), title, FindingClass::chooser));
}

namespace {

const std::string tied_leader = R"(game hosts
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone laid of player  set of card     seen by all
fact host            player = P1     lasts game   seen by all
setup "P1 is the first host." { put all cards on deck, shuffled   deal 4 from deck to every hand }
play { repeat 4 times: round }
rule round "Clockwise from the host, each lays a card. Whoever has laid most in sum is host then." {
  each p clockwise from host { p must choose c from p's hand: put c in p's laid }
  let best = players with most sum of its rank over its laid
  if size of best is 1: host becomes the best
}
winner = players with most size of its laid, then shared
)";

}  // namespace

TEST_CASE("who begins is asked when nobody comes to it", "[validate]") {
    const std::string title = "Nobody may be there who begins";
    CHECK(is_asked(tied_leader, title, FindingClass::chooser));
    CHECK_FALSE(is_asked(with(tied_leader, "is host then.", "is host then; in a tie the host stays."), title, FindingClass::chooser));
    CHECK_FALSE(is_asked(with(tied_leader, "if size of best is 1: host becomes the best", "nothing"), title, FindingClass::chooser));
}

namespace {

const std::string giving = R"(game gifts
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone kept of player  set of card     seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { each p clockwise from P1: turn(p) }
rule turn(player p) "Name a player, who gets your highest card." {
  p must name q from players but p
  put any 1 of (p's hand with most its rank) in q's kept
}
winner = players with most sum of its rank over its kept, then shared
)";

}  // namespace

TEST_CASE("whether it may be oneself is asked where a text says a player", "[validate]") {
    const std::string title = "A player is chosen here";
    CHECK(is_asked(giving, title, FindingClass::scope));
    CHECK(is_asked(with(giving, "players but p", "players"), title, FindingClass::scope));
    const std::string defined =
        with(with(giving, "players but p", "rest(p)"), "rule turn", "define rest(player p) = players but p\nrule turn");
    CHECK(is_asked(defined, title, FindingClass::scope));
    CHECK_FALSE(is_asked(with(giving, "Name a player", "Name another player"), title, FindingClass::scope));
    CHECK_FALSE(is_asked(with(giving, "Name a player", "Ask a player"), title, FindingClass::scope));
    CHECK_FALSE(
        is_asked(with(giving, "Name a player, who gets your highest card.", "Your highest card goes away."), title, FindingClass::scope));
}

namespace {

const std::string drawing = R"(game fit
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone pile            row of card     seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand   deal 1 from deck to pile }
play { repeat 2 times: round }
rule round "Clockwise, P1 first." { each p clockwise from P1: turn(p) }
rule turn(player p) "Lay a card as high as the last one, or draw one." {
  p may choose c from p's hand where its rank >= (last of pile)'s rank { put c in pile }
    otherwise: fetch(p, 1)
}
rule fetch(player p, 1..2 n) { deal n from deck to p's hand }
winner = players with least size of its hand, then shared
)";
const std::string may_use = R"(  draw d from deck to p's hand
  if d's rank is 3 { p may lay { put d in pile } otherwise: nothing }
)";

}  // namespace

TEST_CASE("whether a card just drawn may be used is asked", "[validate]") {
    const std::string title = "May the card that was just drawn";
    CHECK(is_asked(drawing, title, FindingClass::scope));
    CHECK_FALSE(
        is_asked(with(drawing, "or draw one.", "or draw one; what was drawn may be laid in the next turn."), title, FindingClass::scope));
    // Two cards are no card that was just drawn, and what is drawn elsewhere cannot be laid.
    CHECK_FALSE(is_asked(with(drawing, "fetch(p, 1)", "fetch(p, 2)"), title, FindingClass::scope));
    CHECK_FALSE(is_asked(with(drawing, "to p's hand }\nwinner", "to pile }\nwinner"), title, FindingClass::scope));
    const std::string must = with(with(drawing, "p may choose", "p must choose"), "otherwise: fetch", "if none: fetch");
    CHECK(is_asked(must, title, FindingClass::scope));
}

TEST_CASE("whether a card just drawn may be used is asked, too, where the rules allow it", "[validate]") {
    const std::string title = "May the card that was just drawn";
    const auto begin = drawing.find("  p may choose");
    const auto end = drawing.find("}\nrule fetch");
    const std::string used = drawing.substr(0, begin) + may_use + drawing.substr(end);
    CHECK(is_asked(used, title, FindingClass::scope));
    CHECK_FALSE(is_asked(with(used, "or draw one.", "or draw one, which may be laid at once."), title, FindingClass::scope));
}

namespace {

const std::string stealing = R"(game thieves
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone laid of player  set of card     seen by all
fact coins of player 0..60 = 3       lasts game   seen by all
fact luck of player  0..4 = 0        lasts game   seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand }
play { repeat 3 times: round }
rule round "Clockwise, P1 first." { each p clockwise from P1: turn(p) }
rule turn(player p) "Lay a card. A three takes two coins from the next one; a one brings luck." {
  p must choose c from p's hand
  put c in p's laid
  if c's rank is 3: take(p, p's left)
  if c's rank is 1: p's luck becomes smaller(4, p's luck + 1)
}
rule take(player p, player q) {
  let n = smaller(2, q's coins)
  q's coins becomes q's coins - n
  p's coins becomes smaller(60, p's coins + n)
}
winner = players with most its coins, then with most its luck, then shared
)";

}  // namespace

TEST_CASE("what happens when there are fewer is asked", "[validate]") {
    const std::string title = "There may be fewer than that";
    CHECK(is_asked(stealing, title, FindingClass::count));
    CHECK_FALSE(is_asked(with(stealing, "from the next one;", "from the next one, or as many as there are;"), title, FindingClass::count));
    // There always are enough.
    CHECK_FALSE(is_asked(with(stealing, "0..60 = 3", "0..60 = 20"), title, FindingClass::count));
}

TEST_CASE("what happens at the end of a counter is asked", "[validate]") {
    const std::string title = "This goes no further than that";
    const std::string early = with(stealing, "luck of player  0..4 = 0", "luck of player  0..4 = 3");
    CHECK(is_asked(early, title, FindingClass::count));
    CHECK_FALSE(is_asked(with(early, "brings luck.", "brings luck, four times in all."), title, FindingClass::count));
    // It never comes so far.
    CHECK_FALSE(is_asked(stealing, title, FindingClass::count));
    // Where it ends there, the rest is nothing to anybody.
    const std::string end = "ends checked after turn, first of { lucky when some p in players where p's luck is 4 }\n";
    CHECK_FALSE(is_asked(with(early, "winner =", end + "winner ="), title, FindingClass::count));
}

namespace {

const std::string sniffing = R"(game sniff
players 3 in a circle, clockwise
cards card { rank 1..3   6 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone lost of player  set of card     seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand }
play { each p clockwise from P1: turn(p) }
rule turn(player p) "The next one loses a card that nobody has seen." { lose(p's left) }
rule lose(player q) { draw d blindly from q's hand to q's lost }
winner = players with most sum of its rank over its lost, then shared
)";

}  // namespace

TEST_CASE("how a card is taken unseen is asked wherever it goes, and however it is written", "[validate]") {
    const std::string title = "A card is taken unseen";
    CHECK(is_asked(sniffing, title, FindingClass::chooser));
    const std::string lot = with(sniffing, "draw d blindly from q's hand to q's lost", "chance picks d from q's hand   put d in q's lost");
    CHECK(is_asked(lot, title, FindingClass::chooser));
    // The text of the rule that calls it counts, too.
    CHECK_FALSE(is_asked(with(sniffing, "nobody has seen.", "you pick from the fan."), title, FindingClass::chooser));
    CHECK_FALSE(is_asked(with(sniffing, "blindly from q's hand", "from deck"), title, FindingClass::chooser));
}
