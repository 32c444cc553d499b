// The interpreter loop: carries out the steps of a machine on a flat state, up to a node where somebody outside must answer.
//
// Piles moves pieces, Expressions computes values, NodeOffer ranks the moves of a node, a Recorder records events; quick_steps.hpp says
// which sequences of steps are carried out as one. Engine makes a Run of it.
#pragma once

#include "interpreter/engine/expressions.hpp"
#include "interpreter/engine/forced_run.hpp"
#include "interpreter/engine/mask.hpp"
#include "interpreter/engine/offer.hpp"
#include "interpreter/engine/overlap.hpp"
#include "interpreter/engine/piles.hpp"
#include "interpreter/engine/quick_steps.hpp"
#include "interpreter/engine/recorder.hpp"
#include "interpreter/engine/state_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace houserule {

template <int W, bool Traced>
class Stepper {
    using M = Mask<W>;
    friend class ArmCopies;
    friend class Claims;

public:
    explicit Stepper(const Machine& machine)
        : m_(machine),
          g_(m_.game),
          l_(m_.layout),
          state_(l_.bytes),
          snapshot_(l_.bytes),
          s_(state_.data()),
          piles_(s_, l_),
          values_(m_, s_),
          offer_(values_.pieces(), piles_),
          recorder_(m_),
          quick_(quick_steps(m_)) {
        prepare_initial();
        prepare_steps();
    }
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    Piles<W>& piles() { return piles_; }
    const Piles<W>& piles() const { return piles_; }
    Expressions<W, Traced>& values() { return values_; }
    const Expressions<W, Traced>& values() const { return values_; }
    const NodeOffer<W>& offer() const { return offer_; }
    Recorder& recorder() { return recorder_; }
    const Node& node() const { return node_; }
    bool is_waiting() const { return waiting_; }
    std::byte* state() { return s_; }
    const std::byte* state() const { return s_; }
    const QuickStep& quick(StepId step) const { return quick_.steps[step]; }
    std::int32_t capacity(PlaceId place) const { return capacity_[place]; }
    std::span<std::uint8_t> reached() { return reached_; }
    std::span<const std::uint8_t> reached() const { return reached_; }
    std::uint64_t forced() const { return forced_; }
    void limit_forced(std::uint64_t times) {
        forced_limit_ = times;
        beginning_.state.clear();
    }
    void stop_on(const Stop* stop) { stop_ = stop; }
    const Stop* stop() const { return stop_; }
    std::uint64_t work() const { return (rounds_ + values_.judged()) / rounds_a_node; }
    void ask_forced(bool ask) { ask_forced_ = ask; }

    void start() {
        set_state(initial_);
        untouched_ = true;
    }
    void touch() { untouched_ = false, values_.table_changed(); }  // the state is changed from outside
    void set_state(std::span<const std::byte> state) {
        untouched_ = false;
        std::memcpy(s_, state.data(), std::min<std::size_t>(l_.bytes, state.size()));
        values_.forget_failure();
        values_.read_from(s_);
        waiting_ = false;
    }
    // Leaves the node, and goes on at this step.
    void go_on_at(StepId step) {
        put<StepId>(l_.pc, step);
        go_on();
    }
    void go_on() { untouched_ = waiting_ = false; }

    template <typename T>
    T get(std::uint32_t at) const {
        return read_bytes<T>(s_, at);
    }
    template <typename T>
    void put(std::uint32_t at, const T& v) {
        write_bytes(s_, at, v);
    }
    std::uint32_t var(VariableId v) const { return l_.variable[v]; }
    std::uint32_t fact_at(FactId fact, std::int32_t index) const {
        const std::uint32_t each = is_of_many(g_.facts[fact].type) ? 8 * W : 4;
        return l_.fact[fact] + each * static_cast<std::uint32_t>(std::max(0, index));
    }
    // A fact that is a set.
    void put_set(FactId fact, std::int32_t index, const M& set) {
        put<M>(fact_at(fact, index), set);
        if (l_.given[fact] != 0) put<std::int32_t>(values_.given_at(fact, index), 1);
        values_.table_changed();
    }
    // The elements of a set of that type; of cards, the pieces.
    std::vector<std::int32_t> members(M set, const Type& type) const {
        std::vector<std::int32_t> all;
        const std::int32_t first = values_.first_of(type);
        while (!set.empty()) all.push_back(set.pop() + first);
        return all;
    }
    void assign(VariableId v, ExpressionId e) {
        if (is_of_many(g_.variables[v].type))
            put<M>(var(v), values_.wide(e));
        else
            put<std::int32_t>(var(v), scalar(e));
    }

