#include "solver/compare/differ.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/tree/fingerprint.hpp"
#include "solver/compare/parting_text.hpp"
#include "solver/compare/product_machine.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

namespace houserule {

namespace {

constexpr std::uint64_t nodes_of_a_game = 100'000;   // a random game that has more is given up; the longest shipped game has some thousand
constexpr std::uint64_t forced_between = 1'000'000;  // rounds between two answers: a hundred times what the largest game needs
constexpr std::uint64_t branches_of_a_node = 1'024;  // more are not walked: ten players at a window
constexpr std::uint64_t states_memory = 256U << 20;  // bytes of states that wait to be walked
constexpr int looked_on = 200;                       // nodes after a parting
constexpr std::uint64_t nodes_between_looks = 64;    // at the clock; at the work done it looks at each
constexpr std::size_t games_of_luck = 3;
constexpr std::uint64_t luck_states = 3'000;  // walked with the draws of one game
constexpr std::uint64_t before_first = 10;    // what happens before the first decision may take this part of the states, else it is left

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t game) { return Random(seed ^ (game + 1) * 0xd1342543de82ef95ULL).next(); }

// Whether both are the same rules, word for word, but for names of the game, its options and what is only told to people; and their
// machines go round in the same order.
bool same_rules(const Machine& first, const Machine& second) {
    const auto same_way = [](const PlayerLoop& a, const PlayerLoop& b) { return a.clockwise == b.clockwise && a.after == b.after; };
    return std::equal(first.loops.begin(), first.loops.end(), second.loops.begin(), second.loops.end(), same_way) &&
           printed_rules(first.game) == printed_rules(second.game);
}

// The answers of a game up to where it parts.
struct Line {
    std::vector<Answers> answers;
    std::size_t decisions = 0;
    std::optional<std::uint64_t> untaken;  // then: a move of the first that the second does not have, of too many to compare

    bool shorter_than(const Line& other) const {
        return std::pair(decisions, answers.size()) < std::pair(other.decisions, other.answers.size());
    }
};

// What chance and the table answered in a game of the first machine, in order: for another game with the same luck.
using Luck = std::vector<std::vector<std::int32_t>>;

// ---- all that can happen, breadth first by decisions

struct FingerprintHash {
    std::size_t operator()(const Fingerprint& f) const { return static_cast<std::size_t>(f.a ^ f.b); }
};

class Walk {
public:
    // With `luck`, chance answers as it did there, as far as that can be: one game of many, but all that players can do in it.
    Walk(SideBySide& both, std::uint64_t states, const Luck* luck, const std::function<bool()>& stop)
        : both_(both), limit_(states), luck_(luck), stop_(stop) {}

    // Looks for a parting with fewer decisions than `below`.
    void run(std::size_t below) {
        below_ = below;
        both_.start();
        arrive(no_step, 0, std::nullopt, 0);
        for (; level_ < below_ && !stopped_ && level_ < waiting_.size(); ++level_) {
            while (!waiting_[level_].empty() && !stopped_) {
                const Waiting next = std::move(waiting_[level_].front());
                waiting_[level_].pop_front();
                kept_bytes_ -= next.at.first.size() + next.at.second.size();
                expand(next);
            }
        }
    }
    // Everything was walked.
    bool complete() const { return !stopped_ && !cut_ && level_ == waiting_.size(); }
    // Every game with fewer decisions than this was looked at.
    std::size_t levels() const { return cut_ ? 0 : stopped_ && level_ > 0 ? level_ - 1 : level_; }
    std::uint64_t states() const { return seen_.size(); }
    const std::optional<Line>& found() const { return found_; }

private:
    static constexpr std::uint32_t no_step = 0xFFFFFFFF;
    struct Trail {
        std::uint32_t before = no_step;
        Answers answers;
    };
    struct Waiting {
        Both at;
        std::uint32_t trail = no_step;
        std::uint32_t luck = 0;  // answers of chance so far
        Fingerprint key;
    };

