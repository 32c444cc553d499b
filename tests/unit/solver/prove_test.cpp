// Promises: what is proved never breaks, and what should be proved is.
#include "solver/prove/prove.hpp"
#include "tests/support/broken_promise.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/two_runs.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

const ProveLimits by_steps{no_work_limit};  // the steps of each question limit it

Game game_of(const Rules& rules, const Variant& variant) {
    Diagnostics found = rules.diagnostics;
    Game game = check(rules.syntax, variant.players, variant.settings, found);
    tidy(found);
    INFO(render(found, rules.sources, {}));
    REQUIRE_FALSE(has_errors(found));
    return game;
}

std::string text_of(const Rules& rules, Span span) { return std::string(rules.sources[span.source].text(span)); }

// The obligation of that promise whose words begin so.
bool is_proved(const Rules& rules, const std::vector<Obligation>& all, Promise promise, const std::string& words) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const Obligation& o) { return o.promise == promise && text_of(rules, o.span).starts_with(words); });
    INFO("no promise of `" << promise_words(promise).in(Language::en) << "` at `" << words << "`");
    REQUIRE(it != all.end());
    CHECK(it->proved == (it->method != FoundBy::none));
    return it->proved;
}

// Whether winners, scores and payoffs can be told; else the run says what it broke.
bool is_reckoned(Run& run) {
    if (!run.in_front()) return false;
    for (const auto& values : {run.scores(), run.payoffs()})
        if (std::find(values.begin(), values.end(), std::numeric_limits<std::int32_t>::min()) != values.end()) return false;
    return true;
}

// Plays at random; every game that fails must fail at a promise that was not proved. Returns how many failed.
int broken_games(const Game& game, const std::vector<Obligation>& all, int games, std::uint64_t seed) {
    const auto run = make_run(compile(game));
    Random random(seed);
    int failed = 0;
    for (int g = 0; g < games; ++g) {
        run->start();
        // A game that came to its end can still break a promise in the reckoning.
        if (play_through(*run, random) ? is_reckoned(*run) : run->node().kind != NodeKind::failed) continue;
        ++failed;
        const Failure& failure = run->failure();
        INFO(failure_text(*run));
        if (is_about_order(failure.kind)) continue;  // nothing is proved of that
        const std::vector<std::size_t> those = broken_among(all, failure.kind, failure.span);
        CHECK_FALSE(those.empty());
        for (const std::size_t i : those) CHECK_FALSE(all[i].proved);
    }
    return failed;
}

std::string tiny(const std::string& zones, const std::string& body) {
    return "game tiny\nplayers 2..3 in a circle, clockwise\ncards card { rank 1..3   2 of each }\n"
           "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\nzone spot of player one card seen by "
           "all\nzone row of player row of card seen by all\n" +
           zones + "\nsetup { put all cards on deck, shuffled }\n" + body + "\nwinner = players, then shared\n";
}

// A promise that no game can break, and one that some game breaks, in the same words.
struct Pair {
    Promise promise;
    std::string words;  // where it stands
    std::string zones;
    std::string safe;
    std::string broken;
};

