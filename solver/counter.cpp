#include "solver/counter.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace houserule {

namespace {

struct KeyHash {
    std::size_t operator()(const std::vector<std::int32_t>& key) const {
        std::uint64_t h = key.size();
        for (const std::int32_t k : key) {
            h ^= static_cast<std::uint32_t>(k) + 0x9E3779B97F4A7C15 + (h << 6) + (h >> 2);
            h *= 0xD6E8FEB86659FD93;
        }
        return h ^ (h >> 32);
    }
};

}  // namespace

Counter::Counter(Formulas& formulas, CountModel model, CountLimits limits) : formulas_(formulas), model_(std::move(model)), limits_(limits) {
    prepare();
    if (problem_.empty()) build();
    if (problem_.empty()) weigh();
}

// First and last position of the unknowns in a formula; a formula without any counts as before everything.
void Counter::prepare() {
    position_.assign(formulas_.unknowns().size(), -1);
    for (std::size_t i = 0; i < model_.unknowns.size(); ++i) {
        if (i == 0 || model_.unknowns[i].first != model_.unknowns[i - 1].first) block_begins_.push_back(i);
        position_[static_cast<std::size_t>(model_.unknowns[i].second)] = static_cast<int>(i);
    }
    block_begins_.push_back(model_.unknowns.size());
    // Conjunctions as their parts: each is decided as early as it can be.
    std::vector<Truth> conditions;
    std::vector<Truth> waiting = model_.conditions;
    while (!waiting.empty()) {
        const Truth t = waiting.back();
        waiting.pop_back();
        if (t == Formulas::yes) continue;
        if (formulas_.shape(t) == Formulas::Shape::all && !Formulas::negated(t)) waiting.insert(waiting.end(), formulas_.parts(t).begin(), formulas_.parts(t).end());
        else conditions.push_back(t);
    }
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    model_.conditions = std::move(conditions);
    for (const Truth t : model_.conditions) first_position(t);
    for (const Factor& f : model_.factors) first_position(f.when);
}

int Counter::first_position(Truth t) {
    std::vector<std::int32_t> waiting{Formulas::node(t)};
    while (!waiting.empty()) {
        const std::int32_t node = waiting.back();
        const auto n = static_cast<std::size_t>(node);
        if (has_span_.size() < formulas_.size()) {
            has_span_.resize(formulas_.size(), false);
            spans_.resize(formulas_.size());
        }
        if (has_span_[n]) {
            waiting.pop_back();
            continue;
        }
        const Truth plain{node * 2};
        std::pair<int, int> span{1 << 30, -1};
        switch (formulas_.shape(plain)) {
            case Formulas::Shape::constant: break;
            case Formulas::Shape::foreign: problem_ = "a condition is about large numbers"; break;
            case Formulas::Shape::leaf: {
                const int p = position_[static_cast<std::size_t>(formulas_.about(plain))];
                if (p < 0) problem_ = "a condition is about something that is not counted";
                span = {p, p};
                break;
            }
            case Formulas::Shape::all: {
                const std::size_t before = waiting.size();
                for (const Truth part : formulas_.parts(plain))
                    if (!has_span_[static_cast<std::size_t>(Formulas::node(part))]) waiting.push_back(Formulas::node(part));
                if (waiting.size() > before) continue;
                for (const Truth part : formulas_.parts(plain)) {
                    const auto& s = spans_[static_cast<std::size_t>(Formulas::node(part))];
                    span = {std::min(span.first, s.first), std::max(span.second, s.second)};
                }
                break;
            }
        }
        spans_[n] = span;
        has_span_[n] = true;
        waiting.pop_back();
    }
    return spans_[static_cast<std::size_t>(Formulas::node(t))].first;
}

int Counter::last_position(Truth t) {
    first_position(t);
    return spans_[static_cast<std::size_t>(Formulas::node(t))].second;
}

