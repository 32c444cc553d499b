// Steps that move and show cards, on unknowns: see coexecute.hpp.
#include "dsl/game/parts.hpp"
#include "interpreter/machine/post_dominators.hpp"
#include "interpreter/run/seers.hpp"
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace houserule {

namespace {

constexpr std::size_t ascending_most = 2048;  // cards times kinds whose order is worked out from how many there are

// How many of each kind.
std::vector<Value> faces_of(const Event& event, std::size_t kinds) {
    std::vector<Value> faces(kinds, 0);
    for (const std::int32_t k : event.pieces) ++faces[k];
    return faces;
}

bool is_move(const Event& event, PlaceId from, PlaceId to, Value size) {
    return event.kind == EventKind::move && event.from == from && event.to == to && static_cast<Value>(event.pieces.size()) == size;
}

bool holds(const Part& part, std::int32_t slot) {
    return std::any_of(part.holdings.begin(), part.holdings.end(),
                       [&](const Holding& h) { return std::find(h.slots.begin(), h.slots.end(), slot) != h.slots.end(); });
}

// Whether the seat saw in which order the cards came to lie.
bool tells_order(const Event& event) { return event.kind == EventKind::move && event.value != 0; }

// That cards laid so are, part by part, those pieces; they are what was told from then on.
Truth lie_in_order(Terms& terms, std::vector<Part>& laid, const std::vector<std::int32_t>& pieces) {
    std::vector<Truth> are;
    auto piece = pieces.begin();
    for (Part& part : laid) {
        if (pieces.end() - piece < part.size) return Formulas::no;
        std::vector<Value> told(part.counts.size(), 0);
        if (!std::is_sorted(piece, piece + part.size)) return Formulas::no;
        for (Value i = 0; i < part.size; ++i) ++told[*piece++];
        for (std::size_t k = 0; k < told.size(); ++k) {
            are.push_back(terms.equal(part.counts[k], terms.constant(told[k])));
            part.counts[k] = terms.constant(told[k]);
        }
    }
    return piece == pieces.end() ? terms.all(are) : Formulas::no;
}

// A part for each of the pieces.
std::vector<Part> one_by_one_parts(Terms& terms, const Game& game, const std::vector<std::int32_t>& pieces) {
    std::vector<Part> parts;
    for (const std::int32_t piece : pieces) {
        parts.push_back({std::vector<Terms::Int>(game.kinds.size()), {}, 1});
        parts.back().counts[piece] = terms.constant(1);
    }
    return parts;
}

Leaving leaving_of(const Expression& one) {
    if (one.op == Operator::first_card) return Leaving::first;
    return one.op == Operator::last_card ? Leaving::last : Leaving::of_kinds;
}

// The end at which a card lies that a step moves by its name, where the name was given there just before: on every way to that step, and
// nothing moved since.
Leaving named_at_end(const Machine& machine, StepId at, VariableId name) {
    Store<StepId, bool> from_elsewhere(machine.code.size(), false);  // by step: not from the step before alone
    for (const StepId step : machine.code.ids())
        for (const StepId next : all_after(machine, step))
            if (next != step + 1) from_elsewhere[next] = true;
    for (StepId here = at; here.index() > 0 && !from_elsewhere[here]; --here) {
        const StepId before = here - 1;
        const Step& s = machine.code[before];
        if (s.op == Op::assign && VariableId(s.a) == name) return leaving_of(machine.game.expressions[s.x]);
        if (s.op != Op::assign && s.op != Op::nothing && s.op != Op::judged && s.op != Op::enter) break;
    }
    return Leaving::of_kinds;
}

// By place, in the order in which events tell of them.
std::map<PlaceId, std::vector<Terms::Int>> by_place(const Cards<Terms>& cards, std::size_t kinds) {
    std::map<PlaceId, std::vector<Terms::Int>> places;
    for (const Copies<Terms>& c : cards.copies) places.try_emplace(c.place, kinds).first->second[c.kind] = c.count;
    return places;
}

}  // namespace

// What was seen of some cards: how many, and their faces if the seat saw them.
bool Coexecution::require_faces(UnknownTable& t, const std::vector<Terms::Int>& counts, const Event& event) {
    const std::vector<Value> faces = faces_of(event, counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (!require(t, terms_.equal(counts[k], terms_.constant(faces[k])))) return false;
    return true;
}

// That cards of a place are those of an event, or none without one. `total`: how many they are, where that is known apart from the counts.
bool Coexecution::require_noted(UnknownTable& t, const Seen* seen, const std::vector<Terms::Int>& counts,
                                const std::optional<Terms::Int>& total) {
    if (seen != nullptr && seen->faces) return require_faces(t, counts, seen->event);
    if (seen == nullptr && asks_silence_) {
        const auto any = [&](Truth some, const Terms::Int& c) { return terms_.either(some, terms_.less(terms_.constant(0), c)); };
        take_silence(t, std::accumulate(counts.begin(), counts.end(), Formulas::no, any));
    }
    const Value size = seen != nullptr ? static_cast<Value>(seen->event.pieces.size()) : 0;
    if (total) return require(t, terms_.equal(*total, terms_.constant(size)));
    // Of each none, or as many as there can be, says the same as a sum, and each for itself.
    Value least = 0;
    Value most = 0;
    for (const Terms::Int& c : counts) {
        least += c.low();
        most += c.high();
    }
    if (size < least || size > most) return false;
    if (size > least && size < most) return require(t, terms_.equal(arithmetic::total(terms_, counts), terms_.constant(size)));
    return std::all_of(counts.begin(), counts.end(), [&](const Terms::Int& c) {
        return require(t, terms_.equal(c, terms_.constant(size == least ? c.low() : c.high())));
    });
}

// A step of which nothing is told, where none of its cards lies at `from` and the places after it, may stand before the one that the next
// event tells of: the table there. Nothing where that event cannot be another step's, or where it is sure that there are such cards.
std::optional<UnknownTable> Coexecution::without_event(const UnknownTable& t, EventKind kind, PlaceId from, PlaceId to,
                                                       const std::map<PlaceId, std::vector<Terms::Int>>& sources,
                                                       const std::optional<Terms::Int>& total) {
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != kind || e->event.from != from || (kind == EventKind::move && e->event.to != to))
        return std::nullopt;
    const auto first = sources.find(from);
    const auto sure = [](const Terms::Int& count) { return count.low() > 0; };
    if ((total && sure(*total)) || std::ranges::any_of(first->second, sure)) return std::nullopt;
    UnknownTable later = t;
    if (total && !require(later, terms_.equal(*total, terms_.constant(0)))) return std::nullopt;
    for (auto source = first; source != sources.end(); ++source)
        for (const Terms::Int& count : source->second)
            if (!require(later, terms_.equal(count, terms_.constant(0)))) return std::nullopt;
    return later;
}

// Whether a move between these places is told at all: pieces out of the box that nobody sees go without saying.
bool Coexecution::is_told(PlaceId from, PlaceId to, std::uint8_t mode) const {
    if (untold_ || !is_noticed(machine_, from, to, mode)) return false;
    if (from != 0) return true;
    if (to == 0) return false;
    const Zone& z = game_.zones[machine_.place_zone[to]];
    if (z.seers == Seers::nobody) return false;
    if (z.seers == Seers::owner) return z.by == IndexBy::player;
    return true;
}

// Cards that have a name and need no kinds for going where they go; nothing when they do.
std::optional<Coexecution::Walk> Coexecution::put_unread(UnknownTable& t, const Step& s, PlaceId to) {
    const auto found = t.unread.find(name_of_cards(s.x));
    if (found == t.unread.end()) return std::nullopt;
    const Unread unread = found->second;
    if (unread.slots.empty()) return on(t);  // nothing moves, and nobody is told
    // One by one they lie as their kinds say.
    if (is_stack(to) && unread.slots.size() > 1 && (s.mode & put_shuffled) == 0) return std::nullopt;
    if (dealer_.keeps_order(to)) return std::nullopt;
    if (unread.place != to) {
        const Seen* e = next_seen(t);
        if (e == nullptr || !is_move(e->event, unread.place, to, unread.slots.size())) return Walk::dead;
        if (e->faces) return std::nullopt;
        ++t.seen;
        dealer_.move_unread(t, unread, to, s.mode);
    } else if (!stays(t, unread.place, to)) {
        return std::nullopt;
    }
    // Where it lies, if nothing there has an order, nothing changes, and nobody sees anything.
    return on(t);
}

Coexecution::Walk Coexecution::put(UnknownTable& t, const Step& s) {
    if (!settle(t, s.y)) return Walk::stuck;
    // Where they go may depend on what is hidden. Everybody saw where, unless there were none to go: each place is tried, and what was seen
    // decides, as it does where the place is known.
    return for_each_value(t, evaluator(t).scalar(s.y), game_.places,
                          [&](UnknownTable& path, Value to) { return put_at(path, s, PlaceId(to)); });
}

Coexecution::Walk Coexecution::put_at(UnknownTable& t, const Step& s, PlaceId to) {
    if (untold_) return put_untold(t, s, to);
    if (const auto walk = put_unread(t, s, to)) return *walk;
    const bool in_order = (s.mode & put_in_order) != 0;
    const auto places = whole_places(t, s.x);
    if (places && !in_order && !come_in_order(t, s, *places, to)) return put_whole(t, s, *places, to);
    if (const auto walk = places ? put_stacks_in_order(t, *places, to, s.mode) : std::nullopt) return *walk;
    if (const auto walk = in_order ? std::nullopt : put_kinds(t, s, to)) return *walk;
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    const bool one_by_one = is_ordered(to) && (s.mode & put_shuffled) == 0;
    Moved moved{std::vector<Terms::Int>(game_.kinds.size()), 0};
    std::optional<std::vector<Part>> laid = std::vector<Part>{};
    const auto sources = by_place(cards, game_.kinds.size());
    // What has left since the moment began goes on from where it is now, whichever place is told first.
    const auto has_changed = [&](const auto& source) { return is_no_longer(t, source.first); };
    if (name_of_cards(s.x) == no_id && std::any_of(sources.begin(), sources.end(), has_changed)) return stuck(LimitKind::moment_twice);
    for (const auto& [from, counts] : sources) {
        if (stays(t, from, to)) continue;
        // All that goes is taken before any of it is laid, so a pile may be where it came from.
        if (from == to && t.effects) return stuck(LimitKind::moment_twice);
        const auto total = sources.size() == 1 ? cards.size : std::nullopt;
        if (auto later = is_told(from, to, s.mode) ? without_event(t, EventKind::move, from, to, sources, total) : std::nullopt) {
            if (put_down(*later, s, to, moved, laid) != Walk::next) return Walk::stuck;
            part_with(std::move(*later));
        }
        std::vector<Part> lay = one_by_one ? t.parts[from] : std::vector<Part>{};
        std::vector<Terms::Int> order;
        // While effects read the table as it was, what had no name when it came is not among them.
        const bool as_it_was = !t.effects || (!t.touched[from] && !t.put.went.contains(name_of_cards(s.x)));
        if (one_by_one && in_order && as_it_was) order = t.state.piles[from].order;
        if (one_by_one && t.effects && as_it_was && !is_stack(from)) lay.resize(1);
        Moved some{std::vector<Terms::Int>(game_.kinds.size()), 0};
        const std::size_t before = t.seen;
        const Walk walk = take_from(t, s, from, to, counts, total, some);
        if (walk == Walk::done && moved.all > 0) note_between_lines(t, put_down(t, s, to, moved, laid) == Walk::next);
        if (walk != Walk::next) return walk;
        dealer_.join(moved.counts, some.counts);
        moved.all += some.all;
        const bool told = t.seen > before && tells_order(seen_[before].event);
        if (told && (!one_by_one || !in_order)) return Walk::dead;
        if (!one_by_one || !in_order || (!laid && !told)) continue;
        auto next = as_they_lay(from, lay, order, some, is_stack(to) || told);
        if (told && !next) {
            // Who saw all of them lie there knew the order.
            if (t.sizes[from] > 0 || !sees(from)) return stuck(LimitKind::order_not_known);
            next = one_by_one_parts(terms_, game_, seen_[before].event.pieces);
        } else if (told && !require(t, lie_in_order(terms_, *next, seen_[before].event.pieces))) {
            return Walk::dead;
        }
        if (!laid) continue;
        if (next)
            std::move(next->begin(), next->end(), std::back_inserter(*laid));
        else
            laid.reset();
    }
    return put_down(t, s, to, moved, std::move(laid));
}

// What is seen of this step ends before its last line; whether it is known how things lie until then.
void Coexecution::note_between_lines(UnknownTable& t, bool is_known) {
    if (is_known) t.between_lines = std::make_shared<UnknownTable>(t);
    problem_ = {};
}

// The cards that were taken come to where they go. `laid`: in their order, where it is asked for.
Coexecution::Walk Coexecution::put_down(UnknownTable& t, const Step& s, PlaceId to, const Moved& moved,
                                        std::optional<std::vector<Part>> laid) {
    const bool in_order = (s.mode & put_in_order) != 0;
    const bool one_by_one = is_ordered(to) && (s.mode & put_shuffled) == 0;
    if (one_by_one && !in_order) laid = kinds_ascending(moved, is_stack(to) || dealer_.keeps_order(to));
    if (!laid && is_stack(to)) return stuck(LimitKind::order_not_known);
    const auto kinds = is_stack(to) || !laid ? std::nullopt : kinds_of(*laid);
    if (one_by_one && laid && (is_stack(to) || kinds)) {
        dealer_.lay(t, to, std::move(*laid), kinds.value_or(std::vector<Terms::Int>{}), moved.counts, s.mode);
    } else {
        // A row whose order is not known now, if there is more than one.
        dealer_.give(t, to, moved.counts, moved.all, one_by_one ? s.mode | put_shuffled : s.mode);
    }
    rename_moved(t, s, to, moved);
    return on(t);
}

// The kinds of cards laid in a row; those of a part go there kinds ascending. Nothing where the order is not known.
std::optional<std::vector<Terms::Int>> Coexecution::kinds_of(const std::vector<Part>& laid) {
    std::vector<Terms::Int> kinds;
    for (const Part& p : laid) {
        const auto apart = kinds_ascending({p.counts, p.size}, false);
        if (!apart) return std::nullopt;
        for (const Part& one : *apart) kinds.push_back(kind_of_one(terms_, one.counts));
    }
    return kinds;
}

// Cards of a place without an order, one by one, each kind before the next. Nothing where that would take too many conditions, or where it
// takes any and need not be known (`needed`).
std::optional<std::vector<Part>> Coexecution::kinds_ascending(const Moved& cards, bool needed) {
    std::vector<Part> laid;
    const std::size_t kinds = cards.counts.size();
    if (cards.all == 1) return std::vector<Part>{{cards.counts, {}, 1}};
    const bool sure = std::all_of(cards.counts.begin(), cards.counts.end(), [](const Terms::Int& c) { return c.is_constant(); });
    for (std::size_t k = 0; sure && k < kinds; ++k) {
        for (Value i = 0; i < cards.counts[k].low(); ++i) {
            laid.push_back({std::vector<Terms::Int>(kinds), {}, 1});
            laid.back().counts[k] = terms_.constant(1);
        }
    }
    if (sure) return laid;
    if (!needed || cards.all * kinds > ascending_most) return std::nullopt;
    // The card at an index is of the first kind up to which there are more cards than that.
    for (Value i = 0; i < cards.all; ++i) {
        laid.push_back({std::vector<Terms::Int>(kinds), {}, 1});
        Terms::Int before = terms_.constant(0);
        for (std::size_t k = 0; k < kinds; ++k) {
            const Terms::Int here = terms_.within(terms_.add(before, cards.counts[k]), 0, cards.all);
            const Truth is = terms_.both(terms_.less_equal(before, terms_.constant(i)), terms_.less(terms_.constant(i), here));
            laid.back().counts[k] = arithmetic::count(terms_, is);
            before = here;
        }
    }
    return laid;
}

// Cards that lay at a place so, as parts, and in that order where it has one. Nothing where that is not known.
std::optional<std::vector<Part>> Coexecution::as_they_lay(PlaceId from, const std::vector<Part>& parts,
                                                          const std::vector<Terms::Int>& order, const Moved& cards, bool needed) {
    if (cards.all <= 1 || !is_ordered(from)) return kinds_ascending(cards, needed);
    Value there = 0;
    std::vector<Terms::Int> kinds = is_stack(from) ? std::vector<Terms::Int>{} : order;
    for (const Part& p : parts) {
        if (!p.holdings.empty()) return std::nullopt;
        there += p.size;
        if (is_stack(from)) kinds.insert(kinds.end(), p.size, kind_of_all(p));
    }
    if (is_stack(from) && cards.all == there) return parts;
    if (std::cmp_not_equal(kinds.size(), there)) return std::nullopt;
    if (cards.all == there) {
        std::vector<Part> laid;
        for (const Terms::Int& kind : kinds) {
            laid.push_back({std::vector<Terms::Int>(cards.counts.size()), {}, 1});
            terms_.each_case(kind, [&](Value k, const Truth& is) { laid.back().counts[k] = arithmetic::count(terms_, is); });
        }
        return laid;
    }
    return some_as_they_lay(kinds, cards);
}

// Some of the cards that lie in a known order.
std::optional<std::vector<Part>> Coexecution::some_as_they_lay(const std::vector<Terms::Int>& kinds, const Moved& cards) {
    std::vector<Part> laid;
    std::vector<Value> left(cards.counts.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (!cards.counts[k].is_constant()) return std::nullopt;
        left[k] = cards.counts[k].low();
    }
    for (const Terms::Int& of : kinds) {
        const Value kind = of.low();
        if (!of.is_constant() || kind < 0) return std::nullopt;
        if (left[kind] == 0) continue;
        // Of copies, some of which stay: which ones go makes no difference only where nothing else lies between them.
        const auto alike = [&](const Terms::Int& other) { return other.is_constant() && other.low() == kind; };
        const auto first = std::find_if(kinds.begin(), kinds.end(), alike);
        const auto behind = std::find_if(kinds.rbegin(), kinds.rend(), alike).base();
        const Value all = std::count_if(kinds.begin(), kinds.end(), alike);
        if (cards.counts[kind].low() != all && behind - first != all) return std::nullopt;
        --left[kind];
        laid.push_back({std::vector<Terms::Int>(cards.counts.size()), {}, 1});
        laid.back().counts[kind] = terms_.constant(1);
    }
    return laid;
}

// Whole stacks go on a stack: their parts go as they are, so that none of their cards needs a kind. Nothing where more must be known.
std::optional<Coexecution::Walk> Coexecution::put_stacks_in_order(UnknownTable& t, const std::vector<PlaceId>& places, PlaceId to,
                                                                  std::uint8_t mode) {
    if (t.effects || !is_stack(to) || (mode & put_in_order) == 0) return std::nullopt;
    std::size_t used = t.seen;
    for (const PlaceId from : places) {
        if (!is_stack(from) || from == to) return std::nullopt;
        if (t.sizes[from] == 0 || !is_told(from, to, mode)) continue;
        const Seen* e = used < seen_.size() ? &seen_[used] : nullptr;
        if (e == nullptr && !to_node_) return Walk::done;
        if (e == nullptr || !is_move(e->event, from, to, t.sizes[from])) return Walk::dead;
        if (e->faces) return std::nullopt;
        ++used;
    }
    const auto all_gone = [](KindId) { return Gone{Formulas::yes, Formulas::no}; };
    std::vector<Part> laid;
    std::vector<Terms::Int> counts(game_.kinds.size());
    for (const PlaceId from : places) {
        if (t.sizes[from] > 0 && !names_follow(t, no_id, from, to, all_gone)) return Walk::stuck;
        std::vector<Part> parts = dealer_.lift_parts(t, from);
        for (const Part& p : parts) dealer_.join(counts, p.counts);
        std::move(parts.begin(), parts.end(), std::back_inserter(laid));
        for (auto& [variable, unread] : t.unread)
            if (unread.place == from) unread.place = to;
    }
    t.seen = used;
    dealer_.lay(t, to, std::move(laid), {}, counts, mode);
    ++t.pc;
    return Walk::next;
}

// Takes those of one place, as they were seen to go, and adds them to what is moved. `total`: how many they are, where that is known
// apart from the counts.
Coexecution::Walk Coexecution::take_from(UnknownTable& t, const Step& s, PlaceId from, PlaceId to, const std::vector<Terms::Int>& counts,
                                         const std::optional<Terms::Int>& total, Moved& moved) {
    Value size = 0;
    std::vector<Terms::Int> taken = counts;
    // What has no name is read as it lay when the moment began, and may have left since.
    if (t.effects && t.touched[from] && name_of_cards(s.x) == no_id) return stuck(LimitKind::moment_twice);
    const auto part = part_of_named(t, name_of_cards(s.x), from, counts);
    if (!part) return stuck(LimitKind::moment_twice);
    if (is_told(from, to, s.mode)) {
        const Seen* e = next_seen(t);
        if (e == nullptr && !to_node_) return Walk::done;
        const bool noted = e != nullptr && e->event.kind == EventKind::move && e->event.from == from && e->event.to == to;
        size = noted ? static_cast<Value>(e->event.pieces.size()) : 0;
        if (!require_noted(t, noted ? e : nullptr, counts, total)) return Walk::dead;
        if (!noted) return Walk::next;
        if (e->faces) {
            const std::vector<Value> faces = faces_of(e->event, counts.size());
            for (std::size_t k = 0; k < faces.size(); ++k) taken[k] = terms_.constant(faces[k]);
        }
    } else {
        auto n = known(arithmetic::total(terms_, counts));
        if (!n && total) n = known(*total);
        if (!n) return stuck(LimitKind::number_not_known);
        size = *n;
    }
    const Expression& x = game_.expressions[s.x];
    const Expression& single = game_.expressions[x.op == Operator::cards_single ? x.a : s.x];
    Leaving which = leaving_of(single);
    // A row's order is known on as long as it is known where the card lay.
    if (single.op == Operator::variable && !t.effects && !is_stack(from) && !t.state.piles[from].order.empty()) {
        if (!left_at_.contains(t.pc)) left_at_[t.pc] = named_at_end(machine_, t.pc, single.named());
        which = left_at_[t.pc];
    }
    const bool from_end = which != Leaving::of_kinds || t.parts[from].size() == 1;
    // While effects read the table as it was, what has come since is another card than what was there.
    const std::vector<Terms::Int> before = t.effects && !is_stack(from) ? t.parts[from][*part].counts : present_counts(t, from);
    if (is_stack(from) && size > 0 && !from_end) {
        if ((s.mode & put_in_order) != 0 && size != t.sizes[from]) return stuck(LimitKind::order_not_known);
        if (!dealer_.take_kinds(t, from, counts, size)) return stuck(LimitKind::order_not_known);
    } else if (size > 0 && !dealer_.take(t, from, taken, size, which, *part)) {
        return Walk::dead;
    }
    if (is_told(from, to, s.mode)) ++t.seen;  // what was required so far is because of this event
    const auto gone = [&](KindId k) -> Gone {
        const Truth all = terms_.equal(taken[k], before[k]);
        return {all, terms_.both(arithmetic::positive(terms_, taken[k]), terms_.negate(all))};
    };
    if (size > 0 && !names_follow(t, name_of_cards(s.x), from, to, gone, *part)) return Walk::stuck;
    dealer_.join(moved.counts, taken);
    moved.all += size;
    return Walk::next;
}

// The part of a place that holds cards with that name: while effects read the table as it was, what has come since is apart from what was
// there. Nothing where it is not known.
std::optional<std::size_t> Coexecution::part_of_named(const UnknownTable& t, VariableId named, PlaceId from,
                                                      const std::vector<Terms::Int>& counts) {
    const auto went = named == no_id ? t.put.went.end() : t.put.went.find(named);
    if (went == t.put.went.end() || is_stack(from)) return 0;
    if (!went->second) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t part = 1; part < t.parts[from].size(); ++part) {
        const std::vector<Terms::Int>& there = t.parts[from][part].counts;
        bool may_be = true;
        for (std::size_t k = 0; k < counts.size(); ++k) may_be = may_be && terms_.less_equal(counts[k], there[k]) != Formulas::no;
        if (!may_be) continue;
        if (found) return std::nullopt;
        found = part;
    }
    return found;
}

