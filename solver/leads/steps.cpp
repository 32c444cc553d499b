#include "solver/leads/steps.hpp"

#include "dsl/text/ascii.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/walk.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>

namespace houserule {

namespace {

// Whether a text says how many, or that there is one.
bool has_quantity(const std::string& text) {
    static const std::set<std::string, std::less<>> words{"a",    "an",   "all",  "each",  "every",  "another", "both",
                                                          "half", "rest", "many", "more",  "single", "until",   "it",
                                                          "up",   "them", "once", "twice", "next",   "top"};
    static const std::vector<std::string> parts{"枚", "全", "すべて", "ずつ", "残り", "まで", "同じ数", "同数"};
    if (!numbers_said(text, 1).empty()) return true;
    if (std::ranges::any_of(parts, [&](const std::string& part) { return text.find(part) != std::string::npos; })) return true;
    std::string word;
    for (const char c : text + " ") {
        if (ascii::is_letter(c)) {
            word += ascii::small(c);
            continue;
        }
        if (words.contains(word)) return true;
        word.clear();
    }
    return false;
}

class Steps {
public:
    Steps(const Syntax& syntax, const Quotes& quotes) : syntax_(syntax), quotes_(quotes) { collect(*syntax.root, false); }

    std::vector<Lead> all(const std::optional<std::pair<std::string, std::string>>& option) {
        walk_rules(syntax_, option,
                   [&](const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) { look(node, parent, rule); });
        if (!option) last_acts();
        return std::move(found_);
    }

private:
    void collect(const SyntaxNode& node, bool in_setup) {
        in_setup = in_setup || node.kind == Kind::d_setup;
        if (node.kind == Kind::d_rule) rules_[node.children[0]->text] = &node;
        if (in_setup && node.kind == Kind::s_call) of_setup_.insert(node.children[0]->text);
        for (const SyntaxNode* c : node.children) collect(*c, in_setup);
    }
    void look(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        switch (node.kind) {
            case Kind::s_repeat:
                asked_again(node, rule);
                return;
            case Kind::s_times:
                how_often(node, rule);
                return;
            case Kind::s_if:
                still_so(node, parent, rule);
                return;
            case Kind::s_deal:
                how_many(node, rule);
                return;
            case Kind::body:
                in_any_case(node, rule);
                return;
            default:
                return;
        }
    }
    Lead& add(const SyntaxNode& node, const SyntaxNode* by, const Storage& storage, const std::string& rule) {
        return found_.emplace_back(rewritten(syntax_, node, by, storage, rule));
    }

