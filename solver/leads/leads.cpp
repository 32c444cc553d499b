#include "solver/leads/leads.hpp"

#include "solver/findings/texts.hpp"
#include "solver/leads/duties.hpp"
#include "solver/leads/leftovers.hpp"
#include "solver/leads/senses.hpp"
#include "solver/leads/stages.hpp"
#include "solver/leads/starts.hpp"
#include "solver/leads/steps.hpp"
#include "solver/leads/walk.hpp"
#include "solver/wording/quotes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace houserule {

namespace {

class Asking {
public:
    explicit Asking(const Syntax& syntax, const Quotes& quotes) : syntax_(syntax), quotes_(quotes) {}

    std::vector<Lead> all(const std::optional<std::pair<std::string, std::string>>& option) {
        collect_zones(*syntax_.root);
        walk_rules(syntax_, option,
                   [&](const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) { look(node, parent, rule); });
        return std::move(found_);
    }

private:
    void look(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        if (node.kind == Kind::s_each) note_conditions(node);
        switch (node.kind) {
            case Kind::e_with:
                // Who chooses decides, and who counts them knows that there can be several.
                if (parent == nullptr || (parent->kind != Kind::e_the && parent->kind != Kind::choice && parent->kind != Kind::e_size))
                    exactly_one(node, rule);
                without_nought(node, rule);
                return;
            case Kind::s_if:
                without_condition(node, rule);
                left_lying(node, parent, rule);
                return;
            case Kind::until_true:
            case Kind::end_entry:
                passed(node, rule);
                return;
            case Kind::s_each:
                without_cards(node, rule);
                passed_by(node, parent, rule);
                return;
            case Kind::d_ends:
                asks_too_late(node);
                return;
            case Kind::d_rule:
                begins_next(node);
                return;
            case Kind::s_becomes:
                begins_again(node, rule);
                return;
            case Kind::s_must:
                without_last(node, Kind::if_none, rule);
                return;
            case Kind::s_draw:
            case Kind::s_deal:
                without_last(node, Kind::if_none, rule);
                return;
            case Kind::s_put:
                one_of_each(node, rule);
                return;
            case Kind::e_empty:
            case Kind::e_not_empty:
                none_anywhere(*node.children[0], rule);
                return;
            case Kind::direction:
                if (parent == nullptr || !is_even_deal(*parent, rule)) other_way(node, parent, rule);
                return;
            case Kind::body:
                exchanged(node, rule);
                return;
            default:
                return;
        }
    }

    Lead& add(const SyntaxNode& node, const SyntaxNode* by, Storage storage, const std::string& rule) {
        return found_.emplace_back(rewritten(syntax_, node, by, storage, rule));
    }

