#include "interpreter/machine/tabled.hpp"

#include "dsl/game/ranges.hpp"

namespace houserule {

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

std::pair<std::int32_t, std::int64_t> values_in_a_run(const Game& game, const Type& type) {
    if (is_of_many(type) || type.base == Base::place || (type.base == Base::number && type.or_none)) return {0, 0};
    const auto [low, high] = range_with_none(game, type);
    const std::int64_t pieces = game.piece_kind.size();
    return {low, (type.base == Base::card ? pieces : std::int64_t{high} + 1) - low};
}

}  // namespace houserule
