#include "solver/leads/senses.hpp"

#include "solver/leads/walk.hpp"

#include <algorithm>
#include <charconv>
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
        if (node.kind == Kind::d_rule) rules_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_zone) collect_zone(node);
        for (const SyntaxNode* c : node.children) collect(*c);
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
            case Kind::e_no:
                of_several(node, rule);
                return;
            case Kind::end_entry:
                more_than(*node.children[child(node, Kind::text) == nullptr ? 1 : 2], node.children[0]->text);
                return;
            case Kind::s_each:
                one_other(node, rule);
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
        lead.as_is = {"with those numbers of players only", "その人数のときだけ"};
        lead.instead = {"with any number of players", "何人でも"};
        lead.title = {"This is so with some numbers of players only, and no text says so: is it so with any? It makes a difference",
                      "決まった人数のときだけのことだが、どの文章にもない。何人でもそうなのか。結果が変わる"};
        lead.help = {"Say with how many players it holds.", "何人のときのことかを書く。"};
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
        lead.as_is = {"only those with the least", "最も少ないものだけ"};
        lead.instead = {"all but those with the most", "最も多いもののほかすべて"};
        lead.title = {"Only the fewest, or all but the most? With three different numbers that is not the same",
                      "最も少ないものだけか、最も多いもののほかすべてか。数が3通りあれば同じではない"};
        lead.help = {"Say which of them are meant.", "どれのことかを書く。"};
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
        lead.as_is = {"of several, too", "何人いてもよい"};
        lead.instead = {"of one only", "1人だけ"};
        lead.title = {"The others are left out here: however many they are, or one of them only? It makes a difference",
                      "ここではほかの人を数えない。何人いてもよいのか、1人だけか。結果が変わる"};
        lead.help = {"Say how many may be left out.", "何人まで数えなくてよいのかを書く。"};
    }
    static const SyntaxNode& of_it(const SyntaxNode& node, const std::string& name, Made& made) {
        const bool is_it = node.kind == Kind::name && node.text == name;
        SyntaxNode& copy = made.emplace_back(SyntaxNode{is_it ? Kind::it : node.kind, node.span, is_it ? "it" : node.text, {}});
        for (const SyntaxNode* c : node.children) copy.children.push_back(&of_it(*c, name, made));
        return copy;
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
        lead.as_is = {"so many or more", "その数以上"};
        lead.instead = {"more than that", "その数より多く"};
        lead.title = {"Is so many enough, or must it be more? It makes a difference",
                      "ちょうどその数でよいのか、それより多くなければならないのか。結果が変わる"};
        lead.help = {"Say `or more`, or `more than`.", "「以上」か「より多く」かを書く。"};
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
        lead.as_is = {"each of the others", "ほかの全員"};
        lead.instead = {"one of the others", "ほかの1人"};
        lead.title = {"Each of the others, or one of them, and who says which? It makes a difference",
                      "ほかの全員か、ほかの1人か。1人なら誰が選ぶのか。結果が変わる"};
        lead.help = {"Say whom of the others it is about.", "ほかの誰のことかを書く。"};
    }

    // Everybody puts something in `p's left's hand`: if it went to the right.
    void passed_on(const SyntaxNode& all, const std::string& rule) {
        const SyntaxNode* put = find(all, Kind::s_put, "");
        const SyntaxNode* side = put == nullptr ? nullptr : find(*put->children[2], Kind::name, "left");
        if (side == nullptr || has(*put->children[2], {Kind::e_if}) || told_way(rule)) return;
        auto made = std::make_shared<Made>();
        Lead& lead = add(*side, make(*made, Kind::name, side->span, {}, "right"), made, rule, FindingClass::chooser);
        lead.span = put->span;
        lead.as_is = {"to the left", "左へ"};
        lead.instead = {"to the right", "右へ"};
        lead.title = {"To the left, or to the right? It makes a difference", "左へか、右へか。結果が変わる"};
        lead.help = {"Say to whom it goes.", "誰に渡すのかを書く。"};
    }
    bool told_way(const std::string& rule) const {
        const auto says_way = [](const Quote& q) {
            return says(q.text, Topic::direction) || has_word(q.text, "left") || has_word(q.text, "right") || has_word(q.text, "swap") ||
                   has_word(q.text, "左") || has_word(q.text, "右") || has_word(q.text, "交換");
        };
        return std::ranges::any_of(quotes_.of(rule), says_way) || std::ranges::any_of(quotes_.of("play"), says_way) ||
               std::ranges::any_of(quotes_.of("setup"), says_way);
    }

    // ---- when it is over

    Lead& add_end(const SyntaxNode& node, const SyntaxNode& by, const std::shared_ptr<Made>& made, const std::string& rule) {
        Lead& lead = add(node, by, made, rule, FindingClass::end_race);
        lead.as_is = {"it is over at once", "すぐに終わる"};
        lead.instead = {"when the round is done", "ラウンドの最後に終わる"};
        lead.title = {"Is it over at once, or do the others still have their turn of that round? It makes a difference",
                      "すぐに終わるのか、そのラウンドのほかの人の番まで行うのか。結果が変わる"};
        lead.help = {"Say whether the round is played to its end.", "そのラウンドを最後まで行うのかを書く。"};
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
        for (const SyntaxNode* entry : ends.children) {
            if (entry->kind != Kind::end_entry) continue;
            if (quotes_.say(entry->children[0]->text, Topic::until_then) || child(*entry, Kind::body) != nullptr) return;
            if (first == nullptr) first = entry;
        }
        if (first == nullptr || quotes_.say(turn, Topic::until_then)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& name = make(*made, Kind::name, after->span, {}, round->first);
        const SyntaxNode& later = make(*made, Kind::after, after->span, {&name});
        SyntaxNode& other = made->emplace_back(ends);
        std::ranges::replace(other.children, after, &later);
        add_end(ends, other, made, first->children[0]->text).span = first->span;
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
            lead.as_is = {"after the deal", "配った後"};
            lead.instead = {"before the deal", "配る前"};
            lead.title = {"Is this chosen before the cards are dealt, or when one's own have been seen? It makes a difference",
                          "配る前に選ぶのか、自分の札を見てから選ぶのか。結果が変わる"};
            lead.help = {"Say which comes first.", "どちらが先かを書く。"};
        }
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::set<std::string> hands_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_senses(const Syntax& syntax, const Quotes& quotes,
                                  const std::optional<std::pair<std::string, std::string>>& option) {
    return Senses(syntax, quotes).all(option);
}

}  // namespace houserule
