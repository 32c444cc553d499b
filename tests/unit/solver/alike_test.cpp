// Blocks that nothing tells apart, decided together: the same counts as one by one, and as trying everything.
#include "interpreter/log/view.hpp"
#include "solver/count/simplify.hpp"
#include "solver/count/worlds.hpp"
#include "solver/deduce/deduction.hpp"
#include "solver/terms/valuation.hpp"
#include "tests/support/rules.hpp"
#include "tests/support/tally.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace houserule;
using namespace houserule::testing;

namespace {

// Blocks that conditions and weights tell apart, then blocks of which each adds to one of three sums or to none.
struct AlikeModel {
    z3::context context;
    Terms terms{context};
    CountModel model;
    std::size_t told_apart = 2;

    Formulas& formulas() { return terms.formulas(); }
    std::int32_t unknown(KindId block) {
        const std::int32_t u = formulas().unknown("u", 2);
        model.unknowns.emplace_back(block, u);
        return u;
    }
    Terms::Int number(std::int32_t u) { return terms.choose(formulas().is(u, 1), terms.constant(1), terms.constant(0)); }
};

void fill_alike(AlikeModel& m, Random& random, std::size_t alike) {
    std::vector<Sum> sums(3);
    std::vector<std::vector<std::int32_t>> of;
    for (std::size_t b = 0; b < m.told_apart + alike; ++b) {
        auto& own = of.emplace_back();
        for (Sum& sum : sums) sum.unknowns.push_back(own.emplace_back(m.unknown(static_cast<KindId>(b))));
        for (std::size_t i = 0; i < own.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                m.model.conditions.push_back(m.formulas().any(std::vector{m.formulas().is(own[i], 0), m.formulas().is(own[j], 0)}));
        if (b >= m.told_apart) m.model.factors.push_back({m.formulas().is(own[1], 1), 3});
    }
    for (Sum& sum : sums) sum.total = static_cast<Value>(1 + random.below(2));
    m.model.sums = std::move(sums);
    m.model.conditions.push_back(m.formulas().any(std::vector{m.formulas().is(of[0][0], 1), m.formulas().is(of[1][2], 1)}));
    m.model.factors.push_back({m.formulas().is(of[0][1], 1), 2});
    if (random.below(2) == 0) m.model.conditions.push_back(m.formulas().is(of[1][0], 0));
}

using AlikeAssignments = std::map<std::vector<int>, std::uint64_t>;

AlikeAssignments tried_alike(AlikeModel& m) {
    AlikeAssignments all;
    const std::size_t n = m.model.unknowns.size();
    std::vector<int> values(n, 0);
    Valuation valuation(m.formulas(), values);
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << n; ++bits) {
        for (std::size_t u = 0; u < n; ++u) values[u] = static_cast<int>(bits >> u & 1);
        valuation.forget();
        const bool fits = std::all_of(m.model.sums.begin(), m.model.sums.end(),
                                      [&](const Sum& sum) {
                                          return std::count_if(sum.unknowns.begin(), sum.unknowns.end(),
                                                               [&](std::int32_t u) { return values[u] == 1; }) == sum.total;
                                      }) &&
                          std::all_of(m.model.conditions.begin(), m.model.conditions.end(), [&](Truth t) { return valuation.holds(t); });
        if (!fits) continue;
        std::uint64_t weight = 1;
        for (const Factor& f : m.model.factors) weight *= valuation.holds(f.when) ? f.times : 1;
        all[values] = weight;
    }
    return all;
}

void compare_alike(AlikeModel& m, const CountModel& model, const AlikeAssignments& all) {
    Counter counter(m.formulas(), model);
    REQUIRE(counter.finished());
    CHECK(counter.lifted() == model.alike);
    std::uint64_t total = 0;
    for (const auto& [values, weight] : all) total += weight;
    CHECK(counter.total() == total);
    AlikeAssignments found;
    const auto values_of = [&](const Counter::Assignment& assignment) {
        std::vector<int> values(m.model.unknowns.size(), 0);
        for (const auto& [u, v] : assignment) values[u] = v;
        return values;
    };
    REQUIRE(counter.each_assignment(100'000, [&](const Counter::Assignment& assignment, const Integer& weight) {
        found[values_of(assignment)] += weight.convert_to<std::uint64_t>();
    }));
    CHECK(found == all);
    // Of one block, of two that are alike, and of one that is not and one that is.
    const std::vector<std::vector<std::int32_t>> asked{{0}, {4}, {7}, {9, 12}, {1, 10}, {0, 4, 8, 14}};
    for (const auto& unknowns : asked) {
        std::vector<Terms::Int> numbers;
        std::map<std::vector<Value>, Integer> expected;
        for (const std::int32_t u : unknowns) numbers.push_back(m.number(u));
        for (const auto& [values, weight] : all) {
            std::vector<Value> own;
            for (const std::int32_t u : unknowns) own.push_back(values[u]);
            expected[own] += weight;
        }
        const auto shares = counter.shares(m.terms, numbers);
        REQUIRE(shares);
        CHECK(std::map<std::vector<Value>, Integer>(shares->begin(), shares->end()) == expected);
    }
    // Each is drawn, and nothing else.
    if (total == 0) return;
    std::set<std::vector<int>> drawn;
    Random random(total);
    for (int i = 0; i < 40; ++i) {
        const auto pick = [&](const Integer& n) { return Integer(random.below(n.convert_to<std::uint64_t>())); };
        const auto values = values_of(counter.sample(pick));
        CHECK(all.contains(values));
        drawn.insert(values);
    }
    CHECK(drawn.size() > (all.size() > 4 ? 2 : 0));
}

