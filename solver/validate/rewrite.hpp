// Syntax trees with a part changed, to see what the rules would be then.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace houserule {

// What owns the nodes of a part that comes from elsewhere.
using Storage = std::vector<std::shared_ptr<const std::deque<SyntaxNode>>>;

// The tree with `by` in the place of `target`; the way down to it is copied, all else is shared. `storage`: what owns `by`.
Syntax replaced(const Syntax& syntax, const SyntaxNode* target, const SyntaxNode* by, const Storage& storage);

}  // namespace houserule
