#include "solver/leads/starts.hpp"

#include "dsl/game/names.hpp"
#include "dsl/text/ascii.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/rewrite.hpp"
#include "solver/findings/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace houserule {

namespace {

// The words by which a text may speak of it: its name, the parts of it, its labels.
std::vector<std::string> words_for(const Game& game, const std::string& name) {
    constexpr std::size_t least = 3;
    std::vector<std::string> words;
    const auto add = [&](const std::string& text) {
        std::string part;
        for (const char c : text + " ") {
            if (c != '_' && c != ' ') {
                part += c;
                continue;
            }
            if (part.size() >= least) words.push_back(part);
            part.clear();
        }
    };
    add(name);
    for (const NamedText& l : game.labels)
        if (l.name == name) add(l.text);
    return words;
}

// Another value that it could begin with, the nearest; nothing where one is as good as the next.
std::optional<std::int32_t> other_start(const Game& game, const Fact& fact) {
    if (fact.initial == no_id || fact.type.or_none) return std::nullopt;
    const Expression& e = game.expressions[fact.initial];
    if (e.op != Operator::constant) return std::nullopt;
    switch (fact.type.base) {
        case Base::number:
            if (e.value() == 0) return std::nullopt;
            return e.value() < fact.type.high ? e.value() + 1 : e.value() - 1;
        case Base::player:
            return (e.value() + 1) % game.players;
        case Base::enumeration:
            return (e.value() + 1) % game.enums[EnumId(fact.type.of)].size();
        default:
            return std::nullopt;
    }
}

bool is_said(const Game& game, const Fact& fact, const Quotes& quotes) {
    const std::int32_t start = game.expressions[fact.initial].value();
    switch (fact.type.base) {
        case Base::player:
            return quotes.say("setup", Topic::first) || quotes.say("play", Topic::first);
        case Base::enumeration: {
            for (const char* where : {"setup", "play"})
                for (const Quote& q : quotes.of(where))
                    if (has_word(q.text, value_name(game, fact.type, start)) ||
                        has_word(q.text, value_name(game, fact.type, start, q.language)))
                        return true;
            return false;
        }
        default:
            return quotes.number_with(start / fact.type.scale, words_for(game, fact.name)) || !quotes.starts_said(fact.name).empty();
    }
}

class Results {
public:
    Results(const Syntax& syntax, const Quotes& quotes) : syntax_(syntax), quotes_(quotes) {
        collect(*syntax.root);
        for (const SyntaxNode* part : parts_) count(*part);
    }

