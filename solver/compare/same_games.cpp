#include "solver/compare/same_games.hpp"
#include "solver/compare/name_mapping.hpp"

namespace houserule {

namespace {

// Which step an event comes from is no part of what happens.
bool is_same(const Events& first, const Events& second) {
    if (first.size() != second.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        Event e = second[i];
        e.step = first[i].step;
        e.rule = first[i].rule;
        if (e != first[i]) return false;
    }
    return true;
}

// Whether the same seats are asked, in the same way, with as many moves on offer.
bool is_same(const Node& first, const Node& second) {
    return first.kind == second.kind && first.seat == second.seat && first.seats == second.seats && first.moves == second.moves &&
           first.joint == second.joint;
}

bool is_same_result(Run& first, Run& second) {
    const GameResult one = outcome_of(first);
    const GameResult other = outcome_of(second);
    return one.won_alike(other) && one.scores == other.scores && one.payoffs == other.payoffs;
}

bool is_same_game(Run& first, Run& second, Random random, std::uint64_t nodes) {
    Events of_first;
    Events of_second;
    first.record(&of_first);
    second.record(&of_second);
    first.start();
    second.start();
    for (std::uint64_t n = 0; n < nodes; ++n) {
        const Node node = first.advance();
        if (!is_same(node, second.advance()) || !is_same(of_first, of_second)) return false;
        if (node.kind == NodeKind::over) return is_same_result(first, second);
        if (node.kind == NodeKind::failed) return !is_stopped(first);
        of_first.clear();
        of_second.clear();
        const std::uint64_t move = random_move(first, random);
        first.apply(move);
        second.apply(move);
    }
    return false;
}

}  // namespace

std::uint64_t same_games(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second,
                         const SameGamesLimits& limits) {
    if (first->game.players != second->game.players) return 0;
    const auto a = make_run(first);
    const auto b = make_run(second);
    a->stop_on(limits.stop);
    b->stop_on(limits.stop);
    for (std::uint64_t g = 0; g < limits.games; ++g)
        if (asked(limits.stop) || !is_same_game(*a, *b, Random(limits.seed + g), limits.nodes)) return 0;
    return limits.games;
}

}  // namespace houserule
