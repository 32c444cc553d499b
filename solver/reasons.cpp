// Why something cannot be, and how likely a claim in the words of the rules is. See deduction.hpp.
#include "solver/deduction_impl.hpp"

#include <map>
#include <set>

namespace houserule {

WhyNot Deduction::Impl::why_not(const std::function<Truth(Way&)>& claim) {
    WhyNot result;
    result.answer = fit == Fit::unknown ? Answer::unknown : Answer::no;
    const auto by = until();
    std::set<std::pair<std::size_t, Id>> reasons;
    for (Way& way : ways) {
        const Truth claimed = claim(way);
        if (claimed == Formulas::no) continue;
        session(way).finish_by(by);
        const Answer can_be = session(way).possible(claimed);
        if (can_be == Answer::yes) return {Answer::yes, {}};
        if (can_be == Answer::unknown) result.answer = Answer::unknown;
        if (result.answer == Answer::unknown) continue;
        // One literal for all that was required for one event by one step of the rules.
        std::map<std::pair<std::size_t, Id>, std::vector<Truth>> groups;
        for (const Condition& c : way.table.conditions) groups[{c.event, c.step}].push_back(c.holds);
        std::vector<std::pair<std::size_t, Id>> names;
        std::vector<Truth> tracked;
        for (const auto& [name, conditions] : groups) {
            names.push_back(name);
            tracked.push_back(terms().all(conditions));
        }
        Z3Session core(terms(), limits.z3_steps);
        core.finish_by(by);
        for (const Truth t : coexecution.always()) core.require(t);
        for (const Sum& sum : way.table.sums) core.require_sum(sum.unknowns, sum.total);
        core.require(claimed);
        const auto excluding = core.core(tracked);
        if (!excluding) {
            result.answer = Answer::unknown;
            continue;
        }
        for (const std::size_t t : *excluding) reasons.insert(names[t]);
    }
    for (const auto& [event, step] : reasons) result.reasons.push_back({event, step});
    return result;
}

Truth Deduction::Impl::lies_there(Way& way, Id place, Id kind) {
    return arithmetic::positive(terms(), way.table.state.piles[static_cast<std::size_t>(place)].counts[static_cast<std::size_t>(kind)]);
}

WhyNot Deduction::why_not(Id place, Id kind) {
    return impl_->why_not([&](Way& way) { return impl_->lies_there(way, place, kind); });
}

WhyNot Deduction::why_not(Id truth_expression) {
    bool told = true;
    WhyNot result = impl_->why_not([&](Way& way) {
        Coexecution& c = impl_->coexecution;
        told = told && c.settle(way.table, truth_expression);
        if (!told) return Formulas::yes;
        const Truth t = c.evaluator(way.table).truth(truth_expression);
        c.terms().forget();
        return t;
    });
    if (!told) return {Answer::unknown, {}};
    return result;
}

std::optional<Rational> Deduction::share_of(Id truth_expression) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || k.weight == 0) return std::nullopt;
    Rational sum = 0;
    for (Way& way : i.ways) {
        if (!i.coexecution.settle(way.table, truth_expression)) return std::nullopt;
        const Truth t = i.coexecution.evaluator(way.table).truth(truth_expression);
        i.terms().forget();
        const auto shares = way.counter->shares(i.terms(), {arithmetic::count(i.terms(), t)});
        if (!shares) return std::nullopt;
        for (const auto& [value, weight] : *shares)
            if (value[0] == 1) sum += way.each * Rational(weight);
    }
    return sum / k.weight;
}

}  // namespace houserule
