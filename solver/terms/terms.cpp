#include "solver/terms/terms.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace houserule {

namespace {

// Z3 takes as long for a term as formulas do for so many nodes.
constexpr std::uint64_t work_a_z3_term = 10;

unsigned id_of(const z3::expr& e) { return Z3_get_ast_id(e.ctx(), e); }

// Bits in two's complement that hold every number of low..high.
unsigned width_of(Value low, Value high) {
    unsigned width = 1;
    while (width < 64 && (low < -(Value{1} << (width - 1)) || high >= (Value{1} << (width - 1)))) ++width;
    return width;
}

z3::expr extended(const z3::expr& bits, unsigned width) {
    const unsigned own = bits.get_sort().bv_size();
    return own < width ? z3::sext(bits, width - own) : bits;
}

// What z3++ 4.8 is given by `bits = z3::ite(…)` keeps what it held for ever, and Z3 then takes long to end: a copy does not.
void choose_bits(z3::expr& bits, const z3::expr& condition, const z3::expr& when) {
    const z3::expr chosen = z3::ite(condition, when, bits);
    bits = chosen;
}

Value signed_numeral(const z3::expr& numeral) {
    const unsigned width = numeral.get_sort().bv_size();
    const std::uint64_t raw = numeral.get_numeral_uint64();
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return (raw ^ sign) - sign;
}

}  // namespace

Terms::Terms(z3::context& context, TermLimits limits) : context_(context), limits_(limits) {}

// ---- truths ------------------------------------------------------------------------------------------------------------------

Terms::Bool Terms::both(const Bool& a, const Bool& b) {
    if (a == b || b == Formulas::yes) return a;
    if (a == Formulas::yes) return b;
    if (a == Formulas::no || b == Formulas::no) return Formulas::no;
    const Bool parts[] = {a, b};
    return formulas_.all(parts);
}

Terms::Bool Terms::choose_truth(const Bool& condition, const Bool& a, const Bool& b) {
    if (const auto value = known(condition)) return *value ? a : b;
    if (a == b) return a;
    return either(both(condition, a), both(negate(condition), b));
}

z3::expr Terms::has_value(std::int32_t unknown, int value) {
    const std::size_t u = unknown;
    const int n = formulas_.unknowns()[u].values;
    if (values_.size() <= u) values_.resize(formulas_.unknowns().size());
    std::vector<z3::expr>& own = values_[u];
    for (int v = own.size(); v < (n == 2 ? 1 : n); ++v)
        own.push_back(context_.bool_const(("x" + std::to_string(unknown) + "=" + std::to_string(n == 2 ? 1 : v)).c_str()));
    if (n > 2) return own[value];
    return value == 1 ? own[0] : !own[0];
}

z3::expr Terms::expression(const Bool& b) {
    const z3::expr plain = plain_expression(b);
    return Formulas::negated(b) ? !plain : plain;
}

// Of the node, without its negation. A formula can be deep: parts first, from a stack of our own.
z3::expr Terms::plain_expression(const Bool& b) {
    std::vector<std::int32_t> waiting{Formulas::node(b)};
    while (!waiting.empty()) {
        const std::int32_t node = waiting.back();
        const Bool plain{node * 2};
        formulas_.count(work_a_z3_term);
        if (expressions_.contains(node)) {
            waiting.pop_back();
            continue;
        }
        switch (formulas_.shape(plain)) {
            case Formulas::Shape::constant:
                expressions_.emplace(node, context_.bool_val(true));
                break;
            case Formulas::Shape::foreign:
                expressions_.emplace(node, opaque_[formulas_.about(plain)]);
                break;
            case Formulas::Shape::leaf: {
                z3::expr_vector values(context_);
                const std::uint64_t mask = formulas_.values(plain);
                for (int v = 0; v < Formulas::value_limit; ++v)
                    if ((mask >> v & 1) != 0) values.push_back(has_value(formulas_.about(plain), v));
                expressions_.emplace(node, values.size() == 1 ? values[0] : z3::mk_or(values));
                break;
            }
            case Formulas::Shape::all: {
                const std::size_t before = waiting.size();
                for (const Bool part : formulas_.parts(plain))
                    if (!expressions_.contains(Formulas::node(part))) waiting.push_back(Formulas::node(part));
                if (waiting.size() > before) continue;
                z3::expr_vector parts(context_);
                for (const Bool part : formulas_.parts(plain)) {
                    const z3::expr& e = expressions_.at(Formulas::node(part));
                    parts.push_back(Formulas::negated(part) ? !e : e);
                }
                expressions_.emplace(node, z3::mk_and(parts));
                break;
            }
        }
        waiting.pop_back();
    }
    return expressions_.at(Formulas::node(b));
}

