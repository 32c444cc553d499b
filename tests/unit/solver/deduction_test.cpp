// Deduction against the oracle that tries everything, and against the truth.
#include "solver/deduce/deduction.hpp"
#include "interpreter/log/view.hpp"
#include "tests/naive/deduce.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

MachinePtr tiny(const std::string& name, int players) {
    const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive" / (name + ".rules"));
    return machine_of(rules, {players, {}});
}

DeductionLimits uniform_play() {
    DeductionLimits limits;
    limits.paths.uniform_play = true;
    return limits;
}

// How often each was compared.
struct Compared {
    int evenly = 0;
    int moves_not_known = 0;
    int measures_differ = 0;
    int deals_depend = 0;  // on hidden moves
};

// All that the two say about one view.
void compare(const MachinePtr& machine, const View& view, std::uint64_t limit, Compared& compared) {
    const auto oracle_run = make_run(machine);
    const Deduced oracle = deduce(*oracle_run, view, Cut::last_seen, limit);
    if (!oracle.complete) return;
    Deduction deduction(machine, view.seat);
    const Fit fit = deduction.see(view.events);
    INFO(deduction.problem());
    REQUIRE(fit == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    for (const Limit& l : known.limits) UNSCOPED_INFO(text(l));
    REQUIRE(known.method == Method::exact);
    CHECK(known.weight == oracle.all.weight);
    CHECK(known.histories == oracle.all.histories);
    Deduction uniform(machine, view.seat, uniform_play());
    const Fit played_evenly = uniform.see(view.events);
    const Knowledge& evenly = uniform.knowledge();
    if (played_evenly == Fit::unknown) {
        CHECK(uniform.limit() == Limit{LimitKind::number_not_known});
        ++compared.moves_not_known;
    } else {
        for (const Limit& l : evenly.limits) UNSCOPED_INFO(text(l));
        REQUIRE(evenly.method == Method::exact);
        CHECK(evenly.weight == oracle.all.uniform);
        CHECK(evenly.histories == oracle.all.histories);
        REQUIRE(evenly.things.size() == known.things.size());
        ++compared.evenly;
    }
    // Not where a hidden card that is moved decides from how many others one falls.
    const bool by_deals = deduction.weigh_deals();
    if (by_deals) {
        CHECK(known.deals == all_deals(oracle));
        if (*known.deals != known.weight) ++compared.measures_differ;
    } else {
        REQUIRE(known.limits.size() == 1);
        CHECK(known.limits.front().why == LimitKind::deals_depend);
        ++compared.deals_depend;
    }
    for (std::size_t t = 0; t < known.things.size(); ++t) {
        const HiddenThing& thing = known.things[t];
        if (thing.is_fact) continue;
        for (std::size_t v = 0; v < thing.values.size(); ++v) {
            const Possibility& p = thing.values[v];
            INFO(place_name(machine->game, thing.place) << ": " << kind_text(machine->game, p.value));
            if (by_deals) CHECK(p.deals == deals_with(oracle, thing.place, p.value));
            std::uint64_t worlds = 0;
            for (const auto& [copies, share] : copies_at(oracle, thing.place, p.value)) {
                REQUIRE(copies < p.weights.size());
                CHECK(p.weights[copies] == share.sum.weight);
                if (played_evenly == Fit::fits) CHECK(evenly.things[t].values[v].weights[copies] == share.sum.uniform);
                if (copies > 0) worlds += share.worlds;
            }
            if (known.worlds) CHECK(p.worlds == Integer(worlds));
            CHECK((p.is_decided() && deduction.possible(thing.place, p.value) == p.possible));
        }
    }
    if (known.worlds) CHECK(*known.worlds == oracle.worlds.size());
    Random random(1);
    const auto run = make_run(machine);
    for (int i = 0; i < 3; ++i) {
        const auto history = deduction.sample(random);
        REQUIRE(history);
        Events events;
        std::string problem;
        INFO(problem);
        REQUIRE(play_history(*run, *history, events, problem));
        const View same = view_of(*machine, view.head, events, view.seat);
        CHECK(same.events.size() == view.events.size());
        CHECK(view_text(*machine, view.head, events, view.seat) == view_text(*machine, view.head, view.events, view.seat));
    }
}

}  // namespace

