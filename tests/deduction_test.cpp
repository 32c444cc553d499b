// Deduction against the oracle that tries everything, and against the truth.
#include "interpreter/view.hpp"
#include "solver/deduction.hpp"
#include "tests/naive/deduce.hpp"
#include "tests/rules.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <map>

using namespace houserule;
using namespace houserule::testing;

namespace {

using MachinePtr = std::shared_ptr<const Machine>;

MachinePtr tiny(const std::string& name, int players) {
    const Rules rules = read_rules(std::filesystem::path(HOUSERULE_ROOT) / "tests/naive" / (name + ".rules"));
    return machine_of(rules, {players, {}});
}

// Plays at random to the given number of answers, or until the game is over; the events so far.
Events played(Run& run, std::uint64_t seed, std::uint64_t answers) {
    Events events;
    Random random(seed);
    run.record(&events);
    run.start();
    for (std::uint64_t n = 0;; ++n) {
        const Node& node = run.advance();
        if (n == answers || node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
        run.apply(random_move(run, random));
    }
    run.record(nullptr);
    return events;
}

// All that the two say about one view.
void compare(const MachinePtr& machine, const View& view, std::uint64_t limit) {
    const auto oracle_run = make_run(machine);
    const Deduced oracle = deduce(*oracle_run, view, Cut::last_seen, limit);
    if (!oracle.complete) return;
    Deduction deduction(machine, view.seat);
    const Fit fit = deduction.see(view.events);
    INFO(deduction.problem());
    REQUIRE(fit == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    INFO(fmt::format("{}", fmt::join(known.limits, "; ")));
    REQUIRE(known.method == Method::exact);
    CHECK(known.weight == oracle.all.weight);
    CHECK(known.histories == oracle.all.histories);
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact) continue;
        for (const Possibility& p : thing.values) {
            INFO(place_name(machine->game, thing.place) << ": " << kind_text(machine->game, p.value));
            std::uint64_t worlds = 0;
            for (const auto& [copies, share] : copies_at(oracle, thing.place, p.value)) {
                REQUIRE(copies < p.weights.size());
                CHECK(p.weights[copies] == share.sum.weight);
                if (copies > 0) worlds += share.worlds;
            }
            if (p.worlds) CHECK(*p.worlds == worlds);
            CHECK(deduction.possible(thing.place, p.value) == (p.possible ? Answer::yes : Answer::no));
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
    const std::vector<Game> games{{"kuhn", 2, false, 6}, {"kuhn", 3, false, 8}, {"leduc", 2, false, 10}, {"tiny_cogito", 2, true, 14}, {"tiny_jiji", 3, true, 24}};
    const std::uint64_t seed = Catch::rngSeed();
    for (const Game& g : games) {
        const MachinePtr machine = g.is_tiny ? tiny(g.name, g.players) : machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        const auto run = make_run(machine);
        for (std::uint64_t i = 0; i < 12; ++i) {
            const std::uint64_t answers = 1 + (seed + i * 7) % g.answers;
            const Events events = played(*run, seed + i, answers);
            for (int seat = 0; seat < g.players; ++seat) {
                INFO(g.name << ", " << g.players << " players, seed " << seed + i << ", " << answers << " answers, P" << seat + 1);
                const View view = view_of(*machine, head_of(*machine, std::nullopt), events, seat);
                INFO(view_text(*machine, view.head, events, seat));
                compare(machine, view, 300'000);
            }
        }
    }
}
