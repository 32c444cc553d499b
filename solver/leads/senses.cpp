#include "solver/leads/senses.hpp"

#include "solver/findings/texts.hpp"
#include "solver/leads/walk.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace houserule {

namespace {

class Senses {
public:
    Senses(const Syntax& syntax, const Quotes& quotes) : syntax_(syntax), quotes_(quotes) { collect(*syntax.root); }

    std::vector<Lead> all(const std::optional<std::pair<std::string, std::string>>& option) {
        walk_rules(syntax_, option,
                   [&](const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) { look(node, parent, rule); });
        return std::move(found_);
    }

private:
    void collect(const SyntaxNode& node) {
        if (node.kind == Kind::d_rule) {
            rules_[node.children[0]->text] = &node;
            collect_calls(node, node.children[0]->text);
        }
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_zone) collect_zone(node);
        for (const SyntaxNode* c : node.children) collect(*c);
    }
    void collect_calls(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_call) callers_[node.children[0]->text].insert(rule);
        for (const SyntaxNode* c : node.children) collect_calls(*c, rule);
    }
    void collect_zone(const SyntaxNode& zone) {
        const SyntaxNode* by = child(zone, Kind::of_index);
        const SyntaxNode* seers = child(zone, Kind::seers);
        if (by == nullptr || seers == nullptr) return;
        if (by->children[0]->text == "player" && seers->children[0]->text == "owner") hands_.insert(zone.children[0]->text);
    }
    void look(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        switch (node.kind) {
            case Kind::e_compare:
                of_some_numbers(node, parent, rule);
                return;
            case Kind::e_with:
                all_but_most(node, parent, rule);
                return;
            case Kind::e_cases:
                last_counts(node, rule);
                return;
            case Kind::e_no:
                of_several(node, rule);
                return;
            case Kind::end_entry:
                more_than(*node.children[child(node, Kind::text) == nullptr ? 1 : 2], node.children[0]->text);
                return;
            case Kind::s_each:
                one_other(node, rule);
                return;
            case Kind::s_must:
            case Kind::s_may:
                oneself(node, rule);
                return;
            case Kind::d_ends:
                checked_later(node);
                return;
            case Kind::s_simultaneously:
                passed_on(node, rule);
                return;
            case Kind::body:
                before_deal(node, rule);
                return;
            default:
                return;
        }
    }
    Lead& add(const SyntaxNode& node, const SyntaxNode& by, const std::shared_ptr<Made>& made, const std::string& rule, FindingClass what) {
        Lead& lead = found_.emplace_back(rewritten(syntax_, node, &by, {made}, rule));
        lead.what = what;
        return lead;
    }

    // `players is 3 and …`: if it held of any number.
    void of_some_numbers(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        if (node.children[0]->kind != Kind::players || node.children[2]->kind != Kind::number || parent == nullptr) return;
        if (parent->kind != Kind::e_and && parent->kind != Kind::s_if) return;
        std::int64_t number = 0;
        const std::string& digits = node.children[2]->text;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        for (const Quote& q : quotes_.of(rule))
            if (!numbers_said(q.text).empty()) return;
        if (node.children[1]->text == "is" && quotes_.number_with(number, {"player", "人"})) return;
        auto made = std::make_shared<Made>();
        Lead& lead = add(node, make(*made, Kind::yes, node.span, {}, "yes"), made, rule, FindingClass::scope);
        lead.as_is = FindingText::with_those_numbers_of_players_only;
        lead.instead = FindingText::with_any_number_of_players;
        lead.title = FindingText::this_is_so_with_some_numbers;
        lead.help = FindingText::say_with_how_many_players;
    }

    // `cases { A: 1  B: 2 }`, of which the first that holds counts: if it were the last. Where the values only rise or fall it is a scale.
    void last_counts(const SyntaxNode& node, const std::string& rule) {
        if (has(node, {Kind::arm_except})) return;
        auto made = std::make_shared<Made>();
        SyntaxNode& other = made->emplace_back(node);
        const auto end = std::ranges::stable_partition(other.children, [](const SyntaxNode* c) { return c->kind == Kind::arm; }).begin();
        const std::size_t arms = end - other.children.begin();
        if (arms < 2 || is_scale({other.children.begin(), end})) return;
        std::reverse(other.children.begin(), end);
        Lead& lead = add(node, other, made, rule, FindingClass::conflict);
        lead.keeps = true;
        lead.instead = FindingText::the_last_case_that_holds_counts;
        lead.title = FindingText::several_cases_can_hold_at_once;
        lead.help = FindingText::say_which_case_counts;
    }
    static bool is_scale(const std::vector<const SyntaxNode*>& arms) {
        std::vector<std::int64_t> values;
        for (const SyntaxNode* arm : arms) {
            const std::set<std::int64_t> value = numbers_said(arm->children.back()->text, 0);
            if (arm->children.back()->kind != Kind::number || value.size() != 1) return false;
            values.push_back(*value.begin());
        }
        return std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::greater<>());
    }

    bool is_of_players(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::players) return true;
        if (node.kind == Kind::name && deep < deepest)
            if (const auto define = defines_.find(node.text);
                define != defines_.end() && is_of_players(*define->second->children.back(), deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return is_of_players(*c, deep); });
    }
    // `signs with least X`: if only those with most did not count.
    void all_but_most(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        if (node.children[1]->text != "least" || is_of_players(*node.children[0])) return;
        if (parent != nullptr && (parent->kind == Kind::e_the || parent->kind == Kind::choice || parent->kind == Kind::e_size)) return;
        for (const Quote& q : quotes_.of(rule))
            for (const char* word : {"least", "fewest", "lowest", "smallest", "rarest", "最"})
                if (has_word(q.text, word)) return;
        auto made = std::make_shared<Made>();
        const Filled filled{{"lead_all", node.children[0]}, {"lead_count", node.children[2]}};
        const SyntaxNode& by = written_value("((lead_all where lead_count < largest of lead_count over lead_all) or if none lead_all)",
                                             filled, node.span, *made);
        Lead& lead = add(node, by, made, rule, FindingClass::scope);
        lead.as_is = FindingText::only_those_with_the_least;
        lead.instead = FindingText::all_but_those_with_the_most;
        lead.title = FindingText::only_the_fewest_or_all_but;
        lead.help = FindingText::say_which_of_them_are_meant;
    }

    // `no q in players where A and B`: none but those that are not A, and of those, as it could be meant, one only.
    void of_several(const SyntaxNode& node, const std::string& rule) {
        if (node.children[1]->kind != Kind::players || node.children[2]->kind != Kind::e_and) return;
        const std::vector<const SyntaxNode*>& parts = node.children[2]->children;
        const bool plain =
            parts[0]->kind == Kind::e_possessive || (parts[0]->kind == Kind::e_not && parts[0]->children[0]->kind == Kind::e_possessive);
        if (parts.size() != 2 || !plain || !has(*parts[1], {Kind::e_not_empty})) return;
        auto made = std::make_shared<Made>();
        const Filled filled{{"lead_none", &node},
                            {"lead_first", &of_it(*parts[0], node.children[0]->text, *made)},
                            {"lead_second", &of_it(*parts[1], node.children[0]->text, *made)}};
        const SyntaxNode& by =
            written_value("(lead_none and size of (players where (not lead_first and lead_second)) <= 1)", filled, node.span, *made);
        Lead& lead = add(node, by, made, rule, FindingClass::scope);
        lead.as_is = FindingText::of_several_too;
        lead.instead = FindingText::of_one_only;
        lead.title = FindingText::the_others_are_left_out_here;
        lead.help = FindingText::say_how_many_may_be_left;
    }

    // `when X >= Y`, where Y is no figure: if it had to be passed.
    void more_than(const SyntaxNode& condition, const std::string& end) {
        const SyntaxNode* compare = find(condition, Kind::e_compare, "");
        if (compare == nullptr || compare->children[1]->text != ">=" || compare->children[2]->kind == Kind::number) return;
        if (quotes_.say(end, Topic::or_more)) return;
        auto made = std::make_shared<Made>();
        SyntaxNode& more = made->emplace_back(*compare);
        more.children[1] = &make(*made, Kind::word, compare->span, {}, ">");
        Lead& lead = add(*compare, more, made, end, FindingClass::scope);
        lead.as_is = FindingText::so_many_or_more;
        lead.instead = FindingText::more_than_that;
        lead.title = FindingText::is_so_many_enough_or_must;
        lead.help = FindingText::say_or_more_or_more_than;
    }

    // ---- of the others

    bool asks(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_must || node.kind == Kind::s_may || node.kind == Kind::s_may_do || node.kind == Kind::s_table) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && asks(*rule->second, deep + 1)) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return asks(*c, deep); });
    }
    bool moves(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (node.kind == Kind::s_put || node.kind == Kind::s_deal || node.kind == Kind::s_draw) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && moves(*rule->second, deep + 1)) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return moves(*c, deep); });
    }
    // `each q clockwise after p: put … in q's hand`: if it were one of them, as p likes.
    void one_other(const SyntaxNode& each, const std::string& rule) {
        const SyntaxNode* direction = child(each, Kind::direction);
        const SyntaxNode* set = child(each, Kind::in_set);
        const SyntaxNode* but = nullptr;
        if (direction != nullptr && direction->children[1]->text == "after") but = direction->children[2];
        if (set != nullptr && set->children[0]->kind == Kind::e_but && set->children[0]->children.size() == 2)
            but = set->children[0]->children[1];
        if (but == nullptr || but->kind != Kind::name || child(each, Kind::where) != nullptr) return;
        const SyntaxNode& body = *each.children.back();
        if (asks(body) || !moves(body) || quotes_.say(rule, Topic::of_each)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& must = written("lead_who must name lead_other from players but lead_who",
                                         {{"lead_who", but}, {"lead_other", each.children[0]}}, each.span, *made);
        SyntaxNode& one = made->emplace_back(must);
        one.children.push_back(&body);
        Lead& lead = add(each, one, made, rule, FindingClass::scope);
        lead.as_is = FindingText::each_of_the_others;
        lead.instead = FindingText::one_of_the_others;
        lead.title = FindingText::each_of_the_others_or_one;
        lead.help = FindingText::say_whom_of_the_others;
    }

    // Everybody puts something in `p's left's hand`: if it went to the right.
    void passed_on(const SyntaxNode& all, const std::string& rule) {
        const SyntaxNode* put = find(all, Kind::s_put, "");
        const SyntaxNode* side = put == nullptr ? nullptr : find(*put->children[2], Kind::name, "left");
        if (side == nullptr || has(*put->children[2], {Kind::e_if}) || told_way(rule)) return;
        auto made = std::make_shared<Made>();
        Lead& lead = add(*side, make(*made, Kind::name, side->span, {}, "right"), made, rule, FindingClass::chooser);
        lead.span = put->span;
        lead.as_is = FindingText::to_the_left;
        lead.instead = FindingText::to_the_right;
        lead.title = FindingText::to_the_left_or_to_the;
        lead.help = FindingText::say_to_whom_it_goes;
    }
    bool told_way(const std::string& rule) const {
        const auto says_way = [](const Quote& q) {
            return says(q.text, Topic::direction) || has_word(q.text, "left") || has_word(q.text, "right") || has_word(q.text, "swap") ||
                   has_word(q.text, "左") || has_word(q.text, "右") || has_word(q.text, "交換");
        };
        return std::ranges::any_of(quotes_.of(rule), says_way) || std::ranges::any_of(quotes_.of("play"), says_way) ||
               std::ranges::any_of(quotes_.of("setup"), says_way);
    }

    // ---- oneself, too

    // Whether that player is left out there, also by a define that is given the player.
    bool leaves_out(const SyntaxNode& set, const std::string& who, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (set.kind == Kind::e_but)
            return std::any_of(set.children.begin() + 1, set.children.end(),
                               [&](const SyntaxNode* c) { return c->kind == Kind::name && c->text == who; }) ||
                   leaves_out(*set.children[0], who, deep);
        if (set.kind == Kind::e_where || set.kind == Kind::e_with) return leaves_out(*set.children[0], who, deep);
        if (set.kind != Kind::e_call || deep >= deepest) return false;
        const auto define = defines_.find(set.children[0]->text);
        const SyntaxNode* given = child(set, Kind::arguments);
        const SyntaxNode* parameters = define == defines_.end() ? nullptr : child(*define->second, Kind::parameters);
        if (given == nullptr || parameters == nullptr || given->children.size() != parameters->children.size()) return false;
        for (std::size_t i = 0; i < given->children.size(); ++i)
            if (given->children[i]->kind == Kind::name && given->children[i]->text == who)
                return leaves_out(*define->second->children.back(), parameters->children[i]->children.back()->text, deep + 1);
        return false;
    }
    // The same without `but p`; nothing if it does not stand there.
    static const SyntaxNode* with_oneself(const SyntaxNode& set, const std::string& who, Made& made) {
        if (set.kind == Kind::e_but) {
            SyntaxNode& all = made.emplace_back(set);
            std::erase_if(all.children, [&](const SyntaxNode* c) { return c->kind == Kind::name && c->text == who; });
            if (all.children.size() == set.children.size()) return nullptr;
            return all.children.size() == 1 ? all.children[0] : &all;
        }
        if (set.kind != Kind::e_where && set.kind != Kind::e_with) return nullptr;
        const SyntaxNode* within = with_oneself(*set.children[0], who, made);
        if (within == nullptr) return nullptr;
        SyntaxNode& all = made.emplace_back(set);
        all.children[0] = within;
        return &all;
    }
    // What the rule says, or, if it says nothing, those that call it: that somebody is chosen, and not whether it may be oneself.
    bool says_somebody(const std::string& rule) const {
        std::vector<Quote> texts = quotes_.of(rule);
        if (const auto callers = callers_.find(rule); texts.empty() && callers != callers_.end())
            for (const std::string& caller : callers->second)
                texts.insert(texts.end(), quotes_.of(caller).begin(), quotes_.of(caller).end());
        return std::ranges::any_of(texts, [](const Quote& q) { return says(q.text, Topic::a_player); }) &&
               std::ranges::none_of(texts, [](const Quote& q) { return says(q.text, Topic::not_oneself); });
    }
    // `p must name q from players but p`, where the text says `a player`: if it could be p as well; and the other way round.
    void oneself(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& who = *node.children[0];
        const SyntaxNode& choice = *node.children[1];
        if (who.kind != Kind::name || choice.children.size() != 3 || choice.children[1]->kind != Kind::name) return;
        const SyntaxNode& set = *choice.children[2];
        if (!is_set_of_players(set) || !says_somebody(rule)) return;
        const SyntaxNode* text = child(node, Kind::text);
        if (text != nullptr && says(text->text, Topic::not_oneself)) return;
        auto made = std::make_shared<Made>();
        const bool others = leaves_out(set, who.text);
        const SyntaxNode* by = nullptr;
        if (others) {
            by = with_oneself(set, who.text, *made);
            if (by == nullptr) by = &written_value("lead_set + {lead_who}", {{"lead_set", &set}, {"lead_who", &who}}, set.span, *made);
        } else if (set.kind == Kind::players || set.kind == Kind::name) {
            by = &make(*made, Kind::e_but, set.span, {&set, &who});
        }
        if (by == nullptr) return;
        Lead& lead = add(set, *by, made, rule, FindingClass::scope);
        lead.span = node.span;
        lead.keeps = true;
        lead.as_is = others ? FindingText::only_another_player : FindingText::oneself_too;
        lead.instead = others ? FindingText::oneself_too : FindingText::only_another_player;
        lead.title = FindingText::may_it_be_oneself;
        lead.help = FindingText::say_whether_it_may_be_oneself;
    }
    // Players, not what lies with them or how many they are.
    bool is_set_of_players(const SyntaxNode& set, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 3;
        if (set.kind == Kind::players) return true;
        if (set.kind == Kind::e_but || set.kind == Kind::e_where || set.kind == Kind::e_with)
            return is_set_of_players(*set.children[0], deep);
        if ((set.kind != Kind::name && set.kind != Kind::e_call) || deep >= deepest) return false;
        const auto define = defines_.find(set.kind == Kind::name ? set.text : set.children[0]->text);
        return define != defines_.end() && is_set_of_players(*define->second->children.back(), deep + 1);
    }

    // ---- when it is over

    Lead& add_end(const SyntaxNode& node, const SyntaxNode& by, const std::shared_ptr<Made>& made, const std::string& rule) {
        Lead& lead = add(node, by, made, rule, FindingClass::end_race);
        lead.as_is = FindingText::it_is_over_at_once;
        lead.instead = FindingText::when_the_round_is_done;
        lead.title = FindingText::is_it_over_at_once;
        lead.help = FindingText::say_whether_the_round_is_played;
        return lead;
    }
    // `ends checked after turn`, of which there is one for each player of a round.
    void checked_later(const SyntaxNode& ends) {
        const SyntaxNode* after = child(ends, Kind::after);
        if (after == nullptr || after->children.size() != 1 || child(ends, Kind::of_stage) != nullptr) return;
        const std::string& turn = after->children[0]->text;
        const auto is_round = [&](const auto& rule) { return calls_for_each(*rule.second, turn); };
        const auto round = std::ranges::find_if(rules_, is_round);
        if (round == rules_.end() || quotes_.say(round->first, Topic::until_then) || quotes_.say("play", Topic::until_then)) return;
        const SyntaxNode* first = nullptr;
        std::size_t entries = 0;
        for (const SyntaxNode* entry : ends.children) {
            if (entry->kind != Kind::end_entry) continue;
            ++entries;
            if (quotes_.say(entry->children[0]->text, Topic::until_then) || child(*entry, Kind::body) != nullptr) return;
            if (first == nullptr) first = entry;
        }
        if (first == nullptr || quotes_.say(turn, Topic::until_then)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& name = make(*made, Kind::name, after->span, {}, round->first);
        const SyntaxNode& later = make(*made, Kind::after, after->span, {&name});
        SyntaxNode& other = made->emplace_back(ends);
        std::ranges::replace(other.children, after, &later);
        add_end(ends, other, made, first->children[0]->text).span = entries == 1 ? first->span : ends.span;
    }
    static bool calls_for_each(const SyntaxNode& node, const std::string& turn) {
        if (node.kind == Kind::s_each && child(node, Kind::direction) != nullptr && find_call(*node.children.back(), turn)) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return calls_for_each(*c, turn); });
    }
    static bool find_call(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_call && node.children[0]->text == rule) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return find_call(*c, rule); });
    }

    // ---- what is seen first

    bool deals_to_hands(const SyntaxNode& step, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (step.kind == Kind::s_deal)
            return std::ranges::any_of(hands_,
                                       [&](const std::string& hand) { return find(*step.children[2], Kind::name, hand) != nullptr; });
        if (step.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(step.children[0]->text); rule != rules_.end() && deals_to_hands(*rule->second, deep + 1))
                return true;
        return std::ranges::any_of(step.children, [&](const SyntaxNode* c) { return deals_to_hands(*c, deep); });
    }
    // Somebody sets something there that no cards decide.
    bool sets_freely(const SyntaxNode& step) const {
        const auto rule = step.kind == Kind::s_call ? rules_.find(step.children[0]->text) : rules_.end();
        const SyntaxNode& body = rule == rules_.end() ? step : *rule->second;
        return has(body, {Kind::s_must}) && has(body, {Kind::s_becomes}) &&
               !has(body, {Kind::s_put, Kind::s_deal, Kind::s_draw, Kind::s_call, Kind::e_possessive, Kind::e_of, Kind::s_if});
    }
    // Cards are dealt, and then somebody chooses something else: if that came first.
    void before_deal(const SyntaxNode& body, const std::string& rule) {
        for (std::size_t i = 0; i + 1 < body.children.size(); ++i) {
            const SyntaxNode& deal = *body.children[i];
            const SyntaxNode& choice = *body.children[i + 1];
            if (!deals_to_hands(deal) || !sets_freely(choice) || quotes_.say(rule, Topic::after_deal)) continue;
            if (choice.kind == Kind::s_call && quotes_.say(choice.children[0]->text, Topic::after_deal)) continue;
            auto made = std::make_shared<Made>();
            SyntaxNode& other = made->emplace_back(body);
            std::swap(other.children[i], other.children[i + 1]);
            Lead& lead = add(body, other, made, rule, FindingClass::order);
            lead.span = choice.span;
            lead.as_is = FindingText::after_the_deal;
            lead.instead = FindingText::before_the_deal;
            lead.title = FindingText::is_this_chosen_before_the_cards;
            lead.help = FindingText::say_which_comes_first;
        }
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, std::set<std::string>> callers_;
    std::set<std::string> hands_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_senses(const Syntax& syntax, const Quotes& quotes,
                                  const std::optional<std::pair<std::string, std::string>>& option) {
    return Senses(syntax, quotes).all(option);
}

}  // namespace houserule
