#include "solver/prove/abstract_state.hpp"

#include "solver/prove/promise_sites.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace houserule {

namespace {

using Int = Terms::Int;

}  // namespace

TransferFunctions::TransferFunctions(Terms& terms, Unknowns& unknowns, const Game& of)
    : d(terms), unknowns_(unknowns), game(of), zone_of_(of.places, no_id) {
    for (const ZoneId z : game.zones.ids())
        for (std::int32_t i = 0; i < game.zones[z].places; ++i) zone_of_[game.zones[z].first_place + i] = z;
    ends_read.assign(game.zones.size(), false);
    shuffled = shuffled_zones(game);
}

Value TransferFunctions::capacity(PlaceId place) const {
    return place == 0 ? pieces() : std::min<Value>(pieces(), game.zones[zone_of(place)].capacity);
}

bool TransferFunctions::fits_family(PlaceId place, KindId kind) const {
    return place == 0 || game.zones[zone_of(place)].families[game.kinds[kind].family];
}

AbstractState TransferFunctions::start() const {
    AbstractState f;
    f.at = initial_state(d, game);
    f.path = Formulas::yes;
    for (PlaceId p = 0; p < game.places; ++p) {
        Pile<Terms>& pile = f.at.piles[p];
        pile.size = d.constant(p == 0 ? pieces() : 0);
        pile.ends = Ends<Terms>{d.truth(p == 0), d.constant(-1), d.constant(-1), p != 0 && shuffled[zone_of(p)]};
    }
    return f;
}

void TransferFunctions::assume(const AbstractState& f, const Truth& holds, std::optional<std::size_t> from) {
    const Truth needed = d.either(d.negate(f.path), holds);
    const std::size_t unknowns = d.formulas().unknowns().size();
    if (unknowns > told_to_) told_from_ = std::exchange(told_to_, unknowns);
    if (needed != Formulas::yes) assumed.push_back({needed, holds, from.value_or(told_from_), unknowns});
}

// Sums past `cap` count as `cap`: as a balanced tree whose partial sums stay small.
Int TransferFunctions::sum(std::vector<Int> terms, Value cap) const {
    if (terms.empty()) return d.constant(0);
    while (terms.size() > 1) {
        std::vector<Int> sums;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2) {
            const Int both = d.add(terms[i], terms[i + 1]);
            sums.push_back(d.high(both) > cap ? arithmetic::smaller(d, both, d.constant(cap)) : both);
        }
        if (terms.size() % 2 == 1) sums.push_back(terms.back());
        terms = std::move(sums);
    }
    return terms.front();
}

// ---- parting and coming together -------------------------------------------------------------------------------------------------

Content<Terms> TransferFunctions::chosen(const Truth& condition, const Content<Terms>& a, const Content<Terms>& b) const {
    if (const Int* x = std::get_if<Int>(&a)) return d.choose(condition, *x, std::get<Int>(b));
    if (const auto* x = std::get_if<Card<Terms>>(&a)) {
        const auto& y = std::get<Card<Terms>>(b);
        return Card<Terms>{d.choose(condition, x->kind, y.kind), d.choose(condition, x->place, y.place)};
    }
    if (const auto* x = std::get_if<Set<Terms>>(&a)) return collections::choose(d, condition, *x, std::get<Set<Terms>>(b));
    return collections::choose(d, condition, std::get<Cards<Terms>>(a), std::get<Cards<Terms>>(b));
}

bool TransferFunctions::same(const Content<Terms>& a, const Content<Terms>& b) const {
    if (const Int* x = std::get_if<Int>(&a)) return same(*x, std::get<Int>(b));
    if (const auto* x = std::get_if<Card<Terms>>(&a)) {
        const auto& y = std::get<Card<Terms>>(b);
        return same(x->kind, y.kind) && same(x->place, y.place);
    }
    if (const auto* x = std::get_if<Set<Terms>>(&a)) {
        const auto& y = std::get<Set<Terms>>(b);
        return x->first == y.first && x->has == y.has;
    }
    const auto& x = std::get<Cards<Terms>>(a).copies;
    const auto& y = std::get<Cards<Terms>>(b).copies;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&](const auto& i, const auto& j) { return i.place == j.place && i.kind == j.kind && same(i.count, j.count); });
}

