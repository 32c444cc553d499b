// Names of cards when cards move: see coexecute.hpp.
//
// A name goes with its card (interpreter/plain/plain_run.hpp), but a name on unknowns is a kind and a place. Two names are of the same card
// if one was made from the other, or if all copies of the kind that lie there move together. Where only some of them move, it is not
// known which one a name is of. What is never read again (live-variable analysis: Aho, Lam, Sethi and Ullman, "Compilers", 9.2.5) may
// name what it likes.
#include "solver/coexecute/coexecute.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/post_dominators.hpp"

#include <algorithm>

namespace houserule {

namespace {

// Z3's steps for whether a copy may be left behind.
constexpr unsigned naming_z3_steps = 500'000;

bool is_name(const Game& game, VariableId v) {
    return game.variables[v].type.base == Base::card || game.variables[v].type.base == Base::cards;
}

// Calls f for each variable whose value a step reads.
template <typename F>
void each_read(const Machine& machine, const Step& s, F f) {
    const auto in = [&](ExpressionId expression, VariableId but = VariableId(no_id)) {
        any_read(machine.game, expression, [&](const Expression& x) {
            const bool is_variable = x.op == Operator::variable || x.op == Operator::cards_variable;
            if (is_variable && VariableId(x.named()) != but) f(VariableId(x.named()));
            return false;
        });
    };
    for (const ExpressionId expression : {s.x, s.y, s.z, s.w}) in(expression);
    in(s.fits, s.a);  // asked of what is chosen, not of what had the name before
    if (s.op == Op::report && s.b != no_id)
        for (const auto& [value, expression] : machine.weights[s.b]) in(expression);
    if (s.op == Op::store || s.op == Op::add_element) f(VariableId(s.b));
    if (s.op == Op::next_element || s.op == Op::add_element) f(VariableId(s.a));
    for (std::int32_t p = 0; s.op == Op::load && p < machine.game.players; ++p) f(VariableId(s.a) + p);
}

// The variable that a step gives a new value when it goes on to the next one.
VariableId written(const Step& s) {
    switch (s.op) {
        case Op::assign:
        case Op::choose:
        case Op::draw:
        case Op::report:
            return s.a;
        case Op::load:
        case Op::next_element:
            return s.b;
        default:
            return {};
    }
}

}  // namespace

void Coexecution::mark_live_names() {
    for (const VariableId v : game_.variables.ids())
        if (is_name(game_, v)) card_names_.push_back(v);
    live_.assign(machine_.code.size(), std::vector<bool>(card_names_.size()));
    if (card_names_.empty()) return;
    std::vector<std::int32_t> index(game_.variables.size(), -1);
    for (std::size_t n = 0; n < card_names_.size(); ++n) index[card_names_[n].index()] = static_cast<std::int32_t>(n);
    std::vector<std::vector<StepId>> after;
    for (const StepId i : machine_.code.ids()) after.push_back(all_after(machine_, i));
    for (const StepId i : machine_.code.ids())
        each_read(machine_, machine_.code[i], [&](VariableId v) {
            if (index[v.index()] >= 0) live_[i][index[v.index()]] = true;
        });
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = machine_.code.size(); i-- > 0;) {
            const VariableId gone = written(machine_.code[StepId(i)]);
            for (const StepId to : after[i]) {
                for (std::size_t n = 0; n < card_names_.size(); ++n) {
                    if (!live_[to][n] || live_[StepId(i)][n] || (card_names_[n] == gone && to == StepId(i) + 1)) continue;
                    live_[StepId(i)][n] = true;
                    changed = true;
                }
            }
        }
    }
}

void Coexecution::drop_dead_names(UnknownTable& t) const {
    for (std::size_t n = 0; n < card_names_.size(); ++n)
        if (!live_[t.pc + 1][n]) t.unread.erase(card_names_[n]);
}

void Coexecution::name_anew(UnknownTable& t, VariableId name, VariableId other) const {
    if (!is_name(game_, name)) return;
    const auto went = t.put.went.find(other);
    if (went == t.put.went.end())
        t.put.went.erase(name);
    else
        t.put.went[name] = went->second;
    if (other != no_id && are_same(t, name, other)) return;
    t.same_card.erase(name);
    // Others that were named by it have a new first.
    const auto its = [&](const auto& pair) { return pair.second == name; };
    if (const auto next = std::find_if(t.same_card.begin(), t.same_card.end(), its); next != t.same_card.end()) {
        const VariableId now = next->first;
        t.same_card.erase(next);
        for (auto& [of, is] : t.same_card)
            if (is == name) is = now;
    }
    if (other == no_id) return;
    const auto first = t.same_card.find(other);
    t.same_card[name] = first == t.same_card.end() ? other : first->second;
}

bool Coexecution::are_same(const UnknownTable& t, VariableId a, VariableId b) {
    const auto first = [&](VariableId v) {
        const auto found = t.same_card.find(v);
        return found == t.same_card.end() ? v : found->second;
    };
    return first(a) == first(b);
}