std::set<Deduction::World> listed_worlds(Deduction& deduction) {
    std::set<Deduction::World> all;
    deduction.each_world([&](const Deduction::World& world) { return all.insert(world).second; });
    return all;
}

// The same with as few states as it can be done with.
void compare_with_few_states(const std::shared_ptr<const Machine>& machine, const View& view, int& fewer) {
    Deduction whole(machine, view.seat);
    if (whole.see(view.events) != Fit::fits || whole.knowledge().method != Method::exact) return;
    const Knowledge& all = whole.knowledge();
    for (const std::size_t states : {2, 8, 32, 128}) {
        DeductionLimits limits;
        limits.samples = 0;
        limits.work = 500'000;
        limits.states = states;
        Deduction few(machine, view.seat, limits);
        REQUIRE(few.see(view.events) == Fit::fits);
        const Knowledge& known = few.knowledge();
        if (known.method != Method::exact) continue;
        ++fewer;
        CHECK(known.weight == all.weight);
        CHECK(known.histories == all.histories);
        REQUIRE(known.things.size() == all.things.size());
        for (std::size_t t = 0; t < all.things.size(); ++t) {
            REQUIRE(known.things[t].values.size() == all.things[t].values.size());
            for (std::size_t v = 0; v < all.things[t].values.size(); ++v) {
                const Possibility& a = all.things[t].values[v];
                const Possibility& b = known.things[t].values[v];
                CHECK((a.value == b.value && a.possible == b.possible && a.certain == b.certain));
                CHECK(a.weights == b.weights);
                if (all.worlds && known.worlds) CHECK(a.worlds == b.worlds);
            }
        }
        if (all.worlds && known.worlds) {
            CHECK(*all.worlds == *known.worlds);
            if (*all.worlds < 2000) CHECK(listed_worlds(whole) == listed_worlds(few));
        }
        Random random(1);
        const auto run = make_run(machine);
        const auto history = few.sample(random);
        REQUIRE(history);
        Events events;
        std::string problem;
        REQUIRE(play_history(*run, *history, events, problem));
        CHECK(view_text(*machine, view.head, events, view.seat) == view_text(*machine, view.head, view.events, view.seat));
        break;
    }
}

}  // namespace

TEST_CASE("counter: blocks that nothing tells apart are counted together as they are one by one", "[counter]") {
    Random random(Catch::rngSeed());
    int possible = 0;
    for (int i = 0; i < 12; ++i) {
        testing::random_samples();
        AlikeModel m;
        fill_alike(m, random, 3);
        const AlikeAssignments all = tried_alike(m);
        possible += all.empty() ? 0 : 1;
        CountModel simple = m.model;
        simplify(m.formulas(), simple);
        for (const CountModel& model : {m.model, simple}) {
            compare_alike(m, model, all);
            CountModel together = model;
            together.alike = 3;
            if (!all.empty()) compare_alike(m, together, all);
            CHECK(Counter(m.formulas(), model).alike_keys().size() >= (all.empty() ? 0 : 3));
        }
    }
    CHECK(possible > 3);
}

