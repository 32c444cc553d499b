#include "solver/leads/played.hpp"

#include "solver/findings/texts.hpp"
#include "solver/findings/witness.hpp"

#include <utility>

namespace houserule {

bool shorter(const Played& a, const Played& b) { return std::pair(a.decisions, a.moves.size()) < std::pair(b.decisions, b.moves.size()); }

Finding question_of(const Machine& machine, const Settings& settings, std::uint64_t games, const Played& played) {
    Finding f;
    f.gravity = Gravity::note;
    f.verdict = Verdict::found;
    f.method = FoundBy::simulated;
    f.bound = FindingText::games(games);
    f.players = {machine.game.players};
    Witness w;
    w.players = machine.game.players;
    w.settings = settings;
    w.moves = played.moves;
    w.decisions = played.decisions;
    if (const auto log = replayed(machine, w)) {
        w.log = *log;
        f.witness = std::move(w);
    }
    return f;
}

}  // namespace houserule
