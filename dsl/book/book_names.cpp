// Names: what they stand for and what they are called.
#include "dsl/book/book_words.hpp"

#include "dsl/text/ascii.hpp"
#include "dsl/text/kana.hpp"
#include "dsl/text/spaced.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

void learn_declaration(Telling& t, const Node& d, bool first_wins) {
    const auto mean = [&](const std::string& name, const Node* node, const Node* owner) {
        auto& all = t.meanings[name];
        if (first_wins && std::any_of(all.begin(), all.end(), [&](const NameMeaning& m) { return m.node->kind == node->kind; })) return;
        all.push_back({node, owner});
    };
    if (d.kind == Kind::d_labels || d.kind == Kind::d_texts) {
        for (const Node* l : d.children) {
            if (l->kind != Kind::label) continue;
            const std::string& name = l->children[0]->text;
            if (d.kind == Kind::d_texts) {
                if (!first_wins || !t.texts[name].contains(d.children[0]->text)) t.texts[name][d.children[0]->text] = l->children[1]->text;
            } else if (d.children[0]->text == t.code && (!first_wins || !t.labels.contains(name))) {
                t.labels[name] = l->children[1]->text;
            } else if (d.children[0]->text == t.code + std::string(read_aloud) && (!first_wins || !t.kana.contains(name))) {
                t.kana[name] = l->children[1]->text;
            }
        }
        return;
    }
    const Node* name = name_of(d);
    if (name == nullptr && d.kind != Kind::d_ends) return;
    if (name != nullptr) mean(name->text, &d, nullptr);
    for (const Node* c : d.children) {
        if (d.kind == Kind::d_enum && c != name) mean(c->text, c, &d);
        if (c->kind == Kind::field) {
            mean(c->children[0]->text, c, &d);
            const Node& type = *c->children[1];
            if (type.kind == Kind::t_list)
                for (const Node* v : type.children) mean(v->text, v, c);
        }
        if (const Node* row = c->kind == Kind::row ? name_of_row(d, *c) : nullptr) mean(row->text, c, &d);
        if (d.kind == Kind::d_option && c->kind == Kind::t_list)
            for (const Node* v : c->children) mean(v->text, v, &d);
        if (c->kind == Kind::end_entry) mean(c->children[0]->text, c, &d);
    }
}

void learn_texts(Telling& t, const Node& d, const std::string& language, bool first_wins) {
    const Node* text = child(d, Kind::text);
    std::string name;
    if (d.kind == Kind::d_setup)
        name = "setup";
    else if (d.kind == Kind::d_play)
        name = "play";
    else if (d.kind == Kind::s_reading || d.kind == Kind::e_reading)
        name = d.children[0]->text;
    else if (d.kind == Kind::d_game)
        name = d.children[0]->text;
    else if (const Node* n = name_of(d))
        name = n->text;
    const bool decision = d.kind == Kind::d_assume || d.kind == Kind::d_unclear || d.kind == Kind::d_accept || d.kind == Kind::d_example;
    if (text != nullptr && !name.empty() && !decision && !(first_wins && t.texts[name].contains(language)))
        t.texts[name][language] = text->text;
    if (d.kind == Kind::d_texts || d.kind == Kind::d_labels || d.kind == Kind::house_rule) return;
    for (const Node* c : d.children) learn_texts(t, *c, language, first_wins);
}

}  // namespace