void TransferFunctions::require(AbstractState& f, const Truth& condition) const {
    if (condition == Formulas::yes || f.dead()) return;
    for (const auto& [before, path] : f.path_conditions) {
        if (before == condition) return;
        if (before == d.negate(condition)) f.path = Formulas::no;
    }
    f.path = d.both(f.path, condition);
    f.path_conditions.emplace_back(condition, f.path);
}

Truth TransferFunctions::since(const AbstractState& f, const AbstractState& part) const {
    std::vector<Truth> conditions;
    for (std::size_t i = f.path_conditions.size(); i < part.path_conditions.size(); ++i)
        conditions.push_back(part.path_conditions[i].first);
    return part.dead() ? Formulas::no : d.all(conditions);
}

AbstractState TransferFunctions::where(const AbstractState& f, const Truth& condition) const {
    if (condition == Formulas::no || f.dead()) return {};
    AbstractState part = f;
    require(part, condition);
    return part;
}

AbstractState TransferFunctions::merged(AbstractState a, AbstractState b) const {
    if (a.dead()) return b;
    if (b.dead()) return a;
    std::vector<Truth> conditions;
    bool common = true;
    for (std::size_t i = 0; i < a.path_conditions.size(); ++i) {
        common = common && i < b.path_conditions.size() && a.path_conditions[i] == b.path_conditions[i];
        if (!common) conditions.push_back(a.path_conditions[i].first);
    }
    const Truth condition = d.all(conditions);
    return merged(condition, std::move(a), std::move(b));
}

AbstractState TransferFunctions::merged(const Truth& condition, AbstractState a, AbstractState b) const {
    if (a.dead()) return b;
    if (b.dead()) return a;
    const auto ends = [&](const std::optional<Ends<Terms>>& x, const std::optional<Ends<Terms>>& y) -> std::optional<Ends<Terms>> {
        return Ends<Terms>{d.choose_truth(condition, x->any, y->any), d.choose(condition, x->first, y->first),
                           d.choose(condition, x->last, y->last), x->may_be_shuffled};
    };
    const auto piles = [&](std::vector<Pile<Terms>>& x, const std::vector<Pile<Terms>>& y) {
        for (std::size_t p = 0; p < x.size(); ++p) {
            for (std::size_t k = 0; k < x[p].counts.size(); ++k) x[p].counts[k] = d.choose(condition, x[p].counts[k], y[p].counts[k]);
            x[p].size = d.choose(condition, *x[p].size, *y[p].size);
            x[p].ends = ends(x[p].ends, y[p].ends);
        }
    };
    const auto facts = [&](Store<FactId, std::vector<FactSlot<Terms>>>& x, const Store<FactId, std::vector<FactSlot<Terms>>>& y) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (std::size_t j = 0; j < x[i].size(); ++j) {
                x[i][j].given = d.choose_truth(condition, x[i][j].given, y[i][j].given);
                x[i][j].content = chosen(condition, x[i][j].content, y[i][j].content);
            }
        }
    };
    piles(a.at.piles, b.at.piles);
    facts(a.at.facts, b.at.facts);
    if (a.effects) {
        piles(a.piles_now, b.piles_now);
        facts(a.facts_now, b.facts_now);
    }
    for (std::size_t v = 0; v < a.at.variables.size(); ++v) a.at.variables[v] = chosen(condition, a.at.variables[v], b.at.variables[v]);
    for (std::size_t c = 0; c < a.counters.size() && c < b.counters.size(); ++c)
        a.counters[c] = d.choose(condition, a.counters[c], b.counters[c]);
    // Back to where they parted; what is left of the conditions, if anything: one way or the other.
    std::size_t parted = 0;
    while (parted < a.path_conditions.size() && parted < b.path_conditions.size() && a.path_conditions[parted] == b.path_conditions[parted])
        ++parted;
    AbstractState before;
    before.path_conditions.resize(parted);
    const Truth either = d.either(since(before, a), since(before, b));
    a.path_conditions.resize(parted);
    a.path = parted == 0 ? Formulas::yes : a.path_conditions.back().second;
    require(a, either);
    return a;
}

