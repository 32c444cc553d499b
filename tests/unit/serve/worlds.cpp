#include "tests/unit/serve/worlds.hpp"

#include "interpreter/log/view.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace houserule::testing {

namespace {

bool is_question_of(const Node& n, int seat) {
    return n.seat == seat && (n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask);
}

}  // namespace

DeductionLimits limits_of_tests(bool patient) {
    DeductionLimits limits;
    limits.work = patient ? 20'000'000 : 1'000'000;
    limits.time = std::chrono::milliseconds(patient ? 20'000 : 2'000);
    return limits;
}

std::optional<Position> at_question(const std::shared_ptr<const Machine>& machine, Random& random, int seat, int n) {
    Position p{make_run(machine), {}};
    p.run->start();
    p.run->record(&p.events);
    bool consented = false;
    std::size_t noticed = 0;
    for (int step = 0; step < 2'000; ++step) {
        const Node node = p.run->advance();
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) return std::nullopt;
        const bool halfway = consented && noticed == p.events.size();
        if (is_question_of(node, seat) && !node.joint && !halfway && n-- == 0) return p;
        consented = is_question_of(node, seat) && node.kind == NodeKind::consent;
        noticed = p.events.size();
        p.run->apply(random_move(*p.run, random));
    }
    return std::nullopt;
}

std::optional<Position> another_world(Deduction& deduction, const Events& noticed, const std::shared_ptr<const Machine>& machine,
                                      Random& random, int seat) {
    const auto history = deduction.sample(random);
    Position p{make_run(machine), {}};
    std::string problem;
    if (!history || !play_history(*p.run, *history, p.events, problem)) return std::nullopt;
    p.run->record(&p.events);
    p.run->advance();
    const auto is_unnoticed = [&] { return view_of(*machine, {}, p.events, seat).events == noticed; };
    for (int step = 0; step < 50 && is_unnoticed(); ++step) {
        const Node node = p.run->node();
        if (is_question_of(node, seat)) return p;
        if (node.kind == NodeKind::over || node.kind == NodeKind::failed) return std::nullopt;
        // Whatever others or chance do that the seat does not notice.
        const std::vector<std::byte> state(p.run->state().begin(), p.run->state().end());
        const std::size_t events = p.events.size();
        for (int attempt = 0; attempt < 8; ++attempt) {
            p.events.resize(events);
            p.run->set_state(state);
            p.run->advance();
            p.run->apply(node.kind == NodeKind::window ? 0 : random_move(*p.run, random));
            p.run->advance();
            if (is_unnoticed()) break;
        }
    }
    return std::nullopt;
}

}  // namespace houserule::testing
