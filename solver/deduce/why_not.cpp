// Why something cannot be, and how likely a claim in the words of the rules is. See deduction.hpp.
#include "solver/deduce/deduction_impl.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace houserule {

namespace {

using Name = std::pair<std::size_t, StepId>;  // the event and the step: one literal for all that was required together

// With more paths than this, reasons are not minimised over all paths together, only for each.
constexpr std::size_t shrunk_ways = 64;

// A path on which the claim would hold, were it not for some of its conditions.
struct Excluded {
    std::map<Name, std::vector<Truth>> groups;
    std::unique_ptr<Z3Session> session;

    std::vector<Truth> tracked(Terms& terms, const std::set<Name>& names) const {
        std::vector<Truth> all;
        for (const auto& [name, conditions] : groups)
            if (names.contains(name)) all.push_back(terms.all(conditions));
        return all;
    }
    bool by(Terms& terms, const std::set<Name>& names) const { return session->possible(terms.all(tracked(terms, names))) == Answer::no; }
};

// Each on trial, the latest first, so that what was known early explains: without it, are all paths still excluded?
void shrink(std::set<Name>& names, const std::vector<Excluded>& paths, Terms& terms) {
    const std::vector<Name> tried(names.rbegin(), names.rend());
    for (const Name& name : tried) {
        names.erase(name);
        if (!std::all_of(paths.begin(), paths.end(), [&](const Excluded& path) { return path.by(terms, names); })) names.insert(name);
    }
}

}  // namespace

WhyNot Deduction::Impl::why_not(const std::function<Truth(Path&)>& claim) {
    WhyNot result;
    result.answer = fit == Fit::unknown ? Answer::unknown : Answer::no;
    const auto until_then = until();
    std::set<Name> names;
    std::vector<Excluded> excluded;
    for (Path& path : paths) {
        const Truth claimed = claim(path);
        if (claimed == Formulas::no) continue;
        session(path).finish_by(until_then);
        const Answer can_be = session(path).possible(claimed);
        if (can_be == Answer::yes) return {Answer::yes, {}};
        if (can_be == Answer::unknown) result.answer = Answer::unknown;
        if (result.answer == Answer::unknown) continue;
        Excluded here{{}, std::make_unique<Z3Session>(terms(), limits.z3_steps)};
        for (const Condition& c : path.table.conditions) {
            if (c.step == no_id)
                here.session->require(c.holds);
            else
                here.groups[{c.event, c.step}].push_back(c.holds);
        }
        here.session->finish_by(until_then);
        for (const Truth t : coexecution.always()) here.session->require(t);
        for (const Sum& sum : path.table.sums) here.session->require_sum(sum.unknowns, sum.total);
        here.session->require(claimed);
        std::vector<Name> own;
        std::vector<Truth> tracked;
        for (const auto& [name, conditions] : here.groups) {
            own.push_back(name);
            tracked.push_back(terms().all(conditions));
        }
        const auto excluding = here.session->core(tracked);
        if (!excluding) {
            result.answer = Answer::unknown;
            continue;
        }
        for (const std::size_t t : *excluding) names.insert(own[t]);
        if (excluded.size() <= shrunk_ways) excluded.push_back(std::move(here));
    }
    // Conditions that exclude one path may be enough for another, for which others were found first.
    if (excluded.size() > 1 && excluded.size() <= shrunk_ways) shrink(names, excluded, terms());
    for (const auto& [event, step] : names) result.reasons.push_back({event, step});
    return result;
}

Truth Deduction::Impl::lies_there(Path& path, PlaceId place, KindId kind) {
    return arithmetic::positive(terms(), path.table.state.piles[place].counts[kind]);
}

WhyNot Deduction::why_not(PlaceId place, KindId kind) {
    return impl_->why_not([&](Path& path) { return impl_->lies_there(path, place, kind); });
}

WhyNot Deduction::why_not(ExpressionId truth_expression) {
    bool told = true;
    WhyNot result = impl_->why_not([&](Path& path) {
        Coexecution& c = impl_->coexecution;
        told = told && c.settle(path.table, truth_expression);
        if (!told) return Formulas::yes;
        const Truth t = c.evaluator(path.table).truth(truth_expression);
        c.terms().forget();
        return t;
    });
    if (!told) return {Answer::unknown, {}};
    return result;
}

Deduction::Breaks Deduction::breaks(ExpressionId truth_expression) {
    Coexecution& c = impl_->coexecution;
    bool told = true;
    const auto kept = [&](Path& path) {
        c.terms().forget();
        told = told && c.settle(path.table, truth_expression);
        if (!told) return Formulas::yes;
        c.evaluator(path.table).truth(truth_expression);
        std::vector<Truth> all;
        for (const Terms::Promise& p : c.terms().promises()) all.push_back(p.holds);
        c.terms().forget();
        return c.terms().all(all);
    };
    const Answer can_break = impl_->why_not([&](Path& path) { return c.terms().negate(kept(path)); }).answer;
    if (!told || can_break != Answer::yes) return Breaks::in_no_world;
    return impl_->why_not(kept).answer == Answer::no ? Breaks::in_every_world : Breaks::in_some_world;
}

std::optional<Rational> Deduction::share_of(ExpressionId truth_expression) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact || k.weight == 0) return std::nullopt;
    Rational sum = 0;
    for (Path& path : i.paths) {
        if (!i.coexecution.settle(path.table, truth_expression)) return std::nullopt;
        const Truth t = i.coexecution.evaluator(path.table).truth(truth_expression);
        i.terms().forget();
        const auto shares = path.counter->shares(i.terms(), {arithmetic::count(i.terms(), t)});
        if (!shares) return std::nullopt;
        for (const auto& [value, weight] : *shares)
            if (value[0] == 1) sum += path.each * Rational(weight);
    }
    return sum / k.weight;
}

}  // namespace houserule
