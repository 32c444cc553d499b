// The steps of the machine on unknowns: see coexecute.hpp. Those that move cards are in coexecute_cards.cpp, those that somebody answers in
// coexecute_answers.cpp, cases that hold at once in coexecute_overlap.cpp.
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>

namespace houserule {

Coexecution::Walk Coexecution::step(UnknownTable& t) {
    const Step& s = machine_.code[t.pc];
    switch (s.op) {
        case Op::nothing:
        case Op::judged:
        case Op::enter:
            return on(t);
        case Op::joint_end:
            return all_chose(t);
        case Op::effects_begin:
        case Op::effects_end:
            return s.op == Op::effects_begin ? dealer_.begin_effects(t) : dealer_.end_effects(t), on(t);
        case Op::reset:
            for (const FactId f : machine_.resets[s.a])
                if (!reset(t, f)) return Walk::stuck;
            return on(t);
        case Op::gather:
            return dealer_.gather(t), on(t);
        case Op::assign:
            return assign(t, s.a, s.x) ? on(t) : Walk::stuck;
        case Op::set_fact:
            return set_fact(t, s);
        case Op::put:
        case Op::claim:
            return s.op == Op::put ? put(t, s) : claim(t, s);
        case Op::shuffle:
            return shuffle(t, s);
        case Op::says:
            return says(t, s);
        case Op::show:
            return show(t, s);
        case Op::jump:
            return t.pc = s.c, Walk::next;
        case Op::branch:
            if (const auto holds = condition(t, s.x)) return branch_on(t, *holds, s.c);
            return Walk::stuck;
        case Op::call:
            number(t, s.a) = terms_.constant((t.pc + 1).value());
            return t.pc = s.c, Walk::next;
        case Op::leave:
            return t.pc = StepId(*known(number(t, s.a))), Walk::next;
        case Op::next_player:
            return next_player(t, machine_.loops[s.a]);
        case Op::next_element:
            return next_element(t, s);
        case Op::add_element:
            return add_element(t, s);
        case Op::store:
        case Op::load:
            return copy_slot(t, s);
        case Op::choose:
            return choose(t, s);
        case Op::ask:
            return ask(t, s);
        case Op::draw:
            return draw(t, s);
        case Op::report:
            return report(t, s);
        case Op::window:
            return window(t, s);
        case Op::ended:
            return ended(t, s);
        case Op::promise:
        case Op::agree:
            return promise(t, s);
        case Op::halt:
            break;
    }
    return Walk::dead;  // it is over, but something more was seen
}

Coexecution::Walk Coexecution::on(UnknownTable& t) {
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::says(UnknownTable& t, const Step& s) {
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::says || e->event.name != s.a) return Walk::dead;
    // Who says it may depend on what is hidden: everybody heard who it was.
    if (!settle(t, s.x)) return Walk::stuck;
    if (!require(t, terms_.equal(evaluator(t).scalar(s.x), terms_.constant(e->event.seat)))) return Walk::dead;
    ++t.seen;
    return on(t);
}

Coexecution::Walk Coexecution::ended(UnknownTable& t, const Step& s) {
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::ended || e->event.name != s.a) return Walk::dead;
    ++t.seen;
    return on(t);
}

Coexecution::Walk Coexecution::promise(UnknownTable& t, const Step& s) {
    if (s.op == Op::agree) return agree(t, machine_.overlaps[s.a]);
    const auto kept = condition(t, s.x);
    if (!kept) return Walk::stuck;
    const bool fits = require(t, *kept);
    ++t.pc;
    return fits ? Walk::next : Walk::dead;
}

Coexecution::Walk Coexecution::add_element(UnknownTable& t, const Step& s) {
    auto& set = std::get<Set<Terms>>(t.state.variables[s.a]);
    set.has[*known(number(t, s.b)) - set.first] = terms_.truth(true);
    return on(t);
}

// Whether a place lost cards since the effects began, or has others among its parts, which in a stack are one with those that lay there.
bool Coexecution::is_no_longer(const UnknownTable& t, PlaceId place) const {
    return t.effects && (t.touched[place] || (is_stack(place) && known(*t.state.piles[place].size) != t.sizes[place]));
}

// Whether cards that are put lie there already, in no order: nothing moves, but they count as put.
bool Coexecution::stays(UnknownTable& t, PlaceId from, PlaceId to) const {
    if (from != to || is_ordered(to)) return false;
    if (t.effects) t.put.stayed.insert(to);
    return true;
}

// What comes now is done by another.
void Coexecution::begin_of_another(UnknownTable& t) { t.put_by_others = t.put; }

