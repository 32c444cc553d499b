// Cards of unknown tables go from place to place: see unknown_table.hpp.
#include "solver/coexecute/unknown_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace houserule {

namespace {

// Takes cards out of the order of a row, which may be unknown then: of copies that lie apart, nobody can tell which ones left.
void leave(std::vector<Terms::Int>& order, const std::vector<Terms::Int>& counts, Leaving which) {
    if (which != Leaving::of_kinds) {
        order.erase(which == Leaving::first ? order.begin() : std::prev(order.end()));
        return;
    }
    const auto known = [](const Terms::Int& i) { return i.is_constant(); };
    bool sure = std::all_of(order.begin(), order.end(), known) && std::all_of(counts.begin(), counts.end(), known);
    const auto of_kind = [](std::size_t kind) { return [kind](const Terms::Int& card) { return card.low() == static_cast<Value>(kind); }; };
    std::vector<std::size_t> some_stay;  // kinds
    for (std::size_t k = 0; sure && k < counts.size(); ++k) {
        if (counts[k].low() == 0) continue;
        if (std::cmp_less(counts[k].low(), std::count_if(order.begin(), order.end(), of_kind(k))))
            some_stay.push_back(k);
        else
            std::erase_if(order, of_kind(k));
    }
    for (const std::size_t k : some_stay) {
        const auto first = std::find_if(order.begin(), order.end(), of_kind(k));
        const auto behind = std::find_if(order.rbegin(), order.rend(), of_kind(k)).base();
        sure = sure && std::all_of(first, behind, of_kind(k));
        if (sure) order.erase(first, first + counts[k].low());
    }
    if (!sure) order.clear();
}

// Whether there may be a card in it that is of one of the kinds, or of none of them.
bool may_have(const Urn& urn, const std::vector<bool>& kinds, bool of_them) {
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k] == of_them && urn.counts[k].high() > 0) return true;
    return false;
}

}  // namespace

bool Dealer::draw(UnknownTable& t, KindId from, KindId to, std::size_t part, std::optional<KindId> kind, std::int32_t* slot) {
    {
        Part& p = part_at(t, from, part);
        if (p.size > 1) t.chance /= p.size;
        if (has_named(t, from)) settle(t, from);
        unite(t, p);
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
            if (!require(t, arithmetic::positive(terms_, p.counts[*kind]))) return false;
            count(t, Formulas::yes, p.counts[*kind]);
        } else if (!expose(t, from, part, *kind)) {
            return false;
        }
        std::vector<Terms::Int> counts = nothing();
        counts[*kind] = terms_.constant(1);
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
    if (p.size == 0 && is_stack(from)) t.parts[from].erase(t.parts[from].begin() + part);
    land(t, to, {nothing(), {{urn, 1, {drawn}}}, 1}, put_on);
    if (slot != nullptr) *slot = drawn;
    return true;
}

bool Dealer::take_kinds(UnknownTable& t, PlaceId stack, const std::vector<Terms::Int>& counts, Value size) {
    Pile<Terms>& there = pile(t, stack);
    std::vector<bool> go(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) {
        go[k] = !is_zero(counts[k]);
        if (go[k] && terms_.equal(counts[k], there.counts[k]) != Formulas::yes) return false;
    }
    std::vector<Part> left = t.parts[stack];
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
    t.parts[stack] = std::move(left);
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (go[k]) there.counts[k] = terms_.constant(0);
    there.order.clear();
    resize(t, stack, -size);
    return true;
}

