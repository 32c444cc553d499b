// In which order a counter decides unknowns: how many states it keeps at a time depends on that.
#pragma once

#include "solver/count/counter.hpp"

#include <vector>

namespace houserule {

// By kind of card; the same, but what nothing ties together one after the other (a deal that is over, from the one at hand); as things
// happened.
enum class CountOrder : std::uint8_t { by_kind, apart, as_happened };

// By kind, counted from 1 (0: what is about no kind): its place among them. Kinds that conditions tie together are near each other, so
// that few conditions are open at a time. (Aloul, Markov, Sakallah: FORCE, 2003: each goes to the middle of what it is tied to.)
using KindPlaces = std::vector<std::size_t>;
KindPlaces places_of_kinds(const Formulas& formulas, const std::vector<CountModel>& models, std::size_t kinds);

// The model's unknowns, which stand as things happened, are put in order.
void arrange(CountModel& model, const Formulas& formulas, CountOrder order, const KindPlaces& places);

}  // namespace houserule
