#include "solver/coexecute/unknown_table.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>
#include <numeric>

namespace houserule {

namespace {

// Numbers of moves: the common multiple of all up to there is below a million.
constexpr Value divided_most = 16;

Integer factorial(Value n) {
    Integer product = 1;
    for (Value i = 2; i <= n; ++i) product *= i;
    return product;
}

// Whether the rules ask which card is first or last there, or move cards from there in their order.
bool is_order_read(const Machine& machine, ZoneId zone) {
    const Game& game = machine.game;
    const auto is_there = [&](const Expression& x) { return names_zone(x.op) && x.named() == zone; };
    const bool moves_on = std::any_of(machine.code.begin(), machine.code.end(), [&](const Step& s) {
        return s.op == Op::put && (s.mode & put_in_order) != 0 && any_read(game, s.x, is_there);
    });
    return moves_on || std::any_of(game.expressions.begin(), game.expressions.end(), [&](const Expression& x) {
               if (x.op != Operator::first_card && x.op != Operator::last_card && x.op != Operator::first_cards &&
                   x.op != Operator::last_cards)
                   return false;
               const Expression& of = game.expressions[x.a];
               return of.op != Operator::place || of.named() == zone;
           });
}

}  // namespace

Dealer::Dealer(Terms& terms, Unknowns& unknowns, const Machine& machine)
    : terms_(terms), unknowns_(unknowns), machine_(machine), game_(machine.game), keeps_order_(game_.zones.size(), false) {
    for (const ZoneId z : game_.zones.ids()) keeps_order_[z] = game_.zones[z].shape == Shape::row && is_order_read(machine, z);
}

UnknownTable::UnknownTable() = default;
UnknownTable::UnknownTable(const UnknownTable&) = default;
UnknownTable::UnknownTable(UnknownTable&&) noexcept = default;
UnknownTable& UnknownTable::operator=(const UnknownTable&) = default;
UnknownTable& UnknownTable::operator=(UnknownTable&&) noexcept = default;
UnknownTable::~UnknownTable() = default;

Input number_input(StepId step, Terms::Int value, Truth when) {
    Input input;
    input.step = step;
    input.number = std::move(value);
    input.when = when;
    return input;
}

Value binomial(Value n, Value k) {
    Value result = 1;
    for (Value i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
}

Terms::Int kind_of_one(Terms& terms, const std::vector<Terms::Int>& counts) {
    std::map<Value, std::vector<Truth>> kinds;
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k].high() > 0) kinds[k].push_back(arithmetic::positive(terms, counts[k]));
    return terms.from_cases(std::move(kinds));
}

void Dealer::lay_out(UnknownTable& t) const {
    t.parts.assign(game_.places, {});
    t.sizes.assign(game_.places, 0);
    for (PlaceId p = 0; p < game_.places; ++p) {
        Pile<Terms>& pile = t.state.piles[p];
        for (const Terms::Int& c : pile.counts) t.sizes[p] += c.low();
        pile.size = terms_.constant(t.sizes[p]);
        if (!is_stack(p)) t.parts[p].push_back({pile.counts, {}, t.sizes[p]});
    }
}

bool Dealer::require(UnknownTable& t, Truth condition) const {
    if (condition == Formulas::no) return false;
    if (condition == Formulas::yes) return true;
    t.conditions.push_back({condition, t.seen, t.pc});
    return true;
}

bool Dealer::require_law(UnknownTable& t, Truth condition) {
    if (condition == Formulas::no) return false;
    if (condition != Formulas::yes) t.conditions.push_back({condition, t.seen, no_id});
    return true;
}

Terms::Int Dealer::fresh(UnknownTable& t, Value low, Value high, KindId kind) {
    constexpr Value digits = Formulas::value_limit;
    if (high - low >= digits) {  // more than one unknown can be: two digits
        const Terms::Int upper = fresh(t, 0, (high - low) / digits);
        const Terms::Int lower = fresh(t, 0, digits - 1);
        std::map<Value, std::vector<Truth>> cases;
        for (Value v = 0; v < (upper.high() + 1) * digits; ++v) {
            const Truth is =
                terms_.both(terms_.equal(upper, terms_.constant(v / digits)), terms_.equal(lower, terms_.constant(v % digits)));
            if (low + v <= high)
                cases[low + v] = {is};
            else
                require_law(t, terms_.negate(is));
        }
        return terms_.from_cases(std::move(cases));
    }
    const std::size_t before = unknowns_.conditions().size();
    if (low < high) t.unknowns.emplace_back(kind, static_cast<std::int32_t>(terms_.formulas().unknowns().size()));
    Terms::Int i = unknowns_.integer("u", low, high);
    for (std::size_t c = before; c < unknowns_.conditions().size(); ++c) t.conditions.push_back({unknowns_.conditions()[c], t.seen, no_id});
    return i;
}

