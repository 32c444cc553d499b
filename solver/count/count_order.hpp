// The variable order of a counter, on which the number of states that it keeps at a time depends.
#pragma once

#include "solver/count/counter.hpp"

#include <vector>

namespace houserule {

// by_kind: all unknowns of a kind of card together. apart: the same within each set of unknowns that conditions connect, one set after
// the other (a deal that is over, then the present one). as_happened: in order of creation. alike_last: by kind, those that nothing tells
// apart at the end, where they are decided together.
enum class CountOrder : std::uint8_t { by_kind, apart, as_happened, alike_last };

// By kind, counted from 1 (0: unknowns of no kind), its position in the order. Kinds that conditions connect are near each other, so that
// few conditions are open at a time. (FORCE, Aloul, Markov and Sakallah 2003: each goes to the centre of those it is connected to.)
using KindPlaces = std::vector<std::size_t>;
KindPlaces places_of_kinds(const Formulas& formulas, const std::vector<CountModel>& models, std::size_t kinds);

// The same by what is open at a time: sums, each between the kinds that may add to it, and conditions. Begins with `places` and moves one
// kind at a time as long as that helps.
KindPlaces places_of_sums(const Formulas& formulas, const CountModel& model, const std::vector<std::vector<KindId>>& kinds_of_sums,
                          KindPlaces places);

// Sorts the unknowns of the model, which are in order of creation.
void arrange(CountModel& model, const Formulas& formulas, CountOrder order, const KindPlaces& places);

}  // namespace houserule
