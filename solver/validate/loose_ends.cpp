#include "solver/validate/loose_ends.hpp"

#include "dsl/game/parts.hpp"
#include "dsl/variant/house_rule.hpp"
#include "solver/findings/texts.hpp"
#include "solver/validate/observation.hpp"
#include "solver/wording/quotes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace houserule {

namespace {

Finding read_in_text(FindingClass what, std::string rule, Span span) {
    Finding f;
    f.what = what;
    f.verdict = Verdict::found;
    f.method = FoundBy::static_reading;
    f.rule = std::move(rule);
    f.spans = {span};
    return f;
}

bool is_text_only(Kind kind) {
    return kind == Kind::d_example || kind == Kind::d_labels || kind == Kind::d_texts || kind == Kind::d_accept;
}

// Whether the name stands somewhere in that part, but for what lies in `but`.
bool mentions(const SyntaxNode& node, const std::string& name, const SyntaxNode* but = nullptr) {
    if (&node == but) return false;
    if (node.kind == Kind::name && node.text == name) return true;
    return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return mentions(*c, name, but); });
}

// What is chosen, and where it goes, in one declaration.
class Chosen {
public:
    Chosen(const SyntaxNode& declaration, std::string rule, std::vector<Finding>& findings)
        : declaration_(declaration), rule_(std::move(rule)), findings_(findings) {}

    void look() {
        unused_parameters();
        walk(declaration_);
    }

private:
    void unused_parameters() {
        const SyntaxNode* parameters = child(declaration_, Kind::parameters);
        if (parameters == nullptr) return;
        for (const SyntaxNode* p : parameters->children) {
            const SyntaxNode& name = *p->children.back();
            if (mentions(declaration_, name.text, parameters)) continue;
            // What is read for each player has one, whatever it is for.
            const bool needed = declaration_.kind == Kind::d_define && (rule_ == "score" || rule_ == "payoff");
            const bool is_forgotten = declaration_.kind == Kind::d_end && child(declaration_, Kind::body) == nullptr;
            tell(FindingClass::dead, name, name.text, FindingText::nothing_here_depends_on_it,
                 is_forgotten ? Sentence{FindingText::the_end_forgets_it}
                 : needed     ? Sentence{FindingText::say_what_depends_on_it}
                              : Sentence{FindingText::say_what_depends_on});
            // Authors write it to say whose end it is.
            if (is_forgotten) findings_.back().gravity = Gravity::note;
        }
    }
    // About something that has a name in this declaration.
    void tell(FindingClass what, const SyntaxNode& at, const std::string& name, const Sentence& title, Sentence help) {
        Finding f = read_in_text(what, rule_, at.span);
        f.id = name;
        f.title = FindingText::titled(title, name);
        f.help = std::move(help);
        findings_.push_back(std::move(f));
    }
    void walk(const SyntaxNode& node) {
        if (node.kind == Kind::s_must || node.kind == Kind::s_may) unused(node);
        if (node.kind == Kind::s_cases || node.kind == Kind::s_cases_of) left_lying(node);
        for (const SyntaxNode* c : node.children) walk(*c);
    }

    // `choose c from S`, but `choose 3 from S as named`.
    static const SyntaxNode* name_of(const SyntaxNode& duty) {
        const SyntaxNode* choice = child(duty, Kind::choice);
        if (choice == nullptr) return nullptr;
        const SyntaxNode* name = child(*choice, Kind::count) != nullptr ? choice->children.back() : choice->children[1];
        return name->kind == Kind::name ? name : nullptr;
    }

    void unused(const SyntaxNode& duty) {
        const SyntaxNode* named = name_of(duty);
        if (named == nullptr) return;
        const SyntaxNode& name = *named;
        const SyntaxNode* choice = child(duty, Kind::choice);
        chosen_.insert(name.text);
        const bool is_said = choice->children[0]->text == "name";  // to be heard is something, too
        if (is_said || mentions(declaration_, name.text, choice)) return;
        tell(FindingClass::dead, name, name.text, FindingText::nothing_is_done, FindingText::say_what_happens_to_it_or);
    }

