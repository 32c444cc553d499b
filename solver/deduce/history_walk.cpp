#include "solver/deduce/history_walk.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/game/placed_kind.hpp"
#include "interpreter/log/log.hpp"
#include "interpreter/log/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <iterator>
#include <map>
#include <utility>

namespace houserule {

namespace {

using Answered = std::vector<std::int32_t>;

constexpr std::size_t others_most = 16;  // questions that one history asks and the other does not, of a step

KindId kind_of_value(std::int32_t value) { return PlacedKind::of_value(value).kind; }

std::size_t times_named(const Answered& values, KindId kind) {
    return std::count_if(values.begin(), values.end(), [&](std::int32_t v) { return kind_of_value(v) == kind; });
}

// One card of the first kind becomes one of the second.
void rename_one(Answered& values, KindId from, KindId to) {
    const auto found = std::find_if(values.begin(), values.end(), [&](std::int32_t v) { return kind_of_value(v) == from; });
    if (found == values.end()) return;
    *found = PlacedKind{to, PlacedKind::of_value(*found).place}.value();
    std::sort(values.begin(), values.end());
}

double log_of_ways(double all, double some) { return std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1); }

}  // namespace

struct HistoryWalk::Impl {
    std::optional<SeatQuestion> last_question;  // that the seat is asked at the end of a history
    bool ends_at_lots = false;
    using Changes = std::vector<std::pair<std::size_t, Answered>>;
    // Answers that change, the one that was picked first, and the kinds that change places; none where it names no card.
    struct Proposal {
        Changes changed;
        KindId a = no_id;
        KindId b = no_id;
    };
    // An answer of the history at hand, with the state before it.
    struct Moment {
        StepId step;
        NodeKind kind = NodeKind::over;
        int seat = -1;
        std::uint64_t moves = 0;
        std::uint64_t move = 0;
        Answered values;
        bool of_cards = false;
        bool is_unseen = false;
        double log_weight = 0;
        std::vector<std::byte> before;
        std::size_t matched = 0;  // events that had been noticed before
        Events pending;           // and that were not settled yet
    };
    struct Trail {
        std::vector<Moment> moments;
        std::vector<std::byte> end;
        double log_weight = 0;  // how much likelier it is than the history at hand, and:
        double log_drawn = 0;   // than its way back are the answers that were drawn
        // Behind where other questions came: by answer of the history at hand, the one that took its place, or none.
        std::map<std::size_t, std::size_t> became;
        bool has_other_questions = false;
    };
    // What a question is known by in another history: what the seat had noticed, what is asked of whom, and how often this was before.
    struct Question {
        std::size_t matched;
        StepId step;
        NodeKind kind;
        int seat;
        std::size_t before;
        auto operator<=>(const Question&) const = default;
    };

    std::shared_ptr<const Machine> machine;
    int seat;
    Events seen;
    bool uniform_play;
    std::unique_ptr<Run> run;
    Trail at;
    std::vector<std::size_t> unseen;  // indices of moments
    std::size_t matched_in_all = 0;
    std::uint64_t steps = 0;   // proposed; each is work, also where nothing is played
    bool is_multiple = false;  // some kind has several copies
    // While a trail is played.
    std::size_t matched = 0;
    Events events;

