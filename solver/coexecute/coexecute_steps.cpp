// The steps of the machine on unknowns: see coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"

#include "solver/coexecute/path_merging.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace houserule {

namespace {

// Steps between two looks at the clock: a step on unknowns can take milliseconds.
constexpr std::size_t clock_steps = 16;

// Ways that are followed without asking whether they can be.
constexpr std::size_t few_ways = 8;

// For one way, when ways are pruned: a tenth of a second. A way that is kept although it cannot be counts nothing in the end.
constexpr unsigned prune_z3_steps = 500'000;

// How many of each kind.
std::vector<Value> faces_of(const Event& event, std::size_t kinds) {
    std::vector<Value> faces(kinds, 0);
    for (const std::int32_t k : event.pieces) ++faces[k];
    return faces;
}

bool is_move(const Event& event, PlaceId from, PlaceId to, Value size) {
    return event.kind == EventKind::move && event.from == from && event.to == to && static_cast<Value>(event.pieces.size()) == size;
}

bool holds(const Part& part, std::int32_t slot) {
    return std::any_of(part.holdings.begin(), part.holdings.end(),
                       [&](const Holding& h) { return std::find(h.slots.begin(), h.slots.end(), slot) != h.slots.end(); });
}

// By place, in the order in which events tell of them.
std::map<PlaceId, std::vector<Terms::Int>> by_place(const Cards<Terms>& cards, std::size_t kinds) {
    std::map<PlaceId, std::vector<Terms::Int>> places;
    for (const Copies<Terms>& c : cards.copies) places.try_emplace(c.place, kinds).first->second[c.kind] = c.count;
    return places;
}

}  // namespace

// ---------------------------------------------------------------- along the events

bool Coexecution::follow(const Events& events) {
    seen_.clear();
    furthest_ = 0;
    ways_ = {start_};
    return go_on(events);
}

bool Coexecution::go_on(const Events& events) {
    for (const Event& e : events) {
        if (e.kind == EventKind::begins || (e.audience >> seat_ & 1) == 0) continue;
        seen_.push_back({e, (e.faces >> seat_ & 1) != 0});
    }
    to_node_ = false;
    return walk();
}

bool Coexecution::go_on_to_node() {
    to_node_ = true;
    return walk();
}

// Event by event, all ways abreast: one that cannot be is found out before much is done for it.
bool Coexecution::walk() {
    steps_ = 0;
    std::size_t many = few_ways;
    const auto too_many = [&] {
        if (way_count() <= many) return false;
        prune();
        many = std::max(few_ways, 2 * way_count());
        return way_count() > limits_.forks;
    };
    meetings_.clear();
    goal_ = to_node_ ? seen_.size() : 0;
    do {
        // One that waits for the rest of what a step tells stays behind.
        std::size_t next = seen_.size();
        for (const UnknownTable& way : ways_) next = std::min(next, way.seen + 1);
        goal_ = std::min(std::max(goal_ + 1, next), seen_.size());
        open_ = std::move(ways_);
        ways_.clear();
        while (!open_.empty()) {
            UnknownTable table = std::move(open_.back());
            open_.pop_back();
            if (!advance(std::move(table))) return false;
            if (too_many()) return problem_ = {LimitKind::too_many_ways, limits_.forks}, false;
            join_ways();
        }
    } while (!ways_.empty() && goal_ < seen_.size());
    return true;
}

std::size_t Coexecution::way_count() const {
    std::size_t count = ways_.size() + open_.size();
    for (const Meeting& m : meetings_) count += m.there.size();
    return count;
}

// Where nobody is expected any more, ways go on as few as they can be.
void Coexecution::join_ways() {
    while (!meetings_.empty() && open_.size() <= meetings_.back().others) {
        std::vector<UnknownTable> there = std::move(meetings_.back().there);
        meetings_.pop_back();
        reconverge(terms_, there);
        std::move(there.begin(), there.end(), std::back_inserter(open_));
    }
}

void Coexecution::prune() {
    const auto cannot_be = [&](const UnknownTable& way) { return possible({}, way, prune_z3_steps) == Answer::no; };
    std::erase_if(ways_, cannot_be);
    for (Meeting& m : meetings_) std::erase_if(m.there, cannot_be);
    // From the last one on, so that the places of the others stay what they are.
    for (std::size_t w = open_.size(); w-- > 0;) {
        if (!cannot_be(open_[w])) continue;
        open_.erase(open_.begin() + w);
        for (Meeting& m : meetings_)
            if (m.others > w) --m.others;
    }
}