// What is left of a formula when the unknown has the value. Unknowns before it are no longer in the formula.
Truth Counter::cofactor(Truth t, std::int32_t unknown, int value) {
    const int here = position_[static_cast<std::size_t>(unknown)];
    if (first_position(t) > here) return t;
    const auto node = static_cast<std::size_t>(Formulas::node(t));
    if (cofactors_.size() < formulas_.size()) {
        cofactors_.resize(formulas_.size() + formulas_.size() / 2);
        cofactor_of_.resize(cofactors_.size(), 0);
    }
    const Truth plain{static_cast<std::int32_t>(node) * 2};
    Truth result;
    if (cofactor_of_[node] == turn_) {
        result = {cofactors_[node]};
    } else {
        if (formulas_.shape(plain) == Formulas::Shape::leaf) {
            result = (formulas_.values(plain) >> value & 1) != 0 ? Formulas::yes : Formulas::no;
        } else {
            const std::vector<Truth> before(formulas_.parts(plain).begin(), formulas_.parts(plain).end());
            std::vector<Truth> parts;
            parts.reserve(before.size());
            for (const Truth part : before) {
                parts.push_back(cofactor(part, unknown, value));
                if (parts.back() == Formulas::no) break;
            }
            result = parts.back() == Formulas::no ? Formulas::no : formulas_.all(parts);
        }
        if (cofactors_.size() <= node) {
            cofactors_.resize(formulas_.size());
            cofactor_of_.resize(cofactors_.size(), 0);
        }
        cofactors_[node] = result.id;
        cofactor_of_[node] = turn_;
    }
    return Formulas::negated(t) ? Formulas::negate(result) : result;
}

