#include "interpreter/app/simulation/games.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/compiled/compiled_game.hpp"
#include "interpreter/log/log.hpp"
#include "solver/players/rollouts.hpp"
#include "solver/validate/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <filesystem>
#include <mutex>

#include <unistd.h>

namespace houserule::cli {

// One step of splitmix64 from the seed on, `game` steps ahead.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t game) { return splitmix(seed + (game + 1) * golden_step); }

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {

constexpr std::uint64_t block = 32;  // games that a thread takes at a time
constexpr int looks_unshown = 4;     // a fifth of a second: what is over by then needs no line of progress

void note_kinds(const Run& run, std::vector<std::uint8_t>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), 0) == kinds.end()) return;
    const std::vector<KindId>& piece_kind = run.machine().game.piece_kind;
    for (std::size_t piece = 0; piece < piece_kind.size(); ++piece)
        if (run.place_of(piece) != 0) kinds[piece_kind[piece]] = 1;
}

bool are_several(std::uint64_t winners) { return (winners & (winners - 1)) != 0; }

// The winners as bits, by seat.
void note_winners(const Game& game, std::uint64_t winners, Totals& totals) {
    const std::uint64_t share = are_several(winners) ? win_parts / std::popcount(winners) : win_parts;
    for (std::uint64_t rest = winners; rest != 0; rest &= rest - 1) totals.wins[std::countr_zero(rest)] += share;
    std::uint64_t teams = 0;  // of the winners
    for (std::size_t p = 0; p < game.team.size(); ++p)
        if ((winners >> p & 1) != 0) teams |= std::uint64_t{1} << game.team[p];
    bool whole = !game.team.empty();
    for (std::size_t p = 0; p < game.team.size(); ++p) whole = whole && (winners >> p & 1) == (teams >> game.team[p] & 1);
    if (whole) ++totals.by_teams;
}

void note_game(Run& run, Random& random, std::uint64_t game, Totals& totals) {
    ++totals.games;
    Seats winners = no_seats;
    std::array<std::int32_t, 8 * sizeof(Seats)> scores{};
    const Game& g = run.machine().game;
    if (run.node().kind != NodeKind::failed) {
        winners = run.winning_seats(random);
        for (std::int32_t p = 0; g.score != no_id && p < g.players; ++p) scores[p] = run.score_of(p);
    }
    // A promise may also break when it is reckoned who has won.
    if (run.failure().kind != FailureKind::none) {
        FailureCount& f = totals.failed[{run.failure().kind, spot(run.failure().span)}];
        if (f.count++ == 0) f.first = game, f.failure = run.failure();
        return;
    }
    ++totals.ends[run.ended()];
    note_winners(g, winners, totals);
    for (std::int32_t p = 0; g.score != no_id && p < g.players; ++p) totals.scores[p] += scores[p];
    note_kinds(run, totals.kinds);
}

// The same for a game that was compiled. `run` is there to look at it.
void note_compiled_game(CompiledRun& compiled, Run& run, Random& random, std::uint64_t game, Totals& totals) {
    const CompiledResult* const result = compiled.result();
    if (result == nullptr || std::find(totals.kinds.begin(), totals.kinds.end(), 0) != totals.kinds.end()) run.set_state(compiled.state());
    if (result == nullptr) {
        run.advance();
        return note_game(run, random, game, totals);
    }
    ++totals.games;
    ++totals.ends[compiled.ended()];
    const Game& g = run.machine().game;
    std::uint64_t winners = result->winners;
    if (are_several(winners) && g.winner.present && g.winner.set != no_id && g.winner.last == LastWord::by_lot) {
        for (std::uint64_t others = random.below(std::popcount(winners)); others > 0; --others) winners &= winners - 1;
        winners &= ~winners + 1;
    }
    note_winners(g, winners, totals);
    if (g.score != no_id)
        for (std::int32_t p = 0; p < g.players; ++p) totals.scores[p] += result->scores[p];
    note_kinds(run, totals.kinds);
}

