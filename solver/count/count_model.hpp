// What a counter is to count: unknowns with few values, conditions, sums and weights.
#pragma once

#include "solver/coexecute/unknown_table.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace houserule {

struct CountModel {
    std::vector<std::pair<KindId, std::int32_t>> unknowns{};  // in the order in which they are decided; those of one key are a block
    std::vector<Truth> conditions{};
    std::vector<Sum> sums{};
    std::vector<Factor> factors{};
    std::vector<std::uint64_t> allowed{};  // by unknown: the values it may have; none: all its values, and that of unknowns that are newer
    std::size_t alike = 0;                 // so many blocks at the end are to be decided together, if nothing tells them apart

    std::uint64_t allowed_of(const Formulas& formulas, std::int32_t unknown) const {
        if (std::cmp_less(unknown, allowed.size())) return allowed[unknown];
        return ~std::uint64_t{0} >> (Formulas::value_limit - formulas.unknowns()[unknown].values);
    }
};

}  // namespace houserule
