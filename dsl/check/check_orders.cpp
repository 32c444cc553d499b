// What is put in order in a row, although it has no order.
#include "dsl/check/checker.hpp"

#include <algorithm>
#include <functional>
#include <set>

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
    const auto from_shuffled = [&](const Statement& s) { return std::ranges::any_of(zones_in(game_, s.a), is_unknown); };
    const auto keeps_order = [](const Statement& s) {
        return s.kind == StatementKind::put && (s.mode & put_in_order) != 0 && s.a != no_id && s.b != no_id;
    };
    std::size_t known = 0;
    do {
        known = shuffled.size();
        ordered.clear();
        for (const Statement& s : game_.statements) {
            if (s.kind == StatementKind::shuffle && s.a != no_id) shuffled.merge(zones_in(game_, s.a));
            if (s.kind != StatementKind::put || s.a == no_id || s.b == no_id) continue;
            if ((s.mode & put_shuffled) != 0) shuffled.merge(zones_in(game_, s.b));
        }
        for (const Statement& s : game_.statements) {
            if (keeps_order(s)) (from_shuffled(s) ? shuffled : ordered).merge(zones_in(game_, s.b));
        }
    } while (shuffled.size() != known);
    for (const Statement& s : game_.statements) {
        if (!keeps_order(s)) continue;
        const std::set<ZoneId> to = zones_in(game_, s.b);
        if (to.size() != 1 || game_.zones[*to.begin()].shape != Shape::row) continue;
        for (const ZoneId z : zones_in(game_, s.a)) {
            if (!is_unknown(z)) continue;
            const std::string& name = game_.zones[z].name;
            report(Code::order_is_unknown, game_.expressions[s.a].span, name).help =
                Text::deal_lays_one_by_one(name, game_.zones[*to.begin()].name);
        }
    }
}

}  // namespace houserule
