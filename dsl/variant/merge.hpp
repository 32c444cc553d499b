// What variant.cpp and merge.cpp share; nobody else includes it.
#pragma once

#include "dsl/variant/variant.hpp"

#include <string>

namespace houserule {

// A value as options have it: `yes`, `4`, `up`.
inline std::string leaf_value(const SyntaxNode& node) { return node.kind == Kind::yes ? "yes" : node.kind == Kind::no ? "no" : node.text; }

// The key of what a `remove` takes away.
std::string removed_key(const SyntaxNode& removal);

}  // namespace houserule
