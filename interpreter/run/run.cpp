#include "interpreter/run/run.hpp"

#include <utility>

namespace houserule {

namespace {

std::uint64_t weighted_move(const Run& run, Random& random) {
    const Node& n = run.node();
    std::uint64_t total = 0;
    for (std::uint64_t m = 0; m < n.moves; ++m) total += run.outcome_weight(m);
    std::uint64_t at = random.below(total);
    for (std::uint64_t m = 0; m < n.moves; ++m) {
        const std::uint64_t w = run.outcome_weight(m);
        if (at < w) return m;
        at -= w;
    }
    return 0;
}

std::uint64_t volunteers(const Run& run, Random& random, std::int64_t per_million) {
    const Machine& m = run.machine();
    const Act& act = m.game.acts[m.code[run.node().step].a];
    std::uint64_t who = 0;
    for (Seats rest = run.node().seats; rest != 0; rest &= rest - 1)
        if (acts(act, random, per_million)) who |= rest & -rest;
    return who;
}

}  // namespace

RuleAtHand rule_at_hand(const TableView& run, const Node& node) {
    const Machine& m = run.machine();
    RuleAtHand here{m.code[node.step].rule, -1};
    if (here.rule == no_id) return here;
    const auto& parameters = m.game.rules[here.rule].parameters;
    const bool is_somebodys = !parameters.empty() && m.game.variables[parameters[0]].type.base == Base::player;
    if (is_somebodys) here.player = run.variable(parameters[0]);
    return here;
}

bool acts(const Act& act, Random& random, std::int64_t volunteer_per_million) {
    const bool by_file = volunteer_per_million < 0;
    const std::int64_t odds = by_file ? act.odds : volunteer_per_million;
    return std::cmp_less(random.below(by_file ? act.odds_of : 1'000'000), odds);
}

std::uint64_t random_move(const Run& run, Random& random, std::int64_t volunteer_per_million) {
    const Node& n = run.node();
    switch (n.kind) {
        case NodeKind::choose:
        case NodeKind::consent:
        case NodeKind::ask:
        case NodeKind::draw:
            return random.below(n.moves);
        case NodeKind::lot:
        case NodeKind::report:
            return weighted_move(run, random);
        case NodeKind::window:
            return volunteers(run, random, volunteer_per_million);
        case NodeKind::over:
        case NodeKind::failed:
            return 0;
    }
    return 0;
}

void play_random(Run& run, Random& random, Tally& tally, std::int64_t volunteer_per_million) {
    run.play(random, tally, volunteer_per_million);
}

}  // namespace houserule
