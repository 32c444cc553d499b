#include "interpreter/app/play/deciding_moves.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/app/common/typed.hpp"

#include <algorithm>

namespace houserule::cli {

namespace {

// Whether an end of the game asks whether this fact is so. Those that count come nearer to an end step by step, and decide nothing alone.
bool is_asked_by_ends(const Game& game, FactId fact) {
    if (game.facts[fact].type.base != Base::truth) return false;
    const auto reads = [&](const auto& end) {
        return any_read(game, end.second, [&](const Expression& x) { return x.op == Operator::fact && FactId(x.named()) == fact; });
    };
    return std::ranges::any_of(game.checks, [&](const EndCheck& check) { return std::ranges::any_of(check.ends, reads); });
}

bool decides(const Game& game, const Statement& s) {
    return s.kind == StatementKind::end || (s.kind == StatementKind::becomes && is_asked_by_ends(game, FactId(s.name)));
}

// In the statement, or in a rule that it calls.
bool may_decide(const Game& game, StatementId statement) {
    const auto does = [&](StatementId within) {
        return any_within(game, within, [&](StatementId id) { return decides(game, game.statements[id]); });
    };
    const Store<RuleId, bool> played = rules_played(game, statement);
    bool found = does(statement);
    for (const RuleId rule : played.ids()) found = found || (played[rule] && does(game.rules[rule].body));
    return found;
}

}  // namespace

bool may_decide(const Game& game, ActId act) { return may_decide(game, game.acts[act].body); }

bool may_decide(const Run& run, std::uint64_t move) {
    const Node& node = run.node();
    if (node.kind != NodeKind::ask && node.kind != NodeKind::consent) return false;
    const Machine& machine = run.machine();
    const Statement& s = machine.game.statements[machine.code[node.step].statement];
    const StatementId taken = move != 0 ? s.body : s.other;
    const StatementId left = move != 0 ? s.other : s.body;
    return may_decide(machine.game, taken) && !may_decide(machine.game, left);
}

bool asked_again(Keyboard& keyboard, const std::string& question, const Globals& g) {
    const Typed typed = keyboard.ask(question, {say(g, Text::yes), say(g, Text::no)});
    const std::string plain = plain_form(typed.text);
    const std::string yes =
        " " + std::string(Text::typed_for_yes.in(Language::en)) + " " + std::string(Text::typed_for_yes.in(Language::ja)) + " ";
    return typed.what == Typed::line && !plain.empty() && yes.find(" " + plain + " ") != std::string::npos;
}

}  // namespace houserule::cli