const std::vector<Pair>& pairs() {
    static const std::vector<Pair> all = {
        {Promise::enough, "deal", "", "play { deal 3 from deck to every hand }",
         "play { deal 4 from deck to every hand   deal 1 from deck to spot of {P1} }"},
        {Promise::enough, "draw", "", "play { deal 2 from deck to every hand   draw c blindly from P1's hand to P2's hand }",
         "play { P2 must name n from 0..2   deal n from deck to P1's hand   draw c blindly from P1's hand to P2's hand }"},
        {Promise::something, "P1 must choose", "", "play { deal 2 from deck to every hand   P1 must choose c from P1's hand }",
         "play { deal 2 from deck to every hand   P1 must choose c from P1's hand where its rank is 1 }"},
        {Promise::the, "the (", "", "play { deal 1 from deck to every hand   let d = the (P1's hand where its rank <= 3) nothing }",
         "play { deal 2 from deck to every hand   let d = the (P1's hand where its rank is 1) nothing }"},
        {Promise::room_for_one, "P1's spot", "", "play { deal 1 from deck to every spot   let r = P1's spot's rank nothing }",
         "play { P1 may take: deal 1 from deck to every spot   let r = P1's spot's rank nothing }"},
        {Promise::first_or_last, "first of", "", "play { deal 1 from deck to P1's row   let r = (first of P1's row)'s rank nothing }",
         "play { P1 may take: deal 1 from deck to P1's row   let r = (first of P1's row)'s rank nothing }"},
        {Promise::next, "next after", "fact out of player yes/no = no lasts game seen by all",
         "play { P1's out becomes yes   let q = next after P1 in (players where not its out) nothing }",
         "play { each p: { p may leave: p's out becomes yes }   let q = next after P1 in (players where not its out) nothing }"},
        {Promise::extreme, "largest of", "", "play { deal 2 from deck to every hand   let n = largest of its rank over P1's hand nothing }",
         "play { P1 may take: deal 2 from deck to every hand   let n = largest of its rank over P1's hand nothing }"},
        {Promise::division, "quotient", "fact n 0..3 = 1 lasts game seen by all", "play { let q = quotient(6, n) nothing }",
         "play { P1 must name m from 0..3   n becomes m   let q = quotient(6, n) nothing }"},
        {Promise::division, "quotient", "fact n 0..3 = 0 lasts game seen by all",
         "play { chance picks a, b from 1..2   n becomes a + b - 1   let q = quotient(6, n) nothing }",
         "play { chance picks a, b from 1..2   n becomes a - b + 1   let q = quotient(6, n) nothing }"},
        {Promise::any_of, "any 1 of", "",
         "play { deal 2 from deck to every hand   P1 must choose c from P1's hand   put any 1 of (P1's hand where it is c) in P2's hand }",
         "play { deal 2 from deck to every hand   put any 1 of P1's hand in P2's hand }"},
        {Promise::given, "n", "fact n 0..3 lasts game seen by all", "play { n becomes 2   let m = n nothing }",
         "play { P1 may set: n becomes 2   let m = n nothing }"},
        {Promise::covered, "cases {", "",
         "play { deal 2 from deck to every hand   P1 must choose c from P1's hand   cases { c's rank <= 2: nothing   c's rank >= 3: put c "
         "in P2's hand } }",
         "play { deal 2 from deck to every hand   P1 must choose c from P1's hand   cases { c's rank <= 1: nothing   c's rank >= 3: put c "
         "in P2's hand } }"},
        {Promise::room, "put c in P1's spot", "",
         "play { deal 2 from deck to every hand   P1 must choose c from P1's hand   put c in P1's spot }",
         "play { deal 1 from deck to P1's spot   deal 1 from deck to P1's hand   P1 must choose c from P1's hand   put c in P1's spot }"},
        {Promise::counted, "repeat", "", "play { deal 1 from deck to every hand   repeat 1 - size of P1's hand times: nothing }",
         "play { deal 1 from deck to every hand   P1 may take: deal 1 from deck to P1's hand   repeat 1 - size of P1's hand times: nothing "
         "}"},
        {Promise::counted, "deal size", "", "play { deal 1 from deck to every hand   deal size of P1's hand - 1 from deck to P2's row }",
         "play { P1 may take: deal 1 from deck to P1's hand   deal size of P1's hand - 1 from deck to P2's row }"},
        {Promise::counted, "P1 must choose", "",
         "play { deal 1 from deck to every hand   P1 must choose size of P1's hand - 1 from P1's hand as x }",
         "play { P1 may take: deal 1 from deck to P1's hand   P1 must choose size of P1's hand - 1 from P1's hand as x }"},
        {Promise::counted, "chance", "enum Fate { storm, calm }",
         "play { deal 1 from deck to every hand   chance picks y from Fate { storm: size of P1's hand - 1   calm: 1 } }",
         "play { P1 may take: deal 1 from deck to P1's hand   chance picks y from Fate { storm: size of P1's hand - 1   calm: 1 } }"},
        {Promise::fits, "n becomes", "fact n 0..3 = 0 lasts game seen by all", "play { repeat 3 times: n becomes n + 1 }",
         "play { repeat 4 times: n becomes n + 1 }"},
        {Promise::runs_down, "repeat", "",
         "play { repeat { deal 1 from deck to P1's hand } until deck is empty, running down size of deck }",
         "play { repeat { P1 may take: deal 1 from deck to P1's hand } until deck is empty, running down size of deck }"},
    };
    return all;
}

}  // namespace

