// What is possible and what is certain, decided before there is a long count: by a count of few states, which decides all values at once
// where it finishes, else by Z3. See deduction.hpp.
//
// A question asks whether any of the values that are still open can be so; the world that answers yes decides all values that it shows,
// and one `no` ends them all. So there are about as many questions as worlds are needed to show every value. A world is complete (each
// unknown of the path has a value) and is checked against all conditions by `Valuation`, which shares no code with Z3; it is kept, and
// later questions look there first. Where a question is too hard, each value is asked for itself, with a part of what work is left: few
// questions are cut, since Z3 4.8.12 leaks where its steps run out.
#include "solver/deduce/deduction_impl.hpp"
#include "solver/terms/valuation.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

// Fewer would cut even the first check of a fresh solver, which takes Z3 this many steps of work on the hardest positions.
constexpr std::uint64_t least_for_question = 50'000;

// Of the work for what is known.
constexpr double deciding_part = 0.25;
// Of that, and of the time for it: until histories near those that were found are looked at, and what these may take of what is left.
constexpr double first_part = 0.4;
constexpr int first_percent = 40;
constexpr double around_part = 0.5;
constexpr int around_percent = 50;

// Of a path: enough to show every value of most positions.
constexpr std::size_t worlds_kept = 256;

// Whether one of them is a condition that only Z3 understands, or has one in it.
bool any_foreign(const Formulas& formulas, const std::vector<Truth>& all) {
    std::vector<bool> walked;
    bool found = false;
    for (const Truth t : all)
        formulas.walk(t, walked, [&](Truth part) { found = found || formulas.shape(part) == Formulas::Shape::foreign; });
    return found;
}

}  // namespace

// That a value lies at its thing, or that none does, in some world.
struct Deduction::Impl::Claim {
    Possibility* of = nullptr;
    const HiddenThing* thing = nullptr;
    bool present = true;
    Answer answer = Answer::no;  // until a path says otherwise
};

Z3Session& Deduction::Impl::session(Path& path) {
    // What a claim reads may have been given kinds meanwhile, with conditions of their own.
    const std::size_t required = path.table.conditions.size() + path.table.sums.size();
    if (!path.session || path.required != required) {
        path.required = required;
        path.worlds.clear();
        path.tracked.reset();
        std::vector<Truth> all = coexecution.always();
        for (const Condition& c : path.table.conditions) all.push_back(c.holds);
        path.is_wide = any_foreign(terms().formulas(), all);
        path.session = std::make_unique<Z3Session>(terms(), limits.z3_steps);
        coexecution.require(*path.session, path.table);
    }
    return *path.session;
}

Truth Deduction::Impl::lies_there(Path& path, PlaceId place, KindId kind) {
    return arithmetic::positive(terms(), path.table.state.piles[place].counts[kind]);
}

Truth Deduction::Impl::is_there(Path& path, const HiddenThing& thing, std::int32_t value) {
    if (!thing.is_fact) return lies_there(path, thing.place, KindId(value));
    const auto* number = std::get_if<Terms::Int>(&path.table.state.facts[thing.fact][thing.index].content);
    return number == nullptr ? Formulas::no : terms().equal(*number, terms().constant(value));
}

// Whether a world that was found before has it.
bool Deduction::Impl::is_met(Path& path, Truth claim) {
    if (!path.worlds.empty()) session(path);
    if (path.worlds.empty()) return false;
    const Formulas& formulas = terms().formulas();
    // Not about unknowns that are newer than the worlds: those are what the claim itself is made of.
    bool is_told = !any_foreign(formulas, {claim});
    formulas.each_unknown(claim, [&](std::int32_t u) { is_told = is_told && std::cmp_less(u, path.worlds.front().size()); });
    return is_told && std::any_of(path.worlds.begin(), path.worlds.end(),
                                  [&](const std::vector<int>& values) { return Valuation(formulas, values).holds(claim); });
}

// The world that Z3 has just found. False if it is none: then nothing was decided.
bool Deduction::Impl::keep_world(Path& path) {
    if (path.is_wide) return !path.table.is_loose;
    std::vector<int> values = path.session->values();
    Valuation valuation(terms().formulas(), values);
    const auto holds = [&](Truth t) { return valuation.holds(t); };
    bool fits =
        std::all_of(coexecution.always().begin(), coexecution.always().end(), holds) &&
        std::all_of(path.table.conditions.begin(), path.table.conditions.end(), [&](const Condition& c) { return holds(c.holds); }) &&
        std::all_of(path.table.sums.begin(), path.table.sums.end(), [&](const Sum& sum) {
            Value total = 0;
            for (const std::int32_t u : sum.unknowns) total += values[u];
            return total == sum.total;
        });
    if (path.table.is_loose) fits = fits && plays_as_told(path, values);
    if (fits && path.worlds.size() == worlds_kept) path.worlds.pop_back();
    if (fits) path.worlds.push_back(std::move(values));
    return fits;
}

// With at most `most` work.
Answer Deduction::Impl::ask(Path& path, Truth claim, Work& budget, std::uint64_t most, const Deadline& until) {
    if (claim == Formulas::no) return Answer::no;
    most = std::min(most, budget.left());
    if (most < least_for_question || until.over()) return Answer::unknown;
    Z3Session& z3 = session(path);
    Work own(most);
    z3.finish_by(until);
    z3.spend_of(&own);
    const Answer a = z3.possible(claim);
    z3.spend_of(nullptr);
    budget.spend(own.spent() + 1);
    return a != Answer::yes || keep_world(path) ? a : Answer::unknown;
}