    // Each sentence of the rule that speaks of several answers one place, in the order of the text.
    bool is_answered(const std::string& rule) {
        const auto tied = [](const Quote& q) {
            const std::vector<std::string> all = sentences(q.text);
            return std::count_if(all.begin(), all.end(), [](const std::string& s) { return says(s, Topic::several); });
        };
        std::ptrdiff_t answers = 0;
        for (const Quote& q : quotes_.of(rule)) answers = std::max(answers, tied(q));
        return places_[rule]++ < answers;
    }
    // `players with most X`: if it were the one.
    void exactly_one(const SyntaxNode& node, const std::string& rule) {
        if (is_answered(rule)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& the = make(*made, Kind::e_the, node.span, {&node});
        const SyntaxNode& set = make(*made, Kind::e_set, node.span, {&the});
        Lead& lead = add(node, &set, {made}, rule);
        lead.what = FindingClass::unresolved;
        lead.breaks = true;
        lead.title = FindingText::several_can_tie_here_or_nobody;
        lead.help = FindingText::say_what_happens_in_a_tie;
    }

    void collect_zones(const SyntaxNode& node) {
        if (node.kind == Kind::d_rule) rules_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = node.children.back();
        if (node.kind == Kind::d_fact && child(node, Kind::of_index) == nullptr && child(node, Kind::t_player) != nullptr)
            players_.insert(node.children[0]->text);
        if (node.kind == Kind::s_repeat || node.kind == Kind::s_times) collect_calls(node, repeated_);
        if (node.kind == Kind::d_play || node.kind == Kind::d_match) played_.push_back(&node);
        if (node.kind == Kind::d_zone) {
            zones_.push_back(&node);
            const SyntaxNode* by = child(node, Kind::of_index);
            const SyntaxNode* seers = child(node, Kind::seers);
            if (const SyntaxNode* shape = child(node, Kind::word); shape != nullptr && shape->text == "one")
                singles_.insert(node.children[0]->text);
            if (by != nullptr && by->children[0]->text == "player" && seers != nullptr) {
                if (seers->children[0]->text == "all") open_zones_.push_back(node.children[0]->text);
                if (seers->children[0]->text == "owner") hands_.push_back(node.children[0]->text);
            }
        }
        for (const SyntaxNode* c : node.children) collect_zones(*c);
    }
    // `until all hands are empty`: a text says which cards are meant.
    bool is_emptied_by_name(const std::string& zone, const std::string& rule) const {
        const auto tells = [&](const std::string& sentence) { return has_word(sentence, zone) && has_word(sentence, "empty"); };
        return std::ranges::any_of(quotes_.of(rule), [&](const Quote& q) { return std::ranges::any_of(sentences(q.text), tells); });
    }
    // `p's hand is empty`: if it meant all cards that lie before a player.
    void none_anywhere(const SyntaxNode& zone, const std::string& rule) {
        if (zone.kind != Kind::e_possessive || open_zones_.empty()) return;
        const std::string& name = zone.children[1]->text;
        if (singles_.contains(name) || std::ranges::find(hands_, name) == hands_.end()) return;
        if (std::find(open_zones_.begin(), open_zones_.end(), name) != open_zones_.end() || is_emptied_by_name(name, rule)) return;
        auto made = std::make_shared<Made>();
        std::vector<const SyntaxNode*> sum{&zone};
        for (const std::string& open : open_zones_) {
            sum.push_back(&make(*made, Kind::word, zone.span, {}, "+"));
            const SyntaxNode& other = make(*made, Kind::name, zone.span, {}, open);
            sum.push_back(&make(*made, Kind::e_possessive, zone.span, {zone.children[0], &other}));
        }
        Lead& lead = add(zone, &make(*made, Kind::e_sum, zone.span, sum), {made}, rule);
        lead.what = FindingClass::scope;
        lead.title = FindingText::no_cards_here_do_those;
        lead.help = FindingText::say_which_cards_are_meant;
    }

    bool calls_what_says(const SyntaxNode& node, Topic what) const {
        if (node.kind == Kind::s_call && quotes_.say(node.children[0]->text, what)) return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return calls_what_says(*c, what); });
    }
    void without_condition(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& condition = *node.children[0];
        auto made = std::make_shared<Made>();
        const SyntaxNode& yes = make(*made, Kind::yes, condition.span, {}, "yes");
        if (once_only(condition, *node.children[1]) && !quotes_.say(rule, Topic::once) &&
            !calls_what_says(*node.children[1], Topic::once)) {
            Lead& again = add(condition, &yes, {made}, rule);
            again.what = FindingClass::scope;
            again.title = FindingText::once_only_or_again_it_makes;
            again.help = FindingText::say_how_often;
        }
        // One alone is what the text says, or what happens when there is none.
        if (has(condition, {Kind::e_size}) && (quotes_.say(rule, Topic::alone) || quotes_.say(rule, Topic::several))) return;
        if (quotes_.say(rule, Topic::none) || shares_among(condition, *node.children[1])) return;
        Lead& lead = add(condition, &yes, {made}, rule);
        lead.what = FindingClass::void_duty;
        lead.breaks = true;
        // What only sets values asks for nothing that comes later.
        if (!has(*node.children[1], {Kind::s_must, Kind::s_may, Kind::s_may_do, Kind::s_put, Kind::s_draw, Kind::s_deal, Kind::s_call}))
            lead.within = node.span;
        lead.title = FindingText::this_condition_is_all_that_keeps;
        lead.help = FindingText::say_what_happens_then;
    }
    // `if leaving is not empty { let n = size of leaving … quotient(pot, n) … }`: nobody doubts what is shared among none.
    static bool shares_among(const SyntaxNode& condition, const SyntaxNode& then) {
        if (condition.kind != Kind::e_not_empty) return false;
        if (has(then, {Kind::s_must, Kind::s_draw, Kind::s_deal})) return false;
        return find(then, Kind::name, "quotient") != nullptr || find(then, Kind::name, "remainder") != nullptr;
    }
    // `if not p's tried`, before somebody may do something.
    static bool once_only(const SyntaxNode& condition, const SyntaxNode& then) {
        if (condition.kind == Kind::e_and)
            return std::any_of(condition.children.begin(), condition.children.end(),
                               [&](const SyntaxNode* part) { return once_only(*part, then); });
        if (condition.kind != Kind::e_not || condition.children[0]->kind != Kind::e_possessive) return false;
        return has(then, {Kind::s_may, Kind::s_may_do});
    }

