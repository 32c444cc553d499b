#include "dsl/variant/merge.hpp"

#include "dsl/text/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace houserule {

namespace {

using Nodes = std::vector<const SyntaxNode*>;

Phrase one_of(const std::vector<std::string>& values) {
    if (values.size() == 1) return Text::it_is_always(values.front());
    return values.size() > 12 ? Text::one_of_first_to_last(values.front(), values.back()) : Text::one_of(listed(values));
}

// A declaration up to its name: what a message points at.
Span head_span(const SyntaxNode& d) {
    const SyntaxNode* name = name_of(d);
    return name == nullptr ? d.span : cover({d.span.begin, d.span.begin, d.span.source}, name->span);
}

// --- rows of a family

std::string row_name(const SyntaxNode& row) {
    const SyntaxNode* named = child(row, Kind::row_name);
    return named == nullptr ? "" : named->children[0]->text;
}

// What tells a row from others that have no name.
std::string values_text(const Nodes& values) {
    std::string text;
    for (const SyntaxNode* v : values)
        if (v->kind != Kind::row_name) text += print(*v);
    return text;
}
Nodes values_of(const SyntaxNode& row) { return {row.children.begin() + 1, row.children.end()}; }

// The name that stands alone where values could: `3 of flower`, `remove flower`.
std::string lone_name(const Nodes& values) { return values.size() == 1 && values[0]->kind == Kind::name ? values[0]->text : ""; }

Nodes::iterator find_row(Nodes& parts, const std::string& name, const Nodes& values) {
    const std::string text = values_text(values);
    return std::find_if(parts.begin(), parts.end(), [&](const SyntaxNode* part) {
        return part->kind == Kind::row && ((!name.empty() && row_name(*part) == name) || values_text(values_of(*part)) == text);
    });
}

// As people would write it: the words of the leaves.
std::string spelled(const SyntaxNode& node) {
    std::string text = leaf_value(node);
    for (const SyntaxNode* c : node.children) text += (text.empty() ? "" : " ") + spelled(*c);
    return text;
}
std::string spelled(const Nodes& nodes) {
    std::vector<std::string> texts;
    for (const SyntaxNode* n : nodes) texts.push_back(spelled(*n));
    return fmt::format("{}", fmt::join(texts, ", "));
}

// The names of the whole file that a declaration gives.
void names_given(const SyntaxNode& d, std::set<std::string>& names) {
    if (const SyntaxNode* name = name_of(d)) names.insert(name->text);
    switch (d.kind) {
        case Kind::d_enum:
            for (const SyntaxNode* v : d.children) names.insert(v->text);
            break;
        case Kind::d_cards:
            for (const SyntaxNode* part : d.children) {
                if (part->kind == Kind::row) names.insert(row_name(*part).empty() ? lone_name(values_of(*part)) : row_name(*part));
                if (part->kind != Kind::field) continue;
                for (const Kind list : {Kind::t_list, Kind::with_names})
                    if (const SyntaxNode* values = child(*part, list))
                        for (const SyntaxNode* v : values->children) names.insert(v->text);
            }
            break;
        case Kind::d_ends:
            for (const SyntaxNode* e : d.children)
                if (e->kind == Kind::end_entry) names.insert(e->children[0]->text);
            break;
        default:
            break;
    }
    names.erase("");
}

// Where an option or reading stands, also in what is replaced.
const SyntaxNode* find_offer(const SyntaxNode& node, const std::string& name) {
    const bool offers_something = node.kind == Kind::d_option || node.kind == Kind::s_reading || node.kind == Kind::e_reading;
    if (offers_something && node.children[0]->text == name) return &node;
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = find_offer(*c, name)) return found;
    return nullptr;
}

// --- merging

struct Merging {
    const SyntaxNode& root;
    const Settings& settings;
    Diagnostics& diagnostics;
    Merged merged;
    std::vector<Offer> all;
    std::set<std::string> known;  // keys that the layers below have in some variant
    std::set<std::string> alone;  // keys in use of what there is one of

