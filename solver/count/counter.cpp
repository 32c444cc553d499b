#include "solver/count/counter.hpp"

#include "solver/count/simplify.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace houserule {

namespace {

// A block is decided at once as long as there are so few ways; past that, half of it at a time.
constexpr std::size_t locals_most = 4096;
constexpr std::size_t classes_most = 512;

}  // namespace

Counter::Counter(Formulas& formulas, CountModel model, CountLimits limits, std::optional<BeamSampling> sampling)
    : formulas_(formulas), model_(std::move(model)), limits_(limits), sampling_(sampling) {
    formulas_most_ = limits_.formulas < ~formulas_.size() ? formulas_.size() + limits_.formulas : limits_.formulas;
    place();
    do {
        prepare();
        steps_.clear();
        if (finished()) make_steps();
        if (finished()) drop_classes();
    } while (finished() && narrow());
    if (finished()) lift();
    if (finished()) make_bounds();
    if (finished() && sampling_) make_chances();
    if (finished()) build();
    if (finished()) weigh();
}

bool Counter::is_late() {
    if (limits_.until.over()) problem_ = {LimitKind::out_of_time};
    if (formulas_.size() > formulas_most_ && !problem_.hit()) problem_ = {LimitKind::too_many_formulas, limits_.formulas};
    return problem_.hit();
}

// ---------------------------------------------------------------- what is asked

// False when it can never hold.
bool Counter::add_rule(Rule::What what, std::size_t index, Truth t) {
    if (first_position(t) == no_position) return t == Formulas::yes;
    if (finished()) rules_.push_back({what, index, t.id, positions_in(t)});
    return true;
}

void Counter::place() {
    position_.assign(formulas_.unknowns().size(), -1);
    for (std::size_t i = 0; i < model_.unknowns.size(); ++i) {
        if (i == 0 || model_.unknowns[i].first != model_.unknowns[i - 1].first) block_begins_.push_back(i);
        position_[model_.unknowns[i].second] = i;
    }
    block_begins_.push_back(model_.unknowns.size());
    values_.assign(model_.unknowns.size(), 0);
    for (std::size_t u = model_.allowed.size(); u < formulas_.unknowns().size(); ++u)
        model_.allowed.push_back(model_.allowed_of(formulas_, u));
}

void Counter::prepare() {
    rules_.clear();
    constant_ = 1;
    // Conjunctions as their parts: each is decided as early as it can be.
    std::vector<Truth> conditions = formulas_.conjuncts(model_.conditions);
    std::erase(conditions, Formulas::yes);
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    bool can_be = true;
    for (std::size_t c = 0; c < conditions.size(); ++c) can_be = add_rule(Rule::What::condition, c, conditions[c]) && can_be;
    for (std::size_t s = 0; s < model_.sums.size(); ++s) {
        Rule rule{Rule::What::sum, s, static_cast<std::int32_t>(model_.sums[s].total), {}};
        for (const std::int32_t u : model_.sums[s].unknowns) rule.positions.push_back(position_[u]);
        std::sort(rule.positions.begin(), rule.positions.end());
        if (rule.positions.empty())
            can_be = can_be && rule.begins == 0;
        else
            rules_.push_back(std::move(rule));
    }
    for (std::size_t f = 0; f < model_.factors.size(); ++f) {
        const bool open = first_position(model_.factors[f].when) != no_position;
        if (open)
            add_rule(Rule::What::factor, f, model_.factors[f].when);
        else if (model_.factors[f].when == Formulas::yes)
            constant_ *= model_.factors[f].times;
    }
    if (!can_be) constant_ = 0;
}

