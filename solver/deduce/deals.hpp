// Deals for which some hidden moves lead to what a seat saw.
//
// A *deal* is what chance dealt: which card came from each stack, and each lot. Its weight is the probability of that. *Hidden moves* are
// the choices of players and the cards that were drawn blindly from a hand. A deal counts once, however many hidden moves lead from it to
// what was seen; what can lie where after some of them lies there in that deal. So shares by deals of things that exclude each other may
// add up to more than 1.
//
// It goes on numbers, from one draw to the next. All states that hidden moves lead to within a deal are kept together, each once, and
// deals with the same states are one from there on, so that the work grows with what differs and not with the histories.
#pragma once

#include "interpreter/run/run.hpp"
#include "solver/coexecute/unknown_table.hpp"
#include "solver/terms/limits.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace houserule {

struct DealLimits {
    std::size_t states = 2'000'000;  // met in all: some seconds
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct Deals {
    Rational all = 0;          // the weight of all deals
    std::vector<Rational> of;  // by question: of those in which it can be so
    Limit limit;               // hit: then there are no weights
};

// What is asked of the table where what was seen ends.
using TableQuestion = std::function<bool(Run&)>;

// `seen`: all that the seat noticed, as `noticed` gives it, up to where somebody outside is asked; and it fits.
Deals weigh_deals(const std::shared_ptr<const Machine>& machine, int seat, const Events& seen, const std::vector<TableQuestion>& questions,
                  DealLimits limits = {});

}  // namespace houserule
