#include "solver/coexecute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace houserule {

namespace {

std::size_t at(Id id) { return static_cast<std::size_t>(id); }

bool seen_by(Seers seers, IndexBy by, Id index, int seat) {
    const bool own = by == IndexBy::player && index == seat;
    switch (seers) {
        case Seers::all: return true;
        case Seers::owner: return own;
        case Seers::others: return !own;
        case Seers::nobody: return false;
    }
    return false;
}

}  // namespace

Coexecution::Coexecution(z3::context& context, const Run& run, int seat, CoexecutionLimits limits)
    : machine_(run.machine()), game_(machine_.game), seat_(seat), limits_(limits), terms_(context), unknowns_(terms_) {
    start_.state = empty_state(terms_, game_);
    start_.parts.resize(at(game_.places));
    start_.sizes.assign(at(game_.places), 0);
    start_.pc = run.node().step;
    start_.consented = run.node().kind == NodeKind::choose && (machine_.code[at(start_.pc)].mode & choice_optional) != 0;
    copy_known(run);
    make_unknown(run);
    name_cards(run);
    always_ = unknowns_.conditions();
    always_.insert(always_.end(), start_.conditions.begin(), start_.conditions.end());
    start_.conditions.clear();
    first_ = start_.state;
}

bool Coexecution::sees(Id place) const {
    if (place == 0) return false;
    const Zone& z = game_.zones[at(machine_.place_zone[at(place)])];
    return seen_by(z.seers, z.by, place - z.first_place, seat_);
}

// Facts as far as they are seen, and local names: those that stand for no card are public while the rules go on.
void Coexecution::copy_known(const Run& run) {
    for (std::size_t f = 0; f < game_.facts.size(); ++f) {
        for (Id i = 0; i < game_.facts[f].count; ++i) {
            const Fact& fact = game_.facts[f];
            FactSlot<Terms>& slot = start_.state.facts[f][at(i)];
            const bool open = seen_by(fact.seers, fact.by, i, seat_);
            if (fact.type.base == Base::set) {
                auto& set = std::get<Set<Terms>>(slot.content);
                const auto members = run.fact_set(static_cast<Id>(f), i);
                for (Value v = set.first; v < set.end(); ++v) {
                    const bool in = std::find(members.begin(), members.end(), static_cast<std::int32_t>(v)) != members.end();
                    set.has[static_cast<std::size_t>(v - set.first)] = open ? terms_.truth(in) : unknowns_.truth(fmt::format("fact {} {} {}", f, i, v));
                }
                slot.given = terms_.truth(true);
            } else {
                const std::int32_t v = run.fact(static_cast<Id>(f), i);
                const bool given = v != std::numeric_limits<std::int32_t>::min();
                slot.given = terms_.truth(given);
                if (!given) continue;
                const Value low = fact.type.or_none ? -1 : fact.type.low;
                slot.content = open ? terms_.constant(v) : unknowns_.integer(fmt::format("fact {} {}", f, i), low, fact.type.high);
            }
        }
    }
    for (std::size_t v = 0; v < game_.variables.size(); ++v) {
        const Type& type = game_.variables[v].type;
        Content<Terms>& content = start_.state.variables[v];
        if (type.base == Base::cards || type.base == Base::card) continue;  // see name_cards
        if (type.base == Base::set) {
            auto& set = std::get<Set<Terms>>(content);
            for (const std::int32_t e : run.variable_set(static_cast<Id>(v)))
                if (e >= set.first && e < set.end()) set.has[static_cast<std::size_t>(e - set.first)] = terms_.truth(true);
        } else {
            content = terms_.constant(run.variable(static_cast<Id>(v)));
        }
    }
}

Terms::Int Coexecution::unknown_count(const std::string& name, Value high) {
    return high == 0 ? terms_.constant(0) : unknowns_.integer(name, 0, high);
}

