#include "interpreter/plain/plain_stepper.hpp"

#include "interpreter/plain/plain_state_bytes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace houserule {

namespace {

std::vector<std::int32_t> narrowed(const std::vector<Value>& values) { return {values.begin(), values.end()}; }

}  // namespace

PlainStepper::PlainStepper(const Machine& machine) : m_(machine), g_(m_.game), values_(m_), events_(m_), reached_(m_.code.size(), 0) {
    start();
}

void PlainStepper::start() {
    values_.start();
    pc_ = m_.start;
    agreed_ = waiting_ = false;
}

const Node& PlainStepper::advance() {
    told_left_ = begun_left_ = told_limit;
    rounds_ = 0;
    while (!waiting_) step();
    return node_;
}

void PlainStepper::apply(std::uint64_t move) {
    if (node_.kind == NodeKind::over || node_.kind == NodeKind::failed) return;
    waiting_ = settled_ = false;
    answer(m_.code[pc_], move);
    if (failed()) break_off();
}

std::vector<std::byte> PlainStepper::state() const { return state_bytes(m_, values_, pc_, agreed_); }

void PlainStepper::set_state(std::span<const std::byte> state) {
    start();
    read_state(state, m_, values_, pc_, agreed_);
}

std::vector<KindId> PlainStepper::kinds(const PieceList& pieces) const {
    std::vector<KindId> kinds;
    for (const std::int32_t piece : pieces) kinds.push_back(kind(piece));
    return kinds;
}

// ---- one step ----------------------------------------------------------------------------------------------------------------

void PlainStepper::step() {
    reached_[pc_.index()] = 1;
    const StepId at = pc_;
    events_.at(at);
    if (watcher_) watcher_(at);
    carry_out(m_.code[at]);
    if (!failed()) return;
    pc_ = at;
    break_off();
}

// Where it goes on is `pc_`; it stays where it is when somebody must answer.
void PlainStepper::carry_out(const Step& s) {
    const StepId next = pc_ + 1;
    switch (s.op) {
        case Op::jump:
            return round(s.c);
        case Op::branch:
            pc_ = values_.truth(s.x) ? next : StepId(s.c);
            return;
        case Op::call:
            values_.number(s.a) = next.value();
            return round(s.c);
        case Op::leave:
            pc_ = StepId(values_.number(s.a));
            return;
        case Op::next_player:
            return next_player(s);
        case Op::next_element:
            return next_element(s);
        case Op::choose:
            return choose(s);
        case Op::ask:
            return wait({NodeKind::ask, player(s.x), 2});
        case Op::draw:
            return draw(s);
        case Op::report:
            return report(s);
        case Op::window:
            return window(s);
        case Op::halt:
            return wait({NodeKind::over});
        default:
            do_step(s);
            pc_ = next;
    }
}

// A step that asks nobody and goes on to the next one.
void PlainStepper::do_step(const Step& s) {
    switch (s.op) {
        case Op::enter:
            return enter(g_.rules[s.a]);
        case Op::reset:
            for (const FactId f : m_.resets[s.a]) values_.start_fact(f);
            return;
        case Op::gather:
            table().gather();
            events_.game_began();
            return values_.settle();
        case Op::assign:
            return values_.assign(s.a, s.x);
        case Op::set_fact:
            return set_fact(s);
        case Op::put:
            return put(s);
        case Op::shuffle:
            return shuffle(s);
        case Op::says:
            tell();
            if (const std::int32_t seat = player(s.x); !failed()) events_.said(seat);
            return;
        case Op::show:
            return show(s);
        case Op::add_element:
            return add_element(s);
        case Op::store:
            return copy(slot(s), s.b);
        case Op::load:
            return copy(s.b, slot(s));
        case Op::joint_end:
            return events_.all_chose();
        case Op::effects_begin:
            settled_ = true;
            return values_.begin_effects();
        case Op::effects_end:
            values_.end_effects();
            return check_room();
        case Op::claim:
            return claim(s);
        case Op::ended:
            tell();
            return events_.ended();
        case Op::promise:
            return promise(s);
        case Op::agree:
            return agree(m_.overlaps[s.a]);
        default:
            return;  // nothing to do
    }
}

void PlainStepper::wait(Node node) {
    work_ += rounds_a_node;
    node_ = node;
    node_.step = pc_;
    node_.settled = settled_;
    waiting_ = true;
}

void PlainStepper::break_off() {
    const StatementId statement = m_.code[pc_].statement;
    values_.end_effects();
    values_.place_failure(statement == no_id ? Span{} : g_.statements[statement].span);
    wait({NodeKind::failed});
}