AbstractState TransferFunctions::joined(const std::vector<std::shared_ptr<const AbstractState>>& states) {
    constexpr std::size_t few = 3;
    AbstractState all;
    if (states.size() <= few) {
        for (const auto& f : states) all = merged(*f, std::move(all));
        return all;
    }
    all = *states.front();
    std::size_t common = all.path_conditions.size();
    for (const auto& f : states) {
        std::size_t i = 0;
        while (i < common && i < f->path_conditions.size() && f->path_conditions[i] == all.path_conditions[i]) ++i;
        common = i;
    }
    all.path_conditions.resize(common);
    all.path = common == 0 ? Formulas::yes : all.path_conditions.back().second;
    std::vector<PlaceId> places;
    std::vector<PlaceId> reordered;  // other cards at their ends, as many as before of each kind
    for (PlaceId p = 0; p < game.places; ++p) {
        const Pile<Terms>& x = all.at.piles[p];
        const bool equal = std::all_of(states.begin(), states.end(), [&](const auto& f) {
            const Pile<Terms>& y = f->at.piles[p];
            return same(*x.size, *y.size) &&
                   std::equal(x.counts.begin(), x.counts.end(), y.counts.begin(), [&](const Int& a, const Int& b) { return same(a, b); });
        });
        const bool same_ends = std::all_of(states.begin(), states.end(), [&](const auto& f) {
            const Ends<Terms>& y = *f->at.piles[p].ends;
            return same(x.ends->first, y.first) && same(x.ends->last, y.last);
        });
        if (!equal) places.push_back(p);
        if (equal && !same_ends) reordered.push_back(p);
    }
    for (const PlaceId p : reordered) refresh_ends(all, p);
    for (std::size_t v = 0; v < all.at.variables.size(); ++v) {
        for (const auto& f : states) {
            if (same(all.at.variables[v], f->at.variables[v])) continue;
            all.at.variables[v] = anything(game.variables[v].type);
            break;
        }
    }
    for (std::size_t c = 0; c < all.counters.size(); ++c)
        for (const auto& f : states)
            if (!same(all.counters[c], f->counters[c]))
                all.counters[c] = fresh(0, std::max(d.high(all.counters[c]), d.high(f->counters[c])));
    forget_facts(all, states);
    if (places.empty()) return all;
    const auto range = [&](PlaceId p) {
        Value low = capacity(p);
        Value high = 0;
        for (const auto& f : states) {
            low = std::min(low, d.low(*f->at.piles[p].size));
            high = std::max(high, d.high(*f->at.piles[p].size));
        }
        return std::pair(std::max<Value>(0, low), std::min(high, capacity(p)));
    };
    forget_places(all, places, range, [&](PlaceId p, KindId k) {
        return std::any_of(states.begin(), states.end(), [&](const auto& f) { return d.high(f->at.piles[p].counts[k]) > 0; });
    });
    return all;
}

