#include "solver/prove/promise_sites.hpp"

#include "dsl/game/one_place.hpp"
#include "dsl/game/overlap.hpp"
#include "dsl/game/parts.hpp"
#include "solver/findings/texts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace houserule {

namespace {

// Walks what can run; an expression is read once, wherever it is used.
class Reading {
public:
    explicit Reading(const Game& of) : game(of), seen_(of.expressions.size(), false) {}
    void read_all();

    std::vector<PromiseSite> sites;

private:
    void expression(ExpressionId id);
    void expressions(const std::vector<ExpressionId>& all) {
        for (const ExpressionId e : all) expression(e);
    }
    void own_promise(const Expression& e, ExpressionId id);
    void read_fact(const Expression& e, ExpressionId id);
    void read_the_card(const Expression& e, ExpressionId id);
    void statement(StatementId id);
    void read(const statement::Block& s, StatementId id);
    void read(const statement::Becomes& s, StatementId id);
    void read(const statement::Let& s, StatementId) { expression(s.value); }
    void read(const statement::Says& s, StatementId) { expression(s.player); }
    void read(const statement::Show& s, StatementId) { expressions({s.cards, s.seers}); }
    void read(const statement::Stop&, StatementId) {}
    void read(const statement::End& s, StatementId) { expressions(s.arguments); }
    void read(const statement::PlayGame&, StatementId) {}
    void read(const statement::Put& s, StatementId id);
    void read(const statement::Deal& s, StatementId id);
    void read(const statement::Draw& s, StatementId id);
    void read(const statement::Shuffle& s, StatementId) { expression(s.place); }
    void read(const statement::Choose& s, StatementId id);
    void read(const statement::MayDo& s, StatementId id);
    void read(const statement::Simultaneously& s, StatementId id);
    void read(const statement::Report& s, StatementId id);
    void read(const statement::Offer&, StatementId) {}
    void read(const statement::Each& s, StatementId id);
    void read(const statement::EachNumber& s, StatementId id);
    void read(const statement::Repeat& s, StatementId id);
    void read(const statement::Cases& s, StatementId id);
    void read(const statement::Call& s, StatementId) { expressions(s.arguments); }
    void read(const statement::Judged& s, StatementId id);
    void read(const statement::Nothing&, StatementId) {}
    void counts(const std::vector<ExpressionId>& numbers, StatementId id);
    bool effects_may_lack_room(StatementId body) const;
    void together(StatementId body);
    bool is_limited_place(ExpressionId place) const;
    bool is_surely_something(const statement::Choose& s) const;
    const Expression& at(ExpressionId id) const { return game.expressions[id]; }
    const Statement& at_statement(StatementId id) const { return game.statements[id]; }
    void of_expression(Promise p, ExpressionId id) { sites.push_back({p, id, no_id, at(id).span, rule_}); }
    void of_statement(Promise p, StatementId id) { sites.push_back({p, no_id, id, at_statement(id).span, rule_}); }

