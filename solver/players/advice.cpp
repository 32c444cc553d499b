#include "solver/players/advice.hpp"

#include "dsl/text/ratio.hpp"
#include "interpreter/log/view.hpp"
#include "solver/players/moves.hpp"
#include "solver/players/rollouts.hpp"
#include "solver/players/score_aim.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

namespace houserule {

namespace {

// A history played to the present.
struct Present {
    std::vector<std::byte> state;
    double weight = 0;
    std::size_t world = 0;                // equal for equal contents of what is asked for
    std::vector<KindId> single_contents;  // of the places asked for that hold one card each
    std::int32_t score = 0;
};

// A sample has its own shares of what lies where; they are made those that were counted, so that moves that are alike come to the same.
// By raking: the weights are scaled to one place's shares after the other until all fit (Deming and Stephan, Annals of Mathematical
// Statistics 11, 1940). Kinds that the sample lacks stay without.
void rake(std::vector<Present>& presents, const std::vector<const HiddenThing*>& singles) {
    constexpr int rounds_most = 40;
    constexpr double settled_at = 1e-9;
    double change = 1;
    for (int round = 0; round < rounds_most && change > settled_at; ++round) {
        change = 0;
        for (std::size_t i = 0; i < singles.size(); ++i) {
            std::map<KindId, double> drawn;
            for (const Present& p : presents) drawn[p.single_contents[i]] += p.weight;
            std::map<KindId, double> factors;
            double reached = 0;
            for (const Possibility& p : singles[i]->values) {
                const auto found = drawn.find(KindId(p.value));
                if (found == drawn.end()) continue;
                const double share = p.share().convert_to<double>();
                reached += share;
                factors[found->first] = share / found->second;
            }
            if (reached <= 0) return;
            for (Present& p : presents) {
                const auto known = factors.find(p.single_contents[i]);
                const double factor = known == factors.end() ? 1 : known->second / reached;
                change = std::max(change, std::abs(factor - 1));
                p.weight *= factor;
            }
        }
    }
}

// The hidden places of one card each whose shares were counted, of those that are asked for.
std::vector<const HiddenThing*> counted_singles(const Knowledge& known, const std::vector<PlaceId>& asked) {
    std::vector<const HiddenThing*> singles;
    if (known.method != Method::exact) return singles;
    for (const HiddenThing& thing : known.things) {
        const bool is_single = !thing.is_fact && thing.size == 1 && std::ranges::find(asked, thing.place) != asked.end();
        const auto has_share = [](const Possibility& p) { return p.possible == Answer::no || !p.weights.empty(); };
        if (is_single && std::ranges::all_of(thing.values, has_share)) singles.push_back(&thing);
    }
    return singles;
}

// The events as they came to whoever sees what all players see.
Events seen_by_all(const Events& events, int players) {
    const Seats all = (1U << players) - 1;
    Events seen;
    const std::size_t known = settled(events);
    for (std::size_t i = 0; i < known; ++i) {
        Event e = events[i];
        e.audience = (e.audience & all) == all ? 1U << onlooker : 0;
        e.faces = (e.faces & all) == all ? 1U << onlooker : 0;
        if (e.kind == EventKind::move) e.value = (e.value & all) == all ? 1 << onlooker : 0;  // who sees the order
        if (auto own = noticed(e, onlooker)) seen.push_back(std::move(*own));
    }
    return seen;
}

// By so many bits the entropy of what so many samples show is too small, on average, where they show so many different things (Miller,
// Note on the bias of information estimates, 1955).
double entropy_missed(std::size_t different, std::size_t samples) { return ratio(different - 1, samples) / (2 * std::numbers::ln2); }

double entropy(const std::map<std::size_t, double>& weights) {
    double all = 0;
    for (const auto& [world, w] : weights) all += w;
    double bits = 0;
    for (const auto& [world, w] : weights)
        if (w > 0) bits -= w / all * std::log2(w / all);
    return bits;
}

class Adviser {
public:
    Adviser(Deduction& deduction, AdviceLimits limits)
        : deduction_(deduction), limits_(limits), machine_(deduction.machine()), run_(make_run(deduction.shared_machine())) {
        run_->stop_on(limits.until.stop());
    }

