// The engine against the plain stepper (interpreter/plain), the reference of what a statement means: random games of all that ships and of
// the small games of tests/faults, played in both at once and compared at every node.
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"
#include "tests/support/two_runs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_nodes = 400;

void compare(const std::shared_ptr<const Machine>& machine, std::uint64_t seed) {
    random_samples();
    const auto difference = first_difference(machine, seed, most_nodes);
    if (difference) FAIL_CHECK(*difference);
}

void compare_file(const fs::path& path, int games) {
    const Rules rules = read_rules(path);
    for (const Variant& variant : variants(rules.syntax)) {
        const std::string name = variant_name(rules, variant);
        INFO(name);
        const auto machine = machine_of(rules, variant);
        for (int i = 0; i < games; ++i) compare(machine, seed_of(name) + static_cast<std::uint64_t>(i));
    }
}

void compare_small_games(int games) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(HOUSERULE_ROOT) / "tests/faults"))
        if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    REQUIRE_FALSE(files.empty());
    for (const fs::path& path : files) compare_file(path, games);
}

void compare_shipped_games(int games) {
    for (const fs::path& path : rules_files()) compare_file(path, games);
}

// ---- small games of copies, orders and names ---------------------------------------------------------------------------------

// Two copies of each card; zones of every shape.
const std::string components = R"(players 2 in a circle, clockwise
cards card { suit {red, blue}   rank 1..4   2 of each }
zone deck            stack of card            seen by nobody
zone hand of player  set of card              seen by owner
zone line            row of card              seen by all
zone pile            stack of card            seen by all
zone small           set of card, at most 2   seen by all
fact lead             player or nobody = nobody   lasts game   seen by all
fact points of player 0..9 = 5                    lasts game   seen by all
fact num              -5..500 = 5                 lasts game   seen by all
fact who              set of player = {}          lasts game   seen by all
setup { put all cards on deck, shuffled }
winner = players with most its points, then shared
)";

const std::vector<std::pair<std::string, std::string>> plays{
    {"rows", R"(
play {
  repeat 6 times { deal 1 from deck to line   P1 must choose c from line { if size of line > 3: put c on pile } }
  repeat 6 times {
    P1 must choose c from line + pile { put c in line }
    P2 must choose 1..2 from line as d
    put d on pile, shuffled
    P1 must choose e from pile { put e under pile }
  }
}
)"},
    {"names", R"(
play { repeat 12 times: turn_ }
rule turn_ {
  deal 3 from deck to P1's hand
  P1 must choose 1..2 from P1's hand as x
  P1 must choose y from P1's hand but x if none { stop turn_ }
  let z = x + y
  let w = (P1's hand but z)
  put P1's hand but z on pile, in order
  put y in line
  put x under pile, shuffled
  put z in P2's hand
  put w in line
  put P2's hand where its rank > 2 on deck, in order
  put x + w on pile, in order
  P2 may choose 0..3 from P2's hand + line as v { put v under pile, in order   show v to P1   put w in P1's hand }
  put P1's hand in P2's hand
  if size of deck < 4: put all cards on deck, shuffled
}
)"},
    {"grouping", R"(
play {
  repeat 8 times {
    deal 3 from deck to P1's hand
    put groups of 2 from P1's hand on pile, in order
    P1 must name k from {1, 2, 3}
    put groups of 2 from (P1's hand where its suit is red) by its rank under pile, shuffled
    P1 must name n from 0..1
    put any n of ((P1's hand where its rank is 2) or if none P1's hand) in line
    put P1's hand with most its rank in P2's hand
    P1 must choose c from kinds of card
    if c is in kinds of P2's hand: points of P1 becomes n
    show P2's hand to P1
    put P2's hand in line
    put line on pile, in order
    put pile where its suit is red in line
    shuffle pile
    simultaneously each p { p says hi   put p's hand in p's left's hand   if size of pile > 3: put line in p's hand }
    simultaneously each p where size of p's hand > 0 {
      p must choose d from p's hand
      p must name b from 0..3
      put d in p's left's hand
      points of p becomes b
    }
    who becomes {P1}
    who becomes players where size of its hand > 1
    each q in who counterclockwise from P2 { q may beg { num becomes num + 1 } otherwise { num becomes num - 1 } }
  }
}
)"},
    {"deals", R"(
play {
  deal 2 from deck to every hand
  deal 1 from deck to P1's hand if short { put all cards on deck, shuffled }
  repeat 5 times {
    deal all from deck to every hand, clockwise from P2
    put every hand on deck, shuffled
    draw c blindly from P1's hand to P2's hand if none: P1 says nobody_has_any
    draw d from deck to line if none: nothing
    put every hand where its rank is 2 under deck, in order
    deal 3 from deck to P2's hand if short { put P2's hand on pile, in order   put pile on deck, in order }
    draw e blindly from P2's hand to P1's hand
    shuffle deck
    put line on deck, in order
  }
}
)"},
    {"acts", R"(
fact calls 0..9 = 0 lasts t seen by all
act shout(player p) at any time unless size of p's hand is 0, when simulated 1 in 3 {
  p must choose c from p's hand
  put c in p's left's hand
}
ends checked after t, shout, first of { full when size of P1's hand > 8   bare when size of P1's hand is 0 and num > 20 }
end other(player q) { points of q becomes 9   put all cards on deck, shuffled }
play {
  deal 4 from deck to every hand
  repeat { each p: t(p) } until num > 50, at most 100 times, then end other(P2)
}
rule t(player p) {
  calls becomes calls + 1
  num becomes num + p's points + calls
  p may name n from 0..9 { points of p becomes n } otherwise { if p's points > 7: end other(p) }
  cases { p's points < 3: p says low   except when p's points is 1: p says one   otherwise: p says high }
  lead becomes p
}
)"},
};

