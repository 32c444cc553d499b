#include "solver/unknown_table.hpp"

#include <algorithm>
#include <numeric>

namespace houserule {

namespace {

std::size_t at(Id id) { return static_cast<std::size_t>(id); }

// Numbers of moves: the common multiple of all up to there is below a million.
constexpr Value divided_most = 16;

Integer factorial(Value n) {
    Integer product = 1;
    for (Value i = 2; i <= n; ++i) product *= i;
    return product;
}

bool is_zero(const Terms::Int& i) { return i.is_constant() && i.low() == 0; }

}  // namespace

Value binomial(Value n, Value k) {
    Value result = 1;
    for (Value i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
}

void Dealer::lay_out(UnknownTable& t) const {
    t.parts.assign(at(game_.places), {});
    t.sizes.assign(at(game_.places), 0);
    for (Id p = 0; p < game_.places; ++p) {
        Pile<Terms>& pile = t.state.piles[at(p)];
        for (const Terms::Int& c : pile.counts) t.sizes[at(p)] += c.low();
        pile.size = terms_.constant(t.sizes[at(p)]);
        if (!is_stack(p)) t.parts[at(p)].push_back({pile.counts, {}, t.sizes[at(p)]});
    }
}

bool Dealer::require(UnknownTable& t, Truth condition) const {
    if (condition == Formulas::no) return false;
    if (condition == Formulas::yes) return true;
    t.conditions.push_back({condition, t.seen, t.pc});
    return true;
}

Terms::Int Dealer::fresh(UnknownTable& t, Value low, Value high, Id kind) {
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
        if (both == Formulas::yes) t.factor *= v;
        else if (both != Formulas::no) t.factors.push_back({both, static_cast<std::uint64_t>(v)});
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
        if (is == Formulas::yes) t.odds *= common / v;
        else t.odds_factors.push_back({is, common / v});
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

void Dealer::resize(UnknownTable& t, Id place, Value by) {
    t.sizes[at(place)] += by;
    pile(t, place).size = terms_.constant(t.sizes[at(place)]);
    if (t.effects && by < 0) t.touched[at(place)] = true;
}

// To a part and to the sums over its place. While effects read the table as it was, that learns of it, too, if it was there then.
void Dealer::add(UnknownTable& t, Id place, std::size_t part, const std::vector<Terms::Int>& counts) {
    Part& p = part_at(t, place, part);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (is_zero(counts[k])) continue;
        p.counts[k] = plus(k, p.counts[k], counts[k]);
        pile(t, place).counts[k] = plus(k, pile(t, place).counts[k], counts[k]);
        if (t.effects && (part == 0 || is_stack(place))) t.state.piles[at(place)].counts[k] = plus(k, t.state.piles[at(place)].counts[k], counts[k]);
    }
}

std::vector<Terms::Int> Dealer::reveal(UnknownTable& t, std::size_t urn, Value cards, const std::vector<std::int32_t>& slots) {
    Urn& u = t.urns[urn];
    std::vector<Terms::Int> counts = nothing();
    const auto n = static_cast<Value>(slots.size());
    t.factor *= Rational(factorial(cards), factorial(cards - n));
    if (cards == u.size) {
        counts = u.counts;
        u.counts = nothing();
    } else {
        Sum sum{{}, cards};
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const Value most = std::min(cards, u.counts[k].high());
            if (most == 0) continue;
            sum.unknowns.push_back(static_cast<std::int32_t>(terms_.formulas().unknowns().size()));
            counts[k] = fresh(t, 0, most, static_cast<Id>(k));
            // There are no more than that, whatever was seen.
            if (const Truth there = terms_.less_equal(counts[k], u.counts[k]); there != Formulas::yes) t.conditions.push_back({there, t.seen, no_id});
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

void Dealer::settle_part(UnknownTable& t, Id place, std::size_t part) {
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

void Dealer::settle(UnknownTable& t, Id place) {
    std::vector<Id> named;
    for (const auto& [variable, unread] : t.unread)
        if (unread.place == place) named.push_back(variable);
    for (const Id v : named) settle_variable(t, v);
    // What comes while effects read the table as it was is a part of its own, and is not read.
    const std::size_t parts = t.effects && !is_stack(place) ? 1 : t.parts[at(place)].size();
    for (std::size_t part = 0; part < parts; ++part) settle_part(t, place, part);
}

void Dealer::settle_variable(UnknownTable& t, Id variable) {
    const auto found = t.unread.find(variable);
    if (found == t.unread.end()) return;
    const Unread unread = found->second;
    std::vector<Terms::Int> counts = nothing();
    for (std::size_t part = 0; part < t.parts[at(unread.place)].size(); ++part) {
        for (std::size_t h = 0; h < part_at(t, unread.place, part).holdings.size(); ++h) {
            Holding& holding = part_at(t, unread.place, part).holdings[h];
            std::vector<std::int32_t> slots;
            std::erase_if(holding.slots, [&](std::int32_t s) {
                const bool its = std::find(unread.slots.begin(), unread.slots.end(), s) != unread.slots.end();
                if (its) slots.push_back(s);
                return its;
            });
            if (slots.empty()) continue;
            const auto n = static_cast<Value>(slots.size());
            holding.cards -= n;
            const std::vector<Terms::Int> some = reveal(t, holding.urn, n, slots);
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
        if (game_.variables[at(i->first)].type.base == Base::card) {
            std::map<Value, std::vector<Truth>> kinds;
            for (std::size_t k = 0; k < counts.size(); ++k)
                if (!is_zero(counts[k])) kinds[static_cast<Value>(k)].push_back(arithmetic::positive(terms_, counts[k]));
            t.state.variables[at(i->first)] = Card<Terms>{terms_.from_cases(std::move(kinds)), terms_.constant(unread.place)};
        } else {
            Cards<Terms> cards;
            for (std::size_t k = 0; k < counts.size(); ++k) collections::add_copies(terms_, cards, unread.place, static_cast<Id>(k), counts[k]);
            cards.size = terms_.constant(static_cast<Value>(unread.slots.size()));
            t.state.variables[at(i->first)] = cards;
        }
        i = t.unread.erase(i);
    }
}

bool Dealer::expose(UnknownTable& t, Id place, std::size_t part, Id kind) {
    Part& p = part_at(t, place, part);
    const bool named = std::any_of(t.unread.begin(), t.unread.end(), [&](const auto& u) { return u.second.place == place; });
    if (p.holdings.size() != 1 || p.counts[at(kind)].high() > 0 || named) {
        settle(t, place);
        Part& settled = part_at(t, place, part);
        count(t, Formulas::yes, settled.counts[at(kind)]);
        return require(t, arithmetic::positive(terms_, settled.counts[at(kind)]));
    }
    Holding& h = p.holdings.front();
    Urn& u = t.urns[h.urn];
    if (!require(t, arithmetic::positive(terms_, u.counts[at(kind)]))) return false;
    count(t, Formulas::yes, u.counts[at(kind)]);
    std::vector<Terms::Int> counts = nothing();
    counts[at(kind)] = terms_.constant(1);
    if (!h.slots.empty()) {
        t.factor *= h.cards;
        t.groups.push_back({{h.slots.back()}, counts});
        h.slots.pop_back();
    }
    u.counts[at(kind)] = terms_.within(terms_.subtract(u.counts[at(kind)], terms_.constant(1)), 0, u.counts[at(kind)].high());
    --u.size;
    if (--h.cards == 0) p.holdings.clear();
    add(t, place, part, counts);
    return true;
}

bool Dealer::expose_another(UnknownTable& t, Id place, Id kind, Value before) {
    Part& p = part_at(t, place, 0);
    const bool settled = p.holdings.empty() || (p.counts[at(kind)].high() > before);
    if (!settled && before == 0) return expose(t, place, 0, kind);
    if (!settled && p.holdings.size() == 1) {
        // The exposed ones are set aside while the next one is picked.
        const Terms::Int aside = p.counts[at(kind)];
        p.counts[at(kind)] = terms_.constant(0);
        const bool exposed = expose(t, place, 0, kind);
        Part& now = part_at(t, place, 0);
        now.counts[at(kind)] = plus(at(kind), now.counts[at(kind)], aside);
        return exposed;
    }
    settle(t, place);
    Part& now = part_at(t, place, 0);
    const Terms::Int rest = terms_.subtract(now.counts[at(kind)], terms_.constant(before));
    count(t, Formulas::yes, rest);
    return require(t, arithmetic::positive(terms_, rest));
}

std::optional<Unread> Dealer::pick_unseen(UnknownTable& t, Id place, Value n) {
    if (is_stack(place)) return std::nullopt;
    Part& p = part_at(t, place, 0);
    const bool named = std::any_of(t.unread.begin(), t.unread.end(), [&](const auto& u) { return u.second.place == place; });
    if (p.holdings.size() != 1 || p.holdings.front().cards != p.size || named || n > p.size) return std::nullopt;
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

// ---------------------------------------------------------------- moves

// The cards of a part that have kinds are mixed: an urn of its own.
void Dealer::into_urn(UnknownTable& t, Id place, std::size_t part) {
    settle_part(t, place, part);
    Part& p = part_at(t, place, part);
    t.urns.push_back({p.counts, p.size});
    for (std::size_t k = 0; k < p.counts.size(); ++k) pile(t, place).counts[k] = terms_.within(terms_.subtract(pile(t, place).counts[k], p.counts[k]), 0, pile(t, place).counts[k].high());
    p.counts = nothing();
    p.holdings = {{t.urns.size() - 1, p.size, {}}};
}

bool Dealer::draw(UnknownTable& t, Id from, Id to, std::size_t part, std::optional<Id> kind, std::int32_t* slot) {
    {
        Part& p = part_at(t, from, part);
        if (p.size > 1) t.chance /= p.size;
        const bool named = std::any_of(t.unread.begin(), t.unread.end(), [&](const auto& u) { return u.second.place == from; });
        if (named) settle(t, from);
        const bool from_one_urn = p.holdings.size() == 1 && p.holdings.front().cards == p.size;
        if (!from_one_urn && (p.size > 1 || !p.holdings.empty())) {
            const bool known = kind.has_value() && p.holdings.empty();
            if (!known) into_urn(t, from, part);
        }
    }
    Part& p = part_at(t, from, part);
    if (p.holdings.empty() && !kind) {
        // One card, whatever it is.
        const std::vector<Terms::Int> counts = p.counts;
        if (!take(t, from, counts, 1)) return false;
        give(t, to, counts, 1, put_on);
        return true;
    }
    if (kind) {
        if (p.holdings.empty()) {
            if (!require(t, arithmetic::positive(terms_, p.counts[at(*kind)]))) return false;
            count(t, Formulas::yes, p.counts[at(*kind)]);
        } else if (!expose(t, from, part, *kind)) {
            return false;
        }
        std::vector<Terms::Int> counts = nothing();
        counts[at(*kind)] = terms_.constant(1);
        if (!take(t, from, counts, 1)) return false;
        give(t, to, counts, 1, put_on);
        return true;
    }
    Holding& h = p.holdings.front();
    std::int32_t drawn = -1;
    if (h.slots.empty()) {
        drawn = next_slot_++;
    } else {
        t.factor *= h.cards;
        drawn = h.slots.back();
        h.slots.pop_back();
    }
    const std::size_t urn = h.urn;
    if (--h.cards == 0) p.holdings.clear();
    --p.size;
    resize(t, from, -1);
    if (p.size == 0 && is_stack(from)) t.parts[at(from)].erase(t.parts[at(from)].begin() + static_cast<std::ptrdiff_t>(part));
    land(t, to, {nothing(), {{urn, 1, {drawn}}}, 1}, put_on);
    if (slot != nullptr) *slot = drawn;
    return true;
}

bool Dealer::take_kinds(UnknownTable& t, Id stack, const std::vector<Terms::Int>& counts, Value size) {
    Pile<Terms>& there = pile(t, stack);
    std::vector<bool> go(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) {
        go[k] = !is_zero(counts[k]);
        if (go[k] && terms_.equal(counts[k], there.counts[k]) != Formulas::yes) return false;
    }
    std::vector<Part> left = t.parts[at(stack)];
    Value gone = 0;
    for (Part& p : left) {
        bool some_go = false;
        bool some_stay = false;
        bool sure = true;
        Value go_for_sure = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            if (p.counts[k].high() == 0) continue;
            (go[k] ? some_go : some_stay) = true;
            sure = sure && p.counts[k].is_constant();
            if (go[k]) go_for_sure += p.counts[k].low();
        }
        if (some_go && some_stay && !sure) return false;
        const Value n = some_go && !some_stay ? p.size : some_go ? go_for_sure : 0;
        gone += n;
        p.size -= n;
        for (std::size_t k = 0; k < counts.size(); ++k)
            if (go[k]) p.counts[k] = terms_.constant(0);
    }
    if (gone != size) return false;
    std::erase_if(left, [](const Part& p) { return p.size == 0; });
    t.parts[at(stack)] = std::move(left);
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (go[k]) there.counts[k] = terms_.constant(0);
    there.order.clear();
    resize(t, stack, -size);
    return true;
}

bool Dealer::take(UnknownTable& t, Id place, const std::vector<Terms::Int>& counts, Value size, bool from_bottom) {
    if (t.parts[at(place)].empty()) return size == 0;
    const bool from_top = is_stack(place) && !from_bottom;
    Part& p = from_top ? t.parts[at(place)].back() : t.parts[at(place)].front();
    Pile<Terms>& there = pile(t, place);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (is_zero(counts[k])) continue;
        if (!require(t, terms_.less_equal(counts[k], p.counts[k]))) return false;
        p.counts[k] = terms_.within(terms_.subtract(p.counts[k], counts[k]), 0, p.counts[k].high());
        there.counts[k] = terms_.within(terms_.subtract(there.counts[k], counts[k]), 0, there.counts[k].high());
    }
    p.size -= size;
    if (p.size < 0) return false;
    resize(t, place, -size);
    if (t.sizes[at(place)] == 0) {
        there.order.clear();
        for (Terms::Int& c : there.counts) c = terms_.constant(0);
    } else if (!there.order.empty()) {
        // One card the last of its kind, several the first ones. What is not known leaves the order unknown.
        for (std::size_t k = 0; k < counts.size(); ++k) {
            for (Value i = 0; i < counts[k].high(); ++i) {
                if (!counts[k].is_constant()) {
                    there.order.clear();
                    break;
                }
                const auto is_kind = [&](const Terms::Int& card) { return card.is_constant() && card.low() == static_cast<Value>(k); };
                const auto first = std::find_if(there.order.begin(), there.order.end(), is_kind);
                const auto last = std::find_if(there.order.rbegin(), there.order.rend(), is_kind);
                if (first != there.order.end()) there.order.erase(size == 1 ? std::prev(last.base()) : first);
            }
        }
    }
    if (p.size == 0) {
        p.counts = nothing();
        if (is_stack(place)) t.parts[at(place)].erase(from_top ? std::prev(t.parts[at(place)].end()) : t.parts[at(place)].begin());
    }
    return true;
}

void Dealer::give(UnknownTable& t, Id place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode) { land(t, place, {counts, {}, size}, mode); }

Part Dealer::lift_all(UnknownTable& t, Id from) {
    Part all{nothing(), {}, 0};
    // What has just come while effects read the table as it was stays.
    std::vector<Part> stay;
    if (t.effects && !is_stack(from)) stay.assign(t.parts[at(from)].begin() + 1, t.parts[at(from)].end());
    t.parts[at(from)].resize(t.parts[at(from)].size() - stay.size());
    for (Part& p : t.parts[at(from)]) {
        for (std::size_t k = 0; k < all.counts.size(); ++k)
            if (!is_zero(p.counts[k])) all.counts[k] = plus(k, all.counts[k], p.counts[k]);
        all.holdings.insert(all.holdings.end(), p.holdings.begin(), p.holdings.end());
        all.size += p.size;
    }
    t.parts[at(from)].clear();
    if (!is_stack(from)) t.parts[at(from)].push_back({nothing(), {}, 0});
    Pile<Terms>& there = pile(t, from);
    for (Terms::Int& c : there.counts) c = terms_.constant(0);
    for (Part& p : stay) {
        for (std::size_t k = 0; k < p.counts.size(); ++k) there.counts[k] = plus(k, there.counts[k], p.counts[k]);
        t.parts[at(from)].push_back(std::move(p));
    }
    there.order.clear();
    resize(t, from, -all.size);
    return all;
}

// An urn whose cards have all come together again holds nothing any more.
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
        if (here == 0 || here != t.urns[u].size) continue;
        t.factor *= ways;
        for (std::size_t k = 0; k < part.counts.size(); ++k) part.counts[k] = plus(k, part.counts[k], t.urns[u].counts[k]);
        group.counts = t.urns[u].counts;
        if (!group.slots.empty()) t.groups.push_back(std::move(group));
        std::erase_if(part.holdings, [&](const Holding& h) { return h.urn == u; });
        t.urns[u] = {nothing(), 0};
    }
}

void Dealer::land(UnknownTable& t, Id place, Part part, std::uint8_t mode) {
    if (part.size == 0) return;
    const Value size = part.size;
    Pile<Terms>& there = pile(t, place);
    for (std::size_t k = 0; k < part.counts.size(); ++k)
        if (!is_zero(part.counts[k])) there.counts[k] = plus(k, there.counts[k], part.counts[k]);
    auto& parts = t.parts[at(place)];
    if (is_stack(place) && size > 1 && (mode & put_shuffled) == 0 && part.holdings.empty()) {
        // Laid one by one, kinds ascending, as the run on numbers lays them; whoever calls has seen to it that they are known.
        for (std::size_t k = 0; k < part.counts.size(); ++k) {
            for (Value i = 0; i < part.counts[k].low(); ++i) {
                Part single{nothing(), {}, 1};
                single.counts[k] = terms_.constant(1);
                parts.insert((mode & put_under) != 0 ? parts.begin() : parts.end(), std::move(single));
            }
        }
    } else if (is_stack(place)) {
        if ((mode & put_under) != 0) parts.insert(parts.begin(), std::move(part));
        else parts.push_back(std::move(part));
    } else if (t.effects) {
        there.order.clear();
        parts.push_back(std::move(part));
    } else {
        const bool row = place != 0 && game_.zones[at(machine_.place_zone[at(place)])].shape == Shape::row;
        // A row's cards, laid one by one: kinds ascending, as the run on numbers lays them. Its order is known as long as all kinds are.
        const bool ordered = row && part.holdings.empty() && static_cast<Value>(there.order.size()) == t.sizes[at(place)] &&
                             std::all_of(part.counts.begin(), part.counts.end(), [](const Terms::Int& c) { return c.is_constant(); });
        std::vector<Terms::Int> laid;
        for (std::size_t k = 0; ordered && k < part.counts.size(); ++k)
            for (Value i = 0; i < part.counts[k].low(); ++i) laid.push_back(terms_.constant(static_cast<Value>(k)));
        if (ordered) there.order.insert((mode & put_under) != 0 ? there.order.begin() : there.order.end(), laid.begin(), laid.end());
        else there.order.clear();
        Part& own = parts.front();
        for (std::size_t k = 0; k < part.counts.size(); ++k)
            if (!is_zero(part.counts[k])) own.counts[k] = plus(k, own.counts[k], part.counts[k]);
        for (Holding& h : part.holdings) {
            // Cards of one urn that came one by one are together what they would be at once.
            const auto same = std::find_if(own.holdings.begin(), own.holdings.end(), [&](const Holding& o) { return o.urn == h.urn && o.slots.empty() == h.slots.empty() && !h.slots.empty(); });
            if (same == own.holdings.end()) {
                own.holdings.push_back(std::move(h));
            } else {
                same->cards += h.cards;
                same->slots.insert(same->slots.end(), h.slots.begin(), h.slots.end());
            }
        }
        own.size += size;
        if (place == 0) reunite(t, own);
    }
    resize(t, place, size);
}

void Dealer::begin_effects(UnknownTable& t) const {
    t.effects = true;
    t.piles_now = t.state.piles;
    t.facts_now = t.state.facts;
    t.touched.assign(at(game_.places), false);
    t.unread_then.assign(at(game_.places), false);
    for (Id p = 0; p < game_.places; ++p)
        t.unread_then[at(p)] = std::any_of(t.parts[at(p)].begin(), t.parts[at(p)].end(), [](const Part& part) { return !part.holdings.empty(); });
}

void Dealer::end_effects(UnknownTable& t) {
    t.effects = false;
    t.state.piles = std::move(t.piles_now);
    t.state.facts = std::move(t.facts_now);
    t.piles_now.clear();
    t.facts_now.clear();
    for (Id p = 0; p < game_.places; ++p) {
        if (is_stack(p) || t.parts[at(p)].size() == 1) continue;
        std::vector<Part> came(t.parts[at(p)].begin() + 1, t.parts[at(p)].end());
        t.parts[at(p)].resize(1);
        // As if it came just now: sizes and sums know of it already.
        for (Part& part : came) {
            const Value size = part.size;
            for (std::size_t k = 0; k < part.counts.size(); ++k)
                if (!is_zero(part.counts[k])) pile(t, p).counts[k] = terms_.within(terms_.subtract(pile(t, p).counts[k], part.counts[k]), 0, pile(t, p).counts[k].high());
            t.sizes[at(p)] -= size;
            land(t, p, std::move(part), put_in);
        }
    }
}

void Dealer::move_unread(UnknownTable& t, const Unread& cards, Id to, std::uint8_t mode) {
    Part moved{nothing(), {}, static_cast<Value>(cards.slots.size())};
    for (Part& p : t.parts[at(cards.place)]) {
        for (Holding& h : p.holdings) {
            std::vector<std::int32_t> slots;
            std::erase_if(h.slots, [&](std::int32_t s) {
                const bool its = std::find(cards.slots.begin(), cards.slots.end(), s) != cards.slots.end();
                if (its) slots.push_back(s);
                return its;
            });
            if (slots.empty()) continue;
            h.cards -= static_cast<Value>(slots.size());
            p.size -= static_cast<Value>(slots.size());
            moved.holdings.push_back({h.urn, static_cast<Value>(slots.size()), std::move(slots)});
        }
        std::erase_if(p.holdings, [](const Holding& h) { return h.cards == 0; });
    }
    pile(t, cards.place).order.clear();
    resize(t, cards.place, -moved.size);
    land(t, to, std::move(moved), mode);
    for (auto& [variable, unread] : t.unread)
        if (unread.slots == cards.slots) unread.place = to;
}

void Dealer::shuffle(UnknownTable& t, Id place) {
    if (t.sizes[at(place)] == 0) return;
    Part all = lift_all(t, place);
    reunite(t, all);
    land(t, place, std::move(all), put_shuffled);
    pile(t, place).order.clear();
}

void Dealer::gather(UnknownTable& t) {
    t.factor *= left_in_urns(t);
    for (Id p = 0; p < game_.places; ++p) {
        for (const Part& part : t.parts[at(p)])
            for (const Holding& h : part.holdings)
                if (!h.slots.empty()) t.groups.push_back({h.slots, t.urns[h.urn].counts});
    }
    t.urns.clear();
    t.unread.clear();
    const PlainState<Terms> fresh_state = empty_state(terms_, game_);
    t.state.piles = fresh_state.piles;
    lay_out(t);
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
