// What findings claim: for whom, how they were found, where their games end, and what is joined and told first.
#include "interpreter/log/log.hpp"
#include "solver/findings/texts.hpp"
#include "solver/findings/witness.hpp"
#include "solver/validate/validate.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

const std::string table = R"(
cards card { rank 1..3   2 of each }
zone deck            stack of card   seen by nobody
zone hand of player  set of card     seen by owner
zone table           row of card     seen by all
)";

Rules small_game(const std::string& players, const std::string& declarations) {
    return parse_rules("small", {"game small\nplayers " + players + " in a circle, clockwise\n" + table + declarations});
}

ValidateLimits few_games(const std::set<FindingClass>& only = {}) {
    ValidateLimits limits;
    limits.games = 200;
    limits.only = only;
    return limits;
}

const Finding* about(const Validation& found, FindingClass what, const std::string& rule) {
    const auto at =
        std::find_if(found.findings.begin(), found.findings.end(), [&](const Finding& f) { return f.what == what && f.rule == rule; });
    return at == found.findings.end() ? nullptr : &*at;
}

// The answers of the witness and its log lead to the same state, and the log has no answer less.
void check_ends_alike(const Rules& rules, const Finding& f) {
    const auto machine = machine_of(rules, {f.witness->players, f.witness->settings});
    const auto played = make_run(machine);
    played->start();
    for (const std::uint64_t move : f.witness->moves) {
        played->advance();
        played->apply(move);
    }
    played->advance();
    Sources sources;
    sources.emplace_back("witness", f.witness->log);
    Diagnostics diagnostics;
    const auto head = read_head(sources, 0, diagnostics);
    REQUIRE(head.has_value());
    const auto replayed = make_run(machine);
    Events events;
    CAPTURE(f.id, f.witness->log);
    REQUIRE(replay(sources, 0, *head, *replayed, events, diagnostics));
    replayed->advance();
    CHECK(replayed->node().kind == played->node().kind);
    CHECK(std::equal(played->state().begin(), played->state().end(), replayed->state().begin(), replayed->state().end()));
}

// Everybody may call before anything happens; then nothing does.
const std::string waits_in_vain = R"(
fact called of player yes/no = no lasts game seen by all
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { repeat round until deck is empty, at most 4 times, then end tired }
rule round { each p clockwise from P1: turn(p) }
rule turn(player p) { if p's called: put p's hand in table }
act call(player p) at any time unless p's called, when simulated 1 in 100 { p's called becomes yes }
end tired
winner = players with least size of its hand, then shared
)";

const std::string for_three = R"(
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { if more: deal 1 from deck to P1's hand }
define more = reading third "Does a third player give the first one a card more?" { no_card chosen: no   a_card: players is 3 }
winner = players with most size of its hand, then shared
)";

}  // namespace

TEST_CASE("findings: a sentence is a filled row in every language, and English where a language has nothing") {
    const Sentence games = FindingText::games(3);
    CHECK(games.in(Language::en) == "3 games");
    CHECK(games.in(Language::ja) == "3 ゲーム");
    const Sentence both = FindingText::two_sentences(games, FindingText::take_it_out);
    CHECK(both.in(Language::en) == "3 games Take it out.");
    CHECK(both != games);
    CHECK(both == Sentence(FindingText::two_sentences(FindingText::games(3), FindingText::take_it_out)));
    CHECK(Sentence().empty());

    Sentence half;
    half.of(Language::en) = "only here";
    CHECK(half.in(Language::ja) == "only here");
    CHECK(half.of(Language::ja).empty());
    CHECK(Phrase(half).in(Language::ja) == "only here");
}

TEST_CASE("a reading is told for the players for whom it matters", "[validate]") {
    const Rules rules = small_game("2..3", for_three);
    const Validation found = validate(rules.syntax, few_games({FindingClass::variant}));
    const Finding* f = about(found, FindingClass::variant, "third");
    REQUIRE(f != nullptr);
    CHECK(f->players == std::vector{3});
    CHECK(f->text.in(Language::en).find("With 2 players they do not differ.") != std::string::npos);
    CHECK(f->remark == Remark::two_ways);
}

