#include "solver/validate/progress.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

namespace houserule {

namespace {

constexpr std::uint64_t most_moves = 2'048;  // of one answer: where there are more, play is not known to be closed

bool is_of_many(const Fact& fact) { return fact.type.base == Base::set || fact.type.base == Base::cards; }

// Facts whose only use is to be counted up, or to be divided by a cycle's length.
Store<FactId, bool> counters_of(const Game& game) {
    Store<FactId, bool> counted(game.facts.size(), false);
    Store<ExpressionId, bool> in_sum(game.expressions.size(), false);
    for (const Statement& s : game.statements) {
        const auto* becomes = s.as<statement::Becomes>();
        if (becomes == nullptr || becomes->value == no_id) continue;
        const Expression& sum = game.expressions[becomes->value];
        if (sum.op != Operator::add || sum.a == no_id || sum.b == no_id) continue;
        const Expression& a = game.expressions[sum.a];
        const Expression& b = game.expressions[sum.b];
        if (a.op != Operator::fact || a.named() != becomes->fact || b.op != Operator::constant) continue;
        counted[becomes->fact] = true;
        in_sum[sum.a] = true;
    }
    Store<ExpressionId, bool> in_cycle(game.expressions.size(), false);
    for (const Expression& x : game.expressions)
        if (x.op == Operator::remainder) in_cycle[x.a] = true;
    Store<FactId, bool> counters = counted;
    for (const ExpressionId e : game.expressions.ids()) {
        const Expression& x = game.expressions[e];
        if (x.op == Operator::fact && !in_sum[e] && !in_cycle[e]) counters[x.named()] = false;
    }
    return counters;
}

}  // namespace

ProgressMeasure::ProgressMeasure(const Machine& machine) : machine_(machine), game_(machine.game), counters_(counters_of(machine.game)) {}

std::vector<std::int32_t> ProgressMeasure::of(const TableView& run) const {
    std::vector<std::int32_t> measures;
    for (PlaceId p = 1; p < game_.places; ++p) measures.push_back(run.size_at(p));
    for (const FactId f : game_.facts.ids())
        if (!counters_[f]) add_fact(run, f, measures);
    return measures;
}

std::vector<std::int32_t> ProgressMeasure::read_by(const TableView& run, ExpressionId expression) const {
    std::set<FactId> facts;
    any_read(game_, expression, [&](const Expression& x) {
        if (x.op == Operator::fact || x.op == Operator::set_fact) facts.insert(x.named());
        return false;
    });
    std::vector<std::int32_t> values;
    for (const FactId f : facts) add_fact(run, f, values);
    return values;
}

// Facts, places and orders stand behind the point reached; what was named in between changes with every round.
std::vector<std::byte> ProgressMeasure::table(const TableView& run) const {
    std::vector<std::byte> table;
    const auto state = run.state();
    const Layout& l = machine_.layout;
    const auto add = [&](std::uint32_t at, std::size_t n) { table.insert(table.end(), state.begin() + at, state.begin() + (at + n)); };
    for (std::size_t p = 1; p < l.place.size(); ++p) add(l.place[p], l.words * 8);
    for (std::size_t f = 0; f < game_.facts.size(); ++f)
        if (!counters_[f]) add(l.fact[f], static_cast<std::size_t>(game_.facts[f].count) * (is_of_many(game_.facts[f]) ? l.words * 8 : 4));
    return table;
}

void ProgressMeasure::add_fact(const TableView& run, FactId f, std::vector<std::int32_t>& to) const {
    const Fact& fact = game_.facts[f];
    for (std::int32_t i = 0; i < fact.count; ++i) {
        if (is_of_many(fact)) {
            for (const std::int32_t v : run.fact_set(f, i)) to.push_back(v);
            to.push_back(run.fact(f, i) == unset_value ? unset_value : -2);
        } else {
            to.push_back(run.fact(f, i));
        }
    }
}

std::string ClosedPlaySearch::without_counts(std::span<const std::byte> state) const {
    std::string bytes(reinterpret_cast<const char*>(state.data()), state.size());
    for (const auto& [step, point] : points_)
        if (point.counter != no_id) std::memset(bytes.data() + machine_.layout.variable[point.counter], 0, sizeof(std::int32_t));
    return bytes;
}

std::optional<ClosedPlay> ClosedPlaySearch::from(Run& run, std::span<const std::byte> here, const WatchPoint& bound,
                                                 const std::function<bool()>& is_late) const {
    const auto head = std::ranges::find_if(
        points_, [&](const auto& p) { return p.second.kind == WatchKind::round && p.second.statement == bound.statement; });
    if (head == points_.end() || bound.counter == no_id) return std::nullopt;
    std::string first = without_counts(here);
    std::memcpy(first.data() + machine_.layout.pc, &head->first, sizeof head->first);
    ClosedPlay closed;
    std::deque<std::string> open;
    const auto meet = [&](std::string state) {
        const auto [at, is_new] = closed.states.insert(std::move(state));
        if (is_new) open.push_back(*at);
    };
    const auto set = [&](const std::string& state) { run.set_state(std::as_bytes(std::span(state))); };
    meet(std::move(first));
    while (!open.empty()) {
        if (closed.states.size() > most_states_ || is_late()) return std::nullopt;
        const std::string state = std::move(open.front());
        open.pop_front();
        set(state);
        const Node n = run.advance();
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return std::nullopt;
        const bool offer = n.kind == NodeKind::window || n.kind == NodeKind::consent || n.kind == NodeKind::ask;
        const bool watched = n.kind == NodeKind::ask && points_.contains(n.step);
        closed.offered = closed.offered || (offer && !watched);
        const std::uint64_t moves = offer ? 1 : n.moves;
        if (moves > most_moves) return std::nullopt;
        for (std::uint64_t move = 0; move < moves; ++move) {
            if (move > 0) {
                set(state);
                run.advance();
            }
            run.apply(move);
            meet(without_counts(run.state()));
        }
    }
    return closed;
}

}  // namespace houserule
