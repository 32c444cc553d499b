#include "interpreter/machine/tabled.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/game/ranges.hpp"

namespace houserule {

namespace {

constexpr int worth_a_table = 8;

// How much work an operator is that computes from its operands alone; -1: it is none of these.
int work_of(Operator op) {
    switch (op) {
        case Operator::conditional:
            return 3;
        case Operator::both:
        case Operator::either:
        case Operator::lookup:
        case Operator::quotient:
        case Operator::remainder:
            return 2;
        case Operator::add:
        case Operator::subtract:
        case Operator::multiply:
        case Operator::distance:
        case Operator::larger:
        case Operator::smaller:
        case Operator::equal:
        case Operator::less:
        case Operator::less_equal:
        case Operator::neighbour:
            return 1;
        case Operator::constant:
        case Operator::negate:
        case Operator::fail:
            return 0;
        default:
            return -1;
    }
}

// The work that a table saves, as far as its inputs can be had; -1: they cannot. `whole`: else what reads no comprehension variable is an
// input itself, but for what facts and variables alone tell.
int work_saved(const TableSearch& s, ExpressionId e, bool whole, bool top) {
    if (e == no_id) return 0;
    const Expression& x = s.game.expressions[e];
    if (x.op == Operator::constant) return 0;
    const bool of_card = s.by_card && x.op == Operator::kind_of && s.game.expressions[x.a].op == Operator::bound;
    int work = of_card ? 0 : work_of(x.op);
    const auto is_more = [](const Expression& part) {
        const bool is_leaf = part.op == Operator::variable || (part.op == Operator::fact && part.a == no_id);
        return !is_leaf && work_of(part.op) < 0;
    };
    if (work < 0 || (!whole && !top && !s.reads_bound(e) && any_read(s.game, e, is_more))) return s.add(e) ? 0 : -1;
    for (const ExpressionId part : {x.a, x.b, x.c}) {
        const int saved = work_saved(s, part, whole, false);
        if (saved < 0) return -1;
        work += saved;
    }
    return work;
}

}  // namespace

std::pair<std::int32_t, std::int64_t> values_in_a_run(const Game& game, const Type& type) {
    if (is_of_many(type) || type.base == Base::place || (type.base == Base::number && type.or_none)) return {0, 0};
    const auto [low, high] = range_with_none(game, type);
    const std::int64_t pieces = game.piece_kind.size();
    return {low, (type.base == Base::card ? pieces : std::int64_t{high} + 1) - low};
}

bool find_table_inputs(const TableSearch& search, ExpressionId e) {
    if (work_of(search.game.expressions[e].op) < 0) return false;
    search.begin();
    int work = work_saved(search, e, true, true);
    if (work < 0 && search.reads_bound(e)) {
        search.begin();
        work = work_saved(search, e, false, true);
    }
    return work >= worth_a_table;
}

}  // namespace houserule
