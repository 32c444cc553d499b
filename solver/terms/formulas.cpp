#include "solver/terms/formulas.hpp"

#include "dsl/text/hash.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <utility>

namespace houserule {

namespace {

constexpr std::uint64_t built_between_looks = 1 << 16;

// A conjunction takes over the parts of a smaller one up to this many: two ways to write the same thing become one.
constexpr std::size_t parts_taken_over = 8;

}  // namespace

// A node that is looked for among those that there are.
struct Formulas::Wanted {
    std::uint64_t hash;
    const Node& node;
    std::span<const Truth> parts;
};

struct Formulas::Table {
    struct HashOf {
        using is_transparent = void;
        using is_avalanching = void;
        const Formulas* formulas;
        std::size_t operator()(std::int32_t node) const { return formulas->hashes_[node]; }
        std::size_t operator()(const Wanted& wanted) const { return wanted.hash; }
    };
    struct Same {
        using is_transparent = void;
        const Formulas* formulas;
        bool operator()(std::int32_t a, std::int32_t b) const { return a == b; }
        bool operator()(const Wanted& wanted, std::int32_t node) const { return formulas->same(node, wanted); }
        bool operator()(std::int32_t node, const Wanted& wanted) const { return formulas->same(node, wanted); }
    };
    explicit Table(const Formulas* formulas) : nodes(512, HashOf{formulas}, Same{formulas}) {}

    boost::unordered_flat_set<std::int32_t, HashOf, Same> nodes;  // all but the constant
};

Formulas::Formulas() : table_(std::make_unique<Table>(this)) {
    nodes_.push_back({});
    hashes_.push_back(0);
}

Formulas::~Formulas() = default;

std::int32_t Formulas::unknown(std::string name, int values) {
    unknowns_.push_back({std::move(name), values});
    return static_cast<std::int32_t>(unknowns_.size()) - 1;
}

std::uint64_t Formulas::every(std::int32_t unknown) const {
    const int n = unknowns_[unknown].values;
    return n >= value_limit ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

// The lowest value is never in a leaf's mask as it is kept: with its complement it is one node.
Truth Formulas::among(std::int32_t unknown, std::uint64_t values) {
    const std::uint64_t all_values = every(unknown);
    values &= all_values;
    if (values == 0) return no;
    if (values == all_values) return yes;
    const bool flipped = (values & 1) != 0;
    const Truth kept = keep({Shape::leaf, unknown, flipped ? all_values & ~values : values}, {});
    return flipped ? negate(kept) : kept;
}

Truth Formulas::foreign(std::int32_t number) { return keep({Shape::foreign, number, 0}, {}); }

std::uint64_t Formulas::values(Truth a) const {
    const Node& n = nodes_[node(a)];
    return negated(a) ? every(n.about) & ~n.values : n.values;
}

std::span<const Truth> Formulas::parts(Truth a) const {
    const Node& n = nodes_[node(a)];
    return {parts_.data() + n.about, static_cast<std::size_t>(n.values)};
}

bool Formulas::same(std::int32_t node, const Wanted& wanted) const {
    if (hashes_[node] != wanted.hash) return false;
    const Node& n = nodes_[node];
    if (n.shape != wanted.node.shape || n.values != wanted.node.values) return false;
    if (n.shape != Shape::all) return n.about == wanted.node.about;
    return std::equal(wanted.parts.begin(), wanted.parts.end(), parts_.begin() + n.about);
}

Truth Formulas::keep(const Node& wanted, std::span<const Truth> parts) {
    if (++built_ >= next_look_) {
        next_look_ = built_ + built_between_looks;
        if (often_) often_();
    }
    std::uint64_t hash = hash_with(static_cast<std::uint64_t>(wanted.shape), wanted.values);
    if (wanted.shape != Shape::all) hash = hash_with(hash, wanted.about);
    for (const Truth p : parts) hash = hash_with(hash, p.id);
    const auto found = table_->nodes.find(Wanted{hash, wanted, parts});
    if (found != table_->nodes.end()) return {*found * 2};
    Node kept = wanted;
    if (wanted.shape == Shape::all) {
        kept.about = parts_.size();
        parts_.insert(parts_.end(), parts.begin(), parts.end());
    }
    const std::int32_t number = nodes_.size();
    nodes_.push_back(kept);
    hashes_.push_back(hash);
    table_->nodes.insert(number);
    return {number * 2};
}

Truth Formulas::all(std::span<const Truth> of) {
    std::vector<Truth> parts;
    if (!spare_.empty()) {
        parts = std::move(spare_.back());
        spare_.pop_back();
        parts.clear();
    }
    Truth result = yes;
    bool never = false;
    for (const Truth t : of) {
        if (t == yes) continue;
        never = never || t == no;
        const bool open = shape(t) == Shape::all && !negated(t) && Formulas::parts(t).size() <= parts_taken_over;
        if (!open)
            parts.push_back(t);
        else
            for (const Truth p : Formulas::parts(t)) parts.push_back(p);
    }
    if (!never && parts.size() > 1) {
        // Leaves of one unknown become one; then everything in order, each once, none beside its negation.
        std::sort(parts.begin(), parts.end());
        std::size_t leaves = 0;
        for (const Truth t : parts) leaves += shape(t) == Shape::leaf ? 1 : 0;
        if (leaves > 1) {
            const auto is_leaf = [&](Truth t) { return shape(t) == Shape::leaf; };
            const auto middle = std::partition(parts.begin(), parts.end(), is_leaf);
            std::sort(parts.begin(), middle, [&](Truth a, Truth b) { return about(a) < about(b); });
            auto out = parts.begin();
            for (auto i = parts.begin(); i != middle;) {
                const std::int32_t unknown = about(*i);
                std::uint64_t mask = ~std::uint64_t{0};
                for (; i != middle && about(*i) == unknown; ++i) mask &= values(*i);
                *out++ = among(unknown, mask);
            }
            parts.erase(out, middle);
            std::sort(parts.begin(), parts.end());
        }
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        for (std::size_t i = 0; i < parts.size(); ++i) never = never || parts[i] == no || (i > 0 && parts[i].id == (parts[i - 1].id ^ 1));
    }
    if (never)
        result = no;
    else if (parts.size() == 1)
        result = parts.front();
    else if (!parts.empty())
        result = keep({Shape::all, 0, parts.size()}, parts);
    spare_.push_back(std::move(parts));
    return result;
}

std::vector<Truth> Formulas::conjuncts(std::vector<Truth> of) const {
    std::vector<Truth> all;
    while (!of.empty()) {
        const Truth t = of.back();
        of.pop_back();
        if (shape(t) == Shape::all && !negated(t))
            of.insert(of.end(), parts(t).begin(), parts(t).end());
        else
            all.push_back(t);
    }
    return all;
}

Truth Formulas::any(std::span<const Truth> of) {
    std::vector<Truth> negated_parts(of.begin(), of.end());
    for (Truth& t : negated_parts) t = negate(t);
    return negate(all(negated_parts));
}

}  // namespace houserule
