#include "dsl/check/statement_reader.hpp"
#include "dsl/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace houserule {

VariableId StatementReader::new_variable(const std::string& name, Type type, Knower knower) {
    game_.variables.push_back({name, type, rule_});
    knowledge_.add(knower);
    return game_.variables.last();
}

// Whoever knows the cards of which it is a part knows it.
VariableId StatementReader::judged_set(const std::string& name, const Type& cards) { return new_variable(name, cards, {}); }

void StatementReader::must_know(ExpressionId player, ExpressionId e, bool said) {
    if (is_broken(player) || is_broken(e)) return;
    const MomentId now = knowledge_.moments.now();
    if (!knowledge_.knows(player, e, now)) unknown_.push_back({player, e, now, said, called_});
}

void StatementReader::report_unknown() {
    if (!unknown_.empty()) knowledge_.differences.settle();
    for (const Question& q : unknown_) {
        if (knowledge_.knows(q.player, q.about, q.moment)) continue;
        Diagnostic& d = report(Code::unknowable, at(q.about).span);
        d.help = q.said ? Text::said_is_known : Text::only_what_is_seen;
        if (Phrase why = knowledge_.unseen(q.player, q.about, q.moment); !why.empty()) d.notes.push_back(std::move(why));
        if (q.called != Span{}) d.labels.push_back({q.called, Text::as_called_here});
    }
    unknown_.clear();
}

StatementId StatementReader::add(const Node& node, Statement::Form form) { return game_.statements.add({node.span, std::move(form)}); }

WordId StatementReader::word(const std::string& text) {
    const auto at = std::find(game_.words.begin(), game_.words.end(), text);
    if (at != game_.words.end()) return game_.words.id_of(*at);
    return game_.words.add(text);
}

// A body is a scope of its own.
StatementId StatementReader::body(const Node* node) {
    statement::Block s;
    if (node == nullptr) return game_.statements.add({{}, std::move(s)});
    scopes_.open();
    const MomentScope inside(knowledge_.moments);
    each_statement(*node, [&](const Node& n) {
        if (const StatementId id = next_statement(n); id != no_id) s.items.push_back(id);
    });
    scopes_.close();
    return add(*node, std::move(s));
}

void StatementReader::each_statement(const Node& body, const std::function<void(const Node&)>& read) const {
    // Several lots at once are statements one after the other, so that their names are known to all that follows.
    const auto each = [&](const Node& n) {
        if (child(n, Kind::more_lots) == nullptr) return read(n);
        for (const Node& lot : single_lots(n)) read(lot);
    };
    if (body.kind != Kind::body) return each(body);
    for (const Node* c : body.children) each(*c);
}

StatementId StatementReader::next_statement(const Node& node) {
    const StatementId id = statement(node);
    if (id == no_id) return no_id;
    knowledge_.moments.done(id);
    note_left(id);
    return id;
}

StatementId StatementReader::body_where(ExpressionId condition, bool holds, const Node* node) {
    const MomentScope inside(knowledge_.moments);
    if (!is_broken(condition)) knowledge_.moments.suppose(condition, holds);
    return body(node);
}

// Behind `if q is p: stop turn`, q is not p.
void StatementReader::note_left(StatementId statement) {
    const auto* cases = game_.statements[statement].as<statement::Cases>();
    if (cases == nullptr || cases->arms.size() != 1 || cases->arms[0].except || cases->otherwise == no_id) return;
    const ExpressionId condition = cases->arms[0].condition;
    if (leaves(cases->arms[0].body)) knowledge_.moments.suppose(condition, false);
    if (leaves(cases->otherwise)) knowledge_.moments.suppose(condition, true);
}