// Cards without kinds that have a name, and are among those that go.
void Coexecution::unread_follow(UnknownTable& t, const Part& moved, PlaceId from, PlaceId to) {
    for (auto& [variable, unread] : t.unread) {
        if (unread.place != from || unread.slots.empty() || !holds(moved, unread.slots.front())) continue;
        unread.place = to;
        if (t.effects) t.put.went[variable] = true;
    }
}

// The names of a card go with the card.
void Coexecution::rename_moved(UnknownTable& t, const Step& s, PlaceId to, const Moved& moved) {
    const Expression& x = game_.expressions[s.x];
    const VariableId named = name_of_cards(s.x);
    if (named == no_id || moved.all == 0) return;
    if (x.op == Operator::cards_single) {
        for (const VariableId name : card_names_)
            if (are_same(t, name, named)) {
                std::get<Card<Terms>>(t.state.variables[name]).place = terms_.constant(to);
                if (t.effects) t.put.went[name] = true;
            }
        return;
    }
    Cards<Terms> there;
    for (std::size_t k = 0; k < moved.counts.size(); ++k) collections::add_copies(terms_, there, to, KindId(k), moved.counts[k]);
    there.size = terms_.constant(moved.all);
    for (const VariableId name : card_names_)
        if (are_same(t, name, named)) {
            t.state.variables[name] = there;
            if (t.effects) t.put.went[name] = true;
        }
}

