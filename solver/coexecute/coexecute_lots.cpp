// Lots, and what the table tells, on unknowns: see coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// Which card chance draws: one that has a slot, or one of a kind.
Input drawn_slot(StepId step, std::int32_t slot) {
    Input input;
    input.what = Input::What::slots;
    input.step = step;
    input.slots = {slot};
    return input;
}

}  // namespace

// What is told to the seat is what fell; of what it is not told anything may have.
Coexecution::Walk Coexecution::report(UnknownTable& t, const Step& s) {
    if (s.y == no_id) return told(t, s);
    if (!settle(t, s.y)) return Walk::stuck;
    if (known(evaluator(t).scalar(s.y)) == Value{-1}) return unseen_lot(t, s);  // told to nobody
    return for_whoever(t, s.y, game_.players,
                       [&](UnknownTable& path, Value seer) { return seer == seat_ ? told(path, s) : unseen_lot(path, s); });
}

Coexecution::Walk Coexecution::told(UnknownTable& t, const Step& s) {
    const Seen* e = next_seen(t);
    const EventKind kind = s.mode == 1 ? EventKind::lot : EventKind::report;
    if (e == nullptr || e->event.kind != kind || e->event.name != told_name(machine_, s)) return Walk::dead;
    if (!settle(t, s.x)) return Walk::stuck;
    const Value value = e->event.values[0];
    if (game_.expressions[s.x].type.base == Base::cards) return card_falls(t, s, PlacedKind::of_value(value));
    return value_falls(t, s, value, true);
}

// Everybody sees which card chance picks, each being as likely; and where it lies, if those that it picks from lie at several places.
Coexecution::Walk Coexecution::card_falls(UnknownTable& t, const Step& s, PlacedKind shown) {
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    if (shown.place != no_id) return card_falls(t, s, cards, shown.place, shown);
    std::set<PlaceId> places;
    for (const Copies<Terms>& c : cards.copies)
        if (c.count.high() > 0) places.insert(c.place);
    if (places.empty()) return Walk::dead;
    if (places.size() == 1) return card_falls(t, s, cards, *places.begin(), shown);
    return for_any(t, 0, game_.places, [&](UnknownTable& path, Value one) {
        const auto only_there = [&](const Copies<Terms>& c) {
            return c.place == one || require(path, terms_.negate(arithmetic::positive(terms_, c.count)));
        };
        if (!places.contains(PlaceId(one)) || !std::ranges::all_of(cards.copies, only_there)) return Walk::dead;
        return card_falls(path, s, cards, PlaceId(one), shown);
    });
}

Coexecution::Walk Coexecution::card_falls(UnknownTable& t, const Step& s, const Cards<Terms>& cards, PlaceId place, PlacedKind shown) {
    Truth there = Formulas::no;
    std::vector<Truth> elsewhere;
    for (const Copies<Terms>& c : cards.copies) {
        if (c.place != place) elsewhere.push_back(arithmetic::positive(terms_, c.count));
        if (c.kind != shown.kind || c.place != place) continue;
        there = arithmetic::positive(terms_, c.count);
        dealer_.count(t, there, c.count);
    }
    if (!require(t, there)) return Walk::dead;
    if (shown.place != no_id && !require(t, terms_.any(elsewhere))) return Walk::dead;  // else it would not be told where
    const Card<Terms> card{terms_.constant(shown.kind), terms_.constant(place)};
    const Terms::Int size = collections::size(terms_, cards);
    return for_each_value(t, size, size.high() + 1, [&](UnknownTable& path, Value all) {
        if (all == 0) return Walk::dead;
        path.chance /= all;
        name_anew(path, s.a, no_id);
        path.state.variables[s.a] = card;
        if (all > 1) path.inputs.push_back(number_input(path.pc, terms_.constant(shown.value())));
        ++path.seen;
        return on(path);
    });
}

// How likely a value is, beside the others; its weight must be settled.
Terms::Int Coexecution::weight_of(UnknownTable& t, const Step& s, Value value) {
    if (s.b == no_id) return terms_.constant(1);
    for (const auto& [of, weight] : machine_.weights[s.b])
        if (of == value) return arithmetic::larger(terms_, terms_.constant(0), evaluator(t).scalar(weight));
    return terms_.constant(0);
}

