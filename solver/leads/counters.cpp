#include "solver/leads/counters.hpp"

#include "dsl/game/parts.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace houserule {

namespace {

constexpr std::int64_t without_end = std::int64_t{1} << 40;  // times; more than any range
constexpr std::size_t visits_limit = 20'000;                 // of statements: a rule is read wherever it is called

std::int64_t product(std::int64_t a, std::int64_t b) { return a != 0 && b > without_end / a ? without_end : a * b; }

// What a new value comes to at the furthest, upwards or downwards: a number, or so far from what it was; or either.
struct Furthest {
    std::optional<std::int64_t> to;
    std::optional<std::int64_t> by;
};

class Counting {
public:
    explicit Counting(const Game& game) : game_(game), changes_(game.facts.size()) {
        walk(game.setup);
        walk(game.play);
        loops_.push_back({no_id, without_end});
        walk(game.match);
        for (const Act& act : game.acts) walk(act.body);
        for (const End& end : game.ends) walk(end.body);
    }

    Reach of(FactId id) const {
        const Fact& fact = game_.facts[id];
        const Reach whole{fact.type.low, fact.type.high};
        if (!is_counter(fact) || gave_up_) return whole;
        const std::int64_t start = game_.expressions[fact.initial].value();
        const Changes& c = changes_[id];
        return {std::max(whole.low, std::min(start, c.lowest.value_or(start)) - c.down),
                std::min(whole.high, std::max(start, c.highest.value_or(start)) + c.up)};
    }

private:
    struct Loop {
        StatementId statement = no_id;
        std::int64_t rounds = 1;
    };
    // Of a fact, or of each of its values: all steps up and down together, and the furthest numbers it is set to.
    struct Changes {
        std::int64_t up = 0;
        std::int64_t down = 0;
        std::optional<std::int64_t> highest;
        std::optional<std::int64_t> lowest;
    };

    bool is_counter(const Fact& fact) const {
        return fact.type.base == Base::number && fact.type.scale == 1 && !fact.type.or_none && fact.lasts != lasts_match &&
               fact.initial != no_id && game_.expressions[fact.initial].op == Operator::constant;
    }

    // ---- how often

    void walk(StatementId id) {
        if (id == no_id || gave_up_) return;
        gave_up_ = ++visits_ > visits_limit;
        const Statement& s = game_.statements[id];
        const auto parts = [&] {
            any_part(s, [&](StatementId part) {
                walk(part);
                return false;
            });
        };
        const auto loop = [&](VariableId variable, std::int64_t visits) {
            loops_.push_back({id, visits});
            const auto before = from_.find(variable);
            const std::optional<StatementId> outer = before == from_.end() ? std::nullopt : std::optional(before->second);
            from_[variable] = id;
            parts();
            from_.erase(variable);
            if (outer) from_[variable] = *outer;
            loops_.pop_back();
        };
        if (const auto* becomes = s.as<statement::Becomes>()) return change(*becomes);
        if (const auto* called = s.as<statement::Call>()) return call(*called);
        if (const auto* each = s.as<statement::Each>()) return loop(each->variable, visits_of(each->set));
        if (const auto* each = s.as<statement::EachNumber>()) return loop(each->variable, numbers_of(*each));
        if (const auto* together = s.as<statement::Simultaneously>()) return loop(together->variable, visits_of(together->set));
        const auto* repeat = s.as<statement::Repeat>();
        if (repeat == nullptr) return parts();
        loops_.push_back({id, repeat->times == no_id ? without_end : std::max(std::int64_t{0}, most(repeat->times))});
        parts();
        loops_.pop_back();
    }
    std::int64_t numbers_of(const statement::EachNumber& each) const {
        if (each.low == no_id || each.high == no_id) return without_end;
        const Type& from = game_.expressions[each.low].type;
        const Type& to = game_.expressions[each.high].type;
        return from.scale == 1 && to.scale == 1
                   ? std::max(std::abs(std::int64_t{to.high} - from.low), std::abs(std::int64_t{from.high} - to.low)) + 1
                   : without_end;
    }
    // How many things a loop goes through, at most.
    std::int64_t visits_of(ExpressionId elements) const {
        if (elements == no_id) return game_.players;
        const Type& set = game_.expressions[elements].type;
        if (set.base != Base::set) return without_end;
        if (set.element == Base::player) return game_.players;
        return set.element == Base::enumeration ? std::int64_t{game_.enums[EnumId(set.of)].size()} : without_end;
    }
    void call(const statement::Call& s) {
        const Rule& rule = game_.rules[s.rule];
        const std::map<VariableId, StatementId> outer = from_;
        for (std::size_t i = 0; i < rule.parameters.size() && i < s.arguments.size(); ++i) {
            if (const auto loop = loop_of(s.arguments[i])) from_[rule.parameters[i]] = *loop;
        }
        walk(rule.body);
        from_ = outer;
    }
    // The loop that the variable runs through, if it is one.
    std::optional<StatementId> loop_of(ExpressionId e) const {
        if (e == no_id || game_.expressions[e].op != Operator::variable) return std::nullopt;
        const auto at = from_.find(VariableId(game_.expressions[e].named()));
        return at == from_.end() ? std::nullopt : std::optional(at->second);
    }

