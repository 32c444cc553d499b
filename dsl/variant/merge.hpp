// Helpers that variant.cpp and merge.cpp share. `merge` itself is declared in variant.hpp.
#pragma once

#include "dsl/variant/variant.hpp"

#include <deque>
#include <string>
#include <vector>

namespace houserule {

// The value of an option as it is written: `yes`, `4`, `up`.
inline std::string leaf_value(const SyntaxNode& node) { return node.kind == Kind::yes ? "yes" : node.kind == Kind::no ? "no" : node.text; }

// The key (see `key_of`) of the declaration that a `remove` names.
std::string removed_key(const SyntaxNode& removal);
// The node without the decisions and open questions of that key that stand in it, which go to `gone`; what changes is copied to `made`.
// The node itself where there are none.
const SyntaxNode* without(const SyntaxNode& node, const std::string& key, std::deque<SyntaxNode>& made,
                          std::vector<const SyntaxNode*>& gone);

}  // namespace houserule