    // Questions that can be answered at random where they were not asked before.
    static bool is_drawn(NodeKind kind) {
        return kind == NodeKind::choose || kind == NodeKind::consent || kind == NodeKind::ask || kind == NodeKind::draw ||
               kind == NodeKind::lot;
    }
    static bool asks_as(const Node& node, const Moment& m) { return node.step == m.step && node.kind == m.kind && node.seat == m.seat; }
    static bool names_one(const Moment& m, KindId a, KindId b) {
        return m.of_cards && times_named(m.values, a) + times_named(m.values, b) == 1;
    }
    // The chance that these values are drawn where they are drawn at random.
    static double log_of_drawing(const Moment& m) { return m.kind == NodeKind::draw ? m.log_weight : -std::log(1.0 * m.moves); }
    bool match();
    bool of_cards(const Node& node) const;
    std::uint64_t find_move(const Node& node, const Answered& values, std::uint64_t guess) const;
    double weight_of_draw(const Node& node, std::uint64_t move) const;
    double weight_of_choice(const Node& node, const Answered& values) const;
    std::optional<Moment> answer(const Node& node, const Answered& values, std::uint64_t guess);
    bool add(Trail& trail, const Node& node, std::size_t index, const Changes& changed);
    bool add_new(Trail& trail, const Node& node, Random& random);
    bool go_on(Trail& trail, std::size_t from, std::size_t parted, const Changes& changed, Random& random);
    std::optional<Trail> replay(std::size_t from, const Changes& changed, Random& random);
    void take(Trail trail, std::size_t from);
    bool is_at_end() const { return ends_here(*run, seat, last_question, ends_at_lots); }
    std::optional<double> propose(Random& random, const std::vector<KindId>& kinds, Proposal& proposal);
    void change_others(Random& random, Proposal& proposal) const;
    double log_of_way_back(const Trail& trail, std::size_t from, const Proposal& proposal) const;
};

HistoryWalk::HistoryWalk(std::shared_ptr<const Machine> machine, int seat, const Events& seen, bool uniform_play, const Stop* stop)
    : impl_(std::make_unique<Impl>()) {
    Impl& i = *impl_;
    i.run = make_run(machine);
    i.run->stop_on(stop);
    i.run->ask_forced(true);
    i.machine = std::move(machine);
    i.seat = seat;
    i.seen = seen;
    i.uniform_play = uniform_play;
    i.is_multiple = has_copies(i.machine->game);
}
void HistoryWalk::end_at(const std::optional<SeatQuestion>& question, bool at_lots) {
    impl_->last_question = question;
    impl_->ends_at_lots = at_lots;
}
HistoryWalk::HistoryWalk(HistoryWalk&&) noexcept = default;
HistoryWalk::~HistoryWalk() = default;

Run& HistoryWalk::present() {
    impl_->run->record(nullptr);
    impl_->run->set_state(impl_->at.end);
    return *impl_->run;
}

std::uint64_t HistoryWalk::work() const { return impl_->steps + impl_->run->work(); }

History HistoryWalk::history() const {
    History h;
    for (const Impl::Moment& m : impl_->at.moments) h.inputs.push_back({m.step, m.kind == NodeKind::consent, m.values});
    return h;
}

void HistoryWalk::note_kinds(std::vector<bool>& kinds) const {
    for (const std::size_t u : impl_->unseen) {
        const Impl::Moment& m = impl_->at.moments[u];
        if (!m.of_cards) continue;
        for (const std::int32_t v : m.values)
            if (const KindId kind = kind_of_value(v); kind != no_id) kinds[kind] = true;
    }
}

// ---------------------------------------------------------------- playing a history

// Whether what is settled now is what was seen.
bool HistoryWalk::Impl::match() {
    const std::size_t known = settled(events);
    for (std::size_t e = 0; e < known; ++e) {
        const auto own = noticed(events[e], seat);
        if (!own) continue;
        if (matched == seen.size() || !is_told_as(*own, seen[matched])) return false;
        ++matched;
    }
    events.erase(events.begin(), events.begin() + known);
    return true;
}

bool HistoryWalk::Impl::of_cards(const Node& node) const {
    const Step& s = machine->code[node.step];
    if (node.kind == NodeKind::draw) return true;
    const ExpressionId options = node.kind == NodeKind::choose ? s.y : s.x;
    const bool has_options = node.kind == NodeKind::choose || node.kind == NodeKind::lot || node.kind == NodeKind::report;
    return has_options && options != no_id && machine->game.expressions[options].type.base == Base::cards;
}

