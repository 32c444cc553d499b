#include "interpreter/engine/expression_parts.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/tabled.hpp"

#include <algorithm>

namespace houserule {

namespace {

const Expression& at(const Game& game, ExpressionId e) { return game.expressions[e]; }

// Whether it computes from its parts alone, without a look at the state.
bool reads_only_its_parts(Operator op) {
    switch (op) {
        case Operator::variable:
        case Operator::fact:
        case Operator::first_card:
        case Operator::last_card:
        case Operator::first_cards:
        case Operator::last_cards:
        case Operator::least_left:  // its condition reads the sets that it tries
        case Operator::cards_at:
        case Operator::cards_of:
        case Operator::cards_family:
        case Operator::cards_unplaced:
        case Operator::cards_variable:
        case Operator::set_variable:
        case Operator::set_fact:
            return false;
        default:
            return true;
    }
}

bool depends_on_any(const Game& game, ExpressionId e, const std::vector<BoundId>& bounds) {
    return std::any_of(bounds.begin(), bounds.end(), [&](BoundId bound) { return depends_on_bound(game, e, bound); });
}

// False when what is no such part reads the state. `within`: the comprehensions in which `e` stands.
bool add_invariant_parts(const Game& game, ExpressionId e, std::vector<BoundId>& within, std::vector<ExpressionId>& out) {
    if (e == no_id) return true;
    const Expression& x = at(game, e);
    if (x.op == Operator::constant || x.op == Operator::set_constant) return true;
    if (!depends_on_any(game, e, within)) {
        if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
        return true;
    }
    if (!reads_only_its_parts(x.op)) return false;
    if (!add_invariant_parts(game, x.a, within, out)) return false;
    if (binds(x.op)) within.push_back(x.bound());
    const bool all = add_invariant_parts(game, x.b, within, out) && add_invariant_parts(game, x.c, within, out);
    if (binds(x.op)) within.pop_back();
    return all;
}

}  // namespace

std::vector<TableInput> table_inputs(const Game& game, ExpressionId e) {
    std::vector<TableInput> inputs;
    std::int64_t cells = 1;
    const auto begin = [&] {
        inputs.clear();
        cells = 1;
    };
    const auto add = [&](ExpressionId part) {
        const auto is_same = [&](const TableInput& i) { return same_expression(game, i.expression, part); };
        if (std::any_of(inputs.begin(), inputs.end(), is_same)) return true;
        const auto takes_long = [](const Expression& x) { return binds(x.op) || x.op == Operator::least_left; };
        if (inputs.size() == most_table_inputs || any_read(game, part, takes_long)) return false;
        const auto [low, values] = values_in_a_run(game, at(game, part).type);
        if (values <= 0 || values > most_table_values) return false;
        inputs.push_back({part, low, values});
        cells *= values;
        return cells <= most_table_cells;
    };
    const auto reads_bound = [&](ExpressionId part) {
        return any_read(game, part, [](const Expression& x) { return x.op == Operator::bound; });
    };
    return find_table_inputs({game, false, reads_bound, begin, add}, e) ? inputs : std::vector<TableInput>{};
}

bool depends_on_bound(const Game& game, ExpressionId e, BoundId bound) {
    if (e == no_id) return false;
    const Expression& x = at(game, e);
    if (x.op == Operator::bound && x.bound() == bound) return true;
    return depends_on_bound(game, x.a, bound) || depends_on_bound(game, x.b, bound) || depends_on_bound(game, x.c, bound);
}

bool reads_place_of(const Game& game, ExpressionId e, BoundId bound) {
    if (e == no_id) return false;
    const Expression& x = at(game, e);
    if (x.op == Operator::bound) return x.bound() == bound && x.type.base == Base::card;
    if (x.op == Operator::kind_of && at(game, x.a).op == Operator::bound) return false;
    return reads_place_of(game, x.a, bound) || reads_place_of(game, x.b, bound) || reads_place_of(game, x.c, bound);
}

bool may_break(const Game& game, ExpressionId e) {
    if (e == no_id) return false;
    const Expression& x = at(game, e);
    switch (x.op) {
        case Operator::constant:
        case Operator::variable:
        case Operator::bound:
            return false;
        case Operator::fact:
        case Operator::set_fact:
            if (game.facts[x.named()].initial == no_id) return true;
            return x.a != no_id && (at(game, x.a).type.or_none || may_break(game, x.a));
        case Operator::quotient:
        case Operator::remainder:
        case Operator::kind_of:
        case Operator::lookup:
        case Operator::next_in:
        case Operator::largest_over:
        case Operator::smallest_over:
        case Operator::the_card:
        case Operator::the_element:
        case Operator::first_card:
        case Operator::last_card:
        case Operator::first_cards:
        case Operator::last_cards:
        case Operator::least_left:
        case Operator::set_lookup:
        case Operator::cards_groups:
        case Operator::cards_any:
        case Operator::fail:
            return true;
        case Operator::place:
        case Operator::neighbour:
            return x.a != no_id && (at(game, x.a).type.or_none || may_break(game, x.a));
        default:
            return may_break(game, x.a) || may_break(game, x.b) || may_break(game, x.c);
    }
}

std::vector<std::vector<int>> set_rows(const Machine& machine) {
    const Game& game = machine.game;
    std::vector<std::int32_t> first(game.sets.size(), 0);
    for (const Expression& x : game.expressions)
        if (x.op == Operator::set_constant) first[x.set()] = first_element(machine.layout, x.type);
    for (const Family& family : game.families)
        for (const Field& field : family.fields)
            for (const std::int32_t row : field.type.base == Base::set ? game.tables[field.table] : std::vector<std::int32_t>{})
                if (row != unset_value) first[row] = first_element(machine.layout, field.type);
    std::vector<std::vector<int>> rows(game.sets.size());
    const int bits = static_cast<int>(machine.layout.words) * 64;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const std::int32_t e : game.sets[i])
            if (const std::int64_t bit = std::int64_t{e} - first[i]; bit >= 0 && bit < bits) rows[i].push_back(static_cast<int>(bit));
    return rows;
}

