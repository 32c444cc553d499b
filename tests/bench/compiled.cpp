#include "tests/bench/compiled.hpp"

#include "interpreter/compiled/compiler.hpp"
#include "interpreter/run/run.hpp"
#include "tests/bench/by_hand/by_hand.hpp"
#include "tests/bench/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>

namespace houserule::bench {

namespace {

constexpr double slice_s = 0.1;

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// One of the two sides: games a second in its fastest slice, and a number that tells what the games came to.
struct Side {
    std::uint64_t seed = 0;
    std::uint64_t sum = 0;
    double best = 0;
    std::uint64_t games = 0;
    Tally tally;

    template <class PlayOne>
    void slice(std::uint64_t more, PlayOne play_one) {
        const double start = processor_s();
        for (std::uint64_t i = 0; i < more; ++i) {
            Random random(seed++);
            sum += play_one(random, tally);
        }
        games += more;
        best = std::max(best, static_cast<double>(more) / std::max(1e-6, processor_s() - start));
    }
    double decisions_s() const { return best * tally.decisions / games; }
};

std::uint64_t interpreted(Run& run, Random& random, Tally& tally) {
    run.start();
    play_random(run, random, tally);
    std::uint64_t sum = run.winning_seats(random);
    const Game& game = run.machine().game;
    for (std::int32_t p = 0; game.score != no_id && p < game.players; ++p) sum += static_cast<std::uint64_t>(run.score_of(p)) << 20;
    return sum;
}

struct Sides {
    Side plain;
    Side fast;
    Side hand;  // written by hand, if there is such a game
    double compile_s = 0;
};

std::uint64_t compiled(CompiledRun& fast, Run& run, const std::shared_ptr<const Machine>& machine, Random& random, Tally& tally) {
    if (fast.play(random, tally, file_odds, nullptr) != compiled_over) return interpreted(run, random, tally);
    const CompiledResult* const came = fast.result();
    static const CompiledResult nothing;
    const CompiledResult& result = came == nullptr ? nothing : *came;
    std::uint64_t sum = result.winners;
    for (std::int32_t p = 0; machine->game.score != no_id && p < machine->game.players; ++p)
        sum += static_cast<std::uint64_t>(result.scores[p]) << 20;
    return sum;
}

std::uint64_t written(HandGame play, const Machine& machine, Random& random, Tally& tally) {
    HandTally own;
    const HandResult result = play(random, own);
    tally.options += own.options;
    std::uint64_t sum = result.winners;
    for (std::int32_t p = 0; machine.game.score != no_id && p < machine.game.players; ++p)
        sum += static_cast<std::uint64_t>(result.scores[p]) << 20;
    return sum;
}

bool measure_sides(const std::shared_ptr<const Machine>& machine, HandGame hand, double limit_s, Sides& sides) {
    timespec start{};
    clock_gettime(CLOCK_MONOTONIC, &start);
    const CompilerSetting setting = compiler_setting();
    const Compiled made = compile(emit(machine), setting, nullptr);
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    sides.compile_s = static_cast<double>(end.tv_sec - start.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - start.tv_nsec);
    if (made.games.empty()) return false;
    const auto run = make_run(machine);
    CompiledRun fast(made.game(), machine);
    for (Side* side : {&sides.plain, &sides.fast}) {
        side->tally.steps.assign(machine->code.size(), 0);
        side->tally.taken.assign(machine->code.size(), 0);
    }
    const auto plain_game = [&](Random& random, Tally& tally) { return interpreted(*run, random, tally); };
    const auto fast_game = [&](Random& random, Tally& tally) { return compiled(fast, *run, machine, random, tally); };
    const auto hand_game = [&](Random& random, Tally& tally) { return written(hand, *machine, random, tally); };
    sides.plain.slice(100, plain_game);
    sides.fast.slice(100, fast_game);
    if (hand != nullptr) sides.hand.slice(100, hand_game);
    const auto games = static_cast<std::uint64_t>(std::max(100.0, sides.plain.best * slice_s));
    for (const double start_s = processor_s(); processor_s() - start_s < limit_s;) {
        sides.plain.slice(games, plain_game);
        sides.fast.slice(games, fast_game);
        if (hand != nullptr) sides.hand.slice(games, hand_game);
    }
    return true;
}

bool same_totals(const Side& a, const Side& b) { return a.sum == b.sum && a.tally.options == b.tally.options; }

// How near the others come to games written by hand: of a game for several numbers of players, the mean of those.
class HandRatios {
public:
    // As columns of the game's row.
    std::string add(const std::string& game, const Sides& sides) {
        const double compiled = sides.fast.best / sides.hand.best;
        const double interpreted = sides.plain.best / sides.hand.best;
        Logs& logs = of_[game];
        logs.compiled += std::log(compiled);
        logs.interpreted += std::log(interpreted);
        ++logs.rows;
        return fmt::format("  {:>12.0f} {:>9.2f} {:>12.3f}", sides.hand.best, compiled, interpreted);
    }
    void print() const {
        if (of_.empty()) return;
        double compiled = 0;
        double interpreted = 0;
        const double games = of_.size();
        for (const auto& [game, logs] : of_) {
            compiled += logs.compiled / logs.rows / games;
            interpreted += logs.interpreted / logs.rows / games;
        }
        fmt::print("of games written by hand, geometric mean: compiled {:.2f}, interpreted {:.3f}\n", std::exp(compiled),
                   std::exp(interpreted));
    }

private:
    struct Logs {
        double compiled = 0;
        double interpreted = 0;
        int rows = 0;
    };
    std::map<std::string, Logs> of_;
};

}  // namespace

int measure_compiled(const std::vector<std::filesystem::path>& files, double limit_s) {
    fmt::print("{:<16} {:>2}  {:>12} {:>12} {:>6} {:>12}  {:>9}  {:>12} {:>9} {:>12}\n", "game", "n", "interpreted/s", "compiled/s", "x",
               "decisions/s", "compile s", "by hand/s", "compiled", "interpreted");
    double product = 0;
    int rows = 0;
    HandRatios ratios;
    bool same = true;
    for (const auto& file : files) {
        const std::string name = file.stem().string();
        const auto [low, high] = player_counts(file);
        for (int players = low; players <= high; ++players) {
            const HandGame hand = by_hand(name, players);
            if (players > low && hand == nullptr) continue;
            const auto machine = machine_of(file, players);
            Sides sides;
            if (machine == nullptr || !measure_sides(machine, hand, limit_s, sides)) {
                fmt::print("{:<16} {:>2}  not compiled\n", name, players);
                continue;
            }
            const double times = sides.fast.best / sides.plain.best;
            const bool equal = same_totals(sides.plain, sides.fast) && (hand == nullptr || same_totals(sides.plain, sides.hand));
            same = same && equal;
            fmt::print("{:<16} {:>2}  {:>12.0f} {:>12.0f} {:>6.2f} {:>12.0f}  {:>9.2f}{}{}\n", name, players, sides.plain.best,
                       sides.fast.best, times, sides.fast.decisions_s(), sides.compile_s, hand == nullptr ? "" : ratios.add(name, sides),
                       equal ? "" : "  NOT EQUAL");
            std::fflush(stdout);
            if (players > low) continue;
            product += std::log(times);
            ++rows;
        }
    }
    if (rows > 0) fmt::print("geometric mean {:.2f}\n", std::exp(product / rows));
    ratios.print();
    return same ? 0 : 1;
}

}  // namespace houserule::bench