TEST_CASE("deduction: counts, shares and worlds are those of trying everything", "[deduction]") {
    struct Game {
        const char* name;
        int players;
        bool is_tiny;
        std::uint64_t answers;
    };
    const std::vector<Game> games{
        {"kuhn", 2, false, 6},       {"kuhn", 3, false, 8},        {"leduc", 2, false, 10},      {"tiny_cogito", 2, true, 14},
        {"tiny_jiji", 3, true, 24},  {"tiny_may", 2, true, 8},     {"tiny_heap", 2, true, 12},   {"tiny_melds", 2, true, 8},
        {"tiny_lots", 2, true, 8},   {"tiny_nowhere", 2, true, 6}, {"tiny_orders", 2, true, 12}, {"tiny_bluff", 2, true, 8},
        {"tiny_bluff", 3, true, 10}, {"tiny_bids", 2, true, 16},   {"tiny_trade", 2, true, 16},  {"tiny_spots", 2, true, 14},
        {"tiny_twice", 2, true, 16}, {"tiny_rows", 2, true, 8},    {"tiny_back", 2, true, 12},   {"tiny_whose", 2, true, 12},
        {"tiny_ends", 2, true, 8},   {"tiny_picks", 2, true, 10}};
    const std::uint64_t seed = Catch::rngSeed();
    Compared compared;
    for (const Game& g : games) {
        const MachinePtr machine = g.is_tiny ? tiny(g.name, g.players) : machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        const auto run = make_run(machine);
        for (std::uint64_t i = 0; i < 12; ++i) {
            const std::uint64_t answers = 1 + (seed + i * 7) % g.answers;
            const Events events = played_at_random(*run, seed + i, answers);
            for (int seat = 0; seat < g.players; ++seat) {
                INFO(g.name << ", " << g.players << " players, seed " << seed + i << ", " << answers << " answers, P" << seat + 1);
                const View view = view_of(*machine, head_of(*machine, std::nullopt), events, seat);
                INFO(view_text(*machine, view.head, events, seat));
                compare(machine, view, 300'000, compared);
            }
        }
    }
    CHECK(compared.evenly > compared.moves_not_known);
    CHECK(compared.evenly > compared.deals_depend);
    CHECK(compared.measures_differ > 0);
}

namespace {

struct Played {
    std::string cards;
    std::string play;
    bool is_even;  // whether it is always known how many moves there were
};

// Cases that hold at once: a game in which they differ is broken off, and no history of others.
std::vector<Played> games_of_cases() {
    const std::string copies = "cards card { rank 1..3   2 of each }\n";
    return {
        {copies,
         "P2 must choose c from P2's hand   cases { c's rank < 3: put c in kept   c's rank > 1: nothing }   P1 must name n from 0..1",
         true},
        {copies,
         "P2 must choose c from P2's hand   cases { c's rank < 3: { put c in kept   nothing }   c's rank > 1: put c in kept }   P1 must "
         "name n from 0..1",
         true},
        {copies,
         "cases { P1's hand is not empty: put P2's hand where its rank is 1 in kept   P2's hand is not empty: put P2's hand where its "
         "rank < 3 in kept }   P1 must name n from 0..1",
         true},
        {copies,
         "cases { P2's hand is not empty: { each k in P2's hand where k's rank is 2 { put k in kept } }   size of (P2's hand where its "
         "rank "
         "is 3) > 0: put P2's hand where its rank is 2 in kept }   P1 must name n from 0..1",
         true},
        {copies,
         "cases { size of (P2's hand where its rank is 1) > 0: P2 says low   size of (P2's hand where its rank is 3) > 0: P2 says high   "
         "otherwise: nothing }   P1 must name n from 0..1",
         true},
    };
}

// Who acts, and what chance picks from, may be hidden itself: for all that it may be, another path.
std::vector<Played> games_of_somebody() {
    const std::string copies = "cards card { rank 1..3   2 of each }\n";
    const std::string marks = copies + "fact mark of player 0..1 = 0   lasts game   seen by nobody\n";
    const std::string twos = copies + "define twos(player p) = size of (p's hand where its rank is 2)\n";
    const std::string who = "chance picks w from players for P2   ";
    const std::string told = "   if x is 2: P2 says two   P1 must name n from 0..1";
    const std::string ask = "   P1 must name n from 0..1";
    return {
        {copies, who + "w must choose m from 1..2   if m is 1: P2 says low" + ask, true},
        {copies, who + "w may choose m from 1..2: P2 says low   otherwise: nothing" + ask, true},
        {copies, who + "w must choose m from 1..2   w's left must choose k from 1..2   if k is m: P2 says high" + ask, true},
        {copies, who + "w may dare { P2 says dared }" + ask, true},
        {copies, who + "chance picks x from 1..3 for w" + told, true},
        {marks, who + "w's mark becomes 1   if P1's mark is 1: P2 says mine" + ask, true},
        {marks, who + "w's left's mark becomes 1   if w's mark is 0 and P1's mark is 1: P2 says mine" + ask, true},
        {copies, who + "each p clockwise from w { p must choose c from p's hand   put c in kept }" + ask, true},
        {twos, "chance picks x from {1, 2, 3} where it < 2 or twos(P2) > 0" + told, true},
        {twos, "chance picks x from {1, 2, 3} where it < 2 or twos(P2) > 0 for P2" + told, true},
        {twos, "chance picks x from {1, 2} { 1: 1, 2: 1 + twos(P2) }" + told, true},
        {twos, "chance picks x from {1, 2} for nobody { 1: 3, 2: 1 + twos(P2) }" + told, true},
        {twos, "chance picks x from {1, 2, 3} where it < 3 or twos(P2) > 1 for P2 { 1: 1, 2: 2, 3: 5 }" + told, true},
        {copies, "chance picks x from P2's hand where its rank < 3   put x in kept" + ask, true},
        {copies, "P2 must choose m from 0..80   if m > 50: P2 says low   if m is 64: P2 says middle" + ask, true},
        {copies, "chance picks m from 0..80 for P2   if m > 50: P2 says low   if m is 64: P2 says middle" + ask, true},
    };
}

// A promise about cards that are hidden: where it breaks the game is broken off, whatever would have come of the condition or the choice.
std::vector<Played> games_of_promises() {
    const std::string copies = "cards card { rank 1..3   2 of each }\n";
    const std::string highest = "(the (P2's hand with most its rank))'s rank";
    const std::string ask = "   P1 must name n from 0..1";
    return {
        {copies, "if " + highest + " is 2 { P2 says two } otherwise { P2 says other }" + ask, true},
        {copies, "P2 may choose c from P2's hand where its rank < " + highest + ": put c in kept   otherwise: nothing" + ask, true},
        {copies, "P2 must choose c from P2's hand where its rank < " + highest + ": put c in kept   if none: nothing" + ask, true},
        {copies, "P2 must choose 1 from P2's hand where its rank < " + highest + " as x: put x in kept   if none: nothing" + ask, false},
        {copies, "P2 may choose m from 2.." + highest + ": P2 says low   otherwise: nothing" + ask, true},
        {copies, "chance picks x from {1, 2} where 0 * " + highest + " is 0 for P2" + ask, true},
        {copies, "chance picks x from {1, 2} where 0 * " + highest + " is 0" + ask, true},
        {copies, "table tells x from 1..smaller(2, " + highest + " + 1), when simulated any" + ask, true},
        {copies, "(the {P2} where 0 * " + highest + " is 0) may grumble { P2 says bad_luck }" + ask, true},
        // What follows by itself is noticed, or it was not so.
        {copies + "zone seen set of card seen by all\n",
         "draw d from deck to seen   if some c in P2's hand where c's rank is 2 { P2 may grumble { P2 says bad_luck } }   draw x blindly "
         "from "
         "seen to kept" +
             ask,
         true},
        {copies + "zone spot at 1..2 set of card seen by nobody\n", "draw x from deck to spot at (1 + 0 * " + highest + ")" + ask, true},
    };
}

// What is told does not say which of two decisions of one name it was; and where several set the same fact otherwise than others at one
// moment, the game is broken off.
std::vector<Played> games_of_one_moment() {
    const std::string copies = "cards card { rank 1..3   2 of each }\n";
    const std::string mark = "fact mark 0..2 = 0   lasts game   seen by nobody\n";
    const std::string marks = "fact mark of player 0..2 = 0   lasts game   seen by nobody\n";
    const std::string has_one = "size of (P2's hand where its rank is 1) > 0";
    const std::string ask = "   P1 must name n from 0..1";
    return {
        {copies, "if " + has_one + " { P2 must name m from 1..2 } otherwise { P2 must name m from 1..2 }" + ask, true},
        {copies, "if " + has_one + " { P2 must name m from 1..2 } otherwise { P2 must name m from 2..3 }" + ask, true},
        {copies, "if " + has_one + " { chance picks m from 1..2 } otherwise { chance picks m from 2..4 }" + ask, true},
        {copies, "if " + has_one + " { P1 must choose m from 1..2 } otherwise { P1 must choose m from 1..3 }" + ask, true},
        {copies + mark, "simultaneously each p { p must choose m from 0..1   mark becomes m }" + ask, true},
        {copies + mark,
         "simultaneously each p { p must choose c from p's hand   if c's rank > 1: mark becomes c's rank - 1 }   if mark is 2: P2 says "
         "two" +
             ask,
         true},
        {copies + marks, "simultaneously each p { p must choose q from players   q's mark becomes (1 if p is P1, otherwise 2) }" + ask,
         true},
    };
}

}  // namespace

// Nobody was asked who had nothing to choose from; a hidden row of cards in an unknown order is more than one world.
TEST_CASE("deduction: positions that were once counted otherwise than by trying everything", "[deduction]") {
    struct Position {
        const char* name;
        std::uint64_t seed;
        std::uint64_t answers;
    };
    Compared compared;
    for (const Position& p : {Position{"tiny_melds", 19, 6}, Position{"tiny_melds", 13, 6}, Position{"tiny_heap", 24, 7}}) {
        const MachinePtr machine = tiny(p.name, 2);
        const Events events = played_at_random(*make_run(machine), p.seed, p.answers);
        for (int seat = 0; seat < 2; ++seat) {
            INFO(p.name << ", seed " << p.seed << ", P" << seat + 1);
            compare(machine, view_of(*machine, head_of(*machine, std::nullopt), events, seat), 300'000, compared);
        }
    }
    CHECK(compared.evenly > 0);
}

TEST_CASE("deduction: hidden bids that are compared, and cards laid from mixed hands, are counted", "[deduction]") {
    struct Game {
        const char* name;
        std::uint64_t answers;
    };
    for (const Game& g : {Game{"goofspiel", 24}, Game{"cheat", 60}}) {
        const MachinePtr machine = machine_of(read_rules(rules_file(g.name)), {3, {}});
        const auto run = make_run(machine);
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            INFO(g.name << ", seed " << seed);
            const Events events = played_at_random(*run, seed, g.answers);
            DeductionLimits limits;
            limits.time = std::chrono::milliseconds::max();
            Deduction deduction(machine, 0, limits);
            REQUIRE(deduction.see(view_of(*machine, head_of(*machine, std::nullopt), events, 0).events) == Fit::fits);
            CHECK(deduction.knowledge().method == Method::exact);
        }
    }
}

// Every kind of decision and of chance, each in a game of its own.
TEST_CASE("deduction: of each decision the measures are those of trying everything", "[deduction]") {
    const std::string copies = "cards card { rank 1..3   2 of each }\n";
    const std::string apart = "cards card { rank 1..6   1 of each }\n";
    std::vector<Played> games{
        {copies,
         "P2 must choose c from P2's hand: put c in kept   P2 must choose d from P2's hand: put d in kept   P1 must name n from 0..1",
         true},
        {copies,
         "P2 must choose c from P2's hand where its rank > 1: put c in kept   if none: P2 says nothing_there   P1 must name n from 0..1",
         true},
        {copies, "P2 may choose c from P2's hand where its rank > 1: put c in kept   otherwise: nothing   P1 must name n from 0..1", true},
        {copies,
         "each p clockwise from P1 where size of (groups of 2 from p's hand) > 0 { p may reveal { show p's hand to all } }   P2 must "
         "choose c from P2's hand: put c in kept   P1 must name n from 0..1",
         true},
        {copies,
         "if size of (P2's hand where its rank is 1) > 0 { if size of (P2's hand where its rank is 2) > 0 { P2 may grumble { P2 says "
         "bad_luck } } }   P2 must choose c from P2's hand: put c in kept   P1 must name n from 0..1",
         true},
        {copies,
         "P2 may swap { draw c blindly from P1's hand to P2's hand   draw d blindly from P2's hand to P1's hand }   P1 must name n from "
         "0..1",
         true},
        {apart, "P2 must choose 2 from P2's hand as taken: put taken in kept   P1 must name n from 0..1", true},
        {copies, "P2 must choose 2 from P2's hand as taken: put taken in kept   P1 must name n from 0..1", false},
        {copies, "simultaneously each p { p must choose c from p's hand   put c in p's left's hand }   P1 must name n from 0..1", true},
        {copies,
         "P2 must choose n from 1..size of (P2's hand where its rank is 1) + 1   chance picks x from Fate { a: 1, b: 2 }   if x is a: P2 "
         "says lucky   P1 must name m from 0..1",
         true},
        {copies, "P2 must choose c from P2's hand   P2 must choose d from P2's hand   put c + d in kept   P1 must name n from 0..1", true},
        {apart,
         "P2 must choose c from P2's hand: { put c on deck, shuffled   shuffle deck   deal 1 from deck to P2's hand }   P1 must name n "
         "from 0..1",
         true},
    };
    for (const Played& g : games_of_cases()) games.push_back(g);
    for (const Played& g : games_of_somebody()) games.push_back(g);
    for (const Played& g : games_of_promises()) games.push_back(g);
    for (const Played& g : games_of_one_moment()) games.push_back(g);
    const std::uint64_t seed = Catch::rngSeed();
    for (const Played& g : games) {
        const MachinePtr machine = machine_of(
            parse_rules("two.rules", {"game two\nplayers 2 in a circle, clockwise\nenum Fate { a, b }\nzone deck stack of card seen by "
                                      "nobody\nzone kept set of card seen by nobody\n"
                                      "zone hand of player set of card seen by owner\n" +
                                      g.cards + "setup { put all cards on deck, shuffled   deal 2 from deck to every hand }\nplay { " +
                                      g.play + " }\nwinner = players with most size of its hand, then shared\n"}),
            {2, {}});
        Compared compared;
        const auto run = make_run(machine);
        for (std::uint64_t i = 0; i < 6; ++i) {
            const Events events = played_at_random(*run, seed + i, 4 + 2 * i);
            if (run->node().kind == NodeKind::failed) continue;
            for (int seat = 0; seat < 2; ++seat) {
                INFO(g.play << ", seed " << seed + i << ", P" << seat + 1);
                const View view = view_of(*machine, head_of(*machine, std::nullopt), events, seat);
                INFO(view_text(*machine, view.head, events, seat));
                compare(machine, view, 300'000, compared);
            }
        }
        CHECK(compared.evenly > 0);
        CHECK((compared.moves_not_known == 0 || !g.is_even));
    }
}

namespace {

// Whether the claim that the kind lies at the place is excluded on all paths by what came of these events, as `WhyNot` tells it: in fresh
// sessions, with conditions as they are, and a set of events instead of literals.
bool excluded_by(const Machine& machine, Coexecution& c, PlaceId place, KindId kind, const std::set<std::size_t>& events) {
    const auto is_own = [&](const Condition& condition) {
        if (condition.event >= c.noticed()) return false;
        const Event& e = c.noticed(condition.event);
        const Step& s = machine.code[condition.step];
        return e.seat == c.seat() && ((e.kind == EventKind::choice && s.op == Op::choose && told_name(machine, s) == e.name) ||
                                      (e.kind == EventKind::answer && s.op == Op::ask));
    };
    return std::all_of(c.paths().begin(), c.paths().end(), [&](UnknownTable path) {
        for (PlaceId p = 1; p < c.game().places; ++p)
            if (!c.sees(p)) c.dealer().settle(path, p);
        std::erase_if(path.conditions, [&](const Condition& condition) {
            return condition.step != no_id && !is_own(condition) && !events.contains(condition.event);
        });
        Z3Session session(c.terms());
        c.require(session, path);
        return session.possible(arithmetic::positive(c.terms(), path.state.piles[place].counts[kind])) == Answer::no;
    });
}

}  // namespace

TEST_CASE("deduction: reasons exclude by themselves, and each of them is needed", "[deduction]") {
    int compared = 0;
    for (const auto& [name, players, answers] : {std::tuple{"cogito", 3, 24}, std::tuple{"cogito", 4, 30}, std::tuple{"kuhn", 3, 5}}) {
        const MachinePtr machine = machine_of(read_rules(rules_file(name)), {players, {}});
        const auto run = make_run(machine);
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const int seat = static_cast<int>(seed % static_cast<std::uint64_t>(players));
            const View view =
                view_of(*machine, head_of(*machine, std::nullopt), played_at_random(*run, seed, static_cast<std::uint64_t>(answers)), seat);
            Deduction deduction(machine, seat);
            REQUIRE(deduction.see(view.events) == Fit::fits);
            z3::context context;
            Coexecution c(context, machine, seat);
            REQUIRE((c.follow(view.events) && c.go_on_to_node()));
            c.prune();
            for (const HiddenThing& thing : deduction.possibilities().things) {
                if (thing.is_fact || thing.size != 1) continue;
                for (const Possibility& p : thing.values) {
                    if (p.possible != Answer::no) continue;
                    const KindId kind(p.value);
                    const WhyNot why = deduction.why_not(thing.place, kind);
                    INFO(name << ", seed " << seed << ": " << place_name(machine->game, thing.place) << ", "
                              << kind_text(machine->game, kind));
                    REQUIRE(why.answer == Answer::no);
                    REQUIRE((why.found && why.irreducible));
                    std::set<std::size_t> events;
                    for (const Reason& r : why.reasons) events.insert(r.event);
                    CHECK(excluded_by(*machine, c, thing.place, kind, events));
                    for (const std::size_t e : events) {
                        std::set<std::size_t> without = events;
                        without.erase(e);
                        CHECK_FALSE(excluded_by(*machine, c, thing.place, kind, without));
                    }
                    ++compared;
                }
            }
        }
    }
    CHECK(compared > 50);
}

// ---------------------------------------------------------------- the truth, in every game

namespace {

struct Tally {
    int exact = 0;
    int sampled = 0;
    int possible_only = 0;
    int unknown = 0;
    double worst = 0;  // seconds
    std::map<std::string, int> why;

    int all() const { return exact + sampled + possible_only + unknown; }
};

// What a seat can conclude at some moment of a random game, against what is so.
void check_truth(const MachinePtr& machine, const Run& truth, const Events& events, int seat, const DeductionLimits& limits, Random& random,
                 Tally& tally) {
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, seat);
    INFO(view_text(*machine, view.head, events, seat));
    const auto begun = std::chrono::steady_clock::now();
    Deduction deduction(machine, seat, limits);
    const Fit fit = deduction.see(view.events);
    const std::string misfit = fit == Fit::impossible && deduction.blocked() < deduction.noticed()
                                   ? event_line(*machine, deduction.noticed(deduction.blocked()), seat)
                                   : "";
    INFO("does not fit: " << misfit);
    REQUIRE(fit != Fit::impossible);
    if (fit == Fit::unknown) {
        CHECK(!deduction.problem().empty());
        ++tally.unknown;
        ++tally.why[deduction.problem()];
        return;
    }
    const Knowledge& known = deduction.knowledge();
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) {
            for (const Possibility& p : thing.values)
                if (p.value == truth.fact(thing.fact, thing.index)) CHECK(p.possible != Answer::no);
            continue;
        }
        const std::vector<KindId> kinds = truth.kinds_at(thing.place);
        for (const Possibility& p : thing.values) {
            const auto copies = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), p.value));
            INFO(place_name(machine->game, thing.place) << ": " << copies << " of " << kind_text(machine->game, p.value));
            if (copies > 0) CHECK(p.possible != Answer::no);
            if (copies == 0) CHECK(p.certain != Answer::yes);
            if (known.method == Method::exact) {
                REQUIRE(copies < p.weights.size());
                CHECK(p.weights[copies] > 0);
            }
        }
    }
    ++(known.method == Method::exact ? tally.exact : known.method == Method::sampled ? tally.sampled : tally.possible_only);
    if (known.method != Method::exact)
        for (const Limit& limit : known.limits) ++tally.why[text(limit)];
    if (known.method != Method::possible_only) {
        const auto run = make_run(machine);
        for (int i = 0; i < 2; ++i) {
            const auto history = deduction.sample(random);
            REQUIRE(history);
            Events same;
            std::string problem;
            const bool played_out = play_history(*run, *history, same, problem);
            INFO(problem);
            REQUIRE(played_out);
            // The history may end before the last forced steps of the real game, or just behind them.
            const std::string there = view_text(*machine, view.head, same, seat);
            const std::string here = view_text(*machine, view.head, events, seat);
            CHECK((there.starts_with(here) || here.starts_with(there)));
        }
    }
    if (known.method == Method::exact) {
        // The other engine agrees on some of it.
        for (const HiddenThing& thing : known.things) {
            if (thing.is_fact || thing.values.empty()) continue;
            const Possibility& p = thing.values[random.below(thing.values.size())];
            const Answer answer = deduction.possible(thing.place, p.value);
            INFO(place_name(machine->game, thing.place) << ": " << kind_text(machine->game, p.value));
            if (answer != Answer::unknown && p.is_decided()) CHECK(answer == p.possible);
        }
    }
    tally.worst = std::max(tally.worst, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

// `positions` at random in each of `games` random games; no further game once so much time has gone.
Tally check_truths(const MachinePtr& machine, std::uint64_t seed, int games, int positions, const DeductionLimits& limits,
                   std::chrono::seconds enough) {
    const auto until = std::chrono::steady_clock::now() + enough;
    Tally tally;
    const auto run = make_run(machine);
    for (int g = 0; g < games && (g == 0 || std::chrono::steady_clock::now() < until); ++g) {
        std::uint64_t answers = 0;
        Random random(seed + static_cast<std::uint64_t>(g));
        run->record(nullptr);
        run->start();
        for (;; ++answers) {
            const Node& node = run->advance();
            if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
            run->apply(random_move(*run, random));
        }
        Random pick(seed * 31 + static_cast<std::uint64_t>(g));
        for (int p = 0; p < positions; ++p) {
            const std::uint64_t stop = pick.below(answers + 1);
            const int seat = static_cast<int>(pick.below(static_cast<std::uint64_t>(machine->game.players)));
            const Events events = played_at_random(*run, seed + static_cast<std::uint64_t>(g), stop);
            INFO("game " << g << " of seed " << seed << ", " << stop << " answers, P" << seat + 1);
            check_truth(machine, *run, events, seat, limits, pick, tally);
        }
    }
    return tally;
}

void check_every_game(const std::vector<std::filesystem::path>& files, std::uint64_t seed, int games, int positions,
                      const DeductionLimits& limits, std::chrono::seconds enough, bool report) {
    int all = 0;
    int exact = 0;
    for (const auto& file : files) {
        const Rules rules = read_rules(file);
        const PlayerRange range = player_range(rules.syntax);
        for (int players = range.low; players <= range.high; ++players) {
            INFO(rules.name << ", " << players << " players");
            const Tally tally = check_truths(machine_of(rules, {players, {}}), seed, games, positions, limits, enough);
            all += tally.all();
            exact += tally.exact;
            if (!report) continue;
            fmt::print("{:<24} {} players: {:>4} exact, {:>4} sampled, {:>4} possible only, {:>4} unknown, worst {:.2f} s\n", rules.name,
                       players, tally.exact, tally.sampled, tally.possible_only, tally.unknown, tally.worst);
            for (const auto& [why, n] : tally.why) fmt::print("    {} x {}\n", n, why);
            std::fflush(stdout);
        }
    }
    INFO(exact << " of " << all << " are exact");
    CHECK((exact * 2 > all || limits.time < std::chrono::milliseconds(300)));
}

// Rules that others wrote, and tiny ones.
std::vector<std::filesystem::path> files_of_others() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"tests/strangers", "tests/naive"})
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HOUSERULE_ROOT) / folder))
            if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("deduction: the truth fits what was seen, and what is drawn replays to it, in every game", "[deduction]") {
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds(300);
    limits.states = 50'000;
    check_every_game(rules_files(), Catch::rngSeed(), 1, 3, limits, std::chrono::seconds(60), false);
}

