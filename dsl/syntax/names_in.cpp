#include "dsl/syntax/names_in.hpp"

#include <algorithm>

namespace houserule {

namespace {

bool is_decision(Kind kind) { return kind == Kind::s_may_do || kind == Kind::s_may || kind == Kind::s_must || kind == Kind::s_any; }

}  // namespace

bool is_title(const SyntaxNode& node, const std::string& text) {
    const SyntaxNode* asked = is_decision(node.kind) ? child(node, Kind::text) : nullptr;
    return (node.kind == Kind::d_example && node.children[0]->text == text) || (asked != nullptr && asked->text == text) ||
           std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return is_title(*c, text); });
}

std::string title_key(const std::string& title) { return '"' + title + '"'; }

bool stands_in(const SyntaxNode& node, const std::string& name) {
    if (node.kind == Kind::d_labels || node.kind == Kind::d_texts) return false;
    if (name.starts_with('"')) return is_title(node, name.substr(1, name.size() - 2));
    return (node.children.empty() && node.text == name) ||
           std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return stands_in(*c, name); });
}

}  // namespace houserule
