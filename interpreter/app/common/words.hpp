// How a game and what happens in it are told to people: the labels of their language, sentences for events, the result.
//
// `viewers` are the seats that read it together: what one of them may not see is not told. No seat stands for somebody who sees
// everything. Nothing here knows a game or touches a terminal.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/run.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

// Text in the chosen language, its {} filled.
template <typename... Arguments>
std::string fill(const Globals& g, const char* en, const char* ja, Arguments&&... arguments) {
    return fmt::format(fmt::runtime(say(g, en, ja)), std::forward<Arguments>(arguments)...);
}

std::string seat_words(int seat);  // P1
std::string seats_words(Seats seats);
// The label of an identifier; without one the identifier, its `_` as spaces.
std::string name_words(const Game& game, const std::string& name, const Globals& g);
std::string kind_words(const Game& game, KindId kind, const Globals& g);
std::string place_words(const Game& game, PlaceId place, const Globals& g);
std::string fact_words(const Game& game, FactId fact, std::int32_t index, const Globals& g);  // with its owner
// What a value of a variable or fact is called. A chosen card may carry the place it comes from.
std::string value_words(const Game& game, const Type& type, std::int32_t value, const Globals& g);
std::string values_words(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Globals& g);
// What the values of a type are, one by one: the elements of a set, kinds for cards.
Type element_of(const Type& type);
// `white 1 ×2, black 5`; in order when it can be read, else gathered.
std::string cards_words(const Game& game, const std::vector<KindId>& kinds, bool ordered, const Globals& g);
std::string count_words(std::size_t cards, const Globals& g);

// Whether all viewers are among `seats`.
bool all_see(Seats seats, Seats viewers);
// A sentence for the event; empty when the viewers do not notice it.
std::string event_words(const Machine& machine, const Event& event, Seats viewers, const Globals& g);
// The events from `from` on as they are told: cards dealt one after the other together, choices that others still make left out.
Events as_told(const Events& events, std::size_t from, Seats viewers);
// `share P2`: a rule and who its turn it is (seat -1: nobody's).
std::string rule_words(const Machine& machine, RuleId rule, int seat, const Globals& g);

// End, scores, payoffs and winners of a run that is over, a line each.
std::string result_words(Run& run, Random& lots, const Globals& g);

}  // namespace houserule::cli
