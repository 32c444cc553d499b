// Formulas over finite-domain unknowns, with equal formulas stored once (hash consing; an and-inverter graph with wide conjunctions).
//
// A formula is a leaf (an unknown has one of some values), a conjunction, or the negation of either; negation costs nothing, and a
// disjunction is a negated conjunction. What is constant, repeated or contradictory folds away as it is built. Z3 and the counter read
// the same formulas. Nothing here knows a game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace houserule {

// A formula in a `Formulas`: twice the index of its node, plus one if it is negated. Equal ids mean equal formulas.
struct Truth {
    std::int32_t id = 0;
    bool operator==(const Truth&) const = default;
    auto operator<=>(const Truth&) const = default;
};

class Formulas {
public:
    static constexpr Truth yes{0};
    static constexpr Truth no{1};
    // An unknown's values are counted from 0; a set of them is a mask.
    static constexpr int value_limit = 64;

    Formulas();
    ~Formulas();
    Formulas(const Formulas&) = delete;
    Formulas& operator=(const Formulas&) = delete;

    // An unknown of `values` values, at least two and at most `value_limit`.
    std::int32_t unknown(std::string name, int values);
    Truth among(std::int32_t unknown, std::uint64_t values);
    Truth is(std::int32_t unknown, int value) { return among(unknown, std::uint64_t{1} << value); }
    // A leaf that stands for a condition outside these formulas, by a number that its owner chooses.
    Truth foreign(std::int32_t number);

    static Truth negate(Truth a) { return {a.id ^ 1}; }  // of a leaf of an unknown, too: see `leaf`
    Truth all(std::span<const Truth> of);
    Truth any(std::span<const Truth> of);

    // ---- for readers
    enum class Shape : std::uint8_t { constant, leaf, foreign, all };
    struct Unknown {
        std::string name;
        int values = 0;
    };
    const std::vector<Unknown>& unknowns() const { return unknowns_; }
    std::size_t size() const { return nodes_.size(); }
    // Nodes that were asked for, whether they were there or not, and what counts as much.
    std::uint64_t built() const { return built_; }
    // What is made of formulas elsewhere counts as so many nodes.
    void count(std::uint64_t nodes) { built_ += nodes; }

    static std::int32_t node(Truth a) { return a.id >> 1; }
    static bool negated(Truth a) { return (a.id & 1) != 0; }
    Shape shape(Truth a) const { return nodes_[node(a)].shape; }
    // Of a leaf: the unknown, and the values it may have (negation taken into account). Of a foreign leaf: its number.
    std::int32_t about(Truth a) const { return nodes_[node(a)].about; }
    std::uint64_t values(Truth a) const;
    // Of a conjunction, not negated.
    std::span<const Truth> parts(Truth a) const;
    // Calls f(part) for the formula and each of its parts, skipping nodes marked in `walked` (by node), and marks those it visits.
    template <class F>
    void walk(Truth a, std::vector<bool>& walked, F f) const {
        walked.resize(size());
        std::vector<Truth> waiting{a};
        while (!waiting.empty()) {
            const Truth next = waiting.back();
            waiting.pop_back();
            if (walked[node(next)]) continue;
            walked[node(next)] = true;
            if (shape(next) == Shape::all) waiting.insert(waiting.end(), parts(next).begin(), parts(next).end());
            f(next);
        }
    }

    // Calls f(unknown) for each unknown in the formula; for some, more than once.
    template <class F>
    void each_unknown(Truth a, F f) const {
        std::vector<bool> walked;
        walk(a, walked, [&](Truth part) {
            if (shape(part) == Shape::leaf) f(about(part));
        });
    }
    // `often` is called now and then while formulas are built, before one is kept, so that it can end that by throwing.
    void watch(std::function<void()> often) { often_ = std::move(often); }
    // `often` is called at that count of nodes, if not before.
    void look_at(std::uint64_t built) { next_look_ = std::min(next_look_, built); }

    // These formulas with each conjunction replaced by its parts, recursively: the same when all of them must hold.
    std::vector<Truth> conjuncts(std::vector<Truth> of) const;

private:
    struct Node {
        Shape shape = Shape::constant;
        std::int32_t about = -1;   // a leaf's unknown; a conjunction's first part in `parts_`
        std::uint64_t values = 0;  // a leaf's; a conjunction's number of parts
    };

    struct Wanted;
    std::uint64_t every(std::int32_t unknown) const;
    Truth keep(const Node& node, std::span<const Truth> parts);
    bool same(std::int32_t node, const Wanted& wanted) const;

    struct Table;  // nodes by their hash
    std::vector<Unknown> unknowns_;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> hashes_;
    std::vector<Truth> parts_;
    std::unique_ptr<Table> table_;
    std::vector<std::vector<Truth>> spare_;  // buffers of `all`
    std::function<void()> often_;
    std::uint64_t built_ = 0;
    std::uint64_t next_look_ = 0;  // the count of nodes at which `often` is called
};

}  // namespace houserule
