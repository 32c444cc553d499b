// Weighs deals: those from which some hidden moves lead to what a seat saw.
//
// A *deal* is all that chance dealt: which card came from each stack, and each lot. Its weight is the probability of that. *Hidden moves*
// are the choices of players and the cards that were drawn blindly from a hand. A deal counts once, however many hidden moves lead from it
// to what was seen, and it counts for a question if the answer is yes after some of these. So the shares of things that exclude each other
// may add up to more than 1.
//
// Works on numbers, from one draw to the next (a belief-state search): the states that hidden moves can lead to within one deal are a set,
// and deals with equal sets are merged, so that the work grows with the number of different sets and not with that of histories.
#pragma once

#include "interpreter/run/run.hpp"
#include "interpreter/run/seat_question.hpp"
#include "solver/coexecute/unknown_table.hpp"
#include "solver/terms/deadline.hpp"
#include "solver/terms/limits.hpp"

#include <functional>
#include <vector>

namespace houserule {

struct DealLimits {
    std::size_t states = 2'000'000;  // visited in all: some seconds
    Deadline until;
    // What the seat is asked at the end of what it saw, where that is known.
    std::optional<SeatQuestion> question = {};
    bool at_lots = false;  // it may end where chance picks what the seat does not notice
};

struct Deals {
    Rational all = 0;          // the weight of all deals
    std::vector<Rational> of;  // by question: the weight of the deals in which it can be true
    Limit limit;               // if one was hit, there are no weights
};

// A question about the table at the end of what was seen.
using TableQuestion = std::function<bool(Run&)>;

// `seen`: all that the seat noticed, as `noticed` gives it, up to a node. Some history must fit it.
Deals weigh_deals(const std::shared_ptr<const Machine>& machine, int seat, const Events& seen, const std::vector<TableQuestion>& questions,
                  DealLimits limits = {});

}  // namespace houserule
