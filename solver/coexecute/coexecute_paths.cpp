// Following what a seat noticed, all paths abreast: see coexecute.hpp.
#include "solver/coexecute/coexecute.hpp"
#include "solver/coexecute/path_merging.hpp"

#include <algorithm>
#include <iterator>

namespace houserule {

namespace {

// Steps between two looks at the clock: a step on unknowns can take milliseconds.
constexpr std::size_t clock_steps = 16;

// Ways that are followed without asking whether they can be.
constexpr std::size_t few_ways = 8;

// For one way, when ways are pruned: a tenth of a second. A way that is kept although it cannot be counts nothing in the end.
constexpr unsigned prune_z3_steps = 500'000;

}  // namespace

bool Coexecution::follow(const Events& events) {
    seen_.clear();
    furthest_ = 0;
    ways_ = {start_};
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
    to_node_ = true;
    return walk();
}

// Event by event, all ways abreast: one that cannot be is found out before much is done for it.
bool Coexecution::walk() {
    steps_ = 0;
    std::size_t many = few_ways;
    const auto too_many = [&] {
        if (way_count() <= many) return false;
        prune();
        many = std::max(few_ways, 2 * way_count());
        return way_count() > limits_.forks;
    };
    meetings_.clear();
    goal_ = to_node_ ? seen_.size() : 0;
    do {
        // One that waits for the rest of what a step tells stays behind.
        std::size_t next = seen_.size();
        for (const UnknownTable& way : ways_) next = std::min(next, way.seen + 1);
        goal_ = std::min(std::max(goal_ + 1, next), seen_.size());
        open_ = std::move(ways_);
        ways_.clear();
        while (!open_.empty()) {
            UnknownTable table = std::move(open_.back());
            open_.pop_back();
            if (!advance(std::move(table))) return false;
            if (too_many()) return problem_ = {LimitKind::too_many_ways, limits_.forks}, false;
            join_ways();
        }
    } while (!ways_.empty() && goal_ < seen_.size());
    return true;
}

std::size_t Coexecution::way_count() const {
    std::size_t count = ways_.size() + open_.size();
    for (const Meeting& m : meetings_) count += m.there.size();
    return count;
}

// Where nobody is expected any more, ways go on as few as they can be.
void Coexecution::join_ways() {
    while (!meetings_.empty() && open_.size() <= meetings_.back().others) {
        std::vector<UnknownTable> there = std::move(meetings_.back().there);
        meetings_.pop_back();
        reconverge(terms_, there);
        std::move(there.begin(), there.end(), std::back_inserter(open_));
    }
}

void Coexecution::prune() {
    const auto cannot_be = [&](const UnknownTable& way) { return possible({}, way, prune_z3_steps) == Answer::no; };
    std::erase_if(ways_, cannot_be);
    for (Meeting& m : meetings_) std::erase_if(m.there, cannot_be);
    // From the last one on, so that the places of the others stay what they are.
    for (std::size_t w = open_.size(); w-- > 0;) {
        if (!cannot_be(open_[w])) continue;
        open_.erase(open_.begin() + w);
        for (Meeting& m : meetings_)
            if (m.others > w) --m.others;
    }
}

bool Coexecution::advance(UnknownTable table) {
    for (;;) {
        furthest_ = std::max(furthest_, table.seen);
        if (!meetings_.empty() && meetings_.back().join == table.pc) {
            meetings_.back().there.push_back(std::move(table));
            return true;
        }
        if (table.seen >= goal_) {
            bool stops = !to_node_;
            switch (machine_.code[table.pc].op) {
                case Op::choose:
                case Op::ask:
                case Op::draw:
                case Op::report:
                case Op::window:
                case Op::halt:
                    stops = true;
                    break;
                default:
                    break;
            }
            if (stops) {
                ways_.push_back(std::move(table));
                return true;
            }
        }
        // A step that several events tell of may be cut off between them: then it waits for the rest before it is taken.
        const Op op = machine_.code[table.pc].op;
        std::optional<UnknownTable> before;
        if (!to_node_ && (op == Op::put || op == Op::show) && std::cmp_less_equal(seen_.size() - table.seen, game_.places)) before = table;
        if (++steps_ > limits_.steps) return problem_ = {LimitKind::too_many_steps, limits_.steps}, false;
        if (steps_ % clock_steps == 0 && until_.over()) return problem_ = {LimitKind::out_of_time}, false;
        const StepId join = joins_[table.pc];
        const std::size_t others = open_.size();
        const Walk walked = step(table);
        if (open_.size() > others && join != no_id && (meetings_.empty() || meetings_.back().join != join))
            meetings_.push_back({join, others, {}});
        switch (walked) {
            case Walk::next:
                break;
            case Walk::dead:
                return terms_.forget(), true;
            case Walk::done:
                ways_.push_back(before ? std::move(*before) : std::move(table));
                return terms_.forget(), true;
            case Walk::stuck:
                return false;
        }
        // A promise that does not hold: the rules would have failed, so it was not so.
        for (const Terms::Promise& p : terms_.promises())
            if (!require(table, p.holds)) return terms_.forget(), true;
        terms_.forget();
    }
}

Coexecution::Walk Coexecution::stuck(LimitKind what) {
    if (!problem_.hit()) problem_ = {what};
    return Walk::stuck;
}

void Coexecution::fork(const UnknownTable& t, Truth condition, StepId pc) {
    if (condition == Formulas::no) return;
    UnknownTable other = t;
    other.pc = pc;
    if (require(other, condition)) open_.push_back(std::move(other));
}

// On where the condition holds, at `otherwise` where it does not.
Coexecution::Walk Coexecution::branch_on(UnknownTable& t, Truth condition, StepId otherwise) {
    if (const auto k = terms_.known(condition)) {
        t.pc = *k ? t.pc + 1 : otherwise;
        return Walk::next;
    }
    fork(t, terms_.negate(condition), otherwise);
    require(t, condition);
    ++t.pc;
    return Walk::next;
}

std::optional<Value> Coexecution::known_number(UnknownTable& t, ExpressionId expression) {
    if (!settle(t, expression)) return std::nullopt;
    return known(evaluator(t).scalar(expression));
}

}  // namespace houserule
