// Following what a seat noticed, all paths abreast: see coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"

#include "interpreter/machine/post_dominators.hpp"
#include "solver/coexecute/path_merging.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace houserule {

namespace {

// Steps between two looks at the clock: a step on unknowns can take milliseconds.
constexpr std::size_t clock_steps = 16;

// Paths that are followed without asking whether they can be.
constexpr std::size_t few_paths = 8;

// Z3's steps for one path when paths are pruned: a tenth of a second. An impossible path that is kept adds nothing to counts.
constexpr unsigned prune_z3_steps = 500'000;

// Formulas for a condition of a step at which others were left open, at least.
constexpr std::uint64_t condition_least = 5'000;
constexpr unsigned most_halvings = 16;

// Thrown where formulas are built, to leave a condition open.
struct ConditionEnded {};

// Thrown where formulas are built, to leave a step in its middle.
struct BuildingEnded {
    Limit why;
};

// However following is left, what is built afterwards is not watched.
struct EndOfWatch {
    Formulas& formulas;
    ~EndOfWatch() { formulas.watch({}); }
};

}  // namespace

bool Coexecution::follow(const Events& events) {
    seen_.clear();
    furthest_ = 0;
    paths_ = {start_};
    return go_on(events);
}

bool Coexecution::go_on(const Events& events) {
    for (const Event& e : events) {
        if (e.kind == EventKind::begins || (e.audience >> seat_ & 1) == 0) continue;
        seen_.push_back({e, (e.faces >> seat_ & 1) != 0});
    }
    to_node_ = false;
    return walk();
}

bool Coexecution::go_on_to_node() {
    took_silence_ = false;
    to_node_ = true;
    return walk();
}

bool Coexecution::go_on_to_question(const SeatQuestion& question) {
    to_question_ = question;
    const bool went = go_on_to_node();
    to_question_.reset();
    return went;
}

bool Coexecution::go_on_to_node_if_silent() {
    asks_silence_ = true;
    const bool went = go_on_to_node();
    asks_silence_ = false;
    return went;
}

// On this path the seat would have noticed something next, where the condition holds: if it has all that was seen so far.
void Coexecution::take_silence(const UnknownTable& before, Truth something_noticed) {
    if (asks_silence_ && !took_silence_ && before.seen == seen_.size()) took_silence_ = may_be(before, something_noticed);
}

// All paths advance together, event by event, so that a dead path is dropped before much work is done for it.
bool Coexecution::walk() {
    followed_built_ = 0;
    std::size_t many = few_paths;
    const auto too_many = [&] {
        if (path_count() <= many) return false;
        prune();
        many = std::max(few_paths, 2 * path_count());
        return path_count() > limits_.max_paths;
    };
    merge_points_.clear();
    before_heard_.clear();
    goal_ = to_node_ ? seen_.size() : 0;
    do {
        // One that waits for the rest of what a step tells stays behind.
        std::size_t next = seen_.size();
        for (const UnknownTable& path : paths_) next = std::min(next, path.seen + 1);
        goal_ = std::min(std::max(goal_ + 1, next), seen_.size());
        steps_before_ += std::exchange(steps_, 0);
        open_ = std::move(paths_);
        paths_.clear();
        while (!open_.empty()) {
            UnknownTable table = std::move(open_.back());
            open_.pop_back();
            if (!advance(std::move(table))) return false;
            if (too_many()) return problem_ = {LimitKind::too_many_paths, limits_.max_paths}, false;
            merge_waiting();
        }
    } while (!paths_.empty() && goal_ < seen_.size());
    if (paths_.empty() && !to_question_) paths_ = std::move(before_heard_);
    return true;
}

std::size_t Coexecution::path_count() const {
    std::size_t count = paths_.size() + open_.size();
    for (const MergePoint& m : merge_points_) count += m.there.size();
    return count;
}

// Merges the paths that wait at a post-dominator once no other can arrive there; they then go on.
void Coexecution::merge_waiting() {
    while (!merge_points_.empty() && open_.size() <= merge_points_.back().others) {
        std::vector<UnknownTable> there = std::move(merge_points_.back().there);
        merge_points_.pop_back();
        merge_paths(terms_, there);
        std::move(there.begin(), there.end(), std::back_inserter(open_));
    }
}

