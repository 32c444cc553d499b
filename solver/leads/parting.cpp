#include "dsl/syntax/parse.hpp"
#include "solver/findings/texts.hpp"
#include "solver/leads/duties.hpp"
#include "solver/leads/walk.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace houserule {

namespace {

constexpr const char* only_one_left = "only_one_left";

// What a small game made of this text declares, to take parts from.
Syntax small_game(const std::string& text) {
    Sources sources;
    sources.emplace_back("lead", "game lead\nplayers 2 in a circle, clockwise\n" + text);
    Diagnostics diagnostics;
    Syntax made = parse(sources, 0, diagnostics);
    return has_errors(diagnostics) ? Syntax{} : made;
}

class PlayersOut {
public:
    using Option = std::optional<std::pair<std::string, std::string>>;
    PlayersOut(const Syntax& syntax, const std::string& fact, const Option& option) : syntax_(syntax), quotes_(syntax), fact_(fact) {
        const auto look = [&](const SyntaxNode& node, const SyntaxNode*, const std::string& rule) { collect(node, rule); };
        walk_rules(syntax, std::nullopt, look);
        if (option) walk_rules(syntax, option, look);
    }

    std::vector<Lead> all() {
        if (parted_.empty()) return {};
        last_one();
        what_they_may();
        what_they_leave();
        for (Lead& lead : leads_of_risks(syntax_, quotes_, fact_)) found_.push_back(std::move(lead));
        return std::move(found_);
    }

private:
    struct Place {
        const SyntaxNode* becomes = nullptr;
        std::string rule;
    };
    void collect(const SyntaxNode& node, const std::string& rule) {
        if (node.kind == Kind::d_rule || node.kind == Kind::d_act) bodies_[rule] = &node;
        if (node.kind == Kind::d_zone) zones_.push_back(&node);
        if (node.kind == Kind::d_ends && ends_ == nullptr && child(node, Kind::after) != nullptr) ends_ = &node;
        if (node.kind != Kind::s_becomes || node.children[1]->kind != Kind::yes) return;
        const SyntaxNode& target = *node.children[0];
        if (target.kind == Kind::e_possessive && target.children[1]->text == fact_) parted_.push_back({&node, rule});
    }
    bool any_text_says(Topic what) const {
        return std::ranges::any_of(quotes_.all(), [&](const auto& of) { return quotes_.say(of.first, what); });
    }

    // `act … unless p's out`: if those who are out might, too.
    void what_they_may() {
        for (const auto& [name, act] : bodies_) {
            const SyntaxNode* unless = act->kind == Kind::d_act ? child(*act, Kind::unless) : nullptr;
            const SyntaxNode* out = unless == nullptr ? nullptr : of_their_own(*unless->children[0]);
            if (out == nullptr || quotes_.say(name, Topic::still)) continue;
            auto made = std::make_shared<Made>();
            Lead& lead = found_.emplace_back(rewritten(syntax_, *out, &make(*made, Kind::no, out->span, {}, "no"), {made}, name));
            lead.what = FindingClass::scope;
            lead.instead = FindingText::those_who_are_out_may;
            lead.title = FindingText::who_is_out_may_not_do_this;
            lead.help = FindingText::say_whether_those_who_are_out;
        }
    }
    // Where a condition, or one of several of which one is enough, is that somebody is out.
    const SyntaxNode* of_their_own(const SyntaxNode& condition) const {
        if (condition.kind == Kind::e_possessive && condition.children[1]->text == fact_) return &condition;
        if (condition.kind != Kind::e_or) return nullptr;
        for (const SyntaxNode* part : condition.children)
            if (const SyntaxNode* found = of_their_own(*part)) return found;
        return nullptr;
    }

    // If it were over as soon as one is left.
    void last_one() {
        if (ends_ == nullptr || any_text_says(Topic::last_one)) return;
        const Syntax made = small_game(
            fmt::format("ends checked after r, first of {{ {} when size of (players where not its {}) is 1 }}\n", only_one_left, fact_));
        const SyntaxNode* entry = made.root == nullptr ? nullptr : find(*made.root, Kind::end_entry, "");
        if (entry == nullptr) return;
        auto longer = std::make_shared<Made>();
        SyntaxNode& ends = longer->emplace_back(*ends_);
        ends.children.push_back(entry);
        Storage storage = made.storage;
        storage.push_back(longer);
        Lead& lead = found_.emplace_back(rewritten(syntax_, *ends_, &ends, storage, parted_[0].rule));
        lead.span = parted_[0].becomes->span;
        lead.what = FindingClass::scope;
        lead.as_is = FindingText::play_goes_on;
        lead.instead = FindingText::it_is_over_then;
        lead.title = FindingText::all_but_one_are_out;
        lead.help = FindingText::say_what_happens_when_one_is;
        lead.alter = [](Game& game) {
            for (const Language language : all_languages)
                game.labels.push_back({code_of(language), only_one_left, std::string(FindingText::only_one_is_left.in(language))});
        };
    }

