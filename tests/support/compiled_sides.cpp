#include "tests/support/compiled_sides.hpp"

#include "dsl/text/hash.hpp"
#include "interpreter/compiled/known.hpp"
#include "interpreter/machine/never.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <tuple>

namespace houserule::testing {

namespace {

constexpr int looks_a_game = 10;  // of 1,024 nodes each
constexpr std::uint64_t forced_rounds = 20'000;
constexpr int most_left_off = 2;  // of a machine whose games go on for ever
constexpr std::size_t rests_a_game = 8;
constexpr std::uint64_t longest = looks_a_game * steps_between_looks;

Tally nothing_counted(const Machine& machine) {
    Tally t;
    t.steps.assign(machine.code.size(), 0);
    t.taken.assign(machine.code.size(), 0);
    return t;
}
bool is_same(const Tally& a, const Tally& b) {
    return a.decisions == b.decisions && a.options == b.options && a.forced == b.forced && a.chances == b.chances &&
           a.windows == b.windows && a.steps == b.steps && a.taken == b.taken;
}

// Where the bytes of a state part; its size if they do not. When the game is over, variables may differ.
std::size_t parting(const Machine& machine, std::span<const std::byte> a, std::span<const std::byte> b, bool is_over) {
    std::vector<bool> may_differ(a.size(), false);
    for (const VariableId v : machine.game.variables.ids()) {
        const auto bytes = static_cast<std::ptrdiff_t>(is_of_many(machine.game.variables[v].type) ? 8 * machine.layout.words : 4);
        std::fill_n(may_differ.begin() + machine.layout.variable[v], bytes, is_over);
    }
    for (std::size_t at = 0; at < a.size(); ++at)
        if (a[at] != b[at] && !may_differ[at]) return at;
    return a.size();
}

class Sides {
public:
    Sides(const std::shared_ptr<const Machine>& machine, const std::shared_ptr<const CompiledGame>& game)
        : machine_(machine),
          game_(game),
          plain_(make_run(machine)),
          other_(make_run(machine)),
          scout_(make_run(machine)),
          compiled_(game, machine) {
        plain_->start();
        if (game->first() != machine->start && reaches_first_node(*plain_) && plain_->node().step == game->first())
            initial_forced_ = plain_->forced();
        else
            plain_->start();
        initial_.assign(plain_->state().begin(), plain_->state().end());
    }