int Counter::first_position(Truth t) {
    if (const std::size_t n = Formulas::node(t); n < has_first_.size() && has_first_[n]) return firsts_[n];
    std::vector<std::int32_t> waiting{Formulas::node(t)};
    while (!waiting.empty()) {
        const std::size_t n = waiting.back();
        if (has_first_.size() < formulas_.size()) {
            has_first_.resize(formulas_.size(), false);
            firsts_.resize(formulas_.size());
        }
        if (has_first_[n]) {
            waiting.pop_back();
            continue;
        }
        const Truth plain{waiting.back() * 2};
        int first = no_position;
        switch (formulas_.shape(plain)) {
            case Formulas::Shape::constant:
                break;
            case Formulas::Shape::foreign:
                problem_ = {LimitKind::too_many_values, TermLimits{}.cases};
                break;
            case Formulas::Shape::leaf:
                first = position_[formulas_.about(plain)];
                if (first < 0) stop_on_bug("a condition is about an unknown of another path");
                break;
            case Formulas::Shape::all: {
                const std::size_t before = waiting.size();
                for (const Truth part : formulas_.parts(plain))
                    if (!has_first_[Formulas::node(part)]) waiting.push_back(Formulas::node(part));
                if (waiting.size() > before) continue;
                for (const Truth part : formulas_.parts(plain)) first = std::min(first, firsts_[Formulas::node(part)]);
                break;
            }
        }
        firsts_[n] = first;
        has_first_[n] = true;
        waiting.pop_back();
    }
    return firsts_[Formulas::node(t)];
}

