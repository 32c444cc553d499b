// Cases that hold at once, on unknowns: see coexecute.hpp. Both arms are carried out on copies of the path, untold, and the hidden states
// in which they would leave different tables, or one breaks a promise and the other does not, are ruled out.
//
// A worked example: P2's card is a 1, a 2 or a 3; `cases { it < 3: put it in pile   it > 1: put it in box }`. For a 2 both hold. The path
// splits at the second condition; where it holds, the copies leave "2 in pile" and "2 in box", which is never the same:
// no state with a 2 fits.
#include "dsl/game/parts.hpp"
#include "interpreter/machine/post_dominators.hpp"
#include "solver/coexecute/coexecute.hpp"
#include "solver/coexecute/path_merging.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace houserule {

namespace {

constexpr unsigned overlap_z3_steps = 500'000;

// What the steps of an arm read, and those of rules that it calls.
void read_by(const Machine& machine, const Overlap::Way& way, std::set<ExpressionId>& expressions) {
    std::set<StepId> met;
    std::vector<StepId> waiting{way.entry};
    while (!waiting.empty()) {
        const StepId pc = waiting.back();
        waiting.pop_back();
        const Step& s = machine.code[pc];
        if (s.op == Op::ended || std::find(way.exits.begin(), way.exits.end(), pc) != way.exits.end() || !met.insert(pc).second) continue;
        for (const ExpressionId e : {s.x, s.y, s.z, s.w, s.fits})
            if (e != no_id) expressions.insert(e);
        const std::vector<StepId> after = steps_after(machine, pc);
        waiting.insert(waiting.end(), after.begin(), after.end());
        if (s.op == Op::call) waiting.push_back(s.c);
    }
}

std::map<std::pair<PlaceId, KindId>, Terms::Int> counts_of(const Cards<Terms>& cards) {
    std::map<std::pair<PlaceId, KindId>, Terms::Int> counts;
    for (const Copies<Terms>& c : cards.copies) counts[{c.place, c.kind}] = c.count;
    return counts;
}

bool same_holdings(const Part& a, const Part& b) {
    return std::equal(a.holdings.begin(), a.holdings.end(), b.holdings.begin(), b.holdings.end(),
                      [](const Holding& x, const Holding& y) { return x.urn == y.urn && x.cards == y.cards && x.slots == y.slots; });
}

}  // namespace

Coexecution::Walk Coexecution::agree(UnknownTable& t, const Overlap& overlap) {
    if (!overlap.compared) return Walk::dead;
    if (possible({}, t, overlap_z3_steps) == Answer::no) return Walk::dead;
    settle_arms(t, overlap);
    std::vector<UnknownTable> first;
    std::vector<UnknownTable> other;
    if (!untold_) moved_untold_.clear();
    if (!try_out(t, overlap.first, first) || !try_out(t, overlap.other, other)) return Walk::stuck;
    // Beside what the path requires itself.
    const auto taken = [&](const UnknownTable& path) {
        std::vector<Truth> all;
        for (std::size_t i = t.conditions.size(); i < path.conditions.size(); ++i) all.push_back(path.conditions[i].holds);
        return terms_.all(all);
    };
    const auto breaks = [&](const std::vector<UnknownTable>& paths) {
        std::vector<Truth> all;
        for (const UnknownTable& path : paths) all.push_back(taken(path));
        return terms_.negate(terms_.any(all));
    };
    // Where both break a promise they agree: play goes on with the first, and what it tells before it breaks is in the log.
    std::vector<Truth> fine{terms_.both(breaks(first), breaks(other))};
    for (const UnknownTable& a : first) {
        for (const UnknownTable& b : other) {
            const Truth both = terms_.both(taken(a), taken(b));
            if (both == Formulas::no) continue;
            const auto same = come_to_the_same(t, a, b);
            if (!same) return stuck(LimitKind::cases_compared);
            fine.push_back(terms_.both(both, *same));
        }
    }
    if (!require(t, terms_.any(fine))) return Walk::dead;
    return on(t);
}

// Gives kinds to what the arms read or move, so that the copies speak of the same unknowns.
void Coexecution::settle_arms(UnknownTable& t, const Overlap& overlap) {
    std::set<ExpressionId> expressions;
    read_by(machine_, overlap.first, expressions);
    read_by(machine_, overlap.other, expressions);
    std::set<PlaceId> places;
    const auto all_of = [&](ZoneId id) {
        const Zone& zone = game_.zones[id];
        for (std::int32_t i = 0; i < zone.places; ++i) places.insert(zone.first_place + i);
    };
    for (const ExpressionId e : expressions) {
        any_read(game_, e, [&](const Expression& x) {
            if (names_zone(x.op)) all_of(x.named());
            if (x.op == Operator::cards_unplaced || x.op == Operator::cards_family) places.insert(0);
            if (x.op == Operator::cards_family)
                for (const ZoneId z : game_.zones.ids()) all_of(z);
            if (x.op == Operator::variable || x.op == Operator::cards_variable) dealer_.settle_variable(t, x.named());
            return false;
        });
    }
    for (const PlaceId place : places) dealer_.settle(t, place);
}

