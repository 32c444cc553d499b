#include "interpreter/tree/shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace houserule {

namespace {

constexpr std::uint64_t top_nodes = 1'000'000;  // that are walked again and again for a cut, about
constexpr std::uint64_t branches_at_once = 1 << 12;

// Whether the promise breaks after these moves, and which it is.
std::optional<Failure> failure_after(Run& run, const std::vector<std::uint64_t>& moves) {
    run.start();
    for (const std::uint64_t move : moves) {
        const Node& n = run.advance();
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return std::nullopt;
        if (n.kind == NodeKind::window ? (move & ~n.seats) != 0 : move >= n.moves) return std::nullopt;
        run.apply(move);
    }
    if (run.advance().kind == NodeKind::failed) return run.failure();
    if (run.node().kind != NodeKind::over) return std::nullopt;
    // What is paid, or who has won, may be what breaks it.
    const bool pays = run.machine().game.payoff != no_id;
    const std::vector<std::int32_t> paid = pays ? run.payoffs() : std::vector<std::int32_t>{};
    const bool breaks = pays ? std::ranges::find(paid, std::numeric_limits<std::int32_t>::min()) != paid.end() : !run.in_front();
    return breaks ? std::optional(run.failure()) : std::nullopt;
}

bool add_up(std::uint64_t& to, std::uint64_t more) { return !__builtin_add_overflow(to, more, &to); }

}  // namespace

std::uint64_t depth_of_cut(const std::shared_ptr<const Machine>& machine, bool keep_forced, std::uint64_t wanted, const Stop* stop) {
    std::uint64_t best = 0;
    std::uint64_t most = 1;
    std::uint64_t walked = 0;
    for (std::uint64_t depth = 1; most < wanted && walked < top_nodes; ++depth) {
        std::uint64_t subtrees = 0;
        const TreeShare share{depth, true, [&](std::uint64_t) { return ++subtrees, false; }};
        ExploreLimits limits;
        limits.nodes = top_nodes;
        limits.stop = stop;
        Exploration top(machine, limits, keep_forced, share);
        while (top.go_on(branches_at_once)) {
        }
        walked += top.walked();
        if (subtrees == 0 || top.result().state != ExploreState::complete) break;
        if (subtrees > most) best = depth, most = subtrees;
    }
    return best;
}

void CountedSets::add(const CountedSets& other) {
    for (std::size_t p = 0; p < by_seat.size(); ++p) by_seat[p] += other.by_seat[p];
    for (const auto& [histories, sets] : other.by_histories) by_histories[histories] += sets;
}

std::optional<CountedSets> counted_together(std::vector<SetsInOrder> lists, std::size_t seats) {
    struct Next {
        SetOfHistories at;
        std::size_t list = 0;
    };
    const auto later = [](const Next& a, const Next& b) { return b.at.before(a.at); };
    std::vector<Next> heap;
    const auto read = [&](std::size_t list) {
        if (const auto next = lists[list]()) {
            heap.push_back({*next, list});
            std::ranges::push_heap(heap, later);
        }
    };
    for (std::size_t i = 0; i < lists.size(); ++i) read(i);
    CountedSets counted(seats);
    while (!heap.empty()) {
        const SetOfHistories set = heap.front().at;
        if (set.seat() >= seats) return std::nullopt;
        std::uint64_t histories = 0;
        while (!heap.empty() && heap.front().at.set == set.set) {
            std::ranges::pop_heap(heap, later);
            const Next taken = heap.back();
            heap.pop_back();
            if (taken.at.histories == 0 || !add_up(histories, taken.at.histories)) return std::nullopt;
            read(taken.list);
        }
        if (!heap.empty() && heap.front().at.before(set)) return std::nullopt;
        ++counted.by_seat[set.seat()];
        ++counted.by_histories[histories];
    }
    return counted;
}

SumOfShares::SumOfShares(std::shared_ptr<const Machine> machine, bool keep_forced)
    : machine_(std::move(machine)), keep_forced_(keep_forced), value_(machine_->game.players) {
    sum_.state = ExploreState::complete;
}

bool SumOfShares::add(const Explored& counts, const std::vector<std::string>& value) {
    Explored sum = sum_;
    if (!add(counts.promises, sum) || !value_.add(value)) return false;
    const std::array numbers{&Explored::walked, &Explored::histories, &Explored::decision, &Explored::simultaneous,
                             &Explored::chance, &Explored::terminal,  &Explored::broken};
    for (const auto number : numbers)
        if (!add_up(sum.*number, counts.*number)) sum.state = ExploreState::at_count;
    sum.depth = std::max(sum.depth, counts.depth);
    if (sum.state == ExploreState::complete) sum.state = counts.state;
    sum_ = std::move(sum);
    return true;
}

// The first in the order of the walk stands for all that broke the same promise.
bool SumOfShares::add(const std::vector<BrokenPromise>& promises, Explored& to) const {
    const auto run = make_run(machine_);
    run->ask_forced(keep_forced_);
    for (BrokenPromise b : promises) {
        const auto failure = failure_after(*run, b.moves);
        if (!failure) return false;
        b.failure = *failure;
        const auto same = [&](const BrokenPromise& a) { return a.failure.kind == b.failure.kind && a.failure.span == b.failure.span; };
        const auto known = std::ranges::find_if(to.promises, same);
        if (known == to.promises.end()) {
            to.promises.push_back(std::move(b));
            continue;
        }
        const std::uint64_t histories = known->histories + b.histories;
        if (b.moves < known->moves) *known = std::move(b);
        known->histories = histories;
    }
    std::ranges::sort(to.promises, {}, &BrokenPromise::moves);
    return true;
}

Explored SumOfShares::result(const CountedSets& sets) const {
    Explored found = sum_;
    found.information_sets = sets.by_seat;
    found.ev_of_payoff = machine_->game.payoff != no_id;
    if (found.state == ExploreState::complete) conclude(found, machine_->game, sets.by_histories, value_);
    return found;
}

}  // namespace houserule