std::vector<int> Counter::positions_in(Truth t) const {
    std::vector<int> positions;
    formulas_.each_unknown(t, [&](std::int32_t unknown) { positions.push_back(position_[unknown]); });
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

void Counter::substitute(int position, int value) {
    ++turn_;
    values_[position] = value;
    substituted_until_ = position + 1;
}

void Counter::substitute(const Step& step, const LocalAssignment& one) {
    ++turn_;
    for (std::size_t i = 0; i < one.values.size(); ++i) values_[static_cast<std::size_t>(step.begin) + i] = one.values[i];
    substituted_until_ = step.end;
}

Truth Counter::cofactor(Truth t) {
    const std::size_t node = Formulas::node(t);
    if (node < cofactor_of_.size() && cofactor_of_[node] == turn_) {
        const Truth known{cofactors_[node]};
        return Formulas::negated(t) ? Formulas::negate(known) : known;
    }
    if (first_position(t) >= substituted_until_) return t;
    const Truth plain{static_cast<std::int32_t>(node) * 2};
    Truth result;
    if (formulas_.shape(plain) == Formulas::Shape::leaf) {
        const int value = values_[position_[formulas_.about(plain)]];
        result = (formulas_.values(plain) >> value & 1) != 0 ? Formulas::yes : Formulas::no;
    } else {
        const std::vector<Truth> before(formulas_.parts(plain).begin(), formulas_.parts(plain).end());
        std::vector<Truth> parts;
        parts.reserve(before.size());
        for (const Truth part : before) {
            parts.push_back(cofactor(part));
            if (parts.back() == Formulas::no) break;
        }
        result = parts.back() == Formulas::no ? Formulas::no : formulas_.all(parts);
    }
    if (cofactors_.size() <= node) {
        cofactors_.resize(formulas_.size() + formulas_.size() / 2);
        cofactor_of_.resize(cofactors_.size(), 0);
    }
    cofactors_[node] = result.id;
    cofactor_of_[node] = turn_;
    return Formulas::negated(t) ? Formulas::negate(result) : result;
}

Truth Counter::without(std::size_t sum, Truth t) {
    const Truth plain{Formulas::node(t) * 2};
    if (formulas_.shape(plain) != Formulas::Shape::leaf && formulas_.shape(plain) != Formulas::Shape::all) return t;
    if (const auto known = without_[sum].find(Formulas::node(t)); known != without_[sum].end())
        return Formulas::negated(t) ? Formulas::negate(known->second) : known->second;
    Truth result = plain;
    if (formulas_.shape(plain) == Formulas::Shape::leaf) {
        const std::int32_t unknown = formulas_.about(plain);
        if (is_of_[sum][position_[unknown]]) result = (formulas_.values(plain) & 1) != 0 ? Formulas::yes : Formulas::no;
    } else {
        std::vector<Truth> parts(formulas_.parts(plain).begin(), formulas_.parts(plain).end());
        for (Truth& part : parts) part = without(sum, part);
        result = formulas_.all(parts);
    }
    without_[sum].emplace(Formulas::node(t), result);
    return Formulas::negated(t) ? Formulas::negate(result) : result;
}

// ---------------------------------------------------------------- steps

void Counter::make_steps() {
    for (std::size_t b = 0; b + 1 < block_begins_.size() && finished(); ++b) make_steps(block_begins_[b], block_begins_[b + 1]);
}

void Counter::make_steps(int begin, int end) {
    Step step{begin, end, {}, {}};
    const bool single = end - begin == 1;
    bool few = list_locals(step, single ? static_cast<std::size_t>(Formulas::value_limit) : locals_most);
    if (few) {
        classify(step);
        few = single || step.classes.size() <= classes_most;
    }
    if (few || problem_.hit()) {
        steps_.push_back(std::move(step));
        return;
    }
    make_steps(begin, begin + (end - begin) / 2);
    make_steps(begin + (end - begin) / 2, end);
}

std::vector<Counter::Rule> Counter::local_rules(int begin, int end) const {
    std::vector<Rule> local;
    for (const Rule& r : rules_)
        if (r.first() >= begin && r.last() < end) local.push_back(r);
    return local;
}

// All ways to decide the step's unknowns that what concerns them alone allows; false when there are more.
bool Counter::list_locals(Step& step, std::size_t most) {
    const std::vector<Rule> local = local_rules(step.begin, step.end);
    struct Begun {
        std::vector<std::uint8_t> values;
        std::vector<std::int32_t> left;  // by local rule
        Integer weight = 1;
    };
    std::vector<Begun> begun(1);
    for (const Rule& r : local) begun.front().left.push_back(r.begins);
    for (int p = step.begin; p < step.end; ++p) {
        const std::int32_t unknown = model_.unknowns[p].second;
        const int values = formulas_.unknowns()[unknown].values;
        std::vector<std::size_t> touched;  // local rules
        for (std::size_t r = 0; r < local.size(); ++r)
            if (std::binary_search(local[r].positions.begin(), local[r].positions.end(), p)) touched.push_back(r);
        std::vector<std::int32_t> left(touched.size());
        std::vector<Begun> next;
        for (int v = 0; v < values; ++v) {
            if ((model_.allowed[unknown] >> v & 1) == 0) continue;
            substitute(p, v);
            for (const Begun& b : begun) {
                bool dead = false;
                for (std::size_t i = 0; i < touched.size() && !dead; ++i) {
                    const Rule& rule = local[touched[i]];
                    left[i] = b.left[touched[i]];
                    if (rule.what == Rule::What::sum) {
                        left[i] -= v;
                        dead = left[i] < 0 || (p == rule.last() && left[i] != 0);
                        continue;
                    }
                    left[i] = cofactor({left[i]}).id;
                    dead = rule.what == Rule::What::condition && left[i] == Formulas::no.id;
                }
                if (dead) continue;
                Begun& longer = next.emplace_back(b);
                longer.values.push_back(v);
                for (std::size_t i = 0; i < touched.size(); ++i) {
                    const Rule& rule = local[touched[i]];
                    const bool counts = rule.what == Rule::What::factor && left[i] == Formulas::yes.id;
                    if (counts) longer.weight *= model_.factors[rule.index].times;
                    longer.left[touched[i]] = counts ? Formulas::no.id : left[i];
                }
            }
            if (next.size() > most || is_late()) return listed_ += next.size(), false;
        }
        listed_ += next.size();
        begun = std::move(next);
    }
    for (Begun& b : begun) step.locals.push_back({std::move(b.values), std::move(b.weight)});
    return true;
}

// What an assignment adds to sums, and its values of unknowns in conditions and factors that reach beyond the step.
void Counter::classify(Step& step) const {
    std::vector<bool> matters(step.end - step.begin, false);
    std::vector<std::vector<int>> in_sum(model_.sums.size());
    for (const Rule& r : rules_) {
        const bool local = r.first() >= step.begin && r.last() < step.end;
        for (const int p : r.positions) {
            if (p < step.begin || p >= step.end) continue;
            if (r.what == Rule::What::sum)
                in_sum[r.index].push_back(p - step.begin);
            else if (!local)
                matters[p - step.begin] = true;
        }
    }
    std::map<std::pair<std::vector<std::int32_t>, std::vector<std::uint8_t>>, std::size_t> known;
    step.classes.clear();
    for (std::size_t l = 0; l < step.locals.size(); ++l) {
        const LocalAssignment& one = step.locals[l];
        std::vector<std::int32_t> adds(model_.sums.size(), 0);
        for (std::size_t s = 0; s < in_sum.size(); ++s)
            for (const int p : in_sum[s]) adds[s] += one.values[p];
        std::vector<std::uint8_t> outside;
        for (std::size_t i = 0; i < matters.size(); ++i)
            if (matters[i]) outside.push_back(one.values[i]);
        const auto [entry, is_new] = known.try_emplace({adds, std::move(outside)}, step.classes.size());
        if (is_new) step.classes.push_back({{}, std::move(adds), 0});
        Class& c = step.classes[entry->second];
        c.locals.push_back(l);
        c.weight += one.weight;
    }
}

// Drops the classes that add more or less to a sum than the other steps can leave to them (bounds consistency), until none is.
void Counter::drop_classes() {
    for (bool dropped = true; std::exchange(dropped, false) && !is_late();) {
        for (std::size_t s = 0; s < model_.sums.size(); ++s) {
            // By step: the least and the most that it adds.
            std::vector<std::pair<std::int64_t, std::int64_t>> ends;
            std::int64_t least = 0;
            std::int64_t most = 0;
            for (const Step& step : steps_) {
                std::pair<std::int64_t, std::int64_t> of{0, 0};
                if (!step.classes.empty()) {
                    const auto [low, high] = std::minmax_element(step.classes.begin(), step.classes.end(),
                                                                 [&](const Class& a, const Class& b) { return a.adds[s] < b.adds[s]; });
                    of = {low->adds[s], high->adds[s]};
                }
                least += of.first;
                most += of.second;
                ends.push_back(of);
            }
            const std::int64_t total = model_.sums[s].total;
            for (std::size_t t = 0; t < steps_.size(); ++t) {
                const auto fails = [&](const Class& c) {
                    return least - ends[t].first + c.adds[s] > total || most - ends[t].second + c.adds[s] < total;
                };
                dropped = std::erase_if(steps_[t].classes, fails) > 0 || dropped;
            }
        }
    }
}

// ---------------------------------------------------------------- what is certain

// Takes the values that no class has out of conditions, factors and sums. Whether those are others now.
bool Counter::narrow() {
    std::vector<std::uint64_t> left = model_.allowed;
    for (const auto& [key, unknown] : model_.unknowns) left[unknown] = 0;
    for (const Step& step : steps_) {
        if (step.classes.empty()) return false;  // nothing fits
        for (const Class& c : step.classes)
            for (const std::uint32_t l : c.locals)
                for (std::size_t i = 0; i < step.locals[l].values.size(); ++i)
                    left[model_.unknowns[i + step.begin].second] |= std::uint64_t{1} << step.locals[l].values[i];
    }
    if (left == model_.allowed) return false;
    model_.allowed = std::move(left);
    return restrict_to_allowed(formulas_, model_) && !is_late();
}

// ---------------------------------------------------------------- blocks that nothing tells apart

// Whether no condition or factor is about the step, a whole block, and about others, too.
bool Counter::is_free(const Step& step) const {
    const bool whole = std::binary_search(block_begins_.begin(), block_begins_.end(), step.begin) &&
                       std::binary_search(block_begins_.begin(), block_begins_.end(), step.end);
    return whole && std::none_of(rules_.begin(), rules_.end(), [&](const Rule& r) {
               if (r.what == Rule::What::sum || (r.first() >= step.begin && r.last() < step.end)) return false;
               const auto first = std::lower_bound(r.positions.begin(), r.positions.end(), step.begin);
               return first != r.positions.end() && *first < step.end;
           });
}

AlikeBlocks::Choices Counter::choices_of(const Step& step) {
    AlikeBlocks::Choices choices;
    for (const Class& c : step.classes) choices.push_back({c.adds, c.weight});
    return choices;
}

std::vector<std::vector<std::vector<int>>> Counter::alike_choices(std::size_t block) const {
    const Step& step = steps_[step_of(block_begins_[block])];
    std::vector<std::vector<std::vector<int>>> all;
    for (const Class& c : step.classes) {
        all.emplace_back();
        for (const std::uint32_t l : c.locals) all.back().emplace_back(step.locals[l].values.begin(), step.locals[l].values.end());
    }
    return all;
}

std::vector<KindId> Counter::alike_keys() const {
    std::vector<std::pair<AlikeBlocks::Choices, std::vector<KindId>>> sets;
    for (const Step& step : steps_) {
        if (step.classes.size() < 2 || model_.unknowns[step.begin].first == no_id || !is_free(step)) continue;
        AlikeBlocks::Choices choices = choices_of(step);
        std::sort(choices.begin(), choices.end(), [](const auto& a, const auto& b) { return a.adds < b.adds; });
        auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& s) { return s.first == choices; });
        if (set == sets.end()) set = sets.insert(set, {std::move(choices), {}});
        set->second.push_back(model_.unknowns[step.begin].first);
    }
    const auto spared = [](const auto& set) { return set.second.size() < 2 ? 0 : (set.first.size() - 1) * set.second.size(); };
    std::stable_sort(sets.begin(), sets.end(), [&](const auto& a, const auto& b) { return spared(a) > spared(b); });
    for (const auto& set : sets)
        if (spared(set) > 0 && AlikeBlocks::of(set.second.size(), set.first)) return set.second;
    return {};
}

