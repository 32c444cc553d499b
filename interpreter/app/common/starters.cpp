#include "interpreter/app/common/starters.hpp"

#include "dsl/syntax/format.hpp"
#include "interpreter/app/common/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace houserule::cli {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

// --- the whole file under another name

namespace {

struct Edit {
    Span span;
    std::string text;
};

void find_labels(const SyntaxNode& node, const std::string& name, std::vector<const SyntaxNode*>& labels) {
    if (node.kind == Kind::label && node.children[0]->kind == Kind::name && node.children[0]->text == name) labels.push_back(&node);
    for (const SyntaxNode* c : node.children) find_labels(*c, name, labels);
}

std::string edited(std::string_view text, std::vector<Edit> edits) {
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
    std::string result(text);
    for (const Edit& e : edits) result.replace(e.span.begin, e.span.end - e.span.begin, e.text);
    return result;
}

}  // namespace

std::string taken_whole(const Loaded& file, const std::string& name, const std::string& reference) {
    const SyntaxNode& layer = *layers(file.syntax).back();
    const SyntaxNode& line = *game_line(layer);
    const std::string old = line.children[0]->text;
    std::vector<Edit> edits{{line.children[0]->span, name}};
    if (const SyntaxNode* base = child(line, Kind::base)) edits.push_back({base->children[0]->span, reference});
    std::vector<const SyntaxNode*> labels;
    find_labels(layer, old, labels);
    const bool shared = is_called(layer, old);  // then the label goes on serving the other thing
    for (const SyntaxNode* label : labels)
        edits.push_back({label->children[0]->span, shared ? fmt::format("{} {}   {}", name, quoted(label->children[1]->text), old) : name});
    const std::string text(file.sources[0].text());
    const std::string copy = edited(text, std::move(edits));
    return format(text) == text ? format(copy) : copy;  // columns follow the longer name where they are kept
}

// --- a house rule with lines that wait

namespace {

std::string text_of(const SyntaxNode& node, const Sources& sources) { return std::string(sources[node.span.source].text(node.span)); }

// Lines of rules that are switched off: the `#` stands right before them, before prose there is a space behind it.
std::string waiting(const std::string& rules) {
    const std::string lines = format(rules);
    std::string text;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        text += fmt::format("#{}\n", lines.substr(at, end - at));
        at = end + 1;
    }
    return text;
}

// Prose, and the lines it is about; nothing when there are none.
std::string section(const Globals& g, const TextRow<0>& prose, const std::string& rules) {
    return rules.empty() ? "" : fmt::format("\n# {}\n{}", say(g, prose), waiting(rules));
}

// What the base comes to when nothing is chosen.
struct BaseGame {
    const Loaded& file;
    Merged merged;
    Game game;
    const Sources& sources() const { return file.sources; }
};

const SyntaxNode* first_of(const BaseGame& base, Kind kind) {
    const auto at = std::find_if(base.merged.declarations.begin(), base.merged.declarations.end(),
                                 [&](const SyntaxNode* d) { return d->kind == kind; });
    return at == base.merged.declarations.end() ? nullptr : *at;
}

// A declaration as the base has it, to be replaced.
std::string replaced(const BaseGame& base, Kind kind) {
    const SyntaxNode* d = first_of(base, kind);
    return d == nullptr ? "" : fmt::format("replace {}\n", text_of(*d, base.sources()));
}

std::string row_text(const SyntaxNode& row, const Sources& sources) {
    const SyntaxNode& first = *row.children[1];
    const std::string rest = first.kind == Kind::row_name
                                 ? first.children[0]->text
                                 : std::string(sources[first.span.source].text({first.span.begin, row.span.end, first.span.source}));
    return fmt::format("{} of {}", text_of(*row.children[0], sources), rest);
}

// The copies of a card: of the first family that lists its cards, else of the first that has one of each.
std::string copies(const BaseGame& base) {
    const SyntaxNode* family = nullptr;
    const SyntaxNode* row = nullptr;
    for (const SyntaxNode* d : base.merged.declarations) {
        if (d->kind != Kind::d_cards || row != nullptr) continue;
        row = child(*d, Kind::row);
        if (row != nullptr || family == nullptr) family = d;
    }
    if (family == nullptr) return "";
    std::vector<std::string> rows;
    if (row != nullptr) {
        rows.push_back(row_text(*row, base.sources()));
    } else {  // one row `of each` would replace them all
        for (const SyntaxNode* part : family->children)
            if (part->kind == Kind::each_row) rows.push_back(text_of(*part, base.sources()));
    }
    const std::string& name = family->children[0]->text;
    std::string text = fmt::format("change cards {} {{ {} }}\n", name, fmt::join(rows, "   "));
    for (const SyntaxNode* d : base.merged.declarations)
        if (d->kind == Kind::d_total && (d->children[0]->text == name || d->children[0]->kind == Kind::word))
            text += fmt::format("replace {}\n", text_of(*d, base.sources()));
    return text;
}

