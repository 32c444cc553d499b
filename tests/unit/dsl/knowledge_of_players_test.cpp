// What a player surely knows when choosing (E0301): both sides, what is accepted and what is still refused.
#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

using namespace houserule;

namespace {

const std::string parts = R"(game g
players 3..4 in a circle, clockwise
cards card { rank 1..4   4 of each }
zone deck              stack of card  seen by nobody
zone hand of player    set of card    seen by owner
zone brow of player    set of card    seen by others
zone pile              set of card    seen by nobody
zone heap              stack of card  seen by nobody
zone open              set of card    seen by all
fact leader            player = P1   lasts game   seen by all
setup { put all cards on deck, shuffled   deal 1 from deck to every hand   deal 1 from deck to every brow   deal 2 from deck to pile }
winner = players with most size of its hand, then shared
)";

// Whether the checker refuses it as unknowable; anything else that is wrong is a fault of the test.
bool refused(const std::string& rules) {
    INFO(rules);
    const Sources sources = {Source("game.rules", parts + rules)};
    Diagnostics found;
    const Syntax syntax = parse(sources, 0, found);
    for (Diagnostic& d : check_all(syntax)) found.push_back(std::move(d));
    bool unknowable = false;
    for (const Diagnostic& d : found) {
        if (info(d.code).severity != Severity::error) continue;
        INFO(info(d.code).id);
        CHECK(d.code == Code::unknowable);
        unknowable = true;
    }
    return unknowable;
}

bool refused_in_turn(const std::string& statements) {
    return refused("play { each p clockwise from P1: turn(p) }\nrule turn(player p) { " + statements + " }\n");
}

}  // namespace

