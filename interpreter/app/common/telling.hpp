// What happened, as people tell it at a table: sentences of the author's own or, without them, made of labels; who is told is "you".
//
// An author says in `texts` what it means that cards come to a zone, that a fact becomes what it is, that a word is said or done, or that
// a value is named; what is said of a single card or of a family of cards goes before what is said of a zone, where all see what lies
// there. An empty text: nothing is told of it. In such a text stand `{who}` (the owner of the place or the fact, or who speaks),
// `{cards}`, `{place}`, `{value}`, `{from}` (who had the cards), and `[You are|{who} is]`, of which the first is for who is told. Events
// that say one thing become one line: a choice is not told beside the move that it leads to.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/event.hpp"
#include "interpreter/run/run.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace houserule::cli {

struct Listener {
    Seats viewers = 0;   // who read it together; none: a reader who sees everything
    int you = -1;        // the seat that is called so, or none
    bool plain = false;  // without the author's sentences: of what has not happened yet
};

struct ToldLine {
    enum What : std::uint8_t {
        sentence,
        turn,   // a heading: the events of a player's turn follow
        round,  // a heading: one of several rounds begins
    } what = sentence;
    std::string text;
    bool is_reveal = false;  // many see something that they did not see before: who looks on wants a moment
};

// What is told of the events from index `from` on.
std::vector<ToldLine> told_lines(const Machine& machine, const Events& events, std::size_t from, const Listener& listener,
                                 const Globals& g);
// A line as it is printed: what belongs to a heading stands below it.
std::string printed(const ToldLine& line, const Game& game, std::size_t width, const Globals& g);
// A sentence for one event, also where its author keeps quiet; empty when the viewers do not notice it.
std::string told_event(const Machine& machine, const Event& event, const Listener& listener, const Globals& g);

// A person, a place, a fact or a value, said to the listener.
std::string person_words(int seat, const Listener& listener, const Globals& g);
std::string place_words(const Game& game, PlaceId place, const Listener& listener, const Globals& g);
std::string fact_words(const Game& game, FactId fact, std::int32_t index, const Listener& listener, const Globals& g);

// Cards in a sentence: each by its name, many of them as in a hand, and so where each has a glyph. For `with_glyphs`.
std::string told_cards(const Game& game, const std::vector<std::int32_t>& kinds, const Globals& g);
std::string told_values(const Game& game, const Type& type, const std::vector<std::int32_t>& values, const Listener& listener,
                        const Globals& g);

// With a capital letter, where the language has them.
std::string capital(std::string text, const Globals& g);

// An author's text with its places filled in; `you`: whether it is said to the one it is about.
struct ToldPlaces {
    std::string who, cards, value, from;
    std::string place = {};
};
std::string filled_in(const std::string& text, const ToldPlaces& places, bool you, const Globals& g);

}  // namespace houserule::cli
