#include "solver/leads/leftovers.hpp"

#include "dsl/game/names.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/walk.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace houserule {

namespace {

class Leftovers {
public:
    Leftovers(const Syntax& syntax, const Game& game, const Quotes& quotes) : syntax_(syntax), game_(game), quotes_(quotes) {
        collect(*syntax.root);
        if (const SyntaxNode* setup = child(*syntax.root, Kind::d_setup)) collect_setup(*setup);
        walk_rules(syntax, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) { follow(node, rule); });
    }

    std::vector<Lead> all() {
        goes_back();
        walk_rules(syntax_, std::nullopt, [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) {
            if (node.kind == Kind::body) rest_first(node, rule);
            if (node.kind == Kind::s_put || node.kind == Kind::s_deal) given(node, rule);
            if (node.kind == Kind::s_becomes) goes_no_further(node, rule);
            if (node.kind == Kind::s_let || node.kind == Kind::s_deal || node.kind == Kind::e_any) fewer(node, rule);
        });
        counts_there();
        return std::move(found_);
    }

    std::vector<std::string> to_win_from() const {
        std::vector<std::string> places;
        for (const auto& [name, zone] : zones_) {
            if (is_of_players(name) || is_said_of(*zone)) continue;
            const bool is_laid = std::ranges::any_of(moves_, [&](const Move& m) {
                return m.to == name && !is_setup(m.rule) && m.node->kind == Kind::s_put && !m.whole && !m.from.empty();
            });
            const bool is_won = std::ranges::any_of(moves_, [&](const Move& m) {
                return m.from.contains(name) && !is_setup(m.rule) && m.node->kind == Kind::s_put && is_of_players(m.to) && is_counted(m.to);
            });
            if (is_laid && is_won) places.push_back(name);
        }
        return places;
    }

private:
    struct Move {
        const SyntaxNode* node = nullptr;
        std::string rule;
        std::set<std::string> from;
        std::string to;
        bool whole = false;  // all that lies there, not one that was chosen
    };

