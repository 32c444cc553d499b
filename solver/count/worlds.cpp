#include "solver/count/worlds.hpp"

#include "solver/terms/valuation.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace houserule {

namespace {

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
    const std::size_t lifted = sources.empty() ? 0 : sources.front().counter->lifted();
    if (!std::all_of(sources.begin(), sources.end(), [&](const Source& s) { return s.counter->lifted() == lifted; }))
        problem_ = {LimitKind::worlds_alike};
    const std::size_t built = keys_.size() - lifted;
    levels_.assign(built + 1, std::vector<Node>(1));
    std::size_t edges = 0;
    std::vector<int> values(terms.formulas().unknowns().size(), 0);
    Valuation valuation(terms.formulas(), values);
    for (std::size_t level = 0; level < built && !problem_.hit(); ++level) {
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
            std::size_t met = 0;
            for (const auto& [w, s] : states) {
                if (edges + met / 8 > limits.states) problem_ = {LimitKind::too_many_steps, limits.states};
                if (limits.until.over()) problem_ = {LimitKind::out_of_time};
                if (problem_.hit()) return;
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
                const auto paths = sources[w].counter->paths(*blocks[w], s, limits.states);
                if (!paths) {
                    problem_ = {LimitKind::too_many_steps, limits.states};
                    return;
                }
                for (const Counter::Path& path : *paths) by_row[row_of(path.values)].emplace_back(w, static_cast<std::uint32_t>(path.to));
                met += paths->size();
            }
            for (auto& [row, to] : by_row) {
                std::sort(to.begin(), to.end());
                to.erase(std::unique(to.begin(), to.end()), to.end());
                const auto [entry, is_new] = next.try_emplace(to, next.size());
                levels_[level][node].edges.push_back({row, entry->second});
                edges += 1 + to.size() / 8;
            }
        }
        levels_[level + 1].resize(next.size());
        here = std::move(next);
    }
    for (Node& n : levels_.back()) n.after = 1;
    if (lifted > 0 && !problem_.hit()) read_alike(sources, here);
    if (problem_.hit()) return;
    add_up();
}

// Of each node, the paths from the beginning and to the end.
void Worlds::add_up() {
    const std::size_t built = levels_.size() - 1;
    for (std::size_t level = built; level-- > 0;)
        for (Node& n : levels_[level])
            for (const Edge& e : n.edges) n.after += levels_[level + 1][e.to].after;
    levels_[0][0].before = 1;
    for (std::size_t level = 0; level < built; ++level)
        for (const Node& n : levels_[level])
            for (const Edge& e : n.edges) levels_[level + 1][e.to].before += n.before;
    count_ = levels_[0][0].after;
}

// What the keys that are decided together are at the end. Several sources have to agree on the rows.
void Worlds::read_alike(const std::vector<Source>& sources, const std::map<States, std::size_t>& ends) {
    Alike& alike = alike_.emplace();
    std::vector<int> values(terms_.formulas().unknowns().size(), 0);
    Valuation valuation(terms_.formulas(), values);
    const auto rows_of = [&](const Source& source, KindId key) {
        const std::optional<std::size_t> block = block_of(*source.counter, key);
        const std::vector<Terms::Int> row = source.row(key);
        std::vector<std::vector<std::vector<Value>>> rows;
        if (!block || !depends_only_on(*source.counter, block, row)) return problem_ = {LimitKind::rows_depend}, rows;
        for (const auto& choice : source.counter->alike_choices(*block)) {
            std::set<std::vector<Value>> own;
            for (const std::vector<int>& assignment : choice) {
                for (std::size_t u = 0; u < assignment.size(); ++u)
                    values[source.counter->block_unknowns(*block)[u].second] = assignment[u];
                valuation.forget();
                std::vector<Value> one;
                for (const Terms::Int& i : row) one.push_back(valuation.value_of(terms_, i));
                own.insert(std::move(one));
            }
            rows.emplace_back(own.begin(), own.end());
        }
        return rows;
    };
    for (std::size_t k = levels_.size() - 1; k < keys_.size() && !problem_.hit(); ++k) {
        const auto& rows = alike.rows.emplace_back(rows_of(sources.front(), keys_[k]));
        bool fits = std::all_of(sources.begin() + 1, sources.end(), [&](const Source& s) { return rows_of(s, keys_[k]) == rows; });
        std::set<std::vector<Value>> all;
        for (std::size_t c = 0; c < rows.size(); ++c) {
            fits = fits && rows[c].size() == alike.rows.front()[c].size();
            for (const auto& row : rows[c]) fits = all.insert(row).second && fits;
        }
        if (!fits && !problem_.hit()) problem_ = {LimitKind::worlds_alike};
    }
    if (problem_.hit()) return;
    alike.times.resize(ends.size());
    for (const auto& [states, node] : ends) {
        std::set<std::vector<std::int32_t>> all;
        for (const auto& [w, s] : states)
            if (const auto& times = sources[w].counter->alike_times(s); !times.empty()) all.insert(times);
        alike.times[node].assign(all.begin(), all.end());
        Integer& after = levels_.back()[node].after = 0;
        for (const auto& times : alike.times[node]) after += ways(times);
    }
}

