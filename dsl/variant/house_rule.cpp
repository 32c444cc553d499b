#include "dsl/variant/house_rule.hpp"

#include <algorithm>

namespace houserule {

const SyntaxNode* game_line(const SyntaxNode& layer) { return child(layer, Kind::d_game); }

std::optional<BaseName> base_of(const Syntax& syntax) {
    const SyntaxNode* line = game_line(*syntax.root);
    const SyntaxNode* base = line == nullptr ? nullptr : child(*line, Kind::base);
    if (base == nullptr || base->children.empty()) return std::nullopt;
    const SyntaxNode& named = *base->children[0];
    return BaseName{named.text, named.kind == Kind::text, named.span};
}

Syntax stacked(const Syntax& base, const Syntax& changes) {
    auto made = std::make_shared<std::deque<SyntaxNode>>();
    SyntaxNode& layer = made->emplace_back(*changes.root);
    layer.kind = Kind::house_rule;
    SyntaxNode& root = made->emplace_back(*base.root);
    root.children.push_back(&layer);
    Syntax all;
    all.root = &root;
    all.storage = base.storage;
    all.storage.insert(all.storage.end(), changes.storage.begin(), changes.storage.end());
    all.storage.push_back(std::move(made));
    all.cleaned = changes.cleaned;
    return all;
}

std::vector<const SyntaxNode*> layers(const Syntax& syntax) {
    std::vector<const SyntaxNode*> all{syntax.root};
    for (const SyntaxNode* d : syntax.root->children)
        if (d->kind == Kind::house_rule) all.push_back(d);
    return all;
}

bool is_called(const SyntaxNode& node, const std::string& name) {
    if (node.kind == Kind::name) return node.text == name;
    if (node.kind == Kind::d_game) return false;
    const bool labels = node.kind == Kind::label && node.children[0]->text == name;
    return !labels && std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return is_called(*c, name); });
}

}  // namespace houserule