// Of each kind, what does not lie open is somewhere among the hidden places; each place holds as many as everybody sees.
void Coexecution::make_unknown(const Run& run) {
    std::vector<Value> left;
    for (const PieceKind& k : game_.kinds) left.push_back(k.copies);
    std::vector<Id> hidden;
    for (Id p = 0; p < game_.places; ++p) {
        start_.sizes[at(p)] = static_cast<Value>(run.size_at(p));
        Pile<Terms>& pile = start_.state.piles[at(p)];
        for (Terms::Int& c : pile.counts) c = terms_.constant(0);
        pile.size = terms_.constant(start_.sizes[at(p)]);
        if (start_.sizes[at(p)] == 0) continue;
        if (!sees(p)) {
            hidden.push_back(p);
            continue;
        }
        std::vector<Value> counts(game_.kinds.size(), 0);
        const std::vector<Id> kinds = run.kinds_at(p);
        for (const Id k : kinds) ++counts[at(k)], --left[at(k)];
        for (std::size_t k = 0; k < counts.size(); ++k) pile.counts[k] = terms_.constant(counts[k]);
        const Zone& zone = game_.zones[at(machine_.place_zone[at(p)])];
        if (zone.shape == Shape::row || zone.shape == Shape::stack)
            for (const Id k : kinds) pile.order.push_back(terms_.constant(k));
    }
    // The last hidden place of each kind takes what the others leave.
    std::vector<std::vector<Terms::Int>> of_kind(game_.kinds.size());
    for (const Id p : hidden) {
        const bool stack = p != 0 && game_.zones[at(machine_.place_zone[at(p)])].shape == Shape::stack;
        const std::vector<std::int32_t> sizes = stack ? run.parts(p) : std::vector<std::int32_t>{static_cast<std::int32_t>(start_.sizes[at(p)])};
        std::vector<std::vector<Terms::Int>> whole(game_.kinds.size());
        for (std::size_t part = 0; part < sizes.size(); ++part) {
            TermPart term_part;
            term_part.size = sizes[part];
            for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
                const bool may = p == 0 || game_.zones[at(machine_.place_zone[at(p)])].families[at(game_.kinds[k].family)];
                const Value high = may ? std::min<Value>(left[k], sizes[part]) : 0;
                const Terms::Int count = unknown_count(fmt::format("kind {} at {} part {}", k, p, part), high);
                term_part.counts.push_back(count);
                whole[k].push_back(count);
                of_kind[k].push_back(count);
            }
            start_.conditions.push_back(terms_.equal(arithmetic::total(terms_, term_part.counts), terms_.constant(term_part.size)));
            if (stack) start_.parts[at(p)].push_back(std::move(term_part));
        }
        for (std::size_t k = 0; k < game_.kinds.size(); ++k) start_.state.piles[at(p)].counts[k] = arithmetic::total(terms_, whole[k]);
    }
    for (std::size_t k = 0; k < game_.kinds.size(); ++k)
        start_.conditions.push_back(terms_.equal(arithmetic::total(terms_, of_kind[k]), terms_.constant(left[k])));
}

// A name for a card that lies hidden is a kind that lies there; where it lies is seen by all.
Card<Terms> Coexecution::named_card(const Run& run, std::int32_t piece, const std::string& name) {
    const Id place = run.place_of(piece);
    if (sees(place)) return {terms_.constant(game_.piece_kind[at(piece)]), terms_.constant(place)};
    const Terms::Int kind = unknowns_.integer(name, 0, static_cast<Value>(game_.kinds.size()) - 1);
    std::vector<Terms::Bool> there;
    const Pile<Terms>& pile = start_.state.piles[at(place)];
    for (std::size_t k = 0; k < pile.counts.size(); ++k)
        there.push_back(terms_.both(terms_.equal(kind, terms_.constant(static_cast<Value>(k))), arithmetic::positive(terms_, pile.counts[k])));
    start_.conditions.push_back(terms_.any(there));
    return {kind, terms_.constant(place)};
}

Cards<Terms> Coexecution::named_cards(const Run& run, const std::vector<std::int32_t>& pieces, const std::string& name) {
    std::map<Id, std::vector<Value>> by_place;
    for (const std::int32_t piece : pieces) ++by_place.try_emplace(run.place_of(piece), game_.kinds.size(), 0).first->second[at(game_.piece_kind[at(piece)])];
    Cards<Terms> cards;
    for (const auto& [place, counts] : by_place) {
        std::vector<Terms::Int> all;
        Value size = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const Terms::Int& there = start_.state.piles[at(place)].counts[k];
            const Terms::Int n = sees(place) ? terms_.constant(counts[k]) : unknown_count(fmt::format("{} {} {}", name, place, k), there.high());
            start_.conditions.push_back(terms_.less_equal(n, there));
            collections::add_copies(terms_, cards, place, static_cast<Id>(k), n);
            all.push_back(n);
            size += counts[k];
        }
        start_.conditions.push_back(terms_.equal(arithmetic::total(terms_, all), terms_.constant(size)));
    }
    return cards;
}

void Coexecution::name_cards(const Run& run) {
    for (std::size_t v = 0; v < game_.variables.size(); ++v) {
        const Base base = game_.variables[v].type.base;
        const std::string name = fmt::format("name {}", v);
        if (base == Base::cards) start_.state.variables[v] = named_cards(run, run.variable_set(static_cast<Id>(v)), name);
        const std::int32_t piece = base == Base::card ? run.variable(static_cast<Id>(v)) : -1;
        if (piece >= 0) start_.state.variables[v] = named_card(run, piece, name);
    }
}

// ---------------------------------------------------------------- along the events