void Coexecution::prune() {
    const auto cannot_be = [&](const UnknownTable& path) {
        const Answer fits = anything_fits_ ? anything_fits_(path) : Answer::unknown;
        return (fits == Answer::unknown ? possible({}, path, prune_z3_steps) : fits) == Answer::no;
    };
    std::erase_if(paths_, cannot_be);
    for (MergePoint& m : merge_points_) std::erase_if(m.there, cannot_be);
    // From the last one on, so that the places of the others stay what they are.
    for (std::size_t w = open_.size(); w-- > 0;) {
        if (!cannot_be(open_[w])) continue;
        open_.erase(open_.begin() + w);
        for (MergePoint& m : merge_points_)
            if (m.others > w) --m.others;
    }
}

// Where paths meet again, one that comes first waits for the others. True if it does.
bool Coexecution::waits_for_others(UnknownTable& table) {
    if (merge_points_.empty() || merge_points_.back().join != table.pc) return false;
    merge_points_.back().there.push_back(std::move(table));
    return true;
}

// One step of a path, after which those that part there are to meet again. Stuck where steps or time run out.
Coexecution::Walk Coexecution::counted_step(UnknownTable& table) {
    if (++steps_ > limits_.steps) return problem_ = {LimitKind::too_many_steps, limits_.steps}, Walk::stuck;
    if (steps_taken() % clock_steps == 0 && until_.over()) return problem_ = {LimitKind::out_of_time}, Walk::stuck;
    const StepId join = post_dominators_[table.pc];
    const std::size_t others = open_.size();
    const Walk walked = step(table);
    if (open_.size() > others && join != no_id && (merge_points_.empty() || merge_points_.back().join != join))
        merge_points_.push_back({join, others, {}});
    return walked;
}

// Whether a step at which nobody chose anything may be come to again before everybody hears something said.
bool Coexecution::comes_again(StepId step) {
    const auto [known, fresh] = again_.try_emplace(step, false);
    if (!fresh || machine_.code[step].c == no_id) return known->second;
    std::vector<bool> been(machine_.code.size());
    std::vector<StepId> ahead{machine_.code[step].c};
    while (!ahead.empty() && !known->second) {
        const StepId here = ahead.back();
        ahead.pop_back();
        known->second = here == step;
        if (been[here.index()] || machine_.code[here].op == Op::says) continue;
        been[here.index()] = true;
        for (const StepId next : all_after(machine_, here)) ahead.push_back(next);
    }
    return known->second;
}

// Whether somebody outside is asked where the path is. Nobody is who has nothing to choose from, where nothing or one thing is left to draw
// or to tell, or at a window where nobody can act: where that may be, another path goes on as the rules say. Done: this one stops. Next: it
// goes on. Dead: a promise breaks before anybody is asked, or the seat would have noticed what follows by itself.
Coexecution::Walk Coexecution::until_asked(UnknownTable& table) {
    const Step& s = machine_.code[table.pc];
    if (table.consented || s.op == Op::halt) return Walk::done;
    if (s.op == Op::window) return until_acting(table, s);
    if (s.op == Op::draw) return until_drawn(table, s);
    if (s.op == Op::report) return until_told(table, s);
    if (s.op == Op::ask) return settle(table, s.x) ? until_read(table, s.x) : not_told(table);
    const auto none = nothing_to_choose(table, s);
    if (!none) return not_told(table);
    if (*none != Formulas::yes && s.c != no_id) split(table, *none, s.c);
    if (!keep_promises(table)) return Walk::dead;
    if (*none == Formulas::yes) return Walk::next;
    return *none == Formulas::no || require(table, terms_.negate(*none)) ? Walk::done : Walk::dead;
}

// Whether it is the seat that is asked, and that. Next: somebody else is, who decides unnoticed.
Coexecution::Walk Coexecution::until_own(UnknownTable& table) {
    const Step& s = machine_.code[table.pc];
    const SeatQuestion& q = *to_question_;
    if (s.op == Op::halt) return q.kind == NodeKind::over ? Walk::done : Walk::dead;
    if (question_of(machine_, s, table.consented) != q) return Walk::next;
    if (s.op == Op::window) {
        const auto& who = std::get<Set<Terms>>(table.state.variables[s.b]);
        const bool may = who.first <= seat_ && seat_ < who.end();
        return may ? until_own_if(table, who.has[seat_ - who.first]) : Walk::next;
    }
    if (!settle(table, s.x)) return Walk::stuck;
    const Truth own = terms_.equal(evaluator(table).scalar(s.x), terms_.constant(seat_));
    return keep_promises(table) ? until_own_if(table, own) : Walk::dead;
}

