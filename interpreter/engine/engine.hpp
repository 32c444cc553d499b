// The run on numbers: implements Run and LaidRun with a Stepper. For make_run.cpp and traced.cpp; all others have a Run.
#pragma once

#include "interpreter/engine/stepper.hpp"
#include "interpreter/run/laid_run.hpp"

#include <algorithm>

namespace houserule {

// W: 64-bit words of a set. Traced: records what expressions read, for worked examples.
template <int W, bool Traced = false>
class Engine final : public LaidRun {
    using M = Mask<W>;

public:
    explicit Engine(std::shared_ptr<const Machine> machine)
        : LaidRun(std::move(machine)), m_(*machine_), g_(m_.game), steps_(m_), piles_(steps_.piles()), values_(steps_.values()) {
        start();
    }

    void start() override { steps_.start(); }
    const Node& node() const override { return steps_.node(); }
    void limit_forced(std::uint64_t times) override { steps_.limit_forced(times); }
    void stop_on(const Stop* stop) override { steps_.stop_on(stop); }
    std::uint64_t work() const override { return steps_.work(); }
    void ask_forced(bool ask) override { steps_.ask_forced(ask); }
    std::uint64_t forced() const override { return steps_.forced(); }
    const Failure& failure() const override { return values_.failure(); }
    void record(Events* events) override { steps_.recorder().write_to(events); }
    std::span<const std::byte> state() const override { return {steps_.state(), m_.layout.bytes}; }
    void set_state(std::span<const std::byte> state) override { steps_.set_state(state); }
    std::span<const std::uint8_t> reached() const override { return steps_.reached(); }

    // ------------------------------------------------------------ running

    const Node& advance() override {
        if (!steps_.is_waiting()) steps_.run_on();
        return steps_.node();
    }
    void apply(std::uint64_t move) override { steps_.apply(move); }
    void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) override {
        const bool counting = !tally.steps.empty();
        const std::uint64_t forced_before = steps_.forced();
        for (std::uint64_t nodes = 1;; ++nodes) {
            const Node& node = Engine::advance();
            if (nodes % steps_between_looks == 0 && over(steps_.stop())) return;
            std::uint64_t move = 0;
            switch (node.kind) {
                case NodeKind::over:
                case NodeKind::failed:
                    tally.forced += steps_.forced() - forced_before;
                    return;
                case NodeKind::choose:
                case NodeKind::consent:
                case NodeKind::ask:
                    ++tally.decisions;
                    tally.options += node.moves;
                    move = random.below(node.moves);
                    break;
                case NodeKind::draw:
                    if (deal(random, tally, counting)) continue;
                    ++tally.chances;
                    move = random.below(node.moves);
                    break;
                case NodeKind::lot:
                case NodeKind::report:
                    ++tally.chances;
                    move = random_move(*this, random, volunteer_per_million);
                    break;
                case NodeKind::window:
                    tally.windows += M::bits(node.seats);
                    move = random_move(*this, random, volunteer_per_million);
                    if (move == 0 && pass(tally, counting)) continue;
                    break;
            }
            if (counting) {
                const StepId step = node.step;
                ++tally.steps[step];
                tally.taken[step] += done(move);
            }
            steps_.apply(move);
        }
    }

    // ------------------------------------------------------------ what moves mean

    Meant meaning(std::uint64_t move) const override {
        switch (node().kind) {
            case NodeKind::choose:
                return {steps_.offer().chosen(move)};
            case NodeKind::consent:
            case NodeKind::ask:
                return {{static_cast<std::int32_t>(move)}};
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                return {{steps_.offer().shown(steps_.offer().option(move))}};
            case NodeKind::window: {
                Meant meant;
                for (int p = 0; p < g_.players; ++p)
                    if ((move >> p & 1) != 0) meant.values.push_back(p);
                return meant;
            }
            case NodeKind::over:
            case NodeKind::failed:
                break;
        }
        return {};
    }

