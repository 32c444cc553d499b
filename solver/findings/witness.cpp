#include "solver/findings/witness.hpp"

#include "interpreter/log/log.hpp"
#include "solver/findings/outcome.hpp"

#include <algorithm>

namespace houserule {

namespace {

// The first of the events from `told` on that has a line in a log.
std::size_t first_told(const Machine& machine, const Events& events, std::size_t told) {
    while (told < events.size() && event_line(machine, events[told], -1).empty()) ++told;
    return told;
}

// The lines of the events alone.
std::string body_of(const Machine& machine, const Events& events, std::size_t from, std::size_t to) {
    const LogHead head = head_of(machine, std::nullopt);
    return log_text(machine, head, {events.begin() + from, events.begin() + to}).substr(log_text(machine, head, {}).size());
}

}  // namespace

std::optional<std::string> replayed(const Machine& machine, Witness& witness) {
    const auto run = make_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
    Events events;
    run->record(&events);
    run->start();
    // That nobody acts leaves no line in a log, and follows from the lines after it: but not from one that somebody acts, which may be
    // at the next chance, and after the last line it must be said.
    std::string passes;
    std::string log = log_text(machine, head_of(machine, std::nullopt), {});
    std::size_t logged = 0;
    std::size_t told = 0;
    const auto look = [&] {
        const Node& n = run->advance();
        const std::size_t next = first_told(machine, events, told);
        told = events.size();
        if (next == told) return n;
        if (!passes.empty() && events[next].kind == EventKind::acts) {
            log += body_of(machine, events, logged, next) + passes;
            logged = next;
        }
        passes.clear();
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
    return log + body_of(machine, events, logged, events.size()) + passes;
}

}  // namespace houserule
