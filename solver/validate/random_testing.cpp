#include "solver/validate/random_testing.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/text/ratio.hpp"
#include "interpreter/machine/never.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/validate/progress.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

namespace houserule {

namespace {

enum class Leaning : std::uint8_t { random, declining, eager, curious };

constexpr std::int64_t eager_odds = 300'000;       // in a million, of acting when one may
constexpr std::uint64_t curious_moves = 2'048;     // of one answer: more are not tried
constexpr std::uint64_t curious_budget = 4'000;    // tries in one game
constexpr std::size_t remembered_rounds = 200;     // of one loop
constexpr std::uint64_t nodes_between_looks = 64;  // at the clock; at the work done it looks at each

using Key = std::tuple<ObservationKind, StepId, std::int32_t, std::int32_t, FailureKind>;

// Of the condition of an end, since it was last checked.
enum class Since : std::uint8_t { unknown, lacked, held };

// What is followed of a loop while it goes round.
struct Going {
    std::vector<std::vector<std::int32_t>> measures;  // at the beginning of each round
    std::vector<std::int32_t> read;                   // what the end reads, at the beginning of this round
    std::vector<std::byte> table;                     // at the beginning of this round
    std::size_t asked = 0;                            // answers before it
    std::int32_t rounds = 0;                          // this one included
    bool lacked = false;                              // the end's condition did not hold when this round began,
    bool held = false;                                // and came to hold in it
    bool open = false;
};

// An answer of a player; that nobody acts is none.
bool is_decision(const Node& n, std::uint64_t move) {
    if (n.kind == NodeKind::window) return move != 0;
    return n.kind == NodeKind::choose || n.kind == NodeKind::consent || n.kind == NodeKind::ask;
}

// Something that was named on the way.
bool reads_variable(const Game& game, ExpressionId expression) {
    return any_read(game, expression, [](const Expression& x) {
        return x.op == Operator::variable || x.op == Operator::set_variable || x.op == Operator::cards_variable;
    });
}

bool reads_cards(const Game& game, ExpressionId expression) {
    return any_read(game, expression, [](const Expression& x) {
        return x.op == Operator::place || x.op == Operator::cards_of || x.op == Operator::cards_at;
    });
}

// Numbers that may run up or down; a yes or no may change and change back.
bool reads_numbers_only(const Game& game, ExpressionId expression) {
    bool numbers = false;
    const bool others = any_read(game, expression, [&](const Expression& x) {
        if (x.op != Operator::fact && x.op != Operator::set_fact) return false;
        numbers = true;
        return game.facts[x.named()].type.base != Base::number;
    });
    return numbers && !others && !reads_cards(game, expression);
}

// Conditions of ends that can be read anywhere, and are about where cards lie.
std::vector<ExpressionId> end_conditions_of(const Game& game) {
    std::vector<ExpressionId> conditions;
    for (const EndCheck& c : game.checks)
        for (const auto& [end, condition] : c.ends)
            if (!reads_variable(game, condition) && reads_cards(game, condition)) conditions.push_back(condition);
    return conditions;
}

// By statement: whether it is among the effects of simultaneous decisions, which read an older state than the one at hand.
Store<StatementId, bool> effects_of(const Game& game) {
    Store<StatementId, bool> effects(game.statements.size(), false);
    const auto mark = [&](StatementId body) {
        const auto mark_one = [&](StatementId id) {
            effects[id] = true;
            return false;
        };
        for (const StatementId effect : at_once(game, body).effects) {
            any_within(game, effect, mark_one);
            const Store<RuleId, bool> played = reachable_rules(game, effect);
            for (const RuleId r : played.ids())
                if (played[r]) any_within(game, game.rules[r].body, mark_one);
        }
    };
    for (const Statement& s : game.statements)
        if (const auto* together = s.as<statement::Simultaneously>()) mark(together->body);
    for (const Act& a : game.acts) mark(a.body);
    return effects;
}

class Testing {
public:
    Testing(const Watched& watched, const TestLimits& limits)
        : machine_(*watched.machine),
          game_(machine_.game),
          points_(watched.points),
          limits_(limits),
          late_(limits.until.stop(), [until = limits.until] { return until.over(); }),
          run_(make_run(watched.machine)),
          one_(make_run(watched.machine)),
          other_(make_run(watched.machine)),
          random_(limits.seed),
          amounts_(machine_),
          closing_(machine_, points_, limits.states),
          effects_(effects_of(game_)),
          end_conditions_(end_conditions_of(game_)) {
        result_.reached.assign(machine_.code.size(), 0);
        result_.held.assign(game_.expressions.size(), 0);
        result_.left.assign(game_.zones.size(), 0);
        result_.asked.assign(machine_.code.size(), 0);
        result_.came.assign(game_.families.size(), 0);
        at_start_.assign(game_.places, 0);
        point_at_.assign(machine_.code.size(), nullptr);
        for (const auto& [step, point] : points_) point_at_[step] = &point;
        tried_.assign(machine_.code.size(), 0);
        for (Run* run : {run_.get(), one_.get(), other_.get()}) run->stop_on(&late_);
    }