// All paths that leave the arm. False when a limit was hit.
bool Coexecution::try_out(const UnknownTable& t, const Overlap::Way& way, std::vector<UnknownTable>& left) {
    std::vector<UnknownTable> open = std::exchange(open_, {t});
    std::vector<MergePoint> merge_points = std::exchange(merge_points_, {});
    const bool untold = std::exchange(untold_, true);
    open_.front().pc = way.entry;
    bool fine = true;
    while (fine && !open_.empty()) {
        UnknownTable table = std::move(open_.back());
        open_.pop_back();
        fine = go_on_untold(std::move(table), way, left);
        if (fine && path_count() + left.size() > limits_.max_paths) problem_ = {LimitKind::too_many_paths, limits_.max_paths}, fine = false;
        if (fine) merge_waiting();
    }
    open_ = std::move(open);
    merge_points_ = std::move(merge_points);
    untold_ = untold;
    if (fine) merge_paths(terms_, left);
    return fine;
}

bool Coexecution::go_on_untold(UnknownTable table, const Overlap::Way& way, std::vector<UnknownTable>& left) {
    for (;;) {
        const Op op = machine_.code[table.pc].op;
        if (op == Op::ended || std::find(way.exits.begin(), way.exits.end(), table.pc) != way.exits.end()) {
            left.push_back(std::move(table));
            return true;
        }
        if (waits_for_others(table)) return true;
        const Walk walked = counted_step(table);
        if (walked == Walk::stuck) return false;
        if (walked != Walk::next) return terms_.forget(), true;
        if (!keep_promises(table)) return true;
    }
}

// Calls f(path, values) for all values that the numbers may have together, on a path where they have them.
template <class F>
void Coexecution::each_of(const UnknownTable& t, const std::vector<Terms::Int>& numbers, std::vector<Value>& are, F f) {
    const std::size_t known_before = are.size();
    while (are.size() < numbers.size() && numbers[are.size()].is_constant()) are.push_back(numbers[are.size()].low());
    each_unknown_of(t, numbers, are, f);
    are.resize(known_before);
}

template <class F>
void Coexecution::each_unknown_of(const UnknownTable& t, const std::vector<Terms::Int>& numbers, std::vector<Value>& are, F f) {
    if (are.size() == numbers.size()) return f(t, are);
    const Terms::Int number = numbers[are.size()];
    for (Value v = number.low(); v <= number.high(); ++v) {
        const Truth is = terms_.equal(number, terms_.constant(v));
        if (is == Formulas::no) continue;
        UnknownTable path = t;
        if (!require(path, is)) continue;
        are.push_back(v);
        each_of(path, numbers, are, f);
        are.pop_back();
    }
}

// Nobody tells how many cards go: there is a path for each number, and where their order counts, for each way to be of some kinds.
Coexecution::Walk Coexecution::put_untold(UnknownTable& t, const Step& s, PlaceId to) {
    if (!settle(t, s.x)) return Walk::stuck;
    const Cards<Terms> cards = evaluator(t).cards(s.x);
    if (!keep_promises(t)) return Walk::dead;
    std::map<PlaceId, std::vector<Terms::Int>> sources;
    for (const Copies<Terms>& c : cards.copies)
        if (moved_untold_.insert(c.place), c.place != to || is_ordered(to))
            sources.try_emplace(c.place, game_.kinds.size()).first->second[c.kind] = c.count;
    moved_untold_.insert(to);
    const bool exact = is_ordered(to) || std::any_of(sources.begin(), sources.end(), [&](const auto& p) { return is_ordered(p.first); });
    std::vector<Terms::Int> numbers;
    for (const auto& [from, counts] : sources) {
        if (exact)
            numbers.insert(numbers.end(), counts.begin(), counts.end());
        else
            numbers.push_back(arithmetic::total(terms_, counts));
    }
    Walk failed = Walk::dead;
    std::vector<Value> are;
    each_of(t, numbers, are, [&](UnknownTable path, const std::vector<Value>& values) {
        if (failed == Walk::stuck || open_.size() > limits_.max_paths) return;
        Moved moved{std::vector<Terms::Int>(game_.kinds.size()), 0};
        std::size_t next = 0;
        for (auto [from, counts] : sources) {
            Value size = exact ? 0 : values[next++];
            for (std::size_t k = 0; exact && k < counts.size(); ++k) {
                size += values[next];
                counts[k] = terms_.constant(values[next++]);
            }
            if (size == 0) continue;
            if (from == to) return void(failed = stuck(LimitKind::cases_compared));
            const Walk walk = take_from(path, s, from, to, counts, terms_.constant(size), moved);
            if (walk == Walk::stuck) failed = walk;
            if (walk != Walk::next) return;
        }
        if ((s.mode & put_in_order) != 0 && moved.all > 1 && is_ordered(to)) return void(failed = stuck(LimitKind::cases_compared));
        dealer_.give(path, to, moved.counts, moved.all, s.mode);
        rename_moved(path, s, to, moved);
        if (to != 0 && !path.effects && path.sizes[to] > game_.zones[machine_.place_zone[to]].capacity) return;
        ++path.pc;
        open_.push_back(std::move(path));
    });
    terms_.forget();
    return failed;
}