std::shared_ptr<const Machine> machine_of_text(const std::string& name, const std::string& text) {
    const Rules rules = parse_rules(name, {"game " + name + "\n" + components + text});
    return machine_of(rules, variants(rules.syntax).front());
}

// ---- whether a difference is found -------------------------------------------------------------------------------------------

// The machine without one step, if that asks nobody and goes on to the next one.
std::shared_ptr<const Machine> without_step(const Machine& machine, StepId step) {
    switch (machine.code[step].op) {
        case Op::reset:
        case Op::assign:
        case Op::set_fact:
        case Op::put:
        case Op::shuffle:
        case Op::says:
        case Op::show:
        case Op::add_element:
        case Op::store:
        case Op::load:
        case Op::effects_begin:
        case Op::effects_end:
        case Op::claim:
        case Op::ended:
            break;
        default:
            return nullptr;
    }
    Machine changed = machine;
    changed.code[step].op = Op::nothing;
    return std::make_shared<const Machine>(std::move(changed));
}

bool is_found(const std::shared_ptr<const Machine>& machine, const std::shared_ptr<const Machine>& changed) {
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        if (first_difference(machine, changed, seed, most_nodes)) return true;
    return false;
}

}  // namespace

TEST_CASE("the engine does what the plain stepper does, in all games that ship", "[plain]") { compare_shipped_games(1); }
TEST_CASE("the engine does what the plain stepper does, in small games", "[plain]") { compare_small_games(20); }

TEST_CASE("the engine does what the plain stepper does, in many games", "[.long]") {
    compare_shipped_games(50);
    compare_small_games(1'000);
}

TEST_CASE("the engine does what the plain stepper does, with copies, orders and names of cards", "[plain]") {
    for (const auto& [name, play] : plays) {
        INFO(name);
        const auto machine = machine_of_text(name, play);
        for (std::uint64_t seed = 0; seed < 40; ++seed) compare(machine, seed);
    }
}

TEST_CASE("a step that is missing in one of two runs is found", "[plain]") {
    std::map<Op, std::pair<int, int>> missed;  // of so many steps, so many
    for (const auto& [name, play] : plays) {
        const auto machine = machine_of_text(name, play);
        for (const StepId step : machine->code.ids()) {
            const auto changed = without_step(*machine, step);
            if (changed == nullptr) continue;
            auto& [steps, not_found] = missed[machine->code[step].op];
            ++steps;
            if (!is_found(machine, changed)) ++not_found;
        }
    }
    int all = 0;
    int all_missed = 0;
    for (const auto& [op, counts] : missed) {
        INFO(step_name(op) << ": " << counts.second << " of " << counts.first << " missed");
        CHECK(counts.second < counts.first);
        all += counts.first;
        all_missed += counts.second;
    }
    INFO(all_missed << " of " << all << " missed");  // steps that are hardly ever reached, or that change nothing
    CHECK(all_missed * 5 < all);
    CHECK(missed.size() >= 10);
}

TEST_CASE("a card too many is noticed where it is drawn, not at the statement after", "[plain]") {
    const std::string play = "play { draw c from deck to small   draw d from deck to small   draw e from deck to small   num becomes 7 }";
    const auto machine = machine_of_text("too_many", play);
    const auto run = make_run(machine);
    Random random(1);
    CHECK_FALSE(play_through(*run, random));
    CHECK(run->failure().kind == FailureKind::takes_only);
    const std::string text = "game too_many\n" + components + play;
    CHECK(text.substr(run->failure().span.begin, 6) == "draw e");
    CHECK(first_difference(machine, 1, most_nodes) == std::nullopt);
}
