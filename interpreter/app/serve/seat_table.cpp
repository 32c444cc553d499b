#include "interpreter/app/serve/seat_table.hpp"

#include "dsl/game/names.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/seers.hpp"

#include <algorithm>
#include <utility>

namespace houserule::cli {

namespace {

bool sees(const Game& game, Seats seers, int viewer) {
    return viewer == spectator ? seers == all_seats(game) : (seers & seat_bit(viewer)) != 0;
}

bool has_shape(const Machine& machine, PlaceId place, Shape shape) {
    const Zone* zone = zone_of(machine.game, place);
    return zone != nullptr && zone->shape == shape;
}

bool is_ordered(const Machine& machine, PlaceId place) {
    return has_shape(machine, place, Shape::row) || has_shape(machine, place, Shape::stack);
}

}  // namespace

Seats bit_of(int viewer) { return seat_bit(std::max(0, viewer)); }

std::optional<Event> noticed_by(const Game& game, const Event& event, int viewer) {
    if (viewer != spectator) return noticed(event, viewer);
    Event e = event;
    e.audience = event.audience == all_seats(game) ? bit_of(viewer) : no_seats;
    e.faces = event.faces == all_seats(game) ? bit_of(viewer) : no_seats;
    if (e.kind == EventKind::move) e.value = event.value == all_seats(game) ? bit_of(viewer) : no_seats;  // who sees the order
    return noticed(e, 0);
}

Events noticed_up_to(const Game& game, const Events& events, std::size_t& told, std::size_t end, int viewer) {
    Events own;
    for (end = std::min(end, settled(events)); told < end; ++told)
        if (auto e = noticed_by(game, events[told], viewer)) own.push_back(std::move(*e));
    return own;
}

SeatTable::SeatTable(std::shared_ptr<const Machine> machine, int viewer)
    : machine_(std::move(machine)), viewer_(viewer), places_(machine_->game.places) {
    const Game& game = machine_->game;
    const std::unique_ptr<Run> fresh = make_run(machine_);
    fresh->start();
    for (PlaceId p = 1; p < game.places; ++p) places_[p].seen = sees(game, seers_of(*machine_, p), viewer);
    facts_.resize(game.facts.size());
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            Value value{sees(game, seers_of(game, fact.seers, fact.by, i), viewer), {}};
            if (value.seen) value.values = fact.type.base == Base::set ? fresh->fact_set(f, i) : std::vector{fresh->fact(f, i)};
            facts_[f].push_back(std::move(value));
        }
    }
    initial_ = facts_;
}

bool SeatTable::is_shown(FactId fact, std::int32_t index) const {
    const Shown shown = machine_->game.facts[fact].shown;
    if (shown == Shown::changed) return !is_plain(fact, index);
    return shown == Shown::always && this->fact(fact, index).values != std::vector{unset_value};
}

bool SeatTable::is_plain(FactId fact, std::int32_t index) const {
    const Value& now = this->fact(fact, index);
    return now.values == initial_[fact][index].values || now.values == std::vector{unset_value};
}

void SeatTable::take(PlaceId from, std::int32_t kind) {
    if (from <= 0) return;
    Place& place = places_[from];
    std::vector<std::int32_t>& kinds = place.kinds;
    const auto end = kinds.end();
    auto at = std::find(kinds.begin(), end, place.seen ? kind : hidden_card);
    if (has_shape(*machine_, from, Shape::stack))
        for (auto next = at; next != end; next = std::find(next + 1, end, *at)) at = next;
    if (at != end) kinds.erase(at);
}

// Cards that are moved in their order, as they lie where they come from.
void SeatTable::in_their_order(PlaceId from, std::vector<std::int32_t>& kinds) const {
    if (from <= 0 || !places_[from].seen || !is_ordered(*machine_, from)) return;
    std::vector<std::int32_t> left = std::exchange(kinds, {});
    for (const std::int32_t there : places_[from].kinds)
        if (const auto at = std::ranges::find(left, there); at != left.end()) kinds.push_back(*at), left.erase(at);
    kinds.insert(kinds.end(), left.begin(), left.end());
}

void SeatTable::put(PlaceId to, const std::vector<std::int32_t>& kinds, std::uint8_t mode) {
    if (to <= 0) return;
    Place& place = places_[to];
    std::vector<std::int32_t> came = place.seen ? kinds : std::vector(kinds.size(), hidden_card);
    const bool under = (mode & put_under) != 0 && is_ordered(*machine_, to);
    const bool together = (mode & put_in_order) != 0 || ((mode & put_shuffled) != 0 && has_shape(*machine_, to, Shape::stack));
    if (under && !together) std::ranges::reverse(came);
    place.kinds.insert(under ? place.kinds.begin() : place.kinds.end(), came.begin(), came.end());
    if (!is_ordered(*machine_, to)) std::ranges::sort(place.kinds);
}

void SeatTable::see(const Event& event) {
    if (event.kind == EventKind::begins) return begin(event);
    const auto noticed = noticed_by(machine_->game, event, viewer_);
    if (!noticed) return;
    switch (noticed->kind) {
        case EventKind::draw:
            return move(*noticed, 0);
        case EventKind::move:
            return move(*noticed, machine_->code[event.step].mode);
        case EventKind::shuffle:
            if (noticed->from > 0) std::ranges::sort(places_[noticed->from].kinds);
            return;
        case EventKind::becomes:
            return become(*noticed);
        default:
            return;
    }
}

// A rule or a game begins anew, or cards are laid out where nobody sees them.
void SeatTable::begin(const Event& event) {
    if (event.name != no_id) return reset(RuleId(event.name));
    if (!event.pieces.empty()) return put(event.to, event.pieces, 0);
    for (Place& place : places_) place.kinds.clear();
    reset(lasts_game);
}

// Facts of a rule or a game are again what they begin with.
void SeatTable::reset(RuleId lasts) {
    for (const FactId f : facts_.ids())
        if (machine_->game.facts[f].lasts == lasts) facts_[f] = initial_[f];
}

void SeatTable::move(const Event& noticed, std::uint8_t mode) {
    std::vector<std::int32_t> kinds = noticed.pieces;
    if ((mode & put_in_order) != 0) in_their_order(noticed.from, kinds);
    for (const std::int32_t kind : kinds) take(noticed.from, kind);
    put(noticed.to, kinds, mode);
}

void SeatTable::become(const Event& noticed) {
    const FactId fact(noticed.name);
    Value& value = facts_[fact][std::max<std::int32_t>(0, noticed.index)];
    if (value.seen) value.values = machine_->game.facts[fact].type.base == Base::set ? noticed.values : std::vector{noticed.value};
}

}  // namespace houserule::cli
