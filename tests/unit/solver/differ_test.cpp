// Two machines side by side: the same game under another name, games that differ in one place, and how that is told.
#include "solver/compare/differ.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/machine/open_loops.hpp"
#include "solver/compare/differences.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

std::shared_ptr<const Machine> machine(const std::string& text, const Variant& variant = {2, {}}) {
    return machine_of(parse_rules("test.rules", {text}), variant);
}
std::shared_ptr<const Machine> shipped(const std::string& name, const Variant& variant) {
    return machine_of(read_rules(rules_file(name)), variant);
}

// A shipped game with a fact that nothing reads.
std::shared_ptr<const Machine> with_idle_fact(const std::string& name, const Variant& variant) {
    const Rules rules = read_rules(rules_file(name));
    return machine_of(parse_rules("idle.rules", {"game idle_game changes " + name + "\nfact idle 0..1 = 0 lasts game seen by all\n",
                                                 std::string(rules.sources.front().text())}),
                      variant);
}

// Two players with three cards each; what they do stands in `play`.
std::string small(const std::string& play, const std::string& rest = "") {
    return "game small\nplayers 2 in a circle, clockwise\ncards card { suit {red, blue}   rank 1..3   1 of each }\n"
           "zone deck stack of card seen by nobody\nzone hand of player set of card seen by owner\nzone table row of card seen by all\n"
           "fact led of player 0..9 = 0 lasts game seen by all\n"
           "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\n"
           "play { " +
           play + " }\n" + rest + (rest.find("winner") == std::string::npos ? "\nwinner = players with most its led, then shared\n" : "\n");
}

DifferLimits quick(std::uint64_t games = 200, std::uint64_t states = 50'000) {
    DifferLimits limits;
    limits.games = games;
    limits.states = states;
    return limits;
}

// The games of a parting, played from their start: both must be where it says.
void check_witness(const Difference& d, const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second) {
    REQUIRE(d.parting.has_value());
    REQUIRE(d.parting->moves.size() == d.parting->other.size());
    for (const auto& [m, moves] : {std::pair(first, d.parting->moves), std::pair(second, d.parting->other)}) {
        const auto run = make_run(m);
        run->start();
        for (const std::uint64_t move : moves) {
            const Node& n = run->advance();
            REQUIRE(n.kind != NodeKind::over);
            REQUIRE(n.kind != NodeKind::failed);
            REQUIRE(move < n.moves);
            run->apply(move);
        }
    }
}

const std::string lay = "each p clockwise from P1 { p must choose c from p's hand   put c in table }";

}  // namespace

TEST_CASE("the same rules are alike without a look at any game", "[differ]") {
    const Difference d = compare(shipped("jiji", {3, {}}), shipped("jiji", {3, {}}), quick());
    CHECK(d.verdict == Verdict::proved_absent);
    CHECK(d.method == FoundBy::static_reading);
    CHECK(d.parts.of == 0);
    const Difference other = compare(shipped("jiji", {3, {}}), shipped("jiji", {3, {{"twins", "one"}}}), quick(10, 10));
    CHECK(other.method != FoundBy::static_reading);
}

TEST_CASE("a game with one fact more is like itself, and that is shown where all of it can be walked", "[differ]") {
    const Difference d = compare(shipped("kuhn", {2, {}}), with_idle_fact("kuhn", {2, {}}), quick());
    CHECK(d.verdict == Verdict::proved_absent);
    CHECK(d.method == FoundBy::exhaustive);
    CHECK(d.parts.games == 0);
    CHECK(d.parts.of == 200);
    CHECK(d.first.ends == d.second.ends);
    CHECK_FALSE(d.parting.has_value());
}

TEST_CASE("games that are told in other words are alike", "[differ]") {
    // Another order of declarations, other names of what is chosen, a zone and a fact more, and a rule of its own.
    const auto first = machine(small(lay));
    const auto second = machine(
        "game other\nplayers 2 in a circle, clockwise\nfact led of player 0..9 = 0 lasts game seen by all\nfact idle 0..3 = 0 lasts game "
        "seen by all\n"
        "zone table row of card seen by all\nzone spare set of card seen by all\nzone hand of player set of card seen by owner\nzone deck "
        "stack of card seen by nobody\n"
        "cards card { suit {red, blue}   rank 1..3   1 of each }\n"
        "setup { put all cards on deck, shuffled   deal 3 from deck to every hand }\n"
        "play { each q clockwise from P1: turn(q) }\nrule turn(player q) { q must choose one from q's hand   put one in table   idle "
        "becomes 1 }\n"
        "winner = players with most its led, then shared\n");
    const Difference d = compare(first, second, quick());
    CHECK(d.verdict == Verdict::proved_absent);
    CHECK(d.states > 100);
}