Terms::Bool Terms::opaque(const z3::expr& e) {
    if (e.is_true()) return Formulas::yes;
    if (e.is_false()) return Formulas::no;
    const auto [entry, is_new] = opaque_leaf_.try_emplace(id_of(e));
    if (is_new) {
        entry->second = formulas_.foreign(opaque_.size());
        opaque_.push_back(e);
    }
    return entry->second;
}

void Terms::promise(const Bool& holds, ExpressionId expression) {
    const Bool needed = either(negate(guard_), holds);
    if (known(needed) != true) promises_.push_back({needed, expression});
}

// ---- numbers -----------------------------------------------------------------------------------------------------------------

bool Terms::same(const Int& a, const Int& b) const {
    if (a.is_constant() || b.is_constant()) return a.is_constant() && b.is_constant() && a.low_ == b.low_;
    if (a.cases_ || b.cases_) return a.cases_ == b.cases_;
    return z3::eq(*a.bits_, *b.bits_);
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
        wide.bits_ = std::make_shared<const z3::expr>(bits);
        return wide;
    }
    std::map<Value, std::vector<Bool>> cases;
    const unsigned width = bits.get_sort().bv_size();
    for (Value v = low; v <= high; ++v) cases[v] = {opaque(bits == context_.bv_val(static_cast<std::int64_t>(v), width))};
    return from_cases(std::move(cases));
}

Terms::Int Terms::any_number(Value low, Value high) {
    if (low >= high) return constant(low);
    const unsigned width = width_of(low, high);
    const auto bits_of_value = [&](Value v) { return context_.bv_val(v, width); };
    const z3::expr any(context_, Z3_mk_fresh_const(context_, "any", context_.bv_sort(width)));
    const z3::expr not_below = z3::ite(z3::slt(any, bits_of_value(low)), bits_of_value(low), any);
    return from_bits(z3::ite(z3::sgt(not_below, bits_of_value(high)), bits_of_value(high), not_below), low, high);
}

// As bits, at least `width` of them.
z3::expr Terms::bits_of(const Int& a, unsigned width) {
    width = std::max(width, width_of(a.low_, a.high_));
    const auto value_bits = [&](Value v) { return context_.bv_val(static_cast<std::int64_t>(v), width); };
    if (a.is_constant()) return value_bits(a.low_);
    if (a.bits_) return extended(*a.bits_, width);
    z3::expr bits = value_bits(a.cases_->back().value);
    for (auto c = std::next(a.cases_->rbegin()); c != a.cases_->rend(); ++c) choose_bits(bits, expression(c->when), value_bits(c->value));
    formulas_.count(a.cases_->size() * work_a_z3_term);
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
    formulas_.count(work_a_z3_term);
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
    if (a.high_ < b.low_) return Formulas::yes;
    if (a.low_ >= b.high_ || same(a, b)) return Formulas::no;
    if (a.bits_ || b.bits_) {
        const unsigned width = common_width(a, b);
        return opaque(z3::slt(bits_of(a, width), bits_of(b, width)));
    }
    if (b.is_constant()) return among(a, [&](Value v) { return v < b.low_; });
    std::vector<Bool> found;
    each_case(a, [&](Value x, const Bool& when) { found.push_back(both(when, among(b, [&](Value v) { return x < v; }))); });
    return any(found);
}

