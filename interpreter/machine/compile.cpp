#include "dsl/game/parts.hpp"
#include "interpreter/machine/agreement_builder.hpp"
#include "interpreter/machine/code_builder.hpp"
#include "interpreter/machine/layout.hpp"
#include "interpreter/machine/machine.hpp"
#include "interpreter/machine/overlap_builder.hpp"
#include "interpreter/machine/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace houserule {

namespace {

constexpr std::int32_t window_limit = 64;  // acts in a row at one moment: more than players times anything a player could do twice

struct Lowering : CodeBuilder {
    bool windows = false;  // acts at any time may happen here
    Store<ActId, StepId> act_entry;
    Store<ActId, VariableId> act_return;
    std::vector<std::pair<std::size_t, RuleId>> calls_to_fix;     // step, rule
    std::vector<std::pair<std::size_t, ActId>> act_calls_to_fix;  // step, act
    Store<RuleId, std::vector<std::size_t>> stops_to_fix;         // by rule
    std::vector<std::pair<std::size_t, EndId>> ends_to_fix;       // step, end
    Store<RuleId, StepId> leave_at;                               // by rule
    Store<RuleId, bool> played_rules;                             // reachable from `play`
    OverlapBuilder overlaps{*this};
    AgreementBuilder agreement{*this};
    std::vector<std::size_t> match_over_jumps;
    std::map<StepId, WatchPoint>* watch = nullptr;  // where points are noted; null: none are made

    const Statement& at(StatementId s) const { return g.statements[s]; }

    // Something was seen: acts at any time may follow.
    void seen() {
        if (!windows) return;
        for (const ActId a : g.acts.ids())
            if (g.acts[a].any_time) offer(a);
    }
    void offer(ActId act) { act_calls_to_fix.emplace_back(step(Op::call, act_return[act]), act); }

    // --- statements

    void lower(StatementId id) {
        if (id == no_id) return;
        const StatementId saved = std::exchange(statement, id);
        std::visit([&](const auto& s) { lower(s); }, at(id).form);
        statement = saved;
    }

    void lower(const statement::Block& s) {
        for (const StatementId i : s.items) lower(i);
    }
    void lower(const statement::Let& s) { assign(s.variable, s.value); }
    void lower(const statement::Says& s) {
        step(Op::says, s.word, s.player);
        seen();
    }
    void lower(const statement::Show& s) {
        step(Op::show, no_id, s.cards, s.seers);
        seen();
    }
    void lower(const statement::Stop& s) { stops_to_fix[s.rule].push_back(jump()); }
    void lower(const statement::PlayGame&) { lower_game(); }
    void lower(const statement::Put& s) {
        const ExpressionId claimed = agreement.claimed(s.cards);
        Step& put = m.code[step(Op::put, no_id, s.cards, s.place)];
        put.mode = s.mode;
        put.z = claimed;
        seen();
    }
    void lower(const statement::Shuffle& s) { step(Op::shuffle, no_id, s.place); }
    void lower(const statement::Simultaneously& s) { lower_together(s.variable, s.set, s.condition, s.body, no_id); }
    void lower(const statement::Offer& s) { offer(s.act); }
    void lower(const statement::Judged& s) { step(Op::judged, no_id, s.players); }
    void lower(const statement::Nothing&) {}

    void lower(const statement::Becomes& s) {
        step(Op::set_fact, s.fact, s.value, s.index);
        agreement.made();
        if (g.facts[s.fact].seers == Seers::all) seen();
    }

    // A promise that is broken as soon as play comes to it.
    ExpressionId never() { return emit(Operator::constant, truth(), no_id, no_id, 0); }

    // How many times or cards: promised not to be below 0, as long as `done` is 0.
    void lower_count(ExpressionId count, VariableId done = no_id) {
        if (g.expressions[count].type.low >= 0) return;
        ExpressionId holds = emit(Operator::less_equal, truth(), number(0), count);
        if (done != no_id) holds = emit(Operator::either, truth(), emit(Operator::less, truth(), number(0), read(done)), holds);
        m.code[step(Op::promise, no_id, holds, count)].mode = promise_count;
    }

    void lower(const statement::End& s) {
        const End& e = g.ends[s.end];
        for (std::size_t i = 0; i < e.parameters.size(); ++i) assign(e.parameters[i], s.arguments[i]);
        ends_to_fix.emplace_back(jump(), s.end);
    }