// This value falls, by chance or as the table tells. How likely that was rests on what else there was, and on their weights: where those
// are not known, a path goes on for each that they may be.
Coexecution::Walk Coexecution::value_falls(UnknownTable& t, const Step& s, Value value, bool seen) {
    const auto different = outcomes(t, s);
    if (!different) return Walk::stuck;
    const Set<Terms> options = evaluator(t).set(s.x);
    if (!require(t, collections::has_element(terms_, options, terms_.constant(value)))) return Walk::dead;
    const Truth asked = terms_.less(terms_.constant(1), *different);  // what is the only possibility follows by itself
    const auto falls = [&](UnknownTable& path) {
        number(path, s.a) = terms_.constant(value);
        if (asked != Formulas::no) path.inputs.push_back(number_input(path.pc, terms_.constant(value), asked));
        if (seen) ++path.seen;
        return on(path);
    };
    const Terms::Int own = weight_of(t, s, value);
    if (!require(t, arithmetic::positive(terms_, own))) return Walk::dead;
    if (s.mode != 1) return falls(t);
    std::vector<Terms::Int> weights;
    for (Value v = options.first; v < options.end(); ++v)
        weights.push_back(terms_.choose(options.has[v - options.first], weight_of(t, s, v), terms_.constant(0)));
    const Terms::Int all = arithmetic::total(terms_, std::move(weights));
    if (!terms_.each_case(own, [](Value, const Truth&) {}) || !terms_.each_case(all, [](Value, const Truth&) {}))
        return too_many_values(TermLimits{}.cases);
    return for_each_value(t, all, all.high() + 1, [&](UnknownTable& among, Value of) {
        return for_each_value(among, own, own.high() + 1, [&](UnknownTable& path, Value weight) {
            if (weight == 0 || of == 0) return Walk::dead;
            path.chance *= Rational(weight, of);
            return falls(path);
        });
    });
}

bool Coexecution::is_known(const Set<Terms>& options) {
    return std::ranges::all_of(options.has, [&](const Truth& has) { return terms_.known(has).has_value(); });
}

bool Coexecution::requires_of_options(UnknownTable& t, const Set<Terms>& options, const Terms::Int& value, const Seen* seen) {
    const Truth there = collections::has_element(terms_, options, value);
    return seen == nullptr && is_known(options) ? Dealer::require_law(t, there) : require(t, there);
}

// Any of the outcomes: as values of one unknown where each is as likely, and it is known which there are.
Coexecution::Walk Coexecution::unseen_lot(UnknownTable& t, const Step& s) {
    if (!settle(t, s.x)) return Walk::stuck;
    const Set<Terms> options = evaluator(t).set(s.x);
    if (options.end() - options.first > Dealer::fresh_most) return too_many_values(Dealer::fresh_most);
    if (s.b != no_id || !is_known(options)) {
        return for_any(t, options.first, options.end(),
                       [&](UnknownTable& path, Value value) { return value_falls(path, s, value, false); });
    }
    const Value all = std::ranges::count(options.has, Formulas::yes);
    if (all == 0) return Walk::dead;
    const Value only = options.first + (std::ranges::find(options.has, Formulas::yes) - options.has.begin());
    const Terms::Int value = all == 1 ? terms_.constant(only) : dealer_.fresh(t, options.first, options.end() - 1);
    if (!Dealer::require_law(t, collections::has_element(terms_, options, value))) return Walk::dead;
    t.chance /= all;
    number(t, s.a) = value;
    if (all > 1) t.inputs.push_back(number_input(t.pc, value));
    return on(t);
}

