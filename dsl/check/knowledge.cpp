#include "dsl/check/knowledge.hpp"

#include "dsl/game/parts.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace houserule {

namespace {

// What `known` says of a part that is read only where the condition holds, or only where it does not.
template <typename Known>
bool supposing(Differences& differences, ExpressionId condition, bool holds, const Known& known) {
    differences.suppose(condition, holds);
    const bool is_known = known();
    differences.forget();
    return is_known;
}

bool is_name(const Expression& x) {
    return x.op == Operator::variable || x.op == Operator::cards_variable || x.op == Operator::set_variable;
}

bool names_cards(const Game& game, VariableId variable) {
    const Base base = game.variables[variable].type.base;
    return base == Base::card || base == Base::cards;
}

}  // namespace

bool PlayerKnowledge::sees(Seers seers, IndexBy by, ExpressionId player, ExpressionId index, MomentId moment) {
    switch (seers) {
        case Seers::all:
            return true;
        case Seers::nobody:
            return false;
        case Seers::owner:
        case Seers::others:
            break;
    }
    if (by != IndexBy::player || index == no_id) return false;
    const bool several = at(index).type.base == Base::set;
    if (seers == Seers::owner) {
        if (several) return at(index).op == Operator::set_single && same(at(index).a, player);
        return same(player, index) || (player != no_id && differences.the_same(index, player, moment));
    }
    if (player == no_id) return false;
    return several ? differences.excludes(index, player, moment) : differences.different(index, player, moment);
}

// How many cards lie where is seen by all.
bool PlayerKnowledge::sizes_only(ExpressionId e) const {
    const Expression& x = at(e);
    switch (x.op) {
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_none:
        case Operator::cards_family:
        case Operator::fail:
            return true;
        case Operator::cards_join:
            return sizes_only(x.a) && sizes_only(x.b);
        case Operator::cards_conditional:
            return sizes_only(x.b) && sizes_only(x.c);
        default:
            return false;
    }
}

bool PlayerKnowledge::knows_variable(ExpressionId player, VariableId variable, MomentId moment) {
    const Knower& k = knowers_[variable];
    if (k.all || same(k.player, player)) return knows_element(player, variable, moment) && knows_given(player, variable, moment);
    if (player == no_id) return false;
    if (k.player != no_id && differences.the_same(k.player, player, moment)) return true;
    if (names_cards(game_, variable) && was_told(player, variable, moment)) return true;
    const Origin origin = differences.origin(variable);
    if (origin.value == no_id || !differences.stable(player)) return false;
    Differences::Conditions aside = differences.set_aside();
    const bool known = knows(player, origin.value, origin.when);
    differences.take_back(std::move(aside));
    return known;
}

// Whether what the name stands for is seen from what is done at that moment: whoever it is decides or says something, or it is what is
// chosen from, shown or put somewhere.
bool PlayerKnowledge::is_told_by(StatementId statement, VariableId variable, ExpressionId player, MomentId moment) {
    if (names_cards(game_, variable)) return shows_cards(statement, variable, player, moment, rules_looked_into);
    const auto reads = [&](ExpressionId e) {
        return any_read(game_, e, [&](const Expression& x) { return is_name(x) && x.named() == variable; });
    };
    return any_within(game_, statement, [&](StatementId id) {
        const Statement& s = game_.statements[id];
        if (const auto* choice = s.as<statement::Choose>())
            return reads(choice->player) || reads(choice->set) || reads(choice->low) || reads(choice->high);
        if (const auto* asked = decision_of(s)) return reads(asked->player);
        if (const auto* says = s.as<statement::Says>()) return reads(says->player);
        if (const auto* show = s.as<statement::Show>()) return reads(show->cards);
        if (const auto* put = s.as<statement::Put>()) return reads(put->cards);
        return false;
    });
}

// Whether the player surely sees then what cards have that name: they are said, shown to the player, or put where the player sees them. Of
// rules that are called with them: whether all see it.
bool PlayerKnowledge::shows_cards(StatementId statement, VariableId variable, ExpressionId player, MomentId moment, int rules_left) {
    const std::function<bool(ExpressionId)> is = [&](ExpressionId e) {
        if (e == no_id) return false;
        const Expression& x = at(e);
        if (x.op == Operator::cards_single || x.op == Operator::set_single || x.op == Operator::kind_of) return is(x.a);
        return is_name(x) && x.named() == variable;
    };
    if (statement == no_id) return false;
    const Statement& s = game_.statements[statement];
    if (const auto* block = s.as<statement::Block>())
        return std::ranges::any_of(block->items, [&](StatementId item) { return shows_cards(item, variable, player, moment, rules_left); });
    if (const auto* choice = s.as<statement::Choose>()) return choice->aloud && is(choice->set);
    if (const auto* show = s.as<statement::Show>())
        return is(show->cards) && (show->seers == no_id || differences.contains(show->seers, player, moment));
    if (const auto* put = s.as<statement::Put>()) return is(put->cards) && knows_place(player, put->place, moment, true);
    const auto* call = s.as<statement::Call>();
    if (call == nullptr || rules_left == 0) return false;
    const Rule& rule = game_.rules[call->rule];
    for (std::size_t i = 0; i < call->arguments.size() && i < rule.parameters.size(); ++i)
        if (is(call->arguments[i]) && shows_cards(rule.body, rule.parameters[i], no_id, no_id, rules_left - 1)) return true;
    return false;
}