    std::size_t layer() const { return merged.layers.size() - 1; }
    const OptionValue* value_of(const std::string& name) const;
    void choose_values();
    void check_offers();
    void check_option(const SyntaxNode& option);
    void check_sets(const SyntaxNode& of);
    bool holds(const SyntaxNode& condition);
    bool is_value(const SyntaxNode& name, const std::string& value);
    void begin_layer(const SyntaxNode& node);
    void add_all(const Nodes& declarations);
    void add_one(const SyntaxNode& declaration);
    void replace(const SyntaxNode& declaration);
    void replace_end(const SyntaxNode& entry);
    void remove(const SyntaxNode& removal);
    void remove_ends(const std::string& name);
    bool remove_inside(const std::string& key, const Span& removed);
    void change_cards(const SyntaxNode& change);
    void change_enum(const SyntaxNode& change);
    void put_row(Nodes& parts, const SyntaxNode& row);
    SyntaxNode& copy(const SyntaxNode& node) { return merged.made->emplace_back(node); }
    const SyntaxNode** find(const std::string& key);
    void note(const SyntaxNode& old, const SyntaxNode* now, Span span);
    void missing(CodeTaking<1> code, Span span, const std::string& key, const std::string& verb);
    void drop_outdated();
    void point_at_base(Diagnostic& d, const std::string& missing_key = "") const;
};

const OptionValue* Merging::value_of(const std::string& name) const {
    for (const OptionValue& o : merged.options)
        if (o.name == name) return &o;
    return nullptr;
}

void Merging::choose_values() {
    for (const Offer& offer : all) {
        if (offer.values.empty()) continue;
        std::string value = offer.values.front();
        if (!offer.stated.empty() && offer.stated != value)
            report(diagnostics, Code::option_value, offer.span, offer.name, offer.stated).help = one_of(offer.values);
        const auto set = settings.find(offer.name);
        if (set != settings.end()) {
            if (std::find(offer.values.begin(), offer.values.end(), set->second) != offer.values.end()) {
                value = set->second;
            } else {
                Diagnostic& d = report(diagnostics, Code::option_value, offer.span, offer.name, set->second);
                d.help = one_of(offer.values);
                if (offer.set) d.labels.push_back({*offer.set, Text::house_rule_says_so});
            }
        }
        merged.options.push_back({offer.name, value, offer.reading});
    }
    for (const auto& [name, value] : settings) {
        if (value_of(name) != nullptr) continue;
        std::vector<std::string> names;
        for (const Offer& offer : all) names.push_back(offer.name);
        const std::string near = closest(name, names);
        report(diagnostics, Code::unknown_option, {}, name).help = did_you_mean(near);
    }
}

// Two options of one name: only the first would ever be asked for.
void Merging::check_offers() {
    std::map<std::string, Span> options;
    for (const Offer& offer : all) {
        if (offer.reading) continue;
        const auto [first, added] = options.emplace(offer.name, offer.span);
        if (added) continue;
        const bool other_file = first->second.source != offer.span.source;
        Diagnostic& d = report(diagnostics, Code::name_taken, offer.span, offer.name);
        d.help = other_file ? Text::set_another_default(offer.name) : Phrase();
        d.labels.push_back({first->second, Text::here});
    }
}

// A range of an option holds whole numbers, the smaller one first, and not too many.
void Merging::check_option(const SyntaxNode& option) {
    const SyntaxNode& type = *option.children[1];
    if (type.kind != Kind::t_range && type.kind != Kind::t_list && type.kind != Kind::t_yes_no)
        report(diagnostics, Code::not_constant, type.span).help = Text::option_declares;
    if (type.kind != Kind::t_range) return;
    std::int64_t ends[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
        const SyntaxNode& end = *type.children[i];
        if (end.kind != Kind::number || end.text.find('.') != std::string::npos) {
            report(diagnostics, Code::not_constant, end.span).help = Text::option_counts_up;
            return;
        }
        ends[i] = std::strtoll(end.text.substr(0, 18).c_str(), nullptr, 10);
    }
    const auto [low, high] = ends;
    if (low > high)
        report(diagnostics, Code::out_of_range, type.span, Text::a_range, Text::smaller_first, fmt::format("{}..{}", low, high));
    else if (high - low >= option_limit)
        report(diagnostics, Code::limit_passed, type.span, high - low + 1, Text::values, option_limit);
    else if (high > option_high)
        report(diagnostics, Code::too_large, type.span, high, option_high);
}