// A number not below node.moves when there is none. Cards to draw are in order, so that a card is near to where it was before.
std::uint64_t HistoryWalk::Impl::find_move(const Node& node, const Answered& values, std::uint64_t guess) const {
    if (node.kind == NodeKind::choose || node.kind == NodeKind::lot || node.kind == NodeKind::report) return run->move_for(values);
    if (node.kind != NodeKind::draw) return values.front();
    for (std::uint64_t away = 0; away < node.moves; ++away) {
        if (guess + away < node.moves && run->meaning(guess + away).values == values) return guess + away;
        if (away <= guess && guess - away < node.moves && run->meaning(guess - away).values == values) return guess - away;
    }
    return node.moves;
}

// Copies of a kind are told apart.
double HistoryWalk::Impl::weight_of_draw(const Node& node, std::uint64_t move) const {
    const double all = node.moves;
    if (!is_multiple) return -std::log(all);
    const Answered kind = run->meaning(move).values;
    double copies = 1;
    for (std::uint64_t m = move; m-- > 0 && run->meaning(m).values == kind;) ++copies;
    for (std::uint64_t m = move + 1; m < node.moves && run->meaning(m).values == kind; ++m) ++copies;
    return std::log(copies / all);
}

// The ways to choose those copies of all that are offered. What the seat itself chooses from, it sees.
double HistoryWalk::Impl::weight_of_choice(const Node& node, const Answered& values) const {
    if (uniform_play) return -std::log(1.0 * node.moves);
    if (!is_multiple || node.seat == seat || !of_cards(node)) return 0;
    const auto offered = run->elements(machine->code[node.step].y);
    double weight = 0;
    for (auto v = values.begin(); offered && v != values.end();) {
        const auto next = std::find_if(v, values.end(), [&](std::int32_t other) { return other != *v; });
        const PlacedKind card = PlacedKind::of_value(*v);
        const auto copies = std::count_if(offered->begin(), offered->end(), [&](std::int32_t piece) {
            return machine->game.piece_kind[piece] == card.kind && (card.place == no_id || run->place_of(piece) == card.place);
        });
        weight += log_of_ways(copies, next - v);
        v = next;
    }
    return weight;
}

// Gives the answer at the node where the run waits; nothing where it cannot be given, or shows something else.
std::optional<HistoryWalk::Impl::Moment> HistoryWalk::Impl::answer(const Node& node, const Answered& values, std::uint64_t guess) {
    Moment m;
    m.step = node.step;
    m.kind = node.kind;
    m.seat = node.seat;
    m.moves = node.moves;
    m.move = find_move(node, values, guess);
    if (m.move >= node.moves) return std::nullopt;
    m.values = values;
    m.of_cards = of_cards(node);
    m.matched = matched;
    m.pending = events;
    m.before.assign(run->state().begin(), run->state().end());
    if (node.kind == NodeKind::draw) m.log_weight = weight_of_draw(node, m.move);
    if (node.kind == NodeKind::lot) {
        double all = 0;
        double alike = 0;  // copies of a card
        const Meant falls = run->meaning(m.move);
        for (std::uint64_t other = 0; other < node.moves; ++other) {
            all += run->outcome_weight(other);
            if (run->meaning(other).values == falls.values) alike += run->outcome_weight(other);
        }
        m.log_weight = std::log(alike / all);
    }
    if (uniform_play && (node.kind == NodeKind::consent || node.kind == NodeKind::ask)) m.log_weight = -std::log(2.0);
    if (node.kind == NodeKind::choose) m.log_weight = weight_of_choice(node, values);
    const std::size_t first = events.size();
    run->apply(m.move);
    const bool is_own = node.seat == seat && node.kind != NodeKind::draw && node.kind != NodeKind::lot;
    const bool shows = first < events.size() && (events[first].audience & events[first].faces & seat_bit(seat)) != 0;
    m.is_unseen = !is_own && !shows && node.kind != NodeKind::window && node.kind != NodeKind::report;
    return m;
}