// Whether `named` was taken out of `rest` by a loop that goes on with the others.
bool Coexecution::is_rest_of(const UnknownTable& t, VariableId rest, VariableId named) const {
    return std::any_of(machine_.code.begin(), machine_.code.end(),
                       [&](const Step& s) { return s.op == Op::next_element && VariableId(s.a) == rest && are_same(t, s.b, named); });
}

bool Coexecution::may_be(const UnknownTable& t, Truth condition) {
    if (const auto known = terms_.known(condition)) return *known;
    return possible({condition}, t, naming_z3_steps) != Answer::no;
}

std::vector<Terms::Int> Coexecution::present_counts(const UnknownTable& t, PlaceId place) const {
    return (t.effects ? t.piles_now : t.state.piles)[place].counts;
}

bool Coexecution::card_follows(UnknownTable& t, Card<Terms>& card, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone) {
    const Truth there = terms_.equal(card.place, terms_.constant(from));
    if (there == Formulas::no) return true;
    std::vector<Truth> moved;
    std::vector<Truth> unsure;
    bool all = true;
    terms_.each_case(card.kind, [&](Value kind, const Truth& is) {
        if (kind < 0) return;
        const Gone g = gone(KindId(kind));
        moved.push_back(terms_.both(is, g.all));
        all = all && (is == Formulas::no || g.all == Formulas::yes);
        unsure.push_back(terms_.both(is, g.some));
    });
    if (may_be(t, terms_.both(there, terms_.any(unsure)))) return false;
    card.place = terms_.choose(all ? there : terms_.both(there, terms_.any(moved)), terms_.constant(to), card.place);
    return true;
}

bool Coexecution::cards_follow(UnknownTable& t, Cards<Terms>& cards, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone) {
    Cards<Terms> now;
    now.size = cards.size;
    const auto add = [&](PlaceId place, KindId kind, const Terms::Int& count) {
        const auto same =
            std::find_if(now.copies.begin(), now.copies.end(), [&](const Copies<Terms>& c) { return c.place == place && c.kind == kind; });
        if (same == now.copies.end())
            collections::add_copies(terms_, now, place, kind, count);
        else
            same->count = terms_.within(terms_.add(same->count, count), 0, game_.kinds[kind].copies);
    };
    for (const Copies<Terms>& c : cards.copies) {
        const Gone g = c.place == from ? gone(c.kind) : Gone{Formulas::no, Formulas::no};
        if (may_be(t, terms_.both(g.some, arithmetic::positive(terms_, c.count)))) return false;
        const Terms::Int none = terms_.constant(0);
        add(to, c.kind, terms_.choose(g.all, c.count, none));
        add(c.place, c.kind, terms_.choose(g.all, none, c.count));
    }
    cards = std::move(now);
    return true;
}

// Whether some of these cards may lie at the place, and whether all of them do.
bool Coexecution::may_have_gone(const Content<Terms>& cards, PlaceId place) {
    if (const auto* one = std::get_if<Card<Terms>>(&cards)) return terms_.equal(one->place, terms_.constant(place)) != Formulas::no;
    return std::ranges::any_of(std::get<Cards<Terms>>(cards).copies,
                               [&](const Copies<Terms>& c) { return c.place == place && c.count.high() > 0; });
}
bool Coexecution::is_surely_at(const Content<Terms>& cards, PlaceId place) {
    if (const auto* one = std::get_if<Card<Terms>>(&cards)) return terms_.equal(one->place, terms_.constant(place)) == Formulas::yes;
    return std::ranges::none_of(std::get<Cards<Terms>>(cards).copies,
                                [&](const Copies<Terms>& c) { return c.place != place && c.count.high() > 0; });
}

bool Coexecution::names_follow(UnknownTable& t, VariableId named, PlaceId from, PlaceId to, const std::function<Gone(KindId)>& gone,
                               std::size_t part) {
    if (from == to) return true;
    const VariableId given = written(machine_.code[t.pc]);
    for (std::size_t n = 0; n < card_names_.size(); ++n) {
        const VariableId v = card_names_[n];
        if (v == given || !live_[t.pc + 1][n] || t.unread.contains(v)) continue;
        if (named != no_id && (are_same(t, v, named) || is_rest_of(t, v, named))) continue;
        const auto before = t.state.variables[v];
        // While effects read the table as it was, what has come since is apart from what was there, and only `part` loses cards.
        if (const auto went = t.effects && !is_stack(from) ? t.put.went.find(v) : t.put.went.end(); went != t.put.went.end()) {
            if (went->second && part == 0) continue;
            if (may_have_gone(before, from)) return problem_ = {LimitKind::which_card}, false;
            continue;
        } else if (part > 0) {
            continue;
        }
        const bool one = game_.variables[v].type.base == Base::card;
        const bool known = one ? card_follows(t, std::get<Card<Terms>>(t.state.variables[v]), from, to, gone)
                               : cards_follow(t, std::get<Cards<Terms>>(t.state.variables[v]), from, to, gone);
        if (!known) return problem_ = {LimitKind::which_card}, false;
        if (t.effects && may_have_gone(before, from)) t.put.went[v] = is_surely_at(before, from) && is_surely_at(t.state.variables[v], to);
    }
    return true;
}

}  // namespace houserule
