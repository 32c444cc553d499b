#include "solver/deduce/next_events.hpp"

#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"

#include <algorithm>
#include <tuple>

namespace houserule {

namespace {

constexpr std::size_t random_moves = 24;  // of an answer with very many

// What comes in few histories is met in more of them: so many times as many, as long as few answers were tried in all.
constexpr std::size_t times_histories = 20;
constexpr std::size_t tries_most = 10'000;

// What anybody may do at any time comes after all else; the rest by who, what and which, not by how likely it is.
auto order(const NextEvent& n) {
    const Event& e = n.event;
    return std::tuple(e.kind == EventKind::acts, e.kind, e.seat, e.name, e.from, e.to, e.value, e.values, e.pieces);
}

class Looker {
public:
    Looker(Deduction& deduction, std::size_t seen, Random& random, NextLimits limits)
        : deduction_(deduction), seen_(seen), random_(random), limits_(limits), run_(make_run(deduction.shared_machine())) {}

    NextEvents look() {
        for (std::size_t i = 0; i < limits_.histories || (i < times_histories * limits_.histories && tries_ < tries_most); ++i) {
            const auto history = deduction_.any_history(random_);
            if (!history) break;
            here_.clear();
            if (!from(*history)) continue;
            ++next_.histories;
            for (const Event& e : here_) count(e, i < limits_.histories || e.pieces.size() <= 1);
        }
        std::sort(next_.events.begin(), next_.events.end(), [](const NextEvent& a, const NextEvent& b) { return order(a) < order(b); });
        return std::move(next_);
    }

private:
    bool from(const History& history) {
        Events events;
        std::string problem;
        if (!play_history(*run_, history, events, problem)) return false;
        run_->ask_forced(false);
        const auto pending = first_noticed(events, seen_);
        if (pending)
            here_.push_back(*pending);
        else
            go_on(events, 0);
        return true;
    }
    // The event after the first `skipped` that the seat noticed, if it can be told already.
    std::optional<Event> first_noticed(const Events& events, std::size_t skipped) const {
        const std::size_t known = settled(events);
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (i >= known && events[i].seat != deduction_.seat()) continue;
            auto e = noticed(events[i], deduction_.seat());
            if (e && skipped-- == 0) return e;
        }
        return std::nullopt;
    }
    // Every way on from the node where the run waits; of what is not noticed, one way each.
    void go_on(Events events, std::size_t unnoticed) {
        run_->record(&events);
        const Node node = run_->advance();
        if (const auto e = first_noticed(events, seen_)) return note(*e);
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) {
            next_.over = next_.choice_first = true;
            return;
        }
        const bool is_asked = node.kind == NodeKind::choose || node.kind == NodeKind::consent || node.kind == NodeKind::ask;
        if (is_asked) next_.choice_first = true;
        if (unnoticed == limits_.unnoticed) return;
        const std::vector<std::byte> state(run_->state().begin(), run_->state().end());
        const RuleAtHand rule = rule_at_hand(*run_, node);
        const std::size_t met = here_.size();
        std::vector<std::uint64_t> quiet;
        for (const std::uint64_t move : moves(node)) {
            Events after = events;
            run_->record(&after);
            run_->set_state(state);
            run_->advance();
            run_->apply(move);
            run_->advance();
            ++tries_;
            if (const auto e = first_noticed(after, seen_))
                note(*e);
            else
                quiet.push_back(move);
        }
        if (is_asked && here_.size() > met && rule.rule != no_id) next_.asked_by.insert(rule);
        if (quiet.empty()) return;
        run_->record(&events);
        run_->set_state(state);
        run_->advance();
        run_->apply(quiet[random_.below(quiet.size())]);
        go_on(std::move(events), unnoticed + 1);
    }
    std::vector<std::uint64_t> moves(const Node& node) {
        std::vector<std::uint64_t> all;
        if (node.kind == NodeKind::window) {
            all.push_back(0);
            for (std::uint64_t bit = 1; bit <= node.seats; bit <<= 1)
                if ((node.seats & bit) != 0) all.push_back(bit);
            return all;
        }
        if (node.moves > limits_.moves) {
            for (std::size_t i = 0; i < random_moves; ++i) all.push_back(random_.below(node.moves));
            return all;
        }
        for (std::uint64_t m = 0; m < node.moves; ++m) all.push_back(m);
        return all;
    }
    void note(const Event& e) {
        if (std::find(here_.begin(), here_.end(), e) == here_.end()) here_.push_back(e);
    }
    // `is_told`: also if it is new. Of several cards at once there are too many to meet them all.
    void count(const Event& e, bool is_told) {
        const auto found = std::find_if(next_.events.begin(), next_.events.end(), [&](const NextEvent& n) { return n.event == e; });
        if (found != next_.events.end())
            ++found->histories;
        else if (is_told)
            next_.events.push_back({e, 1});
    }

    Deduction& deduction_;
    std::size_t seen_;
    Random& random_;
    NextLimits limits_;
    std::unique_ptr<Run> run_;
    Events here_;  // of one history
    std::size_t tries_ = 0;
    NextEvents next_;
};

}  // namespace

NextEvents next_events(Deduction& deduction, std::size_t seen, Random& random, NextLimits limits) {
    return Looker(deduction, seen, random, limits).look();
}

}  // namespace houserule