    void lower(const statement::Call& s) {
        const Rule& r = g.rules[s.rule];
        for (std::size_t i = 0; i < r.parameters.size(); ++i) assign(r.parameters[i], s.arguments[i]);
        calls_to_fix.emplace_back(step(Op::call, m.return_variable[s.rule]), s.rule);
    }

    // `count` cards to each target, one target after the other; `all`: one card a target, round and round.
    void lower(const statement::Deal& s) {
        const VariableId receiver = s.zone == no_id ? no_id : receiver_variable(g.zones[s.zone]);
        const ExpressionId target = s.zone == no_id ? s.target : place_of(s.zone, read(receiver));
        if (s.count == no_id)
            deal_all(s, receiver, target);
        else
            deal_counted(s, receiver, target);
        seen();
    }

    void deal_counted(const statement::Deal& s, VariableId receiver, ExpressionId target) {
        const VariableId left = variable("cards to deal", whole(0, 256));
        const auto one_target = [&] {
            lower_count(s.count);
            assign(left, s.count);
            const auto top = here();
            const auto done = branch(emit(Operator::less, truth(), number(0), read(left)));
            deal_one(s, target);
            assign(left, emit(Operator::subtract, whole(-1, 256), read(left), number(1)));
            jump_to(top);
            land(done);
        };
        if (receiver == no_id) return one_target();
        receivers(s, receiver, one_target);
    }

    void deal_all(const statement::Deal& s, VariableId receiver, ExpressionId target) {
        const auto top = here();
        const auto full = branch(emit(Operator::less, truth(), number(0), size_at(s.source)));
        std::size_t nobody = 0;
        if (receiver == no_id) {
            deal_one(s, target);
        } else {
            // To nobody nothing is dealt: a round that deals no card would be made again for ever.
            if (g.expressions[s.owners].op != Operator::set_constant)
                nobody = branch(emit(Operator::less, truth(), number(0), emit(Operator::size_of_set, whole(0, 256), s.owners)));
            receivers(s, receiver, [&] {
                const auto empty = branch(emit(Operator::less, truth(), number(0), size_at(s.source)));
                deal_one(s, target);
                land(empty);
            });
        }
        jump_to(top);
        land(full);
        if (nobody != 0) land(nobody);
    }

    void deal_one(const statement::Deal& s, ExpressionId target) {
        const auto first = step(Op::draw, no_id, s.source, target);
        if (s.if_short == no_id) return;
        const auto dealt = jump();
        land(first);
        lower(s.if_short);
        step(Op::draw, no_id, s.source, target);
        land(dealt);
    }

    ExpressionId size_at(ExpressionId place) {
        return emit(Operator::size_of_cards, whole(0, 256),
                    emit(Operator::cards_at, {Base::cards, Base::nothing, no_id, 0, 0, 1, false}, place));
    }
    ExpressionId place_of(ZoneId zone, ExpressionId index) {
        const Zone& z = g.zones[zone];
        return emit(Operator::place, {Base::place, Base::nothing, no_id, z.first_place, z.first_place + z.places - 1, 1, false}, index,
                    no_id, zone.value());
    }
    VariableId receiver_variable(const Zone& z) {
        return variable("receiver", z.by == IndexBy::player
                                        ? player()
                                        : Type{Base::enumeration, Base::nothing, z.index_enum, 0, z.places - 1, 1, false});
    }

    void receivers(const statement::Deal& s, VariableId receiver, const std::function<void()>& body) {
        const bool by_player = g.zones[s.zone].by == IndexBy::player;
        const VariableId set = variable("receivers", g.expressions[s.owners].type);
        assign(set, s.owners);
        if (by_player)
            loop_players(receiver, set, s.first, s.direction, no_id, body);
        else
            loop_elements(set, receiver, no_id, body);
    }

    void lower(const statement::Draw& s) {
        const auto d = step(Op::draw, s.variable, s.source, s.target);
        m.code[d].mode = s.blindly ? 1 : 0;
        if (s.if_none == no_id) return seen();
        const auto drawn = jump();
        land(d);
        lower(s.if_none);
        land(drawn);
        seen();
    }

    std::size_t choice_step(const statement::Choose& s, std::uint8_t extra) {
        if (s.least != no_id) lower_count(s.least);
        if (s.least != no_id && s.most != s.least) lower_count(s.most);
        const bool range = s.set == no_id;
        const auto at_step = step(Op::choose, s.variable, s.player, range ? s.low : s.set);
        Step& c = m.code[at_step];
        c.mode = (s.aloud ? choice_aloud : 0) | extra;
        if (range) {
            c.mode |= choice_range;
            c.w = s.high;
        } else if (s.least != no_id) {
            c.mode |= choice_many;
            c.z = s.least;
            c.w = s.most;
            c.fits = s.fits;
        }
        return at_step;
    }