bool Coexecution::advance(UnknownTable table) {
    for (;;) {
        furthest_ = std::max(furthest_, table.seen);
        if (!meetings_.empty() && meetings_.back().join == table.pc) {
            meetings_.back().there.push_back(std::move(table));
            return true;
        }
        if (table.seen >= goal_) {
            bool stops = !to_node_;
            switch (machine_.code[table.pc].op) {
                case Op::choose:
                case Op::ask:
                case Op::draw:
                case Op::report:
                case Op::window:
                case Op::halt:
                    stops = true;
                    break;
                default:
                    break;
            }
            if (stops) {
                ways_.push_back(std::move(table));
                return true;
            }
        }
        // A step that several events tell of may be cut off between them: then it waits for the rest before it is taken.
        const Op op = machine_.code[table.pc].op;
        std::optional<UnknownTable> before;
        if (!to_node_ && (op == Op::put || op == Op::show) && std::cmp_less_equal(seen_.size() - table.seen, game_.places)) before = table;
        if (++steps_ > limits_.steps) return problem_ = {LimitKind::too_many_steps, limits_.steps}, false;
        if (steps_ % clock_steps == 0 && std::chrono::steady_clock::now() >= until_) return problem_ = {LimitKind::out_of_time}, false;
        const StepId join = joins_[table.pc];
        const std::size_t others = open_.size();
        const Walk walked = step(table);
        if (open_.size() > others && join != no_id && (meetings_.empty() || meetings_.back().join != join))
            meetings_.push_back({join, others, {}});
        switch (walked) {
            case Walk::next:
                break;
            case Walk::dead:
                return terms_.forget(), true;
            case Walk::done:
                ways_.push_back(before ? std::move(*before) : std::move(table));
                return terms_.forget(), true;
            case Walk::stuck:
                return false;
        }
        // A promise that does not hold: the rules would have failed, so it was not so.
        for (const Terms::Promise& p : terms_.promises())
            if (!require(table, p.holds)) return terms_.forget(), true;
        terms_.forget();
    }
}

Coexecution::Walk Coexecution::stuck(LimitKind what) {
    if (!problem_.hit()) problem_ = {what};
    return Walk::stuck;
}

void Coexecution::fork(const UnknownTable& t, Truth condition, StepId pc) {
    if (condition == Formulas::no) return;
    UnknownTable other = t;
    other.pc = pc;
    if (require(other, condition)) open_.push_back(std::move(other));
}

// On where the condition holds, at `otherwise` where it does not.
Coexecution::Walk Coexecution::branch_on(UnknownTable& t, Truth condition, StepId otherwise) {
    if (const auto k = terms_.known(condition)) {
        t.pc = *k ? t.pc + 1 : otherwise;
        return Walk::next;
    }
    fork(t, terms_.negate(condition), otherwise);
    require(t, condition);
    ++t.pc;
    return Walk::next;
}

std::optional<Value> Coexecution::known_number(UnknownTable& t, ExpressionId expression) {
    if (!settle(t, expression)) return std::nullopt;
    return known(evaluator(t).scalar(expression));
}

// ---------------------------------------------------------------- steps