bool Dealer::take(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, Leaving which, std::size_t part) {
    if (t.parts[place].empty()) return size == 0;
    const bool from_top = is_stack(place) && which != Leaving::first;
    Part& p = from_top ? t.parts[place].back() : t.parts[place][part];
    Pile<Terms>& there = pile(t, place);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (is_zero(counts[k])) continue;
        // That a card was seen to leave is a reason why it lay there; that cards which left unseen lay there goes without saying.
        const Truth enough = terms_.less_equal(counts[k], p.counts[k]);
        if (!(counts[k].is_constant() ? require(t, enough) : require_law(t, enough))) return false;
        p.counts[k] = terms_.within(terms_.subtract(p.counts[k], counts[k]), 0, p.counts[k].high());
        there.counts[k] = terms_.within(terms_.subtract(there.counts[k], counts[k]), 0, there.counts[k].high());
    }
    p.size -= size;
    if (p.size < 0) return false;
    resize(t, place, -size);
    if (t.sizes[place] == 0) {
        there.order.clear();
        for (Terms::Int& c : there.counts) c = terms_.constant(0);
    } else if (std::vector<Terms::Int>& order = part > 0 ? p.order : there.order; !order.empty()) {
        leave(order, counts, which);
    }
    if (p.size == 0) {
        p.counts = nothing();
        if (is_stack(place))
            t.parts[place].erase(from_top ? std::prev(t.parts[place].end()) : t.parts[place].begin());
        else if (part > 0)
            t.parts[place].erase(t.parts[place].begin() + static_cast<std::ptrdiff_t>(part));
    }
    return true;
}

void Dealer::give(UnknownTable& t, PlaceId place, const std::vector<Terms::Int>& counts, Value size, std::uint8_t mode) {
    land(t, place, {counts, {}, size}, mode);
}

void Dealer::lay(UnknownTable& t, PlaceId place, std::vector<Part> parts, const std::vector<Terms::Int>& kinds,
                 const std::vector<Terms::Int>& counts, std::uint8_t mode) {
    Value size = 0;
    for (const Part& p : parts) size += p.size;
    if (size == 0) return;
    if (!is_stack(place)) {
        land(t, place, {counts, {}, size, kinds}, mode);
        return;
    }
    join(pile(t, place).counts, counts);
    auto& there = t.parts[place];
    there.insert((mode & put_under) != 0 ? there.begin() : there.end(), std::make_move_iterator(parts.begin()),
                 std::make_move_iterator(parts.end()));
    resize(t, place, size);
}

std::vector<Part> Dealer::lift_parts(UnknownTable& t, PlaceId stack) {
    std::vector<Part> parts = std::move(t.parts[stack]);
    t.parts[stack].clear();
    Pile<Terms>& there = pile(t, stack);
    for (Terms::Int& c : there.counts) c = terms_.constant(0);
    there.order.clear();
    resize(t, stack, -t.sizes[stack]);
    return parts;
}

Part Dealer::lift_all(UnknownTable& t, PlaceId from) {
    Part all{nothing(), {}, 0};
    // What has just come while effects read the table as it was stays.
    std::vector<Part> stay;
    if (t.effects && !is_stack(from)) stay.assign(t.parts[from].begin() + 1, t.parts[from].end());
    t.parts[from].resize(t.parts[from].size() - stay.size());
    for (Part& p : t.parts[from]) {
        for (std::size_t k = 0; k < all.counts.size(); ++k)
            if (!is_zero(p.counts[k])) all.counts[k] = plus(k, all.counts[k], p.counts[k]);
        all.holdings.insert(all.holdings.end(), p.holdings.begin(), p.holdings.end());
        all.size += p.size;
    }
    t.parts[from].clear();
    if (!is_stack(from)) t.parts[from].push_back({nothing(), {}, 0});
    Pile<Terms>& there = pile(t, from);
    for (Terms::Int& c : there.counts) c = terms_.constant(0);
    for (Part& p : stay) {
        for (std::size_t k = 0; k < p.counts.size(); ++k) there.counts[k] = plus(k, there.counts[k], p.counts[k]);
        t.parts[from].push_back(std::move(p));
    }
    there.order.clear();
    resize(t, from, -all.size);
    return all;
}

std::optional<Value> Dealer::size_of_kinds(const UnknownTable& t, PlaceId place, const std::vector<bool>& kinds) const {
    const Part& p = t.parts[place].front();
    Value size = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (!kinds[k]) continue;
        if (!p.counts[k].is_constant()) return std::nullopt;
        size += p.counts[k].low();
    }
    for (const Holding& h : p.holdings) {
        const bool some = may_have(t.urns[h.urn], kinds, true);
        if (some && may_have(t.urns[h.urn], kinds, false)) return std::nullopt;
        if (some) size += h.cards;
    }
    return size;
}

