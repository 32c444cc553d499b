#include "solver/leads/walk.hpp"

#include "dsl/syntax/parse.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace houserule {

namespace {

const Sentence as_the_file_says = FindingText::as_the_file_says;
const Sentence otherwise_read = FindingText::otherwise;

bool is_elsewhere(Kind kind) {
    switch (kind) {
        case Kind::d_example:
        case Kind::d_labels:
        case Kind::d_texts:
        case Kind::d_winner:
        case Kind::d_replace:
        case Kind::d_when:
            return true;
        default:
            return false;
    }
}
// The arm that counts; the others are not there when nobody reads them.
bool is_left_out(const SyntaxNode& choice) { return choice.kind == Kind::reading_choice && child(choice, Kind::word) == nullptr; }

void walk(const SyntaxNode& node, const SyntaxNode* parent, const std::string& within, const Look& look) {
    if (is_elsewhere(node.kind) || is_left_out(node)) return;
    const bool names = (node.kind == Kind::d_rule || node.kind == Kind::d_define || node.kind == Kind::d_act || node.kind == Kind::d_end ||
                        node.kind == Kind::d_match) &&
                       !node.children.empty();
    const std::string rule = names ? node.children[0]->text : node.kind == Kind::d_setup ? "setup" : within;
    look(node, parent, rule);
    for (const SyntaxNode* c : node.children) walk(*c, &node, rule, look);
}

// `when long_day`, `when length is hundred`
bool is_for(const SyntaxNode& condition, const std::pair<std::string, std::string>& option) {
    if (condition.kind == Kind::name) return condition.text == option.first && option.second == "yes";
    if (condition.kind != Kind::e_compare || condition.children[1]->text != "is") return false;
    return condition.children[0]->text == option.first && condition.children[2]->text == option.second;
}

// A copy that stands at `span`, with nodes in place of names.
const SyntaxNode& with_names(const SyntaxNode& node, const Filled& filled, Span span, Made& made) {
    if (node.kind == Kind::name)
        if (const auto by = filled.find(node.text); by != filled.end()) return *by->second;
    SyntaxNode& copy = made.emplace_back(SyntaxNode{node.kind, span, node.text, {}});
    for (const SyntaxNode* c : node.children) copy.children.push_back(&with_names(*c, filled, span, made));
    return copy;
}

}  // namespace

void walk_rules(const Syntax& syntax, const std::optional<std::pair<std::string, std::string>>& option, const Look& look) {
    if (!option) return walk(*syntax.root, nullptr, "play", look);
    for (const SyntaxNode* d : syntax.root->children) {
        if (d->kind != Kind::d_when || !is_for(*d->children[0], *option)) continue;
        for (std::size_t i = 1; i < d->children.size(); ++i) {
            const SyntaxNode* part = d->children[i];
            if (part->kind == Kind::d_replace && !part->children.empty() && part->children[0]->kind == Kind::d_rule)
                walk(*part->children[0], part, "play", look);
            else
                walk(*part, d, "play", look);
        }
    }
}

bool is_brought_by(const Syntax& syntax, Span span, const std::pair<std::string, std::string>& option) {
    return std::ranges::any_of(syntax.root->children, [&](const SyntaxNode* d) {
        return d->kind == Kind::d_when && is_for(*d->children[0], option) && span.source == d->span.source && span.begin >= d->span.begin &&
               span.end <= d->span.end;
    });
}

Lead rewritten(const Syntax& syntax, const SyntaxNode& node, const SyntaxNode* by, const Storage& storage, const std::string& rule) {
    Lead lead;
    lead.syntax = replaced(syntax, &node, by, storage);
    lead.span = node.span;
    lead.rule = rule;
    lead.as_is = as_the_file_says;
    lead.instead = otherwise_read;
    return lead;
}

const SyntaxNode& make(Made& made, Kind kind, Span span, std::vector<const SyntaxNode*> children, std::string text) {
    return made.emplace_back(SyntaxNode{kind, span, std::move(text), std::move(children)});
}

const SyntaxNode& written(const std::string& statement, const Filled& filled, Span span, Made& made) {
    Sources sources;
    sources.emplace_back("lead", fmt::format("game lead\nplayers 2 in a circle, clockwise\nrule r {{ {} }}\n", statement));
    Diagnostics diagnostics;
    const Syntax small = parse(sources, 0, diagnostics);
    const SyntaxNode* body = has_errors(diagnostics) ? nullptr : find(*small.root, Kind::body, "");
    if (body == nullptr || body->children.size() != 1) throw std::logic_error("no statement: " + statement);
    return with_names(*body->children[0], filled, span, made);
}
const SyntaxNode& written_value(const std::string& expression, const Filled& filled, Span span, Made& made) {
    return *written("let lead_value = " + expression, filled, span, made).children[1];
}

const SyntaxNode& of_it(const SyntaxNode& node, const std::string& name, Made& made) {
    const bool is_it = node.kind == Kind::name && node.text == name;
    SyntaxNode& copy = made.emplace_back(SyntaxNode{is_it ? Kind::it : node.kind, node.span, is_it ? "it" : node.text, {}});
    for (const SyntaxNode* c : node.children) copy.children.push_back(&of_it(*c, name, made));
    return copy;
}

bool has(const SyntaxNode& node, const std::vector<Kind>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), node.kind) != kinds.end()) return true;
    return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return has(*c, kinds); });
}

const SyntaxNode* find(const SyntaxNode& node, Kind kind, const std::string& text) {
    if (node.kind == kind && (text.empty() || node.text == text)) return &node;
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = find(*c, kind, text)) return found;
    return nullptr;
}

}  // namespace houserule
