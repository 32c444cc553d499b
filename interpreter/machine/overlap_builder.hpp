// What `cases` promise of arms that hold at once, as steps: the arm that is taken first reads the conditions of those behind it of its
// rank, unless the words exclude them, and wherever one holds as well, an `agree` step compares the two. For compile.cpp.
#pragma once

#include "dsl/game/overlap.hpp"
#include "dsl/game/parts.hpp"
#include "interpreter/machine/code_builder.hpp"

#include <cstddef>
#include <vector>

namespace houserule {

class OverlapBuilder {
public:
    struct Meeting {
        OverlapId overlap;
        std::size_t first = 0;  // arms, by their places
        std::size_t other = 0;
    };

    explicit OverlapBuilder(CodeBuilder& code) : code_(code) {}
    OverlapBuilder(const OverlapBuilder&) = delete;
    OverlapBuilder& operator=(const OverlapBuilder&) = delete;

    // Where arm `i` of `cases` begins.
    void meet_others(const statement::Cases& cases, std::size_t i, std::vector<Meeting>& meetings) {
        const Game& g = code_.g;
        for (std::size_t j = i + 1; j < cases.arms.size(); ++j) {
            if (!may_overlap(g, cases, i, j)) continue;
            const auto lacks = code_.branch(cases.arms[j].condition);
            code_.m.code[lacks].mode = branch_besides;
            if (!surely_same(g, cases.arms[i].body, cases.arms[j].body)) {
                const bool compared = changes_only_the_table(g, cases.arms[i].body) && changes_only_the_table(g, cases.arms[j].body);
                meetings.push_back({code_.m.overlaps.add({{}, {}, compared}), i, j});
                code_.step(Op::agree, meetings.back().overlap);
            }
            code_.land(lacks);
        }
    }
    // Behind `cases`, whose arms begin at `entries`.
    void lead(const statement::Cases& cases, const std::vector<Meeting>& meetings, const std::vector<StepId>& entries) {
        const StepId behind(code_.here());
        const auto way = [&](std::size_t arm) { return Overlap::Way{cases.arms[arm].condition, entries[arm], {behind}}; };
        for (const Meeting& meeting : meetings) {
            code_.m.overlaps[meeting.overlap].first = way(meeting.first);
            code_.m.overlaps[meeting.overlap].other = way(meeting.other);
            note_stops(meeting.overlap, false, cases.arms[meeting.first].body);
            note_stops(meeting.overlap, true, cases.arms[meeting.other].body);
        }
    }
    // When all rules are there; `leave_at` by rule.
    void fix_exits(const Store<RuleId, StepId>& leave_at) {
        for (const Stop& stop : stops_) {
            Overlap& overlap = code_.m.overlaps[stop.overlap];
            (stop.of_other ? overlap.other : overlap.first).exits.push_back(leave_at[stop.rule]);
        }
    }

private:
    // An arm may be left by a `stop` of a rule that it does not call itself.
    void note_stops(OverlapId overlap, bool of_other, StatementId arm) {
        const Game& g = code_.g;
        const Store<RuleId, bool> called = reachable_rules(g, arm);
        const auto note = [&](StatementId id) {
            const auto* stop = g.statements[id].as<statement::Stop>();
            if (stop != nullptr && !called[stop->rule]) stops_.push_back({overlap, of_other, stop->rule});
            return false;
        };
        any_within(g, arm, note);
        for (const RuleId r : called.ids())
            if (called[r]) any_within(g, g.rules[r].body, note);
    }

    struct Stop {
        OverlapId overlap;
        bool of_other = false;
        RuleId rule;
    };
    CodeBuilder& code_;
    std::vector<Stop> stops_;
};

}  // namespace houserule