void Counter::lift() {
    built_ = steps_.size();
    const std::size_t alike = std::min(model_.alike, steps_.size());
    const std::size_t first = steps_.size() - alike;
    if (alike < 2 || !std::all_of(steps_.begin() + first, steps_.end(), [&](const Step& step) { return is_free(step); })) return;
    for (std::size_t t = first; t < steps_.size(); ++t)
        std::sort(steps_[t].classes.begin(), steps_[t].classes.end(), [](const Class& a, const Class& b) { return a.adds < b.adds; });
    const AlikeBlocks::Choices choices = choices_of(steps_[first]);
    for (std::size_t t = first + 1; t < steps_.size(); ++t)
        if (choices_of(steps_[t]) != choices) return;
    alike_ = AlikeBlocks::of(alike, choices);
    if (alike_) built_ = first;
}

std::vector<std::vector<KindId>> Counter::kinds_of_sums() const {
    std::vector<std::vector<KindId>> kinds(model_.sums.size());
    for (const Step& step : steps_) {
        const KindId key = model_.unknowns[step.begin].first;
        for (std::size_t s = 0; s < kinds.size(); ++s) {
            const bool adds = std::any_of(step.classes.begin(), step.classes.end(), [&](const Class& c) { return c.adds[s] > 0; });
            if (adds && (kinds[s].empty() || kinds[s].back() != key)) kinds[s].push_back(key);
        }
    }
    return kinds;
}

