#include "solver/prove/loop_invariant.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace houserule {

namespace {

using Int = Terms::Int;

// A bound that moved this often is given up; what is bounded at all is so at once or after a round or two.
constexpr int growths = 3;
// Longer equations say little and cost Z3 much.
constexpr std::size_t equation_terms = 4;
constexpr std::int64_t largest_factor = 8;

}  // namespace

// ---- a model ---------------------------------------------------------------------------------------------------------------------

int Model::value_of(std::int32_t unknown) {
    const auto known = unknowns_.find(unknown);
    if (known != unknowns_.end()) return known->second;
    const int n = d.formulas().unknowns()[unknown].values;
    int value = 0;
    while (value < n - 1 && !session_.value(d.formulas().is(unknown, value))) ++value;
    unknowns_.emplace(unknown, value);
    return value;
}

bool Model::value(const Truth& t) {
    const Formulas& formulas = d.formulas();
    std::vector<std::int32_t> waiting{Formulas::node(t)};
    while (!waiting.empty()) {
        const std::int32_t node = waiting.back();
        const Truth plain{node * 2};
        if (nodes_.contains(node)) {
            waiting.pop_back();
            continue;
        }
        bool holds = true;
        bool open = false;
        switch (formulas.shape(plain)) {
            case Formulas::Shape::constant:
                break;
            case Formulas::Shape::leaf:
                holds = (formulas.values(plain) >> value_of(formulas.about(plain)) & 1) != 0;
                break;
            case Formulas::Shape::foreign:
                holds = session_.value(plain);
                break;
            case Formulas::Shape::all:
                for (const Truth part : formulas.parts(plain)) {
                    const auto known = nodes_.find(Formulas::node(part));
                    if (known == nodes_.end()) {
                        waiting.push_back(Formulas::node(part));
                        open = true;
                    } else {
                        holds = holds && known->second != Formulas::negated(part);
                    }
                }
                break;
        }
        if (open) continue;
        nodes_.emplace(node, holds);
        waiting.pop_back();
    }
    return nodes_.at(Formulas::node(t)) != Formulas::negated(t);
}

Value Model::value(const Int& i) {
    std::optional<Value> found;
    const bool narrow = d.each_case(i, [&](Value v, const Truth& when) {
        if (!found && value(when)) found = v;
    });
    if (!narrow) return session_.value(i);
    return found.value_or(i.low());
}

// ---- equations -------------------------------------------------------------------------------------------------------------------

void Hull::add(const std::vector<Value>& point) {
    if (!base_) {
        base_ = point;
        return;
    }
    std::vector<Number> row(point.size());
    for (std::size_t i = 0; i < point.size(); ++i) row[i] = Number(point[i] - (*base_)[i]);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Number factor = row[begins_[r]];
        if (factor == 0) continue;
        for (std::size_t i = 0; i < row.size(); ++i) row[i] -= factor * rows_[r][i];
    }
    const auto first = std::find_if(row.begin(), row.end(), [](const Number& n) { return n != 0; });
    if (first == row.end()) return;
    const std::size_t begin = first - row.begin();
    const Number lead = row[begin];
    for (Number& n : row) n /= lead;
    for (std::vector<Number>& other : rows_) {
        const Number factor = other[begin];
        if (factor == 0) continue;
        for (std::size_t i = 0; i < row.size(); ++i) other[i] -= factor * row[i];
    }
    rows_.push_back(std::move(row));
    begins_.push_back(begin);
}

std::vector<Hull::Equation> Hull::equations(std::size_t most_terms) const {
    std::vector<Equation> result;
    if (!base_) return result;
    for (std::size_t j = 0; j < base_->size(); ++j) {
        if (std::find(begins_.begin(), begins_.end(), j) != begins_.end()) continue;
        // point[j] = base[j] + sum of (point[begin] - base[begin]) * row[j]
        std::int64_t common = 1;
        for (const auto& row : rows_) common = std::lcm(common, row[j].denominator());
        Equation e;
        e.factors.emplace_back(j, common);
        e.sum = common * (*base_)[j];
        bool small = common <= largest_factor;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const Number& n = rows_[r][j];
            if (n == 0) continue;
            const std::int64_t factor = n.numerator() * (common / n.denominator());
            small = small && std::abs(factor) <= largest_factor;
            e.factors.emplace_back(begins_[r], -factor);
            e.sum -= factor * (*base_)[begins_[r]];
        }
        if (small && e.factors.size() <= most_terms) result.push_back(std::move(e));
    }
    return result;
}

