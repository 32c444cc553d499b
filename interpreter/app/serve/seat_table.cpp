#include "interpreter/app/serve/seat_table.hpp"

#include "dsl/game/names.hpp"
#include "interpreter/log/view.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/seers.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

bool sees(const Game& game, Seats seers, int viewer) {
    return viewer == spectator ? seers == all_seats(game) : (seers & seat_bit(viewer)) != 0;
}

bool is_ordered(const Machine& machine, PlaceId place) {
    const Zone* zone = zone_of(machine.game, place);
    return zone != nullptr && (zone->shape == Shape::row || zone->shape == Shape::stack);
}

}  // namespace

Seats bit_of(int viewer) { return seat_bit(std::max(0, viewer)); }

std::optional<Event> noticed_by(const Game& game, const Event& event, int viewer) {
    if (viewer != spectator) return noticed(event, viewer);
    Event e = event;
    e.audience = event.audience == all_seats(game) ? bit_of(viewer) : no_seats;
    e.faces = event.faces == all_seats(game) ? bit_of(viewer) : no_seats;
    return noticed(e, 0);
}

Events noticed_up_to(const Game& game, const Events& events, std::size_t& told, std::size_t end, int viewer) {
    Events own;
    for (end = std::min(end, settled(events)); told < end; ++told)
        if (auto e = noticed_by(game, events[told], viewer)) own.push_back(std::move(*e));
    return own;
}

SeatTable::SeatTable(std::shared_ptr<const Machine> machine, int viewer) : machine_(std::move(machine)), places_(machine_->game.places) {
    const Game& game = machine_->game;
    const std::unique_ptr<Run> run = make_run(machine_);
    run->start();
    for (PlaceId p = 1; p < game.places; ++p) places_[p].seen = sees(game, seers_of(*machine_, p), viewer);
    facts_.resize(game.facts.size());
    for (const FactId f : game.facts.ids()) {
        const Fact& fact = game.facts[f];
        for (std::int32_t i = 0; i < fact.count; ++i) {
            Value value{sees(game, seers_of(game, fact.seers, fact.by, i), viewer), {}};
            if (value.seen) value.values = fact.type.base == Base::set ? run->fact_set(f, i) : std::vector{run->fact(f, i)};
            facts_[f].push_back(std::move(value));
        }
    }
    initial_ = facts_;
    lay_out(*run);
}

// Cards that the rules lay out face down at the beginning are no event: everybody knows how many they are.
void SeatTable::lay_out(Run& run) {
    const Game& game = machine_->game;
    std::vector<std::ptrdiff_t> came(places_.size(), 0);  // as events
    Events events;
    run.record(&events);
    run.advance();
    for (const Event& e : events) {
        if (e.kind != EventKind::draw && e.kind != EventKind::move) continue;
        came[e.from] -= std::ssize(e.pieces);
        came[e.to] += std::ssize(e.pieces);
    }
    for (PlaceId p = 1; p < game.places; ++p) {
        const auto at = p;
        std::ptrdiff_t before = run.size_at(p);
        before -= came[at];
        if (!places_[at].seen && before > 0) places_[at].kinds.assign(before, hidden_card);
    }
}

void SeatTable::look(const TableView& table) {
    const Game& game = machine_->game;
    for (PlaceId p = 1; p < game.places; ++p) {
        Place& place = places_[p];
        place.kinds.assign(table.size_at(p), hidden_card);
        if (!place.seen) continue;
        const std::vector<KindId> kinds = table.kinds_at(p);
        place.kinds.assign(kinds.begin(), kinds.end());
        if (!is_ordered(*machine_, p)) std::ranges::sort(place.kinds);
    }
    for (const FactId f : game.facts.ids())
        for (std::int32_t i = 0; i < game.facts[f].count; ++i)
            if (Value& value = facts_[f][i]; value.seen)
                value.values = game.facts[f].type.base == Base::set ? table.fact_set(f, i) : std::vector{table.fact(f, i)};
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
    std::vector<std::int32_t>& kinds = places_[from].kinds;
    const auto last = std::find(kinds.rbegin(), kinds.rend(), places_[from].seen ? kind : hidden_card);
    if (last != kinds.rend()) kinds.erase(std::next(last).base());
}

void SeatTable::put(PlaceId to, std::int32_t kind) {
    if (to <= 0) return;
    Place& place = places_[to];
    place.kinds.push_back(place.seen ? kind : hidden_card);
    if (!is_ordered(*machine_, to)) std::sort(place.kinds.begin(), place.kinds.end());
}

void SeatTable::see(const Event& e) {
    switch (e.kind) {
        case EventKind::draw:
        case EventKind::move:
            for (const std::int32_t kind : e.pieces) take(e.from, kind);
            for (const std::int32_t kind : e.pieces) put(e.to, kind);
            return;
        case EventKind::shuffle:
            if (e.from > 0) std::ranges::sort(places_[e.from].kinds);
            return;
        case EventKind::becomes: {
            Value& value = facts_[FactId(e.name)][std::max<std::int32_t>(0, e.index)];
            if (!value.seen) return;
            value.values = machine_->game.facts[FactId(e.name)].type.base == Base::set ? e.values : std::vector{e.value};
            return;
        }
        default:
            return;
    }
}

}  // namespace houserule::cli
