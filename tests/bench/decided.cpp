#include "tests/bench/decided.hpp"

#include "solver/deduce/deduction.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <string>
#include <utility>
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
    bool wrong = false;  // what was decided is not what was counted
    double followed_s = 0;
    double decided_s = 0;
    double counted_s = 0;
    double reasons_s = 0;
    int reasons = 0;  // values that cannot be at a place with one card
    int reasons_found = 0;
    int irreducible = 0;
};

bool is_decided(const Knowledge& known) {
    return std::all_of(known.things.begin(), known.things.end(), [](const HiddenThing& thing) {
        return std::all_of(thing.values.begin(), thing.values.end(), [](const Possibility& p) { return p.is_decided(); });
    });
}

// Whether counting contradicts what was decided before. A fact's values that were counted as impossible are no longer listed.
bool contradicts(const Knowledge& before, const Knowledge& counted) {
    for (std::size_t t = 0; t < counted.things.size(); ++t) {
        for (const Possibility& p : before.things[t].values) {
            const auto& now = counted.things[t].values;
            const auto same = std::find_if(now.begin(), now.end(), [&](const Possibility& q) { return q.value == p.value; });
            const Answer possible = same == now.end() ? Answer::no : same->possible;
            if (p.is_decided() && p.possible != possible) return true;
            if (same != now.end() && p.certain != Answer::unknown && p.certain != same->certain) return true;
        }
    }
    return false;
}

void find_reasons(Deduction& deduction, const Knowledge& known, Measured& m) {
    const double begun = used_s();
    for (const HiddenThing& thing : known.things) {
        if (thing.is_fact || thing.size != 1) continue;
        for (const Possibility& p : thing.values) {
            if (p.possible != Answer::no) continue;
            const WhyNot why = deduction.why_not(thing.place, KindId(p.value));
            const bool found = why.answer == Answer::no && why.found;
            ++m.reasons;
            m.reasons_found += found ? 1 : 0;
            m.irreducible += found && why.irreducible ? 1 : 0;
        }
    }
    m.reasons_s = used_s() - begun;
}

Measured measure(const std::shared_ptr<const Machine>& machine, const std::string& name, std::uint64_t seed) {
    const View view = position(machine, seed);
    Measured m;
    m.where = fmt::format("{} {} seed {} P{} ({} events)", name, machine->game.players, seed, view.seat + 1, view.events.size());
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds::max();
    limits.samples = 0;
    double begun = used_s();
    const auto step = [&] {
        const double now = used_s();
        return now - std::exchange(begun, now);
    };
    Deduction deduction(machine, view.seat, limits);
    m.followed = deduction.see(view.events) == Fit::fits;
    m.followed_s = step();
    if (!m.followed) return m;
    const Knowledge before = deduction.possibilities();
    m.decided_s = step();
    m.decided = is_decided(before);
    const Knowledge& known = deduction.knowledge();
    m.counted_s = step();
    m.exact = known.method == Method::exact;
    m.wrong = m.exact && contradicts(before, known);
    find_reasons(deduction, known, m);
    return m;
}

double share(const std::vector<Measured>& of, bool (*holds)(const Measured&)) {
    return of.empty() ? 0 : static_cast<double>(std::count_if(of.begin(), of.end(), holds)) / static_cast<double>(of.size());
}

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

double quantile(const std::vector<Measured>& of, double Measured::*what, double q) {
    std::vector<double> values;
    for (const Measured& m : of) values.push_back(m.*what);
    return quantile(std::move(values), q);
}

// Of one game, or the means over games.
struct Row {
    std::vector<double> columns;

    void add(const Row& other) {
        columns.resize(other.columns.size(), 0);
        for (std::size_t c = 0; c < columns.size(); ++c) columns[c] += other.columns[c];
    }
};

Row row_of(const std::vector<Measured>& all) {
    std::vector<Measured> followed;
    std::copy_if(all.begin(), all.end(), std::back_inserter(followed), [](const Measured& m) { return m.followed; });
    int reasons = 0;
    int found = 0;
    int irreducible = 0;
    for (const Measured& m : followed) reasons += m.reasons, found += m.reasons_found, irreducible += m.irreducible;
    const auto percent = [&](int n) { return reasons == 0 ? 100 : 100.0 * n / reasons; };
    return {{100 * share(all, [](const Measured& m) { return m.followed; }), quantile(followed, &Measured::followed_s, 1) * 1000,
             100 * share(followed, [](const Measured& m) { return m.decided && m.decided_s <= soon_s; }),
             100 * share(followed, [](const Measured& m) { return m.decided && m.decided_s <= late_s; }),
             quantile(followed, &Measured::decided_s, 0.5) * 1000, quantile(followed, &Measured::decided_s, 1) * 1000,
             100 * share(followed, [](const Measured& m) { return m.exact; }), quantile(followed, &Measured::counted_s, 1) * 1000,
             percent(found), percent(irreducible), quantile(followed, &Measured::reasons_s, 1) * 1000}};
}

void print(const std::string& name, std::size_t positions, const Row& row, double games) {
    fmt::print("{:<16} {:>4}", name, positions);
    for (const double c : row.columns) fmt::print(" {:>9.1f}", c / games);
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int measure_decided(const DecidedBench& bench) {
    fmt::print("{:<16} {:>4}", "game", "n");
    for (const char* column : {"followed%", "worst ms", "in 1 s %", "in 10 s %", "median ms", "worst ms", "exact %", "worst ms",
                               "reasons %", "irreduc.%", "worst ms"})
        fmt::print(" {:>9}", column);
    fmt::print("\n");
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
    if (games > 0) print("mean of games", measured.size(), all, games);
    fmt::print("CPU time: following the log, deciding after that, counting after that, reasons after that. The worst to decide:\n");
    std::erase_if(measured, [](const Measured& m) { return !m.followed; });
    std::stable_sort(measured.begin(), measured.end(), [](const Measured& a, const Measured& b) {
        return std::pair(a.decided, -a.decided_s) < std::pair(b.decided, -b.decided_s);
    });
    const auto wrong = std::count_if(measured.begin(), measured.end(), [](const Measured& m) { return m.wrong; });
    for (std::size_t i = 0; i < std::min(worst_shown, measured.size()); ++i)
        fmt::print("  {:>8.3f} s  {}{}\n", measured[i].decided_s, measured[i].where, measured[i].decided ? "" : "  NOT DECIDED");
    for (const Measured& m : measured)
        if (m.wrong) fmt::print("DECIDED OTHERWISE THAN COUNTED: {}\n", m.where);
    return wrong == 0 ? 0 : 1;
}

}  // namespace houserule::bench