void Dealer::count(UnknownTable& t, Truth when, const Terms::Int& times) const {
    if (when == Formulas::no) return;
    terms_.each_case(times, [&](Value v, const Truth& is) {
        if (v < 2) return;
        const Truth both = terms_.both(when, is);
        if (both == Formulas::yes)
            t.factor *= v;
        else if (both != Formulas::no)
            t.factors.push_back({both, static_cast<std::uint64_t>(v)});
    });
}

bool Dealer::divide(UnknownTable& t, Truth when, const Terms::Int& by) const {
    if (when == Formulas::no) return true;
    if (!by.is_constant() && by.high() > divided_most) return false;
    // By a common multiple everywhere, and times what that is too much.
    std::uint64_t common = 1;
    std::vector<std::pair<std::uint64_t, Truth>> cases;
    terms_.each_case(by, [&](Value v, const Truth& is) {
        const Truth both = terms_.both(when, is);
        if (v < 1 || both == Formulas::no) return;
        cases.emplace_back(static_cast<std::uint64_t>(v), both);
        common = std::lcm(common, static_cast<std::uint64_t>(v));
    });
    if (common == 1) return true;
    t.odds /= common;
    for (const auto& [v, is] : cases) {
        if (v == common) continue;
        if (is == Formulas::yes)
            t.odds *= common / v;
        else
            t.odds_factors.push_back({is, common / v});
    }
    if (when != Formulas::yes) t.odds_factors.push_back({terms_.negate(when), common});
    return true;
}

Terms::Int Dealer::plus(std::size_t kind, const Terms::Int& a, const Terms::Int& b) const {
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    return terms_.within(terms_.add(a, b), 0, game_.kinds[kind].copies);
}

void Dealer::join(std::vector<Terms::Int>& counts, const std::vector<Terms::Int>& more) const {
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = plus(k, counts[k], more[k]);
}

// ---------------------------------------------------------------- kinds for cards

void Dealer::resize(UnknownTable& t, PlaceId place, Value by) {
    t.sizes[place] += by;
    pile(t, place).size = terms_.constant(t.sizes[place]);
    if (is_stack(place)) pile(t, place).order.clear();  // its parts tell it
    if (t.effects && by < 0) t.touched[place] = true;
}

// To a part and to the sums over its place. While effects read the table as it was, that learns of it, too, if it was there then.
void Dealer::add(UnknownTable& t, PlaceId place, std::size_t part, const std::vector<Terms::Int>& counts) {
    Part& p = part_at(t, place, part);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (is_zero(counts[k])) continue;
        p.counts[k] = plus(k, p.counts[k], counts[k]);
        pile(t, place).counts[k] = plus(k, pile(t, place).counts[k], counts[k]);
        if (t.effects && (part == 0 || is_stack(place)))
            t.state.piles[place].counts[k] = plus(k, t.state.piles[place].counts[k], counts[k]);
    }
}

std::vector<Terms::Int> Dealer::reveal(UnknownTable& t, std::size_t urn, Value cards, const std::vector<std::int32_t>& slots) {
    Urn& u = t.urns[urn];
    std::vector<Terms::Int> counts = nothing();
    const Value n = slots.size();
    t.factor *= Rational(factorial(cards), factorial(cards - n));
    if (cards == u.size) {
        counts = u.counts;
        u.counts = nothing();
    } else {
        Sum sum{{}, cards};
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const Value most = std::min(cards, u.counts[k].high());
            if (most == 0) continue;
            sum.unknowns.push_back(terms_.formulas().unknowns().size());
            counts[k] = fresh(t, 0, most, KindId(k));
            // There are no more than that, whatever was seen.
            if (const Truth there = terms_.less_equal(counts[k], u.counts[k]); there != Formulas::yes)
                t.conditions.push_back({there, t.seen, no_id});
            terms_.each_case(u.counts[k], [&](Value all, const Truth& there) {
                terms_.each_case(counts[k], [&](Value some, const Truth& taken) {
                    if (all < 2 || some > all || some == 0 || some == all) return;
                    count(t, terms_.both(there, taken), terms_.constant(binomial(all, some)));
                });
            });
            u.counts[k] = terms_.within(terms_.subtract(u.counts[k], counts[k]), 0, u.counts[k].high());
        }
        t.sums.push_back(std::move(sum));
    }
    u.size -= cards;
    if (!slots.empty()) t.groups.push_back({slots, counts});
    return counts;
}

