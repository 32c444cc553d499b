// What a person may type at a decision, and what is meant by it.
//
// Short lists are numbered; of a large set of possibilities the values are typed. Names are labels or identifiers, may be shortened
// while only one fits, and need neither case nor full-width digits.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/run/run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Choice {
    std::string key;  // what may be typed for it: a number, a seat, the value itself
    std::string shown;
    std::vector<std::string> names;  // in each language, and the identifier
    std::uint64_t move = 0;
    ActId act = no_id;  // an act that is open to this person now, not a move of the node
};

struct Choices {
    std::vector<Choice> listed;  // in order; empty of moves when there are too many
    bool typed = false;          // several values, or too many to list: they are typed
    std::string elements;        // what can be typed, when that is known
    std::string question;        // `Choose a card:`
};

struct Meaning {
    enum What { move, act, several, nothing } what = nothing;
    std::uint64_t value = 0;
    std::vector<std::string> fitting;  // several: what fits
    bool exact = false;                // a key or a whole name was typed
};

Choices choices_at(Run& run, const std::vector<ActId>& acts, const Globals& g);
Meaning meant_by(const std::string& text, const Run& run, const Choices& choices, const Globals& g);
// What may be typed for a choice, in the person's own language: for Tab. Tells no more than the list and the names of the game.
std::vector<std::string> names_to_type(const Run& run, const Choices& choices, const Globals& g);
// The list as it is printed, folded at `width`.
std::string print(const Choices& choices, std::size_t width);

// In the form that is compared: small letters, half-width, words and numbers apart by one space.
std::string plain_form(const std::string& text);
// The kinds of card that a text may mean.
std::vector<KindId> kinds_meant(const Game& game, const std::string& text);

}  // namespace houserule::cli