    std::uint64_t move_for(const std::vector<std::int32_t>& values) const override {
        switch (node().kind) {
            case NodeKind::choose:
                return steps_.offer().move_that_chooses(values, node().moves);
            case NodeKind::window: {
                std::uint64_t who = 0;
                for (const std::int32_t v : values) who |= v >= 0 && v < 16 ? std::uint64_t{1} << v : 0;
                return (who & ~std::uint64_t{node().seats}) == 0 ? who : std::uint64_t{1} << 20;
            }
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                return steps_.offer().move_that_tells(values, node().moves);
            case NodeKind::consent:
            case NodeKind::ask:
                return values.size() == 1 && (values[0] == 0 || values[0] == 1) ? static_cast<std::uint64_t>(values[0]) : 2;
            case NodeKind::over:
            case NodeKind::failed:
                break;
        }
        return node().moves;
    }

    std::uint64_t outcome_weight(std::uint64_t move) const override {
        return node().kind == NodeKind::lot || node().kind == NodeKind::report ? steps_.offer().outcome_weight(move) : 1;
    }

    // ------------------------------------------------------------ reading

    std::vector<KindId> kinds_at(PlaceId place) const override {
        std::vector<KindId> kinds;
        for (const int piece : piles_.pieces(place)) kinds.push_back(values_.pieces().kind(piece));
        return kinds;
    }
    std::size_t size_at(PlaceId place) const override { return piles_.size(place); }
    std::vector<std::int32_t> parts(PlaceId place) const override { return piles_.parts(place); }
    PlaceId place_of(std::int32_t piece) const override { return piles_.where(piece); }
    std::int32_t fact(FactId fact, std::int32_t index) const override {
        if (!is_of_many(g_.facts[fact].type)) return steps_.template get<std::int32_t>(steps_.fact_at(fact, index));
        const bool given = m_.layout.given[fact] == 0 || steps_.template get<std::int32_t>(values_.given_at(fact, std::max(0, index))) != 0;
        return given ? 0 : unset_value;
    }
    std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const override {
        return steps_.members(steps_.template get<M>(steps_.fact_at(fact, index)), g_.facts[fact].type);
    }
    std::int32_t variable(VariableId variable) const override { return steps_.template get<std::int32_t>(steps_.var(variable)); }
    std::vector<std::int32_t> variable_set(VariableId variable) const override {
        return steps_.members(steps_.template get<M>(steps_.var(variable)), g_.variables[variable].type);
    }
    std::optional<std::vector<std::int32_t>> elements(ExpressionId e) override {
        const std::optional<M> value = values_.probe_wide(e);
        return value ? std::optional(steps_.members(*value, g_.expressions[e].type)) : std::nullopt;
    }

    // ------------------------------------------------------------ laying out

    Reads* reads() override { return Traced ? &values_.reads() : nullptr; }
    void set_fact(FactId fact, std::int32_t index, std::int32_t value) override {
        steps_.touch();
        if (!is_of_many(g_.facts[fact].type)) return steps_.template put<std::int32_t>(steps_.fact_at(fact, index), value);
        M set;
        for (const std::int32_t v : g_.sets[value]) set.add(v - values_.first_of(g_.facts[fact].type));
        steps_.put_set(fact, index, set);
    }
    bool put_kind(KindId kind, PlaceId place) override {
        steps_.touch();
        const M free = piles_.at(0) & values_.pieces().of_kind(kind);
        if (free.empty()) return false;
        piles_.move(free.lowest(), place, false);
        return true;
    }
    void exchange_kinds(PlaceId place_a, KindId kind_a, PlaceId place_b, KindId kind_b) override {
        const int a = (piles_.at(place_a) & values_.pieces().of_kind(kind_a)).lowest();
        const int b = (piles_.at(place_b) & values_.pieces().of_kind(kind_b)).lowest();
        piles_.replace(place_a, a, b);
        piles_.replace(place_b, b, a);
        steps_.touch();
        steps_.go_on();
    }
    bool run_rule(StatementId statement) override {
        const auto& call = *g_.statements[statement].as<statement::Call>();
        const Rule& rule = g_.rules[call.rule];
        for (std::size_t i = 0; i < rule.parameters.size(); ++i) steps_.assign(rule.parameters[i], call.arguments[i]);
        // Also where a `stop` leaves a rule that this one is usually called by, or the game is over.
        for (const Step& step : m_.code)
            if (step.op == Op::leave) steps_.template put<StepId>(steps_.var(step.a), m_.code.last());
        steps_.template put<std::int32_t>(steps_.var(m_.running_end), 1);  // an example runs the rule alone: no end of the game stops it
        steps_.template put<std::int32_t>(steps_.var(m_.running_match_end), 1);
        steps_.go_on_at(m_.rule_entry[call.rule]);
        const bool over = advance().kind == NodeKind::over;
        if (over || node().kind == NodeKind::failed) steps_.go_on();
        return over;
    }

private:
    std::optional<std::int32_t> number(ExpressionId e, BoundId bound, std::int32_t element) override {
        return values_.probe(e, bound, element);
    }
    std::optional<Seats> players(ExpressionId e) override {
        const std::optional<M> value = values_.probe_wide(e);
        return value ? std::optional<Seats>(value->w[0]) : std::nullopt;
    }

