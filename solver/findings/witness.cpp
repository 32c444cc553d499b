#include "solver/findings/witness.hpp"

#include "interpreter/log/log.hpp"
#include "solver/findings/outcome.hpp"

namespace houserule {

std::optional<std::string> replayed(const Machine& machine, Witness& witness) {
    const auto run = make_run(std::shared_ptr<const Machine>(&machine, [](const Machine*) {}));
    Events events;
    run->record(&events);
    run->start();
    // That nobody acts leaves no line in a log: what only passes lead to is left out.
    std::size_t last = 0;
    for (std::size_t i = 0; i < witness.moves.size(); ++i) {
        if (run->advance().kind != NodeKind::window || witness.moves[i] != 0) last = i + 1;
        if (run->node().kind == NodeKind::over || run->node().kind == NodeKind::failed) return std::nullopt;
        run->apply(witness.moves[i]);
    }
    witness.moves.resize(last);
    events.clear();
    run->start();
    for (const std::uint64_t move : witness.moves) {
        const Node& n = run->advance();
        const bool fits = n.kind == NodeKind::window ? (move & ~std::uint64_t{n.seats}) == 0
                                                     : n.kind != NodeKind::over && n.kind != NodeKind::failed && move < n.moves;
        if (!fits) return std::nullopt;
        run->apply(move);
    }
    run->advance();
    witness.state = waits_for(*run);
    return log_text(machine, head_of(machine, std::nullopt), events);
}

}  // namespace houserule
