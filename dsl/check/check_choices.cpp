#include "dsl/check/statement_reader.hpp"
#include "dsl/game/names.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

// Whether nothing behind the statement comes after it in its rule.
bool StatementReader::leaves(StatementId statement) const {
    const Statement& s = game_.statements[statement];
    const auto does = [&](StatementId id) { return id != no_id && leaves(id); };
    if (const auto* block = s.as<statement::Block>()) return std::ranges::any_of(block->items, does);
    if (const auto* cases = s.as<statement::Cases>()) return does(cases->otherwise) && std::ranges::all_of(cases->arms, does, &Arm::body);
    return s.kind() == StatementKind::stop || s.kind() == StatementKind::end;
}

// `choose c from S`, but `choose 3 from S as named`.
const SyntaxNode& StatementReader::name_of_choice(const Node& choice) {
    return *choice.children[child(choice, Kind::count) == nullptr ? 1 : 3];
}

// `choose c from S as m`, where `c` is nothing that there is: one was meant, and it has two names.
bool StatementReader::is_one_with_two_names(const Node& choice) {
    const Node* count = child(choice, Kind::count);
    const Node* number = count != nullptr && count->children.size() == 1 ? count->children[0] : nullptr;
    if (number == nullptr || number->kind != Kind::name || scopes_.find(number->text) != nullptr || globals_.contains(number->text))
        return false;
    report(Code::unknown_name, number->span, number->text).help = Text::one_has_no_as(number->text, choice.children[0]->text);
    scopes_.set(number->text, {broken(number->span), no_id});
    return true;
}

// `3` or `1..3`, how many are chosen.
void StatementReader::read_sizes(const Node& sizes, const Phrase& word, statement::Choose& s) {
    const Node& last = *sizes.children.back();
    s.least = count(*sizes.children[0], word);
    s.most = sizes.children.size() > 1 ? count(last, word) : s.least;
    report_falling(*sizes.children[0], last, sizes.span, word);
}

void StatementReader::choose_number(const Node& range, const Node& name, const Knower& knower, statement::Choose& s) {
    const auto ends = whole_range(range);
    if (!ends) return;
    s.low = ends->first;
    s.high = ends->second;
    must_know(s.player, s.low);
    must_know(s.player, s.high);
    s.variable = new_variable(name.text, number_type(type(s.low).low, type(s.high).high), knower);
    bind(name, {variable_expression(s.variable, name.span), s.variable});
}

void StatementReader::read_choice(const Node& choice, statement::Choose& s) {
    const Node& verb = *choice.children[0];
    s.aloud = verb.text == "name";
    const Node* count = child(choice, Kind::count);
    const Node* name = nullptr;
    const Node* from = nullptr;
    if (is_one_with_two_names(choice)) return;
    if (count != nullptr) {
        from = choice.children[2];
        name = choice.children[3];
        read_sizes(*count, verbatim(verb.text), s);
    } else {
        name = choice.children[1];
        from = choice.children[2];
    }
    const Knower knower = s.aloud ? Knower{} : Knower{false, s.player};
    Type element;
    ExpressionId set = no_id;
    if (from->kind == Kind::e_yes_no) {
        game_.sets.push_back({0, 1});
        set = emit(Operator::set_constant, set_of(truth_type()), from->span, no_id, no_id, no_id, last_set());
        element = truth_type();
    } else if (from->kind == Kind::e_range && count == nullptr && child(*from, Kind::by) == nullptr) {
        return choose_number(*from, *name, knower, s);
    } else if (from->kind == Kind::e_where) {
        // The chosen thing's own name may stand in its condition.
        const ExpressionId source = expression(*from->children[0]);
        if (is_broken(source)) return;
        if (!element_of(source, element)) {
            wrong_set(source, Text::cards_or_set);
            return;
        }
        ExpressionId condition = no_id;
        const BoundId bound = comprehend(source, count == nullptr ? name : nullptr, true, [&] { condition = truth(*from->children[1]); });
        if (is_broken(condition)) return;
        set = emit(type(source).base == Base::cards ? Operator::cards_where : Operator::set_where, type(source), from->span, source,
                   condition, no_id, bound);
    } else {
        set = expression(*from);
        if (is_broken(set)) return;
        if (type(set).base == Base::card) set = as_cards(set);
        if (!element_of(set, element)) {
            wrong_set(set, Text::cards_or_set);
            return;
        }
    }
    must_know(s.player, set);
    if (s.least != no_id && !is_broken(s.least)) must_know(s.player, s.least);
    if (s.most != no_id && !is_broken(s.most)) must_know(s.player, s.most);
    s.set = set;
    if (count == nullptr)
        s.variable = new_variable(name->text, element, knower);
    else
        s.variable = new_variable(name->text, type(set).base == Base::cards ? type(set) : set_of(element), knower);
    knowledge_.differences.is_among(s.variable, set);
    bind(*name, {variable_expression(s.variable, name->span), s.variable});
    if (const Node* whole = child(choice, Kind::where)) {
        s.fits = truth(*whole->children[0]);
        must_know(s.player, s.fits);
        if (is_broken(s.fits)) s.fits = no_id;
    }
}

