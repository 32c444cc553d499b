#include "dsl/variant.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace houserule {

namespace {

void add(Diagnostics& diagnostics, Code code, Span span, std::vector<std::string> arguments, std::string help = "") {
    Diagnostic d;
    d.code = code;
    d.span = span;
    d.arguments = std::move(arguments);
    d.help = std::move(help);
    diagnostics.push_back(std::move(d));
}

std::string leaf_value(const SyntaxNode& node) {
    if (node.kind == Kind::yes) return "yes";
    if (node.kind == Kind::no) return "no";
    return node.text;
}

std::vector<std::string> option_values(const SyntaxNode& option) {
    const SyntaxNode& type = *option.children[1];
    if (type.kind == Kind::t_yes_no) return {"yes", "no"};
    std::vector<std::string> values;
    if (type.kind == Kind::t_list) {
        for (const SyntaxNode* v : type.children) values.push_back(leaf_value(*v));
    } else if (type.kind == Kind::t_range && type.children[0]->kind == Kind::number && type.children[1]->kind == Kind::number) {
        const long low = std::strtol(type.children[0]->text.c_str(), nullptr, 10);
        const long high = std::strtol(type.children[1]->text.c_str(), nullptr, 10);
        for (long v = low; v <= high && v < low + 1000; ++v) values.push_back(std::to_string(v));
    }
    return values;
}

std::string one_of(const std::vector<std::string>& values) {
    return values.size() > 12 ? fmt::format("one of {} … {}", values.front(), values.back()) : fmt::format("one of {}", fmt::join(values, ", "));
}

void default_first(std::vector<std::string>& values, const std::string& value) {
    const auto at = std::find(values.begin(), values.end(), value);
    if (at != values.end()) std::rotate(values.begin(), at, at + 1);
}

Offer option_offer(const SyntaxNode& node) {
    Offer offer;
    offer.name = node.children[0]->text;
    offer.values = option_values(node);
    offer.stated = leaf_value(*child(node, Kind::initial)->children[0]);
    default_first(offer.values, offer.stated);
    if (const SyntaxNode* text = child(node, Kind::text)) offer.text = text->text;
    offer.span = node.children[0]->span;
    return offer;
}

Offer reading_offer(const SyntaxNode& node) {
    Offer offer;
    offer.reading = true;
    offer.name = node.children[0]->text;
    offer.span = node.children[0]->span;
    if (const SyntaxNode* text = child(node, Kind::text)) offer.text = text->text;
    std::string chosen;
    for (const SyntaxNode* c : node.children) {
        if (c->kind != Kind::reading_choice) continue;
        offer.values.push_back(c->children[0]->text);
        if (child(*c, Kind::word) != nullptr) chosen = c->children[0]->text;
    }
    default_first(offer.values, chosen);
    return offer;
}

void collect(const SyntaxNode& node, std::vector<Offer>& all) {
    if (all.size() > offer_limit) return;
    if (node.kind == Kind::d_option && child(node, Kind::initial) != nullptr) all.push_back(option_offer(node));
    if (node.kind == Kind::s_reading || node.kind == Kind::e_reading) {
        Offer offer = reading_offer(node);
        const bool known = std::any_of(all.begin(), all.end(), [&](const Offer& o) { return o.name == offer.name; });
        if (!known) all.push_back(std::move(offer));
    }
    for (const SyntaxNode* c : node.children) collect(*c, all);
}

// What a declaration defines, for `replace` and `remove`: its kind and its name (or none for play, setup and winner).
std::string key_of(const SyntaxNode& d) {
    switch (d.kind) {
        case Kind::d_setup: return "setup";
        case Kind::d_play: return "play";
        case Kind::d_winner: return "winner";
        case Kind::d_players: return "players";
        case Kind::d_rule:
        case Kind::d_define:
        case Kind::d_zone:
        case Kind::d_fact:
        case Kind::d_act:
        case Kind::d_enum:
        case Kind::d_cards:
        case Kind::d_total:
        case Kind::d_match: return fmt::format("{} {}", std::string(kind_name(d.kind)).substr(2), d.children[0]->text);
        case Kind::d_end: {
            const SyntaxNode* name = child(d, Kind::name);
            return fmt::format("end {}", name ? name->text : "");
        }
        default: return "";
    }
}

struct Merging {
    const Settings& settings;
    Diagnostics& diagnostics;
    Merged merged;
    std::vector<Offer> all;

    const OptionValue* value_of(const std::string& name) const {
        for (const OptionValue& o : merged.options)
            if (o.name == name) return &o;
        return nullptr;
    }