// It was told before that moment, in the same blocks.
bool PlayerKnowledge::was_told(ExpressionId player, VariableId variable, MomentId moment) {
    for (MomentId m = moment; m != no_id; m = moments[m].before)
        if (moments[m].done != no_id && is_told_by(moments[m].done, variable, player, moments[m].before)) return true;
    return false;
}

// What a loop goes through is known to whoever sees that, and the conditions under which it is done for an element; or it was told.
bool PlayerKnowledge::knows_element(ExpressionId player, VariableId variable, MomentId moment) {
    const Loop loop = loops_[variable];
    if (loop.elements == no_id) return true;
    std::vector<MomentId> conditions;
    MomentId m = moment;
    for (; m != no_id && m != loop.before; m = moments[m].before) {
        if (moments[m].done != no_id && is_told_by(moments[m].done, variable, player, moments[m].before)) return true;
        if (moments[m].condition != no_id) conditions.push_back(m);
    }
    if (m != loop.before || player == no_id || !differences.stable(player)) return true;
    Differences::Conditions aside = differences.set_aside();
    loops_[variable] = {};  // while it is asked about the conditions, which may be about the element
    const auto knows_condition = [&](MomentId c) { return knows(player, moments[c].condition, moments[c].before); };
    const bool known = knows(player, loop.elements, loop.before) && knows(player, loop.last, loop.before) &&
                       std::ranges::all_of(conditions, knows_condition);
    loops_[variable] = loop;
    differences.take_back(std::move(aside));
    return known;
}

// What a rule is given is known to whoever knows it wherever the rule is called; or the rule has told it.
bool PlayerKnowledge::knows_given(ExpressionId player, VariableId variable, MomentId moment) {
    if (!is_parameter(variable)) return true;
    if (was_told(player, variable, moment)) return true;
    return differences.is_settled() && knows_arguments(player, variable);  // before that there may be calls that were not read yet
}

bool PlayerKnowledge::knows_arguments(ExpressionId player, VariableId variable) {
    const auto [asked, fresh] = given_.try_emplace({variable, player}, true);
    if (!fresh) return asked->second;
    Differences::Conditions aside = differences.set_aside();
    bool known = true;
    for (const Given& g : given(player, variable)) known = known && knows(g.player, g.argument, g.when);
    differences.take_back(std::move(aside));
    return given_[{variable, player}] = known;
}

// What a parameter is given by each call of its rule, and who the player is in the words of that call.
std::vector<PlayerKnowledge::Given> PlayerKnowledge::given(ExpressionId player, VariableId variable) const {
    const RuleId rule = game_.variables[variable].rule;
    const std::vector<VariableId>& parameters = game_.rules[rule].parameters;
    const auto index_of = [&](VariableId v) { return std::find(parameters.begin(), parameters.end(), v) - parameters.begin(); };
    const auto named = player != no_id && at(player).op == Operator::variable ? index_of(at(player).named()) : std::ssize(parameters);
    const ExpressionId everywhere = player != no_id && at(player).op == Operator::constant ? player : ExpressionId(no_id);
    std::vector<Given> all;
    for (const auto& [id, when] : differences.calls()) {
        const auto& call = *game_.statements[id].as<statement::Call>();
        if (call.rule != rule || call.arguments.size() != parameters.size()) continue;
        all.push_back({named < std::ssize(parameters) ? call.arguments[named] : everywhere, call.arguments[index_of(variable)], when});
    }
    return all;
}

bool PlayerKnowledge::is_parameter(VariableId variable) const {
    const RuleId rule = game_.variables[variable].rule;
    if (rule == no_id) return false;
    const std::vector<VariableId>& parameters = game_.rules[rule].parameters;
    return std::find(parameters.begin(), parameters.end(), variable) != parameters.end();
}

bool PlayerKnowledge::knows_cards(ExpressionId player, ExpressionId e, MomentId moment) {
    const Expression& x = at(e);
    const auto zone = [&](const Expression& z) {
        const Zone& is = game_.zones[z.named()];
        return sees(is.seers, is.by, player, z.a, moment) && knows(player, z.a, moment);
    };
    if (x.op == Operator::cards_of) return zone(x) || was_shown(player, e, moment);
    const Expression& p = at(x.a);
    if (p.op == Operator::conditional) return knows_place(player, x.a, moment, true);
    if (p.op != Operator::place) return knows(player, x.a, moment);
    return zone(p) || was_shown(player, e, moment);
}