Coexecution::Walk Coexecution::step(UnknownTable& t) {
    const Step& s = machine_.code[t.pc];
    switch (s.op) {
        case Op::nothing:
        case Op::judged:
        case Op::enter:
        case Op::joint_end:
            ++t.pc;
            return Walk::next;
        case Op::effects_begin:
            dealer_.begin_effects(t);
            ++t.pc;
            return Walk::next;
        case Op::effects_end:
            dealer_.end_effects(t);
            ++t.pc;
            return Walk::next;
        case Op::reset:
            for (const FactId f : machine_.resets[s.a])
                if (!reset(t, f)) return stuck(LimitKind::fact_start);
            ++t.pc;
            return Walk::next;
        case Op::gather:
            dealer_.gather(t);
            ++t.pc;
            return Walk::next;
        case Op::assign:
            if (!assign(t, s.a, s.x)) return Walk::stuck;
            ++t.pc;
            return Walk::next;
        case Op::set_fact:
            return set_fact(t, s);
        case Op::put:
            return put(t, s);
        case Op::shuffle:
            return shuffle(t, s);
        case Op::says: {
            const Seen* e = next_seen(t);
            if (e == nullptr || e->event.kind != EventKind::says || e->event.name != s.a || known_number(t, s.x) != e->event.seat)
                return Walk::dead;
            ++t.seen;
            ++t.pc;
            return Walk::next;
        }
        case Op::show:
            return show(t, s);
        case Op::jump:
            t.pc = s.c;
            return Walk::next;
        case Op::branch:
            if (!settle(t, s.x)) return Walk::stuck;
            return branch_on(t, evaluator(t).truth(s.x), s.c);
        case Op::call:
            number(t, s.a) = terms_.constant((t.pc + 1).value());
            t.pc = s.c;
            return Walk::next;
        case Op::leave:
            t.pc = StepId(*known(number(t, s.a)));
            return Walk::next;
        case Op::next_player:
            return next_player(t, machine_.loops[s.a]);
        case Op::next_element:
            return next_element(t, s);
        case Op::add_element: {
            if (game_.variables[s.a].type.base != Base::set) return stuck(LimitKind::cards_one_by_one);
            auto& set = std::get<Set<Terms>>(t.state.variables[s.a]);
            set.has[*known(number(t, s.b)) - set.first] = terms_.truth(true);
            ++t.pc;
            return Walk::next;
        }
        case Op::store:
        case Op::load: {
            const auto player = known(number(t, s.c));
            if (!player) return stuck(LimitKind::choice_kept_for_unknown);
            const VariableId slot = VariableId(s.a) + static_cast<std::int32_t>(*player);
            const VariableId other = s.b;
            const VariableId from = s.op == Op::store ? other : slot;
            const VariableId to = s.op == Op::store ? slot : other;
            t.state.variables[to] = t.state.variables[from];
            t.unread.erase(to);
            if (const auto unread = t.unread.find(from); unread != t.unread.end()) t.unread[to] = unread->second;
            ++t.pc;
            return Walk::next;
        }
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
        case Op::ended: {
            const Seen* e = next_seen(t);
            if (e == nullptr || e->event.kind != EventKind::ended || e->event.name != s.a) return Walk::dead;
            ++t.seen;
            ++t.pc;
            return Walk::next;
        }
        case Op::promise: {
            if (!settle(t, s.x)) return Walk::stuck;
            const bool fits = require(t, evaluator(t).truth(s.x));
            ++t.pc;
            return fits ? Walk::next : Walk::dead;
        }
        case Op::halt:
            return Walk::dead;  // something more was seen
    }
    return stuck(LimitKind::step_on_unknowns);
}

bool Coexecution::assign(UnknownTable& t, VariableId variable, ExpressionId expression) {
    const Expression& x = game_.expressions[expression];
    if (x.op == Operator::variable || x.op == Operator::cards_variable) {
        // Another name for cards that need no kinds yet.
        if (const auto unread = t.unread.find(x.named()); unread != t.unread.end()) {
            const Unread same = unread->second;
            t.unread[variable] = same;
            return true;
        }
    }
    if (!settle(t, expression)) return false;
    t.unread.erase(variable);
    Evaluator<Terms> e = evaluator(t);
    Content<Terms>& v = t.state.variables[variable];
    switch (game_.variables[variable].type.base) {
        case Base::card:
            v = e.card(expression);
            break;
        case Base::cards:
            v = e.cards(expression);
            break;
        case Base::set:
            v = e.set(expression);
            break;
        default:
            v = e.scalar(expression);
            break;
    }
    return true;
}

bool Coexecution::reset(UnknownTable& t, FactId id) {
    const Fact& f = game_.facts[id];
    if (!settle(t, f.initial)) return false;
    for (FactSlot<Terms>& slot : fact_slots(t, id)) {
        slot.given = terms_.truth(f.initial != no_id || f.type.base == Base::set);
        if (f.initial == no_id)
            slot.content = no_content(terms_, game_, f.type);
        else if (f.type.base == Base::set)
            slot.content = evaluator(t).set(f.initial);
        else
            slot.content = evaluator(t).scalar(f.initial);
    }
    return true;
}

