#include "solver/leads/duties.hpp"

#include "solver/findings/texts.hpp"
#include "solver/leads/walk.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace houserule {

namespace {

constexpr const char* do_it = "lead_do_it";

class Duties {
public:
    Duties(const Syntax& syntax, const Quotes& quotes) : syntax_(syntax), quotes_(quotes) {
        collect(*syntax.root);
        if (const SyntaxNode* setup = child(*syntax.root, Kind::d_setup)) collect_calls(*setup);
    }

    std::vector<Lead> all(const std::optional<std::pair<std::string, std::string>>& option) {
        walk_rules(syntax_, option, [&](const SyntaxNode& node, const SyntaxNode*, const std::string&) {
            if (node.kind == Kind::d_end || node.kind == Kind::end_entry) last_duty(node);
        });
        walk_rules(syntax_, option, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) {
            if (node.kind == Kind::body) refused(node, rule);
            if (node.kind == Kind::body) risked(node, rule);
        });
        return std::move(found_);
    }
    std::vector<Lead> of_risks(const std::string& fact) {
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) {
            if (node.kind != Kind::body) return;
            for (std::size_t i = 0; i < node.children.size(); ++i)
                if (node.children[i]->kind == Kind::s_must && puts_out_after(node, i, fact)) may_pass(node, i, rule);
        });
        return std::move(found_);
    }