    // Runs to the next node.
    void run_on() {
        if (std::exchange(untouched_, false) && !Traced && !recorder_.is_on() && !ask_forced_)
            run_beginning();
        else
            run_steps();
    }
    // Steps that cannot fail have fast forms here; the others go through `carry_out`, those that are frequent straight from here.
    void run_steps() {
        auto pc = get<StepId>(l_.pc);
        const QuickStep* const quick = quick_.steps.data();
        std::uint8_t* const reached = reached_.data();
        const std::uint64_t unwatched = std::min(forced_limit_, unwatched_rounds);
        std::uint64_t left = unwatched;
        run_.begin();
        settled_ = false;
        for (;;) {
            const QuickStep& q = quick[pc.index()];
            reached[pc.index()] = 1;
            StepId next = pc + 1;
            bool asks = false;
            switch (q.op) {
                case Op::jump:
                case Op::call:
                    if (left == 0) {
                        carry_out_otherwise(q, pc, next);
                        break;
                    }
                    --left;
                    if (q.op == Op::call) put<StepId>(q.a, pc + 1);
                    pc = q.c;
                    continue;
                case Op::leave:
                    pc = get<StepId>(q.a);
                    continue;
                case Op::branch:
                    if (scalar(q.x) == 0) next = q.c;
                    break;
                case Op::assign:
                    if (q.run == 0) {
                        carry_out(Op::assign, q, pc, next);
                        break;
                    }
                    for (const HeldCopy *c = copies_.data() + q.x.value(), *end = c + q.run; c != end; ++c)
                        std::memcpy(s_ + c->to, c->from, c->wide ? 8 * W : 4);
                    pc = pc + q.run;
                    continue;
                case Op::next_player:
                    if (q.wide)
                        carry_out(Op::next_player, q, pc, next);
                    else if (!next_player(quick_.loops[q.loop]))
                        next = q.c;
                    break;
                case Op::enter:
                    if (recorder_.is_on() && run_.tell_of_rule()) enter_step(m_.code[pc], pc);
                    break;
                case Op::choose:
                case Op::draw:
                case Op::ask:
                case Op::window:
                    asks = carry_out(q.op, q, pc, next);
                    break;
                case Op::set_fact:
                    carry_out(Op::set_fact, q, pc, next);
                    break;
                default:
                    asks = carry_out_otherwise(q, pc, next);
                    break;
            }
            if (failed() || asks) {
                rounds_ += rounds_a_node + unwatched - left + run_.rounds();
                // Of players that are collected, only the condition can break, which is the step after the loop's.
                return failed() ? break_off(q.op == Op::next_player ? pc + 1 : pc) : wait(pc);
            }
            pc = next;
        }
    }