void TransferFunctions::forget_facts(AbstractState& f, const std::vector<std::shared_ptr<const AbstractState>>& states) {
    for (std::size_t i = 0; i < f.at.facts.size(); ++i) {
        for (std::size_t j = 0; j < f.at.facts[i].size(); ++j) {
            FactSlot<Terms>& slot = f.at.facts[i][j];
            bool equal = true;
            bool always = true;
            Value low = 0;
            Value high = 0;
            for (const auto& other : states) {
                const FactSlot<Terms>& o = other->at.facts[i][j];
                equal = equal && o.given == slot.given && same(o.content, slot.content);
                always = always && o.given == Formulas::yes;
                if (const Int* n = std::get_if<Int>(&o.content)) {
                    low = other == states.front() ? d.low(*n) : std::min(low, d.low(*n));
                    high = other == states.front() ? d.high(*n) : std::max(high, d.high(*n));
                }
            }
            if (equal) continue;
            slot.given = always ? Formulas::yes : fresh_truth();
            const Type& type = game.facts[i].type;
            const bool between = std::holds_alternative<Int>(slot.content) && !(type.or_none && type.base == Base::number);
            slot.content = between ? Content<Terms>(fresh(low, high)) : anything(type);
        }
    }
}

// ---- moving ----------------------------------------------------------------------------------------------------------------------

void TransferFunctions::take_from(AbstractState& f, PlaceId place, const std::vector<const Copies<Terms>*>& copies,
                                  std::vector<Int>& arriving, Int& moved, const std::optional<Int>& known) {
    Pile<Terms>& pile = f.piles()[place];
    std::vector<Int> amounts;
    for (const Copies<Terms>* c : copies) {
        Int& count = pile.counts[c->kind];
        count = d.within(d.subtract(count, c->count), 0, d.high(count));
        amounts.push_back(c->count);
        Int& more = arriving[c->kind];
        more = d.within(d.add(more, c->count), 0, this->copies(c->kind));
    }
    const bool whole = std::all_of(pile.counts.begin(), pile.counts.end(), [&](const Int& rest) { return d.high(rest) <= 0; });
    const Int leaving = whole ? *pile.size : known ? *known : sum(amounts, d.high(*pile.size));
    pile.size = whole ? d.constant(0) : d.within(d.subtract(*pile.size, leaving), 0, d.high(*pile.size));
    moved = d.within(d.add(moved, leaving), 0, pieces());
    if (f.effects && ++sources[place] > 1) moved_twice = true;
}

Truth TransferFunctions::move(AbstractState& f, const Cards<Terms>& what, const Int& to, bool under, std::optional<VariableId> named) {
    const Value only = to.is_constant() ? to.low() : -1;  // the place that it is, if that is known
    std::map<PlaceId, std::vector<const Copies<Terms>*>> leaving;
    bool comes_back = false;
    for (const Copies<Terms>& c : what.copies) {
        if (c.place != only) leaving[c.place].push_back(&c);
        comes_back = comes_back || c.place == only;
    }
    if (f.effects && comes_back && ++sources[PlaceId(only)] > 1) moved_twice = true;
    // What is put where it lies already goes to another end.
    if (leaving.empty()) {
        if (comes_back) refresh_ends(f, PlaceId(only));
        return Formulas::yes;
    }
    if (!f.effects) update_card_variables(f, what, to, named);
    const bool one_source = leaving.size() == 1 && what.copies.size() == leaving.begin()->second.size();
    std::vector<Int> arriving(game.kinds.size(), d.constant(0));
    Int moved = d.constant(0);
    for (const auto& [place, copies] : leaving) take_from(f, place, copies, arriving, moved, one_source ? what.size : std::nullopt);
    if (what.size && one_source) moved = *what.size;
    for (const auto& [place, copies] : leaving) refresh_ends(f, place);
    std::vector<Truth> fit;
    arithmetic::each_index(d, to, game.places, [&](Value target, const Truth& here) {
        Pile<Terms>& pile = f.piles()[PlaceId(target)];
        for (std::size_t k = 0; k < arriving.size(); ++k)
            pile.counts[k] = d.within(d.add(pile.counts[k], arithmetic::when(d, here, arriving[k])), 0, copies(KindId(k)));
        const Int before = *pile.size;
        const Int after = d.add(before, arithmetic::when(d, here, moved));
        const Value room = capacity(PlaceId(target));
        if (!f.effects) fit.push_back(d.either(d.negate(here), d.less_equal(after, d.constant(room))));
        pile.size = d.within(after, 0, f.effects ? pieces() : room);
        const Ends<Terms> ends = *pile.ends;
        refresh_ends(f, PlaceId(target));
        // One card more on a row: where there was a first, it stays.
        if (!comes_back && moved.is_constant() && moved.low() == 1 && ends_read[zone_of(PlaceId(target))]) {
            Ends<Terms>& now = *pile.ends;
            const Truth stays = d.both(ends.any, d.negate(d.both(here, d.truth(under))));
            now.first = d.choose(stays, ends.first, now.first);
            if (under) now.last = d.choose(ends.any, ends.last, now.last);
            // The one that came is no shuffled card.
            const Truth known = d.less_equal(d.constant(0), under ? now.first : now.last);
            if (known != Formulas::yes) assume(f, d.either(d.negate(here), known));
        }
    });
    if (only >= 0 && !f.effects) gather_known(f, PlaceId(only));
    return d.all(fit);
}

