#include "interpreter/plain/plain_run.hpp"

#include "dsl/game/placed_kind.hpp"
#include "interpreter/plain/plain_events.hpp"
#include "interpreter/plain/plain_offer.hpp"
#include "interpreter/plain/plain_state_bytes.hpp"
#include "interpreter/plain/plain_values.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace houserule {

namespace {

constexpr std::int32_t no_value = std::numeric_limits<std::int32_t>::min();  // of a fact that has none

std::vector<std::int32_t> narrowed(const std::vector<Value>& values) { return {values.begin(), values.end()}; }

class PlainRun final : public Run {
public:
    explicit PlainRun(std::shared_ptr<const Machine> machine)
        : Run(std::move(machine)), m_(*machine_), g_(m_.game), values_(m_), events_(m_), reached_(m_.code.size(), 0) {
        start();
    }

    // ---- running -------------------------------------------------------------------------------------------------------------

    void start() override {
        values_.start();
        pc_ = m_.start;
        agreed_ = waiting_ = false;
    }
    const Node& node() const override { return node_; }
    const Node& advance() override {
        told_left_ = told_limit;
        rounds_ = 0;
        if (!waiting_) settled_ = false;
        while (!waiting_) step();
        return node_;
    }
    void apply(std::uint64_t move) override {
        if (node_.kind == NodeKind::over || node_.kind == NodeKind::failed) return;
        waiting_ = false;
        answer(m_.code[pc_], move);
        if (failed()) break_off();
    }
    void set_state(std::span<const std::byte> state) override {
        values_.start();
        waiting_ = false;
        read_state(state, m_, values_, pc_, agreed_);
    }
    std::span<const std::byte> state() const override { return bytes_ = state_bytes(m_, values_, pc_, agreed_); }
    void play(Random& random, Tally& tally, std::int64_t volunteer_per_million) override;
    std::span<const std::uint8_t> reached() const override { return reached_; }
    void limit_forced(std::uint64_t times) override { forced_limit_ = times; }
    void stop_on(const Stop* stop) override { stop_ = stop; }
    std::uint64_t work() const override { return work_ / rounds_a_node; }
    void ask_forced(bool ask) override { ask_forced_ = ask; }
    std::uint64_t forced() const override { return forced_; }
    void record(Events* events) override { events_.write_to(events); }
    const Failure& failure() const override { return values_.failure(); }

    // ---- what moves mean -----------------------------------------------------------------------------------------------------

    Meant meaning(std::uint64_t move) const override;
    std::uint64_t move_for(const std::vector<std::int32_t>& values) const override;
    std::uint64_t outcome_weight(std::uint64_t move) const override {
        const bool weighed = node_.kind == NodeKind::lot || node_.kind == NodeKind::report;
        return weighed && !weights_.empty() ? weights_[move] : 1;
    }

    // ---- reading -------------------------------------------------------------------------------------------------------------

    std::vector<KindId> kinds_at(PlaceId place) const override { return kinds(table().pieces(place)); }
    std::size_t size_at(PlaceId place) const override { return table().pieces(place).size(); }
    std::vector<std::int32_t> parts(PlaceId place) const override {
        std::vector<std::int32_t> sizes;
        for (const PieceList& part : table().parts(place)) sizes.push_back(static_cast<std::int32_t>(part.size()));
        return sizes;
    }
    PlaceId place_of(std::int32_t piece) const override { return table().where(piece); }
    std::int32_t fact(FactId fact, std::int32_t index) const override {
        const FactSlot<TellingNumbers>& slot = values_.now().state.facts[fact][std::max(0, index)];
        const Value* const value = std::get_if<Value>(&slot.content);
        return value == nullptr ? 0 : slot.given ? static_cast<std::int32_t>(*value) : no_value;
    }
    std::vector<std::int32_t> fact_set(FactId fact, std::int32_t index) const override {
        const auto& content = values_.now().state.facts[fact][std::max(0, index)].content;
        return narrowed(PlainValues::elements(std::get<Set<TellingNumbers>>(content)));
    }
    std::int32_t variable(VariableId variable) const override {
        if (g_.variables[variable].type.base != Base::card) return static_cast<std::int32_t>(values_.number(variable));
        const PieceList& named = values_.now().named[variable];
        return named.empty() ? -1 : named.front();
    }
    std::vector<std::int32_t> variable_set(VariableId variable) const override {
        if (g_.variables[variable].type.base != Base::set) return values_.now().named[variable];
        return narrowed(PlainValues::elements(std::get<Set<TellingNumbers>>(values_.now().state.variables[variable])));
    }
    std::optional<std::vector<std::int32_t>> elements(ExpressionId id) override {
        return values_.probed([&] { return values_.is_cards(id) ? values_.cards(id) : narrowed(values_.set(id)); });
    }

private:
    std::optional<std::int32_t> number(ExpressionId id, BoundId bound, std::int32_t element) override {
        if (bound != no_id) values_.bind(bound, element);
        return values_.probed([&] { return static_cast<std::int32_t>(values_.scalar(id)); });
    }

