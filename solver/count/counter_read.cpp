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
        if (!narrow || problem_.hit())
            return share_problem_ = narrow ? problem_ : Limit{LimitKind::too_many_values, TermLimits{}.cases}, std::nullopt;
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

std::vector<std::int32_t> Counter::rest_of(const std::vector<std::int32_t>& of) {
    std::vector<std::int32_t> rest;
    for (const std::int32_t t : of) rest.push_back(cofactor({t}).id);
    return rest;
}

// What is left of what is asked, on the way from layer to layer.
struct Counter::Carried {
    std::vector<std::vector<std::int32_t>> left;          // each once
    std::unordered_map<std::uint64_t, Integer> on_way{};  // the weight that leads there, by state and number in `left`

    static std::uint64_t at(std::uint64_t state, std::uint32_t left) { return state << 32 | left; }
    static std::size_t state(std::uint64_t where) { return where >> 32; }
    static std::uint32_t left_of(std::uint64_t where) { return static_cast<std::uint32_t>(where); }
};

Counter::Shares Counter::shares_of_one(std::size_t step, const std::vector<std::int32_t>& asked, const Decided& decided) {
    std::map<std::vector<Value>, Integer> result;
    const std::vector<Integer>& along = flow(step);
    for (std::size_t c = 0; c < steps_[step].classes.size(); ++c) {
        if (along[c] == 0) continue;
        for (const std::uint32_t l : steps_[step].classes[c].locals) {
            substitute(steps_[step], steps_[step].locals[l]);
            result[decided(rest_of(asked))] += along[c] * steps_[step].locals[l].weight;
        }
    }
    return Shares(result.begin(), result.end());
}

std::optional<Counter::Shares> Counter::shares_over(std::size_t first_step, std::size_t last_step, std::vector<std::int32_t> asked,
                                                    const Decided& decided) {
    if (first_step == last_step) return shares_of_one(first_step, asked, decided);
    Carried c{{std::move(asked)}};
    first_step = std::min(first_step, built_);
    for (std::size_t s = 0; s + 1 < layers_[first_step].first.size(); ++s)
        if (!is_dead(first_step, s)) c.on_way[Carried::at(s, 0)] = behind(first_step, s);
    for (std::size_t t = first_step; t <= last_step && t < built_; ++t)
        if (!carry(c, t)) return std::nullopt;
    if (last_step >= built_) return shares_among_alike(c, last_step, decided);
    std::map<std::vector<Value>, Integer> result;
    for (const auto& [where, weight] : c.on_way)
        result[decided(c.left[Carried::left_of(where)])] += weight * ahead(last_step + 1, Carried::state(where));
    return Shares(result.begin(), result.end());
}

// Along a step. By class and number in `left`: what becomes of that, by weight of the assignments.
bool Counter::carry(Carried& c, std::size_t step) {
    const Step& along = steps_[step];
    std::map<std::vector<std::int32_t>, std::uint32_t> number;
    std::vector<std::vector<std::int32_t>> next_left;
    std::vector<std::map<std::uint32_t, Integer>> becomes(along.classes.size() * c.left.size());
    for (std::size_t of = 0; of < along.classes.size(); ++of) {
        for (const std::uint32_t l : along.classes[of].locals) {
            substitute(along, along.locals[l]);
            for (std::size_t i = 0; i < c.left.size(); ++i) {
                std::vector<std::int32_t> rest = rest_of(c.left[i]);
                const auto [entry, is_new] = number.try_emplace(rest, static_cast<std::uint32_t>(next_left.size()));
                if (is_new) next_left.push_back(std::move(rest));
                becomes[of * c.left.size() + i][entry->second] += along.locals[l].weight;
            }
        }
        if (limits_.until.over()) return share_problem_ = {LimitKind::out_of_time}, false;
    }
    std::unordered_map<std::uint64_t, Integer> next;
    next.reserve(c.on_way.size());
    for (const auto& [where, weight] : c.on_way) {
        for (const Edge& e : edges(step, Carried::state(where))) {
            if (is_dead(step + 1, e.to)) continue;
            for (const auto& [rest, times] : becomes[e.of * c.left.size() + Carried::left_of(where)])
                next[Carried::at(e.to, rest)] += weight * times * e.times;
        }
        if (next.size() > limits_.states) return share_problem_ = {LimitKind::too_many_combinations, limits_.states}, false;
    }
    c.on_way = std::move(next);
    c.left = std::move(next_left);
    return !limits_.until.over() || (share_problem_ = {LimitKind::out_of_time}, false);
}

