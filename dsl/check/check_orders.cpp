// What is put in order in a row, although it has no order.
#include "dsl/check/checker.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace houserule {

namespace {

// The zones of the places and cards that an expression can give as they lie there.
std::set<ZoneId> zones_in(const Game& game, ExpressionId e) {
    std::set<ZoneId> zones;
    const std::function<void(ExpressionId)> look = [&](ExpressionId part) {
        if (part == no_id) return;
        const Expression& x = game.expressions[part];
        switch (x.op) {
            case Operator::place:
            case Operator::cards_of:
                zones.insert(ZoneId(x.named()));
                break;
            case Operator::cards_at:
                look(x.a);
                break;
            case Operator::cards_join:
                look(x.a);
                look(x.b);
                break;
            case Operator::conditional:
            case Operator::cards_conditional:
                look(x.b);
                look(x.c);
                break;
            default:
                break;
        }
    };
    look(e);
    return zones;
}

}  // namespace

// A stack that is shuffled, and never gets several cards in an order that is known. What is put there singly may come to lie on top, so it
// is a warning.
void Checker::warn_of_orders() {
    std::set<ZoneId> shuffled;
    std::set<ZoneId> ordered;
    // Cards lie there in an order that nobody knows.
    const auto is_unknown = [&](ZoneId z) { return game_.zones[z].shape == Shape::stack && shuffled.contains(z) && !ordered.contains(z); };
    const auto from_shuffled = [&](const statement::Put& put) { return std::ranges::any_of(zones_in(game_, put.cards), is_unknown); };
    std::vector<const statement::Put*> puts;
    for (const Statement& s : game_.statements)
        if (const auto* put = s.as<statement::Put>(); put != nullptr && put->cards != no_id && put->place != no_id) puts.push_back(put);
    const auto keeps_order = [](const statement::Put& put) { return (put.mode & put_in_order) != 0; };
    std::size_t known = 0;
    do {
        known = shuffled.size();
        ordered.clear();
        for (const Statement& s : game_.statements)
            if (const auto* shuffle = s.as<statement::Shuffle>()) shuffled.merge(zones_in(game_, shuffle->place));
        for (const auto* put : puts)
            if ((put->mode & put_shuffled) != 0) shuffled.merge(zones_in(game_, put->place));
        for (const auto* put : puts)
            if (keeps_order(*put)) (from_shuffled(*put) ? shuffled : ordered).merge(zones_in(game_, put->place));
    } while (shuffled.size() != known);
    for (const auto* put : puts) {
        if (!keeps_order(*put)) continue;
        const std::set<ZoneId> to = zones_in(game_, put->place);
        if (to.size() != 1 || game_.zones[*to.begin()].shape != Shape::row) continue;
        for (const ZoneId z : zones_in(game_, put->cards)) {
            if (!is_unknown(z)) continue;
            const std::string& name = game_.zones[z].name;
            report(Code::order_is_unknown, game_.expressions[put->cards].span, name).help =
                Text::deal_lays_one_by_one(name, game_.zones[*to.begin()].name);
        }
    }
}

}  // namespace houserule