    void lower(const statement::Choose& s) {
        const auto chosen = choice_step(s, s.optional ? choice_optional : 0);
        if (s.aloud) seen();
        lower(s.body);
        if (!s.optional && s.otherwise == no_id) return;  // an empty choice breaks the promise
        lower_else(chosen, s.otherwise);
    }

    void lower(const statement::MayDo& s) {
        const auto asked = step(Op::ask, s.word, s.player);
        lower(s.body);
        lower_else(asked, s.otherwise);
    }

    // Where the step leads on if it is not done.
    void lower_else(std::size_t asked, StatementId otherwise) {
        if (otherwise == no_id) return land(asked);
        const auto done = jump();
        land(asked);
        lower(otherwise);
        land(done);
    }

    void lower(const statement::Report& s) {
        for (const statement::Weight& w : s.weights) lower_count(w.weight);
        const auto r = step(Op::report, s.variable, s.set, s.seer);
        m.code[r].mode = s.by_chance ? 1 : 0;
        if (!s.weights.empty()) {
            std::vector<std::pair<std::int32_t, ExpressionId>> weights;
            for (const statement::Weight& w : s.weights) weights.emplace_back(g.expressions[w.value].value(), w.weight);
            m.code[r].b = m.weights.add(std::move(weights));
        }
        seen();
    }

    // --- several at once

    // Who: those of `set` for whom `condition` (of `variable`) holds; or, for an act, those in the set variable `volunteers`.
    void lower_together(VariableId variable_id, ExpressionId set, ExpressionId condition, StatementId body, VariableId volunteers) {
        const bool saved = std::exchange(windows, false);
        VariableId who = volunteers;
        if (who == no_id) {
            who = variable("those who act", player_set());
            assign(who, no_players());
            const VariableId from = variable("of", player_set());
            assign(from, set == no_id ? all_players() : set);
            loop_players(variable_id, from, no_id, each_any_order, condition,
                         [&] { step(Op::add_element, who, no_id, no_id), m.code.back().b = variable_id; });
        }
        const AtOnce parts = at_once(g, body);
        const auto& [decisions, effects, deals] = parts;
        std::vector<std::pair<VariableId, VariableId>> kept;  // variable, first of its slots
        for (const StatementId d : decisions) {
            const VariableId v = at(d).as<statement::Choose>()->variable;
            VariableId first = no_id;
            for (std::int32_t p = 0; p < g.players; ++p) {
                const VariableId slot = variable(g.variables[v].name, g.variables[v].type);
                if (p == 0) first = slot;
            }
            kept.emplace_back(v, first);
        }
        const VariableId turn = variable("of", player_set());
        if (!decisions.empty()) {
            assign(turn, read(who));
            loop_players(variable_id, turn, no_id, each_any_order, no_id, [&] {
                for (std::size_t i = 0; i < decisions.size(); ++i) {
                    const StatementId outer = std::exchange(statement, decisions[i]);
                    choice_step(*at(decisions[i]).as<statement::Choose>(), choice_joint);
                    statement = outer;
                    const auto s = step(Op::store, kept[i].second);
                    m.code[s].b = kept[i].first;
                    m.code[s].c = variable_id;
                }
            });
            step(Op::joint_end);
        }
        const auto each_of_them = [&](const std::vector<StatementId>& statements, std::uint8_t mode) {
            assign(turn, read(who));
            loop_players(variable_id, turn, no_id, each_any_order, no_id, [&] {
                for (const auto& [v, first] : kept) {
                    const auto s = step(Op::load, first);
                    m.code[s].b = v;
                    m.code[s].c = variable_id;
                    m.code[s].mode = mode;
                }
                agreement.begin_one();
                for (const StatementId s : statements) lower(s);
            });
        };
        agreement.begin(parts, variable_id, set);
        step(Op::effects_begin);
        each_of_them(effects, deals.empty() ? 0 : load_again);
        step(Op::effects_end);
        agreement.end();
        if (!deals.empty()) each_of_them(deals, 0);
        windows = saved;
        if (volunteers == no_id) seen();
    }