    PlainTable& table() { return values_.now().table; }
    const PlainTable& table() const { return values_.now().table; }
    KindId kind(std::int32_t piece) const { return g_.piece_kind[piece]; }
    std::vector<KindId> kinds(const PieceList& pieces) const {
        std::vector<KindId> kinds;
        for (const std::int32_t piece : pieces) kinds.push_back(kind(piece));
        return kinds;
    }
    std::int32_t capacity(PlaceId place) const {
        return place == 0 ? std::numeric_limits<std::int32_t>::max() : g_.zones[m_.place_zone[place]].capacity;
    }
    std::int32_t number(VariableId variable) const { return static_cast<std::int32_t>(values_.number(variable)); }
    std::int32_t player(ExpressionId id) { return static_cast<std::int32_t>(values_.scalar(id)); }
    PlaceId place(ExpressionId id) { return static_cast<PlaceId>(values_.scalar(id)); }
    bool failed() const { return values_.failed(); }
    void fail(FailureKind kind, PlaceId place = no_id, std::int32_t number = 0, FactId fact = no_id) {
        values_.fail({kind, {}, place, fact, number});
    }

    void step();
    void carry_out(const Step& s);
    void wait(Node node);
    void break_off();
    void round(StepId to);
    void tell() {
        if (told_left_-- == 0) fail(FailureKind::goes_on_for_ever);
    }

    void set_fact(const Step& s);
    void put(const Step& s);
    void put_pieces(const PieceList& what, PlaceId to, std::uint8_t mode);
    PieceList in_order(const PieceList& what) const;
    std::map<PlaceId, PieceList> by_place(const PieceList& what) const;
    void check_room();
    void show(const Step& s);
    void next_player(const Step& s);
    void next_element(const Step& s);
    void add_element(const Step& s);
    void copy(VariableId to, VariableId from);
    VariableId slot(const Step& s) const { return VariableId(s.a) + number(VariableId(s.c)); }
    void promise(const Step& s);

    void choose(const Step& s);
    PlainOffer offer(const Step& s);
    PlainOffer one_of_cards(const PieceList& from) const;
    void draw(const Step& s);
    void report(const Step& s);
    void window(const Step& s);
    void answer(const Step& s, std::uint64_t move);
    void take_choice(const Step& s, std::uint64_t move);
    void take_draw(const Step& s, std::int32_t drawn);
    void take_report(const Step& s, std::int32_t told);
    std::int32_t shown(Value option) const;
    bool is_meant(Value option, std::int32_t value) const { return shown(option) == value || (of_cards_ && kind(option) == value); }
    PieceList copies_like(std::int32_t piece) const;
    std::vector<Value> taken_things(std::uint64_t move) const;

    const Machine& m_;
    const Game& g_;
    PlainValues values_;
    StepId pc_;
    bool agreed_ = false;  // a `may choose` that was accepted: what is chosen is still to be said

    Node node_;
    bool waiting_ = false;
    bool settled_ = false;
    // What is offered at the node.
    PlainOffer offer_;
    std::vector<Value> offered_;  // of things offered one by one or several at once: all of them, copies told apart
    bool of_cards_ = false;
    std::vector<std::uint64_t> weights_;