// In how many ways keys can take the choices so often, and of each choice a row.
Integer Worlds::ways(const std::vector<std::int32_t>& times) const {
    Integer ways = 1;
    std::int32_t keys = 0;
    for (std::size_t c = 0; c < times.size(); ++c) {
        for (std::int32_t n = 1; n <= times[c]; ++n) ways = ways * ++keys / n;
        ways *= pow(Integer(alike_->rows.front()[c].size()), times[c]);
    }
    return ways;
}

// Of the keys that are decided together each is as likely as the others to take a choice, and then any of its rows.
Integer Worlds::count_alike(std::size_t key, const std::vector<std::size_t>& components) const {
    Integer sum = 0;
    for (std::size_t c = 0; c < alike_->rows[key].size(); ++c) {
        const auto& rows = alike_->rows[key][c];
        const Integer hits = std::count_if(rows.begin(), rows.end(), [&](const std::vector<Value>& row) {
            return std::any_of(components.begin(), components.end(), [&](std::size_t i) { return row[i] > 0; });
        });
        Integer all = 0;
        for (std::size_t node = 0; node < alike_->times.size() && hits > 0; ++node)
            for (const auto& times : alike_->times[node]) all += levels_.back()[node].before * ways(times) * times[c];
        if (hits > 0) sum += all / (Integer(alike_->rows.size()) * rows.size()) * hits;
    }
    return sum;
}

Integer Worlds::count(KindId key, const std::vector<std::size_t>& components) const {
    Integer sum = 0;
    const std::size_t level = std::find(keys_.begin(), keys_.end(), key) - keys_.begin();
    if (level + 1 >= levels_.size()) return count_alike(level + 1 - levels_.size(), components);
    for (const Node& n : levels_[level])
        for (const Edge& e : n.edges)
            if (std::any_of(components.begin(), components.end(), [&](std::size_t c) { return e.row[c] > 0; }))
                sum += n.before * levels_[level + 1][e.to].after;
    return sum;
}

bool Worlds::go_on(std::size_t level, std::size_t node, std::vector<std::vector<Value>>& rows,
                   const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const {
    if (level == keys_.size()) return f(rows);
    if (level + 1 == levels_.size())
        return std::all_of(alike_->times[node].begin(), alike_->times[node].end(),
                           [&](std::vector<std::int32_t> times) { return go_on_alike(times, rows, f); });
    for (const Edge& e : levels_[level][node].edges) {
        rows.push_back(e.row);
        const bool more = go_on(level + 1, e.to, rows, f);
        rows.pop_back();
        if (!more) return false;
    }
    return true;
}

bool Worlds::go_on_alike(std::vector<std::int32_t>& times, std::vector<std::vector<Value>>& rows,
                         const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const {
    if (rows.size() == keys_.size()) return f(rows);
    const auto& choices = alike_->rows[rows.size() + 1 - levels_.size()];
    for (std::size_t c = 0; c < times.size(); ++c) {
        if (times[c] == 0) continue;
        --times[c];
        for (const std::vector<Value>& row : choices[c]) {
            rows.push_back(row);
            const bool more = go_on_alike(times, rows, f);
            rows.pop_back();
            if (!more) return false;
        }
        ++times[c];
    }
    return true;
}

void Worlds::each(const std::function<bool(const std::vector<std::vector<Value>>&)>& f) const {
    std::vector<std::vector<Value>> rows;
    go_on(0, 0, rows, f);
}

}  // namespace houserule