    // Takes the answer to the node: `move` is below node().moves.
    void apply(std::uint64_t move) {
        const Step& s = m_.code[node_.step];
        StepId next = node_.step + 1;
        waiting_ = settled_ = false;
        switch (node_.kind) {
            case NodeKind::consent:
                if (recorder_.is_on() && move == 0) recorder_.declined(node_);
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
                if (recorder_.is_on()) recorder_.answered(node_, move != 0);
                if (move == 0) next = s.c;
                break;
            case NodeKind::draw:
                finish_draw(s, offer_.option(move), node_.step);
                break;
            case NodeKind::lot:
            case NodeKind::report:
                finish_report(s, offer_.option(move), node_.step);
                break;
            case NodeKind::window:
                finish_window(s, move);
                break;
            case NodeKind::over:
            case NodeKind::failed:
                waiting_ = true;
                return;
        }
        if (failed()) return break_off(node_.step);
        put<StepId>(l_.pc, next);
    }

private:
    std::int32_t kind(int piece) const { return values_.pieces().kind(piece); }
    void wait(StepId pc) {
        put<StepId>(l_.pc, pc);
        node_.settled = settled_;
        waiting_ = true;
    }
    VariableId slot(const Step& s) const { return VariableId(s.a) + get<std::int32_t>(var(s.c)); }
    void copy_variable(VariableId to, VariableId from) {
        if (is_of_many(g_.variables[to].type))
            put<M>(var(to), get<M>(var(from)));
        else
            put<std::int32_t>(var(to), get<std::int32_t>(var(from)));
    }
    std::int32_t scalar(ExpressionId e) { return values_.scalar(e); }
    bool failed() const { return values_.failed(); }
    // Up to the first node all games are alike: from the second on, the state there is copied.
    void run_beginning() {
        if (!beginning_.state.empty() && (beginning_.rounds < steps_between_looks || !houserule::over(stop_))) {
            std::memcpy(s_, beginning_.state.data(), l_.bytes);
            values_.table_changed();
            forced_ += beginning_.forced;
            rounds_ += beginning_.rounds - rounds_a_node;
            run_steps();
            node_.settled = beginning_.settled;
            return;
        }
        const auto [forced, rounds] = std::pair(forced_, rounds_);
        run_steps();
        if (!failed()) beginning_ = {{s_, s_ + l_.bytes}, forced_ - forced, rounds_ - rounds, node_.settled};
    }
    template <typename... What>
    void fail(What... what) {
        values_.fail(what...);
    }

    void prepare_initial() {
        put<StepId>(l_.pc, m_.start);
        put<M>(l_.place[0], values_.pieces().all());
        for (const FactId id : g_.facts.ids()) {
            const Fact& f = g_.facts[id];
            for (std::int32_t i = 0; i < f.count; ++i, values_.table_changed()) {
                if (is_of_many(f.type))
                    put<M>(fact_at(id, i), f.initial == no_id ? M{} : values_.set(f.initial));
                else
                    put<std::int32_t>(fact_at(id, i), f.initial == no_id ? unset_value : scalar(f.initial));
            }
        }
        for (std::size_t v = 0; v < g_.variables.size(); ++v)
            if (!is_of_many(g_.variables[v].type)) put<std::int32_t>(l_.variable[v], -1);
        initial_ = state_;
    }
    void prepare_steps() {
        reached_.assign(m_.code.size(), 0);
        capacity_.assign(l_.place.size(), std::numeric_limits<std::int32_t>::max());
        for (std::size_t p = 1; p < capacity_.size(); ++p) capacity_[p] = g_.zones[m_.place_zone[p]].capacity;
        for (const QuickCopy& c : quick_.copies) copies_.push_back({values_.bytes_of(c.expression), c.to, c.wide});
    }

    // ------------------------------------------------------------ one step

    void break_off(StepId pc) {
        const Step& s = m_.code[pc];
        values_.read_from(s_);
        values_.place_failure(s.statement == no_id ? Span{} : g_.statements[s.statement].span);
        set_node(node_, NodeKind::failed, -1, 0, 0, false, pc);
        wait(pc);
    }

