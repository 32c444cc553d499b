#include "interpreter/engine/quick_steps.hpp"

namespace houserule {

namespace {

class QuickStepMaker {
public:
    explicit QuickStepMaker(const Machine& machine) : m_(machine), g_(machine.game) {}

    QuickSteps all() {
        for (const PlayerLoop& l : m_.loops)
            made_.loops.push_back({variable(l.counter), variable(l.first), variable(l.player), l.set == no_id ? 0 : variable(l.set),
                                   l.set == no_id, l.clockwise});
        for (const StepId i : m_.code.ids()) made_.steps.push_back(one(i));
        join_copies();
        join_dealing();
        join_passing();
        return std::move(made_);
    }

private:
    const Step& code(StepId i) const { return m_.code[i]; }
    const Expression& expression(ExpressionId e) const { return g_.expressions[e]; }
    std::uint32_t variable(VariableId v) const { return m_.layout.variable[v]; }
    bool is(ExpressionId e, Operator op, std::int32_t immediate) const {
        return e != no_id && expression(e).op == op && expression(e).immediate == immediate;
    }

    StepId target(StepId to) const {
        for (int hops = 0; hops < 16 && to != no_id && code(to).op == Op::jump; ++hops) to = code(to).c;
        return to;
    }

    QuickStep one(StepId pc) {
        const Step& s = code(pc);
        QuickStep q;
        q.op = s.op;
        if (s.op != Op::store && s.op != Op::load) q.c = target(s.c);  // theirs is a variable
        q.x = s.x;
        switch (s.op) {
            case Op::assign: {
                const Type& t = g_.variables[s.a].type;
                q.a = variable(s.a);
                q.wide = t.base == Base::set || t.base == Base::cards;
                break;
            }
            case Op::call:
            case Op::leave:
                q.a = variable(s.a);
                break;
            case Op::add_element:
                q.a = variable(s.a);
                q.b = variable(s.b);
                break;
            case Op::next_player:
                q.loop = s.a;
                join_collecting(s, pc, q);
                break;
            default:
                break;
        }
        return q;
    }

    // next_player; [branch condition]; add_element of that player; back.
    void join_collecting(const Step& s, StepId pc, QuickStep& q) {
        StepId i = pc + 1;
        q.x = no_id;
        if (code(i).op == Op::branch && code(i).c == pc) q.x = code(i).x, ++i;
        const VariableId player = m_.loops[s.a].player;
        if (code(i).op != Op::add_element || code(i).b != player || code(i + 1).op != Op::jump || code(i + 1).c != pc) {
            q.x = no_id;
            return;
        }
        q.wide = true;
        q.a = variable(code(i).a);
        if (q.x == no_id) return;
        if (const auto test = fact_test(m_, q.x, Operator::variable, player.value())) {
            q.test = made_.tests.size();
            made_.tests.push_back(*test);
        }
    }

    bool is_held(Operator op) const {
        switch (op) {
            case Operator::constant:
            case Operator::bound:
            case Operator::variable:
            case Operator::set_constant:
            case Operator::set_variable:
            case Operator::cards_variable:
                return true;
            default:
                return false;
        }
    }
    // Assignments in a row that need no computing. A jump into their midst finds a shorter row there.
    void join_copies() {
        for (QuickStep& q : made_.steps) {
            if (q.op != Op::assign || !is_held(expression(q.x).op)) continue;
            made_.copies.push_back({q.x, q.a, q.wide});
            q.x = Operand(made_.copies.size() - 1);
            q.run = 1;
        }
        for (std::size_t i = made_.steps.size(); i-- > 1;)
            if (made_.steps[i].run != 0 && made_.steps[i - 1].run != 0) made_.steps[i - 1].run = made_.steps[i].run + 1;
    }

    // [branch unless 0 < left]; draw; left = left - 1; back to the branch: a draw that is `wide`, with `left` in a and the branch in c.
    void join_dealing() {
        for (std::size_t i = 1; i + 2 < m_.code.size(); ++i) {
            const Step& branch = m_.code[i - 1];
            const Step& less = m_.code[i + 1];
            const Step& back = m_.code[i + 2];
            if (m_.code[i].op != Op::draw || branch.op != Op::branch || less.op != Op::assign || back.op != Op::jump ||
                back.c != StepId(i - 1))
                continue;
            const Expression& test = expression(branch.x);
            const Expression& difference = expression(less.x);
            if (test.op != Operator::less || !is(test.a, Operator::constant, 0) || !is(test.b, Operator::variable, less.a.value()))
                continue;
            if (difference.op != Operator::subtract || !is(difference.a, Operator::variable, less.a.value()) ||
                !is(difference.b, Operator::constant, 1))
                continue;
            QuickStep& q = made_.steps[i];
            q.wide = true;
            q.a = variable(less.a);
            q.c = back.c;
        }
    }

    // window; [branch unless 0 < size of those who act]: a window with a `run`. When nobody acts, it leads to c; where a rule is left
    // there, to what b holds (`wide`).
    void join_passing() {
        for (std::size_t i = 0; i + 1 < m_.code.size(); ++i) {
            const Step& window = m_.code[i];
            const Step& branch = m_.code[i + 1];
            if (window.op != Op::window || branch.op != Op::branch) continue;
            const Expression& test = expression(branch.x);
            if (test.op != Operator::less || !is(test.a, Operator::constant, 0)) continue;
            if (expression(test.b).op != Operator::size_of_set || !is(expression(test.b).a, Operator::set_variable, window.b.value()))
                continue;
            QuickStep& q = made_.steps[i];
            q.run = 1;
            q.a = variable(window.b);
            q.c = made_.steps[i + 1].c;
            const Step& after = code(q.c);
            q.wide = after.op == Op::leave;
            if (q.wide) q.b = variable(after.a);
        }
    }

    const Machine& m_;
    const Game& g_;
    QuickSteps made_;
};

}  // namespace

QuickSteps quick_steps(const Machine& machine) { return QuickStepMaker(machine).all(); }

}  // namespace houserule
