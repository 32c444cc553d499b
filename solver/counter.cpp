#include "solver/counter.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace houserule {

namespace {

// States between two looks at the clock: what is left of their conditions may take a microsecond each, or a hundred.
constexpr std::size_t clock_states = 1024;

// Keys of one length, each once, by number.
class Keys {
public:
    explicit Keys(std::size_t length) : length_(length), table_(64, none) {}

    std::size_t size() const { return count_; }
    const std::int32_t* key(std::size_t i) const { return all_.data() + i * length_; }
    std::uint32_t find(const std::vector<std::int32_t>& key) {
        const std::uint64_t h = hash(key.data());
        std::size_t slot = h & (table_.size() - 1);
        for (; table_[slot] != none; slot = (slot + 1) & (table_.size() - 1))
            if (hashes_[table_[slot]] == h && std::equal(key.begin(), key.end(), this->key(table_[slot]))) return table_[slot];
        const auto number = static_cast<std::uint32_t>(count_++);
        table_[slot] = number;
        all_.insert(all_.end(), key.begin(), key.end());
        hashes_.push_back(h);
        if (count_ * 2 > table_.size()) grow();
        return number;
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::uint64_t hash(const std::int32_t* key) const {
        std::uint64_t h = length_;
        for (std::size_t i = 0; i < length_; ++i) {
            h ^= static_cast<std::uint32_t>(key[i]) + 0x9E3779B97F4A7C15 + (h << 6) + (h >> 2);
            h *= 0xD6E8FEB86659FD93;
        }
        return h ^ (h >> 32);
    }
    void grow() {
        std::vector<std::uint32_t> larger(table_.size() * 2, none);
        for (std::uint32_t i = 0; i < count_; ++i) {
            std::size_t slot = hashes_[i] & (larger.size() - 1);
            while (larger[slot] != none) slot = (slot + 1) & (larger.size() - 1);
            larger[slot] = i;
        }
        table_ = std::move(larger);
    }

    std::size_t length_;
    std::size_t count_ = 0;
    std::vector<std::int32_t> all_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> table_;
};

// A condition, sum or factor, between the first and the last unknown in it.
struct Slot {
    enum class What : std::uint8_t { condition, sum, factor } what;
    std::size_t index;
    int first;
    int last;
    std::int32_t begins;        // before its first unknown: a formula, or what is missing
    std::vector<bool> touched;  // by position: whether that unknown is in it
};

}  // namespace

Counter::Counter(Formulas& formulas, CountModel model, CountLimits limits) : formulas_(formulas), model_(std::move(model)), limits_(limits) {
    prepare();
    if (!problem_.hit()) build();
    if (!problem_.hit()) weigh();
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
            case Formulas::Shape::foreign: problem_ = {LimitKind::large_numbers}; break;
            case Formulas::Shape::leaf: {
                const int p = position_[static_cast<std::size_t>(formulas_.about(plain))];
                if (p < 0) problem_ = {LimitKind::uncounted_unknown};
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

std::vector<bool> Counter::places_in(Truth t) const {
    std::vector<bool> places(model_.unknowns.size(), false);
    std::vector<bool> walked(formulas_.size(), false);
    std::vector<Truth> waiting{t};
    while (!waiting.empty()) {
        const Truth next = waiting.back();
        waiting.pop_back();
        const auto node = static_cast<std::size_t>(Formulas::node(next));
        if (walked[node]) continue;
        walked[node] = true;
        if (formulas_.shape(next) == Formulas::Shape::all) waiting.insert(waiting.end(), formulas_.parts(next).begin(), formulas_.parts(next).end());
        if (formulas_.shape(next) == Formulas::Shape::leaf) places[static_cast<std::size_t>(position_[static_cast<std::size_t>(formulas_.about(next))])] = true;
    }
    return places;
}

// What is left of a formula when the unknown has the value. Unknowns before it are no longer in the formula.
Truth Counter::cofactor(Truth t, std::int32_t unknown, int value) {
    const int here = position_[static_cast<std::size_t>(unknown)];
    const auto node = static_cast<std::size_t>(Formulas::node(t));
    if (node < cofactor_of_.size() && cofactor_of_[node] == turn_) {
        const Truth known{cofactors_[node]};
        return Formulas::negated(t) ? Formulas::negate(known) : known;
    }
    if (first_position(t) > here) return t;
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

bool Counter::is_late() {
    if (std::chrono::steady_clock::now() > limits_.until) problem_ = {LimitKind::out_of_time};
    return problem_.hit();
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
    if (problem_.hit()) return;
    // What a state holds: of every condition, sum and factor that lies across, what is left of it.
    std::vector<Slot> slots;
    for (const Entry& e : conditions) slots.push_back({Slot::What::condition, e.index, e.first, e.last, model_.conditions[e.index].id, places_in(model_.conditions[e.index])});
    for (const Entry& e : sums) slots.push_back({Slot::What::sum, e.index, e.first, e.last, static_cast<std::int32_t>(model_.sums[e.index].total), in_sum[e.index]});
    for (const Entry& e : factors) slots.push_back({Slot::What::factor, e.index, e.first, e.last, model_.factors[e.index].when.id, places_in(model_.factors[e.index].when)});
    layers_.resize(n + 1);
    Keys keys(0);
    keys.find({});
    state_count_ = 1;
    std::vector<std::size_t> own;  // the slots of the states at hand, in the order of their keys
    for (std::size_t p = 0; p < n; ++p) {
        const int here = static_cast<int>(p);
        const std::int32_t unknown = model_.unknowns[p].second;
        const int values = formulas_.unknowns()[static_cast<std::size_t>(unknown)].values;
        std::vector<std::size_t> at_hand = own;
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (slots[i].first == here) at_hand.push_back(i);
        std::vector<std::size_t> after;
        for (const std::size_t i : at_hand)
            if (slots[i].last > here) after.push_back(i);
        // Those that the unknown is part of first: what cannot be is then left at once.
        std::vector<std::pair<std::size_t, std::ptrdiff_t>> changed;  // slot by place in the key, and where it goes, or -1
        std::vector<std::pair<std::size_t, std::size_t>> kept;
        std::size_t next_place = 0;
        for (std::size_t i = 0; i < at_hand.size(); ++i) {
            const Slot& slot = slots[at_hand[i]];
            const bool goes_on = slot.last > here;
            if (slot.touched[p]) changed.emplace_back(i, goes_on ? static_cast<std::ptrdiff_t>(next_place) : -1);
            else if (goes_on) kept.emplace_back(i, next_place);
            if (goes_on) ++next_place;
        }
        Layer& layer = layers_[p];
        Keys next(after.size());
        std::vector<std::vector<std::pair<std::uint32_t, Edge>>> found(static_cast<std::size_t>(values));
        std::vector<std::int32_t> key(after.size());
        for (int v = 0; v < values && !problem_.hit(); ++v) {
            ++turn_;
            for (std::size_t s = 0; s < keys.size(); ++s) {
                if (s % clock_states == clock_states - 1 && is_late()) break;
                const std::int32_t* from = keys.key(s);
                const auto before = [&](std::size_t i) { return i < own.size() ? from[i] : slots[at_hand[i]].begins; };
                std::uint64_t times = 1;
                bool dead = false;
                for (const auto& [i, to] : changed) {
                    const Slot& slot = slots[at_hand[i]];
                    std::int32_t left = before(i);
                    if (slot.what == Slot::What::sum) {
                        left -= v;
                        dead = left < 0 || left > most[slot.index][p + 1];
                    } else {
                        const Truth t{left};
                        const Truth rest = cofactor(t, unknown, v);
                        left = rest.id;
                        if (slot.what == Slot::What::condition) {
                            dead = rest == Formulas::no;
                        } else if (rest == Formulas::yes) {
                            // Once it has counted it is like one that never will.
                            times *= model_.factors[slot.index].times;
                            left = Formulas::no.id;
                        }
                    }
                    if (dead) break;
                    if (to >= 0) key[static_cast<std::size_t>(to)] = left;
                }
                if (dead) continue;
                for (const auto& [i, to] : kept) key[to] = before(i);
                found[static_cast<std::size_t>(v)].push_back({static_cast<std::uint32_t>(s), {next.find(key), static_cast<std::uint32_t>(v), times}});
            }
        }
        if (problem_.hit()) return;
        std::vector<std::uint32_t> count(keys.size() + 1, 0);
        for (const auto& of_value : found)
            for (const auto& [s, edge] : of_value) ++count[s + 1];
        for (std::size_t s = 1; s < count.size(); ++s) count[s] += count[s - 1];
        layer.first = count;
        layer.edges.resize(count.back());
        for (const auto& of_value : found)
            for (const auto& [s, edge] : of_value) layer.edges[count[s]++] = edge;
        own = std::move(after);
        keys = std::move(next);
        state_count_ += keys.size();
        if (state_count_ > limits_.states) problem_ = {LimitKind::too_many_states, limits_.states};
        if (problem_.hit() || is_late()) return;
        if (keys.size() == 0) {
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
        if (is_late()) return;
        for (std::size_t s = 0; s + 1 < layer.first.size(); ++s)
            for (const Edge& e : edges(p, s)) {
                const Integer& next = layers_[p + 1].ahead[e.to];
                if (e.times == 1) layer.ahead[s] += next;
                else layer.ahead[s] += next * e.times;
            }
    }
    layers_[0].behind.assign(1, 1);
    for (std::size_t p = 0; p < n; ++p) {
        if (is_late()) return;
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

// The numbers' conditions are carried along the layers like those of the model, beside each state; at the end they are decided.
std::optional<Counter::Shares> Counter::shares(const Terms& terms, const std::vector<Terms::Int>& of) {
    if (layers_.empty()) return Shares{};
    std::vector<std::int32_t> asked;
    std::vector<std::vector<std::pair<Value, std::size_t>>> cases(of.size());  // by number: a value, and whose truth it is
    int first = static_cast<int>(model_.unknowns.size());
    int last = -1;
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i].is_constant()) continue;
        const bool narrow = terms.each_case(of[i], [&](Value v, const Truth& when) {
            cases[i].emplace_back(v, asked.size());
            asked.push_back(when.id);
            first = std::min(first, first_position(when));
            last = std::max(last, last_position(when));
        });
        if (!narrow || problem_.hit()) return share_problem_ = narrow ? problem_ : Limit{LimitKind::large_numbers}, std::nullopt;
    }
    std::map<std::vector<Value>, Integer> result;
    const auto add = [&](const std::vector<std::int32_t>& decided, const Integer& weight) {
        std::vector<Value> combination;
        for (std::size_t i = 0; i < of.size(); ++i) {
            Value value = of[i].low();
            for (const auto& [v, truth] : cases[i])
                if (decided[truth] == Formulas::yes.id) value = v;
            combination.push_back(value);
        }
        result[combination] += weight;
    };
    if (last < 0) {
        add(asked, total_);
        return Shares(result.begin(), result.end());
    }
    std::vector<std::vector<std::int32_t>> left{asked};  // what is left of what is asked, each once
    std::unordered_map<std::uint64_t, Integer> on_the_way;  // by state and number in `left`
    const auto begin = static_cast<std::size_t>(first);
    for (std::size_t s = 0; s + 1 < layers_[begin].first.size(); ++s)
        if (layers_[begin].behind[s] != 0 && layers_[begin].ahead[s] != 0) on_the_way[s << 32] = layers_[begin].behind[s];
    for (auto p = begin; p <= static_cast<std::size_t>(last); ++p) {
        const std::int32_t unknown = model_.unknowns[p].second;
        const auto values = static_cast<std::size_t>(formulas_.unknowns()[static_cast<std::size_t>(unknown)].values);
        std::map<std::vector<std::int32_t>, std::uint32_t> number;
        std::vector<std::vector<std::int32_t>> next_left;
        std::vector<std::uint32_t> becomes(left.size() * values);
        for (std::size_t v = 0; v < values; ++v) {
            ++turn_;
            for (std::size_t l = 0; l < left.size(); ++l) {
                std::vector<std::int32_t> rest;
                for (const std::int32_t t : left[l]) rest.push_back(cofactor({t}, unknown, static_cast<int>(v)).id);
                const auto [entry, is_new] = number.try_emplace(rest, static_cast<std::uint32_t>(next_left.size()));
                if (is_new) next_left.push_back(std::move(rest));
                becomes[l * values + v] = entry->second;
            }
        }
        std::unordered_map<std::uint64_t, Integer> next;
        next.reserve(on_the_way.size());
        for (const auto& [where, weight] : on_the_way) {
            for (const Edge& e : edges(p, where >> 32)) {
                if (layers_[p + 1].ahead[e.to] == 0) continue;
                Integer& there = next[static_cast<std::uint64_t>(e.to) << 32 | becomes[(where & 0xFFFFFFFF) * values + e.value]];
                if (e.times == 1) there += weight;
                else there += weight * e.times;
            }
        }
        on_the_way = std::move(next);
        left = std::move(next_left);
        if (on_the_way.size() > limits_.states) share_problem_ = {LimitKind::too_many_combinations, limits_.states};
        else if (std::chrono::steady_clock::now() > limits_.until) share_problem_ = {LimitKind::out_of_time};
        if (share_problem_.hit()) return std::nullopt;
    }
    for (const auto& [where, weight] : on_the_way) add(left[where & 0xFFFFFFFF], weight * layers_[static_cast<std::size_t>(last) + 1].ahead[where >> 32]);
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
