// The decision diagram of a counter, layer by layer: bounds of sums, states, beam sampling. See counter.hpp.
//
// Weighted model counting with a decision diagram that is built breadth first from memoised cofactors (Bryant 1986; for the frontier,
// Knuth, The Art of Computer Programming 4A, 7.1.4). If it grows too wide, a beam of its states is sampled and weighed by the inverse of
// the probability of being kept (Horvitz and Thompson 1952; compare stochastic beam search, Kool et al. 2019).
//
// A worked example. P2 held two of clubs 3, stars 1, 2 and 3 and was seen to play stars 1. Unknowns of 0 or 1: h0 .. h3, was it held;
// c0 .. c3, was it played. Sums: the h make 2, the c make 1. Conditions: c0 -> h0; ck -> hk and not h0; c1, not c0, not c2, not c3. A state
// is what the two sums still want, with what is left of the conditions; the blocks are the kinds. The edges that are kept:
//   (2,1)  clubs 3:  h0 = c0 = 0  -> (2,1)    h0 = 1 would leave `not c1` of `c1 -> not h0`, against `c1`: the next block has no edge
//   (2,1)  stars 1: h1 = c1 = 1  -> (1,0)    the sum of the c is reached: later c are 0, their conditions fold away
//   (1,0)  stars 2: h2 = 0       -> (1,0)    or h2 = 1 -> (0,0): two states in the next layer
//   (1,0)  stars 3: h3 = 1       -> (0,0)    and from (0,0): h3 = 0 -> (0,0), the end
// The backward pass counts 1 and 1 for the two states before stars 3, 2 for the state before stars 2, and so 2 in all; the forward pass
// gives h2 = 1 a share of 1/2. A state that wants more of a sum than later blocks can add (`most_`, `bounds_`) is dropped at once.
#include "solver/count/counter.hpp"

#include "dsl/text/hash.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/run/run.hpp"

#include <algorithm>
#include <array>

namespace houserule {

namespace {

// States between two looks at the clock: what is left of their conditions may take a microsecond each, or a hundred.
constexpr std::size_t clock_states = 1024;

// So many sums are bounded together in every combination.
constexpr std::size_t bounded_most = 8;

// Keys of one length, each once, by number. With boost::unordered_flat_set in place of the table, keys take a quarter longer where there
// are a few hundred of them, as in most layers, and a tenth less only from a hundred thousand on (random keys of six words, median of
// nine runs).
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
        const std::uint32_t number = count_++;
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
        for (std::size_t i = 0; i < length_; ++i) h = hash_with(h, static_cast<std::uint32_t>(key[i]));
        return h;
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

// Rows of small numbers, eight to a word, to be compared all at once. A number is below 128: the bit above says whether one was borrowed.
class Lanes {
public:
    Lanes(std::size_t rows, std::size_t numbers) : width_((numbers + 7) / 8), words_(rows * width_, 0) {}

