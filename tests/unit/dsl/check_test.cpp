// Every diagnostic that a rules file can cause, by a small text that causes it.
#include "dsl/check/check.hpp"
#include "dsl/syntax/parse.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>

using namespace houserule;

namespace {

// What a text needs besides the thing that is wrong in it.
const std::string head = "game g\nplayers 2..4 in a circle, clockwise\n";
const std::string parts = head +
                          "enum Hue { red, blue }\n"
                          "cards card { hue Hue   rank 1..3   2 of each }\n"
                          "cards coin { 4 of each }\n"
                          "zone deck stack of card seen by nobody\n"
                          "zone hand of player set of card seen by owner\n"
                          "zone spot of player one card seen by all\n"
                          "zone box set of coin seen by all\n"
                          "fact out of player yes/no = no lasts game seen by all\n"
                          "fact total of player 0..9 = 0 lasts game seen by all\n";
const std::string rest = "winner = players with most its total, then shared\n";

std::string in_play(const std::string& statement) { return parts + "play { " + statement + " }\n" + rest; }
std::string declared(const std::string& declaration) { return parts + declaration + "\nplay { nothing }\n" + rest; }

Diagnostics diagnose(const std::string& text) {
    const Sources sources = {Source("game.rules", text)};
    Diagnostics all;
    const Syntax syntax = parse(sources, 0, all);
    if (has_errors(all)) return all;
    for (Diagnostic& d : check_all(syntax)) all.push_back(std::move(d));
    return all;
}

std::set<std::string> codes_of(const std::string& text) {
    std::set<std::string> codes;
    for (const Diagnostic& d : diagnose(text)) codes.insert(std::string(info(d.code).id));
    return codes;
}

std::string nested(int depth) {
    std::string text = "let x = ";
    for (int i = 0; i < depth; ++i) text += '(';
    text += '1';
    for (int i = 0; i < depth; ++i) text += ')';
    return text;
}

std::multimap<std::string, std::string> warnings() {
    return {
        {"W0001", declared("labels ja { hand \"手札\" }")},
        {"W0002", declared("rule turn { nothing }")},
        {"W0003", declared("assume odd \"as \x1b[1m is\"")},
        {"W0004", declared("fact secret 1..3 lasts game seen by nobody\nsetup { chance picks secret from 1..3 }")},
        {"W0005", declared("zone line row of card seen by all\nsetup { put all cards on deck, shuffled   put deck in line, in order }")},
        {"W0006", in_play("if no c in P1's hand where c's rank is 1 and P2's hand is empty: shuffle deck")},
        {"W0007", declared("setup { put all cards on deck, shuffled   deal 1 from deck to every hand, clockwise after P1 }")},
        {"W0008", declared("labels ja { deck \"第1の山\"   hand \"第二の山\" }")},
        {"W0009", declared("labels ja { deck \"山\"   hand \"手札\"   deck \"山札\" }")},
        {"W0010", in_play("put any 1 of deck with most its rank in P1's hand")},
        {"W0011", declared("fact bid 0..5 = 0   lasts game   seen by all\nact tell(player p) at any time unless bid is 5, when simulated 1 "
                           "in 10 { bid becomes bid + 1   p says bid }")},
        {"W0012", declared("fact dealer player   lasts game   seen by all\nsetup { if dealer is P1: shuffle deck }")},
    };
}

std::multimap<std::string, std::string> errors_and_questions() {
    return {
        {"E0001", head + "play { nothing }\n# \xff\n"},
        {"E0002", std::string(text_limit + 1, '#')},
        {"E0003", head + "play { put }\n"},
        {"E0004", head + "play { "},
        {"E0005", in_play(nested(201))},
        {"E0101", in_play("shufle deck")},
        {"E0101", in_play("put every hans on deck, shuffled")},
        {"E0102", declared("enum Size { red, small }")},
        {"E0102", declared("rule hand { nothing }")},
        {"E0103", head + "winner = players, then shared\n"},
        {"E0103", "players 2 in a circle, clockwise\nplay { nothing }\nwinner = players, then shared\n"},
        {"E0104", in_play("each p: if p's nose is 3: nothing")},
        {"E0105", declared("rule a { b }\nrule b { a }")},
        {"E0105", declared("end a { end b }\nend b { end a }")},
        {"E0105", declared("end a { r }\nrule r { end a }")},
        {"E0106", parts + "rule turn(player p) { nothing }\nplay { turn(P1, P2) }\n" + rest},
        {"E0107", in_play("hand")},
        {"E0108", in_play("P1 must choose c from P1's hand if none: nothing   put c on deck")},
        {"E0201", in_play("each p: p's total becomes red")},
        {"E0202", in_play("if red is in players: nothing")},
        {"E0203", in_play("let x = (1 if P1's out, otherwise red)")},
        {"E0204", in_play("each p: if p's hand's rank > 2: nothing")},
        {"E0205", in_play("if P1's out and P2's out or P1's out: nothing")},
        {"E0206", in_play("let x = players where size of (players where its out) is its total")},
        {"E0207", in_play("P1's total becomes 12")},
        {"E0208", in_play("put every hand on deck")},
        {"E0209", in_play("put P1's hand in (P2's hand where its rank > 2)")},
        {"E0210", in_play("put all coin in P1's hand")},
        {"E0211", declared("total card is 11")},
        {"E0212", declared("cards many { 257 of each }")},
        {"E0213", in_play("put every hand in deck, shuffled")},
        {"E0214", declared("zone heap set of card, at most size of deck seen by all")},
        {"E0215", in_play("repeat { nothing } until P1's out")},
        {"E0216", in_play("if [red 4] is in P1's hand: nothing")},
        {"E0217", declared("cards tile { rank 1..3   1 of each }\ncards brick { rank 1..3   1 of each }\ndefine low = [1]")},
        {"E0218", declared("cards odd { n 1..3   2 of a: 1, 2 }")},
        {"E0219", in_play("play game")},
        {"E0219", in_play("P1's total becomes size of it")},
        {"E0220", in_play("let x = 900000000 * 900000000")},
        {"E0301", in_play("P1 must choose c from P2's hand: nothing")},
        {"E0401", declared("when long_day { total card is 12 }")},
        {"E0402", declared("option long_day yes/no = no\nexample \"e\" for 2 players with long_day is 3 { then 1 is 1 }")},
        {"E0403", declared("option long_day yes/no = no\nwhen long_day { replace rule turn { nothing } }")},
        {"E0404", declared("option long_day yes/no = no\nwhen long_day { remove rule turn }")},
        {"E0405", declared("example \"e\" for 7 players { then 1 is 1 }")},
        {"E0406", declared("define limit = reading how_many { six: 6  seven: 7 }")},
        {"E0407", declared("option wild yes/no = no\nwhen wild { change cards joker { 2 of each } }")},
        {"E0408", declared("play { nothing }")},
        {"E0409", declared("option wild yes/no = no\nrule turn { shuffle deck }\nwhen wild { remove zone deck }")},
        {"Q0001", declared("fact idle 0..3 = 0 seen by all")},
        {"Q0002", declared("fact idle 0..3 = 0 lasts game")},
        {"Q0002", declared("zone heap set of card")},
        {"Q0003", parts + "play { nothing }\nwinner = players with most its total\n"},
        {"Q0004", in_play("each p { p must choose c from p's hand: put c in p's spot }")},
        {"Q0005", declared("act shout(player p) at any time unless p's out { p's total becomes 1 }")},
        {"Q0006", parts + "play { nothing }\n"},
        {"Q0007", declared("act shout(player p) at any time, when simulated 1 in 100 { p's total becomes 1 }")},
        {"Q0008", in_play("repeat { nothing } at most 3 times")},
    };
}

std::multimap<std::string, std::string> table() {
    std::multimap<std::string, std::string> all = errors_and_questions();
    all.merge(warnings());
    return all;
}

// E041x are about the files that house rules name: tests/unit/dsl/house_rule_test.cpp.
bool comes_from_rules(std::string_view id) {
    return !id.starts_with("E041") && (id[0] != 'E' || id[1] != '0' || (id[2] != '5' && id[2] != '6'));
}

}  // namespace

