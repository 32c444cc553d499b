#include "solver/players/deducing_player.hpp"

#include "interpreter/log/log.hpp"
#include "solver/players/asked_for.hpp"
#include "solver/players/rollouts.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

constexpr int others_most = 64;  // answers of others that may come between what was noticed and the question
constexpr std::size_t least_moves = 2;
constexpr std::size_t kept_most = std::size_t{4} << 20;  // bytes of worlds after a move: they are played on again and again

using State = std::vector<std::byte>;

struct Candidate {
    CompleteMove move;
    Result sum;
    std::vector<State> after;  // by world: the state after the move, once it was made there
};

}  // namespace

struct DeducingPlayer::Impl {
    std::shared_ptr<const Machine> machine;
    int seat;
    Random random;
    PlayerLimits limits;
    PlayerCounts counts;
    std::unique_ptr<Run> run;
    Rollouts rollouts;
    bool keeps = false;  // worlds after moves
    CompiledSource compiled;
    std::unique_ptr<Deduction> deduction;
    Fit fit = Fit::fits;
    std::size_t told = 0;  // events that the deduction was given
    Events waiting;        // and those that it was not given yet
    struct Own {
        StepId step;
        NodeKind kind;
        std::vector<std::int32_t> answer;
    };
    std::vector<Own> answered;  // since anything was noticed

    Impl(std::shared_ptr<const Machine> m, int s, std::uint64_t seed, PlayerLimits l)
        : machine(std::move(m)), seat(s), random(seed), limits(l), run(make_run(machine)), rollouts(machine, seat, l.moves, stop()) {
        run->stop_on(stop());
    }

    const Stop* stop() const { return limits.deduction.stop; }
    std::uint64_t decide(const Question& q);
    std::optional<std::uint64_t> think(const Question& q);
    bool is_question(const Node& node, const Question& q) const { return node.step == q.step() && node.kind == q.kind(); }
    std::optional<State> at_question(const History& history, const Question& q);
    std::vector<State> presents(const Question& q);
    bool stand_after(Candidate& c, const std::vector<State>& worlds, std::size_t world);
    std::vector<Candidate> candidates_at(const State& world);
    Candidate best_of(const std::vector<State>& worlds, std::vector<Candidate> candidates);
    std::uint64_t at_random(const Question& q);
};

DeducingPlayer::DeducingPlayer(std::shared_ptr<const Machine> machine, int seat, std::uint64_t seed, PlayerLimits limits)
    : impl_(std::make_unique<Impl>(std::move(machine), seat, seed, limits)) {}
DeducingPlayer::~DeducingPlayer() = default;

const PlayerCounts& DeducingPlayer::counts() const { return impl_->counts; }
const Rollouts& DeducingPlayer::rollouts() const { return impl_->rollouts; }
void DeducingPlayer::compiled_by(CompiledSource source) { impl_->compiled = std::move(source); }
void DeducingPlayer::reseed(std::uint64_t seed) { impl_->random = Random(seed); }

void DeducingPlayer::start() {
    Impl& i = *impl_;
    i.deduction = std::make_unique<Deduction>(i.machine, i.seat, i.limits.deduction);
    i.fit = Fit::fits;
    i.told = 0;
    i.waiting.clear();
    i.answered.clear();
}

std::uint64_t DeducingPlayer::answer(const Question& q, const Events& noticed) {
    Impl& i = *impl_;
    i.waiting.insert(i.waiting.end(), noticed.begin(), noticed.end());
    if (!noticed.empty()) i.answered.clear();
    const std::uint64_t move = i.decide(q);
    i.answered.push_back(
        {q.step(), q.kind(),
         q.kind() == NodeKind::choose ? q.meaning(move).values : std::vector<std::int32_t>{static_cast<std::int32_t>(move)}});
    return move;
}

std::uint64_t DeducingPlayer::Impl::decide(const Question& q) {
    // Who has let an act pass does so until something else is noticed.
    const bool passed = std::any_of(answered.begin(), answered.end(),
                                    [&](const Own& own) { return own.kind == NodeKind::window && own.answer.front() == 0; });
    if (q.kind() == NodeKind::window && passed) return 0;
    ++counts.decisions;
    const auto spent = [&] { return deduction->work() + run->work(); };
    const std::uint64_t before = spent();
    const auto move = think(q);
    counts.work += spent() - before;
    if (move) return *move;
    ++counts.at_random;
    return at_random(q);
}

// Who knows nothing lets acts pass.
std::uint64_t DeducingPlayer::Impl::at_random(const Question& q) { return q.kind() == NodeKind::window ? 0 : random.below(q.moves()); }