private:
    void collect(const SyntaxNode& node) {
        if (node.kind == Kind::d_rule) {
            rules_[node.children[0]->text] = &node;
            collect_callers(node, node.children[0]->text);
        }
        for (const SyntaxNode* c : node.children) collect(*c);
    }
    void collect_callers(const SyntaxNode& node, const std::string& rule, bool after_yes = false) {
        if (node.kind == Kind::s_call) {
            callers_[node.children[0]->text].insert(rule);
            if (!after_yes) come_to_.insert(node.children[0]->text);
        }
        after_yes = after_yes || node.kind == Kind::s_may || node.kind == Kind::s_may_do;
        for (const SyntaxNode* c : node.children) collect_callers(*c, rule, after_yes);
    }
    // Once of a rule, and of those that are called from the same one.
    bool is_new(const std::string& rule) {
        if (!asked_.insert(rule).second) return false;
        const auto callers = callers_.find(rule);
        if (callers == callers_.end()) return true;
        return std::ranges::all_of(callers->second, [&](const std::string& caller) { return asked_in_.insert(caller).second; });
    }
    // Nobody comes to it who did not want to.
    bool comes_after_yes(const std::string& rule) const { return callers_.contains(rule) && !come_to_.contains(rule); }
    void collect_calls(const SyntaxNode& node) {
        if (node.kind == Kind::s_call && of_setup_.insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end()) collect_calls(*rule->second);
        for (const SyntaxNode* c : node.children) collect_calls(*c);
    }

    static const SyntaxNode* body_of(const SyntaxNode& must) { return child(must, Kind::body); }
    // What is asked there, as something that may be left: then what follows if there is none comes, or nothing.
    static const SyntaxNode& as_may(const SyntaxNode& body, std::size_t at, const SyntaxNode& instead, Made& made) {
        const SyntaxNode& must = *body.children[at];
        const SyntaxNode* own = body_of(must);
        SyntaxNode& rest = made.emplace_back(SyntaxNode{Kind::body, must.span, "", {}});
        if (own == nullptr) rest.children.assign(body.children.begin() + at + 1, body.children.end());
        SyntaxNode& may = made.emplace_back(SyntaxNode{Kind::s_may, must.span, "", {must.children[0], must.children[1]}});
        if (const SyntaxNode* text = child(must, Kind::text)) may.children.push_back(text);
        may.children.push_back(own != nullptr ? own : &rest);
        may.children.push_back(&make(made, Kind::otherwise, must.span, {&instead}));
        SyntaxNode& other = made.emplace_back(body);
        if (own == nullptr) other.children.resize(at + 1);
        other.children[at] = &may;
        return other;
    }
    Lead& add(const SyntaxNode& body, std::size_t at, const SyntaxNode& instead, const std::shared_ptr<Made>& made,
              const std::string& rule) {
        Lead& lead = found_.emplace_back(rewritten(syntax_, body, &as_may(body, at, instead, *made), {made}, rule));
        lead.span = body.children[at]->span;
        lead.what = FindingClass::modality;
        lead.as_is = FindingText::one_must;
        lead.instead = FindingText::one_may;
        return lead;
    }

    // `p must choose c from S where …  if none: …`: if one could act as if there were none.
    void refused(const SyntaxNode& body, const std::string& rule) {
        for (std::size_t i = 0; i < body.children.size(); ++i) {
            const SyntaxNode& must = *body.children[i];
            const SyntaxNode* none = must.kind == Kind::s_must ? child(must, Kind::if_none) : nullptr;
            if (none == nullptr || !has(*must.children[1], {Kind::e_where}) || quotes_.say(rule, Topic::forced)) continue;
            if (comes_after_yes(rule) || !is_new(rule)) continue;
            Lead& lead = add(body, i, *none->children[0], std::make_shared<Made>(), rule);
            lead.title = FindingText::must_whoever_can_do;
            lead.help = FindingText::say_whether_whoever_can_must;
        }
    }
    // What is asked comes to a report of what happened at the table, such as a fall.
    void risked(const SyntaxNode& body, const std::string& rule) {
        if (of_setup_.contains(rule)) return;
        for (std::size_t i = 0; i < body.children.size(); ++i)
            if (body.children[i]->kind == Kind::s_must && is_reported_after(body, i)) may_pass(body, i, rule);
    }
    void may_pass(const SyntaxNode& body, std::size_t at, const std::string& rule) {
        if (comes_after_yes(rule) || quotes_.say(rule, Topic::declined) || !is_new(rule)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& nothing = make(*made, Kind::s_nothing, body.children[at]->span, {});
        Lead& lead = add(body, at, make(*made, Kind::body, body.children[at]->span, {&nothing}), made, rule);
        lead.title = FindingText::it_can_turn_out_badly;
        lead.help = FindingText::say_whether_one_may_pass;
    }
    bool is_reported_after(const SyntaxNode& body, std::size_t at) const {
        return std::any_of(body.children.begin() + at, body.children.end(), [&](const SyntaxNode* step) { return reports(*step); });
    }
    bool reports(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_table) return child(node, Kind::weights) != nullptr;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && reports(*rule->second, deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return reports(*c, deep); });
    }
    static bool puts_out_after(const SyntaxNode& body, std::size_t at, const std::string& fact) {
        const SyntaxNode& who = *body.children[at]->children[0];
        return std::any_of(body.children.begin() + at, body.children.end(),
                           [&](const SyntaxNode* step) { return puts_out(*step, who, fact); });
    }
    static bool puts_out(const SyntaxNode& node, const SyntaxNode& who, const std::string& fact) {
        if (node.kind == Kind::s_becomes && node.children[0]->kind == Kind::e_possessive && node.children[1]->kind == Kind::yes) {
            const SyntaxNode& target = *node.children[0];
            if (target.children[1]->text == fact && target.children[0]->kind == Kind::name && target.children[0]->text == who.text)
                return true;
        }
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return puts_out(*c, who, fact); });
    }

    // Somebody has to do something there, unless a choice comes first.
    bool obliges(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_must) return true;
        if (node.kind == Kind::s_may || node.kind == Kind::s_may_do) return false;
        if (node.kind == Kind::reading_choice && child(node, Kind::word) == nullptr) return false;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && obliges(*rule->second, deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return obliges(*c, deep); });
    }
    bool is_told(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (node.kind == Kind::s_call && deep < deepest) {
            const std::string& name = node.children[0]->text;
            if (quotes_.say(name, Topic::declined)) return true;
            if (const auto rule = rules_.find(name); rule != rules_.end() && is_told(*rule->second, deep + 1)) return true;
        }
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return is_told(*c, deep); });
    }
    // The first call whose first argument is a player who must do something there, and the body it stands in.
    struct Call {
        const SyntaxNode* call = nullptr;
        const SyntaxNode* body = nullptr;
    };
    Call obliging_call(const SyntaxNode& node, const SyntaxNode* body) const {
        if (node.kind == Kind::body) body = &node;
        if (node.kind == Kind::s_call && node.children.size() > 1 && !node.children[1]->children.empty() && body != nullptr &&
            obliges(node))
            return {&node, body};
        for (const SyntaxNode* c : node.children)
            if (const Call found = obliging_call(*c, body); found.call != nullptr) return found;
        return {};
    }
    // Those who still act when an end has come: if they could leave it.
    void last_duty(const SyntaxNode& end) {
        const SyntaxNode* acts = child(end, Kind::body);
        if (acts == nullptr || !obliges(*acts)) return;
        const std::string& name = child(end, Kind::name)->text;
        if (quotes_.say(name, Topic::declined) || is_told(*acts)) return;
        const Call who = obliging_call(*acts, acts);
        if (who.call == nullptr) return;
        auto made = std::make_shared<Made>();
        const Filled filled{{"lead_who", who.call->children[1]->children[0]}};
        const SyntaxNode& may = written(std::string("lead_who may ") + do_it + " { nothing }", filled, who.call->span, *made);
        SyntaxNode& asked = made->emplace_back(may);
        std::ranges::replace_if(
            asked.children, [](const SyntaxNode* c) { return c->kind == Kind::body; },
            &make(*made, Kind::body, who.call->span, {who.call}));
        SyntaxNode& body = made->emplace_back(*who.body);
        std::ranges::replace(body.children, who.call, &std::as_const(asked));
        Lead& lead = found_.emplace_back(rewritten(syntax_, *who.body, &body, {made}, name));
        lead.span = who.call->span;
        lead.what = FindingClass::modality;
        lead.as_is = FindingText::one_must;
        lead.instead = FindingText::one_may;
        lead.title = FindingText::it_is_about_to_be_over;
        asked_.insert(who.call->children[0]->text);
        lead.help = FindingText::say_whether_it_is_a_duty;
        lead.alter = [](Game& game) {
            for (const Language language : all_languages)
                game.labels.push_back({code_of(language), do_it, std::string(FindingText::act_once_more.in(language))});
        };
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::set<std::string> of_setup_;  // rules that the set-up calls
    std::map<std::string, std::set<std::string>> callers_;
    std::set<std::string> come_to_;   // rules that are called though nobody said yes before
    std::set<std::string> asked_;     // rules, once each,
    std::set<std::string> asked_in_;  // and what calls them
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_duties(const Syntax& syntax, const Quotes& quotes,
                                  const std::optional<std::pair<std::string, std::string>>& option) {
    return Duties(syntax, quotes).all(option);
}

std::vector<Lead> leads_of_risks(const Syntax& syntax, const Quotes& quotes, const std::string& fact) {
    return Duties(syntax, quotes).of_risks(fact);
}

}  // namespace houserule
