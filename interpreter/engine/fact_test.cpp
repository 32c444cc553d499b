#include "interpreter/engine/fact_test.hpp"

namespace houserule {

std::optional<FactTest> fact_test(const Machine& machine, ExpressionId condition, Operator index, std::int32_t imm) {
    const Game& game = machine.game;
    const auto expression = [&](ExpressionId i) -> const Expression& { return game.expressions[i]; };
    FactTest test;
    ExpressionId e = condition;
    for (; expression(e).op == Operator::negate; e = expression(e).a) test.same = !test.same;
    if (expression(e).op == Operator::equal && expression(expression(e).b).op == Operator::constant) {
        test.value = expression(expression(e).b).imm;
        e = expression(e).a;
    } else {
        test.same = !test.same;  // it is not 0
    }
    const Expression& f = expression(e);
    if (f.op != Operator::fact || f.a == no_id || expression(f.a).op != index || expression(f.a).imm != imm) return std::nullopt;
    if (game.facts[f.named()].initial == no_id) return std::nullopt;
    test.at = machine.layout.fact[f.named()];
    return test;
}

}  // namespace houserule