// The answer that stands there in the history at hand, or what it is changed to.
bool HistoryWalk::Impl::add(Trail& trail, const Node& node, std::size_t index, const Changes& changed) {
    const Moment& before = at.moments[index];
    const auto other = std::find_if(changed.begin(), changed.end(), [&](const auto& c) { return c.first == index; });
    auto moment = answer(node, other != changed.end() ? other->second : before.values, before.move);
    if (!moment || moment->is_unseen != before.is_unseen) return false;
    trail.log_weight += moment->log_weight - before.log_weight;
    trail.moments.push_back(std::move(*moment));
    return true;
}

// What nobody was asked in the history at hand is answered at random.
bool HistoryWalk::Impl::add_new(Trail& trail, const Node& node, Random& random) {
    if (!is_drawn(node.kind) || (node.seat == seat && node.kind != NodeKind::draw && node.kind != NodeKind::lot)) return false;
    const std::uint64_t move = random.below(node.moves);
    const bool has_meaning = node.kind == NodeKind::choose || node.kind == NodeKind::lot || node.kind == NodeKind::draw;
    Answered values = has_meaning ? run->meaning(move).values : Answered(1, static_cast<std::int32_t>(move));
    std::sort(values.begin(), values.end());
    auto moment = answer(node, values, move);
    if (!moment || !moment->is_unseen) return false;
    trail.log_weight += moment->log_weight;
    trail.log_drawn += log_of_drawing(*moment);
    trail.moments.push_back(std::move(*moment));
    return true;
}

// From where another question waits than in the history at hand. Questions that are the same keep their answers; others are drawn, and
// those that are not asked any more would be drawn on the way back. What follows the last that was noticed must be asked as it was.
bool HistoryWalk::Impl::go_on(Trail& trail, std::size_t from, std::size_t parted, const Changes& changed, Random& random) {
    std::map<Question, std::size_t> old;
    std::size_t end = parted;
    for (; end < at.moments.size() && at.moments[end].matched < matched_in_all; ++end) {
        Question q{at.moments[end].matched, at.moments[end].step, at.moments[end].kind, at.moments[end].seat, 0};
        while (old.contains(q)) ++q.before;
        old.emplace(q, end);
    }
    if (end == parted || matched == matched_in_all) return false;
    trail.has_other_questions = true;
    std::map<Question, std::size_t> asked;
    for (std::size_t drawn = 0; matched < matched_in_all;) {
        const Node node = run->node();
        Question q{matched, node.step, node.kind, node.seat, 0};
        while (asked.contains(q)) ++q.before;
        asked.emplace(q, trail.moments.size());
        if (const auto same = old.find(q); same != old.end()) {
            trail.became[same->second] = from + trail.moments.size();
            if (!add(trail, node, same->second, changed)) return false;
            old.erase(same);
        } else if (++drawn > others_most || !add_new(trail, node, random)) {
            return false;
        }
        run->advance();
        if (!match()) return false;
    }
    if (old.size() > others_most) return false;
    for (const auto& [question, index] : old) {
        const Moment& gone = at.moments[index];
        if (!gone.is_unseen || !is_drawn(gone.kind)) return false;
        trail.log_weight -= gone.log_weight;
        trail.log_drawn -= log_of_drawing(gone);
    }
    for (std::size_t i = end; i < at.moments.size(); ++i) {
        const Node node = run->advance();
        if (!match() || !asks_as(node, at.moments[i])) return false;
        trail.became[i] = from + trail.moments.size();
        if (!add(trail, node, i, changed)) return false;
    }
    return std::all_of(changed.begin(), changed.end(), [&](const auto& c) { return c.first < parted || trail.became.contains(c.first); });
}

