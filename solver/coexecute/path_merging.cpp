// Path merging as in Kuznetsov, Kinder, Bucur and Candea, "Efficient state merging in symbolic execution" (PLDI 2012), at the immediate
// post-dominators of branches, and only for paths whose states are equal: no value becomes a case distinction by merging.
//
// A worked example: P1 has the 1; of 2 and 3 P2 has one. The rule is `if P2's card is 3: P2 may smile`, where smiling does nothing and
// nobody is told. The branch splits one path into two, and the offer one of those again; at the post-dominator of the `if` three wait:
//   a: condition "not 3", no input    b: condition "3", input smile = yes    c: condition "3", input smile = no
// Their tables are equal and nothing was seen of them. Conditions that all of them require are left out; a and c then differ in one
// condition alone, which is "3" on c and its negation on a. They become one path without that condition; its input "smile = no" counts
// only where "3" holds (`Input::when`). Path b has no partner and stays. So two paths go on. The first stands for the histories "P2 has
// 2" and "P2 has 3, no smile", the second for "P2 has 3, a smile": three histories, as many as before, and P2 has the 3 in 2 of 3. A
// rule that branches on the same condition again splits the merged path again: that is the price of having dropped it.
#include "solver/coexecute/path_merging.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace houserule {

namespace {

// Whether two tables are equal, apart from their conditions and inputs.
class Same {
public:
    explicit Same(const Terms& terms) : terms_(terms) {}