Coexecution::Walk Coexecution::set_fact(UnknownTable& t, const Step& s) {
    const Fact& f = game_.facts[s.a];
    const auto index = s.y == no_id ? std::optional<Value>(0) : known_number(t, s.y);
    if (!index) return stuck(LimitKind::fact_of_unknown);
    if (*index < 0 || *index >= f.count) return Walk::dead;  // nobody's
    if (!settle(t, s.x)) return Walk::stuck;
    FactSlot<Terms>& slot = fact_slots(t, s.a)[*index];
    if (f.type.base == Base::set) {
        slot.content = evaluator(t).set(s.x);
    } else {
        const Terms::Int value = evaluator(t).scalar(s.x);
        // What does not fit the fact would have stopped the game.
        const Value low = f.type.or_none ? std::min<Value>(-1, f.type.low) : f.type.low;
        if (value.low() < low && !require(t, terms_.less_equal(terms_.constant(low), value))) return Walk::dead;
        if (value.high() > f.type.high && !require(t, terms_.less_equal(value, terms_.constant(f.type.high)))) return Walk::dead;
        slot.content = terms_.within(value, low, f.type.high);
    }
    slot.given = terms_.truth(true);
    ++t.pc;
    if (!seen_by(f.seers, f.by, *index, seat_)) return Walk::next;
    const Seen* seen = next_seen(t);
    if (seen == nullptr) return Walk::dead;
    const Event& e = seen->event;
    if (e.kind != EventKind::becomes || e.name != s.a || (s.y != no_id && e.index != *index)) return Walk::dead;
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

// ---------------------------------------------------------------- cards

// What was seen of some cards: how many, and their faces if the seat saw them.
bool Coexecution::require_faces(UnknownTable& t, const std::vector<Terms::Int>& counts, const Event& event) {
    const std::vector<Value> faces = faces_of(event, counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (!require(t, terms_.equal(counts[k], terms_.constant(faces[k])))) return false;
    return true;
}

// That cards of a place are those of an event, or none without one. `total`: how many they are, where that is known apart from the counts.
bool Coexecution::require_noted(UnknownTable& t, const Seen* seen, const std::vector<Terms::Int>& counts,
                                const std::optional<Terms::Int>& total) {
    if (seen != nullptr && seen->faces) return require_faces(t, counts, seen->event);
    const Value size = seen != nullptr ? static_cast<Value>(seen->event.pieces.size()) : 0;
    if (total) return require(t, terms_.equal(*total, terms_.constant(size)));
    // Of each none, or as many as there can be, says the same as a sum, and each for itself.
    Value least = 0;
    Value most = 0;
    for (const Terms::Int& c : counts) {
        least += c.low();
        most += c.high();
    }
    if (size < least || size > most) return false;
    if (size > least && size < most) return require(t, terms_.equal(arithmetic::total(terms_, counts), terms_.constant(size)));
    return std::all_of(counts.begin(), counts.end(), [&](const Terms::Int& c) {
        return require(t, terms_.equal(c, terms_.constant(size == least ? c.low() : c.high())));
    });
}

// Whether a move between these places is told at all: pieces out of the box that nobody sees go without saying.
bool Coexecution::is_told(PlaceId from, PlaceId to) const {
    if (from == to) return false;
    if (from != 0) return true;
    if (to == 0) return false;
    const Zone& z = game_.zones[machine_.place_zone[to]];
    if (z.seers == Seers::nobody) return false;
    if (z.seers == Seers::owner) return z.by == IndexBy::player;
    return true;
}

Coexecution::Walk Coexecution::put(UnknownTable& t, const Step& s) {
    if (!settle(t, s.y)) return Walk::stuck;
    const Terms::Int target = evaluator(t).scalar(s.y);
    if (!known(target)) {
        // Where it goes depends on what is hidden: everybody saw where it went.
        const Seen* e = next_seen(t);
        const auto to = e != nullptr && e->event.kind == EventKind::move ? std::optional<Value>(e->event.to) : std::nullopt;
        if (!to || *to < target.low() || *to > target.high()) return Walk::dead;
        if (!require(t, terms_.equal(target, terms_.constant(*to)))) return Walk::dead;
    }
    const PlaceId to = known(target) ? PlaceId(*known(target)) : next_seen(t)->event.to;
    if (to < 0 || to >= game_.places) return Walk::dead;
    const Expression& x = game_.expressions[s.x];
    const VariableId named = name_of_cards(s.x);
    if (const auto found = t.unread.find(named); named != no_id && found != t.unread.end() && found->second.place != to) {
        const Unread unread = found->second;
        const Seen* e = next_seen(t);
        if (e == nullptr || !is_move(e->event, unread.place, to, unread.slots.size())) return Walk::dead;
        if (!e->faces) {
            ++t.seen;
            dealer_.move_unread(t, unread, to, s.mode);
            ++t.pc;
            return Walk::next;
        }
    }
    // Into the place where it lies, if nothing there has an order: nothing changes, and nobody sees anything.
    const bool unordered = !is_stack(to) && (to == 0 || game_.zones[machine_.place_zone[to]].shape != Shape::row);
    if (const auto found = t.unread.find(named); named != no_id && found != t.unread.end() && found->second.place == to && unordered) {
        ++t.pc;
        return Walk::next;
    }
    const bool in_order = (s.mode & put_in_order) != 0;
    if (const auto places = whole_places(t, s.x); places && !in_order) return put_whole(t, s, *places, to);
    if (const auto walk = in_order ? std::nullopt : put_kinds(t, s, to)) return *walk;
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    std::vector<Terms::Int> moved(game_.kinds.size());
    Value all = 0;
    const auto sources = by_place(cards, game_.kinds.size());
    const bool from_one = sources.size() == 1;
    for (const auto& [from, counts] : sources) {
        if (from == to && unordered) continue;
        if (from == to) return stuck(LimitKind::pile_onto_itself);
        Value size = 0;
        std::vector<Terms::Int> taken = counts;
        if (is_told(from, to)) {
            const Seen* e = next_seen(t);
            if (e == nullptr && !to_node_) return Walk::done;
            const bool noted = e != nullptr && e->event.kind == EventKind::move && e->event.from == from && e->event.to == to;
            size = noted ? static_cast<Value>(e->event.pieces.size()) : 0;
            if (!require_noted(t, noted ? e : nullptr, counts, from_one ? cards.size : std::nullopt)) return Walk::dead;
            if (!noted) continue;
            if (e->faces) {
                const std::vector<Value> faces = faces_of(e->event, counts.size());
                for (std::size_t k = 0; k < faces.size(); ++k) taken[k] = terms_.constant(faces[k]);
            }
        } else {
            const auto n = known(arithmetic::total(terms_, counts));
            if (!n) return stuck(LimitKind::unnoticed_number);
            size = *n;
        }
        const Expression& single = game_.expressions[x.op == Operator::cards_single ? x.a : s.x];
        const bool from_bottom = single.op == Operator::first_card;
        const bool from_end = from_bottom || single.op == Operator::last_card || t.parts[from].size() == 1;
        if (is_stack(from) && size > 0 && !from_end) {
            if (in_order) return stuck(LimitKind::pile_unknown_order);
            if (!dealer_.take_kinds(t, from, counts, size)) return stuck(LimitKind::pile_middle);
        } else if (size > 0 && !dealer_.take(t, from, taken, size, from_bottom)) {
            return Walk::dead;
        }
        if (is_told(from, to)) ++t.seen;  // what was required so far is because of this event
        dealer_.join(moved, taken);
        all += size;
    }
    if (all > 1 && is_stack(to) && (s.mode & put_shuffled) == 0) {
        const bool sure = std::all_of(moved.begin(), moved.end(), [](const Terms::Int& c) { return c.is_constant(); });
        if (!sure || in_order) return stuck(LimitKind::pile_unknown_order);
    }
    dealer_.give(t, to, moved, all, s.mode);
    // The name of a card goes with the card.
    if (x.op == Operator::cards_single && named != no_id) std::get<Card<Terms>>(t.state.variables[named]).place = terms_.constant(to);
    if (x.op == Operator::cards_variable && all > 0) {
        Cards<Terms> there;
        for (std::size_t k = 0; k < moved.size(); ++k) collections::add_copies(terms_, there, to, KindId(k), moved[k]);
        there.size = terms_.constant(all);
        t.state.variables[named] = there;
    }
    ++t.pc;
    return Walk::next;
}

// All that lies at some places goes to one: it needs no kinds for that.
Coexecution::Walk Coexecution::put_whole(UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to) {
    Part all{std::vector<Terms::Int>(game_.kinds.size()), {}, 0};
    for (const PlaceId from : places) {
        const Value size = t.effects ? known(*t.state.piles[from].size).value_or(0) : t.sizes[from];
        if (t.effects && t.touched[from]) return stuck(LimitKind::moment_moves_twice);
        const bool ordered = is_stack(from) || (from != 0 && game_.zones[machine_.place_zone[from]].shape == Shape::row);
        if (size == 0 || (from == to && !ordered)) continue;
        if (is_told(from, to)) {
            const Seen* e = next_seen(t);
            if (e == nullptr && !to_node_) return Walk::done;
            if (e == nullptr || !is_move(e->event, from, to, size)) return Walk::dead;
            if (e->faces) {
                dealer_.settle(t, from);
                std::vector<Terms::Int> counts(game_.kinds.size());
                for (const Part& p : std::span(t.parts[from]).first(t.effects && !is_stack(from) ? 1 : t.parts[from].size()))
                    dealer_.join(counts, p.counts);
                if (!require_faces(t, counts, e->event)) return Walk::dead;
                const std::vector<Value> faces = faces_of(e->event, counts.size());
                Part known_part = dealer_.lift_all(t, from);
                for (std::size_t k = 0; k < counts.size(); ++k) known_part.counts[k] = terms_.constant(faces[k]);
                ++t.seen;
                dealer_.join(all.counts, known_part.counts);
                all.size += known_part.size;
                continue;
            }
            ++t.seen;
        }
        Part part = dealer_.lift_all(t, from);
        dealer_.join(all.counts, part.counts);
        all.holdings.insert(all.holdings.end(), part.holdings.begin(), part.holdings.end());
        all.size += part.size;
        for (auto& [variable, unread] : t.unread)
            if (unread.place == from) unread.place = to;
    }
    const bool sure =
        all.holdings.empty() && std::all_of(all.counts.begin(), all.counts.end(), [](const Terms::Int& c) { return c.is_constant(); });
    if (all.size > 1 && is_stack(to) && (s.mode & put_shuffled) == 0 && !sure) return stuck(LimitKind::pile_unknown_order);
    dealer_.land(t, to, std::move(all), s.mode);
    ++t.pc;
    return Walk::next;
}

// All cards of some kinds go from one place to another: those without kinds need none for that if none or all of them go.
std::optional<Coexecution::Walk> Coexecution::put_kinds(UnknownTable& t, const Step& s, PlaceId to) {
    const auto of = kinds_at(t, s.x);
    if (!of || of->place == to || t.parts[of->place].front().holdings.empty()) return std::nullopt;
    const auto size = dealer_.size_of_kinds(t, of->place, of->kinds);
    if (!size || (*size > 1 && is_stack(to) && (s.mode & put_shuffled) == 0)) return std::nullopt;
    if (*size > 0 && is_told(of->place, to)) {
        const Seen* e = next_seen(t);
        if (e == nullptr && !to_node_) return Walk::done;
        if (e == nullptr || !is_move(e->event, of->place, to, *size)) return Walk::dead;
        if (e->faces) return std::nullopt;
        ++t.seen;
    }
    Part part = dealer_.lift_kinds(t, of->place, of->kinds);
    for (auto& [variable, unread] : t.unread)
        if (unread.place == of->place && holds(part, unread.slots.front())) unread.place = to;
    dealer_.land(t, to, std::move(part), s.mode);
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::shuffle(UnknownTable& t, const Step& s) {
    const auto place = known_number(t, s.x);
    if (!place) return stuck(LimitKind::pile_unknown_shuffled);
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::shuffle || e->event.from != *place) return Walk::dead;
    ++t.seen;
    dealer_.shuffle(t, PlaceId(*place));
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::show(UnknownTable& t, const Step& s) {
    // Whole places shown to others only: nothing is learned here, so nothing needs kinds.
    const auto whole = whole_places(t, s.x);
    if (whole) {
        bool told = true;
        std::size_t used = t.seen;
        for (const PlaceId p : *whole) {
            if (t.sizes[p] == 0) continue;
            const Seen* e = used < seen_.size() ? &seen_[used] : nullptr;
            if (e == nullptr && !to_node_) return Walk::done;
            if (e == nullptr || e->event.kind != EventKind::shows || e->event.from != p ||
                static_cast<Value>(e->event.pieces.size()) != t.sizes[p])
                return Walk::dead;
            told = told && !e->faces;
            ++used;
        }
        if (told) {
            t.seen = used;
            ++t.pc;
            return Walk::next;
        }
    }
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    const auto shown = by_place(cards, game_.kinds.size());
    for (const auto& [from, counts] : shown) {
        const Seen* e = next_seen(t);
        if (e == nullptr && !to_node_) return Walk::done;
        const bool noted = e != nullptr && e->event.kind == EventKind::shows && e->event.from == from;
        if (!require_noted(t, noted ? e : nullptr, counts, shown.size() == 1 ? cards.size : std::nullopt)) return Walk::dead;
        if (noted) ++t.seen;
    }
    ++t.pc;
    return Walk::next;
}

// ---------------------------------------------------------------- loops

Coexecution::Walk Coexecution::next_player(UnknownTable& t, const PlayerLoop& loop) {
    const auto passed = known(number(t, loop.counter));
    const auto first = known(number(t, loop.first));
    if (!passed || !first) return stuck(LimitKind::round_from_unknown);
    const Value n = game_.players;
    for (Value i = *passed; i < n; ++i) {
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