std::optional<std::vector<ExpressionId>> invariant_parts(const Game& game, ExpressionId e, BoundId bound) {
    std::vector<ExpressionId> parts;
    std::vector<BoundId> within{bound};
    if (!add_invariant_parts(game, e, within, parts)) return std::nullopt;
    return parts;
}

bool reads_by_condition(const Game& game, ExpressionId e, BoundId bound) {
    if (e == no_id || !depends_on_bound(game, e, bound)) return false;
    const Expression& x = at(game, e);
    switch (x.op) {
        case Operator::both:
        case Operator::either:
        case Operator::conditional:
        case Operator::cards_conditional:
        case Operator::set_conditional:
        case Operator::cards_or_if_none:
        case Operator::set_or_if_none:
        case Operator::exists:
        case Operator::sum_over:
        case Operator::cards_where:
        case Operator::set_where:
            return true;
        default:
            return reads_by_condition(game, x.a, bound) || reads_by_condition(game, x.b, bound) || reads_by_condition(game, x.c, bound);
    }
}

bool same_expression(const Game& game, ExpressionId a, ExpressionId b) {
    if (a == b) return true;
    if (a == no_id || b == no_id) return false;
    const Expression& x = at(game, a);
    const Expression& y = at(game, b);
    return x.op == y.op && x.immediate == y.immediate && same_expression(game, x.a, y.a) && same_expression(game, x.b, y.b) &&
           same_expression(game, x.c, y.c);
}

std::optional<FactTest> fact_test(const Machine& machine, ExpressionId condition, Operator index, std::int32_t immediate) {
    const Game& game = machine.game;
    const auto expression = [&](ExpressionId i) -> const Expression& { return game.expressions[i]; };
    FactTest test;
    ExpressionId e = condition;
    for (; expression(e).op == Operator::negate; e = expression(e).a) test.same = !test.same;
    if (expression(e).op == Operator::equal && expression(expression(e).b).op == Operator::constant) {
        test.value = expression(expression(e).b).value();
        e = expression(e).a;
    } else {
        test.same = !test.same;  // it is not 0
    }
    const Expression& f = expression(e);
    if (f.op != Operator::fact || f.a == no_id || expression(f.a).op != index || expression(f.a).immediate != immediate)
        return std::nullopt;
    if (game.facts[f.named()].initial == no_id) return std::nullopt;
    test.at = machine.layout.fact[f.named()];
    return test;
}

}  // namespace houserule