// ---- the invariant ---------------------------------------------------------------------------------------------------------------

Invariant::Invariant(Terms& terms, TransferFunctions& table, const Game& of)
    : d(terms), table_(table), game(of), places_(of.places, false), facts_(of.facts.size(), false) {}

bool Invariant::learn_changes(const AbstractState& before, const AbstractState& after) {
    if (after.dead()) return false;
    bool more = false;
    for (std::size_t p = 0; p < places_.size(); ++p) {
        if (places_[p]) continue;
        const Pile<Terms>& x = before.at.piles[p];
        const Pile<Terms>& y = after.at.piles[p];
        bool same = table_.same(*x.size, *y.size) && x.ends->any == y.ends->any && table_.same(x.ends->first, y.ends->first) &&
                    table_.same(x.ends->last, y.ends->last);
        for (std::size_t k = 0; k < x.counts.size() && same; ++k) same = table_.same(x.counts[k], y.counts[k]);
        if (same) continue;
        places_[p] = true;
        more = true;
    }
    for (std::size_t f = 0; f < facts_.size(); ++f) {
        for (std::size_t i = 0; i < before.at.facts[f].size() && !facts_[f]; ++i) {
            const FactSlot<Terms>& x = before.at.facts[f][i];
            const FactSlot<Terms>& y = after.at.facts[f][i];
            if (x.given == y.given && table_.same(x.content, y.content)) continue;
            facts_[f] = true;
            more = true;
        }
    }
    if (more) begin_anew();
    return more;
}

void Invariant::begin_anew() {
    seen_ = false;
    changed_.clear();
    slots_.clear();
    sizes_.clear();
    counters_.clear();
    hull_ = Hull();
    kinds_grown_ = 0;
    may_.assign(places_.size(), std::vector<bool>(game.kinds.size(), false));
    for (std::size_t p = 0; p < places_.size(); ++p)
        if (places_[p]) changed_.push_back(PlaceId(p));
    for (std::size_t f = 0; f < facts_.size(); ++f)
        for (std::size_t i = 0; facts_[f] && i < static_cast<std::size_t>(game.facts[f].count); ++i)
            slots_.push_back({FactId(f), i, {}, false, false});
}

std::pair<Value, Value> Invariant::bounds_of(const Type& type) const {
    if (is_of_many(type) || type.base == Base::nothing) stop_on_bug("a fact of no known type");
    const auto [low, high] = range_with_none(game, type);
    return {low, high};
}

// Counters first: then the others are told by them. A fact that may have no value is no number yet.
std::vector<Int> Invariant::numbers(const AbstractState& f) const {
    std::vector<Int> result = f.counters;
    for (const PlaceId p : changed_) result.push_back(*f.at.piles[p].size);
    for (const Slot& s : slots_)
        if (is_number(s) && game.facts[s.fact].type.base == Base::number && game.facts[s.fact].initial != no_id)
            result.push_back(std::get<Int>(f.at.facts[s.fact][s.index].content));
    return result;
}

void Invariant::widen(Range& range, Value value, Value lowest, Value highest) {
    if (range.empty()) {
        range.low = range.high = value;
        return;
    }
    if (range.low <= value && value <= range.high) return;
    const bool give_up = ++range.grown > growths;
    if (value < range.low)
        range.low = give_up ? lowest : value;
    else
        range.high = give_up ? highest : value;
}