// The history at hand with other answers; nothing when it cannot be or shows the seat something else.
std::optional<HistoryWalk::Impl::Trail> HistoryWalk::Impl::replay(std::size_t from, const Changes& changed, Random& random) {
    Trail trail;
    matched = at.moments[from].matched;
    events = at.moments[from].pending;
    run->record(nullptr);
    run->set_state(at.moments[from].before);
    run->advance();
    run->record(&events);
    for (std::size_t i = from; i < at.moments.size() && !trail.has_other_questions; ++i) {
        const Node node = run->advance();
        if (!match()) return std::nullopt;
        const bool fits = asks_as(node, at.moments[i]) ? add(trail, node, i, changed) : go_on(trail, from, i, changed, random);
        if (!fits) return std::nullopt;
    }
    run->advance();
    if (!match() || matched != matched_in_all || run->node().kind == NodeKind::failed || !is_at_end()) return std::nullopt;
    trail.end.assign(run->state().begin(), run->state().end());
    return trail;
}

bool HistoryWalk::start(const History& history) {
    Impl& i = *impl_;
    i.at = {};
    i.unseen.clear();
    i.matched = 0;
    i.events.clear();
    i.run->record(&i.events);
    i.run->start();
    std::string problem;
    for (std::size_t next = 0; next < history.inputs.size();) {
        const Node node = i.run->advance();
        const auto move = i.match() ? move_of(*i.run, history, next, problem) : std::nullopt;
        auto moment = move ? i.answer(node, history.inputs[next - 1].values, *move) : std::nullopt;
        if (!moment) return false;
        if (moment->is_unseen) i.unseen.push_back(i.at.moments.size());
        i.at.moments.push_back(std::move(*moment));
    }
    i.run->advance();
    if (!i.match() || !i.is_at_end()) return false;
    i.at.end.assign(i.run->state().begin(), i.run->state().end());
    i.matched_in_all = i.matched;
    // What is not settled yet the seat knows of its own answers alone.
    const auto own =
        std::count_if(i.events.begin(), i.events.end(), [&](const Event& e) { return e.seat == i.seat && noticed(e, i.seat); });
    return std::cmp_equal(i.matched + own, i.seen.size());
}

void HistoryWalk::Impl::take(Trail trail, std::size_t from) {
    at.moments.resize(from);
    std::move(trail.moments.begin(), trail.moments.end(), std::back_inserter(at.moments));
    at.end = std::move(trail.end);
    if (!trail.has_other_questions) return;
    unseen.clear();
    for (std::size_t i = 0; i < at.moments.size(); ++i)
        if (at.moments[i].is_unseen) unseen.push_back(i);
}

// ---------------------------------------------------------------- steps

// Of the other unseen answers that name one card of one of the two kinds: none, one, all later ones, or each with an even chance.
void HistoryWalk::Impl::change_others(Random& random, Proposal& proposal) const {
    const auto [a, b] = std::pair(proposal.a, proposal.b);
    const std::size_t first = proposal.changed.front().first;
    std::vector<std::size_t> others;
    for (const std::size_t u : unseen)
        if (u != first && names_one(at.moments[u], a, b)) others.push_back(u);
    enum class Which : std::uint8_t { none, one, later, some };
    constexpr std::array<Which, 4> all{Which::none, Which::one, Which::later, Which::some};
    const Which which = all[random.below(all.size())];
    const std::size_t only = which == Which::one && !others.empty() ? others[random.below(others.size())] : 0;
    for (const std::size_t u : others) {
        const bool is_changed = which == Which::one     ? u == only
                                : which == Which::later ? u > first
                                : which == Which::some  ? random.below(2) == 0
                                                        : false;
        if (!is_changed) continue;
        proposal.changed.emplace_back(u, at.moments[u].values);
        const bool has_a = times_named(at.moments[u].values, a) > 0;
        rename_one(proposal.changed.back().second, has_a ? a : b, has_a ? b : a);
    }
}

