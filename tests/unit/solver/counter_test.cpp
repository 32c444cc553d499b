// The counter against trying everything, and thinned counts against whole ones.
#include "solver/count/counter.hpp"
#include "interpreter/run/run.hpp"
#include "solver/count/count_order.hpp"
#include "solver/terms/valuation.hpp"
#include "tests/support/tally.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

using namespace houserule;

namespace {

struct Model {
    std::unique_ptr<Formulas> formulas = std::make_unique<Formulas>();
    CountModel model;
    std::vector<int> values;  // by unknown: how many
};

// Blocks of unknowns, bounds within a block, conditions across, sums over blocks and factors of both kinds.
Model random_model(Random& random, std::size_t blocks, std::size_t each) {
    Model m;
    for (std::size_t b = 0; b < blocks; ++b) {
        for (std::size_t i = 0; i < each; ++i) {
            m.values.push_back(2 + static_cast<int>(random.below(2)));
            m.model.unknowns.emplace_back(KindId(b), m.formulas->unknown("u", m.values.back()));
        }
    }
    const auto leaf = [&](std::size_t u) {
        return m.formulas->among(static_cast<std::int32_t>(u), 1 + random.below((1U << m.values[u]) - 1));
    };
    const auto clause = [&](std::size_t a, std::size_t b) { return m.formulas->any(std::vector<Truth>{leaf(a), leaf(b)}); };
    const std::size_t n = m.values.size();
    for (std::size_t b = 0; b < blocks; ++b) m.model.conditions.push_back(clause(b * each, b * each + each - 1));
    for (int i = 0; i < 2; ++i) m.model.conditions.push_back(clause(random.below(n), random.below(n)));
    for (std::size_t s = 0; s < 2; ++s) {
        Sum sum;
        for (std::size_t b = 0; b < blocks; ++b) sum.unknowns.push_back(static_cast<std::int32_t>(b * each + s));
        sum.total = static_cast<Value>(blocks) / 2;
        m.model.sums.push_back(sum);
    }
    for (std::size_t i = 0; i < 3; ++i) m.model.factors.push_back({clause(random.below(n), random.below(n)), 2 + i});
    return m;
}

// By the values of all unknowns: what they weigh.
std::map<std::vector<int>, std::uint64_t> all_of(const Model& m) {
    std::map<std::vector<int>, std::uint64_t> all;
    std::vector<int> values(m.values.size(), 0);
    Valuation valuation(*m.formulas, values);
    for (;; valuation.forget()) {
        std::uint64_t weight = 1;
        for (const Truth t : m.model.conditions) weight *= valuation.holds(t) ? 1 : 0;
        for (const Sum& sum : m.model.sums) {
            Value total = 0;
            for (const std::int32_t u : sum.unknowns) total += values[u];
            weight *= total == sum.total ? 1 : 0;
        }
        for (const Factor& f : m.model.factors) weight *= valuation.holds(f.when) ? f.times : 1;
        if (weight != 0) all[values] = weight;
        std::size_t u = 0;
        while (u < values.size() && ++values[u] == m.values[u]) values[u++] = 0;
        if (u == values.size()) return all;
    }
}

}  // namespace

TEST_CASE("counter: totals, shares and assignments are those of trying everything", "[counter]") {
    Random random(Catch::rngSeed());
    int possible = 0;
    for (int i = 0; i < 60; ++i) {
        testing::random_samples();
        Model m = random_model(random, 3, 3);
        const auto all = all_of(m);
        std::uint64_t total = 0;
        for (const auto& [values, weight] : all) total += weight;
        possible += total > 0 ? 1 : 0;
        // Block by block, and with every unknown in a block of its own.
        for (const bool apart : {false, true}) {
            CountModel model = m.model;
            for (std::size_t u = 0; apart && u < model.unknowns.size(); ++u) model.unknowns[u].first = KindId(u);
            Counter counter(*m.formulas, model);
            REQUIRE(counter.finished());
            CHECK(counter.total() == total);
            std::map<std::vector<int>, std::uint64_t> found;
            REQUIRE(counter.each_assignment(100'000, [&](const Counter::Assignment& assignment, const Integer& weight) {
                std::vector<int> values(m.values.size(), 0);
                for (const auto& [u, v] : assignment) values[u] = v;
                found[values] += weight.convert_to<std::uint64_t>();
            }));
            CHECK(found == all);
        }
    }
    CHECK(possible > 10);
}

