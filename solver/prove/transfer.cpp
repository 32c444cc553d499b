// What single statements do to all states at once: facts, moves, choices, and what happens at the same time.
#include "dsl/game/parts.hpp"
#include "solver/prove/prove_walk.hpp"

#include <algorithm>

namespace houserule {

namespace {

using Int = Terms::Int;

}  // namespace

// ---- facts -----------------------------------------------------------------------------------------------------------------------

AbstractState Walk::take(StatementId id, const statement::Becomes& s, AbstractState f) {
    const Fact& fact = game.facts[s.fact];
    const Int index = s.index == no_id ? d.constant(0) : scalar(f, s.index);
    demand(f, Promise::owner, id, arithmetic::is_index(d, index, fact.count));
    Content<Terms> value = content(f, s.value);
    if (const Int* number = std::get_if<Int>(&value)) {
        const Type& range = fact.type;
        const Truth inside = d.both(d.less_equal(d.constant(range.low), *number), d.less_equal(*number, d.constant(range.high)));
        const Truth none = d.both(d.truth(range.or_none), d.equal(*number, d.constant(none_of(range))));
        demand(f, Promise::fits, id, d.either(inside, none));
        value = d.within(*number, range.or_none ? none_of(range) : range.low, range.high);
    } else if (const auto* members = std::get_if<Set<Terms>>(&value)) {
        Set<Terms> own = collections::empty_set(d, elements_of(game, fact.type));
        std::vector<Truth> beyond;
        for (Value e = members->first; e < members->end(); ++e)
            if (e < own.first || e >= own.end()) beyond.push_back(collections::has(d, *members, e));
        if (!beyond.empty()) demand(f, Promise::fits, id, d.negate(d.any(beyond)));
        for (Value e = own.first; e < own.end(); ++e) own.has[e - own.first] = collections::has(d, *members, e);
        value = own;
    }
    arithmetic::each_index(d, index, fact.count, [&](Value i, const Truth& here) {
        FactSlot<Terms>& slot = f.facts()[s.fact][i];
        slot.content = table_.chosen(here, value, slot.content);
        slot.given = d.either(slot.given, here);
    });
    return fact.seers == Seers::all ? seen(std::move(f)) : f;
}

// ---- moves -----------------------------------------------------------------------------------------------------------------------

AbstractState Walk::take(StatementId id, const statement::Put& s, AbstractState f) {
    const Cards<Terms> what = cards(f, s.cards);
    const Int to = scalar(f, s.place);
    std::optional<VariableId> named;
    const Expression& e = expression(s.cards);
    if (e.op == Operator::cards_variable) named = e.named();
    if (e.op == Operator::cards_single && expression(e.a).op == Operator::variable) named = expression(e.a).named();
    const Truth fits = table_.move(f, what, to, (s.mode & put_under) != 0, named);
    demand(f, Promise::room, id, fits);
    return seen(std::move(f));
}

// One card from a place that is not empty; `variable` names it.
AbstractState Walk::draw_one(StatementId id, AbstractState f, const Int& from, const Int& to, bool blindly, VariableId variable) {
    return split_by(std::move(f), from, game.places, [&](AbstractState g, Value place) {
        Pile<Terms>& pile = g.piles()[place];
        Cards<Terms> there;
        for (KindId k = 0; k < KindId(pile.counts.size()); ++k) collections::add_copies(d, there, PlaceId(place), k, pile.counts[k]);
        Card<Terms> card = table_.one_of(g, there);
        const ZoneId zone = table_.zone_of(PlaceId(place));
        // The last card of a row is the one that is drawn.
        if (!blindly && zone != no_id && game.zones[zone].shape == Shape::row && table_.ends_read[zone])
            table_.assume(g, d.equal(card.kind, pile.ends->last));
        Cards<Terms> one;
        for (const Copies<Terms>& c : there.copies)
            collections::add_copies(d, one, c.place, c.kind, arithmetic::count(d, d.equal(card.kind, d.constant(c.kind))));
        one.size = d.constant(1);
        const Truth fits = table_.move(g, one, to, false, std::nullopt);
        demand(g, Promise::room, id, fits);
        card.place = to;
        if (variable != no_id) assign(g, variable, card);
        return g;
    });
}

AbstractState Walk::take(StatementId id, const statement::Draw& s, AbstractState f) {
    const Int from = scalar(f, s.source);
    const Truth any = any_card_at(f, from);
    AbstractState none = nowhere();
    if (s.if_none == no_id) {
        demand(f, Promise::enough, id, any);
    } else {
        none = take(s.if_none, table_.where(f, d.negate(any)));
        f = table_.where(f, any);
    }
    const Int to = scalar(f, s.target);
    // Whoever goes on without a card has no name for one.
    AbstractState drawn = draw_one(id, std::move(f), from, to, s.blindly, s.variable);
    live_[s.variable] = true;
    return seen(table_.merged(any, std::move(drawn), std::move(none)));
}

AbstractState Walk::take(StatementId id, const statement::Deal& s, AbstractState f) {
    if (deal_changes_what_it_reads(s)) return seen(deal_anyhow(id, s, std::move(f)));
    if (s.count == no_id) return deal_all(id, s, std::move(f));
    if (s.zone == no_id) return seen(deal_to(id, s, std::move(f), no_id));
    const Zone& zone = game.zones[s.zone];
    const Set<Terms> owners = set(f, s.owners);
    if (s.first != no_id) scalar(f, s.first);
    for (std::int32_t i = 0; i < zone.places; ++i) {
        const Truth member = collections::has(d, owners, i);
        AbstractState dealt = table_.where(f, member);
        AbstractState left = table_.where(f, d.negate(member));
        f = table_.merged(member, deal_to(id, s, std::move(dealt), zone.first_place + i), std::move(left));
    }
    return seen(std::move(f));
}

// Play reads the number for each receiver, and where cards come from and go to for each card.
bool Walk::deal_changes_what_it_reads(const statement::Deal& s) const {
    // Fetching more when there are no cards left may change facts, too.
    const auto changes = [&](ExpressionId e) { return s.if_short == no_id ? reads_piles(game, e) : reads_state(game, e); };
    const bool receivers_again = s.zone == no_id || s.count == no_id;
    return changes(s.count) || changes(s.source) || (receivers_again && (changes(s.target) || changes(s.owners) || changes(s.first)));
}

// More than can happen, so that what is proved holds: any number of cards, each from and to where the statement says at that moment,
// whoever of the receivers is next.
AbstractState Walk::deal_anyhow(StatementId id, const statement::Deal& s, AbstractState f) {
    if (s.zone != no_id && s.count != no_id) set(f, s.owners);
    return loop(id, std::move(f), 0, [&](AbstractState head, AbstractState& out) {
        if (s.count != no_id) demand_count(head, id, s.count, scalar(head, s.count));
        if (s.zone != no_id && s.count == no_id) set(head, s.owners);
        if (s.zone != no_id && s.first != no_id) scalar(head, s.first);
        const Truth more = arithmetic::positive(d, table_.fresh(0, 1));
        out = table_.where(head, d.negate(more));
        head = table_.where(head, more);
        std::optional<Int> to;
        if (s.zone != no_id) to = d.add(d.constant(game.zones[s.zone].first_place), table_.fresh(0, game.zones[s.zone].places - 1));
        return deal_one(id, s, std::move(head), to);
    });
}

// The target is a place, or, for `no_id`, what the statement names: read for each card, once there is one.
AbstractState Walk::deal_to(StatementId id, const statement::Deal& s, AbstractState f, PlaceId target) {
    if (f.dead()) return f;
    const Int count = scalar(f, s.count);
    demand_count(f, id, s.count, count);
    if (f.dead()) return f;
    const Int wanted = arithmetic::larger(d, count, d.constant(0));
    if (s.if_short != no_id) return deal_one_by_one(id, s, std::move(f), wanted, target);
    const Truth any = arithmetic::positive(d, wanted);
    AbstractState none = table_.where(f, d.negate(any));
    f = table_.where(f, any);
    const Int from = scalar(f, s.source);
    if (target != no_id) return table_.merged(any, deal_some(id, std::move(f), from, wanted, target), std::move(none));
    AbstractState first = f;
    demand(first, Promise::enough, id, any_card_at(first, from));
    const Int to = scalar(f, s.target);
    AbstractState dealt = split_by(std::move(f), to, game.places,
                                   [&](AbstractState g, Value place) { return deal_some(id, std::move(g), from, wanted, PlaceId(place)); });
    return table_.merged(any, std::move(dealt), std::move(none));
}

// One card, after more have been fetched if none is left, to this place or to the one that the statement names.
AbstractState Walk::deal_one(StatementId id, const statement::Deal& s, AbstractState f, const std::optional<Int>& target) {
    const Truth any = any_card_at(f, scalar(f, s.source));
    AbstractState empty = table_.where(f, d.negate(any));
    if (s.if_short != no_id) empty = take(s.if_short, std::move(empty));
    if (s.if_short == no_id && s.count == no_id) empty = nowhere();  // all are dealt
    demand(empty, Promise::enough, id, any_card_at(empty, scalar(empty, s.source)));
    f = table_.merged(any, table_.where(f, any), std::move(empty));
    const Int from = scalar(f, s.source);
    const Int to = target ? *target : scalar(f, s.target);
    return draw_one(id, std::move(f), from, to, false, no_id);
}

// Each time the cards have run out, more are fetched.
AbstractState Walk::deal_one_by_one(StatementId id, const statement::Deal& s, AbstractState f, const Int& wanted, PlaceId target) {
    trail_.push_back(target);
    const Value most = d.high(wanted);
    f = loop(id, std::move(f), most, [&](AbstractState head, AbstractState& out) {
        const Truth more = d.less(head.counters.back(), wanted);
        out = table_.where(head, d.negate(more));
        head = table_.where(head, more);
        head = deal_one(id, s, std::move(head), target == no_id ? std::nullopt : std::optional(d.constant(target)));
        count_round(head, most);
        return head;
    });
    trail_.pop_back();
    return f;
}

// So many cards at once: it does not matter in which order they come. Whether they are enough and whether they fit, one of the two may
// break before the other.
AbstractState Walk::deal_some(StatementId id, AbstractState f, const Int& from, const Int& wanted, PlaceId target) {
    const bool limited = is_limited(game, game.zones[table_.zone_of(target)]);
    return split_by(std::move(f), from, game.places, [&](AbstractState g, Value place) {
        const Int there = *g.piles()[place].size;
        const auto move = [&](AbstractState& in, const Int& count) {
            const Cards<Terms> some = table_.some_of(in, PlaceId(place), d.within(count, 0, d.high(there)));
            const Truth fits = table_.move(in, some, d.constant(target), false, std::nullopt);
            demand(in, Promise::room, id, fits);
        };
        if (limited) {
            AbstractState as_many = g;
            move(as_many, arithmetic::smaller(d, wanted, there));
        }
        demand(g, Promise::enough, id, d.less_equal(wanted, there));
        move(g, wanted);
        return g;
    });
}

// One by one to each in turn until none is left: nobody gets more than one card more than another.
AbstractState Walk::deal_all(StatementId id, const statement::Deal& s, AbstractState f) {
    const Int from = scalar(f, s.source);
    const Truth any = any_card_at(f, from);
    AbstractState none = table_.where(f, d.negate(any));
    f = table_.where(f, any);
    if (s.zone == no_id) {
        const Int to = scalar(f, s.target);
        AbstractState dealt = split_by(std::move(f), from, game.places, [&](AbstractState g, Value place) {
            const Cards<Terms> all = table_.some_of(g, PlaceId(place), *g.piles()[place].size);
            const Truth fits = table_.move(g, all, to, false, std::nullopt);
            demand(g, Promise::room, id, fits);
            return g;
        });
        return seen(table_.merged(any, std::move(dealt), std::move(none)));
    }
    const Zone& zone = game.zones[s.zone];
    const Set<Terms> owners = set(f, s.owners);
    const Truth anybody = d.negate(collections::is_empty(d, owners));
    AbstractState to_nobody = table_.where(f, d.negate(anybody));
    f = table_.where(f, anybody);
    if (s.first != no_id) scalar(f, s.first);
    f = split_by(std::move(f), from, game.places, [&](AbstractState g, Value place) {
        const Int all = *g.piles()[place].size;
        const Int least = table_.fresh(0, d.high(all));
        std::vector<Int> shares;
        for (std::int32_t i = 0; i < zone.places; ++i) {
            const Truth member = collections::has(d, owners, i);
            const Int share = table_.fresh(0, d.high(all));
            table_.assume(g, d.either(d.both(member, d.both(d.less_equal(least, share), d.less_equal(share, d.add(least, d.constant(1))))),
                                      d.both(d.negate(member), d.equal(share, d.constant(0)))));
            shares.push_back(share);
        }
        table_.assume(g, d.equal(table_.sum(shares, d.high(all) + 1), all));
        for (std::int32_t i = 0; i < zone.places; ++i) {
            const Cards<Terms> some = table_.some_of(g, PlaceId(place), shares[i]);
            const Truth fits = table_.move(g, some, d.constant(zone.first_place + i), false, std::nullopt);
            demand(g, Promise::room, id, fits);
        }
        return g;
    });
    f = table_.merged(anybody, std::move(f), std::move(to_nobody));
    return seen(table_.merged(any, std::move(f), std::move(none)));
}

// ---- choices and chance ----------------------------------------------------------------------------------------------------------

namespace {

// What can be chosen, and how the choice is named.
struct Choices {
    Truth any;
    std::function<Content<Terms>(AbstractState&)> pick;
};

Choices offer_range(Terms& d, TransferFunctions& table, const Int& low, const Int& high) {
    return {d.less_equal(low, high), [&d, &table, low, high](AbstractState& f) -> Content<Terms> {
                const Int n = table.fresh(d.low(low), d.high(high));
                table.assume(f, d.both(d.less_equal(low, n), d.less_equal(n, high)));
                return n;
            }};
}

Choices offer_one(Terms& d, TransferFunctions& table, const Set<Terms>& from) {
    return {d.negate(collections::is_empty(d, from)), [&d, &table, from](AbstractState& f) -> Content<Terms> {
                const Int e = table.fresh(from.first, from.end() - 1);
                table.assume(f, collections::has_element(d, from, e));
                return e;
            }};
}

Choices offer_one(Terms& d, TransferFunctions& table, const Cards<Terms>& from) {
    return {d.negate(collections::is_empty(d, from)), [&table, from](AbstractState& f) -> Content<Terms> { return table.one_of(f, from); }};
}

Truth enough_of(Terms& d, const Int& size, const Int& low, const Int& high) {
    return d.all({d.less_equal(low, high), d.less_equal(low, size), d.less_equal(d.constant(0), high)});
}

Choices offer_many(Terms& d, TransferFunctions& table, const Set<Terms>& from, const Int& low, const Int& high) {
    return {enough_of(d, collections::size(d, from), low, high), [&d, &table, from, low, high](AbstractState& f) -> Content<Terms> {
                Set<Terms> chosen = from;
                for (Truth& has : chosen.has)
                    if (has != Formulas::no) has = d.both(has, table.fresh_truth());
                const Int size = collections::size(d, chosen);
                table.assume(f, d.both(d.less_equal(low, size), d.less_equal(size, high)));
                return chosen;
            }};
}

Choices offer_many(Terms& d, TransferFunctions& table, const Cards<Terms>& from, const Int& low, const Int& high) {
    return {enough_of(d, collections::size(d, from), low, high), [&d, &table, from, low, high](AbstractState& f) -> Content<Terms> {
                Cards<Terms> chosen;
                std::vector<Int> amounts;
                for (const Copies<Terms>& c : from.copies) {
                    const Int n = table.fresh(0, std::min(d.high(c.count), std::max<Value>(0, d.high(high))));
                    table.assume(f, d.less_equal(n, c.count));
                    amounts.push_back(n);
                    collections::add_copies(d, chosen, c.place, c.kind, n);
                }
                const Value most = std::max<Value>(0, std::min(d.high(high), d.high(collections::size(d, from))));
                chosen.size = table.fresh(std::max<Value>(0, std::min(d.low(low), most)), most);
                table.assume(f, d.all({d.less_equal(low, *chosen.size), d.less_equal(*chosen.size, high),
                                       d.equal(table.sum(amounts, most + 1), *chosen.size)}));
                return chosen;
            }};
}

}  // namespace

AbstractState Walk::take(StatementId id, const statement::Choose& s, AbstractState f) {
    for (const ExpressionId count : {s.least, s.most})
        if (count != no_id && expression(count).type.low < 0) demand_count(f, id, count, scalar(f, count));
    scalar(f, s.player);
    const bool of_cards = s.set != no_id && expression(s.set).type.base == Base::cards;
    Choices offered;
    if (s.set == no_id) {
        const Int low = scalar(f, s.low);
        offered = offer_range(d, table_, low, scalar(f, s.high));
    } else if (s.least == no_id) {
        offered = of_cards ? offer_one(d, table_, cards(f, s.set)) : offer_one(d, table_, set(f, s.set));
    } else {
        const Content<Terms> from = content(f, s.set);
        const Int low = scalar(f, s.least);
        const Int high = scalar(f, s.most);
        offered = of_cards ? offer_many(d, table_, std::get<Cards<Terms>>(from), low, high)
                           : offer_many(d, table_, std::get<Set<Terms>>(from), low, high);
    }
    if (s.fits != no_id) {
        // Whether one of the sets fits is not told; what the condition promises must hold for any of them.
        const Store<VariableId, bool> live = live_;
        AbstractState tried = table_.where(f, offered.any);
        if (!tried.dead()) {
            assign(tried, s.variable, offered.pick(tried));
            truth(tried, s.fits);
        }
        live_ = live;
        offered.any = d.both(offered.any, table_.fresh_truth());
    }
    Truth does = offered.any;
    if (!s.optional && s.otherwise == no_id) {
        demand(f, Promise::something, id, offered.any);
        does = Formulas::yes;
    } else if (s.optional) {
        does = d.both(does, table_.fresh_truth());
    }
    const Store<VariableId, bool> before = live_;
    AbstractState chosen = table_.where(f, does);
    AbstractState rest = table_.where(f, d.negate(does));
    if (!chosen.dead()) {
        assign(chosen, s.variable, offered.pick(chosen));
        if (s.fits != no_id) table_.assume(chosen, truth(chosen, s.fits));
        if (s.aloud) chosen = seen(std::move(chosen));
        chosen = take(s.body, std::move(chosen));
    }
    if (s.body != no_id) {
        drop_variables(chosen, before);
        live_ = before;
    }
    rest = take(s.otherwise, std::move(rest));
    return table_.merged(does, std::move(chosen), std::move(rest));
}

AbstractState Walk::take(StatementId id, const statement::Report& s, AbstractState f) {
    if (s.seer != no_id) scalar(f, s.seer);
    const bool of_cards = expression(s.set).type.base == Base::cards;
    for (const statement::Weight& w : s.weights)
        if (expression(w.weight).type.low < 0) demand_count(f, id, w.weight, scalar(f, w.weight));
    if (of_cards) {
        const Choices offered = offer_one(d, table_, cards(f, s.set));
        demand(f, Promise::reported, id, offered.any);
        if (!f.dead()) assign(f, s.variable, offered.pick(f));
        return seen(std::move(f));
    }
    Set<Terms> from = set(f, s.set);
    if (!s.weights.empty()) {
        Set<Terms> weighted = from;
        for (Truth& has : weighted.has) has = Formulas::no;
        for (const statement::Weight& w : s.weights) {
            const Value label = expression(w.value).value();
            const Int weight = scalar(f, w.weight);
            const Truth weighs = arithmetic::positive(d, weight);
            if (label >= from.first && label < from.end())
                weighted.has[label - from.first] = d.both(collections::has(d, from, label), weighs);
        }
        from = std::move(weighted);
    }
    const Choices offered = offer_one(d, table_, from);
    demand(f, Promise::reported, id, offered.any);
    if (!f.dead()) assign(f, s.variable, offered.pick(f));
    return seen(std::move(f));
}

// ---- at the same time ------------------------------------------------------------------------------------------------------------

AbstractState Walk::take(StatementId id, const statement::Simultaneously& s, AbstractState f) {
    const bool windows = std::exchange(windows_, false);
    Set<Terms> those{0, std::vector<Truth>(game.players, Formulas::yes)};
    if (s.set != no_id) those = set(f, s.set);
    std::vector<Truth> who;
    const Store<VariableId, bool> before = live_;
    for (Value p = 0; p < game.players; ++p) {
        Truth member = collections::has(d, those, p);
        if (s.condition != no_id && member != Formulas::no) {
            assign(f, s.variable, d.constant(p));
            AbstractState asked = table_.where(f, member);
            const Truth meant = truth(asked, s.condition);
            table_.require(f, d.either(d.negate(member), table_.since(f, asked)));
            member = d.both(member, meant);
        }
        who.push_back(member);
    }
    f = together(id, s.variable, s.body, who, std::move(f));
    drop_variables(f, before);
    live_ = before;
    windows_ = windows;
    return seen(std::move(f));
}

// Decisions first, each unseen by the others; then all effects, which read the state as it was.
AbstractState Walk::together(StatementId room, VariableId variable, StatementId body, const std::vector<Truth>& who, AbstractState f) {
    const Store<VariableId, bool> before = live_;
    const auto [decisions, effects, deals] = at_once(game, body);
    std::vector<const statement::Choose*> choices;
    for (const StatementId decision : decisions) choices.push_back(statement(decision).as<statement::Choose>());
    std::vector<std::vector<Content<Terms>>> chosen(who.size());
    for (std::size_t p = 0; p < who.size(); ++p) {
        AbstractState mine = table_.where(f, who[p]);
        assign(mine, variable, d.constant(p));
        for (std::size_t i = 0; i < decisions.size(); ++i) {
            mine = take(decisions[i], *choices[i], std::move(mine));
            if (!mine.dead()) chosen[p].push_back(mine.at.variables[choices[i]->variable]);
        }
        table_.require(f, d.either(d.negate(who[p]), table_.since(f, mine)));
    }
    const auto each_of_them = [&](const std::vector<StatementId>& statements) {
        for (std::size_t p = 0; p < who.size(); ++p) {
            AbstractState mine = table_.where(f, who[p]);
            if (mine.dead()) continue;
            AbstractState rest = table_.where(f, d.negate(who[p]));
            assign(mine, variable, d.constant(p));
            for (std::size_t i = 0; i < decisions.size(); ++i) assign(mine, choices[i]->variable, chosen[p][i]);
            for (const StatementId s : statements) mine = take(s, std::move(mine));
            drop_variables(mine, before);
            f = table_.merged(who[p], std::move(mine), std::move(rest));
        }
    };
    table_.begin_effects(f);
    each_of_them(effects);
    if (f.dead()) return f;
    drop_variables(f, before);
    const Truth fits = table_.end_effects(f);
    demand(f, Promise::room, room, fits);
    if (!deals.empty()) each_of_them(deals);
    drop_variables(f, before);
    live_ = before;
    return f;
}

}  // namespace houserule