// What another has put at the same moment cannot be put, unless a copy lay there, too. Cards without a name are looked at when they go,
// but for those that were put where they lay.
Coexecution::Walk Coexecution::claim(UnknownTable& t, const Step& s) {
    const auto went = t.put_by_others.went.find(name_of_cards(s.x));
    const bool is_gone = went != t.put_by_others.went.end();
    if (is_gone && !went->second) return stuck(LimitKind::moment_twice);
    if (!is_gone && t.put_by_others.stayed.empty()) return on(t);
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    const auto has_stayed = [&](const Copies<Terms>& c) { return c.count.high() > 0 && t.put_by_others.stayed.contains(c.place); };
    if (std::ranges::any_of(cards.copies, has_stayed)) return stuck(LimitKind::moment_twice);
    if (!is_gone) return on(t);
    const auto has_copy = [&](const Copies<Terms>& c) { return c.count.high() > 0 && game_.kinds[c.kind].copies > 1; };
    if (std::ranges::any_of(cards.copies, has_copy)) return stuck(LimitKind::moment_twice);
    for (const Copies<Terms>& c : cards.copies)
        if (!require(t, terms_.equal(c.count, terms_.constant(0)))) return Walk::dead;
    return on(t);
}

// Between a variable and the slot that a player has of its own.
Coexecution::Walk Coexecution::copy_slot(UnknownTable& t, const Step& s) {
    const VariableId slot = VariableId(s.a) + static_cast<std::int32_t>(*known(number(t, s.c)));  // a loop over players says whose
    const VariableId other = s.b;
    const VariableId from = s.op == Op::store ? other : slot;
    const VariableId to = s.op == Op::store ? slot : other;
    name_anew(t, to, from);
    t.state.variables[to] = t.state.variables[from];
    t.unread.erase(to);
    if (const auto unread = t.unread.find(from); unread != t.unread.end()) t.unread[to] = unread->second;
    if (s.op == Op::load && s.mode != load_again) forget_name(t, slot);
    if (s.op == Op::load) begin_of_another(t);
    return on(t);
}

// What was kept of a player's choice is read for the last time.
void Coexecution::forget_name(UnknownTable& t, VariableId name) {
    const Base base = game_.variables[name].type.base;
    if (base != Base::card && base != Base::cards) return;
    name_anew(t, name, VariableId());
    t.unread.erase(name);
    if (base == Base::card)
        t.state.variables[name] = Card<Terms>{terms_.constant(-1), terms_.constant(-1)};
    else
        t.state.variables[name] = Cards<Terms>{{}, terms_.constant(0)};
}

bool Coexecution::assign(UnknownTable& t, VariableId variable, ExpressionId expression) {
    const Expression& x = game_.expressions[expression];
    const bool is_name = x.op == Operator::variable || x.op == Operator::cards_variable;
    name_anew(t, variable, is_name ? VariableId(x.named()) : VariableId());
    if (is_name) {
        // Another name for cards that need no kinds yet.
        if (const auto unread = t.unread.find(x.named()); unread != t.unread.end()) {
            const Unread same = unread->second;
            t.unread[variable] = same;
            return true;
        }
    }
    const Type& type = game_.variables[variable].type;
    const bool is_number = type.base != Base::card && type.base != Base::cards && type.base != Base::set;
    if (!is_number && !settle(t, expression)) return false;
    t.unread.erase(variable);
    Evaluator<Terms> e = evaluator(t);
    Content<Terms>& v = t.state.variables[variable];
    switch (type.base) {
        case Base::card:
            v = e.card(expression);
            break;
        case Base::cards:
            v = e.cards(expression);
            break;
        case Base::set:
            v = e.set(expression);
            break;
        default: {
            const auto known = number(t, type, expression, std::nullopt);
            if (!known) return false;
            v = *known;
            break;
        }
    }
    return true;
}

bool Coexecution::reset(UnknownTable& t, FactId id) {
    const Fact& f = game_.facts[id];
    if (!settle(t, f.initial)) return false;
    for (FactSlot<Terms>& slot : fact_slots(t, id)) {
        slot.given = terms_.truth(f.initial != no_id);
        if (f.initial == no_id)
            slot.content = no_content(terms_, game_, f.type);
        else if (f.type.base == Base::set)
            slot.content = evaluator(t).set(f.initial);
        else
            slot.content = evaluator(t).scalar(f.initial);
    }
    return true;
}

// Whose fact it is may be hidden, as when a secret bid wins.
Coexecution::Walk Coexecution::set_fact(UnknownTable& t, const Step& s) {
    if (s.y == no_id) return set_fact_of(t, s, 0);
    return for_whoever(t, s.y, game_.facts[s.a].count, [&](UnknownTable& path, Value whose) { return set_fact_of(path, s, whose); });
}