    TestedGames go() {
        for (const auto& moves : limits_.along) {
            if (is_late()) break;
            along_ = &moves;
            play(Leaning::random);
        }
        for (std::uint64_t i = 0; i < limits_.games && limits_.along.empty() && !is_late(); ++i) play(leaning_of(i));
        result_.rounds = declined_ == 0 ? 0 : ratio(rounds_, declined_);
        for (auto& [key, observation] : sights_) {
            if (observation.kind == ObservationKind::early && result_.rounds < 3) continue;
            result_.observations.push_back(std::move(observation));
        }
        return std::move(result_);
    }

private:
    static Leaning leaning_of(std::uint64_t i) {
        constexpr Leaning turns[] = {Leaning::random,  Leaning::random, Leaning::declining, Leaning::random,
                                     Leaning::curious, Leaning::random, Leaning::eager,     Leaning::random};
        return turns[i % 8];
    }

    std::uint64_t work() const { return run_->work() + one_->work() + other_->work(); }
    // Once it is, what was begun is left as it is: nothing is concluded from it.
    bool is_late() {
        if (!result_.cut_off) {
            result_.out_of_work = work() >= limits_.work;
            result_.cut_off = result_.out_of_work || (looks_++ % nodes_between_looks == 0 && limits_.until.over());
        }
        return result_.cut_off;
    }

    // ---- one game

    // What was not played to its end is none of the games.
    void forget(Leaning leaning) {
        --result_.games;
        if (leaning != Leaning::random) return;
        --result_.random;
        for (const Key& key : met_) --sights_.at(key).games;
    }
    void play(Leaning leaning) {
        leaning_ = leaning;
        moves_.clear();
        decisions_ = 0;
        asked_ = 0;
        round_of_play_ = 0;
        tries_ = curious_budget;
        volunteered_ = false;
        in_play_ = false;
        outermost_ = no_id;
        going_.clear();
        held_.clear();
        pending_.clear();
        met_.clear();
        ++result_.games;
        if (leaning == Leaning::random) ++result_.random;
        run_->start();
        for (;;) {
            const Node n = run_->advance();
            if (is_late()) return forget(leaning);
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) {
                if (is_stopped(*run_)) return forget(leaning);
                if (n.kind == NodeKind::over)
                    over();
                else
                    note_failure(n.step);
                break;
            }
            if (const WatchPoint* point = point_at(n)) {
                at_point(n.step, *point);
                run_->apply(0);
                continue;
            }
            if (moves_.size() >= limits_.moves) break;
            note_held(n);
            if ((n.kind == NodeKind::choose || n.kind == NodeKind::consent) && n.step != no_id) result_.asked[n.step] = 1;
            answer(n, chosen(n));
        }
        for (std::size_t i = 0; i < result_.reached.size(); ++i) result_.reached[i] |= run_->reached()[i];
        if (leaning == Leaning::curious && limits_.far != 0) {
            if (result_.far.size() < limits_.far)
                result_.far.push_back(moves_);
            else
                result_.far[far_next_++ % limits_.far] = moves_;
        }
        if (leaning != Leaning::declining) return;
        rounds_ += round_of_play_;
        ++declined_;
    }

    const WatchPoint* point_at(const Node& n) const { return n.kind == NodeKind::ask && n.step != no_id ? point_at_[n.step] : nullptr; }

    void answer(const Node& n, std::uint64_t move) {
        moves_.push_back(move);
        if (is_decision(n, move)) ++decisions_;
        if (n.kind != NodeKind::window) ++asked_;
        result_.deciders |= n.kind == NodeKind::window ? n.seats : n.seat >= 0 ? seat_bit(n.seat) : no_seats;
        if (in_play_ && move != 0 && (n.kind == NodeKind::window || n.kind == NodeKind::consent || n.kind == NodeKind::ask))
            volunteered_ = true;
        if (n.kind == NodeKind::window && move != 0) ++asked_;
        run_->apply(move);
    }