    // Some cases put the chosen thing somewhere, and one says neither that nor `nothing`.
    void left_lying(const SyntaxNode& cases) {
        for (const std::string& name : chosen_) {
            const SyntaxNode* silent = nullptr;
            bool moved = false;
            for (const SyntaxNode* arm : cases.children) {
                if (arm->kind != Kind::arm && arm->kind != Kind::arm_except && arm->kind != Kind::arm_otherwise) continue;
                const SyntaxNode& body = *arm->children.back();
                if (moves(body, name))
                    moved = true;
                else if (!leaves(body) && !says_nothing(body))
                    silent = arm;
            }
            if (!moved || silent == nullptr || moves_outside(cases, name)) continue;
            tell(FindingClass::gap, *silent, name, FindingText::this_case_does_not_say_where, FindingText::put_it_somewhere_in_this_case);
        }
    }
    bool moves_outside(const SyntaxNode& cases, const std::string& name) const {
        const std::function<bool(const SyntaxNode&)> outside = [&](const SyntaxNode& node) {
            if (&node == &cases) return false;
            if (is_move(node, name)) return true;
            return std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return outside(*c); });
        };
        return outside(declaration_);
    }
    static bool is_move(const SyntaxNode& node, const std::string& name) {
        return (node.kind == Kind::s_put && mentions(*node.children[0], name)) || (node.kind == Kind::s_call && mentions(node, name));
    }
    static bool moves(const SyntaxNode& node, const std::string& name) {
        return is_move(node, name) ||
               std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode* c) { return moves(*c, name); });
    }
    static bool leaves(const SyntaxNode& node) {
        if (node.kind == Kind::s_stop || node.kind == Kind::s_end) return true;
        return std::any_of(node.children.begin(), node.children.end(), [](const SyntaxNode* c) { return leaves(*c); });
    }
    static bool says_nothing(const SyntaxNode& node) {
        if (node.kind == Kind::s_nothing) return true;
        return std::any_of(node.children.begin(), node.children.end(), [](const SyntaxNode* c) { return says_nothing(*c); });
    }

    const SyntaxNode& declaration_;
    std::string rule_;
    std::vector<Finding>& findings_;
    std::set<std::string> chosen_;  // before the place that is looked at
};

// How facts and zones are used: by name, over the whole file.
class Uses {
public:
    void read(const SyntaxNode& node) {
        if (is_text_only(node.kind)) return;
        if (node.kind == Kind::d_fact) {
            facts_[node.children[0]->text] = &node;
            for (std::size_t i = 1; i < node.children.size(); ++i) read(*node.children[i]);
            return;
        }
        if (node.kind == Kind::d_zone) zones_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_define) defines_[node.children[0]->text] = &node;
        if (node.kind == Kind::d_rule) rules_[node.children[0]->text] = &node;
        if (node.kind == Kind::s_call) calls_.push_back(&node);
        if (node.kind == Kind::s_put || node.kind == Kind::s_deal) filled(*node.children[2]);
        if (node.kind == Kind::s_draw) {
            const Kind last = node.children.back()->kind;
            const bool has_more = last == Kind::if_none || last == Kind::refill;
            filled(*node.children[node.children.size() - (has_more ? 2 : 1)]);
        }
        if (node.kind == Kind::s_becomes) {
            const SyntaxNode& target = without_place(*node.children[0]);
            changed(target);
            // What only counts itself up is not asked for by that.
            const SyntaxNode& fact = target.kind == Kind::e_possessive ? *target.children[1] : target;
            if (fact.kind != Kind::name || !mentions(*node.children[1], fact.text)) read(*node.children[1]);
            return;
        }
        if (node.kind == Kind::s_table || node.kind == Kind::s_chance) {
            for (const SyntaxNode& lot : single_lots(node)) {
                const SyntaxNode& first = *lot.children[0];
                changed(first.kind == Kind::lot_target ? without_place(*first.children[0]) : first);
                for (std::size_t i = 1; i < lot.children.size(); ++i) read(*lot.children[i]);
            }
            return;
        }
        if (node.kind == Kind::name) asked_.insert(node.text);
        for (const SyntaxNode* c : node.children) read(*c);
    }

    void tell(std::vector<Finding>& findings) {
        for (const SyntaxNode* call : calls_) given(*call);
        // A place may be said by a definition, and that by others.
        for (std::size_t known = 0; known != filled_.size();) {
            known = filled_.size();
            for (const auto& [name, define] : defines_)
                if (filled_.contains(name)) filled(*define);
        }
        for (const auto& [name, node] : zones_) {
            if (filled_.contains(name)) continue;
            Finding f = read_in_text(FindingClass::dead, name, node->span);
            f.title = FindingText::nothing_is_ever_put_there(name);
            f.help = FindingText::say_what_comes_there_or_take;
            findings.push_back(std::move(f));
        }
        for (const auto& [name, node] : facts_) {
            const bool changed = changed_.contains(name);
            if (changed == asked_.contains(name)) continue;  // what is not used at all, the checker tells
            const SyntaxNode* seers = child(*node, Kind::seers);
            // To tell somebody is what a number or a name is for; what is so or not so is a state, of which something should follow.
            const bool is_told = seers == nullptr || seers->children[0]->text != "nobody";
            if (changed && is_told && child(*node, Kind::t_yes_no) == nullptr) continue;
            Finding f = read_in_text(FindingClass::dead, name, node->span);
            f.title = changed ? Sentence{FindingText::it_is_changed_but_nothing_depends(name)}
                              : Sentence{FindingText::nothing_ever_changes_it(name)};
            f.help = changed ? Sentence{FindingText::say_what} : Sentence{FindingText::say_when_it_changes_or_write};
            f.gravity = changed ? Gravity::note : Gravity::warning;
            findings.push_back(std::move(f));
        }
    }

