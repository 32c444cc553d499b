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
    void own_promise(const Expression& e, ExpressionId id);
    void read_fact(const Expression& e, ExpressionId id);
    void read_the_card(const Expression& e, ExpressionId id);
    void statement(StatementId id);
    void own_promises(const Statement& s, StatementId id);
    void counts(const Statement& s, StatementId id);
    void arms(const Statement& s, StatementId id);
    bool effects_may_lack_room(StatementId body) const;
    void together(StatementId body);
    bool is_limited_place(ExpressionId place) const;
    bool is_surely_something(const Statement& s) const;
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
            if (at(e.b).op != Operator::constant || at(e.b).imm <= 0) of_expression(Promise::division, id);
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
            if (e.imm == fail_none) return of_expression(e.type.base == Base::number ? Promise::number : Promise::owner, id);
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

void Reading::arms(const Statement& s, StatementId id) {
    bool together = false;
    for (std::size_t i = 0; i < s.arms.size(); ++i) {
        expression(s.arms[i].condition);
        statement(s.arms[i].body);
        for (std::size_t j = i + 1; j < s.arms.size() && !together; ++j) together = may_disagree(game, s, i, j);
    }
    if (s.other == no_id) of_statement(Promise::covered, id);
    if (together) of_statement(Promise::agree, id);
}

// Yes or no, or a value that is said: there is no doubt that it can be chosen.
bool Reading::is_surely_something(const Statement& s) const {
    const Expression& from = at(s.b);
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
        return at_statement(part).kind == StatementKind::put && is_limited_place(at_statement(part).b);
    };
    return std::ranges::any_of(at_once(game, body).effects,
                               [&](StatementId effect) { return any_within(game, effect, puts_into_limited); });
}

void Reading::statement(StatementId id) {
    if (id == no_id) return;
    const Statement& s = at_statement(id);
    for (const ExpressionId e : {s.a, s.b, s.c, s.d, s.fits}) expression(e);
    if (s.kind == StatementKind::simultaneously)
        together(s.body);
    else
        statement(s.body);
    statement(s.other);
    if (s.kind == StatementKind::block)
        for (const StatementId i : s.items) statement(i);
    own_promises(s, id);
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
void Reading::counts(const Statement& s, StatementId id) {
    std::vector<ExpressionId> numbers;
    if (s.kind == StatementKind::deal) numbers = {s.a};
    if (s.kind == StatementKind::repeat) numbers = {s.c};
    if (s.kind == StatementKind::must || s.kind == StatementKind::may) numbers = {s.c, s.d};
    for (const Arm& a : s.arms) numbers.push_back(a.weight);
    const auto falls = [&](ExpressionId e) { return e != no_id && at(e).type.low < 0; };
    if (std::any_of(numbers.begin(), numbers.end(), falls)) of_statement(Promise::counted, id);
}

void Reading::own_promises(const Statement& s, StatementId id) {
    switch (s.kind) {
        case StatementKind::block:
            return;
        case StatementKind::simultaneously:
            of_statement(Promise::together, id);
            if (effects_may_lack_room(s.body)) of_statement(Promise::room, id);
            return;
        case StatementKind::call:
        case StatementKind::end:
            for (const ExpressionId e : s.items) expression(e);
            return;
        case StatementKind::choose_case:
            return arms(s, id);
        case StatementKind::table:
        case StatementKind::chance:
            for (const Arm& a : s.arms) expression(a.weight);
            of_statement(Promise::reported, id);
            return counts(s, id);
        case StatementKind::deal:
            if (s.a != no_id) of_statement(Promise::enough, id);
            counts(s, id);
            if (s.name != no_id ? is_limited(game, game.zones[s.name]) : is_limited_place(s.c)) of_statement(Promise::room, id);
            return;
        case StatementKind::draw:
            if (s.body == no_id) of_statement(Promise::enough, id);
            if (is_limited_place(s.b)) of_statement(Promise::room, id);
            return;
        case StatementKind::put:
            if (!together_ && is_limited_place(s.b)) of_statement(Promise::room, id);
            return;
        case StatementKind::must:
            if (s.other == no_id && !is_surely_something(s)) of_statement(Promise::something, id);
            return counts(s, id);
        case StatementKind::may:
            return counts(s, id);
        case StatementKind::each:
            if (s.mode == each_any_order) of_statement(Promise::any_order, id);
            return;
        case StatementKind::repeat:
            if (s.d != no_id) of_statement(Promise::runs_down, id);
            if (s.c != no_id && s.mode != 1 && s.other == no_id) of_statement(Promise::times, id);
            return counts(s, id);
        case StatementKind::judged:
            return of_statement(Promise::judged, id);
        case StatementKind::becomes: {
            if (s.a != no_id && at(s.a).type.or_none) of_statement(Promise::owner, id);
            const Type& range = game.facts[s.name].type;
            const Type& value = at(s.b).type;
            const bool numbers = range.base == Base::number || (range.base == Base::set && range.element == Base::number);
            const bool nothing = value.low > value.high || value.element == Base::nothing;  // an empty set
            const bool within = (range.low <= value.low && value.high <= range.high) || (range.base == Base::set && nothing);
            if (numbers ? !within : range.base != Base::set && value.or_none && !range.or_none) of_statement(Promise::fits, id);
            return;
        }
        case StatementKind::let:
        case StatementKind::says:
        case StatementKind::show:
        case StatementKind::stop:
        case StatementKind::play_game:
        case StatementKind::shuffle:
        case StatementKind::may_do:
        case StatementKind::offer:
        case StatementKind::nothing:
            return;
    }
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
        if (s.kind == StatementKind::shuffle) mark(s.a);
        if (s.kind == StatementKind::put && (s.mode & put_shuffled) != 0) mark(s.b);
    }
    // What is shuffled stays so when it is put elsewhere in order.
    if (std::ranges::find(shuffled, true) == shuffled.end()) return shuffled;
    for (const Statement& s : game.statements)
        if (s.kind == StatementKind::put && (s.mode & put_in_order) != 0) mark(s.b);
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