void learn(Telling& t, const Syntax& syntax, const Merged& merged) {
    const auto language_at = [&](const Node& d) { return merged.layers[merged.layer_of(d.span)].text_language; };
    for (const Node* d : merged.declarations) learn_texts(t, *d, language_at(*d), false);
    for (const Node* d : merged.declarations) learn_declaration(t, *d, false);
    // What an option that is not chosen would bring is told as well.
    for (const Node* layer : layers(syntax)) {
        for (const Node* d : layer->children) {
            // What a house rule takes away, and the game itself, is still called by its label.
            if (d->kind == Kind::d_labels) learn_declaration(t, *d, true);
            if (d->kind == Kind::d_option) learn_texts(t, *d, language_at(*d), true), learn_declaration(t, *d, true);
            if (d->kind != Kind::d_when) continue;
            for (const Node* c : d->children) {
                const Node& inner = c->kind == Kind::d_replace ? *c->children[0] : *c;
                learn_declaration(t, inner, true);
                learn_texts(t, inner, language_at(*d), true);
            }
        }
    }
    std::size_t families = 0;
    std::size_t of_pieces = 0;
    for (const Node* d : merged.declarations) {
        if (d->kind != Kind::d_cards) continue;
        ++families;
        of_pieces += (*t.sources)[d->span.source].text(d->span).starts_with("pieces") ? 1 : 0;
    }
    t.pieces = families != 0 && families == of_pieces;
}

const Node* name_of_row(const Node& family, const Node& row) {
    if (const Node* name = child(row, Kind::row_name)) return name->children[0];
    const bool bare = child(family, Kind::field) == nullptr && row.children.size() == 2 && row.children[1]->kind == Kind::name;
    return bare ? row.children[1] : nullptr;
}

const Node* meaning_of(const Telling& t, const std::string& name, Kind kind) {
    const auto all = t.meanings.find(name);
    if (all == t.meanings.end()) return nullptr;
    for (const NameMeaning& m : all->second)
        if (m.node->kind == kind) return m.node;
    return nullptr;
}

std::string named(const Telling& t, const std::string& name) {
    const auto label = t.labels.find(name);
    if (label != t.labels.end()) return shown(label->second);
    if (name == "score") return t.say(BookText::score);
    if (name == "payoff") return t.say(BookText::payoff);
    std::string words = spaced(name);
    // Enums are written `Suit` in files, so that a field may be called `suit`.
    if (words.size() > 1 && !ascii::is_capital_letter(words[1]) && meaning_of(t, name, Kind::d_enum) != nullptr)
        words[0] = ascii::small(words[0]);
    return shown(words);
}

std::string capital(const Telling& t, std::string text) {
    if (t.ja || text.empty()) return text;
    // A mark may stand before the first letter; the file's own words stay as they are.
    std::size_t at = 0;
    while (at < text.size() && (text[at] == strong_begins || text[at] == term_begins || text[at] == '(')) ++at;
    if (at < text.size()) text[at] = ascii::capital(text[at]);
    return text;
}

std::string titled(const Telling& t, const std::string& name) { return capital(t, named(t, name)); }

std::string quoted(const Telling& t, const std::string& name) { return t.fill(BookText::in_quotes, named(t, name)); }

std::string term(const Telling& t, const std::string& name) {
    if (t.ja) return fmt::format("「{}」", named(t, name));
    return fmt::format("{}{}{}", term_begins, named(t, name), term_ends);
}

std::string strong(const std::string& text) { return fmt::format("{}{}{}", strong_begins, text, strong_ends); }

// Japanese has its own brackets, and emphasis between its letters is not reliable in Markdown.
std::string reference(const Telling& t, const std::string& name) { return t.ja ? quoted(t, name) : strong(titled(t, name)); }

std::string text_of(const Telling& t, const std::string& name) {
    const auto all = t.texts.find(name);
    if (all == t.texts.end()) return "";
    const auto wanted = all->second.find(t.code);
    if (wanted != all->second.end()) return shown(wanted->second);
    const auto stated = all->second.find(t.merged->layers.back().text_language);
    return all->second.empty() ? "" : shown(stated != all->second.end() ? stated->second : all->second.begin()->second);
}

std::string source_code(const Telling& t, const Node& node) {
    // Line by line, so that line ends stay blanks; other control characters become pictures.
    std::string text((*t.sources)[node.span.source].text(node.span));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return fmt::format("{}{}{}", code_begins, shown(text), code_ends);
}

