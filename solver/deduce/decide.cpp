// What is possible and what is certain, decided before there is a long count: by a count of few states, which decides all values at once
// where it finishes, else by Z3. See deduction.hpp.
//
// First one world of each path is found; walks over histories from there meet most of what is possible. What a short one does not meet is
// asked value by value: such a question is far easier than whether any of many values can be so. The world that answers yes decides all
// values that it shows. What takes Z3 long is left to longer walks, and then asked again. A world is complete (each unknown of the path
// has a value) and is checked against all conditions by `Valuation`, which shares no code with Z3; it is kept, and later questions look
// there first. A question has a part of what work is left, so few are cut, since Z3 4.8.12 leaks where its steps run out.
#include "solver/count/simplify.hpp"
#include "solver/deduce/deduction_impl.hpp"
#include "solver/terms/valuation.hpp"

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

// Fewer would cut even the first check of a fresh solver, which takes Z3 this many steps of work on the hardest positions.
constexpr std::uint64_t least_for_question = 50'000;

// Of the work for what is known.
constexpr double deciding_part = 0.35;
// Of that, and of the time for it: until a world of each path is found, and then what walks from there may take of what is left.
constexpr double first_part = 0.6;
constexpr int first_percent = 60;
// Before that: a short walk meets most values, Z3 answers most others in milliseconds.
constexpr std::uint64_t around_at_first = 100'000;  // work
constexpr std::uint64_t asked_at_first = 400'000;   // work
constexpr double around_part = 0.5;
constexpr int around_percent = 50;

// A question to Z3 takes one part in so many of the work that is left.
constexpr std::uint64_t questions_at_least = 8;

// Of a count that says whether anything fits a path.
constexpr std::size_t states_to_fit = 20'000;
constexpr std::size_t formulas_to_fit = 50'000;
constexpr std::size_t left_most = 64;

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
        path.is_empty = false;
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
    const auto number = value_of(path, thing.fact, thing.index);
    return number ? terms().equal(*number, terms().constant(value)) : Formulas::no;
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

// Whether these conditions can hold on a path, in place of its own: by a count of few states.
Answer Deduction::Impl::count_whether(const UnknownTable& path, std::vector<Truth> conditions, Work& budget, const Deadline& until) {
    const std::size_t before = terms().formulas().size();
    CountModel model;
    model.conditions = coexecution.always();
    model.conditions.insert(model.conditions.end(), conditions.begin(), conditions.end());
    model.sums = path.sums;
    model.unknowns = path.unknowns;
    simplify(terms().formulas(), model);
    arrange(model, terms().formulas(), CountOrder::by_kind, places_of_kinds(terms().formulas(), {model}, game().kinds.size()));
    const Counter counter(terms().formulas(), std::move(model), {states_to_fit, until, formulas_to_fit});
    budget.spend(work_of(counter, terms().formulas().size() - before));
    if (!counter.finished()) return Answer::unknown;
    return counter.total() > 0 ? Answer::yes : Answer::no;
}

// Whether anything fits a path that is being followed: on most paths that is counted far sooner than Z3 has read the conditions.
Answer Deduction::Impl::anything_fits(const UnknownTable& path) {
    if (left_to_z3 > 0) return --left_to_z3, Answer::unknown;
    std::vector<Truth> conditions;
    for (const Condition& c : path.conditions) conditions.push_back(c.holds);
    Work unlimited(no_work_limit);
    const Answer fits = count_whether(path, std::move(conditions), unlimited, coexecution.until());
    spent_before += unlimited.spent();
    if (fits == Answer::unknown) left_to_z3 = left_each_time;
    left_each_time = fits == Answer::unknown ? std::min(2 * left_each_time, left_most) : 1;
    return fits;
}