// Whether unknown cards of whole places come, kinds ascending, to a row that keeps its order: they need kinds then.
bool Coexecution::come_in_order(const UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to) const {
    if (t.effects || !dealer_.keeps_order(to) || (s.mode & put_shuffled) != 0) return false;
    if (std::cmp_not_equal(t.state.piles[to].order.size(), t.sizes[to])) return false;  // nor is it known what lies there
    Value size = 0;
    bool sure = true;
    for (const PlaceId from : places) {
        size += t.sizes[from];
        for (const Part& part : t.parts[from])
            sure = sure && part.holdings.empty() && std::ranges::all_of(part.counts, [](const Terms::Int& c) { return c.is_constant(); });
    }
    return size > 1 && !sure;
}

Coexecution::Walk Coexecution::put_whole(UnknownTable& t, const Step& s, const std::vector<PlaceId>& places, PlaceId to) {
    const auto all_gone = [](KindId) { return Gone{Formulas::yes, Formulas::no}; };
    Part all{std::vector<Terms::Int>(game_.kinds.size()), {}, 0};
    const auto all_land = [&] {
        const auto known = [](const Terms::Int& c) { return c.is_constant(); };
        const bool sure = all.holdings.empty() && std::all_of(all.counts.begin(), all.counts.end(), known);
        if (all.size > 1 && is_stack(to) && (s.mode & put_shuffled) == 0 && !sure) return false;
        dealer_.land(t, to, std::move(all), s.mode);
        return true;
    };
    if (std::any_of(places.begin(), places.end(), [&](PlaceId from) { return is_no_longer(t, from); }))
        return stuck(LimitKind::moment_twice);
    for (const PlaceId from : places) {
        const Value size = t.effects ? known(*t.state.piles[from].size).value_or(0) : t.sizes[from];
        if (size == 0 || stays(t, from, to)) continue;
        if (is_told(from, to, s.mode)) {
            const Seen* e = next_seen(t);
            if (e == nullptr && !to_node_) {
                if (all.size > 0) note_between_lines(t, all_land());
                return Walk::done;
            }
            if (e == nullptr || !is_move(e->event, from, to, size)) return Walk::dead;
            if (e->faces) {
                dealer_.settle(t, from);
                std::vector<Terms::Int> counts(game_.kinds.size());
                for (const Part& p : std::span(t.parts[from]).first(t.effects && !is_stack(from) ? 1 : t.parts[from].size()))
                    dealer_.join(counts, p.counts);
                if (!require_faces(t, counts, e->event)) return Walk::dead;
                if (!names_follow(t, no_id, from, to, all_gone)) return Walk::stuck;
                const std::vector<Value> faces = faces_of(e->event, counts.size());
                Part known_part = dealer_.lift_all(t, from);
                for (std::size_t k = 0; k < counts.size(); ++k) known_part.counts[k] = terms_.constant(faces[k]);
                ++t.seen;
                dealer_.join(all.counts, known_part.counts);
                all.size += known_part.size;
                continue;
            }
            ++t.seen;
        }
        if (!names_follow(t, no_id, from, to, all_gone)) return Walk::stuck;
        Part part = dealer_.lift_all(t, from);
        dealer_.join(all.counts, part.counts);
        all.holdings.insert(all.holdings.end(), part.holdings.begin(), part.holdings.end());
        all.size += part.size;
        unread_follow(t, all, from, to);
    }
    if (!all_land()) return stuck(LimitKind::order_not_known);
    ++t.pc;
    return Walk::next;
}

