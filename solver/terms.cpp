#include "solver/terms.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace houserule {

namespace {

unsigned id_of(const z3::expr& e) { return Z3_get_ast_id(e.ctx(), e); }

bool is_negation(const z3::expr& e) { return e.is_app() && e.decl().decl_kind() == Z3_OP_NOT; }

// Bits in two's complement that hold every number of low..high.
unsigned width_of(Value low, Value high) {
    unsigned width = 1;
    while (width < 63 && (low < -(Value{1} << (width - 1)) || high >= (Value{1} << (width - 1)))) ++width;
    return width;
}

z3::expr extended(const z3::expr& bits, unsigned width) {
    const unsigned own = bits.get_sort().bv_size();
    return own < width ? z3::sext(bits, width - own) : bits;
}

Value signed_numeral(const z3::expr& numeral) {
    const unsigned width = numeral.get_sort().bv_size();
    const std::uint64_t raw = numeral.get_numeral_uint64();
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return static_cast<Value>((raw ^ sign) - sign);
}

}  // namespace

Terms::Terms(z3::context& context, TermLimits limits)
    : context_(context), limits_(limits), true_(context.bool_val(true)), false_(context.bool_val(false)), guard_(true_) {}

// ---- truths ------------------------------------------------------------------------------------------------------------------

// Z3 shares equal terms, so sameness is that of pointers.
bool Terms::same(const Bool& a, const Bool& b) const { return Z3_ast(a) == Z3_ast(b); }

std::optional<bool> Terms::known(const Bool& b) const {
    if (same(b, true_)) return true;
    if (same(b, false_)) return false;
    return std::nullopt;
}

// What `a` is the negation of, if it is one.
std::optional<Terms::Bool> Terms::negated(const Bool& a) const { return is_negation(a) ? std::optional(a.arg(0)) : std::nullopt; }

Terms::Bool Terms::negate(const Bool& a) {
    if (const auto value = known(a)) return truth(!*value);
    if (const auto inner = negated(a)) return *inner;
    return !a;
}

// All of them, or any: neutral ones and repetitions fall away; one that decides alone, or a contradiction, decides.
Terms::Bool Terms::junction(const std::vector<Bool>& of, bool conjunction) {
    std::vector<Z3_ast> parts;
    std::unordered_set<unsigned> plain;
    std::unordered_set<unsigned> negative;
    for (const Bool& b : of) {
        if (const auto value = known(b)) {
            if (*value != conjunction) return b;
            continue;
        }
        const auto inner = negated(b);
        const unsigned id = id_of(inner ? *inner : b);
        if ((inner ? plain : negative).contains(id)) return truth(!conjunction);
        if ((inner ? negative : plain).insert(id).second) parts.push_back(b);
    }
    if (parts.empty()) return truth(conjunction);
    if (parts.size() == 1) return Bool(context_, parts.front());
    const auto size = static_cast<unsigned>(parts.size());
    const Z3_ast result = conjunction ? Z3_mk_and(context_, size, parts.data()) : Z3_mk_or(context_, size, parts.data());
    context_.check_error();
    return Bool(context_, result);
}

Terms::Bool Terms::choose_truth(const Bool& condition, const Bool& a, const Bool& b) {
    if (const auto value = known(condition)) return *value ? a : b;
    if (same(a, b)) return a;
    if (known(a)) return *known(a) ? either(condition, b) : both(negate(condition), b);
    if (known(b)) return *known(b) ? either(negate(condition), a) : both(condition, a);
    return z3::ite(condition, a, b);
}

void Terms::promise(const Bool& holds, Id expression) {
    const Bool needed = either(negate(guard_), holds);
    if (known(needed) != true) promises_.push_back({needed, expression});
}

// ---- numbers -----------------------------------------------------------------------------------------------------------------

bool Terms::same(const Int& a, const Int& b) const {
    if (a.is_constant() || b.is_constant()) return a.is_constant() && b.is_constant() && a.low_ == b.low_;
    if (a.cases_ || b.cases_) return a.cases_ == b.cases_;
    return same(*a.bits_, *b.bits_);
}