// What lies nowhere else lies here.
void TransferFunctions::gather_known(AbstractState& f, PlaceId place) const {
    const auto elsewhere = [&](const auto& none) {
        for (PlaceId p = 0; p < game.places; ++p)
            if (p != place && !none(f.at.piles[p])) return true;
        return false;
    };
    Pile<Terms>& here = f.at.piles[place];
    if (!elsewhere([&](const Pile<Terms>& pile) { return d.high(*pile.size) <= 0; }))
        here.size = d.constant(std::min(pieces(), capacity(place)));
    for (std::size_t k = 0; k < here.counts.size(); ++k)
        if (!elsewhere([&](const Pile<Terms>& pile) { return d.high(pile.counts[k]) <= 0; }))
            here.counts[k] = d.constant(copies(KindId(k)));
}

// Which card lies at the ends of a row or stack, when its cards have changed: one of them.
void TransferFunctions::refresh_ends(AbstractState& f, PlaceId place) {
    Pile<Terms>& pile = f.piles()[place];
    pile.ends->any = arithmetic::positive(d, *pile.size);
    if (place == 0 || !ends_read[zone_of(place)]) return;
    for (Int* end : {&pile.ends->first, &pile.ends->last}) {
        std::vector<KindId> kinds;
        for (KindId k = 0; k < KindId(pile.counts.size()); ++k)
            if (d.high(pile.counts[k]) > 0) kinds.push_back(k);
        if (kinds.empty()) {
            *end = d.constant(-1);
            continue;
        }
        // In a shuffled part of several cards nobody knows which it is.
        const bool known = !shuffled[zone_of(place)] || d.high(*pile.size) <= 1 || kinds.size() == 1;
        *end = fresh(known ? Value{kinds.front()} : -1, kinds.back());
        std::vector<Truth> is;
        if (!known) is.push_back(d.both(d.equal(*end, d.constant(-1)), d.less(d.constant(1), *pile.size)));
        for (const KindId k : kinds) is.push_back(d.both(d.equal(*end, d.constant(k)), arithmetic::positive(d, pile.counts[k])));
        assume(f, d.either(d.negate(pile.ends->any), d.any(is)));
    }
}

Cards<Terms> TransferFunctions::some_of(AbstractState& f, PlaceId place, const Int& n) {
    const Pile<Terms>& pile = f.piles()[place];
    const bool all = same(n, *pile.size);
    Cards<Terms> cards;
    std::vector<Int> amounts;
    for (KindId k = 0; k < KindId(pile.counts.size()); ++k) {
        const Int& there = pile.counts[k];
        if (d.high(there) <= 0) continue;
        const Int amount = all ? there : fresh(0, std::min(d.high(there), d.high(n)));
        if (!all) assume(f, d.less_equal(amount, there));
        amounts.push_back(amount);
        collections::add_copies(d, cards, place, k, amount);
    }
    if (!all) add_up(f, std::move(amounts), n);
    cards.size = n;
    return cards;
}