    // ---- how far

    void change(const statement::Becomes& s) {
        const Fact& fact = game_.facts[s.fact];
        if (!is_counter(fact)) return;
        // One value of many changes once each time the loop through all of them comes by.
        const auto loop = loop_of(s.index);
        std::int64_t often = 1;
        for (const Loop& l : loops_)
            if (!loop || l.statement != *loop || l.statement == no_id) often = product(often, l.rounds);
        Changes& c = changes_[s.fact];
        const Furthest up = furthest(s.value, s, true);
        const Furthest down = furthest(s.value, s, false);
        if (up.to) c.highest = std::max(c.highest.value_or(*up.to), *up.to);
        if (down.to) c.lowest = std::min(c.lowest.value_or(*down.to), *down.to);
        if (up.by && *up.by > 0) c.up = std::min(without_end, c.up + product(often, *up.by));
        if (down.by && *down.by < 0) c.down = std::min(without_end, c.down + product(often, -*down.by));
    }

    std::int64_t most(ExpressionId e) const {
        const Expression& x = game_.expressions[e];
        if (x.type.base != Base::number || x.type.scale != 1) return without_end;
        return x.op == Operator::constant ? x.value() : x.type.high;
    }
    Furthest whole(const statement::Becomes& s, bool up) const {
        const Type& t = game_.facts[s.fact].type;
        return {up ? t.high : t.low, std::nullopt};
    }
    // Of two that may be it.
    static Furthest either(const Furthest& a, const Furthest& b, bool up) {
        const auto further = [up](const std::optional<std::int64_t>& x, const std::optional<std::int64_t>& y) {
            if (!x || !y) return x ? x : y;
            return std::optional(up ? std::max(*x, *y) : std::min(*x, *y));
        };
        return {further(a.to, b.to), further(a.by, b.by)};
    }
    // Of the nearer of two: each is a bound, and one that goes on from what it was says more.
    static Furthest nearer(const Furthest& a, const Furthest& b, bool up) {
        if (a.to && b.to && !a.by && !b.by) return {up ? std::min(*a.to, *b.to) : std::max(*a.to, *b.to), std::nullopt};
        return a.by && !a.to ? a : b.by && !b.to ? b : a.by ? b : a;
    }
    static Furthest sum(const Furthest& a, const Furthest& b, const Furthest& unknown) {
        if (a.by && b.by) return unknown;
        const Furthest& moved = a.by ? a : b;
        const Furthest& step = a.by ? b : a;
        if (!step.to) return unknown;
        Furthest f;
        if (moved.to) f.to = *moved.to + *step.to;
        if (moved.by) f.by = *moved.by + *step.to;
        return f;
    }
    static Furthest negative(const Furthest& f) { return {f.to ? std::optional(-*f.to) : std::nullopt, std::nullopt}; }

    Furthest furthest(ExpressionId e, const statement::Becomes& s, bool up) const {
        const Expression& x = game_.expressions[e];
        const Furthest unknown = whole(s, up);
        if (x.type.base != Base::number || x.type.scale != 1) return unknown;
        const auto operand = [&](ExpressionId o) { return furthest(o, s, up); };
        switch (x.op) {
            case Operator::constant:
                return {x.value(), std::nullopt};
            case Operator::fact:
                return FactId(x.named()) == s.fact && same_index(x.a, s.index) ? Furthest{std::nullopt, 0} : of_type(x, up);
            case Operator::add:
                return sum(operand(x.a), operand(x.b), unknown);
            case Operator::subtract: {
                const Furthest taken = furthest(x.b, s, !up);
                return taken.by ? unknown : sum(operand(x.a), negative(taken), unknown);
            }
            case Operator::smaller:
                return up ? nearer(operand(x.a), operand(x.b), up) : either(operand(x.a), operand(x.b), up);
            case Operator::larger:
                return up ? either(operand(x.a), operand(x.b), up) : nearer(operand(x.a), operand(x.b), up);
            case Operator::conditional:
                return either(operand(x.b), operand(x.c), up);
            default:
                return of_type(x, up);
        }
    }
    static Furthest of_type(const Expression& x, bool up) { return {up ? x.type.high : x.type.low, std::nullopt}; }
    bool same_index(ExpressionId a, ExpressionId b) const {
        if (a == no_id || b == no_id) return a == b;
        const Expression& x = game_.expressions[a];
        const Expression& y = game_.expressions[b];
        return x.op == Operator::variable && y.op == x.op && x.immediate == y.immediate;
    }