private:
    // Something may be put in a zone that is given to a rule.
    void given(const SyntaxNode& call) {
        const auto rule = rules_.find(call.children[0]->text);
        const SyntaxNode* values = child(call, Kind::arguments);
        const SyntaxNode* parameters = rule == rules_.end() ? nullptr : child(*rule->second, Kind::parameters);
        if (values == nullptr || parameters == nullptr) return;
        for (std::size_t i = 0; i < std::min(values->children.size(), parameters->children.size()); ++i)
            if (parameters->children[i]->children[0]->kind == Kind::t_zone) filled(*values->children[i]);
    }
    // Of `NAME at n`, which is read, NAME.
    const SyntaxNode& without_place(const SyntaxNode& target) {
        if (target.kind != Kind::e_at) return target;
        read(*target.children[1]);
        return *target.children[0];
    }
    void changed(const SyntaxNode& fact) {
        if (fact.kind == Kind::e_possessive) {
            read(*fact.children[0]);
            changed_.insert(fact.children[1]->text);
        } else if (fact.kind == Kind::e_of) {
            changed_.insert(fact.children[0]->text);
            read(*fact.children[1]);
        } else {
            changed_.insert(fact.text);
        }
    }
    void filled(const SyntaxNode& target) {
        if (target.kind == Kind::name) filled_.insert(target.text);
        for (const SyntaxNode* c : target.children) filled(*c);
    }

    std::map<std::string, const SyntaxNode*> facts_;
    std::map<std::string, const SyntaxNode*> zones_;
    std::map<std::string, const SyntaxNode*> defines_;
    std::map<std::string, const SyntaxNode*> rules_;
    std::vector<const SyntaxNode*> calls_;
    std::set<std::string> filled_;
    std::set<std::string> changed_;
    std::set<std::string> asked_;
};

void look_at_declarations(const SyntaxNode& node, std::vector<Finding>& findings) {
    switch (node.kind) {
        case Kind::d_rule:
        case Kind::d_define:
        case Kind::d_act:
        case Kind::d_end:
        case Kind::d_match:
            return Chosen(node, node.children[0]->text, findings).look();
        case Kind::d_setup:
            return Chosen(node, "setup", findings).look();
        case Kind::d_play:
            return Chosen(node, "play", findings).look();
        default:
            if (is_text_only(node.kind)) return;
            for (const SyntaxNode* c : node.children) look_at_declarations(*c, findings);
    }
}

