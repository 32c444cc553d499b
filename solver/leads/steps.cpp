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
        if (node.kind == Kind::d_rule) {
            rules_[node.children[0]->text] = &node;
            collect_callers(node, node.children[0]->text);
        }
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = &node;
        if (in_setup && node.kind == Kind::s_call) of_setup_.insert(node.children[0]->text);
        for (const SyntaxNode* c : node.children) collect(*c, in_setup);
    }
    void collect_callers(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_call) callers_[node.children[0]->text].insert(rule);
        for (const SyntaxNode* c : node.children) collect_callers(*c, rule);
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
                drawn_for_want(node, rule);
                used_at_once(node, rule);
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
        std::set<std::int64_t> said;  // how often a text says
        for (const auto& [name, texts] : quotes_.all()) {
            const bool calls = callers_.contains(rule) && callers_.at(rule).contains(name);
            const bool is_about = name == rule || calls || find(node, Kind::name, name) != nullptr;
            told = told || is_about;
            for (const Quote& q : is_about ? texts : std::vector<Quote>{})
                for (const std::string& sentence : sentences(q.text))
                    if (has_word(sentence, "times") || has_word(sentence, "rounds") || has_word(sentence, "回") ||
                        has_word(sentence, "ラウンド"))
                        said.merge(numbers_said(sentence, 2));
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
        if (said.size() == 1) lead.title = FindingText::texts_and_file_differ_in_how_often(*said.begin(), often);
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

    // ---- what was just drawn

    // A card that a player draws to a place of that player, here or in a rule that is called: that place.
    const SyntaxNode* drawn_to(const SyntaxNode& step, const SyntaxNode& who, const SyntaxNode* one = nullptr, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (step.kind == Kind::s_call && deep < deepest) return drawn_in(step, who, deep);
        if (step.kind != Kind::s_deal && step.kind != Kind::s_draw) return nullptr;
        const SyntaxNode& count = *step.children[0];
        const bool single = count.kind == Kind::number ? count.text == "1" : one != nullptr && is_name(count, one->text);
        if (step.kind == Kind::s_deal && !single) return nullptr;
        const SyntaxNode& to = drawn_place(step);
        return to.kind == Kind::e_possessive && is_name(*to.children[0], who.text) ? to.children[1] : nullptr;
    }
    const SyntaxNode* drawn_in(const SyntaxNode& call, const SyntaxNode& who, std::size_t deep) const {
        const auto rule = rules_.find(call.children[0]->text);
        const SyntaxNode* given = child(call, Kind::arguments);
        const SyntaxNode* parameters = rule == rules_.end() ? nullptr : child(*rule->second, Kind::parameters);
        if (given == nullptr || parameters == nullptr || !is_name(*given->children[0], who.text)) return nullptr;
        const std::size_t numbers = std::min(given->children.size(), parameters->children.size());
        const SyntaxNode* one = nullptr;  // the parameter that is 1
        for (std::size_t i = 1; i < numbers; ++i)
            if (given->children[i]->kind == Kind::number && given->children[i]->text == "1") one = parameters->children[i]->children.back();
        for (const SyntaxNode* c : rule->second->children.back()->children)
            if (const SyntaxNode* place = drawn_to(*c, *parameters->children[0]->children.back(), one, deep + 1)) return place;
        return nullptr;
    }
    static bool is_name(const SyntaxNode& node, const std::string& name) { return node.kind == Kind::name && node.text == name; }
    static const SyntaxNode& drawn_place(const SyntaxNode& step) {
        return *step.children[step.kind == Kind::s_draw && step.children[1]->kind == Kind::word ? 3 : 2];
    }
    // Whether a choice is made among what lies there, also by a define.
    bool is_read(const SyntaxNode& set, const std::string& zone, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (set.kind == Kind::name && set.text == zone) return true;
        if (set.kind == Kind::e_call && deep < deepest)
            if (const auto define = defines_.find(set.children[0]->text); define != defines_.end())
                return is_read(*define->second->children.back(), zone, deep + 1);
        return std::ranges::any_of(set.children, [&](const SyntaxNode* c) { return is_read(*c, zone, deep); });
    }
    // The text of the rule, or, if it has none, of one that calls it; or that of the rule that draws.
    bool says_of_drawn(const std::string& rule, const SyntaxNode& step) const {
        if (quotes_.say(rule, Topic::just_drawn) || quotes_.say("play", Topic::just_drawn)) return true;
        const auto callers = callers_.find(rule);
        if (quotes_.of(rule).empty() && callers != callers_.end())
            if (std::ranges::any_of(callers->second, [&](const std::string& r) { return quotes_.say(r, Topic::just_drawn); })) return true;
        return step.kind == Kind::s_call && quotes_.say(step.children[0]->text, Topic::just_drawn);
    }
    Lead& add_drawn(const SyntaxNode& node, const SyntaxNode& by, const std::shared_ptr<Made>& made, const std::string& rule, bool used) {
        Lead& lead = add(node, &by, {made}, rule);
        lead.what = FindingClass::scope;
        lead.keeps = true;
        lead.as_is = used ? FindingText::in_the_same_turn : FindingText::not_in_the_same_turn;
        lead.instead = used ? FindingText::not_in_the_same_turn : FindingText::in_the_same_turn;
        lead.title = FindingText::may_what_was_just_drawn_be_used;
        lead.help = FindingText::say_whether_it_may_be_used;
        return lead;
    }
    // `p must choose c from p's hand where fits(it) …  if none: draw`: if what was drawn could be played then, if it fits.
    void drawn_for_want(const SyntaxNode& body, const std::string& rule) {
        for (std::size_t i = 0; i < body.children.size(); ++i) {
            const SyntaxNode& asked = *body.children[i];
            const bool may = asked.kind == Kind::s_may;
            const SyntaxNode* none = child(asked, may ? Kind::otherwise : Kind::if_none);
            if ((!may && asked.kind != Kind::s_must) || none == nullptr || none->children[0]->kind == Kind::s_if) continue;
            const SyntaxNode& who = *asked.children[0];
            const SyntaxNode& choice = *asked.children[1];
            const std::vector<const SyntaxNode*> steps =
                none->children[0]->kind == Kind::body ? none->children[0]->children : std::vector{none->children[0]};
            const auto draws = std::ranges::find_if(steps, [&](const SyntaxNode* c) { return drawn_to(*c, who) != nullptr; });
            if (choice.children.size() != 3 || draws == steps.end() || std::ranges::any_of(steps, is_asked)) continue;
            if (!is_read(*choice.children[2], drawn_to(**draws, who)->text) || says_of_drawn(rule, **draws)) continue;
            auto made = std::make_shared<Made>();
            std::vector<const SyntaxNode*> longer = steps;
            longer.insert(longer.begin() + (draws - steps.begin()) + 1, &once_more(body, i, *made));
            const SyntaxNode* then = &make(*made, Kind::body, none->span, longer);
            // Who could have, and would not, drew for another reason.
            if (may) {
                const SyntaxNode& empty = make(*made, Kind::e_empty, none->span, {choice.children[2]});
                const SyntaxNode& as_before = make(*made, Kind::body, none->span, steps);
                const SyntaxNode& otherwise = make(*made, Kind::otherwise, none->span, {&as_before});
                then = &make(*made, Kind::body, none->span, {&make(*made, Kind::s_if, none->span, {&empty, then, &otherwise})});
            }
            SyntaxNode& by = made->emplace_back(asked);
            by.children.back() = &make(*made, none->kind, none->span, {then});
            add_drawn(asked, by, made, rule, false).span = (*draws)->span;
        }
    }
    // The same choice again, as one that may be left, with what follows from it.
    static const SyntaxNode& once_more(const SyntaxNode& body, std::size_t at, Made& made) {
        const SyntaxNode& asked = *body.children[at];
        const SyntaxNode* own = child(asked, Kind::body);
        SyntaxNode& rest = made.emplace_back(SyntaxNode{Kind::body, asked.span, "", {}});
        if (own == nullptr) rest.children.assign(body.children.begin() + at + 1, body.children.end());
        const SyntaxNode& nothing = make(made, Kind::s_nothing, asked.span, {});
        const SyntaxNode& otherwise = make(made, Kind::otherwise, asked.span, {&make(made, Kind::body, asked.span, {&nothing})});
        return make(made, Kind::s_may, asked.span, {asked.children[0], asked.children[1], own != nullptr ? own : &rest, &otherwise});
    }
    static bool is_asked(const SyntaxNode* step) { return has(*step, {Kind::s_must, Kind::s_may, Kind::s_may_do}); }
    // `draw c …   if fits(c) { p may play … }`: if it could not be used before the next turn.
    void used_at_once(const SyntaxNode& body, const std::string& rule) {
        for (std::size_t i = 0; i + 1 < body.children.size(); ++i) {
            const SyntaxNode& draw = *body.children[i];
            if (draw.kind != Kind::s_draw) continue;
            const SyntaxNode& to = drawn_place(draw);
            const SyntaxNode& use = *body.children[i + 1];
            if (to.kind != Kind::e_possessive || to.children[0]->kind != Kind::name || says_of_drawn(rule, draw)) continue;
            const bool if_fits = use.kind == Kind::s_if && find(*use.children[0], Kind::name, draw.children[0]->text) != nullptr &&
                                 has(*use.children[1], {Kind::s_may, Kind::s_may_do}) && child(use, Kind::otherwise) == nullptr;
            const bool may = use.kind == Kind::s_may_do && child(use, Kind::otherwise) == nullptr &&
                             find(*child(use, Kind::body), Kind::name, draw.children[0]->text) != nullptr;
            if (!if_fits && !may) continue;
            auto made = std::make_shared<Made>();
            add_drawn(use, make(*made, Kind::s_nothing, use.span, {}), made, rule, true);
        }
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, std::set<std::string>> callers_;
    std::set<std::string> of_setup_;  // rules that the set-up calls
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_steps(const Syntax& syntax, const Quotes& quotes,
                                 const std::optional<std::pair<std::string, std::string>>& option) {
    return Steps(syntax, quotes).all(option);
}

}  // namespace houserule
