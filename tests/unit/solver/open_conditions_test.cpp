// Conditions that are too large to be worked out are left open: against what working them out gives.
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/support/rules.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

// Hidden hands, exchanges that others do not see, and shows; conditions on whole hands decide what is offered.
constexpr const char* market = R"(game market
players 3..4 in a circle, clockwise
enum Suit { corn, wool, salt, silk }
cards good           { suit Suit   rank 1..9   1 of each }
zone sack            stack of good   seen by nobody
zone hand of player  set of good     seen by owner
zone held of player  one good        seen by nobody
zone stall           row of good     seen by all
setup { put all cards on sack, shuffled   deal 5 from sack to every hand }
play { repeat 2 times: each p clockwise from P1: turn(p) }
rule turn(player p) {
  p must name q from players but p
  simultaneously each r in {p, q} { r must choose c from r's hand   put c in r's held }
  simultaneously each r in {p, q}: put r's held in (q if r is p, otherwise p)'s hand
  if best(p's hand) >= 14 { p may boast { show p's hand to all } otherwise: nothing }
  if total(p's hand) > 30: p says heavy
  p must choose d from p's hand   put d in stall
  deal 1 from sack to p's hand
}
define best(set of good h) = largest of of_suit(it, h) over Suit
define of_suit(Suit s, set of good h) = sum of its rank over (h where its suit is s)
define total(set of good h) = sum of its rank over h
winner = players with most total(its hand), then shared
)";

constexpr const char* smuggle = R"(game smuggle
players 2..4 in a circle, clockwise
cards ware           { rank 1..7   3 of each }
zone deck            stack of ware   seen by nobody
zone hand of player  set of ware     seen by owner
zone bag  of player  set of ware     seen by owner
zone port            set of ware     seen by all
setup { put all cards on deck, shuffled   deal 5 from deck to every hand }
play { repeat 2 times: each p clockwise from P1: turn(p) }
rule turn(player p) {
  p must choose 2..3 from p's hand as m where even(m): put m in p's bag
    if none: p says stuck
  let q = p's left
  q may open { show p's bag to all   put p's bag in port } otherwise: put p's bag on deck, shuffled
  shuffle deck
  deal 2 from deck to p's hand
}
define even(set of ware m) = quotient(value(m), 2) * 2 is value(m)
define value(set of ware m) = sum of its rank over m
winner = players with most value(its hand), then shared
)";

constexpr const char* lamps = R"(game lamps
players 3..4 in a circle, clockwise
cards lamp           { rank 1..8   2 of each }
zone deck            stack of lamp   seen by nobody
zone hand of player  set of lamp     seen by owner
zone given of player one lamp        seen by nobody
zone lit             row of lamp     seen by all
fact bright of player yes/no = no    lasts game   seen by nobody
setup { put all cards on deck, shuffled   deal 3 from deck to every hand }
play { repeat 2 times: round }
rule round {
  each p clockwise from P1 {
    p's bright becomes spread(p's hand) >= 5
    if p's bright: p says glows
  }
  simultaneously each p { p must choose c from p's hand   put c in p's given }
  simultaneously each p: put p's given in p's left's hand
  each p clockwise from P1 where not p's bright { p may burn { show strongest(p) to all } otherwise: nothing }
  each p clockwise from P1 { put any 1 of p's hand in lit   deal 1 from deck to p's hand }
}
define strongest(player p) = p's hand where its rank is largest of its rank over p's hand
define spread(set of lamp h) = largest of its rank over h - smallest of its rank over h
winner = players with most spread(its hand), then shared
)";

// What is left of a hand that nobody else sees, after sets of it, decides who is asked, what may be chosen, and a number.
constexpr const char* leaves = R"(game leaves
players 2..3 in a circle, clockwise
enum Tree { oak, elm, fir }
cards leaf           { tree Tree   rank 1..4   1 of each }
zone heap            row of leaf     seen by all
zone pile            stack of leaf   seen by nobody
zone hand  of player set of leaf     seen by owner
zone aside of player set of leaf     seen by owner
fact rest  of player 0..20 = 0       lasts game   seen by nobody
setup { put all cards on pile, shuffled   deal 3 from pile to every hand }
play { repeat 2 times: each p clockwise from P1: turn(p) }
rule turn(player p) {
  deal 1 from pile to p's hand
  if some c in p's hand where left(p's hand but c) <= 3 {
    p may choose c from p's hand where left(p's hand but it) <= 3: put c in p's aside
  }
  let kept = left(p's hand)
  p's rest becomes kept
  if kept >= 8: p says heavy
  p must choose d from p's hand where left(p's hand but it) <= 4 { put d in heap } if none {
    p says stuck
    p must choose e from p's hand { put e in heap } if none: nothing
  }
  p may choose 1..2 from p's hand as m where left(p's hand but m) is 0: put m in p's aside
}
define left(several leaf s) = smallest sum of its rank left of s after sets m where row_of(m)
define row_of(several leaf m) = size of m >= 2 and smallest of its rank over m is largest of its rank over m
winner = players with most its rest, then shared
)";