void Counter::build() {
    const std::size_t n = model_.unknowns.size();
    struct Entry {
        int first;
        int last;
        std::size_t index;
    };
    // What is in a state between two unknowns: conditions, then sums, then factors whose span lies across.
    std::vector<Entry> conditions;
    std::vector<Entry> sums;
    std::vector<Entry> factors;
    Integer constant = 1;
    for (std::size_t c = 0; c < model_.conditions.size(); ++c) {
        const Truth t = model_.conditions[c];
        if (t == Formulas::no) {
            total_ = 0;
            layers_.clear();
            return;
        }
        conditions.push_back({first_position(t), last_position(t), c});
    }
    std::vector<std::vector<std::int64_t>> most(model_.sums.size());  // by sum: what its unknowns from a position on can add
    std::vector<std::vector<bool>> in_sum(model_.sums.size(), std::vector<bool>(n, false));
    for (std::size_t s = 0; s < model_.sums.size(); ++s) {
        int first = static_cast<int>(n);
        int last = -1;
        for (const std::int32_t u : model_.sums[s].unknowns) {
            const int p = position_[static_cast<std::size_t>(u)];
            in_sum[s][static_cast<std::size_t>(p)] = true;
            first = std::min(first, p);
            last = std::max(last, p);
        }
        most[s].assign(n + 1, 0);
        for (std::size_t p = n; p-- > 0;)
            most[s][p] = most[s][p + 1] + (in_sum[s][p] ? formulas_.unknowns()[static_cast<std::size_t>(model_.unknowns[p].second)].values - 1 : 0);
        if (last < 0 && model_.sums[s].total != 0) {
            total_ = 0;
            return;
        }
        if (last >= 0) sums.push_back({first, last, s});
    }
    for (std::size_t f = 0; f < model_.factors.size(); ++f) {
        if (model_.factors[f].when == Formulas::yes) constant *= model_.factors[f].times;
        else if (model_.factors[f].when != Formulas::no) factors.push_back({first_position(model_.factors[f].when), last_position(model_.factors[f].when), f});
    }
    if (!problem_.empty()) return;
    const auto crossing = [](const std::vector<Entry>& all, int before) {
        std::vector<Entry> result;
        for (const Entry& e : all)
            if (e.first < before && e.last >= before) result.push_back(e);
        return result;
    };
    layers_.resize(n + 1);
    std::vector<std::vector<std::int32_t>> keys{{}};
    state_count_ = 1;
    std::vector<Entry> own_conditions;  // that the states at hand hold
    std::vector<Entry> own_sums;
    std::vector<Entry> own_factors;
    for (std::size_t p = 0; p < n; ++p) {
        const int here = static_cast<int>(p);
        const std::int32_t unknown = model_.unknowns[p].second;
        const int values = formulas_.unknowns()[static_cast<std::size_t>(unknown)].values;
        const auto next_conditions = crossing(conditions, here + 1);
        const auto next_sums = crossing(sums, here + 1);
        const auto next_factors = crossing(factors, here + 1);
        std::vector<Entry> begun_conditions;
        std::vector<Entry> begun_sums;
        std::vector<Entry> begun_factors;
        for (const Entry& e : conditions) if (e.first == here) begun_conditions.push_back(e);
        for (const Entry& e : sums) if (e.first == here) begun_sums.push_back(e);
        for (const Entry& e : factors) if (e.first == here) begun_factors.push_back(e);
        Layer& layer = layers_[p];
        layer.first.reserve(keys.size() + 1);
        std::unordered_map<std::vector<std::int32_t>, std::uint32_t, KeyHash> next;
        std::vector<std::vector<std::int32_t>> next_keys;
        // By value, so that what is left of a formula is worked out once for all states.
        std::vector<std::vector<std::pair<std::uint32_t, Edge>>> found(static_cast<std::size_t>(values));
        std::vector<std::int32_t> key;
        for (int v = 0; v < values; ++v) {
            ++turn_;
            for (std::size_t s = 0; s < keys.size(); ++s) {
                const std::vector<std::int32_t>& from = keys[s];
                key.clear();
                std::uint64_t times = 1;
                bool dead = false;
                std::size_t at = 0;
                const auto condition = [&](Truth t, int last) {
                    const Truth left = cofactor(t, unknown, v);
                    dead = left == Formulas::no;
                    if (last > here) key.push_back(left.id);
                };
                const auto sum = [&](std::int64_t missing, const Entry& e) {
                    if (in_sum[e.index][p]) missing -= v;
                    dead = missing < 0 || missing > most[e.index][p + 1];
                    if (e.last > here) key.push_back(static_cast<std::int32_t>(missing));
                };
                const auto factor = [&](Truth t, const Entry& e) {
                    const Truth left = cofactor(t, unknown, v);
                    if (left == Formulas::yes && t != Formulas::yes) times *= model_.factors[e.index].times;
                    // Once it has counted it is like one that never will.
                    if (e.last > here) key.push_back(left == Formulas::yes ? Formulas::no.id : left.id);
                };
                for (const Entry& e : own_conditions) {
                    condition({from[at++]}, e.last);
                    if (dead) break;
                }
                for (std::size_t i = 0; !dead && i < begun_conditions.size(); ++i) condition(model_.conditions[begun_conditions[i].index], begun_conditions[i].last);
                if (dead) continue;
                at = own_conditions.size();
                for (const Entry& e : own_sums) {
                    sum(from[at++], e);
                    if (dead) break;
                }
                for (std::size_t i = 0; !dead && i < begun_sums.size(); ++i) sum(model_.sums[begun_sums[i].index].total, begun_sums[i]);
                if (dead) continue;
                at = own_conditions.size() + own_sums.size();
                for (const Entry& e : own_factors) factor({from[at++]}, e);
                for (const Entry& e : begun_factors) factor(model_.factors[e.index].when, e);
                const auto [entry, is_new] = next.try_emplace(key, static_cast<std::uint32_t>(next_keys.size()));
                if (is_new) next_keys.push_back(key);
                found[static_cast<std::size_t>(v)].push_back({static_cast<std::uint32_t>(s), {entry->second, static_cast<std::uint32_t>(v), times}});
            }
        }
        std::vector<std::uint32_t> count(keys.size() + 1, 0);
        for (const auto& of_value : found)
            for (const auto& [s, edge] : of_value) ++count[s + 1];
        for (std::size_t s = 1; s < count.size(); ++s) count[s] += count[s - 1];
        layer.first = count;
        layer.edges.resize(count.back());
        for (const auto& of_value : found)
            for (const auto& [s, edge] : of_value) layer.edges[count[s]++] = edge;
        // In a state: those that were there and those begun, without those that ended, in that order.
        const auto merged = [&](std::vector<Entry>& own, const std::vector<Entry>& begun) {
            own.insert(own.end(), begun.begin(), begun.end());
            std::erase_if(own, [&](const Entry& e) { return e.last <= here; });
        };
        merged(own_conditions, begun_conditions);
        merged(own_sums, begun_sums);
        merged(own_factors, begun_factors);
        keys = std::move(next_keys);
        state_count_ += keys.size();
        if (state_count_ > limits_.states) problem_ = "more than " + std::to_string(limits_.states) + " states";
        else if (std::chrono::steady_clock::now() > limits_.until) problem_ = "out of time";
        if (!problem_.empty()) return;
        if (keys.empty()) {
            layers_.clear();
            total_ = 0;
            return;
        }
    }
    layers_[n].first.assign(keys.size() + 1, 0);
    layers_[n].ahead.assign(keys.size(), constant);
}

