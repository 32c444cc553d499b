// Questions that a text raises though its author does not: places of the rules that could as well say something else. For comparing.cpp
// only.
//
// Each lead is a place rewritten in the syntax tree, and what it means if the game is another one then, or breaks a promise. Whether that
// is so, comparing games (solver/compare) finds out: a lead that changes no game is nothing. Ties; conditions that are all that keeps a
// rule from asking for what is not there; empty zones; which way round and who is first; neighbouring steps in the other order; rights
// that are there once; values at the start; what is left lying; a number that is reached, or passed. What a quoted text of the rule or of
// the set-up answers is not asked.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "solver/compare/differ.hpp"
#include "solver/findings/finding.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

struct Lead {
    Syntax syntax;
    Span span;         // what was rewritten
    std::string rule;  // the declaration it stands in, or `play`
    FindingClass what = FindingClass::scope;
    bool keeps = false;           // it is a question only if no promise breaks then
    bool breaks = false;          // it is a question only if a promise breaks then,
    std::optional<Span> within;   // there, if anywhere in particular
    std::vector<Span> exchanged;  // it is about the order of these steps
    Settings settings;            // it is about a game with these options
    Sentence as_is;               // the two ways, in short
    Sentence instead;
    Sentence title;
    Sentence help;
    // What is changed in the checked game, too. What it renames there is not compared: only what follows from it is.
    std::function<void(Game&)> alter;
};

// In the order of the text; `game`: the rules as they were checked.
std::vector<Lead> leads(const Syntax& syntax, const Game& game);
// Of what that value of an option brings.
std::vector<Lead> leads_with(const Syntax& syntax, const std::string& option, const std::string& value);
// Whether that value of an option brings what stands there.
bool is_brought_by(const Syntax& syntax, Span span, const std::pair<std::string, std::string>& option);
// Of players who are out, while that fact holds of them; `option`: when that value of an option has been chosen, which brings it.
std::vector<Lead> leads_of_those_out(const Syntax& syntax, const std::string& fact,
                                     const std::optional<std::pair<std::string, std::string>>& option);

// The question of a lead, of which no comparison has been added yet; and whether a comparison answers it by a difference of its kind.
Finding question_of(const Lead& lead);
bool matters(const Lead& lead, const Difference& difference);

}  // namespace houserule