void PlainStepper::round(StepId to) {
    ++work_;
    if (++rounds_ > forced_limit_) return fail(FailureKind::goes_on_for_ever);
    if (rounds_ % steps_between_looks == 0 && houserule::over(stop_)) return fail(FailureKind::stopped);
    pc_ = to;
}

// Whose rule it is: that of its first parameter, if that is a player.
void PlainStepper::enter(const Rule& rule) {
    if (begun_left_ == 0) return;
    --begun_left_;
    const bool of_player = !rule.parameters.empty() && g_.variables[rule.parameters[0]].type.base == Base::player;
    events_.began(of_player ? number(rule.parameters[0]) : -1);
}

// ---- facts, variables, loops -------------------------------------------------------------------------------------------------

void PlainStepper::set_fact(const Step& s) {
    tell();
    const Fact& fact = g_.facts[s.a];
    const Value index = s.y == no_id ? 0 : values_.scalar(s.y);
    if (failed()) return;
    if (index < 0 || index >= fact.count) return fail(FailureKind::no_owner);
    FactSlot<TellingNumbers>& slot = values_.now().state.facts[s.a][index];
    const std::int32_t told_index = s.y == no_id ? no_id : index;
    if (fact.type.base == Base::set) {
        const std::vector<Value> elements = values_.set(s.x);
        if (failed()) return;
        if (fact.type.element == Base::number)
            for (const Value e : elements)
                if (e < fact.type.low || e > fact.type.high) return fail(FailureKind::cannot_become, no_id, e, s.a);
        Set<TellingNumbers>& set = std::get<Set<TellingNumbers>>(slot.content);
        set.has.assign(set.has.size(), false);
        for (const Value e : elements) set.has.at(e - set.first) = true;
        slot.given = true;
        return events_.became(s.a, told_index, 0, narrowed(elements));
    }
    const Value value = values_.scalar(s.x);
    if (failed()) return;
    const bool none = is_none(fact.type, value);
    if (!none && (value < fact.type.low || value > fact.type.high)) return fail(FailureKind::cannot_become, no_id, value, s.a);
    slot = {true, value};
    events_.became(s.a, told_index, value, {});
}

void PlainStepper::next_player(const Step& s) {
    const PlayerLoop& loop = m_.loops[s.a];
    const Value first = values_.number(loop.first);
    // A machine that lacks a step may come here with nothing that it counted, or with no set.
    if (first < 0 || values_.number(loop.counter) < 0) return fail(FailureKind::no_owner);
    for (Value passed = values_.number(loop.counter); passed < g_.players; ++passed) {
        const Value p = (loop.clockwise ? first + passed : first + g_.players - passed) % g_.players;
        if (loop.set != no_id) {
            const std::vector<bool>& has = values_.set_variable(loop.set).has;
            if (std::cmp_greater_equal(p, has.size()) || !has[p]) continue;
        }
        values_.number(loop.player) = p;
        values_.number(loop.counter) = passed + 1;
        ++pc_;
        return;
    }
    pc_ = s.c;
}

void PlainStepper::next_element(const Step& s) {
    if (g_.variables[s.a].type.base == Base::cards) {
        PieceList& rest = values_.now().named[s.a];
        if (rest.empty()) return void(pc_ = s.c);
        values_.now().named[s.b] = {rest.front()};
        rest.erase(rest.begin());
        values_.settle();
    } else {
        std::vector<Value> rest = PlainValues::elements(values_.set_variable(s.a));
        if (rest.empty()) return void(pc_ = s.c);
        values_.number(s.b) = rest.front();
        rest.erase(rest.begin());
        values_.put_elements(s.a, rest);
    }
    ++pc_;
}

void PlainStepper::add_element(const Step& s) {
    std::vector<Value> all = PlainValues::elements(values_.set_variable(s.a));
    all.push_back(values_.number(s.b));
    values_.put_elements(s.a, all);
}

void PlainStepper::copy(VariableId to, VariableId from) {
    values_.now().state.variables[to] = values_.now().state.variables[from];
    values_.now().named[to] = values_.now().named[from];
}

void PlainStepper::promise(const Step& s) {
    if (values_.truth(s.x) || failed()) return;
    const std::int32_t below = s.mode == promise_count ? values_.scalar(s.y) : 0;
    if (s.mode == promise_count) return values_.fail({FailureKind::below_nothing, {}, no_id, no_id, below});
    values_.fail(failure_of(g_, s));
}

// ---- moving cards ------------------------------------------------------------------------------------------------------------