StatementId StatementReader::must(const Node& node, bool may) {
    statement::Choose s;
    s.optional = may;
    s.player = player(*node.children[0]);
    if (is_broken(s.player)) return no_id;
    if (may || child(node, Kind::body) != nullptr) scopes_.open();
    const bool scoped = may || child(node, Kind::body) != nullptr;
    const Node& chosen = *child(node, Kind::choice);
    read_choice(chosen, s);
    s.question = question(node, s.player);
    // The name is known even when what it is chosen from is not.
    if (s.variable == no_id) scopes_.set(name_of_choice(chosen).text, {broken(node.span), no_id});
    if (const Node* b = child(node, Kind::body)) s.body = body(b);
    if (scoped) scopes_.close();
    if (const Node* n = child(node, may ? Kind::otherwise : Kind::if_none)) s.otherwise = body(n->children[0]);
    if (!scoped && s.variable != no_id && s.otherwise != no_id && !leaves(s.otherwise)) scopes_.set_perhaps(name_of_choice(chosen).text);
    s.player = somebody(s.player);
    return s.variable == no_id ? no_id : add(node, s);
}

StatementId StatementReader::may_do(const Node& node) {
    statement::MayDo s;
    s.player = somebody(player(*node.children[0]));
    s.word = word(node.children[1]->text);
    s.question = question(node, s.player);
    s.body = body(child(node, Kind::body));
    if (const Node* n = child(node, Kind::otherwise)) s.otherwise = body(n->children[0]);
    return is_broken(s.player) ? no_id : add(node, s);
}

// Decisions, effects, deals: in this order, and nothing else.
void StatementReader::no_decision_inside(StatementId id) {
    bool effects = false;
    bool dealt = false;
    for (const StatementId i : game_.statements[id].as<statement::Block>()->items) {
        const Statement& x = game_.statements[i];
        const auto* choice = x.as<statement::Choose>();
        if (choice != nullptr && !choice->optional && choice->body == no_id && choice->otherwise == no_id) {
            if (effects) report(Code::misplaced, x.span, Text::decisions_come_first);
            continue;
        }
        effects = true;
        if (only_deals(game_, i) && !deals_ask(i)) {
            dealt = true;
            continue;
        }
        if (!calls_.asks(i)) {
            if (dealt) report(Code::misplaced, x.span, Text::deals_come_last);
            continue;
        }
        Diagnostic& d = report(Code::misplaced, x.span, Text::several_act_at_once);
        const bool deals = any_within(game_, i, [&](StatementId part) { return game_.statements[part].kind() == StatementKind::deal; });
        d.help = choice != nullptr && choice->optional ? Text::choose_up_to_one : deals ? Text::deals_come_last : Text::chance_comes_later;
    }
}

// Whether what is done where the cards run short asks somebody, or chance again.
bool StatementReader::deals_ask(StatementId id) const {
    return any_within(game_, id, [&](StatementId part) {
        const auto* deal = game_.statements[part].as<statement::Deal>();
        return deal != nullptr && calls_.asks(deal->if_short);
    });
}

StatementId StatementReader::simultaneously(const Node& node) {
    statement::Simultaneously s;
    const std::size_t before = diagnostics_.size();
    if (const Node* in = child(node, Kind::in_set)) s.set = players(*in->children[0]);
    const bool others = s.set != no_id && is_broken(s.set);
    if (others && diagnostics_.size() > before && diagnostics_.back().code == Code::wrong_type)
        diagnostics_.back().help = Text::only_players_decide_at_once;
    const Node& name = *node.children[0];
    s.variable = new_variable(name.text, player_type(), {});
    if (s.set != no_id && !others) knowledge_.differences.is_among(s.variable, s.set);
    scopes_.open();
    bind(name, {others ? broken(name.span) : variable_expression(s.variable, name.span), s.variable});
    if (const Node* w = child(node, Kind::where)) s.condition = truth(*w->children[0]);
    const MomentScope inside(knowledge_.moments);
    if (!is_broken(s.condition)) knowledge_.moments.suppose(s.condition, true);
    s.body = decided_together(child(node, Kind::body));
    scopes_.close();
    return add(node, s);
}

