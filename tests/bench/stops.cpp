#include "tests/bench/stops.hpp"

#include "solver/deduce/deduction.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace houserule::bench {

namespace fs = std::filesystem;

namespace {

// Where following ended, of all positions.
struct Stopped {
    int positions = 0;
    std::map<std::string, std::vector<std::string>> at;  // by the sentence of the limit
};

void follow(const std::shared_ptr<const Machine>& machine, const std::string& name, std::uint64_t seed, Stopped& all) {
    const View view = position(machine, seed);
    DeductionLimits limits;
    limits.time = std::chrono::milliseconds::max();
    Deduction deduction(machine, view.seat, limits);
    ++all.positions;
    if (deduction.see(view.events) != Fit::unknown) return;
    const std::size_t reached = std::min(deduction.blocked(), view.events.size());
    all.at[deduction.problem()].push_back(
        fmt::format("{} {} seed {} P{}: {} of {} events", name, machine->game.players, seed, view.seat + 1, reached, view.events.size()));
}

}  // namespace

int measure_stops(const StopsBench& bench) {
    std::vector<fs::path> files = shipped_games();
    for (const char* folder : {"strangers", "compatible/rules", "naive"})
        for (const auto& entry : fs::directory_iterator(games_folder().parent_path() / "tests" / folder))
            if (entry.path().extension() == ".rules") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Stopped all;
    for (const fs::path& file : files) {
        const auto [low, high] = player_counts(file);
        const std::string name = fs::relative(file, games_folder().parent_path()).replace_extension().string();
        for (int p = 0; p < bench.positions; ++p)
            if (const auto machine = machine_of(file, low + p % (high - low + 1)))
                follow(machine, name, bench.seed + static_cast<std::uint64_t>(p), all);
    }
    std::vector<std::pair<std::string, std::vector<std::string>>> limits(all.at.begin(), all.at.end());
    std::stable_sort(limits.begin(), limits.end(), [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    std::size_t stopped = 0;
    for (const auto& [limit, where] : limits) {
        stopped += where.size();
        fmt::print("{:>4}  {}\n", where.size(), limit);
        for (const std::string& position : where) fmt::print("        {}\n", position);
    }
    fmt::print("{} of {} positions of {} games are followed to their end.\n", all.positions - static_cast<int>(stopped), all.positions,
               files.size());
    return 0;
}

}  // namespace houserule::bench