    void expand(const Waiting& w) {
        if (seen_[w.key] < level_) return;  // it was come to with fewer decisions meanwhile
        both_.go_to(w.at);
        for (const std::uint64_t move : moves(w.luck)) {
            stopped_ = stopped_ || stop_();
            if (stopped_) return;
            both_.go_to(w.at);
            const auto answers = both_.together(move);
            if (!answers) {
                cut_ = true;  // more moves than were compared
                continue;
            }
            const std::size_t cost = decisions_of(both_.first(), move);
            const bool chance = is_chance(both_.first().node().kind);
            both_.apply(*answers);
            arrive(w.trail, w.luck + (chance ? 1 : 0), answers, cost);
        }
    }
    // What is tried at the node at hand.
    std::vector<std::uint64_t> moves(std::uint32_t luck) {
        const Run& run = both_.first();
        const Node& n = run.node();
        std::vector<std::uint64_t> all;
        if (luck_ != nullptr && is_chance(n.kind)) {
            const std::uint64_t same = luck < luck_->size() ? run.move_for((*luck_)[luck]) : n.moves;
            return {same < n.moves ? same : luck % n.moves};
        }
        if (n.kind == NodeKind::window) {
            if (luck_ != nullptr) {  // one acts, or nobody
                all.push_back(0);
                for (Seats rest = n.seats; rest != 0; rest &= rest - 1) all.push_back(rest & -rest);
                return all;
            }
            std::uint64_t who = 0;
            do {
                all.push_back(who);
                who = (who - n.seats) & n.seats;  // the next subset
            } while (who != 0);
            return all;
        }
        std::int32_t last = -1;
        for (std::uint64_t m = 0; m < n.moves; ++m) {
            if (n.kind == NodeKind::draw) {  // copies of a kind stand side by side, and it makes no difference which is drawn
                const std::int32_t kind = run.meaning(m).values.front();
                if (m != 0 && kind == last) continue;
                last = kind;
            }
            if (all.size() == branches_of_a_node) {
                cut_ = true;
                break;
            }
            all.push_back(m);
        }
        return all;
    }
    void arrive(std::uint32_t before, std::uint32_t luck, std::optional<Answers> answers, std::size_t cost) {
        const std::size_t decisions = level_ + cost;
        if (decisions >= below_) return;
        const JointState m = both_.meet();
        if (m.standing == Standing::apart) {
            Line line = line_of(before);
            if (answers) line.answers.push_back(*answers);
            line.decisions = decisions;
            if (!found_ || line.shorter_than(*found_)) found_ = std::move(line);
            below_ = std::min(below_, decisions);
            return;
        }
        if (m.standing != Standing::alike) return;
        if (!m.offers.listed) cut_ = true;
        Waiting w;
        both_.save(w.at);
        w.key = key_of(w.at, luck);
        const auto [known, fresh] = seen_.emplace(w.key, decisions);
        if (!fresh && known->second <= decisions) return;
        known->second = decisions;
        kept_bytes_ += w.at.first.size() + w.at.second.size();
        if (seen_.size() > limit_ || kept_bytes_ > states_memory) {
            stopped_ = true;
            return;
        }
        if (level_ == 0 && luck_ == nullptr && seen_.size() > limit_ / before_first && waiting_.size() < 2) stopped_ = true;
        w.luck = luck;
        w.trail = trails_.size();
        trails_.push_back({before, answers.value_or(Answers{})});
        if (waiting_.size() <= decisions) waiting_.resize(decisions + 1);
        waiting_[decisions].push_back(std::move(w));
    }
    static Fingerprint key_of(const Both& at, std::uint32_t luck) {
        Fingerprint key;
        key.add(luck);
        for (const auto* state : {&at.first, &at.second}) {
            for (std::size_t i = 0; i < state->size(); i += sizeof(std::uint64_t)) {
                std::uint64_t word = 0;
                std::memcpy(&word, state->data() + i, std::min(sizeof word, state->size() - i));
                key.add(word);
            }
        }
        return key;
    }
    Line line_of(std::uint32_t trail) const {
        Line line;
        for (; trail != no_step && trail != 0; trail = trails_[trail].before) line.answers.push_back(trails_[trail].answers);
        std::reverse(line.answers.begin(), line.answers.end());
        return line;
    }