    const Game& game;
    Store<ExpressionId, bool> seen_;
    RuleId rule_ = no_id;
    bool together_ = false;  // within `simultaneously`: room is counted at its end
};

// A fact has a value from its start, or somebody must have given it one; an index may be nobody.
void Reading::read_fact(const Expression& e, ExpressionId id) {
    if (game.facts[e.named()].initial == no_id) return of_expression(Promise::given, id);
    if (e.a != no_id && at(e.a).type.or_none) of_expression(Promise::owner, id);
}

void Reading::expression(ExpressionId id) {
    if (id == no_id || seen_[id]) return;
    seen_[id] = true;
    const Expression& e = at(id);
    expression(e.a);
    expression(e.b);
    expression(e.c);
    own_promise(e, id);
}

// Of the only card of a zone that has room for one.
void Reading::read_the_card(const Expression& e, ExpressionId id) {
    const bool one =
        at(e.a).op == Operator::cards_at && at(at(e.a).a).op == Operator::place && game.zones[at(at(e.a).a).named()].capacity == 1;
    of_expression(one ? Promise::room_for_one : Promise::the, id);
}

void Reading::own_promise(const Expression& e, ExpressionId id) {
    switch (e.op) {
        case Operator::the_card:
            return read_the_card(e, id);
        case Operator::the_element:
            return of_expression(Promise::the, id);
        case Operator::first_card:
        case Operator::last_card:
        case Operator::first_cards:
        case Operator::last_cards:
            return of_expression(Promise::first_or_last, id);
        case Operator::next_in:
            return of_expression(Promise::next, id);
        case Operator::largest_over:
        case Operator::smallest_over:
            return of_expression(Promise::extreme, id);
        case Operator::lookup:
        case Operator::set_lookup:
            if (at(e.a).type.of == no_id || at(e.a).type.or_none) of_expression(Promise::field, id);
            return;
        case Operator::quotient:
        case Operator::remainder:
            if (at(e.b).op != Operator::constant || at(e.b).value() <= 0) of_expression(Promise::division, id);
            return;
        case Operator::cards_any:
            return of_expression(Promise::any_of, id);
        case Operator::cards_groups:
            if (e.c != no_id || !in_one_place(game, e.a)) of_expression(Promise::any_group, id);
            return;
        case Operator::fact:
        case Operator::set_fact:
            return read_fact(e, id);
        case Operator::place:
        case Operator::neighbour:
            if (e.a != no_id && at(e.a).type.or_none) of_expression(Promise::owner, id);
            return;
        case Operator::fail:
            if (e.is_of_none()) return of_expression(e.type.base == Base::number ? Promise::number : Promise::owner, id);
            return of_expression(Promise::covered, id);
        case Operator::constant:
        case Operator::variable:
        case Operator::bound:
        case Operator::add:
        case Operator::subtract:
        case Operator::multiply:
        case Operator::distance:
        case Operator::larger:
        case Operator::smaller:
        case Operator::equal:
        case Operator::less:
        case Operator::less_equal:
        case Operator::both:
        case Operator::either:
        case Operator::negate:
        case Operator::conditional:
        case Operator::kind_of:
        case Operator::size_of_cards:
        case Operator::size_of_set:
        case Operator::sum_over:
        case Operator::exists:
        case Operator::least_left:  // that there are too many sets is a limit of the search, noticed where it is met
        case Operator::has_kind:
        case Operator::has_element:
        case Operator::same_cards:
        case Operator::same_set:
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_family:
        case Operator::cards_unplaced:
        case Operator::cards_variable:
        case Operator::cards_single:
        case Operator::cards_none:
        case Operator::cards_join:
        case Operator::cards_minus:
        case Operator::cards_where:
        case Operator::cards_most:
        case Operator::cards_least:
        case Operator::cards_or_if_none:
        case Operator::cards_conditional:
        case Operator::set_constant:
        case Operator::set_variable:
        case Operator::set_single:
        case Operator::set_join:
        case Operator::set_minus:
        case Operator::set_where:
        case Operator::set_most:
        case Operator::set_least:
        case Operator::set_or_if_none:
        case Operator::set_kinds:
        case Operator::set_conditional:
            return;
    }
}

// Yes or no, or a value that is said: there is no doubt that it can be chosen.
bool Reading::is_surely_something(const statement::Choose& s) const {
    if (s.set == no_id) return false;
    const Expression& from = at(s.set);
    return from.op == Operator::set_single || (from.op == Operator::set_constant && from.type.element == Base::truth);
}

bool Reading::is_limited_place(ExpressionId place) const {
    const Expression& e = at(place);
    switch (e.op) {
        case Operator::place:
            return is_limited(game, game.zones[e.named()]);
        case Operator::conditional:
            return is_limited_place(e.b) || is_limited_place(e.c);
        default:
            return true;
    }
}

bool Reading::effects_may_lack_room(StatementId body) const {
    const auto puts_into_limited = [&](StatementId part) {
        const auto* put = at_statement(part).as<statement::Put>();
        return put != nullptr && is_limited_place(put->place);
    };
    return std::ranges::any_of(at_once(game, body).effects,
                               [&](StatementId effect) { return any_within(game, effect, puts_into_limited); });
}

void Reading::statement(StatementId id) {
    if (id != no_id) std::visit([&](const auto& s) { read(s, id); }, at_statement(id).form);
}

// The effects find room or not all at once.
void Reading::together(StatementId body) {
    const AtOnce parts = at_once(game, body);
    for (const StatementId s : parts.decisions) statement(s);
    const bool outer = std::exchange(together_, true);
    for (const StatementId s : parts.effects) statement(s);
    together_ = outer;
    for (const StatementId s : parts.deals) statement(s);
}

// Numbers of times, cards and weights that could be below 0.
void Reading::counts(const std::vector<ExpressionId>& numbers, StatementId id) {
    const auto falls = [&](ExpressionId e) { return e != no_id && at(e).type.low < 0; };
    if (std::ranges::any_of(numbers, falls)) of_statement(Promise::counted, id);
}

void Reading::read(const statement::Block& s, StatementId) {
    for (const StatementId i : s.items) statement(i);
}

void Reading::read(const statement::Becomes& s, StatementId id) {
    expressions({s.index, s.value});
    if (s.index != no_id && at(s.index).type.or_none) of_statement(Promise::owner, id);
    const Type& range = game.facts[s.fact].type;
    const Type& value = at(s.value).type;
    const bool numbers = range.base == Base::number || (range.base == Base::set && range.element == Base::number);
    const bool nothing = value.low > value.high || value.element == Base::nothing;  // an empty set
    const bool within = (range.low <= value.low && value.high <= range.high) || (range.base == Base::set && nothing);
    if (numbers ? !within : range.base != Base::set && value.or_none && !range.or_none) of_statement(Promise::fits, id);
}

void Reading::read(const statement::Deal& s, StatementId id) {
    expressions({s.count, s.source, s.target, s.owners, s.first});
    statement(s.if_short);
    if (s.count != no_id) of_statement(Promise::enough, id);
    counts({s.count}, id);
    if (s.zone != no_id ? is_limited(game, game.zones[s.zone]) : is_limited_place(s.target)) of_statement(Promise::room, id);
}

void Reading::read(const statement::Draw& s, StatementId id) {
    expressions({s.source, s.target});
    statement(s.if_none);
    if (s.if_none == no_id) of_statement(Promise::enough, id);
    if (is_limited_place(s.target)) of_statement(Promise::room, id);
}

void Reading::read(const statement::Put& s, StatementId id) {
    expressions({s.cards, s.place});
    if (!together_ && is_limited_place(s.place)) of_statement(Promise::room, id);
}

void Reading::read(const statement::Choose& s, StatementId id) {
    expressions({s.player, s.set, s.low, s.high, s.least, s.most, s.fits});
    statement(s.body);
    statement(s.otherwise);
    if (!s.optional && s.otherwise == no_id && !is_surely_something(s)) of_statement(Promise::something, id);
    counts({s.least, s.most}, id);
}

void Reading::read(const statement::MayDo& s, StatementId) {
    expression(s.player);
    statement(s.body);
    statement(s.otherwise);
}

void Reading::read(const statement::Simultaneously& s, StatementId id) {
    expressions({s.set, s.condition});
    together(s.body);
    of_statement(Promise::together, id);
    if (effects_may_lack_room(s.body)) of_statement(Promise::room, id);
}

void Reading::read(const statement::Report& s, StatementId id) {
    expressions({s.set, s.seer});
    std::vector<ExpressionId> weights;
    for (const statement::Weight& w : s.weights) weights.push_back(w.weight);
    expressions(weights);
    of_statement(Promise::reported, id);
    counts(weights, id);
}

void Reading::read(const statement::Each& s, StatementId id) {
    expressions({s.set, s.first, s.condition});
    statement(s.body);
    if (s.direction == each_any_order) of_statement(Promise::any_order, id);
}

void Reading::read(const statement::EachNumber& s, StatementId) {
    expressions({s.low, s.high, s.condition});
    statement(s.body);
}

void Reading::read(const statement::Repeat& s, StatementId id) {
    expressions({s.while_true, s.until, s.times, s.decreases});
    statement(s.body);
    statement(s.at_bound);
    if (s.decreases != no_id) of_statement(Promise::runs_down, id);
    if (s.times != no_id && !s.exactly && s.at_bound == no_id) of_statement(Promise::times, id);
    counts({s.times}, id);
}

void Reading::read(const statement::Cases& s, StatementId id) {
    statement(s.otherwise);
    bool together = false;
    for (std::size_t i = 0; i < s.arms.size(); ++i) {
        expression(s.arms[i].condition);
        statement(s.arms[i].body);
        for (std::size_t j = i + 1; j < s.arms.size() && !together; ++j) together = may_disagree(game, s, i, j);
    }
    if (s.otherwise == no_id) of_statement(Promise::covered, id);
    if (together) of_statement(Promise::agree, id);
}

void Reading::read(const statement::Judged& s, StatementId id) {
    expression(s.players);
    of_statement(Promise::judged, id);
}

void Reading::read_all() {
    for (const StatementId s : {game.setup, game.play, game.match}) statement(s);
    for (std::size_t r = 0; r < game.rules.size(); ++r) {
        rule_ = RuleId(r);
        statement(game.rules[r].body);
    }
    rule_ = no_id;
    for (const Act& a : game.acts) {
        expression(a.unless);
        together(a.body);
        if (effects_may_lack_room(a.body)) of_statement(Promise::room, a.body);
    }
    for (const End& e : game.ends) statement(e.body);
    for (const EndCheck& c : game.checks)
        for (const auto& [end, condition] : c.ends) expression(condition);
    for (const ExpressionId e : {game.winner.set, game.score, game.payoff}) expression(e);
    for (const WinnerKey& k : game.winner.keys) expression(k.expression);
}

}  // namespace