Card<Terms> TransferFunctions::one_of(AbstractState& f, const Cards<Terms>& cards) {
    const auto& copies = cards.copies;
    if (copies.empty()) return {d.constant(-1), d.constant(-1)};
    std::set<PlaceId> places;
    KindId lowest = copies.front().kind;
    KindId highest = lowest;
    for (const Copies<Terms>& c : copies) {
        places.insert(c.place);
        lowest = std::min(lowest, c.kind);
        highest = std::max(highest, c.kind);
    }
    const Card<Terms> card{fresh(lowest, highest), fresh(*places.begin(), *places.rbegin())};
    std::vector<Truth> is;
    for (const Copies<Terms>& c : copies)
        is.push_back(d.all({d.equal(card.kind, d.constant(c.kind)), d.equal(card.place, d.constant(c.place)), collections::present(d, c)}));
    assume(f, d.any(is));
    return card;
}

void TransferFunctions::gather(AbstractState& f) {
    for (PlaceId p = 0; p < game.places; ++p) {
        Pile<Terms>& pile = f.at.piles[p];
        for (KindId k = 0; k < KindId(pile.counts.size()); ++k) pile.counts[k] = d.constant(p == 0 ? copies(k) : 0);
        pile.size = d.constant(p == 0 ? pieces() : 0);
        pile.ends = Ends<Terms>{d.truth(p == 0), d.constant(-1), d.constant(-1), p != 0 && shuffled[zone_of(p)]};
    }
    forget_card_variables(f);
}

void TransferFunctions::begin_effects(AbstractState& f) {
    f.piles_now = f.at.piles;
    f.facts_now = f.at.facts;
    f.effects = true;
    moved_twice = false;
    sources.assign(game.places, 0);
    assumed_before_ = assumed.size();
    totals_before_ = totals.size();
}

Truth TransferFunctions::end_effects(AbstractState& f) {
    f.effects = false;
    std::vector<PlaceId> changed;
    std::vector<Truth> fit;
    for (PlaceId p = 0; p < game.places; ++p) {
        Pile<Terms>& now = f.piles_now[p];
        const Pile<Terms>& then = f.at.piles[p];
        bool unchanged = same(*now.size, *then.size);
        for (std::size_t k = 0; k < now.counts.size() && unchanged; ++k) unchanged = same(now.counts[k], then.counts[k]);
        if (unchanged) continue;
        changed.push_back(p);
        fit.push_back(d.less_equal(*now.size, d.constant(capacity(p))));
        now.size = d.within(*now.size, 0, capacity(p));
    }
    f.at.piles = std::move(f.piles_now);
    f.at.facts = std::move(f.facts_now);
    f.piles_now.clear();
    f.facts_now.clear();
    if (!moved_twice) {
        if (!changed.empty()) forget_card_variables(f);
        return d.all(fit);
    }
    // Two effects wanted the same pieces: what lies where now is anything that keeps to the zones; whether it fits is not known. What was
    // assumed as they were counted twice need not be so.
    assumed.resize(assumed_before_);
    totals.resize(totals_before_);
    forget_places(f);
    return fresh_truth();
}

void TransferFunctions::shuffle(AbstractState& f, const Int& place) {
    arithmetic::each_index(d, place, game.places, [&](Value p, const Truth&) { refresh_ends(f, PlaceId(p)); });
}

Content<Terms> TransferFunctions::anything(const Type& type) {
    if (type.base == Base::set) {
        Set<Terms> set = collections::empty_set(d, elements_of(game, type));
        for (Truth& has : set.has) has = fresh_truth();
        return set;
    }
    if (type.base == Base::number && type.or_none) return with_none(d, type, fresh(Value{type.low} - 1, type.high));
    const auto [low, high] = range_with_none(game, type);
    switch (type.base) {
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::place:
            return fresh(low, high);
        case Base::card:
            return Card<Terms>{fresh(-1, game.kind_count() - 1), fresh(-1, game.places - 1)};
        case Base::cards: {
            Cards<Terms> cards;
            for (PlaceId p = 0; p < game.places; ++p)
                for (KindId k = 0; k < KindId(game.kinds.size()); ++k)
                    if (fits_family(p, k)) collections::add_copies(d, cards, p, k, fresh(0, copies(k)));
            return cards;
        }
        case Base::nothing:
        case Base::set:
            break;
    }
    stop_on_bug("a value of no known type was asked for");
}