    SideBySide& both_;
    std::uint64_t limit_;
    const Luck* luck_;
    const std::function<bool()>& stop_;
    std::size_t below_ = 0;
    std::size_t level_ = 0;  // decisions of what is walked at the moment
    bool stopped_ = false;   // at a limit
    bool cut_ = false;       // something was left out
    std::uint64_t kept_bytes_ = 0;
    std::vector<Trail> trails_;
    std::deque<std::deque<Waiting>> waiting_;                             // by decisions
    std::unordered_map<Fingerprint, std::size_t, FingerprintHash> seen_;  // with how few decisions
    std::optional<Line> found_;
};

// ---- random games, side by side

// A run that goes on alone. False when it does not end.
struct Alone {
    std::uint64_t decisions = 0;
    bool ended = true;
};

Alone play_on(Run& run, Random& random, const std::function<bool()>& stop) {
    Alone game;
    for (std::uint64_t nodes = 0; nodes < nodes_of_a_game && !stop(); ++nodes) {
        const Node& n = run.advance();
        if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return game;
        if (is_of_players(n.kind)) ++game.decisions;
        run.apply(random_move(run, random));
    }
    game.ended = false;
    return game;
}

// Sums over games; shares are made in the end.
struct Sums {
    std::uint64_t games = 0;
    std::uint64_t finished = 0;
    std::uint64_t broken = 0;
    std::uint64_t decisions = 0;
    std::uint64_t decisions_squared = 0;
    std::vector<double> wins;
    std::map<EndId, std::uint64_t> ends;  // none: played to the end

    void add(Run& run, const GameResult& outcome, std::uint64_t decided) {
        ++games;
        decisions += decided;
        decisions_squared += decided * decided;
        if (run.node().kind == NodeKind::failed || !outcome.winners) {
            ++broken;
            return;
        }
        ++finished;
        ++ends[run.ended()];
        for (const std::int32_t p : *outcome.winners) wins[p] += 1.0 / outcome.winners->size();
    }
    GameNumbers numbers(const Game& game) const {
        GameNumbers n;
        n.games = games;
        n.broken = broken;
        if (games != 0) {
            n.decisions = ratio(decisions, games);
            n.spread = std::sqrt(std::max(0.0, ratio(decisions_squared, games) - n.decisions * n.decisions));
        }
        for (const double w : wins) n.wins.push_back(finished == 0 ? 0 : w / finished);
        for (const auto& [end, count] : ends) n.ends.emplace_back(end == no_id ? "" : game.ends[end].name, count);
        return n;
    }
};

class Comparison {
public:
    Comparison(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, const DifferLimits& limits)
        : limits_(limits),
          both_(first, second, forced_between),
          players_(first->game.players),
          late_(limits.until.stop(), [until = limits.until] { return until.over(); }) {
        first_.wins.assign(players_, 0);
        second_.wins.assign(players_, 0);
        both_.stop_on(&late_);
        both_.pass_inside(limits.inside);
        stop_ = [this] {
            if (!out_of_time_) {
                out_of_work_ = both_.work() >= limits_.work;
                out_of_time_ = out_of_work_ || (looks_++ % nodes_between_looks == 0 && limits_.until.over());
            }
            return out_of_time_;
        };
    }

    Difference result() {
        if (limits_.only_along) {
            for (std::size_t i = 0; i < limits_.along.size() && !stop_(); ++i) play_counted(limits_.along[i], i);
            return told();
        }
        play_games();
        for (const std::vector<std::uint64_t>& moves : limits_.along) play_along(moves);
        if (!lines_.empty() && lines_.front().decisions > 0) play_short_games();
        walk();
        if (lines_.empty() ? !complete_ : !shortest_) walk_with_luck();
        return told();
    }

private:
    // ---- games