std::optional<std::vector<Terms::Int>> Dealer::counts_of(const UnknownTable& t, std::int32_t slot) {
    const auto alone = [&](const SlotGroup& group) { return group.slots.size() == 1 && group.slots.front() == slot; };
    const auto group = std::find_if(t.groups.begin(), t.groups.end(), alone);
    if (group == t.groups.end()) return std::nullopt;
    return group->counts;
}

void Dealer::settle_part(UnknownTable& t, PlaceId place, std::size_t part) {
    Part& p = part_at(t, place, part);
    while (!p.holdings.empty()) {
        const std::size_t urn = p.holdings.front().urn;
        Value cards = 0;
        std::vector<std::int32_t> slots;
        std::erase_if(p.holdings, [&](const Holding& h) {
            if (h.urn != urn) return false;
            cards += h.cards;
            slots.insert(slots.end(), h.slots.begin(), h.slots.end());
            return true;
        });
        if (cards > 0) add(t, place, part, reveal(t, urn, cards, slots));
    }
}

std::vector<std::int32_t> Dealer::take_slots(Holding& holding, const std::vector<std::int32_t>& wanted) {
    std::vector<std::int32_t> taken;
    std::erase_if(holding.slots, [&](std::int32_t s) {
        const bool its = std::find(wanted.begin(), wanted.end(), s) != wanted.end();
        if (its) taken.push_back(s);
        return its;
    });
    holding.cards -= taken.size();
    return taken;
}

bool Dealer::has_named(const UnknownTable& t, PlaceId place) {
    return std::any_of(t.unread.begin(), t.unread.end(), [&](const auto& u) { return u.second.place == place; });
}

void Dealer::settle(UnknownTable& t, PlaceId place) {
    std::vector<VariableId> named;
    for (const auto& [variable, unread] : t.unread)
        if (unread.place == place) named.push_back(variable);
    for (const VariableId v : named) settle_variable(t, v);
    // What comes while effects read the table as it was is a part of its own, and is not read.
    const std::size_t parts = t.effects && !is_stack(place) ? 1 : t.parts[place].size();
    for (std::size_t part = 0; part < parts; ++part) settle_part(t, place, part);
}

void Dealer::settle_variable(UnknownTable& t, VariableId variable) {
    const auto found = t.unread.find(variable);
    if (found == t.unread.end()) return;
    const Unread unread = found->second;
    std::vector<Terms::Int> counts = nothing();
    for (std::size_t part = 0; part < t.parts[unread.place].size(); ++part) {
        for (std::size_t h = 0; h < part_at(t, unread.place, part).holdings.size(); ++h) {
            Holding& holding = part_at(t, unread.place, part).holdings[h];
            const std::vector<std::int32_t> slots = take_slots(holding, unread.slots);
            if (slots.empty()) continue;
            const std::vector<Terms::Int> some = reveal(t, holding.urn, slots.size(), slots);
            add(t, unread.place, part, some);
            for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = plus(k, counts[k], some[k]);
        }
        std::erase_if(part_at(t, unread.place, part).holdings, [](const Holding& h) { return h.cards == 0; });
    }
    // Other names for the same cards, as parameters are, are told together.
    for (auto i = t.unread.begin(); i != t.unread.end();) {
        if (i->second.slots != unread.slots) {
            ++i;
            continue;
        }
        if (game_.variables[i->first].type.base == Base::card) {
            std::map<Value, std::vector<Truth>> kinds;
            for (std::size_t k = 0; k < counts.size(); ++k)
                if (!is_zero(counts[k])) kinds[k].push_back(arithmetic::positive(terms_, counts[k]));
            t.state.variables[i->first] = Card<Terms>{terms_.from_cases(std::move(kinds)), terms_.constant(unread.place)};
        } else {
            Cards<Terms> cards;
            for (std::size_t k = 0; k < counts.size(); ++k) collections::add_copies(terms_, cards, unread.place, KindId(k), counts[k]);
            cards.size = terms_.constant(unread.slots.size());
            t.state.variables[i->first] = cards;
        }
        i = t.unread.erase(i);
    }
}

