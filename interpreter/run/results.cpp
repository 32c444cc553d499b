// How a game came out: what every run tells of its end, from the values of the rules' expressions.
#include "interpreter/run/run.hpp"

#include <algorithm>
#include <limits>

namespace houserule {

namespace {

constexpr std::int32_t broken_value = std::numeric_limits<std::int32_t>::min();

}  // namespace

std::int32_t Run::scalar(ExpressionId expression) { return number(expression, no_id, 0).value_or(broken_value); }

EndId Run::ended() const {
    const EndId of_match(variable(machine().ended_match));
    return of_match != no_id ? of_match : EndId(variable(machine().ended_game));
}

std::vector<std::int32_t> Run::scores() { return by_player(machine().game.score); }
std::vector<std::int32_t> Run::payoffs() { return by_player(machine().game.payoff); }

std::vector<std::int32_t> Run::by_player(ExpressionId expression) {
    const Game& game = machine().game;
    std::vector<std::int32_t> values;
    if (expression == no_id) return values;
    for (std::int32_t p = 0; p < game.players; ++p) values.push_back(number(expression, game.score_bound, p).value_or(broken_value));
    return values;
}

std::vector<std::int32_t> Run::winners(Random& lots) {
    std::vector<std::int32_t> left = in_front().value_or(std::vector<std::int32_t>{});
    const Winner& w = machine().game.winner;
    if (w.present && w.set != no_id && w.last == LastWord::by_lot && left.size() > 1) left = {left[lots.below(left.size())]};
    return left;
}

std::optional<std::vector<std::int32_t>> Run::in_front() {
    const Winner& w = machine().game.winner;
    if (!w.present || w.set == no_id) return best_paid();
    if (node().kind == NodeKind::failed) return std::nullopt;
    std::optional<std::vector<std::int32_t>> left = elements(w.set);
    if (!left) return std::nullopt;
    for (const WinnerKey& key : w.keys)
        if (!keep_best(*left, key)) return std::nullopt;
    if (left->size() > 1 && w.last == LastWord::nobody) left->clear();
    return left;
}

std::vector<std::int32_t> Run::best_paid() {
    std::vector<std::int32_t> best;
    const std::vector<std::int32_t> paid = payoffs();
    for (std::size_t p = 0; p < paid.size(); ++p)
        if (paid[p] == *std::max_element(paid.begin(), paid.end())) best.push_back(p);
    return best;
}

// False when a promise broke.
bool Run::keep_best(std::vector<std::int32_t>& left, const WinnerKey& key) {
    std::vector<std::int32_t> best;
    std::int32_t best_value = 0;
    for (const std::int32_t p : left) {
        const std::optional<std::int32_t> v = number(key.expression, machine().game.winner.bound, p);
        if (!v) return false;
        if (best.empty() || (key.most ? *v > best_value : *v < best_value)) {
            best = {p};
            best_value = *v;
        } else if (*v == best_value) {
            best.push_back(p);
        }
    }
    left = best;
    return true;
}

}  // namespace houserule