    std::vector<Lead> all() {
        for (const SyntaxNode* zone : zones_) {
            const std::string& name = zone->children[0]->text;
            const SyntaxNode* seers = child(*zone, Kind::seers);
            if (counted_.contains(name) || seers == nullptr || seers->children[0]->text == "all") continue;
            for (const auto& [other, at] : counted_at_)
                if (takes_like(*zone, other) && goes_there(*syntax_.root, name, other)) {
                    ask(*zone, *at);
                    break;
                }
        }
        return std::move(found_);
    }

private:
    void collect(const SyntaxNode& node) {
        if (node.kind == Kind::d_zone && child(node, Kind::of_index) != nullptr &&
            child(node, Kind::of_index)->children[0]->text == "player")
            zones_.push_back(&node);
        const bool defines = node.kind == Kind::d_define;
        if (defines) defines_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_winner || (defines && (node.children[0]->text == "score" || node.children[0]->text == "payoff")))
            parts_.push_back(&node);
        for (const SyntaxNode* c : node.children) collect(*c);
    }
    // The zones that the result looks at, also in what it calls.
    void count(const SyntaxNode& node) {
        if (!seen_.insert(&node).second) return;
        if (node.kind == Kind::e_possessive) {
            const std::string& name = node.children[1]->text;
            const bool zone = std::any_of(zones_.begin(), zones_.end(), [&](const SyntaxNode* z) { return z->children[0]->text == name; });
            if (zone && counted_.insert(name).second) counted_at_.emplace_back(name, &node);
        }
        if (node.kind == Kind::name && defines_.contains(node.text)) count(*defines_[node.text]);
        for (const SyntaxNode* c : node.children) count(*c);
    }
    static bool mentions(const SyntaxNode& node, const std::string& name) {
        if (node.kind == Kind::name && node.text == name) return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return mentions(*c, name); });
    }
    static bool puts_in(const SyntaxNode& node, const std::string& zone) {
        if (node.kind == Kind::s_put && mentions(*node.children[2], zone)) return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return puts_in(*c, zone); });
    }
    // Whether one rule speaks of the one place and puts cards in the other.
    static bool goes_there(const SyntaxNode& node, const std::string& zone, const std::string& other) {
        if (node.kind == Kind::d_rule) return mentions(node, zone) && puts_in(node, other);
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return goes_there(*c, zone, other); });
    }
    bool takes_like(const SyntaxNode& zone, const std::string& other) const {
        for (const SyntaxNode* z : zones_) {
            if (z->children[0]->text != other) continue;
            const SyntaxNode* a = child(zone, Kind::families);
            const SyntaxNode* b = child(*z, Kind::families);
            if (a == nullptr || b == nullptr || a->children.empty() || b->children.empty()) return false;
            for (const SyntaxNode* x : a->children)
                for (const SyntaxNode* y : b->children)
                    if (x->text == y->text) return true;
        }
        return false;
    }
    void ask(const SyntaxNode& zone, const SyntaxNode& counted) {
        for (const auto& [name, texts] : quotes_.all())
            for (const Quote& q : texts)
                if (says(q.text, Topic::leftovers) && has_word(q.text, zone.children[0]->text)) return;
        auto made = std::make_shared<std::deque<SyntaxNode>>();
        const auto make = [&](Kind kind, std::vector<const SyntaxNode*> children, std::string text = "") -> const SyntaxNode* {
            return &made->emplace_back(SyntaxNode{kind, counted.span, std::move(text), std::move(children)});
        };
        const SyntaxNode* own = make(Kind::e_possessive, {counted.children[0], make(Kind::name, {}, zone.children[0]->text)});
        const SyntaxNode* sum = make(Kind::e_sum, {&counted, make(Kind::word, {}, "+"), own});
        Lead& lead = found_.emplace_back();
        lead.syntax = replaced(syntax_, &counted, sum, {made});
        lead.span = counted.span;
        lead.rule = zone.children[0]->text;
        lead.what = FindingClass::count;
        lead.as_is = FindingText::they_do_not_count;
        lead.instead = FindingText::they_count;
        lead.title = FindingText::it_is_over_and_some_still(lead.rule);
        lead.help = FindingText::say_what_becomes_of_the_cards;
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::vector<const SyntaxNode*> zones_;
    std::vector<const SyntaxNode*> parts_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::set<std::string> counted_;
    std::vector<std::pair<std::string, const SyntaxNode*>> counted_at_;  // in the order in which the result looks at them
    std::set<const SyntaxNode*> seen_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_starts(const Syntax& syntax, const Game& game, const Quotes& quotes) {
    std::vector<Lead> found;
    for (const Fact& fact : game.facts) {
        const auto other = other_start(game, fact);
        if (!other || *other == game.expressions[fact.initial].value() || is_said(game, fact, quotes)) continue;
        Lead& lead = found.emplace_back();
        lead.syntax = syntax;
        lead.span = fact.span;
        lead.rule = fact.name;
        lead.what = FindingClass::hole;
        const auto begins = [&](std::int32_t value) {
            return FindingText::it_begins_as(Sentence::each(
                [&](Language language) { return value_name(game, fact.type, value, language == Language::en ? "" : code_of(language)); }));
        };
        const Sentence name = named(game, fact.name);
        lead.as_is = begins(game.expressions[fact.initial].value());
        lead.instead = begins(*other);
        lead.title = FindingText::what_this_is_at_the_start(name);
        lead.help = FindingText::say_it_in_the_set_up;
        lead.alter = [of = fact.name, value = *other](Game& changed) {
            for (Fact& f : changed.facts) {
                if (f.name != of || f.initial == no_id) continue;
                Expression start = changed.expressions[f.initial];
                start.immediate = value;
                f.initial = changed.expressions.add(start);
                f.name += "'";
            }
        };
    }
    return found;
}

std::vector<Lead> leads_of_results(const Syntax& syntax, const Quotes& quotes) { return Results(syntax, quotes).all(); }

}  // namespace houserule
