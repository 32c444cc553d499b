// House rules: small files that change a game.
//
// A file that begins with `game NAME changes BASE` is no game by itself. Whoever reads files (the command line) asks `base_of` what the
// file changes, reads and parses that too, and puts the tree on top of it with `stacked`. What comes out is a tree like that of a game;
// `merge` (dsl/variant.hpp) applies the changes, layer by layer. Nothing is opened here.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <optional>
#include <string>
#include <vector>

namespace houserule {

// House rules on one game: somebody's version of a club's version is three; what is deeper is a mistake rather than a game.
inline constexpr std::size_t house_rule_limit = 8;

// What a file says it changes.
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

// Whether anything below `node` is called `name`, besides the game. A label for it does not count.
bool is_called(const SyntaxNode& node, const std::string& name);

}  // namespace houserule