void Counter::weigh() {
    if (layers_.empty()) return;
    const std::size_t n = model_.unknowns.size();
    for (std::size_t p = n; p-- > 0;) {
        Layer& layer = layers_[p];
        layer.ahead.assign(layer.first.size() - 1, 0);
        for (std::size_t s = 0; s + 1 < layer.first.size(); ++s)
            for (const Edge& e : edges(p, s)) {
                const Integer& next = layers_[p + 1].ahead[e.to];
                if (e.times == 1) layer.ahead[s] += next;
                else layer.ahead[s] += next * e.times;
            }
    }
    layers_[0].behind.assign(1, 1);
    for (std::size_t p = 0; p < n; ++p) {
        layers_[p + 1].behind.assign(layers_[p + 1].first.size() - 1, 0);
        for (std::size_t s = 0; s + 1 < layers_[p].first.size(); ++s) {
            if (layers_[p].ahead[s] == 0) continue;
            for (const Edge& e : edges(p, s)) {
                if (e.times == 1) layers_[p + 1].behind[e.to] += layers_[p].behind[s];
                else layers_[p + 1].behind[e.to] += layers_[p].behind[s] * e.times;
            }
        }
    }
    total_ = layers_[0].ahead[0];
}

bool Counter::holds(const Formulas& formulas, Truth t, const std::vector<int>& value_by_unknown) {
    bool result = true;
    switch (formulas.shape(t)) {
        case Formulas::Shape::constant: result = t == Formulas::yes; return result;
        case Formulas::Shape::foreign: return false;
        case Formulas::Shape::leaf: return (formulas.values(t) >> value_by_unknown[static_cast<std::size_t>(formulas.about(t))] & 1) != 0;
        case Formulas::Shape::all:
            for (const Truth part : formulas.parts(t)) {
                result = holds(formulas, part, value_by_unknown);
                if (!result) break;
            }
            break;
    }
    return result != Formulas::negated(t);
}

Value Counter::value_of(const Terms& terms, const Terms::Int& number, const std::vector<int>& value_by_unknown) {
    Value result = number.low();
    terms.each_case(number, [&](Value v, const Truth& when) {
        if (holds(terms.formulas(), when, value_by_unknown)) result = v;
    });
    return result;
}

