#include "interpreter/app/simulation/totals.hpp"

namespace houserule::cli {

namespace {

template <typename T, typename U>
void add_all(std::vector<T>& to, const std::vector<U>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(to[i] + from[i]);
}

}  // namespace

Totals nothing_yet(const Machine& m) {
    Totals t;
    t.tally.steps.assign(m.code.size(), 0);
    t.tally.taken.assign(m.code.size(), 0);
    t.wins.assign(m.game.players, 0);
    t.scores.assign(m.game.players, 0);
    t.reached.assign(m.code.size(), 0);
    t.kinds.assign(m.game.kinds.size(), 0);
    t.deducing.resize(m.game.players);
    return t;
}

void add(Tally& to, const Tally& from) {
    to.decisions += from.decisions;
    to.options += from.options;
    to.forced += from.forced;
    to.chances += from.chances;
    to.windows += from.windows;
    add_all(to.steps, from.steps);
    add_all(to.taken, from.taken);
}

void add(Totals& to, const Totals& from) {
    add(to.tally, from.tally);
    to.games += from.games;
    add_all(to.wins, from.wins);
    to.by_teams += from.by_teams;
    add_all(to.scores, from.scores);
    for (const auto& [end, n] : from.ends) to.ends[end] += n;
    for (const auto& [what, f] : from.failed) {
        FailureCount& sum = to.failed[what];
        if (sum.count == 0 || f.first < sum.first) sum.first = f.first, sum.failure = f.failure;
        sum.count += f.count;
    }
    for (std::size_t i = 0; i < to.reached.size(); ++i) to.reached[i] |= from.reached[i];
    for (std::size_t i = 0; i < to.kinds.size(); ++i) to.kinds[i] |= from.kinds[i];
    for (std::size_t p = 0; p < to.deducing.size(); ++p) {
        to.deducing[p].decisions += from.deducing[p].decisions;
        to.deducing[p].at_random += from.deducing[p].at_random;
    }
    to.compiled += from.compiled;
    to.rollouts += from.rollouts;
    to.compiled_rollouts += from.compiled_rollouts;
}

}  // namespace houserule::cli
