// What is said to come next: nothing that cannot come, and where all histories are few, what did come.
#include "solver/deduce/next_events.hpp"
#include "interpreter/log/view.hpp"
#include "tests/support/rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace houserule;
using namespace houserule::testing;

namespace {

Events random_game(const std::shared_ptr<const Machine>& machine, Random& random) {
    const auto run = make_run(machine);
    Events events;
    run->record(&events);
    run->start();
    play_through(*run, random);
    return events;
}

// At a few points of a random game, as each seat saw it.
void look(const std::string& name, const std::shared_ptr<const Machine>& machine, std::uint64_t seed, bool all, int& looked) {
    Random random(seed);
    const Events events = random_game(machine, random);
    const LogHead head = head_of(*machine, std::nullopt);
    for (int seat = 0; seat < machine->game.players; ++seat) {
        const Events seen = view_of(*machine, head, events, seat).events;
        for (std::size_t n = 0; n <= std::min<std::size_t>(seen.size(), 14); n += 1 + n / 4) {
            const Events before(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(n));
            Deduction deduction(machine, seat);
            if (deduction.see(before, Told::so_far) != Fit::fits) continue;
            NextLimits limits;
            limits.histories = all ? 200 : 6;
            const NextEvents next = next_events(deduction, n, random, limits);
            INFO(fmt::format("{}, seed {}, P{}, after {} events", name, seed, seat + 1, n));
            CHECK(next.histories > 0);
            const auto is_true = [&](const NextEvent& e) { return n < seen.size() && e.event == seen[n]; };
            if (all && n < seen.size()) CHECK(std::any_of(next.events.begin(), next.events.end(), is_true));
            if (n == seen.size()) CHECK(next.over);
            for (std::size_t i = 0; i < std::min<std::size_t>(next.events.size(), 3); ++i) {
                Events after = before;
                after.push_back(next.events[i].event);
                INFO(event_line(*machine, next.events[i].event, seat));
                CHECK(Deduction(machine, seat).see(after, Told::so_far) == Fit::fits);
                ++looked;
            }
        }
    }
}

}  // namespace

TEST_CASE("next events: all fit, and what came is among them", "[next]") {
    struct Game {
        const char* name;
        int players;
        bool all;
    };
    int looked = 0;
    for (const Game& g : {Game{"kuhn", 2, true}, Game{"leduc", 2, true}, Game{"cogito", 2, false}, Game{"jiji", 3, false}}) {
        const auto machine = machine_of(read_rules(rules_file(g.name)), {g.players, {}});
        for (std::uint64_t seed = 1; seed <= 3; ++seed) look(g.name, machine, seed, g.all, looked);
    }
    CHECK(looked > 100);
}

// At a real table a line is told after the other, and the rules may do more before anybody is asked, as laying out pairs.
TEST_CASE("told so far: cards that come from a hidden place could be there together", "[next]") {
    int came = 0;
    const auto machine = machine_of(read_rules(rules_file("jiji")), {4, {}});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Random random(seed);
        const Events events = random_game(machine, random);
        const Events seen = view_of(*machine, head_of(*machine, std::nullopt), events, 0).events;
        for (std::size_t n = 0; n < seen.size() && came < static_cast<int>(seed); ++n) {
            const Event& next = seen[n];
            if (next.kind != EventKind::move || next.faces == 0 || next.pieces.size() < 2) continue;
            Deduction deduction(machine, 0);
            REQUIRE(deduction.see({seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(n)}, Told::so_far) == Fit::fits);
            INFO(fmt::format("seed {}: {}", seed, event_line(*machine, next, 0)));
            for (const HiddenThing& thing : deduction.knowledge().things) {
                if (thing.is_fact || thing.place != next.from) continue;
                for (const Possibility& p : thing.values) {
                    const auto copies = static_cast<std::size_t>(std::ranges::count(next.pieces, p.value));
                    if (copies == 0 || p.weights.empty()) continue;
                    CHECK((copies < p.weights.size() && p.weights[copies] > 0));
                    ++came;
                }
            }
        }
    }
    CHECK(came >= 3);
}

TEST_CASE("next events: what comes in one of many histories is among them", "[next]") {
    const std::string text =
        "game many\nplayers 2 in a circle, clockwise\ncards card { rank 1..60   1 of each }\nzone deck stack of card seen by nobody\n"
        "zone hand of player set of card seen by owner\nsetup { put all cards on deck, shuffled   deal 1 from deck to every hand }\n"
        "play { P2 must choose c from P2's hand   show c to all   P1 must name n from 0..1 }\nwinner = players with most size of its hand, "
        "then shared\n";
    const auto machine = machine_of(parse_rules("many", {text}), {2, {}});
    Random random(1);
    const Events events = random_game(machine, random);
    const Events seen = view_of(*machine, head_of(*machine, std::nullopt), events, 0).events;
    std::size_t most = 0;
    for (std::size_t n = 0; n < seen.size(); ++n) {
        Deduction deduction(machine, 0);
        REQUIRE(deduction.see({seen.begin(), std::next(seen.begin(), n)}, Told::so_far) == Fit::fits);
        const NextEvents next = next_events(deduction, n, random);
        if (next.events.front().event.kind == seen[n].kind) most = std::max(most, next.events.size());
    }
    CHECK(most >= 59);  // each card but P1's own; P1's own could be any of 60
}