    // `repeat { … p may redeal … } until not again, at most 20 times`: if it could be asked for once only.
    void asked_again(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode* bound = child(node, Kind::bound);
        if (bound == nullptr || child(node, Kind::until_true) == nullptr || bound->children[0]->kind != Kind::number) return;
        if (bound->children[0]->text == "1" || !has(node, {Kind::s_may, Kind::s_may_do}) || has(node, {Kind::s_play_game})) return;
        if (quotes_.say(rule, Topic::once) || quotes_.say(rule, Topic::often)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& once = make(*made, Kind::number, bound->span, {}, "1");
        Lead& lead = add(*bound, &make(*made, Kind::bound, bound->span, {&once}), {made}, rule);
        lead.what = FindingClass::scope;
        lead.instead = FindingText::once_only;
        lead.title = FindingText::once_only_or_again_and_again;
        lead.help = FindingText::say_how_often;
    }

    // The node with names in place of which their `let` stands.
    static const SyntaxNode* with_lets(const SyntaxNode* node, const std::map<std::string, const SyntaxNode*>& lets, Made& made) {
        if (node->kind == Kind::name)
            if (const auto let = lets.find(node->text); let != lets.end()) return let->second;
        for (std::size_t i = 0; i < node->children.size(); ++i) {
            const SyntaxNode* part = with_lets(node->children[i], lets, made);
            if (part == node->children[i]) continue;
            SyntaxNode& changed = made.emplace_back(*node);
            changed.children[i] = part;
            return with_lets(&changed, lets, made);
        }
        return node;
    }
    // `if C { somebody may …   then B }`: if C had to hold for B, too.
    void still_so(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        const SyntaxNode& then = *node.children[1];
        if (then.kind != Kind::body) return;
        std::map<std::string, const SyntaxNode*> lets;
        if (parent != nullptr)
            for (const SyntaxNode* step : parent->children)
                if (step->kind == Kind::s_let) lets[step->children[0]->text] = step->children[1];
        std::size_t at = 0;
        const auto is_note = [](const SyntaxNode* s) { return s->kind == Kind::d_assume || s->kind == Kind::d_unclear; };
        while (at < then.children.size() && !has(*then.children[at], {Kind::s_may, Kind::s_may_do})) ++at;
        if (at + 1 >= then.children.size() || then.children[at]->kind != Kind::s_each || is_note(then.children[at + 1])) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode* condition = with_lets(node.children[0], lets, *made);
        SyntaxNode& guarded = made->emplace_back(then);
        guarded.children.assign(then.children.begin() + at + 1, then.children.end());
        SyntaxNode& both = made->emplace_back(then);
        both.children.resize(at + 1);
        both.children.push_back(&make(*made, Kind::s_if, node.span, {condition, &guarded}));
        Lead& lead = add(then, &both, {made}, rule);
        lead.span = node.children[0]->span;
        lead.what = FindingClass::order;
        lead.as_is = FindingText::as_it_was_before;
        lead.instead = FindingText::only_if_it_is_still_so;
        lead.title = FindingText::somebody_may_change_this_before;
        lead.help = FindingText::say_whether_it_must_still;
    }

    // `deal N …` in play, where the text tells of it and not how many.
    void how_many(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& amount = *node.children[0];
        if (amount.kind == Kind::word || rule == "setup" || of_setup_.contains(rule) || has(amount, {Kind::players})) return;
        const std::vector<Quote>& texts = quotes_.of(rule);
        if (texts.empty() || std::ranges::any_of(texts, [](const Quote& q) { return has_quantity(q.text); })) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& one = make(*made, Kind::number, amount.span, {}, "1");
        const SyntaxNode& plus = make(*made, Kind::word, amount.span, {}, "+");
        Lead& lead = add(amount, &make(*made, Kind::e_sum, amount.span, {&amount, &plus, &one}), {made}, rule);
        lead.span = node.span;
        lead.what = FindingClass::hole;
        lead.instead = FindingText::one_more;
        lead.title = FindingText::how_many_are_drawn;
        lead.help = FindingText::say_how_many;
    }

    // `repeat 3 times: stage`, where texts tell of it and none has that number.
    void how_often(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& count = *node.children[0];
        if (count.kind != Kind::number || count.text == "1" || rule == "setup" || of_setup_.contains(rule)) return;
        if (has(node, {Kind::s_play_game})) return;
        const std::int64_t often = std::stoll(count.text);
        bool told = false;
        for (const auto& [name, texts] : quotes_.all()) {
            told = told || name == rule || find(node, Kind::name, name) != nullptr;
            if (std::ranges::any_of(texts, [&](const Quote& q) { return numbers_said(q.text, 1).contains(often); })) return;
            if ((name == rule || name == "play") && quotes_.say(name, Topic::often)) return;
        }
        if (!told) return;
        auto made = std::make_shared<Made>();
        Lead& lead = add(count, &make(*made, Kind::number, count.span, {}, std::to_string(often + 1)), {made}, rule);
        lead.what = FindingClass::hole;
        lead.keeps = true;
        lead.instead = FindingText::once_more;
        lead.title = FindingText::how_often_this_is_done;
        lead.help = FindingText::say_how_often_it_is_done;
    }

    // What a step sets of a player, also in a rule that is called there; nothing if it asks somebody.
    bool sets(const SyntaxNode& step, std::set<std::string>& facts, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 3;
        if (has(step, {Kind::s_must, Kind::s_may, Kind::s_may_do, Kind::s_draw, Kind::s_deal, Kind::s_put})) return false;
        if (step.kind == Kind::s_becomes && step.children[0]->kind == Kind::e_possessive) facts.insert(step.children[0]->children[1]->text);
        if (step.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(step.children[0]->text); rule != rules_.end())
                if (!sets(*rule->second, facts, deep + 1)) return false;
        return std::ranges::all_of(step.children, [&](const SyntaxNode* c) { return sets(*c, facts, deep); });
    }
    // `p's tried becomes yes`, and then somebody says whether it came off: if it were set only then.
    void in_any_case(const SyntaxNode& body, const std::string& rule) {
        if (quotes_.say(rule, Topic::either)) return;
        for (std::size_t i = 0; i + 1 < body.children.size(); ++i) {
            const SyntaxNode& step = *body.children[i];
            const SyntaxNode& test = *body.children[i + 1];
            std::set<std::string> facts;
            const SyntaxNode* otherwise = test.kind == Kind::s_if ? child(test, Kind::otherwise) : nullptr;
            if (otherwise == nullptr || !has(*otherwise, {Kind::s_says}) || !sets(step, facts) || facts.empty()) continue;
            if (std::ranges::any_of(facts, [&](const std::string& f) { return find(*test.children[0], Kind::name, f) != nullptr; }))
                continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& then = *test.children[1];
            SyntaxNode& longer = made->emplace_back(SyntaxNode{Kind::body, then.span, "", {&step}});
            if (then.kind == Kind::body)
                longer.children.insert(longer.children.end(), then.children.begin(), then.children.end());
            else
                longer.children.push_back(&then);
            SyntaxNode& later = made->emplace_back(test);
            later.children[1] = &longer;
            SyntaxNode& other = made->emplace_back(body);
            other.children.erase(other.children.begin() + i);
            other.children[i] = &later;
            Lead& lead = add(body, &other, {made}, rule);
            lead.span = step.span;
            lead.what = FindingClass::scope;
            lead.as_is = FindingText::in_any_case;
            lead.instead = FindingText::only_if_it_comes_off;
            lead.title = FindingText::in_any_case_or_only_if;
            lead.help = FindingText::say_whether_a_failure_counts_too;
        }
    }

    bool asks(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_must || node.kind == Kind::s_may || node.kind == Kind::s_may_do) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && asks(*rule->second, deep + 1)) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return asks(*c, deep); });
    }
    // One end lets others act once more, and other ends do not: if they did.
    void last_acts() {
        const SyntaxNode* each = nullptr;
        for (const SyntaxNode* d : syntax_.root->children) {
            const SyntaxNode* body = d->kind == Kind::d_end ? child(*d, Kind::body) : nullptr;
            if (body != nullptr && body->children.size() == 1 && body->children[0]->kind == Kind::s_each && asks(*body))
                each = body->children[0];
        }
        if (each == nullptr) return;
        for (const SyntaxNode* d : syntax_.root->children) {
            if (d->kind != Kind::d_ends || child(*d, Kind::after) == nullptr) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& first = make(*made, Kind::seat, each->span, {}, "P1");
            SyntaxNode& all = made->emplace_back(*each);
            for (const SyntaxNode*& part : all.children) {
                if (part->kind != Kind::direction) continue;
                SyntaxNode& direction = made->emplace_back(*part);
                direction.children[1] = &make(*made, Kind::word, each->span, {}, "from");
                direction.children[2] = &first;
                part = &direction;
            }
            const SyntaxNode& body = make(*made, Kind::body, each->span, {&all});
            SyntaxNode& ends = made->emplace_back(*d);
            const SyntaxNode* where = nullptr;
            for (const SyntaxNode*& entry : ends.children) {
                if (entry->kind != Kind::end_entry || child(*entry, Kind::body) != nullptr) continue;
                if (quotes_.say(entry->children[0]->text, Topic::immediately)) continue;
                if (where == nullptr) where = entry;
                SyntaxNode& longer = made->emplace_back(*entry);
                longer.children.push_back(&body);
                entry = &longer;
            }
            if (where == nullptr) continue;
            Lead& lead = add(*d, &ends, {made}, where->children[0]->text);
            lead.span = where->span;
            lead.what = FindingClass::scope;
            lead.as_is = FindingText::it_is_over;
            lead.instead = FindingText::they_act_once_more;
            lead.title = FindingText::another_end_lets_players_act_once;
            lead.help = FindingText::say_of_each_end_whether_anybody;
        }
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::set<std::string> of_setup_;  // rules that the set-up calls
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_steps(const Syntax& syntax, const Quotes& quotes,
                                 const std::optional<std::pair<std::string, std::string>>& option) {
    return Steps(syntax, quotes).all(option);
}

}  // namespace houserule
