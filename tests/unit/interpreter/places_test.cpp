// Places in a row: `NAME at n` of zones and facts that have places, the n-th card and the ends of rows and stacks. The engine and the plain
// stepper do the same, with copies that only their place tells apart.
#include "tests/support/rules.hpp"
#include "tests/support/two_runs.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

using namespace houserule;
using namespace houserule::testing;

namespace {

const std::string head = R"(game g
players 2 in a circle, clockwise
cards card { rank 1..3   3 of each }
zone deck             stack of card   seen by nobody
zone hand of player   set of card     seen by owner
zone line             row of card     seen by all
zone pile             stack of card   seen by all
zone spot at 1..4     one card        seen by all
zone held of player at 2..3  one card seen by others
fact die at 1..3      0..6 = 0        lasts game   seen by all
fact own of player at 1..2  1..6 = 1  lasts game   seen by owner
fact total            0..99 = 0       lasts game   seen by all
fact alone at 1..1    0..9 = 3        lasts game   seen by all
fact marks            set of 0..14 = {6}  lasts game  seen by all
setup { put all cards on deck, shuffled   deal 3 from deck to every hand   deal 3 from deck to line }
)";
const std::string tail = "\ndefine score = total\nwinner = all if total is 5, otherwise nobody\n";

std::string whole(const std::string& play) { return head + "play { " + play + " }" + tail; }

// The codes of what is wrong.
std::string faults(const std::string& play) {
    const Rules rules = parse_rules("g", {whole(play)});
    Diagnostics found = rules.diagnostics;
    check(rules.syntax, 2, {}, found);
    tidy(found);
    std::string codes;
    for (const Diagnostic& d : found)
        if (info(d.code).severity == Severity::error) codes += (codes.empty() ? "" : " ") + std::string(info(d.code).id);
    return codes;
}

}  // namespace

TEST_CASE("places: the engine and the plain stepper do the same", "[places]") {
    const char* plays[] = {
        "put last 2 of line in P1's hand",
        "put first 2 of line in P1's hand   put last 1 of line in P2's hand",
        "P1 must name n from 1..3   put line at n in P2's hand   put line at 2 in P1's hand",
        "put last 2 of line on pile, in order   put first 1 of pile in spot at 3",
        "each p clockwise from P1 { p must name n from 1..4 where spot at it is empty   p must choose c from p's hand   put c in spot at n "
        "}",
        "deal 1 from deck to every held   P1 must name n from 2..3"
        " simultaneously each p in {P1} { put p's held at n in p's held at (5 - n)   put p's held at (5 - n) in p's held at n }"
        " put P2's held in line",
        "deal 1 from deck to spot   P1 must choose 1..3 from 1..4 as n   each i in n: put spot at i in P1's hand",
        "chance picks die from 1..6   P1 must choose 0..3 from 1..3 as again   chance picks die at again from 1..6"
        " total becomes sum of die at it over (1..3)",
        "each p clockwise from P1 { chance picks p's own at 2 from 1..6   if p's own at 2 > 3: total becomes total + p's own at 2 }",
        "each n from 1 to 3: die at n becomes 2 * n   total becomes largest of die at it over (1..3)",
        "if (line at 3)'s rank is (line at 2)'s rank: total becomes 1",
        "if last of line is in {}: total becomes 1",
        "marks becomes {2, 14}   if 14 is in marks: total becomes size of marks",
        "let three = last 3 of line   put three in P1's hand   total becomes sum of its rank over three",
    };
    for (const char* play : plays) {
        INFO(play);
        const auto m = machine_of(parse_rules("g", {whole(play)}), {2, {}});
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const auto difference = first_difference(m, seed, 300);
            if (difference) FAIL_CHECK(*difference);
        }
    }
}

TEST_CASE("places: what is not there breaks a promise", "[places]") {
    const auto failure = [](const std::string& play) {
        const auto run = make_run(machine_of(parse_rules("g", {whole(play)}), {2, {}}));
        Random random(1);
        run->start();
        Node node = run->advance();
        for (; node.kind != NodeKind::over && node.kind != NodeKind::failed; node = run->advance()) run->apply(random_move(*run, random));
        return node.kind == NodeKind::failed ? run->failure().kind : FailureKind::none;
    };
    CHECK(failure("put last 3 of line in P1's hand") == FailureKind::none);
    CHECK(failure("total becomes alone at smaller(1, larger(1, quotient(9, total)))") != FailureKind::none);  // the only one, all the same
    CHECK(failure("alone at smaller(1, larger(1, quotient(9, total))) becomes 4") != FailureKind::none);
    CHECK(failure("alone at smaller(1, larger(1, quotient(9, total + 1))) becomes 4") == FailureKind::none);
    CHECK(failure("put last 4 of line in P1's hand") == FailureKind::not_so_many);
    CHECK(failure("put line at 4 in P1's hand") == FailureKind::not_so_many);
    CHECK(failure("put last (total - 1) of line in P1's hand") == FailureKind::below_nothing);
    CHECK(failure("total becomes 4   put spot at total in P1's hand") == FailureKind::none);
    CHECK(failure("total becomes 5   put spot at total in P1's hand") == FailureKind::no_case);
    CHECK(failure("total becomes 5   die at total becomes 1") == FailureKind::no_case);
}

TEST_CASE("places: what is wrong is told", "[places]") {
    CHECK(faults("put spot at 4 in P1's hand") == "");
    CHECK(faults("put spot at 5 in P1's hand") == "E0207");
    CHECK(faults("put P1's held at 1 in P1's hand") == "E0207");
    CHECK(faults("put P1's hand at 1 in P1's hand") == "E0213");
    CHECK(faults("put last 2 of P1's hand in P1's hand") == "E0213");
    CHECK(faults("total becomes die") == "E0107");
    CHECK(faults("put P1's hand in spot") != "");
    CHECK(faults("chance picks spot at 1 from 1..6") != "");
}
