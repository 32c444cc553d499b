#include "solver/count/simplify.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace houserule {

namespace {

// Formulas of which some values of unknowns are left.
class Narrowed {
public:
    Narrowed(Formulas& formulas, const CountModel& model) : formulas_(formulas), model_(model) {}

    Truth operator()(Truth t) {
        const Truth plain{Formulas::node(t) * 2};
        if (formulas_.shape(plain) != Formulas::Shape::leaf && formulas_.shape(plain) != Formulas::Shape::all) return t;
        auto known = known_.find(Formulas::node(t));
        if (known == known_.end()) {
            const Truth left = formulas_.shape(plain) == Formulas::Shape::leaf ? leaf(plain) : conjunction(plain);
            known = known_.emplace(Formulas::node(t), left).first;
        }
        return Formulas::negated(t) ? Formulas::negate(known->second) : known->second;
    }

private:
    Truth leaf(Truth t) const {
        const std::uint64_t allowed = model_.allowed_of(formulas_, formulas_.about(t));
        const std::uint64_t left = formulas_.values(t) & allowed;
        return left == 0 ? Formulas::no : left == allowed ? Formulas::yes : t;
    }
    Truth conjunction(Truth t) {
        std::vector<Truth> parts(formulas_.parts(t).begin(), formulas_.parts(t).end());
        bool same = true;
        for (Truth& part : parts) {
            const Truth left = (*this)(part);
            same = same && left == part;
            part = left;
            if (part == Formulas::no) return Formulas::no;
        }
        return same ? t : formulas_.all(parts);
    }

    Formulas& formulas_;
    const CountModel& model_;
    std::unordered_map<std::int32_t, Truth> known_{};  // by node
};

// Values that leave the other unknowns of a sum too much or too little.
void bound(const Formulas& formulas, CountModel& model, const Sum& sum) {
    Value least = 0;
    Value most = 0;
    const auto ends = [&](std::int32_t unknown) {
        const std::uint64_t values = model.allowed_of(formulas, unknown);
        return std::pair<Value, Value>(std::countr_zero(values), std::bit_width(values) - 1);
    };
    for (const std::int32_t u : sum.unknowns) least += ends(u).first, most += ends(u).second;
    for (const std::int32_t u : sum.unknowns) {
        const auto [low, high] = ends(u);
        for (Value v = low; v <= high; ++v)
            if (least - low + v > sum.total || most - high + v < sum.total) model.allowed[u] &= ~(std::uint64_t{1} << v);
        if (model.allowed[u] == 0) return;
    }
}

}  // namespace

bool restrict_to_allowed(Formulas& formulas, CountModel& model) {
    bool changed = false;
    Narrowed narrowed(formulas, model);
    const auto replace = [&](Truth& t) {
        const Truth now = narrowed(t);
        changed = changed || now != t;
        t = now;
    };
    for (Truth& t : model.conditions) replace(t);
    for (Factor& f : model.factors) replace(f.when);
    std::erase(model.conditions, Formulas::yes);
    std::erase_if(model.factors, [](const Factor& f) { return f.when == Formulas::no; });
    // What is certain is no longer missing.
    for (Sum& sum : model.sums) {
        const std::size_t gone = std::erase_if(sum.unknowns, [&](std::int32_t unknown) {
            const std::uint64_t values = model.allowed_of(formulas, unknown);
            if (!std::has_single_bit(values)) return false;
            sum.total -= std::countr_zero(values);
            return true;
        });
        changed = changed || gone > 0;
    }
    return changed;
}

void simplify(Formulas& formulas, CountModel& model) {
    for (std::int32_t u = model.allowed.size(); std::cmp_less(u, formulas.unknowns().size()); ++u)
        model.allowed.push_back(model.allowed_of(formulas, u));
    for (;;) {
        model.conditions = formulas.conjuncts(std::move(model.conditions));
        std::sort(model.conditions.begin(), model.conditions.end());
        model.conditions.erase(std::unique(model.conditions.begin(), model.conditions.end()), model.conditions.end());
        const std::vector<std::uint64_t> before = model.allowed;
        for (const Truth t : model.conditions)
            if (formulas.shape(t) == Formulas::Shape::leaf) model.allowed[formulas.about(t)] &= formulas.values(t);
        const auto is_impossible = [&] { return std::find(model.allowed.begin(), model.allowed.end(), 0) != model.allowed.end(); };
        for (const Sum& sum : model.sums)
            if (!is_impossible()) bound(formulas, model, sum);
        if (is_impossible()) {
            // No assignment fits: then all of them are left, and a condition that never holds.
            model.allowed = before;
            model.conditions = {Formulas::no};
            return;
        }
        if (model.allowed == before) return;
        restrict_to_allowed(formulas, model);
    }
}

}  // namespace houserule