    // ------------------------------------------------------------ playing at random

    // At a window: nobody acts, and the run goes on to the step after it. False if that step was not worked out ahead.
    bool pass(Tally& tally, bool counting) {
        const StepId step = node().step;
        const QuickStep& q = steps_.quick(step);
        if (q.run == 0) return false;
        steps_.template put<M>(q.a, M{});
        if (counting) ++tally.steps[step];
        steps_.reached()[step.index() + 1] = 1;
        steps_.go_on_at(q.wide ? steps_.template get<StepId>(q.b) : q.c);
        return true;
    }
    // Makes the draws of a dealing loop at random, until it ends or a draw needs the slow form. False if the draw is in no such loop.
    bool deal(Random& random, Tally& tally, bool counting) {
        const StepId step = node().step;
        const QuickStep& q = steps_.quick(step);
        if (!q.wide) return false;
        const Step& s = m_.code[step];
        std::int32_t left = steps_.template get<std::int32_t>(q.a);
        M from = steps_.offer().options();
        const PlaceId place = piles_.where(from.lowest());
        const PlaceId to = values_.scalar(s.y);
        if (values_.failed() || to == place || piles_.is_ordered(to) || (piles_.is_ordered(place) && !piles_.is_one_part(place)) ||
            steps_.recorder().is_on() || s.a != no_id || left > steps_.capacity(to) - piles_.size(to))
            return false;
        const PieceSets<W>& pieces = values_.pieces();
        int n = node().moves;
        M dealt;
        std::uint64_t draws = 0;
        for (; left > 0 && n > 1; --left, --n) {
            int piece = from.nth(random.below(static_cast<std::uint64_t>(n)));
            if (!pieces.single_copies()) piece = (from & pieces.like(piece)).lowest();
            from.remove(piece);
            dealt.add(piece);
            piles_.put_where(piece, to);
            ++draws;
        }
        piles_.move_unordered(dealt, place, to);
        values_.table_changed();
        steps_.template put<std::int32_t>(q.a, left);
        tally.chances += draws;
        if (counting) tally.steps[step] += draws;
        steps_.go_on_at(q.c);
        return true;
    }
    // What Tally::taken gains by this move: 1 for a choice, offer or consent, 1 for each who acts; a choice after a consent adds none.
    std::uint64_t done(std::uint64_t move) const {
        if (node().kind == NodeKind::window) return static_cast<std::uint64_t>(M::bits(move));
        if (node().kind == NodeKind::ask || node().kind == NodeKind::consent) return move;
        return node().kind == NodeKind::choose && (m_.code[node().step].mode & choice_optional) == 0 ? 1 : 0;
    }

    const Machine& m_;
    const Game& g_;
    Stepper<W, Traced> steps_;
    Piles<W>& piles_;
    Expressions<W, Traced>& values_;
};

}  // namespace houserule