// ---- what two paths leave ------------------------------------------------------------------------------------------------------

Truth Coexecution::is_same_content(const Content<Terms>& a, const Content<Terms>& b) {
    if (const auto* number = std::get_if<Terms::Int>(&a)) return terms_.equal(*number, std::get<Terms::Int>(b));
    if (const auto* set = std::get_if<Set<Terms>>(&a)) return collections::same(terms_, *set, std::get<Set<Terms>>(b));
    if (const auto* card = std::get_if<Card<Terms>>(&a)) {
        const auto& other = std::get<Card<Terms>>(b);
        return terms_.both(terms_.equal(card->kind, other.kind), terms_.equal(card->place, other.place));
    }
    auto x = counts_of(std::get<Cards<Terms>>(a));
    auto y = counts_of(std::get<Cards<Terms>>(b));
    std::vector<Truth> all;
    for (const auto& [where, count] : x) y.try_emplace(where, terms_.constant(0));
    for (const auto& [where, count] : y) all.push_back(terms_.equal(x.try_emplace(where, terms_.constant(0)).first->second, count));
    return terms_.all(all);
}

std::optional<Truth> Coexecution::lie_alike(const UnknownTable& a, const UnknownTable& b, PlaceId place) {
    if (a.sizes[place] != b.sizes[place]) return Formulas::no;
    const auto& x = a.parts[place];
    const auto& y = b.parts[place];
    if (x.size() != y.size()) return is_stack(place) ? std::optional(Formulas::no) : std::nullopt;
    std::vector<Truth> all;
    for (std::size_t part = 0; part < x.size(); ++part) {
        if (!same_holdings(x[part], y[part])) return std::nullopt;
        if (x[part].size != y[part].size) return is_stack(place) ? std::optional(Formulas::no) : std::nullopt;
        for (std::size_t k = 0; k < game_.kinds.size(); ++k)
            if (!terms_.same(x[part].counts[k], y[part].counts[k])) all.push_back(terms_.equal(x[part].counts[k], y[part].counts[k]));
    }
    if (is_stack(place) || !is_ordered(place) || a.sizes[place] < 2) return terms_.all(all);
    // The order of a row.
    const auto order = [&](const UnknownTable& t) -> const std::vector<Terms::Int>& {
        return (t.effects ? t.piles_now : t.state.piles)[place].order;
    };
    if (static_cast<Value>(order(a).size()) == a.sizes[place] && order(a).size() == order(b).size()) {
        for (std::size_t i = 0; i < order(a).size(); ++i) all.push_back(terms_.equal(order(a)[i], order(b)[i]));
        return terms_.all(all);
    }
    return moved_untold_.contains(place) ? std::nullopt : std::optional(terms_.all(all));
}

std::optional<Truth> Coexecution::come_to_the_same(const UnknownTable& was, const UnknownTable& a, const UnknownTable& b) {
    if (a.pc != b.pc) return Formulas::no;
    if (a.unknowns.size() != was.unknowns.size() || b.unknowns.size() != was.unknowns.size()) return std::nullopt;
    std::vector<Truth> all;
    const auto add = [&](const std::optional<Truth>& same) {
        if (same) all.push_back(*same);
        return same.has_value() && *same != Formulas::no;
    };
    // A difference that is sure is one, whatever else cannot be told.
    const auto& facts_a = a.effects ? a.facts_now : a.state.facts;
    const auto& facts_b = b.effects ? b.facts_now : b.state.facts;
    for (const FactId f : game_.facts.ids()) {
        for (std::int32_t i = 0; i < game_.facts[f].count; ++i) {
            const FactSlot<Terms>& x = facts_a[f][i];
            const FactSlot<Terms>& y = facts_b[f][i];
            const Truth same = is_same_content(x.content, y.content);
            if (!add(terms_.choose_truth(x.given, terms_.both(y.given, same), terms_.negate(y.given)))) return Formulas::no;
        }
    }
    bool told = true;
    for (PlaceId place = 0; place < game_.places; ++place) {
        const auto same = lie_alike(a, b, place);
        if (same == Formulas::no) return same;
        told = add(same) && told;
    }
    if (!told) return std::nullopt;
    const Step& s = machine_.code[a.pc];
    if (s.op == Op::ended) {
        for (const VariableId v : game_.ends[s.a].parameters) {
            if (a.unread.contains(v) || b.unread.contains(v)) return std::nullopt;
            if (!add(is_same_content(a.state.variables[v], b.state.variables[v]))) return Formulas::no;
        }
    }
    return terms_.all(all);
}

}  // namespace houserule