    std::optional<Advice> advise(Random& random);

private:
    bool gather(Random& random);
    bool play_to_windows(History history, Events& events);
    struct Waiting;
    bool open_up(const Waiting& at, const Node& node, std::size_t& left, std::vector<Waiting>& open, Random& random);
    void go_on_to_question(Waiting first, Random& random);
    bool step_to_question(Waiting& at, std::vector<Waiting>& open, Random& random);
    struct Sorted;
    bool weigh(const std::vector<CompleteMove>& lines, std::size_t outcomes_most);
    std::optional<MoveAdvice> follow(const CompleteMove& line, std::size_t outcomes_most);
    bool follow(const CompleteMove& line, std::size_t outcomes_most, Sorted& sorted, MoveAdvice& result);
    std::optional<Waiting> play(const Present& present, const CompleteMove& line);
    Node stand(Waiting& at);
    Node go_on_unasked(Waiting& at);
    void note(const Waiting& at, Sorted& sorted, MoveAdvice& result);
    bool differ_in_what_comes() const;
    void play_on(const std::vector<CompleteMove>& lines);
    const Present& drawn_present();
    bool is_large_enough(const Sorted& sorted) const;
    double note_end(const Waiting& at, MoveAdvice& result);
    void note_open(const Waiting& at, Sorted& sorted, MoveAdvice& result) const;
    void note_own(const Waiting& at, double gained, Sorted& sorted, MoveAdvice& result) const;

