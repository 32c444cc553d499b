#include "solver/findings/witness.hpp"

#include "interpreter/log/log.hpp"
#include "solver/findings/outcome.hpp"

#include <algorithm>

namespace houserule {

namespace {

// Whether any of the events after `told` has a line in a log.
bool is_told(const Machine& machine, const Events& events, std::size_t told) {
    return std::any_of(events.begin() + told, events.end(), [&](const Event& e) { return !event_line(machine, e, -1).empty(); });
}

}  // namespace

std::optional<std::string> replayed(const Machine& machine, Witness& witness) {
    const auto run = make_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
    Events events;
    run->record(&events);
    run->start();
    // That nobody acts leaves no line in a log, and follows from the lines after it: after the last one it must be said.
    std::string passes;
    std::size_t told = 0;
    const auto look = [&] {
        const Node& n = run->advance();
        if (is_told(machine, events, told)) passes.clear();
        told = events.size();
        return n;
    };
    for (const std::uint64_t move : witness.moves) {
        const Node n = look();
        const bool fits = n.kind == NodeKind::window ? (move & ~std::uint64_t{n.seats}) == 0
                                                     : n.kind != NodeKind::over && n.kind != NodeKind::failed && move < n.moves;
        if (!fits) return std::nullopt;
        if (n.kind == NodeKind::window && move == 0) passes += pass_line(machine, n.step) + "\n";
        run->apply(move);
    }
    look();
    witness.state = waits_for(*run);
    return log_text(machine, head_of(machine, std::nullopt), events) + passes;
}

}  // namespace houserule