Terms::Int Terms::from_cases(std::map<Value, std::vector<Bool>> grouped) {
    std::vector<Case> cases;
    for (auto& [value, conditions] : grouped) {
        const Bool when = any(conditions);
        if (known(when) == true) return constant(value);
        if (known(when) != false) cases.push_back({value, when});
    }
    if (cases.empty()) return constant(0);  // only where the guard around it cannot hold
    Int result(cases.front().value, cases.back().value);
    if (result.is_constant()) return result;
    const bool narrow = cases.size() <= limits_.cases;
    result.cases_ = std::make_shared<const std::vector<Case>>(std::move(cases));
    if (narrow) return result;
    return from_bits(bits_of(result, width_of(result.low_, result.high_)), result.low_, result.high_);
}

Terms::Int Terms::from_bits(const z3::expr& bits, Value low, Value high) {
    if (low == high) return constant(low);
    if (!is_narrow(low, high)) {
        Int wide(low, high);
        wide.bits_ = bits;
        return wide;
    }
    std::map<Value, std::vector<Bool>> cases;
    const unsigned width = bits.get_sort().bv_size();
    for (Value v = low; v <= high; ++v) cases[v] = {bits == context_.bv_val(static_cast<std::int64_t>(v), width)};
    return from_cases(std::move(cases));
}

// As bits, at least `width` of them.
z3::expr Terms::bits_of(const Int& a, unsigned width) {
    width = std::max(width, width_of(a.low_, a.high_));
    const auto value_bits = [&](Value v) { return context_.bv_val(static_cast<std::int64_t>(v), width); };
    if (a.is_constant()) return value_bits(a.low_);
    if (a.bits_) return extended(*a.bits_, width);
    z3::expr bits = value_bits(a.cases_->back().value);
    for (auto c = std::next(a.cases_->rbegin()); c != a.cases_->rend(); ++c) bits = z3::ite(c->when, value_bits(c->value), bits);
    return bits;
}

// Enough bits for either number, however wide its own are.
unsigned Terms::common_width(const Int& a, const Int& b) {
    const auto width = [](const Int& x) { return x.bits_ ? x.bits_->get_sort().bv_size() : width_of(x.low_, x.high_); };
    return std::max(width(a), width(b));
}

// Whether the number is one that is wanted; said by those that are, or by those that are not: the fewer.
template <class F>
Terms::Bool Terms::among(const Int& a, F wanted) {
    std::vector<Bool> yes;
    std::vector<Bool> no;
    each_case(a, [&](Value v, const Bool& when) { (wanted(v) ? yes : no).push_back(when); });
    return no.size() < yes.size() ? negate(any(no)) : any(yes);
}

// narrow(value, value) for each pair of cases, or wide(bits, bits, width) where they are too many. low..high holds every result.
template <class Narrow, class Wide>
Terms::Int Terms::combine(const Int& a, const Int& b, Value low, Value high, Narrow narrow, Wide wide) {
    if (low == high) return constant(low);
    if (!a.bits_ && !b.bits_ && case_count(a) * case_count(b) <= limits_.pairs) {
        std::map<Value, std::vector<Bool>> results;
        each_case(a, [&](Value x, const Bool& in_a) {
            each_case(b, [&](Value y, const Bool& in_b) { results[narrow(x, y)].push_back(both(in_a, in_b)); });
        });
        return from_cases(std::move(results));
    }
    const unsigned width = std::max(width_of(low, high), common_width(a, b));
    return from_bits(wide(bits_of(a, width), bits_of(b, width)), low, high);
}

Terms::Int Terms::add(const Int& a, const Int& b) {
    return combine(a, b, a.low_ + b.low_, a.high_ + b.high_, std::plus<>(), std::plus<>());
}

Terms::Int Terms::subtract(const Int& a, const Int& b) {
    if (same(a, b)) return constant(0);
    return combine(a, b, a.low_ - b.high_, a.high_ - b.low_, std::minus<>(), std::minus<>());
}

