// What is sent to a page, as JSON: the names of a game once, then what a seat noticed, the table as it knows it, and what it is asked.
//
// Texts are arrays, one a language. What is hidden stands in no frame: a frame is made of a SeatTable, of noticed events and of what the
// seat is offered.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/serve/seat_table.hpp"
#include "interpreter/run/run.hpp"
#include "interpreter/run/seat_question.hpp"
#include "interpreter/run/stop.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

using Json = nlohmann::json;

// A text, or what is made of texts, in every language, in their order.
Json in_each(const std::function<Json(const Globals&)>& text);

// What is the same for everybody and never changes: the names of the game, its cards, places, acts and rules.
Json names_frame(const Game& game);

// What the host can set before the game: how many play, and each option and reading with its question and its values.
Json setup_frame(const Loaded& rules, const Game& game);

// A line for each event that a viewer noticed, as `noticed_by` gives them; deals of one kind that follow each other are one line.
std::vector<Json> lines_of(const Machine& machine, const Events& noticed, int viewer);

// `places` and `facts` of the table as the viewer knows it. Empty places and facts with their first value are left out.
Json table_frame(const Machine& machine, const SeatTable& table);

// The rules in sentences, in every language: `book`, its blocks with the marks of dsl/book in their texts.
Json book_frame(const Loaded& rules, const Settings& settings, const Machine& machine);
// The turn in steps, in every language, and drawn where Graphviz is there; else `note` says so.
Json machine_frame(const Loaded& rules, const Settings& settings, const Machine& machine);

// What the seat can know from what it noticed, how, why the rest is ruled out, and what each of its moves tells, gives away and may bring:
// `hint`, in the words of the command of that name, in every language. `whole`: all of it, not one screen. `most`: the time for what is
// known, and again for reasons and moves.
Json hint_frame(const std::shared_ptr<const Machine>& machine, int seat, const Events& noticed, const std::optional<SeatQuestion>& question,
                bool whole, const Stop& stop, std::chrono::milliseconds most = std::chrono::seconds(3));

// What the run asks the seat at this node, without its number. `run`: at a decision or a report.
Json question_frame(Run& run);

// The move that a page means, `m` a rank or `values` the values of a set; nothing when the run does not offer it.
std::optional<std::uint64_t> move_in(const Json& message, const Run& run);

}  // namespace houserule::cli
