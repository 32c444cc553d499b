// Estimates of shares by random walks over histories, for when the counter does not finish.
//
// Several walks begin at histories that were found in different ways, and each counts what lies where as it goes. Their first quarter is
// left out. Walks that mix agree; how much their means differ is the error: half of Student's 95 % interval, over walks. A share that
// hardly occurs has the error of an event that did not happen in as many independent draws as the walks were worth at that place.
#include "dsl/text/ratio.hpp"
#include "solver/deduce/deduction_impl.hpp"
#include "solver/deduce/history_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace houserule {

namespace {

constexpr std::size_t walks_most = 8;
constexpr double student_of_walks = 2.365;  // for 95 %, two-sided, 7 degrees of freedom
constexpr std::size_t rounds_most = 32;     // of each walk; then two become one, twice as long
constexpr std::size_t rounds_least = 8;
constexpr std::size_t steps_at_first = 8;  // of a round
constexpr std::size_t starts_tried = 4 * walks_most;
constexpr double good_error = 0.02;  // of all shares: enough

// Of one round of one walk: how often each number of copies was met, by thing, value and number, one after the other.
using Counts = std::vector<std::uint64_t>;

struct Spots {
    const Knowledge& known;
    std::vector<std::vector<std::size_t>> first;  // by thing and value: where its counts begin
    std::size_t size = 0;

    explicit Spots(const Knowledge& k) : known(k) {
        for (const HiddenThing& thing : k.things) {
            first.emplace_back();
            for (const Possibility& p : thing.values) first.back().push_back(size), size += p.weights.size();
        }
    }
    // What is the case on the table, one index a value.
    std::vector<std::size_t> met(const Run& run) const {
        std::vector<std::size_t> all;
        for (std::size_t t = 0; t < known.things.size(); ++t) {
            const HiddenThing& thing = known.things[t];
            const std::vector<KindId> kinds = thing.is_fact ? std::vector<KindId>{} : run.kinds_at(thing.place);
            const std::int32_t fact = thing.is_fact ? run.fact(thing.fact, thing.index) : 0;
            for (std::size_t v = 0; v < thing.values.size(); ++v) {
                const std::int32_t value = thing.values[v].value;
                const std::size_t copies = thing.is_fact ? (fact == value ? 1 : 0) : std::count(kinds.begin(), kinds.end(), KindId(value));
                all.push_back(first[t][v] + std::min(copies, thing.values[v].weights.size() - 1));
            }
        }
        return all;
    }
};

struct Walker {
    HistoryWalk walk;
    Random random;
    std::vector<std::size_t> here;
    std::vector<Counts> rounds;
    std::vector<History> met;  // one a round