TEST_CASE("promises: one that holds is proved, one that breaks is not", "[prove]") {
    for (const Pair& pair : pairs()) {
        INFO(promise_words(pair.promise).in(Language::en) << " at `" << pair.words << "`");
        for (const int players : {2, 3}) {
            if (players == 3 && pair.promise == Promise::enough) continue;  // six cards go round for two
            const Rules safe = parse_rules("safe", {tiny(pair.zones, pair.safe)});
            const Game safe_game = game_of(safe, {players, {}});
            const auto safe_promises = prove(safe_game, by_steps);
            CHECK(is_proved(safe, safe_promises, pair.promise, pair.words));
            CHECK(broken_games(safe_game, safe_promises, 50, 1) == 0);
            const Rules broken = parse_rules("broken", {tiny(pair.zones, pair.broken)});
            const Game broken_game = game_of(broken, {players, {}});
            const auto broken_promises = prove(broken_game, by_steps);
            CHECK_FALSE(is_proved(broken, broken_promises, pair.promise, pair.words));
            CHECK(broken_games(broken_game, broken_promises, 200, 1) > 0);
        }
    }
}

TEST_CASE("promises: cases of equal rank agree, or not", "[prove]") {
    const std::string zones = "fact n 0..5 = 0 lasts game seen by all";
    const auto proved = [&](const std::string& arms) {
        const Rules rules = parse_rules(
            "cases", {tiny(zones, "play { deal 2 from deck to every hand   P1 must choose c from P1's hand   cases { " + arms + " } }")});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        const bool always = is_proved(rules, all, Promise::agree, "cases {");
        CHECK((broken_games(game, all, 200, 1) == 0) == always);
        return always;
    };
    CHECK(proved("2 * c's rank < 4: n becomes 1   c's rank > 2: n becomes 2   otherwise: nothing"));  // not excluded by their words
    CHECK_FALSE(proved("c's rank < 3: n becomes 1   c's rank > 1: n becomes 2"));
    CHECK(proved("c's rank < 3: n becomes 2   c's rank > 1: n becomes n + 2"));
    CHECK(proved("except when c's rank is 2: nothing   c's rank < 3: n becomes 1   c's rank > 1: n becomes 2"));
    CHECK_FALSE(proved("c's rank < 3: put c in P1's spot   c's rank > 1: put c in P2's spot"));
    CHECK_FALSE(proved("yes: P1 says hello   c's rank > 1: put c in P2's spot"));
    // Of cases within cases, the inner ones break.
    CHECK(proved("c's rank < 3: cases { c's rank < 2: n becomes 1   c's rank > 0: n becomes n + 1 }   c's rank > 2: nothing"));
}

// A third copy of a card of which there are two: the drawn card, its match in the hand and the shared one.
TEST_CASE("promises: a drawn card of two copies never matches hand and shared cards at once", "[.long]") {
    const Rules rules = read_rules(rules_file("jiji"));
    const auto all = prove(game_of(rules, {3, {}}), {120 * work_a_second, 500'000'000});
    CHECK(is_proved(rules, all, Promise::agree, "cases {\n    new is in"));
    CHECK(is_proved(rules, all, Promise::enough, "deal 11 from box"));
    CHECK(is_proved(rules, all, Promise::enough, "deal 10 from box"));
    CHECK(is_proved(rules, all, Promise::enough, "deal 1 from box"));
}

TEST_CASE("promises: small games are proved whole", "[prove]") {
    for (const char* name : {"kuhn"}) {
        const Rules rules = read_rules(rules_file(name));
        for (const int players : {2, 3}) {
            INFO(name << ", " << players << " players");
            for (const Obligation& o : prove(game_of(rules, {players, {}}), by_steps)) {
                INFO(o.title.in(Language::en) << ": " << text_of(rules, o.span));
                CHECK(o.proved);
            }
        }
    }
}

// Who is surely not asked, cases after one that always holds: nobody is there, so nothing is read there.
TEST_CASE("promises: a state that no game comes to is not read", "[prove]") {
    for (const char* name : {"arms", "challenge", "challenge_all"}) {
        const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/faults" / (std::string(name) + ".rules"));
        const Game game = game_of(rules, variants(rules.syntax).front());
        const auto all = prove(game, by_steps);
        REQUIRE_FALSE(all.empty());
        for (const Obligation& o : all) {
            INFO(name << ", " << o.title.in(Language::en) << ": " << text_of(rules, o.span));
            CHECK(o.proved);
        }
        CHECK(broken_games(game, all, 50, 1) == 0);
    }
}

