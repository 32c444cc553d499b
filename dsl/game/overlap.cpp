#include "dsl/game/overlap.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// A condition, or its opposite.
struct Claim {
    ExpressionId condition = no_id;
    bool holds = true;
};

// What a claim leaves for one expression: the values between these, each pair inclusive.
struct Leaves {
    ExpressionId subject = no_id;
    std::vector<std::pair<std::int64_t, std::int64_t>> values;
};

// Whether two claims never hold together, by their words: `x is A` and `x is B`, `x > 3` and `x <= 3`, `C` and `not C`, and what is joined
// of such with `and`, `or`, `not`. False also where it takes more than that to see it.
class Exclusion {
public:
    explicit Exclusion(const Game& game) : game_(game) {}

    bool operator()(Claim a, Claim b) const {
        a = without_not(a);
        b = without_not(b);
        for (const bool swapped : {false, true}) {
            const auto [one, other] = swapped ? std::pair(b, a) : std::pair(a, b);
            if (!is_joined(one) || is_all(one)) continue;
            return (*this)(part(one, false), other) && (*this)(part(one, true), other);
        }
        for (const bool swapped : {false, true}) {
            const auto [one, other] = swapped ? std::pair(b, a) : std::pair(a, b);
            if (is_joined(one)) return (*this)(part(one, false), other) || (*this)(part(one, true), other);
        }
        if (a.holds != b.holds && surely_same(game_, a.condition, b.condition)) return true;
        const auto x = leaves(a);
        const auto y = leaves(b);
        return x && y && surely_same(game_, x->subject, y->subject) && are_apart(*x, *y);
    }

private:
    const Expression& at(ExpressionId e) const { return game_.expressions[e]; }
    Claim without_not(Claim c) const {
        while (at(c.condition).op == Operator::negate) c = {at(c.condition).a, !c.holds};
        return c;
    }
    // `and`, `or`: claims about both parts, or about one of them at least.
    bool is_joined(Claim c) const { return at(c.condition).op == Operator::both || at(c.condition).op == Operator::either; }
    bool is_all(Claim c) const { return (at(c.condition).op == Operator::both) == c.holds; }
    Claim part(Claim c, bool second) const { return {second ? at(c.condition).b : at(c.condition).a, c.holds}; }

    std::optional<Leaves> leaves(Claim c) const {
        const Expression& e = at(c.condition);
        const bool compares = e.op == Operator::equal || e.op == Operator::less || e.op == Operator::less_equal;
        if (e.op == Operator::has_element && c.holds && at(e.a).op == Operator::set_constant) {
            Leaves left{e.b, {}};
            for (const std::int32_t v : game_.sets[at(e.a).imm]) left.values.emplace_back(v, v);
            return left;
        }
        if (!compares || (e.op == Operator::equal && !c.holds)) return std::nullopt;
        const bool turned = at(e.a).op == Operator::constant;
        if (!turned && at(e.b).op != Operator::constant) return std::nullopt;
        const std::int64_t value = at(turned ? e.a : e.b).imm;
        const ExpressionId subject = turned ? e.b : e.a;
        if (e.op == Operator::equal) return Leaves{subject, {{value, value}}};
        // `subject < value` and its like: not holding is what holds the other way round, for what `<=` takes in and `<` does not.
        const bool below = turned != c.holds;
        const bool with = (e.op == Operator::less_equal) == c.holds;
        constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
        if (below) return Leaves{subject, {{-far - 1, with ? value : value - 1}}};
        return Leaves{subject, {{with ? value : value + 1, far}}};
    }
    static bool are_apart(const Leaves& a, const Leaves& b) {
        return std::none_of(a.values.begin(), a.values.end(), [&](const auto& x) {
            return std::any_of(b.values.begin(), b.values.end(), [&](const auto& y) { return x.first <= y.second && y.first <= x.second; });
        });
    }

    const Game& game_;
};

bool leaves_more_than_a_table(const Statement& s) {
    switch (s.kind) {
        case StatementKind::block:
        case StatementKind::becomes:
        case StatementKind::let:
        case StatementKind::stop:
        case StatementKind::end:
        case StatementKind::each:
        case StatementKind::repeat:
        case StatementKind::choose_case:
        case StatementKind::call:
        case StatementKind::judged:
        case StatementKind::nothing:
            return false;
        case StatementKind::put:
            return (s.mode & put_shuffled) != 0;
        case StatementKind::says:
        case StatementKind::show:
        case StatementKind::play_game:
        case StatementKind::deal:
        case StatementKind::draw:
        case StatementKind::shuffle:
        case StatementKind::must:
        case StatementKind::may:
        case StatementKind::may_do:
        case StatementKind::simultaneously:
        case StatementKind::table:
        case StatementKind::chance:
        case StatementKind::offer:
            return true;
    }
    return true;
}

}  // namespace

bool may_overlap(const Game& game, const Statement& cases, std::size_t a, std::size_t b) {
    const Arm& x = cases.arms[a];
    const Arm& y = cases.arms[b];
    return x.except == y.except && !Exclusion(game)({x.condition, true}, {y.condition, true});
}

bool may_disagree(const Game& game, const Statement& cases, std::size_t a, std::size_t b) {
    return may_overlap(game, cases, a, b) && !surely_same(game, cases.arms[a].body, cases.arms[b].body);
}

bool changes_only_the_table(const Game& game, StatementId statement) {
    const auto more = [&](StatementId id) { return leaves_more_than_a_table(game.statements[id]); };
    if (any_within(game, statement, more)) return false;
    const Store<RuleId, bool> played = reachable_rules(game, statement);
    for (const RuleId r : played.ids())
        if (played[r] && any_within(game, game.rules[r].body, more)) return false;
    return true;
}

bool surely_same(const Game& game, ExpressionId a, ExpressionId b) {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Expression& x = game.expressions[a];
    const Expression& y = game.expressions[b];
    return x.op == y.op && x.type == y.type && x.imm == y.imm && surely_same(game, x.a, y.a) && surely_same(game, x.b, y.b) &&
           surely_same(game, x.c, y.c);
}

bool surely_same(const Game& game, StatementId a, StatementId b) {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Statement& x = game.statements[a];
    const Statement& y = game.statements[b];
    // Names that a statement gives are its own: such statements are never taken for equal.
    if (x.kind != y.kind || x.name != y.name || x.mode != y.mode || x.variable != no_id || y.variable != no_id) return false;
    for (const auto& [p, q] :
         {std::pair(x.a, y.a), std::pair(x.b, y.b), std::pair(x.c, y.c), std::pair(x.d, y.d), std::pair(x.fits, y.fits)})
        if (!surely_same(game, p, q)) return false;
    if (x.items.size() != y.items.size() || !x.arms.empty() || !y.arms.empty()) return false;
    const bool arguments = x.kind == StatementKind::call || x.kind == StatementKind::end;
    for (std::size_t i = 0; i < x.items.size(); ++i) {
        const bool same = arguments ? surely_same(game, ExpressionId(x.items[i]), ExpressionId(y.items[i]))
                                    : surely_same(game, StatementId(x.items[i]), StatementId(y.items[i]));
        if (!same) return false;
    }
    return surely_same(game, x.body, y.body) && surely_same(game, x.other, y.other);
}

}  // namespace houserule
