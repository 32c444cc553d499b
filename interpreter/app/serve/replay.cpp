#include "interpreter/app/serve/replay.hpp"

#include "interpreter/log/log.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

std::optional<std::uint64_t> below(std::uint64_t move, const Node& n) { return move < n.moves ? std::optional(move) : std::nullopt; }

// Cards that are dealt one after the other are one step.
bool is_one_deal(const Event& a, const Event& b) { return a.kind == EventKind::draw && b.kind == EventKind::draw && a.step == b.step; }

}  // namespace

std::optional<std::uint64_t> answer_before(const Run& run, const Event* next) {
    const Node& n = run.node();
    const Operand name = told_name(run.machine(), run.machine().code[n.step]);
    const auto is = [&](EventKind kind) { return next != nullptr && next->kind == kind; };
    const bool named = next != nullptr && next->name == name && next->seat == n.seat;
    switch (n.kind) {
        case NodeKind::window:
            if (!is(EventKind::acts) || next->name != name || next->step != n.step) return 0;
            return run.move_for(next->values);
        case NodeKind::consent:
            if (!is(EventKind::choice) || !named) return std::nullopt;
            return next->optional_no ? 0 : 1;
        case NodeKind::ask:
            if (!is(EventKind::answer) || !named) return 0;
            return next->value != 0 ? 1 : 0;
        case NodeKind::choose:
            return is(EventKind::choice) && named && !next->optional_no ? below(run.move_for(next->values), n) : std::nullopt;
        case NodeKind::draw:
            for (std::uint64_t m = 0; is(EventKind::draw) && m < n.moves; ++m)
                if (run.meaning(m).values == next->pieces) return m;
            return std::nullopt;
        case NodeKind::report:
        case NodeKind::lot: {
            if (!is(n.kind == NodeKind::lot ? EventKind::lot : EventKind::report)) return std::nullopt;
            const auto values = next->values.empty() ? std::vector<std::int32_t>{next->value} : next->values;
            return below(run.move_for(values), n);
        }
        case NodeKind::over:
        case NodeKind::failed:
            return std::nullopt;
    }
    return std::nullopt;
}

Replay::Replay(std::shared_ptr<const Machine> machine, const Events& events) : machine_(std::move(machine)) {
    const std::unique_ptr<Run> run = make_run(machine_);
    run->start();
    run->record(&events_);
    for (;;) {
        run->advance();
        const std::size_t done = events_.size();
        if (done > events.size() || !std::equal(events_.begin(), events_.end(), events.begin())) {
            events_.resize(moments_.empty() ? 0 : moments_.back());
            break;
        }
        moments_.push_back(done);
        const auto move = answer_before(*run, done < events.size() ? &events[done] : nullptr);
        if (done == events.size() || !move) break;
        run->apply(*move);
    }
    for (int viewer = spectator; viewer < machine_->game.players; ++viewer) open(viewer);
}

void Replay::open(int viewer) {
    Eyes eyes{SeatTable(machine_, viewer), 0, {}, {}};
    std::size_t told = 0;
    for (std::size_t known : moments_) {
        while (known > 0 && events_[known - 1].joint) --known;  // not before all have chosen
        if (known > 0 && known < events_.size() && is_one_deal(events_[known - 1], events_[known])) continue;
        const Events noticed = noticed_up_to(machine_->game, events_, told, known, viewer);
        if (noticed.empty()) continue;
        for (Json& line : lines_of(*machine_, noticed, viewer)) eyes.lines.push_back(std::move(line));
        eyes.steps.push_back({known, eyes.lines.size()});
    }
    if (!eyes.steps.empty()) eyes.steps.back().events = settled(events_);
    eyes_.emplace(viewer, std::move(eyes));
}

Json Replay::told_to(int viewer) const {
    const Eyes& eyes = eyes_.at(viewer);
    Json counts = Json::array();
    for (const Step& step : eyes.steps) counts.push_back(step.lines);
    return {{"lines", eyes.lines}, {"steps", std::move(counts)}};
}

Json Replay::table_at(int viewer, std::size_t step) {
    Eyes& eyes = eyes_.at(viewer);
    if (step >= eyes.steps.size()) return nullptr;
    const std::size_t known = eyes.steps[step].events;
    if (eyes.seen > known) {
        eyes.table = SeatTable(machine_, viewer);
        eyes.seen = 0;
    }
    for (; eyes.seen < known; ++eyes.seen) eyes.table.see(events_[eyes.seen]);
    return table_frame(*machine_, eyes.table);
}

}  // namespace houserule::cli