    void go(std::size_t steps, const Spots& spots, const std::vector<KindId>& kinds) {
        Counts counts(spots.size, 0);
        std::uint64_t stayed = 0;
        const auto count = [&] {
            for (const std::size_t spot : here) counts[spot] += stayed;
            stayed = 0;
        };
        for (std::size_t s = 0; s < steps; ++s) {
            if (walk.step(random, kinds)) {
                count();
                here = spots.met(walk.present());
            }
            ++stayed;
        }
        count();
        rounds.push_back(std::move(counts));
        met.push_back(walk.history());
    }
    // Two rounds become one.
    void merge() {
        for (std::size_t r = 0; r < rounds.size() / 2; ++r) {
            Counts both = rounds[2 * r];
            for (std::size_t c = 0; c < both.size(); ++c) both[c] += rounds[2 * r + 1][c];
            rounds[r] = std::move(both);
            met[r] = std::move(met[2 * r + 1]);
        }
        rounds.resize(rounds.size() / 2);
        met.resize(rounds.size());
    }
    // Over all rounds but the first quarter.
    Counts all() const {
        Counts sum = rounds.back();
        for (std::size_t r = rounds.size() / 4; r + 1 < rounds.size(); ++r)
            for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += rounds[r][c];
        return sum;
    }
};

// Sets the errors from how much the walks differ; returns the largest.
double set_errors(Knowledge& k, const Spots& spots, const std::vector<Counts>& walks) {
    const double n = walks.size();
    double largest = 0;
    for (std::size_t t = 0; t < k.things.size(); ++t) {
        std::vector<double> variances;  // of the means over all walks
        double own = 0;                 // the variance of one draw, and of those means, over all values
        double all = 0;
        for (std::size_t v = 0; v < k.things[t].values.size(); ++v) {
            std::vector<double> shares;
            double mean = 0;
            for (const Counts& walk : walks) {
                std::uint64_t sum = 0;
                for (std::size_t c = 0; c < k.things[t].values[v].weights.size(); ++c) sum += walk[spots.first[t][v] + c];
                shares.push_back(1 - ratio(walk[spots.first[t][v]], sum));
                mean += shares.back() / n;
            }
            double squares = 0;
            for (const double s : shares) squares += (s - mean) * (s - mean);
            variances.push_back(squares / (n - 1) / n);
            own += mean * (1 - mean);
            all += variances.back();
        }
        const double draws = all > 0 ? own / all : n;
        for (std::size_t v = 0; v < variances.size(); ++v) {
            double& error = k.things[t].values[v].error;
            error = std::min(1.0, std::max(student_of_walks * std::sqrt(variances[v]), 3 / std::max(draws, 1.0)));
            if (k.things[t].values[v].possible != Answer::no && k.things[t].values[v].certain != Answer::yes)
                largest = std::max(largest, error);
        }
    }
    return largest;
}

std::vector<Counts> all_of(const std::vector<Walker>& walkers) {
    std::vector<Counts> all;
    for (const Walker& w : walkers) all.push_back(w.all());
    return all;
}

std::uint64_t work_of(const std::vector<Walker>& walkers) {
    std::uint64_t nodes = 0;
    for (const Walker& w : walkers) nodes += w.walk.work();
    return nodes * work_a_played_node;
}

// The kinds that an unseen answer or an unseen place may name.
std::vector<KindId> exchanged_kinds(const Knowledge& k, const std::vector<Walker>& walkers, std::size_t all) {
    std::vector<bool> is_unseen(all, false);
    for (const Walker& w : walkers) w.walk.note_kinds(is_unseen);
    for (const HiddenThing& thing : k.things)
        for (const Possibility& p : thing.values)
            if (!thing.is_fact && p.possible != Answer::no) is_unseen[p.value] = true;
    std::vector<KindId> kinds;
    for (std::size_t kind = 0; kind < all; ++kind)
        if (is_unseen[kind]) kinds.push_back(KindId(kind));
    return kinds;
}

// Until the work is done or the shares are good. Not as soon as the walks happen to agree: then they would agree too well.
void go_on(std::vector<Walker>& walkers, Knowledge& k, const Spots& spots, const std::vector<KindId>& kinds, std::uint64_t most,
           const Deadline& until) {
    bool was_good = false;
    for (std::size_t steps = steps_at_first; work_of(walkers) < most && !until.over();) {
        for (Walker& w : walkers) w.go(steps, spots, kinds);
        if (walkers.front().rounds.size() < rounds_most) continue;
        const bool is_good = set_errors(k, spots, all_of(walkers)) <= good_error;
        if (std::exchange(was_good, is_good) && is_good) return;
        for (Walker& w : walkers) w.merge();
        steps *= 2;
    }
}

void set_shares(Knowledge& k, const Spots& spots, const std::vector<Walker>& walkers) {
    const std::vector<Counts> all = all_of(walkers);
    for (const Counts& counts : all)
        for (std::size_t t = 0; t < k.things.size(); ++t)
            for (std::size_t v = 0; v < k.things[t].values.size(); ++v)
                for (std::size_t c = 0; c < k.things[t].values[v].weights.size(); ++c)
                    k.things[t].values[v].weights[c] += counts[spots.first[t][v] + c];
    for (const Rational& weight : k.things.front().values.front().weights) k.weight += weight;
    set_errors(k, spots, all);
    k.samples = walkers.size();
}

}  // namespace

// Histories to begin at, from the worlds that were found while it was decided what can be: as different as there are.
std::vector<History> Deduction::Impl::found_histories(std::size_t most) {
    std::vector<History> histories;
    if (is_loose()) {
        const std::size_t wanted = std::min(most, played.size());
        for (std::size_t n = 0; n < wanted; ++n) histories.push_back(played[n * played.size() / wanted]);
        return histories;
    }
    std::vector<std::pair<const Path*, const std::vector<int>*>> found;
    for (const Path& path : paths)
        for (const std::vector<int>& world : path.worlds) found.emplace_back(&path, &world);
    const std::size_t wanted = std::min(most, found.size());
    for (std::size_t n = 0; n < wanted; ++n) {
        const auto& [path, world] = found[n * found.size() / wanted];
        Counter::Assignment assignment;
        for (std::size_t u = 0; u < world->size(); ++u) assignment.emplace_back(u, (*world)[u]);
        histories.push_back(history(*path, assignment));
    }
    return histories;
}

bool Deduction::Impl::walk(Knowledge& k, std::uint64_t most, const Deadline& until) {
    if (coexecution.seat() == onlooker) return false;
    Events seen;
    for (std::size_t e = 0; e < coexecution.noticed(); ++e) seen.push_back(coexecution.noticed(e));
    clear_shares(k, true);
    const Spots spots(k);
    std::vector<Walker> walkers;
    const std::vector<History> starts = found_histories(starts_tried);
    for (std::size_t s = 0; s < starts_tried && walkers.size() < walks_most && !starts.empty(); ++s) {
        // Evenly over what was found, then what lies between.
        const History& start = starts[(s * (starts_tried / walks_most) + s / walks_most) % starts.size()];
        Walker walker{{machine, coexecution.seat(), seen, limits.paths.uniform_play, limits.stop}, Random(s + 1), {}, {}, {}};
        walker.walk.end_at(question, ends_at_lots);
        if (!walker.walk.start(start)) continue;
        walker.here = spots.met(walker.walk.present());
        walkers.push_back(std::move(walker));
    }
    if (walkers.size() < walks_most) return false;
    go_on(walkers, k, spots, exchanged_kinds(k, walkers, game().kinds.size()), most, until);
    work.spend(work_of(walkers));
    if (walkers.front().rounds.size() < rounds_least) return false;
    set_shares(k, spots, walkers);
    for (Walker& w : walkers)
        for (std::size_t r = w.met.size() / 4; r < w.met.size(); ++r) pool.emplace_back(std::move(w.met[r]), 1.0);
    return true;
}

}  // namespace houserule
