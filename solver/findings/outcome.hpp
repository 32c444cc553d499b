// Compares two runs of one machine: tables, facts, what they wait for, results. The differences are put into words.
#pragma once

#include "interpreter/run/run.hpp"
#include "solver/findings/finding.hpp"

#include <utility>

namespace houserule {

// Whether both wait for the same answer with the same possibilities, or both are over with equal winners, scores and payoffs.
bool same_node(Run& a, Run& b);

// What a run waits for: `P2 must choose c (share)`, `over: half; P1 wins`.
Sentence waits_for(Run& run);
// The places and facts that differ, as they are in `a` and in `b`; empty sentences when none does.
std::pair<Sentence, Sentence> table_differences(const TableView& a, const TableView& b);
// Both of the above in one sentence each.
std::pair<Sentence, Sentence> outcome_differences(Run& a, Run& b);

// `P1, P3`.
std::string seats_text(const std::vector<std::int32_t>& seats);
// The name of a rule, end or act with its label, by language.
Sentence named(const Game& game, const std::string& name);
Sentence failure_text(const Game& game, const Failure& failure);
Sentence join(const std::vector<Sentence>& parts);

}  // namespace houserule