bool Coexecution::follow(const Events& events) {
    seen_.clear();
    for (const Event& e : events) {
        if (e.kind == EventKind::begins || (e.audience >> seat_ & 1) == 0) continue;
        seen_.push_back({&e, (e.faces >> seat_ & 1) != 0});
    }
    ways_.clear();
    open_.clear();
    open_.push_back(start_);
    steps_ = 0;
    while (!open_.empty()) {
        TermTable table = std::move(open_.back());
        open_.pop_back();
        if (!advance(std::move(table))) return false;
        if (ways_.size() + open_.size() > limits_.forks) return problem_ = fmt::format("more than {} ways", limits_.forks), false;
    }
    return true;
}

bool Coexecution::advance(TermTable table) {
    for (;;) {
        if (table.seen >= seen_.size()) {
            ways_.push_back(std::move(table));
            return true;
        }
        if (++steps_ > limits_.steps) return problem_ = fmt::format("more than {} steps", limits_.steps), false;
        switch (step(table)) {
            case Walk::next: break;
            case Walk::dead: return true;
            case Walk::done: ways_.push_back(std::move(table)); return true;
            case Walk::stuck: return false;
        }
        // A promise that does not hold: the rules would have failed, so it was not so.
        for (const Terms::Promise& p : terms_.promises())
            if (!require(table, p.holds)) return terms_.forget(), true;
        terms_.forget();
    }
}

Coexecution::Walk Coexecution::stuck(std::string what) {
    problem_ = std::move(what);
    return Walk::stuck;
}

bool Coexecution::require(TermTable& t, const Terms::Bool& condition) {
    const auto known_truth = terms_.known(condition);
    if (known_truth) return *known_truth;
    t.conditions.push_back(condition);
    return true;
}

void Coexecution::fork(const TermTable& t, const Terms::Bool& condition, Id pc) {
    TermTable other = t;
    other.pc = pc;
    if (require(other, condition)) open_.push_back(std::move(other));
}

// On where the condition holds, at `otherwise` where it does not.
Coexecution::Walk Coexecution::branch_on(TermTable& t, const Terms::Bool& condition, Id otherwise) {
    if (const auto k = terms_.known(condition)) {
        t.pc = *k ? t.pc + 1 : otherwise;
        return Walk::next;
    }
    fork(t, terms_.negate(condition), otherwise);
    t.conditions.push_back(condition);
    ++t.pc;
    return Walk::next;
}

std::optional<Value> Coexecution::known(const Terms::Int& i) const { return i.is_constant() ? std::optional(i.low()) : std::nullopt; }

Terms::Int Coexecution::fresh(TermTable& t, Value low, Value high) {
    if (low >= high) return terms_.constant(low);
    const std::size_t before = unknowns_.conditions().size();
    Terms::Int i = unknowns_.integer(fmt::format("hidden {}", names_++), low, high);
    for (std::size_t c = before; c < unknowns_.conditions().size(); ++c) t.conditions.push_back(unknowns_.conditions()[c]);
    return i;
}

Coexecution::Walk Coexecution::step(TermTable& t) {
    const Step& s = machine_.code[at(t.pc)];
    switch (s.op) {
        case Op::nothing:
        case Op::judged:
        case Op::enter:
        case Op::joint_end:
        case Op::effects_begin:  // effects that read what they change: puts of chosen cards do not
        case Op::effects_end: ++t.pc; return Walk::next;
        case Op::reset:
            for (const Id f : machine_.resets[at(s.a)]) reset(t, f);
            ++t.pc;
            return Walk::next;
        case Op::gather: return stuck("a new game begins");
        case Op::assign:
            assign(t, s.a, s.x);
            ++t.pc;
            return Walk::next;
        case Op::set_fact: return set_fact(t, s);
        case Op::put: return put(t, s);
        case Op::shuffle: return shuffle(t, s);
        case Op::says: {
            const Seen* e = next_seen(t);
            const bool fits = e->event->kind == EventKind::says && e->event->name == s.a && known(evaluator(t).scalar(s.x)) == e->event->seat;
            ++t.seen;
            ++t.pc;
            return fits ? Walk::next : Walk::dead;
        }
        case Op::show: return show(t, s);
        case Op::jump: t.pc = s.c; return Walk::next;
        case Op::branch: return branch_on(t, evaluator(t).truth(s.x), s.c);
        case Op::call:
            number(t, s.a) = terms_.constant(t.pc + 1);
            t.pc = s.c;
            return Walk::next;
        case Op::leave: t.pc = static_cast<Id>(*known(number(t, s.a))); return Walk::next;
        case Op::next_player: return next_player(t, machine_.loops[at(s.a)]);
        case Op::next_element: return next_element(t, s);
        case Op::add_element: {
            auto& set = std::get<Set<Terms>>(t.state.variables[at(s.a)]);
            set.has[static_cast<std::size_t>(*known(number(t, s.b)) - set.first)] = terms_.truth(true);
            ++t.pc;
            return Walk::next;
        }
        case Op::store:
        case Op::load: {
            const Id slot = s.a + static_cast<Id>(*known(number(t, s.c)));
            if (s.op == Op::store) t.state.variables[at(slot)] = t.state.variables[at(s.b)];
            else t.state.variables[at(s.b)] = t.state.variables[at(slot)];
            ++t.pc;
            return Walk::next;
        }
        case Op::choose: return choose(t, s);
        case Op::ask: return ask(t, s);
        case Op::draw: return draw(t, s);
        case Op::report: return report(t, s);
        case Op::window: return window(t, s);
        case Op::ended: {
            const Seen* e = next_seen(t);
            const bool fits = e->event->kind == EventKind::ended && e->event->name == s.a;
            ++t.seen;
            ++t.pc;
            return fits ? Walk::next : Walk::dead;
        }
        case Op::promise: {
            const bool fits = require(t, evaluator(t).truth(s.x));
            ++t.pc;
            return fits ? Walk::next : Walk::dead;
        }
        case Op::halt: return Walk::dead;  // something more was seen
    }
    return stuck("a step that cannot be taken on unknowns");
}

