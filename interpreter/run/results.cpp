// How a game came out: what every run tells of its end, from the values of the rules' expressions.
#include "interpreter/run/run.hpp"

#include <bit>
#include <limits>

namespace houserule {

namespace {

constexpr std::int32_t broken_value = std::numeric_limits<std::int32_t>::min();

bool are_several(Seats seats) { return (seats & (seats - 1)) != 0; }

std::vector<std::int32_t> listed(Seats seats) {
    std::vector<std::int32_t> all;
    for (Seats rest = seats; rest != no_seats; rest &= rest - 1) all.push_back(std::countr_zero(rest));
    return all;
}

// Of those before and this one, those with the highest value, or the lowest.
void add_if_best(std::int32_t player, std::int32_t value, bool most, Seats& best, std::int32_t& best_value) {
    if (best == no_seats || (most ? value > best_value : value < best_value)) {
        best = seat_bit(player);
        best_value = value;
    } else if (value == best_value) {
        best |= seat_bit(player);
    }
}

}  // namespace

std::int32_t Run::scalar(ExpressionId expression) { return number(expression, no_id, 0).value_or(broken_value); }

EndId Run::ended() const {
    const EndId of_match(variable(machine().ended_match));
    return of_match != no_id ? of_match : EndId(variable(machine().ended_game));
}

std::vector<std::int32_t> Run::scores() { return by_player(machine().game.score); }
std::vector<std::int32_t> Run::payoffs() { return by_player(machine().game.payoff); }

std::int32_t Run::of_player(ExpressionId expression, std::int32_t player) {
    return number(expression, machine().game.score_bound, player).value_or(broken_value);
}
std::int32_t Run::score_of(std::int32_t player) { return of_player(machine().game.score, player); }

std::vector<std::int32_t> Run::by_player(ExpressionId expression) {
    std::vector<std::int32_t> values;
    if (expression == no_id) return values;
    for (std::int32_t p = 0; p < machine().game.players; ++p) values.push_back(of_player(expression, p));
    return values;
}

std::vector<std::int32_t> Run::winners(Random& lots) { return listed(winning_seats(lots)); }

bool Run::decides_by_lot(Seats in_front) const {
    const Winner& w = machine().game.winner;
    return w.present && w.set != no_id && w.last == LastWord::by_lot && are_several(in_front);
}

Seats Run::winning_seats(Random& lots) {
    Seats left = seats_in_front().value_or(no_seats);
    if (decides_by_lot(left)) {
        for (std::uint64_t others = lots.below(std::popcount(left)); others > 0; --others) left &= left - 1;
        left &= -left;
    }
    return left;
}

std::optional<std::vector<std::int32_t>> Run::in_front() {
    const std::optional<Seats> seats = seats_in_front();
    return seats ? std::optional(listed(*seats)) : std::nullopt;
}

std::optional<Seats> Run::seats_in_front() {
    const Winner& w = machine().game.winner;
    if (!w.present || w.set == no_id) return best_paid();
    if (node().kind == NodeKind::failed) return std::nullopt;
    std::optional<Seats> left = players(w.set);
    if (!left) return std::nullopt;
    for (const WinnerKey& key : w.keys)
        if (!keep_best(*left, key)) return std::nullopt;
    if (are_several(*left) && w.last == LastWord::nobody) left = no_seats;
    return left;
}

std::optional<Seats> Run::players(ExpressionId expression) {
    const auto all = elements(expression);
    if (!all) return std::nullopt;
    Seats seats = no_seats;
    for (const std::int32_t p : *all) seats |= seat_bit(p);
    return seats;
}

Seats Run::best_paid() {
    const Game& game = machine().game;
    Seats best = no_seats;
    std::int32_t best_value = 0;
    for (std::int32_t p = 0; game.payoff != no_id && p < game.players; ++p)
        add_if_best(p, of_player(game.payoff, p), true, best, best_value);
    return best;
}

// False when a promise broke.
bool Run::keep_best(Seats& left, const WinnerKey& key) {
    Seats best = no_seats;
    std::int32_t best_value = 0;
    for (Seats rest = left; rest != no_seats; rest &= rest - 1) {
        const std::int32_t p = std::countr_zero(rest);
        const std::optional<std::int32_t> v = number(key.expression, machine().game.winner.bound, p);
        if (!v) return false;
        add_if_best(p, *v, key.most, best, best_value);
    }
    left = best;
    return true;
}

}  // namespace houserule