// What holds in the world that was just found is decided.
void Deduction::Impl::note_found(Path& path, std::vector<std::pair<Claim*, Truth>>& open) {
    const std::vector<int> none;
    Valuation valuation(terms().formulas(), path.is_wide ? none : path.worlds.back());
    std::erase_if(open, [&](const auto& claim) {
        if (!(path.is_wide ? path.session->value(claim.second) : valuation.holds(claim.second))) return false;
        claim.first->answer = Answer::yes;
        return true;
    });
}

// That so many of the claims hold in one world.
Truth Deduction::Impl::at_least(std::size_t least, const std::vector<std::pair<Claim*, Truth>>& open) {
    std::vector<Truth> any;
    for (const auto& [claim, truth] : open) any.push_back(truth);
    if (least == 1) return terms().any(any);
    z3::expr_vector all(context);
    for (const Truth t : any) all.push_back(terms().expression(t));
    return terms().opaque(z3::atleast(all, static_cast<unsigned>(least)));
}

void Deduction::Impl::decide_on(Path& path, std::vector<std::pair<Claim*, Truth>> open, Work& budget, const Deadline& until) {
    if (open.empty()) return;
    std::vector<Truth> all;
    for (const auto& [claim, truth] : open) all.push_back(truth);
    session(path);
    path.is_wide = path.is_wide || any_foreign(terms().formulas(), all);
    // The first question takes longest. Then a world that shows many is worth several that show one each: a part of them at once, then
    // fewer, at last any.
    bool is_first = true;
    for (std::size_t least = 1; !open.empty(); least = std::min(least, open.size())) {
        const std::size_t before = open.size();
        const Answer a = ask(path, at_least(least, open), budget, budget.left() / (least > 1 ? 8 : 2), until);
        if (a == Answer::no && least == 1) return;
        if (a == Answer::yes) note_found(path, open);
        if (open.size() < before) {
            if (std::exchange(is_first, false)) least = (open.size() + 3) / 4;
        } else if (least == 1) {
            break;
        } else {
            least = (least + 3) / 4;
        }
    }
    while (!open.empty()) {
        const auto [claim, truth] = open.back();
        const Answer a = ask(path, truth, budget, std::max(least_for_question, budget.left() / 4), until);
        if (a == Answer::yes) note_found(path, open);
        if (!open.empty() && open.back().first == claim) open.pop_back();
        if (a == Answer::unknown) claim->answer = Answer::unknown;
    }
}

// With at most `most` work.
void Deduction::Impl::decide(Knowledge& k, std::uint64_t most, const Deadline& until) {
    std::vector<Claim> claims;
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            if (p.possible == Answer::unknown) claims.push_back({&p, &thing, true});
            if (p.certain == Answer::unknown) claims.push_back({&p, &thing, false});
        }
    }
    Work budget(std::min(most, work.left()));
    for (Path& path : paths) {
        std::vector<std::pair<Claim*, Truth>> open;
        for (Claim& c : claims) {
            if (c.answer == Answer::yes) continue;
            const Truth there = is_there(path, *c.thing, c.of->value);
            const Truth truth = c.present ? there : Formulas::negate(there);
            if (truth != Formulas::no) open.emplace_back(&c, truth);
        }
        decide_on(path, std::move(open), budget, until);
    }
    work.spend(budget.spent());
    for (const Claim& c : claims) {
        if (c.present)
            c.of->possible = c.answer;
        else
            c.of->certain = c.answer == Answer::unknown ? Answer::unknown : c.answer == Answer::yes ? Answer::no : Answer::yes;
    }
    // What cannot be there is not there for certain, even if no world is left at all.
    for (HiddenThing& thing : k.things)
        for (Possibility& p : thing.values)
            if (p.possible == Answer::no) p.certain = Answer::no;
}

const Knowledge& Deduction::Impl::possibilities(const Deadline& until) {
    if (decided) return *decided;
    Knowledge& k = decided.emplace();
    if (fit == Fit::unknown) {
        k.limits.push_back(because(LimitKind::not_followed, limit));
        return k;
    }
    k.method = Method::possible_only;
    list_things(k);
    if (is_loose())
        play_some(k, until);
    else if (count_quickly(k, until))
        return k;
    const std::uint64_t end = work.spent() + part_of_work(work.left(), deciding_part);
    const auto left = [&] { return work.spent() < end ? end - work.spent() : 0; };
    decide(k, part_of_work(left(), first_part), until.part(first_percent));
    if (has_open(k)) {
        look_around(k, part_of_work(left(), around_part), until.part(around_percent));
        decide(k, left(), until);
    }
    const bool nowhere = std::any_of(k.things.begin(), k.things.end(), [](const HiddenThing& thing) {
        return std::all_of(thing.values.begin(), thing.values.end(), [](const Possibility& p) { return p.possible == Answer::no; });
    });
    if (nowhere) fit = Fit::impossible;
    return k;
}

const Knowledge& Deduction::possibilities() { return impl_->possibilities(impl_->until()); }

Answer Deduction::possible(PlaceId place, KindId kind) {
    Impl& i = *impl_;
    const Deadline until = i.until();
    Work own(i.limits.work);
    bool unknown = i.fit == Fit::unknown;
    for (Path& path : i.paths) {
        const Truth claim = i.lies_there(path, place, kind);
        const Answer a = i.is_met(path, claim) ? Answer::yes : i.ask(path, claim, own, own.left(), until);
        if (a == Answer::yes) return a;
        unknown = unknown || a == Answer::unknown;
    }
    return unknown ? Answer::unknown : Answer::no;
}

}  // namespace houserule