    // One step. True when somebody outside must answer: the node is ready then. `next` is where it goes on.
    [[gnu::always_inline]] bool carry_out(Op op, const QuickStep& q, StepId pc, StepId& next) {
        const Step& s = m_.code[pc];
        switch (op) {
            case Op::choose:
                return choose_step(s, pc, next);
            case Op::ask:
                set_node(node_, NodeKind::ask, scalar(s.x), 2, 0, false, pc);
                return true;
            case Op::draw:
                return draw_step(s, pc, next);
            case Op::report:
                return report_step(s, pc);
            case Op::window:
                return window_step(s, pc);
            case Op::halt:
                set_node(node_, NodeKind::over, -1, 0, 0, false, pc);
                return true;
            case Op::jump:
            case Op::call:
                if (!goes_on(pc))
                    fail(FailureKind::goes_on_for_ever);
                else if (run_.rounds() % steps_between_looks == 0 && houserule::over(stop_))
                    fail(FailureKind::stopped);
                if (op == Op::call) put<StepId>(q.a, pc + 1);
                next = q.c;
                break;
            case Op::next_player:
                collect(q);
                next = q.c;
                break;
            case Op::next_element:
                if (!next_element(s)) next = s.c;
                break;
            default:
                do_step(op, s, q, pc);
                break;
        }
        return false;
    }
    [[gnu::noinline]] bool carry_out_otherwise(const QuickStep& q, StepId pc, StepId& next) { return carry_out(q.op, q, pc, next); }
    // One step that asks nobody and goes on to the next one.
    [[gnu::always_inline]] void do_step(Op op, const Step& s, const QuickStep& q, StepId pc) {
        switch (op) {
            case Op::reset:
                for (const FactId f : m_.resets[s.a]) reset_fact(f);
                break;
            case Op::gather:
                piles_.gather(values_.pieces().all(), g_.piece_kind.size(), l_.place.size());
                values_.table_changed();
                if (recorder_.is_on()) recorder_.game_began(pc);
                break;
            case Op::assign:
                if (q.wide)
                    put<M>(q.a, values_.set(q.x));
                else
                    put<std::int32_t>(q.a, scalar(q.x));
                break;
            case Op::set_fact:
                tell();
                set_fact_step(s, pc);
                break;
            case Op::put:
                tell();
                put_step(s, pc);
                break;
            case Op::shuffle:
                shuffle_step(s, pc);
                break;
            case Op::says:
                tell();
                if (const std::int32_t seat = scalar(s.x); recorder_.is_on() && !failed()) recorder_.said(pc, seat);
                break;
            case Op::show:
                tell();
                show_step(s, pc);
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
            case Op::joint_end:
                if (recorder_.is_on()) recorder_.all_chose(pc);
                break;
            case Op::effects_begin:
                settled_ = true;
                return std::memcpy(snapshot_.data(), s_, l_.bytes), values_.read_from(snapshot_.data());
            case Op::effects_end:
                return values_.read_from(s_), check_room();
            case Op::claim:
                return Claims::carry_out(*this, s);
            case Op::ended:
                tell();
                if (recorder_.is_on()) recorder_.ended(pc);
                break;
            case Op::promise:
                if (scalar(s.x) == 0) break_promise(s);
                break;
            case Op::agree:
                return copies_of_arms_.agree(*this, m_.overlaps[s.a]);
            default:
                break;  // nothing to do, or done before
        }
    }