// All cards of some kinds go from one place to another: those without kinds need none for that if none or all of them go.
std::optional<Coexecution::Walk> Coexecution::put_kinds(UnknownTable& t, const Step& s, PlaceId to) {
    const auto of = kinds_at(t, s.x);
    if (!of || of->place == to || t.parts[of->place].front().holdings.empty()) return std::nullopt;
    if (is_no_longer(t, of->place)) return stuck(LimitKind::moment_twice);
    const auto size = dealer_.size_of_kinds(t, of->place, of->kinds);
    if (!size || (*size > 1 && is_stack(to) && (s.mode & put_shuffled) == 0)) return std::nullopt;
    if (*size > 0 && is_told(of->place, to, s.mode)) {
        const Seen* e = next_seen(t);
        if (e == nullptr && !to_node_) return Walk::done;
        if (e == nullptr || !is_move(e->event, of->place, to, *size)) return Walk::dead;
        if (e->faces) return std::nullopt;
        ++t.seen;
    }
    const auto gone = [&](KindId k) { return Gone{of->kinds[k] ? Formulas::yes : Formulas::no, Formulas::no}; };
    if (!names_follow(t, no_id, of->place, to, gone)) return Walk::stuck;
    Part part = dealer_.lift_kinds(t, of->place, of->kinds);
    unread_follow(t, part, of->place, to);
    dealer_.land(t, to, std::move(part), s.mode);
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::shuffle(UnknownTable& t, const Step& s) {
    if (!settle(t, s.x)) return Walk::stuck;
    const Seen* e = next_seen(t);
    if (e == nullptr || e->event.kind != EventKind::shuffle || as_told(t, s.x, e->event.from) != Walk::next) return Walk::dead;
    ++t.seen;
    drop_dead_names(t);
    dealer_.shuffle(t, PlaceId(e->event.from));
    ++t.pc;
    return Walk::next;
}

Coexecution::Walk Coexecution::show(UnknownTable& t, const Step& s) {
    // Whoever notices it notices to whom.
    const auto to_those = [&](const Event& e) {
        if (s.y == no_id) return e.value == (1 << game_.players) - 1;
        if (!settle(t, s.y)) return false;
        const Set<Terms> to = evaluator(t).set(s.y);
        for (std::int32_t p = 0; p < game_.players; ++p) {
            const Truth has = collections::has(terms_, to, p);
            if (!require(t, (e.value >> p & 1) != 0 ? has : terms_.negate(has))) return false;
        }
        return true;
    };
    // What was read as it lay when the moment began is shown where it lies now.
    const auto may_lie_elsewhere = [&](PlaceId p) { return t.effects && t.touched[p] && name_of_cards(s.x) == no_id; };
    // Whole places shown to others only: nothing is learned here, so nothing needs kinds.
    const auto whole = whole_places(t, s.x);
    if (whole) {
        if (std::any_of(whole->begin(), whole->end(), may_lie_elsewhere)) return stuck(LimitKind::moment_twice);
        bool told = true;
        std::size_t used = t.seen;
        for (const PlaceId p : *whole) {
            const Value size = t.effects ? known(*t.state.piles[p].size).value_or(0) : t.sizes[p];  // what has come since is not shown
            if (size == 0) continue;
            const Seen* e = used < seen_.size() ? &seen_[used] : nullptr;
            if (e == nullptr && !to_node_) return Walk::done;
            if (e == nullptr || e->event.kind != EventKind::shows || e->event.from != p ||
                static_cast<Value>(e->event.pieces.size()) != size)
                return Walk::dead;
            if (!to_those(e->event)) return problem_.hit() ? Walk::stuck : Walk::dead;
            told = told && !e->faces;
            ++used;
        }
        if (told) {
            t.seen = used;
            ++t.pc;
            return Walk::next;
        }
    }
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    const auto shown = by_place(cards, game_.kinds.size());
    if (std::any_of(shown.begin(), shown.end(), [&](const auto& at) { return may_lie_elsewhere(at.first); }))
        return stuck(LimitKind::moment_twice);
    for (const auto& [from, counts] : shown) {
        const Seen* e = next_seen(t);
        if (e == nullptr && !to_node_) return Walk::done;
        const auto total = shown.size() == 1 ? cards.size : std::nullopt;
        if (auto later = without_event(t, EventKind::shows, from, no_id, shown, total)) {
            ++later->pc;
            part_with(std::move(*later));
        }
        const bool noted = e != nullptr && e->event.kind == EventKind::shows && e->event.from == from;
        if (!require_noted(t, noted ? e : nullptr, counts, total)) return Walk::dead;
        if (noted && !to_those(e->event)) return problem_.hit() ? Walk::stuck : Walk::dead;
        if (noted && whole && e->faces && !t.effects) {
            std::erase_if(t.shown, [&](const FacesShown& before) { return before.place == from; });
            t.shown.push_back({from, t.state.piles[from].counts, faces_of(e->event, counts.size())});
        }
        if (noted) ++t.seen;
    }
    ++t.pc;
    return Walk::next;
}

// Where what is seen ends between the lines of a step that puts or shows cards, the step is yet to be taken, but the cards of those lines
// are known: `t` is before the step and stays there. False if it cannot be, or where `problem_` says why it is not known.
bool Coexecution::note_shown(UnknownTable& t, bool moves) {
    const Step& s = machine_.code[t.pc];
    const auto lines = std::span(seen_).subspan(t.seen);
    if (std::none_of(lines.begin(), lines.end(), [](const Seen& e) { return e.faces; })) return true;
    if (std::any_of(lines.begin(), lines.end(), [](const Seen& e) { return tells_order(e.event); }))
        return problem_ = {LimitKind::order_not_known}, false;
    if (!settle(t, s.x)) return false;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    terms_.forget();
    const auto sources = by_place(cards, game_.kinds.size());
    const auto has_left = [&](const auto& source) { return t.effects && t.touched[source.first] && name_of_cards(s.x) == no_id; };
    if (!moves && std::any_of(sources.begin(), sources.end(), has_left)) return problem_ = {LimitKind::moment_twice}, false;
    auto e = lines.begin();
    for (const auto& [from, counts] : sources) {
        if (e == lines.end()) break;
        if (moves && !is_told(from, e->event.to, s.mode)) continue;
        const bool noted = e->event.from == from;
        if (!require_noted(t, noted ? &*e : nullptr, counts, sources.size() == 1 ? cards.size : std::nullopt)) return false;
        if (noted) ++e;
    }
    return true;
}

}  // namespace houserule
