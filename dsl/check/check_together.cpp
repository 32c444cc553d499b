// What several decide at once: the blocks of acts and of `simultaneously`, objections, and how somebody is asked.
#include "dsl/check/statement_reader.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule {

namespace {

// Whether it decides nothing but how what follows goes on.
bool is_yes_or_no(const SyntaxNode& node) { return node.kind == Kind::s_may_do; }

}  // namespace

// `p may flee: A  otherwise: B` is a choice of yes or no with the other decisions, and `if yes: A  otherwise: B` with what follows.
StatementId StatementReader::decided_together(const Node* node) {
    statement::Block s;
    if (node == nullptr) return game_.statements.add({{}, std::move(s)});
    scopes_.open();
    const MomentScope inside(knowledge_.moments);
    std::vector<StatementId> effects;
    bool changed = false;
    const auto decide = [&](const Node& n) {
        if (changed) report(Code::misplaced, n.span, Text::decisions_come_first);
        const ExpressionId seat = somebody(player(*n.children[0]));
        const StatementId asked = asked_yes_or_no(seat, *n.children[1], n);
        knowledge_.moments.done(asked);
        const ExpressionId yes = variable_expression(chosen_in(asked), n.children[1]->span);
        statement::Cases then;
        then.arms.push_back({yes, body_where(yes, true, child(n, Kind::body)), false});
        const Node* otherwise = child(n, Kind::otherwise);
        then.otherwise = otherwise ? body_where(yes, false, otherwise->children[0]) : add(n, statement::Nothing());
        effects.push_back(add(n, std::move(then)));
        if (!is_broken(seat)) s.items.push_back(asked);
    };
    each_statement(*node, [&](const Node& n) {
        if (is_yes_or_no(n)) return decide(n);
        const StatementId id = next_statement(n);
        if (id == no_id) return;
        auto* choice = game_.statements[id].as<statement::Choose>();
        const bool decision = choice != nullptr && !choice->optional && choice->otherwise == no_id && !changed;
        // What follows from the choice alone comes with what changes.
        const StatementId then = decision ? std::exchange(choice->body, StatementId(no_id)) : StatementId(no_id);
        if (then != no_id) put_apart(then, effects);
        changed = changed || !decision || then != no_id;
        (decision ? s.items : effects).emplace_back(id);
    });
    scopes_.close();
    s.items.insert(s.items.end(), effects.begin(), effects.end());
    const StatementId block = add(*node, std::move(s));
    no_decision_inside(block);
    return block;
}

// What follows from a choice, with what it deals in the end apart from what it changes.
void StatementReader::put_apart(StatementId then, std::vector<StatementId>& effects) {
    auto* block = game_.statements[then].as<statement::Block>();
    std::vector<StatementId> deals;
    while (block != nullptr && !block->items.empty() && only_deals(game_, block->items.back())) {
        deals.push_back(block->items.back());
        block->items.pop_back();
    }
    if (deals.empty() || !block->items.empty()) effects.emplace_back(then);
    effects.insert(effects.end(), deals.rbegin(), deals.rend());
}

// `seat must choose NAME from yes/no`, as one of several decisions.
StatementId StatementReader::asked_yes_or_no(ExpressionId seat, const Node& name, const Node& asked) {
    statement::Choose s;
    s.player = seat;
    game_.sets.push_back({0, 1});
    s.set = emit(Operator::set_constant, set_of(truth_type()), name.span, no_id, no_id, no_id, last_set());
    word(name.text);
    s.variable = new_variable(name.text, truth_type(), Knower{false, seat});
    s.question = is_broken(seat) ? no_id : question(asked, seat);
    return add(asked, s);
}

VariableId StatementReader::chosen_in(StatementId choice) const { return game_.statements[choice].as<statement::Choose>()->variable; }

// `any q in S where C may NAME, the first clockwise after p: A  otherwise: B` is
//
//   let those = {}
//   simultaneously each q in S but p where C { q must choose NAME from yes/no   if NAME: those becomes those + q }
//   if those is not empty { let q = next after p in those   q says NAME   A }  otherwise: B
StatementId StatementReader::whoever_wants(const Node& node) {
    const Node& name = *node.children[0];
    const Node& wish = **std::find_if(node.children.begin() + 1, node.children.end(), [](const Node* c) { return c->kind == Kind::name; });
    const Node& direction = *child(node, Kind::direction);
    const bool after = direction.children[1]->text == "after";
    const Node* in = child(node, Kind::in_set);
    const Node* asked = in ? in->children[0] : &made_.emplace_back(Node{Kind::players, node.span, "players", {}});
    if (after) asked = &made_.emplace_back(Node{Kind::e_but, asked->span, "", {asked, direction.children[2]}});
    statement::Simultaneously together;
    together.set = players(*asked);
    if (is_broken(player(*direction.children[2])) || is_broken(together.set)) return no_id;

    const Type set = set_of(player_type());
    const VariableId those = new_variable(wish.text, set, {false, no_id});
    const ExpressionId who = variable_expression(those, wish.span);
    const auto let_those = [&](ExpressionId value) { return add(node, statement::Let{those, value}); };
    game_.sets.emplace_back();
    const StatementId none = let_those(emit(Operator::set_constant, set, wish.span, no_id, no_id, no_id, last_set()));
    together.variable = new_variable(name.text, player_type(), {});
    knowledge_.differences.is_among(together.variable, together.set);
    {
        const MomentScope inside(knowledge_.moments);
        scopes_.open();
        const ExpressionId one = variable_expression(together.variable, name.span);
        bind(name, {one, together.variable});
        if (const Node* where = child(node, Kind::where)) together.condition = truth(*where->children[0]);
        if (!is_broken(together.condition)) knowledge_.moments.suppose(together.condition, true);
        const StatementId choice = asked_yes_or_no(one, wish, node);
        statement::Cases wants;
        const ExpressionId joined = emit(Operator::set_join, set, wish.span, who, emit(Operator::set_single, set, name.span, one));
        wants.arms.push_back({variable_expression(chosen_in(choice), wish.span), let_those(joined), false});
        wants.otherwise = add(node, statement::Nothing());
        together.body = add(node, statement::Block{{choice, add(node, std::move(wants))}});
        scopes_.close();
    }
    const StatementId decided = add(node, together);
    knowledge_.moments.done(decided);
    return add(node, statement::Block{{none, decided, first_who_wants(node, wish, who, together.set)}});
}