TEST_CASE("a parting is the shortest, and says what each of them allows", "[differ]") {
    const auto first = machine(small(lay));
    const auto second = machine(small("P1 must choose c from p1_cards   put c in table   P2 must choose d from P2's hand   put d in table",
                                      "define p1_cards = P1's hand where its rank > 1"));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.verdict == Verdict::found);
    CHECK(d.shortest);
    CHECK(d.method == FoundBy::simulated);  // at the first decision: nothing had to be walked
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->how == Parting::How::offered);
    CHECK(d.parting->decisions == 0);
    CHECK(d.parting->first.in(Language::en).starts_with("P1 must choose one of: "));
    CHECK(d.parting->second.in(Language::en).starts_with("P1 must choose "));
    CHECK(d.parting->first.in(Language::ja).starts_with("P1は次から選ばなければならない: "));
    CHECK(d.first_allows_more);
    CHECK_FALSE(d.second_allows_more);
    check_witness(d, first, second);
    // The other way round, too.
    const Difference back = compare(second, first, quick());
    CHECK(back.second_allows_more);
    CHECK_FALSE(back.first_allows_more);
    CHECK(back.parting->first.in(Language::en).starts_with("P1 must choose "));
}

TEST_CASE("must against may is a parting of what is asked", "[differ]") {
    const auto must = machine(small(lay));
    const auto may = machine(small("each p clockwise from P1 { p may choose c from p's hand { put c in table } }"));
    const Difference d = compare(must, may, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->how == Parting::How::asked);
    CHECK(d.parting->first.in(Language::en).starts_with("P1 must choose one of: "));
    CHECK(d.parting->second.in(Language::en).starts_with("P1 may choose one of: "));
    CHECK(d.parting->second.in(Language::ja).starts_with("P1は次から選んでもよい: "));
    CHECK(d.second_allows_more);
}

TEST_CASE("the table differs after the fewest decisions", "[differ]") {
    const auto first = machine(small(lay + " each p clockwise from P1 { p must choose c from p's hand   put c in table }"));
    const auto second = machine(
        small(lay + " P1's led becomes size of table   each p clockwise from P1 { p must choose c from p's hand   put c in table }"));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->how == Parting::How::table);
    CHECK(d.parting->decisions == 2);
    CHECK(d.parting->first.in(Language::en) == "P1's led: 0");
    CHECK(d.parting->second.in(Language::en) == "P1's led: 2");
    CHECK(d.parting->second.in(Language::ja) == "P1のled: 2");
    CHECK(d.shortest);
    CHECK(d.parts.games == d.parts.of);
    check_witness(d, first, second);
    CHECK(d.winner_changes.games == d.winner_changes.of);  // P1 alone in the second, both in the first
    CHECK(d.first.wins == std::vector<double>{0.5, 0.5});
    CHECK(d.second.wins == std::vector<double>{1, 0});
}

TEST_CASE("who wins is a parting when all else is alike", "[differ]") {
    const std::string play = lay + " if (last of table)'s rank is 3: P2's led becomes 1";
    const auto first = machine(small(play));
    const auto second = machine(small(play, "winner = players with least its led, then shared"));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->how == Parting::How::result);
    CHECK(d.parting->decisions == 2);
    CHECK(d.parting->first.in(Language::en) == "P2 wins");
    CHECK(d.parting->second.in(Language::en) == "P1 wins");
    CHECK(d.parting->second.in(Language::ja) == "P1の勝ち");
    CHECK(d.shortest);
    CHECK(d.parts.games > 0);
    CHECK(d.parts.games < d.parts.of);
}

TEST_CASE("what random games miss is found where all is walked", "[differ]") {
    const std::string play = "P1 must name a from 1..9   P2 must name b from 1..9   P1 must name c from 1..9   ";
    const auto first = machine(small(play + "P2's led becomes a"));
    const auto second =
        machine(small(play + "P2's led becomes (0 if odd(a, b, c), otherwise a)", "define odd(1..9 a, 1..9 b, 1..9 c) = a + b + c is 27"));
    DifferLimits limits = quick(20, 20);
    CHECK(compare(first, second, limits).verdict == Verdict::not_found);
    limits.states = 200'000;
    const Difference d = compare(first, second, limits);
    REQUIRE(d.parting.has_value());
    CHECK(d.parts.games == 0);
    CHECK(d.shortest);
    CHECK(d.parting->decisions == 3);
    CHECK(d.parting->first.in(Language::en) == "P2 wins");
    CHECK(d.parting->second.in(Language::en) == "P1, P2 share the win");
    check_witness(d, first, second);
}