// ---- loops

// The last statement of `play`, if it is a loop up to a number that is written there, after which nothing is done.
const SyntaxNode* last_loop(const SyntaxNode& node) {
    if (node.kind == Kind::d_play) {
        const SyntaxNode* body = node.children.back();
        const SyntaxNode* last = body->kind == Kind::body && !body->children.empty() ? body->children.back() : body;
        const SyntaxNode* bound = last->kind == Kind::s_repeat ? child(*last, Kind::bound) : nullptr;
        const SyntaxNode* then = bound == nullptr ? nullptr : child(*last, Kind::bound_then);
        const bool is_number = bound != nullptr && bound->children[0]->kind == Kind::number;
        const SyntaxNode* done = then == nullptr ? nullptr : then->children[0];
        while (done != nullptr && done->kind == Kind::body && done->children.size() == 1) done = done->children[0];
        return is_number && done != nullptr && done->kind == Kind::s_nothing ? last : nullptr;
    }
    for (const SyntaxNode* c : node.children)
        if (const SyntaxNode* found = last_loop(*c)) return found;
    return nullptr;
}

class Loops {
public:
    explicit Loops(const Game& game) : game_(game) {}

    std::vector<Finding> all() {
        for (const StatementId s : game_.statements.ids()) {
            const auto* loop = game_.statements[s].as<statement::Repeat>();
            if (loop == nullptr) continue;
            const ExpressionId until = loop->until;
            const ExpressionId while_true = loop->while_true;
            const bool counted = loop->times != no_id && !loop->exactly;
            if (counted && while_true == no_id && until == no_id && loop->at_bound != no_id && !can_leave(loop->body))
                tell(s, game_.statements[s].span, true);
            if (until != no_id && waits_in_vain(until, 0)) tell(s, game_.expressions[until].span, false);
            if (while_true != no_id && waits_in_vain(while_true, 1)) tell(s, game_.expressions[while_true].span, false);
        }
        return std::move(findings_);
    }

private:
    void tell(StatementId loop, Span span, bool always) {
        Finding f = read_in_text(FindingClass::endless, place_of(game_, loop), span);
        f.title = always ? Sentence{FindingText::at_most_so_many_times_but} : Sentence{FindingText::this_waits_for_something_to_change};
        if (always) f.gravity = Gravity::note;
        f.help = always ? Sentence{FindingText::say_what_ends_it_until} : Sentence{FindingText::say_when_it_changes_back};
        findings_.push_back(std::move(f));
    }
    // By `stop`, by an end, or by an act in between.
    bool can_leave(StatementId body) const {
        const auto leaves = [&](StatementId s) {
            const StatementKind kind = game_.statements[s].kind();
            return kind == StatementKind::stop || kind == StatementKind::end || kind == StatementKind::offer ||
                   kind == StatementKind::play_game;
        };
        if (any_within(game_, body, leaves)) return true;
        const Store<RuleId, bool> played = reachable_rules(game_, body);
        for (const RuleId r : played.ids())
            if (played[r] && (!game_.rules[r].ends.empty() || any_within(game_, game_.rules[r].body, leaves))) return true;
        return false;
    }

    // `until not F`, `while F`: and F begins as no, lasts the whole game, and only ever becomes yes. Or the other way round. `goes_on`: the
    // value of the condition with which the loop goes on.
    bool waits_in_vain(ExpressionId condition, std::int32_t goes_on) const {
        const Expression* e = &game_.expressions[condition];
        std::int32_t held = goes_on;  // the value of F that goes on
        if (e->op == Operator::negate) {
            held = 1 - held;
            e = &game_.expressions[e->a];
        }
        if (e->op != Operator::fact) return false;
        const Fact& fact = game_.facts[e->named()];
        if (fact.type.base != Base::truth || fact.lasts != lasts_game) return false;
        bool any = false;
        for (const Statement& s : game_.statements) {
            const auto* becomes = s.as<statement::Becomes>();
            if (becomes == nullptr || becomes->fact != FactId(e->named())) continue;
            const Expression& value = game_.expressions[becomes->value];
            if (value.op != Operator::constant || value.value() != held) return false;
            any = true;
        }
        return any;
    }

