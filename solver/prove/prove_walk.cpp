#include "solver/prove/prove_walk.hpp"

#include "dsl/game/overlap.hpp"
#include "dsl/game/parts.hpp"

#include <algorithm>

namespace houserule {

namespace {

using Int = Terms::Int;

// How long these take, in steps of work: a statement, and so many terms that are new.
constexpr std::uint64_t work_a_statement = 2;
constexpr std::uint64_t terms_a_work_step = 5;

}  // namespace

Walk::Walk(const Game& of, const std::vector<PromiseSite>& sites, const WalkLimits& limits)
    : game(of), sites_(sites), limits_(limits), d(context_), unknowns_(d), table_(d, unknowns_, of) {
    d.formulas().watch([this] {
        if (is_building_late()) throw OutOfTime();
    });
    gathered_.broken.resize(sites.size());
    gathered_.stopped.resize(game.rules.size());
    gathered_.ended.resize(game.ends.size());
    gathered_.offered.resize(game.acts.size());
    if (limits_.keeps_states) gathered_.before.resize(game.statements.size());
    site_of_.assign(game.expressions.size(), -1);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (sites[i].expression != no_id)
            site_of_[sites[i].expression] = i;
        else
            site_at_[{sites[i].promise, sites[i].statement}] = static_cast<int>(i);
    }
    live_.assign(game.variables.size(), false);
    live_before_.resize(game.rules.size());
    depth_before_.assign(game.rules.size(), 0);
    played_ = reachable_rules(game, game.play);
    find_act_changes();
    for (const Expression& e : game.expressions) {
        const bool one = e.op == Operator::first_card || e.op == Operator::last_card;
        if (!one && e.op != Operator::first_cards && e.op != Operator::last_cards) continue;
        const Expression& place = expression(e.a);
        for (const ZoneId z : game.zones.ids())
            if (place.op != Operator::place || place.named() == z) table_.ends_read[z] = true;
    }
}

bool Walk::is_late() {
    limits_.work->spend(work_a_statement);
    return is_building_late();
}

bool Walk::is_building_late() {
    const auto spend = [&](std::uint64_t count, std::uint64_t& counted, std::uint64_t a_step) {
        const std::uint64_t steps = (count - counted) / a_step;
        limits_.work->spend(steps);
        counted += steps * a_step;
    };
    spend(d.formulas().size(), terms_counted_, terms_a_work_step);
    spend(d.formulas().built(), built_counted_, built_a_work_step);
    return limits_.work->gone() || limits_.until.over();
}

std::unique_ptr<Z3Session> Walk::session(unsigned share) {
    auto session = std::make_unique<Z3Session>(d, limits_.z3_steps / share);
    session->finish_by(limits_.until);
    session->spend_of(limits_.work);
    session->require(unknowns_.conditions());
    for (const TransferFunctions::Assumption& a : table_.assumed) session->require(a.holds);
    for (const TransferFunctions::Total& t : table_.totals) session->require_sum(t.unknowns, t.total);
    return session;
}

std::unique_ptr<Z3Session> Walk::session_about(const Truth& condition, unsigned share) {
    const Formulas& formulas = d.formulas();
    std::vector<bool> walked;
    std::vector<bool> met(formulas.unknowns().size(), false);
    bool wide = false;  // what is said of wide numbers may be about any unknown
    const auto meet = [&](const Truth& t) {
        formulas.walk(t, walked, [&](Truth part) {
            if (formulas.shape(part) == Formulas::Shape::leaf) met[formulas.about(part)] = true;
            if (formulas.shape(part) == Formulas::Shape::foreign) wide = true;
        });
    };
    meet(condition);
    std::vector<bool> taken(table_.assumed.size(), false);
    std::vector<bool> added(table_.totals.size(), false);
    for (bool more = true; more && !wide;) {
        more = false;
        for (std::size_t i = 0; i < taken.size(); ++i) {
            const TransferFunctions::Assumption& a = table_.assumed[i];
            const auto first = met.begin() + a.from;
            const auto last = met.begin() + a.to;
            if (taken[i] || std::find(first, last, true) == last) continue;
            taken[i] = more = true;
            meet(a.told);
        }
        for (std::size_t i = 0; i < added.size(); ++i) {
            const auto& unknowns = table_.totals[i].unknowns;
            const auto is_met = [&](std::int32_t u) { return met[u]; };
            if (added[i] || std::none_of(unknowns.begin(), unknowns.end(), is_met)) continue;
            added[i] = more = true;
            for (const std::int32_t u : unknowns) met[u] = true;
        }
    }
    if (wide) return session(share);
    auto about = std::make_unique<Z3Session>(d, limits_.z3_steps / share);
    about->finish_by(limits_.until);
    about->spend_of(limits_.work);
    about->require(unknowns_.conditions());
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i]) about->require(table_.assumed[i].holds);
    for (std::size_t i = 0; i < added.size(); ++i)
        if (added[i]) about->require_sum(table_.totals[i].unknowns, table_.totals[i].total);
    return about;
}

