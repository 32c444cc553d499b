#include "solver/leads/stages.hpp"

#include "dsl/game/names.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/rewrite.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/walk.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace houserule {

namespace {

class Stages {
public:
    Stages(const Syntax& syntax, const Game& game, const Quotes& quotes) : syntax_(syntax), game_(game), quotes_(quotes) {
        for (const SyntaxNode* d : syntax.root->children)
            if (d->kind == Kind::d_fact) facts_[d->children[0]->text] = d;
    }

    std::vector<Lead> all() {
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) { follow(node, rule); });
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) { look(node, rule); });
        return std::move(found_);
    }

private:
    std::string stage_of(const std::string& fact) const {
        const SyntaxNode* lasts = child(*facts_.at(fact), Kind::lasts);
        return lasts == nullptr ? "game" : lasts->children[0]->text;
    }
    bool is_amount(const std::string& name) const {
        const auto fact = facts_.find(name);
        return fact != facts_.end() && child(*fact->second, Kind::t_range) != nullptr && child(*fact->second, Kind::initial) != nullptr;
    }
    // The amounts that are read there, also by what was reckoned before in that rule.
    void amounts_in(const SyntaxNode& node, const std::string& rule, std::set<std::string>& names) const {
        if (node.kind == Kind::name) {
            if (is_amount(node.text)) names.insert(node.text);
            if (const auto let = reckoned_.find({rule, node.text}); let != reckoned_.end())
                names.insert(let->second.begin(), let->second.end());
        }
        for (const SyntaxNode* c : node.children) amounts_in(*c, rule, names);
    }
    static const SyntaxNode& fact_named(const SyntaxNode& target) {
        return target.kind == Kind::e_possessive ? *target.children[1] : target;
    }

    void follow(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_let) amounts_in(*node.children[1], rule, reckoned_[{rule, node.children[0]->text}]);
        // It goes to the next one in turn, or is the one a round begins with, or whose turn it is.
        if (node.kind == Kind::direction && node.children.size() > 2 && node.children[2]->kind == Kind::name) {
            const std::string& name = node.children[2]->text;
            first_.insert(name);
            if (!quotes_.say(rule, Topic::first)) asked_there_.insert(name);
        }
        if (node.kind == Kind::s_call && node.children.size() > 1)
            for (const SyntaxNode* a : node.children[1]->children)
                if (a->kind == Kind::name) first_.insert(a->text);
    }

    void look(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_becomes) kept(node, rule);
        if (rule != "setup" || (node.kind != Kind::s_chance && node.kind != Kind::s_becomes)) return;
        const SyntaxNode& value = *node.children[1];
        if (value.kind == (node.kind == Kind::s_chance ? Kind::players : Kind::seat)) begun_by(node, value);
    }

    // `p's bank becomes p's bank + p's purse`, where the purse is gone when the next round begins: if it were not.
    void kept(const SyntaxNode& node, const std::string& rule) {
        const std::string& to = fact_named(*node.children[0]).text;
        if (!is_amount(to) || node.children[1]->kind != Kind::e_sum) return;
        std::set<std::string> parts;
        amounts_in(*node.children[1], rule, parts);
        if (!parts.contains(to)) return;
        for (const std::string& from : parts) {
            const std::string stage = stage_of(from);
            if (stage == "game" || stage == stage_of(to) || !is_emptied(from) || !asked_.insert(from).second) continue;
            if (quotes_.say(stage, Topic::forfeited)) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& fact = *facts_.at(from);
            const SyntaxNode& lasts = *child(fact, Kind::lasts);
            const SyntaxNode& longer = make(*made, Kind::lasts, lasts.span, {&make(*made, Kind::word, lasts.span, {}, "game")});
            Lead& lead = found_.emplace_back(rewritten(syntax_, lasts, &longer, {made}, from));
            lead.span = fact.span;
            lead.what = FindingClass::count;
            lead.as_is = FindingText::what_is_left_is_gone;
            lead.instead = FindingText::what_is_left_stays;
            lead.title = FindingText::some_is_left_when_it_begins_anew(named(game_, from));
            lead.help = FindingText::say_what_becomes_of_it;
        }
    }
    // Somewhere it becomes less: it is a stock, and no mere count.
    bool is_emptied(const std::string& fact) const { return emptied_in(*syntax_.root, fact); }
    static bool emptied_in(const SyntaxNode& node, const std::string& fact) {
        if (node.kind == Kind::s_becomes && fact_named(*node.children[0]).text == fact) {
            const SyntaxNode& value = *node.children[1];
            const bool nought = value.kind == Kind::number && value.text == "0";
            if (nought || value.kind == Kind::e_call || find(value, Kind::word, "-") != nullptr) return true;
        }
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return emptied_in(*c, fact); });
    }

    // `chance picks starter from players` or `starter becomes P1` in the set-up: if it were another one.
    void begun_by(const SyntaxNode& node, const SyntaxNode& value) {
        const SyntaxNode& fact = *node.children[0];
        if (fact.kind != Kind::name || !first_.contains(fact.text) || asked_there_.contains(fact.text)) return;
        const auto at = facts_.find(fact.text);
        if (at == facts_.end() || child(*at->second, Kind::t_player) == nullptr) return;
        if (is_said_who_begins()) return;
        const bool lot = node.kind == Kind::s_chance;
        auto made = std::make_shared<Made>();
        const std::string other = !lot && value.text == "P1" ? "P2" : "P1";
        const SyntaxNode& by = written("lead_fact becomes " + other, {{"lead_fact", &fact}}, node.span, *made);
        Lead& lead = found_.emplace_back(rewritten(syntax_, node, &by, {made}, fact.text));
        lead.what = FindingClass::chooser;
        if (lot) lead.as_is = FindingText::a_lot_picks_the_first;
        if (lot) lead.instead = FindingText::always_the_same_first;
        lead.title = FindingText::who_is_first_it_makes;
        lead.help = FindingText::say_who_begins;
    }

    // In any text, but not who begins the next time.
    bool is_said_who_begins() const {
        if (quotes_.say("setup", Topic::who_begins) || quotes_.say("play", Topic::who_begins)) return true;
        const auto says_it = [](const std::string& s) { return says(s, Topic::who_begins) && !says(s, Topic::next_first); };
        for (const auto& [name, texts] : quotes_.all())
            for (const Quote& q : texts)
                if (std::ranges::any_of(sentences(q.text), says_it)) return true;
        return false;
    }

    const Syntax& syntax_;
    const Game& game_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> facts_;
    std::map<std::pair<std::string, std::string>, std::set<std::string>> reckoned_;  // by rule and name: the amounts in what was reckoned
    std::set<std::string> first_;                                                    // who begins a round, or what is given to a rule
    std::set<std::string> asked_there_;  // with whom a round begins of which is asked who is first
    std::set<std::string> asked_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_stages(const Syntax& syntax, const Game& game, const Quotes& quotes) {
    return Stages(syntax, game, quotes).all();
}

}  // namespace houserule
