// Choices of several with a condition on the whole, on unknowns: see coexecute.hpp. What was chosen fulfils it; whether some set does, and
// how many do, is told by trying each set that hidden cards may allow.
#include "solver/coexecute/coexecute.hpp"

#include <algorithm>
#include <numeric>

namespace houserule {

namespace {

constexpr std::size_t whole_tries = 4000;  // sets: about a second

// Of each thing how many, `low` to `high` in all, as far as there may be so many. Nothing when there are more than `whole_tries`.
std::optional<std::vector<std::vector<Value>>> amounts_up_to(const std::vector<Terms::Int>& there, Value low, Value high) {
    const auto size = [](const std::vector<Value>& set) { return std::accumulate(set.begin(), set.end(), Value{0}); };
    std::vector<std::vector<Value>> sets{{}};
    for (const Terms::Int& most : there) {
        std::vector<std::vector<Value>> longer;
        for (const std::vector<Value>& begun : sets) {
            const Value left = high - size(begun);
            for (Value n = 0; n <= most.high() && n <= left; ++n) {
                longer.push_back(begun);
                longer.back().push_back(n);
            }
        }
        sets = std::move(longer);
        if (sets.size() > whole_tries) return std::nullopt;
    }
    std::erase_if(sets, [&](const auto& set) { return size(set) < low; });
    return sets;
}

}  // namespace

// For each set that hidden cards may allow, whether it is offered and fulfils the condition. Nothing when there are too many.
std::optional<std::vector<Truth>> Coexecution::fitting_sets(UnknownTable& t, const Step& s) {
    if (!settle(t, s.y) || !settle(t, s.z) || !settle(t, s.w) || !settle(t, s.fits)) return std::nullopt;
    const bool cards = game_.expressions[s.y].type.base == Base::cards;
    const Cards<Terms> from = cards ? evaluator(t).cards(s.y) : Cards<Terms>{};
    const Set<Terms> elements = cards ? Set<Terms>{} : evaluator(t).set(s.y);
    const Terms::Int low = evaluator(t).scalar(s.z);
    const Terms::Int high = evaluator(t).scalar(s.w);
    std::vector<Terms::Int> there = collections::counts(from);
    for (const Truth& has : elements.has) there.push_back(arithmetic::count<Terms>(terms_, has));
    const auto sets = amounts_up_to(there, low.low(), high.high());
    if (!sets) return problem_ = {LimitKind::too_many_sets, whole_tries}, std::nullopt;
    UnknownTable trial = t;
    trial.unread.erase(s.a);
    std::vector<Truth> fit;
    for (const std::vector<Value>& set : *sets) {
        std::vector<Truth> offered;
        Cards<Terms> chosen;
        Set<Terms> taken{elements.first, {}};
        Value size = 0;
        for (std::size_t i = 0; i < set.size(); size += set[i++]) {
            offered.push_back(terms_.less_equal(terms_.constant(set[i]), there[i]));
            if (cards)
                collections::add_copies(terms_, chosen, from.copies[i].place, from.copies[i].kind, terms_.constant(set[i]));
            else
                taken.has.push_back(terms_.truth(set[i] > 0));
        }
        offered.push_back(terms_.less_equal(low, terms_.constant(size)));
        offered.push_back(terms_.less_equal(terms_.constant(size), high));
        if (cards)
            trial.state.variables[s.a] = chosen;
        else
            trial.state.variables[s.a] = taken;
        offered.push_back(terms_.guarded(Formulas::no, [&] { return evaluator(trial).truth(s.fits); }));
        fit.push_back(terms_.all(offered));
    }
    return fit;
}

// That no set fulfils the condition on the whole; nothing when that cannot be told.
std::optional<Truth> Coexecution::no_set_fits(UnknownTable& t, const Step& s) {
    return condition(t, [&]() -> std::optional<Truth> {
        const auto fit = fitting_sets(t, s);
        return fit ? std::optional<Truth>(terms_.negate(terms_.any(*fit))) : std::nullopt;
    });
}

// What was chosen fulfils the condition on the whole, if there is one.
bool Coexecution::fits_whole(UnknownTable& t, const Step& s) {
    if (s.fits == no_id) return true;
    const auto fits = condition(t, s.fits);
    return fits && require(t, *fits);
}

// Each set that fits was as likely to be chosen. False when that cannot be told.
bool Coexecution::one_of_fitting(UnknownTable& t, const Step& s) {
    const auto fit = fitting_sets(t, s);
    if (!fit) return false;
    std::vector<Terms::Int> ones;
    for (const Truth& is : *fit) ones.push_back(arithmetic::count<Terms>(terms_, is));
    return one_in(t, Formulas::yes, arithmetic::larger(terms_, arithmetic::total(terms_, std::move(ones)), terms_.constant(1)));
}

}  // namespace houserule
