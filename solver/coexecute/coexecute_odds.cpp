// Under uniform play: how many moves the chooser had, on unknowns. See coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>
#include <set>

namespace houserule {

namespace {

// How many ways there are to take `low` to `high` cards of groups of these sizes, the cards of a group being alike.
Integer ways_to_take(const std::vector<Value>& sizes, Value low, Value high) {
    std::vector<Integer> ways{1};  // by number taken
    for (const Value size : sizes) {
        std::vector<Integer> next(ways.size() + static_cast<std::size_t>(size), 0);
        for (std::size_t taken = 0; taken < ways.size(); ++taken)
            for (Value more = 0; more <= size; ++more) next[taken + static_cast<std::size_t>(more)] += ways[taken];
        ways = std::move(next);
    }
    Integer sum = 0;
    for (Value n = std::max<Value>(0, low); n <= high && n < static_cast<Value>(ways.size()); ++n) sum += ways[n];
    return sum;
}

}  // namespace

bool Coexecution::one_in(UnknownTable& t, Truth when, const Terms::Int& moves) {
    if (dealer_.divide(t, when, moves)) return true;
    stuck(LimitKind::number_not_known);
    return false;
}

// Copies of a kind are one move, in however many ways they can be picked.
bool Coexecution::one_in_picks(UnknownTable& t, const Terms::Int& of, Value n) {
    bool told = true;
    terms_.each_case(of, [&](Value all, const Truth& is) {
        if (all > n) told = one_in(t, is, terms_.constant(binomial(all, n))) && told;
    });
    return told;
}

bool Coexecution::one_of(UnknownTable& t, const Cards<Terms>& options) {
    std::vector<Terms::Int> kinds;
    std::set<PlaceId> places;
    for (const Copies<Terms>& c : options.copies) {
        kinds.push_back(arithmetic::count(terms_, arithmetic::positive(terms_, c.count)));
        places.insert(c.place);
    }
    Value cards = 0;
    for (const PlaceId p : places) cards += t.sizes[p];
    const Terms::Int moves = arithmetic::total(terms_, kinds);
    return one_in(t, Formulas::yes, terms_.within(moves, moves.low(), std::min(moves.high(), cards)));
}

bool Coexecution::one_of_sets(UnknownTable& t, const std::vector<Terms::Int>& counts, std::optional<Value> size, const Terms::Int& low,
                              const Terms::Int& high) {
    const bool all_known = std::all_of(counts.begin(), counts.end(), [](const Terms::Int& c) { return c.is_constant(); });
    const bool all_apart = std::all_of(counts.begin(), counts.end(), [](const Terms::Int& c) { return c.high() <= 1; });
    std::vector<Value> sizes;
    if (all_known) {
        for (const Terms::Int& c : counts) sizes.push_back(c.low());
    } else if (all_apart && size) {
        sizes.assign(*size, 1);
    }
    if (!low.is_constant() || !high.is_constant() || (sizes.empty() && !all_known)) {
        stuck(LimitKind::number_not_known);
        return false;
    }
    const Integer moves = ways_to_take(sizes, low.low(), high.low());
    if (moves > 0) t.odds /= Rational(moves);
    return true;
}

bool Coexecution::one_of_sets(UnknownTable& t, const Cards<Terms>& options, const Terms::Int& low, const Terms::Int& high) {
    return one_of_sets(t, collections::counts(options), known(collections::size(terms_, options)), low, high);
}

bool Coexecution::one_of_sets(UnknownTable& t, const Set<Terms>& options, const Terms::Int& low, const Terms::Int& high) {
    std::vector<Terms::Int> counts;
    for (const Truth& has : options.has) counts.push_back(arithmetic::count(terms_, has));
    return one_of_sets(t, counts, known(collections::size(terms_, options)), low, high);
}

}  // namespace houserule