Terms::Int Terms::multiply(const Int& a, const Int& b) {
    const auto corners = {a.low_ * b.low_, a.low_ * b.high_, a.high_ * b.low_, a.high_ * b.high_};
    return combine(a, b, std::min(corners), std::max(corners), std::multiplies<>(), std::multiplies<>());
}

Terms::Bool Terms::less(const Int& a, const Int& b) {
    if (a.high_ < b.low_) return true_;
    if (a.low_ >= b.high_ || same(a, b)) return false_;
    if (a.bits_ || b.bits_) {
        const unsigned width = common_width(a, b);
        return z3::slt(bits_of(a, width), bits_of(b, width));
    }
    if (b.is_constant()) return among(a, [&](Value v) { return v < b.low_; });
    std::vector<Bool> found;
    each_case(a, [&](Value x, const Bool& when) { found.push_back(both(when, among(b, [&](Value v) { return x < v; }))); });
    return any(found);
}

Terms::Bool Terms::equal(const Int& a, const Int& b) {
    if (same(a, b)) return true_;
    if (a.high_ < b.low_ || b.high_ < a.low_) return false_;
    if (a.bits_ || b.bits_) {
        const unsigned width = common_width(a, b);
        return bits_of(a, width) == bits_of(b, width);
    }
    if (b.is_constant()) return among(a, [&](Value v) { return v == b.low_; });
    std::vector<Bool> found;
    each_case(a, [&](Value x, const Bool& when) { found.push_back(both(when, among(b, [&](Value v) { return v == x; }))); });
    return any(found);
}

Terms::Int Terms::choose(const Bool& condition, const Int& a, const Int& b) {
    if (const auto value = known(condition)) return *value ? a : b;
    if (same(a, b)) return a;
    return pick({{condition, a}, {negate(condition), b}});
}

Terms::Int Terms::pick(const std::vector<std::pair<Bool, Int>>& alternatives) {
    std::vector<std::pair<Bool, Int>> open;
    for (const auto& alternative : alternatives) {
        if (known(alternative.first) == true) return alternative.second;
        if (known(alternative.first) != false) open.push_back(alternative);
    }
    if (open.empty()) return constant(0);  // only where the guard around it cannot hold
    if (open.size() == 1) return open.front().second;
    const bool wide = std::any_of(open.begin(), open.end(), [](const auto& alternative) { return alternative.second.bits_.has_value(); });
    if (wide) return pick_wide(open);
    std::map<Value, std::vector<Bool>> results;
    for (const auto& [condition, number] : open) {
        each_case(number, [&, &outer = condition](Value v, const Bool& when) { results[v].push_back(both(outer, when)); });
    }
    if (results.size() == 1) return constant(results.begin()->first);
    return from_cases(std::move(results));
}

// As a chain of bit-vectors; the last alternative is what remains.
Terms::Int Terms::pick_wide(const std::vector<std::pair<Bool, Int>>& open) {
    Value low = open.front().second.low_;
    Value high = open.front().second.high_;
    unsigned width = 1;
    for (const auto& alternative : open) {
        low = std::min(low, alternative.second.low_);
        high = std::max(high, alternative.second.high_);
        width = std::max(width, common_width(alternative.second, alternative.second));
    }
    z3::expr bits = bits_of(open.back().second, width);
    for (auto next = std::next(open.rbegin()); next != open.rend(); ++next) {
        bits = z3::ite(next->first, bits_of(next->second, width), bits);
    }
    return from_bits(bits, low, high);
}

Terms::Int Terms::within(const Int& a, Value low, Value high) {
    if (low <= a.low_ && a.high_ <= high) return a;
    low = std::max(low, a.low_);
    high = std::min(high, a.high_);
    if (low >= high) return constant(low);
    if (a.bits_) return from_bits(*a.bits_, low, high);
    std::map<Value, std::vector<Bool>> kept;
    each_case(a, [&](Value v, const Bool& when) {
        if (low <= v && v <= high) kept[v] = {when};
    });
    return from_cases(std::move(kept));
}

// ---- unknowns and the solver -------------------------------------------------------------------------------------------------

