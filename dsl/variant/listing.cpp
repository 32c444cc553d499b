// The merged game as one text.
#include "dsl/syntax/format.hpp"
#include "dsl/syntax/names_in.hpp"
#include "dsl/syntax/parse.hpp"
#include "dsl/variant/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

namespace {

std::string origin(Span span, const Sources& sources) {
    const Source& source = sources[span.source];
    return fmt::format("{}:{}", source.name(), source.line_of(span.begin));
}

std::string text_of(const SyntaxNode& node, const Sources& sources) { return std::string(sources[node.span.source].text(node.span)); }

// One part of a declaration that several files say: a row, a field, a value, an end, a text.
std::string part_text(const SyntaxNode& part, const Sources& sources) {
    if (part.kind == Kind::end_entry)
        return std::string(sources[part.span.source].text({part.children[0]->span.begin, part.span.end, part.span.source}));
    if (part.kind != Kind::row) return text_of(part, sources);
    // The number of copies may be of another file than the rest.
    const Span rest{part.children[1]->span.begin, part.span.end, part.span.source};
    return fmt::format("{} of {}", text_of(*part.children[0], sources), sources[rest.source].text(rest));
}

using Spans = std::vector<Span>;

bool is_cut(const SyntaxNode& part, const Spans& cut) { return std::ranges::find(cut, part.span) != cut.end(); }

std::string made_text(const SyntaxNode& d, const Spans& cut, const Sources& sources) {
    std::string text;
    std::size_t first = 1;
    switch (d.kind) {
        case Kind::d_cards:
            text = fmt::format("cards {} {{\n", d.children[0]->text);
            break;
        case Kind::d_enum:
            text = fmt::format("enum {} {{\n", d.children[0]->text);
            break;
        case Kind::d_labels:
            text = fmt::format("labels {} {{\n", d.children[0]->text);
            break;
        case Kind::d_texts:
            text = fmt::format("texts {} {{\n", d.children[0]->text);
            break;
        default:
            text = key_of(d) + ", first of {\n";
            first = std::find_if(d.children.begin(), d.children.end(), [](const SyntaxNode* e) { return e->kind == Kind::end_entry; }) -
                    d.children.begin();
    }
    for (std::size_t i = first; i < d.children.size(); ++i) {
        const SyntaxNode& part = *d.children[i];
        if (is_cut(part, cut)) continue;
        const Span from = part.kind == Kind::row ? part.children[0]->span : part.span;
        text += fmt::format("  {}  # {}\n", part_text(part, sources), origin(from, sources));
    }
    return text + "}\n";
}

// Whether the parts of such a declaration may be of several files.
bool is_list(const SyntaxNode& d) {
    return d.kind == Kind::d_cards || d.kind == Kind::d_enum || d.kind == Kind::d_labels || d.kind == Kind::d_texts ||
           d.kind == Kind::d_ends;
}

bool names_any(const SyntaxNode& node, const std::set<std::string>& names) {
    return (node.children.empty() && names.contains(node.text)) ||
           std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return names_any(*c, names); });
}

// What an option that is not chosen would bring, and whatever the options are called.
struct LeftOut {
    std::set<std::string> names;
    std::set<std::string> options;
};

LeftOut left_out(const Syntax& syntax, const Merged& merged, const std::vector<const SyntaxNode*>& declarations) {
    LeftOut out;
    for (const Offer& offer : merged.offers) out.options.insert(offer.name);
    for (const SyntaxNode* layer : layers(syntax))
        for (const SyntaxNode* when : layer->children)
            if (when->kind == Kind::d_when)
                for (const SyntaxNode* d : when->children)
                    if (const SyntaxNode* name = name_of(*d)) out.names.insert(name->text);
    for (const SyntaxNode* d : declarations)
        if (const SyntaxNode* name = name_of(*d)) out.names.erase(name->text);
    return out;
}

// The bodies behind an option that name what it leaves out: they are never come to.
void find_idle(const SyntaxNode& node, const LeftOut& out, Spans& idle) {
    if (node.kind == Kind::s_if && names_any(*node.children[0], out.options)) {
        const SyntaxNode* otherwise = child(node, Kind::otherwise);
        for (const SyntaxNode* body : {node.children[1], otherwise == nullptr ? nullptr : otherwise->children[0]})
            if (body != nullptr && body->kind == Kind::body && names_any(*body, out.names)) idle.push_back(body->span);
    }
    for (const SyntaxNode* c : node.children) find_idle(*c, out, idle);
}

// In the order of the files.
void sort(Spans& spans) {
    std::ranges::sort(spans, {}, [](const Span& s) { return std::pair(s.source, s.begin); });
}