    // Without its `if none` or `if short`.
    void without_last(const SyntaxNode& node, Kind last, const std::string& rule) {
        if (node.children.back()->kind != last || quotes_.say(rule, Topic::none)) return;
        auto made = std::make_shared<Made>();
        SyntaxNode& bare = made->emplace_back(node);
        bare.children.pop_back();
        Lead& lead = add(node, &bare, {made}, rule);
        lead.what = FindingClass::void_duty;
        lead.breaks = true;
        lead.title = FindingText::there_can_be_none_here;
        lead.help = FindingText::say_what_happens;
    }

    // `put S where it is in named in Z`: if each of what was named meant just one card.
    void one_of_each(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& from = *node.children[0];
        if (from.kind != Kind::e_where || from.children[1]->kind != Kind::e_in || from.children[1]->children[1]->kind != Kind::name) return;
        auto made = std::make_shared<Made>();
        const Filled filled{{"all_named", from.children[1]->children[1]}, {"all_there", from.children[0]}, {"there", node.children[2]}};
        const SyntaxNode& each =
            written("each lead_named in all_named: put the (all_there where it is lead_named) in there", filled, node.span, *made);
        Lead& lead = add(node, &each, {made}, rule);
        lead.what = FindingClass::conflict;
        lead.breaks = true;
        lead.title = FindingText::what_is_named;
        lead.help = FindingText::say_what_happens_with_several;
    }