    // What differs in the game with that seed; empty if nothing does.
    std::string play(std::uint64_t seed) {
        Random random(seed);
        Random same(seed);
        Tally tally = nothing_counted(*machine_);
        Tally other = nothing_counted(*machine_);
        if (!play_plain(*plain_, random, tally)) {
            ++left_off_;
            return "";
        }
        ++games_;
        const CompiledEnd end = compiled_.play(same, other, file_odds, nullptr);
        if (end == compiled_handed) {
            const std::string found = handed(seed, random, same, tally, other);
            return found.empty() ? rests(seed) : found;
        }
        if (plain_->node().kind == NodeKind::failed) return fmt::format("no promise broke at {}", plain_->node().step.value());
        if (!is_same(tally, other)) return "tallies";
        const std::size_t at = parting(*machine_, plain_->state(), compiled_.state(), true);
        if (at != plain_->state().size()) return fmt::format("state at byte {}", at);
        if (plain_->ended() != compiled_.ended()) return "ends";
        if (random.next() != same.next()) return "draws";
        if (const std::string found = result(); !found.empty()) return found;
        return rests(seed);
    }
    // After all games.
    std::string reached() const {
        if (left_off_ > 0 || rests_left_off_ > 0) return "";  // the one run went on where the other was not sent
        Store<StepId, std::uint8_t> all(machine_->code.size(), 0);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = compiled_.reached()[i] | other_->reached()[i];
        const NeverReached one = never_reached(*machine_, plain_->reached());
        const NeverReached two = never_reached(*machine_, all);
        const auto [a, b] = std::ranges::mismatch(one.cases, two.cases, {}, &CameUp::Place::step, &CameUp::Place::step);
        if (a != one.cases.end() || b != two.cases.end())
            return fmt::format("what was reached: case at {}", (a != one.cases.end() ? *a : *b).step.value());
        return one.rules == two.rules && one.ends == two.ends ? "" : "what was reached: rules or ends";
    }
    std::uint64_t games() const { return games_; }
    std::uint64_t games_played_on() const { return rests_; }
    std::uint64_t games_handed() const { return handed_; }
    bool goes_on_for_ever() const { return left_off_ >= most_left_off; }

private:
    // False when it was left off.
    static bool play_plain(Run& run, Random& random, Tally& tally) {
        int looks = 0;
        const Stop late(nullptr, [&] { return ++looks > looks_a_game; });
        run.stop_on(&late);
        run.limit_forced(forced_rounds);
        run.start();
        play_random(run, random, tally);
        run.stop_on(nullptr);
        const NodeKind kind = run.node().kind;
        return kind == NodeKind::over ||
               (kind == NodeKind::failed && !is_stopped(run) && run.failure().kind != FailureKind::goes_on_for_ever);
    }
    std::string handed(std::uint64_t seed, Random& random, Random& same, const Tally& tally, Tally& other) {
        ++handed_;
        if (!is_same(other, nothing_counted(*machine_))) return "a game handed back was counted";
        const StepId at = compiled_.handed_at();
        const bool failed = plain_->node().kind == NodeKind::failed;
        const Op op = machine_->code[at].op;
        if (!failed && op != Op::agree && op != Op::jump && op != Op::call) return fmt::format("handed back at {}", at.value());
        if (failed && op != Op::agree && !is_same(tally, until_handed(seed))) return "tallies until a promise broke";
        if (failed && op != Op::agree && at != plain_->node().step)
            return fmt::format("a promise broke at {} and at {}", plain_->node().step.value(), at.value());
        play_plain(*other_, same, other);
        return is_same(tally, other) && random.next() == same.next() ? "" : "a game handed back is another one";
    }
    // What a game had counted when it was handed back.
    Tally until_handed(std::uint64_t seed) {
        Random random(seed);
        Tally tally = nothing_counted(*machine_);
        std::vector<std::byte> state = initial_;
        std::vector<std::byte> work(game_->work());
        std::vector<std::uint8_t> reached(machine_->code.size());
        CompiledPlay play;
        play.state = state.data();
        play.work = work.data();
        play.random = &random;
        play.reached = reached.data();
        play.forced = initial_forced_;
        game_->play(play, tally);
        return tally;
    }
    // A moment of a game at which play may begin.
    struct Moment {
        std::vector<std::byte> state;
        Random random;
    };
    // Of the game with that seed: where a seat is asked and after its answers, each as likely.
    std::vector<Moment> moments(std::uint64_t seed) {
        std::vector<Moment> found;
        Random random(seed);
        Random pick(~seed);
        std::uint64_t passed = 0;
        const auto pass = [&] {
            const std::uint64_t at = passed < rests_a_game ? passed : pick.below(passed + 1);
            if (passed++ < rests_a_game) found.push_back({{}, random});
            if (at < rests_a_game) found[at] = {{scout_->state().begin(), scout_->state().end()}, random};
        };
        scout_->start();
        for (std::uint64_t nodes = 0; nodes < longest; ++nodes) {
            const Node node = scout_->advance();
            if (node.kind == NodeKind::over || node.kind == NodeKind::failed) break;
            const bool chance = is_chance(node.kind);
            if (!chance) pass();
            scout_->apply(random_move(*plain_, random));
            if (scout_->failure().kind != FailureKind::none) break;
            if (!chance) pass();
        }
        return found;
    }
    std::string rests(std::uint64_t seed) {
        Random pick(splitmix(seed));
        for (const Moment& moment : moments(seed)) {
            const int watched = pick.below(machine_->game.players + 1);
            if (const std::string found = rest(moment, watched - 1); !found.empty())
                return fmt::format("{}, played on from {}", found, plain_->node().step.value());
        }
        return "";
    }
    // Plays on node by node, up to the end or to an act of the seat. False when it went on for too long.
    static bool play_on(Run& run, Random& random, int watched, PlayedOn& played) {
        const std::uint64_t forced = run.forced();
        const auto ended = [&](CompiledEnd end) {
            played.end = end;
            played.forced = run.forced() - forced;
            return true;
        };
        for (std::uint64_t nodes = 0; nodes < longest; ++nodes) {
            const Node node = run.advance();
            if (node.kind == NodeKind::over) return ended(compiled_over);
            if (node.kind == NodeKind::failed) return run.failure().kind != FailureKind::goes_on_for_ever && ended(compiled_handed);
            const bool chance = is_chance(node.kind);
            const bool is_window = node.kind == NodeKind::window;
            played.chances += chance ? 1 : 0;
            played.decisions += chance || is_window ? 0 : 1;
            played.options += chance || is_window ? 0 : node.moves;
            played.opened += is_window ? 1 : 0;
            if (is_window) played.windows += std::popcount(node.seats);
            const std::uint64_t move = random_move(run, random);
            if (is_window && watched >= 0 && (move >> watched & 1) != 0) return played.acting = move, ended(compiled_acts);
            run.apply(move);
        }
        return false;
    }
    std::string rest(const Moment& moment, int watched) {
        Random random = moment.random;
        Random same = moment.random;
        PlayedOn plain;
        plain_->set_state(moment.state);
        if (!play_on(*plain_, random, watched, plain)) {
            ++rests_left_off_;
            return "";
        }
        ++rests_;
        const PlayedOn played = compiled_.play_on(moment.state, same, watched, nullptr);
        if (played.end == compiled_handed) {
            const StepId at = compiled_.handed_at();
            if (at == no_id) return "not begun";
            const Op op = machine_->code[at].op;
            if (plain.end != compiled_handed && op != Op::agree && op != Op::jump && op != Op::call) return "handed back";
            Random before = moment.random;
            Random again = moment.random;
            PlayedOn handed_back;
            other_->set_state(moment.state);
            play_on(*other_, again, watched, handed_back);
            return before.next() == same.next() ? "" : "draws of what was handed back";
        }
        if (played.end != plain.end) return "the end";
        if (played.acting != plain.acting) return "who acts";
        if (std::tie(played.decisions, played.options, played.forced, played.chances, played.windows, played.opened) !=
            std::tie(plain.decisions, plain.options, plain.forced, plain.chances, plain.windows, plain.opened))
            return "counts";
        const std::size_t at = parting(*machine_, plain_->state(), compiled_.state(), played.end == compiled_over);
        if (at != plain_->state().size()) return fmt::format("state at byte {}", at);
        if (random.next() != same.next()) return "draws";
        return played.end == compiled_over ? result() : "";
    }
    std::string result() {
        const auto front = plain_->in_front();
        const std::vector<std::int32_t> scores = plain_->scores();
        const std::vector<std::int32_t> payoffs = plain_->payoffs();
        const auto broke_in = [](const std::vector<std::int32_t>& all) {
            return std::count(all.begin(), all.end(), std::numeric_limits<std::int32_t>::min()) != 0;
        };
        const bool broke = !front || broke_in(scores) || broke_in(payoffs);
        const CompiledResult* const result = compiled_.result();
        if (result == nullptr) return broke ? "" : "a promise of the result broke";
        if (broke) return "no promise of the result broke";
        std::uint64_t winners = 0;
        for (const std::int32_t p : *front) winners |= std::uint64_t{1} << p;
        if (winners != result->winners) return "winners";
        if (!std::equal(payoffs.begin(), payoffs.end(), result->payoffs)) return "payoffs";
        return std::equal(scores.begin(), scores.end(), result->scores) ? "" : "scores";
    }

