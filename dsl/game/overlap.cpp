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
            for (const std::int32_t v : game_.sets[at(e.a).set()]) left.values.emplace_back(v, v);
            return left;
        }
        if (!compares || (e.op == Operator::equal && !c.holds)) return std::nullopt;
        const bool turned = at(e.a).op == Operator::constant;
        if (!turned && at(e.b).op != Operator::constant) return std::nullopt;
        const std::int64_t value = at(turned ? e.a : e.b).value();
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
    switch (s.kind()) {
        case StatementKind::block:
        case StatementKind::becomes:
        case StatementKind::let:
        case StatementKind::stop:
        case StatementKind::end:
        case StatementKind::each:
        case StatementKind::each_number:
        case StatementKind::repeat:
        case StatementKind::cases:
        case StatementKind::call:
        case StatementKind::judged:
        case StatementKind::nothing:
            return false;
        case StatementKind::put:
            return (s.as<statement::Put>()->mode & put_shuffled) != 0;
        case StatementKind::says:
        case StatementKind::show:
        case StatementKind::play_game:
        case StatementKind::deal:
        case StatementKind::draw:
        case StatementKind::shuffle:
        case StatementKind::choose:
        case StatementKind::may_do:
        case StatementKind::simultaneously:
        case StatementKind::report:
        case StatementKind::offer:
            return true;
    }
    return true;
}

}  // namespace

bool may_overlap(const Game& game, const statement::Cases& cases, std::size_t a, std::size_t b) {
    const Arm& x = cases.arms[a];
    const Arm& y = cases.arms[b];
    return x.except == y.except && !Exclusion(game)({x.condition, true}, {y.condition, true});
}

bool may_disagree(const Game& game, const statement::Cases& cases, std::size_t a, std::size_t b) {
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
    return x.op == y.op && x.type == y.type && x.immediate == y.immediate && surely_same(game, x.a, y.a) && surely_same(game, x.b, y.b) &&
           surely_same(game, x.c, y.c);
}

namespace {

// Whether statements of one kind surely do the same. Names that a statement gives are its own: such statements are never taken for equal.
struct Sameness {
    const Game& game;

    bool operator()(const statement::Block& x, const statement::Block& y) const { return all(x.items, y.items); }
    bool operator()(const statement::Becomes& x, const statement::Becomes& y) const {
        return x.fact == y.fact && same(x.index, y.index) && same(x.value, y.value);
    }
    bool operator()(const statement::Let&, const statement::Let&) const { return false; }
    bool operator()(const statement::Says& x, const statement::Says& y) const { return x.word == y.word && same(x.player, y.player); }
    bool operator()(const statement::Show& x, const statement::Show& y) const { return same(x.cards, y.cards) && same(x.seers, y.seers); }
    bool operator()(const statement::Stop& x, const statement::Stop& y) const { return x.rule == y.rule; }
    bool operator()(const statement::End& x, const statement::End& y) const { return x.end == y.end && all(x.arguments, y.arguments); }
    bool operator()(const statement::PlayGame&, const statement::PlayGame&) const { return true; }
    bool operator()(const statement::Put& x, const statement::Put& y) const {
        return x.mode == y.mode && same(x.cards, y.cards) && same(x.place, y.place);
    }
    bool operator()(const statement::Deal& x, const statement::Deal& y) const {
        return x.zone == y.zone && x.direction == y.direction && same(x.count, y.count) && same(x.source, y.source) &&
               same(x.target, y.target) && same(x.owners, y.owners) && same(x.first, y.first) && same(x.if_short, y.if_short);
    }
    bool operator()(const statement::Draw&, const statement::Draw&) const { return false; }
    bool operator()(const statement::Shuffle& x, const statement::Shuffle& y) const { return same(x.place, y.place); }
    bool operator()(const statement::Choose&, const statement::Choose&) const { return false; }
    bool operator()(const statement::MayDo& x, const statement::MayDo& y) const {
        return x.word == y.word && same(x.player, y.player) && same(x.body, y.body) && same(x.otherwise, y.otherwise);
    }
    bool operator()(const statement::Simultaneously&, const statement::Simultaneously&) const { return false; }
    bool operator()(const statement::Report&, const statement::Report&) const { return false; }
    bool operator()(const statement::Offer& x, const statement::Offer& y) const { return x.act == y.act; }
    bool operator()(const statement::Each&, const statement::Each&) const { return false; }
    bool operator()(const statement::EachNumber&, const statement::EachNumber&) const { return false; }
    bool operator()(const statement::Repeat& x, const statement::Repeat& y) const {
        return x.exactly == y.exactly && same(x.while_true, y.while_true) && same(x.until, y.until) && same(x.times, y.times) &&
               same(x.decreases, y.decreases) && same(x.body, y.body) && same(x.at_bound, y.at_bound);
    }
    bool operator()(const statement::Cases& x, const statement::Cases& y) const {
        return x.arms.empty() && y.arms.empty() && same(x.otherwise, y.otherwise);
    }
    bool operator()(const statement::Call& x, const statement::Call& y) const { return x.rule == y.rule && all(x.arguments, y.arguments); }
    bool operator()(const statement::Judged& x, const statement::Judged& y) const { return same(x.players, y.players); }
    bool operator()(const statement::Nothing&, const statement::Nothing&) const { return true; }

    template <class Id>
    bool same(Id a, Id b) const {
        return surely_same(game, a, b);
    }
    template <class Id>
    bool all(const std::vector<Id>& a, const std::vector<Id>& b) const {
        return std::ranges::equal(a, b, [&](Id x, Id y) { return same(x, y); });
    }
};

}  // namespace

bool surely_same(const Game& game, StatementId a, StatementId b) {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Statement& x = game.statements[a];
    const Statement& y = game.statements[b];
    return x.kind() == y.kind() &&
           std::visit([&]<class Struct>(const Struct& s) { return Sameness{game}(s, std::get<Struct>(y.form)); }, x.form);
}

}  // namespace houserule
