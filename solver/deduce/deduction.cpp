#include "interpreter/log/view.hpp"
#include "solver/deduce/deduction_impl.hpp"
#include "solver/terms/valuation.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace houserule {

Deduction::Deduction(std::shared_ptr<const Machine> machine, int seat, DeductionLimits limits)
    : impl_(std::make_unique<Impl>(std::move(machine), seat, limits)) {}
Deduction::~Deduction() = default;

std::size_t Deduction::blocked() const { return impl_->coexecution.blocked(); }
std::size_t Deduction::stopped_at() const { return impl_->coexecution.stopped_at(); }
std::size_t Deduction::noticed() const { return impl_->coexecution.noticed(); }
const Event& Deduction::noticed(std::size_t i) const { return impl_->coexecution.noticed(i); }
const Limit& Deduction::limit() const { return impl_->limit; }
std::string Deduction::problem() const { return text(impl_->limit); }
void Deduction::finish_by(const std::optional<Deadline>& until) { impl_->deadline = until; }
Fit Deduction::fit() const { return impl_->fit; }
bool Deduction::may_be_told_more() const { return impl_->told_more; }
std::uint64_t Deduction::work() const {
    Impl& i = *impl_;
    return i.spent_before + i.work.spent() + i.reason_work.spent() + i.coexecution.steps_taken() * work_a_path_step +
           i.coexecution.work_of_z3() + i.coexecution.terms().formulas().built() / built_a_work_step;
}
bool Deduction::is_at_question() const { return impl_->question.has_value(); }
bool Deduction::may_have_gone_on() const { return !is_at_question() && impl_->coexecution.may_go_on_unseen(); }
int Deduction::seat() const { return impl_->coexecution.seat(); }
const std::shared_ptr<const Machine>& Deduction::shared_machine() const { return impl_->machine; }

Fit Deduction::see(const Events& events, const SeenTo& to) {
    Impl& i = *impl_;
    const Told told = to.told;
    i.question.reset();
    i.stops_early = false;
    i.ends_at_lots = told != Told::up_to_question;
    i.decided.reset();
    i.known.reset();
    i.spent_before += i.work.spent() + i.reason_work.spent();
    i.work = Work(i.limits.work);
    i.reason_work = Work(i.limits.work);
    i.told_apart.reset();
    i.paths.clear();
    i.pool.clear();
    i.played.clear();
    if (i.fit != Fit::fits) return i.fit;
    if (!i.before_node.empty()) i.coexecution.set_paths(std::move(i.before_node));
    i.before_node.clear();
    const auto until = i.until();
    i.coexecution.finish_by(until);
    const auto not_known = [&](const Limit& limit) {
        i.limit = limit;
        return i.fit = Fit::unknown;
    };
    if (!i.coexecution.go_on(events)) return not_known(i.coexecution.limit());
    if (i.coexecution.paths().empty()) return i.fit = Fit::impossible;
    i.before_node = i.coexecution.paths();
    if (told == Told::as_far_as_followed) {
        i.coexecution.prune();
        if (i.coexecution.paths().empty()) return i.fit = Fit::impossible;
        i.prepare_paths();
        return until.over() ? not_known({LimitKind::out_of_time}) : i.fit;
    }
    // What was seen tells all until somebody was asked; if nothing fits that, or more may have happened, it stops somewhere before that.
    if (to.question && told == Told::up_to_question && i.go_on_to(*to.question)) return i.fit;
    const bool went = told == Told::so_far ? i.coexecution.go_on_to_node_if_silent() : i.coexecution.go_on_to_node();
    if (!went) return not_known(i.coexecution.limit());
    i.coexecution.prune();
    i.told_more = i.coexecution.took_silence() && !i.coexecution.paths().empty();
    i.stops_early = i.told_more || i.coexecution.paths().empty();
    if (i.stops_early) {
        i.ends_at_lots = true;
        i.coexecution.set_paths(i.before_node);
        i.coexecution.prune();
        if (i.coexecution.paths().empty()) return i.fit = Fit::impossible;
    }
    i.prepare_paths();
    if (until.over()) return not_known({LimitKind::out_of_time});
    return i.fit;
}

// Whether it could be followed to where the seat is asked that. Else nothing has changed.
bool Deduction::Impl::go_on_to(const SeatQuestion& asked) {
    if (coexecution.go_on_to_question(asked)) coexecution.prune();
    if (!coexecution.limit().hit() && !coexecution.paths().empty() && !until().over()) {
        question = asked;
        prepare_paths();
        return true;
    }
    limit = coexecution.limit();
    coexecution.set_paths(before_node);
    return false;
}

