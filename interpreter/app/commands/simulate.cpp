// `houserule simulate`: many games of random or better players, and what they came to.
//
// Game i is played with a seed made of the given seed and i, and all that is added up are whole numbers: the result is the same for
// any number of threads.
#include "dsl/text/hash.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/app/commands/commands.hpp"
#include "interpreter/app/commands/simulate_engine.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/compiled/compiled_game.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/machine/never.hpp"
#include "interpreter/players/player.hpp"
#include "solver/players/deducing_player.hpp"
#include "solver/validate/workers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

#include <unistd.h>

namespace houserule::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t block = 32;        // games that a thread takes at a time
constexpr std::uint64_t win_parts = 2520;  // a win shared by up to ten players is a whole number of parts
constexpr int looks_unshown = 4;           // a fifth of a second: what is over by then needs no line of progress
constexpr double confident = 1.959964;     // standard deviations: 95 %

// A place in the rules: the source and the byte.
using Spot = std::pair<std::uint16_t, std::uint32_t>;
Spot spot(Span span) { return {span.source, span.begin}; }

struct FailureCount {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  // the game
    Failure failure;          // in that game
};

// All that is known of the games so far.
struct Totals {
    Tally tally;
    std::uint64_t games = 0;
    std::vector<std::uint64_t> wins;                              // by seat, in parts
    std::vector<std::int64_t> scores;                             // by seat
    std::map<EndId, std::uint64_t> ends;                          // none: played to the end
    std::map<std::pair<FailureKind, Spot>, FailureCount> failed;  // what, and where
    Store<StepId, std::uint8_t> reached;
    std::vector<std::uint8_t> kinds;     // by kind: was in some zone when a game was over
    std::vector<PlayerCounts> deducing;  // by seat
    std::uint64_t compiled = 0;          // games that were not interpreted
};

Totals nothing_yet(const Machine& m) {
    Totals t;
    t.tally.steps.assign(m.code.size(), 0);
    t.tally.taken.assign(m.code.size(), 0);
    t.wins.assign(m.game.players, 0);
    t.scores.assign(m.game.players, 0);
    t.reached.assign(m.code.size(), 0);
    t.kinds.assign(m.game.kinds.size(), 0);
    t.deducing.resize(m.game.players);
    return t;
}

template <typename T, typename U>
void add_all(std::vector<T>& to, const std::vector<U>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(to[i] + from[i]);
}

void add(Tally& to, const Tally& from) {
    to.decisions += from.decisions;
    to.options += from.options;
    to.forced += from.forced;
    to.chances += from.chances;
    to.windows += from.windows;
    add_all(to.steps, from.steps);
    add_all(to.taken, from.taken);
}

void add(Totals& to, const Totals& from) {
    add(to.tally, from.tally);
    to.games += from.games;
    add_all(to.wins, from.wins);
    add_all(to.scores, from.scores);
    for (const auto& [end, n] : from.ends) to.ends[end] += n;
    for (const auto& [what, f] : from.failed) {
        FailureCount& sum = to.failed[what];
        if (sum.count == 0 || f.first < sum.first) sum.first = f.first, sum.failure = f.failure;
        sum.count += f.count;
    }
    for (std::size_t i = 0; i < to.reached.size(); ++i) to.reached[i] |= from.reached[i];
    for (std::size_t i = 0; i < to.kinds.size(); ++i) to.kinds[i] |= from.kinds[i];
    for (std::size_t p = 0; p < to.deducing.size(); ++p) {
        to.deducing[p].decisions += from.deducing[p].decisions;
        to.deducing[p].at_random += from.deducing[p].at_random;
    }
}

// One step of splitmix64 from the seed on, `game` steps ahead.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t game) { return splitmix(seed + (game + 1) * golden_step); }

void note_kinds(const Run& run, std::vector<std::uint8_t>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), 0) == kinds.end()) return;
    const std::vector<KindId>& piece_kind = run.machine().game.piece_kind;
    for (std::size_t piece = 0; piece < piece_kind.size(); ++piece)
        if (run.place_of(piece) != 0) kinds[piece_kind[piece]] = 1;
}