StatementId StatementReader::statement(const Node& node) {
    switch (node.kind) {
        case Kind::body:
            return body(&node);
        case Kind::s_becomes:
            return becomes(node);
        case Kind::s_let:
            return let(node);
        case Kind::s_says:
            return says(node);
        case Kind::s_show:
            return show(node);
        case Kind::s_stop:
            return stop(node);
        case Kind::s_end:
            return end(node);
        case Kind::s_play_game:
            return play_game(node);
        case Kind::s_nothing:
            return add(node, statement::Nothing());
        case Kind::s_judged:
            return judged(node);
        case Kind::s_put:
            return put(node);
        case Kind::s_deal:
            return deal(node);
        case Kind::s_draw:
            return draw(node);
        case Kind::s_shuffle:
            return shuffle(node);
        case Kind::s_must:
            return must(node, false);
        case Kind::s_may:
            return must(node, true);
        case Kind::s_may_do:
            return may_do(node);
        case Kind::s_simultaneously:
            return simultaneously(node);
        case Kind::s_table:
            return outside(node, false);
        case Kind::s_chance:
            return lots(node);
        case Kind::s_offer:
            return offer(node);
        case Kind::s_each:
        case Kind::s_any:
            return node.kind == Kind::s_any ? whoever_wants(node) : each(node);
        case Kind::s_repeat:
        case Kind::s_times:
            return repeat(node);
        case Kind::s_if:
            return if_(node);
        case Kind::s_cases:
            return cases(node, false);
        case Kind::s_cases_of:
            return cases(node, true);
        case Kind::s_reading:
            return reading(node);
        case Kind::s_call:
            return call(node);
        case Kind::d_assume:
        case Kind::d_unclear:
            game_.assumptions.emplace_back(node.children[0]->text, node.span);
            return no_id;
        default:
            break;
    }
    report(Code::misplaced, node.span, std::string(kind_name(node.kind)));
    return no_id;
}

StatementId StatementReader::says(const Node& node) {
    statement::Says s;
    s.player = somebody(player(*node.children[0]));
    const Node& said = *node.children[1];
    if (said.kind == Kind::e_possessive) return says_value(node, expression(said), said.children.back()->text);
    if (scopes_.find(said.text) != nullptr) return says_value(node, expression(said), said.text);
    if (std::ranges::find(game_.facts, said.text, &Fact::name) != game_.facts.end())
        report(Code::word_of_a_fact, said.span, said.text).help = Text::say_its_value(said.text);
    s.word = word(said.text);
    return add(node, s);
}

StatementId StatementReader::play_game(const Node& node) {
    if (!in_match_) report(Code::only_in, node.span, verbatim("`play game`"), verbatim("`match`"));
    return add(node, statement::PlayGame());
}

StatementId StatementReader::judged(const Node& node) { return add(node, statement::Judged{players(*node.children[0])}); }

StatementId StatementReader::shuffle(const Node& node) {
    const std::size_t before = diagnostics_.size();
    const StatementId shuffled = add(node, statement::Shuffle{place(*node.children[0])});
    if (diagnostics_.size() > before && diagnostics_.back().code == Code::not_a_zone) diagnostics_.back().help = Text::put_shuffled_on;
    return shuffled;
}

StatementId StatementReader::becomes_at(const AtPlace& of, ExpressionId number, const Node& node,
                                        const std::function<ExpressionId(const Fact&)>& value) {
    statement::Cases by_place;
    const auto [possible, outside] = possible_places(of, number);
    for (const std::int32_t n : possible) {
        const FactId fact(of.places->each.at(n - of.places->low));
        const StatementId here = add(node, statement::Becomes{fact, of.owner, value(game_.facts[fact])});
        if (n == possible.back() && !outside)
            by_place.otherwise = here;
        else
            by_place.arms.push_back({is_place(number, n, node.span), here, false});
    }
    return by_place.arms.empty() ? by_place.otherwise : add(node, std::move(by_place));
}