void PlainStepper::put(const Step& s) {
    tell();
    const PieceList what = values_.cards(s.z != no_id ? s.z : s.x);
    const PlaceId to = place(s.y);
    if (failed() || what.empty()) return;
    for (const auto& [from, pieces] : by_place(what)) {
        const bool orders = (s.mode & put_in_order) != 0 && table().is_ordered(from) && table().is_ordered(to);
        if (!orders) {
            events_.moved(from, to, kinds(pieces));
            continue;
        }
        PieceList as_they_lie;
        for (const PieceList& together : in_order(pieces)) as_they_lie.insert(as_they_lie.end(), together.begin(), together.end());
        events_.moved_in_order(from, to, kinds(as_they_lie));
    }
    put_pieces(what, to, s.mode);
    values_.settle();
    // During simultaneous effects, room is checked when all have moved.
    if (table().size(to) > capacity(to) && !values_.in_effects()) fail(FailureKind::does_not_fit, to, table().size(to));
}

// Of cards alike that lay at one place, in no order, each who puts some has others.
void PlainStepper::claim(const Step& s) {
    const PieceList wanted = values_.cards(s.x);
    if (failed()) return;
    PieceList gone = values_.now().named[s.b];
    gone.insert(gone.end(), wanted.begin(), wanted.end());
    const auto has = [](const PieceList& list, std::int32_t piece) { return std::find(list.begin(), list.end(), piece) != list.end(); };
    PieceList claimed;
    for (const std::int32_t piece : wanted) {
        std::int32_t own = has(values_.now().named[s.b], piece) ? -1 : piece;
        const PlaceId place = values_.place_then(piece);
        for (std::int32_t other = 0; own < 0 && std::cmp_less(other, g_.piece_kind.size()) && !table().is_ordered(place); ++other)
            if (g_.piece_kind[other] == g_.piece_kind[piece] && values_.place_then(other) == place && !has(gone, other)) own = other;
        if (own < 0) return fail(FailureKind::put_by_several);
        claimed.push_back(own);
        gone.push_back(own);
    }
    std::sort(claimed.begin(), claimed.end());
    PieceList& mine = values_.now().named[VariableId(s.b) + 1];
    mine.insert(mine.end(), claimed.begin(), claimed.end());
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    if (g_.variables[s.a].type.base == Base::cards || !claimed.empty()) values_.now().named[s.a] = claimed;
    values_.settle();
}

// One by one, in the order of the pieces or in that in which they lie; those that are shuffled come on a stack as one part.
void PlainStepper::put_pieces(const PieceList& what, PlaceId to, std::uint8_t mode) {
    const bool under = (mode & put_under) != 0;
    if ((mode & put_in_order) != 0) {
        std::vector<PieceList> ordered = in_order(what);
        if (under) std::reverse(ordered.begin(), ordered.end());
        for (const PieceList& pieces : ordered) table().move(pieces, to, under);
    } else if ((mode & put_shuffled) != 0 && table().is_stack(to)) {
        table().move(what, to, under);
    } else {
        for (const std::int32_t piece : what) table().move({piece}, to, under);
    }
}

// Place by place, and there as they lie; those of one part of a stack together.
std::vector<PieceList> PlainStepper::in_order(const PieceList& what) const {
    std::vector<PieceList> ordered;
    for (const auto& [place, here] : by_place(what)) {
        for (const PieceList& part : table().parts(place)) {
            PieceList together;
            for (const std::int32_t piece : part)
                if (std::find(here.begin(), here.end(), piece) != here.end()) together.push_back(piece);
            if (table().is_stack(place) && !together.empty()) ordered.push_back(together);
            for (const std::int32_t piece : together)
                if (!table().is_stack(place)) ordered.push_back({piece});
        }
    }
    return ordered;
}

std::map<PlaceId, PieceList> PlainStepper::by_place(const PieceList& what) const {
    std::map<PlaceId, PieceList> places;
    for (const std::int32_t piece : what) places[table().where(piece)].push_back(piece);
    return places;
}

void PlainStepper::shuffle(const Step& s) {
    const PlaceId where = place(s.x);
    if (failed()) return;
    table().shuffle(where);
    values_.settle();
    events_.shuffled(where);
}

void PlainStepper::check_room() {
    for (PlaceId p = 1; p < g_.places; ++p)
        if (table().size(p) > capacity(p)) fail(FailureKind::does_not_fit, p, table().size(p));
}

void PlainStepper::show(const Step& s) {
    tell();
    const PieceList what = values_.cards(s.x);
    Seats to = events_.everyone();
    if (s.y != no_id) {
        to = no_seats;
        for (const Value p : values_.set(s.y)) to |= seat_bit(p);
    }
    if (failed()) return;
    for (const auto& [from, pieces] : by_place(what)) events_.shown(from, to, kinds(pieces));
}

}  // namespace houserule