Terms::Bool Terms::equal(const Int& a, const Int& b) {
    if (same(a, b)) return Formulas::yes;
    if (a.high_ < b.low_ || b.high_ < a.low_) return Formulas::no;
    if (a.bits_ || b.bits_) {
        const unsigned width = common_width(a, b);
        return opaque(bits_of(a, width) == bits_of(b, width));
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
    const bool wide = std::any_of(open.begin(), open.end(), [](const auto& alternative) { return alternative.second.bits_ != nullptr; });
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
        choose_bits(bits, expression(next->first), bits_of(next->second, width));
    }
    formulas_.count(open.size() * work_a_z3_term);
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

Terms::Bool Unknowns::truth(std::string name) {
    Formulas& formulas = terms_.formulas();
    return formulas.is(formulas.unknown(std::move(name), 2), 1);
}

Terms::Int Unknowns::integer(std::string name, Value low, Value high) {
    if (low >= high) return terms_.constant(low);
    if (!terms_.is_narrow(low, high) || high - low >= Formulas::value_limit) {
        z3::context& context = terms_.context();
        const z3::expr bits = context.bv_const((name + "!" + std::to_string(wide_++)).c_str(), width_of(low, high));
        const unsigned width = bits.get_sort().bv_size();
        conditions_.push_back(terms_.opaque(z3::sle(context.bv_val(static_cast<std::int64_t>(low), width), bits)));
        conditions_.push_back(terms_.opaque(z3::sle(bits, context.bv_val(static_cast<std::int64_t>(high), width))));
        return terms_.from_bits(bits, low, high);
    }
    Formulas& formulas = terms_.formulas();
    const std::int32_t unknown = formulas.unknown(std::move(name), high - low + 1);
    std::map<Value, std::vector<Terms::Bool>> cases;
    for (Value v = low; v <= high; ++v) cases[v] = {formulas.is(unknown, v - low)};
    return terms_.from_cases(std::move(cases));
}

Z3Session::Z3Session(Terms& terms, unsigned rlimit)
    : terms_(terms), solver_(terms.context(), "QF_FD"), introduced_(1), walked_(1), rlimit_(rlimit), told_rlimit_(rlimit) {
    if (rlimit != 0) solver_.set("rlimit", rlimit);
    solver_.set("ctrl_c", false);  // or Z3 would keep an interrupt to itself
}

void Z3Session::introduce(const Terms::Bool& condition) {
    const Formulas& formulas = terms_.formulas();
    met_.resize(formulas.unknowns().size());
    formulas.walk(condition, walked_before_, [&](Truth t) {
        walked_.back().push_back(Formulas::node(t));
        if (formulas.shape(t) == Formulas::Shape::leaf) meet(formulas.about(t));
        if (formulas.shape(t) != Formulas::Shape::foreign) return;
        for (std::size_t u = 0; u < met_.size(); ++u) meet(u);  // any may be in it
    });
}

void Z3Session::meet(std::int32_t unknown) {
    if (met_[unknown]) return;
    met_[unknown] = true;
    introduced_.back().push_back(unknown);
    const int n = terms_.formulas().unknowns()[unknown].values;
    if (n == 2) return;
    z3::expr_vector values(terms_.context());
    for (int v = 0; v < n; ++v) values.push_back(terms_.has_value(unknown, v));
    solver_.add(z3::mk_or(values));
    solver_.add(z3::atmost(values, 1));
}

void Z3Session::require(const Terms::Bool& condition) {
    if (terms_.known(condition) == true) return;
    introduce(condition);
    solver_.add(terms_.expression(condition));
}

void Z3Session::require(const std::vector<Terms::Bool>& conditions) {
    for (const Terms::Bool& condition : conditions) require(condition);
}

void Z3Session::require_sum(const std::vector<std::int32_t>& unknowns, Value total, std::optional<Terms::Bool> when) {
    const auto& all = terms_.formulas().unknowns();
    met_.resize(all.size());
    z3::expr_vector literals(terms_.context());
    std::vector<int> weights;
    for (const std::int32_t u : unknowns) {
        meet(u);
        for (int v = 1; v < all[u].values; ++v) {
            literals.push_back(terms_.has_value(u, v));
            weights.push_back(v);
        }
    }
    const z3::expr sum =
        literals.empty() ? terms_.context().bool_val(total == 0) : z3::pbeq(literals, weights.data(), static_cast<int>(total));
    solver_.add(when ? z3::implies(terms_.expression(*when), sum) : sum);
}

void Z3Session::push() {
    solver_.push();
    introduced_.emplace_back();
    walked_.emplace_back();
}

// What was named since the last `push` is gone from the solver.
void Z3Session::pop() {
    solver_.pop();
    literals_.clear();
    for (const std::int32_t unknown : introduced_.back()) met_[unknown] = false;
    for (const std::int32_t node : walked_.back()) walked_before_[node] = false;
    introduced_.pop_back();
    walked_.pop_back();
}

// The solver takes assumptions that are literals only; a name for the condition lets it keep what it learns.
z3::expr Z3Session::literal(const Terms::Bool& condition) {
    const auto known = literals_.find(condition.id);
    if (known != literals_.end()) return known->second;
    introduce(condition);
    const z3::expr name = terms_.context().bool_const(("if!" + std::to_string(fresh_++)).c_str());
    literals_.emplace(condition.id, name);
    solver_.add(z3::implies(name, terms_.expression(condition)));
    return name;
}

// Z3's steps so far, in all sessions of these terms.
std::uint64_t Z3Session::steps_taken() const {
    const z3::stats all = solver_.statistics();
    for (unsigned i = 0; i < all.size(); ++i)
        if (all.key(i) == "rlimit count") return all.is_uint(i) ? all.uint_value(i) : static_cast<std::uint64_t>(all.double_value(i));
    return 0;
}

// Of one question: its own limit, or what is left of the work. Z3 is told only of one that differs.
void Z3Session::limit_steps() {
    constexpr std::uint64_t z3_most = std::numeric_limits<unsigned>::max() - 1;
    const auto left = static_cast<unsigned>(std::min(work_->left(), z3_most / z3_steps_a_work_step) * z3_steps_a_work_step);
    const unsigned limit = rlimit_ == 0 ? left : std::min(rlimit_, left);
    if (limit == told_rlimit_) return;
    solver_.set("rlimit", limit);
    told_rlimit_ = limit;
}

// Z3 looks at its own clock from time to time, and can be interrupted from another thread.
z3::check_result Z3Session::check(z3::expr_vector& assumptions) {
    std::optional<Stop::Alarm> alarm;
    if (until_.stop() != nullptr) alarm.emplace(*until_.stop(), [this] { terms_.context().interrupt(); });
    if (until_.over()) return z3::unknown;
    if (until_.has_time()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_.at() - Deadline::Clock::now()).count();
        solver_.set("timeout", static_cast<unsigned>(std::clamp<std::int64_t>(left, 1, 1'000'000)));
    }
    if (work_ == nullptr) return solver_.check(assumptions);
    if (work_->gone()) return z3::unknown;
    limit_steps();
    const std::uint64_t before = steps_taken();
    const auto spend = [&] { work_->spend((steps_taken() - before) / z3_steps_a_work_step); };
    try {
        const z3::check_result result = solver_.check(assumptions);
        spend();
        return result;
    } catch (const z3::exception&) {
        spend();
        throw;
    }
}

