#include "interpreter/never.hpp"

#include <cstddef>
#include <map>
#include <utility>

namespace houserule {

namespace {

// An arm came up when the step after its branch was carried out in one of the places it was compiled to.
std::vector<NeverReached::Case> cases_of(const Machine& m, std::span<const std::uint8_t> reached) {
    struct Met {
        NeverReached::Case arm;
        bool came = false;
    };
    std::map<std::pair<std::uint16_t, std::uint32_t>, Met> arms;  // by where it stands
    for (std::size_t i = 0; i + 1 < m.code.size(); ++i) {
        const Step& step = m.code[i];
        if (step.op != Op::branch || step.statement == no_id) continue;
        const Statement& statement = m.game.statements[static_cast<std::size_t>(step.statement)];
        if (statement.kind != StatementKind::choose_case) continue;
        for (const Arm& arm : statement.arms) {
            if (arm.condition != step.x) continue;
            const Span span = m.game.expressions[static_cast<std::size_t>(arm.condition)].span;
            Met& met = arms[{span.source, span.begin}];
            met.arm = {span, static_cast<Id>(i)};
            met.came = met.came || reached[i + 1] != 0;
        }
    }
    std::vector<NeverReached::Case> never;
    for (const auto& [where, met] : arms)
        if (!met.came) never.push_back(met.arm);
    return never;
}

}  // namespace

NeverReached never_reached(const Machine& m, std::span<const std::uint8_t> reached) {
    NeverReached never;
    for (std::size_t r = 0; r < m.rule_entry.size(); ++r) {
        const Id entry = m.rule_entry[r];
        if (entry == no_id || reached[static_cast<std::size_t>(entry)] == 0) never.rules.push_back(static_cast<Id>(r));
    }
    never.cases = cases_of(m, reached);
    for (std::size_t i = 0; i < m.code.size(); ++i)
        if (m.code[i].op == Op::ended && reached[i] == 0) never.ends.push_back(m.code[i].a);
    return never;
}

}  // namespace houserule