void Coexecution::assign(TermTable& t, Id variable, Id expression) {
    Evaluator<Terms> e = evaluator(t);
    Content<Terms>& v = t.state.variables[at(variable)];
    switch (game_.variables[at(variable)].type.base) {
        case Base::card: v = e.card(expression); break;
        case Base::cards: v = e.cards(expression); break;
        case Base::set: v = e.set(expression); break;
        default: v = e.scalar(expression); break;
    }
}

void Coexecution::reset(TermTable& t, Id id) {
    const Fact& f = game_.facts[at(id)];
    for (FactSlot<Terms>& slot : t.state.facts[at(id)]) {
        slot.given = terms_.truth(f.initial != no_id || f.type.base == Base::set);
        if (f.initial == no_id) slot.content = no_content(terms_, game_, f.type);
        else if (f.type.base == Base::set) slot.content = evaluator(t).set(f.initial);
        else slot.content = evaluator(t).scalar(f.initial);
    }
}

Coexecution::Walk Coexecution::set_fact(TermTable& t, const Step& s) {
    const Fact& f = game_.facts[at(s.a)];
    const auto index = s.y == no_id ? std::optional<Value>(0) : known(evaluator(t).scalar(s.y));
    if (!index) return stuck("a fact of somebody unknown changes");
    FactSlot<Terms>& slot = t.state.facts[at(s.a)][static_cast<std::size_t>(*index)];
    slot.given = terms_.truth(true);
    if (f.type.base == Base::set) slot.content = evaluator(t).set(s.x);
    else slot.content = evaluator(t).scalar(s.x);
    ++t.pc;
    if (!seen_by(f.seers, f.by, static_cast<Id>(*index), seat_)) return Walk::next;
    const Event& e = *next_seen(t)->event;
    ++t.seen;
    if (e.kind != EventKind::becomes || e.name != s.a || (s.y != no_id && e.index != *index)) return Walk::dead;
    if (f.type.base != Base::set) return require(t, terms_.equal(std::get<Terms::Int>(slot.content), terms_.constant(e.value))) ? Walk::next : Walk::dead;
    const auto& set = std::get<Set<Terms>>(slot.content);
    for (Value v = set.first; v < set.end(); ++v) {
        const bool in = std::find(e.values.begin(), e.values.end(), static_cast<std::int32_t>(v)) != e.values.end();
        const Terms::Bool& has = set.has[static_cast<std::size_t>(v - set.first)];
        if (!require(t, in ? has : terms_.negate(has))) return Walk::dead;
    }
    return Walk::next;
}

// ---------------------------------------------------------------- cards

// Kinds that leave a row: one card the last of its kind, several the first ones. What is not known leaves the order unknown.
void Coexecution::leave_order(Pile<Terms>& pile, const std::vector<Terms::Int>& counts, Value size) const {
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const auto n = known(counts[k]);
        for (Value i = 0; n && i < *n; ++i) {
            const auto is_kind = [&](const Terms::Int& card) { return known(card) == static_cast<Value>(k); };
            const auto first = std::find_if(pile.order.begin(), pile.order.end(), is_kind);
            const auto last = std::find_if(pile.order.rbegin(), pile.order.rend(), is_kind);
            if (first == pile.order.end()) continue;
            pile.order.erase(size == 1 ? std::prev(last.base()) : first);
        }
    }
}

// `counts` leave `place`. A stack gives from its top part, if the part is known to hold them.
bool Coexecution::take(TermTable& t, Id place, const std::vector<Terms::Int>& counts, Value size) {
    Pile<Terms>& pile = t.state.piles[at(place)];
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (!require(t, terms_.less_equal(counts[k], pile.counts[k]))) return false;
        pile.counts[k] = terms_.within(terms_.subtract(pile.counts[k], counts[k]), 0, pile.counts[k].high());
    }
    t.sizes[at(place)] -= size;
    pile.size = terms_.constant(t.sizes[at(place)]);
    if (t.sizes[at(place)] == 0) {
        pile.order.clear();
        t.parts[at(place)].clear();
    } else if (!pile.order.empty()) {
        leave_order(pile, counts, size);
    }
    return t.sizes[at(place)] >= 0;
}

