// What is read off a counter's graph: shares, assignments drawn or one by one, and paths through a block. See counter.hpp.
#include "solver/count/counter.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace houserule {

std::size_t Counter::step_of(int position) const {
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), position, [](int p, const Step& s) { return p < s.begin; });
    return static_cast<std::size_t>(after - steps_.begin()) - 1;
}

// The numbers' conditions are carried along like those of the model, beside each state; at the end they are decided.
std::optional<Counter::Shares> Counter::shares(const Terms& terms, const std::vector<Terms::Int>& of) {
    if (total_ == 0) return Shares{};
    std::vector<std::int32_t> asked;
    std::vector<std::vector<std::pair<Value, std::size_t>>> cases(of.size());  // by number: a value, and whose truth it is
    int first = no_position;
    int last = -1;
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i].is_constant()) continue;
        const bool narrow = terms.each_case(of[i], [&](Value v, const Truth& when) {
            cases[i].emplace_back(v, asked.size());
            asked.push_back(when.id);
            first = std::min(first, first_position(when));
            if (const auto positions = problem_.hit() ? std::vector<int>{} : positions_in(when); !positions.empty())
                last = std::max(last, positions.back());
        });
        if (!narrow || problem_.hit()) return share_problem_ = narrow ? problem_ : Limit{LimitKind::large_numbers}, std::nullopt;
    }
    const auto combination = [&](const std::vector<std::int32_t>& decided) {
        std::vector<Value> values;
        for (std::size_t i = 0; i < of.size(); ++i) {
            values.push_back(of[i].low());
            for (const auto& [v, truth] : cases[i])
                if (decided[truth] == Formulas::yes.id) values.back() = v;
        }
        return values;
    };
    if (last < 0) return Shares{{combination(asked), total_}};
    return shares_over(step_of(first), step_of(last), std::move(asked), combination);
}

std::optional<Counter::Shares> Counter::shares_over(std::size_t first_step, std::size_t last_step, std::vector<std::int32_t> asked,
                                                    const std::function<std::vector<Value>(const std::vector<std::int32_t>&)>& decided) {
    std::map<std::vector<Value>, Integer> result;
    const auto rest_of = [&](const std::vector<std::int32_t>& of) {
        std::vector<std::int32_t> rest;
        for (const std::int32_t t : of) rest.push_back(cofactor({t}).id);
        return rest;
    };
    if (first_step == last_step) {
        const Step& step = steps_[first_step];
        const std::vector<Integer>& along = flow(first_step);
        for (std::size_t c = 0; c < step.classes.size(); ++c) {
            if (along[c] == 0) continue;
            for (const std::uint32_t l : step.classes[c].locals) {
                substitute(step, step.locals[l]);
                result[decided(rest_of(asked))] += along[c] * step.locals[l].weight;
            }
        }
        return Shares(result.begin(), result.end());
    }
    std::vector<std::vector<std::int32_t>> left{std::move(asked)};  // what is left of what is asked, each once
    std::unordered_map<std::uint64_t, Integer> on_the_way;          // by state and number in `left`
    std::visit(
        [&](const auto& w) {
            for (std::size_t s = 0; s < w.behind[first_step].size(); ++s)
                if (w.behind[first_step][s] != 0 && w.ahead[first_step][s] != 0) on_the_way[s << 32] = Integer(w.behind[first_step][s]);
        },
        weights_);
    for (std::size_t t = first_step; t <= last_step; ++t) {
        const Step& step = steps_[t];
        std::map<std::vector<std::int32_t>, std::uint32_t> number;
        std::vector<std::vector<std::int32_t>> next_left;
        // By class and number in `left`: what becomes of that, by weight of the assignments.
        std::vector<std::map<std::uint32_t, Integer>> becomes(step.classes.size() * left.size());
        for (std::size_t c = 0; c < step.classes.size(); ++c) {
            for (const std::uint32_t l : step.classes[c].locals) {
                substitute(step, step.locals[l]);
                for (std::size_t i = 0; i < left.size(); ++i) {
                    std::vector<std::int32_t> rest = rest_of(left[i]);
                    const auto [entry, is_new] = number.try_emplace(rest, static_cast<std::uint32_t>(next_left.size()));
                    if (is_new) next_left.push_back(std::move(rest));
                    becomes[c * left.size() + i][entry->second] += step.locals[l].weight;
                }
            }
            if (limits_.until.over()) return share_problem_ = {LimitKind::out_of_time}, std::nullopt;
        }
        std::unordered_map<std::uint64_t, Integer> next;
        next.reserve(on_the_way.size());
        for (const auto& [where, weight] : on_the_way) {
            for (const Edge& e : edges(t, where >> 32)) {
                if (is_dead(t + 1, e.to)) continue;
                for (const auto& [rest, times] : becomes[e.of * left.size() + (where & 0xFFFFFFFF)])
                    next[std::uint64_t{e.to} << 32 | rest] += weight * times * e.times;
            }
            if (next.size() > limits_.states) return share_problem_ = {LimitKind::too_many_combinations, limits_.states}, std::nullopt;
        }
        on_the_way = std::move(next);
        left = std::move(next_left);
        if (limits_.until.over()) return share_problem_ = {LimitKind::out_of_time}, std::nullopt;
    }
    for (const auto& [where, weight] : on_the_way) result[decided(left[where & 0xFFFFFFFF])] += weight * ahead(last_step + 1, where >> 32);
    return Shares(result.begin(), result.end());
}