TEST_CASE("check: each text causes its diagnostic") {
    for (const auto& [code, text] : table()) {
        const std::set<std::string> codes = codes_of(text);
        INFO(code << ":\n" << text.substr(0, 2000));
        for (const std::string& c : codes) UNSCOPED_INFO("found " << c);
        CHECK(codes.contains(code));
    }
}

TEST_CASE("check: every diagnostic of rules files has a text that causes it") {
    std::set<std::string> covered;
    for (const auto& [code, text] : table()) covered.insert(code);
    std::set<std::string> all;
    for (std::size_t i = 0; i < code_count(); ++i) {
        const std::string id(info(static_cast<Code>(i)).id);
        if (comes_from_rules(id)) all.insert(id);
    }
    CHECK(covered == all);
}

namespace {

// `levels` statements in each other: rules that call the next one, each call inside so many loops.
std::string chain(int levels, int loops_a_rule, const std::string& last = "nothing") {
    std::string text = "play { r0 }\n";
    int rule = 0;
    for (; levels > loops_a_rule + 1; ++rule, levels -= loops_a_rule + 1) {
        std::string body = "r" + std::to_string(rule + 1);
        for (int i = 0; i < loops_a_rule; ++i) body = "repeat 2 times { " + body + " }";
        text += "rule r" + std::to_string(rule) + " { " + body + " }\n";
    }
    std::string body = last;
    for (int i = 1; i < levels; ++i) body = "repeat 2 times { " + body + " }";
    return parts + text + "rule r" + std::to_string(rule) + " { " + body + " }\n" + rest;
}

}  // namespace