StatementId StatementReader::becomes(const Node& node) {
    if (const auto of = at_place(*node.children[0]); of && !of->places->zone) {
        const ExpressionId number = place_number(*of, *node.children[0]->children[1]);
        const ExpressionId value = expression(*node.children[1]);
        if (is_broken(number) || is_broken(value)) return no_id;
        return becomes_at(*of, number, node, [&](const Fact& fact) { return as_type(value, fact.type, of->name); });
    }
    const ExpressionId target = expression(*node.children[0]);
    if (is_broken(target)) {
        expression(*node.children[1]);
        return no_id;
    }
    const Expression x = at(target);
    if (x.op != Operator::fact && x.op != Operator::set_fact) {
        report(Code::wrong_type, x.span, Text::a_fact, describe(x.type)).help =
            x.type.base == Base::cards ? Text::cards_move_with_put : Phrase();
        return no_id;
    }
    const Fact& fact = game_.facts[x.named()];
    const ExpressionId value = node.children[1]->kind == Kind::players && fact.type.base == Base::number ? number(*node.children[1])
                                                                                                         : expression(*node.children[1]);
    warn_of_told_lot(fact, value);
    return add(node, statement::Becomes{x.named(), x.a, as_type(value, fact.type, fact.name)});
}

StatementId StatementReader::let(const Node& node) {
    const ExpressionId e = expression(*node.children[1]);
    Type t = is_broken(e) ? Type{} : type(e);
    if (t.base == Base::set && t.element == Base::nothing) t.element = Base::player;
    if (t.base == Base::cards && at(e).op == Operator::cards_at) t.of = type(e).of;
    const VariableId variable = new_variable(node.children[0]->text, t, is_broken(e) ? Knower{} : knowledge_.of(e));
    if (!is_broken(e)) knowledge_.differences.is(variable, e);
    bind(*node.children[0], {variable_expression(variable, node.children[0]->span), variable});
    return is_broken(e) ? no_id : add(node, statement::Let{variable, e});
}

StatementId StatementReader::show(const Node& node) {
    statement::Show s;
    s.cards = cards(*node.children[0]);
    if (node.children[1]->kind != Kind::word) s.seers = players(*node.children[1]);
    return add(node, s);
}

StatementId StatementReader::stop(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    if (m == globals_.end() || m->second.what != Meaning::rule) {
        unknown_name(name);
        return no_id;
    }
    used_.insert(name.text);
    const RuleId rule = stopped_rule(m->second.id, name);
    return rule == no_id ? no_id : add(node, statement::Stop{rule});
}

StatementId StatementReader::end(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    if (m == globals_.end() || m->second.what != Meaning::end) {
        if (m != globals_.end() && m->second.what == Meaning::rule) {
            report(Code::wrong_use, name.span, name.text, Text::is_a_rule).help = Text::stop_leaves(name.text);
            return no_id;
        }
        if (m != globals_.end() && m->second.what == Meaning::define) {
            report(Code::wrong_use, name.span, name.text, Text::is_a_definition).help = Text::end_has_its_own_name;
            return no_id;
        }
        std::vector<std::string> ends;
        for (const End& e : game_.ends) ends.push_back(e.name);
        const std::string near = closest(name.text, ends);
        report(Code::unknown_name, name.span, name.text).help = near.empty() ? Text::declare_end(name.text) : Text::did_you_mean(near);
        return no_id;
    }
    used_.insert(name.text);
    statement::End s;
    s.end = m->second.id;
    s.arguments = arguments(child(node, Kind::arguments), game_.ends[s.end].parameters, name.text, node.span);
    calls_.leads_to(s.end);
    return add(node, std::move(s));
}

StatementId StatementReader::offer(const Node& node) {
    const Node& name = *node.children[0];
    const auto m = globals_.find(name.text);
    if (m == globals_.end() || m->second.what != Meaning::act) {
        unknown_name(name);
        return no_id;
    }
    used_.insert(name.text);
    return add(node, statement::Offer{m->second.id});
}

// --- cards

// Whether the cards are surely one at most, so that no order is needed.
bool StatementReader::holds_one(ExpressionId cards) const {
    const Expression& x = at(cards);
    if (x.op == Operator::cards_single) return true;
    if (x.op == Operator::cards_where || x.op == Operator::cards_minus) return holds_one(x.a);
    if (x.op != Operator::cards_at || at(x.a).op != Operator::place) return false;
    return game_.zones[at(x.a).named()].capacity == 1;
}