    // Unseen cards, as many for each: in which order does not matter.
    static bool is_even_deal(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::s_each || node.kind == Kind::body) {
            const bool everybody = node.kind == Kind::body || child(node, Kind::where) == nullptr;
            const std::vector<const SyntaxNode*> one{node.children.back()};
            return everybody && std::ranges::all_of(node.kind == Kind::body ? node.children : one,
                                                    [&](const SyntaxNode* step) { return is_even_deal(*step, rule); });
        }
        if (node.kind != Kind::s_deal) return false;
        return rule == "setup" || (node.children[0]->kind != Kind::word && node.children.back()->kind != Kind::if_none);
    }
    bool told(const std::string& rule, Topic what) const { return quotes_.say(rule, what) || quotes_.say("setup", what); }

    // `after p` begins with the next one, and leaves out p: then the next but one is first.
    const SyntaxNode& begun_later(const SyntaxNode& direction, const SyntaxNode& each, Made& made) const {
        const Span span = direction.span;
        const SyntaxNode& but = *direction.children[2];
        const SyntaxNode& left = make(made, Kind::name, span, {}, "left");
        const SyntaxNode& next = make(made, Kind::e_possessive, span, {&but, &left});
        SyntaxNode& from = made.emplace_back(direction);
        from.children[1] = &make(made, Kind::word, span, {}, "from");
        from.children[2] = &make(made, Kind::e_possessive, span, {&next, &left});
        SyntaxNode& later = made.emplace_back(each);
        std::ranges::replace(later.children, &direction, &std::as_const(from));
        const SyntaxNode* set = child(each, Kind::in_set);
        const SyntaxNode& all = set != nullptr ? *set->children[0] : make(made, Kind::players, span, {}, "players");
        const SyntaxNode& others = make(made, Kind::in_set, span, {&make(made, Kind::e_but, span, {&all, &but})});
        if (set != nullptr)
            std::ranges::replace(later.children, set, &others);
        else
            later.children.insert(later.children.begin() + 1, &others);
        return later;
    }

    void other_way(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        auto made = std::make_shared<Made>();
        SyntaxNode& way = made->emplace_back(*node.children[0]);
        const bool clockwise = way.text == "clockwise";
        way.text = clockwise ? "counterclockwise" : "clockwise";
        if (!told(rule, Topic::direction)) {
            SyntaxNode& direction = made->emplace_back(node);
            direction.children[0] = &way;
            Lead& round = add(node, &direction, {made}, rule);
            round.what = FindingClass::chooser;
            round.title = FindingText::which_way_round_it_makes;
            round.help = FindingText::say_the_direction;
        }
        const bool is_in_a_fact = node.children[2]->kind == Kind::name && players_.contains(node.children[2]->text);
        if (told(rule, Topic::first) || (is_in_a_fact && quotes_.say_who_begins())) return;
        if (node.children[1]->text == "after") {
            if (parent == nullptr || parent->kind != Kind::s_each) return;
            who_is_first(*parent, begun_later(node, *parent, *made), made, rule);
            return;
        }
        const SyntaxNode& left = make(*made, Kind::name, node.span, {}, "left");
        const SyntaxNode& next = make(*made, Kind::e_possessive, node.span, {node.children[2], &left});
        SyntaxNode& later = made->emplace_back(node);
        later.children[2] = &next;
        who_is_first(node, later, made, rule);
    }
    void who_is_first(const SyntaxNode& node, const SyntaxNode& later, const std::shared_ptr<Made>& made, const std::string& rule) {
        Lead& first = add(node, &later, {made}, rule);
        first.what = FindingClass::chooser;
        first.keeps = true;
        first.title = FindingText::who_is_first_it_makes;
        first.help = FindingText::say_who_begins;
    }

    // Whether what lies in that zone is put somewhere there, or in a rule that is called there.
    bool moves(const SyntaxNode& node, const std::string& zone, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_put && find(*node.children[0], Kind::name, zone) != nullptr) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && moves(*rule->second, zone, deep + 1))
                return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return moves(*c, zone, deep); });
    }
    bool moves_later(const SyntaxNode& node, const SyntaxNode* parent, const std::string& zone) const {
        if (parent == nullptr || parent->kind != Kind::body) return false;
        const auto at = std::ranges::find(parent->children, &node);
        return at != parent->children.end() &&
               std::any_of(at + 1, parent->children.end(), [&](const SyntaxNode* step) { return moves(*step, zone); });
    }
    void note_conditions(const SyntaxNode& loop) {
        if (loop.kind == Kind::s_if) in_turn_.insert(&loop);
        for (const SyntaxNode* c : loop.children) note_conditions(*c);
    }
    // `if …: put Z in W`, and otherwise Z stays: if it were put aside then. Where each in turn may get it, the next one may.
    void left_lying(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        if (child(node, Kind::otherwise) != nullptr || in_turn_.contains(&node) || quotes_.say(rule, Topic::leftovers)) return;
        const SyntaxNode& then = *node.children[1];
        std::vector<const SyntaxNode*> steps{&then};
        if (then.kind == Kind::body) steps = then.children;
        for (const SyntaxNode* step : steps) {
            if (step->kind != Kind::s_put || step->children[0]->kind != Kind::name) continue;
            const auto zone = std::find_if(zones_.begin(), zones_.end(), [&](const SyntaxNode* z) {
                return z->children[0]->text == step->children[0]->text && child(*z, Kind::of_index) == nullptr;
            });
            if (zone == zones_.end() || moves_later(node, parent, step->children[0]->text)) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& aside = make(*made, Kind::name, (*zone)->span, {}, "lead_put_aside");
            SyntaxNode& box = made->emplace_back(**zone);
            box.children[0] = &aside;
            SyntaxNode& put = made->emplace_back(*step);
            put.children = {step->children[0], &make(*made, Kind::word, step->span, {}, "in"), &aside};
            const SyntaxNode& body = make(*made, Kind::body, step->span, {&put});
            const SyntaxNode& otherwise = make(*made, Kind::otherwise, step->span, {&body});
            SyntaxNode& both = made->emplace_back(node);
            both.children.push_back(&otherwise);
            Lead& lead = add(node, &both, {made}, step->children[0]->text);
            SyntaxNode& root = made->emplace_back(*lead.syntax.root);
            root.children.push_back(&box);
            lead.syntax.root = &root;
            lead.what = FindingClass::count;
            lead.instead = FindingText::put_aside_then;
            lead.title = FindingText::otherwise_what_lies_here_is_left;
            lead.help = FindingText::say_what_becomes_of_it;
            const std::string name = step->children[0]->text;
            lead.alter = [name](Game& game) {
                for (Zone& z : game.zones)
                    if (z.name == name) z.name += "'";
            };
        }
    }

    // `until x >= 3`: if who passes it did not count.
    void passed(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode* compare = find(node, Kind::e_compare, "");
        if (compare == nullptr || compare->children[1]->text != ">=" || compare->children[2]->kind != Kind::number) return;
        const std::string name = node.kind == Kind::end_entry ? node.children[0]->text : rule;
        if (told(name, Topic::or_more) || told(rule, Topic::or_more) || quotes_.say("play", Topic::or_more)) return;
        auto made = std::make_shared<Made>();
        SyntaxNode& exactly = made->emplace_back(*compare);
        exactly.children[1] = &make(*made, Kind::word, compare->span, {}, "is");
        Lead& lead = add(*compare, &exactly, {made}, name);
        lead.what = FindingClass::scope;
        lead.instead = FindingText::exactly_that;
        lead.title = FindingText::must_it_come_to_exactly;
        lead.help = FindingText::say_or_more_or_what_happens;
    }

    // ---- rounds

    static void collect_calls(const SyntaxNode& node, std::set<std::string>& names) {
        if (node.kind == Kind::s_call) names.insert(node.children[0]->text);
        for (const SyntaxNode* c : node.children) collect_calls(*c, names);
    }
    bool is_set_in(const SyntaxNode& node, const std::string& fact, std::set<std::string>& seen) const {
        if (node.kind == Kind::s_becomes && node.children[0]->kind == Kind::name && node.children[0]->text == fact) return true;
        if (node.kind == Kind::s_call && seen.insert(node.children[0]->text).second)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && is_set_in(*rule->second, fact, seen))
                return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return is_set_in(*c, fact, seen); });
    }
    bool is_set_in_play(const std::string& fact) const {
        std::set<std::string> seen;
        return std::any_of(played_.begin(), played_.end(), [&](const SyntaxNode* part) { return is_set_in(*part, fact, seen); });
    }
    bool says_who_begins(const std::string& rule) const { return told(rule, Topic::next_first) || quotes_.say("play", Topic::next_first); }
    Lead& ask_who_begins(const SyntaxNode& node, const SyntaxNode* by, const Storage& storage, const std::string& rule) {
        Lead& lead = add(node, by, storage, rule);
        lead.what = FindingClass::chooser;
        lead.title = FindingText::who_begins_the_next_round;
        lead.help = FindingText::say_who_begins_each_round;
        return lead;
    }
    // A round that is more than everybody's turn, and begins with the same player each time: if it began with the next one.
    void begins_next(const SyntaxNode& node) {
        const std::string& rule = node.children[0]->text;
        const SyntaxNode& body = *node.children.back();
        if (!repeated_.contains(rule) || body.kind != Kind::body || body.children.size() < 2 || says_who_begins(rule)) return;
        for (const SyntaxNode* step : body.children) {
            const SyntaxNode* direction = step->kind == Kind::s_each ? child(*step, Kind::direction) : nullptr;
            if (direction == nullptr || direction->children[2]->kind != Kind::name) continue;
            const SyntaxNode& starter = *direction->children[2];
            if (!players_.contains(starter.text) || is_set_in_play(starter.text)) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& left = make(*made, Kind::name, body.span, {}, "left");
            const SyntaxNode& next = make(*made, Kind::e_possessive, body.span, {&starter, &left});
            SyntaxNode& longer = made->emplace_back(body);
            longer.children.push_back(&make(*made, Kind::s_becomes, body.span, {&starter, &next}));
            Lead& lead = ask_who_begins(body, &longer, {made}, rule);
            lead.span = direction->span;
            lead.as_is = FindingText::the_same_player_each_time;
            lead.instead = FindingText::the_next_player_each_time;
            return;
        }
    }
    // `starter becomes starter's left`: if the same player began again.
    void begins_again(const SyntaxNode& node, const std::string& rule) {
        const SyntaxNode& starter = *node.children[0];
        const SyntaxNode& next = *node.children[1];
        if (starter.kind != Kind::name || !players_.contains(starter.text) || says_who_begins(rule)) return;
        if (next.kind != Kind::e_possessive || next.children[0]->kind != Kind::name || next.children[0]->text != starter.text) return;
        auto made = std::make_shared<Made>();
        Lead& lead = ask_who_begins(node, &make(*made, Kind::s_nothing, node.span, {}), {made}, rule);
        lead.as_is = FindingText::the_next_player_each_time;
        lead.instead = FindingText::the_same_player_each_time;
    }

    // ---- ends

    bool must_do(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_must) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end() && must_do(*rule->second, deep + 1))
                return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return must_do(*c, deep); });
    }
    // An end asks somebody for something if there is any, and others are checked before it: if it came first, and asked all the same.
    void asks_too_late(const SyntaxNode& ends) {
        const auto is_entry = [](const SyntaxNode* c) { return c->kind == Kind::end_entry; };
        const auto first = std::find_if(ends.children.begin(), ends.children.end(), is_entry);
        for (auto at = first; at != ends.children.end(); ++at) {
            const SyntaxNode* body = child(**at, Kind::body);
            if (at == first || body == nullptr || body->children.size() != 1 || body->children[0]->kind != Kind::s_if) continue;
            const SyntaxNode& guarded = *body->children[0];
            if (child(guarded, Kind::otherwise) != nullptr || !must_do(*guarded.children[1])) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& then = *guarded.children[1];
            SyntaxNode& bare = made->emplace_back(**at);
            bare.children.back() = then.kind == Kind::body ? &then : &make(*made, Kind::body, then.span, {&then});
            SyntaxNode& other = made->emplace_back(ends);
            other.children.erase(other.children.begin() + (at - ends.children.begin()));
            other.children.insert(other.children.begin() + (first - ends.children.begin()), &bare);
            Lead& lead = add(ends, &other, {made}, child(ends, Kind::after)->children[0]->text);
            lead.span = guarded.children[0]->span;
            lead.what = FindingClass::void_duty;
            lead.breaks = true;
            lead.instead = FindingText::this_end_first_and_it_asks;
            lead.title = FindingText::this_end_can_come_together;
            lead.help = FindingText::say_which_end_counts_when_both;
        }
    }

    bool is_of_players(const SyntaxNode& node, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::players) return true;
        if (node.kind == Kind::name && deep < deepest)
            if (const auto define = defines_.find(node.text); define != defines_.end() && is_of_players(*define->second, deep + 1))
                return true;
        return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return is_of_players(*c, deep); });
    }
    // `signs with least X`: if those of which there is none did not count.
    void without_nought(const SyntaxNode& node, const std::string& rule) {
        // Of players, whoever has none has the least, and nobody doubts it.
        if (told(rule, Topic::nought) || (node.children[1]->text == "least" && is_of_players(*node.children[0]))) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& more = make(*made, Kind::word, node.span, {}, ">");
        const SyntaxNode& nought = make(*made, Kind::number, node.span, {}, "0");
        const SyntaxNode& some = make(*made, Kind::e_compare, node.span, {node.children[2], &more, &nought});
        SyntaxNode& other = made->emplace_back(node);
        other.children[0] = &make(*made, Kind::e_where, node.span, {node.children[0], &some});
        Lead& lead = add(node, &other, {made}, rule);
        lead.what = FindingClass::scope;
        lead.instead = FindingText::whoever_has_none_does_not_count;
        lead.title = FindingText::does_nothing_at_all_count;
        lead.help = FindingText::say_whether_somebody_or_something;
    }

    // Whether somebody must choose from that zone of players there, or in a rule that is called there.
    bool must_choose_from(const SyntaxNode& node, const std::string& zone, std::size_t deep = 0) const {
        constexpr std::size_t deepest = 4;
        if (node.kind == Kind::s_must && find(node, Kind::name, zone) != nullptr) return true;
        if (node.kind == Kind::s_call && deep < deepest)
            if (const auto rule = rules_.find(node.children[0]->text); rule != rules_.end())
                return must_choose_from(*rule->second, zone, deep + 1);
        return std::any_of(node.children.begin(), node.children.end(),
                           [&](const SyntaxNode* c) { return must_choose_from(*c, zone, deep); });
    }
    // `each p clockwise from …`: if those without cards had no turn.
    void without_cards(const SyntaxNode& node, const std::string& rule) {
        if (child(node, Kind::direction) == nullptr || child(node, Kind::from_to) != nullptr) return;
        const SyntaxNode* where = child(node, Kind::where);
        for (const std::string& hand : hands_) {
            if (where != nullptr && find(*where, Kind::name, hand) != nullptr) continue;
            if (!must_choose_from(*node.children.back(), hand)) continue;
            auto made = std::make_shared<Made>();
            const SyntaxNode& zone = make(*made, Kind::name, node.span, {}, hand);
            const SyntaxNode& own = make(*made, Kind::e_possessive, node.span, {node.children[0], &zone});
            const SyntaxNode& has = make(*made, Kind::e_not_empty, node.span, {&own});
            const SyntaxNode* condition = where == nullptr ? &has : &make(*made, Kind::e_and, node.span, {where->children[0], &has});
            const SyntaxNode& only = make(*made, Kind::where, node.span, {condition});
            SyntaxNode& other = made->emplace_back(node);
            std::erase_if(other.children, [](const SyntaxNode* c) { return c->kind == Kind::where; });
            other.children.insert(other.children.end() - 1, &only);
            Lead& lead = add(node, &other, {made}, rule);
            lead.what = FindingClass::scope;
            lead.instead = FindingText::those_without_cards_are_passed_over;
            lead.title = FindingText::has_a_player_without_cards_still;
            lead.help = FindingText::say_what_a_player_without_cards;
            return;
        }
    }

    // `each p clockwise after dealer`: if the dealer came, too, as the last one.
    void passed_by(const SyntaxNode& node, const SyntaxNode* parent, const std::string& rule) {
        const SyntaxNode* direction = child(node, Kind::direction);
        if (direction == nullptr || direction->children[1]->text != "after" || direction->children[2]->kind != Kind::name) return;
        const SyntaxNode& starter = *direction->children[2];
        // One whose own turn comes apart from this is not forgotten.
        const auto speaks = [&](const SyntaxNode* step) { return step != &node && find(*step, Kind::name, starter.text) != nullptr; };
        if (!players_.contains(starter.text) || told(rule, Topic::others)) return;
        if (parent != nullptr && parent->kind == Kind::body && std::ranges::any_of(parent->children, speaks)) return;
        auto made = std::make_shared<Made>();
        const SyntaxNode& left = make(*made, Kind::name, node.span, {}, direction->children[0]->text == "clockwise" ? "left" : "right");
        SyntaxNode& from = made->emplace_back(*direction);
        from.children[1] = &make(*made, Kind::word, node.span, {}, "from");
        from.children[2] = &make(*made, Kind::e_possessive, node.span, {&starter, &left});
        SyntaxNode& all = made->emplace_back(node);
        std::ranges::replace(all.children, direction, static_cast<const SyntaxNode*>(&from));
        Lead& lead = add(node, &all, {made}, rule);
        lead.span = direction->span;
        lead.what = FindingClass::scope;
        lead.as_is = FindingText::everybody_else;
        lead.instead = FindingText::also_this_player_as_the_last;
        lead.title = FindingText::this_leaves_out_the_player;
        lead.help = FindingText::say_all_others_or_begin;
    }

    // Two neighbouring steps that ask nobody.
    void exchanged(const SyntaxNode& body, const std::string& rule) {
        for (std::size_t i = 0; i + 1 < body.children.size(); ++i) {
            if (!is_step(*body.children[i]) || !is_step(*body.children[i + 1])) continue;
            if (counts_what_goes(*body.children[i], *body.children[i + 1])) continue;
            if (counts_what_ends(*body.children[i], *body.children[i + 1])) continue;
            if (says_who_is_meant(*body.children[i], *body.children[i + 1])) continue;
            if (rule == "setup" && takes_what_came(*body.children[i], *body.children[i + 1])) continue;
            auto made = std::make_shared<Made>();
            SyntaxNode& other = made->emplace_back(body);
            std::swap(other.children[i], other.children[i + 1]);
            Lead& lead = add(body, &other, {made}, rule);
            lead.span = body.children[i]->span;
            lead.what = FindingClass::order;
            lead.exchanged = {body.children[i]->span, body.children[i + 1]->span};
            lead.title = FindingText::before_or_after_the_next_step;
            lead.help = FindingText::say_which_comes_first;
        }
    }
    // What is counted, or judged, is put away then: nobody does that afterwards.
    bool counts_what_goes(const SyntaxNode& first, const SyntaxNode& second) const {
        if ((first.kind != Kind::s_becomes && first.kind != Kind::s_if) || second.kind != Kind::s_put) return false;
        const SyntaxNode& some = *second.children[0];
        const SyntaxNode& zone = unowned(some.kind == Kind::e_where ? *some.children[0] : some);
        const auto is_zone = [&](const SyntaxNode* z) { return z->children[0]->text == zone.text; };
        if (first.kind == Kind::s_if && std::ranges::none_of(zones_, is_zone)) return false;
        const SyntaxNode& read = first.kind == Kind::s_if ? *first.children[0] : *first.children[1];
        return zone.kind == Kind::name && find(read, Kind::name, zone.text) != nullptr;
    }
    // What a place or a fact is called, without whose it is.
    static const SyntaxNode& unowned(const SyntaxNode& node) { return node.kind == Kind::e_possessive ? *node.children[1] : node; }
    // `lead becomes w`, and then something of the lead's: whoever that is by now is meant.
    bool says_who_is_meant(const SyntaxNode& first, const SyntaxNode& second) const {
        if (first.kind != Kind::s_becomes || second.kind != Kind::s_becomes) return false;
        const SyntaxNode& who = *first.children[0];
        const SyntaxNode& target = *second.children[0];
        return who.kind == Kind::name && players_.contains(who.text) && target.kind == Kind::e_possessive &&
               target.children[0]->kind == Kind::name && target.children[0]->text == who.text;
    }
    // Nobody sets up in another order what is dealt on from where it has just been put.
    static bool takes_what_came(const SyntaxNode& first, const SyntaxNode& second) {
        if (first.kind != Kind::s_put) return false;
        const SyntaxNode& zone = unowned(*first.children[2]);
        return zone.kind == Kind::name && find(second, Kind::name, zone.text) != nullptr;
    }
    // What is counted, or judged, begins anew then.
    static bool counts_what_ends(const SyntaxNode& first, const SyntaxNode& second) {
        if (second.kind != Kind::s_becomes || !has_one_value(*second.children[1])) return false;
        const SyntaxNode& fact = unowned(*second.children[0]);
        if (fact.kind != Kind::name || sets(first, fact.text)) return false;
        const SyntaxNode& read = first.kind == Kind::s_becomes ? *first.children[1] : first;
        return find(read, Kind::name, fact.text) != nullptr;
    }
    static bool has_one_value(const SyntaxNode& value) {
        return value.kind == Kind::number || value.kind == Kind::no || value.kind == Kind::none || value.kind == Kind::nobody;
    }
    static bool sets(const SyntaxNode& node, const std::string& fact) {
        if (node.kind == Kind::s_becomes) {
            if (unowned(*node.children[0]).text == fact) return true;
        }
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return sets(*c, fact); });
    }
    static bool is_step(const SyntaxNode& s) {
        switch (s.kind) {
            case Kind::s_becomes:
            case Kind::s_put:
            case Kind::s_if:
            case Kind::s_each:
                return !has(
                    s, {Kind::s_must, Kind::s_may, Kind::s_may_do, Kind::s_any, Kind::s_draw, Kind::s_deal, Kind::s_call, Kind::s_says});
            default:
                return false;
        }
    }

    const Syntax& syntax_;
    const Quotes& quotes_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, std::ptrdiff_t> places_;  // by rule: where several may fit, so far
    std::vector<const SyntaxNode*> zones_;
    std::vector<std::string> open_zones_;  // of players, which everybody sees,
    std::vector<std::string> hands_;       // and which only their owners see
    std::set<std::string> singles_;        // places for one card
    std::set<std::string> players_;        // facts that are a player
    std::set<std::string> repeated_;       // rules that are called in a loop
    std::set<const SyntaxNode*> in_turn_;  // conditions within loops
    std::vector<const SyntaxNode*> played_;
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads(const Syntax& syntax, const Game& game) {
    const Quotes quotes(syntax);
    std::vector<Lead> all = Asking(syntax, quotes).all(std::nullopt);
    const auto add = [&](std::vector<Lead> more) { std::ranges::move(more, std::back_inserter(all)); };
    add(leads_of_steps(syntax, quotes, std::nullopt));
    add(leads_of_duties(syntax, quotes, std::nullopt));
    add(leads_of_leftovers(syntax, game, quotes));
    add(leads_of_senses(syntax, quotes, std::nullopt));
    add(leads_of_starts(syntax, game, quotes));
    add(leads_of_results(syntax, quotes));
    add(leads_of_stages(syntax, game, quotes));
    return all;
}

