#include "interpreter/machine/open_loops.hpp"

#include "dsl/game/parts.hpp"
#include "interpreter/machine/code_builder.hpp"

#include <algorithm>

namespace houserule {

std::shared_ptr<const Machine> with_loop_reversed(const Machine& machine, LoopId loop) {
    auto reversed = std::make_shared<Machine>(machine);
    PlayerLoop& l = reversed->loops[loop];
    l.clockwise = !l.clockwise;
    Expression last;
    last.op = Operator::constant;
    last.type = CodeBuilder::whole(machine.game.players - 1, machine.game.players - 1);
    last.immediate = machine.game.players - 1;
    const ExpressionId last_player = reversed->game.expressions.add(last);
    for (Step& s : reversed->code)
        if (s.op == Op::assign && s.a == l.first) s.x = last_player;
    return reversed;
}

namespace {

// Whether it only deals what nobody sees, and where that runs short deals on from what is put there: then each order is as good as another,
// and which card comes to whom is chance.
bool deals_unseen(const Game& game, StatementId statement) {
    const auto may_tell = [&](StatementId id) {
        const auto* deal = game.statements[id].as<statement::Deal>();
        if (deal == nullptr) return false;
        const Expression& from = game.expressions[deal->source];
        const bool unseen = from.op == Operator::place && game.zones[from.named()].seers == Seers::nobody;
        const auto puts = [&](StatementId part) { return game.statements[part].kind() == StatementKind::put; };
        const bool ends = deal->if_short != no_id && !any_within(game, deal->if_short, puts);
        return !unseen || ends;
    };
    return only_deals(game, statement) && !any_within(game, statement, may_tell);
}

bool deals_unseen_together(const Game& game, StatementId body) {
    return std::ranges::all_of(at_once(game, body).deals, [&](StatementId s) { return deals_unseen(game, s); });
}

// What several do at one moment: of `simultaneously`, or of an act by all who act then. None for other statements.
StatementId done_together(const Game& game, StatementId statement) {
    if (const auto* together = game.statements[statement].as<statement::Simultaneously>()) return together->body;
    const bool is_act = std::ranges::any_of(game.acts, [&](const Act& act) { return act.body == statement; });
    return is_act ? statement : StatementId(no_id);
}

}  // namespace

std::vector<OpenLoop> loops_in_no_order(const Machine& machine) {
    std::vector<OpenLoop> loops;
    for (std::size_t i = 0; i + 1 < machine.code.size(); ++i) {
        const Step& s = machine.code[i];
        if (s.op != Op::next_player || s.statement == no_id) continue;
        const auto* each = machine.game.statements[s.statement].as<statement::Each>();
        const StatementId together = done_together(machine.game, s.statement);
        if ((each == nullptr || each->direction != each_any_order) && together == no_id) continue;
        const PlayerLoop& l = machine.loops[s.a];
        // Loops that only collect players, or only ask them before anything happens, are the same in any order.
        bool asks = false;
        bool acts = false;
        bool draws = false;
        for (StepId k(i + 1); k < StepId(s.c); ++k) {
            const Op op = machine.code[k].op;
            asks = asks || op == Op::choose;
            draws = draws || op == Op::draw;
            acts = acts || op == Op::put || op == Op::set_fact || op == Op::call || op == Op::draw || op == Op::ask || op == Op::report ||
                   op == Op::show || op == Op::says;
        }
        if (!acts) continue;
        if (each != nullptr && (l.player != each->variable || deals_unseen(machine.game, each->body))) continue;
        if (together != no_id && (asks || (draws && deals_unseen_together(machine.game, together)))) continue;
        loops.push_back({s.a, s.statement, s.rule, together != no_id});
    }
    return loops;
}

}  // namespace houserule