// ---- names for cards -------------------------------------------------------------------------------------------------------------

// Cards that are named have moved with `what` if they were among them. Of several copies, nobody knows which.
void TransferFunctions::update_card_variables(AbstractState& f, const Cards<Terms>& what, const Int& to, std::optional<VariableId> named) {
    for (const VariableId v : f.at.variables.ids()) {
        Content<Terms>& content = f.at.variables[v];
        if (auto* card = std::get_if<Card<Terms>>(&content)) {
            if (d.high(card->kind) < 0) continue;
            if (v == named) {
                card->place = d.choose(d.less_equal(d.constant(0), card->kind), to, card->place);
                continue;
            }
            std::vector<Truth> among;
            std::vector<Truth> surely;
            for (const Copies<Terms>& c : what.copies) {
                const Truth is = d.both(d.equal(card->kind, d.constant(c.kind)), d.equal(card->place, d.constant(c.place)));
                if (is == Formulas::no) continue;
                among.push_back(d.both(is, collections::present(d, c)));
                surely.push_back(d.both(is, d.equal(c.count, f.piles()[c.place].counts[c.kind])));
            }
            const Truth may = d.any(among);
            if (may == Formulas::no) continue;
            card->place = d.choose(d.both(may, d.either(d.any(surely), fresh_truth())), to, card->place);
        } else if (auto* cards = std::get_if<Cards<Terms>>(&content)) {
            if (cards->copies.empty()) continue;
            if (v == named) {
                *cards = relocated(*cards, to);
                continue;
            }
            if (!collections::share_a_place(*cards, what)) continue;
            std::set<PlaceId> places;
            for (const Copies<Terms>& c : cards->copies) places.insert(c.place);
            arithmetic::each_index(d, to, game.places, [&](Value p, const Truth&) { places.insert(PlaceId(p)); });
            *cards = scattered(f, *cards, {places.begin(), places.end()});
        }
    }
}

Cards<Terms> TransferFunctions::relocated(const Cards<Terms>& held, const Int& to) {
    Cards<Terms> result;
    const auto kinds = collections::by_kind(d, held);
    arithmetic::each_index(d, to, game.places, [&](Value place, const Truth& here) {
        for (const auto& [kind, count] : kinds) collections::add_copies(d, result, PlaceId(place), kind, arithmetic::when(d, here, count));
    });
    result.size = held.size;
    return result;
}

// As many of each kind, wherever among the places.
Cards<Terms> TransferFunctions::scattered(AbstractState& f, const Cards<Terms>& held, const std::vector<PlaceId>& places) {
    Cards<Terms> result;
    result.size = collections::size(d, held);
    for (const auto& [kind, count] : collections::by_kind(d, held)) {
        // What was scattered before adds up to more than there can be: the size still tells.
        const Value most = std::min(d.high(count), d.high(*result.size));
        std::vector<Int> parts;
        for (const PlaceId p : places) {
            parts.push_back(fits_family(p, kind) ? fresh(0, most) : d.constant(0));
            collections::add_copies(d, result, p, kind, parts.back());
        }
        assume(f, d.equal(sum(parts, d.high(count) + 1), count));
    }
    std::sort(result.copies.begin(), result.copies.end(), collections::before_by_place<Terms>);
    return result;
}