TEST_CASE("counter: what is not alike is not counted together", "[counter]") {
    Random random(1);
    AlikeModel m;
    fill_alike(m, random, 3);
    m.model.factors.push_back({m.formulas().is(6, 1), 5});
    m.model.alike = 3;
    const Counter counter(m.formulas(), m.model);
    CHECK(counter.lifted() == 0);
    std::uint64_t total = 0;
    for (const auto& [values, weight] : tried_alike(m)) total += weight;
    CHECK(counter.total() == total);
}

TEST_CASE("deduction: cards that nothing tells apart take few states", "[deduction]") {
    const std::string text =
        "game many\nplayers 4 in a circle, clockwise\ncards card { rank 1..60   1 of each }\nzone deck stack of card seen by nobody\n"
        "zone hand of player set of card seen by owner\nsetup { put all cards on deck, shuffled   deal 10 from deck to every hand }\n"
        "play { P2 must choose c from P2's hand   show c to all   P1 must name n from 0..1 }\nwinner = players with most size of its hand, "
        "then shared\n";
    const auto machine = machine_of(parse_rules("many", {text}), {4, {}});
    const auto run = make_run(machine);
    const Events events = played_at_random(*run, 5, 41);  // forty deals and a choice
    const View view = view_of(*machine, head_of(*machine, std::nullopt), events, 0);
    DeductionLimits limits;
    limits.states = 400;
    Deduction deduction(machine, 0, limits);
    REQUIRE(deduction.see(view.events) == Fit::fits);
    const Knowledge& known = deduction.knowledge();
    for (const Limit& l : known.limits) UNSCOPED_INFO(houserule::text(l));
    REQUIRE(known.method == Method::exact);
    // The 49 cards that P1 did not see: 9 more in P2's hand, 10 each in two hands, and a deck of 20.
    Integer worlds = 1;
    int left = 49;
    for (const int n : {9, 10, 10})
        for (int i = 1; i <= n; ++i) worlds = worlds * left-- / i;
    REQUIRE(known.worlds);
    CHECK(*known.worlds == worlds);
    for (const HiddenThing& thing : known.things) {
        int even = 0;
        for (const Possibility& p : thing.values) {
            if (p.possible == Answer::yes && p.certain == Answer::no) {
                const Value open = thing.size == 10 && std::any_of(thing.values.begin(), thing.values.end(),
                                                                   [](const Possibility& q) { return q.certain == Answer::yes; })
                                       ? 9
                                       : thing.size;
                CHECK(p.share() == Rational(open, 49));
                ++even;
            }
        }
        CHECK(even == 49);
    }
}

TEST_CASE("deduction: with few states the numbers are the same", "[deduction]") {
    const std::uint64_t seed = Catch::rngSeed();
    int fewer = 0;
    for (const auto& [name, players] : std::vector<std::pair<std::string, int>>{{"hearts", 4},
                                                                                {"crazy_eights", 2},
                                                                                {"cogito", 3},
                                                                                {"jiji", 3},
                                                                                {"go_fish", 2},
                                                                                {"old_maid", 2},
                                                                                {"euchre", 4},
                                                                                {"golf", 2},
                                                                                {"oh_hell", 3}}) {
        const auto machine = machine_of(read_rules(rules_file(name)), {players, {}});
        const auto run = make_run(machine);
        for (std::uint64_t i = 0; i < 6; ++i) {
            const Events events = played_at_random(*run, seed + i, 1 + (seed + i * 11) % 40);
            const int seat = static_cast<int>(i) % players;
            INFO(name << ", seed " << seed + i << ", P" << seat + 1);
            compare_with_few_states(machine, view_of(*machine, head_of(*machine, std::nullopt), events, seat), fewer);
        }
    }
    CHECK(fewer > 5);
}