    bool goes_on(StepId pc) { return run_.goes_on(pc, {s_, l_.bytes}, forced_limit_, values_.reads_the_present()); }
    void tell() {
        if (!run_.tell()) fail(FailureKind::goes_on_for_ever);
    }
    void reset_fact(FactId id) {
        const Fact& f = g_.facts[id];
        const std::uint32_t at = fact_at(id, 0);
        std::memcpy(s_ + at, initial_.data() + at, static_cast<std::size_t>(f.count) * (is_of_many(f.type) ? 8 * W : 4));
        if (l_.given[id] != 0) std::memset(s_ + l_.given[id], 0, 4 * static_cast<std::size_t>(f.count));
        values_.table_changed();
    }
    [[gnu::always_inline]] bool next_player(const QuickLoop& loop) { return houserule::next_player<W>(s_, loop, g_.players); }
    [[gnu::always_inline]] void collect(const QuickStep& q) {
        const QuickLoop& loop = quick_.loops[q.loop];
        M gained = get<M>(q.a);
        while (!failed() && next_player(loop)) {
            const auto p = get<std::int32_t>(loop.player);
            const bool fits = q.test >= 0 ? values_.fits(quick_.tests[q.test], p) : q.x == no_id || scalar(q.x) != 0;
            if (fits) gained.add(p);
        }
        put<M>(q.a, gained);
    }
    bool next_element(const Step& s) {
        M rest = get<M>(var(s.a));
        if (rest.empty()) return false;
        put<std::int32_t>(var(s.b), rest.pop() + values_.first_of(g_.variables[s.a].type));
        return put<M>(var(s.a), rest), true;
    }
    void set_fact_step(const Step& s, StepId pc) {
        const Fact& f = g_.facts[s.a];
        const std::int32_t index = s.y == no_id ? 0 : scalar(s.y);
        if (failed()) return;
        if (index < 0) return fail(FailureKind::no_owner);
        const std::int32_t told_index = s.y == no_id ? no_id : index;
        if (is_of_many(f.type)) {
            const M v = values_.set(s.x);
            if (const auto bad = beyond(f.type, v); bad && !failed()) return fail_to_become(s.a, *bad);
            put_set(s.a, index, v);
            if (recorder_.is_on() && !failed()) recorder_.became(pc, s.a, told_index, members(v, f.type));
        } else {
            const std::int32_t v = scalar(s.x);
            if (failed()) return;
            if (!is_none(f.type, v) && (v < f.type.low || v > f.type.high)) return fail_to_become(s.a, v);
            put<std::int32_t>(l_.fact[s.a] + 4 * static_cast<std::uint32_t>(index), v);
            values_.table_changed();
            if (recorder_.is_on()) recorder_.became(pc, s.a, told_index, v);
        }
    }
    // The first number of a set that a fact of this type cannot hold, if it is a set of numbers and has one.
    std::optional<std::int32_t> beyond(const Type& type, M set) const {
        while (type.element == Base::number && !set.empty())
            if (const std::int32_t v = set.pop() + values_.first_of(type); v < type.low || v > type.high) return v;
        return std::nullopt;
    }
    void fail_to_become(FactId fact, std::int32_t value) { fail(Failure{FailureKind::cannot_become, {}, no_id, fact, value}); }
    void break_promise(const Step& s) {
        fail(s.mode == promise_count ? Failure{FailureKind::below_nothing, {}, no_id, no_id, scalar(s.y)} : failure_of(g_, s));
    }

