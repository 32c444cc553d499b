// Where ways part and come together again: in the code of every game, and for who follows the machine on unknowns.
#include "interpreter/machine/post_dominators.hpp"
#include "solver/coexecute/coexecute.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>

using namespace houserule;
using namespace houserule::testing;

namespace {

// Whether some way from the step leaves its rule without coming to `avoided`; ends are not followed.
bool leaves_without(const Machine& machine, StepId step, StepId avoided) {
    Store<StepId, bool> been(machine.code.size(), false);
    std::vector<StepId> waiting{step};
    while (!waiting.empty()) {
        const StepId here = waiting.back();
        waiting.pop_back();
        const std::vector<StepId> after = steps_after(machine, here);
        if (after.empty()) return true;
        for (const StepId next : after) {
            if (next == avoided || been[next] || machine.code[next].op == Op::ended) continue;
            been[next] = true;
            waiting.push_back(next);
        }
    }
    return false;
}

}  // namespace

TEST_CASE("no way out of a step goes past its join, and there is one wherever some step is on all of them") {
    each_machine([](const std::string& name, const std::shared_ptr<const Machine>& machine) {
        if (name.find(',') != name.rfind(',')) return;  // options and readings have the same shapes
        INFO(name);
        const Store<StepId, StepId> joins = immediate_post_dominators(*machine);
        REQUIRE(joins.size() == machine->code.size());
        for (const StepId i : joins.ids()) {
            if (steps_after(*machine, i).size() < 2) continue;
            INFO("step " << i.value());
            if (joins[i] != no_id) CHECK_FALSE(leaves_without(*machine, i, joins[i]));
            // A candidate that is on all ways is the join, or comes after it.
            for (const StepId k : {i + 1, StepId(machine->code[i].c)})
                if (k != i && !leaves_without(*machine, i, k) && leaves_without(*machine, i, no_id))
                    CHECK((joins[i] == k || (joins[i] != no_id && !leaves_without(*machine, joins[i], k))));
        }
    });
}

TEST_CASE("ways that differ in what nobody noticed alone are one") {
    // Whoever has a pair may show it. P1 sees nothing: of two others four ways to have had one or not, each offered and not taken.
    const std::string text =
        "game two\nplayers 3 in a circle, clockwise\ncards card { rank 1..3   3 of each }\nzone deck stack of card seen by nobody\nzone "
        "hand of player set of card seen by owner\n"
        "setup { put all cards on deck, shuffled   deal 2 from deck to every hand }\n"
        "play { each p clockwise from P2 where size of (groups of 2 from p's hand) > 0 { p may reveal { show p's hand to all } }   P1 must "
        "name n from 0..1 }\n"
        "winner = players with most size of its hand, then shared\n";
    const auto machine = machine_of(parse_rules("two.rules", {text}), {3, {}});
    const auto run = make_run(machine);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random(seed);
        Events events;
        run->record(&events);
        run->start();
        while (run->advance().kind != NodeKind::over) {
            // Nobody shows anything, and P1 names a number.
            const Node& node = run->node();
            run->apply(node.kind == NodeKind::ask ? 0 : random_move(*run, random));
        }
        z3::context context;
        Coexecution unknown(context, machine, 0);
        REQUIRE(unknown.follow(events));
        CHECK(unknown.paths().size() == 1);
        testing::random_samples();
    }
}