    static constexpr std::int64_t most = 127;
    void set(std::size_t row, std::size_t i, std::int64_t value) {
        words_[row * width_ + i / 8] |= static_cast<std::uint64_t>(std::min(value, most)) << i % 8 * 8;
    }
    // Whether no number of the row is below that of `less` (one row), and what is left of it is nowhere above that of `bound`.
    bool can_lose(std::size_t row, const Lanes& less, const Lanes& bound) const {
        constexpr std::uint64_t borrow = 0x8080808080808080;
        for (std::size_t w = 0; w < width_; ++w) {
            const std::uint64_t left = (words_[row * width_ + w] | borrow) - less.words_[w];
            if ((left & borrow) != borrow || (((bound.words_[w] | borrow) - (left & ~borrow)) & borrow) != borrow) return false;
        }
        return true;
    }

private:
    std::size_t width_;
    std::vector<std::uint64_t> words_;
};

}  // namespace

// What sums, alone and together, can still get after each step. Together it is less: one card goes to one of them.
void Counter::make_bounds() {
    std::vector<std::size_t> all(model_.sums.size());
    for (std::size_t s = 0; s < all.size(); ++s) all[s] = s;
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return model_.sums[a].total > model_.sums[b].total; });
    bounded_.assign(all.begin(), all.begin() + std::min(all.size(), bounded_most));
    const auto most_of = [&](const std::function<std::int64_t(const Class&)>& get) {
        std::vector<std::int64_t> most(steps_.size() + 1, 0);
        for (std::size_t t = steps_.size(); t-- > 0;) {
            std::int64_t best = 0;
            for (const Class& c : steps_[t].classes) best = std::max(best, get(c));
            most[t] = most[t + 1] + best;
        }
        return most;
    };
    for (std::size_t s = 0; s < model_.sums.size(); ++s) most_.push_back(most_of([&](const Class& c) { return c.adds[s]; }));
    bounds_.assign(steps_.size() + 1, std::vector<std::int64_t>(std::size_t{1} << bounded_.size(), 0));
    for (std::size_t set = 1; set < bounds_.front().size(); ++set) {
        const std::vector<std::int64_t> most = most_of([&](const Class& c) {
            std::int64_t sum = 0;
            for (std::size_t b = 0; b < bounded_.size(); ++b)
                if ((set >> b & 1) != 0) sum += c.adds[bounded_[b]];
            return sum;
        });
        for (std::size_t layer = 0; layer < most.size(); ++layer) bounds_[layer][set] = most[layer];
    }
}