TEST_CASE("what was found without a walk does not claim one", "[validate]") {
    const Rules rules = small_game("3", for_three);
    const Validation found = validate(rules.syntax, few_games({FindingClass::variant}));
    const Finding* f = about(found, FindingClass::variant, "third");
    REQUIRE(f != nullptr);
    CHECK(f->method == FoundBy::simulated);
    CHECK(f->bound.in(Language::en).find("states") == std::string::npos);
}

TEST_CASE("a game that shows a finding ends after it, though nobody acts", "[validate]") {
    const Rules rules = small_game("2", waits_in_vain);
    const Validation found = validate(rules.syntax, few_games());
    std::size_t witnesses = 0;
    for (const Finding& f : found.findings) {
        if (!f.witness) continue;
        ++witnesses;
        check_ends_alike(rules, f);
    }
    CHECK(witnesses >= 2);
}

TEST_CASE("a game in which somebody acts at the second chance, and nobody at the first, is told so", "[validate]") {
    const Rules rules = small_game("2", R"(
fact called of player yes/no = no lasts game seen by all
setup { put all cards on deck, shuffled }
play { offer call   offer call }
act call(player p) when offered unless p's called, when simulated 1 in 2 { p's called becomes yes }
winner = players where its called, then shared
)");
    Finding f;
    f.witness = Witness{2, {}, {0, 1}, "", 0, {}};
    const auto machine = machine_of(rules, {2, {}});
    const auto log = replayed(*machine, *f.witness);
    REQUIRE(log.has_value());
    CHECK(log->find("act call: nobody\nact call: P1\n") != std::string::npos);
    f.witness->log = *log;
    check_ends_alike(rules, f);
}

TEST_CASE("the games of all findings of what ships end where their answers do", "[validate]") {
    std::size_t with_passes = 0;
    for (const auto& path : rules_files()) {
        const Rules rules = read_rules(path);
        ValidateLimits limits = few_games();
        limits.games = 64;
        limits.low = limits.high = player_range(rules.syntax).low;
        limits.proofs = false;
        limits.others = false;
        const Validation found = validate(rules.syntax, limits);
        for (const Finding& f : found.findings) {
            if (!f.witness) continue;
            check_ends_alike(rules, f);
            if (f.witness->log.ends_with(": nobody\n")) ++with_passes;
        }
    }
    CHECK(with_passes > 0);
}

TEST_CASE("a game that cannot go on is shown from where it could not, not from its limit", "[validate]") {
    const Rules rules = small_game("2", R"(
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { repeat round until every hand is empty, at most 40 times, then end tired }
rule round { each p clockwise from P1: turn(p) }
rule turn(player p) { p must choose c from p's hand { put c in p's hand }   p may choose d from p's hand: put d in table }
end tired
winner = players with least size of its hand, then shared
)");
    const Validation found = validate(rules.syntax, few_games({FindingClass::stall, FindingClass::endless}));
    const Finding* stall = about(found, FindingClass::stall, "play");
    REQUIRE(stall != nullptr);
    CHECK(stall->witness->decisions <= 4);
    check_ends_alike(rules, *stall);
}

TEST_CASE("findings that ask the same are one doubt, and the heaviest is first", "[validate]") {
    const Rules rules = small_game("2..3", R"(
setup { put all cards on deck, shuffled   deal 1 from deck to every hand }
play { each p clockwise from P1: turn(p) }
rule turn(player p) {
  reading low "Does a one go on the table?" {
    lies chosen: { p must choose c from p's hand   if c's rank is 1: put c in table }
    as_printed: { p must choose c from p's hand   cases { c's rank is 1: put c in table } }
  }
  assume silent "It may be said aloud."
}
winner = players with most size of its hand, then shared
)");
    const Validation found = validate(rules.syntax, few_games());
    REQUIRE(!found.doubts.empty());
    const auto id = [&](std::size_t i) { return found.findings[i].id; };
    const std::vector<std::size_t>& first = found.doubts.front().findings;
    REQUIRE(first.size() == 2);
    CHECK(id(first[0]) == "variant.low.as_printed");
    CHECK(id(first[1]) == "gap.turn@low=as_printed");
    CHECK(found.doubts.front().weight > 0);
    CHECK(id(found.doubts.back().findings.front()) == "hole.silent");
    CHECK(found.doubts.back().weight == 0);
    for (const Finding& f : found.findings)
        if (f.id == "hole.silent") CHECK(f.paragraph.name == "turn");
}