    const Game& game_;
    Store<FactId, Changes> changes_;
    std::vector<Loop> loops_;
    std::map<VariableId, StatementId> from_;  // variables that run through all of a set, by the loop
    bool gave_up_ = false;
    std::size_t visits_ = 0;
};

// Whether a condition can hold, and whether it can fail.
struct Can {
    bool hold = true;
    bool fail = true;
};

class Conditions {
public:
    Conditions(const Game& game, const Store<FactId, Reach>& reach) : game_(game), reach_(reach) {}

    Can of(ExpressionId e) const {
        const Expression& x = game_.expressions[e];
        switch (x.op) {
            case Operator::constant:
                return x.type.base == Base::truth ? Can{x.value() != 0, x.value() == 0} : Can{};
            case Operator::both: {
                const Can a = of(x.a);
                const Can b = of(x.b);
                return {a.hold && b.hold, a.fail || b.fail};
            }
            case Operator::either: {
                const Can a = of(x.a);
                const Can b = of(x.b);
                return {a.hold || b.hold, a.fail && b.fail};
            }
            case Operator::negate: {
                const Can a = of(x.a);
                return {a.fail, a.hold};
            }
            case Operator::exists:
                return {of(x.b).hold, true};
            case Operator::less:
                return compared(x, 1);
            case Operator::less_equal:
                return compared(x, 0);
            case Operator::equal: {
                const auto a = range(x.a);
                const auto b = range(x.b);
                if (!a || !b) return {};
                return {a->low <= b->high && b->low <= a->high, a->low != a->high || b->low != b->high || a->low != b->low};
            }
            default:
                return {};
        }
    }

private:
    // a + more <= b
    Can compared(const Expression& x, std::int64_t more) const {
        const auto a = range(x.a);
        const auto b = range(x.b);
        if (!a || !b) return {};
        return {a->low + more <= b->high, a->high + more > b->low};
    }
    std::optional<Reach> range(ExpressionId e) const {
        const Expression& x = game_.expressions[e];
        if (x.type.base != Base::number || x.type.scale != 1 || x.type.or_none) return std::nullopt;
        if (x.op == Operator::constant) return Reach{x.value(), x.value()};
        if (x.op == Operator::fact) return reach_[FactId(x.named())];
        if (x.op == Operator::add || x.op == Operator::subtract) {
            const auto a = range(x.a);
            const auto b = range(x.b);
            if (!a || !b) return std::nullopt;
            return x.op == Operator::add ? Reach{a->low + b->low, a->high + b->high} : Reach{a->low - b->high, a->high - b->low};
        }
        return Reach{x.type.low, x.type.high};
    }

    const Game& game_;
    const Store<FactId, Reach>& reach_;
};

}  // namespace

Store<FactId, Reach> reach_of_counters(const Game& game) {
    const Counting counting(game);
    Store<FactId, Reach> reach;
    for (const FactId f : game.facts.ids()) reach.push_back(counting.of(f));
    return reach;
}

std::vector<Finding> unreachable_ends(const Game& game) {
    const Store<FactId, Reach> reach = reach_of_counters(game);
    const Conditions conditions(game, reach);
    std::vector<Finding> findings;
    for (const EndId end : game.ends.ids()) {
        const bool stated = std::ranges::any_of(game.statements, [&](const Statement& s) {
            const auto* comes = s.as<statement::End>();
            return comes != nullptr && comes->end == end;
        });
        std::set<FactId> counters;
        bool checked = false;
        bool can = stated;
        Span condition;
        for (const EndCheck& c : game.checks) {
            for (const auto& [e, holds] : c.ends) {
                if (e != end || holds == no_id) continue;
                checked = true;
                can = can || conditions.of(holds).hold;
                condition = game.expressions[holds].span;
                any_read(game, holds, [&](const Expression& x) {
                    if (x.op == Operator::fact && game.facts[x.named()].type.base == Base::number) counters.insert(FactId(x.named()));
                    return false;
                });
            }
        }
        if (can || !checked || counters.empty()) continue;
        std::vector<Phrase> ranges;
        for (const FactId f : counters) {
            const Sentence name = named(game, game.facts[f].name);
            ranges.push_back(FindingText::is_in_range(name, reach[f].low, reach[f].high));
        }
        const Sentence name = named(game, game.ends[end].name);
        Finding f;
        f.what = FindingClass::dead;
        f.verdict = Verdict::found;
        f.method = FoundBy::static_reading;
        f.rule = game.ends[end].name;
        f.players = {game.players};
        f.spans = {game.ends[end].span, condition};
        f.title = FindingText::this_end_can_never_come(name);
        f.text = FindingText::proved_by_counting(listed(ranges));
        f.help = FindingText::take_it_out_or_let;
        findings.push_back(std::move(f));
    }
    return findings;
}

}  // namespace houserule
