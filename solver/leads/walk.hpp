// Goes through the rules of a file, for those that look for places to ask about. For solver/leads only.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "solver/findings/rewrite.hpp"
#include "solver/leads/leads.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

using Made = std::deque<SyntaxNode>;

// Each node of rules, acts, ends and play, with its parent and the name of what it stands in; of readings the arm that counts. `option`:
// only what that value of an option brings.
using Look = std::function<void(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule)>;
void walk_rules(const Syntax& syntax, const std::optional<std::pair<std::string, std::string>>& option, const Look& look);

// A lead with `by` in place of the node.
Lead rewritten(const Syntax& syntax, const SyntaxNode& node, const SyntaxNode* by, const Storage& storage, const std::string& rule);
const SyntaxNode& make(Made& made, Kind kind, Span span, std::vector<const SyntaxNode*> children, std::string text = "");

// Nodes by the names in place of which they stand.
using Filled = std::map<std::string, const SyntaxNode*>;
// That statement as if it stood there in the text: new parts have that span, and what is filled in keeps its own. It must parse.
const SyntaxNode& written(const std::string& statement, const Filled& filled, Span span, Made& made);
// An expression, in the same way.
const SyntaxNode& written_value(const std::string& expression, const Filled& filled, Span span, Made& made);

// The same of `it`, in place of that name: `p's out` as `its out`.
const SyntaxNode& of_it(const SyntaxNode& node, const std::string& name, Made& made);

bool has(const SyntaxNode& node, const std::vector<Kind>& kinds);
// The first node of that kind, with that text if there is one.
const SyntaxNode* find(const SyntaxNode& node, Kind kind, const std::string& text);

}  // namespace houserule
