// The syntax tree of one rules file: flat, plain, and close to the text.
//
// `parse` turns a text into this tree; `merge` (dsl/variant/variant.hpp) applies house rules and options; `check` (dsl/check/check.hpp)
// gives it meaning. A node is a kind, a place in the text and children in the order that syntax_kinds.def states; parts that may
// be missing are nodes of a kind of their own, so children are found by kind. The tree never changes after it was made.
#pragma once

#include "dsl/text/diagnostics.hpp"
#include "dsl/text/source.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace houserule {

enum class Kind : std::uint8_t {
#define HOUSERULE_SYNTAX(kind) kind,
#include "dsl/syntax/syntax_kinds.def"
#undef HOUSERULE_SYNTAX
};

std::string_view kind_name(Kind kind);

struct SyntaxNode {
    Kind kind = Kind::file;
    Span span;
    // Leaves: the name in NFC, digits, the word, the contents of a quoted text as people are shown them (see `shown`).
    std::string text;
    std::vector<const SyntaxNode*> children;
};

// A quoted text in which control characters or characters that change the writing direction were replaced, and which ones.
struct Cleaned {
    Span span;
    std::string characters;  // `U+001B, U+202E`
};

// A tree and what owns its nodes. Nodes may be shared by several trees (a merged game refers to its base's).
struct Syntax {
    const SyntaxNode* root = nullptr;
    std::vector<std::shared_ptr<const std::deque<SyntaxNode>>> storage;
    std::vector<Cleaned> cleaned;  // in this file, not in the game that it changes
};

// The first child of that kind, or null.
const SyntaxNode* child(const SyntaxNode& node, Kind kind);

// `any`, `first` or `last` of several. A `where` or `with` behind brackets around it begins at the bracket.
bool takes_some(Kind kind);

// `chance picks a, b from S` as lots with one name each.
std::vector<SyntaxNode> single_lots(const SyntaxNode& chance);

// An indented listing, one node a line; what `dump --stage syntax` prints.
std::string print(const SyntaxNode& node);

}  // namespace houserule