// ---- expressions -----------------------------------------------------------------------------------------------------------------

template <class T, class F>
T Walk::read(AbstractState& f, T unread, F get) {
    if (f.dead()) return unread;
    d.forget();
    Evaluator<Terms> evaluator(d, game, f.at);
    T result = get(evaluator);
    const std::vector<Terms::Promise> promises = d.promises();
    d.forget();
    for (const Terms::Promise& p : promises) demand(f, site_of_.has(p.expression) ? site_of_[p.expression] : -1, p.holds);
    return result;
}

Int Walk::scalar(AbstractState& f, ExpressionId e) {
    return read(f, d.constant(0), [&](Evaluator<Terms>& x) { return x.scalar(e); });
}
Truth Walk::truth(AbstractState& f, ExpressionId e) {
    return read(f, Formulas::no, [&](Evaluator<Terms>& x) { return x.truth(e); });
}
Cards<Terms> Walk::cards(AbstractState& f, ExpressionId e) {
    return read(f, Cards<Terms>(), [&](Evaluator<Terms>& x) { return x.cards(e); });
}
Set<Terms> Walk::set(AbstractState& f, ExpressionId e) {
    return read(f, Set<Terms>(), [&](Evaluator<Terms>& x) { return x.set(e); });
}

Content<Terms> Walk::content(AbstractState& f, ExpressionId e) {
    switch (expression(e).type.base) {
        case Base::card:
            return read(f, no_content(d, game, expression(e).type), [&](Evaluator<Terms>& x) { return Content<Terms>(x.card(e)); });
        case Base::cards:
            return cards(f, e);
        case Base::set:
            return set(f, e);
        case Base::nothing:
        case Base::truth:
        case Base::number:
        case Base::enumeration:
        case Base::player:
        case Base::kind:
        case Base::place:
            return scalar(f, e);
    }
    stop_on_bug("an expression has no type");
}

// The game stops where a promise breaks: whatever goes on has kept it.
void Walk::demand(AbstractState& f, int site, const Truth& holds) {
    if (f.dead()) return;
    if (site >= 0) {
        AbstractState breaks;
        breaks.path = f.path;
        breaks.path_conditions = f.path_conditions;
        table_.require(breaks, d.negate(holds));
        const Truth broken = breaks.path;
        if (broken != Formulas::no && !quiet_) gathered_.broken[site].push_back(broken);
    }
    table_.require(f, holds);
}

void Walk::demand(AbstractState& f, Promise promise, Operand id, const Truth& holds) {
    const auto site = site_at_.find({promise, id});
    demand(f, site == site_at_.end() ? -1 : site->second, holds);
}

// A number of times, cards or weights is not below 0, unless `enough` holds.
void Walk::demand_count(AbstractState& f, StatementId id, ExpressionId e, const Int& count, const Truth& enough) {
    if (expression(e).type.low < 0) demand(f, Promise::counted, id, d.either(enough, d.less_equal(d.constant(0), count)));
}

void Walk::assign(AbstractState& f, VariableId variable, Content<Terms> value) {
    live_[variable] = true;
    if (!f.dead()) f.at.variables[variable] = std::move(value);
}

void Walk::drop_variables(AbstractState& f, const Store<VariableId, bool>& but) {
    if (f.dead()) return;
    for (std::size_t v = 0; v < but.size(); ++v)
        if (!but[v]) f.at.variables[v] = no_content(d, game, game.variables[v].type);
}

Truth Walk::any_card_at(const AbstractState& f, const Int& place) {
    if (f.dead()) return Formulas::no;
    return arithmetic::select_truth(d, place, game.places, [&](Value p) { return arithmetic::positive(d, *f.piles()[p].size); });
}

void Walk::count_round(AbstractState& f, Value most) {
    if (!f.dead()) f.counters.back() = d.within(d.add(f.counters.back(), d.constant(1)), 0, most);
}

// ---- blocks, cases and loops -----------------------------------------------------------------------------------------------------