void Merging::check_sets(const SyntaxNode& of) {
    for (const SyntaxNode* d : of.children) {
        if (d->kind != Kind::d_set) continue;
        if (layer() == 0) {
            report(diagnostics, Code::only_in, d->span, verbatim("`set`"), Text::a_house_rule).help = Text::default_stands_in;
            continue;
        }
        const std::string& name = d->children[0]->text;
        const std::string& value = d->children[1]->text;
        const auto offer = std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.name == name; });
        if (offer == all.end()) {
            std::vector<std::string> names;
            for (const Offer& o : all) names.push_back(o.name);
            const std::string near = closest(name, names);
            Diagnostic& e = report(diagnostics, Code::unknown_option, d->children[0]->span, name);
            e.help = did_you_mean(near);
            const auto meant = std::find_if(all.begin(), all.end(), [&](const Offer& o) { return o.name == near; });
            if (const SyntaxNode* gone = find_offer(root, name))
                e.labels.push_back({gone->children[0]->span, Text::goes_with_replaced});
            else if (meant != all.end())
                e.labels.push_back({meant->span, Text::declared_here});
            else
                point_at_base(e);
            continue;
        }
        const auto lacks = [&](const std::vector<std::string>& values) {
            return std::find(values.begin(), values.end(), value) == values.end();
        };
        // A house rule above may settle it otherwise; one below has the last word.
        const bool settled =
            offer->set && lacks(offer->values) &&
            std::any_of(merged.layers.begin(), merged.layers.end(), [&](const Layer& l) { return l.source == offer->set->source; });
        if (!settled && !lacks(offer->declared)) continue;
        Diagnostic& e = report(diagnostics, Code::option_value, d->children[1]->span, name, value);
        e.help = one_of(settled ? offer->values : offer->declared);
        e.labels.push_back({settled ? *offer->set : offer->span, settled ? Text::settled_here : Text::declared_here});
    }
}

bool Merging::is_value(const SyntaxNode& name, const std::string& value) {
    const OptionValue* option = value_of(name.text);
    if (option == nullptr) {
        std::vector<std::string> names;
        for (const OptionValue& o : merged.options) names.push_back(o.name);
        const std::string near = closest(name.text, names);
        report(diagnostics, Code::unknown_option, name.span, name.text).help =
            near.empty() ? Text::option_declares : Text::did_you_mean(near);
    }
    return option != nullptr && option->value == value;
}

bool Merging::holds(const SyntaxNode& c) {
    switch (c.kind) {
        case Kind::name:
            return is_value(c, "yes");
        case Kind::e_not:
            return !holds(*c.children[0]);
        case Kind::e_and:
            return std::all_of(c.children.begin(), c.children.end(), [&](const SyntaxNode* x) { return holds(*x); });
        case Kind::e_or:
            return std::any_of(c.children.begin(), c.children.end(), [&](const SyntaxNode* x) { return holds(*x); });
        case Kind::e_compare:
            if (c.children[1]->text == "is") return is_value(*c.children[0], leaf_value(*c.children[2]));
            if (c.children[1]->text == "is not") return !is_value(*c.children[0], leaf_value(*c.children[2]));
            break;
        default:
            break;
    }
    report(diagnostics, Code::not_constant, c.span).help = Text::when_takes_option;
    return false;
}

// --- finding what is changed

const SyntaxNode** Merging::find(const std::string& key) {
    const auto at = std::find_if(merged.declarations.begin(), merged.declarations.end(),
                                 [&](const SyntaxNode* d) { return !key.empty() && key_of(*d) == key; });
    return at == merged.declarations.end() ? nullptr : &*at;
}

// The names of `old` that `now` (null: nothing) does not have are gone, the others are changed.
void Merging::note(const SyntaxNode& old, const SyntaxNode* now, Span span) {
    std::set<std::string> before;
    std::set<std::string> after;
    names_given(old, before);
    if (now != nullptr) names_given(*now, after);
    for (const std::string& name : before) (after.contains(name) ? merged.changed : merged.removed)[name] = {span, layer()};
    if (before.empty()) merged.changed[key_of(old)] = {span, layer()};
}

// Without a key it is an option or reading that the game below does not have.
void Merging::point_at_base(Diagnostic& d, const std::string& missing_key) const {
    if (layer() == 0) return;
    const Layer& base = merged.layers[layer() - 1];
    d.labels.push_back({base.line, missing_key.empty() ? Text::base_has_no_option(base.game) : Text::base_has_no(base.game, missing_key)});
}