std::optional<Counter::Shares> Counter::shares(const Terms& terms, const std::vector<Terms::Int>& of) {
    if (layers_.empty()) return Shares{};
    // The unknowns that they depend on.
    std::vector<std::int32_t> support;
    std::vector<bool> walked(formulas_.size(), false);
    std::vector<Truth> waiting;
    for (const Terms::Int& i : of)
        if (!i.is_constant()) terms.each_case(i, [&](Value, const Truth& when) { waiting.push_back(when); });
    while (!waiting.empty()) {
        const Truth t = waiting.back();
        waiting.pop_back();
        if (walked[static_cast<std::size_t>(Formulas::node(t))]) continue;
        walked[static_cast<std::size_t>(Formulas::node(t))] = true;
        if (formulas_.shape(t) == Formulas::Shape::foreign) return std::nullopt;
        if (formulas_.shape(t) == Formulas::Shape::all) waiting.insert(waiting.end(), formulas_.parts(t).begin(), formulas_.parts(t).end());
        if (formulas_.shape(t) == Formulas::Shape::leaf) support.push_back(formulas_.about(t));
    }
    std::vector<std::size_t> positions;
    for (const std::int32_t u : support) {
        if (position_[static_cast<std::size_t>(u)] < 0) return std::nullopt;
        positions.push_back(static_cast<std::size_t>(position_[static_cast<std::size_t>(u)]));
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    std::vector<int> values(formulas_.unknowns().size(), 0);
    std::map<std::vector<Value>, Integer> result;
    const auto add = [&](const std::vector<std::uint8_t>& chosen, const Integer& weight) {
        for (std::size_t i = 0; i < positions.size(); ++i) values[static_cast<std::size_t>(model_.unknowns[positions[i]].second)] = chosen[i];
        std::vector<Value> combination;
        for (const Terms::Int& i : of) combination.push_back(value_of(terms, i, values));
        result[combination] += weight;
    };
    if (positions.empty()) {
        add({}, total_);
    } else {
        // Along the layers from the first to the last of them, by state and what was chosen on the way.
        std::map<std::pair<std::uint32_t, std::vector<std::uint8_t>>, Integer> on_the_way;
        const std::size_t first = positions.front();
        for (std::size_t s = 0; s + 1 < layers_[first].first.size(); ++s)
            if (layers_[first].behind[s] != 0) on_the_way[{static_cast<std::uint32_t>(s), {}}] = layers_[first].behind[s];
        std::size_t next_of = 0;
        for (std::size_t p = first; p <= positions.back(); ++p) {
            const bool asked = positions[next_of] == p;
            if (asked) ++next_of;
            std::map<std::pair<std::uint32_t, std::vector<std::uint8_t>>, Integer> next;
            for (const auto& [where, weight] : on_the_way) {
                for (const Edge& e : edges(p, where.first)) {
                    if (layers_[p + 1].ahead[e.to] == 0) continue;
                    std::vector<std::uint8_t> chosen = where.second;
                    if (asked) chosen.push_back(static_cast<std::uint8_t>(e.value));
                    next[{e.to, std::move(chosen)}] += weight * e.times;
                }
            }
            on_the_way = std::move(next);
            if (on_the_way.size() > limits_.states) return std::nullopt;
        }
        std::map<std::vector<std::uint8_t>, Integer> by_choice;
        for (const auto& [where, weight] : on_the_way) by_choice[where.second] += weight * layers_[positions.back() + 1].ahead[where.first];
        for (const auto& [chosen, weight] : by_choice) add(chosen, weight);
    }
    return Shares(result.begin(), result.end());
}

Counter::Assignment Counter::sample(const std::function<Integer(const Integer&)>& pick) const {
    Assignment assignment;
    std::size_t state = 0;
    for (std::size_t p = 0; p < model_.unknowns.size(); ++p) {
        Integer left = pick(layers_[p].ahead[state]);
        for (const Edge& e : edges(p, state)) {
            const Integer here = layers_[p + 1].ahead[e.to] * e.times;
            if (left < here) {
                assignment.emplace_back(model_.unknowns[p].second, static_cast<int>(e.value));
                state = e.to;
                break;
            }
            left -= here;
        }
    }
    return assignment;
}

bool Counter::each_assignment(std::size_t limit, const std::function<void(const Assignment&, const Integer&)>& f) const {
    if (layers_.empty()) return true;
    Assignment assignment;
    std::size_t found = 0;
    const std::function<bool(std::size_t, std::size_t, const Integer&)> go = [&](std::size_t p, std::size_t state, const Integer& times) {
        if (p == model_.unknowns.size()) {
            if (++found > limit) return false;
            f(assignment, times * layers_[p].ahead[state]);
            return true;
        }
        for (const Edge& e : edges(p, state)) {
            if (layers_[p + 1].ahead[e.to] == 0) continue;
            assignment.emplace_back(model_.unknowns[p].second, static_cast<int>(e.value));
            const bool more = go(p + 1, e.to, times * e.times);
            assignment.pop_back();
            if (!more) return false;
        }
        return true;
    };
    return go(0, 0, 1);
}

std::vector<Counter::Path> Counter::paths(std::size_t block, std::size_t state) const {
    std::vector<Path> result{{{}, state}};
    for (std::size_t p = block_begins_[block]; p < block_begins_[block + 1]; ++p) {
        std::vector<Path> next;
        for (const Path& path : result) {
            for (const Edge& e : edges(p, path.to)) {
                if (layers_[p + 1].ahead[e.to] == 0) continue;
                Path longer{path.values, e.to};
                longer.values.push_back(static_cast<int>(e.value));
                next.push_back(std::move(longer));
            }
        }
        result = std::move(next);
    }
    return result;
}

}  // namespace houserule
