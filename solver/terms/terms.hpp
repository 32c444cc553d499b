// The domain of terms over unknowns, for Z3's finite-domain solver (`QF_FD`) and for the counter.
//
// A truth is a formula of `Formulas`. A number is one of three: a constant; a few cases, each a value under a condition, which exclude
// each other and cover everything; or, past `TermLimits`, a bit-vector wide enough for its bounds, so that nothing overflows. Cases keep
// formulas propositional, which makes Z3 fast and lets the counter read them; a condition on a wide number is a leaf that only Z3
// understands. Constants are folded at once: known parts of a state never reach Z3. Nothing here knows a game.
#pragma once

#include "dsl/meaning/domain.hpp"
#include "solver/terms/deadline.hpp"
#include "solver/terms/formulas.hpp"

#include <z3++.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace houserule {

// A number with at most this many cases is kept as cases. Combining more than 1024 pairs of cases costs more than the adder it replaces.
struct TermLimits {
    std::size_t cases = 64;
    std::size_t pairs = 1024;
};

class Terms {
public:
    using Bool = Truth;
    struct Case {
        Value value;
        Bool when;
    };
    class Int {
    public:
        Value low() const { return low_; }
        Value high() const { return high_; }
        bool is_constant() const { return low_ == high_; }
        Int() : Int(0, 0) {}

    private:
        friend class Terms;
        Int(Value low, Value high) : low_(low), high_(high) {}

        Value low_;
        Value high_;
        std::shared_ptr<const std::vector<Case>> cases_;  // by value; none for a constant or a wide number
        // A wide number, in two's complement. Held from afar: z3++ 4.8 never gives back what an expression held that is moved to.
        std::shared_ptr<const z3::expr> bits_;
    };
    // A promise that an expression made: `holds` includes the guards under which the expression was read.
    struct Promise {
        Bool holds;
        ExpressionId expression;
    };

    explicit Terms(z3::context& context, TermLimits limits = {});

    Int constant(Value v) { return Int(v, v); }
    Bool truth(bool b) const { return b ? Formulas::yes : Formulas::no; }
    Int add(const Int& a, const Int& b);
    Int subtract(const Int& a, const Int& b);
    Int multiply(const Int& a, const Int& b);
    Bool less(const Int& a, const Int& b);
    Bool less_equal(const Int& a, const Int& b) { return negate(less(b, a)); }
    Bool equal(const Int& a, const Int& b);
    Bool both(const Bool& a, const Bool& b);
    Bool either(const Bool& a, const Bool& b) { return negate(both(negate(a), negate(b))); }
    Bool all(const std::vector<Bool>& of) { return formulas_.all(of); }
    Bool any(const std::vector<Bool>& of) { return formulas_.any(of); }
    Bool negate(const Bool& a) const { return Formulas::negate(a); }
    Int choose(const Bool& condition, const Int& a, const Int& b);
    Bool choose_truth(const Bool& condition, const Bool& a, const Bool& b);
    Int pick(const std::vector<std::pair<Bool, Int>>& alternatives);
    Int within(const Int& a, Value low, Value high);
    Value low(const Int& a) const { return a.low_; }
    Value high(const Int& a) const { return a.high_; }
    std::optional<bool> known(const Bool& b) const {
        return b == Formulas::yes ? std::optional(true) : b == Formulas::no ? std::optional(false) : std::nullopt;
    }

    void promise(const Bool& holds, ExpressionId expression);
    template <class F>
    auto guarded(const Bool& condition, F&& f) {
        const Guard guard(guard_, both(guard_, condition));
        return std::forward<F>(f)();
    }
    // The promises since the last `forget` that do not hold for sure; one expression may have several.
    const std::vector<Promise>& promises() const { return promises_; }
    void forget() { promises_.clear(); }

    z3::context& context() const { return context_; }
    Formulas& formulas() { return formulas_; }
    const Formulas& formulas() const { return formulas_; }
    // A formula as a Z3 expression, and a Z3 expression as a formula: a leaf that only Z3 understands.
    z3::expr expression(const Bool& b);
    Bool opaque(const z3::expr& e);
    // For Z3: whether the unknown has the value. That it has exactly one value must be required of each solver in which it occurs.
    z3::expr has_value(std::int32_t unknown, int value);
    // Calls f(value, condition) for each value the number can have; false for a wide number, which has no such list.
    template <class F>
    bool each_case(const Int& a, F f) const {
        if (a.is_constant()) f(a.low_, Formulas::yes);
        if (a.cases_) {
            for (const Case& c : *a.cases_) f(c.value, c.when);
        }
        return !a.bits_;
    }
    // Whether both are the same object; numbers that are equal but were built separately need not be.
    bool same(const Int& a, const Int& b) const;
    // The wide number's bits, if it is one.
    const std::shared_ptr<const z3::expr>& bits(const Int& a) const { return a.bits_; }

    // Numbers from outside: cases must exclude each other and cover everything; bits are in two's complement and within the bounds.
    Int from_cases(std::map<Value, std::vector<Bool>> cases);
    Int from_bits(const z3::expr& bits, Value low, Value high);
    // A new number of which nothing but its bounds is known, and which cannot be counted.
    Int any_number(Value low, Value high);
    bool is_narrow(Value low, Value high) const { return high - low < static_cast<Value>(limits_.cases); }

private:
    // The guard in force while it lives.
    class Guard {
    public:
        Guard(Bool& current, const Bool& inner) : current_(current), outer_(current) { current_ = inner; }
        ~Guard() { current_ = outer_; }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        Bool& current_;
        Bool outer_;
    };

