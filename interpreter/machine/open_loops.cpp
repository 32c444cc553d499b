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
    last.imm = machine.game.players - 1;
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
        const Statement& s = game.statements[id];
        if (s.kind != StatementKind::deal) return false;
        const Expression& from = game.expressions[s.b];
        const bool unseen = from.op == Operator::place && game.zones[from.named()].seers == Seers::nobody;
        const bool ends = s.body != no_id &&
                          !any_within(game, s.body, [&](StatementId part) { return game.statements[part].kind == StatementKind::put; });
        return !unseen || ends;
    };
    return only_deals(game, statement) && !any_within(game, statement, may_tell);
}

bool deals_unseen(const Game& game, const Statement& loop, bool draws) {
    if (loop.kind == StatementKind::each) return deals_unseen(game, loop.body);
    return draws && std::ranges::all_of(at_once(game, loop.body).deals, [&](StatementId s) { return deals_unseen(game, s); });
}

}  // namespace

std::vector<OpenLoop> loops_in_no_order(const Machine& machine) {
    std::vector<OpenLoop> loops;
    for (std::size_t i = 0; i + 1 < machine.code.size(); ++i) {
        const Step& s = machine.code[i];
        if (s.op != Op::next_player || s.statement == no_id) continue;
        const Statement& st = machine.game.statements[s.statement];
        const bool each = st.kind == StatementKind::each && st.mode == each_any_order;
        if (!each && st.kind != StatementKind::simultaneously) continue;
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
        if (!acts || deals_unseen(machine.game, st, draws) || (asks && st.kind == StatementKind::simultaneously)) continue;
        if (l.player != st.variable && st.kind == StatementKind::each) continue;
        loops.push_back({s.a, s.statement, s.rule});
    }
    return loops;
}

}  // namespace houserule
