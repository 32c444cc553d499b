#include "solver/validate/unsaid.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "solver/findings/outcome.hpp"
#include "solver/findings/texts.hpp"
#include "solver/validate/observation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

namespace houserule {

namespace {

Finding reading(FindingClass what, const std::string& name, Span span) {
    Finding f;
    f.what = what;
    f.verdict = Verdict::found;
    f.method = FoundBy::static_reading;
    f.rule = name;
    f.spans = {span};
    f.players = {};
    return f;
}

// Whether somebody chooses or names something there.
bool asks(const Game& game, StatementId statement) {
    return any_within(game, statement, [&](StatementId id) { return game.statements[id].kind() == StatementKind::choose; });
}

// By statement: whether play comes to it without anybody having wanted to, by a yes, an act or a choice that could be left out.
class ComesAnyway {
public:
    explicit ComesAnyway(const Game& game) : game_(game), comes_(game.statements.size(), false) {
        for (const StatementId part : {game.setup, game.play, game.match}) walk(part);
        while (!called_.empty()) {
            const RuleId rule = called_.back();
            called_.pop_back();
            walk(game.rules[rule].body);
        }
        for (const End& end : game.ends) walk(end.body);
    }
    bool to(StatementId s) const { return comes_[s]; }

private:
    void walk(StatementId s) {
        if (s == no_id || comes_[s]) return;
        comes_[s] = true;
        const Statement& statement = game_.statements[s];
        if (const auto* call = statement.as<statement::Call>()) called_.push_back(call->rule);
        const auto* choice = statement.as<statement::Choose>();
        const bool can_be_left = statement.as<statement::MayDo>() != nullptr || (choice != nullptr && choice->optional);
        if (can_be_left) return walk(decision_of(statement)->otherwise);
        any_part(statement, [&](StatementId part) { return walk(part), false; });
    }