// ---------------------------------------------------------------- weights

// How large the total is, about: whether its numbers fit in few bits.
double Counter::rough_total() const {
    std::vector<double> later;
    for (std::size_t s = 0; s + 1 < layers_.back().first.size(); ++s) later.push_back(weight_at_end(s).convert_to<double>());
    for (std::size_t t = built_; t-- > 0;) {
        std::vector<double> weights;
        for (const Class& c : steps_[t].classes) weights.push_back(c.weight.convert_to<double>());
        std::vector<double> here(layers_[t].first.size() - 1, 0);
        for (std::size_t s = 0; s < here.size(); ++s)
            for (const Edge& e : edges(t, s)) here[s] += later[e.to] * weights[e.of] * e.times;
        later = std::move(here);
    }
    return later.empty() ? 0 : later.front();
}

template <class Number>
void Counter::weigh_in(Weights<Number>& weights) {
    auto& ahead = weights.ahead;
    auto& behind = weights.behind;
    ahead.resize(layers_.size());
    behind.resize(layers_.size());
    for (std::size_t s = 0; s + 1 < layers_.back().first.size(); ++s) ahead.back().push_back(static_cast<Number>(weight_at_end(s)));
    const auto numbers = [](const Step& step) {
        std::vector<Number> all;
        for (const Class& c : step.classes) all.push_back(static_cast<Number>(c.weight));
        return all;
    };
    for (std::size_t t = built_; t-- > 0 && !is_late();) {
        const std::vector<Number> of = numbers(steps_[t]);
        ahead[t].assign(layers_[t].first.size() - 1, 0);
        for (std::size_t s = 0; s < ahead[t].size(); ++s)
            for (const Edge& e : edges(t, s))
                if (ahead[t + 1][e.to] != 0) ahead[t][s] += ahead[t + 1][e.to] * of[e.of] * e.times;
    }
    if (problem_.hit()) return;
    behind[0].assign(ahead[0].size(), 1);
    for (std::size_t t = 0; t < built_ && !is_late(); ++t) {
        const std::vector<Number> of = numbers(steps_[t]);
        behind[t + 1].assign(ahead[t + 1].size(), 0);
        for (std::size_t s = 0; s < ahead[t].size(); ++s) {
            if (ahead[t][s] == 0) continue;
            for (const Edge& e : edges(t, s))
                if (ahead[t + 1][e.to] != 0) behind[t + 1][e.to] += behind[t][s] * of[e.of] * e.times;
        }
    }
    if (!problem_.hit()) total_ = Integer(ahead[0].front());
}