void note_game(Run& run, Random& random, std::uint64_t game, Totals& totals) {
    ++totals.games;
    if (run.node().kind == NodeKind::failed) {
        FailureCount& f = totals.failed[{run.failure().kind, spot(run.failure().span)}];
        if (f.count++ == 0) f.first = game, f.failure = run.failure();
        return;
    }
    ++totals.ends[run.ended()];
    const std::vector<std::int32_t> winners = run.winners(random);
    for (const std::int32_t p : winners) totals.wins[p] += win_parts / winners.size();
    const std::vector<std::int32_t> scores = run.scores();
    for (std::size_t p = 0; p < scores.size(); ++p) totals.scores[p] += scores[p];
    note_kinds(run, totals.kinds);
}

// The same for a game that was compiled. `run` is there to look at it.
void note_compiled_game(const CompiledRun& compiled, Run& run, Random& random, std::uint64_t game, Totals& totals) {
    const std::optional<CompiledResult> result = compiled.result();
    if (!result || std::find(totals.kinds.begin(), totals.kinds.end(), 0) != totals.kinds.end()) run.set_state(compiled.state());
    if (!result) {
        run.advance();
        return note_game(run, random, game, totals);
    }
    ++totals.games;
    ++totals.ends[compiled.ended()];
    const Game& g = run.machine().game;
    std::uint64_t winners = result->winners;
    int count = std::popcount(winners);
    if (count > 1 && g.winner.present && g.winner.set != no_id && g.winner.last == LastWord::by_lot) {
        for (std::uint64_t others = random.below(count); others > 0; --others) winners &= winners - 1;
        winners &= ~winners + 1;
        count = 1;
    }
    for (; winners != 0; winners &= winners - 1) totals.wins[std::countr_zero(winners)] += win_parts / count;
    if (g.score != no_id)
        for (std::int32_t p = 0; p < g.players; ++p) totals.scores[p] += result->scores[p];
    note_kinds(run, totals.kinds);
}

struct Plan {
    std::shared_ptr<const Machine> machine;
    std::uint64_t games = 0;
    std::uint64_t seed = 0;
    std::int64_t volunteer = file_odds;
    std::string logs;
    Seats deducing = 0;
    PlayerLimits limits;
};

