#include "dsl/syntax/syntax.hpp"

#include "dsl/text/index_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace houserule {

std::string_view kind_name(Kind kind) {
    static constexpr std::array names = {
#define HOUSERULE_SYNTAX(row) std::string_view(#row),
#include "dsl/syntax/syntax_kinds.def"
#undef HOUSERULE_SYNTAX
    };
    return names[index_of(kind)];
}

const SyntaxNode* child(const SyntaxNode& node, Kind kind) {
    for (const SyntaxNode* c : node.children)
        if (c->kind == kind) return c;
    return nullptr;
}

bool takes_some(Kind kind) { return kind == Kind::e_any || kind == Kind::e_first || kind == Kind::e_last; }

std::vector<SyntaxNode> single_lots(const SyntaxNode& chance) {
    const SyntaxNode* more = child(chance, Kind::more_lots);
    if (more == nullptr) return {chance};
    std::vector<const SyntaxNode*> names{chance.children.front()};
    names.insert(names.end(), more->children.begin(), more->children.end());
    std::vector<SyntaxNode> lots;
    for (const SyntaxNode* name : names) {
        SyntaxNode lot{chance.kind, chance.span, chance.text, {name}};
        std::copy_if(chance.children.begin() + 1, chance.children.end(), std::back_inserter(lot.children),
                     [](const SyntaxNode* c) { return c->kind != Kind::more_lots; });
        lots.push_back(std::move(lot));
    }
    return lots;
}

namespace {

void print_node(const SyntaxNode& node, std::size_t depth, std::string& out) {
    out += std::string(depth * 2, ' ');
    out += kind_name(node.kind);
    const std::string_view quote = node.kind == Kind::text ? "\"" : "";
    if (!node.text.empty()) out += fmt::format(" {0}{1}{0}", quote, node.text);
    out += '\n';
    for (const SyntaxNode* c : node.children) print_node(*c, depth + 1, out);
}

}  // namespace

std::string print(const SyntaxNode& node) {
    std::string out;
    print_node(node, 0, out);
    return out;
}

}  // namespace houserule