// Of blocks that are decided together, those that are asked about are taken one by one; the others stay together.
std::optional<Counter::Shares> Counter::shares_among_alike(const Carried& c, std::size_t last_step, const Decided& decided) {
    std::vector<bool> is_asked(steps_.size(), false);
    for (const auto& all : c.left)
        for (const std::int32_t t : all)
            for (const int p : positions_in({t})) is_asked[step_of(p)] = true;
    using Going = std::map<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>, Integer>;  // by what is left: blocks, formulas
    Going going;
    for (const auto& [where, weight] : c.on_way) going[{alike_times_[Carried::state(where)], c.left[Carried::left_of(where)]}] += weight;
    for (std::size_t t = built_; t <= last_step; ++t) {
        if (!is_asked[t]) continue;
        Going next;
        for (std::size_t of = 0; of < steps_[t].classes.size(); ++of) {
            for (const std::uint32_t l : steps_[t].classes[of].locals) {
                substitute(steps_[t], steps_[t].locals[l]);
                for (const auto& [left, weight] : going) {
                    if (left.first[of] == 0) continue;
                    std::vector<std::int32_t> times = left.first;
                    --times[of];
                    next[{std::move(times), rest_of(left.second)}] += weight * steps_[t].locals[l].weight;
                }
                if (next.size() > limits_.states) return share_problem_ = {LimitKind::too_many_combinations, limits_.states}, std::nullopt;
                if (limits_.until.over()) return share_problem_ = {LimitKind::out_of_time}, std::nullopt;
            }
        }
        going = std::move(next);
    }
    std::map<std::vector<Value>, Integer> result;
    for (const auto& [left, weight] : going) result[decided(left.second)] += weight * constant_ * alike_->weight(left.first);
    return Shares(result.begin(), result.end());
}

void Counter::assign(const Step& step, const LocalAssignment& one, Assignment& assignment) const {
    for (std::size_t i = 0; i < one.values.size(); ++i) assignment.emplace_back(model_.unknowns[i + step.begin].second, one.values[i]);
}

// The blocks that are decided together, one by one: each takes a choice as likely as that has blocks left.
void Counter::draw_alike(std::size_t state, const std::function<Integer(const Integer&)>& pick, Assignment& assignment) const {
    std::vector<std::int32_t> times = alike_times_[state];
    for (std::size_t t = built_; t < steps_.size(); ++t) {
        Integer at = pick(Integer(steps_.size() - t));
        std::size_t of = 0;
        for (; at >= times[of]; ++of) at -= times[of];
        --times[of];
        Integer left = pick(steps_[t].classes[of].weight);
        for (const std::uint32_t l : steps_[t].classes[of].locals) {
            left -= steps_[t].locals[l].weight;
            if (left >= 0) continue;
            assign(steps_[t], steps_[t].locals[l], assignment);
            break;
        }
    }
}

Counter::Assignment Counter::sample(const std::function<Integer(const Integer&)>& pick) const {
    Assignment assignment;
    std::size_t state = 0;
    for (std::size_t t = 0; t < built_; ++t) {
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
                assign(step, step.locals[l], assignment);
                break;
            }
            state = e.to;
            break;
        }
    }
    if (alike_) draw_alike(state, pick, assignment);
    return assignment;
}

bool Counter::each_assignment(std::size_t limit, const std::function<void(const Assignment&, const Integer&)>& f) const {
    if (total_ == 0) return true;
    Assignment assignment;
    std::size_t found = 0;
    std::vector<std::int32_t> alike;  // blocks that are decided together, by choice
    std::function<bool(std::size_t, std::size_t, const Integer&)> go;
    const auto go_along = [&](const Step& step, std::size_t of, const std::function<bool(const Integer&)>& on) {
        return std::all_of(step.classes[of].locals.begin(), step.classes[of].locals.end(), [&](std::uint32_t l) {
            assign(step, step.locals[l], assignment);
            const bool more = on(step.locals[l].weight);
            assignment.resize(assignment.size() - step.locals[l].values.size());
            return more;
        });
    };
    go = [&](std::size_t t, std::size_t state, const Integer& times) {
        if (t == steps_.size()) {
            if (++found > limit) return false;
            f(assignment, times * constant_);
            return true;
        }
        if (t == built_) alike = alike_times_[state];
        if (t < built_) {
            return std::all_of(edges(t, state).begin(), edges(t, state).end(), [&](const Edge& e) {
                return is_dead(t + 1, e.to) ||
                       go_along(steps_[t], e.of, [&](const Integer& weight) { return go(t + 1, e.to, times * e.times * weight); });
            });
        }
        for (std::size_t of = 0; of < alike.size(); ++of) {
            if (alike[of] == 0) continue;
            --alike[of];
            if (!go_along(steps_[t], of, [&](const Integer& weight) { return go(t + 1, state, times * weight); })) return false;
            ++alike[of];
        }
        return true;
    };
    return go(0, 0, 1);
}

std::optional<std::vector<Counter::Path>> Counter::paths(std::size_t block, std::size_t state, std::size_t most) const {
    std::vector<Path> result{{{}, state}};
    const int end = block_begins_[block + 1];
    for (std::size_t t = step_of(block_begins_[block]); t < built_ && steps_[t].begin < end; ++t) {
        std::vector<Path> next;
        for (const Path& path : result) {
            for (const Edge& e : edges(t, path.to)) {
                if (is_dead(t + 1, e.to)) continue;
                const auto& locals = steps_[t].classes[e.of].locals;
                if (next.size() + locals.size() > most) return std::nullopt;
                for (const std::uint32_t l : locals) {
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