// Where it is not known, one path stops here and another goes on.
Coexecution::Walk Coexecution::until_own_if(UnknownTable& table, Truth own) {
    const auto known = terms_.known(own);
    if (known) return *known ? Walk::done : Walk::next;
    UnknownTable here = table;
    if (require(here, own)) paths_.push_back(std::move(here));
    return require(table, terms_.negate(own)) ? Walk::next : Walk::dead;
}

// It cannot be told whether anybody is asked: perhaps more has happened.
Coexecution::Walk Coexecution::not_told(UnknownTable& table) {
    terms_.forget();
    problem_ = {};
    took_silence_ = true;
    table.is_loose = true;
    return Walk::done;
}

// Whoever is asked, this is read before.
Coexecution::Walk Coexecution::until_read(UnknownTable& table, ExpressionId expression) {
    evaluator(table).scalar(expression);
    return keep_promises(table) ? Walk::done : Walk::dead;
}

Coexecution::Walk Coexecution::until_acting(UnknownTable& table, const Step& s) {
    const Truth nobody = terms_.negate(terms_.any(std::get<Set<Terms>>(table.state.variables[s.b]).has));
    if (nobody == Formulas::yes) return Walk::next;
    UnknownTable other = table;
    for (Truth& has : std::get<Set<Terms>>(other.state.variables[s.b]).has) has = Formulas::no;
    ++other.pc;
    if (nobody != Formulas::no && require(other, nobody)) part_with(std::move(other));
    return require(table, terms_.negate(nobody)) ? Walk::done : Walk::dead;
}

bool Coexecution::advance(UnknownTable table) {
    Formulas& formulas = terms_.formulas();
    const std::uint64_t before = formulas.built();
    const auto built = [&] { return followed_built_ + formulas.built() - before; };
    formulas.watch([&] {
        if (built() > limits_.formulas) throw BuildingEnded{{LimitKind::too_many_formulas, limits_.formulas}};
        if (until_.over()) throw BuildingEnded{{LimitKind::out_of_time}};
        if (condition_ends_ && formulas.built() >= *condition_ends_) throw ConditionEnded{};
        if (condition_ends_) formulas.look_at(*condition_ends_);
    });
    bool advanced = false;
    const EndOfWatch end{formulas};
    try {
        advanced = advance_until_cut(table);
    } catch (const BuildingEnded& ended) {
        problem_ = ended.why;
    }
    terms_.forget();  // what a step promised that was not taken to its end is about no other path
    followed_built_ = built();
    return advanced;
}

bool Coexecution::advance_until_cut(UnknownTable& table) {
    for (;;) {
        stopped_at_ = table.seen;
        furthest_ = std::max(furthest_, table.seen);
        if (waits_for_others(table)) return true;
        if (table.seen >= goal_) {
            bool stops = !to_node_ || waits(machine_.code[table.pc].op);
            if (stops && has_chosen_unheard(table, machine_.code[table.pc])) stops = false;
            if (stops && to_node_ && !asks_silence_) {
                const Walk walk = until_asked(table);
                if (walk == Walk::dead) return true;
                stops = walk == Walk::done;
            }
            if (stops && to_question_) {
                const Walk walk = until_own(table);
                if (walk == Walk::dead) return true;
                if (walk == Walk::stuck) return false;
                stops = walk == Walk::done;
            }
            if (stops) {
                paths_.push_back(std::move(table));
                return true;
            }
        }
        // A step that several events tell of may be cut off between them: then it waits for the rest before it is taken.
        const Op op = machine_.code[table.pc].op;
        std::optional<UnknownTable> before;
        const bool cut_off = (op == Op::put || op == Op::show) && std::cmp_less_equal(seen_.size() - table.seen, game_.places);
        table.between_lines = nullptr;
        if (asks_silence_ || (!to_node_ && cut_off)) before = table;
        switch (counted_step(table)) {
            case Walk::next:
                break;
            case Walk::dead:
                terms_.forget();
                if (asks_silence_) take_silence(*before, Formulas::yes);
                return true;
            case Walk::done:
                terms_.forget();
                if (before) {
                    before->between_lines = std::move(table.between_lines);
                    table = std::move(*before);
                }
                if (!before || note_shown(table, op == Op::put)) paths_.push_back(std::move(table));
                return !problem_.hit();
            case Walk::stuck:
                return false;
        }
        if (!keep_promises(table)) return true;
    }
}

// A promise that does not hold: the rules would have failed, so it was not so. False if that cannot be.
bool Coexecution::keep_promises(UnknownTable& t) {
    const std::vector<Terms::Promise> promises = terms_.promises();
    terms_.forget();
    return std::all_of(promises.begin(), promises.end(), [&](const Terms::Promise& p) { return require(t, p.holds); });
}

