// The run on numbers: a bit mask a place and a flat state. The inside of run.cpp, for nobody else.
//
// The meaning of every operator is written in operators.hpp; here stands the fast form of it (sets of pieces as bit masks, copies of
// a kind next to each other). tests/fast_test.cpp holds the two equal on random states.
#pragma once

#include "dsl/check/check.hpp"
#include "dsl/game/placed_kind.hpp"
#include "interpreter/run/mask.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/subsets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace houserule {

// Traced: notes what expressions read, for examples.
template <int W, bool Traced = false>
class Engine final : public Run {
    using M = Mask<W>;

    // An expression, packed. What stands somewhere (a constant, a variable, a bound) is read there; all else by a function of its own.
    struct Node_ {
        const std::byte* leaf = nullptr;
        std::int32_t (*number)(Engine&, const Node_&) = nullptr;
        M (*mask)(Engine&, const Node_&) = nullptr;
        Operator op = Operator::constant;
        bool cards = false;
        bool total = false;  // a comprehension whose body breaks no promise: it may stop early
        Operand a = no_id;
        Operand b = no_id;
        Operand c = no_id;
        std::int32_t imm = 0;
        std::uint32_t at = 0;  // facts, variables and places: where the first one lies

        Operand named() const { return Operand(imm); }
    };

public:
    explicit Engine(std::shared_ptr<const Machine> machine) : m_(*machine), g_(machine->game), l_(machine->layout) {
        machine_ = std::move(machine);
        state_.resize(l_.bytes);
        snapshot_.resize(l_.bytes);
        s_ = state_.data();
        r_ = s_;
        players_ = g_.players;
        piece_kind_ = g_.piece_kind.data();
        bound_.resize(static_cast<std::size_t>(g_.bounds) + 1);
        x_.resize(g_.expressions.size());
        for (const ExpressionId e : x_.ids()) x_[e] = packed(g_.expressions[e], e);
        prepare_tables();
        prepare_filters();
        prepare_initial();
        prepare_steps();
        start();
    }

    void start() override {
        std::memcpy(s_, initial_.data(), l_.bytes);
        failed_ = false;
        r_ = s_;
        waiting_ = false;
    }

    const Node& node() const override { return node_; }
    void limit_forced(std::uint64_t times) override { forced_limit_ = times; }
    void ask_forced(bool ask) override { ask_forced_ = ask; }
    std::uint64_t forced() const override { return forced_; }
    const Failure& failure() const override { return failure_; }
    void record(Events* events) override { events_ = events; }
    std::span<const std::byte> state() const override { return {s_, l_.bytes}; }
    void set_state(std::span<const std::byte> state) override {
        std::memcpy(s_, state.data(), std::min<std::size_t>(l_.bytes, state.size()));
        waiting_ = false;
        failed_ = false;
        r_ = s_;
    }

    // ------------------------------------------------------------ running

    const Node& advance() override {
        if (!waiting_) run_on();
        return node_;
    }

    void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) override {
        const bool counting = !tally.steps.empty();
        const std::uint64_t forced_before = forced_;
        for (;;) {
            if (!waiting_) run_on();
            std::uint64_t move = 0;
            switch (node_.kind) {
                case NodeKind::over:
                case NodeKind::failed:
                    tally.forced += forced_ - forced_before;
                    return;
                case NodeKind::choose:
                case NodeKind::consent:
                case NodeKind::ask:
                    ++tally.decisions;
                    tally.options += node_.moves;
                    move = random.below(node_.moves);
                    break;
                case NodeKind::draw:
                    if (deal(random, tally, counting)) continue;
                    ++tally.chances;
                    move = random.below(node_.moves);
                    break;
                case NodeKind::lot:
                case NodeKind::report:
                    ++tally.chances;
                    move = random_move(*this, random, volunteer_per_million);
                    break;
                case NodeKind::window:
                    tally.windows += M::bits(node_.seats);
                    move = random_move(*this, random, volunteer_per_million);
                    if (move == 0 && pass(tally, counting)) continue;
                    break;
            }
            if (counting) {
                const std::size_t step = node_.step.index();
                ++tally.steps[step];
                tally.taken[step] += done(move);
            }
            Engine::apply(move);
        }
    }

    // Nobody acts: on to where that leads. False when that is not known ahead.
    bool pass(Tally& tally, bool counting) {
        const std::size_t step = node_.step.index();
        const Quick& q = quick_[step];
        if (q.run == 0) return false;
        put<M>(q.a, M{});
        if (counting) ++tally.steps[step];
        put<StepId>(l_.pc, q.wide ? get<StepId>(q.b) : q.c);
        reached_[step + 1] = 1;
        waiting_ = false;
        return true;
    }
    // Draws at random till a dealing loop is through or a draw needs more care; false when the draw is no part of such a loop.
    bool deal(Random& random, Tally& tally, bool counting) {
        const std::size_t step = node_.step.index();
        const Quick& q = quick_[step];
        if (!q.wide) return false;
        const Step& s = m_.code[step];
        std::int32_t left = get<std::int32_t>(q.a);
        M from = options_;
        const PlaceId place = where(from.lowest());
        const PlaceId to = scalar(s.y);
        const std::size_t t = to;
        const std::size_t f = place;
        if (failed_ || l_.order[t] != 0 || (l_.order[f] != 0 && !one_part(f)) || events_ != nullptr || s.a != no_id) return false;
        const std::int32_t room = capacity_[t] - at_place(s_, to).size();
        if (left > room) return false;
        int n = node_.moves;
        M dealt;
        std::uint64_t draws = 0;
        for (; left > 0 && n > 1; --left, --n) {
            int piece = from.nth(random.below(static_cast<std::uint64_t>(n)));
            if (!single_copies_) piece = (from & kind_mask_[kind(piece)]).lowest();
            from.remove(piece);
            dealt.add(piece);
            put_where(piece, to);
            ++draws;
        }
        put<M>(l_.place[f], at_place(s_, place) - dealt);
        put<M>(l_.place[t], at_place(s_, to) | dealt);
        put<std::int32_t>(q.a, left);
        tally.chances += draws;
        if (counting) {
            tally.steps[step] += draws;
            tally.taken[step] += 0;
        }
        put<StepId>(l_.pc, q.c);
        waiting_ = false;
        return true;
    }

    // How much of what the node offers is done by this move. A choice that was agreed to first is counted then.
    std::uint64_t done(std::uint64_t move) const {
        if (node_.kind == NodeKind::window) return static_cast<std::uint64_t>(M::bits(move));
        if (node_.kind == NodeKind::ask || node_.kind == NodeKind::consent) return move;
        return node_.kind == NodeKind::choose && (m_.code[node_.step].mode & choice_optional) == 0 ? 1 : 0;
    }
    std::span<const std::uint8_t> reached() const override { return reached_; }

    void run_on() {
        auto pc = get<StepId>(l_.pc);
        const Quick* const quick = quick_.data();
        std::uint8_t* const reached = reached_.data();
        std::uint64_t left = std::min(forced_limit_, unwatched_rounds);
        std::uint64_t watched = 0;
        std::uint64_t told = told_limit;
        settled_ = false;
        for (;;) {
            const Quick& q = quick[pc.index()];
            reached[pc.index()] = 1;
            // Steps that cannot fail go straight on.
            switch (q.op) {
                case Op::jump:
                    if (left-- == 0) break;
                    pc = q.c;
                    continue;
                case Op::call:
                    if (left-- == 0) break;
                    put<StepId>(q.a, pc + 1);
                    pc = q.c;
                    continue;
                case Op::leave:
                    pc = get<StepId>(q.a);
                    continue;
                case Op::branch:
                    if (const bool holds = scalar(q.x) != 0; !failed_) {
                        pc = holds ? pc + 1 : q.c;
                        continue;
                    }
                    break;
                case Op::assign:
                    if (q.run == 0) break;
                    for (const Copy *c = copies_.data() + q.x.value(), *end = c + q.run; c != end; ++c)
                        std::memcpy(s_ + c->to, c->from, c->wide ? 8 * W : 4);
                    pc = pc + q.run;
                    continue;
                case Op::next_player:
                    if (q.wide) break;
                    pc = next_player(loops_[q.loop]) ? pc + 1 : q.c;
                    continue;
                case Op::enter:
                    if (events_ != nullptr) enter_step(m_.code[pc], pc);
                    ++pc;
                    continue;
                default:
                    break;
            }
            const Step& s = m_.code[pc];
            StepId next = pc + 1;
            switch (q.op) {
                case Op::nothing:
                    break;
                case Op::reset:
                    for (const FactId f : m_.resets[s.a]) reset_fact(f);
                    break;
                case Op::gather:
                    gather();
                    break;
                case Op::assign:
                    if (q.wide)
                        put<M>(q.a, set(q.x));
                    else
                        put<std::int32_t>(q.a, scalar(q.x));
                    break;
                case Op::set_fact:
                    tell(told);
                    set_fact_step(s, pc);
                    break;
                case Op::put:
                    tell(told);
                    put_step(s, pc);
                    break;
                case Op::shuffle:
                    shuffle_step(s, pc);
                    break;
                case Op::says:
                    tell(told);
                    says_step(s, pc);
                    break;
                case Op::show:
                    tell(told);
                    show_step(s, pc);
                    break;
                case Op::judged:
                    break;
                case Op::jump:
                case Op::call:
                    left = 0;
                    if (!goes_on(++watched, pc)) fail(FailureKind::goes_on_for_ever);
                    if (q.op == Op::call) put<StepId>(q.a, pc + 1);
                    next = q.c;
                    break;
                case Op::branch:
                case Op::enter:
                case Op::leave:
                    break;  // above
                case Op::next_player:
                    collect(q);
                    next = q.c;
                    break;
                case Op::next_element:
                    if (!next_element(s)) next = s.c;
                    break;
                case Op::add_element: {
                    M gained = get<M>(q.a);
                    gained.add(get<std::int32_t>(q.b));
                    put<M>(q.a, gained);
                    break;
                }
                case Op::store:
                    copy_variable(slot(s), s.b);
                    break;
                case Op::load:
                    copy_variable(s.b, slot(s));
                    break;
                case Op::choose:
                    if (choose_step(s, pc, next)) return wait(pc);
                    break;
                case Op::ask:
                    node_ = {NodeKind::ask, scalar(s.x), 2, 0, false, pc};
                    if (!failed_) return wait(pc);
                    break;
                case Op::draw:
                    if (draw_step(s, pc, next)) return wait(pc);
                    break;
                case Op::report:
                    if (report_step(s, pc)) return wait(pc);
                    break;
                case Op::window:
                    if (window_step(s, pc)) return wait(pc);
                    break;
                case Op::joint_end:
                    break;
                case Op::effects_begin:
                    settled_ = true;
                    std::memcpy(snapshot_.data(), s_, l_.bytes);
                    r_ = snapshot_.data();
                    break;
                case Op::effects_end:
                    r_ = s_;
                    check_room();
                    break;
                case Op::ended:
                    tell(told);
                    ended_step(s, pc);
                    break;
                case Op::promise:
                    if (scalar(s.x) == 0) break_promise(s);
                    break;
                case Op::halt:
                    node_ = {NodeKind::over, -1, 0, 0, false, pc};
                    return wait(pc);
            }
            if (failed_) {
                r_ = s_;
                if (failure_.span == Span{}) failure_.span = s.statement == no_id ? Span{} : g_.statements[s.statement].span;
                node_ = {NodeKind::failed, -1, 0, 0, false, pc};
                return wait(pc);
            }
            pc = next;
        }
    }

    void apply(std::uint64_t move) override {
        const Step& s = m_.code[node_.step];
        StepId next = node_.step + 1;
        waiting_ = false;
        switch (node_.kind) {
            case NodeKind::consent:
                if (events_ != nullptr && move == 0) note_no(s);
                if (move != 0) {
                    put<std::int32_t>(l_.pc + 4, 1);  // the next answer is what
                    next = node_.step;
                } else {
                    next = s.c;
                }
                break;
            case NodeKind::choose:
                put<std::int32_t>(l_.pc + 4, 0);
                take_choice(s, move);
                break;
            case NodeKind::ask:
                if (events_ != nullptr) note_answer(s, move);
                if (move == 0) next = s.c;
                break;
            case NodeKind::draw:
                finish_draw(s, options_.nth(move), node_.step);
                break;
            case NodeKind::lot:
            case NodeKind::report:
                finish_report(s, options_.nth(move), node_.step);
                break;
            case NodeKind::window:
                finish_window(s, move);
                break;
            case NodeKind::over:
            case NodeKind::failed:
                waiting_ = true;
                return;
        }
        put<StepId>(l_.pc, next);
    }

    // ------------------------------------------------------------ what moves mean

    Meant meaning(std::uint64_t move) const override {
        Meant meant;
        switch (node_.kind) {
            case NodeKind::choose:
                return choice_meaning(move);
            case NodeKind::consent:
            case NodeKind::ask:
                meant.values.push_back(move);
                break;
            case NodeKind::draw:
                meant.values.push_back(kind(options_.nth(move)));
                break;
            case NodeKind::lot:
            case NodeKind::report: {
                const int v = options_.nth(move);
                meant.values.push_back(of_cards_ ? kind(v) : v);
                break;
            }
            case NodeKind::window:
                for (int p = 0; p < g_.players; ++p)
                    if ((move >> p & 1) != 0) meant.values.push_back(p);
                break;
            case NodeKind::over:
            case NodeKind::failed:
                break;
        }
        return meant;
    }

    std::uint64_t move_for(const std::vector<std::int32_t>& values) const override {
        switch (node_.kind) {
            case NodeKind::choose:
                return choice_for(values);
            case NodeKind::window: {
                std::uint64_t who = 0;
                for (const std::int32_t v : values) who |= v >= 0 && v < 16 ? std::uint64_t{1} << v : 0;
                return (who & ~std::uint64_t{node_.seats}) == 0 ? who : std::uint64_t{1} << 20;
            }
            case NodeKind::draw:
            case NodeKind::lot:
            case NodeKind::report:
                if (values.size() != 1) return node_.moves;
                for (std::uint64_t i = 0; i < node_.moves; ++i) {
                    const int v = options_.nth(i);
                    if ((of_cards_ ? kind(v) : v) == values[0]) return i;
                }
                return node_.moves;
            case NodeKind::consent:
            case NodeKind::ask:
                return values.size() == 1 && (values[0] == 0 || values[0] == 1) ? static_cast<std::uint64_t>(values[0]) : 2;
            case NodeKind::over:
            case NodeKind::failed:
                break;
        }
        return node_.moves;
    }

    std::uint64_t weight(std::uint64_t move) const override {
        if (node_.kind != NodeKind::lot && node_.kind != NodeKind::report) return 1;
        return weights_.empty() ? 1 : weights_[move];
    }

    // ------------------------------------------------------------ reading and laying out

    std::vector<KindId> kinds_at(PlaceId place) const override {
        std::vector<KindId> kinds;
        const M here = at_place(s_, place);
        if (const std::uint32_t order = l_.order[place]; order != 0 && !one_part(static_cast<std::size_t>(place))) {
            for (int i = 0; i < here.size(); ++i)
                kinds.push_back(kind(static_cast<std::uint8_t>(s_[order + static_cast<std::uint32_t>(i)])));
            return kinds;
        }
        for (M rest = here; !rest.empty();) kinds.push_back(kind(rest.pop()));
        return kinds;
    }
    std::size_t size_at(PlaceId place) const override { return at_place(s_, place).size(); }
    std::int32_t fact(FactId fact, std::int32_t index) const override {
        const Fact& f = g_.facts[fact];
        return is_wide(f.type) ? 0 : get<std::int32_t>(l_.fact[fact] + 4 * std::max(0, index));
    }
    std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const override {
        std::vector<std::int32_t> all;
        for (M rest = get<M>(l_.fact[fact] + 8 * W * std::max(0, index)); !rest.empty();) all.push_back(rest.pop());
        return all;
    }
    std::int32_t variable(VariableId variable) const override { return get<std::int32_t>(var(variable)); }
    std::vector<std::int32_t> variable_set(VariableId variable) const override {
        std::vector<std::int32_t> all;
        for (M rest = get<M>(var(variable)); !rest.empty();) all.push_back(rest.pop());
        return all;
    }
    PlaceId place_of(std::int32_t piece) const override { return where(piece); }
    std::vector<std::int32_t> parts(PlaceId place) const override {
        const std::size_t p = place;
        const int n = at_place(s_, place).size();
        if (n == 0) return {};
        if (l_.order[p] == 0) return {n};
        if (l_.marks[p] == 0) return std::vector<std::int32_t>(n, 1);
        const M marks = get<M>(l_.marks[p]);
        std::vector<std::int32_t> sizes;
        for (int i = 0; i < n; ++i) {
            if (i == 0 || marks.has(i)) sizes.push_back(0);
            ++sizes.back();
        }
        return sizes;
    }
    bool truth(ExpressionId e) const override { return const_cast<Engine*>(this)->probe(e) != 0; }
    std::int32_t scalar(ExpressionId e) const override { return const_cast<Engine*>(this)->probe(e); }
    std::optional<std::vector<std::int32_t>> elements(ExpressionId e) const override { return const_cast<Engine*>(this)->probe_wide(e); }

    Reads* reads() override { return Traced ? &reads_ : nullptr; }

    void set_fact(FactId fact, std::int32_t index, std::int32_t value) override {
        const Fact& f = g_.facts[fact];
        if (is_wide(f.type)) {
            M set;
            for (const std::int32_t v : g_.sets[value]) set.add(v);
            put<M>(l_.fact[fact] + 8 * W * std::max(0, index), set);
        } else {
            put<std::int32_t>(l_.fact[fact] + 4 * std::max(0, index), value);
        }
    }
    bool put_kind(KindId kind, PlaceId place) override {
        const M free = at_place(s_, 0) & kind_mask_[kind];
        if (free.empty()) return false;
        move_piece(free.lowest(), place, false);
        return true;
    }
    void exchange_kinds(PlaceId place_a, KindId kind_a, PlaceId place_b, KindId kind_b) override {
        const int a = (at_place(s_, place_a) & kind_mask_[kind_a]).lowest();
        const int b = (at_place(s_, place_b) & kind_mask_[kind_b]).lowest();
        replace_piece(place_a, a, b);
        replace_piece(place_b, b, a);
        waiting_ = false;
    }
    bool run_rule(StatementId statement) override {
        const Statement& s = g_.statements[statement];
        const Rule& rule = g_.rules[s.name];
        for (std::size_t i = 0; i < rule.parameters.size(); ++i) assign(rule.parameters[i], s.items[i]);
        put<StepId>(var(m_.return_variable[s.name]), m_.code.last());
        put<std::int32_t>(var(m_.running_end), 1);  // an example runs the rule alone: no end of the game stops it
        put<std::int32_t>(var(m_.running_match_end), 1);
        put<StepId>(l_.pc, m_.rule_entry[s.name]);
        waiting_ = false;
        const bool over = advance().kind == NodeKind::over;
        waiting_ = false;
        return over;
    }

    // ------------------------------------------------------------ results

    EndId ended() const override {
        const auto of_match = get<EndId>(var(m_.ended_match));
        return of_match != no_id ? of_match : get<EndId>(var(m_.ended_game));
    }
    std::vector<std::int32_t> scores() const override { return by_player(g_.score); }
    std::vector<std::int32_t> payoffs() const override { return by_player(g_.payoff); }
    std::vector<std::int32_t> winners(Random& lots) override {
        std::vector<std::int32_t> left = in_front().value_or(std::vector<std::int32_t>{});
        const Winner& w = g_.winner;
        if (w.present && w.set != no_id && w.last == LastWord::by_lot && left.size() > 1) left = {left[lots.below(left.size())]};
        return left;
    }
    std::optional<std::vector<std::int32_t>> in_front() override {
        const Winner& w = g_.winner;
        if (!w.present || w.set == no_id) return best_paid();
        std::vector<std::int32_t> left;
        for (M set = this->set(w.set); !set.empty();) left.push_back(set.pop());
        for (const WinnerKey& key : w.keys) keep_best(left, key);
        if (left.size() > 1 && w.last == LastWord::nobody) left.clear();
        if (std::exchange(failed_, false)) return std::nullopt;
        return left;
    }