    void collect(const SyntaxNode& node) {
        if (node.kind == Kind::d_zone) zones_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_rule) rules_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_fact) facts_[node.children[0]->text] = &node;
        for (const SyntaxNode* c : node.children) collect(*c);
    }
    void collect_setup(const SyntaxNode& node) {
        if (node.kind == Kind::s_call && of_setup_.insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end()) collect_setup(*rule->second);
        for (const SyntaxNode* c : node.children) collect_setup(*c);
    }
    bool is_setup(const std::string& rule) const { return rule == "setup" || of_setup_.contains(rule); }

    // The zone that a place names; nothing if it names none, or several.
    std::string zone_of(const SyntaxNode& place) const {
        std::set<std::string> names;
        zones_in(place, names);
        return names.size() == 1 ? *names.begin() : "";
    }
    // Also what is read there by a define of a name, but not in conditions.
    void zones_in(const SyntaxNode& node, std::set<std::string>& names, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 2;
        if (node.kind == Kind::name && zones_.contains(node.text)) names.insert(node.text);
        if (node.kind == Kind::e_every) names.insert(node.children[0]->text);
        if (node.kind == Kind::e_call && deep < deepest)
            if (const auto define = defines_.find(node.children[0]->text); define != defines_.end())
                zones_in(*define->second->children.back(), names, deep + 1);
        const bool chosen = node.kind == Kind::e_where || node.kind == Kind::e_with;
        for (std::size_t i = 0; i < (chosen ? 1 : node.children.size()); ++i) zones_in(*node.children[i], names, deep);
    }
    void follow(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::d_rule || node.kind == Kind::d_act || node.kind == Kind::d_setup) chosen_.clear();
        if (node.kind == Kind::s_call) callers_[node.children[0]->text].insert(rule);
        if (node.kind == Kind::choice) {
            const SyntaxNode& set = *node.children[node.children[1]->kind == Kind::count ? 2 : 1];
            const SyntaxNode& name = *node.children[node.children[1]->kind == Kind::count ? 3 : 2];
            for (const SyntaxNode* part : {&set, &name})
                if (part->kind != Kind::name || zones_.contains(part->text)) zones_in(*part, chosen_[(part == &set ? name : set).text]);
        }
        if (node.kind == Kind::s_put) {
            Move m{&node, rule, {}, zone_of(*node.children[2]), true};
            zones_in(*node.children[0], m.from);
            if (m.from.empty() && node.children[0]->kind == Kind::name) {
                m.whole = false;
                if (const auto known = chosen_.find(node.children[0]->text); known != chosen_.end()) m.from = known->second;
            }
            if (!m.to.empty()) moves_.push_back(std::move(m));
        }
        if (node.kind == Kind::s_deal || node.kind == Kind::s_draw) {
            const std::size_t at = node.kind == Kind::s_draw && node.children[1]->kind == Kind::word ? 2 : 1;
            Move m{&node, rule, {}, zone_of(*node.children[at + 1]), false};
            zones_in(*node.children[at], m.from);
            if (!m.to.empty()) moves_.push_back(std::move(m));
        }
    }
    bool flows(const std::string& from, const std::string& to) const {
        return std::ranges::any_of(moves_, [&](const Move& m) { return !is_setup(m.rule) && m.to == to && m.from.contains(from); });
    }
    // Something lies there from the beginning.
    bool is_supply(const std::string& zone) const {
        return std::ranges::any_of(moves_,
                                   [&](const Move& m) { return m.to == zone && (is_setup(m.rule) || has(*m.node, {Kind::e_all})); });
    }
    bool is_one(const std::string& zone) const {
        const auto at = zones_.find(zone);
        const SyntaxNode* shape = at == zones_.end() ? nullptr : child(*at->second, Kind::word);
        return shape == nullptr || shape->text == "one";
    }
    bool is_of_players(const std::string& zone) const {
        const auto at = zones_.find(zone);
        const SyntaxNode* by = at == zones_.end() ? nullptr : child(*at->second, Kind::of_index);
        return by != nullptr && by->children[0]->text == "player";
    }
    // Whether that rule's text says so; without a text, those of all that call it.
    bool said(const std::string& rule, Topic what, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (!quotes_.of(rule).empty() || deep >= deepest) return quotes_.say(rule, what);
        const auto callers = callers_.find(rule);
        return callers != callers_.end() &&
               std::ranges::all_of(callers->second, [&](const std::string& caller) { return said(caller, what, deep + 1); });
    }
    bool is_named(const std::string& rule, const std::string& zone, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 3;
        for (const Quote& q : quotes_.of(rule))
            if (has_word(q.text, zone) || has_word(q.text, label(game_, zone, "en")) || has_word(q.text, label(game_, zone, "ja")))
                return true;
        const auto callers = callers_.find(rule);
        return deep < deepest && quotes_.of(rule).empty() && callers != callers_.end() &&
               std::ranges::any_of(callers->second, [&](const std::string& caller) { return is_named(caller, zone, deep + 1); });
    }

    // Whether a text says of that place, or of what lies there, that it is nobody's, or whose.
    bool is_said_of(const SyntaxNode& zone) const {
        std::vector<std::string> names{zone.children[0]->text};
        if (const SyntaxNode* families = child(zone, Kind::families))
            for (const SyntaxNode* family : families->children) names.push_back(family->text);
        return std::ranges::any_of(quotes_.all(), [&](const auto& of) {
            return std::ranges::any_of(of.second, [&](const Quote& q) {
                return says(q.text, Topic::worthless) && std::ranges::any_of(names, [&](const std::string& name) {
                           return has_word(q.text, name) || has_word(q.text, label(game_, name, q.language));
                       });
            });
        });
    }

    // What was taken from a place is put there again: if it stayed where it is.
    void goes_back() {
        std::map<std::string, std::vector<const Move*>> by_rule;
        for (const Move& m : moves_) {
            if (!m.whole || is_setup(m.rule) || m.node->children.size() > 3 || m.from.size() != 1 || m.from.contains(m.to)) continue;
            const std::string& from = *m.from.begin();
            if (has(*m.node->children[0], {Kind::e_first, Kind::e_last, Kind::e_any, Kind::e_the})) continue;
            if (is_one(from) || !flows(m.to, from) || !is_supply(m.to) || said(m.rule, Topic::back)) continue;
            by_rule[m.rule].push_back(&m);
        }
        for (const auto& [rule, moves] : by_rule) {
            Lead& lead = found_.emplace_back();
            lead.syntax = syntax_;
            for (const Move* m : moves) {
                auto made = std::make_shared<Made>();
                lead.syntax = replaced(lead.syntax, m->node, &make(*made, Kind::s_nothing, m->node->span, {}), {made});
            }
            lead.span = moves.front()->node->span;
            lead.rule = rule;
            lead.what = FindingClass::count;
            lead.as_is = FindingText::it_goes_back;
            lead.instead = FindingText::it_stays_where_it_lies;
            lead.title = FindingText::this_goes_back_where_it_came;
            lead.help = FindingText::say_what_becomes_of_it;
        }
    }

    // `deal 3 … if short { put discard on deck, shuffled }`: if all were shuffled together before.
    void rest_first(const SyntaxNode& body, const std::string& rule) {
        for (const SyntaxNode* step : body.children) {
            const SyntaxNode* refill = step->kind == Kind::s_deal ? child(*step, Kind::if_none) : nullptr;
            if (refill == nullptr || step->children[0]->kind == Kind::word || !has(*refill, {Kind::s_put})) continue;
            if (find(*refill, Kind::word, "shuffled") == nullptr || quotes_.say(rule, Topic::leftovers)) continue;
            if (quotes_.say(rule, Topic::after_deal)) continue;
            const std::string to = zone_of(*step->children[2]);
            const bool everybody = has(*step->children[2], {Kind::e_every, Kind::e_of});
            if (to.empty() || (!everybody && step->children[0]->text == "1")) continue;
            auto made = std::make_shared<Made>();
            const Filled filled{{"lead_pile", step->children[1]}, {"lead_number", step->children[0]}};
            const SyntaxNode& test = written(
                everybody ? "if size of lead_pile < lead_number * players { nothing }" : "if size of lead_pile < lead_number { nothing }",
                filled, step->span, *made);
            SyntaxNode& together = made->emplace_back(test);
            together.children[1] = refill->children[0];
            SyntaxNode& other = made->emplace_back(body);
            const auto at = std::ranges::find(other.children, step);
            other.children.insert(at, &together);
            Lead& lead = found_.emplace_back(rewritten(syntax_, body, &other, {made}, rule));
            lead.span = step->span;
            lead.what = FindingClass::hole;
            lead.as_is = FindingText::what_is_left_is_dealt_first;
            lead.instead = FindingText::all_is_shuffled_together_first;
            lead.title = FindingText::it_runs_short;
            lead.help = FindingText::say_what_becomes_of_the_cards_that;
        }
    }

    // Something is given to another player, to where what one has won lies: if it came to where it must still be won.
    void given(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& target = *node.children[2];
        const std::string to = zone_of(target);
        if (is_setup(rule) || !is_of_players(to) || is_one(to) || is_named(rule, to) || !is_counted(to)) return;
        if (target.kind != Kind::e_possessive || !is_another(*target.children[0], rule)) return;
        const auto from = std::ranges::find_if(zones_, [&](const auto& zone) {
            return zone.first != to && is_of_players(zone.first) && !is_one(zone.first) && flows(zone.first, to) &&
                   !has_seers(zone.first, "owner") &&
                   std::ranges::none_of(moves_, [&](const Move& m) { return m.node == &node && m.from.contains(zone.first) && m.whole; });
        });
        if (from == zones_.end()) return;
        auto made = std::make_shared<Made>();
        SyntaxNode& place = made->emplace_back(target);
        place.children[1] = &make(*made, Kind::name, target.span, {}, from->first);
        SyntaxNode& other = made->emplace_back(node);
        other.children[2] = &place;
        Lead& lead = found_.emplace_back(rewritten(syntax_, node, &other, {made}, rule));
        lead.what = FindingClass::scope;
        lead.as_is = named(game_, to);
        lead.instead = named(game_, from->first);
        lead.title = FindingText::another_player_gets_this_and_no;
        lead.help = FindingText::say_where_it_goes;
    }
    bool has_seers(const std::string& zone, const std::string& who) const {
        const auto at = zones_.find(zone);
        const SyntaxNode* seers = at == zones_.end() ? nullptr : child(*at->second, Kind::seers);
        return seers != nullptr && seers->children[0]->text == who;
    }
    bool is_counted(const std::string& zone) const { return reads_result("score", zone) || reads_winner(*syntax_.root, zone); }
    bool reads_result(const std::string& define, const std::string& zone, std::size_t deep = 0) const {
        const auto at = defines_.find(define);
        return at != defines_.end() && reads(*at->second, zone, deep);
    }
    bool reads(const SyntaxNode& node, const std::string& zone, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::name && node.text == zone) return true;
        if (node.kind == Kind::name && deep < deepest)
            if (const auto define = defines_.find(node.text);
                define != defines_.end() && define->second != &node && reads(*define->second->children.back(), zone, deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return reads(*c, zone, deep); });
    }
    // The result, or what a fact becomes that it may be kept in.
    bool reads_winner(const SyntaxNode& node, const std::string& zone) const {
        if (node.kind == Kind::d_winner || node.kind == Kind::s_becomes) return reads(node, zone);
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return reads_winner(*c, zone); });
    }
    // `p's left`, or the second player whom a rule is about.
    bool is_another(const SyntaxNode& who, const std::string& rule) const {
        if (who.kind == Kind::e_possessive) return who.children[1]->text == "left" || who.children[1]->text == "right";
        const auto at = rules_.find(rule);
        const SyntaxNode* parameters = at == rules_.end() ? nullptr : child(*at->second, Kind::parameters);
        if (who.kind != Kind::name || parameters == nullptr) return false;
        for (std::size_t i = 1; i < parameters->children.size(); ++i)
            if (parameters->children[i]->children.back()->text == who.text) return true;
        return false;
    }

    // ---- when it runs out

    static bool is_call(const SyntaxNode& node, const std::string& name) {
        return node.kind == Kind::e_call && node.children[0]->text == name && node.children[1]->children.size() == 2;
    }
    // An amount that somebody has or that lies on the table.
    bool is_stock(const SyntaxNode& node) const {
        if (node.kind == Kind::e_size) return !zone_of(*node.children[0]).empty();
        const std::string& name = node.kind == Kind::e_possessive ? node.children[1]->text : node.text;
        return (node.kind == Kind::e_possessive || node.kind == Kind::name) && facts_.contains(name);
    }
    // `smaller(2, q's coins)`: if nothing were taken when there are not so many.
    void fewer(const SyntaxNode& node, const std::string& rule) {
        if (is_setup(rule) || said(rule, Topic::runs_out)) return;
        const SyntaxNode& amount = node.kind == Kind::s_let ? *node.children[1] : *node.children[0];
        if (!is_call(amount, "smaller")) return;
        const std::vector<const SyntaxNode*>& both = amount.children[1]->children;
        const std::size_t at = both[0]->kind == Kind::number ? 0 : 1;
        const SyntaxNode& wanted = *both[at];
        const SyntaxNode& stock = *both[1 - at];
        if (wanted.kind != Kind::number || wanted.text == "1" || !is_stock(stock)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& all = written_value("(lead_wanted if lead_stock >= lead_wanted, otherwise 0)",
                                              {{"lead_wanted", &wanted}, {"lead_stock", &stock}}, amount.span, *made);
        Lead& lead = found_.emplace_back(rewritten(syntax_, amount, &all, {made}, rule));
        lead.span = node.span;
        lead.what = FindingClass::count;
        lead.keeps = true;
        lead.as_is = FindingText::as_many_as_there_are;
        lead.instead = FindingText::none_at_all;
        lead.title = FindingText::there_may_be_fewer_than_that;
        lead.help = FindingText::say_what_happens_when_fewer;
    }
    // `p's tokens becomes smaller(8, p's tokens + 1)`: what keeps it from going further, if no text does.
    void goes_no_further(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& value = *node.children[1];
        const SyntaxNode& target = *node.children[0];
        const bool up = is_call(value, "smaller");
        if ((!up && !is_call(value, "larger")) || is_setup(rule) || said(rule, Topic::runs_out)) return;
        const std::string& fact = target.kind == Kind::e_possessive ? target.children[1]->text : target.text;
        const std::vector<const SyntaxNode*>& both = value.children[1]->children;
        const std::size_t at = both[0]->kind == Kind::number ? 0 : 1;
        const SyntaxNode& moved = *both[1 - at];
        if (both[at]->kind != Kind::number || moved.kind != Kind::e_sum || find(moved, Kind::name, fact) == nullptr) return;
        // What runs down one by one stops at nought, and nobody asks.
        if (!up && moved.children.back()->text == "1") return;
        // Where it ends there, the rest is nothing to anybody; and what no text names is a help of the file's author.
        if (decides_end(fact) || !is_told_of(fact)) return;
        const std::int64_t limit = std::stoll(both[at]->text);
        for (const auto& [name, texts] : quotes_.all())
            if (limit != 0 && std::ranges::any_of(texts, [&](const Quote& q) { return numbers_said(q.text, 1).contains(limit); })) return;
        auto made = std::make_shared<Made>();
        Lead& lead = found_.emplace_back(rewritten(syntax_, value, &moved, {made}, rule));
        lead.span = node.span;
        lead.what = FindingClass::count;
        lead.breaks = true;
        lead.within = node.span;
        lead.title = FindingText::this_goes_no_further;
        lead.help = FindingText::say_how_far_it_goes;
    }
    bool is_told_of(const std::string& fact) const {
        return is_counted(fact) || std::ranges::any_of(quotes_.all(), [&](const auto& of) {
                   return std::ranges::any_of(of.second, [&](const Quote& q) {
                       return has_word(q.text, fact) || has_word(q.text, label(game_, fact, q.language));
                   });
               });
    }

    // What is laid aside in several ways decides when it is over: if what comes there in this way did not count.
    void counts_there() {
        std::set<std::string> asked;
        for (const Move& m : moves_) {
            if (!m.whole || is_setup(m.rule) || !decides_end(m.to) || is_of_players(m.to)) continue;
            const bool other_ways = std::ranges::any_of(
                moves_, [&](const Move& o) { return o.to == m.to && o.rule != m.rule && !is_setup(o.rule) && o.from == m.from; });
            if (!other_ways || flows_out(m.to) || quotes_.say(m.rule, Topic::worthless) || is_named(m.rule, m.to)) continue;
            if (!asked.insert(m.rule).second) continue;
            aside(m);
        }
    }
    bool flows_out(const std::string& zone) const {
        return std::ranges::any_of(moves_, [&](const Move& m) { return m.from.contains(zone); });
    }
    bool decides_end(const std::string& zone) const { return ends_read(*syntax_.root, zone); }
    bool ends_read(const SyntaxNode& node, const std::string& zone) const {
        if (node.kind == Kind::end_entry || node.kind == Kind::until_true || node.kind == Kind::while_true) return reads(node, zone);
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return ends_read(*c, zone); });
    }
    void aside(const Move& m) {
        auto made = std::make_shared<Made>();
        const SyntaxNode& zone = *zones_.at(m.to);
        const SyntaxNode& name = make(*made, Kind::name, zone.span, {}, "lead_put_aside");
        SyntaxNode& box = made->emplace_back(zone);
        box.children[0] = &name;
        SyntaxNode& put = made->emplace_back(*m.node);
        put.children[2] = &name;
        Lead& lead = found_.emplace_back(rewritten(syntax_, *m.node, &put, {made}, m.rule));
        SyntaxNode& root = made->emplace_back(*lead.syntax.root);
        root.children.push_back(&box);
        lead.syntax.root = &root;
        lead.what = FindingClass::count;
        lead.as_is = FindingText::it_counts;
        lead.instead = FindingText::it_does_not_count;
        lead.title = FindingText::what_is_put_aside_here_decides;
        lead.help = FindingText::say_whether_it_counts;
        lead.alter = [to = m.to](Game& game) {
            for (Zone& z : game.zones)
                if (z.name == to) z.name += "'";
        };
    }

    const Syntax& syntax_;
    const Game& game_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> zones_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, const SyntaxNode*> facts_;
    std::map<std::string, std::set<std::string>> chosen_;  // by name, in one rule: where it was chosen from
    std::map<std::string, std::set<std::string>> callers_;
    std::set<std::string> of_setup_;
    std::vector<Move> moves_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_leftovers(const Syntax& syntax, const Game& game, const Quotes& quotes) {
    return Leftovers(syntax, game, quotes).all();
}

std::vector<std::string> places_to_win_from(const Syntax& syntax, const Game& game, const Quotes& quotes) {
    return Leftovers(syntax, game, quotes).to_win_from();
}

}  // namespace houserule