Part Dealer::lift_kinds(UnknownTable& t, PlaceId from, const std::vector<bool>& kinds) {
    Part lifted{nothing(), {}, 0};
    Part& p = t.parts[from].front();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (!kinds[k]) continue;
        lifted.size += p.counts[k].low();
        std::swap(lifted.counts[k], p.counts[k]);
        pile(t, from).counts[k] = terms_.constant(0);
    }
    std::erase_if(p.holdings, [&](Holding& h) {
        if (!may_have(t.urns[h.urn], kinds, true)) return false;
        lifted.size += h.cards;
        lifted.holdings.push_back(std::move(h));
        return true;
    });
    p.size -= lifted.size;
    pile(t, from).order.clear();
    resize(t, from, -lifted.size);
    return lifted;
}

// Laid one by one, kinds ascending, as the run on numbers lays them, unless it is told how.
std::vector<Terms::Int> Dealer::order_of(const Part& part, std::uint8_t mode) const {
    if (!part.order.empty() || !part.holdings.empty()) return part.order;
    const auto known = [](const Terms::Int& c) { return c.is_constant(); };
    std::vector<Terms::Int> laid;
    if (part.size == 1) {
        laid.push_back(kind_of_one(terms_, part.counts));
    } else if ((mode & put_shuffled) == 0 && std::all_of(part.counts.begin(), part.counts.end(), known)) {
        for (std::size_t k = 0; k < part.counts.size(); ++k)
            for (Value i = 0; i < part.counts[k].low(); ++i) laid.push_back(terms_.constant(k));
        if ((mode & put_under) != 0) std::reverse(laid.begin(), laid.end());  // each under those before it
    }
    return laid;
}

// Its order is known as long as that of all that comes is.
void Dealer::put_in_row(UnknownTable& t, PlaceId row, const Part& part, std::uint8_t mode) const {
    std::vector<Terms::Int>& order = pile(t, row).order;
    const Part& there = t.parts[row].front();
    if (order.empty() && there.size == 1) order = order_of(there, mode);
    const std::vector<Terms::Int> laid = order_of(part, mode);
    if (std::cmp_equal(order.size(), t.sizes[row]) && std::cmp_equal(laid.size(), part.size))
        order.insert((mode & put_under) != 0 ? order.begin() : order.end(), laid.begin(), laid.end());
    else
        order.clear();
}

void Dealer::read(UnknownTable& t, Part& card) {
    const Holding lot = card.holdings.front();
    card.holdings.clear();
    join(card.counts, reveal(t, lot.urn, 1, lot.slots));
}