    Deduction& deduction_;
    AdviceLimits limits_;
    const Machine& machine_;
    std::unique_ptr<Run> run_;
    std::vector<Present> presents_;
    std::vector<std::size_t> line_of_;  // of each move: which of the lines it is
    Advice advice_;
    Random chance_{1};            // of what others answer unseen, and of what falls by chance
    bool scored_ = true;          // the score can be read at the question, in all histories
    bool ends_scored_ = true;     // and after the move at hand
    bool follows_others_ = true;  // also what others answer at the same moment: in all moves, or in none
    std::size_t worlds_ = 0;      // that were met
    std::size_t unopened_ = 0;    // answers of others that may still be opened up, of all histories together
};

// A history on its way: to the question, where others may have to decide, and chance, what the seat does not notice; or after a move, to
// where somebody is asked next.
struct Adviser::Waiting {
    Present present;
    Events events;  // since then, and those that were not settled then
    int answered = 0;
    Events answers;                // the seat's, but for those that it had no choice about
    bool is_past_windows = false;  // windows were let pass after a move: what others do next is theirs, forced or not
};

// Whether something is settled that the seat notices.
bool has_noticed(const Events& events, int seat) {
    return std::any_of(events.begin(), events.begin() + settled(events), [&](const Event& e) { return is_noticed(e, seat); });
}

// What can be answered at the node where the run waits, by somebody or by chance, if it is at most what is left of such answers; else one
// of them, drawn: then false. A window is let pass.
bool Adviser::open_up(const Waiting& at, const Node& node, std::size_t& left, std::vector<Waiting>& open, Random& random) {
    const bool passes = node.kind == NodeKind::window;
    const bool is_drawn = !passes && node.moves > left;
    const std::uint64_t first = is_drawn ? random_move(*run_, random) : 0;
    const std::uint64_t moves = passes || is_drawn ? 1 : node.moves;
    if (moves > 1) left -= moves;
    std::vector<std::uint64_t> weights;
    for (std::uint64_t m = 0; m < moves; ++m) weights.push_back(run_->outcome_weight(first + m));
    const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    for (std::uint64_t m = moves; m-- > 0;) {
        if (weights[m] == 0) continue;
        Waiting next = at;
        ++next.answered;
        next.present.weight *= ratio(weights[m], all);
        run_->set_state(at.present.state);
        run_->advance();
        run_->record(&next.events);
        run_->apply(first + m);
        run_->record(nullptr);
        next.present.state.assign(run_->state().begin(), run_->state().end());
        open.push_back(std::move(next));
    }
    return !is_drawn;
}

// To the next node; there the run waits.
Node Adviser::stand(Waiting& at) {
    run_->set_state(at.present.state);
    run_->record(&at.events);
    const Node node = run_->advance();
    run_->record(nullptr);
    at.present.state.assign(run_->state().begin(), run_->state().end());
    return node;
}

// One answer further; what others may answer is opened up if that is little, else drawn. Whether there is a question now.
bool Adviser::step_to_question(Waiting& at, std::vector<Waiting>& open, Random& random) {
    const Node node = stand(at);
    const bool is_over = node.kind == NodeKind::over || node.kind == NodeKind::failed;
    if (is_over || at.answered > unseen_most || has_noticed(at.events, deduction_.seat())) return advice_.always_asked = false;
    if (asks(node, deduction_.seat())) return true;
    if (!open_up(at, node, unopened_, open, random)) advice_.exact = false;
    return false;
}

void Adviser::go_on_to_question(Waiting first, Random& random) {
    for (std::vector<Waiting> open{std::move(first)}; !open.empty() && !limits_.until.over();) {
        Waiting at = std::move(open.back());
        open.pop_back();
        if (!step_to_question(at, open, random)) continue;
        const auto scores = run_->scores();
        if (std::cmp_less(deduction_.seat(), scores.size())) at.present.score = scores[deduction_.seat()];
        scored_ = scored_ && at.present.score != unset_value;
        presents_.push_back(std::move(at.present));
    }
}

// Plays a history to where the seat is asked: back before the windows that were let pass since the seat noticed anything, at which it can
// still act.
bool Adviser::play_to_windows(History history, Events& events) {
    std::string problem;
    if (!play_history(*run_, history, events, problem)) return false;
    const std::size_t seen = std::min(noticed_of(events, deduction_.seat()), deduction_.noticed());
    while (!history.inputs.empty()) {
        const HistoryInput& last = history.inputs.back();
        if (machine_.code[last.step].op != Op::window || last.values != std::vector<std::int32_t>{0}) break;
        history.inputs.pop_back();
        const std::vector<std::byte> later(run_->state().begin(), run_->state().end());
        Events earlier;
        if (!play_history(*run_, history, earlier, problem)) return false;
        if (noticed_of(earlier, deduction_.seat()) < seen) {
            run_->record(nullptr);
            run_->set_state(later);
            break;
        }
        events = std::move(earlier);
    }
    run_->record(nullptr);
    run_->ask_forced(false);
    return true;
}

bool Adviser::gather(Random& random) {
    std::vector<std::pair<History, double>> histories;
    const double all = deduction_.knowledge().weight.convert_to<double>();
    if (const auto few = deduction_.all_histories(limits_.histories)) {
        advice_.exact = true;
        for (const auto& [history, weight] : *few) histories.emplace_back(history, static_cast<double>(Rational(weight)) / all);
    } else {
        for (std::size_t i = 0; i < limits_.histories; ++i) {
            auto history = deduction_.sample(random);
            if (!history) return false;
            histories.emplace_back(std::move(*history), 1.0 / limits_.histories);
        }
    }
    const std::vector<const HiddenThing*> singles =
        advice_.exact ? std::vector<const HiddenThing*>{} : counted_singles(deduction_.knowledge(), advice_.asked.places);
    std::map<std::vector<KindId>, std::size_t> worlds;
    std::vector<Present> played;
    std::vector<Events> unsettled;
    for (const auto& [history, weight] : histories) {
        Events events;
        if (limits_.until.over() || !play_to_windows(history, events)) return false;
        if (worlds.empty()) advice_.seen_by_all = seen_by_all(events, machine_.game.players);
        Present p;
        p.state.assign(run_->state().begin(), run_->state().end());
        p.weight = weight;
        std::vector<std::int32_t> contents;
        for (const PlaceId place : advice_.asked.places) {
            std::vector<KindId> kinds = run_->kinds_at(place);
            std::sort(kinds.begin(), kinds.end());
            contents.insert(contents.end(), kinds.begin(), kinds.end());
            contents.push_back(no_id);
        }
        for (const HiddenFact& f : advice_.asked.facts) {
            if (machine_.game.facts[f.fact].type.base != Base::set) {
                contents.push_back(run_->fact(f.fact, f.index));
                continue;
            }
            const std::vector<std::int32_t> values = run_->fact_set(f.fact, f.index);
            contents.insert(contents.end(), values.begin(), values.end());
            contents.push_back(no_id);
        }
        p.world = worlds.try_emplace(contents, worlds.size()).first->second;
        for (const HiddenThing* thing : singles) {
            const std::vector<KindId> there = run_->kinds_at(thing->place);
            p.single_contents.push_back(there.empty() ? KindId(no_id) : there.front());
        }
        played.push_back(std::move(p));
        events.erase(events.begin(), events.begin() + settled(events));
        unsettled.push_back(std::move(events));
    }
    rake(played, singles);
    unopened_ = limits_.histories;
    for (std::size_t i = 0; i < played.size(); ++i) {
        Waiting first;
        first.present = std::move(played[i]);
        first.events = std::move(unsettled[i]);
        go_on_to_question(std::move(first), random);
    }
    advice_.histories = histories.size();
    double all_asked = 0;
    for (const Present& p : presents_) all_asked += p.weight;
    for (Present& p : presents_) p.weight /= all_asked;
    return !presents_.empty();
}

// The presents that a move leads out of, by what is noticed of what follows.
struct Adviser::Sorted {
    struct Group {
        Events noticed;
        std::size_t presents = 0;
        double weight = 0;
        double points = 0;
        std::map<std::size_t, double> worlds;
    };
    std::map<std::string, std::size_t> known;  // by what is noticed
    std::vector<Group> groups;                 // as they first came: an order that does not depend on names
    std::map<std::string, std::size_t> known_to_all;
    double points = 0;
    double used = 0;
};

// Whether so many samples can tell what they tell of the worlds. Where each way to go on leaves one world, enough of the ways must have
// been gone several times.
bool Adviser::is_large_enough(const Sorted& sorted) const {
    constexpr double missed_most = 0.5;  // bits
    constexpr double once_most = 0.1;    // of the samples, alone on their way
    constexpr std::size_t enough = 20;
    std::size_t samples = 0;
    std::size_t once = 0;
    double missed = 0;
    bool is_all_known = true;
    for (const Sorted::Group& group : sorted.groups) {
        samples += group.presents;
        if (group.presents == 1) ++once;
        missed += group.weight / sorted.used * entropy_missed(group.worlds.size(), group.presents);
        is_all_known = is_all_known && group.worlds.size() == 1;
    }
    if (is_all_known && samples - once >= enough) return true;
    if (!advice_.exact) missed += entropy_missed(worlds_, presents_.size());
    return missed <= missed_most && once <= once_most * samples;
}

// The move in every history, and what follows. Where `result` is to be exact, all that may fall by chance is opened up, at most
// `outcomes_most` things in all; else one is drawn each time. False where it is more, or when it is late.
bool Adviser::follow(const CompleteMove& line, std::size_t outcomes_most, Sorted& sorted, MoveAdvice& result) {
    ends_scored_ = scored_;
    // Of few histories what is drawn is drawn several times.
    const bool once = result.exact || !(advice_.exact || line.others_answer);
    const std::size_t times = once ? 1 : 1 + limits_.histories / presents_.size();
    std::vector<Waiting> waiting;
    for (std::size_t n = 0; n < times * presents_.size(); ++n) {
        if (limits_.until.asked()) return false;
        if (auto made = play(presents_[n % presents_.size()], line)) waiting.push_back(std::move(*made));
    }
    std::size_t left = result.exact ? outcomes_most : 0;
    while (!waiting.empty()) {
        std::vector<Waiting> open;
        for (Waiting& at : waiting) {
            if (limits_.until.asked()) return false;
            const Node node = go_on_unasked(at);
            // What others answer at the same moment, unseen, is opened up as well: only then the seat learns what came of its move.
            const bool is_within = follows_others_ && node.joint && at.events.size() > settled(at.events) && !asks(node, deduction_.seat());
            const bool goes_on = is_chance(node.kind) || is_within;
            advice_.others_choose = advice_.others_choose || is_within;
            const bool is_far = at.answered > unseen_most;
            if (!goes_on || is_far) {
                result.exact = result.exact && !goes_on;
                note(at, sorted, result);
                continue;
            }
            if (result.exact && node.moves > left) return false;
            const std::size_t before = open.size();
            open_up(at, node, left, open, chance_);
            std::reverse(open.begin() + before, open.end());  // `open_up` puts last what comes first
        }
        waiting = std::move(open);
    }
    return true;
}

// Nothing when it is late, or where what others answer at the same moment is too much to be opened up.
std::optional<MoveAdvice> Adviser::follow(const CompleteMove& line, std::size_t outcomes_most) {
    MoveAdvice result;
    Sorted sorted;
    result.exact = advice_.exact && !line.others_answer;
    bool is_done = follow(line, outcomes_most, sorted, result);
    if (!is_done && follows_others_ && advice_.others_choose) return std::nullopt;
    if (!is_done && result.exact && !limits_.until.asked()) {
        result = {};
        sorted = {};
        result.exact = false;
        is_done = follow(line, 0, sorted, result);
    }
    run_->ask_forced(false);
    if (!is_done) return std::nullopt;
    if (sorted.used == 0) return result;
    for (OpenOutcome& o : result.open) o.share /= sorted.used;
    result.over /= sorted.used;
    result.won /= sorted.used;
    result.won_shared /= sorted.used;
    const bool tells = result.exact || sorted.groups.size() == 1 || is_large_enough(sorted);
    double left = 0;
    for (Sorted::Group& group : sorted.groups) {
        const double missed = result.exact ? 0 : entropy_missed(group.worlds.size(), group.presents);
        const double bits = std::min(entropy(group.worlds) + missed, std::log2(ratio(group.worlds.size(), 1)));
        left += group.weight / sorted.used * bits;
        result.outcomes.push_back({std::move(group.noticed), group.weight / sorted.used, std::nullopt, group.points / group.weight});
        if (tells) result.outcomes.back().bits = bits;
    }
    std::stable_sort(result.outcomes.begin(), result.outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.share > b.share; });
    if (tells) result.bits = sorted.groups.size() == 1 ? 0 : std::max(0.0, advice_.open - left);
    if (machine_.game.score != no_id && ends_scored_) result.points = sorted.points / sorted.used;
    return result;
}

// Whether an event is an answer of the seat.
bool is_answer(const Event& e, int seat) {
    return e.kind == EventKind::acts || (e.seat == seat && (e.kind == EventKind::choice || e.kind == EventKind::answer));
}

// The move made; nothing where it cannot be.
std::optional<Adviser::Waiting> Adviser::play(const Present& present, const CompleteMove& line) {
    Waiting at;
    at.present = present;
    Events& events = at.events;
    run_->record(nullptr);
    run_->set_state(present.state);
    run_->advance();
    run_->record(&events);
    const auto note_answer = [&](std::size_t first) {
        if (first < events.size() && is_answer(events[first], deduction_.seat())) at.answers.push_back(events[first]);
    };
    bool fits = true;
    bool is_yes = false;
    for (std::size_t a = 0; a < line.answers.size() && fits; ++a) {
        const Node node =
            a > 0 && a <= line.passed ? pass_unseen(*run_, deduction_.seat(), chance_) : pass_windows(*run_, deduction_.seat());
        const std::uint64_t move = asks(node, deduction_.seat()) ? move_for_answer(*run_, line.answers[a]) : node.moves;
        fits = move < node.moves;
        if (!fits) break;
        is_yes = node.kind == NodeKind::consent && move != 0;
        const std::size_t before = events.size();
        run_->apply(move);
        note_answer(before);
    }
    // A choice of one thing alone behind a yes is made by itself.
    if (fits && is_yes) {
        const std::size_t before = events.size();
        run_->advance();
        note_answer(before);
    }
    run_->record(nullptr);
    at.present.state.assign(run_->state().begin(), run_->state().end());
    return fits ? std::optional(std::move(at)) : std::nullopt;
}

// To the next node after a move, if nobody acts.
Node Adviser::go_on_unasked(Waiting& at) {
    run_->ask_forced(at.is_past_windows);
    Node node = stand(at);
    if (node.kind != NodeKind::window) return node;
    run_->ask_forced(at.is_past_windows = true);
    run_->record(&at.events);
    node = pass_windows(*run_, onlooker);
    run_->record(nullptr);
    at.present.state.assign(run_->state().begin(), run_->state().end());
    return node;
}

void Adviser::note(const Waiting& at, Sorted& sorted, MoveAdvice& result) {
    const double gained = note_end(at, result);
    note_open(at, sorted, result);
    note_own(at, gained, sorted, result);
}

// Those who win together with a seat, and itself.
Seats partners_of(const Game& game, int seat) {
    Seats partners = seat_bit(seat);
    for (int p = 0; p < game.players; ++p)
        if (game.winner.together || (!game.team.empty() && game.team[p] == game.team[seat])) partners |= seat_bit(p);
    return partners;
}

// Where the run stands: whether that is the end, or an end has come after which others may still act, and the points that were gained.
double Adviser::note_end(const Waiting& at, MoveAdvice& result) {
    const int seat = deduction_.seat();
    const auto scores = run_->scores();
    const auto is_end = [](const Event& e) { return e.kind == EventKind::ended; };
    const bool has_ended = machine_.game.match == no_id && std::ranges::any_of(at.events, is_end);
    if (run_->advance().kind == NodeKind::over || has_ended) {
        result.over += at.present.weight;
        if (const auto front = run_->seats_in_front(); front && (*front & seat_bit(seat)) != 0) {
            const Seats own = *front & partners_of(machine_.game, seat);
            const bool by_lot = run_->decides_by_lot(*front);
            result.won += by_lot ? at.present.weight * std::popcount(own) / std::popcount(*front) : at.present.weight;
            if (own != *front && !by_lot) result.won_shared += at.present.weight;
        }
    }
    if (std::cmp_greater_equal(seat, scores.size())) return 0;
    ends_scored_ = ends_scored_ && scores[seat] != unset_value;
    return ends_scored_ ? scores[seat] - at.present.score : 0;
}

// What all players see.
void Adviser::note_open(const Waiting& at, Sorted& sorted, MoveAdvice& result) const {
    std::string key;
    Events open = seen_by_all(at.events, machine_.game.players);
    for (const Event& e : open) key += event_line(machine_, e, onlooker) + "\n";
    const auto [number, is_first] = sorted.known_to_all.try_emplace(key, result.open.size());
    if (is_first) result.open.push_back({std::move(open), 0});
    result.open[number->second].share += at.present.weight;
}

// What the seat sees, and what it does itself.
void Adviser::note_own(const Waiting& at, double gained, Sorted& sorted, MoveAdvice& result) const {
    const Present& present = at.present;
    const int seat = deduction_.seat();
    Events seen;
    std::string key;
    if (sorted.used == 0) result.own = at.answers;
    for (const Event& e : at.events) {
        auto own = noticed(e, seat);
        if (!own) continue;
        key += event_line(machine_, e, seat) + "\n";
        seen.push_back(std::move(*own));
    }
    const auto [number, is_new] = sorted.known.try_emplace(key, sorted.groups.size());
    if (is_new) sorted.groups.emplace_back();
    Sorted::Group& group = sorted.groups[number->second];
    if (group.weight == 0) group.noticed = std::move(seen);
    ++group.presents;
    group.weight += present.weight;
    group.points += present.weight * gained;
    group.worlds[present.world] += present.weight;
    sorted.points += present.weight * gained;
    sorted.used += present.weight;
}

// All moves, as far as there is time; false where one could not be followed with what others answer at the same moment.
bool Adviser::weigh(const std::vector<CompleteMove>& lines, std::size_t outcomes_most) {
    for (const CompleteMove& line : lines) {
        const bool is_late = limits_.until.over();
        std::optional<MoveAdvice> move = is_late ? std::nullopt : follow(line, outcomes_most);
        if (is_late || limits_.until.asked()) {
            advice_.in_time = advice_.all_moves = false;
            break;
        }
        if (!move) return false;
        if (move->outcomes.empty()) continue;
        advice_.moves.push_back(std::move(*move));
        line_of_.push_back(&line - lines.data());
    }
    return true;
}

// Whether ends or points are in sight of some moves, and of others not or others: what they bring by then may not be what comes of them.
bool Adviser::differ_in_what_comes() const {
    constexpr double nearly = 1e-9;
    const auto own = std::ranges::find_if(advice_.moves, [](const MoveAdvice& move) { return !is_call(move); });
    return std::any_of(own, advice_.moves.end(), [&](const MoveAdvice& move) {
        const double points = move.points.value_or(0) - own->points.value_or(0);
        return !is_call(move) && (std::abs(move.over - own->over) > nearly || std::abs(points) > nearly);
    });
}

const Present& Adviser::drawn_present() {
    constexpr std::uint64_t fine = 1'000'000'000;
    double at = ratio(chance_.below(fine), fine);
    for (const Present& p : presents_)
        if ((at -= p.weight) < 0) return p;
    return presents_.back();
}

// Each move in the same histories and with the same chance, played on at random to the end.
void Adviser::play_on(const std::vector<CompleteMove>& lines) {
    constexpr std::uint64_t nodes_most = 100'000;  // about a tenth of a second
    constexpr std::size_t games_most = 2'000;
    constexpr std::size_t games_least = 50;
    constexpr double sure = 3;  // standard errors
    Rollouts rollouts(deduction_.shared_machine(), deduction_.seat(), {limits_.moves, limits_.inputs}, limits_.until.stop());
    std::vector<std::vector<double>> brought(advice_.moves.size());
    std::uint64_t nodes = 0;
    std::size_t games = 0;
    for (; games < games_most && nodes < nodes_most && !limits_.until.over(); ++games) {
        const Present& present = drawn_present();
        const std::uint64_t seed = chance_.next();
        for (std::size_t m = 0; m < advice_.moves.size(); ++m) {
            if (is_call(advice_.moves[m])) continue;
            Random chance(seed);
            const bool is_made = play(present, lines[line_of_[m]]).has_value();
            run_->ask_forced(false);
            brought[m].push_back(is_made ? rollouts.to_the_end(*run_, chance, nodes).first : 0);
        }
    }
    if (games < games_least) return;
    const auto sum = [](const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); };
    const std::vector<double>* best = nullptr;
    for (const std::vector<double>& all : brought)
        if (!all.empty() && (best == nullptr || sum(all) > sum(*best))) best = &all;
    for (std::size_t m = 0; m < brought.size(); ++m) {
        if (brought[m].empty()) continue;
        double less = 0;
        double squares = 0;
        for (std::size_t i = 0; i < games; ++i) {
            const double difference = (*best)[i] - brought[m][i];
            less += difference;
            squares += difference * difference;
        }
        advice_.moves[m].falls_behind = less > sure * std::sqrt(squares);
    }
}