TEST_CASE("what was not looked at is named, and work alone is no reason to look again", "[validate]") {
    const Rules rules = small_game("2..3", for_three);
    ValidateLimits limits = few_games();
    limits.games = 100'000;
    limits.work = 100'000;
    const Validation found = validate(rules.syntax, limits);
    CHECK(found.cut_off);
    CHECK(!found.cut_by_time);
    const auto names = [&](const std::string& what, int players) {
        return std::any_of(found.not_looked_at.begin(), found.not_looked_at.end(),
                           [&](const NotLookedAt& n) { return n.what == what && n.players == players && n.begun; });
    };
    CHECK(names("games", 2));
    CHECK(names("games", 3));
    CHECK(found.limits.size() == 1);
}

TEST_CASE("a remedy is not what stands there already", "[validate]") {
    const auto help_of = [](const std::string& deal) {
        const Rules rules = small_game("2", "setup { put all cards on deck, shuffled }\nplay { repeat 4 times: " + deal +
                                                " }\nwinner = players with most size of its hand, then shared\n");
        const Validation found = validate(rules.syntax, few_games({FindingClass::void_duty}));
        return found.findings.size() == 1 ? found.findings[0].help.in(Language::en) : "";
    };
    CHECK(help_of("deal 1 from deck to every hand").find("if short { put") != std::string::npos);
    CHECK(help_of("deal 1 from deck to every hand if short { nothing }").starts_with("What `if short` does"));
    CHECK(help_of("each p { draw c from deck to p's hand }").find("if none") != std::string::npos);
}

TEST_CASE("an example of a reading raises nothing, whatever is chosen", "[validate]") {
    const Rules rules = small_game("3", for_three + R"(
example "A card more" for 3 players with third is a_card { then more }
)");
    CHECK(validate(rules.syntax, few_games({FindingClass::example})).findings.empty());
}

TEST_CASE("a few games say nothing about what never comes up", "[validate]") {
    const Rules rules = small_game("2", R"(
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { each p clockwise from P1 { p must choose c from p's hand { put c in table   if c's rank is 3 and size of table > 9: end full } } }
end full "The table is full."
winner = players with most size of its hand, then shared
)");
    const auto never = [&](std::uint64_t games) {
        ValidateLimits limits = few_games({FindingClass::dead});
        limits.games = games;
        return about(validate(rules.syntax, limits), FindingClass::dead, "full") != nullptr;
    };
    CHECK(never(50));
    CHECK_FALSE(never(49));
}

TEST_CASE("that an end forgets whose it is is a note with what to do about it", "[validate]") {
    const auto told = [](const std::string& body) {
        const Rules rules = small_game("2", R"(
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { each p clockwise from P1 { p must choose c from p's hand { put c in table   if c's rank is 3: end solved(p) } } }
end solved(player p) )" + body + R"(
winner = players with most size of its hand, then shared
)");
        const Validation found = validate(rules.syntax, few_games({FindingClass::dead}));
        const Finding* f = about(found, FindingClass::dead, "solved");
        return f == nullptr ? std::nullopt : std::optional(*f);
    };
    const auto forgotten = told("\"It is solved.\"");
    REQUIRE(forgotten);
    CHECK(forgotten->gravity == Gravity::note);
    CHECK(forgotten->help.in(Language::en).find("keep it in a fact") != std::string::npos);
    CHECK(forgotten->help.of(Language::ja).find("fact に残す") != std::string::npos);
    CHECK_FALSE(told("{ p must choose d from p's hand: put d in table }"));
    const auto ignored = told("{ P1 must choose d from P1's hand: put d in table }");
    REQUIRE(ignored);
    CHECK(ignored->gravity != Gravity::note);
}