bool Dealer::expose(UnknownTable& t, PlaceId place, std::size_t part, KindId kind) {
    Part& p = part_at(t, place, part);
    unite(t, p);
    if (p.holdings.size() != 1 || p.counts[kind].high() > 0 || has_named(t, place)) {
        settle(t, place);
        Part& settled = part_at(t, place, part);
        count(t, Formulas::yes, settled.counts[kind]);
        return require(t, arithmetic::positive(terms_, settled.counts[kind]));
    }
    Holding& h = p.holdings.front();
    Urn& u = t.urns[h.urn];
    if (!require(t, arithmetic::positive(terms_, u.counts[kind]))) return false;
    count(t, Formulas::yes, u.counts[kind]);
    std::vector<Terms::Int> counts = nothing();
    counts[kind] = terms_.constant(1);
    if (!h.slots.empty()) {
        t.factor *= h.cards;
        t.groups.push_back({{h.slots.back()}, counts});
        h.slots.pop_back();
    }
    u.counts[kind] = terms_.within(terms_.subtract(u.counts[kind], terms_.constant(1)), 0, u.counts[kind].high());
    --u.size;
    if (--h.cards == 0) p.holdings.clear();
    add(t, place, part, counts);
    return true;
}

bool Dealer::expose_another(UnknownTable& t, PlaceId place, KindId kind, Value before) {
    if (is_stack(place)) {
        // In whichever part it lies.
        settle(t, place);
        const Terms::Int rest = terms_.subtract(pile(t, place).counts[kind], terms_.constant(before));
        count(t, Formulas::yes, rest);
        return require(t, arithmetic::positive(terms_, rest));
    }
    Part& p = part_at(t, place, 0);
    const bool settled = p.holdings.empty() || (p.counts[kind].high() > before);
    if (!settled && before == 0) return expose(t, place, 0, kind);
    if (!settled && p.holdings.size() == 1) {
        // The exposed ones are set aside while the next one is picked.
        const Terms::Int aside = p.counts[kind];
        p.counts[kind] = terms_.constant(0);
        const bool exposed = expose(t, place, 0, kind);
        Part& now = part_at(t, place, 0);
        now.counts[kind] = plus(kind, now.counts[kind], aside);
        return exposed;
    }
    settle(t, place);
    Part& now = part_at(t, place, 0);
    const Terms::Int rest = terms_.subtract(now.counts[kind], terms_.constant(before));
    count(t, Formulas::yes, rest);
    return require(t, arithmetic::positive(terms_, rest));
}

std::optional<Unread> Dealer::pick_unseen(UnknownTable& t, PlaceId place, Value n) {
    if (is_stack(place)) return std::nullopt;
    Part& p = part_at(t, place, 0);
    unite(t, p);
    if (has_named(t, place) || n > p.size || p.holdings.empty()) return std::nullopt;
    const bool mixed = p.holdings.size() != 1 || p.holdings.front().cards != p.size;
    // What was picked from several lots, or beside cards that are known, is mixed: whatever lay there is an urn of its own.
    if (mixed && !pile(t, place).order.empty()) return std::nullopt;
    if (mixed) into_urn(t, place, 0);
    Holding& h = p.holdings.front();
    Unread result{place, {}};
    if (h.slots.empty()) {
        // Out of a rest: those become cards with slots, beside it.
        for (Value i = 0; i < n; ++i) result.slots.push_back(next_slot_++);
        t.factor /= Rational(factorial(n));
        const std::size_t urn = h.urn;
        h.cards -= n;
        if (h.cards == 0) p.holdings.clear();
        p.holdings.push_back({urn, n, result.slots});
    } else {
        t.factor *= binomial(h.cards, n);
        result.slots.assign(h.slots.end() - n, h.slots.end());
    }
    return result;
}

