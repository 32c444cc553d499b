// Why something cannot be, and how likely a claim in the words of the rules is. See deduction.hpp.
#include "solver/deduce/deduction_impl.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace houserule {

namespace {

using Name = std::pair<std::size_t, StepId>;  // the event, and the step that requires something of it

// With more paths than this, reasons are not minimised over all paths together, only for each.
constexpr std::size_t shrunk_ways = 64;

// Z3's steps for one question about reasons: some tenths of a second. What takes longer is counted, or asked once more with all there are.
constexpr unsigned reason_z3_steps = 500'000;

}  // namespace

// The seat's own choice, where it was made.
bool Deduction::Impl::is_own_move(const Condition& c) const {
    if (c.event >= coexecution.noticed()) return false;
    const Event& e = coexecution.noticed(c.event);
    const Step& s = machine->code[c.step];
    if (e.seat != coexecution.seat()) return false;
    return (e.kind == EventKind::choice && s.op == Op::choose && told_name(*machine, s) == e.name) ||
           (e.kind == EventKind::answer && s.op == Op::ask);
}

Deduction::Path::Tracked& Deduction::Impl::tracked(Path& path) {
    session(path);
    if (path.tracked) return *path.tracked;
    Path::Tracked& t = path.tracked.emplace();
    for (const Condition& c : path.table.conditions) {
        if (c.step == no_id || is_own_move(c))
            t.given.push_back(c.holds);
        else
            t.events[c.event][c.step].push_back(c.holds);
    }
    begin_tracked(path, reason_z3_steps);
    return t;
}

void Deduction::Impl::begin_tracked(Path& path, unsigned z3_steps) {
    Path::Tracked& t = *path.tracked;
    t.session = std::make_unique<Z3Session>(terms(), std::min(limits.z3_steps, z3_steps));
    t.session->require(coexecution.always());
    for (const Sum& sum : path.table.sums) t.session->require_sum(sum.unknowns, sum.total);
    t.session->require(t.given);
}

// Reasons over all paths: on each the claim would hold, were it not for what came of some events.
class Deduction::Impl::Reasons {
public:
    Reasons(Impl& impl, const Deadline& until) : impl_(impl), until_(until), own_(impl.reason_work.left() / 4) {}
    ~Reasons() {
        for (const Excluded& e : excluded_) e.path->tracked->session->spend_of(nullptr);
        impl_.reason_work.spend(own_.spent());
    }
    Reasons(const Reasons&) = delete;
    Reasons& operator=(const Reasons&) = delete;

    // False when the search was cut.
    bool add(Path& path, Truth claim);
    void finish(WhyNot& result);

private:
    struct Excluded {
        Path* path = nullptr;
        Truth claim;
    };

    Z3Session& session(Path& path) {
        Z3Session& z3 = *impl_.tracked(path).session;
        z3.finish_by(until_);
        z3.spend_of(&own_);
        return z3;
    }
    // What came of an event, or of one step that it was seen at.
    Truth of(const Path& path, std::size_t event) const;
    Truth of(const Path& path, const Name& name) const;
    Answer possible(Path& path, const std::vector<Truth>& holds);
    Answer count(Path& path, const std::vector<Truth>& holds);
    template <class T>
    Answer excludes(const std::set<T>& names);
    template <class T>
    void shrink(std::set<T>& names);

    Impl& impl_;
    Deadline until_;
    Work own_;
    std::vector<Excluded> excluded_;
    std::set<std::size_t> events_;
    bool irreducible_ = true;
    bool counts_first_ = false;  // since Z3 took too long
};

Truth Deduction::Impl::Reasons::of(const Path& path, std::size_t event) const {
    const auto found = path.tracked->events.find(event);
    if (found == path.tracked->events.end()) return Formulas::yes;
    std::vector<Truth> all;
    for (const auto& [step, holds] : found->second) all.insert(all.end(), holds.begin(), holds.end());
    return impl_.terms().all(all);
}

Truth Deduction::Impl::Reasons::of(const Path& path, const Name& name) const {
    const auto found = path.tracked->events.find(name.first);
    if (found == path.tracked->events.end()) return Formulas::yes;
    const auto at = found->second.find(name.second);
    return at == found->second.end() ? Formulas::yes : impl_.terms().all(at->second);
}

bool Deduction::Impl::Reasons::add(Path& path, Truth claim) {
    std::vector<std::size_t> events;
    std::vector<Truth> tracked;
    Z3Session& z3 = session(path);
    for (const auto& [event, steps] : path.tracked->events) {
        events.push_back(event);
        tracked.push_back(of(path, event));
    }
    auto core = own_.gone() ? std::nullopt : z3.core(tracked, claim);
    if (!core && !own_.gone()) {
        // All of them are a reason, of which those that are not needed are dropped at the end; if it can be counted that they are.
        std::vector<Truth> all = tracked;
        all.push_back(claim);
        if (count(path, all) == Answer::no) {
            core.emplace().irreducible = false;
            for (std::size_t t = 0; t < tracked.size(); ++t) core->of.push_back(t);
        }
    }
    if (!core && !own_.gone()) core = session(path).core(tracked, claim);
    if (!core) return path.tracked->session->spend_of(nullptr), false;
    for (const std::size_t t : core->of) events_.insert(events[t]);
    irreducible_ = irreducible_ && core->irreducible;
    counts_first_ = counts_first_ || !core->irreducible;
    if (excluded_.size() <= shrunk_ways) excluded_.push_back({&path, claim});
    return true;
}

