// A machine that is being built: steps behind one another, and the variables and expressions that they need besides those of the game.
//
// A step is known by its index; a jump forward is made first and led to its target by `land`, once that is reached.
#pragma once

#include "interpreter/machine/machine.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace houserule {

struct CodeBuilder {
    Machine m;
    Game& g = m.game;
    StatementId statement = no_id;  // what further steps come from
    RuleId rule = no_id;

    static Type truth() { return {Base::truth, Base::nothing, no_id, 0, 1, 1, false}; }
    static Type whole(std::int32_t low, std::int32_t high) { return {Base::number, Base::nothing, no_id, low, high, 1, false}; }

    // --- expressions and variables of the machine's own

    VariableId variable(const std::string& name, Type type) { return g.variables.add({name, type, no_id}); }
    ExpressionId emit(Operator op, Type type, ExpressionId a = no_id, ExpressionId b = no_id, std::int32_t immediate = 0) {
        return g.expressions.add({op, type, a, b, no_id, immediate, {}});
    }
    ExpressionId number(std::int32_t v) { return emit(Operator::constant, whole(v, v), no_id, no_id, v); }
    ExpressionId read(VariableId variable) {
        const Type t = g.variables[variable].type;
        const Operator op = t.base == Base::cards ? Operator::cards_variable
                            : t.base == Base::set ? Operator::set_variable
                                                  : Operator::variable;
        return emit(op, t, no_id, no_id, variable.value());
    }
    ExpressionId all_players() {
        std::vector<std::int32_t> all;
        for (std::int32_t p = 0; p < g.players; ++p) all.push_back(p);
        g.sets.push_back(all);
        return emit(Operator::set_constant, player_set(), no_id, no_id, static_cast<std::int32_t>(g.sets.size() - 1));
    }
    ExpressionId no_players() {
        g.sets.emplace_back();
        return emit(Operator::set_constant, player_set(), no_id, no_id, static_cast<std::int32_t>(g.sets.size() - 1));
    }
    Type player_set() const { return {Base::set, Base::player, no_id, 0, g.players - 1, 1, false}; }
    Type player() const { return {Base::player, Base::nothing, no_id, 0, g.players - 1, 1, false}; }

    // --- steps

    std::size_t here() const { return m.code.size(); }
    std::size_t step(Op op, Operand a = no_id, ExpressionId x = no_id, ExpressionId y = no_id) {
        Step s;
        s.op = op;
        s.a = a;
        s.x = x;
        s.y = y;
        s.statement = statement;
        s.rule = rule;
        m.code.push_back(s);
        return m.code.size() - 1;
    }
    void land(std::size_t from) { m.code[from].c = StepId(here()); }
    void jump_to(std::size_t target) { m.code[step(Op::jump)].c = StepId(target); }
    std::size_t jump() { return step(Op::jump); }
    std::size_t branch(ExpressionId condition) { return step(Op::branch, no_id, condition); }
    void assign(VariableId variable, ExpressionId value) { step(Op::assign, variable, value); }
    void increase(VariableId variable) { assign(variable, emit(Operator::add, whole(0, 1 << 30), read(variable), number(1))); }
};

}  // namespace houserule