    void lower_act(ActId id) {
        const Act act = g.acts[id];
        const VariableId may = variable("may act", player_set());
        const VariableId count = variable("acts in a row", whole(0, window_limit));
        statement = act.body;
        act_entry[id] = StepId(here());
        assign(count, number(0));
        const auto top = here();
        assign(may, no_players());
        const VariableId everyone = variable("of", player_set());
        assign(everyone, all_players());
        const ExpressionId allowed = act.unless == no_id ? no_id : emit(Operator::negate, truth(), act.unless);
        loop_players(act.parameter, everyone, no_id, each_any_order, allowed,
                     [&] { step(Op::add_element, may), m.code.back().b = act.parameter; });
        const auto w = step(Op::window, id);
        m.code[w].b = may;
        const auto acted = branch(emit(Operator::less, truth(), number(0), emit(Operator::size_of_set, whole(0, 10), read(may))));
        step(Op::promise, no_id, emit(Operator::less, truth(), read(count), number(window_limit)));
        increase(count);
        lower_together(act.parameter, no_id, no_id, act.body, may);
        lower_checks(act.ends);
        jump_to(top);
        land(acted);
        step(Op::leave, act_return[id]);
        statement = no_id;
    }

    // --- points to watch

    // An offer that leads on, whatever is answered.
    WatchPoint* point(WatchKind kind) {
        if (watch == nullptr) return nullptr;
        const auto s = step(Op::ask, no_id, number(0));
        m.code[s].c = StepId(s) + 1;
        WatchPoint& made = (*watch)[StepId(s)];
        made.kind = kind;
        made.statement = statement;
        made.rule = rule;
        return &made;
    }
    void note_choice(WatchPoint* at_point, ExpressionId condition, std::size_t target, EndId end) const {
        if (at_point != nullptr) at_point->choices.push_back({condition, StepId(target), end});
    }

    // --- loops and cases

    void loop_players(VariableId player_variable, VariableId set, ExpressionId first, std::uint8_t mode, ExpressionId condition,
                      const std::function<void()>& body) {
        PlayerLoop loop;
        loop.counter = variable("seats passed", whole(0, 11));
        loop.first = variable("first", player());
        loop.player = player_variable;
        loop.set = set;
        loop.clockwise = (mode & each_counterclockwise) == 0;
        loop.after = (mode & each_after) != 0;
        assign(loop.counter, number(loop.after ? 1 : 0));
        assign(loop.first, first == no_id ? number(0) : first);
        const auto top = step(Op::next_player, m.loops.add(loop));
        if (condition != no_id) {
            const auto skip = branch(condition);
            body();
            m.code[skip].c = StepId(top);
        } else {
            body();
        }
        jump_to(top);
        land(top);
    }

    void loop_elements(VariableId set, VariableId element, ExpressionId condition, const std::function<void()>& body) {
        const auto top = step(Op::next_element, set);
        m.code[top].b = element;
        if (condition != no_id) m.code[branch(condition)].c = StepId(top);
        body();
        jump_to(top);
        land(top);
    }

    void lower(const statement::Each& s) {
        const auto body = [&] { lower(s.body); };
        if (g.variables[s.variable].type.base == Base::player) {
            VariableId set = no_id;
            if (s.set != no_id) {
                set = variable("those", player_set());
                assign(set, s.set);
            }
            return loop_players(s.variable, set, s.first, s.direction, s.condition, body);
        }
        const VariableId rest = variable("those left", g.expressions[s.set].type);
        assign(rest, s.set);
        loop_elements(rest, s.variable, s.condition, body);
    }

    void lower(const statement::EachNumber& s) {
        const VariableId last = variable("last", g.expressions[s.high].type);
        assign(last, s.high);
        assign(s.variable, s.low);
        const auto top = here();
        const auto done = branch(emit(Operator::less_equal, truth(), read(s.variable), read(last)));
        if (s.condition != no_id) {
            const auto skip = branch(s.condition);
            lower(s.body);
            land(skip);
        } else {
            lower(s.body);
        }
        increase(s.variable);
        jump_to(top);
        land(done);
    }

