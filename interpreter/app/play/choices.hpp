// What a person may type at a decision, and which move it means.
//
// Short lists of moves are numbered; for large sets of possibilities the values are typed. Names are labels or identifiers; they may be
// abbreviated as long as only one fits; case and full-width forms make no difference.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/common/typed.hpp"
#include "interpreter/run/run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

struct Choice {
    std::string key;  // to type for it: a number, a seat, the value itself
    std::string shown;
    std::vector<std::string> names;  // also accepted: its labels in each language, and the identifier
    std::uint64_t move = 0;
    ActId act = no_id;  // an act that is open to this person now, not a move of the node
};

struct Choices {
    std::vector<Choice> listed;        // in order; without moves, if these are too many
    bool many = false;                 // several are chosen together
    bool typed = false;                // the values are typed: several at once, or one of too many to list
    std::vector<std::int32_t> values;  // those that can be typed, if known; each may also be typed as its number in this list
    std::vector<Choice> elements;      // the same with their numbers; without keys where no number means one of them
    std::string question;              // `Choose a card:`
    std::int32_t low = 0, high = 0;    // of several that are chosen together: how many
    std::string example;               // what is typed for so many: `1,2,3`
};

struct Meaning {
    enum What { move, act, several, nothing } what = nothing;
    std::uint64_t value = 0;
    std::vector<std::string> fitting;  // several: what fits
    bool exact = false;                // a key or a whole name was typed
    std::string part = {};             // several or nothing: the part of the text that does not name one thing
};

// `you`: the seat that is told so where players are listed, or -1.
Choices choices_at(Run& run, const std::vector<ActId>& acts, const Globals& g, int you = -1);
Meaning meant_by(const std::string& text, const Run& run, const Choices& choices, const Globals& g);
// Completions for Tab, in the person's own language. They reveal no more than the list of choices and the names of the game.
std::vector<std::string> names_to_type(const Run& run, const Choices& choices, const Globals& g);
// Whether each part of the text names something that could be chosen elsewhere, if not here.
bool names_something(const Run& run, const std::string& text);
// The list as it is printed, folded at `width`.
std::string print(const Choices& choices, std::size_t width, const Globals& g);

// The kinds of card whose name the text may be, in full or abbreviated.
std::vector<KindId> kinds_meant(const Game& game, const std::string& text);

}  // namespace houserule::cli