Counter::Assignment Counter::sample(const std::function<Integer(const Integer&)>& pick) const {
    Assignment assignment;
    std::size_t state = 0;
    for (std::size_t t = 0; t < steps_.size(); ++t) {
        const Step& step = steps_[t];
        Integer left = pick(ahead(t, state));
        for (const Edge& e : edges(t, state)) {
            const Integer each = ahead(t + 1, e.to) * e.times;
            const Integer here = each * step.classes[e.of].weight;
            if (left >= here) {
                left -= here;
                continue;
            }
            for (const std::uint32_t l : step.classes[e.of].locals) {
                const Integer of_local = each * step.locals[l].weight;
                if (left >= of_local) {
                    left -= of_local;
                    continue;
                }
                for (std::size_t i = 0; i < step.locals[l].values.size(); ++i)
                    assignment.emplace_back(model_.unknowns[static_cast<std::size_t>(step.begin) + i].second, step.locals[l].values[i]);
                break;
            }
            state = e.to;
            break;
        }
    }
    return assignment;
}

bool Counter::each_assignment(std::size_t limit, const std::function<void(const Assignment&, const Integer&)>& f) const {
    if (total_ == 0) return true;
    Assignment assignment;
    std::size_t found = 0;
    const std::function<bool(std::size_t, std::size_t, const Integer&)> go = [&](std::size_t t, std::size_t state, const Integer& times) {
        if (t == steps_.size()) {
            if (++found > limit) return false;
            f(assignment, times * constant_);
            return true;
        }
        const Step& step = steps_[t];
        for (const Edge& e : edges(t, state)) {
            if (is_dead(t + 1, e.to)) continue;
            for (const std::uint32_t l : step.classes[e.of].locals) {
                const LocalAssignment& one = step.locals[l];
                for (std::size_t i = 0; i < one.values.size(); ++i)
                    assignment.emplace_back(model_.unknowns[static_cast<std::size_t>(step.begin) + i].second, one.values[i]);
                const bool more = go(t + 1, e.to, times * e.times * one.weight);
                assignment.resize(assignment.size() - one.values.size());
                if (!more) return false;
            }
        }
        return true;
    };
    return go(0, 0, 1);
}

std::vector<Counter::Path> Counter::paths(std::size_t block, std::size_t state) const {
    std::vector<Path> result{{{}, state}};
    const int end = block_begins_[block + 1];
    for (std::size_t t = step_of(block_begins_[block]); t < steps_.size() && steps_[t].begin < end; ++t) {
        std::vector<Path> next;
        for (const Path& path : result) {
            for (const Edge& e : edges(t, path.to)) {
                if (is_dead(t + 1, e.to)) continue;
                for (const std::uint32_t l : steps_[t].classes[e.of].locals) {
                    Path longer{path.values, e.to};
                    longer.values.insert(longer.values.end(), steps_[t].locals[l].values.begin(), steps_[t].locals[l].values.end());
                    next.push_back(std::move(longer));
                }
            }
        }
        result = std::move(next);
    }
    return result;
}

}  // namespace houserule