std::string piece(const Telling& t, bool many) {
    if (t.pieces) return t.say(many ? BookText::some_pieces : BookText::piece);
    return t.say(many ? BookText::some_cards : BookText::card);
}

std::string listed(const Telling& t, const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : t.say(BookText::between_items)) + text;
    return all;
}

std::string joined(const Telling& t, const std::vector<std::string>& texts) {
    if (t.ja || texts.size() < 2) return listed(t, texts);
    return fmt::format("{} and {}", listed(t, {texts.begin(), texts.end() - 1}), texts.back());
}

// --- local names

const Local* local(const Telling& t, const std::string& name) {
    for (auto l = t.locals.rbegin(); l != t.locals.rend(); ++l)
        if (l->name == name) return &*l;
    return nullptr;
}

void add_local(Telling& t, const std::string& name, Sort sort, const std::string& noun) {
    Local added{name, sort, noun, false, noun.empty()};
    for (const Local& l : t.locals)
        if (!l.titled && !added.titled && l.noun == noun && l.name != name) added.numbered = true;
    t.locals.push_back(std::move(added));
}

void add_parameters(Telling& t, const Node& declaration) {
    const Node* parameters = child(declaration, Kind::parameters);
    if (parameters == nullptr) return;
    const std::size_t first = t.locals.size();
    for (const Node* p : parameters->children) {
        const Node& type = *p->children[0];
        const Sort sort = sort_of_type(t, type);
        std::string noun;
        if (sort == Sort::player) noun = t.say(BookText::player);
        if (sort == Sort::card) noun = named(t, type.children[0]->text);
        if (sort == Sort::number) noun = t.say(BookText::number);
        if (sort == Sort::value && type.kind == Kind::t_named) noun = named(t, type.children[0]->text);
        const bool zone = is_zone_type(t, type);
        if (zone) noun = t.say(BookText::place);
        add_local(t, p->children.back()->text, sort, noun);
        t.locals.back().zone = zone;
    }
    // Two of a kind are both told with their names.
    for (std::size_t i = first; i < t.locals.size(); ++i)
        for (std::size_t j = first; j < t.locals.size(); ++j)
            if (i != j && !t.locals[i].titled && t.locals[i].noun == t.locals[j].noun) t.locals[i].numbered = true;
}

// --- definitions

namespace {

std::size_t size_of(const Node& node) {
    std::size_t n = 1;
    for (const Node* c : node.children) n += size_of(*c);
    return n;
}

bool has(const Node& node, Kind kind) {
    return node.kind == kind || std::any_of(node.children.begin(), node.children.end(), [&](const Node* c) { return has(*c, kind); });
}

// An argument as what a parameter stands for.
Local given(Telling& t, const std::string& name, const Node& argument) {
    Local l{name, sort_of(t, argument), "", false, true};
    if (is_it(t, argument)) {
        l.it = true;
    } else if (const Local* outer = argument.kind == Kind::name ? local(t, argument.text) : nullptr) {
        l = *outer;
        l.called = outer->called.empty() ? outer->name : outer->called;
        l.name = name;
    } else {
        l.text = phrase(t, argument);
        l.zone = is_zone(t, argument);
    }
    return l;
}

}  // namespace