// Of a state of the last layer: what is decided together behind it, and the factors that always count.
Integer Counter::weight_at_end(std::size_t state) const {
    if (!alike_) return constant_;
    return alike_times_[state].empty() ? Integer(0) : Integer(constant_ * alike_->weight(alike_times_[state]));
}

void Counter::weigh() {
    flows_.resize(built_ + 1);
    constexpr double small_most = 0x1p120;  // a bound on every product of a number ahead and one behind
    if (rough_total() < small_most)
        weigh_in(weights_.emplace<Weights<Small>>());
    else
        weigh_in(weights_.emplace<Weights<Integer>>());
}

Integer Counter::ahead(std::size_t layer, std::size_t state) const {
    return std::visit([&](const auto& w) { return Integer(w.ahead[layer][state]); }, weights_);
}

Integer Counter::behind(std::size_t layer, std::size_t state) const {
    return std::visit([&](const auto& w) { return Integer(w.behind[layer][state]); }, weights_);
}

bool Counter::is_dead(std::size_t layer, std::size_t state) const {
    return std::visit([&](const auto& w) { return w.ahead[layer][state] == 0; }, weights_);
}

// How much goes along each class of a step, but for the class's own weight.
template <class Number>
std::vector<Integer> Counter::flow_in(const Weights<Number>& weights, std::size_t step) const {
    std::vector<Number> sums(steps_[step].classes.size(), 0);
    const auto& ahead = weights.ahead[step + 1];
    const auto& behind = weights.behind[step];
    for (std::size_t s = 0; s < behind.size(); ++s) {
        if (behind[s] == 0) continue;
        for (const Edge& e : edges(step, s))
            if (ahead[e.to] != 0) sums[e.of] += behind[s] * ahead[e.to] * e.times;
    }
    return {sums.begin(), sums.end()};
}

// The same for one of the blocks that are decided together, whichever it is.
std::vector<Integer> Counter::flow_among_alike() const {
    std::vector<Integer> sums(alike_->choices().size(), 0);
    const Integer blocks = steps_.size() - built_;
    for (std::size_t s = 0; s < alike_times_.size(); ++s) {
        if (alike_times_[s].empty()) continue;
        const Integer all = behind(built_, s) * ahead(built_, s);
        for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += all * alike_times_[s][c];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] /= blocks * alike_->choices()[c].weight;
    return sums;
}

const std::vector<Integer>& Counter::flow(std::size_t step) {
    auto& of = flows_[std::min(step, built_)];
    if (!of) of = step >= built_ ? flow_among_alike() : std::visit([&](const auto& w) { return flow_in(w, step); }, weights_);
    return *of;
}

}  // namespace houserule
