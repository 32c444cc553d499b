#include "dsl/variant/variant.hpp"

#include "dsl/text/texts.hpp"
#include "dsl/variant/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace houserule {

namespace {

std::vector<std::string> option_values(const SyntaxNode& option) {
    const SyntaxNode& type = *option.children[1];
    if (type.kind == Kind::t_yes_no) return {"yes", "no"};
    std::vector<std::string> values;
    if (type.kind == Kind::t_list) {
        for (const SyntaxNode* v : type.children) values.push_back(leaf_value(*v));
    } else if (type.kind == Kind::t_range && type.children[0]->kind == Kind::number && type.children[1]->kind == Kind::number) {
        const long low = std::strtol(type.children[0]->text.c_str(), nullptr, 10);
        const long high = std::strtol(type.children[1]->text.c_str(), nullptr, 10);
        for (long v = low; v <= high && v - low < option_limit; ++v) values.push_back(std::to_string(v));
    }
    return values;
}

void default_first(std::vector<std::string>& values, const std::string& value) {
    const auto at = std::find(values.begin(), values.end(), value);
    if (at != values.end()) std::rotate(values.begin(), at, at + 1);
}

Offer option_offer(const SyntaxNode& node) {
    Offer offer;
    offer.name = node.children[0]->text;
    offer.values = offer.declared = option_values(node);
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
    offer.declared = offer.values;
    default_first(offer.values, chosen);
    return offer;
}

// `gone`: declarations that a house rule above takes away or replaces, with the readings in them.
void collect(const SyntaxNode& node, const std::set<std::string>& gone, std::vector<Offer>& all) {
    if (all.size() > offer_limit || node.kind == Kind::house_rule) return;
    if (!gone.empty() && gone.contains(key_of(node))) return;
    if (node.kind == Kind::d_option && child(node, Kind::initial) != nullptr) all.push_back(option_offer(node));
    if (node.kind == Kind::s_reading || node.kind == Kind::e_reading) {
        Offer offer = reading_offer(node);
        const bool known = std::any_of(all.begin(), all.end(), [&](const Offer& o) { return o.name == offer.name; });
        if (!known) all.push_back(std::move(offer));
    }
    for (const SyntaxNode* c : node.children) collect(*c, gone, all);
}

std::string stage_of(const SyntaxNode& d) {
    const SyntaxNode* stage = child(d, Kind::of_stage);
    return stage == nullptr || stage->children[0]->kind != Kind::name ? "" : " of " + stage->children[0]->text;
}

void apply_set(const SyntaxNode& d, std::vector<Offer>& all) {
    const auto offer = std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.name == d.children[0]->text; });
    const std::string& value = d.children[1]->text;
    if (offer == all.end() || std::find(offer->values.begin(), offer->values.end(), value) == offer->values.end()) return;
    default_first(offer->values, value);
    if (child(d, Kind::word) != nullptr) offer->values = {value};
    offer->stated = value;
    offer->set = d.span;
}

}  // namespace

const SyntaxNode* name_of(const SyntaxNode& d) {
    switch (d.kind) {
        case Kind::d_rule:
        case Kind::d_define:
        case Kind::d_zone:
        case Kind::d_fact:
        case Kind::d_act:
        case Kind::d_enum:
        case Kind::d_cards:
        case Kind::d_change_enum:
        case Kind::d_change_cards:
        case Kind::d_total:
        case Kind::d_match:
        case Kind::d_option:
        case Kind::d_assume:
        case Kind::d_unclear:
        case Kind::end_entry:
            return d.children[0];
        case Kind::d_end:
            return child(d, Kind::name);
        default:
            return nullptr;
    }
}

std::string key_of(const SyntaxNode& d) {
    switch (d.kind) {
        case Kind::d_setup:
            return "setup";
        case Kind::d_play:
            return "play";
        case Kind::d_winner:
            return "winner";
        case Kind::d_players:
            return "players";
        case Kind::end_entry:
        case Kind::d_end:
            return fmt::format("end {}", name_of(d) ? name_of(d)->text : "");
        case Kind::d_change_cards:
            return "cards " + name_of(d)->text;
        case Kind::d_change_enum:
            return "enum " + name_of(d)->text;
        case Kind::d_ends: {
            std::vector<std::string> after;
            for (const SyntaxNode* rule : child(d, Kind::after)->children) after.push_back(rule->text);
            return fmt::format("ends{} checked after {}", stage_of(d), fmt::join(after, ", "));
        }
        default:
            break;
    }
    const SyntaxNode* name = name_of(d);
    return name == nullptr ? "" : fmt::format("{} {}", kind_name(d.kind).substr(2), name->text);
}