// Which place it is, and with `faces` what lies there, wherever it is.
bool PlayerKnowledge::knows_place(ExpressionId player, ExpressionId e, MomentId moment, bool faces) {
    const Expression& x = at(e);
    if (x.op == Operator::conditional)
        return knows(player, x.a, moment) && knows_place(player, x.b, moment, faces) && knows_place(player, x.c, moment, faces);
    if (x.op == Operator::fail) return true;
    if (x.op != Operator::place) return !faces && knows(player, e, moment);
    const Zone& zone = game_.zones[x.named()];
    return knows(player, x.a, moment) && (!faces || sees(zone.seers, zone.by, player, x.a, moment));
}

bool PlayerKnowledge::knows_size(ExpressionId player, ExpressionId cards, MomentId moment) {
    if (!sizes_only(cards)) return knows(player, cards, moment);
    const Expression& s = at(cards);
    const auto knows_if = [&](bool holds, ExpressionId part) {
        return supposing(differences, s.a, holds, [&] { return knows_size(player, part, moment); });
    };
    switch (s.op) {
        case Operator::cards_join:
            return knows_size(player, s.a, moment) && knows_size(player, s.b, moment);
        case Operator::cards_conditional:
            return knows(player, s.a, moment) && knows_if(true, s.b) && knows_if(false, s.c);
        case Operator::cards_at:
            return knows_place(player, s.a, moment, false);
        default:
            return knows(player, s.a, moment);
    }
}

// What was read before says who is who in the parts that are read only then.
bool PlayerKnowledge::knows_parts(ExpressionId player, const Expression& x, MomentId moment) {
    if (!knows(player, x.a, moment)) return false;
    if (binds(x.op)) differences.bind(x.bound(), x.a);
    const auto knows_if = [&](bool holds, ExpressionId part) {
        return supposing(differences, x.a, holds, [&] { return knows(player, part, moment); });
    };
    switch (x.op) {
        case Operator::both:
            return knows_if(true, x.b);
        case Operator::either:
            return knows_if(false, x.b);
        case Operator::conditional:
        case Operator::set_conditional:
        case Operator::cards_conditional:
            return knows_if(true, x.b) && knows_if(false, x.c);
        default:
            return knows(player, x.b, moment) && knows(player, x.c, moment);
    }
}

bool PlayerKnowledge::knows(ExpressionId player, ExpressionId e, MomentId moment) {
    if (e == no_id || same(e, player)) return true;  // who somebody is, that player knows
    const Expression& x = at(e);
    switch (x.op) {
        case Operator::variable:
        case Operator::set_variable:
        case Operator::cards_variable:
            return knows_variable(player, x.named(), moment);
        case Operator::fact:
        case Operator::set_fact: {
            const Fact& f = game_.facts[x.named()];
            return sees(f.seers, f.by, player, x.a, moment) && knows(player, x.a, moment);
        }
        case Operator::place:
            return knows(player, x.a, moment);
        case Operator::cards_at:
        case Operator::first_card:
        case Operator::last_card:
        case Operator::cards_of:
            return knows_cards(player, e, moment);
        case Operator::first_cards:
        case Operator::last_cards:
            return knows_cards(player, e, moment) && knows(player, x.b, moment);
        case Operator::cards_family:
        case Operator::cards_unplaced:
            return false;  // faces at unknown places
        case Operator::size_of_cards:
            return knows_size(player, x.a, moment);
        case Operator::set_kinds:
            return knows(player, x.a, moment);
        default:
            return knows_parts(player, x, moment);
    }
}

// --- cards that were shown

// Whether it may move cards, or let somebody else do so; what was not read yet may.
bool PlayerKnowledge::may_move(StatementId statement) const {
    const auto moves = [&](StatementId body) {
        return any_within(game_, body, [&](StatementId id) {
            switch (game_.statements[id].kind()) {
                case StatementKind::put:
                case StatementKind::deal:
                case StatementKind::draw:
                case StatementKind::shuffle:
                case StatementKind::offer:
                case StatementKind::play_game:
                    return true;
                default:
                    return false;
            }
        });
    };
    if (statement == no_id || moves(statement)) return true;
    const Store<RuleId, bool> played = reachable_rules(game_, statement);
    for (const RuleId rule : played.ids())
        if (played[rule] && (game_.rules[rule].body == no_id || moves(game_.rules[rule].body))) return true;
    return false;
}