void Coexecution::give(TermTable& t, Id place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode) {
    Pile<Terms>& pile = t.state.piles[at(place)];
    for (std::size_t k = 0; k < counts.size(); ++k) pile.counts[k] = terms_.add(pile.counts[k], counts[k]);
    t.sizes[at(place)] += size;
    pile.size = terms_.constant(t.sizes[at(place)]);
    const Shape shape = game_.zones[at(machine_.place_zone[at(place)])].shape;
    if (shape == Shape::stack) {
        auto& parts = t.parts[at(place)];
        TermPart part{counts, size};
        if ((mode & put_under) != 0) parts.insert(parts.begin(), std::move(part));
        else parts.push_back(std::move(part));
    } else if (shape == Shape::row) {
        // One card: its kind. Several: kinds ascending, as the run on numbers lays them.
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const auto n = known(counts[k]);
            for (Value i = 0; n && i < *n; ++i) pile.order.push_back(terms_.constant(static_cast<Value>(k)));
        }
    }
}

// What was seen of some cards: how many, and their faces if the seat saw them.
bool Coexecution::require_faces(TermTable& t, const std::vector<Terms::Int>& counts, const Event& event) {
    std::vector<Value> faces(counts.size(), 0);
    for (const std::int32_t k : event.pieces) ++faces[at(k)];
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (!require(t, terms_.equal(counts[k], terms_.constant(faces[k])))) return false;
    return true;
}

std::optional<Id> Coexecution::known_place(TermTable& t, Id expression) {
    const Terms::Int place = evaluator(t).scalar(expression);
    if (const auto p = known(place)) return static_cast<Id>(*p);
    return std::nullopt;
}

