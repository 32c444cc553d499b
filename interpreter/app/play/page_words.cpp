#include "interpreter/app/play/page_words.hpp"

#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/rules_file.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

std::string without_marks(const std::string& text) {
    std::string plain;
    for (const char c : text)
        if (c < code_begins || c > note_ends) plain += c;
    return plain;
}

const Item* item_about(const std::vector<Item>& items, Span span) {
    const Item* best = nullptr;
    for (const Item& item : items) {
        const Item* const inner = item_about(item.items, span);
        const Item* const found = inner != nullptr ? inner : covers(item.span, span) ? &item : nullptr;
        if (found == nullptr) continue;
        if (best == nullptr || found->span.end - found->span.begin < best->span.end - best->span.begin) best = found;
    }
    return best;
}

const SyntaxNode* definition_of(const SyntaxNode& node, const std::string& name) {
    if (node.kind == Kind::d_define && !node.children.empty() && node.children[0]->text == name) return &node;
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = definition_of(*c, name)) return found;
    return nullptr;
}

constexpr std::size_t definitions_told = 12;

// Of a declaration, what the page lists under a heading of its own, with that heading.
std::string told_of(const Page& page, Span declaration) {
    std::string text;
    std::string heading;
    for (const Block& block : page.blocks) {
        if (block.kind == BlockKind::heading) heading = block.text;
        if (block.where == Where::print || block.items.empty() || !covers(declaration, block.items.front().span)) continue;
        text += folded("  " + without_marks(heading), terminal_width(), 4) + "\n";
        for (const Item& item : block.items) text += lines_of(item, 4, terminal_width());
    }
    return text;
}

}  // namespace

Page page_of(const Loaded& rules, const Settings& settings, const Globals& g) {
    return book_of(rules.syntax, settings, rules.sources, {}, g.language);
}

bool covers(Span outer, Span inner) {
    return outer.end > outer.begin && outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end;
}

const Item* item_about(const Page& page, Span span) {
    const Item* best = nullptr;
    for (const Block& block : page.blocks) {
        if (block.where == Where::print) continue;
        const Item* const found = item_about(block.items, span);
        if (found != nullptr && (best == nullptr || found->span.end - found->span.begin < best->span.end - best->span.begin)) best = found;
    }
    return best;
}

std::string lines_of(const Item& item, std::size_t indent, std::size_t width) {
    std::string text = folded(std::string(indent, ' ') + without_marks(item.text), width, indent + 2) + "\n";
    for (const Item& part : item.items) text += lines_of(part, indent + 2, width);
    return text;
}

void names_in(const SyntaxNode& node, Span within, std::vector<std::string>& names) {
    if (node.span.source == within.source && node.span.begin >= within.begin && node.span.end <= within.end && !node.text.empty())
        if (std::find(names.begin(), names.end(), node.text) == names.end()) names.push_back(node.text);
    for (const SyntaxNode* c : node.children) names_in(*c, within, names);
}

std::vector<Span> with_definitions(const Syntax& syntax, Span of, std::size_t most) {
    std::vector<Span> spans{of};
    for (std::size_t i = 0; i < spans.size() && spans.size() < most; ++i) {
        std::vector<std::string> names;
        names_in(*syntax.root, spans[i], names);
        for (const std::string& name : names) {
            const SyntaxNode* found = definition_of(*syntax.root, name);
            if (found == nullptr || std::find(spans.begin(), spans.end(), found->span) != spans.end()) continue;
            spans.push_back(found->span);
        }
    }
    return spans;
}

std::string scoring_told(const Loaded& rules, const Settings& settings, const Globals& g) {
    const Page page = page_of(rules, settings, g);
    std::string text;
    std::vector<Span> told;
    for (const SyntaxNode* d : rules.syntax.root->children) {
        const bool counts = d->kind == Kind::d_define && (d->children[0]->text == "score" || d->children[0]->text == "payoff");
        if (!counts && d->kind != Kind::d_winner && d->kind != Kind::d_ends && d->kind != Kind::d_end) continue;
        text += told_of(page, d->span);
        if (d->kind == Kind::d_winner || counts)
            for (const Span span : with_definitions(rules.syntax, d->span, definitions_told))
                if (std::ranges::find(told, span) == told.end()) told.push_back(span);
    }
    for (const Span span : told)
        if (const Item* const item = item_about(page, span); item != nullptr && item->span == span)
            text += lines_of(*item, 4, terminal_width());
    return text;
}

std::string text_told(const Game& game, const std::string& name, std::size_t indent, const Globals& g) {
    const std::string said = rule_text(game, name, code_of(g.language));
    const std::string words = std::string(indent, ' ') + name_words(game, name, g) + say(g, Text::colon) + said;
    return said.empty() ? "" : folded(words, terminal_width(), indent + 2) + "\n";
}

std::string rules_told(const Loaded& rules, const Settings& settings, const Game& game, const Globals& g) {
    std::string text;
    for (const Rule& rule : game.rules) text += text_told(game, rule.name, 2, g);
    for (const Act& act : game.acts) text += text_told(game, act.name, 2, g);
    return text + scoring_told(rules, settings, g) +
           folded_lines(say(g, Text::whole_page, find_game(game.name) == rules.path ? game.name : rules.path), terminal_width());
}

}  // namespace houserule::cli