// How many things can be told or picked at a step; nothing when that cannot be told.
std::optional<Terms::Int> Coexecution::outcomes(UnknownTable& t, const Step& s) {
    if (!settle(t, s.x)) return std::nullopt;
    if (game_.expressions[s.x].type.base == Base::cards) return collections::size(terms_, evaluator(t).cards(s.x));
    const Set<Terms> options = evaluator(t).set(s.x);
    if (s.b == no_id) return collections::size(terms_, options);
    std::vector<Terms::Int> there;
    for (const auto& [value, weight] : machine_.weights[s.b]) {
        if (!settle(t, weight)) return std::nullopt;
        const Truth weighs = arithmetic::positive(terms_, evaluator(t).scalar(weight));
        const Truth has = collections::has_element(terms_, options, terms_.constant(value));
        there.push_back(arithmetic::count(terms_, terms_.both(has, weighs)));
    }
    return arithmetic::total(terms_, std::move(there));
}

// One thing alone is told, and picked, without a question; so is what chance picks and the seat is not told.
Coexecution::Walk Coexecution::until_told(UnknownTable& table, const Step& s) {
    if (s.y != no_id && s.mode == 1 && settle(table, s.y)) {
        const Truth own = terms_.equal(evaluator(table).scalar(s.y), terms_.constant(seat_));
        if (!keep_promises(table)) return Walk::dead;
        if (own != Formulas::yes) return until_own_if(table, own);
    }
    const auto seer = s.y == no_id ? std::optional<Value>(seat_) : known_number(table, s.y);
    const auto all = seer ? outcomes(table, s) : std::nullopt;
    if (!all) return not_told(table);
    if (!keep_promises(table)) return Walk::dead;
    if (const auto n = known(*all)) return *n > 1 ? Walk::done : Walk::next;
    if (*seer != seat_) return not_told(table);
    return require(table, terms_.less(terms_.constant(1), *all)) ? Walk::done : Walk::dead;
}

// Where nothing lies at the place to draw from, and the rules say what then, another path goes on there.
void Coexecution::split_where_empty(const UnknownTable& t, const Step& s, const Terms::Int& places) {
    for (Value p = std::max<Value>(0, places.low()); p <= std::min<Value>(game_.places - 1, places.high()); ++p)
        if (t.sizes[p] == 0 && s.c != no_id) split(t, terms_.equal(places, terms_.constant(p)), s.c);
}

// One card alone is drawn without a question.
Coexecution::Walk Coexecution::until_drawn(UnknownTable& table, const Step& s) {
    if (!settle(table, s.x)) return not_told(table);
    const Terms::Int from = evaluator(table).scalar(s.x);
    if (!keep_promises(table)) return Walk::dead;
    const auto is_asked = [&](PlaceId place) {
        if (table.sizes[place] == 0 || (is_ordered(place) && !is_stack(place) && s.mode != 1)) return false;
        return (is_stack(place) && s.mode != 1 ? table.parts[place].back().size : table.sizes[place]) > 1;
    };
    const auto only = known(from);
    if (only && !is_a_place(*only)) return Walk::dead;
    if (only && !is_asked(PlaceId(*only))) return Walk::next;
    // From elsewhere a card would go without a question, which all notice, unless there is none.
    Truth asked = Formulas::no;
    for (Value p = std::max<Value>(0, from.low()); p <= std::min<Value>(game_.places - 1, from.high()); ++p) {
        if (is_asked(PlaceId(p))) asked = terms_.either(asked, terms_.equal(from, terms_.constant(p)));
    }
    split_where_empty(table, s, from);
    if (!require(table, asked)) return Walk::dead;
    return settle(table, s.y) ? until_read(table, s.y) : not_told(table);
}

// Which place it is where the next line, a draw, tells `told`, although the place rests on what is hidden.
Coexecution::Walk Coexecution::as_told(UnknownTable& t, ExpressionId place, std::int32_t told) {
    return require(t, terms_.equal(evaluator(t).scalar(place), terms_.constant(told))) ? Walk::next : Walk::dead;
}

// Which cards of a place may be the one that is drawn there, of that kind where it was seen.
std::function<Coexecution::Gone(KindId)> Coexecution::gone_by_draw(const UnknownTable& t, PlaceId place, std::optional<KindId> kind) {
    const bool are_counted = std::ranges::all_of(t.parts[place], [](const Part& part) { return part.holdings.empty(); });
    const Truth is_alone = terms_.truth(t.sizes[place] == 1);
    return [this, kind, are_counted, is_alone, there = present_counts(t, place)](KindId k) -> Gone {
        if (kind && *kind != k) return {Formulas::no, Formulas::no};
        const Truth all = kind && are_counted ? terms_.equal(there[k], terms_.constant(1)) : is_alone;
        return {all, terms_.negate(all)};
    };
}