const Node* spelled_out(Telling& t, const std::string& name, const std::vector<const Node*>& arguments) {
    const bool truth = meaning_of(t, name, Kind::d_define) != nullptr && is_truth(t, *meaning_of(t, name, Kind::d_define)->children.back());
    const std::size_t longest = truth && t.depth == 0 ? 24 : 12;  // nodes: about a line, about half a line
    const Node* define = meaning_of(t, name, Kind::d_define);
    const bool named_whole = define != nullptr && t.labels.contains(name) && (!t.ja || child(*define, Kind::parameters) == nullptr);
    if (define == nullptr || named_whole || !t.spell || t.depth > (truth ? 2 : 0)) return nullptr;
    if (!text_of(t, name).empty()) return nullptr;  // explained under the terms, in the author's words
    const Node* value = define->children.back();
    if (value->kind == Kind::e_reading && t.ja) value = chosen_arm(t, *value)->children.back();
    const Node* parameters = child(*define, Kind::parameters);
    const std::size_t count = parameters == nullptr ? 0 : parameters->children.size();
    // An English name alone reads well; in Japanese it is foreign.
    if (!t.ja && (count == 0 || !truth)) return nullptr;
    const bool by_cases = has(*value, Kind::e_cases) || has(*value, Kind::e_cases_of) || has(*value, Kind::e_reading) ||
                          (!truth && value->kind == Kind::e_if);
    if (by_cases || count != arguments.size() || size_of(*value) > longest || value->kind == Kind::yes || value->kind == Kind::no)
        return nullptr;
    // What goes through things of its own would say `it` of those and of the argument.
    if (goes_through(*value) &&
        std::any_of(arguments.begin(), arguments.end(), [&](const Node* a) { return goes_through(*a) || is_it(t, *a); }))
        return nullptr;
    std::vector<Local> all;
    std::string subject;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& parameter = parameters->children[i]->children.back()->text;
        all.push_back(given(t, parameter, *arguments[i]));
        if (arguments[i]->kind == Kind::name && arguments[i]->text == t.subject) subject = parameter;
    }
    t.subject = subject;
    t.locals = std::move(all);
    return value;
}

std::string defined(Telling& t, const std::string& name) {
    t.used.insert(name);
    return term(t, name);
}

// --- what an expression stands for

bool is_zone_type(const Telling& t, const Node& type) {
    return type.kind == Kind::t_zone && meaning_of(t, "zone", Kind::d_enum) == nullptr && meaning_of(t, "zone", Kind::d_cards) == nullptr;
}

Sort sort_of_type(const Telling& t, const Node& type) {
    switch (type.kind) {
        case Kind::t_yes_no:
            return Sort::truth;
        case Kind::t_range:
            return Sort::number;
        case Kind::t_player:
            return Sort::player;
        case Kind::t_set:
            return type.children[0]->kind == Kind::t_player                                       ? Sort::players
                   : meaning_of(t, type.children[0]->children[0]->text, Kind::d_cards) != nullptr ? Sort::kinds
                                                                                                  : Sort::other;
        case Kind::t_kind:
            return Sort::card;
        case Kind::t_several:
            return Sort::cards;
        case Kind::t_zone:
            return is_zone_type(t, type) ? Sort::cards : Sort::value;
        case Kind::t_named:
            return meaning_of(t, type.children[0]->text, Kind::d_cards) != nullptr ? Sort::card : Sort::value;
        default:
            return Sort::value;
    }
}

const Node* fact_type(const Telling& t, const std::string& name) {
    const Node* fact = meaning_of(t, name, Kind::d_fact);
    if (fact == nullptr) return nullptr;
    for (const Node* c : fact->children)
        if (c->kind >= Kind::t_yes_no && c->kind <= Kind::t_list && c->kind != Kind::by) return c;
    return nullptr;
}

