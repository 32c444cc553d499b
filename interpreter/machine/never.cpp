#include "interpreter/machine/never.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace houserule {

namespace {

// An arm came up when the step after its branch was carried out.
std::vector<CameUp::Place> cases_of(const Machine& m, std::span<const std::uint8_t> reached) {
    CameUp arms;
    for (std::size_t i = 0; i + 1 < m.code.size(); ++i) {
        const Step& step = m.code[i];
        if (step.op != Op::branch || step.mode == branch_besides || step.statement == no_id) continue;
        const auto* cases = m.game.statements[step.statement].as<statement::Cases>();
        if (cases == nullptr) continue;
        for (const Arm& arm : cases->arms)
            if (arm.condition == step.x) arms.add(m.game.expressions[arm.condition].span, StepId(i), reached[i + 1] != 0);
    }
    return arms.never();
}

}  // namespace

void note_came_up(const Machine& machine, ExpressionId condition, std::span<std::uint8_t> reached) {
    for (std::size_t i = 0; i + 1 < machine.code.size(); ++i)
        if (machine.code[i].op == Op::branch && machine.code[i].x == condition) reached[i + 1] = 1;
}

void CameUp::add(Span span, StepId step, bool came) {
    Met& met = all_[{span.source, span.begin}];
    met.place = {span, step};
    met.came = met.came || came;
}

std::vector<CameUp::Place> CameUp::never() const {
    std::vector<Place> places;
    for (const auto& [where, met] : all_)
        if (!met.came) places.push_back(met.place);
    return places;
}

NeverReached never_reached(const Machine& m, std::span<const std::uint8_t> reached) {
    NeverReached never;
    std::set<std::string> met;  // one rule of a file is several here where it takes zones: told once, when none of them came up
    for (const RuleId r : m.rule_entry.ids()) {
        const StepId entry = m.rule_entry[r];
        if (entry != no_id && reached[entry.index()] != 0) met.insert(m.game.rules[r].name);
    }
    for (const RuleId r : m.rule_entry.ids())
        if (met.insert(m.game.rules[r].name).second) never.rules.push_back(r);
    never.cases = cases_of(m, reached);
    for (std::size_t i = 0; i < m.code.size(); ++i)
        if (m.code[i].op == Op::ended && reached[i] == 0) never.ends.push_back(m.code[i].a);
    return never;
}

}  // namespace houserule