TEST_CASE("deduction: what is said is true in games that others wrote, however little time there is", "[.long][deduction][truth]") {
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds(50);
    check_every_game(files_of_others(), 1, 1, 1, limits, std::chrono::seconds(60), false);
}

TEST_CASE("deduction: what is said is true in games that others wrote, with more time, with a report", "[.long][deduction]") {
    for (const int ms : {500, 5000}) {
        DeductionLimits limits;
        limits.time = std::chrono::milliseconds(ms);
        check_every_game(files_of_others(), Catch::rngSeed(), 2, 3, limits, std::chrono::seconds(60), true);
    }
}

TEST_CASE("deduction: the truth fits, at the default limits, with a report", "[.long][deduction]") {
    // Half a minute for each file and number of players: half an hour, if none were easy.
    check_every_game(rules_files(), Catch::rngSeed(), 10, 4, {}, std::chrono::seconds(30), true);
}

namespace {

std::string game_for(int players, const std::string& play, const std::string& more = "") {
    return fmt::format(
        "game g\nplayers {} in a circle, clockwise\ncards card {{ rank 1..6 1 of each }}\nzone deck stack of card seen by nobody\n"
        "zone hand of player set of card seen by owner\nzone pile row of card seen by all\n"
        "setup {{ put all cards on deck, shuffled   deal 2 from deck to every hand }}\nwinner = players where it is P1, then shared\n"
        "play {{ {}   P1 says hi   P1 must choose kept from P1's hand   P1 says hi }}\n{}",
        players, play, more);
}

// As often as in a run of the tests, and how many answers were exact.
int exact_in(const Rules& rules, int players) {
    DeductionLimits limits;
    limits.time = std::chrono::seconds(5);
    const Tally tally = check_truths(machine_of(rules, {players, {}}), 1, 3, 2, limits, std::chrono::seconds(600));
    CHECK(tally.unknown == 0);
    return tally.exact;
}
int exact_in(const std::string& text, int players) { return exact_in(parse_rules("rules", {text}), players); }

}  // namespace