    z3::expr plain_expression(const Bool& b);
    std::size_t case_count(const Int& a) const { return a.is_constant() ? 1 : a.cases_ ? a.cases_->size() : 0; }
    unsigned common_width(const Int& a, const Int& b);
    z3::expr bits_of(const Int& a, unsigned width);
    template <class F>
    Bool among(const Int& a, F wanted);
    Int pick_wide(const std::vector<std::pair<Bool, Int>>& open);
    template <class Narrow, class Wide>
    Int combine(const Int& a, const Int& b, Value low, Value high, Narrow narrow, Wide wide);

    z3::context& context_;
    TermLimits limits_;
    Formulas formulas_;
    std::vector<z3::expr> opaque_;                            // by the number of the foreign leaf
    std::unordered_map<unsigned, Bool> opaque_leaf_;          // by Z3's number
    std::vector<std::vector<z3::expr>> values_;               // by unknown: Z3's truths for its values; one for the upper of two
    std::unordered_map<std::int32_t, z3::expr> expressions_;  // by node
    Bool guard_ = Formulas::yes;
    std::vector<Promise> promises_;
};
static_assert(Domain<Terms>);

// Makes unknowns, and collects the conditions under which they are numbers within their bounds.
class Unknowns {
public:
    explicit Unknowns(Terms& terms) : terms_(terms) {}

    Terms::Bool truth(std::string name);
    // A number of low..high.
    Terms::Int integer(std::string name, Value low, Value high);
    // Bounds of wide numbers, to be required of every session that meets them.
    const std::vector<Terms::Bool>& conditions() const { return conditions_; }

private:
    Terms& terms_;
    std::vector<Terms::Bool> conditions_;
    int wide_ = 0;
};

enum class Answer { no, yes, unknown };

// Z3's steps that take about as long as a step of work.
inline constexpr std::uint64_t z3_steps_a_work_step = 2;
// Making a session, and its first question.
inline constexpr std::uint64_t work_a_z3_session = 3'000;
// And the number of formulas that are asked for.
inline constexpr std::uint64_t built_a_work_step = 10;

// An incremental Z3 solver. Its work is bounded by Z3's own steps (`rlimit`), which are the same on every machine.
class Z3Session {
public:
    // rlimit: Z3 steps for each question, 0 for no bound.
    explicit Z3Session(Terms& terms, unsigned rlimit = 0);
    // A deadline for all questions: after it each answer is `unknown`.
    void finish_by(const Deadline& until) { until_ = until; }
    // Each question takes at most what is left of `work`, and spends what it took.
    void spend_of(Work* work) { work_ = work; }

    void require(const Terms::Bool& condition);
    void require(const std::vector<Terms::Bool>& conditions);
    // That unknowns, each counted from 0, add up to `total`; only where `when` holds, if it is given.
    void require_sum(const std::vector<std::int32_t>& unknowns, Value total, std::optional<Terms::Bool> when = std::nullopt);
    void push();
    void pop();

    // Whether all that is required, and `condition` too, can hold. `unknown`: the limit was reached.
    Answer possible(const Terms::Bool& condition);
    Answer possible() { return possible(terms_.truth(true)); }
    // The same for several at once, of which other questions may have some: Z3 knows each by a name of its own.
    Answer possible(const std::vector<Terms::Bool>& conditions);

    // An unsatisfiable core: indices of conditions that together exclude what is required and `given`. Irreducible (a minimal one): without
    // any one of them that is possible; else it was not decided for each of them. Nothing when all can hold, or when that was not decided.
    struct Core {
        std::vector<std::size_t> of;
        bool irreducible = true;
    };
    std::optional<Core> core(const std::vector<Terms::Bool>& conditions, const Terms::Bool& given = Formulas::yes);

    // In the world that answered the last `yes`.
    Value value(const Terms::Int& a);
    bool value(const Terms::Bool& b);
    // By unknown, counted from 0; of those that nothing required is about, the lowest.
    std::vector<int> values();

private:
    void limit_steps();
    z3::check_result check(z3::expr_vector& assumptions);
    z3::expr literal(const Terms::Bool& condition);
    // That every unknown in the formula has one value.
    void introduce(const Terms::Bool& condition);
    void meet(std::int32_t unknown);
    void complete();
    std::uint64_t steps_taken() const;

    Terms& terms_;
    z3::solver solver_;
    std::optional<z3::model> model_;
    bool complete_ = false;
    std::unordered_map<std::int32_t, z3::expr> literals_;  // by formula
    std::vector<std::vector<std::int32_t>> introduced_;    // by `push`: the unknowns
    std::vector<bool> met_;                                // by unknown
    std::vector<std::vector<std::int32_t>> walked_;        // by `push`: the nodes
    std::vector<bool> walked_before_;                      // by node
    unsigned fresh_ = 0;
    Deadline until_;
    unsigned rlimit_ = 0;       // of each question; 0: none
    unsigned told_rlimit_ = 0;  // what Z3 was told last
    Work* work_ = nullptr;
};

}  // namespace houserule
