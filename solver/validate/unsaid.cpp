#include "solver/validate/unsaid.hpp"

#include "dsl/check/check.hpp"
#include "dsl/game/parts.hpp"
#include "solver/findings/outcome.hpp"
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
    return any_within(game, statement, [&](StatementId id) {
        const StatementKind kind = game.statements[id].kind;
        return kind == StatementKind::must || kind == StatementKind::may;
    });
}

// Zones and facts that an expression reads and not everybody sees.
void hidden_in(const Game& game, ExpressionId e, std::set<ZoneId>& zones, std::set<FactId>& facts) {
    any_read(game, e, [&](const Expression& x) {
        const bool of_zone = x.op == Operator::place || x.op == Operator::cards_of;
        const bool of_fact = x.op == Operator::fact || x.op == Operator::set_fact;
        if (of_zone && game.zones[x.named()].seers != Seers::all) zones.insert(x.named());
        if (of_fact && game.facts[x.named()].seers != Seers::all) facts.insert(x.named());
        return false;
    });
}

// Takes away the zones whose cards that part of the rules shows to everybody.
void without_shown(const Game& game, StatementId statement, std::set<ZoneId>& zones) {
    if (statement == no_id) return;
    const Statement& s = game.statements[statement];
    if (s.kind == StatementKind::block)
        for (const StatementId i : s.items) without_shown(game, i, zones);
    if (s.kind != StatementKind::show || s.b != no_id) return;
    const Expression* shown = &game.expressions[s.a];
    if (shown->op == Operator::cards_at) shown = &game.expressions[shown->a];
    if (shown->op == Operator::place || shown->op == Operator::cards_of) zones.erase(shown->named());
}

}  // namespace

std::vector<Finding> open_windows(const Game& game) {
    std::vector<Finding> findings;
    for (const Act& act : game.acts) {
        if (!act.any_time) continue;
        const Sentence name = named(game, act.name);
        Finding wait = reading(FindingClass::window, act.name, act.span);
        wait.gravity = Gravity::note;
        wait.title = {fmt::format("Anybody may do this at any time, and nothing says how long the others wait: {}", name.en),
                      fmt::format("いつでも誰でもできるが、他の人がどれだけ待つのか書かれていない: {}", name.ja)};
        wait.text = {"Play goes on, or ends, when nobody does it: at a table somebody must judge that nobody will.",
                     "誰もしなければ先へ進むか終わるが、誰もしないと決めるのは卓の判断になる。"};
        wait.help = {"Say what closes the wait: a question to everybody, a turn order, a time.",
                     "待つのをやめる決まり（全員に尋ねる、順番に尋ねる、時間）を書く。"};
        findings.push_back(std::move(wait));
        if (!asks(game, act.body) || game.players < 2) continue;
        Finding order = reading(FindingClass::order, act.name, act.span);
        order.gravity = Gravity::note;
        order.title = {fmt::format("Several may do this at the same moment, and who answers first tells the others something: {}", name.en),
                       fmt::format("同時に何人もでき、先に答えた人の言葉が後の人の手がかりになる: {}", name.ja)};
        order.text = {"Here all of them answer before any answer is judged.", "ここでは、判定の前に全員が答える。"};
        order.help = {"Say whether answers are fixed before the first is judged.", "最初の判定の前に全員の答えを決めるのかを書く。"};
        findings.push_back(std::move(order));
    }
    return findings;
}