    void lower(const statement::Repeat& s) {
        const VariableId count = s.times == no_id ? no_id : variable("times", whole(0, 1 << 20));
        const VariableId before = s.decreases == no_id ? no_id : variable("before", g.expressions[s.decreases].type);
        if (count != no_id) assign(count, number(0));
        const auto top = here();
        if (WatchPoint* p = point(WatchKind::round)) {
            p->counter = count;
            p->condition = s.until;
        }
        std::vector<std::size_t> out;
        if (s.while_true != no_id) out.push_back(branch(s.while_true));
        std::size_t bounded = 0;
        if (count != no_id) lower_count(s.times, count);
        if (count != no_id) bounded = branch(emit(Operator::less, truth(), read(count), s.times));
        if (before != no_id) assign(before, s.decreases);
        lower(s.body);
        if (s.until != no_id) {
            if (WatchPoint* p = point(WatchKind::until)) p->condition = s.until;
            out.push_back(branch(emit(Operator::negate, truth(), s.until)));
        }
        if (before != no_id) step(Op::promise, no_id, emit(Operator::less, truth(), s.decreases, read(before)));
        if (count != no_id) increase(count);
        jump_to(top);
        if (count != no_id) {
            land(bounded);
            if (!s.exactly) {
                if (WatchPoint* p = point(WatchKind::bound)) p->counter = count;
                if (s.at_bound != no_id)
                    lower(s.at_bound);
                else
                    step(Op::promise, no_id, never());
            }
        }
        for (const auto o : out) land(o);
    }

    void lower(const statement::Cases& s) {
        std::vector<std::size_t> done;
        WatchPoint* const p = s.arms.size() > 1 ? point(WatchKind::cases) : nullptr;
        std::vector<StepId> entries;
        std::vector<OverlapBuilder::Meeting> meetings;
        for (std::size_t i = 0; i < s.arms.size(); ++i) {
            const Arm& arm = s.arms[i];
            const auto skip = branch(arm.condition);
            overlaps.meet_others(s, i, meetings);
            note_choice(p, arm.condition, here(), no_id);
            entries.push_back(StepId(here()));
            lower(arm.body);
            done.push_back(jump());
            land(skip);
        }
        if (s.otherwise != no_id)
            lower(s.otherwise);
        else
            step(Op::promise, no_id, never());
        for (const auto d : done) land(d);
        overlaps.lead(s, meetings, entries);
    }

    // --- rules, ends and the whole

    void lower_checks(const std::vector<CheckId>& checks) {
        for (const CheckId c : checks) {
            const EndCheck check = g.checks[c];
            const auto running = branch(emit(Operator::negate, truth(), read(check.of_match ? m.running_match_end : m.running_end)));
            WatchPoint* const p = point(WatchKind::ends);
            for (const auto& [end, condition] : check.ends) {
                const auto not_yet = branch(condition);
                note_choice(p, condition, here(), end);
                ends_to_fix.emplace_back(jump(), end);
                land(not_yet);
            }
            land(running);
        }
    }

    void lower_rule(RuleId id) {
        rule = id;
        windows = played_rules[id];
        const Rule r = g.rules[id];
        m.rule_entry[id] = StepId(here());
        statement = r.body;
        step(Op::enter, id);
        std::vector<FactId> facts;
        for (const FactId f : g.facts.ids())
            if (g.facts[f].lasts == id) facts.push_back(f);
        reset(facts);
        lower(r.body);
        statement = r.body;
        for (const auto stop : stops_to_fix[id]) land(stop);
        leave_at[id] = StepId(here());
        lower_checks(r.ends);
        step(Op::leave, m.return_variable[id]);
        rule = no_id;
        windows = false;
        statement = no_id;
    }

    void reset(const std::vector<FactId>& facts) {
        if (facts.empty()) return;
        step(Op::reset, m.resets.add(facts));
    }

    void reset_stage(RuleId stage) {
        std::vector<FactId> facts;
        for (const FactId f : g.facts.ids())
            if (g.facts[f].lasts == stage) facts.push_back(f);
        reset(facts);
    }

    // Setup and play, in line: `play game` stands once or a few times in a match.
    void lower_game() {
        if (g.match != no_id && !game_entry_written) return call_game();
        reset_stage(lasts_game);
        step(Op::gather);
        assign(m.ended_game, number(-1));
        assign(m.running_end, number(0));
        windows = false;
        lower(g.setup);
        point(WatchKind::play);
        windows = true;
        lower(g.play);
        windows = false;
    }

    // In a match the game is a subroutine, so that an end knows where to go on.
    bool game_entry_written = false;
    VariableId game_return = no_id;
    std::vector<std::size_t> game_calls;
    void call_game() { game_calls.push_back(step(Op::call, game_return)); }