// The state in which the history asks the question; nothing if it does not. What the seat answered since it noticed anything is
// answered so again, and what others do unnoticed before the question is random.
std::optional<State> DeducingPlayer::Impl::at_question(const History& history, const Question& q) {
    Events events;
    std::string problem;
    run->record(&events);
    run->ask_forced(true);
    run->start();
    std::size_t looked_at = 0;
    std::size_t seen = 0;
    std::size_t own = 0;
    std::size_t next = 0;
    for (int others = 0; others < others_most;) {
        const Node node = run->advance();
        for (const std::size_t known = settled(events); looked_at < known; ++looked_at)
            if (events[looked_at].kind != EventKind::begins && (events[looked_at].audience >> seat & 1) != 0) ++seen;
        if (seen > told || node.kind == NodeKind::over || node.kind == NodeKind::failed) return std::nullopt;
        const bool asked = seen == told && asks(node, seat) && (node.kind != NodeKind::choose || node.moves > 1);
        std::optional<std::uint64_t> move;
        if (asked && own == answered.size()) {
            if (!is_question(node, q)) return std::nullopt;
            return State(run->state().begin(), run->state().end());
        }
        std::size_t after = next;
        const auto known = move_of(*run, history, after, problem);
        if (known) next = after;
        if (asked) {
            const Own& before = answered[own++];
            if (before.step != node.step || before.kind != node.kind) return std::nullopt;
            move = node.kind == NodeKind::choose
                       ? run->move_for(before.answer)
                       : static_cast<std::uint64_t>(before.answer.front()) << (node.kind == NodeKind::window ? seat : 0);
        } else if (known) {
            move = known;
        } else if (seen < told) {
            return std::nullopt;
        } else {
            ++others;
            move = node.kind == NodeKind::window ? 0 : random_move(*run, random);
        }
        if (*move >= node.moves) return std::nullopt;
        run->apply(*move);
    }
    return std::nullopt;
}

std::vector<State> DeducingPlayer::Impl::presents(const Question& q) {
    std::vector<State> found;
    for (std::size_t i = 0; i < limits.histories && !asked(stop()); ++i) {
        const auto history = deduction->sample(random);
        if (!history) break;
        if (auto state = at_question(*history, q)) found.push_back(std::move(*state));
    }
    run->record(nullptr);
    run->ask_forced(false);
    return found;
}

// The run in this world, after the move. False when the seat is not asked so there.
bool DeducingPlayer::Impl::stand_after(Candidate& c, const std::vector<State>& worlds, std::size_t world) {
    if (State& kept = c.after[world]; !kept.empty()) return run->set_state(kept), true;
    run->set_state(worlds[world]);
    if (!make_move(*run, seat, c.move)) return false;
    if (keeps && run->failure().kind == FailureKind::none) c.after[world].assign(run->state().begin(), run->state().end());
    return true;
}

std::vector<Candidate> DeducingPlayer::Impl::candidates_at(const State& world) {
    run->set_state(world);
    bool all = true;
    std::vector<Candidate> candidates;
    const std::vector<KindId> likely = likeliest_kinds(*deduction, hidden_asked_for(*deduction).places);
    for (CompleteMove& move : complete_moves(*run, seat, likely, all, limits.moves)) candidates.push_back({std::move(move), {}, {}});
    return candidates;
}

// All moves in all worlds with the same chance, again and again; from time to time the worse half is left alone.
Candidate DeducingPlayer::Impl::best_of(const std::vector<State>& worlds, std::vector<Candidate> candidates) {
    const std::uint64_t budget = limits.nodes != 0 ? limits.nodes : limits.think_ms * nodes_per_ms;
    std::uint64_t nodes = 0;
    std::uint64_t next_cut = budget / 4;
    keeps = worlds.size() * candidates.size() * run->state().size() <= kept_most;
    for (Candidate& c : candidates) c.after.resize(worlds.size());
    while (nodes < budget && candidates.size() >= least_moves && !asked(stop())) {
        for (std::size_t world = 0; world < worlds.size(); ++world) {
            const std::uint64_t seed = random.next();
            for (Candidate& c : candidates) {
                if (asked(stop())) break;
                Random chance(seed);
                if (stand_after(c, worlds, world)) c.sum += rollouts.to_the_end(*run, chance, nodes);
            }
        }
        if (nodes < next_cut || candidates.size() == least_moves) continue;
        next_cut = nodes + (budget - std::min(budget, nodes)) / 2;
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return b.sum < a.sum; });
        candidates.resize(std::max(least_moves, candidates.size() / 2));
    }
    return *std::max_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.sum < b.sum; });
}

std::optional<std::uint64_t> DeducingPlayer::Impl::think(const Question& q) {
    if (fit == Fit::fits && !(waiting.empty() && told != 0)) {
        fit = deduction->see(waiting);
        told += waiting.size();
        waiting.clear();
    }
    if (fit != Fit::fits) return std::nullopt;
    if (compiled && rollouts.wants_compiled()) rollouts.use(compiled());
    const std::vector<State> worlds = presents(q);
    if (worlds.empty()) return std::nullopt;
    std::vector<Candidate> candidates = candidates_at(worlds.front());
    if (candidates.empty()) return std::nullopt;
    const Candidate best = best_of(worlds, std::move(candidates));
    const auto& answer = best.move.answers.front();
    if (q.kind() == NodeKind::choose) return q.move_for(answer);
    return answer.front() != 0 ? 1 : 0;
}

}  // namespace houserule
