#include "dsl/syntax/tree_builder.hpp"

#include "dsl/syntax/parse.hpp"
#include "dsl/syntax/read_errors.hpp"
#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace houserule {

namespace {

std::string unquote(std::string_view quoted) {
    std::string text;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] == '\\' && i + 2 < quoted.size()) ++i;
        text += quoted[i];
    }
    return text;
}

// Full-width digits become ASCII ones.
std::string plain_digits(std::string_view digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (digits.substr(i).starts_with("\xEF\xBC")) {
            text += static_cast<char>(static_cast<unsigned char>(digits[i + 2]) - 0x90 + '0');
            i += 2;
        } else {
            text += digits[i];
        }
    }
    return text;
}

std::string plain_word(std::string_view word) {
    std::string text(word);
    if (text == "\xEF\xBC\x8B") return "+";
    if (text == "\xEF\xBC\x8D") return "-";
    if (text.starts_with("is") && text.ends_with("not")) return "is not";
    if (text.starts_with("in") && text.ends_with("order")) return "in order";
    if (text.starts_with("by") && text.ends_with("lot")) return "by lot";
    return text;
}

// Nodes that only mean something with more than one child.
bool folds_one(Kind kind) {
    switch (kind) {
        case Kind::e_or:
        case Kind::e_and:
        case Kind::e_range:
        case Kind::e_sum:
        case Kind::e_product:
        case Kind::e_but:
        case Kind::e_possessive:
        case Kind::e_if:
            return true;
        default:
            return false;
    }
}

}  // namespace

// The only place where a text of the file becomes one of the game: whoever prints it later may send it to a terminal as it is.
void TreeBuilder::set_quoted(SyntaxNode& node, const std::string& text) const {
    node.text = shown(text);
    if (node.text == text) return;
    std::set<std::string> changed;
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(character_length(rest))) {
        const std::string_view character = rest.substr(0, character_length(rest));
        if (character != "\t" && shown(character) != character)
            changed.insert(fmt::format("U+{:04X}", static_cast<std::uint32_t>(decode(character))));
    }
    if (!changed.empty()) cleaned->push_back({node.span, fmt::format("{}", fmt::join(changed, ", "))});
}

void TreeBuilder::set_text(SyntaxNode& node) const {
    const std::string_view raw = source->text(node.span);
    switch (node.kind) {
        case Kind::name:
            node.text = nfc(raw);
            break;
        case Kind::number:
            node.text = plain_digits(raw);
            break;
        case Kind::text:
            set_quoted(node, nfc(unquote(raw)));
            break;
        case Kind::seat:
            node.text = raw;
            break;
        case Kind::word:
            node.text = plain_word(raw);
            break;
        default:
            break;
    }
}

// Groups: a first child, then parts of which each takes what came before as its first child.
const SyntaxNode* TreeBuilder::fold(const Draft& d) const {
    const SyntaxNode* left = build(*d.children.front());
    for (std::size_t i = 1; i < d.children.size(); ++i) {
        if (std::cmp_greater(i, nesting_limit)) {
            report(*diagnostics, Code::nested_too_deep, build(*d.children[i])->span, nesting_limit);
            return left;
        }
        const Draft& part = *d.children[i];
        const bool name_part = d.kind == Kind::e_possessive && part.kind != Kind::e_at;
        // Brackets around what is taken say that a `where` looks only at that: they stand in its span.
        const std::size_t begin = i == 1 && takes_some(left->kind) ? skip_space(source->text(), offset(d.begin)) : left->span.begin;
        SyntaxNode* node = make(name_part ? Kind::e_possessive : part.kind, begin, offset(part.end));
        node->children.push_back(left);
        if (name_part) {
            node->children.push_back(build(part));
        } else {
            for (const auto& c : part.children) node->children.push_back(build(*c));
        }
        left = node;
    }
    return left;
}

const SyntaxNode* TreeBuilder::build(const Draft& d) const {
    if (d.kind == Kind::comparison_group || d.kind == Kind::set_group || d.kind == Kind::subject_group || d.kind == Kind::e_possessive)
        return fold(d);
    if (folds_one(d.kind) && d.children.size() == 1) {
        const SyntaxNode* only = build(*d.children.front());
        const bool in_brackets = d.kind == Kind::e_if && skip_space(source->text(), offset(d.begin)) < only->span.begin;
        const bool brackets_matter = in_brackets && (only->kind == Kind::e_and || only->kind == Kind::e_or);
        if (!brackets_matter) return only;
        SyntaxNode* node = make(d.kind, only->span.begin, only->span.end);
        node->children.push_back(only);
        return node;
    }
    const std::size_t begin = skip_space(source->text(), offset(d.begin));
    SyntaxNode* node = make(d.kind, std::min(begin, offset(d.end)), offset(d.end));
    set_text(*node);
    for (const auto& c : d.children) node->children.push_back(build(*c));
    return node;
}

}  // namespace houserule