    void choose_values();
    bool holds(const SyntaxNode& condition);
    bool is_value(const SyntaxNode& name, const std::string& value);
    void add_all(const std::vector<const SyntaxNode*>& declarations);
    void replace(const SyntaxNode& declaration);
    void remove(const SyntaxNode& removal);
    bool remove_end_entry(const std::string& name);
};

void Merging::choose_values() {
    for (const Offer& offer : all) {
        if (offer.values.empty()) continue;
        std::string value = offer.values.front();
        if (!offer.stated.empty() && offer.stated != value) add(diagnostics, Code::option_value, offer.span, {offer.name, offer.stated}, one_of(offer.values));
        const auto set = settings.find(offer.name);
        if (set != settings.end()) {
            if (std::find(offer.values.begin(), offer.values.end(), set->second) != offer.values.end()) {
                value = set->second;
            } else {
                add(diagnostics, Code::option_value, offer.span, {offer.name, set->second}, one_of(offer.values));
            }
        }
        merged.options.push_back({offer.name, value, offer.reading});
    }
    for (const auto& [name, value] : settings) {
        if (value_of(name) != nullptr) continue;
        std::vector<std::string> names;
        for (const Offer& offer : all) names.push_back(offer.name);
        const std::string near = closest(name, names);
        add(diagnostics, Code::unknown_option, {}, {name}, near.empty() ? "" : fmt::format("did you mean `{}`?", near));
    }
}

bool Merging::is_value(const SyntaxNode& name, const std::string& value) {
    const OptionValue* option = value_of(name.text);
    if (option == nullptr) {
        std::vector<std::string> names;
        for (const OptionValue& o : merged.options) names.push_back(o.name);
        const std::string near = closest(name.text, names);
        add(diagnostics, Code::unknown_option, name.span, {name.text}, near.empty() ? "`option NAME yes/no = no` declares one" : fmt::format("did you mean `{}`?", near));
    }
    return option != nullptr && option->value == value;
}

bool Merging::holds(const SyntaxNode& c) {
    switch (c.kind) {
        case Kind::name: return is_value(c, "yes");
        case Kind::e_not: return !holds(*c.children[0]);
        case Kind::e_and: return std::all_of(c.children.begin(), c.children.end(), [&](const SyntaxNode* x) { return holds(*x); });
        case Kind::e_or: return std::any_of(c.children.begin(), c.children.end(), [&](const SyntaxNode* x) { return holds(*x); });
        case Kind::e_compare:
            if (c.children[1]->text == "is") return is_value(*c.children[0], leaf_value(*c.children[2]));
            if (c.children[1]->text == "is not") return !is_value(*c.children[0], leaf_value(*c.children[2]));
            break;
        default: break;
    }
    add(diagnostics, Code::not_constant, c.span, {}, "`when` takes an option: `when long_game { … }`, `when prizes is up { … }`");
    return false;
}

void Merging::replace(const SyntaxNode& declaration) {
    const std::string key = key_of(declaration);
    for (const SyntaxNode*& d : merged.declarations) {
        if (!key.empty() && key_of(*d) == key) {
            d = &declaration;
            return;
        }
    }
    add(diagnostics, Code::nothing_to_replace, declaration.span, {key.empty() ? std::string(kind_name(declaration.kind)).substr(2) : key});
}

bool Merging::remove_end_entry(const std::string& name) {
    return std::any_of(merged.declarations.begin(), merged.declarations.end(), [&](const SyntaxNode* d) {
        return d->kind == Kind::d_ends && std::any_of(d->children.begin(), d->children.end(), [&](const SyntaxNode* e) {
                   return e->kind == Kind::end_entry && e->children[0]->text == name;
               });
    });
}

void Merging::remove(const SyntaxNode& removal) {
    const std::string key = fmt::format("{} {}", removal.children[0]->text, removal.children[1]->text);
    const auto before = merged.declarations.size();
    std::erase_if(merged.declarations, [&](const SyntaxNode* d) { return key_of(*d) == key; });
    // An end in a list of ends stays in the tree; `check` passes over it.
    if (removal.children[0]->text == "end" && remove_end_entry(removal.children[1]->text)) merged.declarations.push_back(&removal);
    else if (merged.declarations.size() == before) add(diagnostics, Code::nothing_to_remove, removal.span, {key});
}

void Merging::add_all(const std::vector<const SyntaxNode*>& declarations) {
    for (const SyntaxNode* d : declarations) {
        switch (d->kind) {
            case Kind::d_when:
            case Kind::d_option: break;
            case Kind::d_replace: replace(*d->children[0]); break;
            case Kind::d_remove: remove(*d); break;
            default: merged.declarations.push_back(d); break;
        }
    }
    for (const SyntaxNode* d : declarations) {
        if (d->kind != Kind::d_when || !holds(*d->children[0])) continue;
        add_all({d->children.begin() + 1, d->children.end()});
    }
}

}  // namespace

std::vector<Offer> offers(const Syntax& syntax) {
    std::vector<Offer> all;
    collect(*syntax.root, all);
    return all;
}

Merged merge(const Syntax& syntax, const Settings& settings, Diagnostics& diagnostics) {
    Merging merging{settings, diagnostics, {}, offers(syntax)};
    if (merging.all.size() > offer_limit) add(diagnostics, Code::limit_passed, merging.all.back().span, {std::to_string(merging.all.size()), "options and readings", std::to_string(offer_limit)});
    merging.choose_values();
    merging.add_all(syntax.root->children);
    merging.merged.offers = std::move(merging.all);
    return std::move(merging.merged);
}

}  // namespace houserule