// The players of one thread; nobody when all play at random, which the run does faster by itself.
class Table {
public:
    Table(const Plan& plan, Random& random, const SimulateEngine& engine) {
        if (plan.deducing == 0) return;
        random_ = make_random_player(plan.machine, random, plan.volunteer);
        for (int p = 0; p < plan.machine->game.players; ++p) {
            const bool deduces = (plan.deducing >> p & 1) != 0;
            deducing_.push_back(deduces ? std::make_unique<DeducingPlayer>(plan.machine, p, 0, plan.limits) : nullptr);
            if (deduces) deducing_.back()->compiled_by([&engine] { return engine.game(); });
            players_.push_back(deduces ? deducing_.back().get() : random_.get());
        }
    }
    void play(Run& run, Random& random, std::uint64_t seed, const Plan& plan, const Events& events, Tally& tally) {
        if (players_.empty()) return play_random(run, random, tally, plan.volunteer);
        for (std::size_t p = 0; p < deducing_.size(); ++p)
            if (deducing_[p]) deducing_[p]->reseed(seed_of(seed, p));
        play_with(run, players_, random, events, tally, &stop());
    }
    void count(Totals& totals) const {
        for (std::size_t p = 0; p < deducing_.size(); ++p) {
            if (!deducing_[p]) continue;
            totals.deducing[p] = deducing_[p]->counts();
            totals.rollouts += deducing_[p]->rollouts().interpreted();
            totals.compiled_rollouts += deducing_[p]->rollouts().compiled();
        }
    }

private:
    std::unique_ptr<Player> random_;
    std::vector<std::unique_ptr<DeducingPlayer>> deducing_;
    std::vector<Player*> players_;
};

// Hands out the games to the threads.
class Feed {
public:
    explicit Feed(const Plan& plan) : plan_(plan) {
        if (!plan.ranges) left_ = {plan.first, plan.end};
    }

    // Up to so many; none when all are handed out.
    GameRange take(std::uint64_t games) {
        const std::lock_guard lock(mutex_);
        if (left_.first == left_.end && plan_.ranges) left_ = plan_.ranges();
        const GameRange taken{left_.first, std::min(left_.first + std::min(games, left_.end - left_.first), left_.end)};
        left_.first = taken.end;
        return taken;
    }

private:
    const Plan& plan_;
    std::mutex mutex_;
    GameRange left_;
};

// What the threads share.
struct Common {
    Feed feed;
    std::atomic<std::uint64_t> done{0};  // a thread adds a block at a time: games can be shorter than it takes to add one
    std::atomic<bool> unwritten{false};  // a log could not be written
    SimulateEngine& engine;
};

// Somebody wanted no more before it came to an end.
bool is_left_off(const Run& run) {
    const NodeKind kind = run.node().kind;
    return (kind != NodeKind::over && kind != NodeKind::failed) || is_stopped(run);
}

// A game of players who deduce may be left off at any time: it counts when it is over.
void play_one(const Plan& plan, Table& table, Run& run, Random& random, std::uint64_t seed, const Events& events, Tally& tally) {
    if (plan.deducing == 0) return table.play(run, random, seed, plan, events, tally);
    Tally own = nothing_yet(*plan.machine).tally;
    table.play(run, random, seed, plan, events, own);
    if (!is_left_off(run)) add(tally, own);
}

// The random games of one thread, compiled from the moment at which that is possible.
class RandomGames {
public:
    RandomGames(const Plan& plan, Common& common) : plan_(plan), common_(common) {}