// A part for each value that the number can have.
AbstractState Walk::split_by(AbstractState f, const Int& number, Value count,
                             const std::function<AbstractState(AbstractState, Value)>& part) {
    AbstractState result = nowhere();
    arithmetic::each_index(d, number, count, [&](Value i, const Truth& here) {
        AbstractState mine = here == Formulas::yes ? std::move(f) : table_.where(f, here);
        if (!mine.dead()) result = table_.merged(here, part(std::move(mine), i), std::move(result));
    });
    return result;
}

AbstractState Walk::take(StatementId id, AbstractState f) {
    if (id == no_id || f.dead()) return f;
    check_time();
    if (limits_.keeps_states && !f.effects) gathered_.before[id].push_back(std::make_shared<const StateBefore>(StateBefore{f, live_}));
    return std::visit([&](const auto& s) { return take(id, s, std::move(f)); }, statement(id).form);
}

AbstractState Walk::take(StatementId, const statement::Let& s, AbstractState f) {
    assign(f, s.variable, content(f, s.value));
    return f;
}

AbstractState Walk::take(StatementId, const statement::Says& s, AbstractState f) {
    scalar(f, s.player);
    return seen(std::move(f));
}

AbstractState Walk::take(StatementId, const statement::Show& s, AbstractState f) {
    cards(f, s.cards);
    if (s.seers != no_id) set(f, s.seers);
    return seen(std::move(f));
}

AbstractState Walk::take(StatementId, const statement::End& s, AbstractState f) {
    const houserule::End& e = game.ends[s.end];
    for (std::size_t i = 0; i < e.parameters.size(); ++i) assign(f, e.parameters[i], content(f, s.arguments[i]));
    end(s.end, std::move(f));
    return nowhere();
}

AbstractState Walk::take(StatementId, const statement::PlayGame&, AbstractState f) { return game_once(std::move(f)); }

AbstractState Walk::take(StatementId, const statement::Shuffle& s, AbstractState f) {
    const Int place = scalar(f, s.place);
    table_.shuffle(f, place);
    return f;
}

AbstractState Walk::take(StatementId, const statement::Offer& s, AbstractState f) { return offer(s.act, std::move(f)); }

AbstractState Walk::take(StatementId, const statement::Judged&, AbstractState f) { return f; }

AbstractState Walk::take(StatementId, const statement::Nothing&, AbstractState f) { return f; }

// `stop`: what is known there goes on at the end of the rule.
AbstractState Walk::take(StatementId, const statement::Stop& s, AbstractState f) {
    drop_variables(f, live_before_[s.rule]);
    f.counters.resize(depth_before_[s.rule]);
    AbstractState& stopped = gathered_.stopped[s.rule];
    stopped = table_.merged(std::move(f), std::move(stopped));
    return nowhere();
}

AbstractState Walk::take(StatementId, const statement::MayDo& s, AbstractState f) {
    scalar(f, s.player);
    const Truth yes = table_.fresh_truth();
    AbstractState does = take(s.body, table_.where(f, yes));
    return table_.merged(yes, std::move(does), take(s.otherwise, table_.where(f, d.negate(yes))));
}

AbstractState Walk::take(StatementId, const statement::Block& s, AbstractState f) {
    const Store<VariableId, bool> before = live_;
    for (const StatementId i : s.items) f = take(i, std::move(f));
    drop_variables(f, before);
    live_ = before;
    return f;
}

AbstractState Walk::take(StatementId id, const statement::Cases& s, AbstractState f) {
    agree(id, s, f);
    return cases(id, s, 0, std::move(f));
}

AbstractState Walk::cases(StatementId id, const statement::Cases& s, std::size_t arm, AbstractState f) {
    if (arm == s.arms.size()) {
        if (s.otherwise != no_id) return take(s.otherwise, std::move(f));
        demand(f, Promise::covered, id, Formulas::no);
        return nowhere();
    }
    const Truth holds = truth(f, s.arms[arm].condition);
    AbstractState mine = table_.where(f, holds);
    // Conditions of those behind it are read, too, whatever they say.
    for (std::size_t j = arm + 1; j < s.arms.size() && !mine.dead(); ++j)
        if (makes_promise(s.arms[j].condition) && may_overlap(game, s, arm, j)) truth(mine, s.arms[j].condition);
    mine = take(s.arms[arm].body, std::move(mine));
    return table_.merged(holds, std::move(mine), cases(id, s, arm + 1, table_.where(f, d.negate(holds))));
}