StatementId StatementReader::put(const Node& node) {
    statement::Put s;
    s.cards = cards(*node.children[0]);
    s.place = place(*node.children[2]);
    const std::string& where = node.children[1]->text;
    s.mode = where == "on" ? put_on : where == "under" ? put_under : put_in;
    for (std::size_t i = 3; i < node.children.size(); ++i) s.mode |= node.children[i]->text == "shuffled" ? put_shuffled : put_in_order;
    if (is_broken(s.cards) || is_broken(s.place)) return no_id;
    // Which zones it may be, from the places the expression can give.
    const std::function<void(ExpressionId)> look = [&](ExpressionId p) {
        const Expression& x = at(p);
        if (x.op == Operator::conditional) {
            look(x.b);
            look(x.c);
        }
        if (x.op != Operator::place) return;
        const Zone& z = game_.zones[x.named()];
        const bool one = holds_one(s.cards);
        if (z.shape == Shape::stack && (s.mode & (put_on | put_under)) == 0) {
            report(Code::misplaced, node.children[1]->span, Text::is_a_stack(z.name));
        } else if (z.shape != Shape::stack && (s.mode & (put_on | put_under)) != 0) {
            report(Code::misplaced, node.children[1]->span, Text::is_no_stack(z.name));
        }
        if (z.shape == Shape::stack && !one && (s.mode & (put_shuffled | put_in_order)) == 0) {
            report(Code::no_card_order, node.span).help = Text::add_order;
        }
        const FamilyId family = type(s.cards).of;
        if (family != no_id && !z.families[family])
            report(Code::family_does_not_fit, node.children[2]->span, z.name, game_.families[family].name);
    };
    look(s.place);
    return add(node, s);
}

// To each place of a zone that has several, as if each were written out.
StatementId StatementReader::deal_to_each(const Node& node, const std::string& name) {
    statement::Block all;
    const Places& places = places_.at(name);
    for (std::int32_t n = places.low; n <= places.high; ++n) {
        Node number{Kind::number, node.children[2]->span, fmt::format("{}", n), {}};
        Node target{Kind::e_at, node.children[2]->span, "", {node.children[2], &number}};
        Node one = node;
        one.children[2] = &target;
        if (const StatementId id = deal(one); id != no_id) all.items.push_back(id);
    }
    return add(node, std::move(all));
}

StatementId StatementReader::deal(const Node& node) {
    const Node& to = *node.children[2];
    const Node* name = to.kind == Kind::name           ? &to
                       : to.kind == Kind::e_possessive ? to.children[1]
                       : to.kind == Kind::e_of         ? to.children[0]
                       : to.kind == Kind::e_every      ? to.children[0]
                                                       : nullptr;
    const bool all = node.children[0]->kind == Kind::word;
    if (name != nullptr && places_.contains(name->text) && (to.kind != Kind::name || scopes_.find(name->text) == nullptr)) {
        if (all) report(Code::misplaced, node.children[0]->span, verbatim("`all`")).help = Text::all_to_places;
        return all ? no_id : deal_to_each(node, name->text);
    }
    statement::Deal s;
    if (!all) s.count = count(*node.children[0], verbatim("deal"));
    s.source = place(*node.children[1]);
    const ExpressionId target = cards(*node.children[2]);
    if (is_broken(s.source) || is_broken(target)) return no_id;
    if (at(target).op == Operator::cards_of) {
        s.zone = at(target).named();
        s.owners = at(target).a;
    } else {
        s.target = as_place(target);
        if (is_broken(s.target)) return no_id;
    }
    if (const Node* d = child(node, Kind::direction)) {
        std::tie(s.direction, s.first) = direction(*d);
        // `after p` is everybody but p: who deals to all hardly means that.
        const bool everybody = to.kind == Kind::e_every && s.zone != no_id && game_.zones[s.zone].by == IndexBy::player;
        if ((s.direction & each_after) != 0 && everybody)
            report(Code::dealt_past, d->span, d->children[0]->text).help = Text::deal_round_to;
    }
    if (const Node* i = child(node, Kind::if_none)) s.if_short = body(i->children[0]);
    return add(node, s);
}