Coexecution::Walk Coexecution::set_fact_of(UnknownTable& t, const Step& s, Value index) {
    const Fact& f = game_.facts[s.a];
    FactSlot<Terms>& slot = fact_slots(t, s.a)[index];
    if (f.type.base == Base::set) {
        if (!settle(t, s.x)) return Walk::stuck;
        Set<Terms> value = evaluator(t).set(s.x);
        // What does not fit the fact would have stopped the game.
        const Elements own = elements_of(game_, f.type);
        for (Value e = value.first; e < value.end(); ++e)
            if ((e < own.first || e >= own.first + own.count) && !require(t, terms_.negate(value.has[e - value.first]))) return Walk::dead;
        slot.content = std::move(value);
    } else {
        const Seen* told = untold_ || !seen_by(f.seers, f.by, index, seat_) ? nullptr : next_seen(t);
        const bool becomes = told != nullptr && told->event.kind == EventKind::becomes;
        const auto known = number(t, f.type, s.x, becomes ? std::optional<Value>(told->event.value) : std::nullopt);
        if (!known) return Walk::stuck;
        const Terms::Int& value = *known;
        // What does not fit the fact would have stopped the game.
        const Truth none = terms_.both(terms_.truth(f.type.or_none), terms_.equal(value, terms_.constant(none_of(f.type))));
        const Truth above = terms_.less_equal(terms_.constant(f.type.low), value);
        if (value.low() < f.type.low && !require(t, terms_.either(none, above))) return Walk::dead;
        if (value.high() > f.type.high && !require(t, terms_.less_equal(value, terms_.constant(f.type.high)))) return Walk::dead;
        slot.content = terms_.within(value, f.type.or_none ? none_of(f.type) : f.type.low, f.type.high);
    }
    slot.given = terms_.truth(true);
    ++t.pc;
    if (untold_ || !seen_by(f.seers, f.by, index, seat_)) return Walk::next;
    const Seen* seen = next_seen(t);
    if (seen == nullptr) return Walk::dead;
    const Event& e = seen->event;
    if (e.kind != EventKind::becomes || e.name != s.a || (s.y != no_id && e.index != index)) return Walk::dead;
    --t.pc;  // why it must be so: this step
    bool fits = true;
    if (f.type.base != Base::set) {
        Terms::Int& content = std::get<Terms::Int>(slot.content);
        fits = require(t, terms_.equal(content, terms_.constant(e.value)));
        content = terms_.constant(e.value);
    } else {
        auto& set = std::get<Set<Terms>>(slot.content);
        for (Value v = set.first; fits && v < set.end(); ++v) {
            const bool in = std::find(e.values.begin(), e.values.end(), static_cast<std::int32_t>(v)) != e.values.end();
            Truth& has = set.has[v - set.first];
            fits = require(t, in ? has : terms_.negate(has));
            has = terms_.truth(in);
        }
    }
    ++t.pc;
    ++t.seen;
    return fits ? Walk::next : Walk::dead;
}

Coexecution::Walk Coexecution::next_player(UnknownTable& t, const PlayerLoop& loop) {
    if (t.effects) begin_of_another(t);
    const Terms::Int from = number(t, loop.first);
    const auto first = known(from);
    if (!first) {
        return for_each_value(t, from, game_.players, [&](UnknownTable& path, Value seat) {
            number(path, loop.first) = terms_.constant(seat);
            return next_player(path, loop);
        });
    }
    const Value n = game_.players;
    for (Value i = *known(number(t, loop.counter)); i < n; ++i) {
        const Value p = (loop.clockwise ? *first + i : *first + n - i) % n;
        number(t, loop.counter) = terms_.constant(i + 1);
        number(t, loop.player) = terms_.constant(p);
        if (loop.set == no_id) return ++t.pc, Walk::next;
        const Truth in = collections::has(terms_, std::get<Set<Terms>>(t.state.variables[loop.set]), p);
        if (in == Formulas::no) continue;
        // Not in it: the loop goes on from here, with this seat passed.
        return branch_on(t, in, t.pc);
    }
    t.pc = machine_.code[t.pc].c;
    return Walk::next;
}

Coexecution::Walk Coexecution::next_element(UnknownTable& t, const Step& s) {
    if (game_.variables[s.a].type.base == Base::cards) {
        dealer_.settle_variable(t, s.a);
        auto& rest = std::get<Cards<Terms>>(t.state.variables[s.a]);
        rest.size.reset();
        std::stable_sort(rest.copies.begin(), rest.copies.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
        for (Copies<Terms>& c : rest.copies) {
            const Truth in = arithmetic::positive(terms_, c.count);
            if (in == Formulas::no) continue;
            UnknownTable without = t;
            c.count = terms_.within(terms_.subtract(c.count, terms_.constant(1)), 0, c.count.high());
            t.unread.erase(s.b);
            name_anew(t, s.b, no_id);
            t.state.variables[s.b] = Card<Terms>{terms_.constant(c.kind), terms_.constant(c.place)};
            if (terms_.known(in) != true) {
                // None of this kind there: the loop goes on without it.
                auto& others = std::get<Cards<Terms>>(without.state.variables[s.a]);
                std::erase_if(others.copies, [&](const Copies<Terms>& o) { return o.kind == c.kind && o.place == c.place; });
                if (require(without, terms_.negate(in))) open_.push_back(std::move(without));
                require(t, in);
            }
            ++t.pc;
            return Walk::next;
        }
        t.pc = s.c;
        return Walk::next;
    }
    auto& rest = std::get<Set<Terms>>(t.state.variables[s.a]);
    for (Value v = rest.first; v < rest.end(); ++v) {
        Truth& has = rest.has[v - rest.first];
        const Truth in = has;
        if (in == Formulas::no) continue;
        has = Formulas::no;
        number(t, s.b) = terms_.constant(v);
        return branch_on(t, in, t.pc);
    }
    t.pc = s.c;
    return Walk::next;
}

}  // namespace houserule
