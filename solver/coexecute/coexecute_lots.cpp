// Lots, and what the table tells, on unknowns: see coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"

namespace houserule {

// Any of the outcomes, each as likely.
Coexecution::Walk Coexecution::unseen_lot(UnknownTable& t, const Step& s) {
    if (s.b != no_id) return stuck(LimitKind::lot_weights_unseen);
    if (!settle(t, s.x)) return Walk::stuck;
    const Set<Terms> options = evaluator(t).set(s.x);
    Value all = 0;
    Value only = options.first;
    for (Value v = options.first; v < options.end(); ++v) {
        const auto in = terms_.known(options.has[v - options.first]);
        if (!in) return stuck(LimitKind::chance_among_unknown);
        if (*in) only = v;
        all += *in ? 1 : 0;
    }
    if (all == 0) return Walk::dead;
    if (options.end() - options.first > Formulas::value_limit) return stuck(LimitKind::hidden_choice_too_wide);
    const Terms::Int value = all == 1 ? terms_.constant(only) : dealer_.fresh(t, options.first, options.end() - 1);
    if (!require(t, collections::has_element(terms_, options, value))) return Walk::dead;
    t.chance *= Rational(1, all);
    set_number(t, s.a, value, all > 1);
    return on(t);
}

// When nothing can be told or picked at a step; nothing when that cannot be told.
std::optional<Truth> Coexecution::nothing_to_report(UnknownTable& t, const Step& s) {
    if (!settle(t, s.y) || !settle(t, s.x)) return std::nullopt;
    if (s.y != no_id) evaluator(t).scalar(s.y);
    if (game_.expressions[s.x].type.base == Base::cards) return collections::is_empty(terms_, evaluator(t).cards(s.x));
    const Set<Terms> options = evaluator(t).set(s.x);
    if (s.b == no_id) return collections::is_empty(terms_, options);
    std::vector<Truth> there;
    for (const auto& [value, weight] : machine_.weights[s.b]) {
        if (!settle(t, weight)) return std::nullopt;
        const Truth weighs = arithmetic::positive(terms_, evaluator(t).scalar(weight));
        there.push_back(terms_.both(collections::has_element(terms_, options, terms_.constant(value)), weighs));
    }
    return terms_.negate(terms_.any(there));
}

}  // namespace houserule