TEST_CASE("deduction: no cards are chosen, put or shown, and nobody is told", "[deduction][truth]") {
    const std::string choice = "P2 must choose larger(0, size of P2's hand - 2) from P2's hand as x   ";
    CHECK(exact_in(game_for(2, choice + "put x in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, choice + "show x to all"), 2) > 0);
    CHECK(exact_in(game_for(2, "P2 must choose 0 from P2's hand as x   put x in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, "P2 must choose 0..2 from P2's hand as x   put x in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, "put any 0 of P2's hand in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, "if size of (any 0 of P1's hand) is 0: P2 says hello"), 2) > 0);
}

TEST_CASE("deduction: who says something may follow from what is hidden", "[deduction][truth]") {
    const std::string facts = "fact doubts of player yes/no = no lasts game seen by nobody\n";
    const std::string ask =
        "simultaneously each q in players but P1 { q must choose challenge from yes/no   q's doubts becomes challenge }   "
        "let doubters = players where its doubts   if doubters is not empty: settle(next after P1 in doubters)";
    CHECK(exact_in(game_for(3, ask, facts + "rule settle(player q) { q says challenged }\n"), 3) > 0);
}

TEST_CASE("deduction: where no cards go may follow from what is hidden", "[deduction][truth]") {
    const std::string facts = "zone stacks of player stack of card seen by nobody\nfact hider player = P1 lasts game seen by nobody\n";
    const std::string hide = "hider becomes (P2 if (some c in P2's hand where c's rank is 6), otherwise P1)   ";
    // In which pile: nobody sees that nothing moves, then everybody sees that something does.
    for (const std::string where : {"in hider's hand", "on hider's stacks, shuffled"}) {
        CHECK(exact_in(game_for(2, hide + "put any 0 of P2's hand " + where, facts), 2) > 0);
        CHECK(exact_in(game_for(2, hide + "P2 must choose 0..1 from P2's hand as x   put x " + where, facts), 2) > 0);
        CHECK(exact_in(game_for(2, hide + "put (P2's hand where its rank >= 4) " + where, facts), 2) > 0);
    }
}

TEST_CASE("deduction: a step of which nothing is told may stand before one of which the same would be told", "[deduction][truth]") {
    const std::string out = "zone out set of card seen by all\n";
    const std::string high = "P2's hand where its rank >= 4";
    CHECK(exact_in(game_for(2, "put (" + high + ") in out   put P2's hand in out", out), 2) > 0);
    CHECK(exact_in(game_for(2, "put (" + high + ") in pile   put (P2's hand where its rank is 1) in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, "show (" + high + ") to all   show (P2's hand where its rank < 4) to all"), 2) > 0);
    CHECK(exact_in(game_for(2, "put (every hand where its rank is 6) in out   put (every hand where its rank is 1) in out", out), 2) > 0);
}

TEST_CASE("deduction: numbers below 0, none, and sets of numbers", "[deduction][truth]") {
    CHECK(exact_in(read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/faults/values.rules"), 2) > 0);
}

TEST_CASE("deduction: names and copies of cards that move, lots with one outcome, a second game", "[deduction][truth]") {
    const std::string copies =
        "game g\nplayers 2 in a circle, clockwise\ncards card { rank 1..2 2 of each }\nzone deck stack of card seen by nobody\n"
        "zone hand of player set of card seen by owner\nzone line row of card seen by all\nsetup { put all cards on deck, shuffled   deal "
        "3 from deck to line }\nwinner = players where it is P1, then shared\n";
    // The first leaves, not a copy of it behind others.
    CHECK(
        exact_in(copies + "play { put first of line in P1's hand   if (first of line)'s rank is 1: P1 says hi   P1 must name n from 0..1 }",
                 2) > 0);
    CHECK(exact_in(game_for(2, "P2 must choose c from P2's hand   let same = c   put c on deck   put same in P1's hand"), 2) > 0);
    CHECK(exact_in(game_for(2, "P2 must choose c from P2's hand   put P2's hand in P1's hand   put c in pile"), 2) > 0);
    CHECK(exact_in(game_for(2, "P2 must choose c from P2's hand   put c in P1's hand   chance picks who from {P1}"), 2) > 0);
    CHECK(exact_in(read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/faults/two_rows.rules"), 2) > 0);
    CHECK(exact_in("game g\nplayers 2 in a circle, clockwise\ncards card { rank 1..3 1 of each }\nzone deck stack of card seen by nobody\n"
                   "zone hand of player set of card seen by nobody\nsetup { put all cards on deck, shuffled   deal 1 from deck to every "
                   "hand }\nplay { P1 must name n from 0..1 }\nmatch m { repeat 2 times { play game } }\n"
                   "winner = players where it is P1, then shared\n",
                   2) > 0);
}
