// What quoted texts and names contradict, and what they do not.
#include "solver/wording/wording.hpp"
#include "solver/wording/quotes.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::vector<Finding> contradicted(const std::string& more) {
    const Rules rules = parse_rules("words", {"game words\nplayers 2..3 in a circle, clockwise\ncards card { rank 1..5   4 of each }\n"
                                              "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\n" +
                                              more});
    std::vector<Game> games;
    for (const int n : {2, 3}) games.push_back(machine_of(rules, {n, {}})->game);
    return contradicted_words(rules.syntax, games);
}
bool tells(const std::vector<Finding>& findings, FindingClass what, const std::string& rule) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.what == what && f.rule == rule; });
}
const std::string plain =
    "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\nplay { each p clockwise from P1: turn(p) }\n";

}  // namespace

TEST_CASE("figures are read in digits and words of both languages", "[validate]") {
    using Numbers = std::set<std::int64_t>;
    CHECK(numbers_said("Five tickets each; two sheets, 12 cans.") == Numbers{2, 5, 12});
    CHECK(numbers_said("after three hundred or twenty-one turns") == Numbers{21, 300});
    CHECK(numbers_said("one at a time, P2 first, often") == Numbers{});
    CHECK(numbers_said("各自にゃん札5枚。三人なら二枚") == Numbers{2, 3, 5});
    CHECK(numbers_said("第一に、二重に") == Numbers{});
    CHECK(says("Pass it to the left.", Topic::direction));
    CHECK(!says("What is left over stays.", Topic::direction));
    CHECK(!says("Then the left neighbour starts.", Topic::direction));
}

TEST_CASE("a text that says must, where the statement says may, is told", "[validate]") {
    const std::string turn = "{ p may choose c from p's hand: put c under deck }\n";
    CHECK(tells(contradicted(plain + "rule turn(player p) \"You must lay a card.\" " + turn), FindingClass::modality, "turn"));
    CHECK(tells(contradicted(plain + "rule turn(player p) \"必ず1枚出す。\" " + turn), FindingClass::modality, "turn"));
    CHECK(contradicted(plain + "rule turn(player p) \"You may lay a card, which must be low.\" " + turn).empty());
    CHECK(contradicted(plain + "rule turn(player p) \"Lay a card.\" " + turn).empty());
}

TEST_CASE("figures that differ between the languages, or from the list of cards, are told", "[validate]") {
    const std::string turn = "rule turn(player p) \"Take two.\" { deal 2 from deck to p's hand }\n";
    CHECK(tells(contradicted(plain + turn + "texts ja { turn \"3枚取る。\" }\n"), FindingClass::variant, "turn"));
    CHECK(contradicted(plain + turn + "texts ja { turn \"2枚取る。3人のときも同じ。\" }\n").empty());
    const std::string setup = " { put all cards on deck, shuffled }\nplay { each p clockwise from P1: turn(p) }\n" + turn;
    CHECK(tells(contradicted("setup \"The 24 cards are shuffled.\"" + setup), FindingClass::count, "setup"));
    CHECK(tells(contradicted("setup \"24枚の札を混ぜる。\"" + setup), FindingClass::count, "setup"));
    CHECK(contradicted("setup \"The 20 cards are shuffled. The 13 cards in front stay.\"" + setup).size() == 1);
    CHECK(contradicted("setup \"All 20 cards are shuffled.\"" + setup).empty());
}

TEST_CASE("names that nearly coincide and labels for two things are told", "[validate]") {
    const std::string rest = plain + "rule turn(player p) { nothing }\n";
    CHECK(tells(contradicted(rest + "fact applause 0..5 = 0 lasts game seen by all\nfact aplause 0..5 = 0 lasts game seen by all\n"),
                FindingClass::term, "aplause"));
    CHECK(contradicted(rest + "fact played 0..5 = 0 lasts game seen by all\nfact plated 0..5 = 0 lasts game seen by all\n"
                              "fact helpers 0..5 = 0 lasts game seen by all\nfact helper 0..5 = 0 lasts game seen by all\n")
              .empty());
    CHECK(tells(contradicted(rest + "labels ja { deck \"山札\" hand \"山札\" }\n"), FindingClass::term, "hand"));
    CHECK(contradicted(rest + "labels ja { deck \"山札\" card \"山札\" }\n").empty());
}