    // Plays one game and notes it. False if it is the interpreter's.
    bool play(Run& run, Random& random, std::uint64_t game, Totals& totals) {
        if (plan_.deducing != 0 || !plan_.logs.empty()) return false;
        if (compiled_ == nullptr) {
            const auto found = common_.engine.game();
            if (found == nullptr) return false;
            compiled_ = std::make_unique<CompiledRun>(found, plan_.machine);
        }
        const CompiledEnd end = compiled_->play(random, totals.tally, plan_.volunteer, &houserule::cli::stop());
        if (end == compiled_handed) return false;
        if (end == compiled_stopped) return left_off_ = true;
        note_compiled_game(*compiled_, run, random, game, totals);
        ++totals.compiled;
        return true;
    }
    bool is_left_off() const { return left_off_; }
    void add_reached(Store<StepId, std::uint8_t>& reached) const {
        for (std::size_t i = 0; compiled_ != nullptr && i < reached.size(); ++i) reached[i] |= compiled_->reached()[i];
    }

private:
    const Plan& plan_;
    Common& common_;
    std::unique_ptr<CompiledRun> compiled_;
    bool left_off_ = false;
};

// Plays on until no block is left or somebody wants to stop.
void play_blocks(const Plan& plan, const Globals& g, const std::stop_token& halt, Common& common, Totals& totals) {
    const auto stop = [&] { return halt.stop_requested() || common.unwritten; };
    const auto run = make_run(plan.machine);
    run->stop_on(&houserule::cli::stop());
    Events events;
    if (!plan.logs.empty() || plan.deducing != 0) run->record(&events);
    Random random(0);
    Table table(plan, random, common.engine);
    RandomGames games(plan, common);
    const std::uint64_t at_a_time = plan.deducing != 0 ? 1 : block;
    for (GameRange games_at_hand = common.feed.take(at_a_time); games_at_hand.first < games_at_hand.end && !stop();
         games_at_hand = common.feed.take(at_a_time)) {
        const std::uint64_t before = totals.games;
        for (std::uint64_t i = games_at_hand.first; i < games_at_hand.end && !stop(); ++i) {
            const std::uint64_t seed = seed_of(plan.seed, i);
            random = Random(seed);
            if (games.play(*run, random, i, totals)) {
                if (games.is_left_off()) break;
                continue;
            }
            events.clear();
            run->start();
            play_one(plan, table, *run, random, seed, events, totals.tally);
            if (is_left_off(*run)) break;
            note_game(*run, random, i, totals);
            if (plan.logs.empty()) continue;
            const std::string path = (std::filesystem::path(plan.logs) / fmt::format("{:06}.log", i)).string();
            if (!write_file(path, log_text(*plan.machine, head_of(*plan.machine, seed), events), g)) common.unwritten = true;
        }
        common.done += totals.games - before;
    }
    totals.reached.assign(run->reached().begin(), run->reached().end());
    games.add_reached(totals.reached);
    table.count(totals);
}

}  // namespace

std::optional<Totals> play_all(const Plan& plan, int threads, SimulateEngine& engine, const Globals& g) {
    std::vector<Totals> parts(threads, nothing_yet(*plan.machine));
    Common common{.feed = Feed(plan), .engine = engine};
    const std::uint64_t games = (plan.end - plan.first) / plan.processes;
    const auto start = std::chrono::steady_clock::now();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    int looks = 0;
    const auto go_on = [&] {
        const std::uint64_t done = std::min<std::uint64_t>(common.done, games);
        engine.look(plan.played_before + done, plan.played_before + games + plan.still_to_come, plan.seconds_before + seconds_since(start));
        if (plan.meanwhile) plan.meanwhile();
        if (terminal && ++looks > looks_unshown) show_progress(fmt::format("{} / {} {} ", common.done, games, say(g, Text::games)));
        return !interrupted();
    };
    work_together(
        static_cast<unsigned>(threads), [&](unsigned k, const std::stop_token& halt) { play_blocks(plan, g, halt, common, parts[k]); },
        go_on);
    if (looks > looks_unshown) show_progress("");
    if (common.unwritten && !interrupted()) return std::nullopt;
    Totals all = nothing_yet(*plan.machine);
    for (const Totals& part : parts) add(all, part);
    return all;
}

}  // namespace houserule::cli
