// House rules: small files that change a game.
//
// A file that begins with `game NAME changes BASE` is no game by itself. Whoever reads files (the command line) asks `base_of` which
// file it changes, reads and parses that one too, and joins the trees with `stacked`. The result is a tree like that of a game; `merge`
// (dsl/variant/variant.hpp) applies the changes, layer by layer. Nothing is opened here.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule {

// How many house rules can be stacked on one game. Three are somebody's version of a club's version; more than eight are a mistake.
inline constexpr std::size_t house_rule_limit = 8;

// The game that a file changes, as its `game` line names it; nothing for a file that changes none.
struct BaseName {
    std::string text;
    bool is_path = false;  // a path from the file's own folder; else the name of a game
    Span span;
};
std::optional<BaseName> base_of(const Syntax& syntax);

// `changes` on top of `base`, which may be stacked itself.
Syntax stacked(const Syntax& base, const Syntax& changes);

// The game and the house rules on it, in the order in which they are applied: nodes whose children are declarations. The first is the
// root, whose children of kind `house_rule` are the others.
std::vector<const SyntaxNode*> layers(const Syntax& syntax);

// The `game` line of a layer, or null.
const SyntaxNode* game_line(const SyntaxNode& layer);

// Whether the name occurs below `node`, declared or used. The game's own name and names that labels are for do not count.
bool is_called(const SyntaxNode& node, const std::string& name);

}  // namespace houserule
