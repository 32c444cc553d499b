#include "solver/count/worlds.hpp"

#include "solver/terms/valuation.hpp"

#include <algorithm>
#include <map>

namespace houserule {

namespace {

using States = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // source, state of its counter; ascending

std::optional<std::size_t> block_of(const Counter& counter, KindId key) {
    for (std::size_t b = 0; b < counter.blocks(); ++b)
        if (counter.block_key(b) == key) return b;
    return std::nullopt;
}

}  // namespace

bool Worlds::depends_only_on(const Counter& counter, std::optional<std::size_t> block, const std::vector<Terms::Int>& row) const {
    const Formulas& formulas = terms_.formulas();
    const auto own = block ? counter.block_unknowns(*block) : std::span<const std::pair<KindId, std::int32_t>>();
    const auto is_own = [&](std::int32_t unknown) {
        return std::any_of(own.begin(), own.end(), [&](const auto& u) { return u.second == unknown; });
    };
    std::vector<bool> walked;
    bool good = true;
    for (const Terms::Int& i : row) {
        if (i.is_constant()) continue;
        good = terms_.each_case(i, [&](Value, const Truth& when) {
            formulas.walk(when, walked, [&](Truth t) {
                const Formulas::Shape shape = formulas.shape(t);
                if (shape == Formulas::Shape::foreign || (shape == Formulas::Shape::leaf && !is_own(formulas.about(t)))) good = false;
            });
        }) && good;
    }
    return good;
}

Worlds::Worlds(const Terms& terms, std::vector<Source> sources, std::vector<KindId> keys, CountLimits limits)
    : terms_(terms), keys_(std::move(keys)) {
    States all;
    for (std::uint32_t w = 0; w < sources.size(); ++w) all.emplace_back(w, 0);
    std::map<States, std::size_t> here{{all, 0}};
    levels_.resize(keys_.size() + 1);
    levels_[0].resize(1);
    std::size_t edges = 0;
    std::vector<int> values(terms.formulas().unknowns().size(), 0);
    Valuation valuation(terms.formulas(), values);
    for (std::size_t level = 0; level < keys_.size(); ++level) {
        std::vector<std::optional<std::size_t>> blocks;
        std::vector<std::vector<Terms::Int>> rows;
        for (const Source& source : sources) {
            blocks.push_back(block_of(*source.counter, keys_[level]));
            rows.push_back(source.row(keys_[level]));
            if (!depends_only_on(*source.counter, blocks.back(), rows.back())) problem_ = {LimitKind::rows_depend};
        }
        std::map<States, std::size_t> next;
        std::vector<std::map<std::vector<int>, std::vector<Value>>> known(sources.size());  // rows by the block's values
        for (const auto& [states, node] : here) {
            std::map<std::vector<Value>, States> by_row;
            for (const auto& [w, s] : states) {
                const auto row_of = [&](const std::vector<int>& block_values) -> const std::vector<Value>& {
                    const auto [entry, is_new] = known[w].try_emplace(block_values);
                    if (!is_new) return entry->second;
                    for (std::size_t u = 0; u < block_values.size(); ++u)
                        values[sources[w].counter->block_unknowns(*blocks[w])[u].second] = block_values[u];
                    valuation.forget();
                    for (const Terms::Int& i : rows[w]) entry->second.push_back(valuation.value_of(terms_, i));
                    return entry->second;
                };
                if (!blocks[w]) {
                    by_row[row_of({})].emplace_back(w, s);
                    continue;
                }
                for (const Counter::Path& path : sources[w].counter->paths(*blocks[w], s))
                    by_row[row_of(path.values)].emplace_back(w, static_cast<std::uint32_t>(path.to));
            }
            for (auto& [row, to] : by_row) {
                std::sort(to.begin(), to.end());
                to.erase(std::unique(to.begin(), to.end()), to.end());
                const auto [entry, is_new] = next.try_emplace(to, next.size());
                levels_[level][node].edges.push_back({row, entry->second});
                edges += 1 + to.size() / 8;
            }
            if (edges > limits.states)
                problem_ = {LimitKind::too_many_steps, limits.states};
            else if (limits.until.over())
                problem_ = {LimitKind::out_of_time};
            if (problem_.hit()) return;
        }
        levels_[level + 1].resize(next.size());
        here = std::move(next);
    }
    for (Node& n : levels_.back()) n.after = 1;
    for (std::size_t level = keys_.size(); level-- > 0;)
        for (Node& n : levels_[level])
            for (const Edge& e : n.edges) n.after += levels_[level + 1][e.to].after;
    levels_[0][0].before = 1;
    for (std::size_t level = 0; level < keys_.size(); ++level)
        for (const Node& n : levels_[level])
            for (const Edge& e : n.edges) levels_[level + 1][e.to].before += n.before;
    count_ = levels_[0][0].after;
}

Integer Worlds::count(KindId key, const std::vector<std::size_t>& components) const {
    Integer sum = 0;
    const std::size_t level = std::find(keys_.begin(), keys_.end(), key) - keys_.begin();
    for (const Node& n : levels_[level])
        for (const Edge& e : n.edges)
            if (std::any_of(components.begin(), components.end(), [&](std::size_t c) { return e.row[c] > 0; }))
                sum += n.before * levels_[level + 1][e.to].after;
    return sum;
}

bool Worlds::go_on(std::size_t level, std::size_t node, std::vector<std::vector<Value>>& rows,
                   const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const {
    if (level == keys_.size()) return f(rows);
    for (const Edge& e : levels_[level][node].edges) {
        rows.push_back(e.row);
        const bool more = go_on(level + 1, e.to, rows, f);
        rows.pop_back();
        if (!more) return false;
    }
    return true;
}

void Worlds::each(const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const {
    std::vector<std::vector<Value>> rows;
    go_on(0, 0, rows, f);
}

}  // namespace houserule
