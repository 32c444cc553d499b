// Builds the syntax tree from drafts: left-folds groups, removes nodes that only wrap one child, cleans quoted texts and trims spans.
#pragma once

#include "dsl/syntax/draft.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace houserule {

struct TreeBuilder {
    const Source* source;
    std::uint16_t index;            // of the source
    std::deque<SyntaxNode>* store;  // owns the nodes that are made
    Diagnostics* diagnostics;       // for groups that nest too deep
    std::vector<Cleaned>* cleaned;

    SyntaxNode* make(Kind kind, std::size_t begin, std::size_t end) const {
        store->emplace_back();
        SyntaxNode& node = store->back();
        node.kind = kind;
        node.span = span_of(begin, end, index);
        return &node;
    }
    std::size_t offset(const char* at) const { return at - source->text().data(); }

    const SyntaxNode* build(const Draft& d) const;
    const SyntaxNode* fold(const Draft& d) const;
    void set_text(SyntaxNode& node) const;
    void set_quoted(SyntaxNode& node, const std::string& text) const;
};

}  // namespace houserule