private:
    // ------------------------------------------------------------ memory

    template <typename T>
    T get(std::uint32_t at) const {
        T v;
        std::memcpy(&v, s_ + at, sizeof v);
        return v;
    }
    template <typename T>
    void put(std::uint32_t at, const T& v) {
        std::memcpy(s_ + at, &v, sizeof v);
    }
    template <typename T>
    T look(std::uint32_t at) const {  // as effects see it
        T v;
        std::memcpy(&v, r_ + at, sizeof v);
        return v;
    }
    static bool is_wide(const Type& t) { return t.base == Base::set || t.base == Base::cards; }
    std::uint32_t var(VariableId v) const { return l_.variable[v]; }
    M at_place(const std::byte* from, PlaceId place) const {
        if constexpr (Traced) reads_.places.insert(place);
        M v;
        std::memcpy(&v, from + l_.place[place], sizeof v);
        return v;
    }
    std::int32_t kind(int piece) const { return piece_kind_[piece]; }
    void wait(StepId pc) {
        put<StepId>(l_.pc, pc);
        node_.settled = settled_;
        waiting_ = true;
    }
    VariableId slot(const Step& s) const { return VariableId(s.a) + get<std::int32_t>(var(s.c)); }
    void copy_variable(VariableId to, VariableId from) {
        if (is_wide(g_.variables[to].type))
            put<M>(var(to), get<M>(var(from)));
        else
            put<std::int32_t>(var(to), get<std::int32_t>(var(from)));
    }
    void assign(VariableId v, ExpressionId e) {
        if (is_wide(g_.variables[v].type))
            put<M>(var(v), wide(e));
        else
            put<std::int32_t>(var(v), scalar(e));
    }
    M wide(ExpressionId e) { return is_cards(e) ? cards(e) : set(e); }
    bool is_cards(ExpressionId e) const { return x_[e].cards; }

    // The state in which everything begins.
    void prepare_initial() {
        std::memset(s_, 0, l_.bytes);
        put<StepId>(l_.pc, m_.start);
        put<M>(l_.place[0], all_pieces_);
        for (std::size_t id = 0; id < g_.facts.size(); ++id) {
            const Fact& f = g_.facts[id];
            for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(f.count); ++i) {
                if (is_wide(f.type))
                    put<M>(l_.fact[id] + 8 * W * i, f.initial == no_id ? M{} : set(f.initial));
                else
                    put<std::int32_t>(l_.fact[id] + 4 * i, f.initial == no_id ? unset : scalar(f.initial));
            }
        }
        for (std::size_t v = 0; v < g_.variables.size(); ++v)
            if (!is_wide(g_.variables[v].type)) put<std::int32_t>(l_.variable[v], -1);
        initial_ = state_;
    }
    void reset_fact(FactId id) {
        const Fact& f = g_.facts[id];
        const std::uint32_t at = l_.fact[id];
        std::memcpy(s_ + at, initial_.data() + at, static_cast<std::size_t>(f.count) * (is_wide(f.type) ? 8 * W : 4));
    }
    void gather() {
        std::memset(s_ + l_.where, 0, 2 * g_.piece_kind.size());
        for (std::size_t p = 1; p < l_.place.size(); ++p) {
            put<M>(l_.place[p], M{});
            if (l_.marks[p] != 0) put<M>(l_.marks[p], M{});
        }
        put<M>(l_.place[0], all_pieces_);
    }

    // ------------------------------------------------------------ steps made ready
    //
    // A step with the bytes of its variables at hand. Jumps to jumps go straight on. A loop that only collects the players for whom a
    // condition holds is one step (a `next_player` that is `wide`).

    struct Quick {
        Op op = Op::nothing;
        bool wide = false;  // assign: a set; next_player: collects
        StepId c{0};
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        Operand x = no_id;
        LoopId loop = no_id;
        std::int32_t test = no_id;
        std::int32_t run = 0;  // assign: so many in a row that only copy, from `copies_[x]` on
    };
    struct Copy {
        const std::byte* from = nullptr;
        std::uint32_t to = 0;
        bool wide = false;
    };
    struct Loop {
        std::uint32_t counter = 0;
        std::uint32_t first = 0;
        std::uint32_t player = 0;
        std::uint32_t set = 0;
        bool all = false;
        bool clockwise = true;
    };
    // Whether a fact of an element is, or is not, a certain value.
    struct FactTest {
        std::uint32_t at = 0;
        std::int32_t value = 0;
        bool same = true;
    };
    bool fits(const FactTest& t, int element) const { return (look<std::int32_t>(t.at + 4 * element) == t.value) == t.same; }

    void prepare_steps() {
        reached_.assign(m_.code.size(), 0);
        for (const PlayerLoop& l : m_.loops)
            loops_.push_back({var(l.counter), var(l.first), var(l.player), l.set == no_id ? 0 : var(l.set), l.set == no_id, l.clockwise});
        capacity_.assign(l_.place.size(), std::numeric_limits<std::int32_t>::max());
        for (std::size_t p = 1; p < capacity_.size(); ++p) capacity_[p] = g_.zones[m_.place_zone[p]].capacity;
        for (const Step& s : m_.code) {
            Quick q;
            q.op = s.op;
            if (s.op != Op::store && s.op != Op::load) q.c = target(s.c);  // theirs is a variable
            q.x = s.x;
            switch (s.op) {
                case Op::assign:
                    q.a = var(s.a);
                    q.wide = is_wide(g_.variables[s.a].type);
                    break;
                case Op::call:
                case Op::leave:
                    q.a = var(s.a);
                    break;
                case Op::add_element:
                    q.a = var(s.a);
                    q.b = var(s.b);
                    break;
                case Op::next_player:
                    q.loop = s.a;
                    prepare_collecting(s, quick_.next(), q);
                    break;
                default:
                    break;
            }
            quick_.push_back(q);
        }
        prepare_copies();
        prepare_dealing();
        prepare_passing();
    }
    // window; [branch unless 0 < size of those who act]: a window with a `run`. When nobody acts, it leads to c; where a rule is left
    // there, to what b holds (`wide`).
    void prepare_passing() {
        for (std::size_t i = 0; i + 1 < m_.code.size(); ++i) {
            const Step& window = m_.code[i];
            const Step& branch = m_.code[i + 1];
            if (window.op != Op::window || branch.op != Op::branch) continue;
            const auto expression = [&](ExpressionId e) -> const Expression& { return g_.expressions[e]; };
            const Expression& test = expression(branch.x);
            if (test.op != Operator::less || expression(test.a).op != Operator::constant || expression(test.a).imm != 0) continue;
            if (expression(test.b).op != Operator::size_of_set || expression(expression(test.b).a).op != Operator::set_variable ||
                expression(expression(test.b).a).named() != window.b)
                continue;
            Quick& q = quick_[i];
            q.run = 1;
            q.a = var(window.b);
            q.c = quick_[i + 1].c;
            const Step& after = m_.code[q.c];
            q.wide = after.op == Op::leave;
            if (q.wide) q.b = var(after.a);
        }
    }
    // [branch unless 0 < left]; draw; left = left - 1; back to the branch: a draw that is `wide`, with `left` in a and the branch in c.
    void prepare_dealing() {
        const auto expression = [&](ExpressionId i) -> const Expression& { return g_.expressions[i]; };
        const auto is = [&](ExpressionId e, Operator op, std::int32_t imm) {
            return e != no_id && expression(e).op == op && expression(e).imm == imm;
        };
        for (std::size_t i = 1; i + 2 < m_.code.size(); ++i) {
            const Step& branch = m_.code[i - 1];
            const Step& less = m_.code[i + 1];
            const Step& back = m_.code[i + 2];
            if (m_.code[i].op != Op::draw || branch.op != Op::branch || less.op != Op::assign || back.op != Op::jump ||
                back.c != StepId(i - 1))
                continue;
            const Expression& test = expression(branch.x);
            const Expression& difference = expression(less.x);
            if (test.op != Operator::less || !is(test.a, Operator::constant, 0) || !is(test.b, Operator::variable, less.a.value()))
                continue;
            if (difference.op != Operator::subtract || !is(difference.a, Operator::variable, less.a.value()) ||
                !is(difference.b, Operator::constant, 1))
                continue;
            Quick& q = quick_[i];
            q.wide = true;
            q.a = var(less.a);
            q.c = back.c;
        }
    }
    // Assignments in a row that need no computing. A jump into their midst finds a shorter row there.
    void prepare_copies() {
        for (std::size_t i = 0; i < quick_.size(); ++i) {
            Quick& q = quick_[i];
            if (q.op != Op::assign) continue;
            const Node_& n = x_[q.x];
            const std::byte* from = n.leaf;
            if (n.op == Operator::set_constant) from = reinterpret_cast<const std::byte*>(&sets_[n.imm]);
            if (n.op == Operator::set_variable || n.op == Operator::cards_variable) from = s_ + n.at;
            if (from == nullptr) continue;
            copies_.push_back({from, q.a, q.wide});
            q.x = Operand(copies_.size() - 1);
            q.run = 1;
        }
        for (std::size_t i = quick_.size(); i-- > 1;)
            if (quick_[i].run != 0 && quick_[i - 1].run != 0) quick_[i - 1].run = quick_[i].run + 1;
    }
    StepId target(StepId to) const {
        for (int hops = 0; hops < 16 && to != no_id && m_.code[to].op == Op::jump; ++hops) to = m_.code[to].c;
        return to;
    }
    // next_player; [branch condition]; add_element of that player; back.
    void prepare_collecting(const Step& s, StepId pc, Quick& q) {
        const auto code = [&](StepId i) -> const Step& { return m_.code[i]; };
        StepId i = pc + 1;
        q.x = no_id;
        if (code(i).op == Op::branch && code(i).c == pc) q.x = code(i).x, ++i;
        const VariableId player = m_.loops[s.a].player;
        if (code(i).op != Op::add_element || code(i).b != player || code(i + 1).op != Op::jump || code(i + 1).c != pc) {
            q.x = no_id;
            return;
        }
        q.wide = true;
        q.a = var(code(i).a);
        if (q.x != no_id) q.test = fact_test(q.x, Operator::variable, player.value());
    }
    void collect(const Quick& q) {
        const Loop& loop = loops_[q.loop];
        M gained = get<M>(q.a);
        while (!failed_ && next_player(loop)) {
            const auto p = get<std::int32_t>(loop.player);
            if (q.test != no_id ? fits(tests_[q.test], p) : q.x == no_id || scalar(q.x) != 0) gained.add(p);
        }
        put<M>(q.a, gained);
    }
    // `its out`, `not its out`, `its place is 0`, of a fact that always has a value; else none.
    std::int32_t fact_test(ExpressionId condition, Operator index, std::int32_t imm) {
        FactTest t;
        bool same = true;
        ExpressionId e = condition;
        const auto expression = [&](ExpressionId i) -> const Expression& { return g_.expressions[i]; };
        for (; expression(e).op == Operator::negate; e = expression(e).a) same = !same;
        if (expression(e).op == Operator::equal && expression(expression(e).b).op == Operator::constant) {
            t.value = expression(expression(e).b).imm;
            e = expression(e).a;
        } else {
            same = !same;  // it is not 0
        }
        const Expression& f = expression(e);
        if (f.op != Operator::fact || f.a == no_id || expression(f.a).op != index || expression(f.a).imm != imm) return no_id;
        if (g_.facts[f.named()].initial == no_id) return no_id;
        t.at = l_.fact[f.named()];
        t.same = same;
        tests_.push_back(t);
        return tests_.size() - 1;
    }

    // ------------------------------------------------------------ pieces
    //
    // The bytes of a stack's order are written only while it has several parts: within a part pieces stand in ascending order, so of
    // one part the mask says all.

    bool one_part(std::size_t place) const { return l_.marks[place] != 0 && get<M>(l_.marks[place]) == M::bit(0); }
    void write_order(std::size_t place) {
        std::byte* order = s_ + l_.order[place];
        for (M rest = get<M>(l_.place[place]); !rest.empty();) *order++ = static_cast<std::byte>(rest.pop());
    }
    void forget_order(std::size_t place, int n) {
        if (one_part(place)) std::memset(s_ + l_.order[place], 0, n);
    }

    PlaceId where(int piece) const { return get<std::uint16_t>(l_.where + 2 * piece); }
    PlaceId where_before(int piece) const { return look<std::uint16_t>(l_.where + 2 * piece); }
    void put_where(int piece, PlaceId place) { put<std::uint16_t>(l_.where + 2 * piece, static_cast<std::uint16_t>(place)); }

    void lift(int piece) {
        const PlaceId from = where(piece);
        const std::size_t f = from;
        M here = get<M>(l_.place[f]);
        if (l_.order[f] != 0) lift_ordered(piece, f, here.size());
        here.remove(piece);
        put<M>(l_.place[f], here);
    }
    void lift_ordered(int piece, std::size_t f, int n) {
        const bool stack = l_.marks[f] != 0;
        if (stack && one_part(f)) {
            if (n == 1) put<M>(l_.marks[f], M{});
            return;
        }
        std::byte* order = s_ + l_.order[f];
        int i = 0;
        while (i < n && static_cast<int>(order[i]) != piece) ++i;
        std::memmove(order + i, order + i + 1, n - i - 1);
        order[n - 1] = std::byte{0};
        if (!stack) return;
        // The part that began here begins with the next piece now, unless that begins one itself.
        M moved;
        for (M marks = get<M>(l_.marks[f]); !marks.empty();) {
            const int k = marks.pop();
            const int to = k <= i ? k : k - 1;
            if (to < n - 1) moved.add(to);
        }
        put<M>(l_.marks[f], moved);
        forget_order(f, n - 1);
    }
    void land(int piece, PlaceId to, bool under) {
        const std::size_t t = to;
        if (l_.order[t] != 0) {
            land_part(M::bit(piece), to, under);
            return;
        }
        M here = get<M>(l_.place[t]);
        here.add(piece);
        put<M>(l_.place[t], here);
        put_where(piece, to);
    }
    // Pieces in ascending order onto or under a row or stack; on a stack they are one part.
    void land_part(const M& pieces, PlaceId to, bool under) {
        const std::size_t t = to;
        const M here = get<M>(l_.place[t]);
        const int n = here.size();
        const int count = pieces.size();
        const bool stack = l_.marks[t] != 0;
        if (stack && n > 0 && one_part(t)) write_order(t);
        if (!stack || n > 0) {
            std::byte* order = s_ + l_.order[t];
            if (under)
                std::memmove(order + count, order, n);
            else
                order += n;
            for (M rest = pieces; !rest.empty();) *order++ = static_cast<std::byte>(rest.pop());
        }
        put<M>(l_.place[t], here | pieces);
        for (M rest = pieces; !rest.empty();) put_where(rest.pop(), to);
        if (!stack) return;
        M moved;
        moved.add(under ? 0 : n);
        for (M marks = get<M>(l_.marks[t]); !marks.empty();) moved.add(marks.pop() + (under ? count : 0));
        put<M>(l_.marks[t], moved);
    }
    void move_piece(int piece, PlaceId to, bool under) {
        lift(piece);
        land(piece, to, under);
    }
    void replace_piece(PlaceId place, int out, int in) {
        const std::size_t p = place;
        M here = get<M>(l_.place[p]);
        here.remove(out);
        here.add(in);
        put<M>(l_.place[p], here);
        put_where(in, place);
        if (l_.order[p] == 0 || one_part(p)) return;
        for (int i = 0; i < here.size(); ++i)
            if (static_cast<int>(s_[l_.order[p] + i]) == out) s_[l_.order[p] + i] = static_cast<std::byte>(in);
    }
    // The pieces of `count` from index `first` on become one part, whatever their order.
    void merge_part(PlaceId place, int first, int count) {
        const std::size_t p = place;
        if (l_.marks[p] == 0 || count == 0 || one_part(p)) return;
        M marks = get<M>(l_.marks[p]);
        for (int i = first; i < first + count; ++i) marks.remove(i);
        marks.add(first);
        put<M>(l_.marks[p], marks);
        std::byte* order = s_ + l_.order[p];
        std::sort(order + first, order + first + count);  // one way to write one state
        forget_order(p, get<M>(l_.place[p]).size());
    }
    // What can be drawn: the top part of a stack, the last of a row, anything of a set.
    M drawable(PlaceId place, bool blindly) const {
        const std::size_t p = place;
        const M here = at_place(s_, place);
        if (blindly || l_.order[p] == 0 || here.empty()) return here;
        const int n = here.size();
        const std::byte* order = s_ + l_.order[p];
        M top;
        if (l_.marks[p] == 0) {
            top.add(static_cast<int>(order[n - 1]));
            return top;
        }
        const M marks = get<M>(l_.marks[p]);
        if (marks == M::bit(0)) return here;
        for (int i = n - 1; i >= 0; --i) {
            top.add(static_cast<int>(order[i]));
            if (marks.has(i)) break;
        }
        return top;
    }

    // ------------------------------------------------------------ steps

    void put_step(const Step& s, StepId pc) {
        const M what = cards(s.x);
        const PlaceId to = scalar(s.y);
        if (failed_ || what.empty()) return;
        const Zone& zone = g_.zones[m_.place_zone[to]];
        const bool under = (s.mode & put_under) != 0;
        if (events_ != nullptr) note_moves(what, to, pc);
        const bool part = (s.mode & put_shuffled) != 0 && l_.marks[to] != 0;
        if ((s.mode & put_in_order) != 0) {
            put_in_order_of_source(what, to, under);
        } else if (part) {
            for (M rest = what; !rest.empty();) lift(rest.pop());
            land_part(what, to, under);
        } else {
            for (M rest = what; !rest.empty();) {
                const int piece = rest.pop();
                lift(piece);
                land(piece, to, under);
            }
        }
        const int n = get<M>(l_.place[to]).size();
        // While several act at once, room is counted when all have moved.
        if (n > zone.capacity && r_ == s_) fail(FailureKind::does_not_fit, to, n);
        if ((s.mode & put_shuffled) != 0 && !part) merge_part(to, under ? 0 : n - what.size(), what.size());
    }
    void check_room() {
        for (const Zone& zone : g_.zones) {
            for (PlaceId p = zone.first_place; p < zone.first_place + zone.places; ++p) {
                const int n = get<M>(l_.place[p]).size();
                if (n > zone.capacity) fail(FailureKind::does_not_fit, PlaceId(p), n);
            }
        }
    }
    void put_in_order_of_source(const M& what, PlaceId to, bool under) {
        const PlaceId from = where(what.lowest());
        const std::size_t f = from;
        std::vector<int> pieces;
        if (l_.order[f] != 0 && !one_part(f)) {
            const int n = at_place(s_, from).size();
            for (int i = 0; i < n; ++i) {
                const int piece = static_cast<int>(s_[l_.order[f] + i]);
                if (what.has(piece)) pieces.push_back(piece);
            }
        }
        for (M rest = what; !rest.empty();) {
            const int piece = rest.pop();
            if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) pieces.push_back(piece);
        }
        if (under) std::reverse(pieces.begin(), pieces.end());
        for (const int piece : pieces) move_piece(piece, to, under);
    }
    void shuffle_step(const Step& s, StepId pc) {
        const PlaceId place = scalar(s.x);
        if (failed_) return;
        merge_part(place, 0, at_place(s_, place).size());
        if (events_ != nullptr) {
            Event e = event(EventKind::shuffle, pc);
            e.from = place;
            e.audience = everyone();
            events_->push_back(e);
        }
    }
    void set_fact_step(const Step& s, StepId pc) {
        const Fact& f = g_.facts[s.a];
        const std::int32_t index = s.y == no_id ? 0 : scalar(s.y);
        if (failed_) return;
        if (is_wide(f.type)) {
            put<M>(l_.fact[s.a] + 8 * W * index, set(s.x));
        } else {
            const std::int32_t v = scalar(s.x);
            if (failed_) return;
            const bool none = v == -1 && f.type.or_none;
            if (!none && (v < f.type.low || v > f.type.high)) return fail({FailureKind::cannot_become, {}, no_id, s.a, v});
            put<std::int32_t>(l_.fact[s.a] + 4 * index, v);
        }
        if (events_ != nullptr && !failed_) note_fact(s.a, s.y == no_id ? no_id : index, pc);
    }
    bool next_player(const Loop& loop) {
        const int n = players_;
        int passed = get<std::int32_t>(loop.counter);
        const int first = get<std::int32_t>(loop.first);
        for (; passed < n; ++passed) {
            int p = loop.clockwise ? first + passed : first + n - passed;
            if (p >= n) p -= n;
            if (!loop.all && !get<M>(loop.set).has(p)) continue;
            put<std::int32_t>(loop.player, p);
            put<std::int32_t>(loop.counter, passed + 1);
            return true;
        }
        return false;
    }
    bool next_element(const Step& s) {
        M rest = get<M>(var(s.a));
        if (rest.empty()) return false;
        put<std::int32_t>(var(s.b), rest.pop());
        put<M>(var(s.a), rest);
        return true;
    }
    void break_promise(const Step& s) {
        const Statement* statement = s.statement == no_id ? nullptr : &g_.statements[s.statement];
        if (statement != nullptr && statement->kind == StatementKind::choose_case) return fail(FailureKind::no_case);
        if (statement != nullptr && statement->kind == StatementKind::repeat) {
            const bool bound = g_.expressions[s.x].op == Operator::constant;
            return fail(bound ? FailureKind::not_enough_times : FailureKind::did_not_run_down);
        }
        fail(FailureKind::acts_do_not_end);
    }

    // --- choices

    // True when somebody must be asked. One possibility is taken without asking.
    bool choose_step(const Step& s, StepId pc, StepId& next) {
        const std::int32_t seat = scalar(s.x);
        std::int32_t low = 1;
        std::int32_t high = 1;
        many_ = (s.mode & choice_many) != 0;
        range_ = (s.mode & choice_range) != 0;
        std::uint64_t moves = 0;
        if (range_) {
            low = scalar(s.y);
            high = scalar(s.w);
            range_low_ = low;
            moves = high < low ? 0 : static_cast<std::uint64_t>(high - low) + 1;
        } else {
            of_cards_ = is_cards(s.y);
            options_ = of_cards_ ? cards(s.y) : set(s.y);
            if (many_) {
                low = scalar(s.z);
                high = scalar(s.w);
                count_groups();
                subsets_.set(group_sizes_, low, high);
                moves = subsets_.count();
                if (moves >= Subsets::limit && !failed_) fail(FailureKind::too_many_choices);
            } else {
                if (of_cards_) options_ = representatives(options_);
                moves = options_.size();
            }
        }
        if (failed_) return false;
        node_ = {NodeKind::choose, seat, moves, 0, (s.mode & choice_joint) != 0, pc};
        if (moves == 0) {
            if (s.c == no_id)
                fail(FailureKind::nothing_to_choose);
            else
                next = s.c;
            return false;
        }
        if ((s.mode & choice_optional) != 0 && get<std::int32_t>(l_.pc + 4) == 0) {
            node_.kind = NodeKind::consent;
            node_.moves = 2;
            return true;
        }
        if (moves > 1 || ask_forced_) return true;
        put<std::int32_t>(l_.pc + 4, 0);
        ++forced_;
        take_choice(s, 0);
        return false;
    }

    // One piece for each kind in each place.
    M representatives(const M& from) const {
        if (single_copies_) return from;
        M result;
        int last_kind = -1;
        M seen;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.pop();
            const int k = kind(piece);
            bool repeated = false;
            if (k == last_kind) {
                for (M same = seen; !same.empty() && !repeated;) repeated = where(same.pop()) == where(piece);
            } else {
                seen = M{};
            }
            last_kind = k;
            if (repeated) continue;
            seen.add(piece);
            result.add(piece);
        }
        return result;
    }
    void count_groups() {
        groups_.clear();
        group_sizes_.clear();
        if (!of_cards_) {
            groups_.resize(options_.size());
            M rest = options_;
            for (int& element : groups_) element = rest.pop();
            group_sizes_.assign(groups_.size(), 1);
            return;
        }
        for (M rest = representatives(options_); !rest.empty();) {
            const int piece = rest.pop();
            groups_.push_back(piece);
            group_sizes_.push_back(copies_like(piece).size());
        }
    }
    // The choosable copies of the same kind in the same place.
    M copies_like(int piece) const {
        M copies = options_ & kind_mask_[kind(piece)];
        for (M rest = copies; !rest.empty();) {
            const int other = rest.pop();
            if (where(other) != where(piece)) copies.remove(other);
        }
        return copies;
    }
    M chosen_set(std::uint64_t move) const {
        subsets_.unrank(move, taken_);
        const std::vector<std::int32_t>& taken = taken_;
        M chosen;
        for (std::size_t g = 0; g < taken.size(); ++g) {
            if (!of_cards_) {
                if (taken[g] != 0) chosen.add(groups_[g]);
                continue;
            }
            M copies = copies_like(groups_[g]);
            for (std::int32_t i = 0; i < taken[g]; ++i) chosen.add(copies.pop());
        }
        return chosen;
    }
    void take_choice(const Step& s, std::uint64_t move) {
        if (many_)
            put<M>(var(s.a), chosen_set(move));
        else
            put<std::int32_t>(var(s.a), range_ ? range_low_ + static_cast<std::int32_t>(move) : options_.nth(move));
        if (events_ != nullptr) note_choice(s, move);
    }
    // A kind, with its place when the choice is between several places.
    std::int32_t shown_value(int piece) const {
        const PlaceId place = where(piece);
        for (M rest = options_; !rest.empty();)
            if (where(rest.pop()) != place) return PlacedKind{KindId(kind(piece)), place}.value();
        return kind(piece);
    }
    Meant choice_meaning(std::uint64_t move) const {
        Meant meant;
        if (range_)
            meant.values.push_back(range_low_ + static_cast<std::int32_t>(move));
        else if (!many_) {
            const int v = options_.nth(move);
            meant.values.push_back(of_cards_ ? shown_value(v) : v);
        } else {
            for (M rest = chosen_set(move); !rest.empty();) {
                const int v = rest.pop();
                meant.values.push_back(of_cards_ ? shown_value(v) : v);
            }
        }
        return meant;
    }
    std::uint64_t choice_for(const std::vector<std::int32_t>& values) const {
        if (range_) {
            const bool fits =
                values.size() == 1 && values[0] >= range_low_ && static_cast<std::uint64_t>(values[0] - range_low_) < node_.moves;
            return fits ? static_cast<std::uint64_t>(values[0] - range_low_) : node_.moves;
        }
        const auto fits = [&](int option, std::int32_t value) {
            return of_cards_ ? (shown_value(option) == value || kind(option) == value) : option == value;
        };
        if (!many_) {
            if (values.size() != 1) return node_.moves;
            for (std::uint64_t i = 0; i < node_.moves; ++i)
                if (fits(options_.nth(i), values[0])) return i;
            return node_.moves;
        }
        std::vector<std::int32_t> taken(groups_.size(), 0);
        for (const std::int32_t v : values) {
            bool found = false;
            for (std::size_t g = 0; g < groups_.size() && !found; ++g) {
                found = fits(groups_[g], v) && taken[g] < group_sizes_[g];
                if (found) ++taken[g];
            }
            if (!found) return node_.moves;
        }
        return subsets_.rank(taken);
    }

    // --- chance and reports

    bool draw_step(const Step& s, StepId pc, StepId& next) {
        const PlaceId from = scalar(s.x);
        if (failed_) return false;
        options_ = drawable(from, s.mode == 1);
        of_cards_ = true;
        const int n = options_.size();
        if (n == 0) {
            if (s.c == no_id)
                fail(FailureKind::no_card_to_deal, PlaceId(from));
            else
                next = s.c;
            return false;
        }
        node_ = {NodeKind::draw, -1, static_cast<std::uint64_t>(n), 0, false, pc};
        if (n > 1) return true;
        finish_draw(s, options_.lowest(), pc);
        return false;
    }
    void finish_draw(const Step& s, int drawn, StepId pc) {
        // Which copy it is makes no difference; the first one keeps equal states equal.
        const int piece = single_copies_ ? drawn : (options_ & kind_mask_[kind(drawn)]).lowest();
        const PlaceId from = where(piece);
        const PlaceId to = scalar(s.y);
        if (failed_) return;
        if (events_ != nullptr) {
            Event e = event(EventKind::draw, pc);
            e.from = from;
            e.to = to;
            e.pieces.push_back(kind(piece));
            e.audience = everyone();
            e.faces = seers(from) | seers(to);
            events_->push_back(std::move(e));
        }
        lift(piece);
        land(piece, to, false);
        if (s.a != no_id) put<std::int32_t>(var(s.a), piece);
        if (get<M>(l_.place[to]).size() <= capacity_[to]) return;
        fail(FailureKind::takes_only, to);
    }
    bool report_step(const Step& s, StepId pc) {
        of_cards_ = is_cards(s.x);
        M all = of_cards_ ? cards(s.x) : set(s.x);
        weights_.clear();
        if (s.b != no_id) {
            M weighted;
            for (const auto& [value, weight] : m_.weights[s.b])
                if (scalar(weight) > 0) weighted.add(value);
            all = all & weighted;
            for (M rest = all; !rest.empty();) {
                const int v = rest.pop();
                for (const auto& [value, weight] : m_.weights[s.b])
                    if (value == v) weights_.push_back(scalar(weight));
            }
        }
        if (failed_) return false;
        options_ = all;
        const int n = all.size();
        if (n == 0) {
            fail(FailureKind::nothing_to_report);
            return false;
        }
        node_ = {s.mode == 1 ? NodeKind::lot : NodeKind::report, -1, static_cast<std::uint64_t>(n), 0, false, pc};
        if (n > 1) return true;
        finish_report(s, all.lowest(), pc);
        return false;
    }
    void finish_report(const Step& s, int told, StepId pc) {
        // Of copies in one place the first one, as players choose: a log names the kind.
        const int value = of_cards_ && !single_copies_ ? copies_like(told).lowest() : told;
        put<std::int32_t>(var(s.a), value);
        if (events_ == nullptr) return;
        Event e = event(s.mode == 1 ? EventKind::lot : EventKind::report, pc);
        e.name = s.a;
        e.values.push_back(of_cards_ ? kind(value) : value);
        e.audience = e.faces = everyone();
        events_->push_back(std::move(e));
    }
    bool window_step(const Step& s, StepId pc) {
        const M may = get<M>(var(s.b));
        if (may.empty()) return false;
        node_ = {NodeKind::window, -1, std::uint64_t{1} << g_.players, static_cast<Seats>(may.w[0]), false, pc};
        return true;
    }
    void finish_window(const Step& s, std::uint64_t who) {
        M set;
        set.w[0] = who & node_.seats;
        put<M>(var(s.b), set);
        if (events_ == nullptr || set.empty()) return;
        Event e = event(EventKind::acts, node_.step);
        e.name = s.a;
        for (M rest = set; !rest.empty();) e.values.push_back(rest.pop());
        e.audience = e.faces = everyone();
        events_->push_back(std::move(e));
    }

    // ------------------------------------------------------------ events

    Seats everyone() const { return (1U << g_.players) - 1; }
    Seats seen_by(Seers seers, IndexBy by, std::int32_t index) const {
        const Seats owner = by == IndexBy::player && index >= 0 ? seat_bit(index) : Seats{0};
        switch (seers) {
            case Seers::all:
                return everyone();
            case Seers::owner:
                return owner;
            case Seers::others:
                return everyone() & ~owner;
            case Seers::nobody:
                return 0;
        }
        return 0;
    }
    Seats seers(PlaceId place) const {
        if (place == 0) return 0;
        const Zone& z = g_.zones[m_.place_zone[place]];
        return seen_by(z.seers, z.by, place - z.first_place);
    }
    Event event(EventKind kind, StepId pc) const {
        Event e;
        e.kind = kind;
        e.step = pc;
        e.rule = m_.code[pc].rule;
        return e;
    }
    // The pieces of `what` place by place, so that events come in an order that shows nothing.
    template <typename F>
    void by_place(const M& what, F f) const {
        std::vector<std::pair<PlaceId, int>> pieces;
        for (M rest = what; !rest.empty();) {
            const int piece = rest.pop();
            pieces.emplace_back(where(piece), piece);
        }
        std::sort(pieces.begin(), pieces.end());
        for (std::size_t i = 0; i < pieces.size();) {
            const PlaceId place = pieces[i].first;
            std::vector<std::int32_t> kinds;
            for (; i < pieces.size() && pieces[i].first == place; ++i) kinds.push_back(kind(pieces[i].second));
            f(place, std::move(kinds));
        }
    }
    void note_moves(const M& what, PlaceId to, StepId pc) {
        by_place(what, [&](PlaceId from, std::vector<std::int32_t> kinds) {
            Event e = event(EventKind::move, pc);
            e.from = from;
            e.to = to;
            e.pieces = std::move(kinds);
            e.audience = everyone();
            e.faces = seers(from) | seers(to);
            // Pieces out of the box that nobody sees: part of the setup that goes without saying.
            if (from != to && (from != 0 || e.faces != 0)) events_->push_back(std::move(e));
        });
    }
    void note_fact(FactId fact_id, std::int32_t index, StepId pc) {
        const Fact& f = g_.facts[fact_id];
        Event e = event(EventKind::becomes, pc);
        e.name = fact_id;
        e.index = index;
        if (is_wide(f.type))
            e.values = fact_set(fact_id, index);
        else
            e.value = fact(fact_id, index);
        e.audience = e.faces = seen_by(f.seers, f.by, index);
        events_->push_back(std::move(e));
    }
    void note_choice(const Step& s, std::uint64_t move) {
        Event e = event(EventKind::choice, node_.step);
        e.seat = node_.seat;
        e.name = s.a;
        e.values = choice_meaning(move).values;
        e.aloud = (s.mode & choice_aloud) != 0;
        e.audience = e.faces = e.aloud ? everyone() : seat_bit(e.seat);
        e.joint = (s.mode & choice_joint) != 0;
        events_->push_back(std::move(e));
    }
    void note_no(const Step& s) {
        Event e = event(EventKind::choice, node_.step);
        e.seat = node_.seat;
        e.name = s.a;
        e.optional_no = true;
        e.audience = e.faces = seat_bit(e.seat);
        events_->push_back(std::move(e));
    }
    void note_answer(const Step& s, std::uint64_t move) {
        Event e = event(EventKind::answer, node_.step);
        e.seat = node_.seat;
        e.name = s.a;
        e.value = move;
        e.audience = e.faces = seat_bit(e.seat);
        events_->push_back(std::move(e));
    }
    void says_step(const Step& s, StepId pc) {
        const std::int32_t seat = scalar(s.x);
        if (events_ == nullptr || failed_) return;
        Event e = event(EventKind::says, pc);
        e.seat = seat;
        e.name = s.a;
        e.audience = e.faces = everyone();
        events_->push_back(std::move(e));
    }
    void show_step(const Step& s, StepId pc) {
        if (events_ == nullptr) return;
        const M what = cards(s.x);
        const Seats to = s.y == no_id ? everyone() : static_cast<Seats>(set(s.y).w[0]);
        if (failed_) return;
        by_place(what, [&](PlaceId from, std::vector<std::int32_t> kinds) {
            Event e = event(EventKind::shows, pc);
            e.from = from;
            e.value = to;
            e.pieces = std::move(kinds);
            e.audience = everyone();
            e.faces = to | seers(from);
            events_->push_back(std::move(e));
        });
    }
    void enter_step(const Step& s, StepId pc) {
        if (events_ == nullptr) return;
        Event e = event(EventKind::begins, pc);
        e.name = s.a;
        const Rule& rule = g_.rules[s.a];
        if (!rule.parameters.empty() && g_.variables[rule.parameters[0]].type.base == Base::player)
            e.seat = get<std::int32_t>(var(rule.parameters[0]));
        e.audience = everyone();
        events_->push_back(std::move(e));
    }
    void ended_step(const Step& s, StepId pc) {
        if (events_ == nullptr) return;
        Event e = event(EventKind::ended, pc);
        e.name = s.a;
        e.audience = e.faces = everyone();
        events_->push_back(std::move(e));
    }

    // ------------------------------------------------------------ expressions

    // Whether the machine may make the round number `watched` that nobody was asked in, at the step `pc`: neither too many were made,
    // nor does it stand there in a state in which it stood there before. (Brent's cycle finding: the state is kept after 1, 2, 4, 8 …
    // rounds. While effects are made it depends on more than the state, so nothing is compared.)
    bool goes_on(std::uint64_t watched, StepId pc) {
        if (watched == 1) stood_at_ = no_id;
        if (watched > forced_limit_ - std::min(forced_limit_, unwatched_rounds)) return false;
        if (r_ != s_) return true;
        if (std::has_single_bit(watched)) {
            stood_.assign(s_, s_ + l_.bytes);
            stood_at_ = pc;
            return true;
        }
        return stood_at_ != pc || std::memcmp(s_, stood_.data(), stood_.size()) != 0;
    }
    void tell(std::uint64_t& left) {
        if (left-- == 0) fail(FailureKind::goes_on_for_ever);
    }

    // Where it stands is the step at hand, unless it is said.
    void fail(const Failure& failure) {
        if (failed_) return;
        failed_ = true;
        failure_ = failure;
    }
    void fail(FailureKind what, PlaceId place = no_id, std::int32_t number = 0) { fail({what, {}, place, no_id, number}); }
    std::int32_t broken(ExpressionId e, FailureKind what) {
        fail({what, g_.expressions[e].span, no_id, no_id, 0});
        return 0;
    }
    std::int32_t probe(ExpressionId e) {
        const bool saved = std::exchange(failed_, false);
        const Failure kept = failure_;
        const std::int32_t v = scalar(e);
        probe_failed_ = failed_;
        failed_ = saved;
        if (!probe_failed_) failure_ = kept;
        return probe_failed_ ? std::numeric_limits<std::int32_t>::min() : v;
    }

    std::optional<std::vector<std::int32_t>> probe_wide(ExpressionId e) {
        const bool saved = std::exchange(failed_, false);
        const Failure kept = failure_;
        M value = wide(e);
        const bool broke = std::exchange(failed_, saved);
        failure_ = kept;
        if (broke) return std::nullopt;
        std::vector<std::int32_t> all;
        while (!value.empty()) all.push_back(value.pop());
        return all;
    }

    std::int32_t scalar(ExpressionId id) { return value(x_[id]); }
    std::int32_t value(const Node_& n) {
        if (n.leaf == nullptr) return n.number(*this, n);
        std::int32_t v;
        std::memcpy(&v, n.leaf, sizeof v);
        return v;
    }
    ExpressionId id_of(const Node_& n) const { return x_.id_of(n); }

    Node_ packed(const Expression& x, ExpressionId i) {
        Node_ n;
        n.op = x.op;
        n.cards = x.type.base == Base::cards;
        n.a = x.a;
        n.b = x.b;
        n.c = x.c;
        n.imm = x.imm;
        if (x.op == Operator::constant) n.leaf = reinterpret_cast<const std::byte*>(&x_[i].imm);
        if (x.op == Operator::bound) n.leaf = reinterpret_cast<const std::byte*>(&bound_[x.imm]);
        if (x.op == Operator::variable) n.leaf = s_ + var(x.named());
        if (x.op == Operator::cards_variable || x.op == Operator::set_variable) n.at = var(x.named());
        if (x.op == Operator::fact || x.op == Operator::set_fact) n.at = l_.fact[x.named()];
        if (x.op == Operator::place) n.at = g_.zones[x.named()].first_place;
        n.number = number_reader(x);
        n.mask = mask_reader(x);
        if (!Traced && x.op == Operator::cards_at && g_.expressions[x.a].op == Operator::place) {
            // The places of a zone lie side by side: straight to the mask.
            const Expression& place = g_.expressions[x.a];
            const Zone& zone = g_.zones[place.named()];
            n.at = l_.place[zone.first_place];
            n.b = place.a;
            n.mask = place.a == no_id ? &Engine::read_zone : &Engine::read_zone_of;
        }
        return n;
    }

    using Number = std::int32_t (*)(Engine&, const Node_&);
    static Number number_reader(const Expression& x) {
        switch (x.op) {
            case Operator::fact:
                return x.a == no_id ? Number{&read_fact} : Number{&read_fact_of};
            case Operator::add:
                return [](Engine& e, const Node_& n) { return e.scalar(n.a) + e.scalar(n.b); };
            case Operator::subtract:
                return [](Engine& e, const Node_& n) { return e.scalar(n.a) - e.scalar(n.b); };
            case Operator::distance:
                return [](Engine& e, const Node_& n) { return std::abs(e.scalar(n.a) - e.scalar(n.b)); };
            case Operator::equal:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) == e.scalar(n.b); };
            case Operator::less:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) < e.scalar(n.b); };
            case Operator::less_equal:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) <= e.scalar(n.b); };
            case Operator::both:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) != 0 && e.scalar(n.b) != 0; };
            case Operator::either:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) != 0 || e.scalar(n.b) != 0; };
            case Operator::negate:
                return [](Engine& e, const Node_& n) -> std::int32_t { return e.scalar(n.a) == 0; };
            case Operator::conditional:
                return [](Engine& e, const Node_& n) { return e.scalar(n.a) != 0 ? e.scalar(n.b) : e.scalar(n.c); };
            case Operator::lookup:
                return &read_table;
            case Operator::kind_of:
                return &read_kind;
            case Operator::neighbour:
                return [](Engine& e, const Node_& n) {
                    const std::int32_t p = e.scalar(n.a) + n.imm;
                    return p >= e.players_ ? p - e.players_ : p;
                };
            case Operator::size_of_cards:
                return [](Engine& e, const Node_& n) { return e.cards(n.a).size(); };
            case Operator::size_of_set:
                return [](Engine& e, const Node_& n) { return e.set(n.a).size(); };
            case Operator::exists:
                return [](Engine& e, const Node_& n) { return e.exists(n); };
            case Operator::the_card:
                return &read_the_card;
            case Operator::place:
                return x.a == no_id ? Number{[](Engine&, const Node_& n) { return static_cast<std::int32_t>(n.at); }}
                                    : Number{&read_place_of};
            case Operator::has_kind:
                return [](Engine& e, const Node_& n) -> std::int32_t {
                    const M m = e.cards(n.a);
                    const std::int32_t k = e.scalar(n.b);
                    return k >= 0 && !(m & e.kind_mask_[k]).empty();
                };
            case Operator::has_element:
                return [](Engine& e, const Node_& n) -> std::int32_t {
                    const M m = e.set(n.a);
                    const std::int32_t v = e.scalar(n.b);
                    return v >= 0 && m.has(v);
                };
            default:
                return [](Engine& e, const Node_& n) { return e.scalar_otherwise(n); };
        }
    }
    using Masked = M (*)(Engine&, const Node_&);
    static Masked mask_reader(const Expression& x) {
        switch (x.op) {
            case Operator::cards_variable:
            case Operator::set_variable:
                return [](Engine& e, const Node_& n) { return e.template get<M>(n.at); };
            case Operator::cards_single:
                return [](Engine& e, const Node_& n) {
                    const std::int32_t piece = e.scalar(n.a);
                    return piece < 0 ? M{} : M::bit(piece);
                };
            case Operator::cards_join:
                return [](Engine& e, const Node_& n) {
                    const M a = e.cards(n.a);
                    return e.join(a, e.cards(n.b));
                };
            case Operator::cards_minus:
                return [](Engine& e, const Node_& n) {
                    const M a = e.cards(n.a);
                    return e.minus(a, e.cards(n.b));
                };
            case Operator::cards_where:
                return [](Engine& e, const Node_& n) { return e.cards_where(n, false); };
            case Operator::set_constant:
                return [](Engine& e, const Node_& n) { return e.sets_[n.imm]; };
            case Operator::set_minus:
                return [](Engine& e, const Node_& n) { return e.set(n.a) - e.set(n.b); };
            case Operator::set_single:
                return [](Engine& e, const Node_& n) {
                    const std::int32_t v = e.scalar(n.a);
                    return v < 0 ? M{} : M::bit(v);
                };
            case Operator::set_where:
                return [](Engine& e, const Node_& n) { return e.set_where(n); };
            default:
                if (x.type.base == Base::cards) return [](Engine& e, const Node_& n) { return e.cards_otherwise(n); };
                return [](Engine& e, const Node_& n) { return e.set_otherwise(n); };
        }
    }

    static std::int32_t read_fact(Engine& e, const Node_& n) {
        const auto v = e.template look<std::int32_t>(n.at);
        return v == unset ? e.broken(e.id_of(n), FailureKind::read_before_set) : v;
    }
    static std::int32_t read_fact_of(Engine& e, const Node_& n) {
        const auto v = e.template look<std::int32_t>(n.at + 4 * e.scalar(n.a));
        return v == unset ? e.broken(e.id_of(n), FailureKind::read_before_set) : v;
    }
    static std::int32_t read_table(Engine& e, const Node_& n) {
        const std::int32_t i = e.scalar(n.a);
        const auto& table = e.g_.tables[n.named()];
        if (i < 0 || static_cast<std::size_t>(i) >= table.size()) return e.broken(e.id_of(n), FailureKind::nothing_to_read);
        const std::int32_t v = table[i];
        return v == -1 ? e.broken(e.id_of(n), FailureKind::no_such_value) : v;
    }
    static std::int32_t read_kind(Engine& e, const Node_& n) {
        const std::int32_t piece = e.scalar(n.a);
        return piece < 0 ? e.broken(e.id_of(n), FailureKind::no_card) : e.kind(piece);
    }
    static std::int32_t read_the_card(Engine& e, const Node_& n) {
        const M m = e.cards(n.a);
        if (m.empty()) return e.broken(e.id_of(n), FailureKind::no_card_fits), -1;
        if (!m.single()) e.broken(e.id_of(n), FailureKind::several_cards_fit);
        return m.lowest();
    }
    static std::int32_t read_place_of(Engine& e, const Node_& n) {
        const std::int32_t i = e.scalar(n.a);
        if (i < 0) e.broken(e.id_of(n), FailureKind::no_owner);
        return static_cast<std::int32_t>(n.at) + std::max(0, i);
    }
    static M read_zone(Engine& e, const Node_& n) { return e.template look<M>(n.at); }
    static M read_zone_of(Engine& e, const Node_& n) {
        const std::int32_t i = e.scalar(n.b);
        if (i < 0) e.broken(n.a, FailureKind::no_owner);
        return e.template look<M>(n.at + 8 * W * std::max(0, i));
    }

    std::int32_t scalar_otherwise(const Node_& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::multiply:
                return scalar(n.a) * scalar(n.b);
            case Operator::larger:
                return std::max(scalar(n.a), scalar(n.b));
            case Operator::smaller:
                return std::min(scalar(n.a), scalar(n.b));
            case Operator::quotient:
            case Operator::remainder: {
                const std::int32_t a = scalar(n.a);
                const std::int32_t b = scalar(n.b);
                if (b <= 0) return broken(id, FailureKind::division_by_nothing);
                std::int32_t r = a % b;
                if (r < 0) r += b;
                return n.op == Operator::remainder ? r : (a - r) / b;
            }
            case Operator::next_in:
                return next_in(id, n);
            case Operator::sum_over:
            case Operator::largest_over:
            case Operator::smallest_over:
                return total_over(id, n);
            case Operator::the_element: {
                const M m = set(n.a);
                if (m.empty()) return broken(id, FailureKind::nothing_fits);
                if (m.size() != 1) return broken(id, FailureKind::several_fit), m.lowest();
                return m.lowest();
            }
            case Operator::first_card:
            case Operator::last_card:
                return end_card(id, n);
            case Operator::same_cards:
                return same_cards(cards(n.a), cards(n.b));
            case Operator::same_set:
                return set(n.a) == set(n.b);
            case Operator::fail:
                return broken(id, FailureKind::no_case);
            default:
                return 0;  // sets and cards have readers of their own
        }
    }

    std::int32_t next_in(ExpressionId id, const Node_& n) {
        const std::int32_t p = scalar(n.a);
        const M s = set(n.b);
        if (s.empty()) return broken(id, FailureKind::nobody_next);
        for (int i = 1; i <= g_.players; ++i) {
            const int q = n.imm > 0 ? (p + i) % g_.players : (p - i + g_.players) % g_.players;
            if (s.has(q)) return q;
        }
        return p;
    }
    std::int32_t end_card(ExpressionId id, const Node_& n) {
        const PlaceId place = scalar(n.a);
        const std::size_t p = place;
        const M here = at_place(r_, place);
        if (here.empty()) return broken(id, FailureKind::no_card), -1;
        if (l_.order[p] == 0) return here.lowest();
        if (l_.marks[p] != 0 && look<M>(l_.marks[p]) == M::bit(0))
            return n.op == Operator::first_card ? here.lowest() : here.nth(here.size() - 1);
        const std::byte* order = r_ + l_.order[p];
        return static_cast<std::int32_t>(n.op == Operator::first_card ? order[0] : order[here.size() - 1]);
    }
    bool same_cards(M a, M b) const {
        const M both = a & b;
        a = a - both;
        b = b - both;
        if (a.size() != b.size()) return false;
        while (!a.empty()) {
            const M like = kind_mask_[kind(a.lowest())];
            if ((a & like).size() != (b & like).size()) return false;
            a = a - like;
        }
        return true;
    }
    // Calls f(element or piece, how many) for each kind of piece once, or for each element.
    template <typename F>
    void each_of(ExpressionId source, F f) {
        if (is_cards(source)) {
            for (M rest = cards(source); !rest.empty();) {
                const int piece = rest.lowest();
                const M like = rest & kind_mask_[kind(piece)];
                f(piece, like.size());
                rest = rest - like;
            }
        } else {
            for (M rest = set(source); !rest.empty();) f(rest.pop(), 1);
        }
    }
    std::int32_t total_over(ExpressionId id, const Node_& n) {
        std::int64_t total = 0;
        bool any = false;
        each_of(n.a, [&](int element, int count) {
            bound_[n.imm] = element;
            const std::int32_t v = scalar(n.b);
            if (n.op == Operator::sum_over)
                total += std::int64_t{v} * count;
            else if (!any)
                total = v;
            else
                total = n.op == Operator::largest_over ? std::max<std::int64_t>(total, v) : std::min<std::int64_t>(total, v);
            any = true;
        });
        if (!any && n.op != Operator::sum_over) return broken(id, FailureKind::nothing_to_compare);
        return total;
    }
    std::int32_t exists(const Node_& n) {
        if (is_cards(n.a)) return cards_where(n, n.total).empty() ? 0 : 1;
        if (n.c != no_id) return set_where(n).empty() ? 0 : 1;
        std::int32_t found = 0;
        for (M rest = set(n.a); !rest.empty();) {
            bound_[n.imm] = rest.pop();
            if (scalar(n.b) != 0) found = 1;
            if (found != 0 && n.total) break;
        }
        return found;
    }

    // ------------------------------------------------------------ sets of pieces

    M cards(ExpressionId id) {
        const Node_& n = x_[id];
        return n.mask(*this, n);
    }
    M cards_otherwise(const Node_& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::cards_at:
                return at_place(r_, scalar(n.a));
            case Operator::cards_of: {
                const Zone& z = g_.zones[n.named()];
                M all;
                for (M owners = set(n.a); !owners.empty();) all = all | at_place(r_, z.first_place + owners.pop());
                return all;
            }
            case Operator::cards_family:
                return family_mask(n.named());
            case Operator::cards_unplaced:
                return at_place(r_, 0) & family_mask(n.named());
            case Operator::cards_none:
                return M{};
            case Operator::cards_most:
            case Operator::cards_least:
                return cards_best(n);
            case Operator::cards_or_if_none: {
                const M a = cards(n.a);
                return a.empty() ? cards(n.b) : a;
            }
            case Operator::cards_groups:
                return groups(id, n);
            case Operator::cards_any:
                return any(id, n);
            case Operator::cards_conditional:
                return scalar(n.a) != 0 ? cards(n.b) : cards(n.c);
            case Operator::fail:
                return broken(id, FailureKind::no_case), M{};
            default:
                return M{};
        }
    }
    M family_mask(FamilyId family) const {
        if (family == no_id) return all_pieces_;
        return family_masks_[family];
    }
    // As many of each kind in each place as both have together: another copy serves, as long as there is one, for one that is in both.
    M join(const M& a, const M& b) const {
        M result = a | b;
        for (M both = a & b; !both.empty();) {
            const int piece = both.pop();
            for (M like = kind_mask_[kind(piece)] - result; !like.empty();) {
                const int other = like.pop();
                if (where_before(other) != where_before(piece)) continue;
                result = result | M::bit(other);
                break;
            }
        }
        return result;
    }
    // As many fewer of each kind in each place: another copy serves when the very one is not there.
    M minus(const M& a, const M& b) const {
        M result = a - b;
        for (M rest = b - a; !rest.empty();) {
            const int piece = rest.pop();
            for (M like = result & kind_mask_[kind(piece)]; !like.empty();) {
                const int other = like.pop();
                if (where_before(other) != where_before(piece)) continue;
                result.remove(other);
                break;
            }
        }
        return result;
    }
    M cards_where(const Node_& n, bool first_only) {
        const M from = cards(n.a);
        if (from.empty()) return from;
        if (n.c != no_id) return from & filter(n.c.value());
        M result;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.lowest();
            const M like = rest & kind_mask_[kind(piece)];
            bound_[n.imm] = piece;
            if (scalar(n.b) != 0) {
                result = result | like;
                if (first_only) return result;
            }
            rest = rest - like;
        }
        return result;
    }
    M cards_best(const Node_& n) {
        M best;
        std::int32_t best_key = 0;
        for (M rest = cards(n.a); !rest.empty();) {
            const int piece = rest.lowest();
            const M like = rest & kind_mask_[kind(piece)];
            bound_[n.imm] = piece;
            const std::int32_t key = scalar(n.b);
            const bool better = best.empty() || (n.op == Operator::cards_most ? key > best_key : key < best_key);
            if (better) {
                best = like;
                best_key = key;
            } else if (key == best_key) {
                best = best | like;
            }
            rest = rest - like;
        }
        return best;
    }
    // The lowest `count` of `from`, places ascending within a kind.
    M lowest_of(const M& from, int count) const {
        M result;
        std::array<std::uint64_t, 64 * W> sorted;
        std::size_t n = 0;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.pop();
            sorted[n++] = static_cast<std::uint64_t>(kind(piece)) << 32 | static_cast<std::uint64_t>(where_before(piece)) << 16 |
                          static_cast<std::uint64_t>(piece);
        }
        std::sort(sorted.begin(), sorted.begin() + n);
        for (std::size_t i = 0; i < n && static_cast<int>(i) < count; ++i) result.add(sorted[i] & 0xffff);
        return result;
    }
    M groups(ExpressionId id, const Node_& n) {
        const M from = cards(n.a);
        const int size = std::max(1, scalar(n.b));
        M result;
        for (M rest = from; !rest.empty();) {
            const int piece = rest.lowest();
            M like = rest & kind_mask_[kind(piece)];
            bool one_kind = true;
            if (n.c != no_id) {
                bound_[n.imm] = piece;
                const std::int32_t key = scalar(n.c);
                for (M others = rest - like; !others.empty();) {
                    const int other = others.lowest();
                    const M other_like = others & kind_mask_[kind(other)];
                    bound_[n.imm] = other;
                    if (scalar(n.c) == key) {
                        like = like | other_like;
                        one_kind = false;
                    }
                    others = others - other_like;
                }
            }
            const int count = like.size();
            const int full = count / size * size;
            if (full != count && full != 0 && !one_kind) broken(id, FailureKind::group_undecided);
            result = result | (full == count ? like : full == 0 ? M{} : lowest_of(like, full));
            rest = rest - like;
        }
        return result;
    }
    M any(ExpressionId id, const Node_& n) {
        const M from = cards(n.a);
        const std::int32_t count = scalar(n.b);
        if (from.size() < count) return broken(id, FailureKind::not_so_many), from;
        if (count < from.size() && count > 0) {
            const M like = kind_mask_[kind(from.lowest())];
            if (!(from - like).empty()) broken(id, FailureKind::which_undecided);
        }
        return lowest_of(from, std::max(0, count));
    }

    // ------------------------------------------------------------ sets of elements

    M set(ExpressionId id) {
        const Node_& n = x_[id];
        return n.mask(*this, n);
    }
    M set_otherwise(const Node_& n) {
        const ExpressionId id = id_of(n);
        switch (n.op) {
            case Operator::set_fact: {
                const std::int32_t index = n.a == no_id ? 0 : scalar(n.a);
                if constexpr (Traced) reads_.set_facts.insert({n.named(), index});
                return look<M>(n.at + 8 * W * index);
            }
            case Operator::set_lookup: {
                const std::int32_t i = scalar(n.a);
                const auto& table = g_.tables[n.named()];
                if (i < 0 || static_cast<std::size_t>(i) >= table.size() || table[i] < 0)
                    return broken(id, FailureKind::no_such_value), M{};
                return sets_[table[i]];
            }
            case Operator::set_join:
                return set(n.a) | set(n.b);
            case Operator::set_most:
            case Operator::set_least:
                return set_best(n);
            case Operator::set_or_if_none: {
                const M a = set(n.a);
                return a.empty() ? set(n.b) : a;
            }
            case Operator::set_kinds: {
                M kinds;
                for (M rest = cards(n.a); !rest.empty();) kinds.add(kind(rest.pop()));
                return kinds;
            }
            case Operator::set_conditional:
                return scalar(n.a) != 0 ? set(n.b) : set(n.c);
            case Operator::fail:
                return broken(id, FailureKind::no_case), M{};
            default:
                return M{};
        }
    }
    M set_where(const Node_& n) {
        M result;
        if (n.c != no_id) {
            const FactTest& test = tests_[n.c.value()];
            for (M rest = set(n.a); !rest.empty();)
                if (const int e = rest.pop(); fits(test, e)) result.add(e);
            return result;
        }
        for (M rest = set(n.a); !rest.empty();) {
            const int e = rest.pop();
            bound_[n.imm] = e;
            if (scalar(n.b) != 0) result.add(e);
        }
        return result;
    }
    M set_best(const Node_& n) {
        M best;
        std::int32_t best_key = 0;
        for (M rest = set(n.a); !rest.empty();) {
            const int e = rest.pop();
            bound_[n.imm] = e;
            const std::int32_t key = scalar(n.b);
            if (best.empty() || (n.op == Operator::set_most ? key > best_key : key < best_key)) {
                best = M::bit(e);
                best_key = key;
            } else if (key == best_key) {
                best.add(e);
            }
        }
        return best;
    }

    // ------------------------------------------------------------ filters
    //
    // `S where C` asks C for every kind. Where C is built from conditions that depend on the kind and on one number that is the same
    // for all of S, what fits is looked up: a mask for each value of that number, made once by asking every kind.

    struct Filter {
        enum What { all, none, table, both, either, negate, choice, same } what = all;
        ExpressionId invariant = no_id;  // table, choice: an expression that does not depend on the card
        std::int32_t low = 0;
        std::vector<M> masks;  // table: by value of the invariant
        std::int32_t a = no_id;
        std::int32_t b = no_id;
    };

    M filter(std::int32_t f) {
        const Filter& x = filters_[f];
        switch (x.what) {
            case Filter::all:
                return all_pieces_;
            case Filter::none:
                return M{};
            case Filter::table: {
                const std::int32_t v = x.invariant == no_id ? 0 : scalar(x.invariant) - x.low;
                return v >= 0 && static_cast<std::size_t>(v) < x.masks.size() ? x.masks[v] : M{};
            }
            case Filter::both: {
                const M a = filter(x.a);
                return a.empty() ? a : a & filter(x.b);
            }
            case Filter::either:
                return filter(x.a) | filter(x.b);
            case Filter::negate:
                return all_pieces_ - filter(x.a);
            case Filter::choice:
                return scalar(x.invariant) != 0 ? filter(x.a) : filter(x.b);
            case Filter::same:
                return scalar(x.invariant) != 0 ? filter(x.a) : all_pieces_ - filter(x.a);
        }
        return M{};
    }

    bool depends(ExpressionId e, BoundId bound) const {
        if (e == no_id) return false;
        const Expression& x = g_.expressions[e];
        if (x.op == Operator::bound && x.imm == bound) return true;
        return depends(x.a, bound) || depends(x.b, bound) || depends(x.c, bound);
    }
    // Whether reading it can break a promise: then it may be read only where the rules read it.
    bool may_break(ExpressionId e) const {
        if (e == no_id) return false;
        const Expression& x = g_.expressions[e];
        switch (x.op) {
            case Operator::fact:
            case Operator::constant:
            case Operator::variable:
            case Operator::bound:
                return x.op == Operator::fact && g_.facts[x.named()].initial == no_id;
            case Operator::quotient:
            case Operator::remainder:
            case Operator::kind_of:
            case Operator::lookup:
            case Operator::next_in:
            case Operator::largest_over:
            case Operator::smallest_over:
            case Operator::the_card:
            case Operator::the_element:
            case Operator::first_card:
            case Operator::last_card:
            case Operator::set_lookup:
            case Operator::cards_groups:
            case Operator::cards_any:
            case Operator::fail:
                return true;
            case Operator::place:
                return x.a != no_id && (g_.expressions[x.a].type.or_none || may_break(x.a));
            default:
                return may_break(x.a) || may_break(x.b) || may_break(x.c);
        }
    }
    // The largest parts of `e` that do not depend on the bound and are not constants.
    void invariants(ExpressionId e, BoundId bound, std::vector<ExpressionId>& out) const {
        if (e == no_id) return;
        const Expression& x = g_.expressions[e];
        if (x.op == Operator::constant || x.op == Operator::set_constant) return;
        if (!depends(e, bound)) {
            if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
            return;
        }
        invariants(x.a, bound, out);
        invariants(x.b, bound, out);
        invariants(x.c, bound, out);
    }
    std::int32_t add_filter(Filter f) {
        filters_.push_back(std::move(f));
        return filters_.size() - 1;
    }
    bool same_expression(ExpressionId a, ExpressionId b) const {
        if (a == b) return true;
        if (a == no_id || b == no_id) return false;
        const Expression& x = g_.expressions[a];
        const Expression& y = g_.expressions[b];
        return x.op == y.op && x.imm == y.imm && same_expression(x.a, y.a) && same_expression(x.b, y.b) && same_expression(x.c, y.c);
    }
    // A filter for condition `e`, or none when it must be asked card by card.
    std::int32_t make_filter(ExpressionId e, BoundId bound) {
        const Expression& x = g_.expressions[e];
        if (x.op == Operator::constant) return add_filter({x.imm != 0 ? Filter::all : Filter::none, no_id, 0, {}, no_id, no_id});
        if (!depends(e, bound))
            return add_filter({Filter::choice, e, 0, {}, add_filter({}), add_filter({Filter::none, no_id, 0, {}, no_id, no_id})});
        if (x.op == Operator::both || x.op == Operator::either) {
            // The first decides for each card whether the second is read.
            if (may_break(x.b) && depends(x.a, bound) && !reads_only_tables(x.b, bound)) return no_id;
            const std::int32_t b = make_filter(x.b, bound);
            if (b == no_id) return no_id;
            if (!depends(x.a, bound)) {
                const std::int32_t constant = add_filter({x.op == Operator::both ? Filter::none : Filter::all, no_id, 0, {}, no_id, no_id});
                return x.op == Operator::both ? add_filter({Filter::choice, x.a, 0, {}, b, constant})
                                              : add_filter({Filter::choice, x.a, 0, {}, constant, b});
            }
            const std::int32_t a = make_filter(x.a, bound);
            if (a == no_id) return no_id;
            return add_filter({x.op == Operator::both ? Filter::both : Filter::either, no_id, 0, {}, a, b});
        }
        if (x.op == Operator::negate) {
            const std::int32_t a = make_filter(x.a, bound);
            return a == no_id ? no_id : add_filter({Filter::negate, no_id, 0, {}, a, no_id});
        }
        if (x.op == Operator::conditional && !depends(x.a, bound)) {
            const std::int32_t a = g_.expressions[x.b].op == Operator::fail ? no_id : make_filter(x.b, bound);
            const std::int32_t b = g_.expressions[x.c].op == Operator::fail ? failing_filter(x.c) : make_filter(x.c, bound);
            return a == no_id || b == no_id ? no_id : add_filter({Filter::choice, x.a, 0, {}, a, b});
        }
        if (x.op == Operator::equal && g_.expressions[x.a].type.base == Base::truth) {
            const bool left = depends(x.a, bound);
            if (left && depends(x.b, bound)) return no_id;
            const std::int32_t a = make_filter(left ? x.a : x.b, bound);
            return a == no_id ? no_id : add_filter({Filter::same, left ? x.b : x.a, 0, {}, a, no_id});
        }
        return table_filter(e, bound);
    }
    // `fail`, where it is reached, breaks the promise when its invariant is read.
    std::int32_t failing_filter(ExpressionId e) { return add_filter({Filter::choice, e, 0, {}, add_filter({}), add_filter({})}); }
    // Nothing in `e` but the card and constants: the table is made ahead, so no promise is at stake when it is used.
    bool reads_only_tables(ExpressionId e, BoundId bound) const {
        std::vector<ExpressionId> parts;
        invariants(e, bound, parts);
        return parts.empty();
    }
    // Whether some part of `e` is read for some cards only.
    bool reads_by_condition(ExpressionId e, BoundId bound) const {
        if (e == no_id || !depends(e, bound)) return false;
        const Expression& x = g_.expressions[e];
        switch (x.op) {
            case Operator::both:
            case Operator::either:
            case Operator::conditional:
            case Operator::cards_conditional:
            case Operator::set_conditional:
            case Operator::cards_or_if_none:
            case Operator::set_or_if_none:
            case Operator::exists:
            case Operator::sum_over:
            case Operator::cards_where:
            case Operator::set_where:
                return true;
            default:
                return reads_by_condition(x.a, bound) || reads_by_condition(x.b, bound) || reads_by_condition(x.c, bound);
        }
    }
    std::int32_t table_filter(ExpressionId e, BoundId bound) {
        std::vector<ExpressionId> parts;
        invariants(e, bound, parts);
        for (std::size_t i = 1; i < parts.size(); ++i)
            if (!same_expression(parts[0], parts[i])) return no_id;
        if (!parts.empty() && may_break(parts[0]) && reads_by_condition(e, bound)) return no_id;
        Filter f;
        f.what = Filter::table;
        std::int32_t values = 1;
        if (!parts.empty()) {
            const Type& t = g_.expressions[parts[0]].type;
            const bool small = t.base == Base::number || t.base == Base::enumeration || t.base == Base::player || t.base == Base::kind ||
                               t.base == Base::truth;
            if (!small || t.high < t.low || t.high - t.low > 1000) return no_id;
            f.invariant = parts[0];
            f.low = t.or_none ? -1 : t.low;
            values = t.high - f.low + 1;
        }
        for (std::int32_t v = 0; v < values; ++v) {
            M fits;
            std::vector<std::pair<ExpressionId, Node_>> saved;
            for (const ExpressionId p : parts) {
                saved.emplace_back(p, x_[p]);
                Node_& constant = x_[p];
                constant = {};
                constant.imm = f.low + v;
                constant.leaf = reinterpret_cast<const std::byte*>(&constant.imm);
            }
            bool broke = false;
            for (std::size_t k = 0; k < g_.kinds.size(); ++k) {
                bound_[bound] = g_.kinds[k].first_piece;
                failed_ = false;
                if (g_.kinds[k].copies > 0 && scalar(e) != 0) fits = fits | kind_mask_[k];
                // Where some kind cannot be asked, the rules are asked card by card.
                broke = broke || failed_;
            }
            failed_ = false;
            for (const auto& [p, n] : saved) x_[p] = n;
            if (broke) return no_id;
            f.masks.push_back(fits);
        }
        return add_filter(std::move(f));
    }

    void prepare_filters() {
        for (std::size_t i = 0; i < g_.expressions.size(); ++i) {
            const Expression& x = g_.expressions[i];
            if (x.op == Operator::set_where || (x.op == Operator::exists && g_.expressions[x.a].type.base == Base::set))
                x_[i].c = Operand(fact_test(x.b, Operator::bound, x.imm));
            x_[i].total = x.op == Operator::exists && !may_break(x.b);
            if (x.op != Operator::cards_where && !(x.op == Operator::exists && g_.expressions[x.a].type.base == Base::cards)) continue;
            const std::int32_t f = make_filter(x.b, x.imm);
            x_[i].c = Operand(f);
        }
    }
    void prepare_tables() {
        for (std::size_t k = 0; k < g_.kinds.size(); ++k) {
            M mask;
            for (std::int32_t i = 0; i < g_.kinds[k].copies; ++i) mask.add(g_.kinds[k].first_piece + i);
            kind_mask_.push_back(mask);
            single_copies_ = single_copies_ && g_.kinds[k].copies == 1;
            all_pieces_ = all_pieces_ | mask;
        }
        for (std::size_t f = 0; f < g_.families.size(); ++f) {
            M mask;
            for (KindId k = 0; k < g_.families[f].kind_count; ++k) mask = mask | kind_mask_[g_.families[f].first_kind + k];
            family_masks_.push_back(mask);
        }
        for (const auto& elements : g_.sets) {
            M mask;
            for (const std::int32_t e : elements)
                if (e >= 0 && e < 64 * W) mask.add(e);
            sets_.push_back(mask);
        }
    }

    // ------------------------------------------------------------ results

    std::vector<std::int32_t> by_player(ExpressionId e) const {
        std::vector<std::int32_t> values;
        if (e == no_id) return values;
        auto* self = const_cast<Engine*>(this);
        for (std::int32_t p = 0; p < g_.players; ++p) {
            self->bound_[g_.score_bound] = p;
            values.push_back(self->probe(e));
        }
        return values;
    }
    std::vector<std::int32_t> best_paid() const {
        std::vector<std::int32_t> best;
        const std::vector<std::int32_t> paid = payoffs();
        for (std::size_t p = 0; p < paid.size(); ++p)
            if (paid[p] == *std::max_element(paid.begin(), paid.end())) best.push_back(p);
        return best;
    }
    void keep_best(std::vector<std::int32_t>& left, const WinnerKey& key) {
        std::vector<std::int32_t> best;
        std::int32_t best_value = 0;
        for (const std::int32_t p : left) {
            bound_[g_.winner.bound] = p;
            const std::int32_t v = scalar(key.expression);
            if (best.empty() || (key.most ? v > best_value : v < best_value)) {
                best = {p};
                best_value = v;
            } else if (v == best_value) {
                best.push_back(p);
            }
        }
        left = best;
    }

    static constexpr std::int32_t unset = std::numeric_limits<std::int32_t>::min();

    const Machine& m_;
    const Game& g_;
    const Layout& l_;
    std::vector<std::byte> state_;
    std::vector<std::byte> snapshot_;
    std::vector<std::byte> initial_;
    std::byte* s_ = nullptr;        // the state
    const std::byte* r_ = nullptr;  // what expressions read: the state, or what it was before effects began
    Store<ExpressionId, Node_> x_;
    std::vector<std::int32_t> bound_;
    std::int32_t players_ = 0;
    const KindId* piece_kind_ = nullptr;
    std::vector<M> kind_mask_;
    Store<FamilyId, M> family_masks_;
    std::vector<M> sets_;
    M all_pieces_;
    bool single_copies_ = true;
    std::vector<Filter> filters_;
    std::vector<FactTest> tests_;
    Store<StepId, Quick> quick_;
    std::vector<Copy> copies_;
    Store<LoopId, Loop> loops_;
    std::vector<std::int32_t> capacity_;  // by place
    Store<StepId, std::uint8_t> reached_;

    // The node we wait at, and what its moves stand for.
    Node node_;
    bool waiting_ = false;
    bool settled_ = false;
    bool ask_forced_ = false;
    M options_;
    bool of_cards_ = false;
    bool many_ = false;
    bool range_ = false;
    std::int32_t range_low_ = 0;
    std::vector<int> groups_;
    std::vector<std::int32_t> group_sizes_;
    Subsets subsets_;
    mutable std::vector<std::int32_t> taken_;  // scratch
    std::vector<std::uint64_t> weights_;

    std::uint64_t forced_limit_ = forced_limit;
    std::vector<std::byte> stood_;  // the state in which it stood at a round since the last answer
    StepId stood_at_;
    std::uint64_t forced_ = 0;
    bool failed_ = false;
    bool probe_failed_ = false;
    Failure failure_;
    Events* events_ = nullptr;
    mutable Reads reads_;
};

}  // namespace houserule