std::vector<PlaceId> Deduction::Impl::hidden_places() const {
    std::vector<PlaceId> places;
    for (PlaceId p = 1; p < game().places; ++p)
        if (!coexecution.sees(p)) places.push_back(p);
    return places;
}

void Deduction::Impl::prepare_paths() {
    for (const UnknownTable& t : coexecution.paths()) {
        Path path;
        // Told so far, it may stop between the lines of a step, or between effects that read the table as it was: what is known is where
        // things lie now.
        path.table = t.between_lines ? *t.between_lines : t;
        if (path.table.effects) coexecution.dealer().end_effects(path.table);
        for (const PlaceId p : hidden_places()) coexecution.dealer().settle(path.table, p);
        path.histories_each = path.table.factor * coexecution.dealer().left_in_urns(path.table);
        path.each = path.histories_each * path.table.chance * path.table.odds;
        paths.push_back(std::move(path));
    }
}

// ---------------------------------------------------------------- histories

History Deduction::Impl::history(const Path& path, const Counter::Assignment& assignment) {
    std::vector<int> values(terms().formulas().unknowns().size(), 0);
    for (const auto& [unknown, value] : assignment) values[unknown] = value;
    Valuation valuation(terms().formulas(), values);
    const auto number = [&](const Terms::Int& i) { return valuation.value_of(terms(), i); };
    // Cards of a group, and of what is left in urns, are dealt to its slots as they come.
    std::map<std::int32_t, KindId> kind_of;
    const auto hand_out = [&](const std::vector<std::int32_t>& slots, const std::vector<Terms::Int>& counts) {
        std::size_t next = 0;
        for (std::size_t kind = 0; kind < counts.size(); ++kind)
            for (Value n = number(counts[kind]); n > 0 && next < slots.size(); --n) kind_of[slots[next++]] = KindId(kind);
    };
    for (const SlotGroup& g : path.table.groups) hand_out(g.slots, g.counts);
    for (std::size_t u = 0; u < path.table.urns.size(); ++u) {
        std::vector<std::int32_t> slots;
        for (const auto& place : path.table.parts)
            for (const Part& p : place)
                for (const Holding& h : p.holdings)
                    if (h.urn == u) slots.insert(slots.end(), h.slots.begin(), h.slots.end());
        hand_out(slots, path.table.urns[u].counts);
    }
    History history;
    for (const Input& input : path.table.inputs) {
        if (!valuation.holds(input.when)) continue;
        HistoryInput own{input.step, input.consent, {}};
        switch (input.what) {
            case Input::What::number:
                own.values.push_back(number(input.number));
                break;
            case Input::What::slots:
                for (const std::int32_t s : input.slots) own.values.push_back(kind_of.at(s));
                break;
            case Input::What::cards:
            case Input::What::elements:
                for (const auto& [value, count] : input.cards)
                    for (Value n = number(count); n > 0; --n) own.values.push_back(value);
                break;
        }
        history.inputs.push_back(std::move(own));
    }
    return history;
}

Integer random_below(Random& random, const Integer& n) {
    const unsigned bits = static_cast<unsigned>(msb(n)) + 1;
    for (;;) {
        Integer x = 0;
        for (unsigned b = 0; b < bits; b += 64) x = (x << 64) | random.next();
        x &= (Integer(1) << bits) - 1;
        if (x < n) return x;
    }
}

// By weight, from paths that are all counted.
History Deduction::Impl::draw_counted(Random& random) {
    const auto pick = [&](const Integer& n) { return random_below(random, n); };
    // Ways by weight: brought to one denominator.
    Integer common = 1;
    for (const Path& path : paths) common = lcm(common, denominator(path.each));
    Integer all = 0;
    std::vector<Integer> shares;
    for (const Path& path : paths) {
        shares.push_back(numerator(Rational(path.each * Rational(common))) * path.counter->total());
        all += shares.back();
    }
    Integer at_path = pick(all);
    std::size_t w = 0;
    while (at_path >= shares[w]) at_path -= shares[w++];
    return history(paths[w], paths[w].counter->sample(pick));
}

std::optional<History> Deduction::sample(Random& random) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method == Method::sampled) {
        double all = 0;
        for (const auto& [history, weight] : i.pool) all += weight;
        double at_history = all * random.below(std::uint64_t{1} << 53) / 0x1p53;
        for (const auto& [history, weight] : i.pool)
            if ((at_history -= weight) < 0) return history;
    }
    if (k.method != Method::exact || i.paths.empty()) return std::nullopt;
    return i.draw_counted(random);
}