std::vector<Finding> unchecked_duties(const Game& game, const Store<ZoneId, std::uint8_t>& left) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < game.statements.size(); ++i) {
        const Statement& s = game.statements[i];
        if (s.kind != StatementKind::must || s.other == no_id || s.b == no_id) continue;
        // Choosing from what only the chooser sees is nothing yet; that none of it fits is what nobody can check.
        const Expression& from = game.expressions[s.b];
        if (from.op != Operator::cards_where) continue;
        std::set<ZoneId> zones;
        std::set<FactId> facts;
        hidden_in(game, s.b, zones, facts);
        without_shown(game, s.other, zones);
        const bool stays = !facts.empty() || std::any_of(zones.begin(), zones.end(), [&](ZoneId z) { return left[z] != 0; });
        if (!stays) continue;
        std::vector<std::string> en;
        std::vector<std::string> ja;
        const auto name = [&](const std::string& identifier) {
            en.push_back(label(game, identifier, "en"));
            ja.push_back(label(game, identifier, "ja"));
        };
        for (const ZoneId z : zones) name(game.zones[z].name);
        for (const FactId fact : facts) name(game.facts[fact].name);
        Finding f = reading(FindingClass::view, place_of(game, StatementId(i)), s.span);
        f.title = {"Nobody else can check that there was nothing to choose", "選べるものがなかったことを、他の誰も確かめられない"};
        f.text = {
            fmt::format("It depends on what the others do not see: {}. It may still be hidden when the game is over.", fmt::join(en, ", ")),
            fmt::format("他の人に見えないもので決まる: {}。ゲームが終わっても隠れたままのことがある。", fmt::join(ja, "、"))};
        f.help = {"Say what follows when a wrong claim comes out, or let it be shown.",
                  "誤りが後で分かったときにどうするのか、または見せるのかを書く。"};
        findings.push_back(std::move(f));
    }
    return findings;
}

std::vector<Finding> unchecked_laying(const Game& game, const Store<ZoneId, std::uint8_t>& left) {
    std::vector<Finding> findings;
    for (const StatementId id : game.statements.ids()) {
        const Statement& s = game.statements[id];
        if (s.kind != StatementKind::put || game.players < 2) continue;
        const Expression& what = game.expressions[s.a];
        const Expression& to = game.expressions[s.b];
        if (what.op != Operator::cards_groups || to.op != Operator::place || game.zones[ZoneId(to.named())].seers != Seers::all) continue;
        std::set<ZoneId> zones;
        std::set<FactId> facts;
        hidden_in(game, what.a, zones, facts);
        const auto stays_hidden = [&](ZoneId z) { return game.zones[z].seers == Seers::owner && left[z] != 0; };
        if (std::none_of(zones.begin(), zones.end(), stays_hidden)) continue;
        Finding f = reading(FindingClass::view, place_of(game, id), s.span);
        f.gravity = Gravity::note;
        f.title = {"Whoever can lay these must, and nobody else can check that nothing was kept back",
                   "出せるものは出さなければならないが、残していないことを他の誰も確かめられない"};
        f.help = {"Say what follows when something was kept back.", "残していたことが後で分かったときにどうするのかを書く。"};
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
            const bool takes = s.kind == StatementKind::becomes && any_read(game, act.unless, [&](const Expression& x) {
                                   return x.op == Operator::fact && x.named() == s.name;
                               });
            if (!takes || contains(game, act.body, id)) continue;
            const Sentence name = named(game, act.name);
            Finding f = reading(FindingClass::window, place_of(game, id), s.span);
            f.spans.push_back(act.span);
            f.gravity = Gravity::note;
            f.title = {fmt::format("Who is about to lose the right to this: may they still do it just before? {}", name.en),
                       fmt::format("これをする権利を失うところの人は、その直前にまだできるのか: {}", name.ja)};
            f.text = {"At any time is also between a step and what follows from it.", "「いつでも」には、手順とその結果の間も入る。"};
            f.help = {"Say from when on it may be done, and up to when.", "いつから、いつまでできるのかを書く。"};
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
            const std::string ja = rule_text(game, name, "ja");
            f.title = {said, ja.empty() ? said : ja};
            f.text = open ? Sentence{"Silent: nothing in the rulebook settles it, and the file leaves it open.",
                                     "書かれていない。ルールブックからは決まらず、ファイルでも決めていない。"}
                          : Sentence{"Decided by the file: the rulebook does not settle it.",
                                     "ファイルが決めている。ルールブックからは決まらない。"};
            f.help = {"Ask the author, or write both possibilities as a `reading`: then it is seen whether they differ.",
                      "作者に尋ねるか、両方を reading として書く。違いがあるかを調べられる。"};
            findings.push_back(std::move(f));
            return;
        }
        for (const SyntaxNode* c : node.children) read(*c);
    };
    read(*syntax.root);
    return findings;
}

}  // namespace houserule