void Merging::missing(CodeTaking<1> code, Span span, const std::string& key, const std::string& verb) {
    // Of another variant of what is below: here there is nothing to do.
    if (layer() > 0 && known.contains(key)) return;
    Diagnostic& d = report(diagnostics, code, span, key);
    const auto blank = key.rfind(' ');
    const std::string kind = key.substr(0, blank);
    const std::string name = blank == std::string::npos ? "" : key.substr(blank + 1);
    std::vector<std::pair<const SyntaxNode*, std::string>> there;  // what has a name, and its key
    for (const SyntaxNode* declared : merged.declarations) {
        if (name_of(*declared) != nullptr) there.emplace_back(name_of(*declared), key_of(*declared));
        for (const SyntaxNode* e : declared->children)
            if (e->kind == Kind::end_entry) there.emplace_back(name_of(*e), key_of(*e));
    }
    std::vector<std::string> names;
    for (const auto& [node, other] : there) {
        if (!name.empty() && node->text == name) {
            d.help = Text::different_thing(verb, other);
            d.labels.push_back({node->span, Text::value_of_name(other)});
            return;
        }
        if (other.substr(0, other.rfind(' ')) == kind) names.push_back(node->text);
    }
    const std::string near = name.empty() ? "" : closest(name, names);
    for (const auto& [node, other] : there) {
        if (near.empty() || other != kind + " " + near) continue;
        d.help = Text::did_you_mean(near);
        d.labels.push_back({node->span, Text::declared_here});
        return;
    }
    point_at_base(d, key);
}

// --- replacing and removing

void Merging::replace(const SyntaxNode& declaration) {
    if (declaration.kind == Kind::end_entry) return replace_end(declaration);
    const std::string key = key_of(declaration);
    const Span span = head_span(declaration);
    if (const SyntaxNode** d = find(key)) {
        note(**d, &declaration, span);
        *d = &declaration;
        return;
    }
    missing(Code::nothing_to_replace, span, key.empty() ? std::string(kind_name(declaration.kind)).substr(2) : key, "replace");
}

void Merging::replace_end(const SyntaxNode& entry) {
    for (const SyntaxNode*& d : merged.declarations) {
        if (d->kind != Kind::d_ends) continue;
        const auto old =
            std::find_if(d->children.begin(), d->children.end(), [&](const SyntaxNode* e) { return key_of(*e) == key_of(entry); });
        if (old == d->children.end()) continue;
        note(**old, &entry, head_span(entry));
        SyntaxNode& list = copy(*d);
        list.children[old - d->children.begin()] = &entry;
        d = &list;
        return;
    }
    missing(Code::nothing_to_replace, head_span(entry), key_of(entry), "replace");
}

// Takes an end out of the lists of ends.
void Merging::remove_ends(const std::string& name) {
    const auto is_it = [&](const SyntaxNode* e) { return e->kind == Kind::end_entry && e->children[0]->text == name; };
    for (const SyntaxNode*& d : merged.declarations) {
        if (d->kind != Kind::d_ends || std::none_of(d->children.begin(), d->children.end(), is_it)) continue;
        SyntaxNode& list = copy(*d);
        std::erase_if(list.children, is_it);
        d = &list;
    }
    std::erase_if(merged.declarations,
                  [](const SyntaxNode* d) { return d->kind == Kind::d_ends && child(*d, Kind::end_entry) == nullptr; });
}

// A decision or an open question that stands in a rule.
bool Merging::remove_inside(const std::string& key, const Span& removed) {
    Nodes gone;
    for (const SyntaxNode*& d : merged.declarations) d = without(*d, key, *merged.made, gone);
    for (const SyntaxNode* d : gone) {
        note(*d, nullptr, removed);
        merged.cut.push_back(d->span);
    }
    return !gone.empty();
}

void Merging::remove(const SyntaxNode& removal) {
    const std::string key = removed_key(removal);
    const std::string& name = removal.children[1]->text;
    bool found = false;
    for (const SyntaxNode* d : merged.declarations) {
        const bool listed = removal.children[0]->text == "end" && d->kind == Kind::d_ends &&
                            std::any_of(d->children.begin(), d->children.end(), [&](const SyntaxNode* e) { return key_of(*e) == key; });
        if (listed)
            merged.removed[name] = {removal.span, layer()};
        else if (key_of(*d) == key)
            note(*d, nullptr, removal.span);
        else
            continue;
        found = true;
    }
    if (!found && remove_inside(key, removal.span)) return;
    if (!found) return missing(Code::nothing_to_remove, removal.span, key, "remove");
    std::erase_if(merged.declarations, [&](const SyntaxNode* d) { return key_of(*d) == key; });
    if (removal.children[0]->text == "end") remove_ends(name);
}