std::vector<Lead> leads_with(const Syntax& syntax, const std::string& option, const std::string& value) {
    const Quotes quotes(syntax);
    std::vector<Lead> all = Asking(syntax, quotes).all({{option, value}});
    const auto add = [&](std::vector<Lead> more) { std::ranges::move(more, std::back_inserter(all)); };
    add(leads_of_steps(syntax, quotes, {{option, value}}));
    add(leads_of_duties(syntax, quotes, {{option, value}}));
    add(leads_of_senses(syntax, quotes, {{option, value}}));
    for (Lead& lead : all) lead.settings = {{option, value}};
    return all;
}

Finding question_of(const Lead& lead) {
    Finding f;
    f.what = lead.what;
    f.gravity = Gravity::note;
    f.verdict = Verdict::proved_absent;
    f.method = FoundBy::exhaustive;
    f.rule = lead.rule;
    f.spans = {lead.span};
    if (!lead.exchanged.empty()) f.spans = lead.exchanged;
    f.title = lead.title;
    f.help = lead.help;
    return f;
}

bool matters(const Lead& lead, const Difference& difference) {
    if (!difference.parting) return false;
    const bool broken = difference.parting->how == Parting::How::broken;
    // In an order in which the rules break off, nobody would do it.
    if ((lead.keeps || (lead.what == FindingClass::order && !lead.breaks)) && broken) return false;
    return !lead.breaks || broken;
}

}  // namespace houserule