    // Whether the rule in which somebody goes out says what becomes of that zone's cards.
    bool is_dealt_with(const std::string& zone) const {
        return std::ranges::any_of(parted_, [&](const Place& p) {
            const auto body = bodies_.find(p.rule);
            return body != bodies_.end() && takes_from(*body->second, zone);
        });
    }
    static bool takes_from(const SyntaxNode& node, const std::string& zone) {
        if (node.kind == Kind::s_put && find(*node.children[0], Kind::name, zone) != nullptr && node.children[0]->kind != Kind::e_sum)
            return true;
        return std::ranges::any_of(node.children, [&](const SyntaxNode* c) { return takes_from(*c, zone); });
    }
    // If all that lies before whoever is out were taken out of the game.
    void what_they_leave() {
        auto made = std::make_shared<Made>();
        Storage storage{made};
        std::vector<const SyntaxNode*> boxes;
        std::vector<std::pair<std::string, std::string>> aside;  // a zone, and where its cards go
        for (const SyntaxNode* zone : zones_) {
            const SyntaxNode* by = child(*zone, Kind::of_index);
            const SyntaxNode* shape = child(*zone, Kind::word);
            const SyntaxNode* families = child(*zone, Kind::families);
            const std::string& name = zone->children[0]->text;
            if (by == nullptr || by->children[0]->text != "player" || shape == nullptr || families == nullptr) continue;
            if (shape->text == "one" || is_dealt_with(name)) continue;
            const std::string box = fmt::format("lead_put_aside_{}", boxes.size());
            const Syntax small = small_game(fmt::format("zone {}  set of any card  seen by nobody\n", box));
            const SyntaxNode* node = small.root == nullptr ? nullptr : find(*small.root, Kind::d_zone, "");
            if (node == nullptr) return;
            storage.insert(storage.end(), small.storage.begin(), small.storage.end());
            SyntaxNode& own = made->emplace_back(*node);
            std::ranges::replace_if(
                own.children, [](const SyntaxNode* c) { return c->kind == Kind::families; }, families);
            boxes.push_back(&own);
            aside.emplace_back(name, box);
        }
        if (boxes.empty()) return;
        Lead& lead =
            found_.emplace_back(rewritten(syntax_, *parted_[0].becomes, &taken_away(parted_[0], aside, *made), storage, parted_[0].rule));
        for (std::size_t i = 1; i < parted_.size(); ++i)
            lead.syntax = replaced(lead.syntax, parted_[i].becomes, &taken_away(parted_[i], aside, *made), {});
        SyntaxNode& root = made->emplace_back(*lead.syntax.root);
        root.children.insert(root.children.end(), boxes.begin(), boxes.end());
        lead.syntax.root = &root;
        lead.what = FindingClass::count;
        lead.as_is = FindingText::it_stays_where_it_lies;
        lead.instead = FindingText::it_is_taken_out;
        lead.title = FindingText::what_lies_before_somebody_who;
        lead.help = FindingText::say_what_becomes_of_it;
        lead.alter = [aside](Game& game) {
            for (Zone& z : game.zones)
                if (std::ranges::any_of(aside, [&](const auto& a) { return a.first == z.name; })) z.name += "'";
        };
    }
    static const SyntaxNode& taken_away(const Place& place, const std::vector<std::pair<std::string, std::string>>& aside, Made& made) {
        const Span span = place.becomes->span;
        SyntaxNode& body = made.emplace_back(SyntaxNode{Kind::body, span, "", {place.becomes}});
        for (const auto& [zone, box] : aside) {
            const SyntaxNode& name = make(made, Kind::name, span, {}, zone);
            const SyntaxNode& own = make(made, Kind::e_possessive, span, {place.becomes->children[0]->children[0], &name});
            const SyntaxNode& in = make(made, Kind::word, span, {}, "in");
            body.children.push_back(&make(made, Kind::s_put, span, {&own, &in, &make(made, Kind::name, span, {}, box)}));
        }
        return make(made, Kind::s_if, span, {&make(made, Kind::yes, span, {}, "yes"), &body});
    }

    const Syntax& syntax_;
    Quotes quotes_;
    std::string fact_;
    std::map<std::string, const SyntaxNode*> bodies_;
    std::vector<const SyntaxNode*> zones_;
    const SyntaxNode* ends_ = nullptr;
    std::vector<Place> parted_;  // where it comes to hold
    std::vector<Lead> found_;
};

}  // namespace

std::vector<Lead> leads_of_those_out(const Syntax& syntax, const std::string& fact,
                                     const std::optional<std::pair<std::string, std::string>>& option) {
    std::vector<Lead> all = PlayersOut(syntax, fact, option).all();
    if (option)
        for (Lead& lead : all) lead.settings = {*option};
    return all;
}

}  // namespace houserule