// --- changing families and enums

void Merging::put_row(Nodes& parts, const SyntaxNode& row) {
    const Nodes values = values_of(row);
    const std::string lone = lone_name(values);
    const std::string name = row_name(row).empty() ? lone : row_name(row);
    const auto old = find_row(parts, name, values);
    if (old == parts.end()) {
        parts.push_back(&row);
    } else if (!lone.empty() && row_name(row).empty() && row_name(**old) == lone) {
        SyntaxNode& counted = copy(**old);  // `3 of flower`: the same card, another number of copies
        counted.children[0] = row.children[0];
        *old = &counted;
    } else {
        *old = &row;
    }
}

void Merging::change_cards(const SyntaxNode& change) {
    const SyntaxNode** family = find(key_of(change));
    if (family == nullptr) return missing(Code::nothing_to_change, head_span(change), key_of(change), "change");
    SyntaxNode& now = copy(**family);
    Nodes& parts = now.children;
    bool every = false;  // a row `of each` was met
    for (const SyntaxNode* c : change.children) {
        if (c->kind == Kind::drop) {
            const auto row = find_row(parts, lone_name(c->children), c->children);
            if (row != parts.end()) {
                parts.erase(row);
                continue;
            }
            Diagnostic& d = report(diagnostics, Code::nothing_to_remove, c->span, spelled(c->children));
            d.labels.push_back({name_of(**family)->span, Text::no_such_row});
        } else if (c->kind == Kind::field) {
            const auto old = std::find_if(parts.begin(), parts.end(), [&](const SyntaxNode* f) {
                return f->kind == Kind::field && f->children[0]->text == c->children[0]->text;
            });
            const auto rows = std::find_if(parts.begin() + 1, parts.end(), [](const SyntaxNode* f) { return f->kind != Kind::field; });
            if (old != parts.end())
                *old = c;
            else
                parts.insert(rows, c);
        } else if (c->kind == Kind::each_row) {
            if (!std::exchange(every, true)) std::erase_if(parts, [](const SyntaxNode* p) { return p->kind == Kind::each_row; });
            parts.push_back(c);
        } else if (c->kind == Kind::row) {
            put_row(parts, *c);
        }
    }
    note(**family, &now, head_span(change));
    *family = &now;
}

void Merging::change_enum(const SyntaxNode& change) {
    const SyntaxNode** declared = find(key_of(change));
    if (declared == nullptr) return missing(Code::nothing_to_change, head_span(change), key_of(change), "change");
    SyntaxNode& now = copy(**declared);
    for (std::size_t i = 1; i < change.children.size(); ++i) {
        const SyntaxNode& c = *change.children[i];
        if (c.kind != Kind::drop) {
            now.children.push_back(&c);
            continue;
        }
        const auto old =
            std::find_if(now.children.begin() + 1, now.children.end(), [&](const SyntaxNode* v) { return v->text == c.children[0]->text; });
        if (old == now.children.end()) {
            std::vector<std::string> values;
            for (auto v = now.children.begin() + 1; v != now.children.end(); ++v) values.push_back((*v)->text);
            const std::string near = closest(c.children[0]->text, values);
            Diagnostic& d = report(diagnostics, Code::nothing_to_remove, c.span, c.children[0]->text);
            d.help = did_you_mean(near);
            d.labels.push_back({name_of(**declared)->span, Text::no_such_value});
        } else if (now.children.size() == 2) {
            report(diagnostics, Code::misplaced, c.span, Text::enum_keeps_a_value)
                .labels.push_back({name_of(**declared)->span, Text::here});
        } else {
            now.children.erase(old);
        }
    }
    note(**declared, &now, head_span(change));
    *declared = &now;
}

// --- layers