// Arms of equal rank that apply together must come to the same.
void Walk::agree(StatementId id, const statement::Cases& s, AbstractState f) {
    const auto site = site_at_.find({Promise::agree, id});
    if (site == site_at_.end()) return;
    const bool outer = std::exchange(quiet_, true);
    // Where each holds: an exception outranks the others.
    std::vector<Truth> holds;
    AbstractState rest = f;
    for (const Arm& a : s.arms) {
        AbstractState copy = a.except ? f : rest;
        holds.push_back(d.both(truth(copy, a.condition), copy.path));
        if (a.except) rest = table_.where(rest, d.negate(holds.back()));
    }
    std::vector<Truth> broken;
    for (std::size_t i = 0; i < s.arms.size(); ++i) {
        for (std::size_t j = i + 1; j < s.arms.size(); ++j) {
            if (!may_disagree(game, s, i, j)) continue;
            const StatementId one = s.arms[i].body;
            const StatementId other = s.arms[j].body;
            const AbstractState here = table_.where(f, d.both(holds[i], holds[j]));
            if (here.dead()) continue;
            Truth parted = Formulas::yes;
            if (is_plain(one) && is_plain(other)) {
                Gathered kept = gathered_;
                parted = differ(here, take(one, here), take(other, here));
                gathered_ = std::move(kept);
            }
            broken.push_back(d.both(here.path, parted));
        }
    }
    quiet_ = outer;
    if (quiet_) return;
    for (const Truth& b : broken)
        if (b != Formulas::no) gathered_.broken[site->second].push_back(b);
}

bool Walk::makes_promise(ExpressionId e) const {
    return any_operand(game, e, [&](ExpressionId part) { return site_of_[part] >= 0; });
}

// Whether it moves and sets alone, and lays nothing where an order counts, so that two of them can be compared by what they leave.
bool Walk::is_plain(StatementId id) const {
    if (id == no_id) return true;
    const Statement& s = statement(id);
    const auto plain = [&](StatementId part) { return is_plain(part); };
    switch (s.kind()) {
        case StatementKind::block:
            return std::ranges::all_of(s.as<statement::Block>()->items, plain);
        case StatementKind::cases: {
            const auto& cases = *s.as<statement::Cases>();
            return is_plain(cases.otherwise) && cases.otherwise != no_id && std::ranges::all_of(cases.arms, plain, &Arm::body);
        }
        case StatementKind::put: {
            const Expression& place = expression(s.as<statement::Put>()->place);
            return place.op == Operator::place && !is_ordered(place.named());
        }
        case StatementKind::becomes:
        case StatementKind::let:
        case StatementKind::judged:
        case StatementKind::nothing:
            return true;
        default:
            return false;
    }
}

bool Walk::is_ordered(ZoneId zone) const { return has_order(game.zones[zone].shape); }

Truth Walk::differ(const AbstractState& before, const AbstractState& a, const AbstractState& b) {
    if (a.dead() || b.dead()) return Formulas::yes;
    std::vector<Truth> parts;
    const auto numbers = [&](const Int& x, const Int& y) { parts.push_back(d.negate(d.equal(x, y))); };
    for (std::size_t p = 0; p < a.piles().size(); ++p) {
        if (p != 0 && is_ordered(table_.zone_of(PlaceId(p))) &&
            !(table_.same(*a.piles()[p].size, *before.piles()[p].size) && table_.same(*b.piles()[p].size, *before.piles()[p].size)))
            return Formulas::yes;
        for (std::size_t k = 0; k < a.piles()[p].counts.size(); ++k) numbers(a.piles()[p].counts[k], b.piles()[p].counts[k]);
    }
    for (std::size_t f = 0; f < a.facts().size(); ++f) {
        for (std::size_t i = 0; i < a.facts()[f].size(); ++i) {
            const FactSlot<Terms>& x = a.facts()[f][i];
            const FactSlot<Terms>& y = b.facts()[f][i];
            parts.push_back(d.negate(d.choose_truth(x.given, y.given, d.negate(y.given))));
            if (const Int* number = std::get_if<Int>(&x.content))
                numbers(*number, std::get<Int>(y.content));
            else
                parts.push_back(d.negate(collections::same(d, std::get<Set<Terms>>(x.content), std::get<Set<Terms>>(y.content))));
        }
    }
    return d.any(parts);
}

// ---- loops -----------------------------------------------------------------------------------------------------------------------