TEST_CASE("knowledge of players: whoever is taken from the others is another player") {
    CHECK_FALSE(refused_in_turn("p must choose q from players but p   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("each q in players but p clockwise from p: { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn("each q clockwise after p: { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn("each q clockwise from p where q is not p: { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn("p must choose q from players where it is not p   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("let others = players but p   p must choose q from others   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("chance picks q from {p's left, p's right}   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("let q = next after p in players   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("p must choose c from brow of (players where it is not p): put c in open"));

    CHECK(refused_in_turn("p must choose q from players   p must choose c from q's brow: put c in open"));
    CHECK(refused_in_turn("p must choose q from players but p's left   p must choose c from q's brow: put c in open"));
    CHECK(refused_in_turn("each q clockwise from p: { p must choose c from q's brow: put c in open }"));
    CHECK(refused_in_turn("let others = players but p   p must choose q from others + {p}   p must choose c from q's brow: put c in open"));
    CHECK(refused_in_turn("p must choose q from (players but p) or if none {p}   p must choose c from q's brow: put c in open"));
    CHECK(refused_in_turn("p must choose q from players but p   p must choose c from q's hand: put c in open"));
}

TEST_CASE("knowledge of players: where they sit says that they are different") {
    CHECK_FALSE(refused_in_turn("p must choose c from p's left's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("let q = p's left   p must choose c from q's left's brow: put c in open"));
    CHECK_FALSE(refused_in_turn("let me = p   me must choose c from p's hand: put c in open"));
    CHECK(refused_in_turn("p must choose c from p's left's right's brow: put c in open"));
    CHECK(refused_in_turn("let q = p's left   p must choose c from q's right's brow: put c in open"));
    CHECK(refused_in_turn("p must choose c from p's left's left's left's brow: put c in open"));  // with three players it is p
}

TEST_CASE("knowledge of players: conditions say who is who") {
    const std::string any = "p must choose q from players   ";
    CHECK_FALSE(refused_in_turn(any + "if q is not p { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn(any + "if q is p { p must choose c from q's hand: put c in open }"));
    CHECK_FALSE(refused_in_turn(any + "if q is p { nothing } otherwise { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn(any + "if q is p: stop turn   p must choose c from q's brow: put c in open"));
    CHECK_FALSE(refused_in_turn(any + "if (q is not p and size of pile is 2) { p must choose c from q's brow: put c in open }"));
    CHECK_FALSE(refused_in_turn("p must choose c from p's hand where some q in players where (q is not p and it is in q's brow): nothing"));

    CHECK(refused_in_turn(any + "if q is p { p must choose c from q's brow: put c in open }"));
    CHECK(refused_in_turn(any + "if q is not p { p must choose c from q's hand: put c in open }"));
    CHECK(refused_in_turn(any + "if (q is not p or size of pile is 2) { p must choose c from q's brow: put c in open }"));
    CHECK(refused_in_turn(any + "if q is not p: nothing   p must choose c from q's brow: put c in open"));
    // The leader changes, so what was compared with the leader says nothing.
    CHECK(refused_in_turn(any + "if q is not leader { leader becomes q   leader must choose c from q's brow: put c in open }"));
    CHECK(refused_in_turn("let q = leader's left   leader becomes q   leader must choose c from q's brow: put c in open"));
}

TEST_CASE("knowledge of players: parameters are different where every call says so") {
    const std::string ask = "rule ask(player p, player q) { p must choose c from q's brow: put c in open }\n";
    const std::string play = "play { each p clockwise from P1: turn(p) }\n";
    CHECK_FALSE(refused(play + ask + "rule turn(player p) { ask(p, p's left)   p must choose r from players but p   ask(p, r) }\n"));
    CHECK_FALSE(refused(play + ask + "rule turn(player p) { pass_on(p's left, p) }\nrule pass_on(player a, player b) { ask(b, a) }\n"));
    CHECK(refused(play + ask + "rule turn(player p) { ask(p, p's left)   p must choose r from players   ask(p, r) }\n"));
    CHECK(refused(play + ask + "rule turn(player p) { pass_on(p, p) }\nrule pass_on(player a, player b) { ask(b, a) }\n"));
}

TEST_CASE("knowledge of players: what was shown is known until it may have moved") {
    CHECK_FALSE(refused_in_turn("show pile to p   p must choose c from pile: put c in open"));
    CHECK_FALSE(refused_in_turn("show pile to all   p must choose c from pile: put c in open"));
    CHECK_FALSE(
        refused_in_turn("show last of deck to p   p must choose c from p's hand where its rank is (last of deck)'s rank"
                        "   if none: nothing   p says done"));
    CHECK_FALSE(refused_in_turn("show pile to p   p must choose c from pile   put c in open   p must choose d from pile: put d in open"));

    CHECK(refused_in_turn("show pile to p's left   p must choose c from pile: put c in open"));
    CHECK(refused_in_turn("show pile to p   draw c from deck to pile   p must choose d from pile: put d in open"));
    CHECK(refused_in_turn("show pile to p   put p's left's hand in pile   p must choose c from pile: put c in open"));
    CHECK(refused_in_turn("show heap to p   p must choose c from p's hand where its rank is (last of heap)'s rank: nothing"));
    CHECK(refused_in_turn("p must choose c from pile: put c in open   show pile to p"));
    CHECK(refused_in_turn("if p is leader { show pile to p }   p must choose c from pile: put c in open"));
    CHECK(refused_in_turn("show pile to p   refill   p must choose c from pile: put c in open }\nrule refill { put last of deck in pile"));
    CHECK(refused_in_turn("show pile to p   repeat 2 times { p must choose c from pile: put c in open   put last of deck in pile }"));
    CHECK(
        refused("act swap(player p) at any time unless p's hand is empty, when simulated 1 in 9 { put p's hand in pile }\n"
                "play { each p clockwise from P1: turn(p) }\n"
                "rule turn(player p) { show pile to p   p must choose c from pile: put c in open }\n"));
}

TEST_CASE("knowledge of players: from whom a round begins is known to whoever knows that player") {
    CHECK_FALSE(refused_in_turn("p must choose q from players   each r clockwise from q: p says r"));
    CHECK_FALSE(refused_in_turn("p must name q from players   each r clockwise from q: p's left says r"));
    CHECK(refused_in_turn("p must choose q from players   each r clockwise from q: p's left says r"));
    CHECK(refused_in_turn("p must choose n from 1..3   each i from n to 3: p's left says i"));
    CHECK(refused_in_turn("p must choose q from players   each r clockwise from p where r is q: p's left says r"));
}

TEST_CASE("knowledge of players: what a rule is given is known to whoever knows it at each call") {
    const std::string play = "play { each p clockwise from P1: turn(p) }\n";
    const std::string says = "rule tell(player p, card c) { p says c }\n";
    const std::string chosen = "rule turn(player p) { p must choose c from p's hand   ";
    CHECK_FALSE(refused(play + says + chosen + "tell(p, c) }\n"));
    CHECK_FALSE(refused(play + says + chosen + "put c in open   tell(p's left, c) }\n"));
    CHECK_FALSE(refused(play + says + chosen + "put c in p's left's hand   tell(p's left, c) }\n"));
    CHECK_FALSE(refused(play + says + chosen + "show c to p's left   tell(p's left, c) }\n"));
    CHECK_FALSE(refused(play + says + chosen + "pass_on(p, c) }\nrule pass_on(player q, card d) { tell(q, d) }\n"));
    CHECK_FALSE(refused(play + chosen + "lay(p, c) }\nrule lay(player q, card d) { put d in open   P1 says d }\n"));
    CHECK_FALSE(refused("play { tell(P1, the P1's hand) }\n" + says));
    CHECK_FALSE(refused(
        play + "rule turn(player p) { bid(p, size of deck) }\nrule bid(player q, 0..99 n) { q must choose m from 0..n: nothing }\n"));

    CHECK(refused(play + says + chosen + "tell(p's left, c) }\n"));
    CHECK(refused(play + says + chosen + "tell(P1, c)   tell(p, c) }\n"));
    CHECK(refused(play + says + chosen + "put c in p's hand   tell(p's left, c) }\n"));
    CHECK(refused(play + says + chosen + "show c to p   tell(p's left, c) }\n"));
    CHECK(refused(play + chosen + "lay(p, c) }\nrule lay(player q, card d) { put d in pile   P1 says d }\n"));
    CHECK(refused("play { tell(P1, the P2's hand) }\n" + says));
    CHECK(refused("play { few(first of heap) }\nrule few(card c) { let n = c's rank   P1 must choose m from 0..n: nothing }\n"));
    CHECK(refused("play { few(P2's hand) }\nrule few(several card m) { P1 must choose c from m: nothing }\n"));
    CHECK(refused("play { pass_on(P1, the pile) }\nrule pass_on(player q, card d) { tell(q, d) }\n" + says));
}

TEST_CASE("knowledge of players: what was chosen is known to whoever sees where it was put") {
    const auto refused_then = [](const std::string& put) {
        return refused_in_turn("p must choose c from p's hand   " + put +
                               "   p's left must choose d from p's left's hand where its rank is c's rank: nothing   if none: nothing");
    };
    CHECK_FALSE(refused_then("put c in open"));
    CHECK_FALSE(refused_then("put c in p's left's hand"));
    CHECK_FALSE(refused_then("show c to all"));
    CHECK_FALSE(refused_in_turn("p must choose c from p's hand   lay(c)   P1 says c }\nrule lay(card d) { put d in open"));
    CHECK(refused_in_turn("p must choose c from p's hand   lay(c)   P1 says c }\nrule lay(card d) { put d in pile"));
    CHECK(refused_then("put c in pile"));
    CHECK(refused_then("put c in p's left's brow"));
    CHECK(refused_then("if p is leader { put c in open }"));
    CHECK(refused_then("put open in pile"));
    // What was offered to one shows nobody else how much there was.
    CHECK(refused_in_turn("p must choose n from 0..5   p must choose m from 0..n   p's left must choose k from 0..n: nothing"));
    CHECK(refused_in_turn("p must choose q from players   if p is leader { q says hello }   p's left must choose r from {q, p}: nothing"));
}

TEST_CASE("knowledge of players: how many lie where is seen, if it is known where") {
    const std::string places =
        "fact side {near_, far_} = near_ lasts game seen by all\nfact secret player = P1 lasts game seen by nobody\n"
        "zone near_row row of card seen by nobody\nzone far_row row of card seen by nobody\n"
        "define row_in_use = cases of side { near_: near_row   far_: far_row }\n"
        "play { each p clockwise from P1: turn(p) }\n";
    const auto refused_with = [&](const std::string& numbers) {
        return refused(places + "rule turn(player p) { p must name n from 0..size of " + numbers + " }\n");
    };
    CHECK_FALSE(refused_with("near_row"));
    CHECK_FALSE(refused_with("row_in_use"));
    CHECK_FALSE(refused_with("(row_in_use + far_row)"));
    CHECK_FALSE(refused_with("(near_row if side is far_, otherwise p's left's hand)"));
    CHECK(refused_with("(near_row if secret is p, otherwise far_row)"));
    CHECK(refused_with("secret's hand"));
    CHECK(refused_with("(secret's hand + near_row)"));
    CHECK(refused_with("(near_row + far_row where its rank is 2)"));
}