// The keys of all variants of a layer. `top`: what a `remove` takes away is gone in all of them.
void gather_keys(const Nodes& declarations, bool top, std::set<std::string>& keys) {
    for (const SyntaxNode* d : declarations) {
        if (top && d->kind == Kind::d_remove) keys.erase(removed_key(*d));
        const SyntaxNode& declared = d->kind == Kind::d_replace ? *d->children[0] : *d;
        if (const std::string key = key_of(declared); !key.empty()) keys.insert(key);
        for (const SyntaxNode* e : declared.children)
            if (e->kind == Kind::end_entry) keys.insert(key_of(*e));
    }
    for (const SyntaxNode* d : declarations)
        if (d->kind == Kind::d_when) gather_keys({d->children.begin() + 1, d->children.end()}, false, keys);
}

void Merging::begin_layer(const SyntaxNode& node) {
    Layer next{node.span.source, "", {0, 0, node.span.source}, merged.layers.empty() ? "en" : merged.layers.back().text_language};
    if (const SyntaxNode* line = game_line(node)) {
        next.game = line->children[0]->text;
        next.line = line->children[0]->span;
        for (std::size_t i = 1; i < line->children.size(); ++i)
            if (line->children[i]->kind == Kind::name) next.text_language = line->children[i]->text;
    }
    merged.layers.push_back(std::move(next));
    alone.erase("game");
    // A house rule has a name and examples of its own: those below are of another game.
    std::erase_if(merged.declarations, [](const SyntaxNode* d) { return d->kind == Kind::d_game || d->kind == Kind::d_example; });
}

// A text about a rule that a house rule changed tells of the rule as it was; what is gone needs no label.
void Merging::drop_outdated() {
    if (layer() == 0) return;
    std::set<std::string> given;
    for (const SyntaxNode* d : merged.declarations) names_given(*d, given);
    const auto used = [&](const std::string& name) {
        return std::any_of(merged.declarations.begin(), merged.declarations.end(),
                           [&](const SyntaxNode* d) { return is_called(*d, name); });
    };
    for (const SyntaxNode*& d : merged.declarations) {
        if (d->kind != Kind::d_texts && d->kind != Kind::d_labels) continue;
        const std::size_t of = merged.layer_of(d->span);
        const auto outdated = [&](const SyntaxNode* text) {
            if (text->kind != Kind::label || of == layer()) return false;
            const std::string& name = text->children[0]->text;
            const auto change = merged.changed.find(name);
            const bool unnamed = name == "setup" || name == "play";
            if (unnamed || given.contains(name))
                return d->kind == Kind::d_texts && change != merged.changed.end() && change->second.layer > of;
            if (name == merged.layers[of].game) return !used(name);
            return merged.removed.contains(name);
        };
        if (std::none_of(d->children.begin(), d->children.end(), outdated)) continue;
        SyntaxNode& others = copy(*d);
        std::erase_if(others.children, outdated);
        d = &others;
    }
    std::erase_if(merged.declarations, [](const SyntaxNode* d) {
        return (d->kind == Kind::d_texts || d->kind == Kind::d_labels) && child(*d, Kind::label) == nullptr;
    });
}

void Merging::add_one(const SyntaxNode& d) {
    std::string key;
    if (d.kind == Kind::d_game) key = "game";
    if (d.kind == Kind::d_play || d.kind == Kind::d_setup || d.kind == Kind::d_winner || d.kind == Kind::d_players) key = key_of(d);
    if (!key.empty() && !alone.insert(key).second) {
        const auto is_it = [&](const SyntaxNode* other) { return other->kind == d.kind; };
        const auto first = std::find_if(merged.declarations.begin(), merged.declarations.end(), is_it);
        const auto word = [&](Span span) { return Span{span.begin, span.begin + static_cast<std::uint32_t>(key.size()), span.source}; };
        Diagnostic& twice = report(diagnostics, Code::already_there, word(d.span), key);
        twice.help = key == "game" ? Phrase() : Text::replace_in_place(key);
        if (first != merged.declarations.end()) twice.labels.push_back({word((*first)->span), Text::here});
        return;
    }
    // The name of a house rule stands where that of its base stood.
    if (d.kind == Kind::d_game && layer() > 0)
        merged.declarations.insert(merged.declarations.begin(), &d);
    else
        merged.declarations.push_back(&d);
}