// Games that break where nobody or none is met, and one that asks first.
TEST_CASE("promises: of nobody and of none", "[prove]") {
    const auto rules_with = [](const std::string& play) {
        return parse_rules(
            "rules",
            {"game g\nplayers 2 in a circle, clockwise\ncards card { rank 1..4 1 of each }\n"
             "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\n"
             "fact lead player or nobody = nobody lasts game seen by all\n"
             "fact points of player 0..9 = 5 lasts game seen by all\n"
             "fact n -3..3 or none = -1 lasts game seen by all\n"
             "fact told set of -3..3 = {-3, -1} lasts game seen by all\n"
             "rule t(player p) { p says hi }\nsetup { put all cards on deck, shuffled   deal 1 from deck to every hand }\nplay { " +
             play + " }\nwinner = players with most its points, then shared\n"});
    };
    const std::string lead = "P1 must choose yes_or_no from yes/no   if yes_or_no: lead becomes P2   ";
    const std::string none = "P1 must choose yes_or_no from yes/no   if yes_or_no: n becomes none   ";
    const std::vector<std::string> breaking{lead + "lead's points becomes 3",
                                            lead + "P1's points becomes lead's left's points",
                                            lead + "t(lead)",
                                            lead + "lead says hi",
                                            lead + "each p clockwise from lead: p says hi",
                                            lead + "lead must name k from 1..2   if k is 1: P1 says hi",
                                            lead + "t(next after lead in players)",
                                            none + "P1's points becomes n + 2",
                                            none + "if n < 2: P1 says hi",
                                            "n becomes 3   told becomes told + {n + 1}"};
    for (const std::string& play : breaking) {
        INFO(play);
        const Game game = game_of(rules_with(play), {2, {}});
        CHECK(broken_games(game, prove(game, by_steps), 50, 1) > 0);
    }
    // Both ends of a range that is chosen from promise to be numbers.
    const Rules range = rules_with(none + "P1 must name k from -3..n");
    const Game chosen = game_of(range, {2, {}});
    const auto promises = prove(chosen, by_steps);
    CHECK_FALSE(is_proved(range, promises, Promise::number, "n"));
    CHECK(broken_games(chosen, promises, 50, 1) > 0);
    for (const std::string& play :
         {lead + "if lead is not nobody: lead's points becomes 3", none + "if n is not none: P1's points becomes n + 3",
          std::string("n becomes -1   if n is none: n becomes 2   if -1 is in told: told becomes {n, 3}")}) {
        INFO(play);
        const Game game = game_of(rules_with(play), {2, {}});
        const auto all = prove(game, by_steps);
        CHECK(broken_games(game, all, 50, 1) == 0);
        for (const Obligation& o : all) {
            INFO(o.title.in(Language::en));
            CHECK(o.proved);
        }
    }
}

TEST_CASE("promises: play goes on behind a deal of all cards to nobody", "[prove]") {
    for (const std::string nobody : {"{P1} but P1", "(players where size of its hand > 0)"}) {
        INFO(nobody);
        const Rules rules =
            parse_rules("nobody", {tiny("", "play { deal all from deck to hand of " + nobody + "   let c = the P1's hand nothing }")});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        CHECK_FALSE(is_proved(rules, all, Promise::the, "the P1's hand"));
        CHECK(broken_games(game, all, 5, 1) == 5);
    }
}

// P1 and P2 would both put the card of P2.
TEST_CASE("promises: effects that want the same card break off, and prove nothing", "[prove]") {
    const Rules rules = parse_rules("wanted", {tiny("",
                                                    "play { deal 1 from deck to every spot   simultaneously each r: put P2's spot in "
                                                    "r's spot   let c = the P1's row nothing }")});
    const Game game = game_of(rules, {2, {}});
    const auto all = prove(game, by_steps);
    CHECK_FALSE(is_proved(rules, all, Promise::the, "the P1's row"));
    CHECK(broken_games(game, all, 5, 1) == 5);
}

// A loop in it forgets what was named inside the loop, and nothing else.
TEST_CASE("promises: what an end is about is known behind a loop in it", "[prove]") {
    const Rules rules = parse_rules("about", {tiny("fact n 0..9 = 4 lasts game seen by all",
                                                   "play { P1 must name k from 2..3   end done(n - k) }   end done(0..9 left) { each p "
                                                   "clockwise from P1: nothing   P1 says left   let c = the P1's row nothing }")});
    const Game game = game_of(rules, {2, {}});
    const auto all = prove(game, by_steps);
    CHECK_FALSE(is_proved(rules, all, Promise::the, "the P1's row"));
    CHECK(broken_games(game, all, 5, 1) == 5);
}

