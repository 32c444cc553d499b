// Puts a game and its events into words: labels of the reader's language, sentences for events, the result.
//
// `viewers` are the seats that read a text together: what one of them may not see is left out. No seats means a reader who sees
// everything. Nothing here knows a game or touches a terminal.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/run.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace houserule::cli {

std::string seat_words(int seat);  // P1, or the name of who sits there
// From here on people in seats are called so; for the whole program, since it is about one table.
void call_seats(const std::map<int, std::string>& names);
// Reads `Anna,me,Ben`, names by seat; `me` is who sits at the screen and keeps the name of the seat. Nothing, after a message, for names
// that are there twice or cannot stand in a log.
struct TableNames {
    std::map<int, std::string> names;
    int players = 0;
    int me = -1;
};
std::optional<TableNames> read_names(const std::string& text, const Globals& g);
std::string seats_words(Seats seats, const Globals& g);
// The label of an identifier; without one the identifier, its `_` as spaces.
std::string name_words(const Game& game, const std::string& name, const Globals& g);
std::string kind_words(const Game& game, KindId kind, const Globals& g);
std::string place_words(const Game& game, PlaceId place, const Globals& g);
std::string fact_words(const Game& game, FactId fact, std::int32_t index, const Globals& g);  // with its owner
// The words for a value of a variable or fact. The value of a chosen card may include its place.
std::string value_words(const Game& game, const Type& type, std::int32_t value, const Globals& g);
std::string values_words(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Globals& g);
// What the table or a lot told, with the words for its value.
std::string told_words(const Game& game, const Event& e, const std::string& value, const Globals& g);
// The type of a single value: of a set its elements, of cards a kind.
Type element_of(const Type& type);
// `white 1 ×2, black 5`; if `ordered`, in the order given, else with equal kinds together.
std::string cards_words(const Game& game, const std::vector<KindId>& kinds, bool ordered, const Globals& g);
// Cards of a hand, in the order of their kinds: many that are written by an enum first (a suit, a colour) stand by it: `red 9, 10, Q;
// blue 2`; where the author gives a glyph, by that: `♥ 9 10 Q`, with spaces at which a line does not end. Such a text goes through
// `with_glyphs` once its lines are made.
std::string hand_words(const Game& game, const std::vector<KindId>& kinds, const Globals& g);
// Cards as they stand in a hand, with their glyphs.
std::string shown_cards(const Game& game, const std::vector<KindId>& kinds, const Globals& g);
// A card of the game as an example of what can be typed.
std::string example_card(const Game& game, const Globals& g, KindId kind = 0);
// What is offered to be chosen: cards as in a hand where each has a glyph.
std::string offered_words(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Globals& g);
std::string with_glyphs(std::string text, const Game& game, bool colored);
// So many of what can lie at that place (no_id: of all there is): `3 cards`, `3 pieces`.
std::string count_words(const Game& game, std::size_t cards, PlaceId place, const Globals& g);
std::string count_words(const Game& game, const Event& e, const Globals& g);  // of what it is about, where that lay before
// Whether the rules call those of a family (no_id: all) pieces, not cards, and all that can lie at a place.
bool are_pieces(const Game& game, FamilyId family);
bool are_pieces_at(const Game& game, PlaceId place);

// Whether all viewers are among `seats`.
bool all_see(Seats seats, Seats viewers);
// A sentence for the event; empty when the viewers do not notice it.
std::string event_words(const Machine& machine, const Event& event, Seats viewers, const Globals& g);
// The events from index `from` on, prepared for telling: consecutive deals are joined, choices that still wait for others left out.
Events as_told(const Events& events, std::size_t from, Seats viewers);
// What a thing of this name is called in each of the game's languages, in plain form: what people may type for it.
std::set<std::string> names_in_languages(const Game& game, const std::string& name);
// A rule and the seat whose turn it is: `share P2`. Seat -1: the rule alone.
std::string rule_words(const Machine& machine, RuleId rule, int seat, const Globals& g);
// The heading with what the rule says behind it, unless that is among those that were `explained`; else the heading alone, in bold.
std::string with_text_once(const Game& game, RuleId rule, const std::string& heading, std::set<std::string>& explained, const Globals& g);

// What the game calls what is scored, where it has a label for `score`.
std::string scores_title(const Game& game, const Globals& g);
// Whether all see what the expression reads; of none, yes.
bool is_open(const Game& game, ExpressionId expression);
// Whether all who look at the table know scores, payoffs and winners.
bool is_result_open(const Game& game);
// The end, scores, payoffs and winners of a run that is over, one line each; `you`: the seat that reads it, or -1.
std::string result_words(Run& run, Random& lots, const Globals& g, int you = -1);

// The words that are said where a statement is carried out, whatever anybody decides then, one after the other.
std::vector<WordId> words_said(const Game& game, StatementId statement);

}  // namespace houserule::cli