void StatementReader::read_weights(const Node& weights, statement::Report& s, const Type& element) {
    const Phrase word = s.by_chance ? verbatim("chance") : verbatim("when simulated");
    bool weighs = false;
    for (std::size_t i = 0; i + 1 < weights.children.size(); i += 2) {
        const ExpressionId label = as_type(expression(*weights.children[i]), element, Text::this_value);
        const ExpressionId weight = count(*weights.children[i + 1], word);
        weighs = weighs || is_broken(weight) || value_of(weight) != 0;
        if (is_broken(label) || is_broken(weight)) continue;
        const Span span = weights.children[i]->span;
        if (!value_of(label)) report(Code::not_constant, span);
        for (const statement::Weight& w : s.weights) {
            if (!value_of(label) || value_of(w.value) != value_of(label)) continue;
            Diagnostic& d = report(Code::misplaced, span, Text::weight_stands_already(value_name(game_, element, *value_of(label))));
            d.labels.push_back({at(w.value).span, Text::first_weight_here});
        }
        s.weights.push_back({label, weight});
    }
    if (!weighs) report(Code::out_of_range, weights.span, word, Text::weight_above_nothing, 0);
}

// A lot whose result becomes a fact; it is seen by those who see the fact.
StatementId StatementReader::lot_of(const Node& node, const Fact& fact, ExpressionId owner, VariableId& picked) {
    statement::Report s;
    s.by_chance = true;
    s.set = expression(*node.children[1]);
    Type element;
    if (is_broken(s.set)) return no_id;
    if (!element_of(s.set, element) || type(s.set).base == Base::cards) {
        wrong_set(s.set, Text::a_set);
        return no_id;
    }
    if (const Node* weights = child(node, Kind::weights)) read_weights(*weights, s, element);
    if (const Node* whom = child(node, Kind::lot_for)) {
        report(Code::misplaced, whom->span, Text::lot_seen_as_fact);
    } else if (fact.seers == Seers::others) {
        report(Code::misplaced, node.children[0]->span, Text::lot_seen_by_others);
    } else if (fact.seers == Seers::owner) {
        s.seer = owner;
    } else if (fact.seers == Seers::nobody) {
        Type nobody = player_type();
        nobody.or_none = true;
        s.seer = constant(nobody, -1, node.span);
    }
    Knower knower;
    if (s.seer != no_id) knower = {false, fact.seers == Seers::nobody ? ExpressionId(no_id) : s.seer};
    picked = s.variable = new_variable(fact.name, element, knower);
    knowledge_.differences.is_among(s.variable, s.set);
    return add(node, std::move(s));
}

// `chance picks P1's total from …`, `chance picks die at 3 from 1..6`; with a set of numbers, for each of them.
StatementId StatementReader::lot_to_fact(const Node& node) {
    const Node& target = *node.children[0]->children[0];
    const auto of = at_place(target);
    VariableId picked;
    if (!of || of->places->zone) {
        const ExpressionId fact = expression(target);
        if (is_broken(fact)) return no_id;
        if (at(fact).op != Operator::fact) {
            wrong_type(fact, Text::a_fact);
            return no_id;
        }
        const Fact& is = game_.facts[at(fact).named()];
        const StatementId lot = lot_of(node, is, at(fact).a, picked);
        if (lot == no_id) return no_id;
        const ExpressionId value = as_type(variable_expression(picked, node.span), is.type, is.name);
        return add(node, statement::Block{{lot, add(node, statement::Becomes{at(fact).named(), at(fact).a, value})}});
    }
    const Node& which = *target.children[1];
    ExpressionId number = expression(which);
    if (is_broken(number)) return no_id;
    statement::Each loop;
    const MomentScope inside(knowledge_.moments);
    if (type(number).base == Base::set && type(number).element == Base::number && type(number).scale == 1) {
        loop.set = number;
        const Type element = number_type(type(number).low, type(number).high);
        loop.variable = new_variable(of->name, element, {});
        knowledge_.differences.is_among(loop.variable, loop.set);
        knowledge_.moments.loop();
        number = variable_expression(loop.variable, which.span);
    }
    number = place_number(*of, as_number(number), which.span);
    if (is_broken(number)) return no_id;
    const Fact like = game_.facts[of->places->each.front()];
    const StatementId lot = lot_of(node, like, of->owner, picked);
    if (lot == no_id) return no_id;
    game_.variables[picked].name = of->name;
    const auto value = [&](const Fact& fact) { return as_type(variable_expression(picked, node.span), fact.type, of->name); };
    loop.body = add(node, statement::Block{{lot, becomes_at(*of, number, node, value)}});
    return loop.set == no_id ? loop.body : add(node, loop);
}