// What is read again while cards are dealt: the target for each card, the receivers in each round, the number for each receiver.
TEST_CASE("promises: a deal goes by what it has changed itself", "[prove]") {
    struct Case {
        Promise promise;
        std::string words;
        std::string deal;
        std::string then;
    };
    const std::string two = "draw c blindly from P1's hand to deck   draw e blindly from P1's hand to P2's row";
    for (const Case& c :
         {Case{Promise::enough, "draw e", "deal 2 from deck to (P1 if P1's hand is empty, otherwise P2)'s hand", two},
          Case{Promise::the, "the P1's row", "deal all from deck to hand of (players where its hand is empty)",
               "if deck is not empty { let c = the P1's row nothing }"},
          Case{Promise::enough, "draw e", "deal (2 if P2's hand is empty, otherwise 1) from deck to every hand, clockwise from P2", two}}) {
        INFO(c.deal);
        const Rules rules = parse_rules("deal", {tiny("", "play { " + c.deal + "   " + c.then + " }")});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        CHECK_FALSE(is_proved(rules, all, c.promise, c.words));
        CHECK(broken_games(game, all, 5, 1) == 5);
    }
}

// Each game breaks two promises at one statement; that which comes first in the game is never hidden by the other.
TEST_CASE("promises: what a game reads first breaks first", "[prove]") {
    struct Case {
        Promise promise;
        std::string words;
    };
    for (const Case& c :
         {Case{Promise::enough, "draw c from P1's row to (the players)'s hand"},
          Case{Promise::enough, "deal 3 from P1's row to (the players)'s hand"}, Case{Promise::room, "deal 7 from deck to P1's spot"}}) {
        INFO(c.words);
        const Rules rules = parse_rules("order", {tiny("", "play { " + c.words + " }")});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        CHECK_FALSE(is_proved(rules, all, c.promise, c.words));
        CHECK(broken_games(game, all, 5, 1) > 0);
    }
}

// Both operands break: the first does, whichever the compiler would like to read first.
TEST_CASE("promises: of two operands the first is read first", "[prove]") {
    struct Read {
        std::string before;
        std::string between;
        std::string after;
    };
    for (const Read& r : {Read{"", "'s rank + ", "'s rank"},
                          {"", "'s rank - ", "'s rank"},
                          {"", "'s rank * ", "'s rank"},
                          {"larger(", "'s rank, ", "'s rank)"},
                          {"smaller(", "'s rank, ", "'s rank)"},
                          {"quotient(", "'s rank, ", "'s rank)"},
                          {"", "'s rank is ", "'s rank"},
                          {"", "'s rank < ", "'s rank"},
                          {"", "'s rank <= ", "'s rank"},
                          {"{", "'s rank} + {", "'s rank}"},
                          {"", "'s shown + ", "'s shown"},
                          {"", "'s shown but ", "'s shown"},
                          {"", "'s shown is ", "'s shown"},
                          {"", " + ", ""},
                          {"", " but ", ""}}) {
        const std::string read = r.before + "(first of P1's row)" + r.between + "(first of P2's row)" + r.after;
        INFO(read);
        const Rules rules =
            parse_rules("operands", {"game operands\nplayers 2 in a circle, clockwise\nenum hue { red, blue }\n"
                                     "cards card { rank 1..3\n  shown set of hue\n  2 of one: 1, {red}\n  2 of two: 2, {red, blue}\n}\n"
                                     "zone deck stack of card seen by nobody\nzone row of player row of card seen by all\n"
                                     "zone hand of player set of card seen by owner\n"
                                     "setup { put all cards on deck, shuffled }\nplay { let x = " +
                                     read +
                                     "   nothing }\n"
                                     "winner = players, then shared\n"});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        CHECK_FALSE(is_proved(rules, all, Promise::first_or_last, "first of P1's row"));
        CHECK(broken_games(game, all, 3, 1) == 3);
        CHECK(first_difference(compile(game), 1, 10) == std::nullopt);
    }
}

