// Labels and texts, and which names a file uses and shows.
#include "dsl/check/checker.hpp"
#include "dsl/game/parts.hpp"
#include "dsl/syntax/names_in.hpp"
#include "dsl/text/glyphs.hpp"
#include "dsl/text/kana.hpp"
#include "dsl/text/text.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

namespace {

const std::vector<std::string> places_of_sentences{"{who}", "{cards}", "{value}", "{from}", "{place}"};

// What stands between `{` and `}` in the text, but is none of the places that a sentence about an event has.
std::string unknown_place(const std::string& text) {
    for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
        const std::size_t end = text.find('}', at);
        if (end == std::string::npos) return text.substr(at);
        const std::string place = text.substr(at, end - at + 1);
        if (std::ranges::find(places_of_sentences, place) == places_of_sentences.end()) return place;
    }
    return "";
}

std::string meant(const std::string& place) {
    const std::string near = closest(place, places_of_sentences);
    return near.empty() ? places_of_sentences.front() : near;
}

// Whether labels of this language are for people to read as words.
bool is_spoken(const std::string& language) { return !language.ends_with(read_aloud) && !are_glyphs(language); }

bool is_word(const std::string& name) { return name.find_first_not_of("0123456789") != std::string::npos && name != "yes" && name != "no"; }

}  // namespace

// What is said later outranks what was said before.
void DeclarationReader::say(std::vector<NamedText>& out, NamedText text) {
    const auto [at, added] = (&out == &game_.labels ? label_at_ : text_at_).emplace(std::pair(text.language, text.name), out.size());
    if (added)
        out.push_back(std::move(text));
    else
        out[at->second] = std::move(text);
}

// The colour after `glyph_` is one that terminals have.
void Checker::check_glyph_color(const Node& language) {
    if (!language.text.starts_with(colored_glyph_labels)) return;
    std::vector<std::string> known;
    for (const std::string_view color : glyph_colors) known.push_back(std::string(colored_glyph_labels) + std::string(color));
    if (std::ranges::find(known, language.text) != known.end()) return;
    const std::string near = closest(language.text, known);
    report(Code::unknown_name, language.span, language.text).help = Text::did_you_mean(near.empty() ? known.front() : near);
}

// Two texts of one name in one block: a slip, as nobody replaces there what somebody else said.
void Checker::warn_of_saying_twice(const Node& d) {
    std::map<std::pair<Kind, std::string>, Span> said;
    for (std::size_t i = 1; i < d.children.size(); ++i) {
        const Node& name = *d.children[i]->children[0];
        const auto [first, added] = said.emplace(std::pair(name.kind, name.text), name.span);
        if (!added) report(Code::said_twice, name.span, name.text).labels.push_back({first->second, Text::here});
    }
}

void Checker::check_labels(const Node& d, std::vector<NamedText>& out) {
    const std::string language = d.children[0]->text;
    if (&out == &game_.labels) check_glyph_color(*d.children[0]);
    warn_of_saying_twice(d);
    for (std::size_t i = 1; i < d.children.size(); ++i) {
        const Node& name = *d.children[i]->children[0];
        if (name.kind == Kind::text) {
            say(out, {language, title_key(name.text), d.children[i]->children[1]->text});
            if (&out == &game_.labels || (settings_.empty() && !is_title(*syntax_.root, name.text))) unknown_name(name);
            continue;
        }
        say(out, {language, name.text, d.children[i]->children[1]->text});
        bool known = globals_.contains(name.text) || name.kind == Kind::number || name.text == "setup" || name.text == "play";
        for (const std::string& w : game_.words) known = known || w == name.text;
        for (const Family& f : game_.families)
            for (const Field& field : f.fields) known = known || field.name == name.text;
        for (const OptionValue& o : merged_.options) known = known || o.name == name.text;
        for (const Offer& o : merged_.offers) known = known || std::find(o.values.begin(), o.values.end(), name.text) != o.values.end();
        const bool is_sentence = std::ranges::find(game_.words, name.text) != game_.words.end() ||
                                 std::ranges::find(game_.zones, name.text, &Zone::name) != game_.zones.end() ||
                                 std::ranges::find(game_.facts, name.text, &Fact::name) != game_.facts.end();
        if (const std::string place = is_sentence && &out == &game_.texts ? unknown_place(d.children[i]->children[1]->text) : "";
            !place.empty())
            report(Code::unknown_name, d.children[i]->children[1]->span, place).help = Text::did_you_mean(meant(place));
        if (!known && settings_.empty() && !stands_in(*syntax_.root, name.text)) unknown_name(name);
    }
}

