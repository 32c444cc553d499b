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
#include <utility>

namespace houserule {

namespace {

class Stages {
public:
    Stages(const Syntax& syntax, const Game& game, const Quotes& quotes) : syntax_(syntax), game_(game), quotes_(quotes) {
        for (const SyntaxNode* d : syntax.root->children) {
            if (d->kind == Kind::d_fact) facts_[d->children[0]->text] = d;
            if (d->kind == Kind::d_zone) zones_[d->children[0]->text] = d;
            if (d->kind == Kind::d_define) defines_[d->children[0]->text] = d;
            if (d->kind == Kind::d_rule) rules_[d->children[0]->text] = d;
        }
        if (const SyntaxNode* setup = child(*syntax.root, Kind::d_setup)) collect_setup(*setup);
    }

    std::vector<Lead> all() {
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) { follow(node, rule); });
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
            look(node, rule);
            who_stands_in(node, parent, rule);
        });
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
            begins_.insert(name);
            if (!quotes_.say(rule, Topic::first)) asked_there_.insert(name);
        }
        if (node.kind == Kind::s_call && node.children.size() > 1)
            for (const SyntaxNode* a : node.children[1]->children)
                if (a->kind == Kind::name) first_.insert(a->text);
        if (node.kind == Kind::s_becomes && node.children[0]->kind == Kind::name && !is_setup(rule))
            set_in_[node.children[0]->text].insert(rule);
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
        if (quotes_.say_who_begins()) return;
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

    // ---- who begins if the one who would cannot

    void collect_setup(const SyntaxNode& node) {
        if (node.kind == Kind::s_call && of_setup_.insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end()) collect_setup(*rule->second);
        for (const SyntaxNode* c : node.children) collect_setup(*c);
    }
    bool is_setup(const std::string& rule) const { return rule == "setup" || of_setup_.contains(rule); }
    bool is_player(const std::string& fact) const {
        const auto at = facts_.find(fact);
        return at != facts_.end() && child(*at->second, Kind::of_index) == nullptr && child(*at->second, Kind::t_player) != nullptr;
    }
    // The texts of that rule, of play, or of where it is set who begins.
    bool says_who_stands_in(const std::string& rule, const std::string& fact) const {
        const auto set = set_in_.find(fact);
        return quotes_.say(rule, Topic::stands_in) || quotes_.say("play", Topic::stands_in) ||
               (set != set_in_.end() &&
                std::ranges::any_of(set->second, [&](const std::string& r) { return quotes_.say(r, Topic::stands_in); }));
    }

    // Whether that player still takes part: has not been put out, or holds something.
    bool is_status(const SyntaxNode& condition, const SyntaxNode& who, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        const std::vector<const SyntaxNode*>& parts = condition.children;
        switch (condition.kind) {
            case Kind::e_not:
                return is_status(*parts[0], who, deep);
            case Kind::e_or:
                return std::ranges::any_of(parts, [&](const SyntaxNode* part) { return is_status(*part, who, deep); });
            case Kind::e_possessive:
                return is_same(*parts[0], who) && facts_.contains(parts[1]->text);
            case Kind::e_compare:
                return parts[2]->kind == Kind::number && parts[0]->kind == Kind::e_possessive && is_status(*parts[0], who, deep);
            case Kind::e_empty:
            case Kind::e_not_empty:
                return parts[0]->kind == Kind::e_possessive && is_same(*parts[0]->children[0], who) && is_hand(parts[0]->children[1]->text);
            case Kind::e_in:
                return deep < deepest && is_same(*parts[0], who) && parts[1]->kind == Kind::name && is_of_those_in(parts[1]->text, deep);
            case Kind::e_call: {
                const auto define = defines_.find(parts[0]->text);
                const SyntaxNode* given = child(condition, Kind::arguments);
                if (deep >= deepest || define == defines_.end() || given == nullptr || given->children.size() != 1) return false;
                const SyntaxNode* parameters = child(*define->second, Kind::parameters);
                if (parameters == nullptr || parameters->children.size() != 1 || !is_same(*given->children[0], who)) return false;
                return is_status(*define->second->children.back(), *parameters->children[0]->children.back(), deep + 1);
            }
            default:
                return false;
        }
    }
    static bool is_same(const SyntaxNode& a, const SyntaxNode& b) { return a.kind == b.kind && a.text == b.text; }
    bool is_hand(const std::string& zone) const {
        const auto at = zones_.find(zone);
        const SyntaxNode* by = at == zones_.end() ? nullptr : child(*at->second, Kind::of_index);
        const SyntaxNode* seers = at == zones_.end() ? nullptr : child(*at->second, Kind::seers);
        return by != nullptr && by->children[0]->text == "player" && seers != nullptr && seers->children[0]->text == "owner";
    }
    // `define inside = players where not its out`
    bool is_of_those_in(const std::string& name, std::size_t deep) const {
        const auto define = defines_.find(name);
        if (define == defines_.end()) return false;
        const SyntaxNode& set = *define->second->children.back();
        if (set.kind != Kind::e_where || set.children[0]->kind != Kind::players) return false;
        const SyntaxNode it{Kind::it, set.span, "it", {}};
        return is_status(*set.children[1], it, deep + 1);
    }

    void who_stands_in(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        if (node.kind == Kind::body && (parent == nullptr || parent->kind == Kind::d_rule || parent->kind == Kind::d_play))
            begun_by_who_is_out(node, rule);
        if (node.kind == Kind::s_becomes) chosen_instead(node, rule);
        if (node.kind == Kind::s_if) goes_on_to(node, rule);
        if (node.kind == Kind::s_if) nobody_to_begin(node, rule);
    }

    // The rule that is called there, if nothing is given to it.
    const SyntaxNode* called(const SyntaxNode& node) const {
        if (node.kind != Kind::s_call || child(node, Kind::arguments) != nullptr) return nullptr;
        const auto rule = rules_.find(node.children[0]->text);
        return rule == rules_.end() ? nullptr : rule->second->children.back();
    }
    // The first loop there, or in a rule that is called there, that begins with a player whom a fact names.
    const SyntaxNode* loop_from(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (node.kind == Kind::s_each)
            if (const SyntaxNode* way = child(node, Kind::direction); way != nullptr && way->children[1]->text == "from" &&
                                                                      way->children[2]->kind == Kind::name &&
                                                                      is_player(way->children[2]->text))
                return &node;
        if (const SyntaxNode* rule = called(node); rule != nullptr && deep < deepest) return loop_from(*rule, deep + 1);
        for (const SyntaxNode* c : node.children)
            if (const SyntaxNode* found = loop_from(*c, deep)) return found;
        return nullptr;
    }
    bool sets(const SyntaxNode& node, const std::string& fact, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_becomes && node.children[0]->kind == Kind::name && node.children[0]->text == fact) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && sets(*rule->second, fact, deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return sets(*c, fact, deep); });
    }
    // Who begins the next time is decided there: it is a stage with a first player of its own, and not one in which turns go on.
    bool is_round(const SyntaxNode& body) const {
        const SyntaxNode* each = loop_from(body);
        return each != nullptr && sets(body, child(*each, Kind::direction)->children[2]->text);
    }
    bool has_round(const SyntaxNode& node) const {
        if (const SyntaxNode* rule = called(node); rule != nullptr && (is_round(*rule) || has_round(*rule))) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return has_round(*c); });
    }
    // Where it is set, the rules name another one for it: that is asked there.
    static bool names_stand_in(const SyntaxNode& node, const std::string& fact) {
        if (node.kind == Kind::s_becomes && node.children[0]->kind == Kind::name && node.children[0]->text == fact)
            return has(*node.children[1], {Kind::e_if, Kind::e_next, Kind::e_cases, Kind::e_or_if_none});
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return names_stand_in(*c, fact); });
    }
    // Those among whom a loop goes round, as far as it says who takes part; nothing if it does not.
    const SyntaxNode* those_in(const SyntaxNode& each, Made& made) const {
        const std::string& who = each.children[0]->text;
        const SyntaxNode* set = child(each, Kind::in_set);
        const SyntaxNode* where = child(each, Kind::where);
        const SyntaxNode* all = set != nullptr ? set->children[0] : &make(made, Kind::players, each.span, {}, "players");
        const bool named = all->kind == Kind::name && is_of_those_in(all->text, 0);
        std::vector<const SyntaxNode*> parts;
        if (where != nullptr) parts = where->children[0]->kind == Kind::e_and ? where->children[0]->children : where->children;
        std::erase_if(parts, [&](const SyntaxNode* part) { return !is_status(*part, *each.children[0]); });
        if (parts.empty()) return named ? all : nullptr;
        std::vector<const SyntaxNode*> own;
        for (const SyntaxNode* part : parts) own.push_back(&of_it(*part, who, made));
        const SyntaxNode* condition = own.size() == 1 ? own[0] : &make(made, Kind::e_and, each.span, own);
        return &make(made, Kind::e_where, each.span, {all, condition});
    }
    // `each p clockwise from starter where not p's out`: the next one begins if the starter is out; if it were the one before.
    void begun_by_who_is_out(const SyntaxNode& body, const std::string& rule) {
        if (!is_round(body) || has_round(body)) return;
        for (std::size_t i = 0; i < body.children.size(); ++i) {
            const SyntaxNode* each = loop_from(*body.children[i]);
            if (each == nullptr) continue;
            const SyntaxNode& way = *child(*each, Kind::direction);
            const SyntaxNode& starter = *way.children[2];
            if (!set_in_.contains(starter.text) || says_who_stands_in(rule, starter.text)) continue;
            if (names_stand_in(*syntax_.root, starter.text)) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode* set = those_in(*each, *made);
            if (set == nullptr || !asked_out_.insert(starter.text).second) continue;
            const bool clockwise = way.children[0]->text == "clockwise";
            const SyntaxNode& step =
                written(clockwise ? "if lead_set is not empty { lead_first becomes next before lead_first's left in lead_set }"
                                  : "if lead_set is not empty { lead_first becomes next after lead_first's right in lead_set }",
                        {{"lead_first", &starter}, {"lead_set", set}}, way.span, *made);
            SyntaxNode& other = made->emplace_back(body);
            other.children.insert(other.children.begin() + i, &step);
            Lead& lead = begins_otherwise(body, other, made, rule, FindingText::who_would_begin_can_be_out);
            lead.span = each->span;
            lead.as_is = FindingText::the_next_one_begins;
            lead.instead = FindingText::the_one_before_begins;
        }
    }
    Lead& begins_otherwise(const SyntaxNode& node, const SyntaxNode& by, const std::shared_ptr<Made>& made, const std::string& rule,
                           Sentence title) {
        Lead& lead = found_.emplace_back(rewritten(syntax_, node, &by, {made}, rule));
        lead.what = FindingClass::chooser;
        lead.keeps = true;
        lead.title = std::move(title);
        lead.help = FindingText::say_who_begins_then;
        return lead;
    }

    // The other way round from there: `next after X in S`, `X's left`; else the one on X's left.
    static const SyntaxNode& other_player(const SyntaxNode& value, const SyntaxNode& who, Made& made) {
        const auto side = [](const std::string& text) { return text == "left" || text == "right"; };
        if (value.kind == Kind::e_next || (value.kind == Kind::e_possessive && side(value.children[1]->text))) {
            const std::size_t at = value.kind == Kind::e_next ? 0 : 1;
            SyntaxNode& word = made.emplace_back(*value.children[at]);
            word.text = word.text == "after" ? "before" : word.text == "before" ? "after" : word.text == "left" ? "right" : "left";
            SyntaxNode& other = made.emplace_back(value);
            other.children[at] = &word;
            return other;
        }
        return make(made, Kind::e_possessive, value.span, {&who, &make(made, Kind::name, value.span, {}, "left")});
    }
    // Whether that player is somebody: 1; or nobody: -1.
    static int is_somebody(const SyntaxNode& condition, const SyntaxNode& who) {
        if (condition.kind != Kind::e_compare || condition.children[2]->kind != Kind::nobody || !is_same(*condition.children[0], who))
            return 0;
        return condition.children[1]->text == "is" ? -1 : 1;
    }
    // `leader becomes (top if top's hand is not empty, otherwise next after top in active)`
    void chosen_instead(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& first = *node.children[0];
        const SyntaxNode& value = *node.children[1];
        if (first.kind != Kind::name || !is_player(first.text) || !first_.contains(first.text) || is_setup(rule)) return;
        if (value.kind != Kind::e_if || value.children.size() != 3 || says_who_stands_in(rule, first.text)) return;
        const SyntaxNode& condition = *value.children[1];
        for (const std::size_t at : {std::size_t{0}, std::size_t{2}}) {
            const SyntaxNode& who = *value.children[at];
            const SyntaxNode& instead = *value.children[2 - at];
            if (who.kind != Kind::name) continue;
            const bool nobody = is_somebody(condition, who) == (at == 0 ? 1 : -1);
            const bool negative = condition.kind == Kind::e_empty || condition.kind == Kind::e_possessive;
            const bool out = !nobody && is_status(condition, who) && negative == (at == 2);
            if (!nobody && !out) continue;
            auto made = std::make_shared<Made>();
            SyntaxNode& other = made->emplace_back(value);
            const bool same = instead.kind == Kind::name && instead.text == first.text;
            other.children[2 - at] = nobody && !same ? &first : &other_player(instead, nobody ? first : who, *made);
            Lead& lead = begins_otherwise(value, other, made, rule,
                                          nobody ? FindingText::nobody_may_be_there_to_begin : FindingText::who_would_begin_can_be_out);
            lead.instead = FindingText::another_player_begins;
            return;
        }
    }
    // `if attacker's hand is empty: attacker becomes next after attacker in holders`
    void goes_on_to(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode* becomes = only_step(node);
        if (becomes == nullptr || child(node, Kind::otherwise) != nullptr || is_setup(rule)) return;
        const SyntaxNode& first = *becomes->children[0];
        const SyntaxNode& value = *becomes->children[1];
        if (!is_player(first.text) || !first_.contains(first.text) || !is_status(*node.children[0], first)) return;
        if ((value.kind != Kind::e_next && value.kind != Kind::e_possessive) || says_who_stands_in(rule, first.text)) return;
        auto made = std::make_shared<Made>();
        Lead& lead = begins_otherwise(value, other_player(value, first, *made), made, rule, FindingText::who_would_begin_can_be_out);
        lead.span = node.span;
        lead.as_is = FindingText::the_next_one_begins;
        lead.instead = FindingText::the_one_before_begins;
    }
    // The one step of what is done if a condition holds, if it sets a fact of the table.
    static const SyntaxNode* only_step(const SyntaxNode& node) {
        const SyntaxNode* step = node.children[1];
        if (step->kind == Kind::body) step = step->children.size() == 1 ? step->children[0] : nullptr;
        return step != nullptr && step->kind == Kind::s_becomes && step->children[0]->kind == Kind::name ? step : nullptr;
    }
    // `if size of winners is 1: starter becomes the winners`: else the same player begins again; if it were the next one.
    void nobody_to_begin(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode* becomes = only_step(node);
        if (becomes == nullptr || child(node, Kind::otherwise) != nullptr || is_setup(rule)) return;
        const SyntaxNode& first = *becomes->children[0];
        const SyntaxNode& condition = *node.children[0];
        if (!is_player(first.text) || !begins_.contains(first.text) || says_who_stands_in(rule, first.text)) return;
        const bool one = condition.kind == Kind::e_compare && condition.children[0]->kind == Kind::e_size &&
                         condition.children[1]->text == "is" && condition.children[2]->text == "1";
        if (!one && condition.kind != Kind::e_not_empty && is_somebody(condition, *becomes->children[1]) != 1) return;
        if (one && (quotes_.say(rule, Topic::several) || quotes_.say(rule, Topic::alone))) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& next = written("lead_first becomes lead_first's left", {{"lead_first", &first}}, node.span, *made);
        const SyntaxNode& otherwise = make(*made, Kind::otherwise, node.span, {&make(*made, Kind::body, node.span, {&next})});
        SyntaxNode& both = made->emplace_back(node);
        both.children.push_back(&otherwise);
        Lead& lead = begins_otherwise(node, both, made, rule, FindingText::nobody_may_be_there_to_begin);
        lead.as_is = FindingText::the_same_player_each_time;
        lead.instead = FindingText::the_next_player_each_time;
    }

    const Syntax& syntax_;
    const Game& game_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> facts_;
    std::map<std::pair<std::string, std::string>, std::set<std::string>> reckoned_;  // by rule and name: the amounts in what was reckoned
    std::set<std::string> first_;                                                    // who begins a round, or what is given to a rule
    std::set<std::string> asked_there_;  // with whom a round begins of which is asked who is first
    std::set<std::string> asked_;
    std::map<std::string, const SyntaxNode*> zones_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::set<std::string> of_setup_;                       // rules that the set-up calls
    std::set<std::string> begins_;                         // facts with which a loop begins
    std::map<std::string, std::set<std::string>> set_in_;  // by fact: the rules of play that set it
    std::set<std::string> asked_out_;                      // who begins if that one is out
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_stages(const Syntax& syntax, const Game& game, const Quotes& quotes) {
    return Stages(syntax, game, quotes).all();
}

}  // namespace houserule
