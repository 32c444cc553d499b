// Options, readings and house rules: from a syntax tree to the declarations of one variant of the game.
//
// A tree has layers: the game, then the house rules on it (dsl/house_rule.hpp). In each layer come first the declarations and what
// they replace, change and remove, then the `when` blocks whose conditions hold. What is left in the end is what `check` reads.
#pragma once

#include "dsl/game/game.hpp"
#include "dsl/syntax/syntax.hpp"
#include "dsl/variant/house_rule.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

// Options and readings by name, with the value as it is written. What is not named has its default.
using Settings = std::map<std::string, std::string>;

// What a game offers: an option or a reading and the values it can take, the default first.
struct Offer {
    std::string name;
    std::vector<std::string> values;    // a range lists every number; a single one when a house rule said `always`
    std::vector<std::string> declared;  // all that the declaration has
    std::string stated;                 // the default as the file has it, whether or not it is one of the values
    bool reading = false;
    std::string text;
    Span span;
    std::optional<Span> set;  // where a house rule set it
};

inline constexpr std::size_t offer_limit = 100;  // options and readings of a file: the rules with most have a dozen

// Where a name was taken out or got another meaning.
struct Change {
    Span span;
    std::size_t layer = 0;
};

// One of the files that a game was merged from, the game itself first.
struct Layer {
    std::uint16_t source = 0;
    std::string game;  // its name, empty when it has none
    Span line;         // the name in its `game` line
    std::string text_language;
};

struct Merged {
    std::vector<const SyntaxNode*> declarations;
    std::vector<Offer> offers;         // as the file has them
    std::vector<OptionValue> options;  // every option and reading with its value, in file order
    std::vector<Layer> layers;
    std::map<std::string, Change> removed;
    std::map<std::string, Change> changed;
    std::shared_ptr<std::deque<SyntaxNode>> made = std::make_shared<std::deque<SyntaxNode>>();  // declarations that several files say

    // The layer that a place belongs to; the last one for a place in no layer.
    std::size_t layer_of(Span span) const;
};

// The `example` blocks in a tree, in file order.
std::vector<const SyntaxNode*> example_blocks(const SyntaxNode& node);
// What its `with` lines ask for.
Settings settings_of_example(const SyntaxNode& example);

// Options and readings of a game, in file order, one more than the limit at most. Problems in them are reported by `merge`.
std::vector<Offer> offers(const Syntax& syntax);

Merged merge(const Syntax& syntax, const Settings& settings, Diagnostics& diagnostics);

// The merged game as one text, which is a rules file too: before each declaration, or behind its parts when several files say it, a
// comment with the file and the line that it comes from. Which way of a reading counts stands in a comment at the beginning.
std::string listing(const Syntax& syntax, const Merged& merged, const Sources& sources);

// What a declaration defines, for `replace` and `remove`: its kind and its name (`rule turn`, `play`); empty when it defines nothing.
std::string key_of(const SyntaxNode& declaration);
// The name in it, or null.
const SyntaxNode* name_of(const SyntaxNode& declaration);

// Where the errors from number `first` on concern a house rule and what it changes, both places are named in them.
void name_both(const Merged& merged, Diagnostics& diagnostics, std::size_t first);

}  // namespace houserule