namespace {

Sort sort_of_zone(const Node& zone) {
    const Node* shape = child(zone, Kind::word);
    return shape != nullptr && shape->text == "one" ? Sort::card : Sort::cards;
}

Sort sort_of_definition(Telling& t, const Node& define) {
    if (t.depth > 20) return Sort::other;
    const BlockScope scope(t);
    add_parameters(t, define);
    ++t.depth;
    const Sort sort = sort_of(t, *define.children.back());
    --t.depth;
    return sort;
}

// Of a zone, a fact, a definition, an option, or a value.
Sort sort_of_name(Telling& t, const std::string& name) {
    if (const Local* l = local(t, name)) return l->sort;
    if (const Node* zone = meaning_of(t, name, Kind::d_zone)) return sort_of_zone(*zone);
    if (const Node* type = fact_type(t, name)) return sort_of_type(t, *type);
    if (const Node* define = meaning_of(t, name, Kind::d_define)) return sort_of_definition(t, *define);
    if (const Node* option = meaning_of(t, name, Kind::d_option)) return sort_of_type(t, *option->children[1]);
    if (meaning_of(t, name, Kind::d_cards) != nullptr) return Sort::kinds;
    if (meaning_of(t, name, Kind::row) != nullptr) return Sort::card;
    return Sort::value;
}

Sort sort_of_member(Telling& t, const std::string& name) {
    if (name == "left" || name == "right" || name == "across" || name == "partner") return Sort::player;
    if (name == "team") return Sort::number;
    if (const Node* zone = meaning_of(t, name, Kind::d_zone)) return sort_of_zone(*zone);
    if (const Node* type = fact_type(t, name)) return sort_of_type(t, *type);
    if (const Node* field = meaning_of(t, name, Kind::field)) return sort_of_type(t, *field->children[1]);
    return Sort::other;
}

Sort sort_of_call(Telling& t, const Node& call) {
    const Node* define = meaning_of(t, call.children[0]->text, Kind::d_define);
    return define == nullptr ? Sort::number : sort_of_definition(t, *define);
}

Sort sort_of_reading(Telling& t, const Node& reading) {
    const Node* arm = child(reading, Kind::reading_choice);
    return arm == nullptr ? Sort::other : sort_of(t, *arm->children.back());
}

Sort one_of_many(Sort many) {
    return many == Sort::players ? Sort::player : many == Sort::cards || many == Sort::kinds ? Sort::card : many;
}

Sort many_of_one(Sort one) { return one == Sort::player ? Sort::players : one == Sort::card ? Sort::cards : one; }

}  // namespace

bool is_condition(const Node& node) {
    switch (node.kind) {
        case Kind::e_or:
        case Kind::e_and:
        case Kind::e_not:
        case Kind::e_compare:
        case Kind::e_in:
        case Kind::e_not_in:
        case Kind::e_empty:
        case Kind::e_not_empty:
        case Kind::e_is_a:
        case Kind::e_is_not_a:
        case Kind::e_splits:
        case Kind::e_some:
        case Kind::e_no:
            return true;
        default:
            return false;
    }
}

// What is at one of several places, or the n-th card of a row.
static Sort sort_at(Telling& t, const Node& of) {
    const Node& name = of.kind == Kind::e_possessive ? *of.children[1] : of.children.empty() ? of : *of.children[0];
    const Node* declared = meaning_of(t, name.text, Kind::d_zone);
    if (declared == nullptr) declared = meaning_of(t, name.text, Kind::d_fact);
    return declared != nullptr && child(*declared, Kind::spots) != nullptr ? sort_of(t, of) : Sort::card;
}

