#include "solver/count/count_order.hpp"
#include "dsl/text/ratio.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace houserule {

namespace {

// Which unknowns conditions, sums and factors tie together.
class Ties {
public:
    Ties(const Formulas& formulas, const CountModel& model)
        : formulas_(formulas), rank_(formulas.unknowns().size()), parent_(rank_.size()), sets_(rank_.data(), parent_.data()) {
        for (std::size_t u = 0; u < rank_.size(); ++u) sets_.make_set(u);
        for (const Truth& t : model.conditions) tie(t);
        for (const Factor& f : model.factors) tie(f.when);
        for (const Sum& s : model.sums)
            for (const std::int32_t u : s.unknowns) sets_.union_set(u, s.unknowns.front());
    }
    // Equal for what is tied together, however loosely.
    std::size_t part_of(std::int32_t unknown) { return sets_.find_set(unknown); }

private:
    void tie(Truth t) {
        std::optional<std::int32_t> first;
        formulas_.each_unknown(t, [&](std::int32_t u) {
            if (first) sets_.union_set(*first, u);
            first = u;
        });
    }

    const Formulas& formulas_;
    std::vector<std::size_t> rank_;
    std::vector<std::size_t> parent_;
    boost::disjoint_sets<std::size_t*, std::size_t*> sets_;
};

// Kinds that some conditions are about together, and how many conditions.
using Bonds = std::map<std::vector<std::size_t>, std::size_t>;

void add_bonds(Bonds& bonds, const Formulas& formulas, const CountModel& model) {
    std::vector<std::size_t> kind_of(formulas.unknowns().size(), 0);
    for (const auto& [kind, unknown] : model.unknowns) kind_of[unknown] = kind == no_id ? 0 : kind + 1;
    std::vector<Truth> all = model.conditions;
    for (const Factor& f : model.factors) all.push_back(f.when);
    for (const Truth t : formulas.conjuncts(std::move(all))) {
        std::vector<std::size_t> kinds;
        formulas.each_unknown(t, [&](std::int32_t u) {
            if (std::find(kinds.begin(), kinds.end(), kind_of[u]) == kinds.end()) kinds.push_back(kind_of[u]);
        });
        if (kinds.size() < 2) continue;
        std::sort(kinds.begin(), kinds.end());
        ++bonds[std::move(kinds)];
    }
}

// How far apart what is tied together is.
std::size_t length(const Bonds& bonds, const KindPlaces& places) {
    std::size_t sum = 0;
    for (const auto& [kinds, times] : bonds) {
        const auto [low, high] =
            std::minmax_element(kinds.begin(), kinds.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
        sum += times * (places[*high] - places[*low]);
    }
    return sum;
}

// For moving kinds within an order: a few hundredths of a second.
constexpr std::size_t steps_most = 20'000'000;

// What is open between the first and the last of some kinds, and how many states it has then, as a logarithm.
struct OpenKinds {
    std::vector<std::size_t> kinds;
    double width = 0;
};

std::vector<OpenKinds> open_kinds_of(const Formulas& formulas, const CountModel& model,
                                     const std::vector<std::vector<KindId>>& kinds_of_sums) {
    std::vector<OpenKinds> all;
    for (std::size_t s = 0; s < model.sums.size(); ++s) {
        OpenKinds open{{}, std::log1p(model.sums[s].total)};
        for (const KindId kind : kinds_of_sums[s]) open.kinds.push_back(kind == no_id ? 0 : kind + 1);
        if (open.kinds.size() > 1) all.push_back(std::move(open));
    }
    Bonds bonds;
    add_bonds(bonds, formulas, model);
    for (const auto& [kinds, times] : bonds) all.push_back({kinds, std::log(2.0)});
    return all;
}

// The states of all layers together, about: as if what is open were independent.
double states_of(const std::vector<OpenKinds>& all, const KindPlaces& places) {
    std::vector<double> changes(places.size() + 1, 0);
    for (const OpenKinds& of : all) {
        const auto [low, high] =
            std::minmax_element(of.kinds.begin(), of.kinds.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
        changes[places[*low]] += of.width;
        changes[places[*high]] -= of.width;
    }
    double open = 0;
    double states = 0;
    for (const double change : changes) states += std::exp(open += change);
    return states;
}

}  // namespace

KindPlaces places_of_sums(const Formulas& formulas, const CountModel& model, const std::vector<std::vector<KindId>>& kinds_of_sums,
                          KindPlaces places) {
    const std::vector<OpenKinds> all = open_kinds_of(formulas, model, kinds_of_sums);
    std::vector<std::size_t> order(places.size());
    for (std::size_t kind = 0; kind < places.size(); ++kind) order[places[kind]] = kind;
    const auto states = [&](const std::vector<std::size_t>& of) {
        for (std::size_t p = 0; p < of.size(); ++p) places[of[p]] = p;
        return states_of(all, places);
    };
    double least = states(order);
    std::size_t each = order.size();
    for (const OpenKinds& open : all) each += open.kinds.size();
    std::size_t left = steps_most / each;
    for (bool better = true; std::exchange(better, false);) {
        for (std::size_t kind = 0; kind < order.size() && left > order.size(); ++kind) {
            left -= order.size();
            std::vector<std::size_t> others = order;
            std::erase(others, kind);
            for (std::size_t p = 0; p <= others.size(); ++p) {
                std::vector<std::size_t> moved = others;
                moved.push_back(kind);
                std::rotate(moved.rbegin(), std::next(moved.rbegin()), std::prev(moved.rend(), p));
                const double now = states(moved);
                if (now >= least) continue;
                least = now;
                order = std::move(moved);
                better = true;
            }
        }
    }
    states(order);
    return places;
}

KindPlaces places_of_kinds(const Formulas& formulas, const std::vector<CountModel>& models, std::size_t kinds) {
    Bonds bonds;
    for (const CountModel& model : models) add_bonds(bonds, formulas, model);
    KindPlaces places(kinds + 1);
    std::iota(places.begin(), places.end(), std::size_t{0});
    KindPlaces best = places;
    std::size_t shortest = length(bonds, best);
    constexpr int patience = 8;  // rounds without a better order
    for (int rounds = 0; rounds < patience; ++rounds) {
        std::vector<double> pull(places.size(), 0);
        std::vector<double> times_pulled(places.size(), 0);
        for (const auto& [of, times] : bonds) {
            double middle = 0;
            for (const std::size_t k : of) middle += ratio(places[k], of.size());
            for (const std::size_t k : of) {
                pull[k] += middle * times;
                times_pulled[k] += times;
            }
        }
        for (std::size_t k = 0; k < places.size(); ++k) pull[k] = times_pulled[k] == 0 ? places[k] : pull[k] / times_pulled[k];
        std::vector<std::size_t> sorted(places.size());
        std::iota(sorted.begin(), sorted.end(), std::size_t{0});
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return pull[a] < pull[b]; });
        for (std::size_t p = 0; p < sorted.size(); ++p) places[sorted[p]] = p;
        const std::size_t now = length(bonds, places);
        if (now >= shortest) continue;
        shortest = now;
        best = places;
        rounds = 0;
    }
    return best;
}

void arrange(CountModel& model, const Formulas& formulas, CountOrder order, const KindPlaces& places) {
    if (order == CountOrder::as_happened) return;
    const auto place = [&](const auto& u) { return places[u.first == no_id ? 0 : u.first + 1]; };
    std::stable_sort(model.unknowns.begin(), model.unknowns.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    if (order != CountOrder::apart) return;
    Ties ties(formulas, model);
    std::stable_sort(model.unknowns.begin(), model.unknowns.end(),
                     [&](const auto& a, const auto& b) { return ties.part_of(a.second) < ties.part_of(b.second); });
}

}  // namespace houserule
