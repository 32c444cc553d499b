// Where names and titles stand in a tree: to tell whether a label or a text is for something that the rules have.
#pragma once

#include "dsl/syntax/syntax.hpp"

#include <string>

namespace houserule {

// Whether the text is the title of an example, or the question behind a choice.
bool is_title(const SyntaxNode& node, const std::string& text);
// The title of an example or a question among names: no identifier has quotes.
std::string title_key(const std::string& title);
// Whether the name (or title, see `title_key`) stands in the tree, but for labels and texts.
bool stands_in(const SyntaxNode& node, const std::string& name);

}  // namespace houserule