    const Game& game_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> forgotten_things(const Syntax& syntax) {
    std::vector<Finding> findings;
    look_at_declarations(*syntax.root, findings);
    Uses uses;
    uses.read(*syntax.root);
    uses.tell(findings);
    return findings;
}

std::vector<Finding> uneven_deals(const Game& game) {
    std::vector<Finding> findings;
    const auto zone_of = [&](ExpressionId e) {
        const Expression& x = game.expressions[e];
        const Expression& place = x.op == Operator::cards_at ? game.expressions[x.a] : x;
        return place.op == Operator::place ? std::optional(place.named()) : std::nullopt;
    };
    for (std::size_t i = 0; i < game.statements.size(); ++i) {
        const Statement& s = game.statements[i];
        const auto* deal = s.as<statement::Deal>();
        if (deal == nullptr || deal->zone == no_id || deal->count == no_id) continue;
        const auto source = zone_of(deal->source);
        const auto counts_source = [&](const Expression& x) { return x.op == Operator::size_of_cards && source && zone_of(x.a) == source; };
        const auto divides = [&](const Expression& x) { return x.op == Operator::quotient && any_read(game, x.a, counts_source); };
        if (!any_read(game, deal->count, divides)) continue;
        Finding f = read_in_text(FindingClass::count, place_of(game, StatementId(i)), s.span);
        const Sentence name = named(game, game.zones[*source].name);
        f.title = FindingText::who_is_dealt_to_later_gets(name);
        f.help = FindingText::work_it_out_before_let_n;
        findings.push_back(std::move(f));
    }
    return findings;
}

std::optional<Span> limit_that_no_text_says(const Syntax& syntax) {
    const SyntaxNode* loop = last_loop(*syntax.root);
    if (loop == nullptr) return std::nullopt;
    const std::set<std::int64_t> limit = numbers_said(child(*loop, Kind::bound)->children[0]->text, 0);
    const Quotes quotes(syntax);
    for (const auto& [name, texts] : quotes.all())
        for (const Quote& q : texts)
            for (const std::int64_t n : numbers_said(q.text))
                if (limit.contains(n)) return std::nullopt;
    return loop->span;
}

std::vector<Finding> ties_by_seat(const Syntax& syntax) {
    std::map<std::string, const SyntaxNode*> defines;
    const SyntaxNode* winner = nullptr;
    const std::function<void(const SyntaxNode&)> collect = [&](const SyntaxNode& node) {
        if (node.kind == Kind::d_define) defines[node.children[0]->text] = &node;
        if (node.kind == Kind::d_winner) winner = &node;
        if (is_text_only(node.kind)) return;
        for (const SyntaxNode* c : node.children) collect(*c);
    };
    collect(*syntax.root);
    std::set<std::string> read;
    const std::function<const SyntaxNode*(const SyntaxNode&)> seat_in = [&](const SyntaxNode& node) -> const SyntaxNode* {
        if (node.kind == Kind::seat) return &node;
        if (node.kind == Kind::name && read.insert(node.text).second)
            if (const auto define = defines.find(node.text); define != defines.end()) return seat_in(*define->second);
        for (const SyntaxNode* c : node.children)
            if (const SyntaxNode* seat = seat_in(*c)) return seat;
        return nullptr;
    };
    std::vector<Finding> findings;
    if (winner == nullptr) return findings;
    for (const SyntaxNode* part : winner->children) {
        const SyntaxNode* seat = part->kind == Kind::then_by ? seat_in(*part) : nullptr;
        if (seat == nullptr) continue;
        Finding f = read_in_text(FindingClass::unresolved, "winner", part->span);
        f.spans.push_back(seat->span);
        f.gravity = Gravity::note;
        f.title = FindingText::who_sits_where_breaks_the_tie;
        f.help = FindingText::say_what_breaks_the_tie;
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> endless_loops(const Game& game) { return Loops(game).all(); }

}  // namespace houserule