// Until the invariant covers the flow. True if it did so already.
bool Walk::cover(Invariant& invariant, const AbstractState& f) {
    if (f.dead()) return true;
    if (invariants_are_late()) {
        const bool known = invariant.is_given_up();
        invariant.give_up();
        return known;
    }
    const auto z3 = session();
    for (bool covered = true;; covered = false) {
        check_time();
        const Truth outside = d.both(f.path, d.negate(invariant.holds(f)));
        switch (z3->possible(outside)) {
            case Answer::no:
                return covered;
            case Answer::unknown:
                invariant.give_up();
                return false;
            case Answer::yes: {
                Model model(d, *z3);
                invariant.join(model, f);
                break;
            }
        }
    }
}

// `body`: one round from a state in which a round may begin; it returns where the next begins, and adds to its second argument where
// the loop is left.
AbstractState Walk::loop(StatementId id, AbstractState f, Value most, const Body& body) {
    if (f.dead()) return f;
    constexpr int most_rounds = 12;
    trail_.push_back(id.value());
    std::unique_ptr<Invariant>& known = invariants_[trail_];
    if (!known) known = std::make_unique<Invariant>(d, table_, game);
    Invariant& invariant = *known;
    invariant.allow(most);
    f.counters.push_back(d.constant(0));
    cover(invariant, f);
    // No game comes here. What an invariant of no states says, such as that there are no cards, would be taken for so everywhere.
    if (invariant.is_of_nothing()) return trail_.pop_back(), nowhere();
    AbstractState out = nowhere();
    for (int round = 0;; ++round) {
        const Gathered before = gathered_;
        const std::size_t assumed = table_.assumed.size();
        const std::size_t totals = table_.totals.size();
        const AbstractState head = invariant.in_some_round(f);
        out = nowhere();
        const AbstractState back = body(head, out);
        const bool more = invariant.learn_changes(head, back);
        if (more) cover(invariant, f);
        if (cover(invariant, back) && !more) break;
        gathered_ = before;
        table_.assumed.resize(assumed);
        table_.totals.resize(totals);
        if (round >= most_rounds) invariant.give_up();
    }
    trail_.pop_back();
    if (!out.dead()) out.counters.pop_back();
    return out;
}

AbstractState Walk::take(StatementId id, const statement::Repeat& s, AbstractState f) {
    const Value most = s.times == no_id ? 0 : expression(s.times).type.high;
    return loop(id, std::move(f), most, [&](AbstractState head, AbstractState& out) {
        const auto leave = [&](const Truth& when) {
            out = table_.merged(table_.where(head, when), std::move(out));
            head = table_.where(head, d.negate(when));
        };
        if (s.while_true != no_id) leave(d.negate(truth(head, s.while_true)));
        if (s.times != no_id && !head.dead()) {
            const Int bound = scalar(head, s.times);
            const Truth enough = d.less_equal(bound, head.counters.back());
            demand_count(head, id, s.times, bound, d.less(d.constant(0), head.counters.back()));
            AbstractState done = table_.where(head, enough);
            head = table_.where(head, d.negate(enough));
            if (!s.exactly && s.at_bound == no_id) {
                AbstractState kept = done;
                demand(kept, Promise::times, id, Formulas::no);
            }
            if (!s.exactly) done = take(s.at_bound, std::move(done));
            out = table_.merged(std::move(done), std::move(out));
        }
        const Int before = s.decreases == no_id ? d.constant(0) : scalar(head, s.decreases);
        head = take(s.body, std::move(head));
        if (s.until != no_id) leave(truth(head, s.until));
        if (s.decreases != no_id) {
            const Int after = scalar(head, s.decreases);
            demand(head, Promise::runs_down, id, d.less(after, before));
        }
        if (s.times != no_id) count_round(head, most);
        return head;
    });
}

// The body for one element, where `when` holds and the condition does.
template <class Loop>
AbstractState Walk::one_round(const Loop& s, const Truth& when, Content<Terms> element, AbstractState f) {
    AbstractState mine = table_.where(f, when);
    if (mine.dead()) return f;
    AbstractState rest = table_.where(f, d.negate(when));
    const Store<VariableId, bool> before = live_;
    assign(mine, s.variable, std::move(element));
    if (s.condition != no_id) {
        const Truth holds = truth(mine, s.condition);
        AbstractState not_meant = table_.where(mine, d.negate(holds));
        mine = table_.merged(holds, take(s.body, table_.where(mine, holds)), std::move(not_meant));
    } else {
        mine = take(s.body, std::move(mine));
    }
    drop_variables(mine, before);
    live_ = before;
    return table_.merged(when, std::move(mine), std::move(rest));
}