    PlainEvents events_;
    std::vector<std::uint8_t> reached_;
    bool ask_forced_ = false;
    std::uint64_t forced_ = 0;
    std::uint64_t forced_limit_ = forced_limit;
    std::uint64_t rounds_ = 0;     // since the last answer
    std::uint64_t told_left_ = 0;  // events that may still happen before the next answer
    std::uint64_t work_ = 0;
    const Stop* stop_ = nullptr;
    mutable std::vector<std::byte> bytes_;
};

// ---- one step ----------------------------------------------------------------------------------------------------------------

void PlainRun::step() {
    reached_[pc_.index()] = 1;
    const StepId at = pc_;
    events_.at(at);
    carry_out(m_.code[at]);
    if (!failed()) return;
    pc_ = at;
    break_off();
}

// Where it goes on is `pc_`; it stays where it is when somebody must answer.
void PlainRun::carry_out(const Step& s) {
    const StepId next = pc_ + 1;
    switch (s.op) {
        case Op::nothing:
        case Op::judged:
        case Op::joint_end:
            break;
        case Op::enter:
            events_.began(g_.rules[s.a].parameters.empty() ? no_id : g_.rules[s.a].parameters.front(), *this);
            break;
        case Op::reset:
            for (const FactId f : m_.resets[s.a]) values_.start_fact(f);
            break;
        case Op::gather:
            table().gather();
            values_.settle();
            break;
        case Op::assign:
            values_.assign(s.a, s.x);
            break;
        case Op::set_fact:
            set_fact(s);
            break;
        case Op::put:
            put(s);
            break;
        case Op::shuffle:
            if (const PlaceId where = place(s.x); !failed()) {
                table().shuffle(where);
                values_.settle();
                events_.shuffled(where);
            }
            break;
        case Op::says:
            tell();
            if (const std::int32_t seat = player(s.x); !failed()) events_.said(seat);
            break;
        case Op::show:
            show(s);
            break;
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
        case Op::add_element:
            add_element(s);
            break;
        case Op::store:
            copy(slot(s), s.b);
            break;
        case Op::load:
            copy(s.b, slot(s));
            break;
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
        case Op::effects_begin:
            settled_ = true;
            values_.begin_effects();
            break;
        case Op::effects_end:
            values_.end_effects();
            check_room();
            break;
        case Op::ended:
            tell();
            events_.ended();
            break;
        case Op::promise:
            promise(s);
            break;
        case Op::halt:
            return wait({NodeKind::over});
    }
    pc_ = next;
}

void PlainRun::wait(Node node) {
    work_ += rounds_a_node;
    node_ = node;
    node_.step = pc_;
    node_.settled = settled_;
    waiting_ = true;
}

void PlainRun::break_off() {
    const StatementId statement = m_.code[pc_].statement;
    values_.end_effects();
    values_.place_failure(statement == no_id ? Span{} : g_.statements[statement].span);
    wait({NodeKind::failed});
}

void PlainRun::round(StepId to) {
    ++work_;
    if (++rounds_ > forced_limit_) return fail(FailureKind::goes_on_for_ever);
    if (rounds_ % steps_between_looks == 0 && houserule::over(stop_)) return fail(FailureKind::stopped);
    pc_ = to;
}

// ---- facts, variables, loops -------------------------------------------------------------------------------------------------

void PlainRun::set_fact(const Step& s) {
    tell();
    const Fact& fact = g_.facts[s.a];
    const Value index = s.y == no_id ? 0 : values_.scalar(s.y);
    if (failed()) return;
    if (index < 0 || index >= fact.count) return fail(FailureKind::no_owner);
    FactSlot<TellingNumbers>& slot = values_.now().state.facts[s.a][index];
    const std::int32_t told_index = s.y == no_id ? no_id : static_cast<std::int32_t>(index);
    if (fact.type.base == Base::set) {
        const std::vector<Value> elements = values_.set(s.x);
        if (failed()) return;
        Set<TellingNumbers>& set = std::get<Set<TellingNumbers>>(slot.content);
        set.has.assign(set.has.size(), false);
        for (const Value e : elements) set.has.at(e - set.first) = true;
        slot.given = true;
        return events_.became(s.a, told_index, 0, narrowed(elements));
    }
    const Value value = values_.scalar(s.x);
    if (failed()) return;
    const bool none = value == -1 && fact.type.or_none;
    if (!none && (value < fact.type.low || value > fact.type.high))
        return fail(FailureKind::cannot_become, no_id, static_cast<std::int32_t>(value), s.a);
    slot = {true, value};
    events_.became(s.a, told_index, static_cast<std::int32_t>(value), {});
}

void PlainRun::next_player(const Step& s) {
    const PlayerLoop& loop = m_.loops[s.a];
    const Value first = values_.number(loop.first);
    if (first < 0) return fail(FailureKind::no_owner);
    for (Value passed = values_.number(loop.counter); passed < g_.players; ++passed) {
        const Value p = (loop.clockwise ? first + passed : first + g_.players - passed) % g_.players;
        if (loop.set != no_id && !values_.set_variable(loop.set).has[p]) continue;
        values_.number(loop.player) = p;
        values_.number(loop.counter) = passed + 1;
        ++pc_;
        return;
    }
    pc_ = s.c;
}

void PlainRun::next_element(const Step& s) {
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

void PlainRun::add_element(const Step& s) {
    std::vector<Value> all = PlainValues::elements(values_.set_variable(s.a));
    all.push_back(values_.number(s.b));
    values_.put_elements(s.a, all);
}

void PlainRun::copy(VariableId to, VariableId from) {
    values_.now().state.variables[to] = values_.now().state.variables[from];
    values_.now().named[to] = values_.now().named[from];
}

void PlainRun::promise(const Step& s) {
    if (values_.truth(s.x) || failed()) return;
    const StatementKind kind = s.statement == no_id ? StatementKind::nothing : g_.statements[s.statement].kind;
    if (kind == StatementKind::choose_case) return fail(FailureKind::no_case);
    if (kind != StatementKind::repeat) return fail(FailureKind::acts_do_not_end);
    const bool bound = g_.expressions[s.x].op == Operator::constant;
    fail(bound ? FailureKind::not_enough_times : FailureKind::did_not_run_down);
}

// ---- moving cards ------------------------------------------------------------------------------------------------------------

void PlainRun::put(const Step& s) {
    tell();
    const PieceList what = values_.cards(s.x);
    const PlaceId to = place(s.y);
    if (failed() || what.empty()) return;
    for (const auto& [from, pieces] : by_place(what)) events_.moved(from, to, kinds(pieces));
    put_pieces(what, to, s.mode);
    values_.settle();
    // During simultaneous effects, room is checked when all have moved.
    if (table().size(to) > capacity(to) && !values_.in_effects()) fail(FailureKind::does_not_fit, to, table().size(to));
}

// One by one, in the order of the pieces or in that in which they lie; those that are shuffled come on a stack as one part.
void PlainRun::put_pieces(const PieceList& what, PlaceId to, std::uint8_t mode) {
    const bool under = (mode & put_under) != 0;
    if ((mode & put_in_order) != 0) {
        PieceList ordered = in_order(what);
        if (under) std::reverse(ordered.begin(), ordered.end());
        for (const std::int32_t piece : ordered) table().move({piece}, to, under);
    } else if ((mode & put_shuffled) != 0 && table().is_stack(to)) {
        table().move(what, to, under);
    } else {
        for (const std::int32_t piece : what) table().move({piece}, to, under);
    }
}

// As they lie at the place of the first piece; what lies elsewhere comes after them.
PieceList PlainRun::in_order(const PieceList& what) const {
    PieceList ordered;
    for (const std::int32_t piece : table().pieces(table().where(what.front())))
        if (std::find(what.begin(), what.end(), piece) != what.end()) ordered.push_back(piece);
    for (const std::int32_t piece : what)
        if (std::find(ordered.begin(), ordered.end(), piece) == ordered.end()) ordered.push_back(piece);
    return ordered;
}

std::map<PlaceId, PieceList> PlainRun::by_place(const PieceList& what) const {
    std::map<PlaceId, PieceList> places;
    for (const std::int32_t piece : what) places[table().where(piece)].push_back(piece);
    return places;
}

void PlainRun::check_room() {
    for (PlaceId p = 1; p < g_.places; ++p)
        if (table().size(p) > capacity(p)) fail(FailureKind::does_not_fit, p, table().size(p));
}

void PlainRun::show(const Step& s) {
    tell();
    const PieceList what = values_.cards(s.x);
    Seats to = events_.everyone();
    if (s.y != no_id) {
        to = no_seats;
        for (const Value p : values_.set(s.y)) to |= seat_bit(static_cast<int>(p));
    }
    if (failed()) return;
    for (const auto& [from, pieces] : by_place(what)) events_.shown(from, to, kinds(pieces));
}

// ---- choices -----------------------------------------------------------------------------------------------------------------

void PlainRun::choose(const Step& s) {
    const std::int32_t seat = player(s.x);
    offer_ = offer(s);
    if (failed()) return;
    Node node{NodeKind::choose, seat, offer_.moves(), no_seats, (s.mode & choice_joint) != 0};
    if (offer_.moves() == 0) {
        if (s.c == no_id) return fail(FailureKind::nothing_to_choose);
        pc_ = s.c;
        return;
    }
    if ((s.mode & choice_optional) != 0 && !agreed_) {
        node.kind = NodeKind::consent;
        node.moves = 2;
        return wait(node);
    }
    if (offer_.moves() > 1 || ask_forced_) return wait(node);
    ++forced_;
    node_ = node;
    node_.step = pc_;
    take_choice(s, 0);
}

PlainOffer PlainRun::offer(const Step& s) {
    of_cards_ = false;
    offered_.clear();
    if ((s.mode & choice_range) != 0) {
        const Value low = values_.scalar(s.y);
        return PlainOffer::range(low, values_.scalar(s.w));
    }
    of_cards_ = values_.is_cards(s.y);
    PlainOffer each;
    if (of_cards_) {
        const PieceList from = values_.cards(s.y);
        offered_.assign(from.begin(), from.end());
        each = one_of_cards(from);
    } else {
        offered_ = values_.set(s.y);
        each = PlainOffer::one_of(offered_);
    }
    if ((s.mode & choice_many) == 0) return each;
    const Value low = values_.scalar(s.z);
    const Value high = values_.scalar(s.w);
    std::vector<Value> copies;
    for (const Value thing : each.things())
        copies.push_back(of_cards_ ? static_cast<Value>(copies_like(static_cast<std::int32_t>(thing)).size()) : 1);
    PlainOffer several = PlainOffer::several_of(each.things(), std::move(copies), low, high);
    if (several.moves() >= PlainOffer::limit) fail(FailureKind::too_many_choices);
    return several;
}

// Of copies of a kind at one place, the first.
PlainOffer PlainRun::one_of_cards(const PieceList& from) const {
    std::vector<Value> things;
    for (const std::int32_t piece : from)
        if (copies_like(piece).front() == piece) things.push_back(piece);
    return PlainOffer::one_of(std::move(things));
}

// The offered copies of the same kind at the same place.
PieceList PlainRun::copies_like(std::int32_t piece) const {
    PieceList copies;
    for (const Value other : offered_) {
        const auto o = static_cast<std::int32_t>(other);
        if (kind(o) == kind(piece) && table().where(o) == table().where(piece)) copies.push_back(o);
    }
    return copies;
}

std::vector<Value> PlainRun::taken_things(std::uint64_t move) const {
    if (!offer_.is_of_several()) return {offer_.thing(move)};
    std::vector<Value> things;
    const std::vector<Value> taken = offer_.taken(move);
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Value first = offer_.things()[i];
        if (of_cards_) {
            const PieceList copies = copies_like(static_cast<std::int32_t>(first));
            things.insert(things.end(), copies.begin(), copies.begin() + taken[i]);
        } else if (taken[i] != 0) {
            things.push_back(first);
        }
    }
    std::sort(things.begin(), things.end());
    return things;
}

void PlainRun::take_choice(const Step& s, std::uint64_t move) {
    const std::vector<Value> things = taken_things(move);
    std::vector<std::int32_t> values;
    for (const Value thing : things) values.push_back(shown(thing));
    agreed_ = false;
    if (of_cards_) {
        values_.now().named[s.a].assign(things.begin(), things.end());
        values_.settle();
    } else if (offer_.is_of_several()) {
        values_.put_elements(s.a, things);
    } else {
        values_.number(s.a) = things.front();
    }
    events_.chose(node_, values);
    ++pc_;
}

// ---- chance and reports ------------------------------------------------------------------------------------------------------

void PlainRun::draw(const Step& s) {
    const PlaceId from = place(s.x);
    if (failed()) return;
    const auto& parts = table().parts(from);
    const bool whole = s.mode == 1 || !table().is_ordered(from) || parts.empty();
    PieceList drawable = whole ? table().pieces(from) : parts.back();
    std::sort(drawable.begin(), drawable.end());
    offered_.assign(drawable.begin(), drawable.end());
    of_cards_ = true;
    weights_.clear();
    if (offered_.empty()) {
        if (s.c == no_id) return fail(FailureKind::no_card_to_deal, from);
        pc_ = s.c;
        return;
    }
    offer_ = PlainOffer::one_of(offered_);
    if (offered_.size() == 1) return take_draw(s, drawable.front());
    wait({NodeKind::draw, -1, offered_.size()});
}

// Of its copies the first goes.
void PlainRun::take_draw(const Step& s, std::int32_t drawn) {
    const std::int32_t piece = copies_like(drawn).front();
    const PlaceId from = table().where(piece);
    const PlaceId to = place(s.y);
    if (failed()) return;
    events_.drawn(from, to, kind(piece));
    table().move({piece}, to, false);
    if (s.a != no_id) values_.now().named[s.a] = {piece};
    values_.settle();
    if (table().size(to) > capacity(to)) return fail(FailureKind::takes_only, to);
    ++pc_;
}

void PlainRun::report(const Step& s) {
    of_cards_ = values_.is_cards(s.x);
    if (of_cards_) {
        const PieceList all = values_.cards(s.x);
        offered_.assign(all.begin(), all.end());
    } else {
        offered_ = values_.set(s.x);
    }
    weights_.clear();
    if (s.b != no_id) {
        std::map<Value, Value> weights;
        for (const auto& [value, weight] : m_.weights[s.b]) weights[value] = values_.scalar(weight);
        std::erase_if(offered_, [&](Value v) { return weights[v] <= 0; });
        for (const Value v : offered_) weights_.push_back(static_cast<std::uint64_t>(weights[v]));
    }
    if (failed()) return;
    if (offered_.empty()) return fail(FailureKind::nothing_to_report);
    offer_ = PlainOffer::one_of(offered_);
    if (offered_.size() == 1) return take_report(s, static_cast<std::int32_t>(offered_.front()));
    wait({s.mode == 1 ? NodeKind::lot : NodeKind::report, -1, offered_.size()});
}

void PlainRun::take_report(const Step& s, std::int32_t told) {
    const std::int32_t value = of_cards_ ? copies_like(told).front() : told;
    if (of_cards_) {
        values_.now().named[s.a] = {value};
        values_.settle();
    } else {
        values_.number(s.a) = value;
    }
    events_.told(of_cards_ ? kind(value) : value);
    ++pc_;
}

void PlainRun::window(const Step& s) {
    Seats seats = no_seats;
    for (const Value p : PlainValues::elements(values_.set_variable(s.b))) seats |= seat_bit(static_cast<int>(p));
    if (seats != no_seats) return wait({NodeKind::window, -1, std::uint64_t{1} << g_.players, seats});
    ++pc_;
}

// ---- answers -----------------------------------------------------------------------------------------------------------------

void PlainRun::answer(const Step& s, std::uint64_t move) {
    events_.at(pc_);
    switch (node_.kind) {
        case NodeKind::consent:
            agreed_ = move != 0;
            if (agreed_) return;
            events_.declined(node_);
            pc_ = s.c;
            return;
        case NodeKind::choose:
            return take_choice(s, move);
        case NodeKind::ask:
            events_.answered(node_, move != 0);
            pc_ = move != 0 ? pc_ + 1 : StepId(s.c);
            return;
        case NodeKind::draw:
            return take_draw(s, static_cast<std::int32_t>(offer_.thing(move)));
        case NodeKind::lot:
        case NodeKind::report:
            return take_report(s, static_cast<std::int32_t>(offer_.thing(move)));
        case NodeKind::window: {
            const std::vector<std::int32_t> who = meaning(move & node_.seats).values;
            values_.put_elements(s.b, {who.begin(), who.end()});
            if (!who.empty()) events_.act(who);
            ++pc_;
            return;
        }
        case NodeKind::over:
        case NodeKind::failed:
            return;
    }
}

Meant PlainRun::meaning(std::uint64_t move) const {
    Meant meant;
    switch (node_.kind) {
        case NodeKind::choose:
            for (const Value thing : taken_things(move)) meant.values.push_back(shown(thing));
            break;
        case NodeKind::consent:
        case NodeKind::ask:
            meant.values = {static_cast<std::int32_t>(move)};
            break;
        case NodeKind::draw:
        case NodeKind::lot:
        case NodeKind::report: {
            const auto thing = static_cast<std::int32_t>(offer_.thing(move));
            meant.values = {of_cards_ ? kind(thing) : thing};
            break;
        }
        case NodeKind::window:
            for (std::int32_t p = 0; p < g_.players; ++p)
                if ((move >> p & 1) != 0) meant.values.push_back(p);
            break;
        case NodeKind::over:
        case NodeKind::failed:
            break;
    }
    return meant;
}

// A value; or a kind, with its place when the choice is between several places.
std::int32_t PlainRun::shown(Value option) const {
    const auto value = static_cast<std::int32_t>(option);
    if (!of_cards_) return value;
    const PlaceId place = table().where(value);
    const bool elsewhere =
        std::any_of(offered_.begin(), offered_.end(), [&](Value o) { return table().where(static_cast<std::int32_t>(o)) != place; });
    return elsewhere ? PlacedKind{kind(value), place}.value() : kind(value);
}

std::uint64_t PlainRun::move_for(const std::vector<std::int32_t>& values) const {
    if (node_.kind == NodeKind::window) {
        std::uint64_t who = 0;
        for (const std::int32_t v : values) {
            if (v < 0 || v >= g_.players || (node_.seats >> v & 1) == 0) return node_.moves;
            who |= std::uint64_t{1} << v;
        }
        return who;
    }
    if (node_.kind == NodeKind::choose && offer_.is_of_several()) {
        std::vector<Value> taken(offer_.things().size(), 0);
        for (const std::int32_t v : values) {
            std::size_t i = 0;
            while (i < taken.size() && !(is_meant(offer_.things()[i], v) && taken[i] < offer_.copies()[i])) ++i;
            if (i == taken.size()) return node_.moves;
            ++taken[i];
        }
        return offer_.rank(taken);
    }
    if (values.size() != 1) return node_.moves;
    for (std::uint64_t move = 0; move < node_.moves; ++move) {
        const bool placed = node_.kind == NodeKind::choose && !offered_.empty() && is_meant(offer_.thing(move), values[0]);
        if (placed || meaning(move).values == values) return move;
    }
    return node_.moves;
}

// ---- at random ---------------------------------------------------------------------------------------------------------------

void PlainRun::play(Random& random, Tally& tally, std::int64_t volunteer_per_million) {
    const std::uint64_t forced_before = forced_;
    for (std::uint64_t nodes = 1;; ++nodes) {
        const Node n = advance();
        if (nodes % steps_between_looks == 0 && houserule::over(stop_)) return;
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) break;
        const std::uint64_t move = random_move(*this, random, volunteer_per_million);
        if (n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask) {
            ++tally.decisions;
            tally.options += n.moves;
        } else if (n.kind == NodeKind::window) {
            tally.windows += static_cast<std::uint64_t>(std::popcount(n.seats));
        } else {
            ++tally.chances;
        }
        if (!tally.steps.empty()) {
            ++tally.steps[n.step];
            if (n.kind == NodeKind::window)
                tally.taken[n.step] += static_cast<std::uint64_t>(std::popcount(move & n.seats));
            else if (n.kind == NodeKind::ask || n.kind == NodeKind::consent)
                tally.taken[n.step] += move;
            else if (n.kind == NodeKind::choose && (m_.code[n.step].mode & choice_optional) == 0)
                ++tally.taken[n.step];
        }
        apply(move);
    }
    tally.forced += forced_ - forced_before;
}

}  // namespace

std::unique_ptr<Run> make_plain_run(std::shared_ptr<const Machine> machine) { return std::make_unique<PlainRun>(std::move(machine)); }

}  // namespace houserule