Terms::Bool Unknowns::truth(const std::string& name) { return terms_.context().bool_const(name.c_str()); }

Terms::Int Unknowns::integer(const std::string& name, Value low, Value high) {
    z3::context& context = terms_.context();
    if (!terms_.is_narrow(low, high)) {
        const z3::expr bits = context.bv_const(name.c_str(), width_of(low, high));
        const unsigned width = bits.get_sort().bv_size();
        conditions_.push_back(z3::sle(context.bv_val(static_cast<std::int64_t>(low), width), bits));
        conditions_.push_back(z3::sle(bits, context.bv_val(static_cast<std::int64_t>(high), width)));
        return terms_.from_bits(bits, low, high);
    }
    std::map<Value, std::vector<Terms::Bool>> cases;
    if (high == low + 1) {  // one truth needs no condition
        const Terms::Bool upper = truth(name);
        cases = {{low, {terms_.negate(upper)}}, {high, {upper}}};
    } else if (high > low) {
        z3::expr_vector values(context);
        for (Value v = low; v <= high; ++v) {
            const Terms::Bool is_value = truth(name + "=" + std::to_string(v));
            cases[v] = {is_value};
            values.push_back(is_value);
        }
        conditions_.push_back(z3::mk_or(values));
        conditions_.push_back(z3::atmost(values, 1));
    }
    return low == high ? terms_.constant(low) : terms_.from_cases(std::move(cases));
}

Z3Session::Z3Session(Terms& terms, unsigned rlimit) : terms_(terms), solver_(terms.context(), "QF_FD") {
    if (rlimit == 0) return;
    z3::params limits(terms.context());
    limits.set("rlimit", rlimit);
    solver_.set(limits);
}

void Z3Session::require(const Terms::Bool& condition) {
    if (terms_.known(condition) != true) solver_.add(condition);
}

void Z3Session::require(const std::vector<Terms::Bool>& conditions) {
    for (const Terms::Bool& condition : conditions) require(condition);
}

// What was named since the last `push` is gone from the solver.
void Z3Session::pop() {
    solver_.pop();
    literals_.clear();
}

// The solver takes assumptions that are literals only; a name for the condition lets it keep what it learns.
z3::expr Z3Session::literal(const Terms::Bool& condition) {
    if (condition.is_const() || (is_negation(condition) && condition.arg(0).is_const())) return condition;
    const auto [entry, is_new] = literals_.try_emplace(id_of(condition), condition, condition);
    if (is_new) {
        const std::string name = "if!" + std::to_string(fresh_++);
        entry->second.second = terms_.context().bool_const(name.c_str());
        solver_.add(z3::implies(entry->second.second, condition));
    }
    return entry->second.second;
}

Answer Z3Session::possible(const Terms::Bool& condition) {
    model_.reset();
    if (terms_.known(condition) == false) return Answer::no;
    z3::expr_vector assumptions(terms_.context());
    if (terms_.known(condition) != true) assumptions.push_back(literal(condition));
    try {
        switch (solver_.check(assumptions)) {
            case z3::unsat:
                return Answer::no;
            case z3::sat:
                model_ = solver_.get_model();
                return Answer::yes;
            case z3::unknown:
                return Answer::unknown;
        }
    } catch (const z3::exception&) {
        // Z3 stopped for want of memory or steps: it has not decided.
    }
    return Answer::unknown;
}

bool Z3Session::value(const Terms::Bool& b) const {
    if (!model_) stop_on_bug("a world was asked for, but none was found");
    return model_->eval(b, true).is_true();
}

Value Z3Session::value(const Terms::Int& a) const {
    if (a.is_constant()) return a.low();
    if (const auto& bits = terms_.bits(a)) {
        if (!model_) stop_on_bug("a world was asked for, but none was found");
        return signed_numeral(model_->eval(*bits, true));
    }
    std::optional<Value> found;
    terms_.each_case(a, [&](Value v, const Terms::Bool& when) {
        if (!found && value(when)) found = v;
    });
    if (!found) stop_on_bug("a number has no value");
    return *found;
}

}  // namespace houserule