    void put_step(const Step& s, StepId pc) {
        const M what = values_.cards(s.z != no_id ? s.z : s.x);
        const PlaceId to = scalar(s.y);
        if (failed() || what.empty()) return;
        const bool under = (s.mode & put_under) != 0;
        const bool in_order = (s.mode & put_in_order) != 0;
        const auto tell = [&](PlaceId from, std::vector<std::int32_t> kinds) { recorder_.moved(pc, from, to, std::move(kinds), in_order); };
        if (recorder_.is_on()) piles_.by_place(what, values_.pieces(), tell, in_order);
        const bool part = (s.mode & put_shuffled) != 0 && piles_.is_stack(to);
        if (in_order) {
            if constexpr (Traced)
                for (const PlaceId from : piles_.places_of(what))
                    if (piles_.is_ordered(from) && !piles_.is_one_part(from)) values_.note_place(from);
            piles_.move_in_order(what, to, under);
        } else if (part) {
            piles_.move_as_part(what, to, under);
        } else {
            piles_.move_all(what, to, under);
        }
        const int n = piles_.size(to);
        // During simultaneous effects, room is checked when all have moved.
        if (n > capacity(to) && values_.reads_the_present()) fail(FailureKind::does_not_fit, to, n);
        if ((s.mode & put_shuffled) != 0 && !part) piles_.merge_part(to, under ? 0 : n - what.size(), what.size());
        values_.table_changed();
    }
    void check_room() {
        const std::int32_t all = g_.piece_kind.size();
        for (PlaceId p = 1; std::cmp_less(p, capacity_.size()); ++p)
            if (const int n = capacity_[p] < all ? piles_.size(p) : 0; n > capacity_[p]) fail(FailureKind::does_not_fit, p, n);
    }
    void shuffle_step(const Step& s, StepId pc) {
        const PlaceId place = scalar(s.x);
        if (failed()) return;
        values_.note_place(place);
        piles_.merge_part(place, 0, piles_.size(place));
        values_.table_changed();
        if (recorder_.is_on()) recorder_.shuffled(pc, place);
    }
    void show_step(const Step& s, StepId pc) {
        const M what = values_.cards(s.x);
        const Seats to = s.y == no_id ? recorder_.everyone() : static_cast<Seats>(values_.set(s.y).w[0]);
        if (failed() || !recorder_.is_on()) return;
        piles_.by_place(what, values_.pieces(),
                        [&](PlaceId from, std::vector<std::int32_t> kinds) { recorder_.shown(pc, from, to, std::move(kinds)); });
    }
    void enter_step(const Step& s, StepId pc) {
        const Rule& rule = g_.rules[s.a];
        const bool of_player = !rule.parameters.empty() && g_.variables[rule.parameters[0]].type.base == Base::player;
        recorder_.began(pc, of_player ? get<std::int32_t>(var(rule.parameters[0])) : -1);
    }
    // True if somebody must be asked. A single possibility is taken without asking.
    bool choose_step(const Step& s, StepId pc, StepId& next) {
        const std::int32_t seat = scalar(s.x);
        const std::uint64_t moves = offer_choice(s);
        if (failed()) return false;
        set_node(node_, NodeKind::choose, seat, moves, 0, (s.mode & choice_joint) != 0, pc);
        if (moves == 0) return go_without(s, next, FailureKind::nothing_to_choose);
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
    // There is nothing to take: play goes on where the rules say, or a promise breaks.
    bool go_without(const Step& s, StepId& next, FailureKind broken, PlaceId place = no_id) {
        if (s.c == no_id)
            fail(broken, place);
        else
            next = s.c;
        return false;
    }
    // Sets the offer; the result is the number of moves.
    std::uint64_t offer_choice(const Step& s) {
        if ((s.mode & choice_range) != 0) {
            const std::int32_t low = scalar(s.y);
            return offer_.numbers(low, scalar(s.w));
        }
        const bool of_cards = values_.is_cards(s.y);
        const M from = values_.wide(s.y);
        const std::int32_t first = values_.first_of(s.y);
        if ((s.mode & choice_many) == 0) return offer_.one_of(from, of_cards, first);
        const std::int32_t low = scalar(s.z);
        const std::int32_t high = scalar(s.w);
        const std::uint64_t moves = offer_.several_of(from, of_cards, first, low, high);
        if (moves >= subsets_limit && s.fits == no_id) fail(FailureKind::too_many_choices);
        return s.fits == no_id || failed() ? moves : fitting_sets(s, moves);
    }
    // Tries each of the sets that are offered: how many fit the condition on the whole. To try one is as much work as a node.
    std::uint64_t fitting_sets(const Step& s, std::uint64_t sets) {
        if (std::cmp_greater(sets, tried_limit)) return fail(FailureKind::too_many_to_try, PlaceId(no_id), tried_limit), 0;
        const M before = get<M>(var(s.a));
        const auto fits = [&](const M& set) { return !failed() && (rounds_ += rounds_a_node, put<M>(var(s.a), set), scalar(s.fits) != 0); };
        const std::uint64_t fitting = offer_.keep_sets(sets, fits);
        put<M>(var(s.a), before);
        return fitting;
    }
    void take_choice(const Step& s, std::uint64_t move) {
        if (offer_.is_of_several())
            put<M>(var(s.a), offer_.taken_set(move));
        else
            put<std::int32_t>(var(s.a), offer_.taken_value(move));
        if (recorder_.is_on()) recorder_.chose(node_, offer_.chosen(move));
    }

    // --- chance and reports

    bool draw_step(const Step& s, StepId pc, StepId& next) {
        const PlaceId from = scalar(s.x);
        if (failed()) return false;
        values_.note_place(from);
        const std::uint64_t n = offer_.by_chance(piles_.drawable(from, s.mode == 1), true, 0);
        if (n == 0) return go_without(s, next, FailureKind::no_card_to_deal, from);
        set_node(node_, NodeKind::draw, -1, n, 0, false, pc);
        if (n > 1) return (scalar(s.y), !failed());  // for want of a target nothing is drawn
        finish_draw(s, offer_.options().lowest(), pc);
        return false;
    }
    void finish_draw(const Step& s, int drawn, StepId pc) {
        const int piece = offer_.first_copy(drawn);
        const PlaceId from = piles_.where(piece);
        const PlaceId to = scalar(s.y);
        if (failed()) return;
        if (recorder_.is_on()) recorder_.drawn(pc, from, to, kind(piece));
        piles_.move(piece, to, false);
        values_.table_changed();
        if (s.a != no_id) put<std::int32_t>(var(s.a), piece);
        if (piles_.size(to) <= capacity_[to]) return;
        fail(FailureKind::takes_only, to);
    }
    bool report_step(const Step& s, StepId pc) {
        if (s.y != no_id && (scalar(s.y), failed())) return false;
        const bool of_cards = values_.is_cards(s.x);
        const M all = values_.wide(s.x);
        const std::uint64_t n =
            s.b == no_id ? offer_.by_chance(all, of_cards, values_.first_of(s.x)) : offer_weighted(s.x, all, m_.weights[s.b]);
        if (failed()) return false;
        if (n == 0) return fail(FailureKind::nothing_to_report), false;
        set_node(node_, s.mode == 1 ? NodeKind::lot : NodeKind::report, -1, n, 0, false, pc);
        if (n > 1) return true;
        finish_report(s, offer_.options().lowest(), pc);
        return false;
    }
    // Offers the values with a weight above 0.
    std::uint64_t offer_weighted(ExpressionId from, const M& all, const std::vector<std::pair<std::int32_t, ExpressionId>>& weights) {
        const std::int32_t first = values_.first_of(from);
        M weighted;
        for (const auto& [value, weight] : weights)
            if (scalar(weight) > 0) weighted.add(value - first);
        const std::uint64_t n = offer_.by_chance(all & weighted, values_.is_cards(from), first);
        for (M rest = offer_.options(); !rest.empty();) {
            const std::int32_t v = rest.pop() + first;
            for (const auto& [value, weight] : weights)
                if (value == v) offer_.add_weight(scalar(weight));
        }
        return n;
    }
    void finish_report(const Step& s, int told, StepId pc) {
        // The first copy at its place, as for players' choices: a log names the kind.
        const int value = offer_.first_alike(told);
        put<std::int32_t>(var(s.a), value);
        if (recorder_.is_on()) recorder_.told(pc, offer_.shown(told), s.y == no_id ? seen_by_all : scalar(s.y));
    }
    bool window_step(const Step& s, StepId pc) {
        const M may = get<M>(var(s.b));
        if (may.empty()) return false;
        set_node(node_, NodeKind::window, -1, std::uint64_t{1} << g_.players, static_cast<Seats>(may.w[0]), false, pc);
        return true;
    }
    void finish_window(const Step& s, std::uint64_t who) {
        M set;
        set.w[0] = who & node_.seats;
        put<M>(var(s.b), set);
        if (recorder_.is_on() && !set.empty()) recorder_.act(node_.step, members(set, Type{}));
    }

    const Machine& m_;
    const Game& g_;
    const Layout& l_;
    std::vector<std::byte> state_;
    std::vector<std::byte> snapshot_;  // the state before simultaneous effects
    std::vector<std::byte> initial_;
    Beginning beginning_;
    bool untouched_ = false;  // since `start`
    std::byte* s_;            // the state
    Piles<W> piles_;
    Expressions<W, Traced> values_;
    NodeOffer<W> offer_;
    Recorder recorder_;
    QuickSteps quick_;
    std::vector<HeldCopy> copies_;        // by copy of quick_
    std::vector<std::int32_t> capacity_;  // by place
    Store<StepId, std::uint8_t> reached_;
    ArmCopies copies_of_arms_;

    // The node we wait at.
    Node node_;
    bool waiting_ = false;
    bool settled_ = false;
    bool ask_forced_ = false;
    ForcedRun run_;
    std::uint64_t forced_limit_ = forced_limit;
    std::uint64_t rounds_ = 0;    // all rounds so far, and `rounds_a_node` for each node: the work done
    const Stop* stop_ = nullptr;  // asked in long forced runs
    std::uint64_t forced_ = 0;
};

}  // namespace houserule
