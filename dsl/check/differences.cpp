#include "dsl/check/differences.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>

namespace houserule {

namespace {

constexpr std::size_t parameters_compared = 8;  // of a rule; a rule with more players says nothing about them
constexpr int rounds_of_calls = 50;             // a chain of calls that needs more says nothing

}  // namespace

bool Differences::stable(ExpressionId e) const {
    return !reads_state(game_, e) && !any_read(game_, e, [](const Expression& x) { return x.op == Operator::bound; });
}

// Through `let me = p` and `p's left's left`.
Differences::Seat Differences::seat(ExpressionId e) const {
    Seat s{e, 0};
    while (true) {
        const Expression& x = expression(s.of);
        if (x.op == Operator::neighbour) {
            s.further = (s.further + x.seats()) % game_.players;
            s.of = x.a;
        } else if (x.op == Operator::variable && origins_[x.named()].value != no_id && stable(origins_[x.named()].value)) {
            s.of = origins_[x.named()].value;
        } else {
            return s;
        }
    }
}

bool Differences::same_seat(ExpressionId a, ExpressionId b) const {
    const Seat x = seat(a);
    const Seat y = seat(b);
    return x.further == y.further && expressions_.same(x.of, y.of);
}

bool Differences::same(ExpressionId a, ExpressionId b, MomentId at) {
    return a != no_id && b != no_id && (same_seat(a, b) || supposed(a, b, at, true));
}

bool Differences::differ(ExpressionId a, ExpressionId b, MomentId at) {
    if (a == no_id || b == no_id || tired()) return false;
    const Seat x = seat(a);
    const Seat y = seat(b);
    if (expressions_.same(x.of, y.of)) return x.further != y.further;
    const Expression& p = expression(x.of);
    const Expression& q = expression(y.of);
    if (p.op == Operator::constant && q.op == Operator::constant)
        return p.value() >= 0 && q.value() >= 0 && (p.value() + x.further) % game_.players != (q.value() + y.further) % game_.players;
    if (supposed(a, b, at, false)) return true;
    return (x.further == 0 && one_differs(x.of, b, at)) || (y.further == 0 && one_differs(y.of, a, at));
}

// By what `a` is made of.
bool Differences::one_differs(ExpressionId a, ExpressionId b, MomentId at) {
    const Expression& x = expression(a);
    switch (x.op) {
        case Operator::variable:
            return variable_differs(x.named(), b, at);
        case Operator::bound: {
            const auto set = sets_of_bounds_.find(x.bound());
            return set != sets_of_bounds_.end() && lacks(set->second, b, at);
        }
        case Operator::the_element:
            return lacks(x.a, b, at);
        case Operator::next_in: {  // itself only when nobody else is in the set
            const Expression& set = expression(x.b);
            const bool others = set.op == Operator::set_constant && game_.sets[set.set()].size() > 1;
            return (others && same_seat(x.a, b)) || lacks(x.b, b, at);
        }
        case Operator::lookup: {  // a partner
            const std::vector<std::int32_t>& table = game_.tables[x.named()];
            if (x.type.base != Base::player || expression(x.a).type.base != Base::player || !same_seat(x.a, b)) return false;
            for (std::size_t p = 0; p < table.size(); ++p)
                if (std::cmp_equal(table[p], p)) return false;
            return true;
        }
        case Operator::conditional:
            return conditional_differs(x, b, at);
        default:
            return false;
    }
}

bool Differences::variable_differs(VariableId variable, ExpressionId b, MomentId at) {
    const Origin& origin = origins_[variable];
    if (origin.set != no_id && in_another_moment(origin.set, b, origin.when, true)) return true;
    if (origin.value != no_id && stable(b)) {  // a `let` of what may change later
        const Conditions aside = set_aside();
        const bool found = differ(origin.value, b, origin.when);
        take_back(aside);
        if (found) return true;
    }
    for (MomentId m = at == no_id ? MomentId{} : moments_[at].supposed; m != no_id && !tired();) {
        const Moment& moment = moments_[m];
        if (moment.somebody == variable && stable(moment.other) && same_seat(moment.other, b)) return true;
        m = moment.before == no_id ? MomentId{} : moments_[moment.before].supposed;
    }
    const Seat other = seat(b);
    if (other.further != 0 || expression(other.of).op != Operator::variable) return false;
    const VariableId named = expression(other.of).named();
    return different_parameters_.contains({variable, named}) || different_parameters_.contains({named, variable});
}

bool Differences::conditional_differs(const Expression& x, ExpressionId b, MomentId at) {
    suppose(x.a, true);
    const bool first = differ(x.b, b, at);
    forget();
    if (!first) return false;
    suppose(x.a, false);
    const bool second = differ(x.c, b, at);
    forget();
    return second;
}

// Whether a condition that holds at the moment makes them different or, with `alike`, the same.
bool Differences::supposed(ExpressionId a, ExpressionId b, MomentId at, bool alike) {
    for (std::size_t i = 0; i < here_.size(); ++i) {
        const auto [condition, holds] = here_[i];  // a copy: asking about another moment sets them aside
        if (follows(condition, holds, a, b, at, alike)) return true;
    }
    if (!stable(a) || !stable(b)) return false;
    const Conditions aside = set_aside();
    bool found = false;
    for (MomentId m = at == no_id ? MomentId{} : moments_[at].supposed; m != no_id && !found && !tired();) {
        const Moment& moment = moments_[m];
        found = moment.condition != no_id && follows(moment.condition, moment.holds, a, b, moment.before, alike);
        m = moment.before == no_id ? MomentId{} : moments_[moment.before].supposed;
    }
    take_back(aside);
    return found;
}

bool Differences::follows(ExpressionId condition, bool holds, ExpressionId a, ExpressionId b, MomentId at, bool alike) {
    if (condition == no_id || tired()) return false;
    const Expression& c = expression(condition);
    switch (c.op) {
        case Operator::both:
        case Operator::either:
            if ((c.op == Operator::both) != holds) return false;
            return follows(c.a, holds, a, b, at, alike) || follows(c.b, holds, a, b, at, alike);
        case Operator::negate:
            return follows(c.a, !holds, a, b, at, alike);
        case Operator::equal: {
            if (expression(c.a).type.base != Base::player || expression(c.b).type.base != Base::player) return false;
            const bool straight = same_seat(c.a, a) && same_seat(c.b, b);
            const bool crossed = same_seat(c.a, b) && same_seat(c.b, a);
            return holds == alike && (straight || crossed);
        }
        case Operator::has_element:
            if (!holds || alike || expression(c.b).type.base != Base::player) return false;
            return (same_seat(c.b, a) && lacks(c.a, b, at)) || (same_seat(c.b, b) && lacks(c.a, a, at));
        default:
            return false;
    }
}

bool Differences::is_constant_in(ExpressionId player, const std::vector<std::int32_t>& set, bool in) const {
    const Seat s = seat(player);
    const Expression& x = expression(s.of);
    if (x.op != Operator::constant || x.value() < 0) return in && std::cmp_equal(set.size(), game_.players);
    return std::binary_search(set.begin(), set.end(), (x.value() + s.further) % game_.players) == in;
}

// About the value that a set had when a name was taken from it.
bool Differences::in_another_moment(ExpressionId set, ExpressionId player, MomentId when, bool lacking) {
    if (!stable(player)) return false;
    const Conditions aside = set_aside();
    const bool found = lacking ? lacks(set, player, when) : has(set, player, when);
    take_back(aside);
    return found;
}

bool Differences::lacks(ExpressionId set, ExpressionId player, MomentId at) {
    if (tired()) return false;
    const Expression& x = expression(set);
    switch (x.op) {
        case Operator::set_constant:
            return x.type.element == Base::player && is_constant_in(player, game_.sets[x.set()], false);
        case Operator::set_single:
            return differ(x.a, player, at);
        case Operator::set_minus:
            return lacks(x.a, player, at) || has(x.b, player, at);
        case Operator::set_join:
        case Operator::set_or_if_none:
            return lacks(x.a, player, at) && lacks(x.b, player, at);
        case Operator::set_conditional:
            return lacks(x.b, player, at) && lacks(x.c, player, at);
        case Operator::set_most:
        case Operator::set_least:
            return lacks(x.a, player, at);
        case Operator::set_where: {
            if (lacks(x.a, player, at)) return true;
            ExpressionId element = no_id;
            any_operand(game_, x.b, [&](ExpressionId e) {
                if (expression(e).op == Operator::bound && expression(e).bound() == x.bound()) element = e;
                return element != no_id;
            });
            return element != no_id && follows(x.b, true, element, player, at, false);
        }
        case Operator::set_variable: {
            const Origin& origin = origins_[x.named()];
            const ExpressionId from = origin.value != no_id ? origin.value : origin.set;
            return from != no_id && in_another_moment(from, player, origin.when, true);
        }
        default:
            return false;
    }
}

bool Differences::has(ExpressionId set, ExpressionId player, MomentId at) {
    if (tired()) return false;
    const Expression& x = expression(set);
    switch (x.op) {
        case Operator::set_constant:
            return x.type.element == Base::player && is_constant_in(player, game_.sets[x.set()], true);
        case Operator::set_single:
            return same(x.a, player, at);
        case Operator::set_join:
            return has(x.a, player, at) || has(x.b, player, at);
        case Operator::set_conditional:
            return has(x.b, player, at) && has(x.c, player, at);
        case Operator::set_minus:
            return has(x.a, player, at) && lacks(x.b, player, at);
        case Operator::set_variable: {
            const Origin& origin = origins_[x.named()];
            return origin.value != no_id && in_another_moment(origin.value, player, origin.when, false);
        }
        default:
            return false;
    }
}

// --- parameters

std::vector<std::pair<std::size_t, std::size_t>> Differences::player_pairs(const Rule& rule) const {
    std::vector<std::size_t> players;
    for (std::size_t i = 0; i < rule.parameters.size(); ++i)
        if (game_.variables[rule.parameters[i]].type.base == Base::player) players.push_back(i);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    if (players.size() > parameters_compared) return pairs;
    for (std::size_t i = 0; i < players.size(); ++i)
        for (std::size_t k = i + 1; k < players.size(); ++k) pairs.emplace_back(players[i], players[k]);
    return pairs;
}

// Two parameters are different if they are in every call; that may rest on the parameters of the rule that calls. What one call refutes
// is dropped, until nothing is. As rules do not call themselves, what stays holds from the first call on.
void Differences::settle() {
    is_settled_ = true;
    const auto at = [&](StatementId call) -> const statement::Call& { return *game_.statements[call].as<statement::Call>(); };
    const auto parameters = [&](StatementId call, std::pair<std::size_t, std::size_t> pair) {
        const Rule& rule = game_.rules[at(call).rule];
        return std::pair(rule.parameters[pair.first], rule.parameters[pair.second]);
    };
    const auto pairs = [&](StatementId call) { return player_pairs(game_.rules[at(call).rule]); };
    for (const auto& [call, moment] : calls_)
        for (const auto& pair : pairs(call)) different_parameters_.insert(parameters(call, pair));
    bool changed = !different_parameters_.empty();
    for (int round = 0; changed; ++round) {
        changed = false;
        for (const auto& [call, moment] : calls_) {
            const std::vector<ExpressionId>& arguments = at(call).arguments;
            for (const auto& pair : pairs(call)) {
                if (!different_parameters_.contains(parameters(call, pair)) || pair.second >= arguments.size()) continue;
                if (different(arguments[pair.first], arguments[pair.second], moment)) continue;
                different_parameters_.erase(parameters(call, pair));
                changed = true;
            }
        }
        if (round == rounds_of_calls) return different_parameters_.clear();
    }
}

}  // namespace houserule