// How much likelier it is to pick what is changed back from a history with other questions than it was to pick it here, as a logarithm.
double HistoryWalk::Impl::log_of_way_back(const Trail& trail, std::size_t from, const Proposal& proposal) const {
    if (!trail.has_other_questions) return 0;
    // The chance to pick just these, of all unseen answers and of the others that might change with the first.
    struct Picked {
        std::size_t first;
        std::size_t changed;  // besides
        bool all_later = true;
        std::size_t unseen = 0;
        std::size_t others = 0;
        std::size_t later = 0;
        double log_of_chance() const {
            const double n = others;
            const bool none = changed == 0;
            const double one = changed == 1 ? 1 / n : others == 0 ? 1 : 0;
            return std::log(none + one + (all_later && changed == later) + std::exp2(-n)) - std::log(unseen);
        }
    };
    const auto now = [&](std::size_t i) {
        const auto other = trail.became.find(i);
        return other != trail.became.end() ? other->second : i;
    };
    const auto& changed = proposal.changed;
    Picked here{changed.front().first, changed.size() - 1};
    Picked there{now(changed.front().first), changed.size() - 1};
    for (const auto& [index, values] : changed) {
        here.all_later = here.all_later && index >= here.first;
        there.all_later = there.all_later && now(index) >= there.first;
    }
    const auto count = [&](Picked& picked, std::size_t index, const Moment& m) {
        if (!m.is_unseen) return;
        ++picked.unseen;
        if (proposal.a == no_id || index == picked.first || !names_one(m, proposal.a, proposal.b)) return;
        ++picked.others;
        if (index > picked.first) ++picked.later;
    };
    for (std::size_t i = 0; i < at.moments.size(); ++i) {
        count(here, i, at.moments[i]);
        if (i < from) count(there, i, at.moments[i]);
    }
    for (std::size_t i = 0; i < trail.moments.size(); ++i) count(there, from + i, trail.moments[i]);
    if (proposal.a == no_id) return std::log(here.unseen) - std::log(there.unseen);
    return there.log_of_chance() - here.log_of_chance();
}

// The answers that change, and the logarithm of how much likelier the way back is; nothing where nothing can change.
std::optional<double> HistoryWalk::Impl::propose(Random& random, const std::vector<KindId>& kinds, Proposal& proposal) {
    Changes& changed = proposal.changed;
    const std::size_t first = unseen[random.below(unseen.size())];
    const Moment& m = at.moments[first];
    changed.emplace_back(first, m.values);
    Answered& values = changed.back().second;
    if (!m.of_cards) {
        if (m.moves < 2) return std::nullopt;
        const std::uint64_t other = random.below(m.moves - 1);
        run->record(nullptr);
        run->set_state(m.before);
        run->advance();
        const std::uint64_t move = other + (other >= m.move ? 1 : 0);
        values = m.kind == NodeKind::choose || m.kind == NodeKind::lot ? run->meaning(move).values : Answered(1, move);
        std::sort(values.begin(), values.end());
        return 0.0;
    }
    if (values.empty() || kinds.empty()) return std::nullopt;
    const KindId a = kind_of_value(values[random.below(values.size())]);
    const KindId b = kinds[random.below(kinds.size())];
    if (a == b || std::find(kinds.begin(), kinds.end(), a) == kinds.end()) return std::nullopt;
    const double there = times_named(values, a);
    rename_one(values, a, b);
    const double back = times_named(values, b);
    proposal.a = a;
    proposal.b = b;
    change_others(random, proposal);
    return std::log(back / there);
}

bool HistoryWalk::step(Random& random, const std::vector<KindId>& kinds) {
    Impl& i = *impl_;
    ++i.steps;
    if (i.unseen.empty()) return false;
    Impl::Proposal proposal;
    const auto& changed = proposal.changed;
    const auto back = i.propose(random, kinds, proposal);
    if (!back) return false;
    const std::size_t from = std::min_element(changed.begin(), changed.end())->first;
    auto trail = i.replay(from, changed, random);
    i.run->record(nullptr);
    if (!trail) return false;
    const double ratio = trail->log_weight + *back - trail->log_drawn + i.log_of_way_back(*trail, from, proposal);
    if (ratio < 0 && std::log((random.below(std::uint64_t{1} << 53) + 0.5) / 0x1p53) >= ratio) return false;
    i.take(std::move(*trail), from);
    return true;
}

}  // namespace houserule
