#include "tests/bench/decided.hpp"

#include "solver/deduce/deduction.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace houserule::bench {

namespace {

constexpr std::size_t worst_shown = 10;
constexpr double soon_s = 1;
constexpr double late_s = 10;

// Of this process: others on the same machine do not count.
double used_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Measured {
    std::string where;  // game, players, seed, seat
    bool followed = false;
    bool decided = false;
    bool exact = false;
    double decided_s = 0;
    double all_s = 0;  // with counting
};

Measured measure(const std::shared_ptr<const Machine>& machine, const std::string& name, std::uint64_t seed) {
    const View view = position(machine, seed);
    Measured m;
    m.where = fmt::format("{} {} seed {} P{} ({} events)", name, machine->game.players, seed, view.seat + 1, view.events.size());
    DeductionLimits limits;
    limits.time = std::chrono::seconds(60);
    Deduction deduction(machine, view.seat, limits);
    m.followed = deduction.see(view.events) == Fit::fits;
    if (!m.followed) return m;
    deduction.finish_by(Deadline::in(std::chrono::milliseconds(static_cast<int>(late_s * 1000)), nullptr));
    const double begun = used_s();
    const Knowledge& known = deduction.knowledge();
    m.decided_s = m.all_s = used_s() - begun;
    m.exact = known.method == Method::exact;
    m.decided = std::none_of(known.limits.begin(), known.limits.end(),
                             [](const Limit& limit) { return limit.kind == LimitKind::possible_not_decided; });
    return m;
}

double share(const std::vector<Measured>& of, bool (*holds)(const Measured&)) {
    return of.empty() ? 0 : static_cast<double>(std::count_if(of.begin(), of.end(), holds)) / static_cast<double>(of.size());
}

struct Row {
    double followed = 0;
    double soon = 0;
    double late = 0;
    double exact = 0;
    double median_ms = 0;

    void add(const Row& other) {
        followed += other.followed, soon += other.soon, late += other.late, exact += other.exact, median_ms += other.median_ms;
    }
};

Row row_of(const std::vector<Measured>& all) {
    std::vector<Measured> followed;
    std::copy_if(all.begin(), all.end(), std::back_inserter(followed), [](const Measured& m) { return m.followed; });
    Row row;
    row.followed = share(all, [](const Measured& m) { return m.followed; });
    row.soon = share(followed, [](const Measured& m) { return m.decided && m.decided_s <= soon_s; });
    row.late = share(followed, [](const Measured& m) { return m.decided && m.decided_s <= late_s; });
    row.exact = share(followed, [](const Measured& m) { return m.exact; });
    std::vector<double> times;
    for (const Measured& m : followed) times.push_back(m.decided_s * 1000);
    std::sort(times.begin(), times.end());
    if (!times.empty()) row.median_ms = times[times.size() / 2];
    return row;
}

void print(const std::string& name, std::size_t positions, const Row& row, double games) {
    fmt::print("{:<16} {:>5}  {:>8.1f}%  {:>9.1f}%  {:>9.1f}%  {:>6.1f}%  {:>9.1f}\n", name, positions, 100 * row.followed / games,
               100 * row.soon / games, 100 * row.late / games, 100 * row.exact / games, row.median_ms / games);
    std::fflush(stdout);
}

}  // namespace

int measure_decided(const DecidedBench& bench) {
    fmt::print("{:<16} {:>5}  {:>9}  {:>10}  {:>10}  {:>7}  {:>9}\n", "game", "n", "followed", "in 1 s", "in 10 s", "exact", "median ms");
    Row all;
    std::vector<Measured> measured;
    int games = 0;
    for (const auto& path : shipped_games()) {
        const std::string name = path.stem().string();
        if (!bench.only.empty() && name != bench.only) continue;
        const auto [low, high] = player_counts(path);
        std::vector<Measured> own;
        for (int p = 0; p < bench.positions; ++p) {
            const auto machine = machine_of(path, low + p % (high - low + 1));
            if (!machine) return 2;
            own.push_back(measure(machine, name, bench.seed + static_cast<std::uint64_t>(p)));
        }
        const Row row = row_of(own);
        print(name, own.size(), row, 1);
        all.add(row);
        ++games;
        measured.insert(measured.end(), own.begin(), own.end());
    }
    if (games > 0) print("all, equal weight", measured.size(), all, games);
    fmt::print("CPU seconds after the log was followed; of what was followed. The worst:\n");
    std::erase_if(measured, [](const Measured& m) { return !m.followed; });
    std::stable_sort(measured.begin(), measured.end(), [](const Measured& a, const Measured& b) {
        return std::pair(a.decided, -a.decided_s) < std::pair(b.decided, -b.decided_s);
    });
    for (std::size_t i = 0; i < std::min(worst_shown, measured.size()); ++i)
        fmt::print("  {:>8.3f} s  {}{}\n", measured[i].decided_s, measured[i].where, measured[i].decided ? "" : "  NOT DECIDED");
    return 0;
}

}  // namespace houserule::bench
