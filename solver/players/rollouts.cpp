#include "solver/players/rollouts.hpp"
#include "solver/players/score_aim.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// What is handed back is played twice: when half of so many were, compiling does not pay.
constexpr std::uint64_t handed_most = 100;

}  // namespace

bool make_move(Run& run, int seat, const CompleteMove& move) {
    for (const auto& answer : move.answers) {
        const Node& node = run.advance();
        const std::uint64_t m = asks(node, seat) ? move_for_answer(run, answer) : node.moves;
        if (m >= node.moves) return false;
        run.apply(m);
    }
    return true;
}

std::vector<Result> results_of(Run& run) {
    std::vector<Result> all(run.machine().game.players);
    const Seats front = run.seats_in_front().value_or(no_seats);
    const auto paid = run.payoffs();
    const auto scores = run.scores();
    for (std::size_t p = 0; p < all.size(); ++p) {
        if ((front >> p & 1) != 0) all[p].first = 1.0 / std::popcount(front);
        if (!paid.empty()) all[p].first = paid[p];
        if (!scores.empty()) all[p].second = scores[p];
    }
    return all;
}

Rollouts::Rollouts(std::shared_ptr<const Machine> machine, int seat, MoveLimits limits, const Stop* stop)
    : machine_(std::move(machine)),
      seat_(seat),
      limits_(limits),
      stop_(stop),
      has_windows_(std::any_of(machine_->code.begin(), machine_->code.end(), [](const Step& step) { return step.op == Op::window; })) {}

void Rollouts::use(const std::shared_ptr<const CompiledGame>& game) {
    if (game != nullptr && wants_compiled()) compiled_ = std::make_unique<CompiledRun>(game, machine_);
}

Result Rollouts::to_the_end(Run& run, Random& chance, std::uint64_t& nodes) {
    if (const auto brought = compiled_to_the_end(run, chance, nodes)) return *brought;
    while (has_windows_ && !asked(stop_)) {
        const Node& node = run.advance();
        ++nodes;
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) return ++interpreted_, result(run);
        const std::uint64_t move = random_move(run, chance);
        if (node.kind == NodeKind::window && (move >> seat_ & 1) != 0)
            if (const auto acted = best_act(run, chance, nodes)) return *acted;
        run.apply(move);
    }
    return interpreted_at_random(run, chance, nodes);
}

// Nothing when it is the interpreter's, from where the run is then.
std::optional<Result> Rollouts::compiled_to_the_end(Run& run, Random& chance, std::uint64_t& nodes) {
    while (const auto played = played_on(run, chance, has_windows_ ? seat_ : -1)) {
        nodes += played->decisions + played->chances + played->opened;
        if (played->end == compiled_over) return ++nodes, compiled_result(run);
        run.set_state(compiled_->state());
        run.advance();
        if (const auto acted = best_act(run, chance, nodes)) return acted;
        run.apply(played->acting);
    }
    return std::nullopt;
}

// Nothing when it is the interpreter's.
std::optional<PlayedOn> Rollouts::played_on(const Run& run, Random& chance, int watched) {
    if (compiled_ == nullptr || run.failure().kind != FailureKind::none) return std::nullopt;
    const PlayedOn played = compiled_->play_on(run.state(), chance, watched, stop_);
    if (played.end == compiled_over || played.end == compiled_acts) return played;
    if (++handed_ > std::max(handed_most, ended_)) compiled_.reset(), gave_up_ = true;
    return std::nullopt;
}

// Acts of the seat as well.
Result Rollouts::at_random(Run& run, Random& chance, std::uint64_t& nodes) {
    if (const auto played = played_on(run, chance, -1)) {
        nodes += 1 + played->decisions + played->chances + played->windows;
        return compiled_result(run);
    }
    return interpreted_at_random(run, chance, nodes);
}

Result Rollouts::interpreted_at_random(Run& run, Random& chance, std::uint64_t& nodes) {
    Tally tally;
    play_random(run, chance, tally);
    nodes += 1 + tally.decisions + tally.chances + tally.windows;
    ++interpreted_;
    return result(run);
}

// The best that an act at the window where the run waits would bring.
std::optional<Result> Rollouts::best_act(Run& run, Random& chance, std::uint64_t& nodes) {
    const std::vector<std::byte> here(run.state().begin(), run.state().end());
    bool all = true;
    std::optional<Result> best;
    for (const CompleteMove& move : complete_moves(run, seat_, {}, all, limits_)) {
        if (move.answers.front().front() == 0) continue;
        run.set_state(here);
        if (!make_move(run, seat_, move)) continue;
        const Result r = at_random(run, chance, nodes);
        if (!best || *best < r) best = r;
    }
    if (!best) {
        run.set_state(here);
        run.advance();
    }
    return best;
}

int Rollouts::aim() {
    if (!aim_) aim_ = score_aim(machine_);
    return *aim_;
}

Result Rollouts::result(Run& run) {
    if (run.node().kind != NodeKind::over) return {};
    Result r = results_of(run)[seat_];
    if (machine_->game.score != no_id) r.second *= aim();
    return r;
}

Result Rollouts::compiled_result(Run& run) {
    ++ended_;
    const CompiledResult* const came = compiled_->result();
    if (came == nullptr) {
        // A promise breaks: the interpreter says what there is all the same.
        run.set_state(compiled_->state());
        run.advance();
        return result(run);
    }
    Result r;
    if ((came->winners >> seat_ & 1) != 0) r.first = 1.0 / std::popcount(came->winners);
    if (machine_->game.payoff != no_id) r.first = came->payoffs[seat_];
    if (machine_->game.score != no_id) r.second = aim() * came->scores[seat_];
    return r;
}

}  // namespace houserule