// The players of one thread; nobody when all play at random, which the run does faster by itself.
class Table {
public:
    Table(const Plan& plan, Random& random) {
        if (plan.deducing == 0) return;
        random_ = make_random_player(plan.machine, random, plan.volunteer);
        for (int p = 0; p < plan.machine->game.players; ++p) {
            const bool deduces = (plan.deducing >> p & 1) != 0;
            deducing_.push_back(deduces ? std::make_unique<DeducingPlayer>(plan.machine, p, 0, plan.limits) : nullptr);
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
        for (std::size_t p = 0; p < deducing_.size(); ++p)
            if (deducing_[p]) totals.deducing[p] = deducing_[p]->counts();
    }

private:
    std::unique_ptr<Player> random_;
    std::vector<std::unique_ptr<DeducingPlayer>> deducing_;
    std::vector<Player*> players_;
};

// What the threads share.
struct Common {
    std::atomic<std::uint64_t> next{0};  // game
    std::atomic<std::uint64_t> done{0};
    std::atomic<bool> unwritten{false};      // a log could not be written
    std::atomic<std::uint64_t> compiled{0};  // games that were not interpreted
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
        if (compiled_ == nullptr) {
            const auto found = common_.engine.game();
            if (found == nullptr) return false;
            compiled_ = std::make_unique<CompiledRun>(found, plan_.machine);
        }
        const CompiledEnd end = compiled_->play(random, totals.tally, plan_.volunteer, &houserule::cli::stop());
        if (end == compiled_handed) return false;
        if (end == compiled_stopped) return left_off_ = true;
        note_compiled_game(*compiled_, run, random, game, totals);
        ++common_.compiled;
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
    Table table(plan, random);
    RandomGames games(plan, common);
    const std::uint64_t at_a_time = plan.deducing != 0 ? 1 : block;
    for (std::uint64_t first = common.next.fetch_add(at_a_time); first < plan.games && !stop(); first = common.next.fetch_add(at_a_time)) {
        const std::uint64_t end = std::min(first + at_a_time, plan.games);
        for (std::uint64_t i = first; i < end && !stop(); ++i) {
            const std::uint64_t seed = seed_of(plan.seed, i);
            random = Random(seed);
            if (games.play(*run, random, i, totals)) {
                if (games.is_left_off()) break;
                ++common.done;
                continue;
            }
            events.clear();
            run->start();
            play_one(plan, table, *run, random, seed, events, totals.tally);
            if (is_left_off(*run)) break;
            note_game(*run, random, i, totals);
            ++common.done;
            if (plan.logs.empty()) continue;
            const std::string path = (std::filesystem::path(plan.logs) / fmt::format("{:06}.log", i)).string();
            if (!write_file(path, log_text(*plan.machine, head_of(*plan.machine, seed), events), g)) common.unwritten = true;
        }
    }
    totals.reached.assign(run->reached().begin(), run->reached().end());
    games.add_reached(totals.reached);
    table.count(totals);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void show_progress(const Globals& g, std::uint64_t done, std::uint64_t games) {
    err(fmt::format("\r{} / {} {} ", done, games, say(g, Text::games)));
}

// Nothing when a log could not be written.
std::optional<Totals> play_all(const Plan& plan, int threads, SimulateEngine& engine, const Globals& g) {
    std::vector<Totals> parts(threads, nothing_yet(*plan.machine));
    Common common{.engine = engine};
    const auto start = std::chrono::steady_clock::now();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    int looks = 0;
    const auto go_on = [&] {
        engine.look(common.done, plan.games, seconds_since(start));
        if (terminal && ++looks > looks_unshown) show_progress(g, common.done, plan.games);
        return !interrupted();
    };
    work_together(
        static_cast<unsigned>(threads), [&](unsigned k, const std::stop_token& halt) { play_blocks(plan, g, halt, common, parts[k]); },
        go_on);
    if (looks > looks_unshown) err("\r\x1b[K");
    if (common.unwritten && !interrupted()) return std::nullopt;
    Totals all = nothing_yet(*plan.machine);
    for (const Totals& part : parts) add(all, part);
    all.compiled = common.compiled;
    return all;
}

// ---- what is said of it

struct Share {
    double share = 0;
    double low = 0;
    double high = 0;
};

// Wilson's interval for a share of n games.
Share wilson(double share, std::uint64_t games) {
    if (games == 0) return {0, 0, 1};
    const double n = games;
    const double z2 = confident * confident;
    const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = confident / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return {share, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

struct Never {
    std::vector<std::string> rules;
    std::vector<std::string> cases;  // FILE:LINE
    std::vector<std::string> ends;
    std::vector<std::string> kinds;
    bool empty() const { return rules.empty() && cases.empty() && ends.empty() && kinds.empty(); }
};

struct SimulateReport {
    const Machine& machine;
    const Loaded& loaded;
    const SimulateArgs& args;
    const Globals& g;
    const Totals& totals;
    Seats deducing = 0;
    double seconds = 0;

    std::string language() const { return code_of(g.language); }
    std::string name(const std::string& identifier) const { return args.json ? identifier : label(machine.game, identifier, language()); }
    std::uint64_t finished() const {
        std::uint64_t n = 0;
        for (const auto& [end, count] : totals.ends) n += count;
        return n;
    }
    std::uint64_t decisions() const { return totals.tally.decisions + totals.tally.forced; }
    double per_game(std::uint64_t n) const { return totals.games == 0 ? 0 : ratio(n, totals.games); }
    std::string where(Spot at) const {
        const Source& source = loaded.sources[at.first];
        return fmt::format("{}:{}", source.name(), source.line_of(at.second));
    }
    std::string where(const Failure& f) const {
        const Source& source = loaded.sources[f.span.source];
        return fmt::format("{}:{}", source.name(), lines_of(f, source));
    }
};

std::string end_name(const SimulateReport& r, EndId end) {
    return end == no_id ? (r.args.json ? "finished" : say(r.g, Text::finished)) : r.name(r.machine.game.ends[end].name);
}

// Acts and offers by their names, choices by the name of what is chosen and the rule.
std::string step_title(const SimulateReport& r, const Step& s) {
    const Game& game = r.machine.game;
    if (s.op == Op::window) return r.name(game.acts[s.a].name);
    if (s.op == Op::ask) return r.name(game.words[s.a]);
    if (s.op != Op::choose) return "";
    const std::string& chosen = game.variables[s.a].name;
    return s.rule == no_id ? chosen : fmt::format("{}: {}", r.name(game.rules[s.rule].name), chosen);
}

std::vector<std::pair<std::string, std::uint64_t>> acts_of(const SimulateReport& r) {
    std::vector<std::pair<std::string, std::uint64_t>> acts;
    for (std::size_t i = 0; i < r.machine.code.size(); ++i) {
        const std::string title = step_title(r, r.machine.code[i]);
        if (title.empty()) continue;
        const auto found = std::find_if(acts.begin(), acts.end(), [&](const auto& a) { return a.first == title; });
        if (found == acts.end())
            acts.emplace_back(title, r.totals.tally.taken[i]);
        else
            found->second += r.totals.tally.taken[i];
    }
    return acts;
}

Never never_of(const SimulateReport& r) {
    const Machine& m = r.machine;
    Never never;
    const NeverReached reached = never_reached(m, r.totals.reached);
    for (const RuleId rule : reached.rules) never.rules.push_back(r.name(m.game.rules[rule].name));
    for (const CameUp::Place& c : reached.cases) never.cases.push_back(r.where(spot(c.span)));
    for (const EndId end : reached.ends) never.ends.push_back(r.name(m.game.ends[end].name));
    for (std::size_t k = 0; k < m.game.kinds.size(); ++k) {
        const Type type{Base::kind, Base::nothing, m.game.kinds[k].family, 0, 0, 1, false};
        if (r.finished() != 0 && r.totals.kinds[k] == 0 && m.game.kinds[k].copies > 0)
            never.kinds.push_back(value_name(m.game, type, k, r.args.json ? "" : r.language()));
    }
    return never;
}

std::vector<Share> shares_of(const SimulateReport& r) {
    std::vector<Share> shares;
    for (const std::uint64_t parts : r.totals.wins)
        shares.push_back(wilson(r.finished() == 0 ? 0 : ratio(parts, win_parts) / r.finished(), r.finished()));
    return shares;
}

std::vector<double> average_scores(const SimulateReport& r) {
    std::vector<double> averages;
    const Game& game = r.machine.game;
    if (game.score == no_id || r.finished() == 0) return averages;
    const double scale = std::max(1, game.expressions[game.score].type.scale);
    for (const std::int64_t sum : r.totals.scores) averages.push_back(sum / scale / r.finished());
    return averages;
}

// Possibilities a decision.
double branching(const SimulateReport& r) {
    const Tally& t = r.totals.tally;
    return r.decisions() == 0 ? 0 : ratio(t.options + t.forced, r.decisions());
}

std::string json_of(const SimulateReport& r) {
    const auto rounded = [](double v) { return std::round(v * 1e6) / 1e6; };
    Json j;
    j["game"] = r.machine.game.name;
    j["players"] = r.machine.game.players;
    j["seed"] = r.args.seed;
    j["settings"] = Json::object();
    for (const OptionValue& o : r.machine.game.options) j["settings"][o.name] = o.value;
    j["games"] = r.totals.games;
    j["interrupted"] = interrupted();
    j["games_per_s"] = std::round(r.totals.games / r.seconds);
    j["decisions_per_s"] = std::round(r.decisions() / r.seconds);
    j["decisions_per_game"] = rounded(r.per_game(r.decisions()));
    j["forced_per_game"] = rounded(r.per_game(r.totals.tally.forced));
    j["branching"] = rounded(branching(r));
    j["win_share"] = Json::array();
    for (const Share& s : shares_of(r))
        j["win_share"].push_back({{"share", rounded(s.share)}, {"low", rounded(s.low)}, {"high", rounded(s.high)}});
    if (const auto averages = average_scores(r); !averages.empty()) {
        j["average_scores"] = Json::array();
        for (const double a : averages) j["average_scores"].push_back(rounded(a));
    }
    if (r.deducing != 0) {
        j["think_ms"] = r.args.think_ms;
        j["deducing"] = Json::array();
        for (std::size_t p = 0; p < r.totals.deducing.size(); ++p)
            if ((r.deducing >> p & 1) != 0)
                j["deducing"].push_back(
                    {{"seat", p + 1}, {"decisions", r.totals.deducing[p].decisions}, {"at_random", r.totals.deducing[p].at_random}});
    }
    j["ends"] = Json::object();
    for (const auto& [end, n] : r.totals.ends) j["ends"][end_name(r, end)] = n;
    j["acts"] = Json::object();
    for (const auto& [title, n] : acts_of(r)) j["acts"][title] = rounded(r.per_game(n));
    const Never never = never_of(r);
    j["never"] = {{"rules", never.rules}, {"cases", never.cases}, {"ends", never.ends}, {"kinds", never.kinds}};
    j["failed"] = Json::array();
    for (const auto& [what, f] : r.totals.failed)
        j["failed"].push_back({{"what", text(r.machine.game, f.failure)},
                               {"at", r.where(what.second)},
                               {"count", f.count},
                               {"game", f.first},
                               {"seed", seed_of(r.args.seed, f.first)}});
    return j.dump(2) + "\n";
}

void list(std::string& text, const SimulateReport& r, const TextRow<1>& row, const std::vector<std::string>& names) {
    if (!names.empty()) text += say(r.g, row, fmt::format("{}", fmt::join(names, ", ")));
}

std::string text_of(const SimulateReport& r) {
    const Globals& g = r.g;
    std::string text =
        fmt::format("{}, {} {}: {} {}, {} {}\n", r.name(r.machine.game.name), r.machine.game.players, say(g, Text::players), r.totals.games,
                    r.deducing != 0 ? say(g, Text::games) : say(g, Text::random_games), say(g, Text::seed), r.args.seed);
    for (const OptionValue& o : r.machine.game.options) text += fmt::format("  {} = {}\n", r.name(o.name), o.value);
    text += fmt::format("{}: {:.0f} {}, {:.0f} {}\n", say(g, Text::speed), r.totals.games / r.seconds, say(g, Text::games_per_second),
                        r.decisions() / r.seconds, say(g, Text::decisions_per_second));
    text += say(g, Text::decisions_per_game, fmt::format("{:.2f}", r.per_game(r.decisions())),
                fmt::format("{:.2f}", r.per_game(r.totals.tally.forced)), fmt::format("{:.2f}", branching(r)));
    text += fmt::format("{}\n", say(g, Text::wins));
    const auto shares = shares_of(r);
    const auto averages = average_scores(r);
    for (std::size_t p = 0; p < shares.size(); ++p) {
        text += fmt::format("  P{} {:5.1f} % ({:.1f} - {:.1f})", p + 1, shares[p].share * 100, shares[p].low * 100, shares[p].high * 100);
        if (!averages.empty()) text += fmt::format("  {} {:.2f}", say(g, Text::score), averages[p]);
        if ((r.deducing >> p & 1) != 0) {
            const PlayerCounts& c = r.totals.deducing[p];
            text += say(g, Text::deduced_decisions, c.decisions, c.at_random);
        }
        text += "\n";
    }
    text += fmt::format("{}\n", say(g, Text::ends));
    for (const auto& [end, n] : r.totals.ends) text += fmt::format("  {} {}\n", end_name(r, end), n);
    text += fmt::format("{}\n", say(g, Text::done_per_game));
    for (const auto& [title, n] : acts_of(r)) text += fmt::format("  {} {:.2f}\n", title, r.per_game(n));
    if (const Never never = never_of(r); !never.empty()) {
        text += fmt::format("{}\n", say(g, Text::never_came_up));
        list(text, r, Text::rules_never_done, never.rules);
        list(text, r, Text::cases_never_met, never.cases);
        list(text, r, Text::ends_never_met, never.ends);
        list(text, r, Text::kinds_never_moved, never.kinds);
    }
    for (const auto& [what, f] : r.totals.failed)
        text += fmt::format("{}: {}: {} ({} {}; {} {}, {} {})\n", say(g, Text::broken_promise), r.where(f.failure),
                            houserule::text(r.machine.game, f.failure, g.language), f.count, say(g, Text::games),
                            say(g, Text::first_in_game), f.first, say(g, Text::seed), seed_of(r.args.seed, f.first));
    if (interrupted()) text += fmt::format("{}\n", say(g, Text::interrupted));
    return text;
}

// `K=deduce` or `K=random`; nothing, with a message, when it is neither.
std::optional<Seats> deducing_seats(const std::vector<std::string>& given, int players, const Globals& g) {
    Seats seats = 0;
    for (const std::string& pair : given) {
        const auto eq = pair.find('=');
        const std::string who = eq == std::string::npos ? "" : pair.substr(eq + 1);
        if (who != "deduce" && who != "random") {
            err(say(g, Text::expected_deducing_seats, pair));
            return std::nullopt;
        }
        const auto seat = read_seat(pair.substr(0, eq), players, g);
        if (!seat) return std::nullopt;
        const Seats bit = 1U << *seat;
        seats = who == "deduce" ? seats | bit : seats & ~bit;
    }
    return seats;
}

// Only random games without a log are compiled.
bool is_at_random(const Plan& plan) { return plan.logs.empty() && plan.deducing == 0; }

SimulateEngine::Asked asked_engine(const SimulateArgs& args, const Plan& plan) {
    if (args.engine == "interpret" || !is_at_random(plan)) return SimulateEngine::Asked::interpret;
    return args.engine == "auto" ? SimulateEngine::Asked::automatic : SimulateEngine::Asked::compiled;
}
// False, with a message, if the games cannot be compiled.
bool compile_before(SimulateEngine& engine, const Plan& plan, const Globals& g) {
    if (is_at_random(plan) && engine.compile_now()) return true;
    err(is_at_random(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    return false;
}
void tell_engine(const SimulateEngine& engine, const Plan& plan, const Totals& totals, const Globals& g) {
    err(is_at_random(plan) ? engine.why_not(g) : say(g, Text::not_compiled_logs));
    err(say(g, Text::games_by_engine, totals.compiled, totals.games - totals.compiled));
}

}  // namespace

int run_simulate(const SimulateArgs& args, const Globals& g) {
    const auto loaded = load(args.file, g);
    Settings settings;
    if (!loaded || !read_settings(args.set, settings, g) || !read_settings(args.reading, settings, g)) return exit_cannot;
    const auto machine = machine_for(*loaded, args.players, settings, g);
    if (machine == nullptr) return exit_cannot;
    const auto deducing = deducing_seats(args.seat, machine->game.players, g);
    if (!deducing) return exit_cannot;
    if (!args.logs.empty() && !make_folder(args.logs, g)) return exit_cannot;
    Plan plan{
        machine,   args.games, args.seed, args.volunteer < 0 ? file_odds : static_cast<std::int64_t>(std::llround(args.volunteer * 1e6)),
        args.logs, *deducing,  {}};
    plan.limits.think_ms = args.think_ms;
    plan.limits.deduction.stop = &stop();
    watch_interrupts();
    SimulateEngine engine(machine, asked_engine(args, plan));
    if (args.engine == "compiled" && !compile_before(engine, plan, g)) return interrupted() ? exit_interrupted : exit_cannot;
    const auto start = std::chrono::steady_clock::now();
    const auto totals = play_all(plan, args.threads, engine, g);
    if (!totals) return exit_cannot;
    const double seconds = std::max(1e-9, seconds_since(start));
    if (args.verbose) tell_engine(engine, plan, *totals, g);
    const SimulateReport report{*machine, *loaded, args, g, *totals, *deducing, seconds};
    out(args.json ? json_of(report) : text_of(report));
    if (interrupted()) return exit_interrupted;
    return totals->failed.empty() ? exit_fine : exit_found;
}

}  // namespace houserule::cli