    const Game& game_;
    Store<StatementId, bool> comes_;
    std::vector<RuleId> called_;
};

// Zones and facts that an expression reads and not everybody sees.
void hidden_in(const Game& game, ExpressionId e, std::set<ZoneId>& zones, std::set<FactId>& facts) {
    any_read(game, e, [&](const Expression& x) {
        const bool of_zone = names_zone(x.op);
        const bool of_fact = x.op == Operator::fact || x.op == Operator::set_fact;
        if (of_zone && game.zones[x.named()].seers != Seers::all) zones.insert(x.named());
        if (of_fact && game.facts[x.named()].seers != Seers::all) facts.insert(x.named());
        return false;
    });
}

// Whether a fact can come to be what `unless` asks for when it becomes that: whoever has more than nothing does not lose what is closed to
// whoever has nothing.
bool can_close(const Game& game, ExpressionId unless, const statement::Becomes& becomes) {
    const Expression& closed = game.expressions[unless];
    const Expression& value = game.expressions[becomes.value];
    const bool is_constant = value.op == Operator::constant;
    if (closed.op == Operator::fact) return !is_constant || value.immediate != 0;
    if (closed.op != Operator::equal) return true;
    const Expression& fact = game.expressions[closed.a];
    const Expression& wanted = game.expressions[closed.b];
    if (fact.op != Operator::fact || fact.named() != becomes.fact || wanted.op != Operator::constant) return true;
    if (is_constant) return value.immediate == wanted.immediate;
    if (value.type.base != Base::number || value.type.or_none || value.type.scale != wanted.type.scale) return true;
    return value.type.low <= wanted.immediate && wanted.immediate <= value.type.high;
}

// Takes away the zones whose cards that part of the rules shows to everybody.
void without_shown(const Game& game, StatementId statement, std::set<ZoneId>& zones) {
    if (statement == no_id) return;
    const Statement& s = game.statements[statement];
    if (const auto* block = s.as<statement::Block>())
        for (const StatementId i : block->items) without_shown(game, i, zones);
    const auto* show = s.as<statement::Show>();
    if (show == nullptr || show->seers != no_id) return;
    const Expression* shown = &game.expressions[show->cards];
    if (shown->op == Operator::cards_at) shown = &game.expressions[shown->a];
    if (names_zone(shown->op)) zones.erase(shown->named());
}

}  // namespace

std::vector<Finding> open_windows(const Game& game) {
    std::vector<Finding> findings;
    for (const Act& act : game.acts) {
        if (!act.any_time) continue;
        const Sentence name = named(game, act.name);
        Finding wait = reading(FindingClass::window, act.name, act.span);
        wait.gravity = Gravity::note;
        wait.title = FindingText::anybody_may_do_this_at_any(name);
        wait.text = FindingText::play_goes_on_or_ends;
        wait.help = FindingText::say_what_closes_the_wait;
        findings.push_back(std::move(wait));
        if (!asks(game, act.body) || game.players < 2) continue;
        Finding order = reading(FindingClass::order, act.name, act.span);
        order.gravity = Gravity::note;
        order.title = FindingText::several_may_do(name);
        order.text = FindingText::here_all_of_them_answer_before;
        order.help = FindingText::say_whether_answers_are_fixed_before;
        findings.push_back(std::move(order));
    }
    return findings;
}

std::vector<Finding> unchecked_duties(const Game& game, const Store<ZoneId, std::uint8_t>& left) {
    std::vector<Finding> findings;
    const ComesAnyway anyway(game);
    for (const StatementId id : game.statements.ids()) {
        const Statement& s = game.statements[id];
        const auto* choice = s.as<statement::Choose>();
        if (choice == nullptr || choice->optional || choice->set == no_id || !anyway.to(id)) continue;
        // Choosing from what only the chooser sees is nothing yet; that none of it fits is what nobody can check.
        const Expression& whole = game.expressions[choice->set];
        const bool else_any = whole.op == Operator::cards_or_if_none;
        if (choice->otherwise == no_id && !else_any) continue;
        const Expression& from = else_any ? game.expressions[whole.a] : whole;
        if (from.op != Operator::cards_where) continue;
        std::set<ZoneId> zones;
        std::set<FactId> facts;
        hidden_in(game, choice->set, zones, facts);
        without_shown(game, choice->otherwise, zones);
        const bool stays = !facts.empty() || std::any_of(zones.begin(), zones.end(), [&](ZoneId z) { return left[z] != 0; });
        if (!stays) continue;
        std::vector<Phrase> names;
        for (const ZoneId z : zones) names.emplace_back(named(game, game.zones[z].name));
        for (const FactId fact : facts) names.emplace_back(named(game, game.facts[fact].name));
        Finding f = reading(FindingClass::view, place_of(game, id), s.span);
        if (else_any) f.gravity = Gravity::note;
        f.title = FindingText::nobody_else_can_check;
        f.text = FindingText::it_depends_on_what_is_hidden(listed(names));
        f.help = FindingText::say_what_follows_when_a_wrong;
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> unchecked_laying(const Game& game, const Store<ZoneId, std::uint8_t>& left) {
    std::vector<Finding> findings;
    const ComesAnyway anyway(game);
    for (const StatementId id : game.statements.ids()) {
        const Statement& s = game.statements[id];
        const auto* put = s.as<statement::Put>();
        if (put == nullptr || game.players < 2 || !anyway.to(id)) continue;
        const Expression& what = game.expressions[put->cards];
        const Expression& to = game.expressions[put->place];
        if (what.op != Operator::cards_groups || to.op != Operator::place || game.zones[ZoneId(to.named())].seers != Seers::all) continue;
        std::set<ZoneId> zones;
        std::set<FactId> facts;
        hidden_in(game, what.a, zones, facts);
        const auto stays_hidden = [&](ZoneId z) { return game.zones[z].seers == Seers::owner && left[z] != 0; };
        if (std::none_of(zones.begin(), zones.end(), stays_hidden)) continue;
        Finding f = reading(FindingClass::view, place_of(game, id), s.span);
        f.gravity = Gravity::note;
        f.title = FindingText::whoever_can_lay_these_must;
        f.help = FindingText::say_what_follows_when_something_was;
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> rights_that_end(const Game& game) {
    std::vector<Finding> findings;
    for (const Act& act : game.acts) {
        if (!act.any_time || act.unless == no_id) continue;
        for (const StatementId id : game.statements.ids()) {
            const Statement& s = game.statements[id];
            const auto* becomes = s.as<statement::Becomes>();
            const bool takes = becomes != nullptr && any_read(game, act.unless, [&](const Expression& x) {
                                   return x.op == Operator::fact && x.named() == becomes->fact;
                               });
            if (!takes || contains(game, act.body, id) || !can_close(game, act.unless, *becomes)) continue;
            const Sentence name = named(game, act.name);
            Finding f = reading(FindingClass::window, place_of(game, id), s.span);
            f.spans.push_back(act.span);
            f.gravity = Gravity::note;
            f.title = FindingText::who_is_about_to_lose(name);
            f.text = FindingText::at_any_time_is_also_between;
            f.help = FindingText::say_from_when_on;
            findings.push_back(std::move(f));
            break;
        }
    }
    return findings;
}

std::vector<Finding> admitted_holes(const Game& game, const Syntax& syntax) {
    std::vector<Finding> findings;
    std::set<std::string> known;
    const std::function<void(const SyntaxNode&)> read = [&](const SyntaxNode& node) {
        if (node.kind == Kind::d_assume || node.kind == Kind::d_unclear) {
            const std::string& name = node.children[0]->text;
            const bool there =
                std::any_of(game.assumptions.begin(), game.assumptions.end(), [&](const auto& a) { return a.first == name; });
            if (!there || !known.insert(name).second) return;
            const bool open = node.kind == Kind::d_unclear;
            Finding f = reading(FindingClass::hole, name, node.span);
            f.gravity = Gravity::note;
            f.remark = open ? Remark::silent : Remark::decided;
            const SyntaxNode* text = child(node, Kind::text);
            const std::string said = text == nullptr ? name : text->text;
            f.title = Sentence::each([&](Language language) {
                const std::string own = language == Language::en ? said : rule_text(game, name, code_of(language));
                return own.empty() ? said : own;
            });
            f.text = open ? Sentence{FindingText::silent_nothing_in_the_rulebook_settles}
                          : Sentence{FindingText::decided_by_the_file_the_rulebook};
            f.help = FindingText::ask_the_author_or_write_both;
            findings.push_back(std::move(f));
            return;
        }
        for (const SyntaxNode* c : node.children) read(*c);
    };
    read(*syntax.root);
    return findings;
}

}  // namespace houserule