Answer Z3Session::possible(const Terms::Bool& condition) { return possible(std::vector{condition}); }

Answer Z3Session::possible(const std::vector<Terms::Bool>& conditions) {
    model_.reset();
    z3::expr_vector assumptions(terms_.context());
    for (const Terms::Bool& condition : conditions) {
        if (terms_.known(condition) == false) return Answer::no;
        if (terms_.known(condition) != true) assumptions.push_back(literal(condition));
    }
    try {
        switch (check(assumptions)) {
            case z3::unsat:
                return Answer::no;
            case z3::sat:
                model_ = solver_.get_model();
                complete_ = false;
                return Answer::yes;
            case z3::unknown:
                return Answer::unknown;
        }
    } catch (const z3::exception&) {
        // Z3 stopped for want of memory or steps: it has not decided.
    }
    return Answer::unknown;
}

std::optional<Z3Session::Core> Z3Session::core(const std::vector<Terms::Bool>& conditions, const Terms::Bool& given) {
    if (terms_.known(given) == false) return Core{};
    std::vector<std::size_t> left;
    std::vector<z3::expr> names;
    for (std::size_t c = 0; c < conditions.size(); ++c) {
        const bool open = terms_.known(conditions[c]) != true;
        if (open) left.push_back(c);
        names.push_back(open ? literal(conditions[c]) : terms_.context().bool_val(true));
    }
    // Whether these can hold together; if not, the core of them that Z3 found.
    const auto decide = [&](const std::vector<std::size_t>& of, std::vector<std::size_t>& kept) -> Answer {
        z3::expr_vector assumptions(terms_.context());
        if (terms_.known(given) != true) assumptions.push_back(literal(given));
        for (const std::size_t c : of) assumptions.push_back(names[c]);
        try {
            const z3::check_result result = check(assumptions);
            if (result != z3::unsat) return result == z3::sat ? Answer::yes : Answer::unknown;
            const z3::expr_vector core = solver_.unsat_core();
            std::set<unsigned> in_core;
            for (unsigned i = 0; i < core.size(); ++i) in_core.insert(id_of(core[static_cast<int>(i)]));
            kept.clear();
            std::copy_if(of.begin(), of.end(), std::back_inserter(kept), [&](std::size_t c) { return in_core.contains(id_of(names[c])); });
            return Answer::no;
        } catch (const z3::exception&) {
            return Answer::unknown;
        }
    };
    Core found;
    if (decide(left, found.of) != Answer::no) return std::nullopt;
    // Z3 begins where the world that it found last was. One in which all is as it was is soon found, and near to those in which one thing
    // was not; from anywhere else that can take a thousand times as long.
    z3::expr_vector as_it_was(terms_.context());
    for (const std::size_t c : left) as_it_was.push_back(names[c]);
    try {
        check(as_it_was);
    } catch (const z3::exception&) {
        // It begins elsewhere.
    }
    // Each one on trial: without it, is it still excluded? The latest first, so that what was known early explains.
    const std::vector<std::size_t> tried(found.of.rbegin(), found.of.rend());
    for (const std::size_t c : tried) {
        std::vector<std::size_t> without = found.of;
        if (std::erase(without, c) == 0) continue;
        std::vector<std::size_t> kept;
        const Answer a = decide(without, kept);
        if (a == Answer::no) found.of = std::move(kept);
        if (a == Answer::unknown) {
            found.irreducible = false;  // the rest would take as long
            break;
        }
    }
    return found;
}

