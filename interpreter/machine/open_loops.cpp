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

// Whether chance picks for each what becomes facts of theirs, and nothing else is done: then each order is as good as another.
class OwnLots {
public:
    OwnLots(const Game& game, const statement::Each& each) : game_(game), each_(each) {
        any_within(game, each.body, [&](StatementId id) {
            if (const auto* becomes = game.statements[id].as<statement::Becomes>()) changed_.push_back(becomes->fact);
            return false;
        });
    }
    bool only() { return !reads_of_others(each_.set) && !reads_of_others(each_.condition) && !does_more(each_.body) && draws_; }

private:
    bool is_own(ExpressionId player) const {
        if (player == no_id) return false;
        const Expression& x = game_.expressions[player];
        return x.op == Operator::variable && x.named() == each_.variable;
    }
    // Whether it reads what the loop changes for somebody else.
    bool reads_of_others(ExpressionId e) const {
        return any_read(game_, e, [&](const Expression& x) {
            const bool is_fact = names_fact(x.op);
            return is_fact && std::ranges::find(changed_, FactId(x.named())) != changed_.end() && !is_own(x.a);
        });
    }
    bool does_more(StatementId id) {
        const Statement& s = game_.statements[id];
        const auto part = [&](StatementId of) { return does_more(of); };
        const auto reads = [&](ExpressionId e) { return reads_of_others(e); };
        if (const auto* lot = s.as<statement::Report>()) {
            draws_ = draws_ || lot->by_chance;
            return !lot->by_chance || reads(lot->set) || reads(lot->seer) ||
                   std::ranges::any_of(lot->weights, reads, &statement::Weight::weight);
        }
        if (const auto* becomes = s.as<statement::Becomes>()) return !is_own(becomes->index) || reads(becomes->value);
        if (const auto* each = s.as<statement::EachNumber>())
            return reads(each->low) || reads(each->high) || reads(each->condition) || any_part(s, part);
        if (const auto* cases = s.as<statement::Cases>())
            return std::ranges::any_of(cases->arms, reads, &Arm::condition) || any_part(s, part);
        return s.kind() != StatementKind::block || any_part(s, part);
    }

    const Game& game_;
    const statement::Each& each_;
    std::vector<FactId> changed_;
    bool draws_ = false;
};

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
        const bool is_chance = each != nullptr && (deals_unseen(machine.game, each->body) || OwnLots(machine.game, *each).only());
        if (each != nullptr && (l.player != each->variable || is_chance)) continue;
        if (together != no_id && (asks || (draws && deals_unseen_together(machine.game, together)))) continue;
        loops.push_back({s.a, s.statement, s.rule, together != no_id});
    }
    return loops;
}

}  // namespace houserule
