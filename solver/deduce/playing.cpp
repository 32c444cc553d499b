// Conditions that were left open, since working them out takes too many formulas (UnknownTable::is_loose): more fits such paths than is
// true. What cannot be on them cannot be; what can is only called possible where a history was played on numbers and showed the seat what
// it saw. Histories are drawn from a count of the paths as they are, by their weight there, or come with the worlds that Z3 finds;
// estimates begin at those that were played.
#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction_impl.hpp"
#include "solver/terms/valuation.hpp"

#include <algorithm>

namespace houserule {

namespace {

constexpr std::uint64_t formulas_of_condition = 500'000;

// Histories that are drawn, and those of them that are kept at most.
constexpr std::size_t drawn_most = 256;
constexpr std::size_t kept_most = 32;
constexpr std::uint64_t around_most = 5'000'000;  // work
constexpr std::uint64_t around_least = 20'000;    // nodes of a walk, whether it meets anything new or not
constexpr int drawing_percent = 50;               // of the time for deciding
constexpr std::uint64_t count_most = 500'000;     // work

bool is_there(const Run& run, const HiddenThing& thing, std::int32_t value) {
    if (thing.is_fact) return run.fact(thing.fact, thing.index) == value;
    const std::vector<KindId> kinds = run.kinds_at(thing.place);
    return std::find(kinds.begin(), kinds.end(), KindId(value)) != kinds.end();
}

// What is open there and the case on the table. Whether there was any.
bool take_from_table(const Run& run, Knowledge& k) {
    bool is_new = false;
    for (HiddenThing& thing : k.things) {
        for (Possibility& p : thing.values) {
            if (p.is_decided() && p.certain != Answer::unknown) continue;
            Answer& open = is_there(run, thing, p.value) ? p.possible : p.certain;
            const Answer now = &open == &p.possible ? Answer::yes : Answer::no;
            is_new = is_new || open != now;
            open = now;
        }
    }
    return is_new;
}

}  // namespace

bool Deduction::Impl::has_open(const Knowledge& k) {
    return std::any_of(k.things.begin(), k.things.end(), [](const HiddenThing& thing) {
        return std::any_of(thing.values.begin(), thing.values.end(),
                           [](const Possibility& p) { return !p.is_decided() || p.certain == Answer::unknown; });
    });
}

// Who looks on does not see what is played.
CoexecutionLimits Deduction::Impl::paths_of(const DeductionLimits& limits, int seat) {
    CoexecutionLimits paths = limits.paths;
    if (paths.condition == 0) paths.condition = formulas_of_condition;
    if (seat == onlooker) paths.condition = 0;
    return paths;
}

// At the end of a history; null where it does not show the seat what it saw.
std::unique_ptr<HistoryWalk> Deduction::Impl::play(const History& history) {
    Events seen;
    for (std::size_t e = 0; e < coexecution.noticed(); ++e) seen.push_back(coexecution.noticed(e));
    auto walk = std::make_unique<HistoryWalk>(machine, coexecution.seat(), seen, limits.paths.uniform_play, limits.stop);
    walk->end_at(question, ends_at_lots);
    const bool shows = walk->start(history);
    work.spend(walk->work() * work_a_played_node);
    return shows ? std::move(walk) : nullptr;
}

// Whether it shows the seat what it saw, and perhaps more on the way to the next node.
bool Deduction::Impl::shows_so_far(const History& history) const {
    const auto run = make_run(machine);
    run->stop_on(limits.stop);
    Events events;
    std::string problem;
    if (!play_history(*run, history, events, problem)) return false;
    std::size_t shown = 0;
    for (std::size_t e = 0; e < settled(events) && shown < coexecution.noticed(); ++e) {
        const auto own = houserule::noticed(events[e], coexecution.seat());
        if (own && !is_told_as(*own, coexecution.noticed(shown++))) return false;
    }
    return shown == coexecution.noticed();
}

// Whether a world of a path is one: its history shows the seat what it saw, and ends at the table that the path tells.
bool Deduction::Impl::plays_as_told(const Path& path, const std::vector<int>& values) {
    Counter::Assignment assignment;
    for (const int value : values) assignment.emplace_back(std::ssize(assignment), value);
    const History own = history(path, assignment);
    const auto walk = play(own);
    if (!walk) return false;
    const Run& run = walk->present();
    Valuation valuation(terms().formulas(), values);
    const auto number = [&](const Terms::Int& i) { return valuation.value_of(terms(), i); };
    for (const PlaceId place : hidden_places()) {
        const std::vector<KindId> kinds = run.kinds_at(place);
        auto next = kinds.begin();
        for (const Part& part : path.table.parts[place]) {
            if (std::cmp_less(kinds.end() - next, part.size)) return false;
            const auto end = next + part.size;
            for (std::size_t kind = 0; kind < part.counts.size(); ++kind)
                if (number(part.counts[kind]) != std::count(next, end, KindId(kind))) return false;
            next = end;
        }
        const auto& order = path.table.state.piles[place].order;
        for (std::size_t c = 0; c < order.size() && c < kinds.size(); ++c)
            if (number(order[c]) != kinds[c]) return false;
    }
    for (const FactId f : game().facts.ids())
        for (std::int32_t index = 0; index < game().facts[f].count; ++index)
            if (const auto* content = std::get_if<Terms::Int>(&path.table.state.facts[f][index].content))
                if (run.fact(f, index) != unset_value && number(*content) != run.fact(f, index)) return false;
    if (played.size() < kept_most) played.push_back(own);
    return true;
}

// What is possible since it is so in histories near those that were found: walks from them meet in a moment what Z3 takes long to find. A
// walk ends when it has met nothing new for as long as all that came before.
void Deduction::Impl::look_around(Knowledge& k, std::uint64_t most, const Deadline& until) {
    if (coexecution.seat() == onlooker) return;
    const std::uint64_t end = work.spent() + std::min({most, around_most, work.left()});
    Random random(1);
    const std::vector<History> starts = found_histories(walks_around);
    for (std::size_t s = 0; s < starts.size(); ++s) {
        const auto walk = play(starts[s]);
        if (!walk) continue;
        take_from_table(walk->present(), k);
        std::vector<bool> is_unseen(game().kinds.size(), false);
        walk->note_kinds(is_unseen);
        for (const HiddenThing& thing : k.things)
            for (const Possibility& p : thing.values)
                if (!thing.is_fact && p.possible != Answer::no) is_unseen[p.value] = true;
        std::vector<KindId> kinds;
        for (std::size_t kind = 0; kind < is_unseen.size(); ++kind)
            if (is_unseen[kind]) kinds.push_back(KindId(kind));
        const std::uint64_t before = walk->work();
        const std::uint64_t own_end = before + (end - std::min(end, work.spent())) / work_a_played_node / (starts.size() - s);
        std::uint64_t news_end = before + around_least;
        while (walk->work() < std::min(own_end, news_end) && !until.over() && has_open(k))
            if (walk->step(random, kinds) && take_from_table(walk->present(), k))
                news_end = std::max(news_end, before + 2 * (walk->work() - before));
        work.spend((walk->work() - before) * work_a_played_node);
    }
}

// What is possible because it was played, with histories drawn by the weight that they would have if all that is open were so.
void Deduction::Impl::play_some(Knowledge& k, const Deadline& until) {
    const auto drawing = until.part(drawing_percent);
    Knowledge counted;
    if (!count_paths(counted, std::min(count_most, work.left()), drawing)) return;
    if (counted.weight == 0) {
        fit = Fit::impossible;
        return;
    }
    Random random(1);
    for (std::size_t n = 0; n < drawn_most && played.size() < kept_most && !drawing.over() && !work.gone(); ++n) {
        const History own = draw_counted(random);
        const auto walk = play(own);
        // Where more is noticed before the next node, the table is not that of now.
        if (walk || (stops_early && shows_so_far(own))) played.push_back(own);
        if (walk) take_from_table(walk->present(), k);
    }
}

}  // namespace houserule