TEST_CASE("games for other numbers of players are not compared", "[differ]") {
    CHECK(compare(shipped("kuhn", {2, {}}), shipped("kuhn", {3, {}}), quick()).verdict == Verdict::unknown);
}

TEST_CASE("one of them is over", "[differ]") {
    const auto first = machine(small(lay, "end early"));
    const auto second = machine(small(
        "P1 must choose c from P1's hand   put c in table   if c's rank is 1: end early   P2 must choose d from P2's hand   put d in table",
        "end early"));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->how == Parting::How::over);
    CHECK(d.parting->decisions == 1);
    CHECK(d.parting->first.in(Language::en).starts_with("P2 must choose one of: "));
    CHECK(d.parting->second.in(Language::en) == "the game is over by the end: early");
    check_witness(d, first, second);
}

TEST_CASE("a promise breaks in one of them, and in both says nothing", "[differ]") {
    const std::string broken = lay + " let lonely = the (table where its rank > 1)   P1's led becomes lonely's rank";
    const auto first = machine(small(lay + " P1's led becomes 0"));
    const auto second = machine(small(broken));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.second.broken > 0);
    CHECK(d.first.broken == 0);
    const auto third = machine(small(broken, "fact idle 0..1 = 0 lasts game seen by all"));
    const Difference same = compare(second, third, quick());
    CHECK(same.verdict == Verdict::proved_absent);
    CHECK(same.first.broken == d.second.broken);
}

TEST_CASE("a choice with one possibility that nobody is asked is compared with the other's choice", "[differ]") {
    const auto first = machine(small(lay));
    const auto second = machine(
        small("P1 must choose c from P1's hand with most its rank   put c in table   P2 must choose d from P2's hand   put d in table"));
    const Difference d = compare(first, second, quick());
    REQUIRE(d.parting.has_value());
    CHECK(d.parting->decisions == 0);
    CHECK(d.parting->first.in(Language::en).starts_with("P1 must choose one of: "));
    CHECK(d.parting->second.in(Language::en).starts_with("P1 must choose "));
    CHECK(d.first_allows_more);
    check_witness(d, first, second);
}

TEST_CASE("without end of the walk nothing is claimed to be proved or shortest", "[differ]") {
    const auto goofspiel = shipped("goofspiel", {2, {}});
    const auto other = with_idle_fact("goofspiel", {2, {}});
    const Difference d = compare(goofspiel, other, quick(50, 500));
    CHECK(d.verdict == Verdict::not_found);
    CHECK(d.states >= 500);
    Stop stop;
    stop.ask();
    DifferLimits stopped = quick();
    stopped.until = Deadline(Deadline::Clock::time_point::max(), &stop);
    const Difference time = compare(goofspiel, other, stopped);
    CHECK(time.verdict == Verdict::unknown);
    CHECK(time.out_of_time);
    DifferLimits little = quick();
    little.work = 2'000;
    const Difference work = compare(goofspiel, other, little);
    CHECK(work.verdict == Verdict::not_found);
    CHECK(work.out_of_time);
    CHECK(work.work >= little.work);
    CHECK(work.work < 2 * little.work);
    CHECK(compare(goofspiel, other, little).parts.of == work.parts.of);
}

