#include "tests/bench/estimates.hpp"

#include "solver/deduce/deduction.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

namespace houserule::bench {

namespace {

constexpr double held_least = 0.93;
constexpr double half_width_most = 0.05;
constexpr double rounding = 1e-9;

double used_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Intervals of shares that neither deciding nor looking settles.
struct Intervals {
    int counted = 0;    // positions
    int estimated = 0;  // of those
    int held = 0;
    std::vector<double> half_widths;
    double seconds = 0;
    double worst_misses = 0;  // by how many half-widths the truth was missed, at most
    std::string worst;

    void add(const Intervals& other) {
        counted += other.counted, estimated += other.estimated, held += other.held, seconds += other.seconds;
        half_widths.insert(half_widths.end(), other.half_widths.begin(), other.half_widths.end());
        if (other.worst_misses > worst_misses) worst_misses = other.worst_misses, worst = other.worst;
    }
    double median() {
        if (half_widths.empty()) return 0;
        std::sort(half_widths.begin(), half_widths.end());
        return half_widths[half_widths.size() / 2];
    }
    double share_held() const { return half_widths.empty() ? 1 : static_cast<double>(held) / static_cast<double>(half_widths.size()); }
};

void compare(const Knowledge& exact, const Knowledge& estimated, const std::string& where, Intervals& all) {
    for (const HiddenThing& thing : exact.things) {
        const auto same = std::find_if(estimated.things.begin(), estimated.things.end(), [&](const HiddenThing& t) {
            return t.place == thing.place && t.fact == thing.fact && t.index == thing.index;
        });
        if (same == estimated.things.end()) continue;
        for (const Possibility& truth : thing.values) {
            const auto p = std::find_if(same->values.begin(), same->values.end(),
                                        [&](const Possibility& other) { return other.value == truth.value; });
            if (p == same->values.end() || truth.possible == Answer::no || truth.certain == Answer::yes) continue;
            const double missed = std::abs(p->share().convert_to<double>() - truth.share().convert_to<double>());
            all.half_widths.push_back(p->error);
            if (missed <= p->error + rounding) ++all.held;
            const double times = missed / (p->error + rounding);
            if (times > all.worst_misses) all.worst_misses = times, all.worst = where;
        }
    }
}

void measure(const std::shared_ptr<const Machine>& machine, const std::string& name, std::uint64_t seed, std::uint64_t work,
             Intervals& all) {
    const View view = position(machine, seed);
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds::max();
    limits.work = work;
    Deduction counted(machine, view.seat, limits);
    if (counted.see(view.events) != Fit::fits || counted.knowledge().method != Method::exact || counted.knowledge().things.empty()) return;
    ++all.counted;
    limits.states = 1;
    const double begun = used_s();
    Deduction estimated(machine, view.seat, limits);
    const bool fits = estimated.see(view.events) == Fit::fits && estimated.knowledge().method == Method::sampled;
    all.seconds += used_s() - begun;
    if (!fits) return;
    ++all.estimated;
    compare(counted.knowledge(), estimated.knowledge(), fmt::format("{} {} seed {} P{}", name, machine->game.players, seed, view.seat + 1),
            all);
}

void print(const std::string& name, Intervals& i) {
    fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9.1f} {:>9.4f} {:>9.1f} {:>9.2f}  {}\n", name, i.counted, i.estimated, i.half_widths.size(),
               100 * i.share_held(), i.median(), i.worst_misses, i.counted == 0 ? 0 : i.seconds / i.counted, i.worst);
    std::fflush(stdout);
}

}  // namespace

int measure_estimates(const EstimateBench& bench) {
    fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "game", "counted", "estimated", "intervals", "held %", "median +-",
               "worst x", "s each");
    Intervals all;
    for (const auto& path : shipped_games()) {
        const std::string name = path.stem().string();
        if (!bench.only.empty() && name != bench.only) continue;
        const auto [low, high] = player_counts(path);
        Intervals own;
        for (int p = 0; p < bench.positions; ++p) {
            const auto machine = machine_of(path, low + p % (high - low + 1));
            if (!machine) return 2;
            measure(machine, name, bench.seed + static_cast<std::uint64_t>(p), bench.work, own);
        }
        print(name, own);
        all.add(own);
    }
    print("all", all);
    fmt::print(
        "Shares that are neither 0 nor 1, on positions that were counted: intervals that hold the true share, their median half-width,\n"
        "and the worst miss in half-widths. At least {:.0f} % are to hold it, the median is to be at most {}.\n",
        100 * held_least, half_width_most);
    return all.share_held() >= held_least && all.median() <= half_width_most ? 0 : 1;
}

}  // namespace houserule::bench