StatementId StatementReader::draw(const Node& node) {
    statement::Draw s;
    std::size_t i = 1;
    if (node.children[i]->kind == Kind::word) {
        s.blindly = true;
        ++i;
    }
    const ExpressionId source = cards(*node.children[i]);
    s.source = as_place(source);
    s.target = place(*node.children[i + 1]);
    if (const Node* none = child(node, Kind::if_none)) s.if_none = body(none->children[0]);
    const Node* refilled = child(node, Kind::refill);
    if (refilled != nullptr) s.if_none = body(refilled->children[0]);
    Knower knower;
    if (!is_broken(s.target) && at(s.target).op == Operator::place) {
        const Zone& z = game_.zones[at(s.target).named()];
        if (z.seers != Seers::all) knower = {false, z.seers == Seers::owner ? at(s.target).a : no_id};
    }
    s.variable = new_variable(node.children[0]->text, card_type(is_broken(source) ? no_id : type(source).of), knower);
    const bool perhaps = s.if_none != no_id && refilled == nullptr && !leaves(s.if_none);
    bind(*node.children[0], {variable_expression(s.variable, node.children[0]->span), s.variable, perhaps});
    if (is_broken(s.source) || is_broken(s.target)) return no_id;
    if (refilled != nullptr) {  // then it is drawn after all
        statement::Draw again = s;
        again.if_none = no_id;
        s.if_none = add(node, statement::Block{{s.if_none, add(node, again)}});
    }
    if (at(s.source).op == Operator::place && !s.blindly && game_.zones[at(s.source).named()].shape == Shape::set) {
        report(Code::misplaced, node.children[i]->span, Text::set_has_no_top);
    }
    return add(node, s);
}

// --- loops and cases

// EachMode, and the player from whom, or after whom, it begins.
std::pair<std::uint8_t, ExpressionId> StatementReader::direction(const Node& node) {
    std::uint8_t mode = node.children[0]->text == "clockwise" ? each_clockwise : each_counterclockwise;
    if (node.children[1]->text == "after") mode |= each_after;
    return {mode, somebody(player(*node.children[2]))};
}

// Where counting begins or ends: a whole number.
ExpressionId StatementReader::counted_end(const Node& node) {
    const ExpressionId end = number(node);
    if (is_broken(end) || type(end).scale == 1) return end;
    report(Code::out_of_range, node.span, verbatim("each"), Text::whole_number, Text::finer_number);
    return broken(node.span);
}

StatementId StatementReader::each(const Node& node) {
    if (const Node* range = child(node, Kind::from_to)) return each_number(node, *range);
    statement::Each s;
    const Node& name = *node.children[0];
    Type element = player_type();
    if (const Node* in = child(node, Kind::in_set)) {
        s.set = expression(*in->children[0]);
        if (is_broken(s.set)) return no_id;
        if (!element_of(s.set, element)) {
            wrong_set(s.set, Text::cards_or_set);
            return no_id;
        }
    }
    if (const Node* d = child(node, Kind::direction)) {
        if (element.base != Base::player) report(Code::misplaced, d->span, Text::only_players_in_circle);
        std::tie(s.direction, s.first) = direction(*d);
    }
    s.variable = new_variable(name.text, element, {});
    if (s.set != no_id) knowledge_.differences.is_among(s.variable, s.set);
    const bool begins = s.first != no_id && !is_broken(s.first);
    if (s.set != no_id || begins) knowledge_.goes_through(s.variable, s.set != no_id ? s.set : s.first, begins ? s.first : no_id);
    const MomentScope inside(knowledge_.moments);
    knowledge_.moments.loop();
    if ((s.direction & each_after) != 0 && !is_broken(s.first)) knowledge_.moments.suppose_another(s.variable, s.first);
    std::tie(s.condition, s.body) = round(node, s.variable);
    const StatementId id = add(node, s);
    if (element.base == Base::player && s.direction == each_any_order) unordered_.push_back(id);
    return id;
}