// The card that lies first goes to the end of its own row: another lies first then.
TEST_CASE("promises: what is put where it lies already changes the order there", "[prove]") {
    for (const std::string put :
         {"put first of line in line", "put (line where its rank is 1) in line",
          "draw c from line to line   draw e from line to line   put first of line in line",
          "P1 must name n from 1..4   if n is 1 { end done }   put first of line in line   if n is 2 { end done }   if n is 3 { end done } "
          "  if n is 4 { end done }",
          "put first of line in cases of P1 { P1: line; otherwise: deck }",
          "put first of (line if size of line is 2, otherwise deck) in line", "simultaneously each p in {P1}: put first of line in line"}) {
        INFO(put);
        const Rules rules = parse_rules(
            "again", {"game again\nplayers 2 in a circle, clockwise\ncards card { rank 1..2   1 of each }\n"
                      "zone deck stack of card seen by nobody\nzone line row of card seen by all\n"
                      "end done \"\"\nsetup { put all cards on deck, shuffled }\n"
                      "play { put (deck where its rank is 1) in line   put (deck where its rank is 2) in line   " +
                      put + "   end done }\nwinner = players with most quotient(6, 2 - (first of line)'s rank), then shared\n"});
        const Game game = game_of(rules, {2, {}});
        const auto all = prove(game, by_steps);
        CHECK_FALSE(is_proved(rules, all, Promise::division, "quotient"));
        CHECK(broken_games(game, all, 20, 1) > 0);
    }
}

TEST_CASE("promises: without work or time, or when it is stopped, nothing is proved", "[prove]") {
    const Rules rules = read_rules(rules_file("kuhn"));
    Stop stop;
    stop.ask();
    ProveLimits none = by_steps;
    none.work = 0;
    ProveLimits late = by_steps;
    late.milliseconds = 0;
    ProveLimits stopped = by_steps;
    stopped.stop = &stop;
    for (const ProveLimits& l : {none, late, stopped})
        for (const Obligation& o : prove(game_of(rules, {2, {}}), l)) CHECK_FALSE(o.proved);
}

// As much is proved on every machine: what there was time for does not matter.
TEST_CASE("promises: as much work proves as much", "[prove]") {
    const Rules rules = read_rules(rules_file("leduc"));
    const auto proved = [&](std::uint64_t work) {
        ProveLimits l = by_steps;
        l.work = work;
        std::vector<bool> all;
        for (const Obligation& o : prove(game_of(rules, {2, {}}), l)) all.push_back(o.proved);
        return all;
    };
    const auto count = [](const std::vector<bool>& all) { return std::count(all.begin(), all.end(), true); };
    const auto little = proved(work_a_second / 50);
    CHECK(little == proved(work_a_second / 50));
    CHECK(count(little) <= count(proved(20 * work_a_second)));
}

// The files are made to keep their promises: mutants break them.
TEST_CASE("promises: what a game breaks was not proved", "[prove]") {
    for (const std::filesystem::path& path : rules_files()) {
        const Rules rules = read_rules(path);
        const auto all_variants = variants(rules.syntax);
        REQUIRE_FALSE(all_variants.empty());
        const Variant& variant = all_variants.front();
        INFO(variant_name(rules, variant));
        const Game game = game_of(rules, variant);
        broken_games(game, prove(game, {work_a_second}), 40, seed_of(rules.name));
    }
}

TEST_CASE("promises: mutants that break were not proved", "[prove]") {
    struct Mutant {
        const char* file;
        const char* from;
        const char* to;
        int players;
    };
    const std::vector<Mutant> mutants = {
        {"kuhn", "deal 1 from deck", "deal 2 from deck", 2},
        {"kuhn", "cards card { rank 1..players + 1   1 of each }", "cards card { rank 1..players   2 of each }", 2},
        {"leduc", "raises < 2", "raises < 3", 2},
        {"leduc", "cases of size of best { 1: pot   2: pot * 0.5 }", "cases of size of best { 1: pot }", 2},
        {"leduc", "deal 1 from deck to board", "deal 2 from deck to board", 2},
        {"goofspiel", "if size of best is 1: put stake", "if size of best is 2: put stake", 2},
        {"goofspiel", "each p: put p's laid in p's used", "each p: nothing", 2},
    };
    for (const Mutant& m : mutants) {
        INFO(m.file << ": " << m.to);
        const Rules base = read_rules(rules_file(m.file));
        std::string text(base.sources[0].text());
        const auto where = text.find(m.from);
        REQUIRE(where != std::string::npos);
        text.replace(where, std::string(m.from).size(), m.to);
        text.resize(std::min(text.size(), text.find("\nexample ")));  // they tell of the unchanged game
        const Rules rules = parse_rules(m.file, {text});
        const Game game = game_of(rules, {m.players, {}});
        CHECK(broken_games(game, prove(game, by_steps), 300, seed_of(m.to)) > 0);
    }
}
