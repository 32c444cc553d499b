#include "interpreter/app/play/deciding_moves.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/app/common/fold.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/typed.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace houserule::cli {

namespace {

constexpr std::uint64_t choices_most = 256;  // of named things that are looked through

// Whether an end of the game asks whether this fact is so. Those that count come nearer to an end step by step, and decide nothing alone.
bool is_asked_by_ends(const Game& game, FactId fact) {
    if (game.facts[fact].type.base != Base::truth) return false;
    const auto reads = [&](const auto& end) {
        return any_read(game, end.second, [&](const Expression& x) { return x.op == Operator::fact && FactId(x.named()) == fact; });
    };
    return std::ranges::any_of(game.checks, [&](const EndCheck& check) { return std::ranges::any_of(check.ends, reads); });
}

bool decides(const Game& game, const Statement& s) {
    const auto* becomes = s.as<statement::Becomes>();
    return s.kind() == StatementKind::end || (becomes != nullptr && is_asked_by_ends(game, becomes->fact));
}

// In the statement, or in a rule that it calls.
bool leads_to_decision(const Game& game, StatementId statement) {
    const auto does = [&](StatementId within) {
        return any_within(game, within, [&](StatementId id) { return decides(game, game.statements[id]); });
    };
    const Store<RuleId, bool> played = reachable_rules(game, statement);
    bool found = does(statement);
    for (const RuleId rule : played.ids()) found = found || (played[rule] && does(game.rules[rule].body));
    return found;
}

// The values for which a condition on one of these variables holds; nothing when it asks for more than that.
std::optional<std::set<std::int32_t>> values_in(const Game& game, ExpressionId condition, const std::set<VariableId>& variables) {
    const Expression& x = game.expressions[condition];
    if (x.op == Operator::either) {
        auto a = values_in(game, x.a, variables);
        const auto b = values_in(game, x.b, variables);
        if (!a || !b) return std::nullopt;
        a->insert(b->begin(), b->end());
        return a;
    }
    if (x.op != Operator::equal) return std::nullopt;
    const Expression& left = game.expressions[x.a];
    const Expression& right = game.expressions[x.b];
    const bool asks = left.op == Operator::variable && variables.contains(VariableId(left.named())) && right.op == Operator::constant;
    return asks ? std::optional(std::set{right.value()}) : std::nullopt;
}

// The variable that is chosen, with the parameters of rules that it is handed on to.
std::set<VariableId> handed_on(const Game& game, VariableId chosen) {
    std::set<VariableId> all{chosen};
    for (std::size_t before = 0; before != all.size();) {
        before = all.size();
        for (const Statement& s : game.statements) {
            const auto* call = s.as<statement::Call>();
            for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
                const Expression& argument = game.expressions[call->arguments[i]];
                if (argument.op == Operator::variable && all.contains(VariableId(argument.named())))
                    all.insert(game.rules[call->rule].parameters[i]);
            }
        }
    }
    return all;
}

// What follows from a case when the value is chosen; no_id: nothing, or it depends on more than that.
StatementId follows(const Game& game, const statement::Cases& cases, std::int32_t value, const std::set<VariableId>& variables) {
    for (const Arm& arm : cases.arms) {
        const auto values = values_in(game, arm.condition, variables);
        if (!values) return StatementId(no_id);
        if (values->contains(value)) return arm.body;
    }
    return cases.otherwise;
}

// Of each value whether something that may decide is done just when it is chosen.
std::set<std::int32_t> deciding_values(const Game& game, VariableId chosen, const std::set<std::int32_t>& offered) {
    const std::set<VariableId> variables = handed_on(game, chosen);
    std::set<std::int32_t> deciding;
    for (const Statement& s : game.statements) {
        const auto* cases = s.as<statement::Cases>();
        const bool asks = cases != nullptr && std::ranges::any_of(cases->arms, [&](const Arm& arm) {
                              return arm.condition != no_id && values_in(game, arm.condition, variables).has_value();
                          });
        for (const std::int32_t value : asks ? offered : std::set<std::int32_t>{})
            if (const StatementId then = follows(game, *cases, value, variables); then != no_id && leads_to_decision(game, then))
                deciding.insert(value);
    }
    return deciding;
}

}  // namespace

std::vector<bool> deciding_choices(const Run& run) {
    const Machine& machine = run.machine();
    const Node& node = run.node();
    if (node.kind != NodeKind::choose || node.moves > choices_most) return {};
    const auto* choice = machine.game.statements[machine.code[node.step].statement].as<statement::Choose>();
    const Base base = choice == nullptr ? Base::nothing : machine.game.variables[choice->variable].type.base;
    if (base != Base::enumeration && base != Base::truth) return {};
    std::vector<std::int32_t> values;
    for (std::uint64_t m = 0; m < node.moves; ++m) {
        const Meant meant = run.meaning(m);
        values.push_back(meant.values.size() == 1 ? meant.values.front() : no_id);
    }
    const std::set<std::int32_t> offered(values.begin(), values.end());
    const std::set<std::int32_t> deciding = deciding_values(machine.game, choice->variable, offered);
    if (deciding.empty() || deciding == offered) return {};
    std::vector<bool> moves;
    for (const std::int32_t value : values) moves.push_back(deciding.contains(value));
    return moves;
}

bool may_decide(const Game& game, ActId act) { return leads_to_decision(game, game.acts[act].body); }

bool may_decide(const Run& run, std::uint64_t move) {
    const Node& node = run.node();
    if (node.kind == NodeKind::choose) {
        const std::vector<bool> deciding = deciding_choices(run);
        return move < deciding.size() && deciding[move];
    }
    if (node.kind != NodeKind::ask && node.kind != NodeKind::consent) return false;
    const Machine& machine = run.machine();
    const statement::Decision* decision = decision_of(machine.game.statements[machine.code[node.step].statement]);
    if (decision == nullptr) return false;
    const StatementId taken = move != 0 ? decision->body : decision->otherwise;
    const StatementId left = move != 0 ? decision->otherwise : decision->body;
    return leads_to_decision(machine.game, taken) && !leads_to_decision(machine.game, left);
}

bool asked_again(Keyboard& keyboard, const std::string& question, const Globals& g) {
    const Typed typed = keyboard.ask(folded(question, terminal_width() - 2, 2), {say(g, Text::yes), say(g, Text::no)});
    const bool is_sure = typed.what == Typed::line && is_among_words(plain_form(typed.text), Text::typed_for_yes);
    if (!is_sure && typed.what == Typed::line) out_folded(say(g, Text::not_done));
    return is_sure;
}

}  // namespace houserule::cli