void Dealer::land(UnknownTable& t, PlaceId place, Part part, std::uint8_t mode) {
    if (part.size == 0) return;
    const Value size = part.size;
    Pile<Terms>& there = pile(t, place);
    const bool has_order = t.sizes[place] <= 1 || !there.order.empty();
    if (size == 1 && !part.holdings.empty() && keeps_order(place) && has_order) read(t, part);
    for (std::size_t k = 0; k < part.counts.size(); ++k)
        if (!is_zero(part.counts[k])) there.counts[k] = plus(k, there.counts[k], part.counts[k]);
    auto& parts = t.parts[place];
    const bool row = place != 0 && game_.zones[machine_.place_zone[place]].shape == Shape::row;
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
        if ((mode & put_under) != 0)
            parts.insert(parts.begin(), std::move(part));
        else
            parts.push_back(std::move(part));
    } else if (t.effects && !row && parts.size() > 1) {
        // All that has come since is one part. (Of a row each is its own: they lie in the order in which they came.)
        Part& came = parts.back();
        join(came.counts, part.counts);
        std::move(part.holdings.begin(), part.holdings.end(), std::back_inserter(came.holdings));
        came.size += size;
    } else if (t.effects) {
        if (row) part.order = order_of(part, mode);
        part.is_under = row && (mode & put_under) != 0;
        parts.push_back(std::move(part));
    } else {
        if (row) put_in_row(t, place, part, mode);
        Part& own = parts.front();
        for (std::size_t k = 0; k < part.counts.size(); ++k)
            if (!is_zero(part.counts[k])) own.counts[k] = plus(k, own.counts[k], part.counts[k]);
        for (Holding& h : part.holdings) {
            // Cards of one urn that came one by one are together what they would be at once.
            const auto same = std::find_if(own.holdings.begin(), own.holdings.end(), [&](const Holding& o) {
                return o.urn == h.urn && o.slots.empty() == h.slots.empty() && !h.slots.empty();
            });
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
    t.touched.assign(game_.places, false);
    t.put = {};
    t.put_by_others = {};
    t.unread_then.assign(game_.places, false);
    for (PlaceId p = 0; p < game_.places; ++p)
        t.unread_then[p] = std::any_of(t.parts[p].begin(), t.parts[p].end(), [](const Part& part) { return !part.holdings.empty(); });
}

void Dealer::end_effects(UnknownTable& t) {
    t.effects = false;
    t.state.piles = std::move(t.piles_now);
    t.state.facts = std::move(t.facts_now);
    t.piles_now.clear();
    t.facts_now.clear();
    t.put = {};
    t.put_by_others = {};
    for (PlaceId p = 0; p < game_.places; ++p) {
        if (is_stack(p) || t.parts[p].size() == 1) continue;
        std::vector<Part> came(t.parts[p].begin() + 1, t.parts[p].end());
        t.parts[p].resize(1);
        // As if it came just now: sizes and sums know of it already.
        for (Part& part : came) {
            const Value size = part.size;
            for (std::size_t k = 0; k < part.counts.size(); ++k)
                if (!is_zero(part.counts[k]))
                    pile(t, p).counts[k] =
                        terms_.within(terms_.subtract(pile(t, p).counts[k], part.counts[k]), 0, pile(t, p).counts[k].high());
            t.sizes[p] -= size;
            land(t, p, std::move(part), put_shuffled | (part.is_under ? put_under : put_in));
        }
    }
}

void Dealer::move_unread(UnknownTable& t, const Unread& cards, PlaceId to, std::uint8_t mode) {
    Part moved{nothing(), {}, static_cast<Value>(cards.slots.size())};
    for (Part& p : t.parts[cards.place]) {
        for (Holding& h : p.holdings) {
            std::vector<std::int32_t> slots = take_slots(h, cards.slots);
            if (slots.empty()) continue;
            p.size -= slots.size();
            moved.holdings.push_back({h.urn, static_cast<Value>(slots.size()), std::move(slots)});
        }
        std::erase_if(p.holdings, [](const Holding& h) { return h.cards == 0; });
    }
    pile(t, cards.place).order.clear();
    resize(t, cards.place, -moved.size);
    land(t, to, std::move(moved), mode);
    for (auto& [variable, unread] : t.unread) {
        if (unread.slots != cards.slots) continue;
        unread.place = to;
        if (t.effects) t.put.went[variable] = true;
    }
}

void Dealer::shuffle(UnknownTable& t, PlaceId place) {
    if (t.sizes[place] == 0) return;
    Part all = lift_all(t, place);
    reunite(t, all);
    land(t, place, std::move(all), put_shuffled);
    pile(t, place).order.clear();
}

void Dealer::gather(UnknownTable& t) {
    t.factor *= left_in_urns(t);
    // One group for each urn: no card of it is in two slots.
    for (std::size_t u = 0; u < t.urns.size(); ++u) {
        SlotGroup group{{}, t.urns[u].counts};
        for (const auto& place : t.parts)
            for (const Part& part : place)
                for (const Holding& h : part.holdings)
                    if (h.urn == u) group.slots.insert(group.slots.end(), h.slots.begin(), h.slots.end());
        if (!group.slots.empty()) t.groups.push_back(std::move(group));
    }
    t.urns.clear();
    t.unread.clear();
    const PlainState<Terms> fresh_state = empty_state(terms_, game_);
    t.state.piles = fresh_state.piles;
    lay_out(t);
}

}  // namespace houserule