// The first option and the first reading, otherwise than they are.
std::string settings(const BaseGame& base) {
    std::string text;
    for (const bool reading : {false, true}) {
        const auto& all = base.merged.offers;
        const auto offer =
            std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.reading == reading && o.values.size() > 1; });
        if (offer != all.end()) text += fmt::format("set {} is {}\n", offer->name, offer->values[1]);
    }
    return text;
}

bool asks(const SyntaxNode& node) {
    if (node.kind == Kind::s_must || node.kind == Kind::s_may || node.kind == Kind::s_may_do || node.kind == Kind::s_any) return true;
    return std::any_of(node.children.begin(), node.children.end(), [](const SyntaxNode* c) { return asks(*c); });
}

// The shortest rule in which somebody chooses, else the shortest one, with what it and the house rule say in both languages.
std::string rule(const BaseGame& base, const std::string& house_rule, const Globals& g) {
    const auto rank = [](const SyntaxNode* r) { return std::pair(!asks(*r), r->span.end - r->span.begin); };
    const SyntaxNode* shown = nullptr;
    for (const SyntaxNode* d : base.merged.declarations)
        if (d->kind == Kind::d_rule && (shown == nullptr || rank(d) < rank(shown))) shown = d;
    if (shown == nullptr) return "";
    const std::string& name = shown->children[0]->text;
    std::string rules = text_of(*shown, base.sources());
    const std::string told = rule_text(base.game, name, code_of(g.language));
    if (const SyntaxNode* text = child(*shown, Kind::text); text != nullptr && text->text != told)
        rules.replace(text->span.begin - shown->span.begin, text->span.end - text->span.begin, quoted(told));
    rules = fmt::format("replace {}\n", rules);
    for (const NamedText& t : base.game.texts)
        if (t.name == name && t.language != code_of(g.language))
            rules += fmt::format("texts {} {{ {} \"…\"   {} {} }}\n", t.language, house_rule, name, quoted(t.text));
    return rules;
}

// The first end that is checked.
std::string end(const BaseGame& base) {
    const SyntaxNode* list = first_of(base, Kind::d_ends);
    const SyntaxNode* entry = list == nullptr ? nullptr : child(*list, Kind::end_entry);
    if (entry == nullptr) return "";
    const SyntaxNode* text = child(*entry, Kind::text);
    const SyntaxNode& condition = *entry->children[text == nullptr ? 1 : 2];
    const Span from = condition.span;
    return fmt::format("replace end {}{} when {}\n", entry->children[0]->text, text == nullptr ? "" : " " + text_of(*text, base.sources()),
                       base.sources()[from.source].text({from.begin, entry->span.end, from.source}));
}

std::string labels(const std::string& name) { return fmt::format("labels en {{ {0} \"…\" }}\nlabels ja {{ {0} \"…\" }}\n", name); }

std::string first_lines(const BaseGame& base, const std::string& reference, const std::string& name, const std::string& path,
                        const Globals& g) {
    const std::string& changed = base.game.name;
    return say(g, Text::house_rule_to_fill_in, name, reference, changed, path);
}

}  // namespace

std::string house_rule_on(const Loaded& file, const std::string& reference, const std::string& name, const std::string& path,
                          const Globals& g) {
    Diagnostics ignored;  // the base was checked before
    const int players = player_range(file.syntax).low;
    const BaseGame base{file, merge(file.syntax, {}, ignored), check(file.syntax, players, {}, ignored)};
    std::string text = first_lines(base, reference, name, path, g);
    text += section(g, Text::how_many_can_play, replaced(base, Kind::d_players));
    text += section(g, Text::how_many_copies, copies(base));
    text += section(g, Text::what_was_open, settings(base));
    text += section(g, Text::rule_in_other_words, rule(base, name, g));
    text += section(g, Text::end_on_another_condition, end(base));
    text += section(g, Text::who_wins, replaced(base, Kind::d_winner));
    text += section(g, Text::what_people_read, labels(name));
    text += section(g, Text::example_that_runs, fmt::format("example \"…\" for {0} players {{ then players is {0} }}\n", players));
    return text;
}

}  // namespace houserule::cli
