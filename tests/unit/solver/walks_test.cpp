// Estimates where nothing is counted: against what counting gives.
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

Events begun_game(const std::shared_ptr<const Machine>& machine, std::uint64_t seed, std::uint64_t answers) {
    const auto run = make_run(machine);
    Events events;
    Random random(seed);
    run->record(&events);
    run->start();
    for (std::uint64_t n = 0; n < answers; ++n) {
        const Node& node = run->advance();
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
        run->apply(random_move(*run, random));
    }
    run->advance();
    testing::random_samples();
    return events;
}

// Shares that are neither 0 nor 1: how many of the intervals hold the true one.
struct Held {
    int intervals = 0;
    int held = 0;
    std::vector<double> half_widths;
};

// What was counted in full is estimated, as if there were too many states.
void estimate_again(const std::shared_ptr<const Machine>& machine, const View& view, std::uint64_t work, bool evenly, Held& all) {
    DeductionLimits limits;
    limits.paths.uniform_play = evenly;
    limits.time = std::chrono::milliseconds::max();
    Deduction counted(machine, view.seat, limits);
    limits.states = 1;
    limits.work = work;
    Deduction estimated(machine, view.seat, limits);
    REQUIRE(counted.see(view.events) == Fit::fits);
    REQUIRE(estimated.see(view.events) == Fit::fits);
    const Knowledge& exact = counted.knowledge();
    const Knowledge& sampled = estimated.knowledge();
    if (exact.method != Method::exact || exact.things.empty()) return;
    INFO(machine->game.name << ", " << machine->game.players << " players\n" << view_text(*machine, view.head, view.events, view.seat));
    for (const Limit& l : sampled.limits) UNSCOPED_INFO(text(l));
    if (sampled.method == Method::exact) return;  // what is certain leaves a single state
    REQUIRE(sampled.method == Method::sampled);
    CHECK(!sampled.worlds);
    REQUIRE(!sampled.limits.empty());
    CHECK(sampled.limits.front().kind == LimitKind::not_counted);
    REQUIRE(sampled.things.size() == exact.things.size());
    for (std::size_t t = 0; t < exact.things.size(); ++t) {
        for (const Possibility& truth : exact.things[t].values) {
            const auto& values = sampled.things[t].values;
            const auto p = std::find_if(values.begin(), values.end(), [&](const Possibility& v) { return v.value == truth.value; });
            REQUIRE(p != values.end());
            CHECK((p->possible == Answer::unknown || p->possible == truth.possible));
            CHECK((p->certain == Answer::unknown || p->certain == truth.certain));
            if (truth.possible == Answer::no) CHECK(p->share() == 0);  // every sample is a history that fits
            if (truth.possible == Answer::no || truth.certain == Answer::yes) continue;
            ++all.intervals;
            all.held += std::abs(p->share().convert_to<double>() - truth.share().convert_to<double>()) <= p->error + 1e-9 ? 1 : 0;
            all.half_widths.push_back(p->error);
        }
    }
    Random random(1);
    const auto run = make_run(machine);
    const auto history = estimated.sample(random);
    REQUIRE(history);
    Events events;
    std::string problem;
    CHECK(play_history(*run, *history, events, problem));
    const Events again = view_of(*machine, view.head, events, view.seat).events;
    REQUIRE(again.size() >= view.events.size());
    CHECK(std::equal(view.events.begin(), view.events.end(), again.begin()));
}

}  // namespace

// With so little work that it takes seconds; `houserule_bench --estimates` measures it at the defaults.
TEST_CASE("deduction: what is not counted is estimated, and the intervals hold the true shares", "[deduction]") {
    struct Game {
        const char* name;
        int players;
        std::uint64_t answers;
        bool evenly = false;
    };
    Held all;
    for (const Game& g : {Game{"jiji", 3, 14}, Game{"cogito", 3, 30}, Game{"leduc", 2, 4}, Game{"goofspiel", 2, 8}, Game{"old_maid", 3, 30},
                          Game{"jiji", 3, 10, true}, Game{"leduc", 2, 4, true}}) {
        const auto machine = machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const Events events = begun_game(machine, seed, g.answers + seed);
            estimate_again(machine, view_of(*machine, head_of(*machine, std::nullopt), events, 0), 400'000, g.evenly, all);
        }
    }
    std::sort(all.half_widths.begin(), all.half_widths.end());
    REQUIRE(all.intervals >= 200);
    INFO(all.held << " of " << all.intervals << " intervals hold the true share, median half-width "
                  << all.half_widths[all.half_widths.size() / 2]);
    CHECK(all.held * 100 >= all.intervals * 90);
    CHECK(all.half_widths[all.half_widths.size() / 2] <= 0.1);
}

// Only who holds such a card is asked, and whoever says no is heard like those who were not asked.
TEST_CASE("deduction: estimates weigh histories in which others were asked against each other", "[deduction]") {
    const Rules rules = parse_rules("rules", {R"(game g
players 3 in a circle, clockwise
cards card { rank 1..9 1 of each }
zone deck stack of card seen by nobody
zone hand of player set of card seen by owner
zone pile row of card seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { repeat 3 times { each p clockwise from P2: p may choose c from p's hand where its rank > 6 or its rank is 1 { put c in pile } otherwise { p says pass } } }
winner = players where it is P1, then shared
)"});
    const auto machine = machine_of(rules, {3, {}});
    Held all;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Events events = begun_game(machine, seed, 6 + seed);
        estimate_again(machine, view_of(*machine, head_of(*machine, std::nullopt), events, 0), 400'000, seed % 2 == 0, all);
    }
    std::sort(all.half_widths.begin(), all.half_widths.end());
    REQUIRE(all.intervals >= 50);
    INFO(all.held << " of " << all.intervals << " intervals hold the true share");
    CHECK(all.held * 100 >= all.intervals * 90);
    CHECK(all.half_widths[all.half_widths.size() / 2] <= 0.05);
}

TEST_CASE("deduction: nothing is estimated where that was not asked for", "[deduction]") {
    const auto machine = machine_of(read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive/tiny_jiji.rules"), {3, {}});
    const View view = view_of(*machine, head_of(*machine, std::nullopt), begun_game(machine, 5, 6), 0);
    DeductionLimits few;
    few.states = 1;
    few.samples = 0;
    Deduction plain(machine, 0, few);
    REQUIRE(plain.see(view.events) == Fit::fits);
    CHECK(plain.knowledge().method == Method::possible_only);
}