Coexecution::Walk Coexecution::stuck(LimitKind what, std::uint64_t number) {
    if (!problem_.hit()) problem_ = {what, number};
    return Walk::stuck;
}

Coexecution::Walk Coexecution::too_many_values(Value most) { return stuck(LimitKind::too_many_values, static_cast<std::uint64_t>(most)); }

// Another path goes on from within a step: what the step has read so far was promised there, too.
void Coexecution::part_with(UnknownTable other) {
    const auto& promises = terms_.promises();
    if (std::all_of(promises.begin(), promises.end(), [&](const Terms::Promise& p) { return require(other, p.holds); }))
        open_.push_back(std::move(other));
}

void Coexecution::split(const UnknownTable& t, Truth condition, StepId pc) {
    if (condition == Formulas::no) return;
    UnknownTable other = t;
    other.pc = pc;
    if (require(other, condition)) part_with(std::move(other));
}

// A step that is taken for each of these values, on a path of its own.
Coexecution::Walk Coexecution::for_any(UnknownTable& t, Value first, Value end, const std::function<Walk(UnknownTable&, Value)>& take) {
    if (!keep_promises(t)) return Walk::dead;
    std::vector<UnknownTable> there;
    for (Value value = first; value < end; ++value) {
        UnknownTable path = t;
        const Walk walk = take(path, value);
        if (walk == Walk::done || walk == Walk::stuck) return walk;
        if (walk == Walk::next && keep_promises(path)) there.push_back(std::move(path));
        terms_.forget();
    }
    if (there.empty()) return Walk::dead;
    t = std::move(there.back());
    there.pop_back();
    std::move(there.begin(), there.end(), std::back_inserter(open_));
    return Walk::next;
}

// A step for which a number must be known, which is one of 0..end - 1: it is taken for each that this may be.
Coexecution::Walk Coexecution::for_each_value(UnknownTable& t, const Terms::Int& number, Value end,
                                              const std::function<Walk(UnknownTable&, Value)>& take) {
    if (const auto is = known(number)) return *is < 0 || *is >= end ? Walk::dead : take(t, *is);
    return for_any(t, std::max<Value>(0, number.low()), std::min(end, number.high() + 1), [&](UnknownTable& path, Value value) {
        return require(path, terms_.equal(number, terms_.constant(value))) ? take(path, value) : Walk::dead;
    });
}

// The same for who it is that an expression stands for, which reads so from there on where it is no more than a name.
Coexecution::Walk Coexecution::for_whoever(UnknownTable& t, ExpressionId who, Value end,
                                           const std::function<Walk(UnknownTable&, Value)>& take) {
    if (!settle(t, who)) return Walk::stuck;
    const Expression& x = game_.expressions[who];
    return for_each_value(t, evaluator(t).scalar(who), end, [&](UnknownTable& path, Value is) {
        if (x.op == Operator::variable) number(path, x.named()) = terms_.constant(is);
        if (x.op == Operator::fact && x.a == no_id && !path.effects) fact_slots(path, x.named())[0].content = terms_.constant(is);
        return take(path, is);
    });
}

// On where the condition holds, at `otherwise` where it does not.
Coexecution::Walk Coexecution::branch_on(UnknownTable& t, Truth condition, StepId otherwise) {
    if (const auto k = terms_.known(condition)) {
        t.pc = *k ? t.pc + 1 : otherwise;
        return Walk::next;
    }
    split(t, terms_.negate(condition), otherwise);
    require(t, condition);
    ++t.pc;
    return Walk::next;
}

// What was shown of places where the same cards still lie is plain while this lives: what is read there need not be worked out from all
// that may lie there.
class Coexecution::ShownFaces {
public:
    ShownFaces(Terms& terms, UnknownTable& t) : t_(t) {
        std::erase_if(t.shown, [&](const FacesShown& s) {
            const auto& counts = t.state.piles[s.place].counts;
            return !std::equal(counts.begin(), counts.end(), s.counts.begin(), s.counts.end(),
                               [&](const Terms::Int& a, const Terms::Int& b) { return terms.same(a, b); });
        });
        for (const FacesShown& s : t.shown)
            for (std::size_t k = 0; k < s.faces.size(); ++k) t.state.piles[s.place].counts[k] = terms.constant(s.faces[k]);
    }
    ~ShownFaces() {
        for (const FacesShown& s : t_.shown) t_.state.piles[s.place].counts = s.counts;
    }
    ShownFaces(const ShownFaces&) = delete;
    ShownFaces& operator=(const ShownFaces&) = delete;

private:
    UnknownTable& t_;
};