    void lower_all() {
        make_variables();
        reset_stage(lasts_match);
        assign(m.ended_match, number(-1));
        assign(m.running_match_end, number(0));
        std::size_t to_halt = 0;
        if (g.match != no_id) {
            lower(g.match);
            to_halt = jump();
            game_entry_written = true;
            const auto entry = here();
            for (const auto c : game_calls) m.code[c].c = StepId(entry);
            lower_game();
        } else {
            game_entry_written = true;
            lower_game();
        }
        // The end of a game, however it came.
        const auto game_over = here();
        if (g.match != no_id)
            step(Op::leave, game_return);
        else
            to_halt = jump();
        const Store<EndId, StepId> end_entry = lower_ends(game_over);
        for (const RuleId r : g.rules.ids()) lower_rule(r);
        for (const ActId a : g.acts.ids()) lower_act(a);
        land(to_halt);
        for (const auto j : match_over_jumps) land(j);
        step(Op::halt);
        fix_jumps(end_entry);
    }

    void make_variables() {
        const std::size_t rules = g.rules.size();
        m.ended_game = variable("how the game ended", whole(-1, 1000));
        m.ended_match = variable("how the match ended", whole(-1, 1000));
        m.running_end = variable("an end of the game runs", truth());
        m.running_match_end = variable("an end of the match runs", truth());
        game_return = variable("back to the match", whole(0, 1 << 24));
        stops_to_fix.resize(rules);
        leave_at.assign(rules, no_id);
        m.rule_entry.assign(rules, no_id);
        for (std::size_t r = 0; r < rules; ++r) m.return_variable.push_back(variable("back", whole(0, 1 << 24)));
        for (std::size_t a = 0; a < g.acts.size(); ++a) act_return.push_back(variable("back", whole(0, 1 << 24)));
        act_entry.assign(g.acts.size(), no_id);
        played_rules = reachable_rules(g, g.play);
    }

    // The first step of each end.
    Store<EndId, StepId> lower_ends(std::size_t game_over) {
        Store<EndId, StepId> entries;
        for (const EndId e : g.ends.ids()) {
            entries.push_back(StepId(here()));
            const End end = g.ends[e];
            statement = end.body;
            const auto s = step(Op::ended, e);
            m.code[s].mode = end.of_match ? 1 : 0;
            assign(end.of_match ? m.ended_match : m.ended_game, number(e.value()));
            assign(end.of_match ? m.running_match_end : m.running_end, number(1));
            lower(end.body);
            statement = no_id;
            if (end.of_match)
                match_over_jumps.push_back(jump());
            else
                jump_to(game_over);
        }
        return entries;
    }

    void fix_jumps(const Store<EndId, StepId>& end_entry) {
        for (const auto& [s, e] : ends_to_fix) m.code[s].c = end_entry[e];
        for (const auto& [s, r] : calls_to_fix) m.code[s].c = m.rule_entry[r];
        for (const auto& [s, a] : act_calls_to_fix) m.code[s].c = act_entry[a];
        for (const RuleId r : g.rules.ids())
            for (const auto stop : stops_to_fix[r]) m.code[stop].c = leave_at[r];
        overlaps.fix_exits(leave_at);
    }
};

void note_told(Machine& m) {
    std::map<std::tuple<std::string, Base, Base, Operand, std::int32_t>, VariableId> first;
    for (const VariableId v : m.game.variables.ids()) {
        const Type& type = m.game.variables[v].type;
        m.told_as.push_back(first.try_emplace({m.game.variables[v].name, type.base, type.element, type.of, type.scale}, v).first->second);
    }
}

void finish(Lowering& lowering) {
    lowering.lower_all();
    lay_out(lowering.m);
    note_told(lowering.m);
    lowering.m.repeated = repeated_expressions(lowering.m.game);
}

}  // namespace

std::shared_ptr<const Machine> compile(Game game) {
    Lowering lowering;
    lowering.m.game = std::move(game);
    finish(lowering);
    return std::make_shared<const Machine>(std::move(lowering.m));
}

std::optional<Diagnostic> too_large(const Machine& machine) {
    if (machine.layout.bytes <= state_limit) return std::nullopt;
    Diagnostic d = make_diagnostic(Code::limit_passed, {}, machine.layout.bytes, Text::bytes_of_state, state_limit);
    d.help = Text::names_take_room;
    return d;
}

Watched compile_watched(Game game) {
    Watched watched;
    Lowering lowering;
    lowering.m.game = std::move(game);
    lowering.watch = &watched.points;
    finish(lowering);
    watched.machine = std::make_shared<const Machine>(std::move(lowering.m));
    return watched;
}

}  // namespace houserule
