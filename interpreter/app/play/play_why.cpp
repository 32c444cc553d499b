#include "interpreter/app/play/play_why.hpp"

#include "dsl/check/check.hpp"
#include "dsl/text/text.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace houserule::cli {

namespace {

// The lines of the file that a span stands on, indented.
std::string quoted(const Session& s, Span span) {
    if (span.source >= s.rules.sources.size() || span.end <= span.begin) return "";
    const Source& source = s.rules.sources[span.source];
    std::string text;
    for (std::uint32_t line = source.line_of(span.begin); line <= source.line_of(span.end - 1); ++line)
        text += fmt::format("  {:>5} | {}\n", line, shown(source.line(line)));
    return text;
}

// The names of definitions that stand in the span, and theirs in turn.
void definitions(const SyntaxNode& node, Span within, std::vector<std::string>& names) {
    if (node.span.source == within.source && node.span.begin >= within.begin && node.span.end <= within.end && !node.text.empty())
        if (std::find(names.begin(), names.end(), node.text) == names.end()) names.push_back(node.text);
    for (const SyntaxNode* c : node.children) definitions(*c, within, names);
}

const SyntaxNode* definition_of(const SyntaxNode& node, const std::string& name) {
    if (node.kind == Kind::d_define && !node.children.empty() && node.children[0]->text == name) return &node;
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = definition_of(*c, name)) return found;
    return nullptr;
}

const Statement* statement_at(const Session& s) {
    const Step& step = s.machine->code[s.run->node().step];
    return step.statement == no_id ? nullptr : &s.game().statements[step.statement];
}

const Expression* expression(const Session& s, ExpressionId id) { return id == no_id ? nullptr : &s.game().expressions[id]; }

// The condition, and each definition that it or another of them names.
std::string condition_text(const Session& s, Span condition) {
    std::string text = quoted(s, condition);
    std::vector<Span> spans{condition};
    for (std::size_t i = 0; i < spans.size() && spans.size() < 6; ++i) {
        std::vector<std::string> names;
        definitions(*s.rules.syntax.root, spans[i], names);
        for (const std::string& name : names) {
            const SyntaxNode* found = definition_of(*s.rules.syntax.root, name);
            if (found == nullptr || std::find(spans.begin(), spans.end(), found->span) != spans.end()) continue;
            spans.push_back(found->span);
            text += quoted(s, found->span);
        }
    }
    return text;
}

}  // namespace

std::string source_of_rule(const Session& s, const Globals& g) {
    const RuleId id = s.rule();
    if (id == no_id) return "";
    const Rule& rule = s.game().rules[id];
    const std::string text = rule_text(s.game(), rule.name, code_of(g.language));
    const Source& source = s.rules.sources[rule.span.source];
    return say(g, Text::rule_at_hand, name_words(s.game(), rule.name, g), std::filesystem::path(source.name()).filename().string(),
               source.line_of(rule.span.begin), text.empty() ? "" : say(g, Text::colon) + text);
}

std::string why_not(const Session& s, const std::string& name, const Globals& g) {
    const Meaning m = meant_by(name, *s.run, choices_at(*s.run, {}, g), g);
    if (m.what == Meaning::move) return say(g, Text::can_be_chosen, shown(name));
    const std::vector<KindId> kinds = kinds_meant(s.game(), name);
    const std::string called = kinds.size() == 1 ? kind_words(s.game(), kinds[0], g) : shown(name);
    const Statement* statement = statement_at(s);
    const Expression* from = statement == nullptr ? nullptr : expression(s, statement->b);
    if (from == nullptr) return source_of_rule(s, g);
    const bool filtered = from->op == Operator::cards_where || from->op == Operator::set_where;
    const Expression* source = filtered ? expression(s, from->a) : from;
    // Only where it can be counted at one place: is it there at all?
    if (source != nullptr && source->op == Operator::cards_at && kinds.size() == 1) {
        const PlaceId place = s.run->scalar(source->a);
        const std::vector<KindId> there = s.run->kinds_at(place);
        if (std::find(there.begin(), there.end(), kinds[0]) == there.end())
            return say(g, Text::card_not_there, called, place_words(s.game(), place, g));
    }
    const Expression* condition = filtered ? expression(s, from->b) : nullptr;
    std::string text = source_of_rule(s, g);
    text += condition != nullptr ? say(g, Text::its_condition_forbids, called) : say(g, Text::offers_only_this, called);
    return text + condition_text(s, statement->span.end - statement->span.begin < 400 ? statement->span : from->span);
}

}  // namespace houserule::cli
