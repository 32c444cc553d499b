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

// How many things can be told or picked at a step; nothing when that cannot be told.
std::optional<Terms::Int> Coexecution::outcomes(UnknownTable& t, const Step& s) {
    if (!settle(t, s.x)) return std::nullopt;
    if (game_.expressions[s.x].type.base == Base::cards) return collections::size(terms_, evaluator(t).cards(s.x));
    const Set<Terms> options = evaluator(t).set(s.x);
    if (s.b == no_id) return collections::size(terms_, options);
    std::vector<Terms::Int> there;
    for (const auto& [value, weight] : machine_.weights[s.b]) {
        if (!settle(t, weight)) return std::nullopt;
        const Truth weighs = arithmetic::positive(terms_, evaluator(t).scalar(weight));
        const Truth has = collections::has_element(terms_, options, terms_.constant(value));
        there.push_back(arithmetic::count(terms_, terms_.both(has, weighs)));
    }
    return arithmetic::total(terms_, std::move(there));
}

// One thing alone is told, and picked, without a question.
Coexecution::Walk Coexecution::until_told(UnknownTable& table, const Step& s) {
    const auto seer = s.y == no_id ? std::optional<Value>(seat_) : known_number(table, s.y);
    const auto all = seer ? outcomes(table, s) : std::nullopt;
    if (!all) return not_told();
    if (!keep_promises(table)) return Walk::dead;
    if (const auto n = known(*all)) return *n > 1 ? Walk::done : Walk::next;
    if (*seer != seat_) return not_told();
    return require(table, terms_.less(terms_.constant(1), *all)) ? Walk::done : Walk::dead;
}

// One card alone is drawn without a question.
Coexecution::Walk Coexecution::until_drawn(UnknownTable& table, const Step& s) {
    const auto from = known_number(table, s.x);
    if (!from) return not_told();
    const PlaceId place = PlaceId(*from);
    if (table.sizes[place] == 0 || (is_ordered(place) && !is_stack(place) && s.mode != 1)) return Walk::next;
    if ((is_stack(place) && s.mode != 1 ? table.parts[place].back().size : table.sizes[place]) == 1) return Walk::next;
    return settle(table, s.y) ? until_read(table, s.y) : not_told();
}

}  // namespace houserule