// The condition and the body of `each`, which are about the element.
std::pair<ExpressionId, StatementId> StatementReader::round(const Node& node, VariableId element) {
    const Node& name = *node.children[0];
    scopes_.open();
    bind(name, {variable_expression(element, name.span), element});
    ExpressionId condition = no_id;
    if (const Node* w = child(node, Kind::where)) condition = truth(*w->children[0]);
    const Node* inside = child(node, Kind::body);
    const StatementId done = condition == no_id ? body(inside) : body_where(condition, true, inside);
    scopes_.close();
    return {condition, done};
}

StatementId StatementReader::each_number(const Node& node, const Node& range) {
    if (child(range, Kind::down) != nullptr) return each_down(node, range);
    statement::EachNumber s;
    const std::string& name = node.children[0]->text;
    s.low = counted_end(*range.children[0]);
    s.high = counted_end(*range.children[1]);
    if (is_broken(s.low) || is_broken(s.high)) return no_id;
    if (Diagnostic* d = report_falling(*range.children[0], *range.children[1], range.span, verbatim("each"))) {
        d->help = Text::count_down(name, *value_of(s.high), *value_of(s.low));
        return no_id;
    }
    if (const Node* d = child(node, Kind::direction)) {
        report(Code::misplaced, d->span, Text::only_players_in_circle);
        direction(*d);
    }
    s.variable = new_variable(name, number_type(type(s.low).low, type(s.high).high), {});
    knowledge_.goes_through(s.variable, s.low, s.high);
    const MomentScope inside(knowledge_.moments);
    knowledge_.moments.loop();
    std::tie(s.condition, s.body) = round(node, s.variable);
    return add(node, s);
}

// `each n from a down to b` is `let sum = a + b   each m from b to a { let n = sum - m … }`: both ends are read once, at the beginning.
StatementId StatementReader::each_down(const Node& node, const Node& range) {
    const Node& name = *node.children[0];
    const ExpressionId high = counted_end(*range.children.front());
    const ExpressionId low = counted_end(*range.children.back());
    if (is_broken(high) || is_broken(low)) return no_id;
    const bool written = is_written(*range.children.front()) && is_written(*range.children.back());  // else an option may leave no numbers
    if (const auto first = value_of(high), last = value_of(low); written && first && last && *first < *last) {
        report(Code::out_of_range, range.span, verbatim("each"), Text::larger_first, fmt::format("{} down to {}", *first, *last)).help =
            Text::count_up(name.text, *first, *last);
        return no_id;
    }
    const auto named = [&](VariableId variable) { return variable_expression(variable, name.span); };
    const ExpressionId both_ends = added(high, low, range.span);
    const VariableId sum = new_variable(name.text, type(both_ends), {});
    statement::EachNumber loop;
    loop.low = low;
    loop.high = high;
    const Type element = number_type(type(low).low, type(high).high);
    loop.variable = new_variable(name.text, element, {});
    knowledge_.goes_through(loop.variable, low, high);
    const MomentScope within(knowledge_.moments);
    knowledge_.moments.loop();
    const ExpressionId counted = subtracted(named(sum), named(loop.variable), range.span);
    scopes_.open();
    bind(name, {counted, no_id});
    if (const Node* w = child(node, Kind::where)) loop.condition = truth(*w->children[0]);
    const VariableId n = new_variable(name.text, element, {});
    knowledge_.goes_through(n, low, high);
    if (loop.condition != no_id && !is_broken(loop.condition)) knowledge_.moments.suppose(loop.condition, true);
    scopes_.set(name.text, {named(n), n});
    const StatementId let_n = add(node, statement::Let{n, counted});
    loop.body = add(node, statement::Block{{let_n, body(child(node, Kind::body))}});
    scopes_.close();
    const StatementId let_sum = add(node, statement::Let{sum, both_ends});
    return add(node, statement::Block{{let_sum, add(node, loop)}});
}