// Within what one condition may take; false where that was not enough.
bool Coexecution::work_out(const UnknownTable& t, const std::function<void()>& f) {
    if (limits_.condition == 0 || condition_ends_) return f(), true;
    const auto before = left_open_.find(t.pc);
    const unsigned times = before == left_open_.end() ? 0 : before->second;
    Formulas& formulas = terms_.formulas();
    const std::uint64_t least = std::min(condition_least, limits_.condition);
    condition_ends_ = formulas.built() + std::max(least, times < most_halvings ? limits_.condition >> times : 0);
    formulas.look_at(*condition_ends_);
    struct Ends {
        std::optional<std::uint64_t>& at;
        ~Ends() { at.reset(); }
    } const ends{condition_ends_};
    try {
        f();
        if (!was_too_large()) return true;
    } catch (const ConditionEnded&) {
    }
    ++left_open_[t.pc];
    return false;
}

// After something could not be told: whether only since it takes too many sets of hidden cards. Then it can be left open.
bool Coexecution::was_too_large() {
    if (limits_.condition == 0 || problem_.kind != LimitKind::too_many_sets) return false;
    problem_ = {};
    return true;
}

// A condition that may be either way.
Truth Coexecution::left_open(UnknownTable& t) {
    t.is_loose = true;
    return arithmetic::positive(terms_, dealer_.fresh(t, 0, 1));
}

// After a condition could not be told; nothing where it cannot be left open, either.
std::optional<Truth> Coexecution::open_if_too_large(UnknownTable& t) {
    return was_too_large() ? std::optional(left_open(t)) : std::nullopt;
}

// Nothing where it cannot be told.
std::optional<Truth> Coexecution::condition(UnknownTable& t, const std::function<std::optional<Truth>()>& worked_out) {
    const auto bounds = t.state.bounds;
    std::optional<Truth> holds;
    if (work_out(t, [&] { holds = worked_out(); })) return holds;
    t.state.bounds = bounds;
    return left_open(t);
}

std::optional<Truth> Coexecution::condition(UnknownTable& t, ExpressionId truth_expression) {
    if (!settle(t, truth_expression)) return open_if_too_large(t);
    return condition(t, [&] {
        const ShownFaces shown(terms_, t);
        return std::optional(evaluator(t).truth(truth_expression));
    });
}

// A number of that type, which is told as `told` if at all. Nothing where it cannot be told.
std::optional<Terms::Int> Coexecution::number(UnknownTable& t, const Type& type, ExpressionId expression, std::optional<Value> told) {
    const auto bounds = t.state.bounds;
    std::optional<Terms::Int> number;
    const auto worked_out = [&] {
        const ShownFaces shown(terms_, t);
        number = evaluator(t).scalar(expression);
    };
    const bool is_read = settle(t, expression);
    if (!is_read && !was_too_large()) return std::nullopt;
    if (is_read && work_out(t, worked_out)) return number;
    t.state.bounds = bounds;
    t.is_loose = true;
    if (told) return terms_.constant(*told);
    const Value low = type.or_none ? none_of(type) : type.low;
    if (type.high - low < Dealer::fresh_most) return dealer_.fresh(t, low, type.high);
    return problem_ = {LimitKind::too_many_formulas, limits_.condition}, std::nullopt;
}

std::optional<Truth> Coexecution::truth(UnknownTable& t, ExpressionId truth_expression) {
    // Between the lines of a step that puts cards, where it is not known how things lie, the table is the one before it.
    if (t.seen < seen_.size() && machine_.code[t.pc].op == Op::put) return std::nullopt;
    if (!settle(t, truth_expression)) return std::nullopt;
    const auto bounds = t.state.bounds;
    Formulas& formulas = terms_.formulas();
    const std::uint64_t ends = formulas.built() + limits_.asked;
    formulas.watch([&] {
        if (formulas.built() >= ends) throw ConditionEnded{};
    });
    const EndOfWatch end{formulas};
    try {
        return evaluator(t).truth(truth_expression);
    } catch (const ConditionEnded&) {
        terms_.forget();
        t.state.bounds = bounds;
        return std::nullopt;
    }
}

std::optional<Value> Coexecution::known_number(UnknownTable& t, ExpressionId expression) {
    if (!settle(t, expression)) return std::nullopt;
    return known(evaluator(t).scalar(expression));
}

}  // namespace houserule
