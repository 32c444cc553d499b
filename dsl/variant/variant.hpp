// Options, readings and house rules: from a syntax tree to the declarations of one variant of the game.
//
// A tree has layers: the game, then the house rules on it (house_rule.hpp). Of each layer first the declarations are applied, with what
// they replace, change and remove, then the `when` blocks whose conditions hold. `check` reads the declarations that result.
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
    std::vector<std::string> values;    // that can still be chosen, a range as every number; one when a house rule said `always`
    std::vector<std::string> declared;  // all values in the declaration
    std::string stated;                 // the default as written, even when it is none of the values
    bool reading = false;
    std::string text;
    Span span;
    std::optional<Span> set;  // the place where a house rule sets it, if one does
};

inline constexpr std::int32_t option_limit = 1000;       // values of an option: the longest ranges of rulebooks have a dozen
inline constexpr std::int32_t option_high = 99'999'999;  // its largest number
inline constexpr std::size_t offer_limit = 100;          // options and readings of a file: the rules with most have a dozen

// The place where a house rule removed or changed a name, and in which layer.
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
    std::shared_ptr<std::deque<SyntaxNode>> made = std::make_shared<std::deque<SyntaxNode>>();  // declarations that no file has so
    std::vector<Span> cut;  // decisions and open questions that stood in a declaration and were taken out

    // The layer that a place belongs to; the last one for a place in no layer.
    std::size_t layer_of(Span span) const;
};

// The `example` blocks in a tree, in file order.
std::vector<const SyntaxNode*> example_blocks(const SyntaxNode& node);
// The options and readings that its `with` lines set.
Settings settings_of_example(const SyntaxNode& example);

// Options and readings of a game, in file order; of too many, `offer_limit` + 1. Problems in them are reported by `merge`.
std::vector<Offer> offers(const Syntax& syntax);

// The settings with the names of options and values where their labels stand, in any language that the file has.
Settings without_labels(const Syntax& syntax, const std::vector<Offer>& offers, const Settings& settings);
// The declarations of the game under `settings`, all house rules applied. What is wrong is appended to `diagnostics`.
Merged merge(const Syntax& syntax, const Settings& settings, Diagnostics& diagnostics);

// The merged game as the text of a rules file. A comment before each declaration names the file and the line that it comes from; of a
// declaration joined from several files, a comment stands behind each part. Comments at the beginning say how readings are decided.
std::string listing(const Syntax& syntax, const Merged& merged, const Sources& sources);

// The key by which `replace` and `remove` find a declaration: its kind and its name (`rule turn`, `play`); empty when it has none.
std::string key_of(const SyntaxNode& declaration);
// The name in it, or null.
const SyntaxNode* name_of(const SyntaxNode& declaration);

// Adds to the errors from index `first` on, where they concern something that a house rule removed or changed, a label at that place.
void name_both(const Merged& merged, Diagnostics& diagnostics, std::size_t first);

}  // namespace houserule
