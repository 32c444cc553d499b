#include "solver/players/moves.hpp"

#include "interpreter/run/seers.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace houserule {

namespace {

constexpr int windows_most = 64;        // in a row: more than there can be acts at one moment
constexpr std::size_t likely_most = 8;  // the best sets of each size are among the first few kinds

class Lister {
public:
    Lister(Run& run, int seat, const std::vector<KindId>& likely, MoveLimits limits)
        : run_(run), seat_(seat), likely_(likely), limits_(limits) {}

    void list(CompleteMove begun, std::size_t depth) {
        const Node node = run_.advance();
        const std::vector<std::byte> here(run_.state().begin(), run_.state().end());
        for (const auto& answer : answers(node)) {
            CompleteMove longer = begun;
            longer.answers.push_back(answer);
            run_.set_state(here);
            run_.advance();
            const std::uint64_t move = move_for_answer(run_, answer);
            if (move >= node.moves) continue;
            if (node.kind == NodeKind::window && answer.front() == 0 && leads_to_question(longer)) {
                list(std::move(longer), depth);
                continue;
            }
            const bool leads_on = node.kind != NodeKind::choose && answer.front() != 0 && depth < limits_.inputs;
            if (leads_on) {
                // Yes to something: what exactly may be asked next, unless something hidden is learned before.
                Events events;
                run_.record(&events);
                run_.apply(move);
                const Node next = run_.advance();
                run_.record(nullptr);
                const bool is_news = std::ranges::any_of(events, [&](const Event& e) { return tells_hidden(e); });
                // What is chosen after a yes may be one thing alone: then the next question is another.
                const bool is_own = node.kind != NodeKind::consent || next.step == node.step;
                if (!is_news && is_own && asks(next, seat_) && next.kind != NodeKind::window) {
                    list(std::move(longer), depth + 1);
                    continue;
                }
            }
            found.push_back(std::move(longer));
        }
        run_.set_state(here);
        run_.advance();
    }

    std::vector<CompleteMove> found;
    bool all = true;

private:
    // What falls by chance, also where one thing alone is left of what the seat does not know, or cards that it did not see.
    bool tells_hidden(const Event& e) const {
        if (e.kind == EventKind::draw || e.kind == EventKind::lot || e.kind == EventKind::report) return is_noticed(e, seat_);
        if (e.kind != EventKind::move && e.kind != EventKind::shows) return false;
        return (e.faces & seat_bit(seat_)) != 0 && (seers_of(run_.machine(), PlaceId(e.from)) & seat_bit(seat_)) == 0;
    }
    // Lets the window pass at which the run waits. Whether the seat is asked next, without having noticed anything.
    bool leads_to_question(CompleteMove& begun) {
        if (!limits_.past_windows || begun.passed == std::size_t{windows_most}) return false;
        Events events;
        run_.record(&events);
        run_.apply(0);
        const Node next = pass_windows(run_, seat_);
        Random any(1);  // what the seat may answer does not depend on what it has not noticed
        const bool is_asked = asks(pass_unseen(run_, seat_, any), seat_);
        run_.record(nullptr);
        const bool asked = is_asked && std::none_of(events.begin(), events.end(), [&](const Event& e) { return is_noticed(e, seat_); });
        if (asked) ++begun.passed;
        if (asked && !asks(next, seat_)) begun.others_answer = true;
        return asked;
    }
    std::vector<std::vector<std::int32_t>> answers(const Node& node) {
        if (node.kind == NodeKind::window) {
            // An act is offered at the first of several windows.
            const bool is_new = acts_.insert(run_.machine().code[node.step].a.value()).second;
            return is_new ? std::vector<std::vector<std::int32_t>>{{0}, {1 << seat_}} : std::vector<std::vector<std::int32_t>>{{0}};
        }
        std::vector<std::vector<std::int32_t>> answers;
        all = all && node.moves <= limits_.moves;
        if (node.moves > limits_.moves) answers = sets_of_likely(node);
        const std::uint64_t most = answers.empty() ? std::min<std::uint64_t>(node.moves, limits_.moves) : 0;
        for (std::uint64_t m = 0; m < most; ++m) answers.push_back(meaning(node, m));
        return answers;
    }
    std::vector<std::int32_t> meaning(const Node& node, std::uint64_t move) const {
        if (node.kind == NodeKind::choose) return run_.meaning(move).values;
        return {static_cast<std::int32_t>(move)};
    }
    std::vector<std::vector<std::int32_t>> sets_of_likely(const Node& node) const {
        std::vector<std::vector<std::int32_t>> sets;
        const std::size_t first = std::min(likely_.size(), likely_most);
        for (std::uint32_t mask = 1; mask < (1U << first) && sets.size() < limits_.moves; ++mask) {
            std::vector<std::int32_t> values;
            for (std::size_t i = 0; i < first; ++i)
                if ((mask >> i & 1) != 0) values.push_back(likely_[i]);
            std::sort(values.begin(), values.end());
            if (run_.move_for(values) < node.moves) sets.push_back(std::move(values));
        }
        return sets;
    }

    Run& run_;
    int seat_;
    const std::vector<KindId>& likely_;
    MoveLimits limits_;
    std::set<std::int32_t> acts_;  // that were offered
};

}  // namespace

Node pass_windows(Run& run, int seat) {
    for (int n = 0; n < windows_most; ++n) {
        const Node& node = run.advance();
        if (node.kind != NodeKind::window || asks(node, seat)) return node;
        run.apply(0);
    }
    return run.advance();
}

Node pass_unseen(Run& run, int seat, Random& random) {
    for (int n = 0; n < unseen_most; ++n) {
        const Node node = pass_windows(run, seat);
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed || asks(node, seat)) return node;
        run.apply(random_move(run, random));
    }
    return run.advance();
}

std::uint64_t move_for_answer(const Run& run, const std::vector<std::int32_t>& answer) {
    return run.node().kind == NodeKind::choose ? run.move_for(answer) : static_cast<std::uint64_t>(answer.front());
}

std::vector<CompleteMove> complete_moves(Run& run, int seat, const std::vector<KindId>& likely, bool& all, MoveLimits limits) {
    Lister lister(run, seat, likely, limits);
    lister.list({}, 1);
    all = lister.all;
    return std::move(lister.found);
}

std::vector<KindId> likeliest_kinds(Deduction& deduction, const std::vector<PlaceId>& places) {
    std::map<KindId, double> likely;
    for (const HiddenThing& thing : deduction.knowledge().things) {
        if (thing.is_fact || std::find(places.begin(), places.end(), thing.place) == places.end()) continue;
        for (const Possibility& p : thing.values) likely[p.value] += p.share().convert_to<double>();
    }
    std::vector<std::pair<double, KindId>> order;
    for (const auto& [kind, share] : likely)
        if (share > 0) order.emplace_back(-share, kind);
    std::sort(order.begin(), order.end());
    std::vector<KindId> kinds;
    for (const auto& [share, kind] : order) kinds.push_back(kind);
    return kinds;
}

}  // namespace houserule