std::optional<History> Deduction::any_history(Random& random) {
    if (auto fair = sample(random)) return fair;
    const std::vector<History>& played = impl_->played;
    return played.empty() ? std::nullopt : std::optional(played[random.below(played.size())]);
}

std::optional<History> Deduction::witness() {
    Impl& i = *impl_;
    possibilities();
    for (const Path& path : i.paths) {
        if (path.worlds.empty()) continue;
        Counter::Assignment assignment;
        for (std::size_t u = 0; u < path.worlds.front().size(); ++u)
            assignment.emplace_back(static_cast<std::int32_t>(u), path.worlds.front()[u]);
        return i.history(path, assignment);
    }
    if (!i.played.empty()) return i.played.front();
    Random random(1);
    return sample(random);
}

std::optional<std::vector<std::pair<History, Rational>>> Deduction::all_histories(std::size_t limit) {
    Impl& i = *impl_;
    const Knowledge& k = knowledge();
    if (k.method != Method::exact) return std::nullopt;
    std::vector<std::pair<History, Rational>> result;
    for (const Path& path : i.paths) {
        const bool few =
            path.counter->each_assignment(limit - std::min(limit, result.size()), [&](const Counter::Assignment& a, const Integer& times) {
                result.emplace_back(i.history(path, a), path.each * Rational(times));
            });
        if (!few) return std::nullopt;
    }
    return result;
}

std::optional<std::uint64_t> move_of(const Run& run, const History& history, std::size_t& next, std::string& problem) {
    const Node& node = run.node();
    if (node.kind == NodeKind::over || node.kind == NodeKind::failed) {
        problem = node.kind == NodeKind::failed ? text(run.machine().game, run.failure()) : "the game is over too early";
        return std::nullopt;
    }
    // What was forced is no node.
    while (next < history.inputs.size() &&
           (history.inputs[next].step != node.step || history.inputs[next].consent != (node.kind == NodeKind::consent)))
        ++next;
    if (next == history.inputs.size()) {
        problem = fmt::format("nothing is known for step {}", node.step.value());
        return std::nullopt;
    }
    const HistoryInput& input = history.inputs[next++];
    std::uint64_t move = node.moves;
    if (node.kind == NodeKind::consent || node.kind == NodeKind::ask || node.kind == NodeKind::window) {
        move = input.values.front();
    } else if (node.kind == NodeKind::draw) {
        for (std::uint64_t m = 0; m < node.moves && move == node.moves; ++m)
            if (run.meaning(m).values[0] == input.values.front()) move = m;
    } else {
        move = run.move_for(input.values);
    }
    if (move < node.moves) return move;
    problem = fmt::format("no move of step {} stands for what is known", node.step.value());
    return std::nullopt;
}

namespace {

// Up to its last move; what follows from that is not carried out.
bool play_moves(Run& run, const History& history, Events& events, std::string& problem) {
    run.record(&events);
    run.ask_forced(true);
    run.start();
    for (std::size_t next = 0; next < history.inputs.size();) {
        run.advance();
        const auto move = move_of(run, history, next, problem);
        if (!move) return false;
        run.apply(*move);
    }
    return true;
}

}  // namespace

bool play_history(Run& run, const History& history, Events& events, std::string& problem) {
    if (!play_moves(run, history, events, problem)) return false;
    run.advance();
    return true;
}

std::size_t noticed_of(const Events& events, int seat) {
    std::size_t count = 0;
    for (const Event& e : events) count += noticed(e, seat) ? 1 : 0;
    return count;
}

std::unique_ptr<Run> run_at_witness(Deduction& deduction) {
    const auto history = deduction.witness();
    auto run = make_run(deduction.shared_machine());
    Events events;
    std::string problem;
    if (!history || !play_moves(*run, *history, events, problem)) return nullptr;
    const std::size_t by_moves = noticed_of(events, deduction.seat());
    const std::vector<std::byte> moved(run->state().begin(), run->state().end());
    run->advance();
    if (noticed_of(events, deduction.seat()) >
        deduction.noticed()) {  // what comes next rests on what is hidden, and need not be as in this history
        if (by_moves != deduction.noticed()) return nullptr;
        run->set_state(moved);
    }
    run->record(nullptr);
    return run;
}

}  // namespace houserule
