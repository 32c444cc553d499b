#include "solver/findings/rewrite.hpp"

#include <functional>

namespace houserule {

Syntax replaced(const Syntax& syntax, const SyntaxNode* target, const SyntaxNode* by, const Storage& storage) {
    auto made = std::make_shared<std::deque<SyntaxNode>>();
    const std::function<const SyntaxNode*(const SyntaxNode*)> copy = [&](const SyntaxNode* node) -> const SyntaxNode* {
        if (node == target) return by;
        for (std::size_t i = 0; i < node->children.size(); ++i) {
            const SyntaxNode* child = copy(node->children[i]);
            if (child == node->children[i]) continue;
            SyntaxNode& changed = made->emplace_back(*node);
            changed.children[i] = child;
            return &changed;
        }
        return node;
    };
    Syntax result;
    result.root = copy(syntax.root);
    result.storage = syntax.storage;
    result.storage.insert(result.storage.end(), storage.begin(), storage.end());
    result.storage.push_back(std::move(made));
    return result;
}

}  // namespace houserule
