// Replaces a part of a syntax tree, to compare the rules with what they would be then.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace houserule {

// The owners of syntax nodes.
using Storage = std::vector<std::shared_ptr<const std::deque<SyntaxNode>>>;

// The tree with `by` in place of `target`. The nodes from the root down to it are copied, all others shared. `storage` owns `by`.
Syntax replaced(const Syntax& syntax, const SyntaxNode* target, const SyntaxNode* by, const Storage& storage);

}  // namespace houserule
