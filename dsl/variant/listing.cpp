// The merged game as one text.
#include "dsl/syntax/format.hpp"
#include "dsl/variant/variant.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string made_text(const SyntaxNode& d, const Sources& sources) {
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

// The text of a declaration but for what was taken out of it.
std::string text_without(const SyntaxNode& d, const std::vector<Span>& cut, const Sources& sources) {
    std::string text;
    std::uint32_t from = d.span.begin;
    for (const Span& c : cut) {
        if (c.source != d.span.source || c.begin < from || c.end > d.span.end) continue;
        text += sources[c.source].text(Span{from, c.begin, c.source});
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

}  // namespace

std::string listing(const Syntax& syntax, const Merged& merged, const Sources& sources) {
    std::string text;
    std::vector<Span> cut = merged.cut;
    std::ranges::sort(cut, {}, [](const Span& s) { return std::pair(s.source, s.begin); });
    for (const SyntaxNode* d : merged.declarations)
        if (d->kind == Kind::d_game) text += game_text(*d, merged.layers.back(), sources);
    for (const Offer& offer : merged.offers)
        for (const OptionValue& o : merged.options)
            if (o.name == offer.name) text += option_text(syntax, offer, o.value, sources);
    for (const SyntaxNode* d : merged.declarations) {
        const auto made = [&](const SyntaxNode& m) { return &m == d; };
        if (d->kind == Kind::d_game) continue;
        if (is_list(*d) && std::any_of(merged.made->begin(), merged.made->end(), made))
            text += made_text(*d, sources);
        else
            text += fmt::format("# {}\n{}\n", origin(d->span, sources), text_without(*d, cut, sources));
    }
    return format(text);
}

}  // namespace houserule