const SyntaxNode* without(const SyntaxNode& node, const std::string& key, std::deque<SyntaxNode>& made,
                          std::vector<const SyntaxNode*>& gone) {
    SyntaxNode* changed = nullptr;
    for (std::size_t i = node.children.size(); i-- > 0;) {
        const SyntaxNode& c = *node.children[i];
        const bool goes = (c.kind == Kind::d_assume || c.kind == Kind::d_unclear) && key_of(c) == key;
        const SyntaxNode* kept = goes ? nullptr : without(c, key, made, gone);
        if (kept == &c) continue;
        if (goes) gone.push_back(&c);
        if (changed == nullptr) changed = &made.emplace_back(node);
        changed->children[i] = kept;
    }
    if (changed == nullptr) return &node;
    std::erase(changed->children, nullptr);
    return changed;
}

std::vector<Offer> offers(const Syntax& syntax) {
    const std::vector<const SyntaxNode*> stack = layers(syntax);
    std::vector<std::set<std::string>> gone(stack.size());
    for (std::size_t i = stack.size() - 1; i > 0; --i) {
        gone[i - 1] = gone[i];
        for (const SyntaxNode* d : stack[i]->children) {
            if (d->kind == Kind::d_replace) gone[i - 1].insert(key_of(*d->children[0]));
            if (d->kind == Kind::d_remove) gone[i - 1].insert(removed_key(*d));
        }
        gone[i - 1].erase("");
    }
    std::vector<Offer> all;
    for (std::size_t i = 0; i < stack.size(); ++i)
        for (const SyntaxNode* d : stack[i]->children) collect(*d, gone[i], all);
    for (std::size_t i = 1; i < stack.size(); ++i)
        for (const SyntaxNode* d : stack[i]->children)
            if (d->kind == Kind::d_set) apply_set(*d, all);
    return all;
}

Settings without_labels(const Syntax& syntax, const std::vector<Offer>& offers, const Settings& settings) {
    const auto says_so = [](const SyntaxNode& d, const std::string& name, const std::string& shown) {
        return d.kind == Kind::d_labels && std::ranges::any_of(d.children, [&](const SyntaxNode* l) {
                   return l->kind == Kind::label && l->children[0]->text == name && l->children[1]->text == shown;
               });
    };
    const auto is_labelled = [&](const std::string& name, const std::string& shown) {
        return std::ranges::any_of(layers(syntax), [&](const SyntaxNode* layer) {
            return std::ranges::any_of(layer->children, [&](const SyntaxNode* d) { return says_so(*d, name, shown); });
        });
    };
    Settings named;
    for (const auto& [name, value] : settings) {
        const auto is_it = [&](const Offer& o) { return o.name == name; };
        auto offer = std::ranges::find_if(offers, is_it);
        if (offer == offers.end()) offer = std::ranges::find_if(offers, [&](const Offer& o) { return is_labelled(o.name, name); });
        if (offer == offers.end()) {
            named[name] = value;
            continue;
        }
        const bool is_value = std::ranges::find(offer->declared, value) != offer->declared.end();
        const auto meant = std::ranges::find_if(offer->declared, [&](const std::string& v) {
            const bool is_word =
                (v == "yes" && value == Text::word_yes.in(Language::ja)) || (v == "no" && value == Text::word_no.in(Language::ja));
            return !is_value && (is_word || is_labelled(v, value));
        });
        named[offer->name] = meant == offer->declared.end() ? value : *meant;
    }
    return named;
}

std::vector<const SyntaxNode*> example_blocks(const SyntaxNode& node) {
    std::vector<const SyntaxNode*> blocks;
    if (node.kind == Kind::d_example) blocks.push_back(&node);
    for (const SyntaxNode* c : node.children) {
        const auto inside = example_blocks(*c);
        blocks.insert(blocks.end(), inside.begin(), inside.end());
    }
    return blocks;
}

Settings settings_of_example(const SyntaxNode& example) {
    Settings settings;
    for (const SyntaxNode* c : example.children) {
        if (c->kind != Kind::with_option) continue;
        const SyntaxNode& v = *c->children[1];
        settings[c->children[0]->text] = v.kind == Kind::yes ? "yes" : v.kind == Kind::no ? "no" : v.text;
    }
    return settings;
}

}  // namespace houserule