std::vector<PromiseSite> promise_sites(const Game& game) {
    Reading reading(game);
    reading.read_all();
    return std::move(reading.sites);
}

Store<ZoneId, bool> shuffled_zones(const Game& game) {
    Store<ZoneId, bool> shuffled(game.zones.size(), false);
    const std::function<void(ExpressionId)> mark = [&](ExpressionId id) {
        const Expression& place = game.expressions[id];
        if (place.op == Operator::conditional) {
            mark(place.b);
            mark(place.c);
            return;
        }
        for (const ZoneId z : game.zones.ids())
            if (game.zones[z].shape == Shape::stack && (place.op != Operator::place || place.named() == z)) shuffled[z] = true;
    };
    for (const Statement& s : game.statements) {
        if (const auto* shuffle = s.as<statement::Shuffle>()) mark(shuffle->place);
        if (const auto* put = s.as<statement::Put>(); put != nullptr && (put->mode & put_shuffled) != 0) mark(put->place);
    }
    // What is shuffled stays so when it is put elsewhere in order.
    if (std::ranges::find(shuffled, true) == shuffled.end()) return shuffled;
    for (const Statement& s : game.statements)
        if (const auto* put = s.as<statement::Put>(); put != nullptr && (put->mode & put_in_order) != 0) mark(put->place);
    return shuffled;
}