    std::uint64_t chosen(const Node& n) {
        if (along_ != nullptr && moves_.size() < along_->size()) return (*along_)[moves_.size()];
        const bool offer = n.kind == NodeKind::window || n.kind == NodeKind::consent || n.kind == NodeKind::ask;
        switch (leaning_) {
            case Leaning::random:
                break;
            case Leaning::declining:
                if (offer) return 0;
                break;
            case Leaning::eager:
                if (n.kind == NodeKind::consent || n.kind == NodeKind::ask) return 1;
                return random_move(*run_, random_, eager_odds);
            case Leaning::curious:
                return something_else(n);
        }
        return random_move(*run_, random_);
    }

    // A move that leads where no game has been, or where few have.
    std::uint64_t something_else(const Node& n) {
        const std::uint64_t any = random_move(*run_, random_);
        const std::vector<std::uint64_t> moves = worth_trying(n);
        if (moves.size() < 2 || tries_ < moves.size()) return any;
        tries_ -= moves.size();
        const std::vector<std::byte> here(run_->state().begin(), run_->state().end());
        const std::vector<std::int32_t> before = amounts_.of(*run_);
        const std::size_t from = random_.below(moves.size());
        std::uint64_t best = any;
        std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint64_t> features;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (is_late()) return any;
            const std::uint64_t move = moves[(from + i) % moves.size()];
            one_->set_state(here);
            one_->advance();
            one_->apply(move);
            go_on(*one_);
            if (is_new(one_->reached())) return move;
            std::vector<std::uint64_t> found = features_of(before, amounts_.of(*one_));
            std::uint32_t times = std::numeric_limits<std::uint32_t>::max();
            for (const std::uint64_t f : found) times = std::min(times, visits_[f]);
            if (times >= fewest) continue;
            fewest = times;
            best = move;
            features = std::move(found);
        }
        for (const std::uint64_t f : features) ++visits_[f];
        return best;
    }
    std::vector<std::uint64_t> worth_trying(const Node& n) {
        std::vector<std::uint64_t> moves;
        if (n.kind == NodeKind::window) {
            if (random_.below(16) != 0) return {};  // the chance to act comes after every step
            moves.push_back(0);
            for (int p = 0; p < game_.players; ++p)
                if ((n.seats >> p & 1) != 0) moves.push_back(std::uint64_t{1} << p);
        } else if (n.moves <= curious_moves) {
            for (std::uint64_t move = 0; move < n.moves; ++move) moves.push_back(move);
        }
        return moves;
    }
    // What has changed, each beside everything else there is: as numbers.
    static std::vector<std::uint64_t> features_of(const std::vector<std::int32_t>& before, const std::vector<std::int32_t>& now) {
        std::vector<std::uint64_t> features;
        const auto code = [&](std::size_t i) {
            return (static_cast<std::uint64_t>(i) << 12) ^ (static_cast<std::uint64_t>(now[i] + 8) & 0xfff);
        };
        for (std::size_t i = 0; i < now.size() && i < before.size(); ++i) {
            if (now[i] == before[i]) continue;
            for (std::size_t j = 0; j < now.size(); ++j) features.push_back(code(i) << 32 | code(j));
        }
        return features;
    }
    bool is_new(std::span<const std::uint8_t> reached) {
        bool found = false;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            if (reached[i] == 0 || tried_to(i) != 0) continue;
            tried_[i] = 1;
            found = true;
        }
        return found;
    }
    std::uint8_t tried_to(std::size_t i) const { return tried_[i] | result_.reached[i] | run_->reached()[i]; }
    // To where somebody is asked, or the end.
    const Node& go_on(Run& run) {
        const Node* n = &run.advance();
        while (point_at(*n) != nullptr) {
            run.apply(0);
            n = &run.advance();
        }
        return *n;
    }

    // ---- what is noted

    Observation& note(ObservationKind kind, StepId step, std::int32_t first = no_id, std::int32_t second = no_id,
                      FailureKind what = FailureKind::none) {
        const Key key{kind, step, first, second, what};
        const auto [found, added] = sights_.try_emplace(key);
        Observation& observation = found->second;
        if (met_.insert(key).second && leaning_ == Leaning::random) ++observation.games;
        better_ = added || decisions_ < observation.decisions ||
                  (decisions_ == observation.decisions && moves_.size() < observation.moves.size());
        if (added) {
            observation.kind = kind;
            observation.step = step;
            observation.first = first;
            observation.second = second;
        }
        if (better_) {
            observation.moves = moves_;
            observation.decisions = decisions_;
        }
        return observation;
    }

    void note_failure(StepId step) {
        const Failure& failure = run_->failure();
        const bool overlap = failure.kind == FailureKind::cases_differ || failure.kind == FailureKind::cases_overlap;
        if (overlap && note_overlap(machine_.overlaps[machine_.code[step].a])) return;
        Observation& observation = note(ObservationKind::broken, step, static_cast<std::int32_t>(failure.span.begin), no_id, failure.kind);
        if (better_) observation.failure = failure;
    }

    // Two cases hold that must not, or do not come to the same: with what each of them would lead to.
    bool note_overlap(const Overlap& overlap) {
        for (const auto& [step, point] : points_) {
            const auto arm = [&, &choices = point.choices](const Overlap::Way& way) {
                return std::find_if(choices.begin(), choices.end(), [&](const WatchedChoice& c) { return c.target == way.entry; });
            };
            const auto first = arm(overlap.first);
            const auto other = arm(overlap.other);
            if (point.kind != WatchKind::cases || first == point.choices.end() || other == point.choices.end()) continue;
            const Failure failure = run_->failure();
            const std::vector<std::byte> here(run_->state().begin(), run_->state().end());
            Observation& observation = note(ObservationKind::cases, step, static_cast<std::int32_t>(first - point.choices.begin()),
                                            static_cast<std::int32_t>(other - point.choices.begin()), failure.kind);
            for (const Overlap::Way& way : {overlap.first, overlap.other}) note_came_up(machine_, way.condition, result_.reached);
            if (!better_) return true;
            observation.failure = failure;
            if (effects_[point.statement]) return true;
            take(*one_, here, overlap.first.entry);
            take(*other_, here, overlap.other.entry);
            std::tie(observation.one.then, observation.other.then) = outcome_differences(*one_, *other_);
            return true;
        }
        return false;
    }

    void over() {
        if (leaning_ == Leaning::random) {
            ++result_.over;
            ++result_.ends[run_->ended()];
        }
        for (PlaceId p = 1; p < game_.places; ++p)
            if (run_->size_at(p) != 0) result_.left[machine_.place_zone[p]] = 1;
        note_pieces();
        if (in_play_) note_stays();
        const auto broke = [](const std::vector<std::int32_t>& values) {
            return std::find(values.begin(), values.end(), std::numeric_limits<std::int32_t>::min()) != values.end();
        };
        if (!run_->in_front() || broke(run_->scores()) || broke(run_->payoffs())) {
            note_failure(run_->node().step);
        }
        if (in_play_ && outermost_ != no_id && round_of_play_ <= 1 && !volunteered_)
            note(ObservationKind::early, outermost_, run_->ended().value());
    }

    void note_pieces() {
        if (std::find(result_.came.begin(), result_.came.end(), 0) == result_.came.end()) return;
        for (std::size_t piece = 0; piece < game_.piece_kind.size(); ++piece) {
            const PieceKind& kind = game_.kinds[game_.piece_kind[piece]];
            if (run_->place_of(piece) != 0) result_.came[kind.family] = 1;
        }
    }
    void note_start() {
        for (PlaceId p = 1; p < game_.places; ++p) at_start_[p] = run_->size_at(p);
        std::vector<std::int32_t> of_player(game_.players, 0);
        for (const Zone& zone : game_.zones)
            for (std::int32_t i = 0; zone.by == IndexBy::player && i < zone.places; ++i) of_player[i] += at_start_[zone.first_place + i];
        result_.uneven =
            result_.uneven || std::any_of(of_player.begin(), of_player.end(), [&](std::int32_t n) { return n != of_player.front(); });
    }
    void note_stays() {
        const bool first = result_.stays.empty();
        if (first) result_.stays = at_start_;
        for (PlaceId p = 1; p < game_.places; ++p) {
            std::int32_t& stays = result_.stays[p];
            if (stays != at_start_[p] || stays != static_cast<std::int32_t>(run_->size_at(p))) stays = 0;
        }
    }

    void at_point(StepId step, const WatchPoint& point) {
        switch (point.kind) {
            case WatchKind::cases:
                return;  // play itself breaks: see note_overlap
            case WatchKind::ends:
                return at_ends(step, point);
            case WatchKind::round:
                return at_round(step, point);
            case WatchKind::until:
                return at_until(step, point);
            case WatchKind::bound:
                return at_bound(step, point);
            case WatchKind::play:
                in_play_ = true;
                held_.clear();
                pending_.clear();
                note_pieces();
                note_start();
                return;
        }
    }

    bool holds(ExpressionId condition) const { return run_->scalar(condition) == 1; }

    void at_ends(StepId step, const WatchPoint& point) {
        std::vector<std::int32_t> hold;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(point.choices.size()); ++i) {
            const ExpressionId condition = point.choices[i].condition;
            const bool now = holds(condition);
            if (now) {
                hold.push_back(i);
                result_.held[condition] = 1;
            } else if (hold.empty() && held_[condition] == Since::held && in_play_) {
                note(ObservationKind::late, step, i);
            }
            held_[condition] = now ? Since::unknown : Since::lacked;
            if (now && hold.size() == 1 && pending_.contains(condition) && in_play_) note(ObservationKind::waited, step, i);
        }
        for (const WatchedChoice& c : point.choices) pending_.erase(c.condition);
        if (hold.size() > 1) compare_ends(step, point, hold);
    }

    // What the first of those that hold leads to, beside each of the others.
    void compare_ends(StepId step, const WatchPoint& point, const std::vector<std::int32_t>& hold) {
        const std::vector<std::byte> here(run_->state().begin(), run_->state().end());
        for (std::size_t j = 1; j < hold.size(); ++j) {
            take(*one_, here, point.choices[hold[0]].target);
            take(*other_, here, point.choices[hold[j]].target);
            if (is_stopped(*one_) || is_stopped(*other_)) return;
            if (same_node(*one_, *other_)) continue;
            Observation& observation = note(ObservationKind::ends, step, hold[0], hold[j]);
            if (better_) std::tie(observation.one.then, observation.other.then) = std::pair(waits_for(*one_), waits_for(*other_));
        }
    }
    void take(Run& run, std::vector<std::byte> state, StepId target) {
        std::memcpy(state.data() + machine_.layout.pc, &target, sizeof target);
        run.set_state(state);
        go_on(run);
    }

    // ---- loops

    void at_round(StepId step, const WatchPoint& point) {
        Going& going = going_[point.statement];
        const bool first = !going.open || (point.counter != no_id && run_->variable(point.counter) == 0);
        if (first) going = {};
        ++going.rounds;
        if (in_play_ && (outermost_ == no_id || outermost_ == step)) {
            outermost_ = step;
            ++round_of_play_;
        }
        const std::vector<std::int32_t> measures = amounts_.of(*run_);
        const std::vector<std::int32_t> read = amounts_.read_by(*run_, point.condition);
        const std::vector<std::byte> table = amounts_.table(*run_);
        if (going.open && !bounded_by_rule(point)) {
            if (asked_ == going.asked && table == going.table) note(ObservationKind::idle, step);
            if (point.condition != no_id && reads_numbers_only(game_, point.condition) && asked_ != going.asked && read == going.read)
                note(ObservationKind::unmoved, step);
            if (asked_ != going.asked && std::find(going.measures.begin(), going.measures.end(), measures) != going.measures.end())
                note(ObservationKind::circle, step);
        }
        if (going.measures.size() < remembered_rounds) going.measures.push_back(measures);
        going.read = read;
        going.table = table;
        going.asked = asked_;
        going.lacked = point.condition != no_id && reads_cards(game_, point.condition) && !holds(point.condition);
        going.held = false;
        going.open = true;
    }

    void at_until(StepId step, const WatchPoint& point) {
        Going& going = going_[point.statement];
        const bool now = holds(point.condition);
        if (!now && going.held) note(ObservationKind::late, step);
        going.held = false;
        if (!now) return;
        going.open = false;
        if (going.rounds == 0) return;
        const auto [at, first] = result_.times.try_emplace(point.statement, going.rounds, going.rounds);
        auto& [fewest, most] = at->second;
        fewest = std::min(fewest, going.rounds);
        most = std::max(most, going.rounds);
    }

    void at_bound(StepId step, const WatchPoint& point) {
        going_[point.statement].open = false;
        if (bounded_by_rule(point)) return;
        note(ObservationKind::bound, step);
        if (leaning_ == Leaning::declining && stuck_walks_++ < 3) note_stuck(step, point);
    }

    // So many rounds are what the rules want, not what keeps a search from going on for ever.
    bool bounded_by_rule(const WatchPoint& point) const {
        const Statement& loop = game_.statements[point.statement];
        const auto ends = [&](StatementId id) { return game_.statements[id].kind() == StatementKind::end; };
        return point.counter != no_id && !any_within(game_, loop.as<statement::Repeat>()->at_bound, ends) &&
               loop.span != limits_.unsaid_limit;
    }

    // While somebody is asked: which ends hold now, though it is not the time to check them.
    void note_held(const Node& n) {
        for (auto& [statement, going] : going_) {
            if (!going.open || !going.lacked || going.held) continue;
            if (holds(until_of(statement))) going.held = true;
        }
        if (!in_play_) return;
        for (const ExpressionId condition : end_conditions_) {
            Since& since = held_[condition];
            if (since == Since::held) continue;
            if (!holds(condition))
                since = Since::lacked;
            else if (since == Since::lacked)
                since = Since::held;
        }
        if (n.kind != NodeKind::choose && n.kind != NodeKind::consent && n.kind != NodeKind::ask) return;
        for (const EndCheck& c : game_.checks)
            for (const auto& [end, condition] : c.ends)
                if (!pending_.contains(condition) && !reads_variable(game_, condition) && holds(condition)) pending_.insert(condition);
    }
    ExpressionId until_of(StatementId loop) const { return game_.statements[loop].as<statement::Repeat>()->until; }

    // The game was in those states long before a bound was met: where it came among them is what shows it.
    void note_stuck(StepId step, const WatchPoint& bound) {
        const std::optional<ClosedPlay> closed = closing_.from(*one_, run_->state(), bound, [&] { return is_late(); });
        if (!closed) return;
        const std::vector<std::uint64_t> moves = moves_;
        const std::size_t decisions = decisions_;
        shorten_to(*closed);
        Observation& stuck = note(ObservationKind::stuck, step);
        stuck.states = closed->states.size();
        stuck.offered = closed->offered;
        moves_ = moves;
        decisions_ = decisions;
    }
    void shorten_to(const ClosedPlay& closed) {
        std::size_t decided = 0;
        one_->start();
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Node n = go_on(*one_);
            if (n.kind == NodeKind::over || n.kind == NodeKind::failed) return;
            if (is_decision(n, moves_[i])) ++decided;
            one_->apply(moves_[i]);
            if (!closed.states.contains(closing_.without_counts(one_->state()))) continue;
            moves_.resize(i + 1);
            decisions_ = decided;
            return;
        }
    }

    const Machine& machine_;
    const Game& game_;
    const std::map<StepId, WatchPoint>& points_;
    TestLimits limits_;
    Stop late_;
    std::unique_ptr<Run> run_;
    std::unique_ptr<Run> one_;  // for looking ahead
    std::unique_ptr<Run> other_;
    Random random_;
    Store<StepId, const WatchPoint*> point_at_;
    ProgressMeasure amounts_;
    ClosedPlaySearch closing_;
    Store<StatementId, bool> effects_;
    std::vector<ExpressionId> end_conditions_;
    std::vector<std::uint8_t> tried_;
    std::unordered_map<std::uint64_t, std::uint32_t> visits_;  // by feature
    std::uint64_t rounds_ = 0;
    std::uint64_t declined_ = 0;  // games in which nobody volunteered
    std::uint64_t looks_ = 0;
    int stuck_walks_ = 0;
    std::size_t far_next_ = 0;

    // Of the game that is played.
    const std::vector<std::uint64_t>* along_ = nullptr;  // its answers, if they are known
    Leaning leaning_ = Leaning::random;
    std::vector<std::uint64_t> moves_;
    std::size_t decisions_ = 0;
    std::size_t asked_ = 0;  // answers, but for nobody acting
    std::size_t round_of_play_ = 0;
    std::uint64_t tries_ = 0;
    bool volunteered_ = false;
    bool in_play_ = false;
    bool better_ = false;
    StepId outermost_ = no_id;
    std::map<StatementId, Going> going_;  // by statement
    std::map<ExpressionId, Since> held_;  // by condition
    std::set<ExpressionId> pending_;      // conditions of ends that held while somebody was asked, since they were last checked
    std::vector<std::int32_t> at_start_;  // by place: how many pieces, when play began
    std::set<Key> met_;

    std::map<Key, Observation> sights_;
    TestedGames result_;
};

}  // namespace

TestedGames test_at_random(const Watched& watched, const TestLimits& limits) { return Testing(watched, limits).go(); }

}  // namespace houserule