struct Compared {
    int stopped = 0;  // what was seen could not be followed
    int open = 0;     // answers of paths on which conditions were left open
    int decided = 0;  // values of those
    int undecided = 0;
    int intervals = 0;  // of shares that are neither 0 nor 1
    int held = 0;
};

const HiddenThing* same_thing(const Knowledge& k, const HiddenThing& thing) {
    const auto found = std::find_if(k.things.begin(), k.things.end(), [&](const HiddenThing& other) {
        return other.place == thing.place && other.fact == thing.fact && other.index == thing.index;
    });
    return found == k.things.end() ? nullptr : &*found;
}

void compare(const Knowledge& exact, const Knowledge& open, const Game& game, Compared& all) {
    for (const HiddenThing& thing : open.things) {
        const HiddenThing* counted = same_thing(exact, thing);
        for (const Possibility& p : thing.values) {
            ++(p.is_decided() ? all.decided : all.undecided);
            Possibility none;
            none.value = p.value;
            none.possible = none.certain = Answer::no;
            const Possibility* is = nullptr;
            if (counted != nullptr)
                for (const Possibility& q : counted->values)
                    if (q.value == p.value) is = &q;
            if (is == nullptr && !thing.is_fact) continue;
            if (is == nullptr) is = &none;  // a value of a fact that was counted as impossible, or a fact that is known
            INFO((thing.is_fact ? std::string("fact") : place_name(game, thing.place)) << ": value " << p.value);
            if (counted == nullptr) continue;
            if (p.is_decided() && is->is_decided()) CHECK(p.possible == is->possible);
            if (p.certain != Answer::unknown && is->certain != Answer::unknown) CHECK(p.certain == is->certain);
            if (open.method != Method::sampled || is->possible != Answer::yes || is->certain != Answer::no) continue;
            ++all.intervals;
            if (std::abs(p.share().convert_to<double>() - is->share().convert_to<double>()) <= p.error + 1e-9) ++all.held;
        }
    }
}

// Where the run waits is what is so.
void check_truth(const Run& truth, const Knowledge& known) {
    for (const HiddenThing& thing : known.things) {
        const std::vector<KindId> kinds = thing.is_fact ? std::vector<KindId>{} : truth.kinds_at(thing.place);
        for (const Possibility& p : thing.values) {
            const bool is_so =
                thing.is_fact ? truth.fact(thing.fact, thing.index) == p.value : std::count(kinds.begin(), kinds.end(), p.value) > 0;
            if (is_so) CHECK(p.possible != Answer::no);
            if (!is_so) CHECK(p.certain != Answer::yes);
        }
    }
}

void compare(const Rules& rules, Compared& all) {
    const auto machine = machine_of(rules, {player_range(rules.syntax).low, {}});
    const auto run = make_run(machine);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Events events = played_at_random(*run, seed, 3 + 7 * seed);
        const View view = view_of(*machine, head_of(*machine, std::nullopt), events, static_cast<int>(seed) % machine->game.players);
        DeductionLimits limits;
        limits.time = std::chrono::milliseconds::max();
        Deduction counted(machine, view.seat, limits);
        limits.paths.condition = 1;
        limits.work = 2 * work_a_second;
        Deduction open(machine, view.seat, limits);
        INFO(rules.name << ", seed " << seed << '\n' << view_text(*machine, view.head, view.events, view.seat));
        if (counted.see(view.events) != Fit::fits || counted.knowledge().method != Method::exact) continue;
        REQUIRE(open.see(view.events) != Fit::impossible);
        if (open.fit() == Fit::unknown) {
            ++all.stopped;
            continue;
        }
        const Knowledge& known = open.knowledge();
        REQUIRE(open.fit() == Fit::fits);
        check_truth(*run, known);
        const bool is_open =
            std::any_of(known.limits.begin(), known.limits.end(), [](const Limit& l) { return l.kind == LimitKind::conditions_open; });
        if (!is_open) continue;
        CHECK(known.method != Method::exact);
        ++all.open;
        compare(counted.knowledge(), known, machine->game, all);
        Random random(seed);
        const auto history = open.witness();
        if (known.method != Method::sampled) continue;
        REQUIRE(history);
        Events same;
        std::string problem;
        REQUIRE(play_history(*run, *history, same, problem));
        const View told = view_of(*machine, view.head, same, view.seat);
        CHECK(std::equal(view.events.begin(), view.events.begin() + std::min(view.events.size(), told.events.size()), told.events.begin()));
    }
}

}  // namespace