void TransferFunctions::forget_card_variables(AbstractState& f) {
    std::vector<PlaceId> places;
    for (PlaceId p = 0; p < game.places; ++p) places.push_back(p);
    for (Content<Terms>& content : f.at.variables) {
        if (auto* card = std::get_if<Card<Terms>>(&content)) {
            if (d.high(card->kind) < 0) continue;
            const Int place = fresh(0, game.places - 1);
            std::vector<Truth> there{d.less(card->kind, d.constant(0))};
            for (const PlaceId p : places)
                for (KindId k = KindId(std::max<Value>(0, d.low(card->kind))); k <= d.high(card->kind); ++k)
                    there.push_back(d.all({d.equal(card->kind, d.constant(k)), d.equal(place, d.constant(p)),
                                           arithmetic::positive(d, f.at.piles[p].counts[k])}));
            assume(f, d.any(there));
            card->place = d.choose(d.less(card->kind, d.constant(0)), card->place, place);
        } else if (auto* cards = std::get_if<Cards<Terms>>(&content)) {
            if (!cards->copies.empty()) *cards = scattered(f, *cards, places);
        }
    }
}

// ---- forgetting ------------------------------------------------------------------------------------------------------------------

// That the parts add up to the sum. Unknowns and constants are told to Z3 as they are; all else becomes a formula.
void TransferFunctions::add_up(const AbstractState& f, std::vector<Int> parts, const Int& whole) {
    Total total;
    bool plain = whole.is_constant();
    Value most = 0;
    total.total = d.high(whole);
    for (const Int& part : parts) {
        most += d.high(part);
        if (part.is_constant()) {
            total.total -= part.low();
            continue;
        }
        std::int32_t unknown = -1;
        const bool narrow = d.each_case(part, [&](Value v, const Truth& when) {
            const Formulas& formulas = d.formulas();
            const bool leaf = formulas.shape(when) == Formulas::Shape::leaf && v < Formulas::value_limit &&
                              formulas.values(when) == std::uint64_t{1} << v;
            plain = plain && leaf && (unknown == -1 || unknown == formulas.about(when));
            if (leaf) unknown = formulas.about(when);
        });
        plain = plain && narrow;
        total.unknowns.push_back(unknown);
    }
    // Where nothing can add up to it, this is a way that no game goes.
    if (plain && total.total >= 0 && most >= d.high(whole))
        totals.push_back(std::move(total));
    else
        assume(f, d.equal(sum(std::move(parts), d.high(whole) + 1), whole));
}

void TransferFunctions::forget_places(AbstractState& f) {
    std::vector<PlaceId> places;
    for (PlaceId p = 0; p < game.places; ++p) places.push_back(p);
    forget_places(
        f, places, [&](PlaceId p) { return std::pair<Value, Value>(0, capacity(p)); }, [](PlaceId, KindId) { return true; });
}

// Of each kind there are as many as ever. A size is what is left of the most that may lie there: so sizes and counts add up to numbers.
void TransferFunctions::forget_places(AbstractState& f, const std::vector<PlaceId>& places,
                                      const std::function<std::pair<Value, Value>(PlaceId)>& range,
                                      const std::function<bool(PlaceId, KindId)>& may) {
    for (const PlaceId p : places) {
        Pile<Terms>& pile = f.at.piles[p];
        const auto [low, high] = range(p);
        std::vector<Int> parts{fresh(0, high - low)};
        pile.size = d.subtract(d.constant(high), parts.front());
        for (KindId k = 0; k < KindId(pile.counts.size()); ++k) {
            pile.counts[k] = fits_family(p, k) && may(p, k) ? fresh(0, std::min(copies(k), high)) : d.constant(0);
            parts.push_back(pile.counts[k]);
        }
        add_up(f, std::move(parts), d.constant(high));
    }
    for (KindId k = 0; k < KindId(game.kinds.size()); ++k) {
        std::vector<Int> everywhere;
        for (const Pile<Terms>& pile : f.at.piles) everywhere.push_back(pile.counts[k]);
        add_up(f, std::move(everywhere), d.constant(copies(k)));
    }
    for (const PlaceId p : places) refresh_ends(f, p);
    forget_card_variables(f);
}

}  // namespace houserule