TEST_CASE("texts that deal, turn or shuffle otherwise than the statements are told", "[validate]") {
    const auto with_setup = [](const std::string& text) {
        return contradicted("setup \"" + text +
                            "\" { put all cards on deck, shuffled   deal 3 from deck to every hand }\nplay { P1 says done }\n");
    };
    CHECK(tells(with_setup("Everybody gets five cards."), FindingClass::count, "setup"));
    CHECK(tells(with_setup("各自に5枚配る。"), FindingClass::count, "setup"));
    CHECK(tells(with_setup("各自に五枚配る。"), FindingClass::count, "setup"));
    CHECK(with_setup("Shuffle the cards; everybody gets three cards.").empty());
    CHECK(with_setup("各自に3枚配る。").empty());
    CHECK(with_setup("Everybody gets some cards. Five players are too many.").empty());
    const auto with_turn = [](const std::string& text, const std::string& way) {
        return contradicted("setup { put all cards on deck, in order   deal 3 from deck to every hand }\nplay { turns }\nrule turns \"" +
                            text + "\" { each p " + way + " from P1 { p must choose c from p's hand: put c under deck } }\n");
    };
    CHECK(tells(with_turn("In turn, clockwise.", "counterclockwise"), FindingClass::variant, "turns"));
    CHECK(tells(with_turn("反時計回りに1枚出す。", "clockwise"), FindingClass::variant, "turns"));
    CHECK(with_turn("In turn, clockwise.", "clockwise").empty());
    CHECK(with_turn("反時計回りに1枚出す。", "counterclockwise").empty());
    CHECK(tells(with_turn("Lay a card, then shuffle.", "clockwise"), FindingClass::variant, "turns"));
    CHECK(tells(with_turn("1枚出してシャッフルする。", "clockwise"), FindingClass::variant, "turns"));
}

TEST_CASE("texts that move cards where no statement does, and goals that no statement has, are told", "[validate]") {
    const std::string start =
        "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\nfact n 0..40 = 0 lasts game seen by all\n";
    const auto with_turn = [&](const std::string& text, const std::string& body) {
        return contradicted(start + "play { each p clockwise from P1: turn(p) }\nrule turn(player p) \"" + text + "\" { " + body +
                            " }\nrule lay(player p) { p must choose c from p's hand: put c under deck }\n");
    };
    CHECK(tells(with_turn("Draw a card.", "n becomes n + 1"), FindingClass::variant, "turn"));
    CHECK(tells(with_turn("数を1つ進め、手札を1枚捨てる。", "n becomes n + 1"), FindingClass::variant, "turn"));
    CHECK(with_turn("Draw a card.", "deal 1 from deck to p's hand").empty());
    CHECK(with_turn("Lay a card. Whoever has none is out.", "lay(p)").empty());
    CHECK(with_turn("手札を1枚捨てる。", "lay(p)").empty());
    CHECK(with_turn("Count one more. Cards drawn before stay.", "n becomes n + 1").empty());
    // What the calling rule does already.
    CHECK(contradicted(start + "play { turns }\nrule turns { each p clockwise from P1 { deal 1 from deck to p's hand   turn(p) } }\n"
                               "rule turn(player p) \"Draw a card.\" { n becomes n + 1 }\n")
              .empty());
    const auto with_end = [&](const std::string& text) {
        return contradicted(start +
                            "play { repeat turn until n is 40, at most 41 times }\nrule turn { n becomes n + 1 }\n"
                            "ends checked after turn, first of { full \"" +
                            text + "\" when n >= 30 }\n");
    };
    CHECK(tells(with_end("At 35 points it is over."), FindingClass::variant, "full"));
    CHECK(tells(with_end("35点で終わる。"), FindingClass::variant, "full"));
    CHECK(with_end("At thirty points, or when all 20 cards are gone, it is over.").empty());
    CHECK(with_end("Three players are enough.").empty());
}