// Whether these can hold on the path, apart from what else was seen: a count of few states tells where Z3 takes too long.
Answer Deduction::Impl::Reasons::possible(Path& path, const std::vector<Truth>& holds) {
    if (counts_first_)
        if (const Answer a = count(path, holds); a != Answer::unknown) return a;
    const bool tries_again = path.tracked->can_be_counted;
    Answer a = session(path).possible(holds);
    if (a != Answer::unknown || !tries_again) return a;
    counts_first_ = true;
    a = count(path, holds);
    return a == Answer::unknown ? session(path).possible(holds) : a;
}

// Once that is too much it will be again, and Z3 may take all its steps.
Answer Deduction::Impl::Reasons::count(Path& path, const std::vector<Truth>& holds) {
    if (!path.tracked->can_be_counted || own_.gone()) return Answer::unknown;
    std::vector<Truth> all = path.tracked->given;
    all.insert(all.end(), holds.begin(), holds.end());
    const Answer a = impl_.count_whether(path.table, std::move(all), own_, until_);
    if (a != Answer::unknown) return a;
    path.tracked->can_be_counted = false;
    impl_.begin_tracked(path, impl_.limits.z3_steps);
    return a;
}

// Whether these exclude the claim on all paths.
template <class T>
Answer Deduction::Impl::Reasons::excludes(const std::set<T>& names) {
    Answer all = Answer::yes;
    for (const Excluded& e : excluded_) {
        std::vector<Truth> holds{e.claim};
        for (const T& name : names) holds.push_back(of(*e.path, name));
        const Answer a = possible(*e.path, holds);
        if (a == Answer::yes) return Answer::no;
        if (a == Answer::unknown) all = a;
    }
    return all;
}

// Each on trial, the latest first, so that what was known early explains: do the others exclude the claim as well?
template <class T>
void Deduction::Impl::Reasons::shrink(std::set<T>& names) {
    const std::vector<T> tried(names.rbegin(), names.rend());
    for (const T& name : tried) {
        names.erase(name);
        const Answer a = excludes(names);
        if (a != Answer::yes) names.insert(name);
        irreducible_ = irreducible_ && a != Answer::unknown;
    }
}

void Deduction::Impl::Reasons::finish(WhyNot& result) {
    const bool all_here = excluded_.size() <= shrunk_ways;
    // What excludes one path may be enough for another, for which others were found first. What Z3 did not try is tried.
    if ((excluded_.size() > 1 || !irreducible_) && all_here) {
        irreducible_ = true;
        shrink(events_);
    }
    irreducible_ = irreducible_ && all_here;
    // An event may be seen at several steps, each of them a paragraph of the rules: those that matter.
    std::set<Name> names;
    for (const std::size_t event : events_)
        for (const Excluded& e : excluded_)
            if (const auto found = e.path->tracked->events.find(event); found != e.path->tracked->events.end())
                for (const auto& [step, holds] : found->second) names.emplace(event, step);
    if (names.size() > events_.size() && all_here) shrink(names);
    for (const auto& [event, step] : names) result.reasons.push_back({event, step});
    result.irreducible = irreducible_;
}

WhyNot Deduction::Impl::why_not(const std::function<Truth(Path&)>& claim) {
    WhyNot result;
    result.answer = fit == Fit::unknown ? Answer::unknown : Answer::no;
    const auto until_then = until();
    std::vector<std::pair<Path*, Truth>> claimed;
    for (Path& path : paths) {
        const Truth t = claim(path);
        const Answer a = is_met(path, t) ? Answer::yes : ask(path, t, reason_work, reason_work.left() / 4, until_then);
        if (a == Answer::yes) return {a, {}};
        if (a == Answer::unknown) result.answer = a;
        if (t != Formulas::no) claimed.emplace_back(&path, t);
    }
    const bool may_be_fewer = is_loose();
    if (result.answer != Answer::no) return result;
    Reasons reasons(*this, until_then);
    for (const auto& [path, t] : claimed) result.found = result.found && reasons.add(*path, t);
    if (result.found) reasons.finish(result);
    result.irreducible = result.irreducible && !may_be_fewer;
    return result;
}

WhyNot Deduction::why_not(PlaceId place, KindId kind) {
    return impl_->why_not([&](Path& path) { return impl_->lies_there(path, place, kind); });
}

WhyNot Deduction::why_not(ExpressionId truth_expression) {
    bool told = true;
    WhyNot result = impl_->why_not([&](Path& path) {
        Coexecution& c = impl_->coexecution;
        const std::optional<Truth> t = told ? c.truth(path.table, truth_expression) : std::nullopt;
        c.terms().forget();
        told = t.has_value();
        return t.value_or(Formulas::yes);
    });
    return told ? result : WhyNot{};
}

Deduction::Breaks Deduction::breaks(ExpressionId truth_expression) {
    Coexecution& c = impl_->coexecution;
    bool told = true;
    const auto kept = [&](Path& path) {
        c.terms().forget();
        told = told && c.truth(path.table, truth_expression);
        if (!told) return Formulas::yes;
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
        const std::optional<Truth> t = i.coexecution.truth(path.table, truth_expression);
        i.terms().forget();
        if (!t) return std::nullopt;
        const auto shares = path.counter->shares(i.terms(), {arithmetic::count(i.terms(), *t)});
        if (!shares) return std::nullopt;
        for (const auto& [value, weight] : *shares)
            if (value[0] == 1) sum += path.each * Rational(weight);
    }
    return sum / k.weight;
}

}  // namespace houserule