// ---------------------------------------------------------------- urns

// Cards of one urn are picked alike, whether they were drawn before or not: they become one holding.
void Dealer::unite(UnknownTable& t, Part& part) {
    const std::vector<Holding>& apart = part.holdings;
    if (apart.size() < 2 || std::any_of(apart.begin(), apart.end(), [&](const Holding& h) { return h.urn != apart.front().urn; })) return;
    Holding all{apart.front().urn, 0, {}};
    for (const Holding& h : apart) {
        all.cards += h.cards;
        all.slots.insert(all.slots.end(), h.slots.begin(), h.slots.end());
        if (!h.slots.empty()) continue;
        t.factor /= Rational(factorial(h.cards));
        for (Value i = 0; i < h.cards; ++i) all.slots.push_back(next_slot_++);
    }
    part.holdings = {std::move(all)};
}

// When no copy of a kind can be anywhere else, all of them are in this part, whose cards have kinds.
void Dealer::complete(UnknownTable& t, PlaceId place, std::size_t part) const {
    for (std::size_t k = 0; k < game_.kinds.size(); ++k) {
        const Terms::Int& here = t.parts[place][part].counts[k];
        if (here.is_constant()) continue;
        bool elsewhere = std::any_of(t.urns.begin(), t.urns.end(), [&](const Urn& u) { return u.counts[k].high() > 0; });
        for (const auto& parts : t.parts)
            for (const Part& p : parts) elsewhere = elsewhere || (&p.counts[k] != &here && p.counts[k].high() > 0);
        if (elsewhere) continue;
        part_at(t, place, part).counts[k] = pile(t, place).counts[k] = terms_.constant(game_.kinds[k].copies);
    }
}

// The cards of a part that have kinds are mixed: an urn of its own.
void Dealer::into_urn(UnknownTable& t, PlaceId place, std::size_t part) {
    settle_part(t, place, part);
    complete(t, place, part);
    Part& p = part_at(t, place, part);
    t.urns.push_back({p.counts, p.size});
    for (std::size_t k = 0; k < p.counts.size(); ++k)
        pile(t, place).counts[k] =
            terms_.within(terms_.subtract(pile(t, place).counts[k], p.counts[k]), 0, pile(t, place).counts[k].high());
    p.counts = nothing();
    p.holdings = {{t.urns.size() - 1, p.size, {}}};
}

// Whether a variable names an unread card in one of these slots.
bool Dealer::is_named(const UnknownTable& t, const std::vector<std::int32_t>& slots) {
    return std::ranges::any_of(t.unread, [&](const auto& u) {
        return std::ranges::any_of(u.second.slots, [&](std::int32_t slot) { return std::ranges::find(slots, slot) != slots.end(); });
    });
}

// An urn whose cards have all come together again holds nothing any more, unless one of them has a name: which kind it is, is read later.
void Dealer::reunite(UnknownTable& t, Part& part) const {
    for (std::size_t u = 0; u < t.urns.size(); ++u) {
        Value here = 0;
        SlotGroup group;
        Rational ways(factorial(t.urns[u].size));
        for (const Holding& h : part.holdings) {
            if (h.urn != u) continue;
            here += h.cards;
            group.slots.insert(group.slots.end(), h.slots.begin(), h.slots.end());
            if (h.slots.empty()) ways /= Rational(factorial(h.cards));
        }
        if (here == 0 || here != t.urns[u].size || is_named(t, group.slots)) continue;
        t.factor *= ways;
        for (std::size_t k = 0; k < part.counts.size(); ++k) part.counts[k] = plus(k, part.counts[k], t.urns[u].counts[k]);
        group.counts = t.urns[u].counts;
        if (!group.slots.empty()) t.groups.push_back(std::move(group));
        std::erase_if(part.holdings, [&](const Holding& h) { return h.urn == u; });
        t.urns[u] = {nothing(), 0};
    }
}

Rational Dealer::left_in_urns(const UnknownTable& t) const {
    Rational ways = 1;
    for (const Urn& u : t.urns) ways *= Rational(factorial(u.size));
    for (const auto& place : t.parts)
        for (const Part& p : place)
            for (const Holding& h : p.holdings)
                if (h.slots.empty()) ways /= Rational(factorial(h.cards));
    return ways;
}

}  // namespace houserule