// Whether who knew the cards `e` before the statement knows them after it: none were moved, or only such whose faces the player knows.
bool PlayerKnowledge::hides_nothing(StatementId statement, ExpressionId player, ExpressionId e, MomentId before) {
    const auto* put = game_.statements[statement].as<statement::Put>();
    if (put == nullptr) return !may_move(statement);
    const bool whole = at(e).op == Operator::cards_at || at(e).op == Operator::cards_of;
    return whole && put->cards != no_id && put->place != no_id && knows(player, put->cards, before) && knows(player, put->place, before);
}

// What is shown of a place, in what order it lies there is not.
bool PlayerKnowledge::is_among(ExpressionId e, ExpressionId shown) const {
    const Expression& x = at(shown);
    if (x.op == Operator::cards_join) return is_among(e, x.a) || is_among(e, x.b);
    return same(e, shown) || (x.op == Operator::cards_single && same(e, x.a));
}

bool PlayerKnowledge::shows(const Statement& s, ExpressionId player, ExpressionId e, MomentId before) {
    const auto* show = s.as<statement::Show>();
    if (show == nullptr || show->cards == no_id || !is_among(e, show->cards)) return false;
    return show->seers == no_id || differences.contains(show->seers, player, before);
}

// In the same blocks, and nothing has moved since that the player does not know.
bool PlayerKnowledge::was_shown(ExpressionId player, ExpressionId e, MomentId moment) {
    constexpr int looked_back = 200;  // statements
    if (player == no_id || !differences.stable(player) || !differences.stable(at(e).op == Operator::cards_of ? at(e).a : at(at(e).a).a))
        return false;
    const bool acts = std::any_of(game_.acts.begin(), game_.acts.end(), [&](const Act& a) { return a.any_time && may_move(a.body); });
    if (acts) return false;  // an act may follow on what is shown
    Differences::Conditions aside = differences.set_aside();
    bool shown = false;
    MomentId m = moment;
    for (int left = looked_back; m != no_id && left > 0 && !shown; --left) {
        const Moment now = moments[m];
        if (now.again) break;
        if (now.done != no_id) {
            shown = shows(game_.statements[now.done], player, e, now.before);
            if (!shown && !hides_nothing(now.done, player, e, now.before)) break;
        }
        m = now.before;
    }
    differences.take_back(std::move(aside));
    return shown;
}

Phrase PlayerKnowledge::unseen(ExpressionId player, ExpressionId e, MomentId moment) {
    if (e == no_id || knows(player, e, moment)) return {};
    const Expression& x = at(e);
    if (is_name(x)) {
        const Origin origin = differences.origin(x.named());
        const Loop loop = loops_[x.named()];
        for (const ExpressionId end : {loop.elements, loop.last})
            if (Phrase inner = unseen(player, end, loop.before); !inner.empty()) return inner;
        if (is_parameter(x.named())) {
            Phrase inner;
            if (++rules_asked_ <= rules_looked_into)
                for (const Given& g : given(player, x.named()))
                    if (inner.empty()) inner = unseen(g.player, g.argument, g.when);
            --rules_asked_;
            return inner;
        }
        return unseen(player, origin.value, origin.when);
    }
    for (const ExpressionId part : {x.a, x.b, x.c})
        if (Phrase inner = unseen(player, part, moment); !inner.empty()) return inner;
    const auto sentence = [](const std::string& name, Seers seers) -> Phrase {
        switch (seers) {
            case Seers::all:
                return {};
            case Seers::owner:
                return Text::seen_by_owner_only(name);
            case Seers::others:
                return Text::seen_by_others_only(name);
            case Seers::nobody:
                return Text::seen_by_nobody(name);
        }
        return {};
    };
    switch (x.op) {
        case Operator::cards_at:
        case Operator::first_card:
        case Operator::last_card:
        case Operator::first_cards:
        case Operator::last_cards:
            if (at(x.a).op != Operator::place) return {};
            return sentence(game_.zones[at(x.a).named()].name, game_.zones[at(x.a).named()].seers);
        case Operator::cards_of:
            return sentence(game_.zones[x.named()].name, game_.zones[x.named()].seers);
        case Operator::fact:
        case Operator::set_fact:
            return sentence(game_.facts[x.named()].name, game_.facts[x.named()].seers);
        default:
            return {};
    }
}

Knower PlayerKnowledge::of(ExpressionId e) {
    std::vector<ExpressionId> reads;
    const std::function<void(ExpressionId)> collect = [&](ExpressionId x) {
        if (x == no_id) return;
        const Expression& n = at(x);
        if (names_zone(n.op) || names_fact(n.op)) reads.push_back(n.a);
        collect(n.a);
        collect(n.b);
        collect(n.c);
    };
    const ExpressionId nobody = no_id;
    if (knows(nobody, e, moments.now())) return {};
    collect(e);
    for (const ExpressionId p : reads)
        if (p != no_id && at(p).type.base == Base::player && knows(p, e, moments.now())) return {false, p};
    return {false, no_id};
}

}  // namespace houserule