std::optional<Advice> Adviser::advise(Random& random) {
    advice_.asked = hidden_asked_for(deduction_);
    if (!gather(random)) return std::nullopt;
    run_->set_state(presents_.front().state);
    run_->advance();
    std::map<std::size_t, double> worlds;
    for (const Present& p : presents_) worlds[p.world] += p.weight;
    advice_.open = entropy(worlds);
    worlds_ = worlds.size();
    const std::vector<KindId> likely = likeliest_kinds(deduction_, advice_.asked.places);
    const auto lines = complete_moves(*run_, deduction_.seat(), likely, advice_.all_moves, {limits_.moves, limits_.inputs, true});
    constexpr std::size_t opened_most = 100'000;  // for all moves together: about a second
    const std::size_t outcomes_most = std::max(limits_.histories, opened_most / std::max<std::size_t>(1, lines.size()));
    // A sample of what others may answer would make differences where there are none.
    follows_others_ = advice_.exact && std::ranges::none_of(lines, &CompleteMove::others_answer);
    if (!weigh(lines, outcomes_most)) {
        follows_others_ = advice_.others_choose = false;
        advice_.moves.clear();
        line_of_.clear();
        weigh(lines, outcomes_most);
    }
    // Who plays at random makes nothing of what is found out: that is no measure where the game asks for it.
    const bool asks = !asked_for(machine_).empty();
    if (advice_.in_time && !asks && differ_in_what_comes()) play_on(lines);
    const auto changes_points = [](const MoveAdvice& move) { return move.points.value_or(0) != 0; };
    if (std::ranges::any_of(advice_.moves, changes_points)) advice_.score_aim = score_aim(deduction_.shared_machine());
    std::stable_sort(advice_.moves.begin(), advice_.moves.end(), [](const MoveAdvice& a, const MoveAdvice& b) {
        return std::round(a.bits.value_or(0) * 1e9) > std::round(b.bits.value_or(0) * 1e9);
    });
    return std::move(advice_);
}

}  // namespace

std::optional<Advice> advise(Deduction& deduction, Random& random, AdviceLimits limits) {
    return Adviser(deduction, limits).advise(random);
}

}  // namespace houserule