// Unknowns that no condition was about have their lowest value.
void Z3Session::complete() {
    if (!model_) stop_on_bug("a world was asked for, but none was found");
    if (complete_) return;
    complete_ = true;
    const auto& unknowns = terms_.formulas().unknowns();
    met_.resize(unknowns.size());
    for (std::size_t u = 0; u < unknowns.size(); ++u) {
        if (met_[u] || unknowns[u].values == 2) continue;
        z3::func_decl lowest = terms_.has_value(u, 0).decl();
        z3::expr yes = terms_.context().bool_val(true);
        model_->add_const_interp(lowest, yes);
    }
}

std::vector<int> Z3Session::values() {
    complete();
    const auto& unknowns = terms_.formulas().unknowns();
    const auto has = [&](std::size_t u, int v) { return model_->eval(terms_.has_value(static_cast<std::int32_t>(u), v), true).is_true(); };
    std::vector<int> all(unknowns.size(), 0);
    for (std::size_t u = 0; u < unknowns.size(); ++u)
        for (int v = 1; met_[u] && v < unknowns[u].values && all[u] == 0; ++v)
            if (has(u, v)) all[u] = v;
    return all;
}

bool Z3Session::value(const Terms::Bool& b) {
    complete();
    return model_->eval(terms_.expression(b), true).is_true();
}

Value Z3Session::value(const Terms::Int& a) {
    if (a.is_constant()) return a.low();
    complete();
    if (const auto& bits = terms_.bits(a)) {
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