    std::shared_ptr<const Machine> machine_;
    std::shared_ptr<const CompiledGame> game_;
    std::vector<std::byte> initial_;    // where compiled games begin
    std::uint64_t initial_forced_ = 0;  // choices with one possibility up to there
    std::unique_ptr<Run> plain_;
    std::unique_ptr<Run> other_;  // plays what is handed back
    std::unique_ptr<Run> scout_;  // finds moments; where it comes by itself says nothing of what the others reached
    CompiledRun compiled_;
    std::uint64_t games_ = 0;
    std::uint64_t rests_ = 0;
    std::uint64_t handed_ = 0;
    int left_off_ = 0;
    int rests_left_off_ = 0;
};

}  // namespace

CompiledSides compare_sides(const std::shared_ptr<const Machine>& machine, const std::shared_ptr<const CompiledGame>& game,
                            std::uint64_t games, std::uint64_t seed) {
    Sides sides(machine, game);
    CompiledSides found;
    for (std::uint64_t i = 0; i < games && found.difference.empty() && !sides.goes_on_for_ever(); ++i) {
        found.difference = sides.play(splitmix(seed + i));
        if (!found.difference.empty()) found.difference += fmt::format(" (game {})", i);
    }
    if (found.difference.empty()) found.difference = sides.reached();
    found.games = sides.games();
    found.rests = sides.games_played_on();
    found.handed = sides.games_handed();
    return found;
}

}  // namespace houserule::testing