// What follows on the wish of the first of `those` who want, or on nobody's; all of them are in `asked`.
StatementId StatementReader::first_who_wants(const Node& node, const Node& wish, ExpressionId those, ExpressionId asked) {
    const Node& name = *node.children[0];
    const Node& direction = *child(node, Kind::direction);
    const int step = direction.children[0]->text == "clockwise" ? 1 : -1;
    const ExpressionId from = somebody(player(*direction.children[2]));
    ExpressionId first = emit(Operator::next_in, player_type(), direction.span, from, those, no_id, step);
    if (direction.children[1]->text != "after") {
        const ExpressionId itself = emit(Operator::has_element, truth_type(), direction.span, those, from);
        first = emit(Operator::conditional, player_type(), direction.span, itself, from, first);
    }
    scopes_.open();
    const VariableId found = new_variable(name.text, player_type(), {});
    knowledge_.differences.is_among(found, asked);
    const ExpressionId finder = variable_expression(found, name.span);
    scopes_.set(name.text, {finder, found});
    const StatementId let = add(node, statement::Let{found, first});
    const StatementId says = add(node, statement::Says{finder, word(wish.text)});
    const StatementId then = add(node, statement::Block{{let, says, body(child(node, Kind::body))}});
    scopes_.close();
    statement::Cases which;
    const ExpressionId size = emit(Operator::size_of_set, number_type(0, game_.players), wish.span, those);
    const ExpressionId some = emit(Operator::less, truth_type(), wish.span, constant(number_type(0, 0), 0, wish.span), size);
    which.arms.push_back({some, then, false});
    const Node* otherwise = child(node, Kind::otherwise);
    which.otherwise = otherwise ? body(otherwise->children[0]) : add(node, statement::Nothing());
    return add(node, std::move(which));
}

// --- how somebody is asked

// `{p}`, `{p's claim}`; null if it is something else.
const SyntaxNode* StatementReader::place_in_text(const std::string& place, Span span) {
    const Node* whole = nullptr;
    for (std::size_t at = 0; at <= place.size();) {
        const std::size_t end = std::min(place.find("'s ", at), place.size());
        const std::string name = place.substr(at, end - at);
        if (!is_identifier(name)) return nullptr;
        const bool seat =
            whole == nullptr && name.size() > 1 && name[0] == 'P' && name.find_first_not_of("0123456789", 1) == std::string::npos;
        const Node& part = made_.emplace_back(Node{seat ? Kind::seat : Kind::name, span, name, {}});
        whole = whole == nullptr ? &part : &made_.emplace_back(Node{Kind::e_possessive, span, "", {whole, &part}});
        if (end == place.size()) return whole;
        at = end + 3;
    }
    return nullptr;
}

// The values in it are such as who is asked can see.
QuestionId StatementReader::question(const Node& asked, ExpressionId seat) {
    const Node* text = child(asked, Kind::text);
    if (text == nullptr) return no_id;
    QuestionText q{text->text, {}};
    for (std::size_t at = 0; (at = text->text.find('{', at)) != std::string::npos; ++at) {
        const std::size_t end = std::min(text->text.find('}', at), text->text.size());
        const std::string place = text->text.substr(at + 1, end - at - 1);
        const Node* value = place_in_text(place, text->span);
        if (value == nullptr) {
            report(Code::unknown_name, text->span, "{" + place + "}").help = Text::place_is_a_name;
            continue;
        }
        const ExpressionId e = expression(*value);
        if (is_broken(e)) continue;
        must_know(seat, e);
        q.places.emplace_back(place, e);
    }
    return game_.questions.add(std::move(q));
}

// `p says k`, where k is a value: `p must name k from {k}`, which leaves nothing to decide.
StatementId StatementReader::says_value(const Node& node, ExpressionId value, const std::string& name) {
    statement::Choose s;
    s.player = somebody(player(*node.children[0]));
    if (is_broken(s.player) || is_broken(value)) return no_id;
    value = somebody(value);
    if (is_of_many(type(value))) {
        report(Code::wrong_use, node.children[1]->span, name, Text::value_no_word).help = Text::name_tells_value;
        return no_id;
    }
    const Span span = node.children[1]->span;
    if (type(value).base == Base::card) value = as_kind(value);
    if (is_broken(value)) return no_id;
    s.aloud = true;
    // A number that no set has room for is a range of its own.
    const bool fits = type(value).base != Base::number || (type(value).low >= 0 && type(value).high < 256);
    if (fits)
        s.set = emit(Operator::set_single, set_of(type(value)), span, value);
    else
        s.low = s.high = value;
    must_know(s.player, fits ? s.set : value, true);
    s.variable = new_variable(name, type(value), {});
    knowledge_.differences.is(s.variable, value);
    return add(node, s);
}

}  // namespace houserule