Coexecution::Walk Coexecution::put(TermTable& t, const Step& s) {
    const Terms::Int target = evaluator(t).scalar(s.y);
    if (!known(target)) {
        // Where it goes depends on what is hidden: everybody saw where it went.
        const Seen* e = next_seen(t);
        const auto to = e->event->kind == EventKind::move ? std::optional<Value>(e->event->to) : std::nullopt;
        if (!to || *to < target.low() || *to > target.high()) return Walk::dead;
        if (!require(t, terms_.equal(target, terms_.constant(*to)))) return Walk::dead;
    }
    const Id to = known(target) ? static_cast<Id>(*known(target)) : next_seen(t)->event->to;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    std::map<Id, std::vector<Terms::Int>> by_place;
    for (const Copies<Terms>& c : cards.copies) {
        auto& counts = by_place.try_emplace(c.place, game_.kinds.size(), terms_.constant(0)).first->second;
        counts[at(c.kind)] = c.count;
    }
    std::vector<Terms::Int> moved(game_.kinds.size(), terms_.constant(0));
    Value all = 0;
    for (auto& [from, counts] : by_place) {
        if (from == to) {
            // What lies there already is put there anew, with what comes: everything, or the way is not known.
            if (game_.expressions[at(s.x)].op != Operator::cards_family || game_.expressions[at(s.x)].imm != no_id) return stuck("cards of a pile are put back on it");
            const Value there = t.sizes[at(to)];
            const std::vector<Terms::Int> own = counts;
            if (!take(t, to, own, there)) return Walk::dead;
            for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = terms_.add(moved[k], own[k]);
            all += there;
            continue;
        }
        const Seen* e = next_seen(t);
        const bool noted = e != nullptr && e->event->kind == EventKind::move && e->event->from == from && e->event->to == to;
        const Value size = noted ? static_cast<Value>(e->event->pieces.size()) : 0;
        if (!require(t, terms_.equal(arithmetic::total(terms_, counts), terms_.constant(size)))) return Walk::dead;
        if (!noted) continue;
        if (e->faces && !require_faces(t, counts, *e->event)) return Walk::dead;
        ++t.seen;
        if (e->faces) {
            std::vector<Value> faces(game_.kinds.size(), 0);
            for (const std::int32_t k : e->event->pieces) ++faces[at(k)];
            for (std::size_t k = 0; k < faces.size(); ++k) counts[k] = terms_.constant(faces[k]);
        }
        if (!take(t, from, counts, size)) return Walk::dead;
        for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = terms_.add(moved[k], counts[k]);
        all += size;
    }
    if (all > 0) give(t, to, moved, all, s.mode);
    // The name of a card goes with the card.
    const Expression& x = game_.expressions[at(s.x)];
    if (x.op == Operator::cards_single && game_.expressions[at(x.a)].op == Operator::variable)
        std::get<Card<Terms>>(t.state.variables[at(game_.expressions[at(x.a)].imm)]).place = terms_.constant(to);
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::shuffle(TermTable& t, const Step& s) {
    const auto place = known_place(t, s.x);
    if (!place) return stuck("an unknown pile is shuffled");
    const Seen* e = next_seen(t);
    if (e->event->kind != EventKind::shuffle || e->event->from != *place) return Walk::dead;
    ++t.seen;
    Pile<Terms>& pile = t.state.piles[at(*place)];
    pile.order.clear();
    t.parts[at(*place)] = {TermPart{pile.counts, t.sizes[at(*place)]}};
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::show(TermTable& t, const Step& s) {
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    std::map<Id, std::vector<Terms::Int>> by_place;
    for (const Copies<Terms>& c : cards.copies) {
        auto& counts = by_place.try_emplace(c.place, game_.kinds.size(), terms_.constant(0)).first->second;
        counts[at(c.kind)] = c.count;
    }
    for (auto& [from, counts] : by_place) {
        const Seen* e = next_seen(t);
        const bool noted = e != nullptr && e->event->kind == EventKind::shows && e->event->from == from;
        const Value size = noted ? static_cast<Value>(e->event->pieces.size()) : 0;
        if (!require(t, terms_.equal(arithmetic::total(terms_, counts), terms_.constant(size)))) return Walk::dead;
        if (!noted) continue;
        if (e->faces && !require_faces(t, counts, *e->event)) return Walk::dead;
        ++t.seen;
    }
    ++t.pc;
    return Walk::next;
}

// ---------------------------------------------------------------- answers from outside

Coexecution::Walk Coexecution::choose(TermTable& t, const Step& s) {
    const auto seat = known(evaluator(t).scalar(s.x));
    if (!seat) return stuck("somebody unknown chooses");
    const bool aloud = (s.mode & choice_aloud) != 0;
    const bool visible = aloud || *seat == seat_;
    const Seen* e = next_seen(t);
    const bool noted = visible && e->event->kind == EventKind::choice && e->event->name == s.a && e->event->seat == *seat;
    if ((s.mode & choice_optional) != 0 && !t.consented) {
        // Declined: the chooser alone knows. Or there was nothing to choose, which nobody else can tell apart.
        if (noted && e->event->optional_no) {
            ++t.seen;
            t.pc = s.c;
            return Walk::next;
        }
        if (!noted && visible) {
            t.pc = s.c;
            return Walk::next;
        }
        if (!visible) fork(t, terms_.truth(true), s.c);
    }
    t.consented = false;
    return (s.mode & choice_many) != 0 ? choose_many(t, s, noted ? e : nullptr) : choose_one(t, s, noted ? e : nullptr);
}

Coexecution::Walk Coexecution::choose_one(TermTable& t, const Step& s, const Seen* seen) {
    Evaluator<Terms> ev = evaluator(t);
    const bool visible = seen != nullptr || known(ev.scalar(s.x)) == seat_ || (s.mode & choice_aloud) != 0;
    const auto none = [&](const Terms::Bool& empty) {
        // Nothing to choose from: the way goes on elsewhere, where the rules say so.
        if (s.c != no_id) fork(t, empty, s.c);
    };
    if ((s.mode & choice_range) != 0) {
        const Terms::Int low = ev.scalar(s.y);
        const Terms::Int high = ev.scalar(s.w);
        none(terms_.less(high, low));
        if (visible && seen == nullptr) return Walk::dead;
        const Terms::Int value = seen != nullptr ? terms_.constant(seen->event->values[0]) : fresh(t, low.low(), high.high());
        if (!require(t, terms_.less_equal(low, value)) || !require(t, terms_.less_equal(value, high))) return Walk::dead;
        number(t, s.a) = value;
    } else if (game_.expressions[at(s.y)].type.base == Base::cards) {
        const Cards<Terms> options = ev.cards(s.y);
        none(collections::is_empty(terms_, options));
        if (visible && seen == nullptr) return Walk::dead;
        std::vector<Id> places;
        for (const Copies<Terms>& c : options.copies)
            if (places.empty() || places.back() != c.place) places.push_back(c.place);
        if (places.size() > 1 && seen == nullptr) return stuck("a hidden choice among several places");
        if (places.empty()) return Walk::dead;
        const std::int32_t shown = seen != nullptr ? seen->event->values[0] : 0;
        const Id place = seen != nullptr && shown >> 16 != 0 ? (shown >> 16) - 1 : places.front();
        const Terms::Int kind = seen != nullptr ? terms_.constant(shown & 0xFFFF) : fresh(t, 0, static_cast<Value>(game_.kinds.size()) - 1);
        std::vector<Terms::Bool> among;
        for (const Copies<Terms>& c : options.copies)
            if (c.place == place) among.push_back(terms_.both(terms_.equal(kind, terms_.constant(c.kind)), arithmetic::positive(terms_, c.count)));
        if (!require(t, terms_.any(among))) return Walk::dead;
        t.state.variables[at(s.a)] = Card<Terms>{kind, terms_.constant(place)};
    } else {
        const Set<Terms> options = ev.set(s.y);
        none(collections::is_empty(terms_, options));
        if (visible && seen == nullptr) return Walk::dead;
        const Terms::Int value = seen != nullptr ? terms_.constant(seen->event->values[0]) : fresh(t, options.first, options.end() - 1);
        if (!require(t, collections::has_element(terms_, options, value))) return Walk::dead;
        number(t, s.a) = value;
    }
    if (seen != nullptr) ++t.seen;
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::choose_many(TermTable& t, const Step& s, const Seen* seen) {
    Evaluator<Terms> ev = evaluator(t);
    const Terms::Int low = ev.scalar(s.z);
    const Terms::Int high = ev.scalar(s.w);
    Terms::Int size = terms_.constant(0);
    if (game_.expressions[at(s.y)].type.base == Base::cards) {
        Cards<Terms> chosen = ev.cards(s.y);
        chosen.size.reset();
        std::vector<Value> shown(game_.kinds.size(), 0);
        if (seen != nullptr)
            for (const std::int32_t v : seen->event->values) ++shown[at(v & 0xFFFF)];
        for (Copies<Terms>& c : chosen.copies) {
            const Terms::Int n = seen != nullptr ? terms_.constant(shown[at(c.kind)]) : fresh(t, 0, c.count.high());
            if (!require(t, terms_.less_equal(n, c.count))) return Walk::dead;
            c.count = n;
        }
        size = collections::size(terms_, chosen);
        t.state.variables[at(s.a)] = chosen;
    } else {
        Set<Terms> chosen = ev.set(s.y);
        for (Value v = chosen.first; v < chosen.end(); ++v) {
            Terms::Bool& has = chosen.has[static_cast<std::size_t>(v - chosen.first)];
            const bool in = seen != nullptr && std::find(seen->event->values.begin(), seen->event->values.end(), static_cast<std::int32_t>(v)) != seen->event->values.end();
            const Terms::Bool taken = seen != nullptr ? terms_.truth(in) : terms_.equal(fresh(t, 0, 1), terms_.constant(1));
            if (!require(t, terms_.either(terms_.negate(taken), has))) return Walk::dead;
            has = taken;
        }
        size = collections::size(terms_, chosen);
        t.state.variables[at(s.a)] = chosen;
    }
    if (!require(t, terms_.less_equal(low, size)) || !require(t, terms_.less_equal(size, high))) return Walk::dead;
    if (seen != nullptr) ++t.seen;
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::ask(TermTable& t, const Step& s) {
    const auto seat = known(evaluator(t).scalar(s.x));
    if (!seat) return stuck("somebody unknown is asked");
    if (*seat != seat_) {
        fork(t, terms_.truth(true), s.c);
        ++t.pc;
        return Walk::next;
    }
    const Event& e = *next_seen(t)->event;
    if (e.kind != EventKind::answer || e.name != s.a || e.seat != seat_) return Walk::dead;
    ++t.seen;
    t.pc = e.value != 0 ? t.pc + 1 : s.c;
    return Walk::next;
}

Coexecution::Walk Coexecution::draw(TermTable& t, const Step& s) {
    const auto from = known_place(t, s.x);
    const auto to = known_place(t, s.y);
    if (!from || !to) return stuck("a card is drawn between unknown places");
    if (t.sizes[at(*from)] == 0) {
        if (s.c == no_id) return Walk::dead;
        t.pc = s.c;
        return Walk::next;
    }
    const Seen* seen = next_seen(t);
    const Event& e = *seen->event;
    if (e.kind != EventKind::draw || e.from != *from || e.to != *to) return Walk::dead;
    ++t.seen;
    Pile<Terms>& pile = t.state.piles[at(*from)];
    auto& parts = t.parts[at(*from)];
    std::vector<Terms::Int>& top = parts.empty() || s.mode == 1 ? pile.counts : parts.back().counts;
    const Terms::Int kind = seen->faces ? terms_.constant(e.pieces[0]) : fresh(t, 0, static_cast<Value>(game_.kinds.size()) - 1);
    std::vector<Terms::Int> counts;
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        const Terms::Bool is = terms_.equal(kind, terms_.constant(static_cast<Value>(k)));
        counts.push_back(arithmetic::count(terms_, is));
        if (!require(t, terms_.either(terms_.negate(is), arithmetic::positive(terms_, top[k])))) return Walk::dead;
    }
    if (!parts.empty()) {
        TermPart& part = parts.back();
        for (std::size_t k = 0; k < counts.size(); ++k) part.counts[k] = terms_.within(terms_.subtract(part.counts[k], counts[k]), 0, part.counts[k].high());
        if (--part.size == 0) parts.pop_back();
    }
    if (!take(t, *from, counts, 1)) return Walk::dead;
    give(t, *to, counts, 1, put_on);
    if (s.a != no_id) t.state.variables[at(s.a)] = Card<Terms>{kind, terms_.constant(*to)};
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::report(TermTable& t, const Step& s) {
    const Seen* seen = next_seen(t);
    const EventKind kind = s.mode == 1 ? EventKind::lot : EventKind::report;
    if (seen->event->kind != kind || seen->event->name != s.a) return Walk::dead;
    if (game_.expressions[at(s.x)].type.base == Base::cards) return stuck("chance picks among unknown cards");
    ++t.seen;
    const Terms::Int value = terms_.constant(seen->event->values[0]);
    if (!require(t, collections::has_element(terms_, evaluator(t).set(s.x), value))) return Walk::dead;
    number(t, s.a) = value;
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::window(TermTable& t, const Step& s) {
    const Seen* seen = next_seen(t);
    auto& who = std::get<Set<Terms>>(t.state.variables[at(s.b)]);
    const bool acts = seen->event->kind == EventKind::acts && seen->event->name == s.a;
    for (Value p = who.first; p < who.end(); ++p) {
        Terms::Bool& has = who.has[static_cast<std::size_t>(p - who.first)];
        const bool did = acts && std::find(seen->event->values.begin(), seen->event->values.end(), static_cast<std::int32_t>(p)) != seen->event->values.end();
        if (did && !require(t, has)) return Walk::dead;
        has = terms_.truth(did);
    }
    if (acts) ++t.seen;
    ++t.pc;
    return Walk::next;
}

// ---------------------------------------------------------------- loops

Coexecution::Walk Coexecution::next_player(TermTable& t, const PlayerLoop& loop) {
    const auto passed = known(number(t, loop.counter));
    const auto first = known(number(t, loop.first));
    if (!passed || !first) return stuck("a round begins with somebody unknown");
    const Value n = game_.players;
    for (Value i = *passed; i < n; ++i) {
        const Value p = (loop.clockwise ? *first + i : *first + n - i) % n;
        number(t, loop.counter) = terms_.constant(i + 1);
        number(t, loop.player) = terms_.constant(p);
        if (loop.set == no_id) return ++t.pc, Walk::next;
        const Terms::Bool in = collections::has(terms_, std::get<Set<Terms>>(t.state.variables[at(loop.set)]), p);
        if (terms_.known(in) == false) continue;
        // Not in it: the loop goes on from here, with this seat passed.
        return branch_on(t, in, t.pc);
    }
    t.pc = machine_.code[at(t.pc)].c;
    return Walk::next;
}

Coexecution::Walk Coexecution::next_element(TermTable& t, const Step& s) {
    if (game_.variables[at(s.a)].type.base == Base::cards) return stuck("a loop over unknown cards");
    auto& rest = std::get<Set<Terms>>(t.state.variables[at(s.a)]);
    for (Value v = rest.first; v < rest.end(); ++v) {
        Terms::Bool& has = rest.has[static_cast<std::size_t>(v - rest.first)];
        const Terms::Bool in = has;
        if (terms_.known(in) == false) continue;
        has = terms_.truth(false);
        number(t, s.b) = terms_.constant(v);
        return branch_on(t, in, t.pc);
    }
    t.pc = s.c;
    return Walk::next;
}

// ---------------------------------------------------------------- questions

Answer Coexecution::possible(const std::vector<Terms::Bool>& also, std::size_t way) {
    Z3Session session(terms_);
    session.require(always_);
    session.require(ways_[way].conditions);
    return session.possible(terms_.all(also));
}

Answer Coexecution::possible_at_first(Id place, Id kind) {
    bool unknown = false;
    for (std::size_t w = 0; w < ways_.size(); ++w) {
        const Answer a = possible({arithmetic::positive(terms_, at_first(place, kind))}, w);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

Answer Coexecution::possible_now(Id place, Id kind) {
    bool unknown = false;
    for (std::size_t w = 0; w < ways_.size(); ++w) {
        const Answer a = possible({arithmetic::positive(terms_, ways_[w].state.piles[at(place)].counts[at(kind)])}, w);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

Answer Coexecution::fits(const Run& truth) {
    std::vector<Terms::Bool> same;
    for (Id p = 0; p < game_.places; ++p) {
        std::vector<Value> counts(game_.kinds.size(), 0);
        for (const Id k : truth.kinds_at(p)) ++counts[at(k)];
        for (std::size_t k = 0; k < counts.size(); ++k) same.push_back(terms_.equal(at_first(p, static_cast<Id>(k)), terms_.constant(counts[k])));
    }
    bool unknown = false;
    for (std::size_t w = 0; w < ways_.size(); ++w) {
        const Answer a = possible(same, w);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

}  // namespace houserule