TEST_CASE("known games are proved to be like themselves", "[differ]") {
    const auto proved = [](const std::string& name, const Variant& variant) {
        INFO(name);
        CHECK(compare(shipped(name, variant), with_idle_fact(name, variant), quick(20, 200'000)).verdict == Verdict::proved_absent);
    };
    proved("kuhn", {3, {}});
    proved("leduc", {2, {}});
    proved("goofspiel", {2, {{"cards", "4"}}});
}

TEST_CASE("the same seed gives the same comparison", "[differ]") {
    const auto first = shipped("jiji", {4, {}});
    const auto second = shipped("jiji", {4, {{"last_chance_duty", "offered"}}});
    const Difference a = compare(first, second, quick(100, 2'000));
    const Difference b = compare(first, second, quick(100, 2'000));
    CHECK(a.parts.games == b.parts.games);
    CHECK(a.winner_changes.games == b.winner_changes.games);
    REQUIRE(a.parting.has_value() == b.parting.has_value());
    if (a.parting) CHECK(a.parting->moves == b.parting->moves);
}

TEST_CASE("a loop that goes the other way round is another machine", "[differ]") {
    const Rules rules = parse_rules("race", {R"(game race
players 2 in a circle, clockwise
fact leader player or none = none lasts game seen by all
setup { nothing }
play { each p { if leader is none: leader becomes p } }
winner = players where it is leader, then shared
)"});
    const auto machine = machine_of(rules, {2, {}});
    const auto loops = loops_in_no_order(*machine);
    REQUIRE(loops.size() == 1);
    const Difference d = compare(machine, with_loop_reversed(*machine, loops[0].loop), {});
    CHECK(d.verdict == Verdict::found);
}

TEST_CASE("who acts at the same moment as others acts in no order", "[differ]") {
    const char* const grabbing = R"(game grabbing
players 2..3 in a circle, clockwise
cards tile           { rank 1..3   1 of each }
zone bag             stack of tile  seen by nobody
zone line            row of tile    seen by all
zone won  of player  set of tile    seen by all
fact grabber         player or nobody = nobody   lasts game   seen by all
fact tried of player yes/no = no                 lasts game   seen by all
setup { put all cards on bag, shuffled }
play { draw c from bag to line   offer grab   if grabber is not nobody: put line in (the {grabber})'s won }
act grab(player p) when offered unless grabber is not nobody, when simulated 90 in 100 { %s }
winner = players with most size of its won, then shared
)";
    const auto grabs = [&](const std::string& body) {
        std::string text = grabbing;
        return machine_of(parse_rules("grabbing", {text.replace(text.find("%s"), 2, body)}), {2, {}});
    };
    const auto who = grabs("grabber becomes p");
    const auto loops = loops_in_no_order(*who);
    REQUIRE(loops.size() == 1);
    CHECK(loops[0].at_once);
    // Where it would matter who comes first, a promise is broken.
    const auto run = make_run(who);
    Random random(1);
    int broken = 0;
    for (int game = 0; game < 20; ++game) {
        run->start();
        broken += !play_through(*run, random) && run->failure().kind == FailureKind::several_values ? 1 : 0;
    }
    CHECK(broken > 5);
    const auto each = grabs("p's tried becomes yes");
    const auto own = loops_in_no_order(*each);
    REQUIRE(own.size() == 1);
    CHECK(compare(each, with_loop_reversed(*each, own[0].loop), {}).verdict != Verdict::found);
}

TEST_CASE("where anybody may act at any time is no place that a difference is about", "[differ]") {
    const auto first = machine(small("each p clockwise from P1 { p must choose c from p's hand: put c in table }",
                                     "act shout(player p) at any time unless p's led is 1, when simulated 5 in 100 { p's led becomes 1 }"));
    const Game& game = first->game;
    REQUIRE(game.acts.size() == 1);
    const Act& act = *game.acts.begin();
    const Span body = game.statements[act.body].span;
    const Span play = game.statements[game.play].span;
    REQUIRE(body != act.span);
    Difference d;
    d.verdict = Verdict::found;
    d.parting.emplace();
    d.parting->how = Parting::How::asked;
    d.parting->spans = {body, play, act.span};
    Finding f;
    f.verdict = Verdict::proved_absent;
    add_difference(f, d, 2, *first, {}, {});
    CHECK(f.spans == std::vector<Span>{play});
}

TEST_CASE("a comparison ends where its work is done, and what is judged for a choice is work", "[differ]") {
    const std::string dear =
        "define dear(1..60 a) = no b in 1..60 where some c in 1..60 where a + b + c + size of table is 400 + size of deck\n";
    const std::string play = "each p clockwise from P1 { p must choose c from p's hand where dear(its rank): put c in table }";
    const auto first = machine(small(play, dear));
    const auto second = machine(small(play, dear + "winner = players with least its led, then shared\n"));
    // A choice among three cards looks at 3,600 pairs for each of the three ranks, in each of both.
    constexpr std::uint64_t one_node = 2 * (3 * 3'600 / rounds_a_node + 20);
    const auto with = [&](std::uint64_t work) {
        DifferLimits limits = quick(5, 200);
        limits.work = work;
        return compare(first, second, limits);
    };
    const Difference whole = with(no_work_limit);
    CHECK_FALSE(whole.out_of_work);
    CHECK(whole.verdict == Verdict::not_found);
    CHECK(whole.work > 5 * one_node);
    std::uint64_t enough = whole.work + 1;
    std::uint64_t too_little = 0;
    while (enough - too_little > 1) {
        const std::uint64_t work = too_little + (enough - too_little) / 2;
        (with(work).out_of_work ? too_little : enough) = work;
    }
    CHECK(too_little > 0);
    CHECK(whole.work - too_little <= one_node);  // what is done after the last look
    const Difference cut = with(too_little);
    CHECK(cut.out_of_work);
    CHECK(cut.work >= too_little);
    for (const std::uint64_t work : {std::uint64_t{1}, one_node, 3 * one_node, whole.work / 2}) {
        CAPTURE(work);
        const Difference part = with(work);
        CHECK(part.out_of_work);
        CHECK(part.work >= work);
        CHECK(part.work <= work + one_node);
    }
    CHECK(with(1).verdict == Verdict::unknown);
}