StatementId StatementReader::repeat(const Node& node) {
    statement::Repeat s;
    const MomentScope inside(knowledge_.moments);
    knowledge_.moments.loop();
    if (node.kind == Kind::s_times) {
        s.times = count(*node.children[0], verbatim("repeat"));
        s.body = body(node.children[1]);
        s.exactly = true;
        return add(node, s);
    }
    if (const Node* w = child(node, Kind::while_true)) s.while_true = truth(*w->children[0]);
    for (const Node* c : node.children) {
        switch (c->kind) {
            case Kind::while_true:
            case Kind::until_true:
            case Kind::bound:
            case Kind::bound_then:
            case Kind::measure:
                break;
            default:
                s.body = body(c);
                break;
        }
    }
    if (const Node* u = child(node, Kind::until_true)) s.until = truth(*u->children[0]);
    if (const Node* b = child(node, Kind::bound)) s.times = count(*b->children[0], verbatim("at most"));
    if (const Node* m = child(node, Kind::measure)) s.decreases = number(*m->children[0]);
    if (const Node* t = child(node, Kind::bound_then)) s.at_bound = body(t->children[0]);
    if (s.times == no_id && s.decreases == no_id) report(Code::no_bound, node.span).help = Text::add_bound;
    if (s.times != no_id && s.at_bound == no_id && s.until == no_id && s.while_true == no_id && node.kind != Kind::s_times) {
        report(Code::no_bound_then, node.span, value_of(s.times).value_or(0)).help = Text::then_nothing_or_times;
    }
    return add(node, s);
}

StatementId StatementReader::if_(const Node& node) {
    statement::Cases s;
    const ExpressionId condition = truth(*node.children[0]);
    const auto known = value_of(condition);
    const Node* otherwise = child(node, Kind::otherwise);
    // What the options rule out is not read: it may speak of what this variant does not have.
    if (known && *known == 0) return otherwise ? body(otherwise->children[0]) : add(node, statement::Nothing());
    s.arms.push_back({condition, body_where(condition, true, node.children[1]), false});
    if (known) return s.arms[0].body;
    s.otherwise = otherwise ? body_where(condition, false, otherwise->children[0]) : add(node, statement::Nothing());
    return is_broken(condition) ? no_id : add(node, std::move(s));
}

StatementId StatementReader::cases(const Node& node, bool of) {
    statement::Cases s;
    const ExpressionId subject = of ? subject_of_cases(node) : no_id;
    bool good = !of || !is_broken(subject);
    for (const Node* arm : node.children) {
        if (arm->kind == Kind::arm_otherwise) s.otherwise = body(arm->children[0]);
        const bool except = arm->kind == Kind::arm_except;
        if (!except && arm->kind != Kind::arm) continue;
        const ExpressionId condition = except ? truth(*arm->children[0]) : arm_condition(*arm, of, subject);
        if (!except && value_of(condition) == 0) continue;
        s.arms.push_back({condition, body_where(condition, true, arm->children.back()), except});
    }
    for (const Arm& a : s.arms) good = good && !is_broken(a.condition);
    std::stable_sort(s.arms.begin(), s.arms.end(), [](const Arm& a, const Arm& b) { return a.except && !b.except; });
    return good ? add(node, std::move(s)) : no_id;
}

StatementId StatementReader::reading(const Node& node) {
    StatementId result = no_id;
    const Node* chosen = chosen_reading(node);
    for (const Node* c : node.children) {
        if (c->kind != Kind::reading_choice) continue;
        const StatementId b = body(c->children.back());
        if (c == chosen) result = b;
    }
    return result;
}

void StatementReader::ask_for_orders() {
    for (const StatementId id : unordered_) {
        const auto& loop = *game_.statements[id].as<statement::Each>();
        const std::string& name = game_.variables[loop.variable].name;
        if (calls_.asks(loop.body)) report(Code::no_order, game_.statements[id].span, name).help = Text::each_in_order(name);
    }
}

}  // namespace houserule