void Invariant::join(Model& model, const AbstractState& f) {
    if (everything_) return;
    seen_ = true;
    counters_.resize(f.counters.size());
    for (std::size_t c = 0; c < counters_.size(); ++c)
        widen(counters_[c], model.value(f.counters[c]), 0, c + 1 == counters_.size() ? most_ : d.high(f.counters[c]));
    bool more_kinds = false;
    for (const PlaceId p : changed_) {
        const Pile<Terms>& pile = f.at.piles[p];
        widen(sizes_[p], model.value(*pile.size), 0, table_.capacity(p));
        for (std::size_t k = 0; k < pile.counts.size(); ++k) {
            if (may_[p][k] || d.high(pile.counts[k]) <= 0 || model.value(pile.counts[k]) == 0) continue;
            may_[p][k] = true;
            more_kinds = true;
        }
    }
    // Where kinds keep coming, all kinds of the same families come.
    if (more_kinds && ++kinds_grown_ > growths) {
        for (const PlaceId p : changed_) {
            Store<FamilyId, bool> families(game.families.size(), false);
            for (std::size_t k = 0; k < game.kinds.size(); ++k)
                if (may_[p][k]) families[game.kinds[k].family] = true;
            for (std::size_t k = 0; k < game.kinds.size(); ++k) may_[p][k] = kinds_grown_ > 2 * growths || families[game.kinds[k].family];
        }
    }
    for (Slot& s : slots_) {
        const FactSlot<Terms>& slot = f.at.facts[s.fact][s.index];
        const bool given = model.value(slot.given);
        (given ? s.may_be_given : s.may_lack) = true;
        if (!given || !is_number(s)) continue;
        const auto [low, high] = bounds_of(game.facts[s.fact].type);
        widen(s.range, model.value(std::get<Int>(slot.content)), low, high);
    }
    std::vector<Value> point;
    for (const Int& n : numbers(f)) point.push_back(model.value(n));
    hull_.add(point);
}

Truth Invariant::in_range(const Int& number, const Range& range) {
    return d.both(d.less_equal(d.constant(range.low), number), d.less_equal(number, d.constant(range.high)));
}

Truth Invariant::holds(const AbstractState& f) {
    if (everything_) return Formulas::yes;
    if (!seen_) return Formulas::no;
    std::vector<Truth> parts;
    for (std::size_t c = 0; c < counters_.size(); ++c) parts.push_back(in_range(f.counters[c], counters_[c]));
    for (const PlaceId p : changed_) {
        const Pile<Terms>& pile = f.at.piles[p];
        parts.push_back(in_range(*pile.size, sizes_[p]));
        for (std::size_t k = 0; k < pile.counts.size(); ++k)
            if (!may_[p][k]) parts.push_back(d.less_equal(pile.counts[k], d.constant(0)));
    }
    for (const Slot& s : slots_) {
        const FactSlot<Terms>& slot = f.at.facts[s.fact][s.index];
        if (!s.may_lack) parts.push_back(slot.given);
        if (!s.may_be_given) parts.push_back(d.negate(slot.given));
        if (s.may_be_given && is_number(s)) parts.push_back(d.either(d.negate(slot.given), in_range(std::get<Int>(slot.content), s.range)));
    }
    const std::vector<Int> values = numbers(f);
    for (const Hull::Equation& e : hull_.equations(equation_terms)) {
        Int sum = d.constant(0);
        for (const auto& [i, factor] : e.factors) sum = d.add(sum, d.multiply(d.constant(factor), values[i]));
        parts.push_back(d.equal(sum, d.constant(e.sum)));
    }
    return d.all(parts);
}

AbstractState Invariant::in_some_round(AbstractState f) {
    const std::size_t own = d.formulas().unknowns().size();
    const auto limits = [](const Range& r, Value low, Value high) { return r.empty() ? std::pair(low, high) : std::pair(r.low, r.high); };
    const auto [first, last] = everything_ || counters_.empty() ? std::pair<Value, Value>(0, most_) : limits(counters_.back(), 0, most_);
    f.counters.back() = table_.fresh(first, last);
    for (const Slot& s : slots_) {
        FactSlot<Terms>& slot = f.at.facts[s.fact][s.index];
        const Type& type = game.facts[s.fact].type;
        slot.given = !everything_ && !s.may_lack ? Formulas::yes : !everything_ && !s.may_be_given ? Formulas::no : table_.fresh_truth();
        if (!is_number(s)) {
            slot.content = table_.anything(type);
            continue;
        }
        const auto [lowest, highest] = bounds_of(type);
        const auto [low, high] = everything_ ? std::pair(lowest, highest) : limits(s.range, lowest, highest);
        slot.content = table_.fresh(low, high);
    }
    if (!changed_.empty()) {
        const auto range = [&](PlaceId p) {
            return everything_ ? std::pair<Value, Value>(0, table_.capacity(p)) : limits(sizes_[p], 0, table_.capacity(p));
        };
        table_.forget_places(f, changed_, range, [&](PlaceId p, KindId k) { return everything_ || may_[p][k]; });
    }
    if (!everything_) table_.assume(f, holds(f), own);
    return f;
}

}  // namespace houserule