// The text of a declaration but for what was taken out of it, and with nothing to do in what is `idle`.
std::string text_without(const SyntaxNode& d, const Spans& cut, const LeftOut& out, const Sources& sources) {
    Spans idle;
    find_idle(d, out, idle);
    Spans gone = cut;
    gone.insert(gone.end(), idle.begin(), idle.end());
    sort(gone);
    std::string text;
    std::uint32_t from = d.span.begin;
    for (const Span& c : gone) {
        if (c.source != d.span.source || c.begin < from || c.end > d.span.end) continue;
        text += sources[c.source].text(Span{from, c.begin, c.source});
        if (std::ranges::find(idle, c) != idle.end()) text += "{ nothing }";
        from = c.end;
    }
    return text.append(sources[d.span.source].text(Span{from, d.span.end, d.span.source}));
}

const SyntaxNode* find_option(const SyntaxNode& node, Span name) {
    if (node.kind == Kind::d_option && node.children[0]->span == name) return &node;
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = find_option(*c, name)) return found;
    return nullptr;
}

std::string option_text(const Syntax& syntax, const Offer& offer, const std::string& value, const Sources& sources) {
    const std::string from = origin(offer.set.value_or(offer.span), sources);
    const SyntaxNode* option = offer.reading ? nullptr : find_option(*syntax.root, offer.span);
    if (option == nullptr) return fmt::format("# {}: reading {} is {}\n", from, offer.name, value);
    const SyntaxNode* text = child(*option, Kind::text);
    return fmt::format("# {}\noption {} {} = {}{}\n", from, offer.name, text_of(*option->children[1], sources), value,
                       text == nullptr ? "" : " " + text_of(*text, sources));
}

std::string game_text(const SyntaxNode& d, const Layer& layer, const Sources& sources) {
    const SyntaxNode* text = child(d, Kind::text);
    const std::string language = layer.text_language == "en" ? "" : ", texts in " + layer.text_language;
    return fmt::format("# {}\ngame {}{}{}\n", origin(layer.line, sources), layer.game, text == nullptr ? "" : " " + text_of(*text, sources),
                       language);
}

bool is_naming(const SyntaxNode& d) { return d.kind == Kind::d_labels || d.kind == Kind::d_texts; }

// Whether the example is about these options and readings, which are the defaults of what is listed. Readings are decided there, so that
// one that sets a reading cannot be written.
bool is_about(const SyntaxNode& example, const Merged& merged) {
    const Settings wanted = settings_of_example(example);
    return std::ranges::all_of(merged.offers, [&](const Offer& offer) {
        const auto of = std::ranges::find(merged.options, offer.name, &OptionValue::name);
        const auto set = wanted.find(offer.name);
        if (of == merged.options.end()) return set == wanted.end();
        if (set != wanted.end()) return !offer.reading && set->second == of->value;
        return offer.values.empty() || of->value == offer.values.front();
    });
}

std::string text_of_all(const std::vector<const SyntaxNode*>& declarations, const Merged& merged, const Spans& cut, const LeftOut& out,
                        const Sources& sources) {
    std::string text;
    for (const SyntaxNode* d : declarations) {
        const auto made = [&](const SyntaxNode& m) { return &m == d; };
        if (is_list(*d) && std::any_of(merged.made->begin(), merged.made->end(), made))
            text += made_text(*d, cut, sources);
        else
            text += fmt::format("# {}\n{}\n", origin(d->span, sources), text_without(*d, cut, out, sources));
    }
    return text;
}

// The labels and texts of what does not stand in `text`: parts that were not chosen, examples of others.
Spans labels_of_nothing(const std::vector<const SyntaxNode*>& declarations, const std::string& text) {
    Diagnostics ignored;
    const Sources alone{Source("", text)};
    const Syntax rest = parse(alone, 0, ignored);
    Spans none;
    for (const SyntaxNode* d : declarations) {
        if (!is_naming(*d)) continue;
        for (const SyntaxNode* label : std::span(d->children).subspan(1)) {
            const SyntaxNode& name = *label->children[0];
            if (name.kind == Kind::number || name.text == "setup" || name.text == "play") continue;
            if (!stands_in(*rest.root, name.kind == Kind::text ? title_key(name.text) : name.text)) none.push_back(label->span);
        }
    }
    return none;
}

}  // namespace

std::string listing(const Syntax& syntax, const Merged& merged, const Sources& sources) {
    std::string head;
    for (const SyntaxNode* d : merged.declarations)
        if (d->kind == Kind::d_game) head += game_text(*d, merged.layers.back(), sources);
    for (const Offer& offer : merged.offers)
        for (const OptionValue& o : merged.options)
            if (o.name == offer.name) head += option_text(syntax, offer, o.value, sources);
    std::vector<const SyntaxNode*> declarations;
    std::ranges::copy_if(merged.declarations, std::back_inserter(declarations), [&](const SyntaxNode* d) {
        return d->kind != Kind::d_game && (d->kind != Kind::d_example || is_about(*d, merged));
    });
    const LeftOut out = left_out(syntax, merged, declarations);
    Spans cut = merged.cut;
    sort(cut);
    const Spans stale = labels_of_nothing(declarations, head + text_of_all(declarations, merged, cut, out, sources));
    cut.insert(cut.end(), stale.begin(), stale.end());
    sort(cut);
    return format(head + text_of_all(declarations, merged, cut, out, sources));
}

}  // namespace houserule