// What holds in this world, or in the one that Z3 has just found, is decided.
void Deduction::Impl::note_found(Path& path, const std::vector<int>* world, OpenClaims& open) {
    const std::vector<int> none;
    Valuation valuation(terms().formulas(), world == nullptr ? none : *world);
    std::erase_if(open, [&](const auto& claim) {
        if (!(world == nullptr ? path.session->value(claim.second) : valuation.holds(claim.second))) return false;
        claim.first->answer = Answer::yes;
        return true;
    });
}

// A world of each path, until there are enough to begin walks at.
void Deduction::Impl::find_worlds(std::uint64_t most, const Deadline& until) {
    Work budget(std::min(most, work.left()));
    std::size_t found = 0;
    for (Path& path : paths) {
        session(path);
        // The first question takes longest, and without a world there is nothing to go on from.
        const std::uint64_t own = found == 0 ? budget.left() : budget.left() / questions_at_least;
        if (path.worlds.empty()) path.is_empty = ask(path, Formulas::yes, budget, own, until) == Answer::no;
        if (!path.worlds.empty() && ++found == walks_around) break;
    }
    work.spend(budget.spent());
}

void Deduction::Impl::decide_on(Path& path, OpenClaims open, Work& budget, bool ask_again, const Deadline& until) {
    if (open.empty()) return;
    std::vector<Truth> all;
    for (const auto& [claim, truth] : open) all.push_back(truth);
    session(path);
    if (path.is_empty) return;
    path.is_wide = path.is_wide || any_foreign(terms().formulas(), all);
    const auto ask_each = [&](std::uint64_t parts) {
        OpenClaims cut;
        if (!path.is_wide)
            for (const std::vector<int>& world : path.worlds)
                if (world.size() == terms().formulas().unknowns().size()) note_found(path, &world, open);
        while (!open.empty()) {
            const auto [claim, truth] = open.back();
            const Answer a = ask(path, truth, budget, std::max(least_for_question, budget.left() / parts), until);
            if (a == Answer::yes) note_found(path, path.is_wide ? nullptr : &path.worlds.back(), open);
            if (a == Answer::unknown) cut.push_back(open.back());
            if (!open.empty() && open.back().first == claim) open.pop_back();
        }
        open = std::move(cut);
    };
    ask_each(questions_at_least);
    if (!open.empty() && ask_again) ask_each(open.size());
    for (const auto& [claim, truth] : open) claim->answer = Answer::unknown;
}

// With at most `most` work. `ask_again`: what takes more than its part is asked a second time.
void Deduction::Impl::decide(Knowledge& k, std::uint64_t most, bool ask_again, const Deadline& until) {
    std::vector<Claim> claims;
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            if (p.possible == Answer::unknown) claims.push_back({&p, &thing, true});
            if (p.certain == Answer::unknown) claims.push_back({&p, &thing, false});
        }
    }
    Work budget(std::min(most, work.left()));
    for (Path& path : paths) {
        OpenClaims open;
        for (Claim& c : claims) {
            if (c.answer == Answer::yes) continue;
            const Truth there = is_there(path, *c.thing, c.of->value);
            const Truth truth = c.present ? there : Formulas::negate(there);
            if (truth != Formulas::no) open.emplace_back(&c, truth);
        }
        decide_on(path, std::move(open), budget, ask_again, until);
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
    else if (!limits.unweighed && count_quickly(k, until))
        return k;
    const std::uint64_t end = work.spent() + part_of_work(work.left(), deciding_part);
    const auto left = [&] { return work.spent() < end ? end - work.spent() : 0; };
    if (has_open(k)) find_worlds(part_of_work(left(), first_part), until.part(first_percent));
    if (has_open(k)) look_around(k, std::min(around_at_first, part_of_work(left(), around_part)), until.part(around_percent));
    decide(k, std::min(asked_at_first, part_of_work(left(), around_part)), false, until.part(around_percent));
    if (has_open(k)) look_around(k, part_of_work(left(), around_part), until.part(around_percent));
    if (has_open(k)) decide(k, left(), true, until);
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