Coexecution::Walk Coexecution::draw(UnknownTable& t, const Step& s) {
    if (!settle(t, s.x)) return Walk::stuck;
    auto from = known(evaluator(t).scalar(s.x));
    if (!from) {
        const Terms::Int places = evaluator(t).scalar(s.x);
        split_where_empty(t, s, places);
        const Seen* e = next_seen(t);
        if (e == nullptr || e->event.kind != EventKind::draw || as_told(t, s.x, e->event.from) != Walk::next) return Walk::dead;
        from = Value(e->event.from);
        if (t.sizes[*from] == 0) return Walk::dead;
    }
    if (!is_a_place(*from)) return Walk::dead;
    const PlaceId place = PlaceId(*from);
    if (t.sizes[place] == 0) {  // where to is not read
        if (s.c == no_id) return Walk::dead;
        t.pc = s.c;
        return Walk::next;
    }
    if (!settle(t, s.y)) return Walk::stuck;
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::draw || e->event.from != *from) return Walk::dead;
    if (as_told(t, s.y, e->event.to) != Walk::next) return Walk::dead;
    const PlaceId target = e->event.to;
    // Names of cards that may be the one that is drawn are told first.
    if (std::any_of(t.unread.begin(), t.unread.end(), [&](const auto& u) { return u.second.place == place; })) dealer_.settle(t, place);
    auto kind = e->faces ? std::optional<KindId>(e->event.pieces[0]) : std::nullopt;
    if (!names_follow(t, no_id, place, target, gone_by_draw(t, place, kind))) return Walk::stuck;
    if (s.a != no_id) name_anew(t, s.a, no_id);
    t.unread.erase(s.a);
    const bool row = place != 0 && game_.zones[machine_.place_zone[place]].shape == Shape::row && s.mode != 1;
    std::int32_t slot = -1;
    if (row) {
        // The last one: no chance.
        if (!settle_order(t, place)) return Walk::stuck;
        const Terms::Int last = t.state.piles[place].order.back();
        if (kind && !require(t, terms_.equal(last, terms_.constant(*kind)))) return Walk::dead;
        std::vector<Terms::Int> counts(game_.kinds.size());
        for (std::size_t k = 0; k < counts.size(); ++k)
            counts[k] = arithmetic::count(terms_, terms_.equal(kind ? terms_.constant(*kind) : last, terms_.constant(k)));
        if (!dealer_.take(t, place, counts, 1, Leaving::last)) return Walk::dead;
        dealer_.give(t, target, counts, 1, put_on);
        if (s.a != no_id) t.state.variables[s.a] = Card<Terms>{kind ? terms_.constant(*kind) : last, terms_.constant(target)};
    } else {
        const std::size_t part = is_stack(place) ? t.parts[place].size() - 1 : 0;
        const std::vector<Terms::Int> before = t.parts[place][part].counts;
        const bool forced = t.parts[place][part].size == 1;  // nobody is asked which
        if (!dealer_.draw(t, place, target, part, kind, &slot)) return Walk::dead;
        if (slot >= 0) {
            if (!forced) t.inputs.push_back(drawn_slot(t.pc, slot));
            const auto read = s.a != no_id ? Dealer::counts_of(t, slot) : std::nullopt;
            if (read)
                t.state.variables[s.a] = Card<Terms>{kind_of_one(terms_, *read), terms_.constant(target)};
            else if (s.a != no_id && is_read_[s.a])
                t.unread[s.a] = {target, {slot}};
        } else {
            const Terms::Int drawn = kind ? terms_.constant(*kind) : kind_of_one(terms_, before);
            if (!forced) t.inputs.push_back(number_input(t.pc, drawn));
            if (s.a != no_id) t.state.variables[s.a] = Card<Terms>{drawn, terms_.constant(target)};
        }
    }
    ++t.seen;
    ++t.pc;
    return Walk::next;
}

}  // namespace houserule