AbstractState Walk::take(StatementId id, const statement::Each& s, AbstractState f) {
    if (game.variables[s.variable].type.base == Base::player) return each_player(id, s, std::move(f));
    if (expression(s.set).type.base == Base::cards) return each_card(id, s, std::move(f));
    return each_element(id, s, std::move(f));
}

AbstractState Walk::each_player(StatementId id, const statement::Each& s, AbstractState f) {
    Set<Terms> those{0, std::vector<Truth>(game.players, Formulas::yes)};
    if (s.set != no_id) those = set(f, s.set);
    const Int first = s.first == no_id ? d.constant(0) : scalar(f, s.first);
    if (limits_.rough) {
        return loop(id, std::move(f), 0, [&](AbstractState head, AbstractState& out) {
            const Truth more = table_.fresh_truth();
            out = table_.where(head, d.negate(more));
            const Int player = table_.fresh(0, game.players - 1);
            return split_by(table_.where(head, more), player, game.players, [&](AbstractState g, Value p) {
                trail_.push_back(p);
                g = one_round(s, collections::has(d, those, p), d.constant(p), std::move(g));
                trail_.pop_back();
                return g;
            });
        });
    }
    const bool clockwise = (s.direction & each_counterclockwise) == 0;
    return split_by(std::move(f), first, game.players, [&](AbstractState g, Value start) {
        for (Value i = (s.direction & each_after) != 0 ? 1 : 0; i < game.players; ++i) {
            const Value p = ((clockwise ? start + i : start - i) + game.players) % game.players;
            trail_.insert(trail_.end(), {static_cast<std::int32_t>(start), static_cast<std::int32_t>(p)});
            g = one_round(s, collections::has(d, those, p), d.constant(p), std::move(g));
            trail_.resize(trail_.size() - 2);
        }
        return g;
    });
}

// Few elements one after the other; of many, any number in any order.
AbstractState Walk::each_element(StatementId id, const statement::Each& s, AbstractState f) {
    constexpr std::size_t few = 12;
    const Set<Terms> those = set(f, s.set);
    if (those.has.size() <= few) {
        for (Value e = those.first; e < those.end(); ++e) {
            trail_.push_back(e);
            f = one_round(s, collections::has(d, those, e), d.constant(e), std::move(f));
            trail_.pop_back();
        }
        return f;
    }
    return loop(id, std::move(f), 0, [&](AbstractState head, AbstractState& out) {
        const Int element = table_.fresh(those.first, those.end() - 1);
        const Truth more = d.both(table_.fresh_truth(), collections::has_element(d, those, element));
        out = table_.where(head, d.negate(more));
        return one_round(s, Formulas::yes, element, table_.where(head, more));
    });
}

// Copies come one by one: at most as many rounds as there are cards, and which card comes next is not told.
AbstractState Walk::each_card(StatementId id, const statement::Each& s, AbstractState f) {
    const Cards<Terms> those = cards(f, s.set);
    const Truth some = d.negate(collections::is_empty(d, those));
    return loop(id, std::move(f), d.high(collections::size(d, those)), [&](AbstractState head, AbstractState& out) {
        const Truth more = d.both(table_.fresh_truth(), some);
        out = table_.where(head, d.negate(more));
        AbstractState next = table_.where(head, more);
        if (next.dead()) return next;
        Content<Terms> card = table_.one_of(next, those);
        return one_round(s, Formulas::yes, std::move(card), std::move(next));
    });
}

AbstractState Walk::take(StatementId id, const statement::EachNumber& s, AbstractState f) {
    constexpr Value few = 12;
    const Int last = scalar(f, s.high);
    const Int first = scalar(f, s.low);
    if (d.high(last) - d.low(first) < few) {
        for (Value n = d.low(first); n <= d.high(last); ++n) {
            trail_.push_back(n);
            const Truth within = d.both(d.less_equal(first, d.constant(n)), d.less_equal(d.constant(n), last));
            f = one_round(s, within, d.constant(n), std::move(f));
            trail_.pop_back();
        }
        return f;
    }
    return loop(id, std::move(f), 0, [&](AbstractState head, AbstractState& out) {
        const Int n = table_.fresh(d.low(first), d.high(last));
        const Truth more = d.all({table_.fresh_truth(), d.less_equal(first, n), d.less_equal(n, last)});
        out = table_.where(head, d.negate(more));
        return one_round(s, Formulas::yes, n, table_.where(head, more));
    });
}

}  // namespace houserule
