// Estimates of shares, for when the counter does not finish and no walk over histories (walks.cpp) can begin: from counts over sampled
// beams.
//
// Each estimate counts with few states in a layer, kept at random and weighed by the inverse of the probability of being kept
// (`BeamSampling`), so that the total and every part of it are unbiased. A share is the sum of the parts over the sum of the totals: a
// ratio of unbiased estimates, itself biased by less than its error. The error is half of Student's 95 % interval of the independent
// estimates. A share that was 0 or 1 in all of them has the error of an event that never happened in that many trials.
#include "solver/deduce/deduction_impl.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace houserule {

namespace {

constexpr std::size_t estimates_least = 6;   // fewer say nothing about how they differ
constexpr std::size_t thinned_states = 500;  // a layer: an estimate takes some tenths of a second
constexpr std::size_t drawn_each = 32;       // histories, for players and for what moves tell

// All of them are made or none: a few would say less than they cost. So they may take more than is left.
constexpr std::uint64_t least_for_estimates = 100'000;
constexpr std::uint64_t work_a_sampled_state = 10;

// Student's t for 95 %, two-sided, by degrees of freedom from 5 on.
double student(std::size_t degrees) {
    constexpr std::array<double, 11> t{2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
    return t[std::min(degrees - 5, t.size() - 1)];
}

// What one estimate gave, by thing and value: the part with at least one copy.
struct Estimate {
    double total = 0;
    std::vector<std::vector<double>> parts;
};

std::vector<std::vector<double>> parts_of(const Knowledge& k) {
    std::vector<std::vector<double>> parts;
    for (const HiddenThing& thing : k.things) {
        parts.emplace_back();
        for (const Possibility& p : thing.values) parts.back().push_back(p.weight().convert_to<double>());
    }
    return parts;
}

double error_of(const std::vector<Estimate>& estimates, std::size_t thing, std::size_t value) {
    const double n = estimates.size();
    double part = 0;
    double total = 0;
    for (const Estimate& e : estimates) part += e.parts[thing][value], total += e.total;
    const double share = part / total;
    if (part == 0 || part == total) return std::min(1.0, 3 / n);  // the rule of three
    double squares = 0;
    for (const Estimate& e : estimates) squares += std::pow((e.parts[thing][value] - share * e.total) / total, 2);
    return std::min(1.0, student(estimates.size() - 1) * std::sqrt(squares * n / (n - 1)));
}

}  // namespace

// Some histories of one estimate, which together weigh as much as it does.
bool Deduction::Impl::draw_pool(const std::vector<std::unique_ptr<Counter>>& counters, double total, Random& random) {
    std::vector<double> weights;
    for (std::size_t w = 0; w < paths.size(); ++w)
        weights.push_back(Rational(paths[w].each * Rational(counters[w]->total())).convert_to<double>());
    const auto pick = [&](const Integer& n) { return random_below(random, n); };
    for (std::size_t i = 0; i < drawn_each; ++i) {
        double at_path = total * random.below(std::uint64_t{1} << 53) / 0x1p53;
        std::size_t w = 0;
        while (w + 1 < paths.size() && at_path >= weights[w]) at_path -= weights[w++];
        if (counters[w]->total() == 0) continue;
        pool.emplace_back(history(paths[w], counters[w]->sample(pick)), total / drawn_each);
    }
    return true;
}

// Walks over histories; where no history was found to begin at, thinned counts.
bool Deduction::Impl::estimate(Knowledge& k, std::uint64_t most, const Deadline& until) {
    if (limits.samples == 0) return false;
    if (k.things.empty()) return !is_loose() && thin_out(k, until);
    Knowledge walked = k;
    if (walk(walked, most, until)) {
        k = std::move(walked);
        return true;
    }
    return !is_loose() && thin_out(k, until);
}

bool Deduction::Impl::thin_out(Knowledge& k, const Deadline& until) {
    Random random(1);
    std::vector<Estimate> estimates;
    Knowledge all = k;
    clear_shares(all, true);
    const std::vector<Asked> asked = asked_of(k);
    Limit problem;
    // One estimate of all paths; false when it hit a limit.
    const auto make = [&] {
        std::vector<std::unique_ptr<Counter>> counters;
        Knowledge own = k;
        clear_shares(own, true);
        Rational total = 0;
        for (Path& path : paths) {
            counters.push_back(std::make_unique<Counter>(terms().formulas(), model_of(path, path.order),
                                                         CountLimits{CountLimits{}.states, until}, BeamSampling{thinned_states, &random}));
            Counter& counter = *counters.back();
            work.spend((counter.states() + 1) * work_a_sampled_state);
            if (!counter.finished()) return problem = counter.problem(), false;
            total += path.each * Rational(counter.total());
            for (const Asked& a : asked) {
                const auto shares = counter.shares(terms(), numbers_of(k, path, a));
                if (!shares) return problem = counter.share_problem(), false;
                for (const auto& [combination, weight] : *shares) add_share(own, a, combination, path.each * Rational(weight));
            }
        }
        estimates.push_back({static_cast<double>(total), parts_of(own)});
        all.weight += total;
        for (std::size_t t = 0; t < all.things.size(); ++t)
            for (std::size_t v = 0; v < all.things[t].values.size(); ++v)
                for (std::size_t n = 0; n < all.things[t].values[v].weights.size(); ++n)
                    all.things[t].values[v].weights[n] += own.things[t].values[v].weights[n];
        return total == 0 || draw_pool(counters, static_cast<double>(total), random);
    };
    if (work.left() < least_for_estimates) problem = {LimitKind::out_of_work};
    while (estimates.size() < limits.samples && !problem.hit() && make()) {
    }
    const auto useful =
        static_cast<std::size_t>(std::count_if(estimates.begin(), estimates.end(), [](const Estimate& e) { return e.total > 0; }));
    if (useful < estimates_least) {
        pool.clear();
        if (limits.samples > 0) k.limits.push_back(because(LimitKind::not_sampled, problem));
        return false;
    }
    k.things = std::move(all.things);
    k.samples = estimates.size();
    for (std::size_t t = 0; t < k.things.size(); ++t)
        for (std::size_t v = 0; v < k.things[t].values.size(); ++v) k.things[t].values[v].error = error_of(estimates, t, v);
    return true;
}

}  // namespace houserule