TEST_CASE("check: rules in rules have a limit that counts what stands in them") {
    for (const int loops : {0, 1, 7, 150}) {
        INFO(loops);
        CHECK_FALSE(has_errors(diagnose(chain(300, loops))));
        CHECK(codes_of(chain(301, loops)).contains("E0005"));
    }
    // The last rule leads to an end, and that to another one, in which something stands: two levels more.
    const std::string ends = "end first_one { P1 says hi   end second_one }\nend second_one { nothing }\n";
    CHECK_FALSE(has_errors(diagnose(chain(298, 0, "end first_one") + ends)));
    CHECK(codes_of(chain(299, 0, "end first_one") + ends).contains("E0005"));
    CHECK(codes_of(chain(30'000, 0)).contains("E0005"));
}

TEST_CASE("check: an end that leads to itself is told where it begins") {
    const auto circles = [](const std::string& text) { return codes_of(parts + "play { end a }\n" + text + rest).contains("E0105"); };
    CHECK(circles("end a { end a }\n"));
    CHECK(circles("end a { if P1's total is 2: end a }\n"));
    CHECK(circles("end a { end b }\nend b { end c }\nend c { end a }\n"));
    CHECK(circles("end a { r }\nrule r { s }\nrule s { end a }\n"));
    CHECK_FALSE(circles("end a { r   end b }\nrule r { end b }\nend b { nothing }\n"));
    // A check that is made after a rule is not made while an end runs.
    CHECK_FALSE(circles("end a { r }\nrule r { nothing }\nends checked after r, first of { b when P1's total is 1 { r } }\n"));
}

TEST_CASE("check: a text is cleaned where it is read, and joined emoji stay joined") {
    const Sources sources{Source("g", "game g \"a\x1b[2J\xE2\x80\xAE\t👩‍👩‍👧\"\n")};
    Diagnostics found;
    const Syntax syntax = parse(sources, 0, found);
    CHECK(found.empty());
    REQUIRE(syntax.cleaned.size() == 1);
    CHECK(syntax.cleaned[0].characters == "U+001B, U+202E");
    const SyntaxNode* text = child(*syntax.root->children[0], Kind::text);
    REQUIRE(text != nullptr);
    CHECK(text->text == "a␛[2J�    👩‍👩‍👧");
}

TEST_CASE("check: the parts of these texts are in order themselves") {
    CHECK(codes_of(parts + "play { put every hand + every spot on deck, shuffled  put box in box  each p: p's out becomes no }\n" + rest)
              .empty());
}

TEST_CASE("check: a mistake is reported once, not once a variant") {
    const std::string text = declared("option long_day yes/no = no\nrule turn { shufle deck }");
    std::size_t n = 0;
    for (const Diagnostic& d : diagnose(text)) n += d.code == Code::unknown_name ? 1U : 0U;
    CHECK(n == 1);
}

TEST_CASE("check: what only one variant uses is used") {
    const std::string text = declared("option long_day yes/no = no\nrule turn { nothing }\nwhen long_day { replace play { turn } }");
    for (const Diagnostic& d : diagnose(text)) CHECK_FALSE((d.code == Code::never_used && d.arguments[0].same() == "turn"));
}

TEST_CASE("check: a word that only some variants say can have a label") {
    const std::string text = declared("rule turn(player p) { if players > 3: p may swap { nothing } }\nlabels ja { swap \"交換\" }");
    for (const Diagnostic& d : diagnose(text)) CHECK(d.code != Code::unknown_name);
}

TEST_CASE("check: an example without options is read with the defaults only") {
    const Sources sources = {Source("game.rules", declared("option high 4..6 = 6\nexample \"e\" for 2 players { then high is 6 }\n"
                                                           "example \"f\" for 2 players with high is 5 { then high is 5 }"))};
    Diagnostics found;
    const Syntax syntax = parse(sources, 0, found);
    CHECK(check(syntax, 2, {}, found).examples.size() == 1);
    CHECK(check(syntax, 2, {{"high", "4"}}, found).examples.empty());
    const Game game = check(syntax, 2, {{"high", "5"}}, found);
    REQUIRE(game.examples.size() == 1);
    CHECK(game.examples[0].title == "f");
    CHECK_FALSE(has_errors(found));
}

namespace {

// What a claim was read as, printed; else the codes of what is wrong with it.
std::string claimed(const std::string& claim) {
    const Sources sources = {Source("game.rules", declared("")), Source("claim", claim)};
    Diagnostics all;
    const Syntax game = parse(sources, 0, all);
    const Syntax said = parse_expression(sources, 1, all);
    std::string codes;
    for (const Diagnostic& d : all) codes += std::string(info(d.code).id) + " ";
    if (!all.empty()) return codes;
    const ClaimedGame result = check_claims(game, 2, {}, {said}, all);
    CHECK(result.game.hash == check(game, 2, {}, all).hash);
    for (const Diagnostic& d : all)
        if (d.span.source == 1) codes += std::string(info(d.code).id) + " ";
    REQUIRE(result.claims.size() == 1);
    CHECK((result.claims[0].holds == no_id) == !codes.empty());
    if (!codes.empty()) return codes;
    CHECK(result.game.expressions[result.claims[0].denied].type.base == Base::truth);
    return print(result.game, result.claims[0].holds);
}

}  // namespace

TEST_CASE("check: a claim is a condition in the words of the game") {
    const std::string of_field = claimed("P1's spot's hue is red");
    CHECK(of_field.find("E0") == std::string::npos);
    CHECK(claimed("P1's spot is red") == of_field);  // a card says one hue,
    CHECK(claimed("red is P1's spot") == claimed("red is P1's spot's hue"));
    CHECK(claimed("P1's spot is not red") == claimed("not P1's spot is red"));
    CHECK(claimed("P1's spot is 2") == claimed("P1's spot's rank is 2"));  // and one number
    CHECK(claimed("P1's spot is [red 2]").find("E0") == std::string::npos);
    CHECK(claimed("P1's spot is yes") == "E0202 ");
    CHECK(claimed("P1's hand is red") != of_field);
    CHECK(claimed("size of deck") == "E0201 ");
    CHECK(claimed("P1's spot is rid") == "E0101 ");
    CHECK(claimed("P1's spot is red red") == "E0003 ");
    CHECK(claimed("") == "E0004 ");
}