    bool operator()(const UnknownTable& a, const UnknownTable& b) const {
        // What tells most of them apart comes first.
        return a.pc == b.pc && a.seen == b.seen && a.unheard == b.unheard && a.heard == b.heard && a.is_loose == b.is_loose &&
               a.consented == b.consented && a.effects == b.effects && a.unknowns == b.unknowns && a.sizes == b.sizes &&
               a.factor == b.factor && a.chance == b.chance && a.odds == b.odds && a.touched == b.touched &&
               a.unread_then == b.unread_then && a.put == b.put && a.put_by_others == b.put_by_others && a.same_card == b.same_card &&
               each(a.factors, b.factors) && each(a.odds_factors, b.odds_factors) && each(a.sums, b.sums) && each(a.groups, b.groups) &&
               each(a.urns, b.urns) && each(a.parts, b.parts) &&
               std::equal(a.unread.begin(), a.unread.end(), b.unread.begin(), b.unread.end(),
                          [](const auto& x, const auto& y) {
                              return x.first == y.first && x.second.place == y.second.place && x.second.slots == y.second.slots;
                          }) &&
               (*this)(a.state, b.state) && each(a.piles_now, b.piles_now) && each(a.facts_now, b.facts_now);
    }
    bool operator()(const Input& a, const Input& b) const {
        return a.what == b.what && a.step == b.step && a.consent == b.consent && a.when == b.when && (*this)(a.number, b.number) &&
               a.slots == b.slots &&
               std::equal(a.cards.begin(), a.cards.end(), b.cards.begin(), b.cards.end(),
                          [&](const auto& x, const auto& y) { return x.first == y.first && (*this)(x.second, y.second); });
    }

private:
    template <class T>
    bool each(const std::vector<T>& a, const std::vector<T>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const T& x, const T& y) { return (*this)(x, y); });
    }
    template <class T>
    bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
        return each(a, b);
    }
    template <class T>
    bool operator()(const std::optional<T>& a, const std::optional<T>& b) const {
        return a.has_value() == b.has_value() && (!a || (*this)(*a, *b));
    }
    bool operator()(const Terms::Int& a, const Terms::Int& b) const { return terms_.same(a, b); }
    bool operator()(const Truth& a, const Truth& b) const { return a == b; }
    bool operator()(const Factor& a, const Factor& b) const { return a.when == b.when && a.times == b.times; }
    bool operator()(const Sum& a, const Sum& b) const { return a.total == b.total && a.unknowns == b.unknowns; }
    bool operator()(const SlotGroup& a, const SlotGroup& b) const { return a.slots == b.slots && each(a.counts, b.counts); }
    bool operator()(const Urn& a, const Urn& b) const { return a.size == b.size && each(a.counts, b.counts); }
    bool operator()(const Holding& a, const Holding& b) const { return a.urn == b.urn && a.cards == b.cards && a.slots == b.slots; }
    bool operator()(const Part& a, const Part& b) const {
        return a.size == b.size && a.is_under == b.is_under && each(a.counts, b.counts) && each(a.holdings, b.holdings) &&
               each(a.order, b.order);
    }
    bool operator()(const Ends<Terms>& a, const Ends<Terms>& b) const {
        return a.any == b.any && (*this)(a.first, b.first) && (*this)(a.last, b.last);
    }
    bool operator()(const Pile<Terms>& a, const Pile<Terms>& b) const {
        return each(a.counts, b.counts) && each(a.order, b.order) && (*this)(a.size, b.size) && (*this)(a.ends, b.ends);
    }
    bool operator()(const Card<Terms>& a, const Card<Terms>& b) const { return (*this)(a.kind, b.kind) && (*this)(a.place, b.place); }
    bool operator()(const Copies<Terms>& a, const Copies<Terms>& b) const {
        return a.place == b.place && a.kind == b.kind && (*this)(a.count, b.count);
    }
    bool operator()(const Cards<Terms>& a, const Cards<Terms>& b) const { return each(a.copies, b.copies) && (*this)(a.size, b.size); }
    bool operator()(const Set<Terms>& a, const Set<Terms>& b) const { return a.first == b.first && a.has == b.has; }
    bool operator()(const Content<Terms>& a, const Content<Terms>& b) const {
        return a.index() == b.index() && std::visit([&](const auto& x) { return (*this)(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
    }
    bool operator()(const FactSlot<Terms>& a, const FactSlot<Terms>& b) const {
        return a.given == b.given && (*this)(a.content, b.content);
    }
    bool operator()(const PlainState<Terms>& a, const PlainState<Terms>& b) const {
        return each(a.piles, b.piles) && each(a.facts, b.facts) && each(a.variables, b.variables) && each(a.bounds, b.bounds);
    }

    const Terms& terms_;
};

// The conditions of a path, each once, ascending.
using Required = std::vector<Truth>;

Required required_of(const UnknownTable& path) {
    Required all;
    for (const Condition& c : path.conditions) all.push_back(c.holds);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// The inputs of both: what they do not begin and end with together belongs to one of them alone.
std::vector<Input> inputs_of_both(Terms& terms, const UnknownTable& where, const UnknownTable& otherwise, Truth condition) {
    const Same same(terms);
    const std::vector<Input>& a = where.inputs;
    const std::vector<Input>& b = otherwise.inputs;
    const auto [a_parts, b_parts] = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same);
    auto a_rest = a.end();
    auto b_rest = b.end();
    while (a_rest != a_parts && b_rest != b_parts && same(*std::prev(a_rest), *std::prev(b_rest))) --a_rest, --b_rest;
    std::vector<Input> all(a.begin(), a_parts);
    const auto add = [&](auto first, auto last, Truth also) {
        for (; first != last; ++first) {
            all.push_back(*first);
            all.back().when = terms.both(all.back().when, also);
        }
    };
    add(a_parts, a_rest, condition);
    add(b_parts, b_rest, Formulas::negate(condition));
    all.insert(all.end(), a_rest, a.end());
    return all;
}

// Merges what it can of some paths with equal tables; `gone` marks those that were merged into another.
void join(Terms& terms, std::vector<UnknownTable>& paths, const std::vector<std::size_t>& alike, std::vector<bool>& gone) {
    // What all of them require need not be looked at.
    std::vector<Required> own;
    for (const std::size_t w : alike) own.push_back(required_of(paths[w]));
    Required common = own.front();
    for (const Required& r : own) {
        Required both;
        std::set_intersection(common.begin(), common.end(), r.begin(), r.end(), std::back_inserter(both));
        common = std::move(both);
    }
    std::map<Required, std::size_t> by_required;
    for (std::size_t n = 0; n < alike.size(); ++n) {
        const std::size_t w = alike[n];
        Required left;
        std::set_difference(own[n].begin(), own[n].end(), common.begin(), common.end(), std::back_inserter(left));
        for (bool joined = true; joined;) {
            joined = false;
            for (std::size_t c = 0; c < left.size() && !joined; ++c) {
                const Truth condition = left[c];
                Required wanted = left;
                wanted[c] = Formulas::negate(condition);
                std::sort(wanted.begin(), wanted.end());
                const auto other = by_required.find(wanted);
                if (other == by_required.end()) continue;
                paths[w].inputs = inputs_of_both(terms, paths[w], paths[other->second], condition);
                std::erase_if(paths[w].conditions, [&](const Condition& is) { return is.holds == condition; });
                gone[other->second] = true;
                by_required.erase(other);
                left.erase(left.begin() + c);
                joined = true;
            }
        }
        by_required.try_emplace(std::move(left), w);
    }
}

}  // namespace

void merge_paths(Terms& terms, std::vector<UnknownTable>& paths) {
    if (paths.size() < 2) return;
    const Same same(terms);
    // What is cheap to compare tells most of them apart.
    using Rough = std::tuple<StepId, std::size_t, std::size_t, std::int32_t, std::size_t>;
    std::map<Rough, std::vector<std::vector<std::size_t>>> rough;
    for (std::size_t w = 0; w < paths.size(); ++w) {
        const UnknownTable& path = paths[w];
        auto& near = rough[{path.pc, path.seen, path.unknowns.size(), path.unknowns.empty() ? -1 : path.unknowns.back().second,
                            path.factors.size()}];
        const auto alike = std::find_if(near.begin(), near.end(), [&](const auto& group) { return same(paths[group.front()], path); });
        if (alike == near.end())
            near.push_back({w});
        else
            alike->push_back(w);
    }
    std::vector<bool> gone(paths.size(), false);
    for (const auto& [key, near] : rough)
        for (const std::vector<std::size_t>& alike : near)
            if (alike.size() > 1) join(terms, paths, alike, gone);
    std::size_t w = 0;
    std::erase_if(paths, [&](const UnknownTable&) { return gone[w++]; });
}

}  // namespace houserule