// What should be used somewhere, but for definitions, enums and families.
void Checker::gather_declared(Vocabulary& all) const {
    const auto declared = [&](const auto& things) {
        for (const auto& thing : things) all.declared.emplace(written_name(thing.name), thing.span);
    };
    declared(game_.zones);
    declared(game_.facts);
    declared(game_.rules);
    declared(game_.ends);
    for (const Act& a : game_.acts)
        if (!a.any_time) all.declared.emplace(a.name, a.span);
}

// Facts without a value at the beginning, and those that get one.
void Checker::gather_values(Vocabulary& all) const {
    for (const FactId id : game_.facts.ids()) {
        const Fact& f = game_.facts[id];
        if (f.initial == no_id) all.without_start.emplace(written_name(f.name), f.span);
        if (is_given(game_, id)) all.given.insert(written_name(f.name));
    }
}

void Checker::gather(Vocabulary& all) const {
    gather_declared(all);
    for (const Node* d : merged_.declarations) {
        const bool any_card = std::any_of(game_.zones.begin(), game_.zones.end(),
                                          [](const Zone& z) { return std::count(z.families.begin(), z.families.end(), false) == 0; });
        // An enum is used where one of its values is.
        if (d->kind == Kind::d_enum &&
            std::any_of(d->children.begin(), d->children.end(), [&](const Node* v) { return used_.contains(v->text); }))
            all.used.insert(d->children[0]->text);
        if (d->kind == Kind::d_define || d->kind == Kind::d_enum || (d->kind == Kind::d_cards && !any_card))
            all.declared.emplace(d->children[0]->text, d->children[0]->span);
        // What a house rule does not say in a language, and what its base does not, is asked of that file alone.
        if (!is_own(d->span)) continue;
        // The names themselves are in the language of the file; readings and glyphs are for the names that need them.
        if (d->kind == Kind::d_labels && d->children[0]->text != game_.text_language && is_spoken(d->children[0]->text))
            all.labels_begun.emplace(d->children[0]->text, d->children[0]->span);
        if (d->kind == Kind::d_texts) all.texts_begun.emplace(d->children[0]->text, d->children[0]->span);
    }
    all.used.insert(used_.begin(), used_.end());
    gather_values(all);
    std::set<std::string> shown(all.shown.begin(), all.shown.end());
    std::set<std::string> told(all.told.begin(), all.told.end());
    const auto add = [&](std::vector<std::string>& names, const std::string& name) {
        std::set<std::string>& known = &names == &all.told ? told : shown;
        if (!name.empty() && known.insert(name).second) names.push_back(name);
    };
    add(all.shown, game_.name);
    for (const EnumType& e : game_.enums)
        for (const std::string& v : e.values) add(all.shown, v);
    for (const Family& f : game_.families) add(all.shown, f.name);
    for (const PieceKind& k : game_.kinds) add(all.shown, k.name);
    for (const Zone& z : game_.zones) add(all.shown, written_name(z.name));
    for (const Fact& f : game_.facts) add(all.shown, written_name(f.name));
    for (const Act& a : game_.acts) add(all.shown, a.name);
    for (const End& e : game_.ends) add(all.shown, e.name);
    for (const std::string& w : game_.words) add(all.shown, w);
    if (merged_.layers.size() == 1) {  // a house rule is short: what it replaces has its words in the game
        for (const Rule& r : game_.rules) add(all.shown, r.name);
        for (const Offer& o : merged_.offers) {
            add(all.shown, o.name);
            for (const std::string& v : o.declared)
                if (is_word(v)) add(all.shown, v);
        }
        for (const Node* d : merged_.declarations) {
            const std::string& name = d->kind == Kind::d_define ? d->children[0]->text : "";
            if (name != "score" && name != "payoff") add(all.shown, name);
            if (d->kind != Kind::d_example || !is_own(d->span)) continue;
            add(all.told, title_key(d->children[0]->text));
            all.texts.emplace(game_.text_language, title_key(d->children[0]->text));
        }
    }
    for (const QuestionText& q : game_.questions) {
        if (merged_.layers.size() == 1) add(all.told, title_key(q.text));
        all.texts.emplace(game_.text_language, title_key(q.text));
    }
    for (const NamedText& l : game_.labels) all.labels.emplace(l.language, l.name);
    for (const NamedText& t : game_.texts) {
        all.texts.emplace(t.language, t.name);
        if (t.language != game_.text_language) continue;
        add(all.told, t.name);
        if (!t.name.starts_with('"') && !t.text.empty()) all.words.emplace(t.name, t.text);
    }
}

}  // namespace houserule