void Merging::add_all(const Nodes& declarations) {
    for (const SyntaxNode* d : declarations) {
        switch (d->kind) {
            case Kind::house_rule:
            case Kind::d_when:
            case Kind::d_set:
                break;
            case Kind::d_option:
                check_option(*d);
                break;
            case Kind::d_replace:
                if (d->children[0]->kind == Kind::d_option) check_option(*d->children[0]);
                replace(*d->children[0]);
                break;
            case Kind::d_remove:
                remove(*d);
                break;
            case Kind::d_change_cards:
                change_cards(*d);
                break;
            case Kind::d_change_enum:
                change_enum(*d);
                break;
            default:
                add_one(*d);
                break;
        }
    }
    for (const SyntaxNode* d : declarations) {
        if (d->kind != Kind::d_when) continue;
        for (const SyntaxNode* inner : d->children)
            if (inner->kind == Kind::d_set) report(diagnostics, Code::misplaced, inner->span, Text::set_outside_when);
        if (holds(*d->children[0])) add_all({d->children.begin() + 1, d->children.end()});
    }
}

}  // namespace

std::string removed_key(const SyntaxNode& removal) {
    const std::string& word = removal.children[0]->text;
    return fmt::format("{} {}", word == "pieces" ? "cards" : word, removal.children[1]->text);
}

Merged merge(const Syntax& syntax, const Settings& settings, Diagnostics& diagnostics) {
    std::vector<Offer> all = offers(syntax);
    const Settings named = without_labels(syntax, all, settings);
    Merging merging{*syntax.root, named, diagnostics, {}, std::move(all), {}, {}};
    if (merging.all.size() > offer_limit)
        report(diagnostics, Code::limit_passed, merging.all.back().span, merging.all.size(), Text::options_and_readings, offer_limit);
    merging.choose_values();
    merging.check_offers();
    for (const SyntaxNode* layer : layers(syntax)) {
        merging.begin_layer(*layer);
        merging.check_sets(*layer);
        merging.add_all(layer->children);
        gather_keys(layer->children, true, merging.known);
    }
    merging.drop_outdated();
    merging.merged.offers = std::move(merging.all);
    return std::move(merging.merged);
}

// --- both places

std::size_t Merged::layer_of(Span span) const {
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].source == span.source) return i;
    return layers.empty() ? 0 : layers.size() - 1;
}

namespace {

bool names_layer(const Merged& merged, const Diagnostic& d, bool above, std::size_t layer) {
    return std::any_of(d.labels.begin(), d.labels.end(), [&](const Label& l) {
        const std::size_t of = merged.layer_of(l.span);
        return above ? of > layer : of < layer;
    });
}

// A name that a change took away is missed somewhere: the change is what does not fit.
bool blame_removal(const Merged& merged, Diagnostic& d) {
    const bool missed = d.code == Code::unknown_name || d.code == Code::unknown_member;
    const auto gone = missed ? merged.removed.find(d.arguments[0].same()) : merged.removed.end();
    if (gone == merged.removed.end()) return false;
    Diagnostic still = make_diagnostic(Code::still_used, gone->second.span, d.arguments[0]);
    still.labels.push_back({d.span, Text::used_here});
    d = std::move(still);
    return true;
}

void blame_change(const Merged& merged, Diagnostic& d, std::size_t layer) {
    for (const Phrase& name : d.arguments) {
        const auto change = merged.changed.find(name.same());
        if (change == merged.changed.end() || change->second.layer <= layer) continue;
        d.labels.push_back({change->second.span, Text::changed_here});
        return;
    }
    const Layer& top = merged.layers.back();
    d.labels.push_back({top.line, Text::game_changes_this(top.game)});
}

}  // namespace

void name_both(const Merged& merged, Diagnostics& diagnostics, std::size_t first) {
    for (std::size_t i = first; i < diagnostics.size(); ++i) {
        Diagnostic& d = diagnostics[i];
        if (info(d.code).severity != Severity::error || d.span == Span{}) continue;
        if (blame_removal(merged, d)) continue;
        const std::size_t layer = merged.layer_of(d.span);
        const bool top = layer + 1 == merged.layers.size();
        const bool unknown = d.code == Code::unknown_name || d.code == Code::unknown_member || d.code == Code::no_such_card;
        if (!top && !names_layer(merged, d, true, layer))
            blame_change(merged, d, layer);
        else if (layer > 0 && unknown && !names_layer(merged, d, false, layer))
            d.labels.push_back({merged.layers[layer - 1].line, Text::base_has_no(merged.layers[layer - 1].game, d.arguments[0])});
    }
}

}  // namespace houserule
