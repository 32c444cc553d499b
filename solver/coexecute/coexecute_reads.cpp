// What a rule reads must have kinds: see coexecute.hpp.
#include "dsl/game/parts.hpp"
#include "dsl/meaning/split.hpp"
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace houserule {

namespace {

constexpr Value element_tries = 1000;  // elements of which each is looked at, of all that an expression is about

}  // namespace

// The places that an expression may stand for.
std::vector<PlaceId> Coexecution::places_of(UnknownTable& t, ExpressionId expression) {
    const Expression& x = game_.expressions[expression];
    std::vector<PlaceId> places;
    if (x.op == Operator::fail) return places;
    if (x.op == Operator::conditional && has_bound_[expression]) {
        places = places_of(t, x.b);
        for (const PlaceId p : places_of(t, x.c))
            if (std::find(places.begin(), places.end(), p) == places.end()) places.push_back(p);
        return places;
    }
    if (x.op == Operator::place && (x.a == no_id || has_bound_[x.a])) {
        const Zone& z = game_.zones[x.named()];
        for (std::int32_t i = 0; i < z.places; ++i) places.push_back(z.first_place + i);
        return places;
    }
    if (has_bound_[expression]) {
        for (PlaceId p = 1; p < game_.places; ++p) places.push_back(p);
        return places;
    }
    const Terms::Int place = terms_.guarded(Formulas::no, [&] { return evaluator(t).scalar(expression); });
    for (Value p = std::max<Value>(0, place.low()); p <= std::min<Value>(place.high(), game_.places - 1); ++p)
        if (terms_.equal(place, terms_.constant(p)) != Formulas::no) places.push_back(PlaceId(p));
    return places;
}

bool Coexecution::settle_place(UnknownTable& t, PlaceId place) {
    if (t.effects && t.touched[place] && t.unread_then[place]) return problem_ = {LimitKind::moment_twice}, false;
    dealer_.settle(t, place);
    return true;
}

// The kind of the cards of a part if they are alike, else -1.
Terms::Int Coexecution::kind_of_all(const Part& part) {
    if (part.size == 1) return kind_of_one(terms_, part.counts);
    std::map<Value, std::vector<Truth>> kinds;
    std::vector<Truth> alike;
    for (std::size_t k = 0; k < part.counts.size(); ++k) {
        if (part.counts[k].high() < part.size) continue;
        alike.push_back(terms_.equal(part.counts[k], terms_.constant(part.size)));
        kinds[k].push_back(alike.back());
    }
    kinds[-1].push_back(terms_.negate(terms_.any(alike)));
    return terms_.from_cases(std::move(kinds));
}

// The order of a row or stack, as far as it is known.
bool Coexecution::settle_order(UnknownTable& t, PlaceId place) {
    if (!settle_place(t, place)) return false;
    Pile<Terms>& pile = t.state.piles[place];
    // While effects read the table as it was: how many lay there.
    const Value there = t.effects && !is_stack(place) ? known(*pile.size).value_or(t.sizes[place]) : t.sizes[place];
    if (there == 0) return true;
    if (!is_stack(place)) {
        if (there == 1) pile.order = {kind_of_one(terms_, pile.counts)};
        if (pile.order.empty()) return problem_ = {LimitKind::order_not_known}, false;
        return true;
    }
    // What lies on it now, and not when the moment began.
    if (t.effects && (t.touched[place] || known(*pile.size) != t.sizes[place])) return problem_ = {LimitKind::moment_twice}, false;
    pile.order.clear();
    for (const Part& part : t.parts[place]) pile.order.insert(pile.order.end(), part.size, kind_of_all(part));
    return true;
}

// Whether few enough sets of the cards are possible to judge each, and for each the sets that its condition splits; of what depends on an
// element, that of any element.
bool Coexecution::may_split(UnknownTable& t, ExpressionId cards) {
    const std::uint64_t most =
        limits_.condition == 0 ? split_limit_unknown : std::min<std::uint64_t>(split_limit_unknown, limits_.condition);
    Value sets_most = 1;
    const auto few = [&] {
        const Cards<Terms> of = terms_.guarded(Formulas::no, [&] { return evaluator(t).cards(cards); });
        const std::vector<Terms::Int> there = collections::counts(of);
        const Value sets = std::max<Value>(1, Split<Terms>::sets_of(terms_, there));
        sets_most = std::max(sets_most, sets);
        const bool is_known = sets_inside_ == 1 && Split<Terms>::is_known(terms_, there);
        return is_known || std::cmp_less_equal(sets * sets_inside_, most);
    };
    std::map<BoundId, Type> bounds;
    std::vector<BoundId> inner;
    any_read(game_, cards, [&](const Expression& x) {
        if (x.op == Operator::bound) bounds.emplace(x.bound(), x.type);
        if (binds(x.op)) inner.push_back(x.bound());
        return false;
    });
    for (const BoundId bound : inner) bounds.erase(bound);
    // Each element in turn, as a card that lies nowhere: no fewer sets are left than without it.
    std::vector<std::pair<BoundId, Elements>> elements;
    Value tries = 1;
    for (const auto& [bound, type] : bounds) {
        const ValueRange range = range_of(game_, type);
        elements.emplace_back(bound, Elements{range.low, Value{range.high} - range.low + 1});
        tries *= elements.back().second.count;
        if (tries <= 0 || tries > element_tries) return problem_ = {LimitKind::too_many_sets, most}, false;
    }
    const auto bounds_before = t.state.bounds;
    bool fine = true;
    for (Value one = 0; fine && one < tries; ++one) {
        Value rest = one;
        for (const auto& [bound, all] : elements) {
            t.state.bounds[bound] = {terms_.constant(all.first + rest % all.count), terms_.constant(-1)};
            rest /= all.count;
        }
        fine = few();
    }
    t.state.bounds = bounds_before;
    if (!fine) problem_ = {LimitKind::too_many_sets, most};
    sets_inside_ *= sets_most;
    return fine;
}

bool Coexecution::settle(UnknownTable& t, ExpressionId expression) {
    if (expression == no_id || !reads_cards_[expression]) return true;
    const Expression& x = game_.expressions[expression];
    switch (x.op) {
        case Operator::size_of_cards:
            return settle_cards(t, x.a, false);
        case Operator::first_card:
        case Operator::last_card: {
            if (!settle(t, x.a)) return false;
            const std::vector<PlaceId> places = places_of(t, x.a);
            return std::all_of(places.begin(), places.end(), [&](PlaceId p) { return settle_order(t, p); });
        }
        case Operator::first_cards:
        case Operator::last_cards: {
            if (!settle(t, x.a) || !settle(t, x.b)) return false;
            const std::vector<PlaceId> places = places_of(t, x.a);
            return std::all_of(places.begin(), places.end(), [&](PlaceId p) { return settle_order(t, p); });
        }
        case Operator::least_left: {
            const Value beside = std::exchange(sets_inside_, 1);
            const bool fine = settle(t, x.a) && settle(t, x.b) && may_split(t, game_.expressions[x.a].a);
            sets_inside_ = fine ? std::max(beside, sets_inside_) : 1;
            return fine;
        }
        case Operator::variable:
            dealer_.settle_variable(t, x.named());
            return true;
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_family:
        case Operator::cards_unplaced:
        case Operator::cards_variable:
            return settle_cards(t, expression, true);
        default:
            return settle(t, x.a) && settle(t, x.b) && settle(t, x.c);
    }
}

// The zones that an expression of cards goes over, if it does nothing but that.
std::optional<std::vector<ZoneId>> Coexecution::plain_zones(ExpressionId expression) const {
    const Expression& x = game_.expressions[expression];
    if (x.op == Operator::cards_of) return std::vector<ZoneId>{x.named()};
    if (x.op == Operator::cards_at && game_.expressions[x.a].op == Operator::place)
        return std::vector<ZoneId>{game_.expressions[x.a].named()};
    if (x.op != Operator::cards_join) return std::nullopt;
    auto a = plain_zones(x.a);
    const auto b = plain_zones(x.b);
    if (!a || !b) return std::nullopt;
    for (const ZoneId z : *b) {
        if (std::find(a->begin(), a->end(), z) != a->end()) return std::nullopt;
        a->push_back(z);
    }
    return a;
}

// `contents`: not only how many there are.
bool Coexecution::settle_cards(UnknownTable& t, ExpressionId expression, bool contents) {
    if (!reads_cards_[expression]) return true;
    const Expression& x = game_.expressions[expression];
    const auto all_of = [&](const std::vector<PlaceId>& places) {
        return !contents || std::all_of(places.begin(), places.end(), [&](PlaceId p) { return settle_place(t, p); });
    };
    switch (x.op) {
        case Operator::cards_at:
            return settle(t, x.a) && all_of(places_of(t, x.a));
        case Operator::cards_of: {
            if (!settle(t, x.a)) return false;
            const Zone& z = game_.zones[x.named()];
            std::vector<PlaceId> places;
            if (has_bound_[x.a]) {
                for (std::int32_t i = 0; i < z.places; ++i) places.push_back(z.first_place + i);
            } else {
                const Set<Terms> owners = terms_.guarded(Formulas::no, [&] { return evaluator(t).set(x.a); });
                for (Value v = owners.first; v < owners.end(); ++v)
                    if (owners.has[v - owners.first] != Formulas::no && v >= 0 && v < z.places)
                        places.push_back(z.first_place + static_cast<std::int32_t>(v));
            }
            return all_of(places);
        }
        case Operator::cards_family:
        case Operator::cards_unplaced: {
            std::vector<PlaceId> places;
            for (PlaceId p = 0; p < (x.op == Operator::cards_family ? game_.places : 1); ++p) places.push_back(p);
            contents = true;
            return all_of(places);
        }
        case Operator::cards_variable:
            dealer_.settle_variable(t, x.named());
            return true;
        case Operator::cards_join: {
            const bool apart = !contents && plain_zones(expression).has_value();
            return settle_cards(t, x.a, !apart) && settle_cards(t, x.b, !apart) && (apart || settle_shared(t, x.a, x.b));
        }
        case Operator::first_cards:
        case Operator::last_cards:
            return settle(t, expression);
        default:
            return settle(t, x.a) && settle(t, x.b) && settle(t, x.c);
    }
}

// Copies that may be meant by both: how many there are counts.
bool Coexecution::settle_shared(UnknownTable& t, ExpressionId a, ExpressionId b) {
    if (has_bound_[a] || has_bound_[b]) return true;  // of an element of what was settled
    const auto cards = [&](ExpressionId expression) {
        return terms_.guarded(Formulas::no, [&] { return evaluator(t).cards(expression); });
    };
    const Cards<Terms> first = cards(a);
    const Cards<Terms> second = cards(b);
    for (const Copies<Terms>& c : first.copies) {
        const bool shared = std::any_of(second.copies.begin(), second.copies.end(),
                                        [&](const Copies<Terms>& o) { return o.place == c.place && o.kind == c.kind; });
        if (shared && !settle_place(t, c.place)) return false;
    }
    return true;
}

// What decides whether a given card is among the options; not what else is.
bool Coexecution::settle_filter(UnknownTable& t, ExpressionId options) {
    const Expression& x = game_.expressions[options];
    switch (x.op) {
        case Operator::cards_at:
        case Operator::cards_of:
            return settle(t, x.a);
        case Operator::cards_where:
        case Operator::cards_minus:
            return settle_filter(t, x.a) && settle(t, x.b);
        default:
            return settle(t, options);
    }
}

// The places whose whole contents an expression stands for, if it does.
std::optional<std::vector<PlaceId>> Coexecution::whole_places(UnknownTable& t, ExpressionId expression) {
    const Expression& x = game_.expressions[expression];
    if (has_bound_[expression]) return std::nullopt;
    std::vector<PlaceId> places;
    switch (x.op) {
        case Operator::cards_at: {
            if (!settle(t, x.a)) return std::nullopt;
            const auto place = known(terms_.guarded(Formulas::no, [&] { return evaluator(t).scalar(x.a); }));
            if (!place || !is_a_place(*place)) return std::nullopt;
            return std::vector<PlaceId>{PlaceId(*place)};
        }
        case Operator::cards_of: {
            if (!settle(t, x.a)) return std::nullopt;
            const Set<Terms> owners = terms_.guarded(Formulas::no, [&] { return evaluator(t).set(x.a); });
            for (Value v = owners.first; v < owners.end(); ++v) {
                const auto in = terms_.known(owners.has[v - owners.first]);
                if (!in) return std::nullopt;
                if (*in) places.push_back(game_.zones[x.named()].first_place + static_cast<std::int32_t>(v));
            }
            return places;
        }
        case Operator::cards_family:
            for (PlaceId p = 0; p < game_.places; ++p) {
                const Value size = t.effects ? known(*t.state.piles[p].size).value_or(0) : t.sizes[p];
                if (size == 0) continue;
                bool others = false;
                bool its = false;
                for (const FamilyId f : game_.families.ids()) {
                    const bool may = p == 0 || game_.zones[machine_.place_zone[p]].families[f];
                    (x.named() == no_id || x.named() == f ? its : others) |= may;
                }
                if (its && others) return std::nullopt;
                if (its) places.push_back(p);
            }
            return places;
        case Operator::cards_join: {
            auto a = whole_places(t, x.a);
            const auto b = whole_places(t, x.b);
            if (!a || !b) return std::nullopt;
            for (const PlaceId p : *b)
                if (std::find(a->begin(), a->end(), p) == a->end()) a->push_back(p);
            std::sort(a->begin(), a->end());
            return a;
        }
        default:
            return std::nullopt;
    }
}

// Whether of a kind with several copies some may be among the options while others at the same place are not.
bool Coexecution::may_be_some_copies(ExpressionId options, KindId kind) const {
    if (options == no_id || game_.kinds[kind].copies < 2) return false;
    const Expression& x = game_.expressions[options];
    switch (x.op) {
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_family:
        case Operator::cards_unplaced:
        case Operator::cards_none:
            return false;
        case Operator::cards_where:
        case Operator::cards_most:
        case Operator::cards_least:
            return may_be_some_copies(x.a, kind);
        case Operator::cards_join:
        case Operator::cards_or_if_none:
            return may_be_some_copies(x.a, kind) || may_be_some_copies(x.b, kind);
        case Operator::cards_conditional:
            return may_be_some_copies(x.b, kind) || may_be_some_copies(x.c, kind);
        default:
            return true;
    }
}

// The variable that an expression of cards is, if it is one.
VariableId Coexecution::name_of_cards(ExpressionId expression) const {
    const Expression& x = game_.expressions[expression];
    if (x.op == Operator::cards_variable) return x.named();
    const bool one = x.op == Operator::cards_single && game_.expressions[x.a].op == Operator::variable;
    return one ? VariableId(game_.expressions[x.a].named()) : VariableId();
}

// The one place from which options come, whatever else restricts them.
std::optional<PlaceId> Coexecution::source_of(UnknownTable& t, ExpressionId options) {
    const Expression& x = game_.expressions[options];
    if (x.op == Operator::cards_where || x.op == Operator::cards_minus || x.op == Operator::cards_most || x.op == Operator::cards_least)
        return source_of(t, x.a);
    auto places = whole_places(t, options);
    if (!places) return std::nullopt;
    std::erase_if(*places, [&](PlaceId p) { return t.sizes[p] == 0; });
    if (places->size() != 1 || is_stack(places->front())) return std::nullopt;
    return places->front();
}

// Which kinds of cards at one place an expression stands for, whatever lies there, if it goes by nothing else.
std::optional<Coexecution::KindsAt> Coexecution::kinds_at(UnknownTable& t, ExpressionId expression) {
    const Expression& x = game_.expressions[expression];
    if (x.op != Operator::cards_where || reads_cards_[x.b] || t.effects) return std::nullopt;
    const auto places = whole_places(t, x.a);
    if (!places || places->size() != 1 || is_stack(places->front())) return std::nullopt;
    KindsAt result{places->front(), std::vector<bool>(game_.kinds.size())};
    Pile<Terms>& pile = t.state.piles[result.place];
    Pile<Terms> one_of_each{std::vector<Terms::Int>(game_.kinds.size(), terms_.constant(1)), {}, std::nullopt};
    std::swap(pile, one_of_each);
    const Cards<Terms> cards = terms_.guarded(Formulas::no, [&] { return evaluator(t).cards(expression); });
    std::swap(pile, one_of_each);
    for (const Copies<Terms>& c : cards.copies) {
        if (!c.count.is_constant()) return std::nullopt;
        result.kinds[c.kind] = c.count.low() > 0;
    }
    return result;
}

}  // namespace houserule