// `missing`: by sum. False when some sums can no longer get what they miss.
bool Counter::can_end(std::size_t layer, const std::vector<std::int32_t>& missing) const {
    for (std::size_t s = 0; s < missing.size(); ++s)
        if (missing[s] > most_[s][layer]) return false;
    // Each set wants what it wants without its last sum, and that.
    std::array<std::int64_t, std::size_t{1} << bounded_most> wanted{};
    const std::vector<std::int64_t>& most = bounds_[layer];
    for (std::size_t b = 0; b < bounded_.size(); ++b) {
        const std::size_t last = std::size_t{1} << b;
        for (std::size_t set = last; set < 2 * last; ++set) {
            wanted[set] = wanted[set - last] + missing[bounded_[b]];
            if (wanted[set] > most[set]) return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- along one step

// What becomes of the rules along a step. A state is what its sums still want, in the order of `sums_before`, and the number of what is
// left of its conditions and factors, in the order of `rest_before`; those of many states are the same.
struct Counter::Plan {
    struct Change {
        std::ptrdiff_t from;  // its place before, or -1: it begins with the step
        std::ptrdiff_t to;    // and after, or -1
        const Rule* rule;
        // Of a sum, in a state before the step.
        std::int32_t wanted(const std::int32_t* state) const { return from < 0 ? rule->begins : state[from]; }
    };
    struct Tie {
        std::size_t place;
        const Rule* rule;
        bool is_new;
    };
    // A sum that goes on, and the conditions and factors with later unknowns of it: what is left of those when it has all it wants.
    // Those that are new at hand learn of all such sums, the others of what has just been.
    struct Filling {
        std::size_t sum;
        std::size_t place;
        std::ptrdiff_t before;  // its place before, or -1
        std::vector<Tie> ties;
    };
    std::vector<std::size_t> sums_before, rest_before;  // rules
    std::vector<std::size_t> sums, rest;                // and after
    std::vector<Change> sum_changes;
    std::vector<Change> touched;  // of the rest
    std::vector<Change> kept;
    std::vector<Filling> fillings;
};

Counter::Plan Counter::plan_of(const Step& step, std::vector<std::size_t> sums, std::vector<std::size_t> rest) const {
    Plan plan;
    plan.sums_before = std::move(sums);
    plan.rest_before = std::move(rest);
    const auto add = [&](std::size_t rule, std::ptrdiff_t from) {
        const Rule& r = rules_[rule];
        const bool is_sum = r.what == Rule::What::sum;
        std::vector<std::size_t>& after = is_sum ? plan.sums : plan.rest;
        const bool goes_on = r.last() >= step.end;
        const auto first = std::lower_bound(r.positions.begin(), r.positions.end(), step.begin);
        const bool touches = first != r.positions.end() && *first < step.end;
        (is_sum    ? plan.sum_changes
         : touches ? plan.touched
                   : plan.kept)
            .push_back({from, goes_on ? static_cast<std::ptrdiff_t>(after.size()) : -1, &r});
        if (goes_on) after.push_back(rule);
    };
    for (const std::vector<std::size_t>* before : {&plan.sums_before, &plan.rest_before})
        for (std::size_t i = 0; i < before->size(); ++i) add((*before)[i], static_cast<std::ptrdiff_t>(i));
    for (std::size_t r = 0; r < rules_.size(); ++r)
        if (rules_[r].first() >= step.begin && rules_[r].first() < step.end && rules_[r].last() >= step.end) add(r, -1);
    for (const Plan::Change& change : plan.sum_changes) {
        if (change.to < 0) continue;
        Plan::Filling filling{change.rule->index, static_cast<std::size_t>(change.to), change.from, {}};
        for (std::size_t j = 0; j < plan.rest.size(); ++j) {
            const Rule& r = rules_[plan.rest[j]];
            const bool tied =
                std::any_of(r.positions.begin(), r.positions.end(), [&](int p) { return p >= step.end && is_of_[filling.sum][p]; });
            if (tied) filling.ties.push_back({j, &r, r.first() >= step.begin});
        }
        if (!filling.ties.empty()) plan.fillings.push_back(std::move(filling));
    }
    return plan;
}

// Whether the rule, of which so much is left, can still hold; a factor that counts does so at once, and is then like one that never will.
bool Counter::goes_on(const Rule& rule, std::int32_t& left, std::uint64_t& times) {
    if (rule.what == Rule::What::condition) return left != Formulas::no.id;
    if (left == Formulas::yes.id) {
        if (__builtin_mul_overflow(times, model_.factors[rule.index].times, &times)) problem_ = {LimitKind::large_weights};
        left = Formulas::no.id;
    }
    return true;
}

// What is left of conditions and factors after a step whose assignment was substituted, and by what the edge multiplies its class;
// false if something can no longer hold. `filled`, by filling: what the sum was.
bool Counter::follow(Plan& plan, const std::int32_t* from, const std::vector<Filled>& filled, std::vector<std::int32_t>& rest,
                     std::uint64_t& times) {
    times = 1;
    for (std::size_t n = 0; n < plan.touched.size(); ++n) {
        const Plan::Change& change = plan.touched[n];
        std::int32_t left = cofactor({change.from < 0 ? change.rule->begins : from[change.from]}).id;
        if (!goes_on(*change.rule, left, times)) {
            if (n > 0) std::swap(plan.touched[n - 1], plan.touched[n]);  // what excludes much comes to the front
            return false;
        }
        if (change.to >= 0) rest[change.to] = left;
    }
    for (const Plan::Change& change : plan.kept) rest[change.to] = from[change.from];
    for (std::size_t f = 0; f < filled.size(); ++f) {
        if (filled[f] == Filled::no) continue;
        for (const Plan::Tie& tie : plan.fillings[f].ties) {
            if (filled[f] == Filled::before && !tie.is_new) continue;
            std::int32_t& left = rest[tie.place];
            left = without(plan.fillings[f].sum, {left}).id;
            if (!goes_on(*tie.rule, left, times)) return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- the graph

// The layer that was built last.
struct Counter::Front {
    Keys keys{1};  // states: what sums want, and the number of a rest
    Keys rests{0};
    std::vector<double> mass{1};          // by state: how much leads there, about; only for sampling
    std::vector<std::size_t> sums, rest;  // the rules that have begun and go on
    std::vector<std::int32_t> total;      // of sums that have not begun
};

// A step along which the front goes on: the states after it and the edges that lead to them.
struct Counter::Advance {
    std::size_t layer;
    Plan plan;
    // Most classes fail because of sums: these are compared first, as many as fit.
    std::vector<const Plan::Change*> quick;
    Lanes most;    // what each can get later
    Lanes wanted;  // by state
    Keys next;     // states
    Keys next_rests;
    std::vector<bool> hopeless;                                        // by next state
    std::vector<std::vector<std::int32_t>> missing_of;                 // likewise, for sampling
    std::vector<std::vector<std::pair<std::uint32_t, Edge>>> found{};  // by class: from which state
    std::size_t edge_count = 0;
    // Of the state and class at hand.
    std::vector<std::int32_t> key{};
    std::vector<std::int32_t> rest{};
    std::vector<Filled> filled{};
    std::vector<std::int32_t> question{};  // the number of the rest, and which sums are filled
    std::vector<std::int32_t> missing{};
    static constexpr std::size_t in_one = 15;  // of two bits each
};

void Counter::build() {
    layers_.resize(built_ + 1);
    without_.resize(model_.sums.size());
    for (const Sum& s : model_.sums) {
        is_of_.emplace_back(model_.unknowns.size(), false);
        for (const std::int32_t u : s.unknowns) is_of_.back()[position_[u]] = true;
    }
    Front front;
    front.keys.find({static_cast<std::int32_t>(front.rests.find({}))});
    state_count_ = 1;
    for (const Sum& s : model_.sums) front.total.push_back(s.total);
    for (std::size_t t = 0; t < built_; ++t) {
        const Step& step = steps_[t];
        decided_ = ratio(step.begin, steps_[built_ - 1].end);
        Advance a = advance(t, front);
        for (std::size_t c = 0; c < step.classes.size() && !problem_.hit(); ++c) {
            follow_class(a, front, c);
            if (state_count_ + a.next.size() + a.edge_count / 8 > limits_.states) problem_ = {LimitKind::too_many_states, limits_.states};
        }
        if (problem_.hit()) return;
        drop_hopeless(a, front);
        add_layer(a, front);
        if (is_late()) return;
    }
    layers_.back().first.assign(front.keys.size() + 1, 0);
    if (alike_) note_missing(front);
}

// How many of the blocks that are decided together take each choice, behind each state.
void Counter::note_missing(const Front& front) {
    for (std::size_t s = 0; s < front.keys.size(); ++s) {
        std::vector<std::int32_t> missing = front.total;
        for (std::size_t i = 0; i < front.sums.size(); ++i) missing[rules_[front.sums[i]].index] = front.keys.key(s)[i];
        alike_times_.push_back(alike_->times(missing));
    }
}

Counter::Advance Counter::advance(std::size_t layer, Front& front) const {
    const Step& step = steps_[layer];
    for (const Rule& r : rules_)
        if (r.what == Rule::What::sum && r.first() >= step.begin && r.first() < step.end) front.total[r.index] = 0;
    Plan plan = plan_of(step, std::move(front.sums), std::move(front.rest));
    std::vector<const Plan::Change*> quick;
    for (const Plan::Change& sum : plan.sum_changes)
        if (model_.sums[sum.rule->index].total <= Lanes::most) quick.push_back(&sum);
    Lanes most(1, quick.size());
    for (std::size_t i = 0; i < quick.size(); ++i) most.set(0, i, most_[quick[i]->rule->index][layer + 1]);
    Lanes wanted(front.keys.size(), quick.size());
    for (std::size_t s = 0; s < front.keys.size(); ++s)
        for (std::size_t i = 0; i < quick.size(); ++i) wanted.set(s, i, quick[i]->wanted(front.keys.key(s)));
    const std::size_t sums = plan.sums.size();
    const std::size_t rests = plan.rest.size();
    // The changes that `quick` points to stay where they are when the plan is moved.
    Advance a{layer, std::move(plan), std::move(quick), std::move(most), std::move(wanted), Keys(sums + 1), Keys(rests), {}, {}};
    a.found.resize(step.classes.size());
    a.key.resize(sums + 1);
    a.rest.resize(rests);
    a.filled.resize(a.plan.fillings.size());
    a.question.resize(1 + (a.filled.size() + Advance::in_one - 1) / Advance::in_one);
    return a;
}

// From each state along one class, where that can be.
void Counter::follow_class(Advance& a, const Front& front, std::size_t c) {
    const Step& step = steps_[a.layer];
    const Class& of = step.classes[c];
    const std::size_t rest_place = a.plan.sums_before.size();
    substitute(step, step.locals[of.locals.front()]);
    Lanes adds(1, a.quick.size());
    for (std::size_t i = 0; i < a.quick.size(); ++i) adds.set(0, i, of.adds[a.quick[i]->rule->index]);
    // What became of a rest when the same sums were filled: its number, or that something can no longer hold.
    Keys questions(a.question.size());
    std::vector<std::pair<std::optional<std::uint32_t>, std::uint64_t>> answers;
    for (std::size_t s = 0; s < front.keys.size(); ++s) {
        if (s % clock_states == clock_states - 1 && is_late()) break;
        if (!a.wanted.can_lose(s, adds, a.most)) continue;
        const std::int32_t* from = front.keys.key(s);
        bool dead = false;
        for (const Plan::Change& sum : a.plan.sum_changes) {
            const std::int32_t left = sum.wanted(from) - static_cast<std::int32_t>(of.adds[sum.rule->index]);
            dead = dead || left < 0 || left > most_[sum.rule->index][a.layer + 1];
            if (sum.to >= 0) a.key[sum.to] = left;
        }
        if (dead) continue;
        std::fill(a.question.begin(), a.question.end(), 0);
        a.question[0] = from[rest_place];
        for (std::size_t f = 0; f < a.filled.size(); ++f) {
            const Plan::Filling& filling = a.plan.fillings[f];
            const bool was = filling.before >= 0 && from[filling.before] == 0;
            a.filled[f] = a.key[filling.place] != 0 ? Filled::no : was ? Filled::before : Filled::now;
            a.question[1 + f / Advance::in_one] |= static_cast<std::int32_t>(a.filled[f]) << 2 * (f % Advance::in_one);
        }
        const std::uint32_t q = questions.find(a.question);
        if (q == answers.size()) {
            std::uint64_t times = 1;
            const bool can_be = follow(a.plan, front.rests.key(a.question[0]), a.filled, a.rest, times);
            answers.emplace_back(can_be ? std::optional(a.next_rests.find(a.rest)) : std::nullopt, times);
        }
        const auto& [rest_after, times] = answers[q];
        if (!rest_after) continue;
        a.key.back() = *rest_after;
        const std::uint32_t to = a.next.find(a.key);
        if (to == a.hopeless.size()) note_next(a, front);
        if (a.hopeless[to]) continue;
        a.found[c].push_back({static_cast<std::uint32_t>(s), {to, static_cast<std::uint32_t>(c), times}});
        ++a.edge_count;
    }
}

// A next state that was not there before, the one of the key at hand: whether it can come to an end.
void Counter::note_next(Advance& a, const Front& front) const {
    a.missing = front.total;
    for (std::size_t i = 0; i < a.plan.sums.size(); ++i) a.missing[rules_[a.plan.sums[i]].index] = a.key[i];
    a.hopeless.push_back(!can_end(a.layer + 1, a.missing));
    if (sampling_) a.missing_of.push_back(a.missing);
}

// States that cannot end, or are thinned out, are gone; the others are numbered anew.
void Counter::drop_hopeless(Advance& a, Front& front) const {
    std::vector<std::uint64_t> worth;  // how often each next state counts
    for (const bool dead : a.hopeless) worth.push_back(dead ? 0 : 1);
    std::vector<double> next_mass(sampling_ ? a.next.size() : 0, 0);
    if (sampling_) {
        for (const auto& of_class : a.found)
            for (const auto& [s, edge] : of_class)
                next_mass[edge.to] += front.mass[s] * edge.times * static_cast<double>(steps_[a.layer].classes[edge.of].weight);
        sample_layer(a.layer + 1, next_mass, a.missing_of, worth);
    }
    front.mass.clear();
    if (!sampling_ && std::find(worth.begin(), worth.end(), 0) == worth.end()) return;
    Keys kept_keys(a.key.size());
    std::vector<std::uint32_t> number(a.next.size(), 0);
    for (std::size_t s = 0; s < a.next.size(); ++s) {
        if (worth[s] == 0) continue;
        a.key.assign(a.next.key(s), a.next.key(s) + a.key.size());
        number[s] = kept_keys.find(a.key);
        if (sampling_) front.mass.push_back(next_mass[s] * static_cast<double>(worth[s]));
    }
    for (auto& of_class : a.found) {
        std::erase_if(of_class, [&](const auto& e) { return worth[e.second.to] == 0; });
        for (auto& [s, edge] : of_class) {
            edge.times *= worth[edge.to];
            edge.to = number[edge.to];
        }
    }
    a.next = std::move(kept_keys);
}

// The edges state by state; what comes after the step is the front now.
void Counter::add_layer(Advance& a, Front& front) {
    Layer& layer = layers_[a.layer];
    std::vector<std::uint32_t> count(front.keys.size() + 1, 0);
    for (const auto& of_class : a.found)
        for (const auto& [s, edge] : of_class) ++count[s + 1];
    for (std::size_t s = 1; s < count.size(); ++s) count[s] += count[s - 1];
    layer.first = count;
    layer.edges.resize(count.back());
    for (const auto& of_class : a.found)
        for (const auto& [s, edge] : of_class) layer.edges[count[s]++] = edge;
    front.sums = std::move(a.plan.sums);
    front.rest = std::move(a.plan.rest);
    front.rests = std::move(a.next_rests);
    front.keys = std::move(a.next);
    state_count_ += front.keys.size() + a.edge_count / 8;
}

// ---------------------------------------------------------------- sampling

// As if each sum stood alone and every way to decide a step were as likely as its weight says.
void Counter::make_chances() {
    for (std::size_t s = 0; s < model_.sums.size(); ++s) {
        const std::size_t total = model_.sums[s].total;
        std::vector<std::vector<double>> chances(steps_.size() + 1, std::vector<double>(total + 1, 0));
        chances.back()[0] = 1;
        for (std::size_t t = steps_.size(); t-- > 0;) {
            double all = 0;
            for (const Class& c : steps_[t].classes) all += c.weight.convert_to<double>();
            for (const Class& c : steps_[t].classes)
                for (std::size_t get = c.adds[s]; get <= total; ++get)
                    chances[t][get] += chances[t + 1][get - static_cast<std::size_t>(c.adds[s])] * static_cast<double>(c.weight) / all;
        }
        chances_.push_back(std::move(chances));
    }
}

double Counter::chance_to_end(std::size_t layer, const std::vector<std::int32_t>& missing) const {
    double chance = 1;
    for (std::size_t s = 0; s < missing.size(); ++s) chance *= chances_[s][layer][missing[s]];
    return chance;
}

// `worth`, by state: how often it counts, 0 where it is dropped. One that is kept once in n times counts n times.
void Counter::sample_layer(std::size_t layer, const std::vector<double>& mass, const std::vector<std::vector<std::int32_t>>& missing,
                           std::vector<std::uint64_t>& worth) const {
    if (mass.size() <= sampling_->states) return;
    std::vector<double> hope;
    double all = 0;
    for (std::size_t s = 0; s < mass.size(); ++s) all += hope.emplace_back(worth[s] == 0 ? 0 : mass[s] * chance_to_end(layer, missing[s]));
    constexpr double rarest = 1 << 16;
    const double each = all / sampling_->states;
    for (std::size_t s = 0; s < mass.size(); ++s) {
        if (worth[s] == 0) continue;
        worth[s] = std::clamp(hope[s] > 0 ? each / hope[s] : rarest, 1.0, rarest);
        if (worth[s] > 1 && sampling_->random->below(worth[s]) != 0) worth[s] = 0;
    }
}

}  // namespace houserule