bool is_limited(const Game& game, const Zone& zone) {
    std::int32_t fit = 0;
    for (const PieceKind& k : game.kinds)
        if (zone.families[k.family]) fit += k.copies;
    return zone.capacity < fit;
}

FindingClass broken_class(Promise promise) {
    switch (promise) {
        case Promise::the:
        case Promise::room_for_one:
        case Promise::first_or_last:
        case Promise::next:
        case Promise::extreme:
        case Promise::field:
        case Promise::division:
        case Promise::owner:
        case Promise::number:
        case Promise::given:
        case Promise::covered:
        case Promise::reported:
        case Promise::fits:
            return FindingClass::gap;
        case Promise::any_of:
        case Promise::any_group:
            return FindingClass::chooser;
        case Promise::agree:
            return FindingClass::conflict;
        case Promise::enough:
        case Promise::something:
            return FindingClass::void_duty;
        case Promise::counted:
        case Promise::room:
            return FindingClass::count;
        case Promise::together:
        case Promise::any_order:
            return FindingClass::order;
        case Promise::runs_down:
        case Promise::times:
            return FindingClass::endless;
        case Promise::judged:
            return FindingClass::view;
    }
    return FindingClass::gap;
}

const Sentence& promise_words(Promise promise) {
    static const std::array<Sentence, promise_kinds> words = {{
        FindingText::the_exactly_one,
        FindingText::a_zone_for_one_card,
        FindingText::first_of_last,
        FindingText::next_after_next_before_somebody,
        FindingText::largest_of_smallest,
        FindingText::s_field_the_card_has_it,
        FindingText::quotient_remainder_by_more_than,
        FindingText::any_of_enough,
        FindingText::groups_of_it_does_not_matter,
        FindingText::whose_it_is_somebody,
        FindingText::a_number_that_may_be_none,
        FindingText::a_fact_is_set_before,
        FindingText::cases_cover_everything,
        FindingText::cases_that_apply_together_agree,
        FindingText::deal_draw_enough_cards,
        FindingText::must_choose_must_name,
        FindingText::table_tells_chance_picks,
        FindingText::how_many_how_often_not_below,
        FindingText::becomes_it_lies_in_the_range,
        FindingText::put_deal_draw_room_enough,
        FindingText::simultaneously_the_order_does_not_matter,
        FindingText::each_in_no_stated_order,
        FindingText::repeat_running_down_it_falls_each,
        FindingText::repeat_at_most_without_then,
        FindingText::judged_by_they_can_tell,
    }};
    return words[static_cast<std::size_t>(promise)];
}

}  // namespace houserule