StatementId StatementReader::lots(const Node& node) {
    const Node& name = *node.children[0];
    if (name.kind == Kind::lot_target) return lot_to_fact(node);
    if (const auto places = places_.find(name.text); places != places_.end()) {
        // For each of the places.
        const auto number = [&](std::int32_t n) { return Node{Kind::number, name.span, fmt::format("{}", n), {}}; };
        const Node low = number(places->second.low);
        const Node high = number(places->second.high);
        const Node range{Kind::e_range, name.span, "", {&low, &high}};
        const Node at{Kind::e_at, name.span, "", {&name, &range}};
        const Node target{Kind::lot_target, name.span, "", {&at}};
        Node all = node;
        all.children[0] = &target;
        return lot_to_fact(all);
    }
    return outside(node, true);
}

// What not all are to see, but all are told.
void StatementReader::warn_of_told_lot(const Fact& fact, ExpressionId value) {
    if (fact.seers == Seers::all || is_broken(value) || at(value).op != Operator::variable) return;
    const auto lot = told_lots_.find(VariableId(at(value).named()));
    if (lot == told_lots_.end()) return;
    Diagnostic& d = report(Code::lot_is_told, lot->second, fact.name);
    d.help = Text::lot_for_whom;
    if (at(value).span.begin > lot->second.end) d.labels.push_back({at(value).span, Text::becomes_here});
}

StatementId StatementReader::outside(const Node& node, bool by_chance) {
    statement::Report s;
    s.by_chance = by_chance;
    s.set = expression(*node.children[1]);
    Type element;
    if (is_broken(s.set)) return no_id;
    if (!element_of(s.set, element)) {
        wrong_set(s.set, Text::a_set);
        return no_id;
    }
    if (type(s.set).base == Base::cards && !by_chance) {
        wrong_type(s.set, Text::set_but_no_cards);
        return no_id;
    }
    const Node& name = *node.children[0];
    const Node* const weights = child(node, Kind::weights);
    if (weights != nullptr)
        read_weights(*weights, s, element);
    else if (!by_chance && child(node, Kind::evenly) == nullptr)
        report(Code::no_simulation, name.span).help = Text::table_when_simulated;
    Knower knower;
    if (const Node* whom = child(node, Kind::lot_for)) {
        const Node& seer = *whom->children[0];
        s.seer = seer.kind == Kind::nobody ? expression(seer) : somebody(player(seer));
        if (is_broken(s.seer)) return no_id;
        if (type(s.set).base == Base::cards) wrong_type(s.set, Text::set_but_no_cards);
        knower = {false, seer.kind == Kind::nobody ? ExpressionId(no_id) : s.seer};
    }
    s.variable = new_variable(name.text, element, knower);
    knowledge_.differences.is_among(s.variable, s.set);
    if (by_chance && child(node, Kind::lot_for) == nullptr) told_lots_.emplace(s.variable, node.span);
    // `table tells starter from players`, where `starter` is a fact of the table: the fact becomes what is told.
    const auto m = globals_.find(name.text);
    if (m != globals_.end() && m->second.what == Meaning::fact && game_.facts[m->second.id].by == IndexBy::nothing) {
        const FactId fact = m->second.id;
        const ExpressionId told = variable_expression(s.variable, name.span);
        warn_of_told_lot(game_.facts[fact], told);
        const ExpressionId value = as_type(told, game_.facts[fact].type, name.text);
        const StatementId lot = add(node, std::move(s));
        return add(node, statement::Block{{lot, add(node, statement::Becomes{fact, no_id, value})}});
    }
    bind(name, {variable_expression(s.variable, name.span), s.variable});
    return add(node, std::move(s));
}

}  // namespace houserule