TEST_CASE("deduction: conditions that are left open exclude nothing that is so and offer nothing that is not", "[deduction]") {
    Compared all;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive"))
        if (entry.path().extension() == ".rules") compare(read_rules(entry.path()), all);
    for (const char* name : {"kuhn", "bluff", "crazy_eights", "hearts", "cogito", "jiji", "old_maid", "agram", "oh_hell", "daifugo"})
        compare(read_rules(rules_file(name)), all);
    for (const char* text : {market, smuggle, lamps, leaves}) compare(parse_rules("rules", {text}), all);
    CAPTURE(all.stopped, all.open, all.decided, all.undecided, all.intervals, all.held);
    CHECK(all.stopped == 0);
    CHECK(all.open >= 10);
    CHECK(all.decided > 3 * all.undecided);
    CHECK(all.held >= 0.85 * all.intervals);
}

TEST_CASE("deduction: what is said of hands, exchanges and shows is true, however little time there is", "[deduction]") {
    for (const char* text : {market, smuggle, lamps, leaves}) {
        const Rules rules = parse_rules("rules", {text});
        const PlayerRange range = player_range(rules.syntax);
        for (int players = range.low; players <= range.high; ++players) {
            const auto machine = machine_of(rules, {players, {}});
            const auto run = make_run(machine);
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                DeductionLimits limits;
                limits.time = std::chrono::milliseconds(seed % 2 == 0 ? 50 : 500);
                limits.paths.condition = seed % 3 == 0 ? 1 : 0;
                const Events events = played_at_random(*run, seed, 4 * seed);
                const View view = view_of(*machine, head_of(*machine, std::nullopt), events, static_cast<int>(seed) % players);
                INFO("seed " << seed << '\n' << view_text(*machine, view.head, view.events, view.seat));
                Deduction deduction(machine, view.seat, limits);
                REQUIRE(deduction.see(view.events) != Fit::impossible);
                check_truth(*run, deduction.knowledge());
                CHECK(deduction.fit() != Fit::impossible);
            }
        }
    }
}

TEST_CASE("deduction: a condition on a hand of ten cards does not end what can be known", "[deduction]") {
    const auto machine = machine_of(read_rules(rules_file("gin_rummy")), {2, {}});
    const auto run = make_run(machine);
    const Events events = played_at_random(*run, 1, 60);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, 0);
    Deduction deduction(machine, 0);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    CHECK(known.method == Method::sampled);
    CHECK(known.limits.back().kind == LimitKind::conditions_open);
    for (const HiddenThing& thing : known.things)
        for (const Possibility& p : thing.values) CHECK(p.is_decided());
}

TEST_CASE("deduction: what is counted from cards that were shown is counted exactly", "[deduction]") {
    const auto machine = machine_of(read_rules(rules_file("cribbage")), {2, {}});
    const auto run = make_run(machine);
    // The crib of the first deal is shown, and its points are counted.
    const Events events = played_at_random(*run, 1, 40);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, 0);
    Deduction deduction(machine, 0);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    CHECK(deduction.knowledge().method == Method::exact);
}

// Each set of ten hidden cards leaves others, of which each set is tried: 2 ^ 20 of them.
TEST_CASE("deduction: what takes too long to be worked out for a question is not told, and all else is", "[deduction]") {
    const auto machine = machine_of(parse_rules("sorted", {R"(game sorted
players 2 in a circle, clockwise
cards card          { rank 1..10   1 of each }
zone deck           stack of card   seen by nobody
zone hand of player set of card     seen by owner
setup { put all cards on deck, shuffled   deal 3 from deck to P2's hand }
play { P1 says ready }
winner = players, then shared
example "long" { then P2's hand splits into sets m where (P2's hand but m) splits into sets n where size of n is 2 }
example "short" { then some c in P2's hand where c's rank is 1 }
)"}),
                                    {2, {}});
    const auto claim = [&](std::size_t i) { return machine->game.examples[i].steps.front().first; };
    const auto run = make_run(machine);
    const View view = view_of(*machine, head_of(*machine, std::nullopt), played_at_random(*run, 1, 60), 0);
    Deduction deduction(machine, 0);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    CHECK(deduction.share_of(claim(1)) == Rational(3, 10));
    CHECK_FALSE(deduction.share_of(claim(0)));
    CHECK(deduction.why_not(claim(0)).answer == Answer::unknown);
    CHECK(deduction.share_of(claim(1)) == Rational(3, 10));
}