    void play_games() {
        for (std::uint64_t i = 0; i < limits_.games && !stop_(); ++i) play_game(i);
    }
    void play_game(std::uint64_t number) {
        const std::uint64_t seed = seed_of(limits_.seed, number);
        Random random(seed);
        Line line;
        std::uint64_t decided = 0;
        Both before;
        both_.start();
        JointState m = both_.meet();
        for (std::uint64_t nodes = 0; m.standing == Standing::alike && nodes < nodes_of_a_game; ++nodes) {
            if (stop_()) return;
            m = take(random_move(both_.first(), random), line, decided, before);
        }
        note_game(m, std::move(line), seed, decided, before);
    }
    void play_counted(const std::vector<std::uint64_t>& moves, std::uint64_t number) {
        Line line;
        std::uint64_t decided = 0;
        Both before;
        both_.start();
        JointState m = both_.meet();
        for (std::size_t i = 0; behind_passed(moves, i) && m.standing == Standing::alike; ++i) {
            if (stop_()) return;
            m = take(moves[i], line, decided, before);
        }
        note_game(m, std::move(line), seed_of(limits_.seed, number), decided, before);
    }
    void note_game(const JointState& m, Line line, std::uint64_t seed, std::uint64_t decided, const Both& before) {
        if (m.standing == Standing::alike || both_.was_stopped()) return;  // it does not end, nor does it part
        parts_.of += 1;
        winner_changes_.of += 1;
        if (m.standing != Standing::apart) {
            if (games_.size() < games_of_luck) games_.push_back(std::move(line));
            return note_alike(decided);
        }
        parts_.games += 1;
        keep(line);
        note_apart(m, line, seed, decided, before);
    }
    // A game of the first machine that is known to lead far: it says whether they part, and nothing about how often.
    void play_along(const std::vector<std::uint64_t>& moves) {
        if (stop_()) return;
        Line line;
        both_.start();
        JointState m = both_.meet();
        for (std::size_t i = 0; behind_passed(moves, i) && m.standing == Standing::alike; ++i) {
            if (stop_()) return;
            const auto answers = both_.together(moves[i]);
            if (!answers) {
                line.untaken = moves[i];
                m = only_first(moves[i]);
                break;
            }
            line.answers.push_back(*answers);
            line.decisions += decisions_of(both_.first(), moves[i]);
            both_.apply(*answers);
            m = both_.meet();
        }
        if (m.standing != Standing::apart) return;
        more_.other = true;  // what they would offer from there on was not looked at
        keep(line);
    }
    // Whether there is a move left behind those at the windows that were just let pass, all of which nobody acted at.
    bool behind_passed(const std::vector<std::uint64_t>& moves, std::size_t& i) const {
        for (std::uint64_t passed = both_.passed().first; passed > 0; --passed, ++i)
            if (i >= moves.size() || moves[i] != 0) return false;
        return i < moves.size();
    }
    // An answer of the first machine, and the same of the second.
    JointState take(std::uint64_t move, Line& line, std::uint64_t& decided, Both& before) {
        const Run& run = both_.first();
        const auto answers = both_.together(move);
        if (!answers) {
            line.untaken = move;
            return only_first(move);
        }
        line.answers.push_back(*answers);
        line.decisions += decisions_of(run, move);
        if (is_of_players(run.node().kind)) ++decided;
        both_.save(before);
        both_.apply(*answers);
        return both_.meet();
    }
    static JointState only_first(std::uint64_t move) { return {Standing::apart, Parting::How::offered, {false, false, {move}, {}}}; }
    void note_alike(std::uint64_t decided) {
        first_.add(both_.first(), outcome_if_over(both_.first()), decided);
        second_.add(both_.second(), outcome_if_over(both_.second()), decided);
    }
    static GameResult outcome_if_over(Run& run) { return run.node().kind == NodeKind::over ? outcome_of(run) : GameResult{}; }
    void note_apart(const JointState& m, const Line& line, std::uint64_t seed, std::uint64_t decided, const Both& before) {
        Both here;
        const bool broken = m.how == Parting::How::broken;
        if (!broken) both_.save(here);
        if (m.how == Parting::How::asked || m.how == Parting::How::offered || m.how == Parting::How::over) {
            Random random(seed + 1);
            both_.look_on(both_.realigned(m, before, line.answers.empty() ? std::nullopt : std::optional(line.answers.back())), random,
                          looked_on, more_);
            both_.go_to(here);
        } else {
            more_.other = true;
        }
        Random one(seed + 2);
        Random other(seed + 2);
        const Alone a = play_on(both_.first(), one, stop_);
        const Alone b = play_on(both_.second(), other, stop_);
        if (!a.ended || !b.ended || is_stopped(both_.first()) || is_stopped(both_.second())) {
            winner_changes_.of -= 1;
            return;
        }
        const GameResult x = outcome_if_over(both_.first());
        const GameResult y = outcome_if_over(both_.second());
        first_.add(both_.first(), x, decided + a.decisions);
        second_.add(both_.second(), y, decided + b.decisions);
        const auto broke = [](Run& run) { return run.node().kind == NodeKind::failed; };
        if (broke(both_.first()) && broke(both_.second())) return;  // nobody wins in either
        if (!x.winners || !y.winners)
            winner_changes_.of -= 1;
        else if (!x.won_alike(y))
            winner_changes_.games += 1;
    }
    // The shortest few.
    void keep(const Line& line) {
        const auto at = std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return line.shorter_than(l); });
        if (at == lines_.end() && lines_.size() == games_of_luck) return;
        lines_.insert(at, line);
        if (lines_.size() > games_of_luck) lines_.pop_back();
    }
    // Further games, each given up when it is no shorter than the best.
    void play_short_games() {
        for (std::uint64_t i = 0; i < limits_.games && lines_.front().decisions > 0 && !stop_(); ++i) {
            Random random(seed_of(limits_.seed, limits_.games + i));
            Line line;
            std::uint64_t decided = 0;
            Both before;
            both_.start();
            JointState m = both_.meet();
            for (std::uint64_t nodes = 0; m.standing == Standing::alike && line.shorter_than(lines_.front()) && nodes < nodes_of_a_game;
                 ++nodes) {
                if (stop_()) return;
                m = take(random_move(both_.first(), random), line, decided, before);
            }
            if (m.standing == Standing::apart && line.shorter_than(lines_.front())) keep(line);
        }
    }

    // ---- all that can happen

    void walk() {
        if (limits_.states == 0 || stop_()) return;
        Walk all(both_, limits_.states, nullptr, stop_);
        all.run(lines_.empty() ? std::numeric_limits<std::size_t>::max() : lines_.front().decisions);
        states_ = all.states();
        const bool whole = !both_.was_stopped();
        complete_ = whole && all.complete();
        levels_ = whole ? all.levels() : 0;
        if (all.found()) {
            lines_.insert(lines_.begin(), *all.found());
            by_walk_ = true;
        }
        shortest_ = !lines_.empty() && (complete_ || levels_ >= lines_.front().decisions);
    }
    // With the draws of the shortest games, or of some when none part: all that players can do then, as far as it goes.
    void walk_with_luck() {
        std::vector<Line> lines = lines_.empty() ? games_ : lines_;
        for (const Line& line : lines) {
            if (stop_()) return;
            const Luck luck = luck_of(line);
            Walk some(both_, std::min(limits_.states, luck_states), &luck, stop_);
            some.run(lines_.empty() ? std::numeric_limits<std::size_t>::max() : lines_.front().decisions);
            if (some.found() && (lines_.empty() || some.found()->shorter_than(lines_.front())))
                lines_.insert(lines_.begin(), *some.found());
        }
        shortest_ = !lines_.empty() && levels_ >= lines_.front().decisions;
    }
    Luck luck_of(const Line& line) {
        Luck luck;
        both_.start();
        both_.meet();
        for (const Answers& answers : line.answers) {
            if (is_chance(both_.first().node().kind)) luck.push_back(both_.first().meaning(answers.first).values);
            both_.apply(answers);
            both_.meet();
        }
        return luck;
    }

    // ---- what came of it

    Difference told() {
        Difference d;
        d.states = states_;
        d.work = both_.work();
        if (levels_ > 0) d.walked_decisions = levels_ - 1;
        d.out_of_time = out_of_time_;
        d.out_of_work = out_of_work_;
        d.parts = parts_;
        d.winner_changes = winner_changes_;
        d.first = first_.numbers(both_.first().machine().game);
        d.second = second_.numbers(both_.second().machine().game);
        d.bound = FindingText::games(parts_.of);
        if (states_ != 0) d.bound = FindingText::and_states(d.bound, states_);
        if (lines_.empty()) {
            d.verdict = complete_ ? Verdict::proved_absent : parts_.of == 0 && levels_ == 0 ? Verdict::unknown : Verdict::not_found;
            d.method = complete_ ? FoundBy::exhaustive : levels_ > 0 ? FoundBy::bounded : FoundBy::simulated;
            if (levels_ > 0 && !complete_) d.bound = FindingText::and_all_short_games(d.bound, levels_ - 1);
            return d;
        }
        d.verdict = Verdict::found;
        // Shorter games may all have been walked, or there are none: that is not every game there is.
        d.method = complete_ && states_ != 0 ? FoundBy::exhaustive : by_walk_ ? FoundBy::bounded : FoundBy::simulated;
        d.shortest = shortest_;
        d.parting = parting(lines_.front());
        d.first_allows_more = more_.first && !more_.second && !more_.other;
        d.second_allows_more = more_.second && !more_.first && !more_.other;
        return d;
    }
    // Played once more from the start, so that what is told was seen; to the end of it, whoever wants no more.
    Parting parting(const Line& line) {
        both_.stop_on(nullptr);
        Parting p;
        Both before;
        both_.start();
        JointState m = both_.meet();
        const auto note_passed = [&] {
            p.moves.insert(p.moves.end(), both_.passed().first, 0);
            p.other.insert(p.other.end(), both_.passed().second, 0);
        };
        note_passed();
        for (const Answers& answers : line.answers) {
            both_.save(before);
            both_.apply(answers);
            m = both_.meet();
            p.moves.push_back(answers.first);
            p.other.push_back(answers.second);
            note_passed();
        }
        m = line.untaken ? only_first(*line.untaken)
                         : both_.realigned(m, before, line.answers.empty() ? std::nullopt : std::optional(line.answers.back()));
        p.how = m.how;
        p.decisions = line.decisions;
        p.first = parting_text(both_, m, Side::first);
        p.second = parting_text(both_, m, Side::second);
        p.spans = parting_spans(both_);
        p.first_forced = is_forced(both_.first());
        p.second_forced = is_forced(both_.second());
        if (parts_.games == 0 && p.how != Parting::How::broken) {  // no random game says whether it is only more that is offered
            Random random(limits_.seed);
            both_.look_on(m, random, looked_on, more_);
        }
        return p;
    }

    DifferLimits limits_;
    SideBySide both_;
    std::size_t players_;
    Stop late_;
    std::function<bool()> stop_;
    bool out_of_time_ = false;
    bool out_of_work_ = false;  // that is why
    std::uint64_t looks_ = 0;

    std::vector<Line> lines_;  // where they part: the shortest games found, shortest first
    std::vector<Line> games_;  // some that do not part
    Frequency parts_;
    Frequency winner_changes_;
    Sums first_;
    Sums second_;
    SideBySide::More more_;

    std::uint64_t states_ = 0;
    bool complete_ = false;
    std::size_t levels_ = 0;
    bool by_walk_ = false;
    bool shortest_ = false;
};

}  // namespace

Difference compare(const std::shared_ptr<const Machine>& first, const std::shared_ptr<const Machine>& second, const DifferLimits& limits) {
    if (first->game.players != second->game.players) return {};
    if (same_rules(*first, *second)) {
        Difference same;
        same.verdict = Verdict::proved_absent;
        same.method = FoundBy::static_reading;
        return same;
    }
    return Comparison(first, second, limits).result();
}

}  // namespace houserule