TEST_CASE("counter: thinned totals are right on average", "[counter]") {
    Random random(Catch::rngSeed());
    int thinned_models = 0;
    for (int i = 0; i < 6; ++i) {
        Model m = random_model(random, 5, 3);
        Counter whole(*m.formulas, m.model);
        REQUIRE(whole.finished());
        if (whole.total() == 0) continue;
        constexpr int trials = 600;
        double sum = 0;
        double squares = 0;
        for (int t = 0; t < trials; ++t) {
            testing::random_samples();
            Counter thin(*m.formulas, m.model, {}, BeamSampling{3, &random});
            REQUIRE(thin.finished());
            const auto total = static_cast<double>(thin.total());
            sum += total;
            squares += total * total;
        }
        const double mean = sum / trials;
        const double error = std::sqrt(std::max(0.0, squares / trials - mean * mean) / trials);
        thinned_models += error > 0 ? 1 : 0;
        INFO("whole " << whole.total() << ", mean " << mean << ", error " << error);
        CHECK(std::abs(mean - static_cast<double>(whole.total())) <= 6 * error + 1e-6);
    }
    CHECK(thinned_models > 0);
}

TEST_CASE("counter: a limit is told, and then there is no total", "[counter]") {
    Random random(1);
    Model m = random_model(random, 5, 3);
    Counter few(*m.formulas, m.model, {2, {}});
    CHECK(few.problem() == Limit{LimitKind::too_many_states, 2});
    CHECK(few.total() == 0);
    Counter late(*m.formulas, m.model, {1000, Deadline(Deadline::Clock::now() - std::chrono::seconds(1), nullptr)});
    CHECK(late.problem() == Limit{LimitKind::out_of_time});
}

TEST_CASE("counter: the kinds that may add to a sum follow from the other sums, and come together", "[counter]") {
    Formulas formulas;
    CountModel model;
    const auto unknown = [&](KindId kind) {
        const std::int32_t u = formulas.unknown("u", 2);
        model.unknowns.emplace_back(kind, u);
        return u;
    };
    std::vector<std::int32_t> even;
    std::vector<std::int32_t> odd;
    std::vector<std::int32_t> both;
    for (KindId kind = 0; kind < 6; ++kind) {
        (kind % 2 == 0 ? even : odd).push_back(unknown(kind));
        if (kind == 0 || kind == 3) both.push_back(unknown(kind));
    }
    model.sums = {{even, 1}, {odd, 1}, {both, 2}};
    // Kind 0 adds to `both`, as must kind 3: then it adds to nothing else, and nothing more is missing of `both`.
    model.conditions = {formulas.any(std::vector<Truth>{formulas.is(both[0], 0), formulas.is(even[0], 0)})};
    const Counter counter(formulas, model);
    CHECK(counter.total() == 6);
    const std::vector<std::vector<KindId>> kinds = counter.kinds_of_sums();
    CHECK(kinds == std::vector<std::vector<KindId>>{{2, 4}, {1, 3, 5}, {}});
    KindPlaces places(7);
    for (std::size_t p = 0; p < places.size(); ++p) places[p] = p;
    places = places_of_sums(formulas, model, kinds, places);
    const auto length = [&](const std::vector<std::size_t>& of) {
        const auto [low, high] = std::minmax_element(of.begin(), of.end(), [&](auto a, auto b) { return places[a] < places[b]; });
        return places[*high] - places[*low];
    };
    CHECK(length({3, 5}) == 1);
    CHECK(length({2, 4, 6}) <= 4);
}
