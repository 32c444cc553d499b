// What a person types about what has happened, matched against the forms of what can follow.
//
// The form of an event is all of it but what is told: who does what, from where to where. What is told, cards or values, can be any of
// the game's; whether it is possible is not asked here. A name may be typed in any language, shortened to the beginnings of its words.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// An event of each form, with those of that form that were met.
struct Form {
    Event like;
    Events met;
};
std::vector<Form> forms_of(const Events& events);
// Whether the one and the other are so many events, each of the same form.
bool are_of_one_form(const Events& a, const Events& b);

// The seat whose doing an event is, or -1.
int doer(const Game& game, const Event& e);

// What a text can mean: events one after the other (cards that are dealt are one each).
struct Reading {
    Events events;
    int cost = 0;      // 0: every name is there whole; more when names are shortened
    bool met = false;  // it is one of the events that were met
    bool names_seat = false;
    Events exact = {};  // where a card stands for a pair of it: what was typed, taken word by word
};

class TypedEvents {
public:
    // Names are told from those of `seat`, who is also `me`.
    TypedEvents(const Machine& machine, int seat);

    // What the text can mean, each once, those with whole names first.
    std::vector<Reading> readings(const std::string& text, const std::vector<Form>& forms) const;
    // The same of forms whose seats, and places of seats, are another's: what the text would mean if that seat were to do it.
    std::vector<Reading> readings_of_others(const std::string& text, const std::vector<Form>& forms) const;

    Seats seats_named(const std::string& text) const;
    // The cards that were met in forms of which the text says who and where, and no card.
    Events begun(const std::string& text, const std::vector<Form>& forms) const;

    // A word that begins no name of the game, with the name that it may have meant (empty: none is close).
    struct Slip {
        std::string word;
        std::string near;
    };
    std::optional<Slip> slip_in(const std::string& text) const;

private:
    struct Name {
        std::vector<std::string> words;
        std::string shown;
        bool whole = false;  // never shortened: verbs
        int cost = 0;        // of taking it for that
    };
    using Names = std::vector<Name>;
    class Matching;

    Name name(const std::string& shown) const;
    template <typename F>
    Names in_all_languages(F shown) const;
    Names fixed_words(const Event& like) const;
    Names words_told(const std::string& name) const;
    std::vector<std::int32_t> universe(const Event& like) const;
    Names value_names(const Type& type, std::int32_t value) const;
    std::vector<std::string> words_of(const std::string& text) const;
    Seats seats_called(const std::string& word) const;
    bool begins_a_person(const std::string& word) const;
    bool is_no_card(const std::string& first, const std::string& number, const std::vector<std::vector<std::string>>& cards) const;

    const Machine& machine_;
    const Game& game_;
    int seat_;
    std::vector<std::string> languages_;
    std::vector<Names> seats_;
};

}  // namespace houserule::cli