Sort sort_of(Telling& t, const Node& node) {
    if (is_condition(node)) return Sort::truth;
    switch (node.kind) {
        case Kind::number:
        case Kind::e_product:
        case Kind::e_minus:
        case Kind::e_size:
        case Kind::e_total:
        case Kind::e_least_left:
            return Sort::number;
        case Kind::seat:
        case Kind::nobody:
        case Kind::e_next:
            return Sort::player;
        case Kind::players:
            return Sort::players;
        case Kind::yes:
        case Kind::no:
            return Sort::truth;
        case Kind::name:
            return sort_of_name(t, node.text);
        case Kind::e_possessive:
            return sort_of_member(t, node.children[1]->text);
        case Kind::e_of:
            return sort_of_name(t, node.children[0]->text) == Sort::card ? Sort::cards : sort_of_name(t, node.children[0]->text);
        case Kind::e_call:
            return sort_of_call(t, node);
        case Kind::e_the:
            return one_of_many(sort_of(t, *node.children[0]));
        case Kind::e_every:
        case Kind::e_groups:
        case Kind::e_all:
            return Sort::cards;
        case Kind::e_kinds:
            return Sort::kinds;
        case Kind::e_first:
        case Kind::e_last:
            return node.children.size() > 1 ? Sort::cards : Sort::card;
        case Kind::e_at:
            return sort_at(t, *node.children[0]);
        case Kind::e_card:
            return Sort::card;
        case Kind::e_any:
            return sort_of(t, *node.children.back());
        case Kind::e_set:
            return node.children.empty() ? Sort::other : many_of_one(sort_of(t, *node.children[0]));
        case Kind::e_where:
        case Kind::e_with:
        case Kind::e_or_if_none:
        case Kind::e_range:
        case Kind::e_if:
            return sort_of(t, *node.children[0]);
        case Kind::e_sum:
            return sort_of(t, *node.children[2]) == Sort::number ? Sort::number : many_of_one(sort_of(t, *node.children[0]));
        case Kind::e_but:
            return many_of_one(sort_of(t, *node.children[0]));
        case Kind::e_cases:
            return node.children.empty() ? Sort::other : sort_of(t, *node.children[0]->children.back());
        case Kind::e_cases_of:
            return node.children.size() < 2 ? Sort::other : sort_of(t, *node.children[1]->children.back());
        case Kind::e_reading:
            return sort_of_reading(t, node);
        default:
            return Sort::other;
    }
}

bool is_truth(Telling& t, const Node& node) { return sort_of(t, node) == Sort::truth; }

// --- what is said of facts and of elements

const std::string* fact_of(const Node& target) {
    return target.kind == Kind::name           ? &target.text
           : target.kind == Kind::e_possessive ? &target.children[1]->text
           : target.kind == Kind::e_of         ? &target.children[0]->text
                                               : nullptr;
}

std::string changed_by(const Telling& t, const Node& s) {
    const Node& value = *s.children[1];
    const std::string* name = fact_of(*s.children[0]);
    const auto source = [&](const Node& n) { return (*t.sources)[n.span.source].text(n.span); };
    const bool change = value.kind == Kind::e_sum && value.children.size() == 3 && source(*value.children[0]) == source(*s.children[0]);
    return change && name != nullptr ? *name : "";
}

// What is counted up is many or few, a score is high or low, and other numbers are large or small.
std::string extreme(Telling& t, const Node& node, bool most) {
    if (node.kind == Kind::e_call) {
        const BlockScope scope(t);
        if (const Node* value = spelled_out(t, node.children[0]->text, node.children.back()->children)) return extreme(t, *value, most);
        if (node.children[0]->text == "score") return t.say(most ? BookText::is_high : BookText::is_low);
    }
    const std::string* name = node.kind == Kind::name ? &node.text : node.kind == Kind::e_possessive ? &node.children[1]->text : nullptr;
    bool counted = node.kind == Kind::e_size;
    if (name != nullptr && fact_type(t, *name) != nullptr) {
        for (const Node* d : t.merged->declarations)
            each_node(*d, Kind::s_becomes, [&](const Node& s) { counted = counted || changed_by(t, s) == *name; });
    }
    if (counted) return t.say(most ? BookText::are_many : BookText::are_few);
    return t.say(most ? BookText::is_large : BookText::is_small);
}

bool goes_without_saying(Telling& t, const Node& argument, const std::vector<const Node*>& arguments) {
    if (!t.ja || !is_it(t, argument)) return false;
    const auto sort = [&](const Node& a) { return a.kind == Kind::it ? t.element : sort_of(t, a); };
    return std::none_of(arguments.begin(), arguments.end(), [&](const Node* a) { return a != &argument && sort(*a) == sort(argument); });
}

}  // namespace houserule::cli
