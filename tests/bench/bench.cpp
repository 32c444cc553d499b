// Speed of random play: decisions and games a second, time to load, memory. One core.
//
//   houserule_bench [--seconds S] [NAME…]   games of the source tree's games/ by name (cogito), or paths of rules files
//   houserule_bench --hints [POSITIONS]     what a player can know: time, and beside other ways to count
//   houserule_bench --decided [POSITIONS] [NAME] [SEED]   how soon it is decided what can be, in every game, and the worst positions
//   houserule_bench --estimates [POSITIONS] [WORK] [NAME]   how often the intervals of estimated shares hold the true ones
//   houserule_bench --stops [POSITIONS]     what ends following before a log's end, in all games of the tree
//   houserule_bench --compiled [NAME…]      the same games compiled, beside the interpreter
//   houserule_bench --trace [NAME…]         no times: a number a game that tells whether two builds play the same games
#include "interpreter/machine/machine.hpp"
#include "interpreter/run/run.hpp"
#include "tests/bench/compiled.hpp"
#include "tests/bench/decided.hpp"
#include "tests/bench/estimates.hpp"
#include "tests/bench/hints.hpp"
#include "tests/bench/positions.hpp"
#include "tests/bench/stops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace {

using namespace houserule;
namespace fs = std::filesystem;

// Of this process: others on the same machine do not count.
double now_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_memory_kb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void mix(std::uint64_t& hash, std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL ^ hash >> 29; }

// What 1000 games came to: where all pieces lie, all facts, how many were asked.
std::uint64_t trace(const std::shared_ptr<const Machine>& machine) {
    const auto run = make_run(machine);
    const Game& game = machine->game;
    std::uint64_t hash = 1;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Random random(seed);
        Tally tally;
        run->start();
        play_random(*run, random, tally);
        for (PlaceId place = 0; place < game.places; ++place) {
            mix(hash, 1000);
            for (const KindId kind : run->kinds_at(place)) mix(hash, static_cast<std::uint64_t>(kind));
        }
        for (const FactId f : game.facts.ids())
            for (std::int32_t i = 0; i < game.facts[f].count; ++i) mix(hash, static_cast<std::uint64_t>(run->fact(f, i)));
        for (const std::uint64_t n : {tally.decisions, tally.options, tally.chances, tally.windows}) mix(hash, n);
        mix(hash, static_cast<std::uint64_t>(run->ended().value()));
        mix(hash, static_cast<std::uint64_t>(run->node().kind));
    }
    return hash;
}

void measure(const std::string& name, int players, const std::shared_ptr<const Machine>& machine, double load_s, double limit_s) {
    const auto run = make_run(machine);
    Tally tally;
    Tally warm;
    Random random(1);
    std::uint64_t games = 0;
    std::uint64_t failed = 0;
    for (int i = 0; i < 200; ++i) {
        run->start();
        play_random(*run, random, warm);
    }
    // Slices of a tenth of a second, and the fastest of them: whatever else runs on the machine only slows down.
    double best_decisions = 0;
    double best_games = 0;
    for (double used_s = 0; used_s < limit_s;) {
        const double start_s = now_s();
        const std::uint64_t decisions_before = tally.decisions;
        const std::uint64_t games_before = games;
        double slice_s = 0;
        while (slice_s < 0.1) {
            for (int i = 0; i < 100; ++i) {
                run->start();
                play_random(*run, random, tally);
                failed += run->node().kind == NodeKind::failed ? 1 : 0;
                ++games;
            }
            slice_s = now_s() - start_s;
        }
        used_s += slice_s;
        best_decisions = std::max(best_decisions, static_cast<double>(tally.decisions - decisions_before) / slice_s);
        best_games = std::max(best_games, static_cast<double>(games - games_before) / slice_s);
    }
    const auto per_game = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(games); };
    fmt::print("{:<16} {:>2}  {:>12.0f} {:>10.0f}  {:>9.1f} {:>8.1f} {:>8.1f}  {:>8.2f} {:>8} {:>8}{}\n", name, players, best_decisions,
               best_games, per_game(tally.decisions), per_game(tally.chances), per_game(tally.windows), load_s * 1000, run->state().size(),
               peak_memory_kb() / 1024, failed == 0 ? "" : fmt::format("  {} failed", failed));
}

}  // namespace

int main(int argc, char** argv) {
    bool tracing = false;
    bool compiling = false;
    double limit_s = 1;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--hints") {
            bench::HintBench hints;
            if (i + 1 < argc) hints.positions = std::atoi(argv[++i]);
            return bench::measure_hints(hints);
        }
        if (word == "--decided") {
            bench::DecidedBench decided;
            if (i + 1 < argc) decided.positions = std::atoi(argv[++i]);
            if (i + 1 < argc && std::atoi(argv[i + 1]) == 0) decided.only = argv[++i];
            if (i + 1 < argc) decided.seed = std::strtoull(argv[++i], nullptr, 10);
            return bench::measure_decided(decided);
        }
        if (word == "--estimates") {
            bench::EstimateBench estimates;
            if (i + 1 < argc) estimates.positions = std::atoi(argv[++i]);
            if (i + 1 < argc) estimates.work = std::strtoull(argv[++i], nullptr, 10);
            if (i + 1 < argc) estimates.only = argv[++i];
            return bench::measure_estimates(estimates);
        }
        if (word == "--stops") {
            bench::StopsBench stops;
            if (i + 1 < argc) stops.positions = std::atoi(argv[++i]);
            if (i + 1 < argc) stops.seed = std::strtoull(argv[++i], nullptr, 10);
            return bench::measure_stops(stops);
        }
        if (word == "--trace")
            tracing = true;
        else if (word == "--compiled")
            compiling = true;
        else if (word == "--seconds" && i + 1 < argc)
            limit_s = std::atof(argv[++i]);
        else
            files.emplace_back(fs::exists(word) && fs::is_regular_file(word) ? fs::path(word) : bench::games_folder() / (word + ".rules"));
    }
    if (files.empty()) files = bench::shipped_games();
    std::sort(files.begin(), files.end());
    if (compiling) return bench::measure_compiled(files, limit_s);
    if (!tracing)
        fmt::print("{:<16} {:>2}  {:>12} {:>10}  {:>9} {:>8} {:>8}  {:>8} {:>8} {:>8}\n", "game", "n", "decisions/s", "games/s", "per game",
                   "chances", "passes", "load ms", "state B", "peak MB");
    for (const fs::path& file : files) {
        const auto [low, high] = bench::player_counts(file);
        for (int players = low; players <= high; ++players) {
            const double start_s = now_s();
            const auto machine = bench::machine_of(file, players);
            const double load_s = now_s() - start_s;
            if (machine == nullptr) {
                fmt::print(stderr, "{}: not a game for {} players\n", file.string(), players);
                return 2;
            }
            if (tracing)
                fmt::print("{} {} {:016x}\n", file.stem().string(), players, trace(machine));
            else
                measure(file.stem().string(), players, machine, load_s, limit_s);
            std::fflush(stdout);
        }
    }
    return 0;
}
